"""What measures ask about neighbours: the row above, the rows of a tie block, the rows up to a rank."""

from __future__ import annotations

import numpy as np

from rankgauge.alignment import Alignment, Array

__all__ = ["above", "above_and_beside", "shallowest", "up_to"]


def above(a: Alignment, running: Array, start: float) -> Array:
    """For each row the running total of the row above it; `start` for the first row of a query."""
    return np.where(a.by_query.place == 0, start, np.roll(running, 1))


def up_to(a: Alignment, running: Array, owner: Array, rank: Array) -> Array:
    """Running total, over shown rows, of query `owner` down to `rank`; 0 where nothing is shown so high."""
    deep = int(max(a.rank.max(initial=0), rank.max(initial=0))) + 2
    keys = a.by_query.owner * deep + np.where(a.shown, a.rank, deep - 1)  # ascending: rows are in rank order
    row = np.searchsorted(keys, owner * deep + rank, side="right") - 1
    return np.where(row >= a.offsets[owner], running[np.maximum(row, 0)], 0.0)


def above_and_beside(a: Alignment, mask: Array) -> tuple[Array, Array]:
    """For each row how many masked rows stand in tie blocks above its own, and how many in its own."""
    if not len(mask):
        return np.zeros(0), np.zeros(0)
    owner = a.by_query.owner
    new = np.ones(len(mask), dtype=bool)
    new[1:] = (np.diff(owner) != 0) | (np.diff(a.tie_first) != 0)
    block = np.cumsum(new) - 1
    beside = np.bincount(block, weights=mask)[block]
    total = np.concatenate(([0.0], np.cumsum(mask)))
    starts = np.flatnonzero(new)[block]
    return total[starts] - total[a.offsets[owner]], beside


def shallowest(*cuts: int | None) -> int | None:
    """The first of several cuts of a list, of which each may be missing."""
    return min((x for x in cuts if x is not None), default=None)
