"""Alignment from a matrix of scores, a row per query and a column per item: ids are the numbers of columns, as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rankgauge.alignment.aligned import Aligned, alignment_of, comparable
from rankgauge.alignment.ranking import rank_judged
from rankgauge.alignment.segments import Array, Segments
from rankgauge.data.packed_ids import PackedIds

__all__ = ["Targets", "align_matrix"]


class Targets(NamedTuple):
    """Judged entries of a matrix, row after row: each entry once."""

    row: Array
    column: Array
    grade: Array


def align_matrix(query_ids: Sequence[str], scores: Array, targets: Targets, *, ties: str, single: bool) -> Aligned:
    """The alignment of all rows; a score that is NaN is that of an item which is not shown."""
    n_rows, n_items = scores.shape
    is_shown = ~np.isnan(scores)
    here = is_shown[targets.row, targets.column]
    row, column = targets.row[here], targets.column[here]
    if is_shown.all():
        lists = Segments(np.arange(n_rows + 1) * n_items)
        shown, position = scores.reshape(-1), row * n_items + column
        column_of = None
    else:
        lists = Segments.of_lengths(is_shown.sum(axis=1))
        place = np.cumsum(is_shown, axis=1, dtype=np.int64) - 1
        shown, position = scores[is_shown], lists.offsets[row] + place[row, column]
        column_of = np.nonzero(is_shown)[1]
    values, _ = comparable(shown, single)

    def ids_of(positions: Array) -> PackedIds:
        return _packed(positions % n_items if column_of is None else column_of[positions])

    ranks = rank_judged(
        values, lists, row, values[position], lambda which: _packed(column[which]), ids_of, ties, position
    )
    lengths = np.bincount(targets.row, minlength=n_rows)
    return Aligned(
        alignment_of(query_ids, lengths, targets.grade, np.flatnonzero(here), ranks, lists.lengths),
        missing=np.zeros(n_rows, dtype=bool),  # a row without a score is an empty list
        extra_queries=0,
        repeats=np.zeros(n_rows, dtype=np.int64),
        nan_scores=0,
    )


def _packed(columns: Array) -> PackedIds:
    return PackedIds.of(map(str, columns.tolist()))
