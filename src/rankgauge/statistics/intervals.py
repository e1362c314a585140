"""How far the mean of this many queries can be from the mean of all queries like them."""

from __future__ import annotations

from math import atan, cos, erfc, exp, fsum, isnan, lgamma, log, pi, sin, sqrt
from typing import Any, NamedTuple

import numpy as np

from rankgauge._checks import number, whole
from rankgauge._rng import random_generator
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge._typing import Array
from rankgauge.errors import ParameterError

__all__ = [
    "LEAST_ALPHA",
    "Interval",
    "bootstrap_interval",
    "check_alpha",
    "check_level",
    "degrees_of_freedom",
    "normal_quantile",
    "t_interval",
    "t_quantile",
]

LEAST_ALPHA = 1e-9  # divided by some hundred thousand tests, 1 less it is still not 1


class Interval(NamedTuple):
    """A confidence interval."""

    low: float
    high: float

    def clipped(self, low: float, high: float) -> Interval:
        """Kept inside the bounds of the measure."""
        return Interval(max(self.low, low), min(self.high, high))


def t_interval(values: Array, confidence_level: float = 0.95, weights: Array | None = None) -> Interval:
    """mean ± t · s/√n, the usual interval for the mean of n queries.

    With weights, the standard error of the weighted mean, Σ w²(x-m)² / (Σw)², corrected by n/(n-1), where n is what
    they leave of the number of queries: (Σw)² / Σw² (Kish 1965). One query that outweighs all others is near the mean
    whatever it is, so counting queries would call the mean certain. Below 2 there is no interval.
    """
    check_level(confidence_level)
    w = np.ones(len(values)) if weights is None else _near_one(weights)
    total = fsum(w)
    n = total * total / fsum(w * w) if total else 0.0
    if (df := degrees_of_freedom(n)) < 1:
        return Interval(float("nan"), float("nan"))
    mean = fsum(w * values) / total
    error = sqrt(fsum((w * (values - mean)) ** 2) * n / (n - 1)) / total
    half = t_quantile((1 + confidence_level) / 2, df) * error
    return Interval(mean - half, mean + half)


def _near_one(weights: Array) -> Array:
    """The weights over a power of two, which rounds nothing: their squares are neither too large nor too small."""
    return np.ldexp(weights, -int(np.frexp(weights.max(initial=1e-300))[1]))


def degrees_of_freedom(n: float) -> int:
    """Of the mean of n queries, n not whole where they have weights: the next lower whole number."""
    return int(n + 1e-9) - 1  # equal weights make n whole, but for rounding


def bootstrap_interval(
    values: Array,
    confidence_level: float = 0.95,
    weights: Array | None = None,
    *,
    resamples: int = 10_000,
    rng: Any = None,
) -> Interval:
    """Percentiles of the mean over queries drawn again with replacement."""
    check_level(confidence_level)
    whole("resamples", resamples)
    n = len(values)
    if n < 2:
        return Interval(float("nan"), float("nan"))
    generator = random_generator(rng)
    w = np.ones(n) if weights is None else weights
    weighted = w * values
    means = np.empty(resamples)
    step = max(1, 4_000_000 // n)
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        drawn = generator.integers(n, size=(size, n), dtype=np.int32)
        means[start : start + size] = weighted[drawn].sum(axis=1) / w[drawn].sum(axis=1)
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return Interval(float(low), float(high))


def check_level(confidence_level: float) -> None:
    number("confidence_level", confidence_level, above=0, below=1)


def check_alpha(alpha: float) -> None:
    """Raise for what is no level of a test; one so small that quantiles and its share of many tests are lost is none.

    >>> check_alpha(1e-300)
    Traceback (most recent call last):
    rankgauge.errors.ParameterError: `alpha` must be between 1e-09 and 0.5, got 1e-300.
    """
    number("alpha", alpha, above=0, below=0.5)
    number("alpha", alpha, above=LEAST_ALPHA, below=0.5)


def t_quantile(p: float, df: int) -> float:
    """Quantile of Student's t for whole degrees of freedom.

    Written out because the one call would cost every command a fifth of a second of imports. The
    distribution function has a finite form for whole df (Abramowitz & Stegun 26.7.3-4); Newton's
    method inverts it. Beyond 300 degrees of freedom the expansion in 1/df (A&S 26.7.5) holds to
    eleven digits for the quantiles in use.
    """
    if isnan(p) or not 0 < p < 1:
        raise ParameterError(
            Text(f"`p` must be between 0 and 1, got {show(p)}.", f"`p` 必须介于 0 和 1 之间，实际为 {show(p)}。")
        )
    x = _expansion(normal_quantile(p), df)
    if df > 300:
        return x
    for _ in range(60):
        step = (_cdf(x, df) - p) / _density(x, df)
        x -= step
        if abs(step) <= 1e-14 * max(1.0, abs(x)):
            break
    return x


def normal_quantile(p: float) -> float:
    """Quantile of the normal distribution: a start good to three digits (A&S 26.2.23), then Newton's method."""
    if p > 0.5:
        return -normal_quantile(1 - p)
    t = sqrt(-2 * log(p))
    z = (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t**3) - t
    for _ in range(4):
        z -= (erfc(-z / sqrt(2)) / 2 - p) * sqrt(2 * pi) * exp(z * z / 2)
    return z


def _expansion(z: float, df: int) -> float:
    if df <= 2:  # far from normal: start from the exact quantiles
        p = erfc(-z / sqrt(2)) / 2
        return -cos(pi * p) / sin(pi * p) if df == 1 else (2 * p - 1) * sqrt(2 / (4 * p * (1 - p)))
    g1 = (z**3 + z) / 4
    g2 = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    g3 = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    g4 = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    u = 1 / df  # powers of many degrees of freedom are beyond what a float64 can hold
    return z + g1 * u + g2 * u**2 + g3 * u**3 + g4 * u**4


def _cdf(x: float, df: int) -> float:
    theta = atan(x / sqrt(df))
    c2 = cos(theta) ** 2
    term = total = 1.0
    if df % 2:
        if df == 1:
            return 0.5 + theta / pi
        for k in range(2, df - 1, 2):
            term *= k / (k + 1) * c2
            total += term
        return 0.5 + (theta + sin(theta) * cos(theta) * total) / pi
    for k in range(1, df - 2, 2):
        term *= k / (k + 1) * c2
        total += term
    return 0.5 + sin(theta) * total / 2


def _density(x: float, df: int) -> float:
    log_norm = lgamma((df + 1) / 2) - lgamma(df / 2) - 0.5 * log(df * pi)
    return exp(log_norm - (df + 1) / 2 * log(1 + x * x / df))
