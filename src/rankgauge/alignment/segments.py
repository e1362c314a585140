"""Reductions over consecutive runs of rows: one run of rows per query.

Every reduction looks at the rows of one query only, in row order, so a query's value is the same
to the last bit whatever other queries are evaluated beside it: on one machine, in parts, on a cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from rankgauge._kept import kept
from rankgauge._typing import Array

__all__ = ["Array", "Segments"]


class Segments:
    """Rows `offsets[i]:offsets[i+1]` belong to query i; a query may have no rows."""

    def __init__(self, offsets: Array) -> None:
        self.offsets = np.asarray(offsets, dtype=np.int64)

    @classmethod
    def of_lengths(cls, lengths: Array) -> Segments:
        return cls(np.concatenate(([0], np.cumsum(lengths, dtype=np.int64))))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @kept
    def lengths(self) -> Array:
        return np.diff(self.offsets)

    @kept
    def owner(self) -> Array:
        """For each row the number of its query."""
        return np.repeat(np.arange(len(self)), self.lengths)

    @kept
    def place(self) -> Array:
        """For each row its 0-based place among the rows of its query."""
        return np.arange(self.offsets[-1]) - np.repeat(self.offsets[:-1], self.lengths)

    @kept
    def _matrices(self) -> list[Array]:
        """Row numbers as matrices, one for each distinct length: ragged data in rectangles."""
        lengths, starts = self.lengths, self.offsets[:-1]
        order = np.argsort(lengths, kind="stable")
        ascending = lengths[order]
        bounds = np.concatenate(([0], np.flatnonzero(np.diff(ascending)) + 1, [len(order)]))
        return [
            starts[order[a:b], None] + np.arange(ascending[a])
            for a, b in pairwise(bounds.tolist())
            if a < b and ascending[a]
        ]

    def matrices(self) -> Iterator[Array]:
        return iter(self._matrices)

    # one value per query

    def sum(self, values: Array) -> Array:
        return np.bincount(self.owner, weights=values, minlength=len(self))

    def count(self, mask: Array) -> Array:
        return np.bincount(self.owner[mask], minlength=len(self))

    def any(self, mask: Array) -> Array:
        return self.count(mask) > 0

    def max(self, values: Array, empty: float = 0.0) -> Array:
        """Largest value of each query; `empty` where a query has no rows."""
        out = np.full(len(self), empty, dtype=np.asarray(values).dtype)
        filled = self.lengths > 0
        if filled.any():
            out[filled] = np.maximum.reduceat(values, self.offsets[:-1][filled])
        return out

    # one value per row

    def spread(self, per_query: Array) -> Array:
        """A value per query handed to each of its rows."""
        return np.repeat(per_query, self.lengths)

    def scan(self, values: Array, operation: np.ufunc = np.add) -> Array:
        """Running total (or product, maximum …) inside each query, own row included."""
        return self._each(values, lambda block: operation.accumulate(block, axis=1))

    def sorted(self, values: Array) -> Array:
        """Values of each query in ascending order."""
        return self._each(values, lambda block: np.sort(block, axis=1))

    def sorted_down(self, values: Array) -> Array:
        """Values of each query in descending order."""
        return -self.sorted(-values)

    def order(self, values: Array) -> Array:
        """Row numbers, those of each query in ascending order of the values; equal values as they came."""
        out = np.empty(len(values), dtype=np.int64)
        for rows in self.matrices():
            out[rows] = np.take_along_axis(rows, np.argsort(values[rows], axis=1, kind="stable"), axis=1)
        return out

    def _each(self, values: Array, function: Callable[[Array], Array]) -> Array:
        values = np.asarray(values)
        if len(self._matrices) == 1 and self._matrices[0].size == len(values):  # all of one length
            return function(values.reshape(self._matrices[0].shape)).reshape(-1)
        out = np.empty_like(values)
        for rows in self.matrices():
            out[rows] = function(values[rows])
        return out

    # parts

    def first(self, k: int | Array) -> tuple[Array, Segments]:
        """Which rows are among the first k of their query, as a mask, and the queries with these rows alone.

        k is one number, or one for each query.
        """
        inside = self.place < (self.spread(k) if isinstance(k, np.ndarray) else k)
        return inside, Segments.of_lengths(np.minimum(self.lengths, k))

    def part(self, queries: slice) -> Segments:
        """Queries side by side, whose rows are counted from their first one."""
        offsets = self.offsets[queries.start : queries.stop + 1]
        return Segments(offsets - offsets[0])

    def rows(self, queries: slice) -> slice:
        """The rows of queries side by side."""
        return slice(int(self.offsets[queries.start]), int(self.offsets[queries.stop]))

    def owners(self, rows: slice) -> Array:
        """The same as `owner` of some rows side by side."""
        first = int(np.searchsorted(self.offsets, rows.start, side="right")) - 1
        last = int(np.searchsorted(self.offsets, rows.stop))
        inside = np.clip(self.offsets[first : last + 1], rows.start, rows.stop)
        return np.repeat(np.arange(first, last), np.diff(inside))

    def rows_of(self, queries: Array) -> Array:
        """Row numbers of the chosen queries, query after query."""
        lengths = self.lengths[queries]
        part = Segments.of_lengths(lengths)
        return part.place + np.repeat(self.offsets[queries], lengths)
