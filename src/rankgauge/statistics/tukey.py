"""Which of k systems differ, when all pairs are looked at? Randomised Tukey HSD.

The largest of many differences is large by chance. Here every pair is held against the largest difference that chance
makes among all k systems: one error in the whole table is as rare as asked, and no further correction is needed.

Carterette (2012), Multiple testing in statistical analysis of systems-based IR experiments, ACM TOIS 30(1);
`scipy.stats.tukey_hsd` is another test: it does not know that systems answered the same queries.
"""

from __future__ import annotations

from itertools import permutations as all_orders
from typing import Any

import numpy as np

from rankgauge._rng import random_generator
from rankgauge._text import Text
from rankgauge._typing import Array
from rankgauge.errors import InputError
from rankgauge.statistics.flips import TOLERANCE, check_count

__all__ = ["randomised_tukey"]

TABLE = 6  # systems up to which all orders of a query are written down: 720, and ten times as quick


def randomised_tukey(values: Array, *, permutations: int = 10_000, rng: Any = 0) -> Array:
    """For each pair of systems, how often does chance make a largest difference like theirs? p-values (k, k).

        p_ij = (1 + #{ max mean* - min mean* >= |mean_i - mean_j| }) / (B + 1)

    `values` is (n, k): queries by systems. Each of B permutations shuffles the values of each query among the systems,
    means* are those of the shuffled columns. Symmetric, 1 on the diagonal, never 0; a larger difference never has a
    larger p. Already corrected for the number of pairs. With two systems it is the randomisation test. The null is that
    *all* systems are equal: one that is far from the rest widens what chance makes of their differences.

    No queries: NaN outside the diagonal. Memory is 24 · B · k bytes, for any number of queries.

    >>> p = randomised_tukey(np.array([[0.1, 0.1, 0.9], [0.2, 0.2, 0.8], [0.3, 0.2, 0.9], [0.1, 0.1, 0.7]]))
    >>> bool(p[0, 2] < 0.05 < p[0, 1])
    True
    """
    check_count("permutations", permutations)
    x = np.asarray(values, dtype=np.float64)
    if x.ndim != 2:
        raise InputError(
            Text(
                f"values must be (queries, systems), got {x.ndim} dimensions.",
                f"数值的形状必须是（查询，系统），实际为 {x.ndim} 维。",
            )
        )
    if not np.isfinite(x).all():
        wrong = int(np.count_nonzero(~np.isfinite(x)))
        raise InputError(
            Text(
                f"values must be finite, got {wrong} of {x.size} that are not. Drop those queries first.",
                f"数值必须是有限的数字，实际 {x.size} 个中有 {wrong} 个不是。请先去掉这些查询。",
            )
        )
    n, k = x.shape
    if not n or k < 2:
        p = np.full((k, k), np.nan)
    else:
        x = x - x.mean(axis=1, keepdims=True)  # the same for every order, and sums stay small
        ranges = _largest_differences(x, permutations, random_generator(rng))
        sums = x.sum(axis=0)
        between = np.abs(sums[:, None] - sums)
        below = np.searchsorted(np.sort(ranges), between - TOLERANCE * np.abs(x).sum())
        p = (1 + permutations - below) / (permutations + 1)
    np.fill_diagonal(p, 1.0)
    return p


def _largest_differences(x: Array, permutations: int, generator: np.random.Generator) -> Array:
    """max - min of the column sums after each permutation; one query at a time, all permutations at once."""
    k = x.shape[1]
    sums = np.zeros((permutations, k))
    orders = np.array(list(all_orders(range(k)))) if k <= TABLE else None
    for row in x:
        if orders is None:
            sums += generator.permuted(np.broadcast_to(row, (permutations, k)), axis=1)
        else:
            sums += row[orders].take(generator.integers(len(orders), size=permutations), axis=0)
    return np.asarray(sums.max(axis=1) - sums.min(axis=1))
