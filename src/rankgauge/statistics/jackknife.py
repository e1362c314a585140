"""How far a number of many lists can be trusted, by what it would be without each of them (Efron 1982)."""

from __future__ import annotations

from math import sqrt

import numpy as np

from rankgauge._typing import Array
from rankgauge.statistics.exact_sums import rounded_sum

__all__ = ["jackknife_error", "shares"]


def jackknife_error(value: float, without: Array) -> float:
    """The standard error of a value of n units, by the value without each: that of the mean of n·v - (n-1)·vᵢ.

    >>> jackknife_error(2.0, np.array([2.5, 2.0, 1.5]))  # of a mean, its own: of 1, 2 and 3
    0.5773502691896258
    """
    n = len(without)
    return float((n * value - (n - 1) * without).std(ddof=1)) / sqrt(n)


def shares(value: float, without: Array) -> Array:
    """What each list has in a value of all of them, by the value without each; NaN where one of these is not known."""
    n = len(without)
    if n < 2 or np.isnan(without).any():
        return np.full(n, np.nan if n != 1 else value)
    centred = (n - 1) * (
        rounded_sum(without) / n - without
    )  # sums that are rounded once: no order of users changes a bit
    found: Array = value + (centred - rounded_sum(centred) / n)
    return found
