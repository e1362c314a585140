"""How much do the lists of two versions differ, judged or not?

    rg.overlap(old, new, k=10)

Before anybody judges anything, a new version can be held against the old one: how many of the first results are still
there, in which order, for whom everything changed, and which items are shown more or less than before. Of each query
(user) that both versions have a list for, with A and B the first k items of the old and of the new list:

    overlap   |A ∩ B| / max(|A|, |B|)
    RBO       rank-biased overlap: the expected agreement of two readers who go on to the next rank with probability p
    new       |B \\ A|, items that the old list did not show
    changed   whether anything is different, an item or a place

RBO is the extrapolated form RBO_ext of Webber, Moffat, Zobel (2010), A similarity measure for indefinite rankings, ACM
TOIS 28(4), eq. 32, of the first `depth` results: with S the shorter list (s items) and L the longer one (l), X_d the
common items of their first d,

    RBO = (1 - p) / p · (Σ_{d=1}^{l} X_d / d · p^d + Σ_{d=s+1}^{l} X_s (d - s) / (s d) · p^d)
          + ((X_l - X_s) / l + X_s / s) · p^l

1 for equal lists, 0 for lists without a common item. It is that of lists in one order: equal scores stand by id, or as
they came, in both versions alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._checks import number, one_of, whole
from rankgauge._claims import phrase
from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.alignment import Array, Segments
from rankgauge.alignment.shown import first_items
from rankgauge.data.catalogue import Catalogue
from rankgauge.data.mappings import numbers_of
from rankgauge.data.odd_ids import odd_ids_of
from rankgauge.data.run import Run
from rankgauge.data.run_source import RunSource
from rankgauge.errors import InputError, UnknownName, among
from rankgauge.evaluation.rankings.notes import empty_lists, nan_scores, removed_repeats
from rankgauge.evaluation.rankings.policy import DEEPEST_RANK
from rankgauge.statistics.intervals import Interval, check_level, t_interval
from rankgauge.statistics.jackknife import shares

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ChangedItem", "ChangedList", "OverlapNumber", "RunOverlap", "overlap"]

NUMBERS = ("overlap", "rbo", "new", "gone", "changed", "first", "exposure")
"""What is told of two versions, in this order."""


@dataclass(frozen=True, kw_only=True)
class OverlapNumber:
    """One number of two versions, with its interval."""

    name: str
    """`overlap`, `rbo`, `new`, `gone`, `changed`, `first` (lists with another first result) or `exposure`."""
    value: float
    interval: Interval
    """Of as many other queries like these; NaN for fewer than two."""


@dataclass(frozen=True, kw_only=True)
class ChangedList:
    """The lists of one query in the two versions."""

    query_id: str
    overlap: float
    rbo: float
    new: int
    """Items among the first k that the old list did not show there."""
    gone: int
    """Items among the old first k that the new list does not show there."""


@dataclass(frozen=True, kw_only=True)
class ChangedItem:
    """In how many lists an item is among the first k."""

    item_id: str
    old: int
    new: int


@dataclass(frozen=True, eq=False, kw_only=True)
class RunOverlap(
    Record,
    kind="overlap",
    schema=1,
    not_stored={
        "lists": Text(
            "Run overlap() on the two versions to look at single lists.",
            "要查看单个列表，请对两个版本运行 overlap()。",
        )
    },
):
    """Two versions side by side: `found["overlap"].value`, `found.most_changed`, `found.per_query`.

    `rg.overlap` makes it.
    """

    old: str
    new: str
    k: int
    p: float
    """How likely the reader of RBO goes on to the next rank."""
    depth: int
    """Results of each list that RBO looks at."""
    ties: str
    numbers: Sequence[OverlapNumber]
    n: int
    """Queries that both versions have a list for; all numbers are over them."""
    only_old: int
    only_new: int
    """Queries that one of them has a list for."""
    items_old: int
    items_new: int
    """Different items among the first k of all these lists."""
    gained: int
    """Items that only the new version shows."""
    lost: int
    """Items that only the old version shows."""
    most_changed: Sequence[ChangedList]
    """The lists with the lowest RBO, the lowest first."""
    risen: Sequence[ChangedItem]
    fallen: Sequence[ChangedItem]
    """The items that are shown in more lists, or in fewer, than before; those that changed most first."""
    confidence_level: float = 0.95
    notes: Sequence[str] = ()
    version: str = ""
    lists: Mapping[str, Any] = field(repr=False)
    """Columns by list; not stored."""

    def __getitem__(self, name: str) -> OverlapNumber:
        for x in self.numbers:
            if x.name == name:
                return x
        raise UnknownName(Text(f"no number {show(name)}.", f"没有数值 {show(name)}。") + among(name, NUMBERS))

    @cached_property
    def per_query(self) -> pl.DataFrame:
        """A Polars frame, one row per query: `query_id`, `overlap`, `rbo`, `new`, `gone`, `changed`, `first`."""
        import polars as pl

        return pl.DataFrame(dict(self.lists))

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        return [
            {"number": x.name, "value": x.value, "low": x.interval.low, "high": x.interval.high, "n": self.n}
            for x in self.numbers
        ]

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame, one row per number."""
        import polars as pl

        return pl.DataFrame(self.csv_rows(), infer_schema_length=None)

    def item_rows(self) -> list[dict[str, Any]]:
        """The items that changed most, as dicts."""
        return [asdict(x) for x in (*self.risen, *self.fallen)]


