"""Alignment from columns whose ids are whole numbers: sorted keys find judged items and repeats in one pass.

Query, item and place in the list are packed into one integer each, so that sorting integers does everything. Ids become
text only inside tie blocks that hold a judged item, and as names of queries. Queries are taken a few at a time, by two
threads: what belongs to them stays in the cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl

from rankgauge.alignment.aligned import Aligned, alignment_of, comparable
from rankgauge.alignment.alignment import Alignment
from rankgauge.alignment.from_columns import is_named, packed
from rankgauge.alignment.ranking import any_neighbours, rank_judged
from rankgauge.alignment.segments import Array, Segments
from rankgauge.alignment.top import top_places
from rankgauge.data import Qrels, Run
from rankgauge.data.packed_ids import PackedIds
from rankgauge.data.parallel import in_parallel
from rankgauge.data.pieces import in_queries

__all__ = ["align_numbers", "first_numbers"]

_BITS = 63  # that an integer above zero has room for
_ROOM = 8  # places of a table for each id, where ids are numbers close together


def align_numbers(qrels: Qrels, run: Run, ties: str, single: bool) -> Aligned | None:
    """The alignment, or None where something repeats: those who compare texts know what to do about it."""
    judgements, results = qrels.with_numbers(), run.with_numbers()
    if judgements.is_empty() or results.is_empty():
        return None
    sides = ((judgements, "grade"), (results, "score"))
    judged, shown = in_parallel(lambda i: _Rows.of(*sides[i]), 2)
    number = _places_of(judged.names, shown.names)  # of each query's list, -1 for one that the run does not have
    names, lengths = judged.names, judged.lists.lengths
    if (turn := judged.by_appearance()) is not None:
        number, names, lengths = number[turn], names[turn], lengths[turn]
    missing = number < 0
    retrieved = np.where(missing, 0, shown.lists.lengths[number])
    query_ids = pl.Series(names).cast(pl.String).to_list()

    offsets = Segments.of_lengths(lengths).offsets
    grade, rank, item = np.empty(offsets[-1]), *(np.empty(offsets[-1], dtype=np.int64) for _ in range(2))

    def align(mine: slice) -> _Noticed | None:
        queries = np.arange(mine.start, mine.stop) if turn is None else turn[mine]
        found = _part(query_ids[mine], judged.of_queries(queries), shown, number[mine], ties, single)
        if found is None:
            return None
        part, nan_scores = found
        rows = slice(offsets[mine.start], offsets[mine.stop])
        grade[rows], rank[rows], item[rows] = part.grade, part.rank, part.item
        return _Noticed(nan_scores, None if part.tie_first is part.rank else (rows, part.tie_first, part.tie_last))

    parts = in_queries(align, lengths + retrieved)
    noticed = [part for part in parts if part is not None]
    if len(noticed) < len(parts):
        return None
    first = last = rank
    if tied := [part.ties for part in noticed if part.ties is not None]:
        first, last = rank.copy(), rank.copy()
        for rows, *blocks in tied:
            first[rows], last[rows] = blocks
    return Aligned(
        Alignment(
            query_ids, offsets, grade, rank, first, last, retrieved, item, max_grade=float(grade.max(initial=0.0))
        ),
        missing=missing & ~is_named(query_ids, run),
        extra_queries=len(shown.names) - int(np.count_nonzero(~missing)),
        repeats=np.zeros(len(query_ids), dtype=np.int64),
        nan_scores=sum(part.nan_scores for part in noticed),
    )


def first_numbers(run: Run, depth: int | None, ties: str, single: bool) -> tuple[pl.Series, Array, pl.Series]:
    """The first items of all lists, none of which shows one twice: items, how many of each list, and whose lists."""
    frame = run.with_numbers()
    if frame.is_empty():
        return frame["doc_id"], np.zeros(0, dtype=np.int64), pl.Series([], dtype=pl.String)
    results = _Rows.of(frame, "score")
    shown = results.of_queries(np.arange(len(results.lists)))
    scores, _ = comparable(shown.values, single)
    names = pl.Series(results.names).cast(pl.String)
    is_whole = depth is None or int(shown.lists.lengths.max()) <= depth
    if is_whole and not any_neighbours(np.greater_equal, scores, shown.lists):  # in order, and no ties
        return pl.Series(shown.items), shown.lists.lengths, names
    places, lengths = top_places(scores, shown.lists, depth, shown.ids_of, ties)
    return pl.Series(shown.items[places]), lengths, names


class _Noticed(NamedTuple):
    """What the alignment of some queries has beside its ranks."""

    nan_scores: int
    ties: tuple[slice, Array, Array] | None
    """Its rows, and the ranks that they share; None where no rank is shared."""


def _part(
    query_ids: Sequence[str], judged: _Lists, results: _Rows, number: Array, ties: str, single: bool
) -> tuple[Alignment, int] | None:
    """The alignment of some queries and how many of their scores are not numbers; `number` is that of their lists."""
    is_here = number >= 0
    shown = results.of_queries(number[is_here])
    found = _found(judged, shown, np.flatnonzero(is_here))
    if found is None:
        return None
    of_list, rows, positions = found

    scores, nan_scores = comparable(shown.values, single)
    ranks = rank_judged(
        scores,
        shown.lists,
        of_list,
        scores[positions],
        lambda which: shown.ids_of(positions[which]),
        shown.ids_of,
        ties,
        positions,
    )
    retrieved = np.zeros(len(number), dtype=np.int64)
    retrieved[is_here] = shown.lists.lengths
    return alignment_of(query_ids, judged.lists.lengths, judged.values, rows, ranks, retrieved), nan_scores


class _Lists(NamedTuple):
    """Items and their numbers, query after query."""

    lists: Segments
    items: Array
    values: Array

    def ids_of(self, rows: Array) -> PackedIds:
        return packed(pl.Series(self.items[rows]).cast(pl.String))


@dataclass(frozen=True, eq=False)
class _Rows:
    """Columns, and where the rows of each query are."""

    names: Array
    """Of the queries: in the order of their rows, or ascending where rows are not together."""
    lists: Segments
    items: Array
    values: Array
    order: Array | None = None
    """The rows query by query, each as they came; None where they are so already."""

    @classmethod
    def of(cls, frame: pl.DataFrame, value: str) -> _Rows:
        queries, items, values = (frame[name].to_numpy() for name in ("query_id", "doc_id", value))
        starts = _starts(queries)
        names = queries[starts]
        if _are_distinct(names):
            return cls(names, Segments(np.append(starts, len(queries))), items, values)
        place = len(queries).bit_length()
        codes, width = _codes(queries)
        if width + place > _BITS:
            codes, width = _dense_codes(queries)
        keys = _sorted(codes << place | np.arange(len(codes)))
        order = keys & ((1 << place) - 1)
        keys >>= place
        starts = _starts(keys)
        return cls(queries[order[starts]], Segments(np.append(starts, len(order))), items, values, order)

    def by_appearance(self) -> Array | None:
        """The numbers of the queries in the order in which they first come; None where that is theirs."""
        return None if self.order is None else np.argsort(self.order[self.lists.offsets[:-1]])

    def of_queries(self, queries: Array) -> _Lists:
        """The lists of these queries, in this order."""
        if not len(queries):
            return _Lists(Segments(np.zeros(1)), self.items[:0], self.values[:0])
        first, last = int(queries[0]), int(queries[-1]) + 1
        rows: Array | slice
        if last - first == len(queries) and (queries[1:] > queries[:-1]).all():  # side by side
            offsets = self.lists.offsets[first : last + 1]
            lists, rows = Segments(offsets - offsets[0]), slice(offsets[0], offsets[-1])
        else:
            lists, rows = Segments.of_lengths(self.lists.lengths[queries]), self.lists.rows_of(queries)
        if self.order is not None:
            rows = self.order[rows]
        return _Lists(lists, self.items[rows], self.values[rows])


def _starts(ids: Array) -> Array:
    """Where each run of equal ids starts."""
    starts: Array = np.append(0, np.flatnonzero(ids[1:] != ids[:-1]) + 1)
    return starts


def _are_distinct(ids: Array) -> bool:
    if _ascend(ids):
        return True
    low, n = int(ids.min()), int(ids.max()) - int(ids.min()) + 1
    if n < len(ids):
        return False
    if n <= _ROOM * len(ids):
        seen = np.zeros(n, dtype=bool)
        seen[ids - low] = True
        return int(np.count_nonzero(seen)) == len(ids)
    return _ascend(_sorted(ids))


def _ascend(ids: Array) -> bool:
    return bool((ids[1:] > ids[:-1]).all())


def _sorted(keys: Array) -> Array:
    """Keys in any order; Polars takes a third of the time of NumPy."""
    return pl.Series(keys).sort().to_numpy(writable=True)


def _codes(ids: Array) -> tuple[Array, int]:
    """Numbers from 0 on that are equal where the ids are, and how many bits they need."""
    low, high = int(ids.min()), int(ids.max())
    if high - low >= 1 << _BITS:
        return _dense_codes(ids)
    return ids - low if low else ids, (high - low).bit_length()


def _dense_codes(ids: Array) -> tuple[Array, int]:
    """As few numbers as there are ids."""
    names, codes = np.unique(ids, return_inverse=True)
    return codes, len(names).bit_length()


def _places_of(wanted: Array, names: Array) -> Array:
    """Where each wanted id stands among the names, -1 for one that does not."""
    if np.array_equal(wanted, names):
        return np.arange(len(names))
    order = None if _ascend(names) else np.argsort(names)
    ordered = names if order is None else names[order]
    place = np.minimum(np.searchsorted(ordered, wanted), len(names) - 1)
    found = ordered[place] == wanted
    return np.where(found, place if order is None else order[place], -1)


def _found(judged: _Lists, shown: _Lists, here: Array) -> tuple[Array, Array, Array] | None:
    """Of each judged item that is shown: the number of its list, its row and its position among the results.

    `here` are the queries of the lists that are shown. None where a query has an item twice on either side, and where
    keys would need more bits than there are.
    """
    n = len(judged.items)
    items, of_item = _codes(np.concatenate((judged.items, shown.items)))
    of_query = len(judged.lists).bit_length()
    of_place = int(max(judged.lists.lengths.max(), shown.lists.lengths.max(initial=0))).bit_length()
    if of_query + of_item + 1 + of_place > _BITS:
        items, of_item = _dense_codes(items)
        if of_query + of_item + 1 + of_place > _BITS:
            return None
    is_result = 1 << of_place

    def keys(lists: Segments, queries: Array, items: Array, side: int) -> Array:
        """Query, item, side and place."""
        keys = lists.spread(queries)
        keys <<= of_item
        keys |= items
        keys <<= 1 + of_place
        keys |= lists.place
        keys |= side
        return keys

    both = np.concatenate(
        (
            keys(judged.lists, np.arange(len(judged.lists)), items[:n], 0),
            keys(shown.lists, here, items[n:], is_result),
        )
    )
    both.sort()
    item = both >> (1 + of_place)
    hit = np.flatnonzero(item[1:] == item[:-1])
    mine, theirs = both[hit], both[hit + 1]
    if (mine & is_result).any() or not (theirs & is_result).all():
        return None
    query = mine >> (of_item + 1 + of_place)
    rows = judged.lists.offsets[query] + (mine & (is_result - 1))
    list_of = np.zeros(len(judged.lists), dtype=np.int64)
    list_of[here] = np.arange(len(here))
    of_list = list_of[query]
    return of_list, rows, shown.lists.offsets[of_list] + (theirs & (is_result - 1))
