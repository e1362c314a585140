"""TREC runs and judgements, as trec_eval reads them.

    run     query Q0 doc rank score tag     the tag may be missing, further fields are ignored,
                                            unless they are another line
    qrels   query iteration doc grade       or `query doc grade`

A clean file (one blank or one tab between fields) goes through Polars in one pass, all columns with their
types; it is accepted only when no field is empty and no byte is out of place. Everything else goes through a
reader that takes any mix of blanks, tabs, line ends, blank lines and comments, and knows line numbers.
A `#` is a comment at the start of a line only: ids such as `doc#4` are common.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge._words import decimal_comma
from rankgauge.data._places import in_line, within
from rankgauge.data.columns import Kind
from rankgauge.data.formats.base import Format, Loaded, Options, loaded, register
from rankgauge.data.formats.lines import Lines, is_number, significant_lines
from rankgauge.data.formats.opening import Source
from rankgauge.data.formats.table import has_header
from rankgauge.data.formats.trec_writer import write
from rankgauge.data.frames import Position
from rankgauge.errors import InputError

__all__ = ["FORMAT", "matches", "read"]

_CHUNK = 1 << 18
_RUN = ("query_id", "q0", "doc_id", "rank", "score", "tag")
_QRELS = ("query_id", "iteration", "doc_id", "grade")
_LAYOUTS: dict[Kind, dict[int, tuple[str, ...]]] = {
    "run": {6: _RUN, 5: _RUN[:5]},
    "qrels": {4: _QRELS, 3: ("query_id", "doc_id", "grade")},
}
_KEEP: dict[Kind, tuple[str, ...]] = {
    "run": ("query_id", "doc_id", "score", "rank", "tag"),
    "qrels": ("query_id", "doc_id", "grade", "iteration"),
}
_NUMBER = r"[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?|inf|infinity|nan)"
_MOVED = rf"(?i)^{_NUMBER}$"
_ANOTHER = rf"(?i)^([^ ]+ )?[^ ]+ [^ ]+ [+-]?[0-9]+(\.0*)? {_NUMBER}( |$)"
"""What follows the sixth field where another line does: of its six fields all, or all but the first."""
_TYPES: dict[str, type[pl.DataType]] = {"rank": pl.Int64, "score": pl.Float64, "grade": pl.Float64}
_RULES = {
    "score": Text("score must be a number", "得分必须是数字"),
    "grade": Text("grade must be a finite number", "等级必须是有限的数字"),
    "rank": Text("rank must be a whole number", "排名必须是整数"),
}


def matches(source: Source) -> bool:
    """Does a line near the top have the fields of a run or of qrels?"""
    for number, line in enumerate(source.first_lines(20)):
        f = line.split()
        if len(f) >= 5 and is_number(f[3]) and is_number(f[4]):
            return True
        if len(f) in (3, 4) and is_number(f[-1]):
            return number == 0 or not has_header(source)  # a line like the others is no header
    return False


def read(source: Source, options: Options) -> Loaded:
    """Read a run or qrels; the fast way when the file is clean."""
    notes: tuple[str, ...] = ()
    if options.columns:
        notes = (
            Text(
                f"TREC lines have no column names: `columns` was not used for {source.where}",
                f"TREC 行没有列名：{zh(source.where)} 未使用 `columns`",
            ),
        )
    frame = _fast(source)
    position: Position = _every_line
    if frame is None:
        frame, position, more = _tolerant(source)
        notes += more
    if source.kind == "run" and "tag" not in frame.columns:
        notes += (Text("no run tag: lines have five fields", "没有 run tag：每行只有五个字段"),)
    if source.kind == "qrels" and "iteration" not in frame.columns:
        notes += (Text("three fields per line: read as query, doc, grade", "每行三个字段：读作查询、文档、等级"),)
    keep = [name for name in _KEEP[source.kind] if name in frame.columns]
    return loaded(frame.select(keep), FORMAT.name, notes, position)


def _every_line(row: int) -> str:
    return in_line(row + 1)


# The fast way -----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Bytes:
    """What has to be known about the raw bytes."""

    lines: int = 0
    returns: int = 0
    tabs: int = 0
    returns_at_ends: int = 0  # of lines
    strays: int = 0  # other bytes below 32
    has_hash: bool = False
    has_blank: bool = False
    ends_line: bool = False


def _fast(source: Source) -> pl.DataFrame | None:
    """The frame of a perfectly regular file, else None."""
    first = source.head.partition(b"\n")[0]
    separator = "\t" if b"\t" in first else " "
    layout = _LAYOUTS[source.kind].get(first.count(separator.encode()) + 1)
    if layout is None:
        return None
    try:
        frame = pl.read_csv(
            source.data() if source.compression else source.path,
            has_header=False,
            separator=separator,
            quote_char=None,
            schema={name: _TYPES.get(name, pl.String) for name in layout},
            glob=False,
        )
    except (pl.exceptions.PolarsError, OSError):
        return None
    return frame if _is_regular(frame, separator, source) else None


def _is_regular(frame: pl.DataFrame, separator: str, source: Source) -> bool:
    """Is every byte of the file accounted for by this frame?"""
    if any(column.null_count() for column in frame):  # a short line, a blank line, two blanks in a row
        return False
    seen = _scan(source)
    # No null and no field too many: every line has all its separators, so further tabs are strays.
    tabs = frame.height * (frame.width - 1) if separator == "\t" else 0
    if seen.strays or seen.tabs != tabs or seen.lines != frame.height - (not seen.ends_line):
        return False
    if separator == "\t" and seen.has_blank:
        return False
    if seen.returns != seen.returns_at_ends:  # Polars takes some off the ends of fields, too
        return False
    if frame.get_column("query_id").str.starts_with("\ufeff").any():  # files put behind one another
        return False
    if seen.has_hash and frame.get_column("query_id").str.starts_with("#").any():
        return False
    return source.kind == "run" or bool(frame.get_column("grade").is_finite().all())


def _scan(source: Source) -> _Bytes:
    seen = _Bytes()
    before = b""
    for chunk in _chunks(source):
        seen.returns_at_ends += chunk.count(b"\r\n") + (before == b"\r" and chunk[:1] == b"\n")
        before = chunk[-1:]
        lines, returns, tabs = (chunk.count(c) for c in (b"\n", b"\r", b"\t"))
        seen.lines, seen.returns, seen.tabs = seen.lines + lines, seen.returns + returns, seen.tabs + tabs
        seen.strays += int(np.count_nonzero(np.frombuffer(chunk, np.uint8) < 32)) - lines - returns - tabs
        seen.has_hash = seen.has_hash or b"#" in chunk
        seen.has_blank = seen.has_blank or b" " in chunk
        seen.ends_line = chunk[-1:] == b"\n"
    return seen


def _chunks(source: Source) -> Iterator[bytes]:
    if source.compression:
        yield source.data()
        return
    with source.path.open("rb", buffering=0) as file:
        while chunk := file.read(_CHUNK):
            yield chunk


# The tolerant way -------------------------------------------------------------------------------------------


def _tolerant(source: Source) -> tuple[pl.DataFrame, Position, tuple[str, ...]]:
    """Any white space, any line end, comments; every malformed line is reported with its number."""
    found = significant_lines(source)
    if not found.text.len():
        raise source.error(Text("holds no data lines, only comments or blank lines.", "中没有数据行，只有注释或空行。"))
    layouts = _LAYOUTS[source.kind]
    fields = found.text[0].count(" ") + 1 if source.kind == "qrels" else 6
    layout = layouts.get(fields, layouts[max(layouts)])
    parts = found.text.str.splitn(" ", len(layout) + 1).struct.unnest()
    parts.columns = [*layout, "rest"]
    problems = _wrong_counts(source.kind, layout, parts, found)
    wrong = {line for line, _ in problems}
    columns: dict[str, pl.Series] = {}
    for name in layout:
        column = parts.get_column(name)
        if name not in _TYPES:
            columns[name] = column
            continue
        columns[name], bad = _number(column, name)
        for row in bad.arg_true().to_list():
            if (line := found.number[row]) not in wrong:
                problems.append(
                    (
                        line,
                        Text(
                            f"line {line}: {_RULES[name]}, got {show(column[row])}.{decimal_comma(column[row])}",
                            f"第 {line} 行：{zh(_RULES[name])}，实际为 {show(column[row])}。"
                            f"{zh(decimal_comma(column[row]))}",
                        ),
                    )
                )
    if problems:
        problems.sort(key=lambda p: p[0])
        hint = _swapped(source.kind, found.text[0])
        raise InputError.collect(within(source.where), [text for _, text in problems], hint)
    if source.kind == "run" and columns["tag"].null_count() == len(columns["tag"]):
        del columns["tag"]
    notes = found.notes + _more_words(parts, found) + _fewer_words(columns.get("tag"), found)
    return pl.DataFrame(list(columns.values())), lambda row: in_line(found.number[row]), notes


def _more_words(parts: pl.DataFrame, found: Lines) -> tuple[str, ...]:
    """The note on lines with more than six fields: trec_eval, too, reads no further."""
    more = parts.get_column("rest").is_not_null()
    if not (n := int(more.sum())):
        return ()
    first = found.number[int(more.arg_max() or 0)]
    return (
        Text(
            f"{n:,} line{'s have' if n > 1 else ' has'} more than six fields (line {first}): "
            "what follows the sixth was not used",
            f"{n:,} 行超过六个字段（第 {first} 行）：第六个字段之后的内容未使用",
        ),
    )


def _fewer_words(tag: pl.Series | None, found: Lines) -> tuple[str, ...]:
    """The note on lines of a run without a tag among lines with one: they may be cut off, in their scores as well."""
    if tag is None or not (n := tag.null_count()):
        return ()
    first = found.number[int(tag.is_null().arg_max() or 0)]
    return (
        Text(
            f"{n:,} line{'s have' if n > 1 else ' has'} no tag, unlike the others (line {first}): is the end cut off?",
            f"{n:,} 行没有 tag，与其他行不同（第 {first} 行）：行尾是否被截断？",
        ),
    )


def _number(column: pl.Series, name: str) -> tuple[pl.Series, pl.Series]:
    """The column as numbers, and where that is impossible."""
    numbers = column.cast(_TYPES[name], strict=False)
    if name == "rank" and numbers.null_count():  # `3.0` is a rank too
        wide = column.cast(pl.Float64, strict=False)
        whole = pl.select(pl.when(wide == wide.round(0)).then(wide)).to_series()
        numbers = numbers.fill_null(whole.cast(pl.Int64, strict=False))
    bad = numbers.is_null()
    if name == "grade":
        bad = ~numbers.is_finite().fill_null(False)
    return numbers.alias(name), bad


def _wrong_counts(kind: Kind, layout: tuple[str, ...], parts: pl.DataFrame, found: Lines) -> list[tuple[int, str]]:
    if kind == "run":
        # an id with a blank moves all that follows: a number stands where the tag should be
        rest = parts.get_column("rest")
        moved = rest.is_not_null() & parts.get_column("tag").str.contains(_MOVED)
        joined = rest.str.contains(_ANOTHER)
        wrong = parts.get_column("score").is_null() | (moved | joined).fill_null(False)
        fields = Text("6 fields (query Q0 doc rank score tag)", "6 个字段（query Q0 doc rank score tag）")
    else:
        wrong = parts.get_column("grade").is_null() | parts.get_column("rest").is_not_null()
        names = Text("query iteration doc grade", "query iteration doc grade")
        if len(layout) != 4:
            names = Text("query doc grade, as on the first line", "query doc grade，与第一行相同")
        fields = Text(f"{len(layout)} fields ({names})", f"{len(layout)} 个字段（{names.zh}）")
    problems: list[tuple[int, str]] = []
    for row in wrong.arg_true().to_list():
        text = found.text[row]
        short = text if len(text) <= 80 else text[:77] + "..."
        number = found.number[row]
        n = text.count(" ") + 1
        why: str = Text(" Is there a blank in an id?", "id 中是不是有空格？") if n > len(layout) else ""
        if kind == "run" and joined[row]:
            why = Text(" Is there a line end missing?", "是不是少了换行？")
        problems.append(
            (
                number,
                Text(
                    f"line {number}: expected {fields}, found {n}: {show(short)}.{why}",
                    f"第 {number} 行：应为 {zh(fields)}，实际有 {n} 个：{show(short)}。{zh(why)}",
                ),
            )
        )
    return problems


def _swapped(kind: Kind, first: str) -> str:
    n = first.count(" ") + 1
    if n == 2:
        return Text(
            "Queries and items only need tabs or commas and a header: query_id,doc_id.",
            "只有查询和文档两列时，需要用制表符或逗号分隔，并带表头：query_id,doc_id。",
        )
    if kind == "run" and n == 4 and is_number(first.rsplit(" ", 1)[-1]):
        return Text("It looks like qrels: are run and qrels swapped?", "它看起来是 qrels：run 和 qrels 是不是写反了？")
    if kind == "run" and n == 3:
        return Text(
            "Is it qrels? A run of three columns needs tabs or commas and a header: query_id, doc_id, score.",
            "这是 qrels 吗？三列的 run 需要用制表符或逗号分隔，并带表头：query_id、doc_id、score。",
        )
    if kind == "qrels" and n == 6:
        return Text("It looks like a run: are run and qrels swapped?", "它看起来是 run：run 和 qrels 是不是写反了？")
    return ""


_SUFFIXES = (".run", ".trec", ".qrels", ".qrel", ".res", ".results", ".txt", ".tsv", ".tab")
FORMAT = Format("trec", _SUFFIXES, matches, read, write, kinds=("run", "qrels"), order=90)
register(FORMAT)
