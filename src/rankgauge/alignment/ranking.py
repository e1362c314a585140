"""Ranks of judged items, found by counting the scores above them.

The run's lists are never put in order item by item: a judged item's rank is one more than the number
of higher scores in its list, which a binary search over the sorted scores gives for all items at once.
Ids are looked at only inside tie blocks that hold a judged item.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from rankgauge.alignment.segments import Array, Segments
from rankgauge.data.packed_ids import PackedIds
from rankgauge.data.parallel import in_parallel

__all__ = ["any_neighbours", "rank_judged", "tie_blocks"]

_ROWS = 1 << 15  # results of tie blocks that are looked at together: what belongs to them stays in the cache


def tie_blocks(
    scores: Array, lists: Segments, of_list: Array, score: Array, position: Array | None = None
) -> tuple[Array, Array]:
    """First and last rank that each looked-up score shares with equal scores in its list.

    `scores` are the results of all lists, list after list; `of_list` and `score` say for each judged
    item in which list it is and with which score, `position` (if known) where it stands among the scores.
    """
    if position is not None and not any_neighbours(np.greater_equal, scores, lists):
        rank = position - lists.offsets[of_list] + 1  # in strict order already
        return rank, rank
    start, end = lists.offsets[of_list], lists.offsets[of_list + 1]
    # most scores stand alone: where a block ends is searched for only where a neighbour is equal
    if any_neighbours(np.greater, scores, lists):
        ascending = lists.sorted(scores)
        not_above = _search(ascending, start, end, score, np.less_equal)
        below = not_above - 1
        more = np.flatnonzero(below > start)
        more = more[ascending[below[more] - 1] == score[more]]
        below[more] = _search(ascending, start[more], below[more], score[more], np.less)
        return end - not_above + 1, end - below
    above = _search(scores, start, end, score, np.greater)
    not_below = above + 1
    more = np.flatnonzero(not_below < end)
    more = more[scores[not_below[more]] == score[more]]
    not_below[more] = _search(scores, not_below[more], end[more], score[more], np.greater_equal)
    return above - start + 1, not_below - start


def any_neighbours(relation: np.ufunc, scores: Array, lists: Segments) -> bool:
    """Whether a score stands in the relation to the one before it in the same list."""
    related = relation(scores[1:], scores[:-1])
    borders = lists.offsets[1:-1]
    related[borders[(borders > 0) & (borders < len(scores))] - 1] = False
    return bool(related.any())


def _search(keys: Array, low: Array, high: Array, key: Array, before: np.ufunc) -> Array:
    """For each item the first place in keys[low:high] that does not come `before` its key.

    All items take the steps of the longest range, halving; a step behind the end of a range is not taken.
    """
    place, end = low - 1, len(keys) - 1
    step = 1 << int((high - low).max(initial=0)).bit_length() >> 1
    while step:
        probe = place + step
        right = before(keys[np.minimum(probe, end)], key)
        right &= probe < high
        place += step * right
        step >>= 1
    return place + 1


def rank_judged(
    scores: Array,
    lists: Segments,
    of_list: Array,
    score: Array,
    names_of: Callable[[Array], PackedIds],
    ids_of: Callable[[Array], PackedIds],
    ties: str,
    position: Array | None = None,
) -> tuple[Array, Array, Array]:
    """Rank and tie block of each judged item that is shown.

    `names_of(rows)` gives the ids of looked-up items, `ids_of(positions)` those of results; both are asked only
    about tie blocks that hold a judged item. `ties="doc_id"` puts equal scores in descending order of their ids (as
    trec_eval does), `"input"` leaves them as they came.
    """
    first, last = tie_blocks(scores, lists, of_list, score, position)
    rank = first.copy()
    tied = np.flatnonzero(first < last)
    if len(tied):
        names = names_of(tied)
        start = lists.offsets[of_list[tied]] + first[tied] - 1
        order = names.order_within(start)
        tied, start = tied[order], start[order]
        bounds = np.flatnonzero(np.diff(start, prepend=-1, append=-1))  # the judged items of each block
        blocks = Segments.of_lengths((last - first)[tied[bounds[:-1]]] + 1)
        members = np.arange(blocks.offsets[-1]) + blocks.spread(start[bounds[:-1]] - blocks.offsets[:-1])
        if (by_score := _by_score(scores, lists, of_list[tied])) is not None:
            members = by_score[members]
        rank[tied] += _places(blocks, lambda rows: ids_of(members[rows]), bounds, names.at(order), ties)
    return rank, first, last


def _by_score(scores: Array, lists: Segments, of_list: Array) -> Array | None:
    """Positions of results with those of the named lists from high to low scores, equal ones as they came.

    None where they are so already.
    """
    if not any_neighbours(np.greater, scores, lists):
        return None
    named = np.unique(of_list)
    rows = lists.rows_of(named)
    out = np.arange(len(scores))
    out[rows] = rows[Segments.of_lengths(lists.lengths[named]).order(-scores[rows])]
    return out


def _places(
    blocks: Segments, ids_of: Callable[[slice], PackedIds], bounds: Array, names: PackedIds, ties: str
) -> Array:
    """How many results of its tie block come before each judged item.

    `ids_of` gives the results of some blocks, block after block, in their turn; `names[bounds[i] : bounds[i + 1]]`
    are the judged items of block i, ascending. Results are only held against those: most blocks have one judged item,
    and one comparison for each result.
    """
    name_words = names.words(slice(None), 0)
    out = np.empty(len(names), dtype=np.int64)
    cuts = np.searchsorted(blocks.offsets, np.arange(0, blocks.offsets[-1], _ROWS))
    pieces = list(pairwise(np.unique([*cuts, len(blocks)]).tolist()))

    def search(i: int) -> None:
        first, last = pieces[i]
        part = Segments(blocks.offsets[first : last + 1] - blocks.offsets[first])
        mine = slice(bounds[first], bounds[last])
        ids = ids_of(slice(blocks.offsets[first], blocks.offsets[last]))
        left, words = np.arange(len(ids)), ids.words(slice(None), 0)
        low, high = part.spread(bounds[first:last]), part.spread(bounds[first + 1 : last + 1])
        passed = np.empty_like(low)  # names, of all blocks so far, that come before the id
        same = np.zeros(len(left), dtype=bool)
        while len(left):
            middle = (low + high) >> 1
            found = name_words[middle]
            before = found < words
            if len(unsure := np.flatnonzero(found == words)):  # eight bytes do not settle it
                before[unsure], is_it = names.compared(middle[unsure], ids, left[unsure])
                same[left[unsure]] |= is_it
            low, high = np.where(before, middle + 1, low), np.where(before, high, middle)
            passed[left] = low
            more = np.flatnonzero(low < high)
            left, words, low, high = left[more], words[more], low[more], high[more]
        if ties == "input":
            out[passed[same]] = part.place[same]
        else:
            n = mine.stop - mine.start
            not_above = np.cumsum(np.bincount(passed - mine.start, minlength=n))[:n]
            out[mine] = np.repeat(part.offsets[1:], np.diff(bounds[first : last + 1])) - not_above

    in_parallel(search, len(pieces))
    return out
