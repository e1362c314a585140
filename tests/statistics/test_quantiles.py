"""Quantiles by order statistics: against the definition, and against exact binomial sums."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgauge.statistics.quantiles import quantile, quantile_interval, quantile_shares


def binomial(n: int, p: float, upto: int) -> float:
    """P(B ≤ upto), summed up."""
    return math.fsum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(upto + 1))


@given(st.lists(st.floats(0, 100), min_size=1, max_size=30), st.sampled_from([0.01, 0.25, 0.5, 0.9, 0.95, 0.99]))
def test_quantile_is_the_smallest_value_that_enough_do_not_exceed(values, p):
    def enough(x: float) -> bool:
        return sum(v <= x for v in values) >= p * len(values) - 1e-9

    assert quantile(np.array(values), p) == min(v for v in values if enough(v))


@pytest.mark.parametrize(("n", "p"), [(5, 0.5), (6, 0.5), (20, 0.95), (100, 0.5), (200, 0.95), (500, 0.99), (40, 0.1)])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_ends_are_the_narrowest_that_leave_half_of_the_risk_on_each_side(n, p, level):
    tail = (1 - level) / 2
    low = max(i for i in range(n + 1) if i == 0 or binomial(n, p, i - 1) <= tail)  # P(B < i)
    high = min((i for i in range(1, n + 1) if 1 - binomial(n, p, i - 1) <= tail), default=math.inf)  # P(B ≥ i)
    found = quantile_interval(np.arange(1.0, n + 1), p, level)

    assert found == (low if low else -math.inf, high)


def test_many_values_need_no_long_sums():
    found = quantile_interval(np.arange(1.0, 1_000_001), 0.95)
    half = 1.96 * math.sqrt(1e6 * 0.95 * 0.05)

    assert found == pytest.approx((950_000 - half, 950_000 + half), abs=5)


def test_intervals_hold_the_quantile_at_least_as_often_as_they_say():
    rng = np.random.default_rng(5)
    truth = -math.log(0.05)  # p95 of an exponential distribution
    inside = 0
    for _ in range(400):
        low, high = quantile_interval(rng.exponential(size=150), 0.95)
        inside += low <= truth <= high

    assert inside / 400 >= 0.93


def test_shares_have_the_quantile_as_their_mean_and_its_error():
    rng = np.random.default_rng(6)
    n, p = 2000, 0.9
    errors = [quantile_shares(rng.exponential(size=n), p).std(ddof=1) / math.sqrt(n) for _ in range(20)]
    density = 1 - p  # of the exponential distribution at its p-quantile
    x = rng.exponential(size=n)

    assert quantile_shares(x, p).mean() == pytest.approx(quantile(x, p))
    assert np.mean(errors) == pytest.approx(math.sqrt(p * (1 - p) / n) / density, rel=0.15)


def test_paired_shares_know_that_two_systems_are_slow_on_the_same_queries():
    rng = np.random.default_rng(7)
    truth, found = [], []
    for _ in range(200):
        query = rng.exponential(size=400)
        a, b = query + rng.exponential(0.1, 400), query + rng.exponential(0.1, 400)
        truth.append(quantile(b, 0.9) - quantile(a, 0.9))
        found.append((quantile_shares(b, 0.9) - quantile_shares(a, 0.9)).std(ddof=1) / math.sqrt(400))

    assert np.mean(found) == pytest.approx(np.std(truth), rel=0.3)


def test_a_tail_that_is_not_reached_has_no_end_and_no_shares():
    x = np.arange(1.0, 21.0)

    assert quantile_interval(x, 0.99) == (quantile_interval(x, 0.99).low, math.inf)
    assert np.isnan(quantile_shares(x, 0.99)).all()


def test_nothing_has_no_quantile():
    assert math.isnan(quantile(np.zeros(0), 0.5))
    assert math.isnan(quantile_interval(np.zeros(0), 0.5).low)


@pytest.mark.parametrize(("p", "n"), [(0.95, 72), (0.99, 368)])
def test_as_many_values_as_pages_say_reach_beyond_a_percentile(p, n):
    assert p**n <= 0.025 < p ** (n - 1)
    assert math.isfinite(quantile_interval(np.arange(1.0, n + 1), p).high)
    assert math.isinf(quantile_interval(np.arange(1.0, n), p).high)
