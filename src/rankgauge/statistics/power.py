"""How many queries does it take to see a difference, and which difference do these queries show?

For the paired t test on n differences with standard deviation sd; the randomisation test has nearly the same power.

    power = P(|T'| > t_{1-α/2}),  T' noncentral t, n - 1 degrees of freedom, noncentrality difference · √n / sd

With `margin` the question is non-inferiority: a one-sided test at α of whether B is worse by less than the margin,

    power = P(T' > t_{1-α}),      noncentrality (difference + margin) · √n / sd

Cohen (1988), Statistical Power Analysis; Webber, Moffat & Zobel (CIKM 2008) and Sakai (2016) for retrieval. Plan with
the sd of an earlier comparison of similar systems; power "observed" after the fact says no more than the p-value.
"""

from __future__ import annotations

from functools import lru_cache
from math import erfc, floor, inf, isnan, log2, nan, sqrt

import numpy as np

from rankgauge._checks import number
from rankgauge._typing import Array
from rankgauge.statistics.intervals import t_quantile

__all__ = ["detectable", "fewest_by_signs", "needed", "power_of", "provable_margin"]

_MOST = 10**18


def power_of(n: int, difference: float, sd: float, alpha: float = 0.05, *, margin: float | None = None) -> float:
    """How likely do n queries show a true mean difference of this size (or, with a margin, non-inferiority)?

    NaN for fewer than two queries. sd = 0: 1 when there is anything to see, else 0.

    >>> round(power_of(50, 0.02, 0.05), 3)
    0.792
    """
    _check(sd, alpha)
    number("difference", difference)
    number("margin", margin, optional=True)
    if n < 2:
        return nan
    effect = difference if margin is None else difference + margin
    if not sd:
        return float(effect > 0 if margin is not None else effect != 0)
    return _power(n, effect * sqrt(n) / sd, alpha, margin is not None)


def detectable(n: int, sd: float, alpha: float = 0.05, power: float = 0.8, *, margin: float | None = None) -> float:
    """The smallest true mean difference that n queries show with this power.

    With a margin, the smallest true difference, possibly negative, for which non-inferiority is shown. NaN for fewer
    than two queries. Rule of thumb: 2.8 sd/√n.

    >>> round(detectable(200, 0.1), 4)
    0.0199
    """
    _check(sd, alpha, power)
    number("margin", margin, optional=True)
    if n < 2:
        return nan
    effect = _noncentrality(n, alpha, power, margin is not None) * sd / sqrt(n)
    return effect if margin is None else effect - margin


@lru_cache(maxsize=256)
def _noncentrality(n: int, alpha: float, power: float, one_sided: bool) -> float:
    """The smallest noncentrality that is seen with this power; the same for all measures over as many queries."""
    low, high = 0.0, 4.0
    if power <= alpha:
        return 0.0  # seen by chance alone
    while _power(n, high, alpha, one_sided) < power:
        low, high = high, 2 * high
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if _power(n, middle, alpha, one_sided) < power else (low, middle)
    return high


def needed(
    difference: float, sd: float, alpha: float = 0.05, power: float = 0.8, *, margin: float | None = None
) -> float:
    """The smallest number of queries that shows a true mean difference of this size with this power.

    A whole number of at least 2, or infinity where no number is enough (no difference, or one beyond the margin), or
    none below 10^18, more than anyone will ever have.

    >>> needed(0.02, 0.05)
    52
    """
    _check(sd, alpha, power)
    number("margin", margin, optional=True)
    if isnan(difference):
        return nan
    effect = abs(difference) if margin is None else difference + margin
    if effect <= 0:
        return inf
    one_sided = margin is not None

    def enough(n: int) -> bool:
        return power_of(n, effect, sd, alpha, margin=0.0 if one_sided else None) >= power

    low, high = 1, 2  # a test of one query is none
    while not enough(high):
        low, high = high, 2 * high
        if high > _MOST:
            return inf
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def fewest_by_signs(alpha: float) -> int:
    """Queries from which on a test by signs reaches p < alpha: two choices of signs in 2^n are as far out as any.

    >>> fewest_by_signs(0.05)  # 2/2^5 = 0.0625, 2/2^6 = 0.03125
    6
    """
    return floor(1 - log2(alpha)) + 1


def provable_margin(n: int, sd: float, alpha: float = 0.05, power: float = 0.8) -> float:
    """The smallest margin for which n queries show, with this power, that an equally good B is not worse.

    >>> round(provable_margin(200, 0.1), 4)
    0.0176
    """
    return detectable(n, sd, alpha, power, margin=0.0)


def _power(n: int, noncentrality: float, alpha: float, one_sided: bool) -> float:
    df = n - 1
    t = _critical(alpha if one_sided else alpha / 2, df)
    if one_sided:
        return _beyond(t, df, noncentrality)
    return min(1.0, _beyond(t, df, noncentrality) + _beyond(t, df, -noncentrality))


def _beyond(t: float, df: int, noncentrality: float) -> float:
    """P(T' > t) for noncentral t: the mean of Φ(noncentrality - t w) over w, a standard deviation estimated with df.

    `scipy.stats.nct` gives the same to nine digits from three queries on, after a second of imports.
    """
    w, weights = _estimated_spread(df)
    tails = np.array([erfc(z) for z in ((t * w - noncentrality) / sqrt(2)).tolist()]) / 2
    return float(weights @ tails)


@lru_cache(maxsize=64)
def _estimated_spread(df: int) -> tuple[Array, Array]:
    """Values of w = √(χ²/df) and their probabilities: density ∝ w^(df-1) exp(-df w²/2), by Simpson's rule."""
    points = 301 if df >= 10 else 4001  # with few degrees of freedom the density is cut off at 0
    reach = 10 / sqrt(2 * df)
    x = np.linspace(max(-1.0 + 1e-12, -reach), reach, points)  # w - 1, which keeps its digits where w is near 1
    simpson = np.ones(points)
    simpson[1:-1:2], simpson[2:-1:2] = 4, 2
    weights = simpson * np.exp((df - 1) * np.log1p(x) - df * (x + x * x / 2))
    return 1 + x, weights / weights.sum()


@lru_cache(maxsize=64)
def _critical(alpha: float, df: int) -> float:
    return t_quantile(min(1 - alpha, 1 - 2**-53), df)  # the largest number below 1


def _check(sd: float, alpha: float, power: float = 0.5) -> None:
    number("sd", sd, at_least=0)
    number("alpha", alpha, above=0, below=1)
    number("power", power, above=0, below=1)
