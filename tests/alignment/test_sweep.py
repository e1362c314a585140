"""Both classes by score: thresholds, cells and curves against plain counting."""

from threading import Thread

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankgauge.alignment.sweep import _LONG, Class, Confusion, ThresholdSweep
from rankgauge.data import parallel

approx = pytest.approx

SCORES = st.sampled_from([-1e300, -2.0, -0.0, 0.0, 0.25, 0.5, 1e300])
ROWS = st.lists(st.tuples(st.booleans(), SCORES, st.integers(1, 8).map(lambda k: k / 4)), min_size=1, max_size=30)


def sweep_of(rows, weighted):
    label, score, weight = (np.array(column) for column in zip(*rows, strict=True))
    return ThresholdSweep.of(label, score, weight if weighted else None)


def counted(rows, weighted, label, keep):
    return sum((w if weighted else 1) for y, s, w in rows if y == label and keep(s))


both_ways = pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])


@both_ways
@settings(deadline=None)
@given(ROWS)
def test_curve_counts_the_rows_at_or_above_each_threshold(weighted, rows):
    sweep = sweep_of(rows, weighted)

    assert sweep.thresholds.tolist() == sorted({s for _, s, _ in rows}, reverse=True)
    for t, tp, fp in zip(sweep.thresholds, sweep.tp, sweep.fp, strict=True):
        assert tp == counted(rows, weighted, True, lambda s, t=t: s >= t)
        assert fp == counted(rows, weighted, False, lambda s, t=t: s >= t)


@both_ways
@settings(deadline=None)
@given(ROWS, st.sampled_from([-np.inf, -2.0, 0.0, 0.3, 0.5, np.inf]))
def test_confusion_counts_the_rows_on_each_side(weighted, rows, t):
    got = sweep_of(rows, weighted).confusion(t)

    assert got == Confusion(
        counted(rows, weighted, True, lambda s: s >= t),
        counted(rows, weighted, False, lambda s: s >= t),
        counted(rows, weighted, True, lambda s: s < t),
        counted(rows, weighted, False, lambda s: s < t),
    )


@both_ways
@settings(deadline=None)
@given(ROWS)
def test_pairs_won_counts_pairs(weighted, rows):
    won = 0.0
    for y, s, w in rows:
        for z, t, v in rows:
            if y and not z:
                won += (w * v if weighted else 1) * ((s > t) + (s == t) / 2)

    assert sweep_of(rows, weighted).pairs_won == won


@both_ways
@settings(deadline=None)
@given(ROWS, st.lists(SCORES, max_size=8))
def test_weight_below_each_of_some_scores(weighted, rows, asked):
    score, weight = np.array([s for _, s, _ in rows]), np.array([w for _, _, w in rows])
    one = Class.of(score, weight if weighted else None)
    asked = np.sort(np.array(asked))

    strictly, at_most = one.below(asked)

    w = weight if weighted else np.ones(len(score))
    assert strictly.tolist() == [w[score < t].sum() for t in asked]
    assert at_most.tolist() == [w[score <= t].sum() for t in asked]


def test_an_empty_class_has_nothing_below():
    none = Class.of(np.array([]), None)

    strictly, at_most = none.below(np.array([1.0, 2.0]))

    assert strictly.tolist() == at_most.tolist() == [0, 0]
    assert none.total == 0


@pytest.mark.parametrize("label", [True, False])
def test_one_class_still_has_a_curve(label):
    sweep = ThresholdSweep.of(np.full(3, label), np.array([0.5, 0.1, 0.5]))

    assert sweep.thresholds.tolist() == [0.5, 0.1]
    assert (sweep.tp if label else sweep.fp).tolist() == [2, 3]
    assert (sweep.fp if label else sweep.tp).tolist() == [0, 0]
    assert sweep.pairs_won == 0


def test_roc_starts_at_nothing_and_ends_at_everything():
    fpr, tpr, threshold = ThresholdSweep.of(np.array([1, 0, 1, 0], bool), np.array([0.9, 0.5, 0.5, 0.1])).roc()

    assert fpr.tolist() == [0, 0, 0.5, 1]
    assert tpr.tolist() == [0, 0.5, 1, 1]
    assert threshold.tolist() == [np.inf, 0.9, 0.5, 0.1]


def test_precision_and_recall_from_the_highest_threshold_on():
    precision, recall, threshold = ThresholdSweep.of(
        np.array([1, 0, 1, 0], bool), np.array([0.9, 0.5, 0.5, 0.1])
    ).precision_recall()

    assert precision.tolist() == [1, approx(2 / 3), 2 / 4]
    assert recall.tolist() == [1 / 2, 1, 1]
    assert threshold.tolist() == [0.9, 0.5, 0.1]


def test_top_share_cuts_a_block_of_equal_scores():
    sweep = ThresholdSweep.of(np.array([1, 1, 0, 0], bool), np.array([0.9, 0.5, 0.5, 0.5]))

    assert sweep.top(0.25) == (1, 0)
    assert sweep.top(0.5) == approx((1 + 1 / 3, 2 / 3))
    assert sweep.top(1) == (2, 2)


def test_area_of_the_roc_curve_is_the_share_of_pairs_won():
    rng = np.random.default_rng(2)
    sweep = ThresholdSweep.of(rng.random(3000) < 0.3, np.round(rng.random(3000), 2), rng.random(3000))
    fpr, tpr, _ = sweep.roc()

    area = np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1]) / 2)

    assert sweep.pairs_won / (sweep.n_positives * sweep.n_negatives) == approx(area, abs=1e-13)


def test_more_positives_than_negatives_count_the_same_pairs():
    rng = np.random.default_rng(2)
    label, score = rng.random(999) < 0.9, np.round(rng.random(999), 1)
    one, other = ThresholdSweep.of(label, score), ThresholdSweep.of(~label, -score)

    assert one.pairs_won == other.pairs_won
    assert one.n_positives == other.n_negatives == np.count_nonzero(label)


@pytest.mark.parametrize("n", [0, 300, _LONG - 1, _LONG])
def test_few_rows_are_sorted_without_a_thread_and_give_what_many_do(n, monkeypatch):
    started = []
    monkeypatch.setattr(parallel, "Thread", lambda target: started.append(n) or Thread(target=target))
    rng = np.random.default_rng(n)
    label, score, weight = rng.random(n) < 0.3, rng.normal(size=n).round(1), rng.random(n)

    found = ThresholdSweep.of(label, score, weight)

    assert started == [n] * (n >= _LONG)
    for part, mine in ((found.positives, label), (found.negatives, ~label)):
        alone = Class.of(score[mine], weight[mine])
        assert np.array_equal(part.score, alone.score)
        assert part.total == alone.total
