"""Pairs inside groups are counted exactly, also where scores differ only in their last bits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankgauge.alignment import pairs
from rankgauge.alignment.pairs import group_pairs, ordered_bits

LAST_BITS = [1 + k * 2.0**-52 for k in range(6)]
ODD = [-np.inf, -1e300, -1.0, -5e-324, -0.0, 0.0, 5e-324, 1e-300, *LAST_BITS, 1e300, np.inf]


def brute(label, score, group, n_groups, weight=None):
    """Rows, positives, negatives and pairs won of each group, pair by pair."""
    w = np.ones(len(label)) if weight is None else weight
    out = np.zeros((4, n_groups))
    for i in range(len(label)):
        out[0, group[i]] += 1
        out[1 if label[i] else 2, group[i]] += w[i]
        for j in range(len(label)):
            if label[i] and not label[j] and group[i] == group[j]:
                out[3, group[i]] += w[i] * w[j] * ((score[i] > score[j]) + (score[i] == score[j]) / 2)
    return out


def check(label, score, group, n_groups, weight=None):
    got = group_pairs(label, score, group, n_groups, weight)

    np.testing.assert_array_equal(np.array(got), brute(label, score, group, n_groups, weight))


@st.composite
def rows(draw, scores):
    n = draw(st.integers(1, 25))
    groups = draw(st.sampled_from([1, 2, 3, 1000]))

    def column(values, dtype):
        return np.array(draw(st.lists(values, min_size=n, max_size=n)), dtype=dtype)

    return column(st.booleans(), bool), column(scores, float), column(st.integers(0, groups - 1), np.int64), groups


@settings(max_examples=300, deadline=None)
@given(rows(st.sampled_from(ODD)))
def test_pairs_of_odd_scores(r):
    check(*r)


@settings(max_examples=200, deadline=None)
@given(rows(st.floats(allow_nan=False)))
def test_pairs_of_any_scores(r):
    check(*r)


@settings(max_examples=100, deadline=None)
@given(rows(st.sampled_from(ODD)), st.data())
def test_pairs_of_weighted_rows(r, data):
    n = len(r[0])
    weight = np.array(data.draw(st.lists(st.integers(1, 8).map(lambda k: k / 4), min_size=n, max_size=n)))

    check(*r, weight)


def last_bits(seed, groups, rows=400):
    """Scores that a short key cannot tell apart: all near 1, with one far away that uses up the bits."""
    rng = np.random.default_rng(seed)
    score = 1 + rng.integers(0, 8, rows) * 2.0**-52
    score[0], score[1] = 1e300, -1e300
    return rng.random(rows) < 0.4, score, rng.integers(0, groups, rows), groups


@pytest.mark.parametrize("groups", [1, 3, 50, 5000, 1 << 20])
def test_scores_that_differ_in_their_last_bits_are_not_ties(groups):
    label, score, group, n = last_bits(groups, groups)

    got = group_pairs(label, score, group, n)

    small = np.unique(group)
    want = brute(label, score, np.searchsorted(small, group), len(small))
    np.testing.assert_array_equal(got.won[small], want[3])
    assert got.won.sum() == want[3].sum()


def test_groups_with_a_doubtful_tie_are_counted_again(monkeypatch):
    counted = []
    whole = pairs._by_sorting
    monkeypatch.setattr(pairs, "_by_sorting", lambda *a: counted.append(len(a[0])) or whole(*a))
    near = 1 + 2.0**-52
    label = np.array([1, 0, 1, 0, 1, 0], bool)
    score = np.array([1.0, near, 0.2, 0.1, 1e300, -1e300])  # only the first group has scores too near each other
    group = np.array([0, 0, 1, 1, 2, 2])

    got = group_pairs(label, score, group, 1000)

    assert counted == [2]
    assert got.won[:3].tolist() == [0, 1, 1]


def test_true_ties_need_no_second_count(monkeypatch):
    monkeypatch.setattr(pairs, "_by_sorting", None)
    label, score = np.array([1, 0, 0], bool), np.array([0.5, 0.5, 1e300])

    assert group_pairs(label, score, np.zeros(3, np.int64), 1000).won[0] == 0.5


def test_groups_without_both_classes_have_no_auc():
    got = group_pairs(np.array([1, 1, 0, 1, 0], bool), np.arange(5.0), np.array([0, 0, 1, 3, 3]), 4)

    assert got.rows.tolist() == [2, 1, 0, 2]
    assert got.both.tolist() == [False, False, False, True]
    assert got.pairs.tolist() == [0, 0, 0, 1]
    np.testing.assert_array_equal(got.auc, [np.nan, np.nan, np.nan, 0])


def test_no_group_with_both_classes_is_fine():
    got = group_pairs(np.array([1, 0], bool), np.array([0.1, 0.2]), np.array([0, 1]), 2)

    assert got.won.tolist() == [0, 0]


@pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
def test_shuffled_rows_are_the_same_pairs_to_the_last_bit(weighted):
    rng = np.random.default_rng(7)
    label, score, group = rng.random(500) < 0.4, np.round(rng.random(500), 1), rng.integers(0, 20, 500)
    weight = rng.random(500) if weighted else None
    want = group_pairs(label, score, group, 20, weight)

    for _ in range(5):
        o = rng.permutation(500)
        got = group_pairs(label[o], score[o], group[o], 20, None if weight is None else weight[o])
        np.testing.assert_array_equal(np.array(got), np.array(want))


def test_equal_weights_of_both_classes_in_any_order_are_the_same_pairs_to_the_last_bit():
    rng = np.random.default_rng(7)
    label, weight = rng.random(300) < 0.5, rng.choice([0.1, 0.3, 0.7], 300)
    score, group = np.round(rng.random(300) * 0.3, 1), np.zeros(300, np.int64)
    want = group_pairs(label, score, group, 1, weight)

    for _ in range(20):
        o = rng.permutation(300)
        got = group_pairs(label[o], score[o], group, 1, weight[o])
        np.testing.assert_array_equal(np.array(got), np.array(want))


def test_heavy_groups_take_no_digits_from_light_ones():
    rng = np.random.default_rng(8)
    label, score = rng.random(400) < 0.4, np.round(rng.random(400), 1)
    group = np.repeat([0, 1], 200)
    weight = rng.random(400) * np.where(group == 0, 1e9, 1e-3)

    both = group_pairs(label, score, group, 2, weight)
    light = group_pairs(label[200:], score[200:], group[200:] - 1, 1, weight[200:])

    assert both.auc[1] == pytest.approx(light.auc[0], rel=1e-9)


@given(st.lists(st.floats(allow_nan=False), min_size=2, max_size=20))
def test_ordered_bits_have_the_order_of_the_scores(scores):
    s = np.array(scores)
    bits = ordered_bits(s)

    for i in range(1, len(s)):
        assert (bits[i - 1] < bits[i], bits[i - 1] == bits[i]) == (s[i - 1] < s[i], s[i - 1] == s[i])
    assert s.tolist() == scores  # the scores themselves are left alone
