"""Position bias from items that moved by themselves: intervention harvesting.

Under the position-based model the click rate of a pair (q, d) at k is θ_k γ_qd, so for every pair shown at k and k' the
ratio of its two click rates is θ_k / θ_k', whatever its relevance. Pairs are strata, and the ratio that they share is
estimated as Mantel and Haenszel (1959) do, with weights that stay good for pairs of very few impressions:

    A = Σ c_k n_k' / (n_k + n_k'),   B = Σ c_k' n_k / (n_k + n_k'),   θ_k / θ_k' ≈ A / B

`adjacent` multiplies the ratios of neighbours, 1 → 2 → 3 …, the pivot chain of Joachims, Swaminathan & Schnabel (WSDM
2017). `all_pairs` uses all two positions at once, after Agarwal et al. (WSDM 2019): their likelihood of the weighted
clicks of all (k, k'), with the relevance of each (k, k') maximised out. For rare clicks that is the Bradley-Terry
likelihood

    Σ over k < k'  A log θ_k + B log θ_k' - (A + B) log(θ_k + θ_k'),

concave in log θ, with one maximum where positions are joined. Their published likelihood treats averages as Bernoulli
counts; this one only uses that E[A] / E[B] = θ_k / θ_k', which is true for clicks of any rate.

Standard errors of both: A_i - (θ_k / θ_k') B_i of one pair has mean 0 under the model, so the scores of pairs (or of
queries) are independent with mean 0, and their squares give the variance (the sandwich; for one ratio, that of
Greenland & Robins 1985 without its distribution of clicks). Everything is in logs: covariances are those of log θ.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankgauge.alignment import Array
from rankgauge.behavior.bias.counts import Counts, cell_pairs

__all__ = ["LogPropensity", "adjacent", "all_pairs", "clusters_of", "meat"]


class LogPropensity(NamedTuple):
    """log θ of each position, relative to the first, with the covariance of the estimates."""

    log: Array
    covariance: Array
    clusters: int
    """Pairs or queries that the errors rest on."""


def clusters_of(counts: Counts, by: str) -> Array:
    """Of each cell, the unit that is independent of others."""
    return counts.query[counts.pair] if by == "query" else counts.pair


def meat(cluster: Array, slot: Array, score: Array, size: int) -> tuple[Array, int]:
    """Σ over clusters of the outer product of their summed scores, with n/(n-1); and n.

    `score[i]` belongs to entry `slot[i]` of the score vector of `cluster[i]`. Vectors are never written out: only
    entries of the same cluster meet.
    """
    key, total = cluster * size + slot, score
    if not (key[1:] > key[:-1]).all():  # cells of pairs are sorted already, and sorting is most of the work
        key, where = np.unique(key, return_inverse=True)
        total = np.bincount(where, score, len(key))
    group, at = key // size, key % size
    out = np.diag(np.bincount(at, total**2, size))
    for a, b in cell_pairs(group):
        cross = np.bincount(at[a] * size + at[b], total[a] * total[b], size * size).reshape(size, size)
        out += cross + cross.T
    n = 1 + int(np.count_nonzero(np.diff(group)))
    return (out * n / (n - 1) if n > 1 else np.full((size, size), np.nan)), n


def adjacent(counts: Counts, cluster: str) -> LogPropensity:
    """The chain of ratios of neighbours; every position of `counts` must be joined to the one before."""
    k = counts.n_positions
    n, c, slot = counts.impressions, counts.clicks, counts.slot
    # neighbours in position are neighbours among the cells of a pair
    a = np.flatnonzero((counts.pair[1:] == counts.pair[:-1]) & (slot[1:] == slot[:-1] + 1))
    b = a + 1
    edge, both = slot[a], n[a] + n[b]
    here, there = c[a] * n[b] / both, c[b] * n[a] / both
    top, bottom = np.bincount(edge, here, k - 1), np.bincount(edge, there, k - 1)
    influence = there / bottom[edge] - here / top[edge]
    spread, clusters = meat(clusters_of(counts, cluster)[a], edge, influence, k - 1)
    chain = np.tril(np.ones((k, k - 1)), -1)  # log θ_k adds the steps 1 → 2, …, k-1 → k
    return LogPropensity(chain @ np.log(bottom / top), chain @ spread @ chain.T, clusters)


def all_pairs(counts: Counts, cluster: str) -> LogPropensity:
    """The maximum of the Bradley-Terry likelihood of all two positions; positions must be joined."""
    k = counts.n_positions
    counts = counts.moved()
    n, c, slot = counts.impressions, counts.clicks, counts.slot
    wins = np.zeros((k, k))  # [k, k']: weighted clicks at k of what was shown at k and k'
    for a, b in cell_pairs(counts.pair):
        both = n[a] + n[b]
        edge = slot[a] * k + slot[b]
        wins += np.bincount(edge, c[a] * n[b] / both, k * k).reshape(k, k)
        wins += np.bincount(edge, c[b] * n[a] / both, k * k).reshape(k, k).T
    log = _bradley_terry(wins)
    score = np.zeros(counts.n_cells)
    for a, b in cell_pairs(counts.pair):
        both = n[a] + n[b]
        share = 1 / (1 + np.exp(log[slot[b]] - log[slot[a]]))
        step = c[a] * n[b] / both * (1 - share) - c[b] * n[a] / both * share
        score[a] += step  # a cell is the earlier one of at most one pair of cells of each distance
        score[b] -= step
    spread, clusters = meat(clusters_of(counts, cluster), slot, score, k)
    bread = np.zeros((k, k))
    bread[1:, 1:] = np.linalg.inv(_information(wins, log)[1:, 1:])
    return LogPropensity(log, bread @ spread @ bread.T, clusters)


def _information(wins: Array, log: Array) -> Array:
    share = 1 / (1 + np.exp(log[None, :] - log[:, None]))
    weight = (wins + wins.T) * share * (1 - share)
    return np.asarray(np.diag(weight.sum(axis=1)) - weight)


def _bradley_terry(wins: Array) -> Array:
    """log θ at the maximum, the first 0, by Newton's method with halved steps."""
    games = wins + wins.T

    def height(log: Array) -> float:
        top = np.logaddexp(log[:, None], log[None, :])
        return float((wins * (log[:, None] - top)).sum())

    log = np.zeros(len(wins))
    best = height(log)
    for _ in range(100):
        share = 1 / (1 + np.exp(log[None, :] - log[:, None]))
        slope = (wins - games * share).sum(axis=1)
        step = np.zeros_like(log)
        step[1:] = np.linalg.solve(_information(wins, log)[1:, 1:], slope[1:])
        size = 1.0
        while height(log + size * step) < best - 1e-12 * abs(best) and size > 1e-6:
            size /= 2
        log = log + size * step
        best = height(log)
        if np.abs(step).max() < 1e-12:
            break
    return log
