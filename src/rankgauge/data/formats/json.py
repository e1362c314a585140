"""JSON: one object with a query per key, or a list of records.

    {"q1": {"d1": 2, "d2": 0}}                      scores or grades
    {"q1": ["d1", "d2"]}                            a ranking, best first; or the relevant items, grade 1
    {"q1": "d1"}                                    the one relevant item (qrels only)
    {"q1": {"retrieved": [...], "relevant": ...}}   both in one file, each reader takes its half
    [{"query_id": "q1", "doc_id": "d1", "score": 0.5}, …]

In a list of n the first gets score n and the last 1. Elements may be ids, `[id, number]` pairs or records.
"""

from __future__ import annotations

from typing import Any

import msgspec

from rankgauge.data.formats.base import Format, Loaded, Options
from rankgauge.data.formats.nested import Rows, from_records
from rankgauge.data.formats.text import Source

__all__ = ["FORMAT", "decode", "matches", "read"]


def matches(source: Source) -> bool:
    """An object or a list."""
    return not source.path.is_dir() and source.head.lstrip()[:1] in (b"{", b"[")


def read(source: Source, options: Options) -> Loaded:
    """Read any of the layouts above."""
    content = decode(source)
    if isinstance(content, list):
        return from_records(source, options, FORMAT.name, content, lambda i: f"record {i + 1}")
    if not isinstance(content, dict):
        raise source.error(f"must hold an object or a list, got {content!r}.")
    rows = Rows(source)
    for query, entry in content.items():
        rows.add(query, entry, f"query {query!r}")
    return rows.loaded(FORMAT.name)


def decode(source: Source) -> Any:
    """The value of the whole file."""
    source.text()  # raises on anything but UTF-8 text
    data = source.data()
    try:
        return msgspec.json.decode(data)
    except msgspec.DecodeError as e:
        raise source.error(f"{line_of(str(e), data)}: not valid JSON: {reason_of(e)}.") from e


def line_of(message: str, data: bytes) -> str:
    """msgspec says `(byte 17)`; people count lines."""
    digits = message.rpartition("(byte ")[2].rstrip(")")
    at = int(digits) if digits.isdigit() else len(data.rstrip())
    return f"line {data.count(chr(10).encode(), 0, at) + 1}"


def reason_of(error: Exception) -> str:
    """What is wrong, without the byte count."""
    return str(error).removeprefix("JSON is malformed: ").partition(" (byte")[0]


FORMAT = Format("json", (".json",), matches, read)
