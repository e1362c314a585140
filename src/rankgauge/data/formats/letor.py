"""LETOR and SVMlight files: `grade qid:1 1:0.5 2:0.1 … # docid = GX000-00`.

They hold judgements. The document is what the comment names, else the number of the row inside its query.
LightGBM leaves `qid` out and keeps the rows per query in a file beside it, `<file>.query` or `<file>.group`.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import polars as pl

from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge._unpacked import PACKED, unpacked_path
from rankgauge.data._places import named, within
from rankgauge.data.formats.base import Format, Loaded, Options, register
from rankgauge.data.formats.lines import Lines, significant_lines
from rankgauge.data.formats.opening import Source, open_source
from rankgauge.errors import InputError

__all__ = ["FORMAT", "matches", "read"]

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_LINE = rf"^{_NUMBER}(?: qid:[^ ]+)?(?: \d+:[^ :]+)*(?: ?#.*)?$"
_FIRST = re.compile(rf"^\s*{_NUMBER}\s+(?:qid:\S+(\s|$)|\d+:{_NUMBER}(\s|$))")
_DOC = r"#.*?\bdocid ?= ?([^ ]+)"
_BARE = r"# ?([^ =]+)(?: |$)"


def matches(source: Source) -> bool:
    """A number, then `qid:` or `feature:value`."""
    lines = [] if source.path.is_dir() else source.first_lines(1)
    return bool(lines) and _FIRST.match(lines[0]) is not None


def read(source: Source, options: Options) -> Loaded:
    """The grades of a learning-to-rank file as qrels."""
    if source.kind == "run":
        raise source.error(
            Text(
                "is a LETOR file: it holds grades and features but no scores of a system. "
                "Pass the scores as a NumPy array, or as a table with the columns query_id, doc_id, score.",
                "是 LETOR 文件：其中有等级和特征，但没有系统的得分。请传入 NumPy 数组形式的得分，或含 "
                "query_id、doc_id、score 列的表。",
            )
        )
    found = significant_lines(source)
    if not found.text.len():
        raise source.error(Text("holds no data lines, only comments or blank lines.", "中没有数据行，只有注释或空行。"))
    bad = (~found.text.str.contains(_LINE)).arg_true().to_list()
    if bad:
        raise _problems(source, found, bad, Text("expected `grade qid:1 1:0.5 …`", "应为 `grade qid:1 1:0.5 …`"))
    frame = pl.DataFrame(
        [
            found.text.str.extract(r" qid:([^ ]+)").alias("query_id"),
            found.text.str.extract(rf"^({_NUMBER})").cast(pl.Float64).alias("grade"),
        ]
    )
    notes = found.notes
    missing = frame.get_column("query_id").is_null()
    if missing.all():
        groups, path = _groups(source, options)
        frame = frame.with_columns(query_id=_expand(groups, frame.height, source, path))
        notes += (
            Text(f"queries from the group sizes in {show(path.name)}", f"查询由 {show(path.name)} 中的各组行数得出"),
        )
    elif missing.any():
        raise _problems(
            source,
            found,
            missing.arg_true().to_list(),
            Text("expected qid:, as on the other lines", "应有 qid:，与其他行一样"),
        )
    doc, doc_notes = _documents(found.text, frame)
    return Loaded(frame.with_columns(doc_id=doc).select("query_id", "doc_id", "grade"), FORMAT.name, notes + doc_notes)


def _documents(text: pl.Series, frame: pl.DataFrame) -> tuple[pl.Series, tuple[str, ...]]:
    named = text.str.extract(_DOC)
    if named.null_count():
        named = named.fill_null(text.str.extract(_BARE))
    if not named.null_count():
        return named, ()
    row = frame.select(pl.int_range(1, pl.len() + 1).over("query_id").cast(pl.String)).to_series()
    if named.null_count() == len(named):
        note = Text(
            "no document ids: documents are numbered 1, 2, … inside each query",
            "没有文档 id：在每个查询内按 1、2、… 编号",
        )
        return row, (note,)
    n = named.null_count()
    note = Text(
        f"{n:,} lines without a document id: numbered by their row inside the query",
        f"{n:,} 行没有文档 id：按其在查询内的行号编号",
    )
    return named.fill_null(row), (note,)


def _groups(source: Source, options: Options) -> tuple[np.ndarray, Path]:
    path = options.groups or _sibling(source.path)
    if path is None:
        raise source.error(
            Text(
                "has no qid, and there is no file with the rows per query beside it "
                f"('{unpacked_path(source.path).name}.query' or '.group'). Pass groups=.",
                f"没有 qid，旁边也没有给出每个查询行数的文件（'{unpacked_path(source.path).name}.query' 或 "
                "'.group'）。请传入 groups=。",
            )
        )
    inner = open_source(path, source.kind)
    found = significant_lines(inner)
    sizes = found.text.cast(pl.Int64, strict=False)
    bad = (sizes.is_null() | (sizes < 0)).fill_null(True).arg_true().to_list()
    if bad:
        texts = [
            Text(
                f"line {found.number[i]}: expected the rows of one query, got {show(found.text[i])}.",
                f"第 {found.number[i]} 行：应为一个查询的行数，实际为 {show(found.text[i])}。",
            )
            for i in bad
        ]
        raise InputError.collect(within(named("groups", path.name)), texts)
    return sizes.to_numpy(), path


def _expand(groups: np.ndarray, rows: int, source: Source, path: Path) -> pl.Series:
    if groups.sum() != rows:
        raise source.error(
            Text(
                f"has {rows:,} rows, but the groups in {show(path.name)} sum to {groups.sum():,}.",
                f"有 {rows:,} 行，但 {show(path.name)} 中的分组合计 {groups.sum():,} 行。",
            )
        )
    return pl.Series(np.repeat(np.arange(1, len(groups) + 1), groups)).cast(pl.String)


def _sibling(path: Path) -> Path | None:
    base = unpacked_path(path)
    names = [base.name + s + c for s in (".query", ".group") for c in ("", *PACKED)]
    return next((p for n in names if (p := base.with_name(n)).is_file()), None)


def _problems(source: Source, found: Lines, rows: list[int], rule: str) -> InputError:
    texts = [
        Text(
            f"line {found.number[i]}: {rule}, found: {show(found.text[i][:60])}.",
            f"第 {found.number[i]} 行：{zh(rule)}，实际为：{show(found.text[i][:60])}。",
        )
        for i in rows
    ]
    return InputError.collect(within(source.where), texts)


_SUFFIXES = (".letor", ".svm", ".svmlight", ".libsvm")
FORMAT = Format("letor", _SUFFIXES, matches, read, kinds=("run", "qrels"), order=70)
register(FORMAT)
