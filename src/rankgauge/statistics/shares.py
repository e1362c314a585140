"""A share of so many, how far it can be trusted, and the difference of two shares of different units.

k of n, with limits that are never too narrow (Clopper and Pearson 1934): the low one is the share under which k or more
of n come about with probability α/2, the high one that under which k or fewer do. Wilson's (1927) are narrower, hold
the truth about as often as they say, and need no whole numbers: the shares π with |p - π| ≤ z · √(π(1-π)/n).

    difference of two:  d = p₁ - p₂,   d - √((p₁ - l₁)² + (u₂ - p₂)²) … d + √((u₁ - p₁)² + (p₂ - l₂)²)

from the limits l and u of each (Newcombe 1998, method 10; Zou and Donner 2008), which Newcombe takes from Wilson: with
three units a side those call a difference sure that is not. With the exact ones, equal shares are called different in
fewer than 1 of 20 cases however few there are; an interval of groups of up to three a side may hold the difference in
9 of 10 only.
"""

from __future__ import annotations

from math import fsum, isnan, nan, sqrt

from rankgauge._typing import Array
from rankgauge.statistics.clusters import incomplete_beta
from rankgauge.statistics.intervals import Interval, check_level, normal_quantile

__all__ = ["clopper_pearson", "difference_of_shares", "wilson", "wilson_of"]


def wilson(rate: float, n: float, quantile: float) -> Interval:
    """The shares that a rate seen in n units does not contradict; n need not be whole. NaN of nothing.

    `quantile` is how many standard errors away they may be: of the normal distribution, or of Student's t for groups.

    >>> low, high = wilson(0.2, 10, 1.959964)
    >>> round(low, 4), round(high, 4)
    (0.0567, 0.5098)
    """
    if not n or isnan(quantile):
        return Interval(nan, nan)
    zz = quantile**2
    middle = (rate + zz / (2 * n)) / (1 + zz / n)
    half = sqrt(zz * (max(rate * (1 - rate), 0.0) / n + zz / (4 * n * n))) / (1 + zz / n)
    # at a rate of 0 or 1 rounding would leave a hair between it and its interval
    low, high = (0.0 if rate == 0 else middle - half), (1.0 if rate == 1 else middle + half)
    return Interval(min(max(low, 0.0), rate), max(min(high, 1.0), rate))


def wilson_of(values: Array, confidence_level: float = 0.95) -> Interval:
    """The share of ones that these zeros and ones do not contradict.

    Ones that were not seen may yet come, which the spread of the values does not know: 0 of 100 is 0 … 0.037.

    >>> low, high = wilson_of([0.0] * 100)
    >>> low, round(high, 4)
    (0.0, 0.037)
    """
    check_level(confidence_level)
    n = len(values)
    return wilson(fsum(values) / n if n else nan, n, normal_quantile((1 + confidence_level) / 2))


def clopper_pearson(k: int, n: int, confidence_level: float = 0.95) -> Interval:
    """The exact limits of a share that was seen as k of n; NaN of nothing.

    >>> low, high = clopper_pearson(4, 4)
    >>> round(low, 4), high  # 0.025^(1/4)
    (0.3976, 1.0)
    """
    check_level(confidence_level)
    if not n:
        return Interval(nan, nan)
    tail = (1 - confidence_level) / 2
    low = _solved(k, n - k + 1, tail) if k else 0.0
    high = 1 - _solved(n - k, k + 1, tail) if k < n else 1.0
    return Interval(low, high)


def _solved(a: int, b: int, tail: float) -> float:
    """The x with I_x(a, b) = tail, by halving: the function grows with x."""
    low, high = 0.0, 1.0
    while low < (x := (low + high) / 2) < high:
        below = (
            incomplete_beta(x, a, b) < tail
            if x < (a + 1) / (a + b + 2)  # where the fraction converges quickly
            else incomplete_beta(1 - x, b, a) > 1 - tail
        )
        low, high = (x, high) if below else (low, x)
    return x


def difference_of_shares(k1: int, n1: int, k2: int, n2: int, confidence_level: float = 0.95) -> Interval:
    """The interval of k1/n1 - k2/n2, of two groups without a unit in common; NaN where one of them is empty.

    >>> low, high = difference_of_shares(3, 3, 0, 3)
    >>> low < 0, high
    (True, 1.0)
    """
    if not (n1 and n2):
        return Interval(nan, nan)
    a, b = clopper_pearson(k1, n1, confidence_level), clopper_pearson(k2, n2, confidence_level)
    p, q = k1 / n1, k2 / n2
    low, high = sqrt((p - a.low) ** 2 + (b.high - q) ** 2), sqrt((a.high - p) ** 2 + (q - b.low) ** 2)
    return Interval(p - q - low, p - q + high).clipped(-1, 1)
