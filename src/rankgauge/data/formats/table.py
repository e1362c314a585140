"""CSV and TSV: comma, semicolon or tab, with a header, or without one where the columns can be told.

Everything is read as text first, so that `007` stays `007`; numbers are converted afterwards, with line numbers
in the errors.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO

import polars as pl

from rankgauge.data.columns import Kind, fold, recognise
from rankgauge.data.formats.base import Format, Loaded, Options, loaded
from rankgauge.data.formats.lines import is_number
from rankgauge.data.formats.text import Source
from rankgauge.data.frames import qrels_frame, run_frame
from rankgauge.errors import InputError

__all__ = ["CSV", "TSV"]

_BLANKS = " \t\r\n\f\v"


@dataclass(frozen=True, slots=True)
class _Shape:
    """How the file is written."""

    separator: str
    fields: list[str]  # of the first line
    has_header: bool
    quote: str | None


def _shape(source: Source, separators: str = "\t,;") -> _Shape | None:
    """The separator with the most fields in the first line, or None when there are fewer than three fields."""
    lines = source.first_lines(2)
    if not lines:
        return None
    best = max(separators, key=lambda s: len(_fields(lines[0], s)))
    fields = _fields(lines[0], best)
    if len(fields) < 3:
        return None
    has_header = not any(is_number(f.strip()) for f in fields) and all(f.strip() for f in fields)
    # In a TSV a lone quote is a character; it quotes only where whole fields are wrapped in it.
    wrapped = re.search(rb'(^|[\t\n])"[^\t\n]*"([\t\r\n]|$)', source.head)
    quote = '"' if best != "\t" or wrapped else None
    return _Shape(best, fields, has_header, quote)


def _fields(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator, strict=True))
    except csv.Error:
        return line.split(separator)


def _matcher(separators: str) -> Callable[[Source], bool]:
    def matches(source: Source) -> bool:
        if source.path.is_dir() or source.head.lstrip()[:1] in (b"{", b"[") or b"\x00" in source.head:
            return False
        shape = _shape(source)
        if shape is None or shape.separator not in separators:
            return False
        if shape.has_header and _is_header(shape.fields, source.kind):
            return True
        # A tab line without blanks inside its fields and without a header is a TREC line.
        return shape.separator != "\t" or any(" " in f.strip() for f in shape.fields)

    return matches


def _is_header(fields: list[str], kind: Kind) -> bool:
    """Are there names that rankgauge knows? One is enough: ids of documents are no such names."""
    for field in fields:
        try:
            recognise([field], kind)
        except InputError as e:
            if f"'{field}'" not in str(e).partition("Pass columns")[2]:
                return True
    return any(fold(f) in {"queryid", "qid", "query", "docid", "docno", "score", "grade"} for f in fields)


def _read(source: Source, options: Options) -> Loaded:
    text = source.text()
    shape = _shape(source)
    if shape is None:
        first = (source.first_lines(1) or [""])[0]
        raise source.error(
            f"line 1: expected at least three columns separated by comma, semicolon or tab, found: {first[:80]!r}."
        )
    frame = _parse(source, shape, text)
    notes: tuple[str, ...] = ()
    columns = options.columns
    if not shape.has_header and columns is None:
        columns, notes = _tell(source, shape, frame)

    def position(row: int) -> str:
        return f"line {_line_numbers(text, shape)[row]}"

    to_frame = run_frame if source.kind == "run" else qrels_frame
    canonical, more = to_frame(frame, columns, source.where, position, is_text=True)
    if shape.quote and b'"' in source.data():
        _no_line_breaks(canonical, source, position)
    return loaded(canonical, "tsv" if shape.separator == "\t" else "csv", notes + more)


def _parse(source: Source, shape: _Shape, text: str) -> pl.DataFrame:
    names = [f.strip() for f in shape.fields] if shape.has_header else _numbered(len(shape.fields))
    if len(set(names)) < len(names):
        twice = sorted({n for n in names if names.count(n) > 1})
        raise source.error(f"line 1: column names must differ, got {', '.join(map(repr, twice))} more than once.")
    data = source.data()
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    if not data.lstrip().startswith(data[:1]):  # blank lines before the first one
        data = data.lstrip(b" \t\r\n")
    try:
        frame = pl.read_csv(
            data,
            has_header=shape.has_header,
            separator=shape.separator,
            quote_char=shape.quote,
            new_columns=names,
            infer_schema=False,
        )
    except pl.exceptions.NoDataError:
        raise source.error("has a header but no rows.") from None
    except pl.exceptions.PolarsError as e:
        raise _wrong_counts(source, shape, text) or source.error(
            f"cannot be read as a table: {str(e).partition(chr(10))[0]}."
        ) from e
    if frame.width != len(names):
        raise _wrong_counts(source, shape, text) or source.error("has lines of different length.")
    frame = frame.filter(~pl.all_horizontal(pl.all().is_null()))
    if not frame.height:
        raise source.error("has a header but no rows.")
    if frame.to_series(-1).null_count() and (error := _wrong_counts(source, shape, text)):
        raise error
    if shape.has_header and names != shape.fields:  # `query_id, doc_id, score`: blanks belong to the layout
        frame = frame.with_columns(pl.all().str.strip_chars(_BLANKS))
    return frame


def _records(text: str, shape: _Shape) -> list[tuple[int, list[str]]]:
    """Rows that are not blank, each with the line on which it starts. Only used to explain an error."""
    quoting = csv.QUOTE_MINIMAL if shape.quote else csv.QUOTE_NONE
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=shape.separator, quoting=quoting)
    records: list[tuple[int, list[str]]] = []
    start = 1
    for row in reader:
        if any(row):
            records.append((start, row))
        start = reader.line_num + 1
    return records


def _line_numbers(text: str, shape: _Shape) -> list[int]:
    return [line for line, _ in _records(text, shape)][shape.has_header :]


def _wrong_counts(source: Source, shape: _Shape, text: str) -> InputError | None:
    n = len(shape.fields)
    problems = [
        f"line {line}: expected {n} fields, found {len(row)}: {shape.separator.join(row)[:80]!r}."
        for line, row in _records(text, shape)
        if len(row) != n
    ]
    return InputError.collect(f"{source.where}, ", problems) if problems else None


def _no_line_breaks(frame: pl.DataFrame, source: Source, position: Callable[[int], str]) -> None:
    for name in ("query_id", "doc_id"):
        bad = frame.get_column(name).str.contains("\n", literal=True).arg_true().to_list()
        if bad:
            value = frame.get_column(name)[bad[0]][:40]
            raise source.error(f"{position(bad[0])}: {name} holds a line break ({value!r}): is a quote not closed?")


def _numbered(n: int) -> list[str]:
    return [f"column_{i + 1}" for i in range(n)]


def _tell(source: Source, shape: _Shape, frame: pl.DataFrame) -> tuple[dict[str, str], tuple[str, ...]]:
    """The columns of a table without a header, where there is only one way to read them."""
    n = len(shape.fields)
    last = frame.to_series(n - 1).cast(pl.Float64, strict=False)
    is_numeric = last.null_count() == 0
    names: tuple[str, ...] | None = None
    if source.kind == "qrels" and is_numeric:
        names = {3: ("query_id", "doc_id", "grade"), 4: ("query_id", "iteration", "doc_id", "grade")}.get(n)
    elif source.kind == "run" and n == 3 and is_numeric:
        if (last != last.round(0)).any():
            names = ("query_id", "doc_id", "score")
        elif _counts_up(frame, last):
            names = ("query_id", "doc_id", "rank")
    elif source.kind == "run" and n == 6:
        names = ("query_id", "q0", "doc_id", "rank", "score", "tag")
    if names is None:
        first = shape.separator.join(shape.fields)[:80]
        example = f'{{"column_1": "query_id", "column_2": "doc_id", "column_{n}": "{"score" if source.kind == "run" else "grade"}"}}'
        raise source.error(
            f"line 1: no header, and the columns cannot be told from the values: {first!r}. "
            f"Add a header or pass columns={example}."
        )
    told = {c: name for c, name in zip(frame.columns, names, strict=True) if name != "q0"}
    return told, (f"no header: read as {', '.join(names)}",)


def _counts_up(frame: pl.DataFrame, last: pl.Series) -> bool:
    """Does the last column count 1, 2, 3 … inside every query?"""
    pairs = pl.DataFrame({"query": frame.to_series(0), "rank": last})
    expected = pl.int_range(1, pl.len() + 1).over("query")
    return bool(pairs.select((pl.col("rank") == expected).all()).item())


def _writer(separator: str) -> Callable[[pl.DataFrame, BinaryIO, Kind, str], None]:
    def write(frame: pl.DataFrame, file: BinaryIO, kind: Kind, tag: str) -> None:
        frame.write_csv(file, separator=separator)

    return write


CSV = Format("csv", (".csv",), _matcher(",;"), _read, _writer(","))
TSV = Format("tsv", (".tsv", ".tab"), _matcher("\t"), _read, _writer("\t"))
