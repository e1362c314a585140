"""All pairs at once, with one error in the whole table as rare as said."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from rankgauge.errors import InputError
from rankgauge.statistics.flips import randomisation
from rankgauge.statistics.tukey import randomised_tukey


def exact(values: np.ndarray) -> np.ndarray:
    """Every order of every query."""
    n, k = values.shape
    whole = np.round(values * 10).astype(int)
    ranges = [
        int(np.ptp(sum(np.array(row) for row in rows)))
        for rows in product(*(list(permutations(whole[i])) for i in range(n)))
    ]
    sums = whole.sum(axis=0)
    return np.array([[np.mean(np.array(ranges) >= abs(sums[i] - sums[j])) for j in range(k)] for i in range(k)])


@pytest.mark.parametrize("k", [3, 4])
def test_tiny_data_against_every_order(k: int):
    values = np.random.default_rng(k).integers(0, 10, (3, k)) / 10
    got = randomised_tukey(values, permutations=20_000, rng=2)

    assert got == pytest.approx(exact(values), abs=4 * 0.5 / np.sqrt(20_000))


def test_more_systems_than_orders_can_be_written_down():
    """Seven systems are shuffled, six looked up: a seventh like the sixth changes little."""
    g = np.random.default_rng(0)
    values = g.normal(0, 1, (40, 7)) + np.array([0, 0, 0, 0, 0, 0.5, 1])
    got = randomised_tukey(values, permutations=4000)
    again = np.zeros(4000)
    centred = values - values.mean(axis=1, keepdims=True)
    for i in range(4000):
        again[i] = np.ptp(np.stack([g.permutation(row) for row in centred]).mean(axis=0))
    expected = np.mean(again >= abs(centred[:, 6].mean() - centred[:, 0].mean()))

    assert got[0, 6] == pytest.approx(expected, abs=0.03)


def test_two_systems_are_the_randomisation_test():
    values = np.random.default_rng(1).normal(0, 1, (30, 2))
    values[:, 1] += 0.3

    assert randomised_tukey(values, permutations=20_000)[0, 1] == pytest.approx(
        randomisation(values[:, 1] - values[:, 0], permutations=20_000)[0], abs=0.02
    )


def test_symmetric_one_on_the_diagonal_never_zero():
    values = np.random.default_rng(2).normal(0, 1, (50, 4)) + 5 * np.arange(4)
    p = randomised_tukey(values, permutations=99)

    assert (p == p.T).all()
    assert np.diag(p).tolist() == [1, 1, 1, 1]
    assert p.min() == 1 / 100


def test_larger_difference_never_has_larger_p():
    values = np.random.default_rng(3).normal(0, 1, (60, 6)) + 0.1 * np.arange(6)
    p = randomised_tukey(values, permutations=2000)
    far = np.abs(values.mean(axis=0)[:, None] - values.mean(axis=0))
    upper = np.triu_indices(6, 1)
    order = np.argsort(far[upper])

    assert (np.diff(p[upper][order]) <= 0).all()
    assert p[0, 5] < p[0, 1]


def test_pairing_by_query_is_used():
    """Queries differ far more than systems do: only a test that pairs sees it."""
    g = np.random.default_rng(4)
    values = g.normal(0, 10, (30, 1)) + g.normal(0, 0.1, (30, 3)) + np.array([0, 0, 0.1])

    assert randomised_tukey(values)[0, 2] < 0.01
    assert randomised_tukey(values + 1000)[0, 2] == randomised_tukey(values)[0, 2]


def test_equal_systems():
    assert randomised_tukey(np.tile([[0.3], [0.7]], (5, 3)), permutations=50).tolist() == [[1.0] * 3] * 3


def test_ties_count_up_to_rounding():
    values = np.tile([0.1, 0.2, 0.3], (1, 1))  # one query: every order has the same range

    assert randomised_tukey(values, permutations=500)[0, 2] == 1


@pytest.mark.parametrize("k", [3, 7])
def test_seed_decides(k: int):
    values = np.random.default_rng(5).normal(0, 1, (20, k))
    first = randomised_tukey(values, permutations=200, rng=1)

    assert (first == randomised_tukey(values, permutations=200, rng=1)).all()
    assert (first != randomised_tukey(values, permutations=200, rng=2)).any()


def test_one_error_in_the_table_is_rare():
    g = np.random.default_rng(6)
    found = [randomised_tukey(g.exponential(1, (25, 5)), permutations=199, rng=g).min() < 0.05 for _ in range(600)]

    assert 0.025 < np.mean(found) < 0.075


def test_edges():
    assert randomised_tukey(np.ones((4, 1))).tolist() == [[1]]
    assert np.isnan(randomised_tukey(np.ones((0, 2)))[0, 1])
    with pytest.raises(InputError, match="got 1 dimensions"):
        randomised_tukey(np.ones(3))
    with pytest.raises(InputError, match="values must be finite, got 1 of 4"):
        randomised_tukey(np.array([[1, np.nan], [1, 2]]))
