"""CSV and TSV: comma, semicolon or tab, with a header, or without one where the columns can be told.

Everything is read as text first, so that `007` stays `007`; numbers are converted afterwards, with line
numbers in the errors. Logs and texts may be larger than memory: they are scanned, or read line by line.
"""

from __future__ import annotations

import codecs
import csv
import functools
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import polars as pl

from rankgauge._numbers import count
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge._words import decimal_comma
from rankgauge.data._places import Place, in_line, within
from rankgauge.data.any_table import reading
from rankgauge.data.both_sides import has_both_names, side_names
from rankgauge.data.columns import Kind, fold, own_columns, refuse_repeated
from rankgauge.data.formats.base import Columns, Content, Format, Loaded, Options, Records, loaded, register
from rankgauge.data.formats.lines import is_number, refused_return, stray_return
from rankgauge.data.formats.opening import Source
from rankgauge.data.formats.quotes import Stray, stray_quotes
from rankgauge.data.formats.stream import lines
from rankgauge.data.frames import canonical
from rankgauge.data.literal import NotLiteral, literal
from rankgauge.errors import InputError

__all__ = ["CSV", "TSV", "has_header"]

_BLANKS = " \t\r\n\f\v"
_EXCEL = re.compile(r"\s*\"?sep=(.)\"?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Shape:
    """How the file is written."""

    separator: str
    fields: list[str]  # of the first line
    has_header: bool
    quote: str | None

    @property
    def names(self) -> list[str]:
        if self.has_header:
            return [f.strip() for f in self.fields]
        return [f"column_{i + 1}" for i in range(len(self.fields))]


def _shape(source: Source) -> _Shape | None:
    """The separator with the most fields in the first line; None when that gives too few."""
    lines = source.first_lines(2)
    if not lines or _EXCEL.fullmatch(lines[0]):
        return None
    best = max(source.expected.separators, key=lambda s: len(_fields(lines[0], s)))
    fields = _fields(lines[0], best)
    if len(fields) == 1 and source.expected.stands_alone(fields[0].strip()):
        best = "\t" if source.suffix == ".tsv" else ","  # nothing is separated: the suffix is right
    elif len(fields) < source.expected.least:
        return None
    is_bare = source.kind in ("run", "qrels") and len(fields) == 2
    if is_bare and any(re.search(r"\s", f.strip()) for f in fields) and not _is_header(fields, source):
        return None  # a TREC line with a comma in an id
    # Words between tabs may be a TREC line, and two words a query and its item; a line of predictions holds a number
    # unless it is the header.
    may_be_words = source.kind == "predictions" or (best != "\t" and source.kind != "texts" and not is_bare)
    plain_words = may_be_words and not any(is_number(f.strip()) for f in fields)
    has_header = _is_header(fields, source) or plain_words
    # In a TSV a lone quote is a character; it quotes only where whole fields are wrapped in it. A corpus may be long,
    # and some text in it may be a quotation.
    near = "\n".join(lines).encode() if source.kind == "texts" else source.head
    wrapped = re.search(rb'(^|[\t\n])"[^\t\n]*"([\t\r\n]|$)', near)
    quote = '"' if best != "\t" or wrapped else None
    return _Shape(best, fields, has_header, quote)


def _shape_of(source: Source) -> _Shape:
    """The shape of a file that was taken for a table, or why it is none."""
    if (shape := _shape(source)) is not None:
        if shape.has_header and "" in shape.names and "" not in source.names:
            source.notes += (
                Text(
                    f"{source.where}: a column has no name and is not read (numbers of rows that a frame wrote?)",
                    f"{zh(source.where)}：有一列没有名称，不读取（是否为数据框写出的行号？）",
                ),
            )
        return shape
    first = (source.first_lines(1) or [""])[0]
    if excel := _EXCEL.fullmatch(first):
        raise source.error(
            Text(
                f"line 1: expected names of columns, found {show(first.strip())}, by which Excel knows that columns "
                "are "
                f"separated by {show(excel[1])}. Delete this line.",
                f"第 1 行：应为列名，实际为 {show(first.strip())}，这一行是告诉 Excel 列以 {show(excel[1])} "
                "分隔的。请删除此行。",
            )
        )
    what = Text("names of columns", "列名")
    if source.kind in ("run", "qrels", "predictions"):
        what = Text("at least two columns", "至少两列")
    found = Text(
        f"line 1: expected {what} separated by comma, semicolon or tab, found: {show(first[:80])}.",
        f"第 1 行：应为以逗号、分号或制表符分隔的{zh(what)}，实际为：{show(first[:80])}。",
    )
    if source.kind == "items":
        found += Text(" Where there are ids alone, write item_id above them.", "如果只有 id，请在第一行写上 item_id。")
    raise source.error(found)


def _fields(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator, strict=True))
    except csv.Error:
        return line.split(separator)


