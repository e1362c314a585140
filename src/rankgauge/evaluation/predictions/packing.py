"""Numbers and arrays as bytes, the same on every machine. Nothing in them is executed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankgauge._text import Text, zh
from rankgauge.errors import InputError

__all__ = ["pack", "reason_of", "unpack"]

_KINDS = {"i": "<i8", "f": "<f8"}


def pack(magic: bytes, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """A header that JSON can hold, then arrays of int64 or float64."""
    made = {name: np.ascontiguousarray(a, dtype=_KINDS[a.dtype.kind]) for name, a in arrays.items()}
    shapes = {name: [a.dtype.kind, *a.shape] for name, a in made.items()}
    text = json.dumps({"header": header, "arrays": shapes}).encode()
    return b"".join([magic, len(text).to_bytes(4, "little"), text, *(a.tobytes() for a in made.values())])


def reason_of(error: Exception) -> str:
    """What an error says, in both languages where it is one of ours."""
    said = error.args[0] if error.args else ""
    return said if isinstance(said, Text) else str(error)


def unpack(magic: bytes, data: bytes, what: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """What `pack` was given."""
    try:
        if data[: len(magic)] != magic:
            raise ValueError(Text("the first bytes are others", "开头的字节不对"))
        start = len(magic) + 4
        end = start + int.from_bytes(data[len(magic) : start], "little")
        found = json.loads(data[start:end])
        arrays = {}
        for name, (kind, *shape) in found["arrays"].items():
            size = 8 * int(np.prod(shape, dtype=np.int64))
            raw = np.frombuffer(data[end : end + size], dtype=_KINDS[kind]).reshape(shape)
            arrays[name] = raw.astype(np.int64 if kind == "i" else np.float64)
            end += size
        if end != len(data):
            raise ValueError(Text("it is too long", "内容过长"))
        return found["header"], arrays
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            Text(
                f"from_bytes() needs what a {what} wrote, got something else: {reason_of(error)}.",
                f"from_bytes() 需要 {what} 写出的内容，实际不是：{zh(reason_of(error))}。",
            )
        ) from error
