"""Which kinds of items are found: popular ones and rare ones, new ones, those of a category?

A mean over queries does not say whether the long tail is ever found. With R_g the pairs of a query and an item of group
g that is relevant to it:

    recall of g at k    pairs of R_g whose item is among the first k of its query / |R_g|

The interval takes queries as units (the delta method for a ratio of sums), because items of one query go together.

Groups are given, or made of counts (how often each item was clicked, bought, played): the most popular items that have
the first 20% of all counts are the head, those that have the last 20% the tail, the others the torso. Items with the
same count are in the same group.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import isfinite, nan, sqrt
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._checks import is_number
from rankgauge._numbers import counted, percent
from rankgauge._plain_data import damaged
from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text, in_words
from rankgauge._version import __version__
from rankgauge._words import as_meant
from rankgauge.alignment import Alignment, Array
from rankgauge.data.judged_ids import item_names
from rankgauge.data.slices import ITEM_GROUPS, MOST_VALUES, attribute_table
from rankgauge.errors import InputError, ParameterError, UnknownName, suggest
from rankgauge.evaluation.rankings.by_cutoff import aligned_of, level_of
from rankgauge.evaluation.rankings.ceiling import evaluated_like
from rankgauge.evaluation.rankings.measuring import shaped
from rankgauge.evaluation.rankings.record import RankingEvaluation, RankingEvaluations
from rankgauge.evaluation.rankings.slices import NO_VALUE, NONE
from rankgauge.measures.grammar import parse_ranking
from rankgauge.statistics.clusters import t_interval_of
from rankgauge.statistics.intervals import Interval

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ByItemGroup", "ItemGroup", "by_item_group"]

HEAD, TORSO, TAIL = "head", "torso", "tail"
UNKNOWN = NONE
"""The group of items that the table does not have."""
_COUNTS = frozenset(
    (
        *("count", "counts", "popularity", "interactions", "clicks", "views", "impressions", "plays", "purchases"),
        *("orders", "ratings", "frequency", "freq"),
        *("次数", "热度", "点击数", "曝光数", "点击次数", "播放量", "购买数"),
    )
)


@dataclass(frozen=True, kw_only=True)
class ItemGroup:
    """The relevant items of one group in the lists of one system, down to one depth."""

    system: str
    attribute: str
    group: str
    k: int
    items: int
    """Different items of the group that are relevant to some query."""
    relevant: int
    """Pairs of a query and an item of the group that is relevant to it."""
    queries: int
    """Queries that have such items."""
    found: int
    """How many of these pairs are found."""
    recall: float
    interval: Interval
    """NaN for fewer than two queries, and where there is no spread to learn from."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ByItemGroup(Record, kind="by_item_group", schema=1):
    """Recall of relevant items by what kind of items they are: `found["tail"]`, `found["tail", 100].recall`.

    `ev.by_item_group(groups)` and `rg.by_item_group` make them.
    """

    rows: Sequence[ItemGroup]
    """System after system, attribute after attribute, group after group, the smallest depth first."""
    overall: Mapping[str, Sequence[float]]
    """For each system its recall over all such pairs, at each depth."""
    cutoffs: Sequence[int]
    rel: float
    """The lowest grade that is relevant."""
    qrels: str
    confidence_level: float = 0.95
    notes: Sequence[str] = ()
    version: str = ""

    @property
    def systems(self) -> list[str]:
        return list(dict.fromkeys(row.system for row in self.rows))

    @property
    def groups(self) -> list[str]:
        return list(dict.fromkeys(row.group for row in self.rows))

    def __getitem__(self, key: str | tuple[str, int]) -> ItemGroup:
        """A group of the first system and attribute, at a depth or at the smallest."""
        group, k = key if isinstance(key, tuple) else (key, self.cutoffs[0])
        for row in self.rows:
            if (row.group, row.k) == (group, k):
                return row
        raise UnknownName(
            Text(
                f"no group {show(group)} at {show(k)}.{suggest(str(group), self.groups)} There are: "
                f"{', '.join(self.groups)} at {', '.join(map(str, self.cutoffs))}.",
                f"没有分组 {show(group)}（深度 {show(k)}）。已有：{', '.join(self.groups)}，深度 "
                f"{', '.join(map(str, self.cutoffs))}。",
            )
        )

    def part(self, system: str) -> ByItemGroup:
        """The rows of one system."""
        mine = tuple(row for row in self.rows if row.system == system)
        return replace(self, rows=mine, overall={system: self.overall[system]})

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        out = []
        for row in self.rows:
            plain = {k: v for k, v in asdict(row).items() if k != "interval"}
            out.append({**plain, "low": row.interval.low, "high": row.interval.high})
        return out

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame, one row per system, group and depth."""
        import polars as pl

        return pl.DataFrame(in_words(self.csv_rows()), infer_schema_length=None)

    @classmethod
    def _from_plain(cls, data: Any) -> ByItemGroup:
        made = super()._from_plain(data)
        if not made.cutoffs or any(len(values) != len(made.cutoffs) for values in made.overall.values()):
            raise damaged("overall", Text("expected a recall for each cutoff", "每个截断位置应有一个召回率"))
        if {row.system for row in made.rows} - set(made.overall) or {row.k for row in made.rows} - set(made.cutoffs):
            raise damaged("rows", Text("expected those of known systems and cutoffs", "应为已有的系统和截断位置"))
        return made


def by_item_group(
    ev: RankingEvaluation | RankingEvaluations,
    groups: Any,
    cutoffs: Iterable[int] | None = None,
    *,
    shares: tuple[float, float] = (0.2, 0.8),
) -> ByItemGroup:
    """Of the relevant items of each kind, which share is found?

    `groups` says of each item what it is: a dict of item → group, of item → {attribute: group}, or a table with an item
    id (a frame, CSV, JSONL, Parquet). Numbers in a dict, and columns such as `count`, `clicks` or `popularity`, are
    counts, of which head, torso and tail are made: `shares` are the shares of all counts at which the torso and the
    tail begin. `cutoffs` are those of the evaluation's measures unless given.

    >>> from rankgauge.evaluation.of_rankings import evaluate
    >>> qrels = {"q1": ["hit", "rare"], "q2": ["hit", "odd"]}
    >>> ev = evaluate(qrels, {"q1": ["hit", "x"], "q2": ["odd", "hit"]}, "R@2")
    >>> found = by_item_group(ev, {"hit": 900, "rare": 2, "odd": 2, "x": 50})
    >>> [(row.group, row.relevant, row.found, row.recall) for row in found.rows]
    [('head', 2, 2, 1.0), ('tail', 2, 1, 0.5)]
    """
    members = dict(ev) if isinstance(ev, RankingEvaluations) else {getattr(ev, "run", ""): ev}
    first = next(iter(members.values()), None)
    ks = _cutoffs(first, cutoffs)
    notes: list[str] = []
    rows: list[ItemGroup] = []
    overall: dict[str, list[float]] = {}
    table = _table(groups, shares, notes)
    for system, one in members.items():
        side = _Items(one, table, notes)
        overall[system] = [side.recall(np.ones(side.n, dtype=bool), k)[0] for k in ks]
        rows += [
            side.group(system, attribute, group, mask, k)
            for attribute in table
            for group, mask in side.groups(attribute)
            for k in ks
        ]
    assert first is not None
    return ByItemGroup(
        rows=tuple(rows),
        overall=overall,
        cutoffs=tuple(ks),
        rel=level_of(first),
        qrels=first.qrels,
        confidence_level=first.confidence_level,
        notes=list(dict.fromkeys(notes)),
        version=__version__,
    )


# arguments


def _cutoffs(ev: Any, cutoffs: Iterable[int] | None) -> list[int]:
    aligned_of(ev, "by_item_group")
    if cutoffs is None:
        asked = {m.cutoff for m in ev.measures if m.cutoff is not None}
        return sorted(asked) or [10]
    ks = list(cutoffs)
    for k in ks:
        if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1:
            raise ParameterError(
                Text(
                    f"`cutoffs` must be positive integers, got {show(k)}.",
                    f"`cutoffs` 必须是正整数，实际为 {show(k)}。",
                )
            )
    if not ks:
        raise ParameterError(
            Text("no cutoffs given. Name at least one, such as 10.", "没有给出截断位置。请至少给出一个，例如 10。")
        )
    return sorted({int(k) for k in ks})


def _table(groups: Any, shares: tuple[float, float], notes: list[str]) -> dict[str, dict[str, str]]:
    """For each attribute the group of each item."""
    if not (isinstance(shares, Sequence) and len(shares) == 2 and all(is_number(x) for x in shares)) or not (
        0 < shares[0] <= shares[1] < 1
    ):
        raise ParameterError(
            Text(
                f"`shares` must be two numbers between 0 and 1 that ascend, such as (0.2, 0.8), got {show(shares)}.",
                f"`shares` 必须是两个递增的、介于 0 与 1 之间的数，例如 (0.2, 0.8)，实际为 {show(shares)}。",
            )
        )
    read = attribute_table(groups, ITEM_GROUPS, notes)
    if not read:
        raise InputError(Text("item groups: there are none.", "条目分组：没有内容。"))
    is_mapping = isinstance(groups, Mapping)
    out: dict[str, dict[str, str]] = {}
    for name in dict.fromkeys(name for row in read.values() for name in row):
        values = {item: row[name] for item, row in read.items() if row.get(name) is not None and row[name] != ""}
        numbers = {item: _number(v) for item, v in values.items()}
        are_counts = as_meant(name).casefold() in _COUNTS or (
            is_mapping and all(isinstance(v, Real) and not isinstance(v, bool) for v in values.values())
        )
        if are_counts:
            out[name] = _by_popularity(name, numbers, shares)
            first, last = (percent(x) for x in (shares[0], 1 - shares[1]))
            notes.append(
                Text(
                    f"{name}, items with the most of it first: the head has the first {first} of its total, the tail "
                    f"the last {last}",
                    f"按 {name} 从高到低排列：头部为其总量的前 {first} 所属的条目，长尾为最后 {last} 所属的条目",
                )
            )
        elif (n := len({str(v) for v in values.values()})) > MOST_VALUES:
            notes.append(
                Text(
                    f"attribute {show(name)} has {n:,} values and is not used as a group",
                    f"属性 {show(name)} 有 {n:,} 个取值，不用作分组",
                )
            )
        elif values:
            out[name] = {item: str(v) for item, v in values.items()}
    if not out:
        raise InputError(
            Text(
                "item groups: nothing to group by. Give each item a group, or a count of how often it was chosen.",
                "条目分组：没有可用于分组的属性。请为每个条目给出分组，或给出它被选择的次数。",
            )
        )
    return out


def _number(value: Any) -> float:
    try:
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        return nan
    return found if isfinite(found) else nan


def _by_popularity(name: str, counts: Mapping[str, float], shares: tuple[float, float]) -> dict[str, str]:
    """Head, torso and tail: each block of equal counts goes where the more popular items before it end."""
    wrong = [item for item, n in counts.items() if not n >= 0]
    if wrong:
        raise InputError(
            Text(
                f"item groups: {name} must be a count of 0 or more, got something else for {show(wrong[0])}.",
                f"条目分组：{name} 必须是不小于 0 的次数，条目 {show(wrong[0])} 不是。",
            )
        )
    total = sum(counts.values())
    if not total > 0:
        raise InputError(
            Text(f"item groups: {name} must not be 0 for all items.", f"条目分组：{name} 不能对所有条目都为 0。")
        )
    out: dict[str, str] = {}
    before = 0.0
    blocks: dict[float, list[str]] = {}
    for item, n in counts.items():
        blocks.setdefault(n, []).append(item)
    for n in sorted(blocks, reverse=True):
        share = before / total
        group = HEAD if share < shares[0] else TORSO if share < shares[1] else TAIL
        out |= dict.fromkeys(blocks[n], group)
        before += n * len(blocks[n])
    return out


# numbers


class _Items:
    """The relevant pairs of one evaluation, with the ids of their items."""

    def __init__(self, ev: RankingEvaluation, table: Mapping[str, Mapping[str, str]], notes: list[str]) -> None:
        aligned = aligned_of(ev, "by_item_group")
        if ev.judged is None:
            raise InputError(
                Text(
                    "by_item_group: this evaluation has no ids of judged items; evaluate the run again.",
                    "by_item_group：该评测没有已标注条目的 id；请重新评测。",
                )
            )
        raw = aligned.alignment
        ties = "doc_id" if ev.policy.ties == "expected" else ev.policy.ties
        a: Alignment = shaped(raw, ties, ev.policy)
        counts = evaluated_like(ev, aligned, [("SetR", parse_ranking("SetR"))]).columns[0].counted
        chosen = a.relevant(level_of(ev)) & a.by_query.spread(np.asarray(counts))
        rows = a.by_query.spread(raw.offsets[:-1]) + a.item
        names = item_names(ev.judged, np.arange(len(raw.grade)))()
        self.ev, self.table = ev, table
        self.rank = a.rank[chosen]
        self.query = a.by_query.owner[chosen]
        self.names = [names[i] for i in rows[chosen].tolist()]
        self.n = len(self.names)
        if ev.policy.ties == "expected":
            notes.append(Text("tied results stand by descending id here", "此处并列结果按 id 降序排列"))
        for attribute, known in table.items():
            absent = sorted({name for name in self.names if name not in known})
            if len(absent) == len(set(self.names)) and absent:
                raise InputError(
                    Text(
                        f"item groups: none of the {len(absent):,} relevant items has a {attribute}. Items are such as "
                        f"{show(absent[0])}, the table has {show(next(iter(known)))}.",
                        f"条目分组：{len(absent):,} 个相关条目都没有 {attribute}。条目形如 {show(absent[0])}，"
                        f"表中为 {show(next(iter(known)))}。",
                    )
                )
            if absent:
                words = counted(len(absent), "relevant item", "个相关条目")
                notes.append(
                    Text(
                        f"{words.en} without {show(attribute)} (such as {show(absent[0])}): the group {NO_VALUE.en}",
                        f"{words.zh}没有 {show(attribute)}（例如 {show(absent[0])}）：归入{NO_VALUE.zh}",
                    )
                )

    def groups(self, attribute: str) -> list[tuple[str, Array]]:
        """Each group with the pairs that are in it: head, torso and tail in this order, others by name."""
        known = self.table[attribute]
        of = np.array([known.get(name, UNKNOWN) for name in self.names], dtype=object)
        order = {HEAD: 0, TORSO: 1, TAIL: 2}
        there = sorted({*of}, key=lambda g: (g == UNKNOWN, order.get(g, -1), g))
        return [(g, np.asarray(of == g, dtype=bool)) for g in there]

    def recall(self, mask: Array, k: int) -> tuple[float, Interval, int, int]:
        """Found over relevant pairs, its interval, how many were found, and of how many queries they are."""
        query = self.query[mask]
        hit = ((self.rank[mask] > 0) & (self.rank[mask] <= k)).astype(np.float64)
        if not len(query):
            return nan, Interval(nan, nan), 0, 0
        _, unit = np.unique(query, return_inverse=True)
        found, of = np.bincount(unit, weights=hit), np.bincount(unit).astype(np.float64)
        n, value = len(of), float(hit.sum() / len(hit))
        if n < 2:
            return value, Interval(nan, nan), int(hit.sum()), n
        rest = found - value * of
        error = sqrt(n / (n - 1) * float((rest**2).sum())) / float(of.sum())
        interval = t_interval_of(value, error, n, self.ev.confidence_level) if error > 0 else Interval(nan, nan)
        return value, interval if error == 0 else interval.clipped(0.0, 1.0), int(hit.sum()), n

    def group(self, system: str, attribute: str, group: str, mask: Array, k: int) -> ItemGroup:
        value, interval, found, queries = self.recall(mask, k)
        return ItemGroup(
            system=system,
            attribute=attribute,
            group=group,
            k=k,
            items=len({self.names[i] for i in np.flatnonzero(mask).tolist()}),
            relevant=int(mask.sum()),
            queries=queries,
            found=found,
            recall=value,
            interval=interval,
        )
