"""Quantiles by order statistics: against the definition, and against exact binomial sums."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgauge.statistics.quantiles import quantile, quantile_change_shares, quantile_interval, quantile_shares


def binomial(n: int, p: float, upto: int) -> float:
    """P(B ≤ upto), summed up."""
    return math.fsum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(upto + 1))


@given(st.lists(st.floats(0, 100), min_size=1, max_size=30), st.sampled_from([0.01, 0.25, 0.5, 0.9, 0.95, 0.99]))
def test_quantile_is_the_smallest_value_that_enough_do_not_exceed(values, p):
    def enough(x: float) -> bool:
        return sum(v <= x for v in values) >= p * len(values) - 1e-9

    assert quantile(np.array(values), p) == min(v for v in values if enough(v))


@pytest.mark.slow
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


def coverage(n: int, p: float) -> float:
    """How often the interval holds the quantile of any distribution without jumps: P(low ≤ B < high), summed up."""
    low, high = quantile_interval(np.arange(1.0, n + 1), p)
    first = 0 if math.isinf(low) else int(low)
    last = n if math.isinf(high) else int(high) - 1
    return binomial(n, p, last) - (binomial(n, p, first - 1) if first else 0.0)


@pytest.mark.parametrize(("p", "most"), [(0.5, 0.97), (0.95, 0.983)])
def test_from_100_queries_on_intervals_hold_p50_and_p95_as_often_as_pages_say(p, most):
    found = {n: coverage(n, p) for n in range(100, 301)}

    assert min(found.values()) >= 0.95
    assert max(found.values()) <= most
    assert all(found[n] <= 0.98 for n in found if n >= 105)


@pytest.mark.parametrize(
    ("n", "p", "said"), [(100, 0.5, 0.965), (100, 0.95, 0.983), (200, 0.95, 0.967), (500, 0.99, 0.980)]
)
def test_coverage_that_pages_name(n, p, said):
    assert coverage(n, p) == pytest.approx(said, abs=0.0005)


@pytest.mark.parametrize("draw", ["exponential", "standard_cauchy", "lognormal"])
@pytest.mark.parametrize("p", [0.5, 0.95])
def test_whatever_the_distribution_the_truth_is_held_as_often(draw, p):
    """Thousands of samples of 150 queries, and the quantile of a million for the truth."""
    rng = np.random.default_rng(11)
    truth = float(np.quantile(getattr(rng, draw)(size=1_000_000), p))
    held = [
        low <= truth <= high for low, high in (quantile_interval(getattr(rng, draw)(size=150), p) for _ in range(2000))
    ]

    assert np.mean(held) == pytest.approx(coverage(150, p), abs=0.015)


def is_clear(before, after, p):
    shares = quantile_change_shares(before, after, p)
    return abs(shares.mean()) > 1.98 * shares.std(ddof=1) / math.sqrt(len(shares))


@pytest.mark.parametrize(("slow", "p"), [(0.05, 0.95), (0.5, 0.5), (0.04, 0.95), (0.07, 0.95)])
def test_times_in_two_groups_make_no_change_of_one_query(slow, p):
    """A density says nothing at a jump: half of all equal systems were called different."""
    rng = np.random.default_rng(8)
    clear = 0
    for _ in range(60):
        a, b = (np.where(rng.random(100) < slow, 50.0, 10.0) for _ in range(2))
        clear += is_clear(a, b, p)
    assert clear <= 4


def test_one_query_of_a_hundred_is_no_change_of_the_percentile():
    before = np.repeat([10.0, 50.0], [94, 6])
    after = np.repeat([10.0, 50.0], [95, 5])
    shares = quantile_change_shares(before, after, 0.95)
    assert shares.mean() == pytest.approx(-40)
    assert not is_clear(before, after, 0.95)
    assert not is_clear(np.full(100, 10.0) + (np.arange(100) == 7), np.full(100, 10.0), 0.5)


def test_a_change_of_every_query_is_clear():
    rng = np.random.default_rng(9)
    before = rng.lognormal(3, 0.5, 200)
    assert is_clear(before, 0.8 * before, 0.5)
    assert is_clear(before, 0.6 * before, 0.95)