def _matcher(separators: str) -> Callable[[Source], bool]:
    def matches(source: Source) -> bool:
        if source.path.is_dir() or source.begins_object or b"\x00" in source.head:
            return False
        if _EXCEL.fullmatch((source.first_lines(1) or [""])[0]):
            return "," in separators
        shape = _shape(source)
        if shape is None or shape.separator not in separators:
            return False
        if shape.has_header or source.kind not in ("run", "qrels"):
            return True
        # A tab line without a header is a TREC line, unless its ids hold blanks or it is too short for one.
        is_short = len(shape.fields) == 2 or (source.kind == "run" and len(shape.fields) == 3)
        return shape.separator != "\t" or is_short or any(" " in f.strip() for f in shape.fields[:3])

    return matches


def has_header(source: Source) -> bool:
    """Whether the first line names columns, which are separated by tab, comma or semicolon."""
    shape = _shape(source)
    return shape is not None and shape.has_header


def _is_header(fields: list[str], source: Source) -> bool:
    """Names that the caller mentioned, or those of a table of this kind."""
    names = [f.strip() for f in fields]
    return bool(source.names.intersection(names)) or source.expected.has_names(names)


def _read(source: Source, options: Options) -> Loaded:
    text, skipped = _body(source)
    shape = _shape_of(source)
    frame = _parse(source, shape, text, skipped)
    notes: tuple[str, ...] = ()
    columns = options.columns
    if not shape.has_header and not own_columns(columns, frame.columns, source.kind, source.where):
        columns, notes = _tell(source, shape, frame)
    position = _position(shape, text, skipped)
    table, more = canonical(source.kind, frame, columns, source.where, position, is_text=True)
    if shape.quote and b'"' in source.data():
        _no_line_breaks(table, source, position)
    return loaded(table, "tsv" if shape.separator == "\t" else "csv", notes + more, position)


def _open(source: Source) -> Content:
    if source.expected.is_scanned and not _ends_in_cr(source):
        shape = _shape_of(source)
        refuse_repeated(shape.names, f"{source.where}, line 1")
        if source.is_whole and shape.has_header and len(source.first_lines(2)) < 2:
            raise source.error(Text("has a header but no rows.", "有表头，但没有数据行。"))
        return _Tabs(source, shape) if source.kind == "texts" and shape.quote is None else _scanned(source, shape)
    text, skipped = _body(source)
    shape = _shape_of(source)
    frame = _parse(source, shape, text, skipped)
    return Columns(frame, (), _position(shape, text, skipped), is_text=True, has_header=shape.has_header)


def _plain(source: Source) -> tuple[Any, Callable[[int], str] | None]:
    """Records, where columns are called as sides are and hold lists: `"['d1', 'd2']"`, as a frame writes them."""
    shape = None if source.path.is_dir() else _shape(source)
    if shape is None or not shape.has_header or not has_both_names(shape.names):
        return None, None
    text, skipped = _body(source)
    frame = _parse(source, shape, text, skipped)
    sides = side_names(frame.columns)
    lists = [n for n in sides if frame.get_column(n).str.contains(_LIST.pattern).any()]
    if not has_both_names([*lists, *(n for n in sides if fold(n).startswith("target"))]):  # which needs no list
        return None, None
    position = _position(shape, text, skipped)
    records = frame.to_dicts()
    problems: list[str] = []
    for i, record in enumerate(records):
        for name in lists:
            try:
                if record[name] is not None and _LIST.search(record[name]):
                    record[name] = _cell(record[name])
            except NotLiteral as e:
                problems.append(
                    Text(
                        f"{position(i)}: {show(name)} must be a list, got {show(record[name])}: {e.why}",
                        f"{zh(position(i))}：{show(name)} 必须是列表，实际为 {show(record[name])}：{e.why.zh}",
                    )
                )
    if problems:
        raise InputError.collect(within(source.where), problems)
    return records, position


