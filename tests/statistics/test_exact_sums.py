"""Sums that no order of their terms can change."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankgauge.statistics import exact_sums
from rankgauge.statistics.exact_sums import (
    CHUNK,
    ExactSums,
    exact_sum,
    exact_units,
    from_units,
    parts_of,
    rounded_sum,
    units_of,
)

NUMBERS = st.floats(-1e280, 1e280)
LISTS = st.lists(NUMBERS | st.sampled_from([1e16, 1.0, -1e16, 5e-324, -0.0, 0.1]), max_size=40)


@settings(max_examples=200)
@given(LISTS)
def test_sum_is_rounded_once(values):
    assert exact_sum(np.array(values, dtype=float)) == math.fsum(values)


@given(LISTS, st.randoms(use_true_random=False))
def test_order_does_not_matter(values, random):
    mixed = list(values)
    random.shuffle(mixed)

    assert exact_units(np.array(mixed, dtype=float)) == exact_units(np.array(values, dtype=float))


@given(LISTS, st.integers(0, 40))
def test_parts_add_up_to_the_whole(values, cut):
    whole = np.array(values, dtype=float)

    assert exact_units(whole[:cut]) + exact_units(whole[cut:]) == exact_units(whole)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_survives_as_units(x):
    assert from_units(units_of(x)) == x


def test_small_numbers_are_not_lost_beside_large_ones():
    assert exact_sum(np.array([1e16, 1.0, -1e16])) == 1
    assert exact_sum(np.array([1e300, 1e-300, -1e300])) == 1e-300


def test_nothing_adds_up_to_zero():
    assert exact_sum(np.array([])) == 0
    assert exact_sum(np.zeros(3)) == 0


def test_more_rows_than_a_chunk():
    rng = np.random.default_rng(1)
    values = rng.normal(size=2 * CHUNK + 7) * 10.0 ** rng.integers(-20, 20, 2 * CHUNK + 7)

    assert exact_sum(values) == math.fsum(values) == exact_sum(values[::-1])


@given(st.lists(NUMBERS, min_size=1, max_size=20))
def test_parts_of_numbers_add_up_to_them_exactly(values):
    rest = np.array(values)
    for e, part in parts_of(np.array(values), step=1):
        assert (np.abs(part) <= 2.0 ** (e + 35)).all()
        rest = rest - part

    assert not rest.any()


# many sums at once


def sums(*columns):
    """Whole numbers, each as a sum of its own."""
    return ExactSums.of({0: np.array(columns, dtype=np.int64)}, np.shape(columns))


def test_sums_of_shards_are_the_sums_of_all():
    a, b = sums([1, 2, 3], [4, 5, 6]), sums([10, 0, 0], [0, 0, 1 << 40])

    assert (a + b) == sums([11, 2, 3], [4, 5, 6 + (1 << 40)])
    assert (a + b) == (b + a)
    assert a != b
    assert a != "something else"


def test_digits_are_carried_so_that_equal_sums_are_equal_arrays():
    half = {0: np.array([1 << 40]), -1: np.array([-(1 << 34)])}  # 2^40 - 1/2

    got = ExactSums.of(half, (1,))

    assert got.floats().tolist() == [2.0**40 - 0.5]
    assert got == ExactSums.of({0: np.array([(1 << 40) - 1]), -1: np.array([1 << 34])}, (1,))
    assert (got.digits >= 0).all()


def test_running_sums_and_reversed_sums():
    a = sums([1, 2, 3])

    assert a.before().floats().tolist() == [[0, 1, 3]]
    assert a.reversed().before().floats().tolist() == [[0, 3, 5]]


def test_sums_move_to_other_places():
    assert sums([1, 2]).spread(np.array([3, 1]), 4).floats().tolist() == [[0, 2, 0, 1]]


def test_totals_are_whole_units():
    assert [from_units(u) for u in sums([1, 2, 3], [4, 5, 6]).units()] == [6, 15]


def test_sums_cannot_be_keys():
    with pytest.raises(TypeError):
        hash(sums([1]))


@pytest.mark.parametrize(
    "some",
    [[0.1], [1e16, 1.0, -1e16], [1e300, -1e300, 3.5], [5e-324, 1e-300], [0.0, -0.0], [-0.0], [np.nan, 1.0], [np.inf]],
)
@pytest.mark.parametrize("n", [3, 5000, 70_001])
def test_a_rounded_sum_is_that_of_fsum_to_the_last_bit(some: list[float], n: int):
    rng = np.random.default_rng(n)
    of_all = np.resize(some, n)
    for values in (
        of_all,
        of_all * rng.random(n),
        np.append(of_all, rng.normal(0, 1, n) * 10.0 ** rng.integers(-9, 9, n)),
    ):
        assert repr(rounded_sum(values)) == repr(math.fsum(values))


def test_what_is_too_large_is_so_for_a_rounded_sum_as_well():
    with pytest.raises(OverflowError):
        rounded_sum(np.full(5000, 1e308))


def test_many_numbers_are_not_added_one_by_one(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(exact_sums, "fsum", lambda values: pytest.fail("one by one"))
    assert rounded_sum(np.full(1 << 14, 0.5)) == 1 << 13
