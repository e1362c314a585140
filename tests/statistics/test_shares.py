"""Shares and their differences: exact limits against the beta distribution, differences that cover what is so."""

from __future__ import annotations

from math import comb, hypot, isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from rankgauge.errors import ParameterError
from rankgauge.statistics.shares import clopper_pearson, difference_of_shares


@given(st.integers(0, 400), st.integers(1, 400), st.sampled_from([0.5, 0.8, 0.95, 0.999]))
def test_limits_are_quantiles_of_the_beta_distribution(k: int, n: int, level: float):
    k, tail = min(k, n), (1 - level) / 2

    low, high = clopper_pearson(k, n, level)

    assert low == pytest.approx(beta.ppf(tail, k, n - k + 1) if k else 0.0, abs=1e-12)
    assert high == pytest.approx(beta.ppf(1 - tail, k + 1, n - k) if k < n else 1.0, abs=1e-12)


def test_at_the_limits_what_was_seen_is_as_rare_as_the_level_says():
    low, high = clopper_pearson(7, 20)

    def chance(p: float, some: range) -> float:
        return sum(comb(20, i) * p**i * (1 - p) ** (20 - i) for i in some)

    assert chance(low, range(7, 21)) == pytest.approx(0.025)
    assert chance(high, range(8)) == pytest.approx(0.025)


def test_many_and_few():
    low, high = clopper_pearson(500_000, 1_000_000)

    assert (low, high) == pytest.approx(beta.ppf([0.025, 0.975], [500_000, 500_001], [500_001, 500_000]), abs=1e-9)
    assert clopper_pearson(0, 1) == (0.0, pytest.approx(0.975))
    assert clopper_pearson(1, 1) == (pytest.approx(0.025), 1.0)
    assert all(map(isnan, clopper_pearson(0, 0)))


def test_a_difference_is_that_of_both_limits():
    (l1, u1), (l2, u2) = clopper_pearson(8, 10), clopper_pearson(3, 12)

    low, high = difference_of_shares(8, 10, 3, 12)

    assert (low, high) == pytest.approx((0.55 - hypot(0.8 - l1, u2 - 0.25), 0.55 + hypot(u1 - 0.8, 0.25 - l2)))


def test_of_nobody_no_difference_is_known_and_none_is_beyond_one():
    assert all(map(isnan, difference_of_shares(0, 0, 1, 2)))
    assert all(map(isnan, difference_of_shares(1, 2, 0, 0)))
    assert difference_of_shares(5, 5, 0, 5).high == 1.0
    assert difference_of_shares(0, 5, 5, 5).low == -1.0


def test_three_against_three_are_not_enough_and_thirty_are():
    assert difference_of_shares(3, 3, 0, 3).low < 0 < difference_of_shares(30, 30, 0, 30).low


def test_a_level_that_is_none_is_refused():
    with pytest.raises(ParameterError, match="confidence_level"):
        clopper_pearson(1, 2, 1.0)


@pytest.mark.long("every outcome of two groups, for many true shares", ci=True)
@pytest.mark.parametrize(
    ("n1", "n2", "least"), [(1, 1, 0.9), (3, 3, 0.9), (2, 20, 0.95), (5, 20, 0.95), (12, 9, 0.95), (40, 15, 0.95)]
)
def test_the_interval_of_a_difference_covers_it_as_often_as_it_says(n1: int, n2: int, least: float):
    ends = {(a, b): difference_of_shares(a, n1, b, n2) for a in range(n1 + 1) for b in range(n2 + 1)}
    worst, size = 1.0, 0.0
    for p in np.linspace(0.02, 0.98, 25):
        for q in np.linspace(0.02, 0.98, 25):
            first = [comb(n1, a) * p**a * (1 - p) ** (n1 - a) for a in range(n1 + 1)]
            second = [comb(n2, b) * q**b * (1 - q) ** (n2 - b) for b in range(n2 + 1)]
            held = sum(first[a] * second[b] for (a, b), (low, high) in ends.items() if low <= p - q <= high)
            worst = min(worst, held)
            if p == q:
                size = max(
                    size, sum(first[a] * second[b] for (a, b), (low, high) in ends.items() if low > 0 or high < 0)
                )

    assert worst >= least
    assert size <= 0.05