_LIST = re.compile(r"^\s*[\[({]")


def _cell(value: str) -> Any:
    """A list in a field, as JSON or Python writes it."""
    try:
        return msgspec.json.decode(value)
    except (msgspec.DecodeError, RecursionError):
        return literal(value)


def _ends_in_cr(source: Source) -> bool:
    """Lines as old spreadsheets end them, which cannot be scanned: they are read at once."""
    return b"\r" in source.head and b"\n" not in source.head


def _position(shape: _Shape, text: str, skipped: int) -> Callable[[int], str]:
    records = functools.cache(lambda: _records(text, shape, skipped))
    return lambda row: in_line(records()[row + shape.has_header][0])


# Larger than memory -----------------------------------------------------------------------------------------


@dataclass(eq=False)
class _Tabs(Records):
    """Lines with tabs and without quotes: only those that are wanted become text."""

    source: Source
    shape: _Shape

    def __post_init__(self) -> None:
        self.has_header = self.shape.has_header
        self.names = self.shape.names

    def each(self) -> Iterator[tuple[Place, Mapping[str, Any]]]:
        return ((place, self._record(place, parts)) for place, parts in self._lines())

    def chosen(
        self, key: Callable[[Mapping[str, Any], Place], str], is_wanted: Callable[[Any, Place], bool]
    ) -> Iterator[tuple[Place, Mapping[str, Any]]]:
        at = self.names.index(key(dict.fromkeys(self.names, ""), partial(in_line, 1)))
        for place, parts in self._lines():
            if len(parts) > at and is_wanted(parts[at].decode("utf-8", errors="replace"), place):
                yield place, self._record(place, parts)

    def _lines(self) -> Iterator[tuple[Place, list[bytes]]]:
        is_header = self.shape.has_header
        for number, line in enumerate(lines(self.source), 1):
            if not line.strip():
                continue
            if is_header and not line.startswith(b"#"):
                is_header = False
                continue
            yield partial(in_line, number), line.split(b"\t")

    def _record(self, place: Place, parts: list[bytes]) -> dict[str, str]:
        if len(parts) != len(self.names):
            raise self.source.error(
                Text(
                    f"{place()}: expected {len(self.names)} columns, found {len(parts)}.",
                    f"{zh(place())}：应有 {len(self.names)} 列，实际有 {len(parts)} 列。",
                )
            )
        return dict(zip(self.names, (x.decode("utf-8", errors="replace") for x in parts), strict=True))


def _scanned(source: Source, shape: _Shape) -> Columns:
    data: Any = source.path if source.compression is None else source.data()
    top = _TOP.match(source.head)
    seen = _looked_through(source, data, shape.separator.encode())

    def explain() -> InputError | None:
        return _malformed(source, shape, *_body(source))

    frame = pl.scan_csv(
        data,
        separator=shape.separator,
        quote_char=shape.quote,
        has_header=shape.has_header,
        new_columns=shape.names,
        skip_lines=top[0].count(b"\n") if top else 0,
        infer_schema=False,
        glob=False,
    )
    frame.collect_schema()  # a scanned file says what is wrong with it only when it is looked at
    # Polars passes over fields too many where not all columns are asked for, and fills up those that are missing.
    if shape.quote is not None and seen.has_quotes:  # fields may hold separators, so that it has to look itself
        with reading(source.where, explained=explain):
            frame.select(pl.all().null_count()).collect(engine="streaming")
    else:
        rows = seen.lines - seen.blank - (top[0].count(b"\n") if top else 0)
        separators = seen.separators - (top[0].count(shape.separator.encode()) if top else 0)
        if separators != rows * (len(shape.fields) - 1) and (error := explain()) is not None:
            raise error
    if seen.blank:
        frame = frame.filter(~pl.all_horizontal(pl.all().is_null()))
    return Columns(frame, is_text=True, has_header=shape.has_header, explain=explain)


@dataclass(slots=True)
class _Bytes:
    """What has to be known about a file that is scanned."""

    lines: int = 0
    blank: int = 0  # lines, which Polars takes for rows without values
    separators: int = 0
    has_quotes: bool = False
    stray: tuple[int, str] | None = None  # the first carriage return inside a line, which quotes may allow


