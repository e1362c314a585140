"""Which bin is a score in, and what do the rows of each bin add up to?

A bin is named by the sign, the exponent and the leading bits of the mantissa of its scores. Rows of one block are
summed in a table that has a place for every bin of the exponents in use.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankgauge.statistics.exact_sums import CHUNK, ExactSums, add_digits

__all__ = ["Binned", "ScoreTable", "bin_ids", "binned"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Binned(NamedTuple):
    """The bins of one block of rows."""

    ids: Ints
    least: Floats
    greatest: Floats
    whole: bool
    """Whether all weights are whole numbers."""
    sums: ExactSums


def binned(
    score: NDArray[Any],
    positive: NDArray[np.bool_],
    weight: Floats | None,
    mantissa_bits: int,
    values: Sequence[Floats] = (),
) -> Binned:
    """The bins of one block of rows, by way of a table that the chunks of the block fill."""
    table = ScoreTable.for_scores(score, mantissa_bits)
    if table is None:  # scores so far apart that a table would be mostly empty
        return _by_sorting(score, positive, weight, mantissa_bits, values)
    sums = _Sums(table.size, 2 + len(values))
    rows = np.zeros(table.size, dtype=np.int64)
    least, greatest = np.full(table.size, np.inf), np.full(table.size, -np.inf)
    whole = True
    for start in range(0, len(score), CHUNK):
        now = slice(start, start + CHUNK)
        s, y, beside = _plain(score[now]), positive[now], [v[now] for v in values]
        w = None if weight is None else weight[now]
        if w is not None and not w.all():
            kept = w > 0
            s, y, w, beside = s[kept], y[kept], w[kept], [v[kept] for v in beside]
        places = table.places(s)
        np.add.at(rows, places, 1)
        np.minimum.at(least, places, s)
        np.maximum.at(greatest, places, s)
        sums.add(places, y, w, beside)
        whole = whole and (w is None or bool((w == np.floor(w)).all()))
    used = np.flatnonzero(rows)
    if weight is None:
        sums.negatives_from(rows)
    return Binned(table.ids(used), least[used], greatest[used], whole, sums.exact(used))


def _by_sorting(
    score: NDArray[Any],
    positive: NDArray[np.bool_],
    weight: Floats | None,
    mantissa_bits: int,
    values: Sequence[Floats],
) -> Binned:
    if weight is not None:
        kept = weight > 0
        score, positive, weight = score[kept], positive[kept], weight[kept]
        values = [v[kept] for v in values]
    s = _plain(score)
    ids, places, rows = np.unique(bin_ids(s, mantissa_bits), return_inverse=True, return_counts=True)
    least, greatest = np.full(len(rows), np.inf), np.full(len(rows), -np.inf)
    np.minimum.at(least, places, s)
    np.maximum.at(greatest, places, s)
    sums = _Sums(len(rows), 2 + len(values))
    for start in range(0, len(s), CHUNK):
        now = slice(start, start + CHUNK)
        sums.add(places[now], positive[now], None if weight is None else weight[now], [v[now] for v in values])
    if weight is None:
        sums.negatives_from(rows)
    whole = weight is None or bool((weight == np.floor(weight)).all())
    return Binned(ids, least, greatest, whole, sums.exact(np.arange(len(rows))))


class _Sums:
    """Digits of the sums of each place: negatives, positives, then further columns."""

    def __init__(self, size: int, columns: int) -> None:
        self.shape = columns, size
        self.digits: dict[int, Ints] = {}

    def add(self, places: Ints, positive: NDArray[np.bool_], weight: Floats | None, values: Sequence[Floats]) -> None:
        """Without weights only positives are counted; negatives follow from the rows."""
        ones = places[positive]
        if weight is None:
            np.add.at(self.digits.setdefault(0, np.zeros(self.shape, dtype=np.int64))[1], ones, 1)
        else:
            add_digits(self.digits, self.shape, 0, places[~positive], weight[~positive])
            add_digits(self.digits, self.shape, 1, ones, weight[positive])
        for column, beside in enumerate(values, start=2):
            add_digits(self.digits, self.shape, column, places, beside)

    def negatives_from(self, rows: Ints) -> None:
        if 0 in self.digits:
            self.digits[0][0] = rows - self.digits[0][1]

    def exact(self, used: Ints) -> ExactSums:
        parts = {level: part[:, used] for level, part in self.digits.items()}
        return ExactSums.of(parts, (self.shape[0], len(used)))


def _plain(score: NDArray[Any]) -> Floats:
    """As float64 without -0.0, which equals 0.0 but has other bits."""
    out: Floats = np.add(score, 0.0, dtype=np.float64)
    return out


def bin_ids(score: Floats, mantissa_bits: int) -> Ints:
    """Sign, exponent and leading mantissa bits as an integer that rises with the score."""
    bits = score.view(np.int64)
    if len(score) and score.min() < 0:  # magnitudes of negative numbers run the other way
        bits = bits ^ ((bits >> 63) & np.iinfo(np.int64).max)
    return bits >> (52 - mantissa_bits)


class ScoreTable(NamedTuple):
    """Small places for the bins of some scores, one page of the table for each exponent in use.

    Probabilities fill neighbouring pages. Scores of both signs or exact zeros leave most of the exponents
    between them unused, and these get no page.
    """

    mantissa_bits: int
    first: int
    pages: Ints

    @classmethod
    def for_scores(cls, score: NDArray[Any], mantissa_bits: int) -> ScoreTable | None:
        ends = bin_ids(np.array([score.min(), score.max()], dtype=np.float64) + 0.0, 0)
        first, last = int(ends[0]), int(ends[1])
        room = min(max(4 * len(score), 1 << 16), 1 << 21)
        if last - first + 1 << mantissa_bits <= room:
            return cls(mantissa_bits, first, np.arange(first, last + 1))
        rows = np.zeros(last - first + 1, dtype=np.int64)
        for start in range(0, len(score), CHUNK):
            rows += np.bincount(bin_ids(_plain(score[start : start + CHUNK]), 0) - first, minlength=len(rows))
        pages = np.flatnonzero(rows) + first
        return cls(mantissa_bits, first, pages) if len(pages) << mantissa_bits <= room else None

    @classmethod
    def for_ids(cls, ids: Ints, mantissa_bits: int) -> ScoreTable:
        """A table with a place for each of these bins."""
        pages = np.unique(ids >> mantissa_bits)
        return cls(mantissa_bits, int(pages[0]), pages)

    @property
    def size(self) -> int:
        return len(self.pages) << self.mantissa_bits

    def places(self, score: NDArray[Any]) -> Ints:
        return self.places_of(bin_ids(_plain(score), self.mantissa_bits))

    def places_of(self, ids: Ints) -> Ints:
        last = int(self.pages[-1])
        if last - self.first + 1 == len(self.pages):
            return ids - (self.first << self.mantissa_bits)
        gap = np.zeros(last - self.first + 1, dtype=np.int64)
        gap[self.pages - self.first] = (self.pages - np.arange(len(self.pages))) << self.mantissa_bits
        out: Ints = ids - gap[(ids >> self.mantissa_bits) - self.first]
        return out

    def ids(self, places: Ints) -> Ints:
        page, within = places >> self.mantissa_bits, places & ((1 << self.mantissa_bits) - 1)
        out: Ints = (self.pages[page] << self.mantissa_bits) + within
        return out
