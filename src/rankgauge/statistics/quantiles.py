"""Quantiles of a sample, how far they can be trusted, and what each value has in them.

The p-quantile of n values is the smallest that at least p·n of them do not exceed, x₍⌈np⌉₎: a value that was seen, with
nothing put between two of them. How many of n values lie below the quantile of all there could be is binomial, whatever
their distribution, so that two of the values enclose it:

    P(x₍l₎ ≤ ξ ≤ x₍u₎) ≥ P(l ≤ B < u),  B ~ Bin(n, p)          (David & Nagaraja 2003, 7.1)

Far out in a tail n values may not reach beyond it: then that end is not known, and infinite.
"""

from __future__ import annotations

from math import ceil, floor, isfinite, sqrt

import numpy as np

from rankgauge._typing import Array
from rankgauge.statistics.intervals import Interval, check_level

__all__ = ["quantile", "quantile_change_shares", "quantile_interval", "quantile_shares"]

_LEVEL = 0.95  # of the interval that the density is read off
_RESAMPLES, _AT_MOST = 2000, 40_000_000
"""Resamples of a change, fewer where there are many values; never fewer than 200."""


def quantile(values: Array, p: float) -> float:
    """The smallest value that at least the share p does not exceed; NaN of nothing.

    >>> quantile(np.array([4.0, 1.0, 3.0, 2.0]), 0.5), quantile(np.array([4.0, 1.0, 3.0, 2.0]), 0.51)
    (2.0, 3.0)
    """
    n = len(values)
    if not n or np.isnan(values).any():
        return float("nan")
    return float(np.partition(values, at := _place(n, p))[at])


def _place(n: int, p: float) -> int:
    """Where the quantile stands among n sorted values, from 0."""
    wanted = n * p
    return min(max(ceil(wanted - 1e-9 * max(1.0, wanted)), 1), n) - 1  # 0.95 · 20 is 19, but for rounding


def quantile_interval(values: Array, p: float, confidence_level: float = 0.95) -> Interval:
    """Two of the values (or no end) that hold the quantile with at least this confidence; NaN of nothing.

    >>> quantile_interval(np.arange(1.0, 101.0), 0.5)
    Interval(low=40.0, high=61.0)
    >>> quantile_interval(np.arange(1.0, 21.0), 0.95)
    Interval(low=17.0, high=inf)
    """
    check_level(confidence_level)
    n = len(values)
    if not n or np.isnan(values).any():
        return Interval(float("nan"), float("nan"))
    low, high = _ends(n, p, (1 - confidence_level) / 2)
    ordered = np.sort(values)
    return Interval(
        float(ordered[low - 1]) if low >= 1 else float("-inf"), float(ordered[high - 1]) if high <= n else float("inf")
    )


def _ends(n: int, p: float, tail: float) -> tuple[int, int]:
    """The places l and u, from 1, with P(B < l) ≤ tail and P(B ≥ u) ≤ tail; 0 and n + 1 where there are none."""
    from scipy.special import bdtr  # type: ignore[import-untyped]

    near = 12 * sqrt(n * p * (1 - p)) + 12  # what lies beyond has no probability that matters
    first, last = max(floor(n * p - near), 0), min(ceil(n * p + near), n)
    counts = np.arange(first, last + 1)
    below = bdtr(counts.astype(np.float64), n, p)  # P(B ≤ count)
    low = int(counts[np.searchsorted(below, tail, side="right")])  # the first count with P(B ≤ count) > tail
    enough = np.flatnonzero(below >= 1 - tail)
    high = int(counts[enough[0]]) + 1 if len(enough) else n + 1
    return low, high


def quantile_shares(values: Array, p: float) -> Array:
    """What each value has in the quantile q of all: their mean is q, their spread its error (Woodruff 1952).

    shareᵢ = q + (p - 1[xᵢ ≤ q]) / f, less its mean. The density f at q is read off the interval above, which is as wide
    as 2z·√(p(1-p)/n) / f. Differences of the shares of two systems make the error of a difference of quantiles, paired.
    All NaN where an end of that interval is not known.
    """
    from scipy.special import ndtri

    n = len(values)
    q = quantile(values, p)
    low, high = quantile_interval(values, p, _LEVEL)
    if n < 2 or not isfinite(high - low):
        return np.full(n, q if n == 1 else np.nan)
    width = (high - low) / (2 * float(ndtri((1 + _LEVEL) / 2)) * sqrt(p * (1 - p) / n))  # 1 / f
    moved = (p - (values <= q)) * width
    found: Array = q + (moved - moved.mean())
    return found


def quantile_change_shares(before: Array, after: Array, p: float) -> Array:
    """What each pair of values has in the change of their quantile: the mean is the change, the spread its error.

    These are the differences of the shares above, as long as values are dense around both quantiles. Where one stands
    at a jump (answers from a cache and others, time-outs) a single value can move it from one group to the other, which
    no density tells: the spread is at least that of the pairs drawn again, and wide enough that a change is not clear
    where it is not in those. All NaN where an end of an interval is not known.
    """
    from scipy.special import stdtrit

    moved = quantile_shares(after, p) - quantile_shares(before, p)
    n, change = len(moved), quantile(after, p) - quantile(before, p)
    if n < 2 or np.isnan(moved).any():
        return np.full(n, np.nan)
    drawn = _drawn_again(before, after, p)
    least = float(np.std(drawn))
    if change:
        other = np.count_nonzero(drawn * change <= 0)
        chance = min(2 * (1 + other) / (1 + len(drawn)), 0.99)
        least = max(least, abs(change) / -float(stdtrit(n - 1, chance / 2)))
    off = moved - moved.mean()
    error = float(np.std(off, ddof=1)) / sqrt(n)
    if error < least:
        if not error:  # no value is on the other side of either: any pattern has this spread
            off = np.where(np.arange(n) % 2, 1.0, -1.0)
            off -= off.mean()
            error = float(np.std(off, ddof=1)) / sqrt(n)
        off = off * (least / error)
    found: Array = change + off
    return found


def _drawn_again(before: Array, after: Array, p: float) -> Array:
    """The change of the quantile in pairs that are drawn again, with a seed of its own."""
    n = len(before)
    rng, at = np.random.default_rng(0), _place(n, p)
    out = np.empty(min(_RESAMPLES, max(_AT_MOST // n, 200)))
    for i in range(len(out)):
        rows = rng.integers(0, n, n)
        out[i] = np.partition(after[rows], at)[at] - np.partition(before[rows], at)[at]
    return out
