"""What a history says: lists of entries, one entry, one query over time, what pruning would take."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import isfinite
from typing import Any

from rankgauge._numbers import counted, number, ranged, short, size_of
from rankgauge._text import Text, composed
from rankgauge.history.entry import Entry, QueryValue
from rankgauge.history.pruning import Pruned
from rankgauge.reporting import Sheet
from rankgauge.reporting.grid import Cell, Grid, Section

__all__ = [
    "Listed",
    "listed_entries",
    "sections_of_entry",
    "sections_of_pruned",
    "sections_of_query",
    "short_id",
    "when",
]

_SHOWN_DIGITS = 8
_MOST_MEASURES = 2


@dataclass(frozen=True)
class Listed(Sheet):
    """A table of a history, with its rows as data."""

    rows: Sequence[Mapping[str, Any]] = ()

    def csv_rows(self) -> list[dict[str, Any]]:
        """One dict per entry and number."""
        return [dict(row) for row in self.rows]

    def to_json(self) -> str:
        """The rows as JSON; what is no number is null."""
        rows = [{k: None if isinstance(v, float) and not isfinite(v) else v for k, v in r.items()} for r in self.rows]
        return json.dumps(rows, ensure_ascii=False, indent=1)


def when(at: datetime) -> str:
    """A moment to the minute, in UTC.

    >>> from datetime import UTC
    >>> when(datetime(2026, 11, 18, 9, 30, 12, tzinfo=UTC))
    '2026-11-18 09:30'
    """
    return at.strftime("%Y-%m-%d %H:%M") if at.year > 999 else at.isoformat(" ", "minutes")[:16]


def short_id(key: str) -> str:
    """The beginning of an id, which stands for it."""
    return key[:_SHOWN_DIGITS]


def listed_entries(
    entries: Sequence[Entry],
    *,
    of: int,
    skipped: int = 0,
    tags: Mapping[str, str] | None = None,
    measures: Sequence[str] = (),
    digits: int = 4,
) -> Listed:
    """A page of entries: when, of what, its first numbers with their intervals, what it came to, its tags."""
    named: dict[str, list[str]] = {}
    for tag, key in (tags or {}).items():
        named.setdefault(key, []).append(tag)
    shown = list(measures) or _first_measures(entries)
    about = {
        "project": Text("project", "项目"),
        "system": Text("system", "系统"),
        "version": Text("version", "版本"),
        "dataset": Text("dataset", "数据"),
        "kind": Text("kind", "种类"),
        "state": Text("state", "状态"),
    }
    used = [name for name in about if any(getattr(e, name) for e in entries)]
    header: list[str] = [Text("id", "id"), Text("time (UTC)", "时间（UTC）"), *(about[name] for name in used)]
    has_tags = any(e.id in named for e in entries)
    header += [Text("tag", "标签")] if has_tags else []
    texts = frozenset(range(len(header)))
    for measure in shown:
        header += [measure, Text("interval", "区间")]
    rows = []
    for e in entries:
        cells = [Cell(short_id(e.id)), Cell(when(e.at)), *(Cell(getattr(e, name)) for name in used)]
        cells += [Cell(", ".join(named.get(e.id, ())))] if has_tags else []
        for measure in shown:
            s = e.summary(measure)
            cells.append(Cell("" if s is None else number(s.value, digits)))
            cells.append(Cell("" if s is None else ranged(s.low, s.high, digits), quiet=True))
        rows.append(cells)
    notes: list[str] = []
    if of == 0:
        notes.append(Text("there are no entries that are all of this", "没有符合全部条件的记录"))
    elif len(entries) < of:
        first, last = skipped + 1, skipped + len(entries)
        notes.append(
            Text(f"entries {first:,} to {last:,} of {of:,}", f"共 {of:,} 条记录，这里是第 {first:,} 至 {last:,} 条")
            if entries
            else Text(f"there are {of:,} entries, and no such page", f"共 {of:,} 条记录，没有这一页")
        )
    title = counted(of, "entry", "条记录")
    spare = [i for i, name in enumerate(header) if str(name) in ("kind", "version", "dataset")]
    grid = Grid(header, rows, texts, spare=spare) if rows else None
    return Listed([Section(title, grid, notes)], [r for e in entries for r in _rows(e, named.get(e.id, ()), measures)])


def _first_measures(entries: Sequence[Entry]) -> list[str]:
    """Those that stand first in most entries."""
    places: Counter[str] = Counter()
    for e in entries:
        mine = [s.measure for s in e.summaries if s.is_of_all]
        places.update(mine[:_MOST_MEASURES])
    order = {m: i for i, m in enumerate(dict.fromkeys(places))}
    return sorted((m for m, _ in places.most_common(_MOST_MEASURES)), key=order.__getitem__)


def _rows(e: Entry, tags: Sequence[str], measures: Sequence[str]) -> list[dict[str, Any]]:
    head = {
        "id": e.id,
        "at": e.at.isoformat(),
        **{name: getattr(e, name) for name in ("project", "system", "version", "dataset", "kind", "state")},
        "tag": ", ".join(tags),
        "labels": json.dumps(dict(e.labels), ensure_ascii=False, sort_keys=True),
    }
    chosen = [s for m in measures if (s := e.summary(m)) is not None] if measures else e.summaries
    numbers = [
        {
            "measure": s.measure,
            "definition": s.definition,
            "slice": s.attribute,
            "part": s.part,
            "value": s.value,
            "low": s.low,
            "high": s.high,
            "n": s.n,
        }
        for s in chosen
    ]
    return [{**head, **row} for row in numbers] or [head]


def sections_of_entry(e: Entry, tags: Sequence[str] = (), notes: Sequence[str] = ()) -> list[Section]:
    """What an entry is of."""
    rows: list[tuple[str, str]] = [
        (Text("id", "id"), e.id),
        (Text("time (UTC)", "时间（UTC）"), when(e.at)),
        (Text("project", "项目"), e.project),
        (Text("system", "系统"), e.system),
        (Text("version", "版本"), e.version),
        (Text("dataset", "数据"), e.dataset),
        (Text("kind", "种类"), e.kind),
        (Text("state", "状态"), e.state),
        (Text("tags", "标签"), ", ".join(tags)),
        (Text("labels", "标记"), ", ".join(f"{k}={v}" for k, v in e.labels.items())),
    ]
    said: list[str] = list(notes)
    if e.is_pruned:
        said.append(
            Text(
                "values of single queries were pruned; the numbers and their intervals are those of then",
                "单个查询的数值已清理；指标及其区间仍是当时的值",
            )
        )
    grid = Grid(["", ""], [[Cell(name), Cell(value)] for name, value in rows if value], frozenset({0, 1}))
    return [Section(Text("entry", "记录"), grid, said)]


def sections_of_query(query: str, measure: str, found: Sequence[QueryValue], digits: int = 4) -> list[Section]:
    """A query over time: its value in each entry, and its first results where they were kept."""
    title = composed("{} of query {}", "查询 {1} 的 {0}", measure, query)
    if not found:
        return [Section(title, notes=[Text("no entry has a value of it", "没有记录包含它的值")])]
    rows = [
        [
            Cell(short_id(x.entry.id)),
            Cell(when(x.entry.at)),
            Cell(x.entry.system),
            Cell(_results(x)),
            Cell(number(x.value, digits)),
        ]
        for x in found
    ]
    header = [
        Text("id", "id"),
        Text("time (UTC)", "时间（UTC）"),
        Text("system", "系统"),
        Text("first results", "靠前的结果"),
        measure,
    ]
    notes = []
    if any(x.results for x in found):
        notes.append(Text("in brackets: the grade of a judged result", "括号内是已标注结果的等级"))
    if any(not x.results for x in found):
        notes.append(
            Text(
                "lists are kept of queries that matter, where the run was at hand",
                "只在结果文件可用时，为重要的查询保留列表",
            )
        )
    return [Section(title, Grid(header, rows, frozenset({0, 1, 2, 3})), notes)]


def _results(x: QueryValue) -> str:
    return ", ".join(r.item if r.grade is None else f"{r.item} ({short(r.grade)})" for r in x.results)


def sections_of_pruned(done: Pruned) -> list[Section]:
    """What went, or would go."""
    rows: list[tuple[str, int]] = [
        (
            Text("entries that lose the values of single queries and lists", "清除单个查询的数值和列表的记录"),
            done.values,
        ),
        (Text("entries that are deleted", "删除的记录"), done.entries),
        (Text("kept whole: they have a tag or are a baseline", "因有标签或是基线而完整保留的记录"), done.kept),
    ]
    size = composed("{} of values", "数值共 {}", size_of(done.bytes))
    title = Text("pruned", "已清理") if done.is_done else Text("what would be pruned", "将会清理的内容")
    grid = Grid(["", Text("entries", "记录")], [[Cell(name), Cell(f"{n:,}")] for name, n in rows])
    return [Section(title, grid, [size])]
