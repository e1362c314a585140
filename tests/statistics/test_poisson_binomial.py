"""The mean deviation of a sum of yes/no rows is that of its distribution, convolved row by row."""

import numpy as np
import pytest

from rankgauge.statistics.poisson_binomial import mean_deviation


def convolved(p):
    chance = np.array([1.0])
    for one in p:
        chance = np.convolve(chance, [1 - one, one])
    return float(chance @ np.abs(np.arange(len(chance)) - sum(p)))


@pytest.mark.parametrize(
    ("low", "high", "n"),
    [
        (0.01, 0.08, 7),
        (0.4, 0.46, 7),
        (0.85, 0.9, 7),
        (0.93, 0.99, 7),
        (0.9, 0.95, 30),
        (0.98, 0.99, 100),
        (0, 1, 1),
        (0, 1, 100),
        (0.97, 1, 250),
    ],
)
def test_few_rows_are_exact(low, high, n):
    p = np.sort(np.random.default_rng(n).uniform(low, high, n))

    assert mean_deviation(p, np.ones(n)) == pytest.approx(convolved(p), rel=1e-12)


@pytest.mark.parametrize(("low", "high", "n"), [(0, 1, 200), (0.97, 0.98, 1500), (0, 0.02, 3000), (0.1, 0.9, 160)])
def test_many_rows_are_within_one_in_ten_thousand(low, high, n):
    p = np.sort(np.random.default_rng(n).uniform(low, high, n))

    assert mean_deviation(p, np.ones(n)) == pytest.approx(convolved(p), rel=1e-4)


@pytest.mark.parametrize(("p", "n"), [(0.5, 1), (0.5, 7), (0.2, 5), (0.9, 7), (0.99, 100), (0.03, 2000)])
def test_one_probability_is_the_binomial(p, n):
    assert mean_deviation(np.array([p]), np.array([float(n)])) == pytest.approx(convolved([p] * n), rel=1e-9)


def test_sure_rows_add_nothing():
    mixed = np.array([0.0, 0.001, 0.5, 0.999, 1.0])

    assert mean_deviation(mixed, np.array([9.0, 5, 2, 5, 9])) == pytest.approx(
        convolved([0.001] * 5 + [0.5] * 2 + [0.999] * 5), rel=1e-12
    )
    assert mean_deviation(np.array([0.0, 1.0]), np.ones(2)) == 0


def test_a_part_of_a_row_lies_between():
    p = np.array([0.2, 0.7])

    three, part, four = (mean_deviation(p, np.array([2.0, n])) for n in (1, 1.5, 2))

    assert three < part < four
