"""Orders of tied results: all distinct ones, what a cut can leave of them, and the steps that all of them share.

Results of one kind are alike for whoever asks, so orders differ only by which kind stands where. A query with n results
of K kinds in one block has n! / (n_1! … n_K!) distinct orders, and many of them pass through the same sets: before each
place stands one of Π (n_k + 1) multisets. `every_order` lists the orders, `Lattice` the multisets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb, prod

import numpy as np

from rankgauge.alignment.alignment import Alignment
from rankgauge.alignment.segments import Array

__all__ = [
    "Block",
    "Lattice",
    "Lists",
    "blocks_of",
    "every_order",
    "in_slices",
    "n_orders",
    "n_survivors",
    "settled",
    "straddled",
]

SLICE = 500_000
"""Rows of lists that are looked at together."""


@dataclass(frozen=True, eq=False)
class Block:
    """Results of one query with equal scores.

    An entry is a row of the query or, counted on behind the rows, one of its repeats. Entries of one kind are alike,
    and the one named first has the first of their places: an item and its copies beside it are a kind of their own, and
    the item is where the first of them is. Places that no entry takes hold what nobody tells from unjudged results.
    """

    first: int
    size: int
    kinds: tuple[Array, ...]

    @property
    def counts(self) -> list[int]:
        return [len(k) for k in self.kinds]

    @property
    def free(self) -> int:
        return self.size - sum(self.counts)


def blocks_of(a: Alignment, query: int, kind: Array, *, places: bool = False, unlike: bool = True) -> list[Block]:
    """The tie blocks of a query, the highest first; only those with several kinds of results unless told otherwise.

    `kind` says of each row of the alignment what it is, NaN: not to be told from an unjudged result. With `places`
    repeats of judged items are told from unjudged results too.
    """
    rows = np.arange(a.offsets[query], a.offsets[query + 1])
    code = kind[rows].astype(np.float64)
    first, last = np.where(a.shown[rows], (a.tie_first[rows], a.tie_last[rows]), 0)
    copied = (a.copies[rows] > 1) & ~np.isnan(code)
    # kinds as pairs: (0, what it is), (1, the row) of an item with copies, (2, 0) repeats of items shown above
    sort, name = np.where(copied, 1, 0), np.where(copied, np.arange(len(rows)), code)
    if a.repeats is not None:
        mine = np.flatnonzero(a.by_query.owner[a.repeats.row] == query)
        row = a.repeats.row[mine] - a.offsets[query]
        beside = a.repeats.tie_first[mine] == first[row]
        again = np.where(beside, np.where(copied[row], row, np.nan), 0.0 if places else np.nan)
        first = np.concatenate((first, a.repeats.tie_first[mine]))
        last = np.concatenate((last, a.repeats.tie_last[mine]))
        sort = np.concatenate((sort, np.where(beside, 1, 2)))
        name = np.concatenate((name, again))
    told = np.flatnonzero((first > 0) & (first < last) & ~np.isnan(name))
    told = told[np.lexsort((name[told], sort[told], first[told]))]  # stable: an item before its copies
    out = []
    for start in np.unique(first[told]):
        mine = told[first[told] == start]
        new = np.flatnonzero((np.diff(sort[mine]) != 0) | (np.diff(name[mine]) != 0)) + 1
        block = Block(int(start), int(last[mine[0]] - start + 1), tuple(np.split(mine, new)))
        if not unlike or len(block.kinds) > 1 or block.free:
            out.append(block)
    return out


def _base(a: Alignment, query: int) -> Array:
    """Ranks of the entries of a query as they are, 0 behind the depth."""
    rank = a.rank[a.offsets[query] : a.offsets[query + 1]]
    if a.repeats is not None:
        mine = a.by_query.owner[a.repeats.row] == query
        rank = np.concatenate((rank, a.repeats.rank[mine]))
    return rank if a.depth is None else np.where(rank <= a.depth, rank, 0)


# lists


Lists = tuple[int, Array]
"""A query, and the ranks of its entries in each of several lists: one list per line."""


def in_slices(a: Alignment, lists: Iterator[Lists], breadth: int = 1) -> Iterator[Alignment]:
    """Alignments with a query for each list, in order, of a bounded number of rows each."""
    held: list[Lists] = []
    cells = 0
    for query, ranks in lists:
        step = max(1, SLICE // max(ranks.shape[1], breadth))
        for start in range(0, len(ranks), step):
            part = ranks[start : start + step]
            held.append((query, part))
            cells += len(part) * max(ranks.shape[1], breadth)
            if cells >= SLICE:
                yield _together(a, held)
                held, cells = [], 0
    if held:
        yield _together(a, held)


def _together(a: Alignment, lists: Sequence[Lists]) -> Alignment:
    owner = np.repeat([q for q, _ in lists], [len(ranks) for _, ranks in lists])
    lengths = a.by_query.lengths
    rank = np.concatenate([ranks[:, : lengths[q]].ravel() for q, ranks in lists])
    wide = a.of_queries(owner)
    again = None
    if wide.repeats is not None:
        again = np.concatenate([ranks[:, lengths[q] :].ravel() for q, ranks in lists])
    if a.depth is not None:
        rank = np.where(rank <= a.depth, rank, 0)
        again = None if again is None else np.where(again <= a.depth, again, 0)
    return replace(wide.with_ranks(rank, again=again), fractional=False)


# every order


def n_orders(blocks: Sequence[Block]) -> int:
    """How many distinct orders the blocks of one query have."""
    return prod(_arrangements(b.size, b.counts) for b in blocks)


def _arrangements(size: int, counts: Sequence[int]) -> int:
    total = 1
    for count in counts:
        total *= comb(size, count)
        size -= count
    return total


def every_order(a: Alignment, query: int, blocks: Sequence[Block]) -> Lists:
    """Each distinct order of one query; all are equally likely."""
    ranks = _base(a, query)[None, :].copy()
    for block in blocks:
        # entries that nobody tells from unjudged results make room
        ranks[(ranks >= block.first) & (ranks < block.first + block.size)] = 0
        places = _placed(block)
        times = len(places)
        ranks = np.repeat(ranks, times, axis=0)
        told = np.concatenate(block.kinds)
        ranks[:, told] = np.tile(block.first + places, (len(ranks) // times, 1))
    return query, ranks


def _placed(block: Block) -> Array:
    """For each order the places inside the block of its entries, kind after kind."""
    left = np.arange(block.size)[None, :]
    placed = np.empty((1, 0), dtype=np.int64)
    for count in block.counts:
        width = left.shape[1]
        chosen = np.array(list(combinations(range(width), count)), dtype=np.int64).reshape(-1, count)
        others = np.ones((len(chosen), width), dtype=bool)
        np.put_along_axis(others, chosen, False, axis=1)
        rest = np.nonzero(others)[1].reshape(len(chosen), width - count)
        times = len(left) * len(chosen)
        mine = left[:, chosen].reshape(times, count)
        placed = np.concatenate((np.repeat(placed, len(chosen), axis=0), mine), axis=1)
        left = left[:, rest].reshape(times, width - count)
    return placed


# what a cut leaves


def straddled(a: Alignment, cut: int) -> Array:
    """Queries with a tie block that begins within the first `cut` results and ends behind them, as a mask."""
    mask = a.by_query.any(a.shown & (a.tie_first <= cut) & (a.tie_last > cut))
    if a.repeats is not None:
        over = (a.repeats.tie_first <= cut) & (a.repeats.tie_last > cut)
        mask[a.by_query.owner[a.repeats.row[over]]] = True
    return mask


def settled(
    a: Alignment, cut: int, kind: Array, queries: Array, *, places: bool = False
) -> tuple[Alignment, Array, Array]:
    """What the first `cut` results can be, when the cut falls into a tie block: a query for each multiset of them.

    Also: whose query each one is, and how likely. Within the cut the order of tied results stays open, and no
    block goes beyond it any more. Only those of the mask `queries` are taken apart, others are cut as they stand.
    """
    owner, weight, ranks, agains = [], [], [], []
    for query in range(a.n_queries):
        n = int(a.by_query.lengths[query])
        base = _base(a, query)
        kept = np.where(base <= cut, base, 0)
        cuts: list[tuple[Array, float]] = [(kept, 1.0)]
        if queries[query]:
            cuts = list(_survivors(a, query, cut, kept, kind, places))
        for rank, chance in cuts:
            owner.append(query)
            weight.append(chance)
            ranks.append(rank[:n])
            agains.append(rank[n:])
    owners = np.array(owner, dtype=np.int64)
    wide = a.of_queries(owners)
    rank = np.concatenate(ranks) if ranks else wide.rank
    again = None
    if wide.repeats is not None:
        again = np.concatenate(agains)
        wide = replace(wide, repeats=replace(wide.repeats, tie_last=np.minimum(wide.repeats.tie_last, cut)))
    wide = replace(wide, tie_first=np.where(rank > 0, wide.tie_first, 0), tie_last=np.minimum(wide.tie_last, cut))
    wide = replace(wide, tie_last=np.where(rank > 0, wide.tie_last, 0), _cache={})
    wide = wide.with_ranks(rank, retrieved=np.minimum(wide.retrieved, cut), ties=True, again=again)
    return wide, owners, np.array(weight)


def _survivors(
    a: Alignment, query: int, cut: int, kept: Array, kind: Array, places: bool
) -> Iterator[tuple[Array, float]]:
    """Ranks of the entries for each multiset that the cut block can leave, and how likely it is."""
    found = [b for b in blocks_of(a, query, kind, places=places, unlike=False) if b.first <= cut < b.first + b.size]
    kept = np.where(_cut_into(a, query, cut), 0, kept)
    if not found:  # nothing that is told from unjudged results
        yield kept, 1.0
        return
    (block,) = found
    slots = cut - block.first + 1
    total = comb(block.size, slots)
    for counts in np.ndindex(*(n + 1 for n in block.counts)):
        others = slots - sum(counts)
        if not 0 <= others <= block.free:
            continue
        rank, at, ways = kept.copy(), block.first, comb(block.free, others)
        for members, count in zip(block.kinds, counts, strict=True):
            rank[members[:count]] = at + np.arange(count)
            at += count
            ways *= comb(len(members), count)
        yield rank, ways / total


def n_survivors(a: Alignment, query: int, cut: int, kind: Array, *, places: bool = False) -> int:
    """At most how many multisets `settled` makes of a query."""
    found = blocks_of(a, query, kind, places=places, unlike=False)
    return prod(n + 1 for b in found if b.first <= cut < b.first + b.size for n in b.counts)


def _cut_into(a: Alignment, query: int, cut: int) -> Array:
    """Entries of a query in the tie block that the cut falls into."""
    rows = slice(a.offsets[query], a.offsets[query + 1])
    first, last = a.tie_first[rows], a.tie_last[rows]
    if a.repeats is not None:
        mine = a.by_query.owner[a.repeats.row] == query
        first = np.concatenate((first, a.repeats.tie_first[mine]))
        last = np.concatenate((last, a.repeats.tie_last[mine]))
    mask: Array = (first <= cut) & (last > cut)
    return mask


# steps


@dataclass(frozen=True, eq=False)
class Lattice:
    """The orders of one query as ways through the multisets of what has been read, block by block.

    For whoever adds up steps, where a step may depend on a result, its rank and the multiset of results above: `lists`
    are the beginnings of lists whose values tell all steps, `read` makes of these values the least and the greatest sum
    over all ways, and the mean. Ranks behind `deepest` are taken to add nothing.
    """

    alignment: Alignment
    query: int
    blocks: Sequence[Block]
    deepest: float

    @classmethod
    def of(cls, a: Alignment, query: int, blocks: Sequence[Block], deepest: float) -> Lattice:
        """The lattice of the blocks that begin above the deepest rank."""
        return cls(a, query, [b for b in blocks if b.first <= deepest], deepest)

    def __len__(self) -> int:
        """How many lists there are, at most."""
        return 1 + sum(1 + prod(n + 1 for n in b.counts) * (b.free + 1) * (1 + len(b.counts)) for b in self.blocks)

    def _slots(self, block: Block) -> int:
        return int(min(block.size, self.deepest - block.first + 1))

    @cached_property
    def _multisets(self) -> list[_Multisets]:
        return [_multisets((*b.counts, b.free), self._slots(b)) for b in self.blocks]

    def lists(self) -> Lists:
        base = _base(self.alignment, self.query)
        out = [base[None, :]]
        for b, sets in zip(self.blocks, self._multisets, strict=True):
            out.append(np.where(base < b.first + self._slots(b), base, 0)[None, :])
            counts, level = sets.counts[sets.open], sets.level[sets.open]
            ranks = np.tile(np.where(base < b.first, base, 0), (len(counts), 1))
            at = b.first + np.cumsum(counts, axis=1) - counts
            for k, members in enumerate(b.kinds):
                place = np.arange(len(members))
                ranks[:, members] = np.where(place < counts[:, k, None], at[:, k, None] + place, 0)
            out.append(ranks)
            for k, members in enumerate(b.kinds):
                more = np.flatnonzero(counts[:, k] < len(members))
                longer = ranks[more]
                longer[np.arange(len(more)), members[counts[more, k]]] = b.first + level[more]
                out.append(longer)
        return self.query, np.concatenate(out)

    def read(self, values: Array) -> tuple[float, float, float]:
        """The least, the greatest and the mean sum over all orders, from the values of the lists."""
        low = high = mean = float(values[0])
        used = 1
        for b, sets in zip(self.blocks, self._multisets, strict=True):
            as_is = values[used] - values[used + 1]
            used += 1
            value = np.zeros(len(sets.level))
            value[sets.open] = values[used : used + len(sets.open)]
            used += len(sets.open)
            steps = np.zeros(sets.counts.shape)
            for k, n in enumerate(b.counts):
                more = sets.open[sets.counts[sets.open, k] < n]
                steps[more, k] = values[used : used + len(more)] - value[more]
                used += len(more)
            least, greatest, expected = sets.sums(steps)
            low, high, mean = low + least - as_is, high + greatest - as_is, mean + expected - as_is
        return low, high, mean


@dataclass(frozen=True, eq=False)
class _Multisets:
    """What can have been read of a block: how many results of each kind, up to so many in all."""

    kinds: tuple[int, ...]
    slots: int

    @cached_property
    def counts(self) -> Array:
        return np.indices([n + 1 for n in self.kinds]).reshape(len(self.kinds), -1).T

    @cached_property
    def level(self) -> Array:
        level: Array = self.counts.sum(axis=1)
        return level

    @cached_property
    def open(self) -> Array:
        """Those that can be read on from."""
        return np.flatnonzero(self.level < self.slots)

    @cached_property
    def _ways(self) -> list[tuple[int, Array, Array, Array]]:
        """Level by level the kind that is read next, from where, to where, and its chance."""
        strides = np.append(np.cumprod([n + 1 for n in self.kinds[:0:-1]])[::-1], 1)
        size, by_level = sum(self.kinds), np.argsort(self.level, kind="stable")
        bounds = np.searchsorted(self.level[by_level], np.arange(self.slots + 1))
        out = []
        for n in range(self.slots):
            here = by_level[bounds[n] : bounds[n + 1]]
            for k, total in enumerate(self.kinds):
                at = here[self.counts[here, k] < total]
                out.append((k, at, at + strides[k], (total - self.counts[at, k]) / (size - n)))
        return out

    def sums(self, steps: Array) -> tuple[float, float, float]:
        """Least, greatest and mean sum of steps from nothing to all that is read; a step per multiset and next kind."""
        low, high = np.full(len(self.level), np.inf), np.full(len(self.level), -np.inf)
        chance = np.zeros(len(self.level))
        low[0] = high[0] = 0.0
        chance[0] = 1.0
        mean = 0.0
        for k, at, to, share in self._ways:
            step, moved = steps[at, k], chance[at] * share
            mean += float(moved @ step)
            chance[to] += moved
            low[to] = np.minimum(low[to], low[at] + step)
            high[to] = np.maximum(high[to], high[at] + step)
        ends = self.level == self.slots
        return float(low[ends].min()), float(high[ends].max()), mean


def _multisets(kinds: tuple[int, ...], slots: int) -> _Multisets:
    """Those of a block; of small blocks, of which there are many alike, they are kept."""
    return _kept_multisets(kinds, slots) if prod(n + 1 for n in kinds) <= _SMALL else _Multisets(kinds, slots)


_SMALL = 1_000
_kept_multisets = lru_cache(maxsize=512)(_Multisets)