def _looked_through(source: Source, data: Path | bytes, separator: bytes) -> _Bytes:
    """All bytes once, without keeping them; what is not UTF-8 is refused.

    Polars looks at bytes only when their column is read, which may be long after the file was opened.
    """
    seen = _Bytes()
    decoder = codecs.getincrementaldecoder("utf-8")()
    kept = end = last = b""  # the first bytes of a letter whose last ones are in the next piece; the end of a line
    with data.open("rb") if isinstance(data, Path) else io.BytesIO(data) as file:
        while piece := file.read(_PIECE):
            try:
                decoder.decode(piece)
            except UnicodeDecodeError as e:
                at = seen.lines + 1 + (kept + piece)[: e.start].count(b"\n")
                raise source.error(
                    Text(
                        f"line {at}: text must be UTF-8, got the byte 0x{e.object[e.start]:02x}. "
                        "Convert it, for example: iconv -f GB18030 -t UTF-8 in > out",
                        f"第 {at} 行：文本必须是 UTF-8，实际有字节 0x{e.object[e.start]:02x}。请转换编码，例如："
                        "iconv -f GB18030 -t UTF-8 in > out",
                    )
                ) from None
            kept = decoder.getstate()[0]
            if seen.stray is None and (stray := stray_return(piece)) is not None:
                seen.stray = seen.lines + stray[0], stray[1]
            seen.lines += piece.count(b"\n")
            seen.separators += piece.count(separator)
            seen.has_quotes = seen.has_quotes or b'"' in piece
            joined = end + piece
            if b"\n\n" in joined or b"\n\r\n" in joined:
                seen.blank += len(_BLANK.findall(joined))
            end = next((e for e in (b"\n", b"\n\r") if joined.endswith(e)), b"")
            last = piece[-1:]
    if kept:
        raise source.error(
            Text(
                f"line {seen.lines + 1}: ends in the middle of a letter; the file seems to be cut off.",
                f"第 {seen.lines + 1} 行：在一个字符中间结束；文件似乎不完整。",
            )
        )
    if seen.stray is not None and not seen.has_quotes:
        raise refused_return(source, *seen.stray)
    seen.lines += last != b"\n"
    return seen


_PIECE = 1 << 20
_BLANK = re.compile(rb"\n\r?(?=\n)")
_TOP = re.compile(rb"(?:[ \t\r]*(?:#[^\n]*)?\n)+")


# Lines to rows ----------------------------------------------------------------------------------------------


def _body(source: Source) -> tuple[str, int]:
    """The text from the first line that says something on, and how many lines were before it."""
    text = source.text()
    if "\n" not in text:
        text = text.replace("\r", "\n")
    elif "\r" in text and '"' not in text and (stray := stray_return(text.encode())) is not None:
        raise refused_return(source, *stray)
    top = re.match(r"(?:[ \t\r]*(?:#[^\n]*)?\n)+", text)
    return (text[top.end() :], top[0].count("\n")) if top else (text, 0)


def _parse(source: Source, shape: _Shape, text: str, skipped: int) -> pl.DataFrame:
    names = shape.names
    refuse_repeated(names, f"{source.where}, line {skipped + 1}")
    try:
        frame = pl.read_csv(
            text.encode(),
            has_header=shape.has_header,
            separator=shape.separator,
            quote_char=shape.quote,
            new_columns=names,
            infer_schema=False,
        )
    except pl.exceptions.NoDataError:
        raise source.error(Text("has a header but no rows.", "有表头，但没有数据行。")) from None
    except pl.exceptions.PolarsError as e:
        raise _malformed(source, shape, text, skipped) or source.error(
            Text(
                f"cannot be read as a table: {str(e).partition(chr(10))[0]}.",
                f"无法作为表读取：{str(e).partition(chr(10))[0]}。",
            )
        ) from e
    if frame.width != len(names):
        raise _malformed(source, shape, text, skipped) or source.error(
            Text("has lines of different length.", "各行长度不一。")
        )
    if shape.quote and '"' in text and re.search(rf'[^{shape.separator}\n"]"[^{shape.separator}\r\n"]', text):
        quotes = [q for q in stray_quotes(text, shape.separator) if not q.is_kept]  # Polars would drop them
        if quotes:
            raise _quotes(source, quotes, skipped)
    frame = frame.filter(~pl.all_horizontal(pl.all().is_null()))
    if not frame.height:
        raise source.error(Text("has a header but no rows.", "有表头，但没有数据行。"))
    if frame.to_series(-1).null_count() and (error := _malformed(source, shape, text, skipped)):
        raise error
    if shape.has_header and names != shape.fields:  # `query_id, doc_id, score`: blanks belong to the layout
        frame = frame.with_columns(pl.all().str.strip_chars(_BLANKS))
    return frame