def overlap(
    old: Any,
    new: Any,
    k: int = 10,
    *,
    p: float = 0.9,
    depth: int = 100,
    ties: str = "doc_id",
    most: int = 10,
    confidence_level: float = 0.95,
    columns: Mapping[str, str] | None = None,
) -> RunOverlap:
    """How much of what was shown is still shown? No judgements are needed.

    `old` and `new` are runs as `evaluate` takes them: dicts, frames, files, matrices. Only queries (users) that both
    have a list for are compared; the others are counted. `most` lists and items with the largest change are named.

    >>> found = overlap({"ann": ["a", "b"], "bob": ["a", "c"]}, {"ann": ["b", "a"], "bob": ["a", "d"]}, k=2)
    >>> [(x.name, round(x.value, 3)) for x in found.numbers[:3]]
    [('overlap', 0.75), ('rbo', 0.725), ('new', 0.5)]
    >>> found["changed"].value, found["first"].value, found.gained, found.lost
    (1.0, 0.5, 1, 1)
    """
    k = whole("k", k, at_most=DEEPEST_RANK, caller="overlap")
    depth = max(k, whole("depth", depth, at_most=DEEPEST_RANK, caller="overlap"))
    most = whole("most", most, at_least=0, caller="overlap")
    p = float(number("p", p, above=0, below=1, caller="overlap"))
    one_of("ties", ties, ("doc_id", "input"), caller="overlap")
    check_level(confidence_level)
    runs = [RunSource(given, columns).run() for given in (old, new)]
    queries = list(dict.fromkeys(q for run in runs for q in run.query_ids))
    catalogue = Catalogue.of()
    sides = [_Lists(*first_items(run, queries, catalogue, depth=depth, ties=ties)) for run in runs]
    has_old, has_new = (side.lengths > 0 for side in sides)
    there = has_old & has_new
    if not there.any():
        raise InputError(_nothing_common(queries, has_old, has_new))
    pair = _Pair(sides[0].of(there), sides[1].of(there), catalogue.n_numbers, k)
    names = [run.name if run.name != "run" else word for run, word in zip(runs, ("old", "new"), strict=True)]
    if names[0] == names[1]:
        names = ["old", "new"]
    ids = catalogue.ids
    query_ids = [q for q, is_there in zip(queries, there, strict=True) if is_there]
    rbo = pair.rbo(p)
    by_list: dict[str, Array] = {
        "overlap": pair.common / np.maximum(pair.sizes[0], pair.sizes[1]),
        "rbo": rbo,
        "new": pair.sizes[1] - pair.common,
        "gone": pair.sizes[0] - pair.common,
        "changed": pair.changed,
        "first": pair.first_changed,
    }
    order = np.lexsort((np.arange(len(rbo)), by_list["overlap"], rbo))[:most]
    return RunOverlap(
        old=names[0],
        new=names[1],
        k=k,
        p=p,
        depth=depth,
        ties=ties,
        numbers=tuple(_numbers(by_list, pair, confidence_level)),
        n=len(query_ids),
        only_old=int(np.count_nonzero(has_old & ~has_new)),
        only_new=int(np.count_nonzero(has_new & ~has_old)),
        items_old=int(np.count_nonzero(pair.counts[0])),
        items_new=int(np.count_nonzero(pair.counts[1])),
        gained=int(np.count_nonzero((pair.counts[0] == 0) & (pair.counts[1] > 0))),
        lost=int(np.count_nonzero((pair.counts[1] == 0) & (pair.counts[0] > 0))),
        most_changed=tuple(
            ChangedList(
                query_id=query_ids[i],
                overlap=float(by_list["overlap"][i]),
                rbo=float(rbo[i]),
                new=int(by_list["new"][i]),
                gone=int(by_list["gone"][i]),
            )
            for i in order.tolist()
            if rbo[i] < 1 or by_list["changed"][i]
        ),
        risen=tuple(_changed(pair.counts, ids, most, 1)),
        fallen=tuple(_changed(pair.counts, ids, most, -1)),
        confidence_level=confidence_level,
        notes=list(dict.fromkeys(note for run, name in zip(runs, names, strict=True) for note in _notes(run, name))),
        version=__version__,
        lists={"query_id": query_ids, **by_list},
    )


