"""What the three ways to an alignment share: the record they return and its last step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rankgauge.alignment.alignment import Alignment, Groups, Repeats
from rankgauge.alignment.segments import Array, Segments

__all__ = ["Aligned", "alignment_of", "comparable", "first_places", "single_precision"]


@dataclass(frozen=True)
class Aligned:
    """An alignment and what was noticed while it was made."""

    alignment: Alignment
    missing: Array
    """Queries without a result list, as a mask."""
    extra_queries: int
    """Result lists of queries nobody judged."""
    repeats: Array
    """Results of each query that show an item again; left out or kept in their places, as the policy says."""
    nan_scores: int
    """Scores that are not a number; they rank behind all others."""

    def part(self, queries: slice) -> Aligned:
        """Some of the queries, without headings and repeated places; the first of them have what was counted of all."""
        is_first = queries.start == 0
        return Aligned(
            self.alignment.part(queries),
            missing=self.missing[queries],
            extra_queries=self.extra_queries if is_first else 0,
            repeats=self.repeats[queries],
            nan_scores=self.nan_scores if is_first else 0,
        )

    @property
    def is_of_spans(self) -> bool:
        """Whether gold is spans: then no result is unjudged, and the best list is not one in order of grades."""
        return self.alignment.gains is not None

    @property
    def duplicates(self) -> int:
        """Repeated results of all queries."""
        return int(self.repeats.sum())


def alignment_of(
    query_ids: Sequence[str],
    lengths: Array,
    grade: Array,
    rows: Array,
    ranks: tuple[Array, Array, Array],
    retrieved: Array,
    groups: Groups | None = None,
    repeats: Repeats | None = None,
) -> Alignment:
    """The alignment of all judged items, of which `rows` are shown at `ranks`, some of them again at others."""
    rank = np.zeros(len(grade), dtype=np.int64)
    rank[rows] = ranks[0]
    first = last = rank
    if has_ties := repeats is not None or not np.array_equal(ranks[1], ranks[2]):
        first, last = np.zeros_like(rank), np.zeros_like(rank)
        first[rows], last[rows] = ranks[1:]
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
        repeats=repeats,
        max_grade=float(grade.max(initial=0.0)),
    )
    return unordered.with_ranks(rank, ties=has_ties)


def first_places(
    rows: Array, ranks: tuple[Array, Array, Array], owner: Array
) -> tuple[Array, tuple[Array, Array, Array], Repeats | None]:
    """Rows that may come several times, each at the first of its ranks; and the places at which it comes again."""
    order = np.lexsort((ranks[0], rows))
    again = np.zeros(len(rows), dtype=bool)
    again[1:] = rows[order][1:] == rows[order][:-1]
    first, more = order[~again], order[again]
    rank, tie_first, tie_last = (x[first] for x in ranks)
    return (
        rows[first],
        (rank, tie_first, tie_last),
        Repeats.ordered(owner[rows[more]], rows[more], *(x[more] for x in ranks)),
    )


def comparable(scores: Array, single: bool) -> tuple[Array, int]:
    """Scores ready for comparison: NaN behind everything else, single precision when asked."""
    nan = np.isnan(scores)
    n_nan = int(np.count_nonzero(nan))
    if n_nan:
        scores = np.where(nan, -np.inf, scores)
    return (single_precision(scores) if single else scores), n_nan


def single_precision(scores: Array) -> Array:
    """Scores as C keeps them in a float: what is too large for one is infinite there."""
    with np.errstate(over="ignore"):
        return scores.astype(np.float32)
