"""What the three ways to an alignment share: the record they return and its last step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rankgauge.alignment.alignment import Alignment, Groups
from rankgauge.alignment.segments import Array, Segments

__all__ = ["Aligned", "alignment_of", "comparable"]


@dataclass(frozen=True)
class Aligned:
    """An alignment and what was noticed while it was made."""

    alignment: Alignment
    missing: Array
    """Queries without a result list, as a mask."""
    extra_queries: int
    """Result lists of queries nobody judged."""
    duplicates: int
    """Repeated results that were dropped."""
    nan_scores: int
    """Scores that are not a number; they rank behind all others."""


def alignment_of(
    query_ids: Sequence[str],
    lengths: Array,
    grade: Array,
    rows: Array,
    ranks: tuple[Array, Array, Array],
    retrieved: Array,
    groups: Groups | None = None,
) -> Alignment:
    """The alignment of all judged items, of which `rows` are shown at `ranks`."""
    rank, first, last = (np.zeros(len(grade), dtype=np.int64) for _ in range(3))
    rank[rows], first[rows], last[rows] = ranks
    segments = Segments.of_lengths(lengths)
    unordered = Alignment(
        query_ids=query_ids,
        offsets=segments.offsets,
        grade=grade,
        rank=rank,
        tie_first=first,
        tie_last=last,
        retrieved=retrieved,
        item=segments.place,
        groups=groups,
        max_grade=float(grade.max(initial=0.0)),
    )
    return unordered.with_ranks(rank, ties=True)


def comparable(scores: Array, single: bool) -> tuple[Array, int]:
    """Scores ready for comparison: NaN behind everything else, single precision when asked."""
    nan = np.isnan(scores)
    n_nan = int(np.count_nonzero(nan))
    if n_nan:
        scores = np.where(nan, -np.inf, scores)
    return (scores.astype(np.float32) if single else scores), n_nan
