"""How far could the mean difference be from the truth? Queries drawn again with replacement.

A resample of n queries counts how often each was drawn; the mean is counts · differences / n, so that thousands of
resamples of all columns are one matrix product. Columns share the draws.

Efron & Tibshirani (1993), An Introduction to the Bootstrap; Sakai (SIGIR 2006) for retrieval.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge._checks import one_of
from rankgauge._rng import random_generator
from rankgauge._typing import Array
from rankgauge.statistics.flips import at_least_as_far, check_alternative, check_count, columns_of
from rankgauge.statistics.intervals import check_level

__all__ = ["METHODS", "bootstrap", "bootstrap_p"]

METHODS = ("percentile", "bca")

TOLERANCE = 1e-12  # of the mean size: rounding decides nothing
BUDGET = 32 << 20  # bytes of the largest array at a time


def bootstrap(
    differences: Array,
    *,
    resamples: int = 10_000,
    rng: Any = 0,
    confidence_level: float = 0.95,
    method: str = "percentile",
) -> tuple[Array, Array]:
    """Between which values is the mean difference, with this confidence? (low, high), each (m,).

    "percentile" takes the quantiles of the resampled means. "bca" moves them for bias and skewness:

        α' = Φ(z0 + (z0 + z_α) / (1 - a (z0 + z_α)))
        z0 = Φ⁻¹(share of resampled means below the mean, ties by half)
        a  = Σ c³ / (6 (Σ c²)^1.5),  c = d - mean,  which for a mean is what the jackknife gives

    Efron (1987), JASA 82; `scipy.stats.bootstrap` within chance. Fewer than two queries: NaN; differences that are all
    the same: that number twice. With fewer than some 20 queries both are too narrow; the t interval is safer.
    """
    check_count("resamples", resamples)
    check_level(confidence_level)
    method = one_of("method", method, METHODS)
    d = columns_of(differences)
    n, m = d.shape
    if n < 2:
        return np.full(m, np.nan), np.full(m, np.nan)
    means = d.mean(axis=0)
    centred = _on_a_grid(d - means)
    drawn = _resampled(centred, resamples, random_generator(rng))
    tail = (1 - confidence_level) / 2
    if method == "percentile":
        low, high = np.quantile(drawn, [tail, 1 - tail], axis=0)
    else:
        slack = TOLERANCE * np.abs(d).mean(axis=0)
        share = ((drawn < -slack).mean(axis=0) + (drawn <= slack).mean(axis=0)) / 2
        low, high = np.empty(m), np.empty(m)
        for j in range(m):
            at = _bca(float(share[j]), centred[:, j], tail, resamples)
            low[j], high[j] = np.quantile(drawn[:, j], at)
    same = (d == d[0]).all(axis=0)  # without this, rounding of the mean would show
    return np.where(same, d[0], means + low), np.where(same, d[0], means + high)


def bootstrap_p(differences: Array, *, resamples: int = 10_000, rng: Any = 0, alternative: str = "two-sided") -> Array:
    """How often would resampled queries show such a mean if the true one were 0? One p-value a column.

        p = (1 + #{ |mean* - mean| >= |mean| }) / (B + 1)

    The differences are shifted to have mean 0, then drawn again. All 0: p = 1; fewer than two queries: NaN; all the
    same but not 0: 1/(B + 1). Resampled means vary too little by √((n-1)/n) and have shorter tails than Student's t:
    with few queries p is too small; of equal systems 9% come out below 0.05 at n = 10, 6% at n = 50.
    """
    check_count("resamples", resamples)
    check_alternative(alternative)
    d = columns_of(differences)
    n, m = d.shape
    if n < 2:
        return np.full(m, np.nan)
    means = d.mean(axis=0)
    drawn = _resampled(d - means, resamples, random_generator(rng))
    far = at_least_as_far(drawn, means, TOLERANCE * np.abs(d).mean(axis=0), alternative)
    return np.asarray((1 + np.count_nonzero(far, axis=0)) / (resamples + 1))


def _resampled(d: Array, resamples: int, generator: np.random.Generator) -> Array:
    """Means of resampled queries, (resamples, m)."""
    n, m = d.shape
    means = np.empty((resamples, m))
    step = max(1, min(resamples, BUDGET // (8 * n)))
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        # one bincount over all rows: row i counts in bins i n … (i + 1) n - 1
        drawn = generator.integers(n, size=(size, n)) + np.arange(0, size * n, n)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n)
        means[start : start + size] = counts.astype(np.float64) @ d / n
    return means


def _on_a_grid(d: Array) -> Array:
    """Each column rounded to multiples of a power of two so large that no sum of n draws is rounded again.

    How a matrix product is split among threads changes the last digits of its sums; of these it cannot.
    """
    _, exponent = np.frexp(len(d) * np.abs(d).max(axis=0))
    unit = np.ldexp(1.0, np.maximum(exponent - 52, -1074))
    return np.asarray(np.round(d / unit) * unit)


def _bca(share: float, centred: Array, tail: float, resamples: int) -> list[float]:
    """The two levels at which quantiles are taken, corrected for bias and skewness."""
    from statistics import NormalDist

    normal = NormalDist()
    half = 0.5 / resamples  # where no resampled mean is on one side, there could have been half a one
    z0 = normal.inv_cdf(min(max(share, half), 1 - half))
    size = np.abs(centred).max()
    c = centred / size if size else centred  # cubes of small numbers vanish
    squares = float((c**2).sum())
    a = float((c**3).sum()) / (6 * squares**1.5) if squares else 0.0
    levels = []
    for z in (normal.inv_cdf(tail), normal.inv_cdf(1 - tail)):
        moved = z0 + z
        levels.append(normal.cdf(z0 + moved / (1 - a * moved)))
    return levels
