"""Sums over the rows that two codes share: of a bin or a segment, and of a group."""

from __future__ import annotations

import numpy as np

from rankgauge.alignment import Array

__all__ = ["squared_cluster_sums"]

_SPARE = 4  # so many times the rows may be counted directly; beyond, pairs are sorted


def squared_cluster_sums(
    code: Array, n: int, group: Array, n_groups: int, values: Array, *, centred: bool = False
) -> tuple[Array, Array]:
    """For each code Σ_g (Σ values of its rows in group g)², and how many groups it has.

    `centred` takes the sums of the groups from their mean first, which matters where they do not add up to 0.
    """
    pair = code.astype(np.int64) * n_groups + group
    if n * n_groups <= _SPARE * len(pair):
        filled = np.flatnonzero(np.bincount(pair, minlength=n * n_groups))
        sums: Array = np.bincount(pair, weights=values, minlength=n * n_groups)[filled]
    else:
        filled, place = np.unique(pair, return_inverse=True)
        sums = np.bincount(place, weights=values, minlength=len(filled))
    owner = filled // n_groups
    groups = np.bincount(owner, minlength=n)
    if centred:
        total = np.bincount(owner, weights=sums, minlength=n)
        sums = sums - (total / np.maximum(groups, 1))[owner]
    squares: Array = np.bincount(owner, weights=sums**2, minlength=n)
    return squares, groups
