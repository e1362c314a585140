"""Repeated looks: the detectors against their definitions written naively, and the rates that they promise."""

from __future__ import annotations

from math import exp, inf, isnan, log, nan, pi

import numpy as np
import pytest
from scipy import stats

from rankgauge.errors import ParameterError
from rankgauge.statistics.detectors import (
    BETS,
    Detector,
    deviation,
    log_statistics,
    overdispersion,
    ringing,
    spent,
)

WEEKS = 52


def naive_statistic(zs: list[float]) -> float:
    """M after all looks: over every place where the drop may have begun, the product of what each look pays."""
    total = 0.0
    for bet in BETS:
        for start in range(len(zs)):
            product = 1.0
            for z in zs[start:]:
                product *= exp(-bet * z - bet**2 / 2)
            total += product
    return total / len(BETS)


def naive_since(zs: list[float]) -> int:
    """The start that pays most under any bet."""
    paid = {(start, bet): sum(-bet * z - bet**2 / 2 for z in zs[start:]) for start in range(len(zs)) for bet in BETS}
    return max(paid, key=lambda key: paid[key])[0]


# one detector


@pytest.mark.parametrize("seed", range(5))
def test_statistic_is_the_sum_over_all_starts(seed: int):
    zs = np.random.default_rng(seed).normal(-0.5, 1, 12).tolist()
    watched = Detector()

    got = [watched.look(z) for z in zs]

    assert got == pytest.approx([log(naive_statistic(zs[: i + 1])) for i in range(len(zs))])
    assert log_statistics(np.array(zs)) == pytest.approx(got)


def test_since_is_the_start_that_pays_most():
    zs = [0.3, 0.8, -0.1, 1.0, -2.0, -2.5, -1.5, -2.2]
    watched = Detector()
    for z in zs:
        watched.look(z)

    assert watched.since == naive_since(zs) == 4


def test_a_look_without_a_deviation_changes_nothing():
    watched = Detector()
    before = watched.look(-1.0)

    assert watched.look(nan) == before
    assert watched.looks == 1
    assert log_statistics(np.array([-1.0, nan])) == pytest.approx([before, before])


def test_before_the_first_look_there_is_no_evidence():
    assert Detector().log_statistic == -inf


def test_years_of_a_bad_drop_do_not_overflow():
    watched = Detector()
    for _ in range(2000):
        last = watched.look(-30.0)

    assert np.isfinite(last)
    assert last > 2000 * 80


def test_both_ways_is_the_mean_of_the_two_sides():
    low, high = [0.5, -1.0, -2.0], [1.5, 2.0, 3.0]
    watched = Detector(both_ways=True)
    for a, b in zip(low, high, strict=True):
        got = watched.look(a, b)

    assert exp(got) == pytest.approx((naive_statistic(low) + naive_statistic(high)) / 2)


def test_capped_evidence_falls_from_the_cap():
    watched = Detector()
    for _ in range(20):
        watched.look(-5.0)
    watched.capped(log(520))

    assert watched.log_statistic == pytest.approx(log(520))


def test_restart_forgets():
    watched = Detector()
    watched.look(-5.0)
    watched.restart()

    assert watched.log_statistic == -inf
    assert watched.look(1.0) == Detector().look(1.0)


# deviations


@pytest.mark.parametrize("t", [-3.0, -0.5, 0.0, 0.1, 2.0])
@pytest.mark.parametrize("n", [3, 10, 200])
def test_deviation_of_few_values_is_as_likely_as_students_t(t: float, n: int):
    got = deviation(0.5 + 0.01 * t, 0.5, 0.01, n)

    assert got == pytest.approx(stats.norm.ppf(stats.t.cdf(t, n - 1)), abs=1e-6)


def test_deviation_without_a_spread_is_none():
    assert isnan(deviation(0.5, 0.4, 0.0))
    assert isnan(deviation(0.5, 0.4, nan))
    assert isnan(deviation(nan, 0.4, 0.1))
    assert isnan(deviation(0.5, 0.4, 0.1, n=1))


def test_deviation_far_out_is_finite():
    assert -40 < deviation(0.0, 1.0, 1e-6, n=500) < -30
    assert deviation(1.0, 0.0, 1e-9, n=50) > 15


# several together


def naive_ringing(statistics: list[float], looks: float) -> list[int]:
    m = len(statistics)
    order = sorted(range(m), key=lambda i: -statistics[i])
    for k in range(m, 0, -1):
        if statistics[order[k - 1]] >= m * looks / k:
            return sorted(order[:k])
    return []


@pytest.mark.parametrize("seed", range(20))
def test_ringing_is_e_bh(seed: int):
    rng = np.random.default_rng(seed)
    found = np.exp(rng.normal(5, 3, rng.integers(1, 9))).tolist()

    assert ringing([log(x) for x in found], 50) == naive_ringing(found, 50)


def test_ringing_of_one_is_its_threshold():
    assert ringing([log(520)], 520) == [0]
    assert ringing([log(519.9)], 520) == []
    assert ringing([], 520) == []


