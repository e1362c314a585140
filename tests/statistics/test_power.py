"""Planned power is what simulations find."""

from __future__ import annotations

from math import inf, isnan, sqrt

import numpy as np
import pytest
from scipy import stats

from rankgauge.errors import ParameterError
from rankgauge.statistics.flips import randomisation
from rankgauge.statistics.paired import paired_t
from rankgauge.statistics.power import detectable, needed, power_of, provable_margin


@pytest.mark.parametrize("alpha", [0.05, 0.01])
@pytest.mark.parametrize("effect", [0.0, 0.1, 0.5, 1.2])
@pytest.mark.parametrize("n", [3, 10, 11, 50, 302, 20_000])
def test_power_is_the_noncentral_t(n: int, effect: float, alpha: float):
    """SciPy says NaN where the far tail is nothing."""
    df, nc = n - 1, effect * sqrt(n)
    two, one = stats.t.ppf(1 - alpha / 2, df), stats.t.ppf(1 - alpha, df)

    assert power_of(n, 2 * effect, 2.0, alpha) == pytest.approx(
        stats.nct.sf(two, df, nc) + np.nan_to_num(stats.nct.cdf(-two, df, nc)), abs=1e-8
    )
    assert power_of(n, -2 * effect, 2.0, alpha) == pytest.approx(power_of(n, 2 * effect, 2.0, alpha))
    assert power_of(n, 2 * effect - 0.3, 2.0, alpha, margin=0.3) == pytest.approx(stats.nct.sf(one, df, nc), abs=1e-8)


def test_published_table():
    """Cohen's d = 0.5, two-sided 5%, 80%: 34 pairs (Cohen 1988; G*Power)."""
    assert needed(0.5, 1) == 34
    assert needed(0.2, 1) == 199
    assert needed(0.8, 1) == 15


def test_no_difference_has_the_power_of_chance():
    assert power_of(30, 0, 1, 0.05) == pytest.approx(0.05)
    assert power_of(30, -0.1, 1, 0.05, margin=0.1) == pytest.approx(0.05)


@pytest.mark.parametrize("margin", [None, 0.02])
@pytest.mark.parametrize("n", [2, 5, 50, 200, 5000])
def test_detectable_has_the_power(n: int, margin: float | None):
    found = detectable(n, 0.3, 0.05, 0.9, margin=margin)

    assert power_of(n, found, 0.3, 0.05, margin=margin) == pytest.approx(0.9, abs=1e-9)


@pytest.mark.parametrize("margin", [None, 0.02])
@pytest.mark.parametrize("difference", [0.5, 0.1, 0.013, 0.002])
def test_needed_is_the_smallest(difference: float, margin: float | None):
    n = int(needed(difference, 0.1, power=0.8, margin=margin))

    assert power_of(n, difference, 0.1, margin=margin) >= 0.8
    assert n == 2 or power_of(n - 1, difference, 0.1, margin=margin) < 0.8
    assert detectable(n, 0.1, margin=margin) <= difference


def test_needed_and_detectable_are_each_other():
    assert needed(detectable(123, 0.2) * (1 + 1e-9), 0.2) == 123


def test_margin_equal_systems():
    margin = provable_margin(150, 0.1)

    assert power_of(150, 0.0, 0.1, margin=margin) == pytest.approx(0.8)
    assert needed(0.0, 0.1, margin=margin * (1 + 1e-9)) == 150
    assert detectable(150, 0.1, margin=2 * margin) == pytest.approx(-margin)


def test_edges():
    assert isnan(power_of(1, 0.1, 1))
    assert isnan(detectable(1, 1))
    assert isnan(needed(float("nan"), 1))
    assert needed(0, 1) == inf
    assert needed(-0.05, 1, margin=0.02) == inf
    assert needed(-0.1, 1) == needed(0.1, 1)
    assert needed(0.1, 0) == 2
    assert detectable(10, 0) == 0
    assert detectable(10, 1, alpha=0.2, power=0.1) == 0
    assert [power_of(5, d, 0) for d in (0, 0.1, -0.1)] == [0, 1, 1]
    assert [power_of(5, d, 0, margin=0.1) for d in (0, -0.1, -0.2)] == [1, 0, 0]
    assert power_of(100, 50, 1) == 1


@pytest.mark.parametrize("wrong", [{"sd": -1.0}, {"sd": float("nan")}, {"alpha": 0.0}, {"alpha": 5.0}, {"power": 1.0}])
def test_wrong_arguments(wrong: dict[str, float]):
    with pytest.raises(ParameterError, match=f"`{next(iter(wrong))}` must be"):
        detectable(**{"n": 10, "sd": 1.0, **wrong})


@pytest.mark.parametrize("n", [50, 200])
def test_planned_power_is_found(n: int):
    """Differences that are zero for a third of the queries, planned for 80%: within five points by both tests."""
    g = np.random.default_rng(n)
    noise = g.laplace(0, 1, (n, 1500)) * (g.random((n, 1500)) < 2 / 3)
    sd = sqrt(2 / 3 * 2)
    d = noise + detectable(n, sd)

    assert np.mean(paired_t(d) < 0.05) == pytest.approx(0.8, abs=0.05)
    assert np.mean(randomisation(d, permutations=999) < 0.05) == pytest.approx(0.8, abs=0.05)


@pytest.mark.parametrize("n", [50, 200])
def test_planned_power_of_non_inferiority_is_found(n: int):
    margin = provable_margin(n, 0.1)
    d = np.random.default_rng(n).normal(0, 0.1, (n, 1500))

    assert np.mean(paired_t(d + margin, alternative="greater") < 0.05) == pytest.approx(0.8, abs=0.05)
    found = randomisation(d, permutations=999, alternative="greater", shift=margin)
    assert np.mean(found < 0.05) == pytest.approx(0.8, abs=0.05)


def test_a_spread_beyond_all_queries_needs_infinitely_many():
    assert needed(0.02, 1e308) == inf
    assert 1e17 < needed(1.0, 1.5e8) < 1e18  # ((1.96 + 0.84) * 1.5e8)²
