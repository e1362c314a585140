"""How far from its mean is a sum of yes/no rows, each with its own probability: E |Σ (y - p)|?

    few expected on the rarer side   exact, from the characteristic function at whole multiples of 2π / 128
    one probability                  exact, by de Moivre's formula
    otherwise (variance above 25)    the normal distribution, corrected for skewness, kurtosis and for whole numbers;
                                     an error below 1 in 1,000

Counts of rows may be fractions: weights leave 3.4 of five rows.
"""

from __future__ import annotations

from math import exp, floor, lgamma, log, log1p, pi, sqrt

import numpy as np

from rankgauge._typing import Array

__all__ = ["mean_deviation"]

_EXACT = 25.0  # up to this variance every value within twelve standard deviations has its place among _PLACES
_PLACES = 128
_MOST = 256  # probabilities; more are put together with their neighbours
_ANGLE = 2 * pi * np.arange(_PLACES) / _PLACES


def mean_deviation(p: Array, count: Array) -> float:
    """E |X - E X| of the sum of `count` rows of each probability `p`, which ascend.

    >>> mean_deviation(np.array([0.5]), np.array([2.0]))
    0.5
    """
    variance = float(count @ (p * (1 - p)))
    if variance <= 0:
        return 0.0
    if len(p) == 1 and abs(count[0] - round(count[0])) <= 1e-9 * count[0]:
        return _binomial(float(p[0]), round(count[0]))
    return _by_places(*_fewer(p, count)) if variance <= _EXACT else _nearly_normal(p, count, variance)


def _binomial(p: float, n: int) -> float:
    """De Moivre: 2 k C(n, k) p^k (1-p)^(n-k+1), where k is the first whole number above the mean."""
    p = min(p, 1 - p)
    k = min(floor(n * p) + 1, n)
    choose = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
    return 2 * k * exp(choose + k * log(p) + (n - k + 1) * log1p(-p))


def _fewer(p: Array, count: Array) -> tuple[Array, Array]:
    if len(p) <= _MOST:
        return p, count
    start = np.arange(_MOST) * len(p) // _MOST
    merged = np.add.reduceat(count, start)
    return np.add.reduceat(count * p, start) / merged, merged


def _by_places(p: Array, count: Array) -> float:
    # a likely row counts the other way round: what is summed are surprises, and no phase turns more than halfway
    sign, rare = np.where(p > 0.5, -1.0, 1.0), np.minimum(p, 1 - p)
    mean = float(count @ (sign * rare))
    down = 4 * np.outer(rare * (1 - rare), np.sin(_ANGLE / 2) ** 2)
    with np.errstate(divide="ignore"):  # p = 1/2 at half a turn: 0
        size = np.exp(count @ (np.log1p(-np.minimum(down, 1.0)) / 2))
    half = np.where(_ANGLE > pi, _ANGLE - 2 * pi, _ANGLE)
    turn = np.arctan2(np.outer(rare, np.sin(half)), 1 - np.outer(rare, 1 - np.cos(half)))
    at = floor(mean) + np.arange(-_PLACES // 2, _PLACES // 2)
    spread = np.exp(1j * ((count * sign) @ turn)) * size
    chance = np.fft.fft(spread).real[at % _PLACES] / _PLACES
    return float(np.abs(at - mean) @ chance)


def _nearly_normal(p: Array, count: Array, variance: float) -> float:
    q = p * (1 - p)
    third, fourth = float(count @ (q * (1 - 2 * p))), float(count @ (q * (1 - 6 * q)))
    over = float(count @ p)
    over -= floor(over)
    shape = third**2 / variance**3 / 24 - fourth / variance**2 / 24
    whole = (over * over - over + 1 / 6) / (2 * variance)
    return sqrt(2 * variance / pi) * (1 + shape - whole)