def _nothing_common(queries: Sequence[str], has_old: Array, has_new: Array) -> Text:
    """Why nothing can be compared."""
    if not (has_old.any() and has_new.any()):
        return Text(
            "overlap: both versions must have at least one list, got a run without any.",
            "overlap：两个版本都至少要有一个列表，实际有一个 run 没有列表。",
        )
    first, second = (show(queries[int(np.flatnonzero(mask)[0])]) for mask in (has_old, has_new))
    return Text(
        f"overlap: the versions must have lists for some of the same queries, got none: the old one has {first}, the "
        f"new one {second}.",
        f"overlap：两个版本必须有共同的查询，实际没有：旧版有 {first}，新版有 {second}。",
    )


def _notes(run: Run, name: str) -> list[str]:
    """What was noticed of a run: how it was read, empty lists, repeats, scores that are no numbers, odd ids."""
    if run.text is not None:
        scores: Array = run.text.value
    elif run.is_mapping:
        rows = run.to_dict()
        scores = numbers_of(rows.values(), rows, run.name, "score")
    else:
        scores = run.to_frame()["score"].to_numpy()
    said: list[str] = []
    empty = sum(not row for row in run.to_dict().values()) if run.is_mapping else len(run.empty)
    if empty:
        said.append(empty_lists(empty, name))
    n, queries = _repeats(run)
    if n:
        said.append(removed_repeats(n, queries, name))
    if n := int(np.count_nonzero(np.isnan(scores))):
        said.append(nan_scores(n, name))
    said += odd_ids_of(run)
    return [*run.notes, *(phrase("{}: {}", "{}：{}", name, note) for note in said)]


def _repeats(run: Run) -> tuple[int, int]:
    """Results that show an item of their list again, and the lists that do."""
    if run.is_mapping:
        return sum(run.dropped.values()), len(run.dropped)
    if run.text is not None:
        owner = Segments.of_lengths(run.text.lengths).owner
        pairs = np.stack((owner.astype(np.uint64), run.text.hash.astype(np.uint64)))
        order = np.lexsort(pairs[::-1])
        if not (pairs[:, order[1:]] == pairs[:, order[:-1]]).all(axis=0).any():
            return 0, 0
    import polars as pl

    again = run.to_frame().filter(~pl.struct("query_id", "doc_id").is_first_distinct())
    return len(again), again["query_id"].n_unique()


@dataclass(frozen=True, eq=False)
class _Lists:
    """The first items of some lists, in rank order, by number."""

    items: Array
    lengths: Array

    def of(self, chosen: Array) -> _Lists:
        lists = Segments.of_lengths(self.lengths)
        return _Lists(self.items[lists.rows_of(np.flatnonzero(chosen))], self.lengths[chosen])