def _records(text: str, shape: _Shape, skipped: int) -> list[tuple[int, list[str]]]:
    """Rows that are not blank, each with the line on which it starts. Only used to explain an error."""
    lines = io.StringIO(re.sub(r"\r(?!\n)", "␍", text), newline="")  # alone it ends no line
    if shape.quote:
        reader = csv.reader(lines, delimiter=shape.separator)
    else:
        reader = csv.reader(lines, delimiter=shape.separator, quoting=csv.QUOTE_NONE)
    records: list[tuple[int, list[str]]] = []
    start = skipped + 1
    for row in reader:
        if any(row):
            records.append((start, row))
        start = skipped + reader.line_num + 1
    return records


def _malformed(source: Source, shape: _Shape, text: str, skipped: int) -> InputError | None:
    """Why the lines do not make a table: quotes out of place, which move everything behind them, or fields."""
    quotes = stray_quotes(text, shape.separator) if shape.quote else []
    return _quotes(source, quotes, skipped) if quotes else _wrong_counts(source, shape, text, skipped)


def _quotes(source: Source, quotes: list[Stray], skipped: int) -> InputError:
    problems = [
        Text(
            f"line {q.line + skipped}: {q.what}: {show(q.text)}.",
            f"第 {q.line + skipped} 行：{zh(q.what)}：{show(q.text)}。",
        )
        for q in quotes
    ]
    tip = Text(
        'Inside a quoted field a quote is written twice ("5"" nail"); or write the table with tabs, as .tsv.',
        '带引号的字段内，引号要写两次（"5"" nail"）；或者用制表符分隔，存为 .tsv。',
    )
    return InputError.collect(within(source.where), problems, tip)


def _wrong_counts(source: Source, shape: _Shape, text: str, skipped: int) -> InputError | None:
    n = len(shape.fields)
    wrong = [(line, row) for line, row in _records(text, shape, skipped) if len(row) != n]
    if not wrong:
        return None
    problems = [
        Text(
            f"line {line}: expected {count(n, 'field')}, found {len(row)}: {show(shape.separator.join(row)[:80])}.",
            f"第 {line} 行：应有 {n} 个字段，实际有 {len(row)} 个：{show(shape.separator.join(row)[:80])}。",
        )
        for line, row in wrong
    ]
    pairs = zip(wrong[0][1], wrong[0][1][1:], strict=False)
    is_decimal = shape.separator == "," and len(wrong[0][1]) > n and any(decimal_comma(",".join(p)) for p in pairs)
    tip = (
        Text("Is a comma a decimal point? Write 0.5 for 0,5.", "逗号是小数点吗？请把 0,5 写成 0.5。")
        if is_decimal
        else ""
    )
    return InputError.collect(within(source.where), problems, tip)


def _no_line_breaks(frame: pl.DataFrame, source: Source, position: Callable[[int], str]) -> None:
    for name, dtype in frame.schema.items():
        if dtype != pl.String or name.partition(":")[0] not in ("query_id", "doc_id", "group"):
            continue
        bad = frame.get_column(name).str.contains("\n", literal=True).arg_true().to_list()
        if bad:
            value = frame.get_column(name)[bad[0]][:40]
            raise source.error(
                Text(
                    f"{position(bad[0])}: {name} holds a line break ({show(value)}): is a quote not closed?",
                    f"{zh(position(bad[0]))}：{name} 中有换行（{show(value)}）：是不是有引号没有闭合？",
                )
            )


