"""Steps against all partitions, written naively."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import log, nan

import numpy as np
import pytest

from rankgauge.statistics.steps import steps


def naive_cuts(x: list[float], errors: list[float], penalty: float = 3.0) -> list[int]:
    """The cheapest of all ways to cut, each part of two points or more."""
    n = len(x)
    best: tuple[float, tuple[int, ...]] = (np.inf, ())
    for k in range(n):
        for cuts in combinations(range(1, n), k):
            ends = [0, *cuts, n]
            if any(b - a < 2 for a, b in pairwise(ends)):
                continue
            cost = k * penalty * log(n)
            for a, b in pairwise(ends):
                w = [1 / e**2 for e in errors[a:b]]
                mean = sum(wi * xi for wi, xi in zip(w, x[a:b], strict=True)) / sum(w)
                cost += sum(wi * (xi - mean) ** 2 for wi, xi in zip(w, x[a:b], strict=True))
            best = min(best, (cost, cuts))
    return list(best[1])


@pytest.mark.parametrize("seed", range(12))
def test_cuts_are_the_cheapest_of_all(seed: int):
    rng = np.random.default_rng(seed)
    x = np.concatenate([rng.normal(0, 1, 4), rng.normal(rng.choice([0, 4]), 1, 3), rng.normal(-3, 1, 4)]).tolist()
    errors = rng.uniform(0.5, 1.5, len(x)).tolist()

    assert [s.place for s in steps(x, errors)] == naive_cuts(x, errors)


def test_levels_are_weighted_means():
    found = steps([1.0, 2.0, 9.0, 8.0], [0.1, 0.2, 0.1, 0.1])

    assert [s.place for s in found] == [2]
    assert found[0].before == pytest.approx((1 * 100 + 2 * 25) / 125)
    assert found[0].after == pytest.approx(8.5)


def test_a_clear_step_has_one_place_and_a_blurred_one_several():
    clear = steps([0, 0, 0, 0, 9, 9, 9, 9], [1] * 8)
    blurred = steps([0, 0, 0, 1.5, 2.5, 4, 4, 4, 4.5, 4], [1] * 10)

    assert [(s.first, s.place, s.last) for s in clear] == [(4, 4, 4)]
    assert blurred[0].first <= blurred[0].place <= blurred[0].last
    assert blurred[0].last - blurred[0].first >= 1


def test_without_errors_the_noise_is_that_of_neighbours():
    rng = np.random.default_rng(3)
    x = np.concatenate([rng.normal(0.5, 0.01, 20), rng.normal(0.4, 0.01, 20)])

    assert [s.place for s in steps(x)] == [20]


def test_values_that_only_step_step_where_they_do():
    assert [s.place for s in steps([0.6] * 3 + [0.5] * 4)] == [3]
    assert steps([0.5] * 9) == []


@pytest.mark.parametrize("x", [[], [1.0], [1.0, 2.0], [1.0, 5.0, 9.0], [nan] * 9])
def test_too_little_has_no_steps(x: list[float]):
    assert steps(x) == []


def test_points_without_a_value_are_left_out_of_account():
    found = steps([0, 0, nan, 0, 0, 9, nan, 9, 9, 9], [1] * 10)

    assert [s.place for s in found] == [5]


def test_steps_hold_the_truth_95_times_in_100():
    rng = np.random.default_rng(11)
    held = one = 0
    for _ in range(300):
        x = np.concatenate([rng.normal(0, 1, 15), rng.normal(2.5, 1, 15)])
        found = steps(x, [1.0] * 30)
        if len(found) == 1:
            one += 1
            held += found[0].first <= 15 <= found[0].last

    assert one > 250
    assert held / one > 0.93
