"""Queries with their items inside, as JSON holds them, to rows.

Everything malformed is collected and reported together; nothing malformed becomes a zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from rankgauge._show import show, show_all
from rankgauge._text import Text, zh
from rankgauge.data._cast import from_objects
from rankgauge.data._places import within, word_for
from rankgauge.data.both_sides import SIDES
from rankgauge.data.columns import fold, own_columns, query_names, role_of
from rankgauge.data.formats.base import Loaded, Options, loaded
from rankgauge.data.formats.opening import Source
from rankgauge.data.frames import canonical
from rankgauge.data.item_records import pairs_of_records
from rankgauge.data.mappings import said_of_forms
from rankgauge.errors import InputError

__all__ = ["Rows", "from_records"]


class Rows:
    """Rows as they are collected: one list per column, and every problem on the way."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.is_run = source.kind == "run"
        self.value = "score" if self.is_run else "grade"
        self.queries: list[str] = []
        self.sizes: list[int] = []
        self.docs: list[Any] = []
        self.values: list[Any] = []
        self.problems: list[str] = []
        self.empty: list[str] = []
        self.repeated: list[str] = []
        self.entries: list[Any] = []
        self.is_listed = False

    def add(self, query: Any, entry: Any, where: str) -> None:
        """All items of one query."""
        if isinstance(entry, dict) and (half := self._half(entry)) is not None:
            if half not in entry:
                self.problems.append(
                    Text(
                        f"{where}: has no {'results' if self.is_run else 'relevant items'}.",
                        f"{zh(where)}：没有{'结果' if self.is_run else '相关文档'}。",
                    )
                )
                return
            entry = self._with_numbers(entry, half, where)
        self.entries.append(entry)
        docs, values = self._items(entry, where)
        if isinstance(query, bool) or not isinstance(query, str | int) or query == "":
            self.problems.append(
                Text(
                    f"{where}: query_id must be text or a whole number, got {show(query)}.",
                    f"{zh(where)}：query_id 必须是文本或整数，实际为 {show(query)}。",
                )
            )
        elif not docs:
            self.empty.append(str(query))
        self._check(docs, values, where)
        self.queries.append(str(query))
        self.sizes.append(len(docs))
        self.docs += docs
        self.values += values

    def repeat(self, query: Any, before: str, now: str) -> None:
        """A query that was there before: two lists of results are not one, two lists of judgements are."""
        if self.is_run:
            self.problems.append(
                Text(
                    f"{now}: query {show(query)} has a list already, on {before}. Keep one of them.",
                    f"{zh(now)}：查询 {show(query)} 已有列表，在{zh(before)}。请只保留一个。",
                )
            )
        else:
            self.repeated.append(str(query))

    def _numbers(self) -> list[float]:
        try:
            return [float(v) for v in self.values]
        except OverflowError:
            raise self.source.error(
                Text(
                    f"holds a {self.value} beyond what a float64 can hold.",
                    f"中有超出 float64 范围的{zh(word_for(self.value))}。",
                )
            ) from None

    def loaded(self, format_: str) -> Loaded:
        """The canonical frame, or one error with everything that was wrong."""
        if self.problems:
            raise InputError.collect(within(self.source.where), self.problems)
        if not self.docs and not (self.is_run and self.empty):
            raise self.source.error(Text("holds no items.", "中没有文档。"))
        index = pl.Series("i", range(len(self.sizes))).repeat_by(pl.Series(self.sizes)).explode(empty_as_null=False)
        frame = pl.DataFrame(
            {
                "query_id": pl.Series(self.queries, dtype=pl.String).gather(index),
                "doc_id": pl.Series([d if isinstance(d, str) else str(d) for d in self.docs], dtype=pl.String),
                self.value: pl.Series(self._numbers(), dtype=pl.Float64),
            }
        )
        notes: tuple[str, ...] = said_of_forms(self.source.kind, self.entries)
        if self.is_run:  # an empty list is an answer; judgements of a query that has none are not
            return Loaded(frame, format_, notes, empty=tuple(self.empty), is_listed=self.is_listed)
        if again := list(dict.fromkeys(self.repeated)):
            n, some = len(again), show_all(again[:3]) + (", …" if len(again) > 3 else "")
            notes += (
                Text(
                    f"{n:,} quer{'ies are' if n > 1 else 'y is'} in several records, taken together ({some})",
                    f"{n:,} 个查询出现在多条记录中，已合并（{some}）",
                ),
            )
        if self.empty:
            shown = show_all(self.empty[:3]) + (", …" if len(self.empty) > 3 else "")
            n = len(self.empty)
            notes += (
                Text(
                    f"queries without any item, so without a row: {n} ({shown})",
                    f"{n} 个查询没有任何条目，因而没有对应的行（{shown}）",
                ),
            )
        return Loaded(frame, format_, notes)

    def _with_numbers(self, record: dict[str, Any], half: str, where: str) -> Any:
        """Our half of a record; ids with the numbers that stand in a list of their own, such as `scores`."""
        ids = record[half]
        kind: Any = self.source.kind
        lists = [v for n, v in record.items() if n != half and isinstance(v, list) and role_of(n, kind) == self.value]
        if not lists or not isinstance(ids, list) or any(isinstance(x, dict | list) for x in ids[:1]):
            return ids
        numbers = lists[0]
        if len(numbers) != len(ids):
            self.problems.append(
                Text(
                    f"{where}: must have a {self.value} for each of {len(ids):,} items, got {len(numbers):,}.",
                    f"{zh(where)}：必须为 {len(ids):,} 个文档各给一个{zh(word_for(self.value))}，实际有 "
                    f"{len(numbers):,} 个。",
                )
            )
            return ids
        return [[item, number] for item, number in zip(ids, numbers, strict=True)]

    def _half(self, entry: dict[str, Any]) -> str | None:
        """The key with our half of `{"retrieved": …, "relevant": …}`; None when the entry is doc → number."""
        known = {k: half for k in entry for half, words in SIDES.items() if fold(k) in words}
        if not any(isinstance(entry[k], list | dict | set | str) for k in known):
            return None
        return next((k for k, half in known.items() if half == self.source.kind), "")

    def _items(self, entry: Any, where: str) -> tuple[list[Any], list[Any]]:
        if isinstance(entry, dict):
            return list(entry), list(entry.values())
        if isinstance(entry, str | int) and not isinstance(entry, bool) and not self.is_run:
            return [entry], [1]
        if isinstance(entry, set) and not self.is_run:  # of a Python literal; a run needs an order
            return list(entry), [1] * len(entry)
        if not isinstance(entry, list):
            wanted = Text("a list or an object", "列表或对象") + (
                "" if self.is_run else Text(", or one id", "或一个 id")
            )
            self.problems.append(
                Text(
                    f"{where}: must be {wanted}, got {show(entry)}.",
                    f"{zh(where)}：必须是{zh(wanted)}，实际为 {show(entry)}。",
                )
            )
            return [], []
        if entry and isinstance(entry[0], dict):
            return self._records(entry, where)
        if entry and isinstance(entry[0], list):
            return self._pairs(entry, where)
        self.is_listed = True
        return entry, list(range(len(entry), 0, -1)) if self.is_run else [1] * len(entry)

    def _records(self, entry: list[Any], where: str) -> tuple[list[Any], list[Any]]:
        try:
            pairs = pairs_of_records(entry, self.source.kind, where)
        except InputError as e:
            self.problems.append(e.text)
            return [], []
        return [d for d, _ in pairs], [v for _, v in pairs]

    def _pairs(self, entry: list[Any], where: str) -> tuple[list[Any], list[Any]]:
        bad = [e for e in entry if not (isinstance(e, list) and len(e) == 2)]
        if bad:
            self.problems.append(
                Text(
                    f"{where}: items must be pairs of id and number, got {show(bad[0])}.",
                    f"{zh(where)}：各项必须是 id 与数字的对，实际为 {show(bad[0])}。",
                )
            )
            return [], []
        return [e[0] for e in entry], [e[1] for e in entry]

    def _check(self, docs: list[Any], values: list[Any], where: str) -> None:
        numbers = {int, float} if self.is_run else {int, float, bool}
        if {*map(type, docs)} <= {str} and {*map(type, values)} <= numbers and "" not in docs:
            return
        for doc, value in zip(docs, values, strict=True):
            if type(doc) not in (str, int) or doc == "":
                self.problems.append(
                    Text(
                        f"{where}: doc_id must be text or a whole number, got {show(doc)}.",
                        f"{zh(where)}：doc_id 必须是文本或整数，实际为 {show(doc)}。",
                    )
                )
            elif type(value) not in numbers:
                self.problems.append(
                    Text(
                        f"{where}, doc {show(doc)}: {self.value} must be a number, got {show(value)}.",
                        f"{zh(where)}，文档 {show(doc)}：{zh(word_for(self.value))}必须是数字，实际为 {show(value)}。",
                    )
                )