def _tell(source: Source, shape: _Shape, frame: pl.DataFrame) -> tuple[dict[str, str], tuple[str, ...]]:
    """The columns of a table without a header, where there is only one way to read them."""
    n = len(shape.fields)
    if source.kind == "predictions":
        return _tell_predictions(source, shape, frame)
    if n == 2:
        return _tell_bare(source, shape, frame)
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
        value = "score" if source.kind == "run" else "grade"
        raise _untold(source, shape, f'{{"column_1": "query_id", "column_2": "doc_id", "column_{n}": "{value}"}}')
    told = {c: name for c, name in zip(frame.columns, names, strict=True) if name != "q0"}
    return told, (_no_header(names),)


def _tell_bare(source: Source, shape: _Shape, frame: pl.DataFrame) -> tuple[dict[str, str], tuple[str, ...]]:
    """Queries and items without a header, where the first line is surely a row: the next ones look like it."""
    names = ("query_id", "doc_id")
    first, others = frame.row(0), frame.tail(-1).head(_LOOKED_AT)
    is_again = first[0] in others.to_series(0).to_list()
    is_alike = others.height > 0 and all(
        any(c.isdigit() for c in value) and {_form(v) for v in column if v is not None} == {_form(value)}
        for value, column in zip(first, others, strict=True)
        if value is not None
    )
    if any(is_number(v) and not v.isdigit() for v in (first[1], *others.to_series(1).head(20)) if v is not None):
        raise _untold(source, shape, '{"column_1": "query_id", "column_2": "doc_id"}')
    if not (is_again or is_alike):
        raise source.error(
            Text(
                f"line 1: {show(shape.separator.join(shape.fields)[:80])} could be a header or a row. Add a header: "
                f"{shape.separator.join(names)}.",
                f"第 1 行：{show(shape.separator.join(shape.fields)[:80])} 可能是表头，也可能是数据。请加上表头："
                f"{shape.separator.join(names)}。",
            )
        )
    return dict(zip(frame.columns, names, strict=True)), (_no_header(names),)


_LOOKED_AT = 1000  # rows


def _form(value: str) -> str:
    """What an id looks like: letters and digits as one each."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", value))


def _tell_predictions(source: Source, shape: _Shape, frame: pl.DataFrame) -> tuple[dict[str, str], tuple[str, ...]]:
    """Two columns of numbers, of which exactly one holds nothing but 0 and 1: that one is the label."""
    numbers = [s.str.strip_chars(_BLANKS).cast(pl.Float64, strict=False) for s in frame]
    is_label = [s.is_in([0.0, 1.0]).all() for s in numbers]
    if len(numbers) != 2 or any(s.null_count() for s in numbers) or sum(is_label) != 1:
        raise _untold(source, shape, '{"column_1": "label", "column_2": "score"}')
    names = ("label", "score") if is_label[0] else ("score", "label")
    return dict(zip(frame.columns, names, strict=True)), (_no_header(names),)


def _no_header(names: Iterable[str]) -> Text:
    return Text(f"no header: read as {', '.join(names)}", f"没有表头：读作 {', '.join(names)}")


def _untold(source: Source, shape: _Shape, example: str) -> InputError:
    first = shape.separator.join(shape.fields)[:80]
    return source.error(
        Text(
            f"line 1: no header, and the columns cannot be told from the values: {show(first)}. "
            f"Add a header or pass columns={example}.",
            f"第 1 行：没有表头，也无法从值判断各列是什么：{show(first)}。请加上表头，或传入 columns={example}。",
        )
    )


def _counts_up(frame: pl.DataFrame, last: pl.Series) -> bool:
    """Does the last column count 1, 2, 3 … inside every query?"""
    pairs = pl.DataFrame({"query": frame.to_series(0), "rank": last})
    expected = pl.int_range(1, pl.len() + 1).over("query")
    return bool(pairs.select((pl.col("rank") == expected).all()).item())


def _writer(separator: str) -> Callable[[pl.DataFrame, BinaryIO, Kind, str], None]:
    def write(frame: pl.DataFrame, file: BinaryIO, kind: Kind, tag: str) -> None:
        frame.write_csv(file, separator=separator)

    return write


CSV = Format("csv", (".csv",), _matcher(",;|"), _read, _writer(","), open=_open, plain=_plain, order=80, spark="csv")
TSV = Format(
    "tsv", (".tsv", ".tab"), _matcher("\t"), _read, _writer("\t"), open=_open, plain=_plain, order=81, spark="csv"
)
register(CSV, TSV)
