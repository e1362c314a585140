"""Random signs: exact for few queries, honest for many."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankgauge.errors import InputError, ParameterError
from rankgauge.statistics import flips
from rankgauge.statistics.flips import randomisation


def naive(differences: list[int], alternative: str = "two-sided") -> float:
    """Every choice of signs, in whole numbers."""
    observed = sum(differences)
    hits = 0
    for signs in product((1, -1), repeat=len(differences)):
        made = sum(s * d for s, d in zip(signs, differences, strict=True))
        hits += {
            "two-sided": abs(made) >= abs(observed),
            "greater": made >= observed,
            "less": made <= observed,
        }[alternative]
    return hits / 2 ** len(differences)


def test_four_queries_by_hand():
    # 3 + 2 + 1 - 1 = 5; as far are 3 + 2 + 1 + 1 = 7 and 3 + 2 - 1 + 1 = 5, and the opposite of these three: 6 of 16
    assert randomisation(np.array([0.3, 0.2, 0.1, -0.1])).tolist() == [6 / 16]


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@given(st.lists(st.integers(-6, 6), min_size=1, max_size=9))
@settings(max_examples=40, deadline=None)
def test_exact_is_every_choice_of_signs(alternative: str, differences: list[int]):
    # tenths are not exact in binary: ties with the observed mean must count all the same
    got = randomisation(np.array(differences) / 10, alternative=alternative)

    assert got.tolist() == [naive(differences, alternative)]


def test_twelve_queries_are_exact():
    d = np.random.default_rng(3).integers(-5, 9, size=12)

    assert randomisation(d / 7).tolist() == [naive(d.tolist())]


def test_exact_does_not_depend_on_the_seed_and_random_does():
    few, many = np.random.default_rng(0).normal(0.3, 1, (13, 1)), np.random.default_rng(0).normal(0.1, 1, (40, 1))

    assert randomisation(few, rng=1) == randomisation(few, rng=2)
    assert randomisation(many, rng=1) != randomisation(many, rng=2)
    assert randomisation(many, rng=1) == randomisation(many, rng=1)
    assert randomisation(many, rng=np.random.default_rng(1)) == randomisation(many, rng=1)


def test_random_is_near_exact():
    d = np.random.default_rng(5).normal(0.4, 1, size=16)
    exact = randomisation(d, permutations=2**16)
    drawn = randomisation(d, permutations=2**16 - 1)

    assert exact != drawn
    assert drawn == pytest.approx(exact, abs=4 * np.sqrt(exact[0] * (1 - exact[0]) / 2**16))


def test_queries_without_a_difference_change_nothing():
    d = np.array([0.3, -0.1, 0.2, 0.5, 0.4])

    assert randomisation(np.concatenate([d, np.zeros(500)])) == randomisation(d)


def test_column_does_not_depend_on_others():
    d = np.random.default_rng(2).normal(0.2, 1, (50, 5))
    d[10:, 3] = 0
    d[:, 4] = 0
    together = randomisation(d)

    assert together.tolist() == [randomisation(d[:, j])[0] for j in range(5)]
    assert together[4] == 1


@pytest.mark.parametrize("n", [14, 63, 64, 65, 200])
def test_chunks_do_not_matter(monkeypatch: pytest.MonkeyPatch, n: int):
    d = np.random.default_rng(n).integers(-3, 4, (n, 3)) / 10  # many ties
    whole = randomisation(d, permutations=999)
    for budget in (1, 8 * (n + 3) * 7, 8 * (n + 3) * 998):
        monkeypatch.setattr(flips, "BUDGET", budget)
        assert randomisation(d, permutations=999).tolist() == whole.tolist()


def test_p_is_never_zero():
    assert randomisation(np.ones(100), permutations=999) == pytest.approx(1 / 1000)
    assert randomisation(np.ones(100), permutations=999, alternative="less") == 1


def test_random_ties_count():
    # all of one size: |sum| is at least 0 for every choice of signs
    d = np.tile([0.1, -0.1], 50)

    assert randomisation(d) == 1


def test_edges():
    assert randomisation(np.zeros((30, 2))).tolist() == [1, 1]
    assert randomisation(np.zeros(30), alternative="greater").tolist() == [1]
    assert randomisation(np.array([0.4])).tolist() == [1]
    assert randomisation(np.array([0.4]), alternative="greater").tolist() == [0.5]
    assert np.isnan(randomisation(np.zeros((0, 2)))).tolist() == [True, True]


@pytest.mark.parametrize("n", [10, 60])
def test_sides(n: int):
    d = np.random.default_rng(n).normal(0.3, 1, n)
    greater, less = randomisation(d, alternative="greater"), randomisation(d, alternative="less")

    assert randomisation(-d, alternative="less") == pytest.approx(greater, abs=0.02)
    assert greater + less == pytest.approx(1, abs=0.01)
    assert randomisation(d) == pytest.approx(2 * min(greater, less), abs=0.02)


def test_shift_is_a_margin():
    d = np.random.default_rng(1).normal(-0.001, 0.05, 100)

    assert randomisation(d, alternative="greater") > 0.3
    assert randomisation(d, alternative="greater", shift=0.02) < 0.01
    assert randomisation(d, shift=0.02, rng=3) == randomisation(d + 0.02, rng=3)


def test_argument_comes_back_as_it_went_in():
    d = np.arange(40.0)
    randomisation(d, shift=1.0)

    assert d.tolist() == list(range(40))


def test_false_positives_are_as_rare_as_said():
    """Zero-inflated, heavy-tailed differences of equal systems: a measure at a cutoff looks like this."""
    g = np.random.default_rng(11)
    d = g.choice([-1, 1], (50, 2000)) * g.lognormal(0, 1.5, (50, 2000)) * (g.random((50, 2000)) < 0.4)
    p = randomisation(d, permutations=999)

    assert 0.03 < np.mean(p < 0.05) < 0.07


def test_skewed_differences_of_mean_zero_come_out_somewhat_too_often():
    """Not the null of this test, which is symmetry: half of 50 queries differ, by an exponential less its mean."""
    g = np.random.default_rng(12)
    d = (g.exponential(1, (50, 2000)) - 1) * (g.random((50, 2000)) < 0.5)

    assert 0.05 < np.mean(randomisation(d, permutations=999) < 0.05) < 0.09


def test_wrong_arguments():
    with pytest.raises(ParameterError, match=r"`alternative` must be one of .*, got 'greatr'\. Did you mean greater\?"):
        randomisation(np.ones(3), alternative="greatr")
    with pytest.raises(ParameterError, match="`permutations` must be a positive integer, got 0"):
        randomisation(np.ones(3), permutations=0)
    with pytest.raises(InputError, match="differences must be finite, got 1 of 3"):
        randomisation(np.array([1, np.nan, 2]))
    with pytest.raises(InputError, match="got 3 dimensions"):
        randomisation(np.ones((2, 2, 2)))


def test_thousands_of_queries_overflow_nothing():
    """2 to the power of 1,100 is no number; warnings are errors here."""
    differences = np.random.default_rng(1).normal(0.1, 1.0, 1100)

    assert 0 < randomisation(differences, permutations=200)[0] < 0.2
