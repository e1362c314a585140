"""Readers who go down the list and stop: the shared core of RR, Hit and ERR.

A reader at rank i stops there with probability p_i. S_i is the probability of still reading after
rank i, so the measure is the expectation of some weight over S_(i-1) - S_i. For a block of tied
results every order is equally likely, and S becomes its mean over orders: with E_j the mean product
of (1-p) over all j-subsets of the block, S after j of its ranks is S before the block times E_j.
(McSherry & Najork, ECIR 2008, give the same for each measure separately.)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankgauge.alignment import Alignment, Array

__all__ = ["expected_stop"]


def expected_stop(a: Alignment, stop: Array, weight: Callable[[Array], Array], k: float | None) -> Array:
    """Expectation over tie orders of weight(rank) at the rank where the reader stops, 0 if beyond k."""
    out = np.zeros(a.n_queries)
    deepest = min(x for x in (k, a.depth, np.inf) if x is not None)
    for query in range(a.n_queries):
        rows = np.arange(a.offsets[query], a.offsets[query + 1])
        rows = rows[a.shown[rows] & (stop[rows] > 0)]
        alive = 1.0
        for first in np.unique(a.tie_first[rows]):
            if first > deepest or not alive:  # nothing below can count
                break
            members = rows[a.tie_first[rows] == first]
            size = int(a.tie_last[members[0]] - first + 1)
            survive = _mean_products(size, 1.0 - stop[members])
            ranks = first + np.arange(size)
            gone = alive * (survive[:-1] - survive[1:])
            out[query] += float(np.sum(np.where(ranks <= deepest, weight(ranks) * gone, 0.0)))
            alive *= survive[-1]
    return out


def _mean_products(size: int, values: Array) -> Array:
    """E_0..E_size: the mean product over all j-subsets of `values` filled up with ones.

    Adding a value v to a set of m-1 makes E_j = (1 - j/m) E_j + (j/m) v E_(j-1): a j-subset holds v
    with probability j/m. Means of means stay between 0 and 1 where binomials would overflow.
    """
    means = np.ones(size + 1)
    for m, v in enumerate(values, start=size - len(values) + 1):
        share = np.arange(1, m + 1) / m
        means[1 : m + 1] = (1 - share) * means[1 : m + 1] + share * v * means[:m]
    return means
