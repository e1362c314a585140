"""Do the items of a query differ, or did chance spread the clicks?

If they do not, every impression of a query has the same chances, and any share-out of its values among its items is as
likely as any other. With N impressions of k items, x the values less their mean, P2 = Σ x², P4 = Σ x⁴,

    W = Σ_items (Σ x)²/n / P2          the part of the variance that lies between items, 0 to 1

has under all share-outs the mean (k - 1) / (N - 1) and a variance that follows from P2, P4 and the n alone. The p-value
is the upper tail of a Gamma distribution with this mean and variance that starts where no item has two events, as far
as that is above 0: (k Σ v² - (Σ v)²) / (N P2). Down to p = .01 the tail is right within a tenth or two, at .001 it is
up to 2.5 times too thin where events are few. One click tells nothing, and neither does a query in which nothing, or
everything, was clicked: they have no p-value.

`clicks_told_apart` asks the same of clicks c among items with E expected examinations each: given their sum C, they
are multinomial with p = E / ΣE (clicks being rare), and Pearson's X² = Σ (c - C p)² / (C p) has the mean k - 1 and the
variance 2 (k - 1) + (Σ 1/p - k² - 2 k + 2) / C (Haldane 1937); its Gamma distribution starts at k - C.

Over all queries the p-values are corrected by Benjamini & Hochberg: of the queries whose items are told apart, at most
the asked share (1 - confidence level) differ by chance alone, on average.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankgauge.alignment import Array
from rankgauge.statistics.corrections import benjamini_hochberg

__all__ = ["clicks_told_apart", "differ", "told_apart"]

_NONE = 1e-12  # relative variances below are rounding


def differ(p_values: Array, confidence_level: float) -> Array:
    """Of each query, whether its items are told apart; NaN, no test, is no."""
    with np.errstate(invalid="ignore"):
        found: Array = np.array(benjamini_hochberg(p_values.tolist()), dtype=float) <= 1 - confidence_level
    return found


def told_apart(n: Array, powers: tuple[Array, Array, Array, Array], query: Array, queries: int) -> Array:
    """p-value of each query, from impressions of its items and Σ v, Σ v², Σ v³, Σ v⁴; NaN where nothing can be told."""

    def summed(values: Array) -> Array:
        return np.bincount(query, values, queries)

    k, size = summed(np.ones(len(n))), summed(n)
    with np.errstate(all="ignore"):
        v1, v2, v3, v4 = (summed(v) / size for v in powers)
        p2 = size * (v2 - v1**2)
        p4 = size * (v4 - 4 * v1 * v3 + 6 * v1**2 * v2 - 3 * v1**4)
        between = summed((powers[0] - n * v1[query]) ** 2 / n) / p2
        mean = (k - 1) / (size - 1)
        variance = _second_moment(n, k, size, p4 / p2**2, summed) - mean**2
        start = np.maximum((k * v2 - size * v1**2) / p2, 0.0)
        known = (k > 1) & (size > 3) & (p2 > _NONE * size * v2)
    return _tail(between, mean, variance, start, known)


def _tail(value: Array, mean: Array, variance: Array, start: Array, known: Array) -> Array:
    """Upper tail of Gamma distributions that start somewhere; NaN where it is not known or nothing varies."""
    from scipy.special import gammaincc  # type: ignore[import-untyped]

    with np.errstate(invalid="ignore"):
        known = known & (variance > _NONE * mean**2) & (mean > start)
    found = np.full(len(value), np.nan)
    # Only where it is known: of shapes that come from rounding, the tail takes very long.
    above, mean, variance = np.maximum(value - start, 0.0)[known], (mean - start)[known], variance[known]
    found[known] = gammaincc(mean**2 / variance, above * mean / variance)
    return found


def _second_moment(n: Array, k: Array, size: Array, fourth: Array, summed: Callable[[Array], Array]) -> Array:
    """E[W²] over all share-outs, by how many of the four factors of a product are the same impression."""
    pairs = size * (size - 1)
    triples = pairs * (size - 2)
    fours = triples * (size - 3)
    # Sums of products of different x, over P2²: x³y (as x⁴, with the other sign), x²y², x²yz, xyzw.
    two, three, four = 1 - fourth, 2 * fourth - 1, 3 - 6 * fourth
    same = (
        summed(1 / n) * fourth / size
        + summed((n - 1) / n) * (3 * two - 4 * fourth) / pairs
        + summed((n - 1) * (n - 2) / n) * 6 * three / triples
        + summed((n - 1) * (n - 2) * (n - 3) / n) * four / fours
    )
    others = (
        k * (k - 1) * two / pairs
        + 2 * (k - 1) * (size - k) * three / triples
        + ((size - k) ** 2 - summed((n - 1) ** 2)) * four / fours
    )
    found: Array = same + others
    return found


def clicks_told_apart(clicks: Array, expected: Array, query: Array, queries: int) -> Array:
    """p-value of each query, from clicks and what they are held against; NaN where nothing can be told."""

    def summed(values: Array) -> Array:
        return np.bincount(query, values, queries)

    with np.errstate(all="ignore"):
        k, c = summed(np.ones(len(clicks))), summed(clicks)
        share = expected / summed(expected)[query]
        awaited = c[query] * share
        x2 = summed((clicks - awaited) ** 2 / awaited)
        variance = 2 * (k - 1) + (summed(1 / share) - k**2 - 2 * k + 2) / c
        known = (k > 1) & (c > 0) & np.isfinite(x2)
    return _tail(x2, k - 1, variance, np.maximum(k - c, 0.0), known)
