"""How far a number over rows can be from the truth, when rows of one user are alike.

The influence values of all rows of a group are summed and the sums are independent: Σ sums² · C/(C-1) is the variance
of the number, whatever happens inside groups. Without groups every row is its own. Liang & Zeger (1986).
"""

from __future__ import annotations

from math import exp, isnan, lgamma, log, log1p, sqrt

from rankgauge._typing import Array
from rankgauge.statistics.exact_sums import exact_sum
from rankgauge.statistics.intervals import Interval, degrees_of_freedom, t_quantile

__all__ = ["incomplete_beta", "standard_error", "t_interval_of", "two_sided"]


def standard_error(clusters: Array, left: float | None = None) -> float:
    """Of a number, from the summed influence of each cluster; NaN for fewer than two.

    `left` is what weights leave of the clusters (`alignment/weighted_rows.py`): all of them unless said.
    """
    n = len(clusters) if left is None else left
    if n < 2 or len(clusters) < 2:
        return float("nan")
    centred = clusters - exact_sum(clusters) / len(clusters)
    return sqrt(exact_sum(centred**2) * n / (n - 1))


def t_interval_of(value: float, error: float, n: float, confidence_level: float) -> Interval:
    """value ± t · error with n - 1 degrees of freedom, n not whole where weights leave it so; none below 2."""
    if isnan(value) or isnan(error) or (df := degrees_of_freedom(n)) < 1:
        return Interval(float("nan"), float("nan"))
    half = t_quantile((1 + confidence_level) / 2, df) * error
    return Interval(value - half, value + half)


def two_sided(value: float, error: float, n: float) -> float:
    """p-value of `value` against 0, by Student's t with n - 1 degrees of freedom."""
    if isnan(value) or isnan(error) or n < 2:
        return float("nan")
    if not error:
        return 1.0 if not value else 0.0
    t, df = abs(value / error), degrees_of_freedom(n)
    if not t:
        return 1.0
    if not df / (df + t * t):  # farther out than floats reach
        return 0.0
    # 2 P(T > t) = I_x(df/2, 1/2), x = df / (df + t²): small p-values keep all their digits
    if t * t < 2:  # where the fraction converges quickly for the other tail
        return 1.0 - incomplete_beta(t * t / (df + t * t), 0.5, df / 2)
    return incomplete_beta(df / (df + t * t), df / 2, 0.5)


def incomplete_beta(x: float, a: float, b: float) -> float:
    """I_x(a, b) by its continued fraction (A&S 26.5.8), evaluated by Lentz's method."""
    log_factor = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, 10_000):
        before = fraction
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + step * d)
            c = 1 + step / c
            fraction *= c * d
        if abs(fraction - before) <= 1e-16 * abs(fraction):
            break
    return exp(log_factor) * fraction / a
