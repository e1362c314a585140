"""The waist: for each judged item its grade and the rank at which the run shows it.

A measure never needs the thousands of unjudged results of a run. It needs, for each judged item, the
grade and the rank, and for each query how long the list was. So an alignment is as small as the
judgements, however long the run is, and it is all that a measure ever sees.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.alignment.segments import Array, Segments

if TYPE_CHECKING:
    from rankgauge.alignment.costs import Costs
    from rankgauge.alignment.covered import Covered

__all__ = ["Alignment", "Beside", "Groups", "Repeats", "is_relevant"]


_BITS = 63  # that an integer above zero has room for


def is_relevant(grade: Array, rel: float) -> Array:
    """Where a grade is at least `rel`, and above 0 in any case; NaN, which nobody gave, is neither."""
    mask: Array = (grade >= rel) & (grade > 0)
    return mask


@dataclass(frozen=True, eq=False)
class Groups:
    """Judgements of one item under several headings: subtopics, intents, or groups of assessors.

    Row j says: the item in row `row[j]` of the alignment has `grade[j]` under heading `code[j]`,
    where `code` counts the headings of all queries through, query by query.
    """

    row: Array
    code: Array
    grade: Array
    n_codes: Array  # headings of each query, (Q,)

    def relevant(self, rel: float) -> Array:
        """Judgements by which an item is relevant under its heading."""
        return is_relevant(self.grade, rel)


@dataclass(frozen=True, eq=False)
class Repeats:
    """Places at which lists show a judged item again, query after query in rank order.

    Such a place pushes down what follows and has been judged, but the item was met before: nothing is gained.
    Repeats of unjudged items need no row: their places are unjudged like any other.
    """

    row: Array  # the row of the alignment that is repeated
    rank: Array
    tie_first: Array
    tie_last: Array

    @classmethod
    def ordered(cls, owner: Array, row: Array, rank: Array, tie_first: Array, tie_last: Array) -> Repeats | None:
        """Repeats in any order, those with rank 0 left out; None where nothing is left."""
        kept = np.flatnonzero(rank > 0)
        if not len(kept):
            return None
        order = kept[np.lexsort((rank[kept], owner[kept]))]
        return cls(row[order], rank[order], tie_first[order], tie_last[order])


@dataclass(frozen=True, eq=False)
class Beside:
    """Further relevant items that a result holds beside that of its row, where a result may hold several: the needs
    that one piece of a document meets at once. None of them has a higher grade than the row."""

    row: Array
    grade: Array


@dataclass(frozen=True, eq=False)
class Alignment:
    """Judged items with their grades and ranks, query after query.

    Rows of a query are sorted by rank; items that the run does not show come last with rank 0.

    | field | shape | meaning |
    |---|---|---|
    | `query_ids` | Q | queries, fixed by the judgements or the caller, never by what the run holds |
    | `offsets` | Q+1 | rows `offsets[i]:offsets[i+1]` are the judged items of query i |
    | `grade` | J | as judged |
    | `rank` | J | 1-based rank under the tie rule; 0 = not shown |
    | `tie_first`, `tie_last` | J | the ranks this item shares with equal scores (both = rank without a tie) |
    | `retrieved` | Q | results the run shows for the query |
    | `item` | J | which judged item of the query it is, in the order of the judgements |
    | `groups` | | judgements by subtopic or assessor group, where there are any |
    | `repeats` | | where items are shown again, if that keeps its place (duplicates="keep") |
    | `beside` | | further items of a row, where one result can hold several |
    | `gains` | | of spans: what each place adds, as an alignment of its own, for measures of gain |
    | `covered` | | of spans: what each place costs and holds, for measures of spans |
    | `costs` | | what the results of each list cost, where somebody asks for a budget |
    | `is_ideal` | J | of gains: rows that are not shown and make up the ideal list |
    | `max_grade` | | highest grade of the whole set of judgements, not only of these queries |
    | `fractional` | | ranks stand for whole tie blocks: see `within` and `discounted` |
    """

    query_ids: Sequence[str]
    offsets: Array
    grade: Array
    rank: Array
    tie_first: Array
    tie_last: Array
    retrieved: Array
    item: Array
    groups: Groups | None = None
    repeats: Repeats | None = None
    beside: Beside | None = None
    gains: Alignment | None = None
    covered: Covered | None = None
    costs: Costs | None = None
    is_ideal: Array | None = None
    max_grade: float = 0.0
    depth: int | None = None
    fractional: bool = False
    _cache: dict[Any, Any] = field(default_factory=dict, repr=False)

    # shape

    @property
    def n_queries(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def by_query(self) -> Segments:
        return Segments(self.offsets)

    @cached_property
    def shown(self) -> Array:
        """Judged items that the run shows."""
        return self.rank > 0

    @cached_property
    def tied(self) -> Array:
        """Queries in which a shown judged item shares its score with another result."""
        if self.tie_first is self.tie_last:  # nothing is, so that nothing has to be compared
            tied = np.zeros(self.n_queries, dtype=bool)
        else:
            tied = self.by_query.any(self.tie_first < self.tie_last)
        if self.repeats is not None:
            shared = self.repeats.tie_first < self.repeats.tie_last
            tied[self.by_query.owner[self.repeats.row[shared]]] = True
        return tied

    # items that are shown again

    @cached_property
    def copies(self) -> Array:
        """How often each item stands in the tie block of its first place: 1 unless it repeats there."""
        if self.repeats is None:
            return np.ones(len(self.rank), dtype=np.int64)
        row = self.repeats.row
        beside = self.shown[row] & (self.repeats.tie_first == self.tie_first[row])
        return 1 + np.bincount(row[beside], minlength=len(self.rank))

    @cached_property
    def place_order(self) -> Array:
        """Rows and then repeats, counted through, in the order of their places; items not shown come last."""
        owner, rank = self.by_query.owner, self.rank
        if self.repeats is not None:
            owner = np.concatenate((owner, owner[self.repeats.row]))
            rank = np.concatenate((rank, self.repeats.rank))
        return np.argsort((owner << 32) + np.where(rank > 0, rank, 1 << 31), kind="stable")

    @cached_property
    def places(self) -> Alignment:
        """Each judged place as a row of its own: what is asked by those who count places, not items."""
        again = self.repeats
        if again is None:
            return self
        order = self.place_order
        each = order.copy()  # the row that each place shows
        each[order >= len(self.rank)] = again.row[order[order >= len(self.rank)] - len(self.rank)]

        def of_places(name: str) -> Array:
            places: Array = np.concatenate((getattr(self, name), getattr(again, name)))[order]
            return places

        return replace(
            self,
            offsets=Segments.of_lengths(np.bincount(self.by_query.owner[each], minlength=self.n_queries)).offsets,
            grade=self.grade[each],
            rank=of_places("rank"),
            tie_first=of_places("tie_first"),
            tie_last=of_places("tie_last"),
            item=self.item[each],
            groups=None,
            repeats=None,
            _cache={},
        )

    def guarded(self) -> Alignment:
        """The same for somebody else's function: arrays that cannot be written to, and caches of its own."""
        seen = {f.name: _read_only(getattr(self, f.name)) for f in fields(self) if f.name != "_cache"}
        return Alignment(**{**seen, "query_ids": tuple(self.query_ids)})

    # what measures are written with: one value per row

    def relevant(self, rel: float = 1) -> Array:
        """Items whose grade is at least `rel`, and above 0 in any case."""
        key = ("relevant", rel)
        if key not in self._cache:
            self._cache[key] = is_relevant(self.grade, rel)
        mask: Array = self._cache[key]
        return mask

    def within(self, k: Array | float | None = None) -> Array:
        """1 for an item shown among the first k, else 0; k=None means the whole list.

        In a fractional alignment, the share of the item's tie block that lies within the first k.
        """
        k = self._cut(k)
        if not self.fractional:
            return self.shown if k is None else self.shown & (self.rank <= k)
        last = self.tie_last if k is None else np.minimum(self.tie_last, k)
        size = self.tie_last - self.tie_first + 1
        inside = np.maximum(last - self.tie_first + 1, 0)
        share = np.where(self.shown, inside / size, 0.0)
        for row in np.flatnonzero(self.copies > 1):
            chances = _first_of(int(self.copies[row]), int(size[row]))
            share[row] = chances[: int(inside[row])].sum()
        return share

    def discounted(self, discount: Callable[[Array], Array], k: Array | float | None = None) -> Array:
        """discount(rank) for an item shown among the first k, else 0.

        In a fractional alignment, the mean of that over the ranks of the item's tie block.
        """
        k = self._cut(k)
        if not self.fractional:
            inside = self.within(k)
            return np.where(inside, discount(np.where(inside, self.rank, 1)), 0.0)
        deepest = int(self.tie_last.max(initial=0))
        ranks = np.arange(1, deepest + 1)
        weights = np.where(ranks <= (deepest if k is None else k), discount(ranks), 0.0)
        total = np.concatenate(([0.0], np.cumsum(weights)))
        block = total[self.tie_last] - total[np.maximum(self.tie_first - 1, 0)]
        size = self.tie_last - self.tie_first + 1
        mean = np.where(self.shown, block / size, 0.0)
        for row in np.flatnonzero(self.copies > 1):
            own = weights[self.tie_first[row] - 1 : self.tie_last[row]]
            mean[row] = _first_of(int(self.copies[row]), int(size[row])) @ own
        return mean

    def _cut(self, k: Array | float | None) -> Any:
        if self.depth is None:
            return k
        return self.depth if k is None else np.minimum(k, self.depth)

    # one value per query

    def sum(self, values: Array) -> Array:
        return self.by_query.sum(values)

    def count(self, mask: Array) -> Array:
        return self.by_query.count(mask)

    def n_relevant(self, rel: float = 1) -> Array:
        """R: how many judged items are relevant, shown or not."""
        key = ("n_relevant", rel)
        if key not in self._cache:
            mask = self.relevant(rel)
            self._cache[key] = self.count(mask) if self.beside is None else self.sum(self.items_in(mask, rel))
        counts: Array = self._cache[key]
        return counts

    def hits(self, rel: float = 1, k: float | None = None) -> Array:
        """H(k): relevant results among the first k."""
        return self.sum(self.relevant(rel) * self.within(k))

    def found(self, rel: float = 1, k: float | None = None) -> Array:
        """Relevant items among the first k: as many as relevant results, unless a result holds several."""
        if self.beside is None:
            return self.hits(rel, k)
        return self.sum(self.items_in(self.relevant(rel), rel) * self.within(k))

    def per_hit(self, rel: float = 1, k: float | None = None) -> Array | int:
        """How many relevant items a relevant result among the first k holds, on average: 1 unless one holds several."""
        if self.beside is None:
            return 1
        hits, found = self.hits(rel, k), self.found(rel, k)
        share: Array = np.divide(found, hits, out=np.ones(self.n_queries), where=hits > 0)
        return share

    def items_in(self, values: Array, rel: float = 1) -> Array:
        """A value per row, as often as the row holds relevant items; rows hold one each but for those with others
        beside it."""
        if self.beside is None:
            return values
        more = np.bincount(self.beside.row[self.beside.grade >= rel], minlength=len(self.rank))
        times: Array = values * (1 + more)
        return times

    @property
    def n_judged(self) -> int:
        """All judged items."""
        return len(self.grade) + (0 if self.beside is None else len(self.beside.grade))

    def first_rank(self, mask: Array) -> Array:
        """Best rank of the masked items that are shown, 0 where there is none."""
        mask = mask & self.shown
        first = np.zeros(self.n_queries, dtype=np.int64)
        rows = np.flatnonzero(mask)[::-1]  # rows are in rank order: the first one is written last
        first[self.by_query.owner[rows]] = self.rank[rows]
        return first

    def best(self, values: Array, k: float | None = None) -> Array:
        """Values of each query, highest first, with 0 behind place k: the ideal list."""
        ordered = self.by_query.sorted_down(values if self.is_ideal is None else np.where(self.is_ideal, values, 0.0))
        return ordered if k is None else np.where(self.by_query.place < k, ordered, 0.0)

    def cached(self, key: Any, compute: Callable[[], Array]) -> Array:
        """Something several measures share, computed once."""
        if key not in self._cache:
            self._cache[key] = compute()
        value: Array = self._cache[key]
        return value

    # other alignments made from this one

    def with_ranks(
        self, rank: Array, *, retrieved: Array | None = None, ties: bool = False, again: Array | None = None
    ) -> Alignment:
        """The same items at other ranks, rows put in order again; `again` are new ranks of the repeats.

        An item that is not shown is not shown again either.
        """
        as_it_was = rank is self.rank
        order = self._order(rank)
        groups, repeats, beside = self.groups, self.repeats, self.beside
        if groups is not None or repeats is not None or beside is not None:
            place = np.empty_like(order)
            place[order] = np.arange(len(order))
            groups = None if groups is None else replace(groups, row=place[groups.row])
            beside = None if beside is None else replace(beside, row=place[beside.row])
        if repeats is not None:
            r = repeats.rank if again is None else again
            first, last = (repeats.tie_first, repeats.tie_last) if ties else (r, r)
            r = np.where(rank[repeats.row] > 0, r, 0)
            repeats = Repeats.ordered(self.by_query.owner[repeats.row], place[repeats.row], r, first, last)
        rank = rank[order]
        return replace(
            self,
            grade=self.grade[order],
            rank=rank,
            tie_first=self.tie_first[order] if ties else rank,
            tie_last=self.tie_last[order] if ties else rank,
            item=self.item[order],
            groups=groups,
            repeats=repeats,
            beside=beside,
            is_ideal=None if self.is_ideal is None else self.is_ideal[order],
            retrieved=self.retrieved if retrieved is None else retrieved,
            costs=self.costs if as_it_was else None,  # they are of places
            _cache={},
        )

    def _order(self, rank: Array) -> Array:
        """The rows of each query by rank, those that are not shown behind as they were."""
        n = len(rank)
        behind = rank.max(initial=0) + self.by_query.place
        behind += 1
        np.copyto(behind, rank, where=rank > 0)
        of_row, of_place = n.bit_length(), int(behind.max(initial=0)).bit_length()
        if len(self.by_query).bit_length() + of_place + of_row > _BITS:
            return np.lexsort((behind, self.by_query.owner))
        keys = self.by_query.owner << of_place  # all in one number, which is sorted sooner than an order is found
        keys |= behind
        keys <<= of_row
        keys |= np.arange(n)
        keys.sort()
        keys &= (1 << of_row) - 1
        return keys

    def of_queries(self, queries: Array) -> Alignment:
        """The part of the alignment that belongs to some of the queries, given as numbers or a mask.

        A number may come several times, and so will its query.
        """
        if queries.dtype == bool:
            queries = np.flatnonzero(queries)
        rows = self.by_query.rows_of(queries)
        offsets = Segments.of_lengths(self.by_query.lengths[queries]).offsets
        return replace(
            self,
            query_ids=[self.query_ids[i] for i in queries],
            offsets=offsets,
            grade=self.grade[rows],
            rank=self.rank[rows],
            tie_first=self.tie_first[rows],
            tie_last=self.tie_last[rows],
            retrieved=self.retrieved[queries],
            item=self.item[rows],
            groups=self._groups_of(queries, offsets),
            repeats=self._repeats_of(queries, offsets),
            beside=self._beside_of(queries, offsets),
            gains=None if self.gains is None else self.gains.of_queries(queries),
            covered=None if self.covered is None else self.covered.of_queries(queries),
            costs=None if self.costs is None else self.costs.of_queries(queries),
            is_ideal=None if self.is_ideal is None else self.is_ideal[rows],
            _cache={},
        )

    def part(self, queries: slice) -> Alignment:
        """As `of_queries`, of queries side by side: nothing is copied. There are no headings, repeats or gains."""
        offsets = self.offsets[queries.start : queries.stop + 1]
        rows = slice(offsets[0], offsets[-1])
        rank = self.rank[rows]
        return replace(
            self,
            query_ids=self.query_ids[queries],
            offsets=offsets - offsets[0],
            grade=self.grade[rows],
            rank=rank,
            tie_first=rank if self.tie_first is self.rank else self.tie_first[rows],
            tie_last=rank if self.tie_last is self.rank else self.tie_last[rows],
            retrieved=self.retrieved[queries],
            item=self.item[rows],
            groups=None,
            repeats=None,
            costs=None if self.costs is None else self.costs.of_queries(np.arange(queries.start, queries.stop)),
            _cache={},
        )

    def _groups_of(self, queries: Array, offsets: Array) -> Groups | None:
        """The headings of these queries, whose rows begin at other offsets now and are counted through anew."""
        groups = self.groups
        if groups is None:
            return None
        owner = self.by_query.owner[groups.row]
        by_owner = np.argsort(owner, kind="stable")
        mine = Segments.of_lengths(np.bincount(owner, minlength=self.n_queries))
        chosen = by_owner[mine.rows_of(queries)]
        n_codes = groups.n_codes[queries]
        old_code, new_code = (np.concatenate(([0], np.cumsum(n)))[:-1] for n in (groups.n_codes, n_codes))
        times = mine.lengths[queries]
        row = groups.row[chosen] + np.repeat(offsets[:-1] - self.offsets[queries], times)
        code = groups.code[chosen] + np.repeat(new_code - old_code[queries], times)
        return Groups(row, code, groups.grade[chosen], n_codes)

    def _repeats_of(self, queries: Array, offsets: Array) -> Repeats | None:
        """The repeats of these queries, whose rows begin at other offsets now; a query may come several times."""
        again = self.repeats
        if again is None:
            return None
        owner = self.by_query.owner[again.row]
        mine = Segments.of_lengths(np.bincount(owner, minlength=self.n_queries))
        chosen = mine.rows_of(queries)
        if not len(chosen):
            return None
        moved = np.repeat(offsets[:-1] - self.offsets[queries], mine.lengths[queries])
        return Repeats(again.row[chosen] + moved, again.rank[chosen], again.tie_first[chosen], again.tie_last[chosen])

    def _beside_of(self, queries: Array, offsets: Array) -> Beside | None:
        """What is beside the rows of these queries."""
        beside = self.beside
        if beside is None:
            return None
        owner = self.by_query.owner[beside.row]
        by_owner = np.argsort(owner, kind="stable")
        mine = Segments.of_lengths(np.bincount(owner, minlength=self.n_queries))
        chosen = by_owner[mine.rows_of(queries)]
        moved = np.repeat(offsets[:-1] - self.offsets[queries], mine.lengths[queries])
        return Beside(beside.row[chosen] + moved, beside.grade[chosen]) if len(chosen) else None


def _first_of(copies: int, size: int) -> Array:
    """With which chance the first of so many copies stands at place 1, 2 … of a tie block, in random order."""
    places = np.arange(size + 1)
    none_yet = np.ones(size + 1)  # that all copies stand behind the first 0, 1 … places
    for i in range(copies):
        none_yet *= np.maximum(size - places - i, 0) / (size - i)
    chances: Array = none_yet[:-1] - none_yet[1:]
    return chances


def _read_only(value: Any) -> Any:
    """A view of an array, or a record of such, that cannot be written to."""
    if isinstance(value, np.ndarray):
        view = value.view()
        view.flags.writeable = False
        return view
    if isinstance(value, Alignment):
        return value.guarded()
    if isinstance(value, (Beside, Groups, Repeats)):
        return replace(value, **{f.name: _read_only(getattr(value, f.name)) for f in fields(value)})
    return value
