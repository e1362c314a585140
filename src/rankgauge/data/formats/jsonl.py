"""JSON Lines: one record or one query per line.

{"query_id": "q1", "doc_id": "d1", "score": 0.5}
{"query_id": "q1", "retrieved": ["d1", "d2"], "relevant": {"d1": 2}}
{"query_id": "q1", "results": [{"doc_id": "d1", "score": 0.5}, …]}
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import cache
from typing import Any, BinaryIO

import msgspec
import polars as pl

from rankgauge._show import show
from rankgauge.data.columns import Kind
from rankgauge.data.formats.base import Format, Loaded, Options
from rankgauge.data.formats.json import TOO_DEEP, is_lines, may_repeat_keys, reason_of, repeated_keys
from rankgauge.data.formats.nested import from_records
from rankgauge.data.formats.opening import Source
from rankgauge.errors import InputError

__all__ = ["FORMAT", "decode_lines", "read", "write"]

_TWO_ON_A_LINE = re.compile(rb"}[ \t\r]*{")  # never inside an object, but perhaps inside a text


def read(source: Source, options: Options) -> Loaded:
    """Read records or queries, one per line."""
    records, line = decode_lines(source, source.where)
    return from_records(source, options, FORMAT.name, records, lambda i: f"line {line(i)}")


def decode_lines(source: Source, where: str) -> tuple[list[dict[str, Any]], Callable[[int], int]]:
    """The records, and a function from the position of a record to its line."""
    source.text()  # raises on anything but UTF-8 text
    data = source.data()

    @cache
    def filled() -> list[int]:
        return [n for n, text in enumerate(data.split(b"\n"), start=1) if text.strip()]

    def line(record: int) -> int:
        return filled()[record]

    try:
        records: list[Any] = msgspec.json.Decoder().decode_lines(data)
    except msgspec.DecodeError:
        raise _explain(data, where) from None
    except RecursionError:
        raise InputError(f"{where} {TOO_DEEP}") from None
    if _TWO_ON_A_LINE.search(data) and len(records) > sum(1 for text in data.split(b"\n") if text.strip()):
        raise _explain(data, where)
    if not {type(r) for r in records} <= {dict}:
        problems = [
            f"line {line(i)}: must be an object, got {show(r)}."
            for i, r in enumerate(records)
            if not isinstance(r, dict)
        ]
        raise InputError.collect(f"{where}, ", problems)
    if may_repeat_keys(data, records):
        twice = [(n, k) for n, t in enumerate(data.split(b"\n"), 1) if t.strip() for k in repeated_keys(t)]
        if twice:
            problems = [f"line {n}: key {show(k)} appears twice." for n, k in twice]
            raise InputError.collect(f"{where}, ", problems)
    return records, line


def _explain(data: bytes, where: str) -> InputError:
    problems: list[str] = []
    for number, text in enumerate(data.split(b"\n"), start=1):
        if not text.strip():
            continue
        try:
            msgspec.json.decode(text)
        except RecursionError:
            problems.append(f"line {number}: {TOO_DEEP}")
        except msgspec.DecodeError as e:
            problems.append(f"line {number}: not valid JSON: {reason_of(e)}: {show(text.decode()[:60])}.")
    return InputError.collect(f"{where}, ", problems or ["not valid JSON Lines."])


def write(frame: pl.DataFrame, file: BinaryIO, kind: Kind, tag: str) -> None:
    """One record per line; NaN and infinity have no JSON, so they are refused."""
    value = "score" if kind == "run" else "grade"
    bad = [v for v in frame.get_column(value).to_list() if not math.isfinite(v)]
    if bad:
        raise InputError(f"JSON has no {bad[0]}: {len(bad)} {value}s are not finite. Write .csv or .parquet instead.")
    file.write(frame.write_ndjson().encode())


FORMAT = Format("jsonl", (".jsonl", ".ndjson", ".jsonlines"), is_lines, read, write)
