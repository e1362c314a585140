"""The numbers of scikit-learn, and the few places where ours differ on purpose."""

from math import log

import numpy as np
import pytest

from rankgauge.alignment.sample import Sample
from rankgauge.alignment.sweep import ThresholdSweep
from rankgauge.measures.grammar import parse_prediction

from .support import value

sk = pytest.importorskip("sklearn.metrics")

approx = pytest.approx
EPS = 1e-12
cases = pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
seeds = pytest.mark.parametrize("seed", [1, 2, 3])


def rows(seed: int, weighted: bool) -> tuple[Sample, dict]:
    """Rows whose scores tie: two digits, a hundred values for 1,500 rows."""
    rng = np.random.default_rng(seed)
    p = np.clip(np.round(rng.beta(1, 4, 1500), 2), 0.01, 0.99)
    y = rng.random(1500) < np.clip(p * 1.3, 0, 1)
    w = rng.random(1500) * 5 + 0.001 if weighted else None
    return Sample(y, p, w), {"sample_weight": w}


@seeds
@cases
def test_order(seed, weighted):
    s, w = rows(seed, weighted)

    assert value("AUC", s) == approx(sk.roc_auc_score(s.label, s.score, **w), abs=EPS)
    assert value("PRAUC", s) == approx(sk.average_precision_score(s.label, s.score, **w), abs=EPS)
    for x in (0.01, 0.1, 0.5, 0.999):
        want = sk.roc_auc_score(s.label, s.score, max_fpr=x, **w)
        assert value(f"AUC(max_fpr={x})", s) == approx(want, abs=EPS)


@seeds
@cases
def test_points_of_the_roc_curve(seed, weighted):
    s, w = rows(seed, weighted)

    got = ThresholdSweep.of(s.label, s.score, s.weight).roc()

    for mine, theirs in zip(got, sk.roc_curve(s.label, s.score, drop_intermediate=False, **w), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=0, atol=EPS)


@seeds
@cases
def test_points_of_the_precision_recall_curve(seed, weighted):
    s, w = rows(seed, weighted)

    precision, recall, threshold = ThresholdSweep.of(s.label, s.score, s.weight).precision_recall()

    theirs = sk.precision_recall_curve(s.label, s.score, **w)  # the lowest threshold first, then (1, 0)
    np.testing.assert_allclose(precision[::-1], theirs[0][:-1], rtol=0, atol=EPS)
    np.testing.assert_allclose(recall[::-1], theirs[1][:-1], rtol=0, atol=EPS)
    np.testing.assert_array_equal(threshold[::-1], theirs[2])


@seeds
@cases
def test_losses(seed, weighted):
    s, w = rows(seed, weighted)

    assert value("LogLoss", s) == approx(sk.log_loss(s.label, s.score, **w), abs=EPS)
    assert value("Brier", s) == approx(sk.brier_score_loss(s.label, s.score, **w), abs=EPS)
    assert value("RIG", s) == approx(sk.d2_log_loss_score(s.label, s.score, **w), abs=EPS)
    assert value("NE", s) == approx(1 - sk.d2_log_loss_score(s.label, s.score, **w), abs=EPS)


@seeds
@cases
@pytest.mark.parametrize("t", [0.05, 0.2, 0.5])
def test_at_a_threshold(seed, weighted, t):
    s, w = rows(seed, weighted)
    called = s.score >= t

    for name, theirs in {
        "Accuracy": sk.accuracy_score,
        "Precision": sk.precision_score,
        "Recall": sk.recall_score,
        "F": sk.f1_score,
        "BalancedAccuracy": sk.balanced_accuracy_score,
        "MCC": sk.matthews_corrcoef,
    }.items():
        assert value(f"{name}(threshold={t})", s) == approx(theirs(s.label, called, **w), abs=EPS), name
    for beta in (0.5, 2):
        want = sk.fbeta_score(s.label, called, beta=beta, **w)
        assert value(f"F(threshold={t}, beta={beta})", s) == approx(want, abs=EPS)
    (tn, fp), (fn, tp) = sk.confusion_matrix(s.label, called, **w)
    assert s.sweep.confusion(t) == approx((tp, fp, fn, tn), rel=EPS)
    assert value(f"Specificity(threshold={t})", s) == approx(tn / (tn + fp), abs=EPS)


# where we differ


def of(text, *columns):
    return parse_prediction(text).of(*columns)


def test_precision_of_nothing_is_undefined_and_not_zero():
    assert sk.precision_score([1, 0], [0, 0], zero_division=0) == 0
    assert np.isnan(of("Precision(threshold=0.5)", [1, 0], [0.1, 0.2]))


def test_recall_without_positives_is_undefined_and_not_zero():
    assert sk.recall_score([0, 0], [1, 0], zero_division=0) == 0
    assert np.isnan(of("Recall(threshold=0.5)", [0, 0], [0.9, 0.2]))


def test_matthews_correlation_with_an_empty_margin_is_undefined_and_not_zero():
    assert sk.matthews_corrcoef([1, 0], [0, 0]) == 0
    assert np.isnan(of("MCC(threshold=0.5)", [1, 0], [0.1, 0.2]))


def test_balanced_accuracy_of_one_class_is_undefined_and_not_its_recall():
    with pytest.warns(UserWarning, match="not in y_true"):
        assert sk.balanced_accuracy_score([1, 1], [1, 0]) == 0.5
    assert np.isnan(of("BalancedAccuracy(threshold=0.5)", [1, 1], [0.9, 0.2]))


def test_prauc_without_positives_is_undefined_and_not_zero():
    with pytest.warns(UserWarning, match="No positive class"):
        assert sk.average_precision_score([0, 0], [0.1, 0.2]) == 0
    assert np.isnan(of("PRAUC", [0, 0], [0.1, 0.2]))


def test_log_loss_is_clipped_at_1e_15_and_not_at_the_precision_of_the_input():
    assert sk.log_loss([1, 0], [0.0, 1.0]) == approx(-log(np.finfo(np.float64).eps))
    assert of("LogLoss", [1, 0], [0.0, 1.0]) == approx(-log(1e-15), rel=1e-3)  # 1 - 1e-15 is rounded itself
    assert of("LogLoss", [1], [0.0]) == approx(-log(1e-15), rel=1e-14)


def test_log_loss_of_float32_is_that_of_the_same_numbers_in_float64():
    single = np.array([1e-9, 0.3, 1 - 2**-24], dtype=np.float32)
    label = [0, 1, 1]

    assert of("LogLoss", label, single) == of("LogLoss", label, single.astype(np.float64))
    assert of("LogLoss", [1, 0], np.float32([0, 1])) == of("LogLoss", [1, 0], [0.0, 1.0])
