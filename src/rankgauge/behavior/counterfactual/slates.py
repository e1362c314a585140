"""The sums behind off-policy estimates, for single items and for lists alike.

A log of single items is a log of lists with one place. With n requests, n_k of them with a place k, and v_k the
self-normalised value at k,

    IIPS       (1/n) Σ_i Σ_k w_ik r_ik
    SNIIPS     Σ_k (n_k/n) v_k,   v_k = Σ_i w_ik r_ik / Σ_i w_ik
    influence  Σ_k [ (n_k/n) w_ik (r_ik - v_k) / W_k  +  v_k 1(i has k)/n ] - v/n

so that an estimate is a value and one number per row, which add up by user to independent parts. Positions are
normalised each by itself: weights have mean 1 at every position, not only over all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rankgauge.alignment import Array
from rankgauge.statistics.exact_sums import exact_sum

__all__ = ["Linear", "Log", "direct", "doubly_robust", "ips", "logging_mean", "snips"]


@dataclass(frozen=True, eq=False)
class Log:
    """Rows with a weight: what was shown, and how much more often the target policy would show it."""

    reward: Array
    weight: Array
    request: Array
    """Whole numbers from 0; the row itself where items were shown alone."""
    place: Array
    """Which of `positions`."""
    positions: Array
    user: Array
    is_slate: bool
    is_clustered: bool
    q: Array | None = None
    expected: Array | None = None

    @classmethod
    def of(
        cls,
        reward: Array,
        weight: Array,
        *,
        request: Array | None = None,
        position: Array | None = None,
        user: Array | None = None,
        q: Array | None = None,
        expected: Array | None = None,
    ) -> Log:
        rows = np.arange(len(reward))
        of_request = rows if request is None else _renumbered(request)
        positions, place = np.unique(np.ones(len(reward), int) if position is None else position, return_inverse=True)
        of_user = of_request if user is None else _renumbered(user)
        return cls(
            reward, weight, of_request, place, positions, of_user, request is not None, user is not None, q, expected
        )

    def clipped(self, clip: float) -> Log:
        return replace(self, weight=np.minimum(self.weight, clip))

    def at(self, k: int) -> Log:
        """The rows at one position, as a log of its own."""
        m = self.place == k
        return Log.of(
            self.reward[m], self.weight[m], user=self.user[m], q=_some(self.q, m), expected=_some(self.expected, m)
        )

    @property
    def rows(self) -> int:
        return len(self.reward)

    @cached_property
    def requests(self) -> int:
        return int(self.request.max()) + 1

    @cached_property
    def users(self) -> int:
        return int(self.user.max()) + 1

    @property
    def n_positions(self) -> int:
        return len(self.positions)

    @cached_property
    def effective(self) -> float:
        """(Σw)² / Σw²: how many rows of equal weight would be as good. Kish (1965)."""
        squares = exact_sum(self.weight**2)
        return exact_sum(self.weight) ** 2 / squares if squares else 0.0

    @cached_property
    def effective_rewards(self) -> float:
        """The same for w r: how many rewards of equal weight the sum of all is worth."""
        terms = np.abs(self.weight * self.reward)
        squares = exact_sum(terms**2)
        return exact_sum(terms) ** 2 / squares if squares else 0.0

    @property
    def largest(self) -> float:
        """Share of the largest weight in the sum of all."""
        total = exact_sum(self.weight)
        return float(self.weight.max()) / total if total else float("nan")

    def mass_clipped(self, clip: float) -> float:
        total = exact_sum(self.weight)
        return exact_sum(np.maximum(self.weight - clip, 0.0)) / total if total else float("nan")

    def mean_weight(self) -> Linear:
        """1 over all rows where propensities are right and everything the target policy shows can be seen."""
        mean = exact_sum(self.weight) / self.rows
        return Linear(mean, (self.weight - mean) / self.rows)


@dataclass(frozen=True, eq=False)
class Linear:
    """A value, and what each row adds to its error."""

    value: float
    influence: Array

    def __sub__(self, other: Linear) -> Linear:
        return Linear(self.value - other.value, self.influence - other.influence)

    def by_user(self, log: Log) -> Array:
        return np.bincount(log.user, self.influence, log.users)


def logging_mean(log: Log) -> Linear:
    """What the logged policy earned itself, per request."""
    return _mean(log, log.reward)


def ips(log: Log) -> Linear:
    return _mean(log, log.weight * log.reward)


def direct(log: Log) -> Linear:
    assert log.expected is not None
    return _mean(log, log.expected)


def doubly_robust(log: Log) -> Linear:
    assert log.expected is not None
    assert log.q is not None
    return _mean(log, log.expected + log.weight * (log.reward - log.q))


def snips(log: Log) -> Linear:
    value, n = 0.0, log.requests
    influence = np.zeros(log.rows)
    for k in range(log.n_positions):
        m = log.place == k
        w, r = log.weight[m], log.reward[m]
        total, share = exact_sum(w), len(w) / n
        if not total:  # the target policy shows nothing that was shown here
            return Linear(float("nan"), np.full(log.rows, float("nan")))
        v = exact_sum(w * r) / total
        value += share * v
        influence[m] = share * w * (r - v) / total + v / n
    return Linear(value, influence - value / n * _share(log))


def _mean(log: Log, terms: Array) -> Linear:
    """Sum of the rows of a request, mean over requests."""
    value = exact_sum(terms) / log.requests
    return Linear(value, terms / log.requests - value / log.requests * _share(log))


def _share(log: Log) -> Array:
    """1 over the length of the row's list: a request has one -v/n, whatever its length."""
    if not log.is_slate:
        return np.ones(log.rows)
    share: Array = 1.0 / np.bincount(log.request)[log.request]
    return share


def _renumbered(codes: Array) -> Array:
    """From 0 without gaps, also after rows were left out."""
    return np.unique(codes, return_inverse=True)[1]


def _some(values: Array | None, rows: Array) -> Array | None:
    return None if values is None else values[rows]
