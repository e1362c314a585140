"""Bins of equal mass and of equal width, and what they hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgauge.alignment.bins import binned
from rankgauge.alignment.sample import Sample

approx = pytest.approx


def sample(label, score, weight=None):
    y = np.asarray(label)
    return Sample(
        y.astype(bool) if y.dtype.kind == "i" else y,
        np.asarray(score, float),
        None if weight is None else np.asarray(weight, float),
    )


def test_bins_of_equal_mass_hold_as_many_rows_each():
    b = binned(sample([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]), 3)

    assert b.weight.tolist() == [2, 2, 2]
    assert b.predicted == approx([0.15, 0.35, 0.55])
    assert b.observed.tolist() == [0, 0.5, 1]
    assert b.gap == approx([-0.15, 0.15, 0.45])
    assert b.low.tolist() == [0.1, 0.3, 0.5]
    assert b.high.tolist() == [0.2, 0.4, 0.6]


def test_bins_of_equal_width_hold_what_falls_into_them():
    b = binned(sample([0, 1, 1], [0.0, 0.49, 1.0]), 2, "uniform")

    assert b.weight.tolist() == [2, 1]  # 1.0 belongs to the last bin
    assert b.observed.tolist() == [0.5, 1]


def test_empty_bins_are_left_out():
    assert binned(sample([0, 1], [0.05, 0.95]), 10, "uniform").weight.tolist() == [1, 1]


def test_equal_scores_are_never_parted():
    b = binned(sample([0, 1, 1, 1], [0.2, 0.5, 0.5, 0.5]), 2)

    # the block at 0.5 begins in the first half
    assert b.weight.tolist() == [4]


def test_more_bins_than_rows_give_a_bin_for_each_score():
    assert binned(sample([0, 1, 1], [0.2, 0.5, 0.5]), 15).weight.tolist() == [1, 2]


def test_weights_count_as_rows():
    one = binned(sample([0, 1, 1], [0.1, 0.4, 0.8], [2, 1, 3]), 2)
    other = binned(sample([0, 0, 1, 1, 1, 1], [0.1, 0.1, 0.4, 0.8, 0.8, 0.8]), 2)

    for mine, theirs in zip(one[:3], other[:3], strict=True):
        assert mine == approx(theirs)


def test_variance_is_that_of_rows_that_are_positive_with_their_probability():
    plain = binned(sample([0, 1], [0.1, 0.5]), 1)
    heavy = binned(sample([0, 1], [0.1, 0.5], [3, 1]), 1)

    assert plain.variance == approx([(0.1 * 0.9 + 0.5 * 0.5) / 2**2])
    assert heavy.variance == approx([(9 * 0.1 * 0.9 + 1 * 0.5 * 0.5) / 4**2])


def test_equal_weights_of_any_size_make_the_same_bins():
    score = np.arange(1000) / 1000
    want = binned(sample([0, 1] * 500, score), 15)

    for w in (0.1, 0.3, 1 / 3, 0.7, 1e-6):
        got = binned(sample([0, 1] * 500, score, np.full(1000, w)), 15)
        assert got.low.tolist() == want.low.tolist()
        assert got.weight == approx(want.weight * w)


def test_soft_labels_are_shares():
    assert binned(sample([0.5, 0.25], [0.1, 0.9]), 1).observed == approx([0.375])


@given(
    st.lists(st.tuples(st.integers(0, 1), st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.9, 1.0])), min_size=1, max_size=30),
    st.integers(1, 12),
    st.sampled_from(["mass", "uniform"]),
)
def test_bins_part_the_rows(rows, n, kind):
    label, score = zip(*rows, strict=True)
    b = binned(sample(label, score), n, kind)

    assert len(b.weight) <= n
    assert b.weight.sum() == len(rows)
    assert (b.weight * b.observed).sum() == approx(sum(label))
    assert (b.weight * b.predicted).sum() == approx(sum(score))
    assert (b.low[1:] > b.high[:-1]).all()
