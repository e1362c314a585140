"""Ranks of judged items, found by counting the scores above them.

The run's lists are never put in order item by item: a judged item's rank is one more than the number
of higher scores in its list, which a binary search over the sorted scores gives for all items at once.
Only where a judged item shares its score with other results are ids looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from rankgauge.alignment.segments import Array, Segments

__all__ = ["rank_judged", "tie_blocks"]

ResultIds = Callable[[int], Sequence[str]]
"""The ids of the results in list number i, in input order."""


def tie_blocks(
    scores: Array, lists: Segments, of_list: Array, score: Array, position: Array | None = None
) -> tuple[Array, Array]:
    """First and last rank that each looked-up score shares with equal scores in its list.

    `scores` are the results of all lists, list after list; `of_list` and `score` say for each judged
    item in which list it is and with which score, `position` (if known) where it stands among the scores.
    """
    if position is not None and not _any_neighbours(np.greater_equal, scores, lists):
        rank = position - lists.offsets[of_list] + 1  # in strict order already
        return rank, rank
    ascending = -scores  # binary searches run over ascending keys
    if _any_neighbours(np.greater, scores, lists):
        ascending = lists.sorted(ascending)
    start, end = lists.offsets[of_list], lists.offsets[of_list + 1]
    above = _search(ascending, start, end, -score, np.less)
    not_below = _search(ascending, above, end, -score, np.less_equal)
    return above - start + 1, not_below - start


def _any_neighbours(relation: np.ufunc, scores: Array, lists: Segments) -> bool:
    """Whether a score stands in the relation to the one before it in the same list."""
    related = relation(scores[1:], scores[:-1])
    borders = lists.offsets[1:-1]
    related[borders[(borders > 0) & (borders < len(scores))] - 1] = False
    return bool(related.any())


def _search(keys: Array, low: Array, high: Array, key: Array, before: np.ufunc) -> Array:
    """For each item the first place in keys[low:high] that does not come `before` its key."""
    low, high = low.copy(), high.copy()
    while (open_ := low < high).any():
        middle = (low + high) // 2
        right = open_ & before(keys[np.where(open_, middle, 0)], key)
        low = np.where(right, middle + 1, low)
        high = np.where(open_ & ~right, middle, high)
    return low


def rank_judged(
    scores: Array,
    lists: Segments,
    of_list: Array,
    score: Array,
    names_of: Callable[[Array], Sequence[str]],
    ids_of: ResultIds,
    ties: str,
    position: Array | None = None,
) -> tuple[Array, Array, Array]:
    """Rank and tie block of each judged item that is shown.

    `names_of(rows)` gives the ids of looked-up items, `ids_of(i)` those of a whole list; both are asked only
    where a judged item is tied. `ties="doc_id"` puts equal scores in descending order of their ids (as
    trec_eval does), `"input"` leaves them as they came.
    """
    first, last = tie_blocks(scores, lists, of_list, score, position)
    rank = first.copy()
    tied = np.flatnonzero(first < last)
    if not len(tied):
        return rank, first, last
    names = names_of(tied)
    in_lists = of_list[tied]
    order = np.argsort(in_lists, kind="stable")
    bounds = np.flatnonzero(np.diff(in_lists[order], prepend=-1, append=-1))
    for a, b in pairwise(bounds.tolist()):
        members = order[a:b]
        number = int(in_lists[members[0]])
        ids = ids_of(number)
        mine = scores[lists.offsets[number] : lists.offsets[number + 1]]
        for value in set(score[tied[members]].tolist()):
            block = [ids[i] for i in np.flatnonzero(mine == value).tolist()]
            if ties == "doc_id":
                block.sort(reverse=True)
            place = {doc_id: i for i, doc_id in enumerate(block)}
            for member in members[score[tied[members]] == value]:
                rank[tied[member]] += place[names[int(member)]]
    return rank, first, last