def from_records(
    source: Source, options: Options, format_: str, records: Sequence[Any], position: Callable[[int], str]
) -> Loaded:
    """Records of one row each, or of one query each."""
    problems = [
        Text(f"{position(i)}: must be an object, got {show(r)}.", f"{zh(position(i))}：必须是对象，实际为 {show(r)}。")
        for i, r in enumerate(records)
        if type(r) is not dict
    ]
    if problems:
        raise InputError.collect(within(source.where), problems)
    names = list(dict.fromkeys(name for r in records for name in r))
    if not names:
        raise source.error(Text("holds no records.", "中没有记录。"))
    halves = [n for n in names if fold(n) in SIDES.get(source.kind, ()) and n not in source.names]
    if any(isinstance(r.get(n), list | dict | set) for n in halves for r in records):
        return _from_queries(source, options, records, position, names).loaded(format_)
    frame = pl.DataFrame([from_objects(name, [r.get(name) for r in records]) for name in _scalars(names, source)])
    table, notes = canonical(source.kind, frame, options.columns, source.where, position)
    return loaded(table, format_, notes, position)


def _scalars(names: Sequence[str], source: Source) -> list[str]:
    """Columns that could matter; the others (texts, vectors) stay where they are."""
    used = [n for n in names if n in source.names or role_of(n, source.kind) is not None]
    return used if len(used) >= (2 if source.kind == "predictions" else 3) else list(names)


def _from_queries(
    source: Source,
    options: Options,
    records: Sequence[dict[str, Any]],
    position: Callable[[int], str],
    names: Sequence[str],
) -> Rows:
    own = own_columns(options.columns, names, source.kind, source.where)
    asked = [n for n, role in own.items() if role in ("query_id", "user_id")]
    best = asked or query_names(names)
    if not best:
        raise source.error(
            Text(
                f"needs 'query_id' in every record. Found: {show_all(names)}.",
                f"的每条记录都必须有 'query_id'。找到：{zh(show_all(names))}。",
            )
        )
    rows = Rows(source)
    first: dict[str, int] = {}
    for i, record in enumerate(records):
        rest = {k: v for k, v in record.items() if k != best[0]}
        query = record.get(best[0])
        if (before := first.setdefault(str(query), i)) != i:
            rows.repeat(query, position(before), position(i))
        rows.add(query, rest, position(i))
    return rows