def test_ringing_counts_what_has_no_statistic_yet():
    assert ringing([log(700), nan], 520) == []
    assert ringing([log(1040), -inf], 520) == [0]


def test_looks_must_be_one_or_more():
    with pytest.raises(ParameterError, match="looks"):
        ringing([1.0], 0)


# spending


def test_spent_adds_up_to_alpha():
    assert sum(spent(0.05, j) for j in range(1, 200_000)) == pytest.approx(0.05, rel=1e-5)
    assert spent(0.05, 3) == pytest.approx(6 * 0.05 / (pi**2 * 9))


# spread between periods


def test_overdispersion_is_birges_ratio():
    values, errors = [0.4, 0.5, 0.6], [0.02, 0.02, 0.02]

    assert overdispersion(values, errors) == pytest.approx(5.0)
    assert overdispersion([0.5, 0.5, 0.5], errors) == 1.0
    assert isnan(overdispersion([0.5], [0.1]))
    assert isnan(overdispersion([0.5, 0.6], [0.1, 0.0]))


# what is promised


def false_alarms(z: np.ndarray, looks: float = 520) -> float:
    """The share of years, one a column, in which a detector rings."""
    return float((log_statistics(z) >= log(looks)).any(axis=0).mean())


def first_alarms(z: np.ndarray, looks: float = 520) -> np.ndarray:
    """Looks until the first alarm of each column; beyond the last where there is none."""
    rung = log_statistics(z) >= log(looks)
    return np.where(rung.any(axis=0), rung.argmax(axis=0) + 1, len(z) + 1)


def years(n: int, *, baseline: int | None = None, margin: float = 0.0, seed: int = 20) -> np.ndarray:
    """Deviations of a year without change, in standard errors of a week, beside a baseline of so many weeks."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(WEEKS, n))
    if baseline is not None:
        z = z - rng.normal(size=n) / baseline**0.5
    return z + margin


def test_a_year_without_change_seldom_rings():
    assert false_alarms(years(4000)) == pytest.approx(0.034, abs=0.01)
    assert float((years(4000) < -1.645).any(axis=0).mean()) == pytest.approx(0.933, abs=0.02)


def test_a_drop_of_two_errors_is_found_in_three_weeks():
    rng = np.random.default_rng(1)
    before, after = rng.normal(size=(26, 2000)), rng.normal(size=(26, 2000)) - 2
    found = first_alarms(np.vstack([before, after])) - 26

    assert np.median(found[found > 0]) == 3


@pytest.mark.long("simulations of error rates", ci=True)
@pytest.mark.parametrize(
    ("baseline", "margin", "rate"),
    [(None, 0.0, 0.034), (1, 0.0, 0.36), (12, 0.0, 0.15), (52, 0.0, 0.07), (12, 0.5, 0.008), (4, 0.5, 0.055)],
)
def test_false_alarms_in_a_year_are_those_of_the_anchors(baseline: int | None, margin: float, rate: float):
    z = years(20_000, baseline=baseline, margin=margin)

    assert false_alarms(z) == pytest.approx(rate, abs=4 * (rate * (1 - rate) / 20_000) ** 0.5 + 0.006)


@pytest.mark.long("simulations of error rates", ci=True)
def test_looks_to_a_false_alarm_are_as_many_as_promised():
    rng = np.random.default_rng(3)
    found = first_alarms(rng.normal(size=(6000, 400)))

    assert found.mean() > 520
    assert found.mean() == pytest.approx(1163, rel=0.15)


@pytest.mark.long("simulations of error rates", ci=True)
@pytest.mark.parametrize(("drop", "weeks", "share"), [(1, 9, 0.99), (2, 3, 1.0), (3, 2, 1.0)])
def test_delays_are_those_of_the_anchors(drop: float, weeks: int, share: float):
    """Of those found within the 26 weeks; of all, half are found in nine weeks to within chance (0.499 … 0.503)."""
    rng = np.random.default_rng(4)
    n = 20_000
    z = np.vstack([rng.normal(size=(26, n)), rng.normal(size=(26, n)) - drop])
    found = first_alarms(z) - 26
    later = found[found > 0]

    assert np.median(later[later <= 26]) == weeks
    assert (later <= weeks).mean() > 0.49
    assert (later <= 26).mean() == pytest.approx(share, abs=0.006)


@pytest.mark.long("simulations of error rates", ci=True)
def test_many_measures_and_slices_together_ring_as_seldom():
    rng = np.random.default_rng(5)
    n, m = 1500, 66
    shared = rng.normal(size=(WEEKS, n, 1))
    z = 0.7**0.5 * shared + 0.3**0.5 * rng.normal(size=(WEEKS, n, m))
    largest = np.sort(log_statistics(z), axis=2)[..., ::-1]
    lines = np.log(m * 520 / np.arange(1, m + 1))
    rate = float((largest >= lines).any(axis=2).any(axis=0).mean())

    assert rate < 0.05
    assert rate == pytest.approx(0.021, abs=0.015)
