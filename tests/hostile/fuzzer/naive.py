"""Files and objects read as their formats are defined: strictly, in plain Python, without the package.

Whatever is not plainly a table of its kind raises `Open`; the package may then refuse it, or say what it made of it.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import math
import re
import tomllib
import zlib
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any

from .meanings import Further, Open
from .tables import IDS, NUMBERS, REQUIRED, Table

__all__ = ["document", "number", "read", "table_of_records", "toml", "unpacked"]

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_OPTIONAL = {"device", "language", "intent", "title", "text"}


def number(value: Any, *, may_be_infinite: bool = False) -> float:
    """A finite number, written as people write numbers; a score may be infinite, which is a place in the ranking."""
    if getattr(value, "ndim", None) == 0:
        value = value.item()  # of NumPy
    if isinstance(value, bytes):
        value = value.decode("latin-1")
    if isinstance(value, str):
        value = value.strip(" \t")
        if not _NUMBER.fullmatch(value) and not (may_be_infinite and _INFINITE.fullmatch(value)):
            raise Open
        value = float(value)
    if not isinstance(value, Real | Decimal | Fraction):
        raise Open
    try:
        out = float(value)
    except (OverflowError, ValueError):
        raise Open from None
    if math.isnan(out) or (math.isinf(out) and not may_be_infinite):
        raise Open
    return out


def _cell(column: str, value: Any, kind: str = "") -> Any:
    if getattr(value, "ndim", None) == 0:
        value = value.item()  # of NumPy
    if column in NUMBERS:
        return number(value, may_be_infinite=kind == "run" or (kind, column) == ("predictions", "score"))
    if column == "time":
        text = str(value)
        if not (_DAY.fullmatch(text) or (isinstance(value, str | int) and re.fullmatch(r"\d{9,10}", text, re.ASCII))):
            raise Open
        return text
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if column in IDS and kind in ("run", "qrels", "interactions") and isinstance(value, float) and value.is_integer():
        value = str(int(value))  # pandas makes floats of whole numbers
    if column == "user_id" and isinstance(value, Real) and not math.isnan(value):
        value = str(value)
    if isinstance(value, str):
        value = value.replace("\x00", "\ufffd")  # text files cannot hold it; any other letter makes the same of it
    if column in _OPTIONAL:
        if isinstance(value, list | dict | tuple | set | bytes):
            raise Open
        return "" if value is None or (isinstance(value, float) and math.isnan(value)) else str(value)
    if not isinstance(value, str) or (not value.strip() and column not in _OPTIONAL):
        raise Open
    if column in IDS - {"user_id"} and (value != value.strip() or not value.isprintable()):
        raise Open  # blanks around ids, marks that nobody sees
    return value


def table_of_records(records: Iterable[Any], kind: str) -> Table:
    """Rows of named values; further columns are nobody's business. What two rows call differently are two columns."""
    rows = []
    called: dict[str, str] = {}
    for record in records:
        if not isinstance(record, Mapping):
            raise Open
        folded: dict[str, Any] = {}
        for name, value in record.items():
            if not isinstance(name, str):
                raise Open
            known = _fold(name)
            if kind == "slices" and known != "queryid":  # attributes are called as they are
                known = name
            if known in folded or called.setdefault(known, name) != name:
                raise Open
            folded[known] = value
        if any(_fold(c) not in folded for c in REQUIRED[kind]):
            raise Open
        if kind == "slices" and len(folded) > len(REQUIRED[kind]):
            raise Further
        rows.append(tuple(_cell(c, folded[_fold(c)], kind) for c in REQUIRED[kind]))
    return _settled(rows, kind)


def _fold(name: str) -> str:
    """Names of columns, without case, blanks, hyphens, underscores and dots."""
    return re.sub(r"[\s\-_.]+", "", name).casefold()


def _settled(rows: list[tuple[Any, ...]], kind: str) -> Table:
    """No rows mean nothing; of a repeated result the best place counts; two grades for one item are nobody's.

    An infinite score stands before or behind all others, as a finite one beyond them does.
    """
    if not rows:
        raise Open
    if kind not in ("run", "qrels"):
        return Table(kind, tuple(rows))
    best: dict[tuple[str, str], float] = {}
    for query, doc, value in rows:
        if kind == "qrels" and best.get((query, doc), value) != value:
            raise Open
        best[query, doc] = max(value, best.get((query, doc), value))
    finite = [v for v in best.values() if math.isfinite(v)] or [0.0]
    beyond = {math.inf: max(finite) + 1, -math.inf: min(finite) - 1}
    settled = tuple((q, d, beyond.get(v, v)) for (q, d), v in best.items())
    return Table(kind, settled, is_settled=settled != tuple(rows))


# Files


def read(data: bytes, form: str, kind: str) -> Table:
    """A file of a known form, unpacked."""
    if form in ("parquet", "arrow"):
        return table_of_records(_columnar(data, form), kind)
    text = _text(data)
    if form.startswith("trec"):
        return _trec(text, kind)
    if form in ("csv", "tsv"):
        return table_of_records(_truths_as_numbers(_csv(text, "," if form == "csv" else "\t")), kind)
    if form == "jsonl":
        records = [document(line) for line in text.split("\n") if line.strip()]
        return table_of_records(_ids_as_text(records) if kind == "log" else records, kind)
    if form == "json-records":
        return table_of_records(_list(document(text)), kind)
    if form == "json-nested":
        return _nested(document(text), kind)
    if form == "jsonl-queries":
        return _query_lines(text, kind)
    raise AssertionError(form)


