"""Isotonic regression: the min-max formula, whatever path the blocks take."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.naive_predictions import isotonic as naive
from rankgauge.alignment import isotonic as module
from rankgauge.alignment.isotonic import isotonic

PAIRS = st.lists(st.tuples(st.integers(0, 6), st.integers(1, 8).map(lambda k: k / 4)), min_size=1, max_size=14)


def fitted(total, weight):
    start, mean = isotonic(total, weight)
    return np.repeat(mean, np.diff(np.append(start, len(total))))


@settings(max_examples=200, deadline=None)
@given(PAIRS)
def test_fit_is_the_min_max_of_means(pairs):
    total, weight = (np.array(c, dtype=float) for c in zip(*pairs, strict=True))

    np.testing.assert_allclose(fitted(total, weight), naive(total.tolist(), weight.tolist()), atol=1e-12)


@settings(max_examples=100, deadline=None)
@given(PAIRS)
def test_the_stack_gives_the_same_blocks(pairs):
    total, weight = (np.array(c, dtype=float) for c in zip(*pairs, strict=True))

    start, mean = module._with_a_stack(np.arange(len(total)), total, weight)

    np.testing.assert_array_equal(start, isotonic(total, weight)[0])
    np.testing.assert_allclose(mean, isotonic(total, weight)[1], atol=1e-12)


@given(PAIRS)
def test_means_rise_from_block_to_block_and_keep_the_total(pairs):
    total, weight = (np.array(c, dtype=float) for c in zip(*pairs, strict=True))
    start, mean = isotonic(total, weight)

    assert start[0] == 0
    assert (np.diff(mean) > 0).all()
    assert (fitted(total, weight) * weight).sum() == pytest.approx(total.sum())


def test_rising_values_stay_as_they_are():
    start, mean = isotonic(np.array([0.0, 1.0, 4.0]), np.array([1.0, 2.0, 4.0]))

    assert start.tolist() == [0, 1, 2]
    assert mean.tolist() == [0, 0.5, 1]


def test_falling_values_are_one_block():
    start, mean = isotonic(np.array([3.0, 2.0, 1.0]), np.ones(3))

    assert start.tolist() == [0]
    assert mean.tolist() == [2]


def test_equal_means_are_one_block():
    start, mean = isotonic(np.array([1.0, 2.0]), np.array([2.0, 4.0]))

    assert start.tolist() == [0]
    assert mean.tolist() == [0.5]


def test_a_heavy_row_pulls_the_mean():
    start, mean = isotonic(np.array([9.0, 0.0]), np.array([9.0, 1.0]))

    assert (start.tolist(), mean.tolist()) == ([0], [0.9])


def test_a_sequence_that_would_need_many_passes():
    # a long rise that ends in ever lower values: each pass would pool only the last few blocks
    total = np.concatenate([np.arange(2000.0), np.full(1, -3e6)])

    start, mean = isotonic(total, np.ones(2001))

    assert start.tolist() == [0]
    assert mean[0] == pytest.approx(total.mean())


def test_fit_of_many_rows_is_that_of_scikit_learn():
    sk = pytest.importorskip("sklearn.isotonic")
    rng = np.random.default_rng(3)
    weight = rng.random(5000) + 0.01
    label = rng.random(5000) < np.linspace(0.05, 0.4, 5000)

    want = sk.isotonic_regression(label.astype(float), sample_weight=weight)

    np.testing.assert_allclose(fitted(label * weight, weight), want, atol=1e-12)
