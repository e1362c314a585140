"""Results that nobody judged: where they stand, and the alignment in which some of them are judged."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rankgauge.alignment.alignment import Alignment
from rankgauge.alignment.segments import Array, Segments

__all__ = ["DEEPEST", "Unjudged", "optimistic", "unjudged", "with_judged"]

DEEPEST = 1000
"""Results of a list that are looked at unless a depth is given."""


@dataclass(frozen=True, eq=False)
class Unjudged:
    """The unjudged results of each list, query after query, in rank order."""

    by_query: Segments
    rank: Array
    tie_first: Array
    tie_last: Array

    def first(self, n: Array) -> Array:
        """The n highest of each query, as a mask."""
        return self.by_query.place < self.by_query.spread(n)

    def last(self, n: Array) -> Array:
        """The n deepest of each query, as a mask."""
        mask: Array = self.by_query.place >= self.by_query.spread(self.by_query.lengths - n)
        return mask


def unjudged(a: Alignment, depth: int | None = None) -> Unjudged:
    """Which ranks within `depth` hold results without a judgement?

    They are what the judged items, and repeats of them, leave free of 1 … `retrieved`. A result inside the tie block of
    a judged item shares that block; ties among unjudged results alone are not known here, and make no difference.
    """
    a = a.places
    lists = Segments.of_lengths(np.minimum(a.retrieved, DEEPEST if depth is None else depth))
    first = last = lists.place + 1
    rows = np.flatnonzero(a.shown & (a.rank <= a.by_query.spread(lists.lengths)))
    at = lists.offsets[a.by_query.owner[rows]]
    free = np.ones(len(first), dtype=bool)
    free[at + a.rank[rows] - 1] = False
    tied = np.flatnonzero(a.shown & (a.tie_first <= a.by_query.spread(lists.lengths)) & (a.tie_first < a.tie_last))
    if len(tied):
        start = lists.offsets[a.by_query.owner[tied]] + a.tie_first[tied] - 1
        opened = np.full(len(first), -1)
        opened[start] = tied  # rows of one block write the same bounds
        begun = np.maximum.accumulate(np.where(opened >= 0, np.arange(len(first)), -1))
        block = np.where(begun >= 0, opened[np.maximum(begun, 0)], 0)
        inside = (begun >= 0) & (a.by_query.owner[block] == lists.owner) & (last <= a.tie_last[block])
        first, last = np.where(inside, a.tie_first[block], first), np.where(inside, a.tie_last[block], last)
    lengths = np.bincount(lists.owner[free], minlength=a.n_queries)
    return Unjudged(Segments.of_lengths(lengths), lists.place[free] + 1, first[free], last[free])


def with_judged(a: Alignment, open_: Unjudged, chosen: Array, grade: float, hidden: Array | int = 0) -> Alignment:
    """The alignment in which the chosen unjudged results have a grade, and so do `hidden` items nobody showed.

    Everything else stays as it is; results that are not chosen stay unjudged.
    """
    hidden = np.broadcast_to(np.asarray(hidden, dtype=np.int64), a.n_queries)
    new = Segments.of_lengths(np.bincount(open_.by_query.owner[chosen], minlength=a.n_queries))
    unseen = np.zeros(int(hidden.sum()), dtype=np.int64)
    owner = np.concatenate((a.by_query.owner, new.owner, np.repeat(np.arange(a.n_queries), hidden)))
    rank = np.concatenate((a.rank, open_.rank[chosen], unseen))
    # not shown: last, as they were. A stable sort is quick here: it merges three parts that are sorted already
    order = np.argsort((owner << 32) + np.where(rank > 0, rank, 1 << 31), kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    groups = None if a.groups is None else replace(a.groups, row=place[a.groups.row])
    repeats = None if a.repeats is None else replace(a.repeats, row=place[a.repeats.row])
    by_query = Segments.of_lengths(np.bincount(owner, minlength=a.n_queries))
    more = Segments.of_lengths(new.lengths + hidden)
    item = np.full(len(order), -1, dtype=np.int64)
    item[: len(a.item)] = a.item
    fresh = np.argsort(owner[len(a.item) :], kind="stable")
    # numbered behind the items of the query
    item[len(a.item) + fresh] = more.place + more.spread(a.by_query.lengths)
    return replace(
        a,
        offsets=by_query.offsets,
        grade=np.concatenate((a.grade, np.full(len(order) - len(a.grade), float(grade))))[order],
        rank=rank[order],
        tie_first=np.concatenate((a.tie_first, open_.tie_first[chosen], unseen))[order],
        tie_last=np.concatenate((a.tie_last, open_.tie_last[chosen], unseen))[order],
        item=item[order],
        groups=groups,
        repeats=repeats,
        max_grade=max(a.max_grade, float(grade)),
        _cache={},
    )


def optimistic(a: Alignment, depth: int | None = None, grade: float | None = None) -> Alignment:
    """What if every unjudged result were as good as can be?

    Each unjudged result within `depth` (by default the list, at most its first 1000 results) becomes a judged item of
    the given grade (by default the highest of the judgements) at its rank. The pessimistic counterpart is
    the alignment itself, in which unjudged results count as not relevant.
    """
    open_ = unjudged(a, depth)
    return with_judged(a, open_, np.ones(len(open_.rank), dtype=bool), a.max_grade if grade is None else grade)