class _Pair:
    """The lists of the same queries in two versions, and what they have in common."""

    def __init__(self, old: _Lists, new: _Lists, n_items: int, k: int) -> None:
        self.lengths = (old.lengths, new.lengths)
        self.n, self.k = len(old.lengths), k
        sides = [Segments.of_lengths(side.lengths) for side in (old, new)]
        keys = [lists.owner * n_items + side.items for lists, side in zip(sides, (old, new), strict=True)]
        both, in_old, in_new = np.intersect1d(keys[0], keys[1], assume_unique=True, return_indices=True)
        self.owner = both // n_items
        self.rank = (sides[0].place[in_old] + 1, sides[1].place[in_new] + 1)
        self.sizes = tuple(np.minimum(n, k) for n in self.lengths)
        kept = (self.rank[0] <= k) & (self.rank[1] <= k)
        self.common = self._count(kept)
        same = kept & (self.rank[0] == self.rank[1])
        self.changed = (self._count(same) < np.maximum(*self.sizes)).astype(np.float64)
        self.first_changed = 1.0 - self._count(same & (self.rank[0] == 1))
        within = [lists.place < k for lists in sides]
        self.counts = tuple(
            np.bincount(side.items[mask], minlength=n_items) for side, mask in zip((old, new), within, strict=True)
        )
        # what each list adds to how much more often items are shown: items of one of the two lists
        stays = [np.zeros(len(side.items), dtype=bool) for side in (old, new)]
        stays[0][in_old[kept]] = stays[1][in_new[kept]] = True
        change = self.counts[1] - self.counts[0]
        total = int(np.abs(change).sum())
        lost = np.zeros(self.n, dtype=np.int64)
        for side, lists, mask, stay, sign in zip((old, new), sides, within, stays, (-1, 1), strict=True):
            rows = mask & ~stay
            of_item = change[side.items[rows]]
            weights = np.abs(of_item) - np.abs(of_item - sign)
            lost += np.bincount(lists.owner[rows], weights=weights, minlength=self.n).astype(np.int64)
        places = int(self.sizes[0].sum() + self.sizes[1].sum())
        rest = places - self.sizes[0] - self.sizes[1]
        self.exposure = total / places
        self.without = np.divide(total - lost, rest, out=np.full(self.n, np.nan), where=rest > 0)

    def _count(self, mask: Array) -> Array:
        return np.bincount(self.owner[mask], minlength=self.n)

    def rbo(self, p: float) -> Array:
        """The extrapolated rank-biased overlap of each pair of lists."""
        short, long = np.minimum(*self.lengths), np.maximum(*self.lengths)
        d = np.arange(1, int(long.max()) + 1)
        power = p ** (d - 1.0)  # one power less than in the formula, which divides by p: p may be tiny
        upto = np.concatenate(([0.0], np.cumsum(power)))  # Σ p^(d-1)
        over = np.concatenate(([0.0], np.cumsum(power / d)))  # Σ p^(d-1) / d
        deeper = np.maximum(*self.rank)
        of_short, of_long = self._count(deeper <= short[self.owner]), self._count(deeper > 0)
        agreed = np.bincount(self.owner, weights=over[long[self.owner]] - over[deeper - 1], minlength=self.n)
        beyond = of_short / short * (upto[long] - upto[short] - short * (over[long] - over[short]))
        last = ((of_long - of_short) / long + of_short / short) * p ** long.astype(np.float64)
        found: Array = np.clip((1 - p) * (agreed + beyond) + last, 0.0, 1.0)
        found[(self.lengths[0] == self.lengths[1]) & (self._count(self.rank[0] == self.rank[1]) == long)] = 1.0
        return found


def _numbers(by_list: Mapping[str, Array], pair: _Pair, level: float) -> list[OverlapNumber]:
    """The mean over lists of each column, and how far exposure moved."""
    out = []
    for name in NUMBERS:
        of_run = name == "exposure"
        values = shares(pair.exposure, pair.without) if of_run else by_list[name].astype(np.float64)
        value = pair.exposure if of_run else float(values.mean())
        interval = t_interval(values, level).clipped(0.0, pair.k if name in ("new", "gone") else 1.0)
        out.append(OverlapNumber(name=name, value=value, interval=interval if pair.n > 1 else _NO_INTERVAL))
    return out


_NO_INTERVAL = Interval(float("nan"), float("nan"))


def _changed(counts: Sequence[Array], ids: Sequence[str], most: int, sign: int) -> list[ChangedItem]:
    """The items whose number of lists changed most in one direction, equal ones by id."""
    change = sign * (counts[1] - counts[0])
    items = np.flatnonzero(change > 0)
    if len(items) > most:  # of equal ones at the border those with the lowest ids
        least = np.partition(change[items], -most)[-most] if most else 0
        items = items[change[items] >= least]
    found = sorted(items.tolist(), key=lambda i: (-change[i], ids[i]))[:most]
    return [ChangedItem(item_id=ids[i], old=int(counts[0][i]), new=int(counts[1][i])) for i in found]
