"""Probabilities in bins, and what each bin holds: how many rows, what was predicted, what happened."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankgauge.alignment.sample import Sample
from rankgauge.alignment.segments import Array

__all__ = ["Bins", "binned"]


class Bins(NamedTuple):
    """The bins that hold rows, the lowest probabilities first."""

    weight: Array
    predicted: Array
    """Mean probability."""
    observed: Array
    """Share of positives."""
    variance: Array
    """Of the observed share, if every row were positive with its probability."""
    low: Array
    high: Array
    """Least and greatest probability."""

    @property
    def gap(self) -> Array:
        made: Array = self.observed - self.predicted
        return made


def binned(s: Sample, n: int, kind: str = "mass") -> Bins:
    """Bins of equal mass, or of equal width. Rows with the same score are never parted.

    Of equal mass: a block of equal scores belongs to the bin in which it begins.
    """
    score, weight, positive = s.blocks
    p = s.to_probability(score)
    if kind == "mass":
        before = np.concatenate(([0.0], np.cumsum(weight)[:-1]))
        # sums of weights are rounded: a billionth of a bin keeps a block on its side of the edge
        place = np.minimum((before * n / weight.sum() + 1e-9).astype(np.int64), n - 1)
    else:
        place = np.minimum((p * n).astype(np.int64), n - 1)
    first = np.flatnonzero(np.append(True, place[1:] != place[:-1]))
    last = np.append(first[1:], len(place)) - 1
    total = np.add.reduceat(weight, first)
    spread = weight * p * (1 - p) if s.weight is None else _squared_weights(s) * p * (1 - p)
    return Bins(
        total,
        np.add.reduceat(weight * p, first) / total,
        np.add.reduceat(positive, first) / total,
        np.add.reduceat(spread, first) / total**2,
        p[first],
        p[last],
    )


def _squared_weights(s: Sample) -> Array:
    """Σ w² of each block."""
    assert s.weight is not None
    return np.bincount(s.block_of_row, weights=s.weight**2, minlength=len(s.blocks.score))
