"""How many times as large is one mean as another, of the same units?"""

from __future__ import annotations

from math import sqrt

import numpy as np

from rankgauge._typing import Array
from rankgauge.statistics.intervals import Interval, t_quantile

__all__ = ["quotient_interval"]


def quotient_interval(x: Array, y: Array, confidence_level: float = 0.95) -> Interval:
    """The interval of mean(x) / mean(y), paired: all c for which mean(x - c y) may be 0 (Fieller 1954).

    With t the quantile of n - 1 degrees of freedom and s² variances and the covariance of means, c is inside where

        (x̄ - c ȳ)² ≤ t² (s²ₓ - 2 c sₓᵧ + c² s²ᵧ)

    which is an interval where ȳ is surely not 0. Else, and for fewer than two units, it is unknown (NaN).

    >>> low, high = quotient_interval(np.array([2.0, 4.1, 6.0, 7.9]), np.array([1.0, 2.0, 3.0, 4.0]))
    >>> bool(low < 2 < high)
    True
    """
    n = len(x)
    if n < 2:
        return Interval(float("nan"), float("nan"))
    t2 = t_quantile((1 + confidence_level) / 2, n - 1) ** 2 / n
    (xx, xy), (_, yy) = np.cov(x, y).tolist()
    mx, my = float(x.mean()), float(y.mean())
    a, b, c = my**2 - t2 * yy, mx * my - t2 * xy, mx**2 - t2 * xx
    if not a > 0:
        return Interval(float("nan"), float("nan"))
    half = sqrt(max(b**2 - a * c, 0.0))
    return Interval((b - half) / a, (b + half) / a)
