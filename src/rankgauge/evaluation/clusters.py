"""How far a number over rows can be from the truth, when rows of one user are alike.

The influence values of all rows of a group are summed and the sums are independent: Σ sums² · C/(C-1) is the variance
of the number, whatever happens inside groups. Without groups every row is its own. Liang & Zeger (1986).
"""

from __future__ import annotations

from math import erfc, fsum, isnan, sqrt

import numpy as np

from rankgauge.alignment import Array
from rankgauge.alignment.exact import exact_sum
from rankgauge.evaluation.intervals import Interval, t_quantile

__all__ = ["standard_error", "t_interval_of", "two_sided"]


def standard_error(clusters: Array) -> float:
    """Of a number, from the summed influence of each cluster; NaN for fewer than two."""
    n = len(clusters)
    if n < 2:
        return float("nan")
    centred = clusters - exact_sum(clusters) / n
    return sqrt(exact_sum(centred**2) * n / (n - 1))


def t_interval_of(value: float, error: float, n: int, confidence_level: float) -> Interval:
    """value ± t · error with n - 1 degrees of freedom."""
    if isnan(value) or isnan(error):
        return Interval(float("nan"), float("nan"))
    half = t_quantile((1 + confidence_level) / 2, n - 1) * error
    return Interval(value - half, value + half)


def two_sided(value: float, error: float, n: int) -> float:
    """p-value of `value` against 0, by Student's t with n - 1 degrees of freedom."""
    if isnan(value) or isnan(error) or n < 2:
        return float("nan")
    if not error:
        return 1.0 if not value else 0.0
    t, df = abs(value / error), n - 1
    if df > 300:  # A&S 26.7.8, good to eight digits here
        return erfc(t * (1 - 1 / (4 * df)) / sqrt(1 + t * t / (2 * df)) / sqrt(2))
    return _tail(t, df)


def _tail(t: float, df: int) -> float:
    """2 P(T > t) for whole degrees of freedom, by the finite sums of A&S 26.7.3-4."""
    theta = np.arctan2(t, sqrt(df))
    c2 = float(np.cos(theta)) ** 2
    terms, term = [], 1.0
    if df % 2:
        if df == 1:
            return float(1 - 2 * theta / np.pi)
        for k in range(1, df - 1, 2):
            terms.append(term)
            term *= (k + 1) / (k + 2) * c2
        return float(1 - 2 / np.pi * (theta + np.sin(theta) * np.cos(theta) * fsum(terms)))
    for k in range(0, df - 1, 2):
        terms.append(term)
        term *= (k + 1) / (k + 2) * c2
    return float(1 - np.sin(theta) * fsum(terms))
