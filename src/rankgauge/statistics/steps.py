"""Where did a series step up or down? For drawing: steps are looked for afterwards, and never ring.

    minimise  Σ over parts Σ ((x - mean of its part)/s)²  +  β · steps,   β = 3 ln n

by the dynamic programme over all places (optimal partitioning; Jackson et al., IEEE SPL 2005). With standard errors s
of the points their means are weighted by them; without, one s is taken from the differences of neighbours, which a few
steps hardly move. A weekly test on such steps rings falsely in a third of years: alerts are asked of
`detectors.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from rankgauge._typing import Array

__all__ = ["Step", "steps"]

_FEWEST = 2
"""Points of a part: one that sticks out is no level."""
_PENALTY = 3.0
_NORMAL = 1.482602218505602  # a median of sizes as a standard deviation
_SURE = 0.95
_EXACT = 1e-3


@dataclass(frozen=True)
class Step:
    """A step between two points, and where it may be as well."""

    place: int
    """The first point on the other side, counted from 0."""
    first: int
    last: int
    """The places that hold it with 95%, if there is one step here."""
    before: float
    after: float
    """Levels on both sides."""


def steps(values: Sequence[float], errors: Sequence[float] | None = None, *, penalty: float = _PENALTY) -> list[Step]:
    """The steps of a series, the first one first; points without a value are left out of account.

    >>> [(s.place, s.before, s.after) for s in steps([5, 5.1, 4.9, 5, 7, 7.1, 6.9, 7])]
    [(4, 5.0, 7.0)]
    """
    given = np.asarray(values, dtype=np.float64)
    known = np.flatnonzero(np.isfinite(given))
    x = given[known]
    n = len(x)
    if n < 2 * _FEWEST:
        return []
    w = _weights(x, None if errors is None else np.asarray(errors, dtype=np.float64)[known])
    if w is None:
        return []
    cost = _Costs(x, w)
    cuts = _best(cost, n, penalty * log(n))
    out = []
    for i, cut in enumerate(cuts):
        start, end = (cuts[i - 1] if i else 0), (cuts[i + 1] if i + 1 < len(cuts) else n)
        first, last = _around(cost, start, cut, end)
        place, a, b = (int(known[k]) for k in (cut, first, last))
        out.append(Step(place, a, b, cost.mean(start, cut), cost.mean(cut, end)))
    return out


class _Costs:
    """Σ w (x - mean)² of any part, from running sums."""

    def __init__(self, x: Array, w: Array) -> None:
        self.shift = float(np.average(x, weights=w))
        moved = x - self.shift
        self.w = np.concatenate([[0.0], np.cumsum(w)])
        self.wx = np.concatenate([[0.0], np.cumsum(w * moved)])
        self.wxx = np.concatenate([[0.0], np.cumsum(w * moved * moved)])

    def of(self, start: Array | int, end: Array | int) -> Array:
        w, wx = self.w[end] - self.w[start], self.wx[end] - self.wx[start]
        found: Array = np.maximum(self.wxx[end] - self.wxx[start] - wx * wx / w, 0.0)
        return found

    def mean(self, start: int, end: int) -> float:
        return self.shift + float((self.wx[end] - self.wx[start]) / (self.w[end] - self.w[start]))


def _weights(x: Array, errors: Array | None) -> Array | None:
    """1/s² of each point; None where nothing varies."""
    if errors is not None and (errors > 0).all():
        found: Array = 1 / errors**2
        return found
    sizes = np.abs(np.diff(x))
    s = _NORMAL * float(np.median(sizes)) / sqrt(2)
    s = s or _EXACT * float(np.ptp(x))  # most neighbours are equal: nothing varies but what steps
    return None if s == 0 else np.full(len(x), 1 / (s * s))


def _best(cost: _Costs, n: int, penalty: float) -> list[int]:
    """The cuts of the cheapest partition; of equally cheap ones the one with the earliest cuts."""
    total = np.full(n + 1, np.inf)
    total[0] = -penalty
    before = np.zeros(n + 1, dtype=np.int64)
    for end in range(_FEWEST, n + 1):
        starts = np.arange(0, end - _FEWEST + 1)
        found = total[starts] + cost.of(starts, end) + penalty
        before[end] = starts[int(np.argmin(found))]
        total[end] = found.min()
    cuts = []
    at = n
    while at := int(before[at]):
        cuts.append(at)
    return cuts[::-1]


def _around(cost: _Costs, start: int, cut: int, end: int) -> tuple[int, int]:
    """The nearest places around a cut whose likelihoods, between its neighbours, add up to 95%."""
    places = np.arange(start + 1, end)
    fit = cost.of(start, places) + cost.of(places, end)
    shares = np.exp(-(fit - fit.min()) / 2)
    shares /= shares.sum()
    order = np.argsort(-shares, kind="stable")
    held = order[: int(np.searchsorted(np.cumsum(shares[order]), _SURE)) + 1]
    chosen = places[held]
    return int(min(chosen.min(), cut)), int(max(chosen.max(), cut))