def _truths_as_numbers(records: list[dict[str, str]]) -> list[dict[str, str]]:
    """A count of which every cell is true or false, as flags of users are, is 1 or 0."""
    values = {"true": "1", "false": "0"}
    flags = [
        c for c in ("clicks", "shown", "before") if records and all(r.get(c, "").lower() in values for r in records)
    ]
    return [{**r, **{c: values[r[c].lower()] for c in flags}} for r in records]


def _ids_as_text(records: list[Any]) -> list[Any]:
    """A number or a truth value among the ids of a log is its text."""
    return [
        {k: json.dumps(v) if k in IDS and isinstance(v, float | bool) else v for k, v in r.items()}
        if isinstance(r, dict)
        else r
        for r in records
    ]


def unpacked(data: bytes, packing: str) -> bytes:
    """What was compressed, where it is whole."""
    unpack = {"gz": gzip.decompress, "bz2": bz2.decompress, "xz": lzma.decompress, "zst": _zstd}[packing]
    try:
        return unpack(data)
    except (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError):
        raise Open from None


def _zstd(data: bytes) -> bytes:
    import pyarrow as pa

    with pa.input_stream(pa.py_buffer(data), compression="zstd") as stream:
        out: bytes = stream.read()
    return out


def _text(data: bytes) -> str:
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError:
        raise Open from None
    if "\x00" in text or (('"' in text or "\n" in text) and re.search(r"\r(?!\n)", text)):
        raise Open  # a line end, or a letter of a text: in a file with other line ends nobody can tell
    return re.sub(r"\r\n?", "\n", text)


def _trec(text: str, kind: str) -> Table:
    rows = []
    for line in text.replace("\r\n", "\n").split("\n"):
        if not line.strip(" \t") or line.startswith("#"):
            continue
        fields = re.split(r"[ \t]+", line.strip(" \t"))
        if len(fields) != (6 if kind == "run" else 4) or any(c.isspace() and c not in " \t" for c in line):
            raise Open
        value = fields[4 if kind == "run" else 3]
        rows.append((_cell("query_id", fields[0]), _cell("doc_id", fields[2]), _cell("score", value, kind)))
    return _settled(rows, kind)


def _csv(text: str, separator: str) -> list[dict[str, str]]:
    try:
        lines = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True) if row]
    except csv.Error:
        raise Open from None
    if not lines or len({name.casefold() for name in lines[0]}) < len(lines[0]):
        raise Open
    if any(len(row) != len(lines[0]) for row in lines):
        raise Open
    if any('"' in cell for row in lines for cell in row) and not _is_as_written(lines, text, separator):
        raise Open  # a quote that is not doubled in quotes: the dialects differ
    return [dict(zip(lines[0], row, strict=True)) for row in lines[1:]]


def _is_as_written(lines: list[list[str]], text: str, separator: str) -> bool:
    """Whether these cells, written as RFC 4180 has it, are this text."""
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator="\n").writerows(lines)
    return out.getvalue().strip("\n") == text.strip("\n")


def _columnar(data: bytes, form: str) -> list[dict[str, Any]]:
    import polars as pl

    try:
        frame = pl.read_parquet(io.BytesIO(data)) if form == "parquet" else pl.read_ipc(io.BytesIO(data))
        return frame.to_dicts()
    except BaseException as e:
        if isinstance(e, KeyboardInterrupt | MemoryError):
            raise
        raise Open from None


def document(text: str) -> Any:
    """JSON in which no key is there twice."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({k for k, _ in items}) < len(items):
            raise Open
        return dict(items)

    def constant(name: str) -> float:
        raise Open

    try:
        return json.loads(text, object_pairs_hook=pairs, parse_constant=constant)
    except (json.JSONDecodeError, RecursionError, ValueError):
        raise Open from None


def toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        raise Open from None


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise Open
    return value


def _listed(entry: Any, kind: str) -> Any:
    """The results of a query without scores, best first; its relevant items without grades; its one target."""
    if isinstance(entry, str) and entry and kind == "qrels":
        entry = [entry]
    if not isinstance(entry, list) or not all(isinstance(doc, str) for doc in entry) or len(set(entry)) < len(entry):
        return entry
    return {doc: 1 if kind == "qrels" else len(entry) - i for i, doc in enumerate(entry)}


def _nested(content: Any, kind: str) -> Table:
    if isinstance(content, dict):
        content = {query: _listed(entry, kind) for query, entry in content.items()}
    if not isinstance(content, dict) or not all(isinstance(docs, dict) and docs for docs in content.values()):
        raise Open
    if kind == "run" and any(isinstance(v, bool) for docs in content.values() for v in docs.values()):
        raise Open  # true and false judge, and do not rank
    value = REQUIRED[kind][2]
    return table_of_records(
        ({"query_id": q, "doc_id": d, value: v} for q, docs in content.items() for d, v in docs.items()), kind
    )


def _query_lines(text: str, kind: str) -> Table:
    lines = [document(line) for line in text.split("\n") if line.strip()]
    found: dict[str, Any] = {}
    for line in lines:
        key = "results" if kind == "run" else "relevant"
        if not isinstance(line, dict):
            raise Open
        line = {_fold(name): value for name, value in line.items()}
        if set(line) != {"queryid", key} or not isinstance(line["queryid"], str):
            raise Open
        if line["queryid"] in found:
            raise Open
        entry = line[key]
        if kind == "run":
            if not all(isinstance(r, dict) and set(r) == {"doc_id", "score"} for r in _list(entry)):
                raise Open
            if len({r["doc_id"] for r in entry if isinstance(r["doc_id"], str)}) < len(entry):
                raise Open
            entry = {r["doc_id"]: r["score"] for r in entry}
        found[line["queryid"]] = entry
    return _nested(found, kind)
