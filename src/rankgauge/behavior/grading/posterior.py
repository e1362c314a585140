"""What is the rate of an item, when it was seen ten times?

Each examined impression i of an item has a value v_i from 0 (nothing followed) to 1 (the best event). With n
impressions and s = Σ v_i, and a Beta(a, b) prior on the rate,

    posterior mean = (a + s) / (a + b + n),     interval: quantiles of Beta(a + s, b + n - s)

For values other than 0 and 1 the interval is on the safe side: of all values with the same mean on [0, 1], those of 0
and 1 vary most.

The prior comes from the log itself (empirical Bayes). Rates differ between queries and, inside a query, between items;
the variances are those of a nested analysis of variance over K pairs and Q queries with N impressions, S_q and N_q
being sums of a query:

    σ² = Σ (Σ v² - s²/n) / (N - K)                                                  of one impression
    τ² = (Σ s²/n - Σ_q S_q²/N_q - (K - Q) σ²) / (N - Σ_q Σ n²/N_q)                  of items inside a query

    a + b = σ² / τ²,  held between 1 and 1,000,000 impressions
    a / (a + b) = the mean of the query, drawn towards that of the log as far as the query was seen little

Weights of items in the mean of their query are 1 / (τ² + σ²/n), its variance V_q is one over their sum. The variance of
queries, ω², is that of DerSimonian & Laird (1986), and the mean of the prior (ω² m_q + V_q m) / (ω² + V_q). Where means
of queries differ by no more than chance (Cochran's Q at 5%), ω² is 0: all have the mean of the log, and the order of
equally often seen items over all queries is that of their rates.

One strength for the whole log, because that of a single query rests on the few items it has: where it is 0 by chance or
huge by chance, grades are too. τ² <= 0 says that items inside queries do not differ by more than chance; the prior is
then as strong as it gets. Where no query has two items, all pairs count as items of one. Only where every impression is
worth nothing, or all (no event, nothing but the best event), it is Beta(½, ½) (Jeffreys).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgauge._checks import is_number
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.errors import ParameterError

__all__ = ["JEFFREYS", "Priors", "Tallies", "check_prior", "interval", "posterior_mean", "priors"]

JEFFREYS = (0.5, 0.5)
STRENGTH = (1.0, 1_000_000.0)
QUERIES_DIFFER = 0.05  # level of the test whether queries do


@dataclass(frozen=True)
class Tallies:
    """Of each pair: examined impressions, the sum of their values and of the squares, the number of the query."""

    n: Array
    total: Array
    squares: Array
    query: Array

    def of(self, kept: Array) -> Tallies:
        """Those of some pairs; queries keep their numbers."""
        return Tallies(self.n[kept], self.total[kept], self.squares[kept], self.query[kept])


@dataclass(frozen=True)
class Priors:
    """The Beta prior of each pair."""

    a: Array
    b: Array
    log: tuple[float, float] | None
    """That of the whole log; None where there is none."""
    is_chance: bool = False
    """Whether items of the same query do not differ by more than chance over the whole log."""

    @property
    def strength(self) -> Array:
        """As many impressions weigh as much; 0 where there is no prior."""
        return self.a + self.b

    @property
    def mean(self) -> Array:
        """NaN where there is no prior."""
        with np.errstate(invalid="ignore"):
            found: Array = self.a / (self.a + self.b)
        return found


def check_prior(prior: Any) -> None:
    if prior is None or prior == "query":
        return
    is_pair = isinstance(prior, (tuple, list)) and len(prior) == 2
    if not is_pair or not all(is_number(p) and p > 0 for p in prior):
        raise ParameterError(
            Text(
                f"`prior` must be 'query', two positive numbers (a, b) or None, got {show(prior)}.",
                f"`prior` 必须是 'query'、两个正数 (a, b) 或 None，实际为 {show(prior)}。",
            )
        )


def priors(tallies: Tallies, prior: Any) -> Priors:
    """The prior of each pair: `query`, (a, b) for all, or none (a = b = 0)."""
    shape = len(tallies.n)
    if prior is None:
        return Priors(np.zeros(shape), np.zeros(shape), None)
    if prior != "query":
        return _same(tallies, float(prior[0]), float(prior[1]))
    kept = tallies.of(tallies.n > 0)
    if not len(kept.n) or not 0 < kept.total.sum() < kept.n.sum():
        return _same(tallies, *JEFFREYS)
    queries = int(tallies.query.max()) + 1
    impression, item = _variances(kept)
    strength = float(np.clip(impression / item, *STRENGTH)) if item > 0 else STRENGTH[1]
    mean, overall = _means(kept, queries, impression, max(item, 0.0))
    of_pair = mean[tallies.query]
    return Priors(
        of_pair * strength,
        (1 - of_pair) * strength,
        (overall * strength, (1 - overall) * strength),
        is_chance=item <= 0,
    )


def _same(tallies: Tallies, a: float, b: float) -> Priors:
    shape = len(tallies.n)
    return Priors(np.full(shape, a), np.full(shape, b), (a, b))


def _variances(t: Tallies) -> tuple[float, float]:
    """σ² of an impression, τ² of items inside a query."""
    items, n = len(t.n), t.n.sum()
    query = np.unique(t.query, return_inverse=True)[1]
    if len(query) == query.max() + 1:
        query = np.zeros(items, np.int64)
    size, total = np.bincount(query, t.n), np.bincount(query, t.total)
    own, inside = (t.total**2 / t.n).sum(), (total**2 / size).sum()
    # Where each pair was seen once, nothing tells items from impressions: all of it is of impressions.
    once = t.squares.sum() / n - (t.total.sum() / n) ** 2
    impression = (t.squares.sum() - own) / (n - items) if n > items else once
    freedom = n - (np.bincount(query, t.n**2) / size).sum()
    if freedom <= 0:  # one pair
        return float(impression), 0.0
    item = (own - inside - (items - len(size)) * impression) / freedom
    # What is left of a difference that is none.
    return float(max(impression, 0.0)), float(item) if item > 1e-12 * own / n else 0.0


def _means(t: Tallies, queries: int, impression: float, item: float) -> tuple[Array, float]:
    """The mean of the prior of each query, and that of the log."""
    from scipy.special import chdtrc  # type: ignore[import-untyped]

    plain = float(t.total.sum() / t.n.sum())
    if impression + item == 0:
        return np.full(queries, plain), plain
    weight = t.n / (impression + t.n * item)
    whole = np.bincount(t.query, weight, queries)
    there = whole > 0  # queries in which nothing was examined have no mean
    found = np.bincount(t.query, weight * t.total / t.n, queries)[there] / whole[there]
    precision = whole[there]
    overall = (precision * found).sum() / precision.sum()
    spread, freedom = float((precision * (found - overall) ** 2).sum()), int(there.sum()) - 1
    between = 0.0
    if freedom > 0 and chdtrc(freedom, spread) < QUERIES_DIFFER:
        between = max(0.0, (spread - freedom) / (precision.sum() - (precision**2).sum() / precision.sum()))
        of_query = 1 / (between + 1 / precision)
        overall = (of_query * found).sum() / of_query.sum()
    mean = np.full(queries, overall)
    mean[there] = (between * found * precision + overall) / (between * precision + 1)
    return mean, float(overall)


def posterior_mean(tallies: Tallies, prior: Priors) -> Array:
    """The raw rate where there is no prior; NaN where nothing was examined either."""
    with np.errstate(all="ignore"):
        found: Array = (prior.a + tallies.total) / (prior.a + prior.b + tallies.n)
    return found


def interval(tallies: Tallies, prior: Priors, confidence_level: float = 0.95) -> tuple[Array, Array]:
    """Equal-tailed quantiles; where there is no prior, those under Jeffreys' one."""
    from scipy.special import betaincinv

    none = (prior.a + prior.b) == 0
    a = np.where(none, JEFFREYS[0], prior.a) + tallies.total
    b = np.where(none, JEFFREYS[1], prior.b) + np.maximum(tallies.n - tallies.total, 0.0)
    tail = (1 - confidence_level) / 2
    return betaincinv(a, b, tail), betaincinv(a, b, 1 - tail)
