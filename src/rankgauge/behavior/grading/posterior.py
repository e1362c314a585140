"""What is the rate of an item, when it was seen ten times?

Each examined impression i of an item has a value v_i from 0 (nothing followed) to 1 (the best event). With n
impressions and s = Σ v_i, and a Beta(a, b) prior on the rate,

    posterior mean = (a + s) / (a + b + n),     interval: quantiles of Beta(a + s, b + n - s)

For values other than 0 and 1 the interval is on the safe side: of all values with the same mean on [0, 1], those of 0
and 1 vary most.

The prior comes from the items of the same query (empirical Bayes, by the moments of a one-way analysis of variance):

    m  = S / N                                    S = Σ s, N = Σ n over the k items of the query
    σ² = Σ (Σ v² - s²/n) / (N - k)                within items
    τ² = (Σ s²/n - S²/N - (k - 1) σ²) / (N - Σ n²/N)     between items
    a + b = m (1 - m) / τ² - 1,   a = m (a + b)

held between 1 and 1,000 impressions. A query with fewer than five items, without an event, or whose items do not differ
by more than chance (τ² <= 0) takes the prior of the whole log, which is the same formula over all pairs. Where those do
not differ by more than chance either, it is worth 1,000 impressions: τ² → 0 means a + b → ∞. Only where every
impression is worth the same (no event at all) it is Beta(½, ½) (Jeffreys).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgauge._show import show
from rankgauge.alignment import Array
from rankgauge.errors import ParameterError

__all__ = ["JEFFREYS", "Priors", "Tallies", "check_prior", "interval", "posterior_mean", "priors"]

JEFFREYS = (0.5, 0.5)
LEAST_ITEMS = 5
STRENGTH = (1.0, 1_000.0)


@dataclass(frozen=True)
class Tallies:
    """Of each pair: examined impressions, the sum of their values and of the squares, the number of the query."""

    n: Array
    total: Array
    squares: Array
    query: Array


@dataclass(frozen=True)
class Priors:
    """The Beta prior of each pair."""

    a: Array
    b: Array
    log: tuple[float, float] | None
    """That of the whole log; None where there is none."""
    own: int = 0
    """Queries with a prior of their own."""
    is_chance: bool = False
    """Whether items do not differ by more than chance over the whole log."""


def check_prior(prior: Any) -> None:
    if prior is None or prior == "query":
        return
    is_pair = isinstance(prior, (tuple, list)) and len(prior) == 2
    if not is_pair or not all(isinstance(p, (int, float)) and np.isfinite(p) and p > 0 for p in prior):
        raise ParameterError(f"`prior` must be 'query', two positive numbers (a, b) or None, got {show(prior)}.")


def priors(tallies: Tallies, prior: Any) -> Priors:
    """The prior of each pair: `query`, (a, b) for all, or none (a = b = 0)."""
    shape = len(tallies.n)
    if prior is None:
        return Priors(np.zeros(shape), np.zeros(shape), None)
    if prior != "query":
        one, other = float(prior[0]), float(prior[1])
        return Priors(np.full(shape, one), np.full(shape, other), (one, other))
    seen = tallies.n > 0
    kept = Tallies(tallies.n[seen], tallies.total[seen], tallies.squares[seen], tallies.query[seen])
    log, is_chance = _of_log(kept)
    a, b, ok = _moments(kept, int(tallies.query.max(initial=-1)) + 1)
    a, b = np.where(ok, a, log[0]), np.where(ok, b, log[1])
    return Priors(a[tallies.query], b[tallies.query], log, int(ok.sum()), is_chance)


def _of_log(t: Tallies) -> tuple[tuple[float, float], bool]:
    a, b, ok = _moments(Tallies(t.n, t.total, t.squares, np.zeros(len(t.n), np.int64)))
    if ok[0]:
        return (float(a[0]), float(b[0])), False
    mean = t.total.sum() / max(t.n.sum(), 1.0)
    if not 0 < mean < 1:
        return JEFFREYS, False
    return (float(mean * STRENGTH[1]), float((1 - mean) * STRENGTH[1])), True


def _moments(t: Tallies, groups: int = 1) -> tuple[Array, Array, Array]:
    """a, b of each group of pairs, and whether they could be told."""

    def summed(values: Array) -> Array:
        return np.bincount(t.query, values, groups)

    k, n, s = summed(np.ones(len(t.n))), summed(t.n), summed(t.total)
    with np.errstate(all="ignore"):
        mean = s / n
        own = summed(t.total**2 / t.n)
        within = (summed(t.squares) - own) / (n - k)
        between = (own - s**2 / n - (k - 1) * within) / (n - summed(t.n**2) / n)
        strength = mean * (1 - mean) / between - 1
        ok = (k >= LEAST_ITEMS) & (mean > 0) & (mean < 1) & (between > 0) & np.isfinite(strength)
    strength = np.clip(np.where(ok, strength, 1.0), *STRENGTH)
    mean = np.where(ok, mean, 0.5)
    return mean * strength, (1 - mean) * strength, ok


def posterior_mean(tallies: Tallies, prior: Priors) -> Array:
    """The raw rate where there is no prior; NaN where nothing was examined either."""
    with np.errstate(all="ignore"):
        found: Array = (prior.a + tallies.total) / (prior.a + prior.b + tallies.n)
    return found


def interval(tallies: Tallies, prior: Priors, confidence_level: float = 0.95) -> tuple[Array, Array]:
    """Equal-tailed quantiles; where there is no prior, those under Jeffreys' one."""
    from scipy.special import betaincinv  # type: ignore[import-untyped]

    none = (prior.a + prior.b) == 0
    a = np.where(none, JEFFREYS[0], prior.a) + tallies.total
    b = np.where(none, JEFFREYS[1], prior.b) + np.maximum(tallies.n - tallies.total, 0.0)
    tail = (1 - confidence_level) / 2
    return betaincinv(a, b, tail), betaincinv(a, b, 1 - tail)
