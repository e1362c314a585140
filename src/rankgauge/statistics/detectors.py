"""Has it got worse since some unknown time? Asked at every look, for years, with a promise about false alarms.

Each look has a deviation z, in standard errors: the number minus the least that is fine, above 0 where all is well.

    M_λ ← exp(-λz - λ²/2) · (M_λ + 1),   M = mean of M_λ over the bets λ = ½, 1, 1½, 2, 3;   alarm where M ≥ N

As long as the truth is fine, false alarms are N looks apart on average or more, however the looks depend on each
other (Shiryaev–Roberts e-detector; Shin, Ramdas & Rinaldo, NEJSDS 2023). A test at 5% each week rings falsely in 93% of
years; this one in 3% at N = 520, and it finds a drop of two standard errors in three weeks.

    M_λ ← exp(-λz - λ²/2) · max(M_λ, 1)          its last restart says since when (e-CUSUM)
    ring the largest k with M_(k) ≥ m N / k       m detectors together (e-BH; Wang & Ramdas, JRSS-B 2022)
    α_j = 6 α / (π² j²)                           what the j-th test of a series may spend, α in all

Everything is held in logarithms: a month of a bad drop is beyond what floats hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isnan, log, pi, sqrt

import numpy as np

from rankgauge._checks import number
from rankgauge._typing import Array
from rankgauge.statistics.clusters import two_sided
from rankgauge.statistics.intervals import check_alpha, normal_quantile

__all__ = ["BETS", "Detector", "deviation", "log_statistics", "overdispersion", "ringing", "spent"]

BETS = (0.5, 1.0, 1.5, 2.0, 3.0)
_BETS = np.array(BETS)
_LARGEST = 38.0
"""Standard errors beyond which a normal tail is no float any more."""


def deviation(value: float, line: float, error: float, n: float | None = None) -> float:
    """How far a number lies above a line, in standard errors; with `n` as likely as Student's t with n - 1 degrees.

    The detector asks for normal deviations. Where the standard error comes from few values its quotient is not, and
    three of them mean less: it becomes the normal deviation of the same probability.

    >>> round(deviation(0.40, 0.42, 0.01), 3), round(deviation(0.40, 0.42, 0.01, n=5), 3)
    (-2.0, -1.571)
    """
    if isnan(value) or isnan(line) or isnan(error) or not error > 0:
        return float("nan")
    t = (value - line) / error
    if n is None or n > 1000:
        return t
    p = two_sided(t, 1.0, n)
    if isnan(p):
        return float("nan")
    z = _LARGEST if p <= 0.0 else -normal_quantile(p / 2) if p < 1 else 0.0
    return min(z, _LARGEST) if t > 0 else -min(z, _LARGEST)


@dataclass
class Detector:
    """Watches one number, look by look. `both_ways` where it can be off to either side.

    >>> watched = Detector()
    >>> [round(watched.look(z), 2) for z in (0.3, -2.0, -2.5, -3.0)], watched.since
    ([-1.21, 1.83, 4.57, 8.49], 1)
    """

    both_ways: bool = False
    looks: int = 0
    """How many have been counted."""
    _logs: Array = field(init=False, repr=False)
    _runs: Array = field(init=False, repr=False)
    _starts: Array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Forgets all looks."""
        sides = 2 if self.both_ways else 1
        self.looks = 0
        self._logs = np.full((sides, len(BETS)), -np.inf)
        self._runs = np.full((sides, len(BETS)), -np.inf)
        self._starts = np.zeros((sides, len(BETS)), dtype=np.int64)

    def look(self, z: float, other: float | None = None) -> float:
        """The logarithm of the statistic after this look; one without a deviation (NaN) changes nothing.

        `other` is the deviation from the line on the other side, of one that looks both ways: above 0 where it is fine.
        """
        zs = np.array([[z], [other]] if self.both_ways else [[z]], dtype=np.float64)
        if np.isnan(zs).any():
            return self.log_statistic
        factor = -_BETS * zs - _BETS**2 / 2
        self._logs = factor + np.logaddexp(self._logs, 0.0)
        begins = self._runs <= 0.0
        self._starts = np.where(begins, self.looks, self._starts)
        self._runs = factor + np.maximum(self._runs, 0.0)
        self.looks += 1
        return self.log_statistic

    @property
    def log_statistic(self) -> float:
        """ln M; minus infinity before the first look."""
        return _log_mean(self._logs)

    @property
    def since(self) -> int:
        """The look (0 is the first) at which the drop most probably began: where the strongest bet last restarted."""
        return int(self._starts.reshape(-1)[int(np.argmax(self._runs))])

    def capped(self, log_limit: float) -> None:
        """Keeps no more evidence than this, so that a drop that is over is not believed for as long as it lasted."""
        self._logs = np.minimum(self._logs, log_limit)


def log_statistics(deviations: Array) -> Array:
    """ln M after each look, of many detectors at once: looks first, then any shape; NaN is no look."""
    z = np.asarray(deviations, dtype=np.float64)[..., None]
    logs = np.full((*z.shape[1:-1], len(BETS)), -np.inf)
    out = np.empty(z.shape[:-1])
    for t in range(len(z)):
        moved = -_BETS * z[t] - _BETS**2 / 2 + np.logaddexp(logs, 0.0)
        logs = np.where(np.isnan(z[t]), logs, moved)
        out[t] = _log_mean_of_last(logs)
    return out


def ringing(log_statistics: Sequence[float], looks: float) -> list[int]:
    """Which of several detectors ring together: the largest k whose k-th statistic is m·looks/k or more.

    No more than one false alarm of any of them in so many looks, whatever they have in common. One detector alone
    rings at `looks`. NaN never rings and counts as one that is watched.

    >>> ringing([log(2000), log(600), log(3)], looks=520), ringing([log(2000), log(800), log(3)], looks=520)
    ([0], [0, 1])
    """
    number("looks", looks, at_least=1)
    m = len(log_statistics)
    known = [i for i in range(m) if not isnan(log_statistics[i])]
    order = sorted(known, key=lambda i: (-log_statistics[i], i))
    last = max((k for k, i in enumerate(order, 1) if log_statistics[i] >= log(m * looks / k) - 1e-12), default=0)
    return sorted(order[:last])


def spent(alpha: float, j: int) -> float:
    """What the j-th test of a series may spend, so that all of them, however many, spend alpha.

    >>> round(spent(0.05, 1), 4), round(sum(spent(0.05, j) for j in range(1, 10_000)), 4)
    (0.0304, 0.05)
    """
    check_alpha(alpha)
    number("j", j, at_least=1)
    return 6 * alpha / (pi**2 * j**2)


def overdispersion(values: Sequence[float], errors: Sequence[float]) -> float:
    """How many times as far periods lie apart as their standard errors say: √(Σ ((x - mean)/s)² / (n - 1)), 1 or more.

    The mean is the plain one. Birge (1932). NaN for fewer than two.
    """
    x, s = np.asarray(values, dtype=np.float64), np.asarray(errors, dtype=np.float64)
    if len(x) < 2 or not (s > 0).all():
        return float("nan")
    return max(1.0, sqrt(float(np.sum(((x - x.mean()) / s) ** 2)) / (len(x) - 1)))


def _log_mean(logs: Array) -> float:
    return float(_log_mean_of_last(logs.reshape(-1)))


def _log_mean_of_last(logs: Array) -> Array:
    top = logs.max(axis=-1, keepdims=True)
    safe = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        found: Array = np.log(np.exp(logs - safe).mean(axis=-1)) + safe[..., 0]
    return found
