"""Rows of label and score: probabilities, sums, blocks and clusters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgauge.alignment.sample import Sample, sigmoid

approx = pytest.approx

Y = np.array([1, 0, 1, 0], bool)
S = np.array([0.5, 0.5, 0.9, 0.1])
W = np.array([1.0, 2.0, 0.5, 4.0])


def test_sigmoid_neither_overflows_nor_loses_small_numbers():
    got = sigmoid(np.array([-1e6, -40.0, 0.0, 40.0, 1e6]))

    assert got == approx([0, np.exp(-40), 0.5, 1, 1], rel=1e-14)


@given(st.floats(-700, 700))
def test_sigmoid_of_both_signs_adds_up_to_one(x):
    assert sigmoid(np.array([x, -x])).sum() == approx(1)


def test_probabilities_are_the_scores_as_they_are():
    assert Sample(Y, S).probability.tolist() == S.tolist()


def test_logits_become_probabilities():
    assert Sample(Y, np.log(S / (1 - S)), scale="logit").probability == approx(S)


@pytest.mark.parametrize("kept", [0.01, 0.3, 1.0])
def test_correction_multiplies_the_odds_on_both_scales(kept):
    odds = S / (1 - S) * kept

    assert Sample(Y, S, kept=kept).probability == approx(odds / (1 + odds))
    assert Sample(Y, np.log(S / (1 - S)), scale="logit", kept=kept).probability == approx(odds / (1 + odds))


def test_correction_keeps_certainty():
    assert Sample(Y, np.array([0.0, 1.0, 0.5, 0.5]), kept=0.1).probability[:2].tolist() == [0, 1]


def test_totals_count_rows_or_weights():
    plain, heavy = Sample(Y, S), Sample(Y, S, W)

    assert (plain.total, plain.n_positives, plain.n_negatives, plain.prevalence) == (4, 2, 2, 0.5)
    assert (heavy.total, heavy.n_positives, heavy.n_negatives, heavy.prevalence) == (7.5, 1.5, 6, 0.2)
    assert len(plain) == len(heavy) == 4


def test_soft_labels_count_as_shares():
    s = Sample(np.array([0.25, 1.0]), np.array([0.1, 0.2]), np.array([2.0, 1.0]))

    assert s.is_soft
    assert s.n_positives == 1.5
    assert s.has_both_classes


@pytest.mark.parametrize("label", [True, False])
def test_one_class_is_told(label):
    assert not Sample(np.full(2, label), np.array([0.1, 0.2])).has_both_classes


def test_blocks_join_equal_scores_from_the_lowest_on():
    for s in (Sample(Y, S, W), Sample(Y.astype(float), S, W)):
        score, weight, positive = s.blocks
        assert score.tolist() == [0.1, 0.5, 0.9]
        assert weight.tolist() == [4, 3, 0.5]
        assert positive.tolist() == [0, 1, 0.5]
        assert s.block_of_row.tolist() == [1, 1, 2, 0]


def test_some_rows_keep_everything_else():
    s = Sample(Y, S, W, np.array([0, 0, 1, 2]), 3, "probability", 0.5).rows(np.array([2, 0]))

    assert s.label.tolist() == [True, True]
    assert s.score.tolist() == [0.9, 0.5]
    assert s.weight.tolist() == [0.5, 1]
    assert s.group.tolist() == [1, 0]
    assert (s.n_groups, s.kept, s.scale) == (3, 0.5, "probability")
    assert s.filled.tolist() == [True, True, False]


def test_influence_is_summed_by_group_where_there_are_groups():
    rows = np.array([1.0, 2.0, 3.0, 4.0])

    assert Sample(Y, S).by_cluster(rows).tolist() == [1, 2, 3, 4]
    assert Sample(Y, S, group=np.array([0, 3, 3, 0]), n_groups=5).by_cluster(rows).tolist() == [5, 5]


def test_sums_do_not_depend_on_the_order_of_rows():
    rng = np.random.default_rng(1)
    values, weight = rng.normal(size=1000) * 1e6, rng.random(1000)
    s = Sample(rng.random(1000) < 0.5, values, weight, scale="score")
    o = rng.permutation(1000)

    assert s.sum(values) == s.rows(o).sum(values[o])
    assert s.total == s.rows(o).total
