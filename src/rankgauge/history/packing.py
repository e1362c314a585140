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
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np

__all__ = [
    "ID_LIST",
    "NUMBERS",
    "Numbers",
    "Packed",
    "digest_of",
    "pack",
    "packed_text",
    "path_text",
    "read_ids",
    "storable",
    "unpack",
    "unpacked_text",
]

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
        if len(found) != self.n or found.dtype.kind not in "if":
            raise ValueError(f"{len(found)} numbers of {self.n}")
        if found.dtype.kind != "f":
            return list(found.tolist())
        return [None if v != v else v for v in found.tolist()]  # noqa: PLR0124 - what is not a number is not itself


@dataclass(frozen=True)
class Packed:
    """A record taken apart."""

    text: str
    """Its body, JSON."""
    numbers: Mapping[str, Numbers] = field(default_factory=dict)
    """Columns by where they stand in the record."""
    id_lists: Mapping[str, str] = field(default_factory=dict)
    """Lists of texts, each as JSON, by what stands for them."""
    queries: str = ""
    """Which of the lists has the ids of its queries; nothing where none does."""

    @cached_property
    def digest(self) -> str:
        """What stands for the content: lists of texts are in the body by theirs."""
        made = sha256(self.text.encode("utf-8", "surrogatepass"))
        for path, column in sorted(self.numbers.items()):
            made.update(f"\0{path}\0{column.type}\0".encode("utf-8", "surrogatepass"))
            made.update(column.data)
        return made.hexdigest()


def pack(record: Mapping[str, Any]) -> Packed:
    """Takes apart what `to_dict` made; columns may also be arrays, whose numbers that are none are missing ones."""
    numbers: dict[str, Numbers] = {}
    lists: dict[str, str] = {}

    def taken(value: Any, path: tuple[str, ...]) -> Any:
        if isinstance(value, Mapping):
            return {_escaped(k): taken(v, (*path, k)) for k, v in value.items()}
        if isinstance(value, np.ndarray):
            if (made := _of_array(value)) is not None:
                numbers[name := path_text(path)] = made
                return {NUMBERS: name}
            value = [None if v != v else v for v in value.tolist()]  # noqa: PLR0124
        if not isinstance(value, (list, tuple)):
            return value
        if len(value) >= _SHORTEST:
            if (made := _of_list(value)) is not None:
                numbers[name := path_text(path)] = made
                return {NUMBERS: name}
            if set(map(type, value)) == {str}:
                text = json.dumps(list(value), ensure_ascii=False)
                lists[digest := digest_of(text)] = text
                return {ID_LIST: digest}
        return [taken(v, (*path, str(i))) for i, v in enumerate(value)]

    body = taken(record, ())
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    ids = body.get("query_ids")
    return Packed(text, numbers, lists, ids[ID_LIST] if isinstance(ids, dict) else "")


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
            return read_ids(ids(value[ID_LIST]))
        return {k[1:] if k.startswith("$") else k: put_back(v) for k, v in value.items()}

    found: dict[str, Any] = put_back(json.loads(unpacked_text(body)))
    return found


def _escaped(key: str) -> str:
    """A key that is not one of ours."""
    return f"${key}" if key.startswith("$") else key


def read_ids(data: bytes) -> list[str]:
    """A list of texts as it was."""
    found: list[str] = json.loads(unpacked_text(data))
    if not isinstance(found, list):
        raise TypeError("no list of ids")
    return found


def path_text(keys: tuple[str, ...]) -> str:
    """Keys as one text that no other keys have, and that any database can hold.

    >>> path_text(("per_query", "nDCG@10")), path_text(("a/b", "c"))
    ('per_query/nDCG@10', 'a~1b/c')
    """
    return storable("/".join(key.replace("~", "~0").replace("/", "~1") for key in keys))


def storable(text: str) -> str:
    r"""The same where any database can hold it; what none can (halves of characters, NUL) is spelled out.

    >>> storable("q\x00"), storable("\ud800"), storable("雪")
    ('q\\x00', '\\ud800', '雪')
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", r"\x00")


def digest_of(*texts: str) -> str:
    """What stands for texts, so that the same are known again.

    >>> digest_of("a", "b") != digest_of('a", "b')
    True
    """
    told = texts[0] if len(texts) == 1 else json.dumps(texts)
    return sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def packed_text(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8", "surrogatepass"), _LEVEL)


def unpacked_text(data: bytes) -> str:
    """What `packed_text` made; who asks says of which entry it was."""
    try:
        return zlib.decompress(bytes(data)).decode("utf-8", "surrogatepass")
    except zlib.error as e:
        raise ValueError(str(e)) from e


def _of_list(values: list[Any] | tuple[Any, ...]) -> Numbers | None:
    """As bytes, where all are of one type; floats may have gaps."""
    kinds = set(map(type, values))
    if kinds == {int}:
        try:
            return _of_integers(np.array(values, dtype=np.int64))
        except OverflowError:
            return None
    if float in kinds and kinds <= {float, type(None)}:
        return _made(np.array([np.nan if v is None else v for v in values], dtype="<f8"), "<f8")
    return None


def _of_array(values: Any) -> Numbers | None:
    """The same of an array, as if it were a list."""
    if len(values) < _SHORTEST or values.ndim != 1:
        return None
    if values.dtype.kind == "i":
        return _of_integers(values)
    if values.dtype.kind != "f":
        return None
    missing = np.isnan(values)
    return None if missing.all() else _made(np.where(missing, np.nan, values).astype("<f8"), "<f8")


def _of_integers(values: Any) -> Numbers:
    """In as few bytes as all of them need."""
    low, high = int(values.min()), int(values.max())
    kind = next(k for k in ("<i1", "<i2", "<i4", "<i8") if np.iinfo(k).min <= low and high <= np.iinfo(k).max)
    return _made(values.astype(kind), kind)


def _made(array: Any, kind: str) -> Numbers:
    return Numbers(kind, len(array), array.tobytes())
