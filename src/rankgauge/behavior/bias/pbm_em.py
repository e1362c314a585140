"""The position-based model by expectation maximisation, on counted cells.

    P(click on d for q at k) = θ_k γ_qd            examination of the position, attractiveness of the pair

Richardson et al. (WWW 2007), Craswell et al. (WSDM 2008); the steps are those of Chuklin, Markov & de Rijke (2015),
Click Models for Web Search, 4.1.1. What is not clicked was not examined, or examined and not attractive; with p = θ γ
of a cell

    θ_k  ←  Σ ( c + (n - c) θ (1 - γ) / (1 - p) ) / Σ n        over the cells at k
    γ_qd ←  Σ ( c + (n - c) γ (1 - θ) / (1 - p) ) / Σ n        over the cells of the pair

Two steps and an extrapolation make a cycle (SQUAREM, Varadhan & Roland 2008); an extrapolation that lowers the
likelihood is thrown away, so that the likelihood never falls. Between rounds of EM one step of Newton's method is
tried under the same rule. Only products are known: θ is divided by that of the first position.

Pairs seen at one position, and pairs never clicked, fit perfectly whatever θ is. They say nothing about θ and are left
out, which changes the speed and not the answer.

Standard errors are those of the profile likelihood (γ maximised out) of the log-linear model log p = log θ_k + log
γ_qd, with the scores of pairs or queries as the variance (sandwich). With very few impressions of each pair the
maximum itself is off: there are as many γ as pairs (Neyman & Scott 1948). Then `all_pairs`, which has no such
trouble, gives another answer; the distance between the two is kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankgauge.alignment import Array
from rankgauge.behavior.bias.counts import Counts, cell_pairs
from rankgauge.behavior.bias.harvesting import LogPropensity, all_pairs, clusters_of, meat

__all__ = ["Fit", "fit_pbm"]

_ROUND = 12  # steps of EM between two looks at the curvature
_EDGE = 1e-9  # probabilities stay this far from 0 and 1


class Fit(NamedTuple):
    """The estimate and how it was reached."""

    estimate: LogPropensity
    iterations: int
    """Steps of EM, those inside of cycles included."""
    converged: bool
    distance: float
    """From the maximum, in standard errors of the estimate (the Newton decrement)."""
    log_likelihood: float
    """Of the pairs that moved and were clicked."""
    from_all_pairs: float
    """The largest difference from the estimate of all_pairs, in standard errors of that."""
    typical: float
    """Impressions of the median pair."""


class _Cells(NamedTuple):
    """The cells that say something, pairs numbered from 0."""

    pair: Array
    slot: Array
    clicks: Array
    missed: Array
    by_pair: Array
    """Impressions."""
    by_slot: Array

    def step(self, theta: Array, gamma: Array) -> tuple[Array, Array]:
        t, g = theta[self.slot], gamma[self.pair]
        p = t * g
        missed = self.missed / (1 - p)
        missed *= p
        # (n - c) θ (1 - γ) / (1 - p) is (n - c) p / (1 - p) · (1 - γ) / γ: one division for both updates
        new_theta = np.bincount(self.slot, self.clicks + missed / g - missed, len(theta)) / self.by_slot
        new_gamma = np.bincount(self.pair, self.clicks + missed / t - missed, len(gamma)) / self.by_pair
        return np.clip(new_theta, _EDGE, 1 - _EDGE), np.clip(new_gamma, _EDGE, 1 - _EDGE)

    def log_likelihood(self, theta: Array, gamma: Array) -> float:
        p = theta[self.slot] * gamma[self.pair]
        return float(self.clicks @ np.log(p) + self.missed @ np.log1p(-p))


def fit_pbm(counts: Counts, cluster: str, *, max_iterations: int = 1_000, tolerance: float = 0.01) -> Fit:
    """θ of each position of `counts`; positions must be joined.

    Starts where the harvested pairs say, and stops `tolerance` standard errors from the maximum. Small steps are no
    reason to stop: EM takes small steps long before it has arrived.
    """
    counts = counts.moved()
    counts = counts._cells((counts.by_pair(counts.clicks) > 0)[counts.pair])
    _, pair = np.unique(counts.pair, return_inverse=True)
    n, c = counts.impressions, counts.clicks
    cells = _Cells(pair, counts.slot, c, n - c, np.bincount(pair, n), counts.by_position(n))

    start = all_pairs(counts, cluster)
    theta = np.exp(start.log)
    theta = np.clip(theta / theta.max() * 0.98, _EDGE, 1 - _EDGE)  # room for all to move
    gamma = np.clip(np.bincount(pair, c) / np.bincount(pair, n * theta[cells.slot]), _EDGE, 1 - 1e-3)
    iterations, distance = 0, np.inf
    while distance > tolerance and iterations < max_iterations:
        theta, gamma, steps = _squarem(cells, theta, gamma, min(_ROUND, max_iterations - iterations))
        iterations += steps
        here = _Curvature.at(cells, theta, gamma)
        distance = here.distance
        if distance > tolerance and iterations < max_iterations:
            theta, gamma = _newton(cells, theta, gamma, here)
    spread, clusters = meat(clusters_of(counts, cluster), cells.slot, here.score, len(theta))
    covariance = here.bread @ spread @ here.bread.T
    return Fit(
        estimate=LogPropensity(np.log(theta / theta[0]), covariance, clusters),
        iterations=iterations,
        converged=distance <= tolerance,
        distance=distance,
        log_likelihood=cells.log_likelihood(theta, gamma),
        from_all_pairs=_apart(np.log(theta / theta[0]), start),
        typical=float(np.median(cells.by_pair)),
    )


def _apart(log: Array, other: LogPropensity) -> float:
    error = np.sqrt(np.diag(other.covariance)[1:])
    return float(np.max(np.abs(log - other.log)[1:] / np.where(error > 0, error, np.inf), initial=0.0))


def _squarem(cells: _Cells, theta: Array, gamma: Array, max_iterations: int) -> tuple[Array, Array, int]:
    """EM with extrapolation, for about so many steps."""
    k = len(theta)
    best = cells.log_likelihood(theta, gamma)
    iterations = 0
    x = np.concatenate([theta, gamma])
    while iterations < max_iterations:
        x1 = np.concatenate(cells.step(x[:k], x[k:]))
        x2 = np.concatenate(cells.step(x1[:k], x1[k:]))
        iterations += 2
        r, v = x1 - x, x2 - 2 * x1 + x
        size = np.sqrt((r @ r) / max(float(v @ v), 1e-300))
        x, reached = x2, None
        if size > 1:
            far = np.clip(x1 - r + 2 * size * r + size**2 * v, _EDGE, 1 - _EDGE)
            far = np.concatenate(cells.step(far[:k], far[k:]))  # an extrapolation is only as good as its next step
            iterations += 1
            height = cells.log_likelihood(far[:k], far[k:])
            if height >= best:
                x, reached = far, height
        best = cells.log_likelihood(x[:k], x[k:]) if reached is None else reached
    return x[:k], x[k:], iterations


class _Curvature(NamedTuple):
    """The profile likelihood of log θ around a point, γ maximised out."""

    score: Array
    """Of each cell, by log p."""
    bread: Array
    """Inverse of the information; the first position is fixed."""
    distance: float
    theta_step: Array
    """Of log θ, to the maximum of the parabola."""

    @classmethod
    def at(cls, cells: _Cells, theta: Array, gamma: Array) -> _Curvature:
        k = len(theta)
        slot, pair = cells.slot, cells.pair
        p = theta[slot] * gamma[pair]
        score = (cells.clicks - (cells.clicks + cells.missed) * p) / (1 - p)
        weight = cells.missed * p / (1 - p) ** 2
        total = np.bincount(pair, weight)
        follow = np.where(total > 0, 1 / np.maximum(total, 1e-300), 0.0)
        left = np.bincount(pair, score) * follow  # what a better log γ would still take up
        # what is clicked nearly always is held by p <= 1, and its γ does not follow θ
        held = np.log(gamma * float(theta.max())) + left >= 0
        follow[held] = left[held] = 0
        information = np.diag(np.bincount(slot, weight - weight**2 * follow[pair], k))
        for a, b in cell_pairs(pair):
            shared = weight[a] * weight[b] * follow[pair[a]]
            cross = np.bincount(slot[a] * k + slot[b], shared, k * k).reshape(k, k)
            information -= cross + cross.T
        bread = np.zeros((k, k))
        bread[1:, 1:] = np.linalg.pinv(information[1:, 1:], hermitian=True)
        slope = np.bincount(slot, score - weight * left[pair], k)
        step = bread @ slope
        return cls(
            score=score,
            bread=bread,
            distance=float(np.sqrt(max(float(slope @ step), 0.0))),
            theta_step=step,
        )


def _newton(cells: _Cells, theta: Array, gamma: Array, here: _Curvature) -> tuple[Array, Array]:
    """One step of Newton's method where it raises the likelihood, none where it does not.

    EM gets near the maximum quickly and then crawls; Newton's method is the other way round.
    """
    new_theta = theta * np.exp(np.clip(here.theta_step, -1, 1))
    new_theta = np.clip(new_theta / float(new_theta.max()), _EDGE, 1 - _EDGE)
    new_gamma = _best_gamma(cells, new_theta, gamma * theta[0] / new_theta[0])
    if cells.log_likelihood(new_theta, new_gamma) < cells.log_likelihood(theta, gamma):
        return theta, gamma
    return new_theta, new_gamma


def _best_gamma(cells: _Cells, theta: Array, gamma: Array, steps: int = 8) -> Array:
    """γ at its maximum for given θ: the likelihood of a pair is concave in log γ.

    Newton's method between bounds that close in; where it leaves them, the middle.
    """
    t = theta[cells.slot]
    low, high = np.full(len(gamma), np.log(_EDGE)), np.full(len(gamma), np.log(1 - _EDGE))
    x = np.clip(np.log(gamma), low, high)
    for _ in range(steps):
        p = t * np.exp(x)[cells.pair]
        odds = cells.missed / (1 - p) * p
        slope = np.bincount(cells.pair, cells.clicks - odds, len(x))
        bend = np.bincount(cells.pair, odds / (1 - p), len(x))
        low, high = np.where(slope > 0, x, low), np.where(slope < 0, x, high)
        after = x + slope / np.maximum(bend, 1e-300)
        x = np.where((after >= low) & (after <= high), after, np.where(bend > 0, (low + high) / 2, high))
    return np.asarray(np.exp(x))
