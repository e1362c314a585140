"""Calibration between certain bounds, from rows that are known only by bins of scores.

What was predicted and what happened is known exactly up to the edge of every bin. Only where a boundary falls inside a
bin of several scores is it open which of its rows lie on which side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankgauge.alignment.bins import Bins
from rankgauge.alignment.bracket import Bracket
from rankgauge.alignment.score_bins import ScoreBins
from rankgauge.alignment.segments import Array

__all__ = ["CalibrationBins", "EqualMass"]


class CalibrationBins(NamedTuple):
    """Along ascending scores: what each bin holds, and what all bins before it hold (one longer)."""

    weight: Array
    positive: Array
    predicted: Array
    variance: Array
    """Σ w² p (1-p)."""
    tied: Array
    weight_before: Array
    walk: Array
    """Positives minus predicted positives in all bins before."""
    whole: bool

    @classmethod
    def of(cls, bins: ScoreBins, predicted: int, soft: int, variance: int) -> CalibrationBins:
        """From bins, with the numbers of the columns that hold these sums."""
        sums, before = bins.sums.floats(), bins.sums.before().floats()
        all_of = np.concatenate((before, (before[:, -1] + sums[:, -1])[:, np.newaxis]), axis=1)

        def column(of: Array, i: int) -> Array:
            made: Array = of[2 + i]
            return made

        weight, positive = sums[0] + sums[1], sums[1] + column(sums, soft)
        p = column(sums, predicted)
        spread = column(sums, variance)
        if not spread.any():  # without weights; the scores of a bin are all but equal
            spread = p * (1 - p / weight)
        walk = all_of[1] + column(all_of, soft) - column(all_of, predicted)
        return cls(weight, positive, p, spread, bins.is_tied(), all_of[0] + all_of[1], walk, bins.whole)

    @property
    def total(self) -> float:
        return float(self.weight_before[-1])

    def ecce(self) -> Bracket:
        """The range of the walk: known at the edges, and inside a bin no further than its positives or predictions."""
        start, inside = self.walk[:-1], ~self.tied
        low, high = float(self.walk.min()), float(self.walk.max())
        deepest = min(low, float((start - self.predicted)[inside].min(initial=0.0)))
        highest = max(high, float((start + self.positive)[inside].max(initial=0.0)))
        return Bracket.around((high - low) / self.total, (highest - deepest) / self.total)


class EqualMass(NamedTuple):
    """Bins of equal mass: for each what it certainly holds, and what else it may hold."""

    weight: Array
    gap: Array
    """Positives minus predicted positives."""
    more_weight: Array
    more_positive: Array
    more_predicted: Array
    bins: Bins
    """As if each bin of scores lay where it begins."""

    @classmethod
    def of(cls, b: CalibrationBins, n: int) -> EqualMass:
        before, after = b.weight_before[:-1], b.weight_before[1:]

        def place(weight_below: Array) -> Array:  # as alignment.bins
            found: Array = np.minimum((weight_below * n / b.total + 1e-9).astype(np.int64), n - 1)
            return found

        first = place(before)
        last = np.where(b.tied, first, place(after - 1.0 if b.whole else after))
        certain = np.flatnonzero(first == last)
        weight, gap = np.zeros(n), np.zeros(n)
        if len(certain):
            where = first[certain]
            start = np.flatnonzero(np.append(True, where[1:] != where[:-1]))
            begin, end = certain[start], certain[np.append(start[1:], len(certain)) - 1] + 1
            weight[where[start]] = b.weight_before[end] - b.weight_before[begin]
            gap[where[start]] = b.walk[end] - b.walk[begin]
        more = np.zeros((3, n))
        for i in np.flatnonzero(first != last):
            more[:, first[i] : last[i] + 1] += np.array([b.weight[i], b.positive[i], b.predicted[i]])[:, np.newaxis]
        return cls(weight, gap, more[0], more[1], more[2], _bins(b, first, n))

    def _gaps(self) -> tuple[Array, Array]:
        """How far from 0 the gap of each bin is: at least, at most."""
        low, high = self.gap - self.more_predicted, self.gap + self.more_positive
        return np.maximum(np.maximum(low, -high), 0.0), np.maximum(-low, high)

    def ece(self) -> Bracket:
        """Σ |gap| / W."""
        low, high = self._gaps()
        total = float(self.bins.weight.sum())
        return Bracket.around(float(low.sum()) / total, float(high.sum()) / total)

    def mce(self, min_count: float) -> Bracket:
        """max |gap| / weight over bins of at least so much weight."""
        low, high = self._gaps()
        most = self.weight + self.more_weight
        sure, possible = (self.weight >= min_count) & (self.weight > 0), (most >= min_count) & (most > 0)
        at_least = np.divide(low, most, out=np.zeros_like(low), where=sure)
        at_most = np.divide(high, self.weight, out=np.ones_like(high), where=self.weight > 0)
        return Bracket.around(float(at_least[sure].max(initial=0.0)), float(at_most[possible].max(initial=0.0)))


def _bins(b: CalibrationBins, place: Array, n: int) -> Bins:
    def total(values: Array) -> Array:
        made: Array = np.bincount(place, weights=values, minlength=n)[used]
        return made

    used = np.flatnonzero(np.bincount(place, minlength=n))
    weight = total(b.weight)
    nothing = np.full(len(used), np.nan)  # the ends of the bins are for figures, which need rows
    return Bins(
        weight, total(b.predicted) / weight, total(b.positive) / weight, total(b.variance) / weight**2, nothing, nothing
    )
