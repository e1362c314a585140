"""What to think of a (query, item) pair with little or no evidence.

Most queries of a log are rare. A pair with c successes in n trials gets the posterior mean under a Beta prior,

    (c + s·m) / (n + s),   m the prior mean, s its strength in trials

`prior` says where m and s come from:

- "item" (the default): m is the rate of the same item under all *other* queries, itself drawn towards the overall rate;
- "global": m is the overall rate of the model's data;
- (a, b): Beta(a, b) for every pair;
- None: none, c / n alone: maximum likelihood. A rate may be 0 or 1, and a click that was never seen before is then
  impossible (log-likelihood -inf). A pair without trials still gets the overall rate: there is nothing else.

For the first two, s is estimated by the method of moments of the beta-binomial distribution (Kleinman, JASA 1973): with
r = c/n, N = Σn, m = Σc/N over J pairs,

    ρ = (Σ n(r - m)² / (m(1-m)) - (J-1)) / Σ (n-1)(1 - n/N),   s = 1/ρ - 1, kept within 0.5 and 1000

and s = 2 where that cannot be computed. Another query with n trials counts for n·s/(n+s) of them in the item's mean, so
one large query never speaks for all; a pair is left out of its own prior, so nothing is counted twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankgauge._numbers import short
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.errors import ParameterError

__all__ = ["Beta", "Prior", "Rates", "beta_prior", "check_prior", "describe", "moments_strength"]

Prior = str | tuple[float, float] | None

_WORDS = ("item", "global")
_STRENGTH = (0.5, 1000.0)
_USUAL = 2.0


@dataclass(frozen=True, eq=False)
class Rates:
    """A probability per pair, and what stands in for pairs that were not there."""

    value: Array
    """(pairs,)"""
    item: Array
    """(items,): for an item under a query it was not seen with."""
    overall: float
    """For an item that was not seen at all."""
    successes: Array
    """(pairs,): clicks, or what the model counts; expected numbers where they were not observed."""
    trials: Array

    @cached_property
    def table(self) -> Array:
        """Values by cell: pairs, items, anything else, and 0 for no item."""
        return np.concatenate([self.value, self.item, [self.overall, 0.0]])

    def scaled(self, factor: float) -> Rates:
        """All of them times the same number."""
        return Rates(self.value * factor, self.item * factor, self.overall * factor, self.successes, self.trials)


@dataclass(frozen=True, eq=False)
class Beta:
    """A Beta prior of each pair: `strength` trials, of which a share `mean` are successes."""

    strength: float
    mean: Array
    item: Array
    overall: float

    def rates(self, successes: Array, trials: Array) -> Rates:
        """Posterior means."""
        below = trials + self.strength
        value = np.where(below > 0, (successes + self.strength * self.mean) / np.where(below > 0, below, 1), self.mean)
        return Rates(value, self.item, self.overall, successes, trials)

    def log_density(self, value: Array) -> float:
        """Of the values, without constants; the posterior mean above is where its sum with the likelihood peaks."""
        if not self.strength:
            return 0.0
        return self.strength * float(np.sum(self.mean * np.log(value) + (1 - self.mean) * np.log1p(-value)))


def check_prior(prior: Prior) -> None:
    """Is it one of the words, two positive numbers, or None?"""
    if prior is None or (isinstance(prior, str) and prior in _WORDS):
        return
    if isinstance(prior, tuple) and len(prior) == 2 and all(isinstance(x, (int, float)) and x > 0 for x in prior):
        return
    raise ParameterError(
        Text(
            f"click model: `prior` must be 'item', 'global', two positive numbers (a, b) or None, got {show(prior)}.",
            f"点击模型：`prior` 必须是 'item'、'global'、两个正数 (a, b) 或 None，实际为 {show(prior)}。",
        )
    )


def describe(prior: Prior) -> str:
    """As text for records."""
    return (
        prior if isinstance(prior, str) else "none" if prior is None else f"Beta({short(prior[0])}, {short(prior[1])})"
    )


def beta_prior(prior: Prior, successes: Array, trials: Array, item: Array, n_items: int) -> Beta:
    """The prior of each pair, from the counts of all; `item` is the item of each pair."""
    check_prior(prior)
    overall = float((successes.sum() + 0.5) / (trials.sum() + 1))
    if isinstance(prior, tuple):
        strength, overall = float(sum(prior)), prior[0] / sum(prior)
    else:
        strength = 0.0 if prior is None else moments_strength(successes, trials)
    if prior != "item":
        return Beta(strength, np.full(len(item), overall), np.full(n_items, overall), overall)
    worth = trials * strength / (trials + strength)
    good = worth * np.divide(successes, trials, out=np.zeros(len(item)), where=trials > 0)
    all_worth = np.bincount(item, weights=worth, minlength=n_items)
    all_good = np.bincount(item, weights=good, minlength=n_items)
    # differences of sums: what is left of a single query is rounding, not evidence
    others_worth = np.maximum(all_worth[item] - worth, 0)
    others_good = np.clip(all_good[item] - good, 0, others_worth)
    return Beta(
        strength,
        (others_good + strength * overall) / (others_worth + strength),
        (all_good + strength * overall) / (all_worth + strength),
        overall,
    )


def moments_strength(successes: Array, trials: Array) -> float:
    """The strength s of the Beta distribution that rates of pairs come from."""
    c, n = successes[trials > 0], trials[trials > 0]
    total = float(n.sum())
    mean = float(c.sum()) / total if total else 0.0
    room = float(np.sum(np.maximum(n - 1, 0) * (1 - n / total))) if total else 0.0
    if not 0 < mean < 1 or room <= 0:
        return _USUAL
    spread = float(np.sum(n * (c / n - mean) ** 2)) / (mean * (1 - mean))
    correlation = (spread - (len(n) - 1)) / room
    low, high = _STRENGTH
    return high if correlation <= 1 / (high + 1) else max(1 / correlation - 1, low)
