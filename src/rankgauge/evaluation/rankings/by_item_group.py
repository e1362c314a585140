"""Which kinds of items are found and shown: popular ones and rare ones, new ones, those of a category?

A mean over queries does not say whether the long tail is ever found. With R_g the pairs of a query and an item of group
g that is relevant to it:

    recall of g at k      pairs of R_g whose item is among the first k of its query / |R_g|
    exposure of g at k    the discounts 1 / log2(rank + 1) of the places among the first k that hold an item of g, over
                          those of all these places; an item of several groups counts in equal parts for each

Intervals take queries as units (the delta method for a ratio of sums), because items of one query go together. A
relevant item is never shown at k where it is among the first k of no list at all.

`item_groups.py` has the groups: those that are given, or that train and items= make.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import nan, sqrt
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from rankgauge._numbers import counted
from rankgauge._plain_data import damaged
from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text, in_words
from rankgauge._version import __version__
from rankgauge.alignment import Alignment, Array
from rankgauge.data.catalogue import Catalogue
from rankgauge.data.judged_ids import item_names
from rankgauge.errors import InputError, ParameterError, UnknownName, suggest
from rankgauge.evaluation.rankings.by_cutoff import aligned_of, level_of
from rankgauge.evaluation.rankings.ceiling import evaluated_like
from rankgauge.evaluation.rankings.item_groups import Grouping, groupings
from rankgauge.evaluation.rankings.measuring import shaped
from rankgauge.evaluation.rankings.record import RankingEvaluation, RankingEvaluations
from rankgauge.evaluation.rankings.slices import NO_VALUE, NONE
from rankgauge.measures.grammar import parse_ranking
from rankgauge.statistics.clusters import t_interval_of
from rankgauge.statistics.intervals import Interval

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.alignment.shown import Shown

__all__ = ["ByItemGroup", "GroupOptions", "ItemGroup", "NeverShown", "WantedItem", "by_item_group"]

_NOWHERE = Interval(nan, nan)


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
    exposure: float = nan
    """Its share of the attention that the first k places get; NaN where the lists are not at hand."""
    exposure_interval: Interval = _NOWHERE
    never_shown: int | None = None
    """How many of `items` are among the first k of no list; None where the lists are not at hand."""
    in_catalogue: int | None = None
    """Items of the group in the catalogue; None where the evaluation has none."""


@dataclass(frozen=True, kw_only=True)
class WantedItem:
    """An item that is relevant to somebody and shown to nobody."""

    item: str
    queries: int
    """How many queries it is relevant to."""
    title: str = ""
    """What it is called, where `items=` says so."""


@dataclass(frozen=True, kw_only=True)
class NeverShown:
    """The relevant items that no list of one system has, down to one depth."""

    system: str
    k: int
    items: int
    """How many they are."""
    of: int
    """Different relevant items, shown or not."""
    pairs: int
    """Pairs of a query and such an item."""
    of_pairs: int
    """Pairs of a query and any relevant item."""
    most_wanted: Sequence[WantedItem]
    """Those that are relevant to most queries, the most wanted first; items that are equally wanted by id."""


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
    never_shown: Sequence[NeverShown] = ()
    """Relevant items that nobody is shown: system after system, the smallest depth first; none without the lists."""
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
        never = tuple(one for one in self.never_shown if one.system == system)
        return replace(self, rows=mine, overall={system: self.overall[system]}, never_shown=never)

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        out = []
        for row in self.rows:
            plain = {k: v for k, v in asdict(row).items() if not k.endswith("interval")}
            ends = {"low": row.interval.low, "high": row.interval.high}
            shown = {"exposure_low": row.exposure_interval.low, "exposure_high": row.exposure_interval.high}
            out.append({**plain, **ends, **shown})
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


class GroupOptions(TypedDict, total=False):
    """The keywords of `by_item_group`, for whoever passes them on."""

    shares: tuple[float, float]
    most: int


def by_item_group(
    ev: RankingEvaluation | RankingEvaluations,
    groups: Any = None,
    cutoffs: Iterable[int] | None = None,
    *,
    shares: tuple[float, float] = (0.2, 0.8),
    most: int = 10,
) -> ByItemGroup:
    """Of the relevant items of each kind, which share is found, which part of the attention do they get, and which are
    never shown?

    `groups` says of each item what it is: a dict of item → group, of item → {attribute: group}, or a table with an item
    id (a frame, CSV, JSONL, Parquet). Numbers in a dict, and columns such as `count`, `clicks` or `popularity`, are
    counts, of which head, torso and tail are made: `shares` are the shares of all counts at which the torso and the
    tail begin. Where the evaluation has `train=` or `items=`, a word is enough: `"popularity"` and `"age"` of items in
    train, or the name of an attribute; a list has several, and without `groups` there are popularity and category.
    `cutoffs` are those of the evaluation's measures unless given. `most` is how many items are named that nobody is
    shown although they are relevant.

    >>> from rankgauge.evaluation.of_rankings import evaluate
    >>> qrels = {"q1": ["hit", "rare"], "q2": ["hit", "odd"]}
    >>> ev = evaluate(qrels, {"q1": ["hit", "x"], "q2": ["odd", "hit"]}, "R@2")
    >>> found = by_item_group(ev, {"hit": 900, "rare": 2, "odd": 2, "x": 50})
    >>> [(row.group, row.relevant, row.found, row.recall) for row in found.rows]
    [('head', 2, 2, 1.0), ('tail', 2, 1, 0.5)]
    >>> [one.item for one in found.never_shown[0].most_wanted]
    ['rare']
    """
    members = dict(ev) if isinstance(ev, RankingEvaluations) else {getattr(ev, "run", ""): ev}
    first = next(iter(members.values()), None)
    ks = _cutoffs(first, cutoffs)
    assert first is not None
    if isinstance(most, bool) or not isinstance(most, (int, np.integer)) or most < 0:
        raise ParameterError(
            Text(
                f"`most` must be a whole number of 0 or more, got {show(most)}.",
                f"`most` 必须是不小于 0 的整数，实际为 {show(most)}。",
            )
        )
    notes: list[str] = []
    rows: list[ItemGroup] = []
    never: list[NeverShown] = []
    overall: dict[str, list[float]] = {}
    made = groupings(groups, first.catalogue, shares, notes)
    for system, one in members.items():
        side = _Items(one, made, max(ks), notes)
        overall[system] = [side.recall(np.ones(side.n, dtype=bool), k)[0] for k in ks]
        for grouping in made:
            rows += side.rows(system, grouping, ks)
        never += side.never_shown(system, ks, most)
    return ByItemGroup(
        rows=tuple(rows),
        overall=overall,
        cutoffs=tuple(ks),
        rel=level_of(first),
        qrels=first.qrels,
        confidence_level=first.confidence_level,
        notes=list(dict.fromkeys(notes)),
        never_shown=tuple(never),
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


# numbers


def _share(part: Array, of: Array, level: float) -> tuple[float, Interval]:
    """A sum over units as a share of another, and its interval by the delta method for a ratio of sums."""
    n, whole = len(of), float(of.sum())
    if not whole > 0:
        return nan, _NOWHERE
    value = float(part.sum()) / whole
    if n < 2:
        return value, _NOWHERE
    rest = part - value * of
    error = sqrt(n / (n - 1) * float((rest**2).sum())) / whole
    return value, t_interval_of(value, error, n, level).clipped(0.0, 1.0) if error > 0 else _NOWHERE


class _Items:
    """The relevant pairs of one evaluation with the ids of their items, and the first items of its lists."""

    def __init__(self, ev: RankingEvaluation, made: Sequence[Grouping], depth: int, notes: list[str]) -> None:
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
        self.ev = ev
        self.rank = a.rank[chosen]
        self.query = a.by_query.owner[chosen]
        self.names = [names[i] for i in rows[chosen].tolist()]
        self.n = len(self.names)
        if ev.policy.ties == "expected":
            notes.append(Text("tied results stand by descending id here", "此处并列结果按 id 降序排列"))
        for grouping in made:
            self._note_absent(grouping, notes)
        self.catalogue = Catalogue(0) if ev.catalogue is None else ev.catalogue
        self.shown = self._lists(depth, notes)

    def _note_absent(self, grouping: Grouping, notes: list[str]) -> None:
        """Say which relevant items have no group; raise where none has one."""
        absent = sorted({name for name in self.names if name not in grouping.of})
        if absent and len(absent) == len(set(self.names)):
            ids = show(absent[0]), show(next(iter(grouping.of)))
            if grouping.otherwise != NONE:
                notes.append(
                    Text(
                        f"{grouping.name}: no relevant item is in train, where ids are such as {ids[1]}; those of "
                        f"relevant items are such as {ids[0]}",
                        f"{grouping.name}：没有相关条目在训练集中；训练集的 id 形如 {ids[1]}，相关条目形如 {ids[0]}",
                    )
                )
                return
            n = len(absent)
            which = "the only relevant item has no" if n == 1 else f"none of the {n:,} relevant items has a"
            raise InputError(
                Text(
                    f"item groups: {which} value of {show(grouping.name)}. Items are such as {ids[0]}, the table has "
                    f"{ids[1]}.",
                    f"条目分组：{n:,} 个相关条目都没有 {show(grouping.name)} 的值。条目形如 {ids[0]}，"
                    f"表中为 {ids[1]}。",
                )
            )
        if absent and grouping.otherwise == NONE:
            words = counted(len(absent), "relevant item", "个相关条目")
            name = show(grouping.name)
            notes.append(
                Text(
                    f"{words.en} without {name} (such as {show(absent[0])}): the group {NO_VALUE.en}",
                    f"{words.zh}没有 {name}（例如 {show(absent[0])}）：归入{NO_VALUE.zh}",
                )
            )

    def _lists(self, depth: int, notes: list[str]) -> Shown | None:
        """The first items of all lists; None where they are not at hand, or the policy makes others of them."""
        from rankgauge.alignment.shown import shown_of

        ev, p = self.ev, self.ev.policy
        as_they_are = p.ties not in ("best", "worst") and p.unjudged != "remove" and p.duplicates != "keep"
        if ev.source is None or not as_they_are:
            why = (
                Text("the lists are not at hand", "没有结果列表")
                if ev.source is None
                else Text("the policy makes other lists of these", "该策略会改变列表")
            )
            notes.append(
                Text(
                    f"without exposure and without items that are never shown: {why}",
                    f"没有曝光占比和从未展示的条目：{why.zh}",
                )
            )
            return None
        assert ev.aligned is not None
        k = depth if p.depth is None else min(depth, p.depth)
        return shown_of(ev.aligned, ev.source.run(), self.catalogue, depth=k, ties=p.tie_order, single=p.is_single)

    # recall

    def recall(self, mask: Array, k: int) -> tuple[float, Interval, int, int]:
        """Found over relevant pairs, its interval, how many were found, and of how many queries they are."""
        query = self.query[mask]
        hit = ((self.rank[mask] > 0) & (self.rank[mask] <= k)).astype(np.float64)
        _, unit = np.unique(query, return_inverse=True)
        found, of = np.bincount(unit, weights=hit), np.bincount(unit).astype(np.float64)
        return *_share(found, of, self.ev.confidence_level), int(hit.sum()), len(of)

    # groups

    def rows(self, system: str, grouping: Grouping, ks: Sequence[int]) -> list[ItemGroup]:
        """Each group that has relevant items, at each depth."""
        of = [grouping.groups(name) for name in self.names]
        there = grouping.in_order({group for groups in of for group in groups})
        catalogue = self._in_catalogue(grouping)
        exposure = {k: self._exposure(grouping, there, k) for k in ks}
        shown = {k: self._ids_shown(k) for k in ks}
        out = []
        for group in there:
            mask = np.fromiter((group in groups for groups in of), dtype=bool, count=self.n)
            items = {self.names[i] for i in np.flatnonzero(mask).tolist()}
            for k in ks:
                value, interval, found, queries = self.recall(mask, k)
                attention, ends = exposure[k].get(group, (nan, _NOWHERE))
                seen = shown[k]
                out.append(
                    ItemGroup(
                        system=system,
                        attribute=grouping.name,
                        group=group,
                        k=k,
                        items=len(items),
                        relevant=int(mask.sum()),
                        queries=queries,
                        found=found,
                        recall=value,
                        interval=interval,
                        exposure=attention,
                        exposure_interval=ends,
                        never_shown=None if seen is None else len(items - seen),
                        in_catalogue=None if catalogue is None else catalogue[group],
                    )
                )
        return out

    def _in_catalogue(self, grouping: Grouping) -> Counter[str] | None:
        """How many items of the catalogue are in each group; None without a catalogue."""
        if self.ev.catalogue is None or not self.catalogue.n_items:
            return None
        known = self.catalogue.ids[: self.catalogue.n_items]
        return Counter(group for item in known for group in grouping.groups(item))

    def _exposure(self, grouping: Grouping, there: Sequence[str], k: int) -> dict[str, tuple[float, Interval]]:
        """The share of attention of each group among the first k places of all lists."""
        if self.shown is None:
            return {}
        s = self.shown.within(k)
        ids = self.catalogue.ids
        numbers, place = np.unique(s.items, return_inverse=True)
        groups = [grouping.groups(ids[i]) for i in numbers.tolist()]
        discount = 1 / np.log2(s.rank + 1)
        owner, has_list = s.by_list.owner, s.lengths > 0
        whole = np.bincount(owner, weights=discount, minlength=s.n_lists)[has_list]
        out = {}
        for group in there:
            part = np.fromiter((gs.count(group) / len(gs) for gs in groups), dtype=np.float64, count=len(groups))
            mine = np.bincount(owner, weights=discount * part[place], minlength=s.n_lists)[has_list]
            out[group] = _share(mine, whole, self.ev.confidence_level)
        return out

    # what nobody is shown

    def _ids_shown(self, k: int) -> set[str] | None:
        """All items that are among the first k of some list."""
        if self.shown is None:
            return None
        ids = self.catalogue.ids
        return {ids[i] for i in np.unique(self.shown.within(k).items).tolist()}

    def never_shown(self, system: str, ks: Sequence[int], most: int) -> list[NeverShown]:
        wanted = Counter(self.names)
        titles = self.catalogue.titles(wanted)
        out = []
        for k in ks:
            seen = self._ids_shown(k)
            if seen is None:
                continue
            missed = sorted((item for item in wanted if item not in seen), key=lambda item: (-wanted[item], item))
            out.append(
                NeverShown(
                    system=system,
                    k=k,
                    items=len(missed),
                    of=len(wanted),
                    pairs=sum(wanted[item] for item in missed),
                    of_pairs=self.n,
                    most_wanted=tuple(
                        WantedItem(item=item, queries=wanted[item], title=titles.get(item, ""))
                        for item in missed[:most]
                    ),
                )
            )
        return out
