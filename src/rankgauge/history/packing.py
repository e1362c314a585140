"""A record as a database keeps it: a small body, and its long columns apart.

What `to_dict` has of a record is mostly long lists, one value per query. Lists of numbers are taken out as they lie in
memory, lists of texts (ids) are kept once for all records that have them, and the body says where each belongs. It
knows no kind of record: whatever can be stored as JSON comes back as it was.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge.errors import InputError

__all__ = ["ID_LIST", "NUMBERS", "Numbers", "Packed", "digest_of", "pack", "packed_text", "unpack", "unpacked_text"]

NUMBERS, ID_LIST = "$numbers", "$ids"
_SHORTEST = 16
_LEVEL = 1  # a third of the time of the default, a tenth larger


@dataclass(frozen=True)
class Numbers:
    """A column of numbers as bytes, little-endian; what is missing among floats is not a number."""

    type: str
    n: int
    data: bytes

    def values(self) -> list[Any]:
        """The list that it was."""
        found = np.frombuffer(self.data, dtype=self.type)
        if found.dtype.kind != "f":
            return list(found.tolist())
        missing = np.isnan(found)
        return [None if gone else v for v, gone in zip(found.tolist(), missing, strict=True)]


@dataclass(frozen=True)
class Packed:
    """A record taken apart."""

    body: bytes
    numbers: Mapping[str, Numbers] = field(default_factory=dict)
    id_lists: Mapping[str, bytes] = field(default_factory=dict)
    lengths: Mapping[str, int] = field(default_factory=dict)
    """Of the lists of ids."""


def pack(record: Mapping[str, Any]) -> Packed:
    """Takes what `to_dict` made apart."""
    numbers: dict[str, Numbers] = {}
    ids: dict[str, bytes] = {}
    lengths: dict[str, int] = {}

    def taken(value: Any, path: tuple[str, ...]) -> Any:
        if isinstance(value, Mapping):
            return {k: taken(v, (*path, str(k))) for k, v in value.items()}
        if not isinstance(value, (list, tuple)):
            return value
        if len(value) >= _SHORTEST:
            if (made := _numbers(value)) is not None:
                numbers[name := path_text(path)] = made
                return {NUMBERS: name}
            if all(type(v) is str for v in value):
                data = packed_text(json.dumps(list(value), ensure_ascii=False))
                digest = digest_of("\n".join(value))
                ids[digest], lengths[digest] = data, len(value)
                return {ID_LIST: digest}
        return [taken(v, (*path, str(i))) for i, v in enumerate(value)]

    body = packed_text(json.dumps(taken(record, ()), ensure_ascii=False, separators=(",", ":"), allow_nan=False))
    return Packed(body, numbers, ids, lengths)


def unpack(body: bytes, numbers: Callable[[str], Numbers], ids: Callable[[str], bytes]) -> dict[str, Any]:
    """The record as `to_dict` had it."""

    def put_back(value: Any) -> Any:
        if isinstance(value, list):
            return [put_back(v) for v in value]
        if not isinstance(value, dict):
            return value
        if value.keys() == {NUMBERS}:
            return numbers(value[NUMBERS]).values()
        if value.keys() == {ID_LIST}:
            return json.loads(unpacked_text(ids(value[ID_LIST])))
        return {k: put_back(v) for k, v in value.items()}

    found: dict[str, Any] = put_back(json.loads(unpacked_text(body)))
    return found


def path_text(keys: tuple[str, ...]) -> str:
    """Keys as one text that no other keys have.

    >>> path_text(("per_query", "nDCG@10")), path_text(("a/b", "c"))
    ('per_query/nDCG@10', 'a~1b/c')
    """
    return "/".join(key.replace("~", "~0").replace("/", "~1") for key in keys)


def digest_of(*texts: str) -> str:
    """What stands for texts, so that the same are known again."""
    return sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def packed_text(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8", "surrogatepass"), _LEVEL)


def unpacked_text(data: bytes) -> str:
    try:
        return zlib.decompress(bytes(data)).decode("utf-8", "surrogatepass")
    except (zlib.error, UnicodeDecodeError) as e:
        raise InputError(
            Text(
                f"history: a record in it is damaged ({e}). Restore the store from a copy.",
                f"历史：其中一条记录已损坏（{e}）。请用备份恢复。",
            )
        ) from e


def _numbers(values: list[Any] | tuple[Any, ...]) -> Numbers | None:
    """As bytes, where all are of one type; floats may have gaps."""
    kinds = set(map(type, values))
    if kinds == {int}:
        if not all(-(2**63) <= v < 2**63 for v in values):
            return None
        return _made(np.array(values, dtype="<i8"), "<i8")
    if float in kinds and kinds <= {float, type(None)}:
        return _made(np.array([np.nan if v is None else v for v in values], dtype="<f8"), "<f8")
    return None


def _made(array: Any, kind: str) -> Numbers:
    return Numbers(kind, len(array), array.tobytes())
