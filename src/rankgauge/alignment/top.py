"""The first places of every list, under the tie rule by which judged items are ranked."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankgauge.alignment.ranking import any_neighbours
from rankgauge.alignment.segments import Array, Segments
from rankgauge.data.packed_ids import PackedIds

__all__ = ["top_places"]


def top_places(
    scores: Array, lists: Segments, depth: int | None, ids_of: Callable[[Array], PackedIds], ties: str
) -> tuple[Array, Array]:
    """The rows of the first `depth` results of each list, best first, and how many there are of each list.

    `scores` are the results of all lists, list after list; None takes them all. Equal scores stand in descending
    order of their ids (`ties="doc_id"`) or as they came (`"input"`), as `rank_judged` has it; `ids_of(rows)` is asked
    only about equal scores that reach into the first places.
    """
    is_sorted = not any_neighbours(np.greater, scores, lists)
    order = np.arange(len(scores)) if is_sorted else lists.order(-scores)
    if ties == "doc_id" and len(order):
        _by_id(scores if is_sorted else scores[order], lists, depth, order, ids_of)
    taken = lists.lengths if depth is None else np.minimum(lists.lengths, depth)
    if depth is None or not (lists.lengths > depth).any():
        return order, taken
    part = Segments.of_lengths(taken)
    return order[part.place + part.spread(lists.offsets[:-1])], taken


def _by_id(
    ordered: Array, lists: Segments, depth: int | None, order: Array, ids_of: Callable[[Array], PackedIds]
) -> None:
    """Put rows of equal scores, best first, into descending order of their ids."""
    opens = np.ones(len(ordered), dtype=bool)  # whether a row is the first of its score in its list
    opens[1:] = ordered[1:] != ordered[:-1]
    starts = lists.offsets[:-1]
    opens[starts[starts < len(ordered)]] = True
    if opens.all():
        return
    block = np.cumsum(opens) - 1
    first = np.flatnonzero(opens)
    wanted = np.diff(np.append(first, len(ordered))) > 1
    if depth is not None:
        wanted &= lists.place[first] < depth
    members = np.flatnonzero(wanted[block])
    if len(members):
        rows = order[members]
        descending = ids_of(rows).order_within(-block[members])[::-1]
        order[members] = rows[descending]
