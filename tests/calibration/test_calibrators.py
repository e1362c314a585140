"""Calibrators against their definitions, written out naively."""

import json
import subprocess
import sys
from math import log
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize, minimize_scalar

from rankgauge.calibration import (
    CALIBRATORS,
    Calibrator,
    Histogram,
    Isotonic,
    OddsShift,
    Platt,
    Temperature,
    fit_calibrator,
    load_calibrator,
)
from rankgauge.errors import InputError, ParameterError, UnknownName

KINDS = ["platt", "temperature", "odds", "isotonic", "histogram"]
every_kind = pytest.mark.parametrize("kind", KINDS)


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def logit(p):
    return np.log(p / (1 - p))


def clicks(n, seed, *, a=1.0, b=0.0, level=-1.0, decimals=None):
    """Labels drawn from true probabilities, and predictions distorted so that a·logit(p) + b is the truth."""
    rng = np.random.default_rng(seed)
    z = rng.normal(level, 1.2, n)
    y = (rng.random(n) < sigmoid(z)).astype(float)
    p = sigmoid((z - b) / a)
    return y, p if decimals is None else p.round(decimals)


def log_loss(y, p, w):
    return -(w * (y * np.log(p) + (1 - y) * np.log(1 - p))).sum()


def auc(y, s):
    """Pairs in the right order, ties as a half, from average ranks."""
    _, inverse, count = np.unique(s, return_inverse=True, return_counts=True)
    rank = (np.cumsum(count) - (count - 1) / 2)[inverse]
    ones = y.sum()
    return (rank[y == 1].sum() - ones * (ones + 1) / 2) / (ones * (len(y) - ones))


def test_every_kind_is_known_by_its_name():
    assert list(CALIBRATORS) == KINDS
    assert {kind: cls.name for kind, cls in CALIBRATORS.items()} == {kind: kind for kind in KINDS}


# platt


def platt_targets(y, w):
    pos, neg = (w[y == k].sum() ** 2 / (w[y == k] ** 2).sum() for k in (1, 0))
    return np.where(y == 1, (pos + 1) / (pos + 2), 1 / (neg + 2))


@pytest.mark.parametrize("bayesian", [True, False])
def test_platt_is_where_the_log_loss_is_smallest(bayesian):
    y, p = clicks(400, 1, a=0.6, b=-0.5)
    w = np.random.default_rng(2).uniform(0.5, 3, len(y))
    t = platt_targets(y, w) if bayesian else y

    got = Platt.fit(y, p, w, bayesian=bayesian)

    residual = w * (got.apply(p) - t)
    assert_allclose([residual.sum(), (residual * logit(p)).sum()], 0, atol=1e-10)
    best = minimize(lambda c: log_loss(t, sigmoid(c[0] * logit(p) + c[1]), w), [1, 0], tol=1e-10)
    assert_allclose([got.a, got.b], best.x, atol=1e-5)


def test_platt_two_rows_reach_their_targets():
    """One positive, one negative: targets 2/3 and 1/3, met exactly by a line through logit(2/3) and logit(1/3)."""
    got = Platt.fit([0, 1], [0.4, 0.6])

    assert_allclose(got.apply([0.4, 0.6]), [1 / 3, 2 / 3], rtol=1e-14)
    assert got.a == pytest.approx(log(2) / log(1.5))
    assert got.b == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("gap", [0.4, 1e-3, 1e-9])
def test_platt_converges_when_the_classes_are_separated(gap):
    p = np.concatenate([np.linspace(0.1, 0.3, 500), np.linspace(0.3 + gap, 0.5 + gap, 300)])
    y = np.repeat([0, 1], [500, 300])

    got = Platt.fit(y, p)

    t = platt_targets(y, np.ones(800))
    residual = got.apply(p) - t
    assert_allclose([residual.sum(), (residual * logit(p)).sum()], 0, atol=1e-6)
    assert got.keeps_order


def test_platt_converges_on_extreme_predictions():
    y, p = np.repeat([0, 1, 0, 1], [900, 100, 5, 995]), np.repeat([0.0, 0.0, 1.0, 1.0], [900, 100, 5, 995])

    got = Platt.fit(y, p)

    pos, neg = 1095, 905
    high, low = (pos + 1) / (pos + 2), 1 / (neg + 2)
    assert_allclose(got.apply([0, 1]), [(900 * low + 100 * high) / 1000, (5 * low + 995 * high) / 1000], rtol=1e-12)


def test_platt_without_targets_refuses_separated_classes():
    with pytest.raises(InputError, match=r"classes must overlap in p.*Pass bayesian=True"):
        Platt.fit([0, 0, 1, 1], [0.1, 0.2, 0.2, 0.4], bayesian=False)


def test_platt_recovers_a_planted_distortion():
    y, p = clicks(200_000, 3, a=0.7, b=-0.9)

    got = Platt.fit(y, p)

    assert got.a == pytest.approx(0.7, abs=0.01)
    assert got.b == pytest.approx(-0.9, abs=0.03)


def test_platt_turned_scores_are_turned_back():
    y, p = clicks(2000, 4)

    got = Platt.fit(y, 1 - p)

    assert got.a < 0
    assert not got.keeps_order
    assert auc(y, got.apply(1 - p)) == pytest.approx(auc(y, p))


def test_platt_one_value_of_p_has_no_slope():
    with pytest.raises(InputError, match=r"at least two values.*Fit 'odds'"):
        Platt.fit([0, 1, 1], [0.3, 0.3, 0.3])


# temperature


def test_temperature_is_where_the_log_loss_is_smallest():
    y, p = clicks(500, 5, a=0.5)
    w = np.random.default_rng(6).uniform(0.5, 3, len(y))

    got = Temperature.fit(y, p, w)

    assert (w * (got.apply(p) - y) * logit(p)).sum() == pytest.approx(0, abs=1e-10)
    best = minimize_scalar(lambda a: log_loss(y, sigmoid(a * logit(p)), w), bounds=(0.01, 5), method="bounded")
    assert got.a == pytest.approx(best.x, abs=1e-4)


@pytest.mark.parametrize("a", [0.3, 1, 2.5])
def test_temperature_recovers_a_planted_distortion(a):
    y, p = clicks(200_000, 7, a=a)

    assert Temperature.fit(y, p).a == pytest.approx(a, rel=0.02)


def test_temperature_refuses_what_has_no_best_value():
    with pytest.raises(InputError, match=r"some labels must disagree with p at 0.5.*Fit 'platt'"):
        Temperature.fit([0, 1, 1, 0], [0.4, 0.6, 0.5, 0.5])
    with pytest.raises(InputError, match=r"every a > 0 is worse.*Fit 'platt'"):
        Temperature.fit([1, 0, 0], [0.4, 0.6, 0.6])
    with pytest.raises(InputError, match="every a > 0 is worse"):
        Temperature.fit([1, 0], [0.5, 0.5])


# odds


@pytest.mark.parametrize("level", [-6.0, -1.0, 3.0])
@pytest.mark.parametrize("a", [0.2, 1, 5])
def test_odds_predicts_as_many_positives_as_there_are(level, a):
    y, p = clicks(5000, 8, a=a, b=2.0, level=level)
    w = np.random.default_rng(9).uniform(0.1, 2, len(y))

    got = OddsShift.fit(y, p, w)

    assert (w * got.apply(p)).sum() == pytest.approx((w * y).sum(), rel=2e-14)
    assert_allclose(got.apply(p), sigmoid(logit(p.clip(1e-15, 1 - 1e-15)) + got.b), rtol=1e-12)


def test_odds_with_predictions_of_0_and_1():
    y, p = np.array([0, 1, 0, 1, 1]), np.array([0.0, 0.0, 1.0, 1.0, 0.3])

    assert OddsShift.fit(y, p).apply(p).sum() == pytest.approx(3, rel=1e-14)


def test_odds_recovers_a_planted_shift():
    y, p = clicks(200_000, 10, b=-1.5)

    assert OddsShift.fit(y, p).b == pytest.approx(-1.5, abs=0.03)


@pytest.mark.parametrize(("p", "kept"), [(0.5, 0.01), (0.2, 0.1), (0.9, 1), (1e-6, 0.003)])
def test_odds_for_downsampling(p, kept):
    assert OddsShift.for_downsampling(kept).apply(p) == pytest.approx(p / (p + (1 - p) / kept), rel=1e-13)


def test_odds_for_downsampling_of_the_literature():
    assert OddsShift.for_downsampling(0.01).apply(0.5) == pytest.approx(1 / 101)  # 0.00990


@pytest.mark.parametrize("kept", [0, -0.1, 1.5, float("nan"), True, "0.1"])
def test_odds_for_downsampling_needs_a_share(kept):
    with pytest.raises(ParameterError, match="`kept` must be the share of negatives kept"):
        OddsShift.for_downsampling(kept)


# isotonic


def by_min_max(y, p, w):
    """Isotonic regression by its formula: the max over starts of the min over ends of the mean between."""
    points = np.unique(p)
    weight = np.array([w[p == v].sum() for v in points])
    total = np.array([(w * y)[p == v].sum() for v in points])
    n = len(points)

    def mean(i, j):
        return total[i : j + 1].sum() / weight[i : j + 1].sum()

    fitted = [max(min(mean(i, j) for j in range(k, n)) for i in range(k + 1)) for k in range(n)]
    return points, np.array(fitted)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("soft", [False, True])
def test_isotonic_is_the_min_max_formula(seed, soft):
    rng = np.random.default_rng(seed)
    p = rng.integers(0, 20, 60) / 20
    y = rng.random(60) if soft else (rng.random(60) < p).astype(float)
    w = rng.uniform(0.1, 3, 60)

    got = Isotonic.fit(y, p, w)

    points, fitted = by_min_max(y, p, w)
    assert_allclose(got.apply(points), fitted, rtol=1e-12, atol=1e-15)
    assert (w * got.apply(p)).sum() == pytest.approx((w * y).sum())


def test_isotonic_by_hand():
    """0.2 and 0.3 violate the order and are pooled: 1 of 3. Steps 0, 1/3, 1."""
    got = Isotonic.fit([0, 1, 0, 0, 1], [0.1, 0.2, 0.3, 0.3, 0.7])

    assert got == Isotonic((0.1, 0.2, 0.3, 0.7), (0.0, 1 / 3, 1 / 3, 1.0))
    assert_array_equal(got.apply([0.0, 0.1, 0.25, 0.9]), [0, 0, 1 / 3, 1])
    assert got.apply(0.5) == pytest.approx((1 / 3 + 1) / 2)  # halfway between two steps
    assert not got.keeps_order


def test_isotonic_equal_neighbours_are_one_step():
    """Means 1/3, 2/6 and 1/3 are the same number."""
    y = [1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 1]
    p = [0.1] * 3 + [0.2] * 6 + [0.3] * 3 + [0.9]

    assert Isotonic.fit(y, p) == Isotonic((0.1, 0.3, 0.9), (1 / 3, 1 / 3, 1.0))


def test_isotonic_never_falls():
    y, p = clicks(3000, 11)
    got = Isotonic.fit(y, p).apply(np.linspace(0, 1, 5001))

    assert (np.diff(got) >= -1e-15).all()
    assert got.min() >= 0
    assert got.max() <= 1


# histogram


def test_histogram_by_hand():
    """Four bins of two rows; one extra row at the base rate 3/8."""
    y = [0, 0, 0, 1, 0, 0, 1, 1]
    p = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]

    got = Histogram.fit(y, p, bins=4)

    assert got.edges == pytest.approx((0.25, 0.45, 0.65))
    assert got.values == pytest.approx([(ones + 3 / 8) / 3 for ones in (0, 1, 0, 2)])
    assert_array_equal(got.apply([0.0, 0.65, 1.0]), [got.values[0], got.values[3], got.values[3]])


def test_histogram_without_smoothing_is_the_mean_label_of_each_bin():
    y, p = clicks(1500, 12)

    got = Histogram.fit(y, p, smoothing=0)

    parts = np.split(y[np.argsort(p)], 15)
    assert got.values == pytest.approx([part.mean() for part in parts])


def test_histogram_ties_stay_together():
    p = np.array([0.1] * 70 + [0.2] * 5 + [0.3] * 25)
    y = np.tile([0, 1], 50)

    got = Histogram.fit(y, p, bins=10, smoothing=0)

    assert len(got.values) == 3
    assert_allclose(got.apply([0.1, 0.2, 0.3]), [y[p == v].mean() for v in (0.1, 0.2, 0.3)])


def test_histogram_neighbouring_floats_can_be_told_apart():
    low, high = 0.3, np.nextafter(0.3, 1)

    got = Histogram.fit([0, 1], [low, high], bins=2, smoothing=0)

    assert_array_equal(got.apply([low, high]), [0, 1])


def test_histogram_says_neither_0_nor_1():
    y, p = np.repeat([0, 1], 100), np.linspace(0, 1, 200)
    got = Histogram.fit(y, p)

    assert min(got.values) > 0
    assert max(got.values) < 1


@pytest.mark.parametrize(("option", "value"), [("bins", 0), ("bins", 2.5), ("bins", True), ("smoothing", -1)])
def test_histogram_options(option, value):
    with pytest.raises(ParameterError, match=f"histogram: `{option}` must be"):
        Histogram.fit([0, 1], [0.1, 0.2], **{option: value})


# every kind


@every_kind
@pytest.mark.parametrize("decimals", [2, None], ids=["ties", "no ties"])
@pytest.mark.parametrize("weighted", [False, True])
def test_row_order_does_not_matter(kind, decimals, weighted):
    y, p = clicks(3000, 13, decimals=decimals)
    rng = np.random.default_rng(14)
    w = rng.uniform(0, 3, len(y)) if weighted else np.ones(len(y))
    mixed = rng.permutation(len(y))

    assert fit_calibrator(kind, y[mixed], p[mixed], w[mixed]) == fit_calibrator(kind, y, p, w)


@every_kind
def test_soft_labels_row_order_does_not_matter(kind):
    y, p = clicks(1000, 15, decimals=1)
    y = 0.8 * y + 0.1
    mixed = np.random.default_rng(16).permutation(len(y))

    assert fit_calibrator(kind, y[mixed], p[mixed]) == fit_calibrator(kind, y, p)


NO_PRIOR = {"platt": {"bayesian": False}, "histogram": {"smoothing": 0}}


@every_kind
def test_whole_weights_are_repeated_rows_but_for_priors(kind):
    y, p = clicks(600, 17, decimals=2)
    w = np.random.default_rng(18).integers(0, 4, len(y))
    options = NO_PRIOR.get(kind, {})

    weighted = fit_calibrator(kind, y, p, w, **options)

    repeated = fit_calibrator(kind, np.repeat(y, w), np.repeat(p, w), **options)
    assert weighted == repeated
    assert weighted.fitted_on.weight == repeated.fitted_on.rows == w.sum()
    assert weighted.fitted_on.positives == (w * y).sum()
    assert weighted.fitted_on.rows == (w > 0).sum()


@every_kind
@pytest.mark.parametrize("size", [0.01, 0.1, 10, 1e300])
def test_equal_weights_are_no_weights(kind, size):
    y, p = clicks(90, 24)

    got = fit_calibrator(kind, y, p, np.full(len(y), size))

    assert got == fit_calibrator(kind, y, p)
    assert got.fitted_on.rows == 90
    assert_allclose([got.fitted_on.weight, got.fitted_on.positives], [90 * size, y.sum() * size])


@every_kind
@pytest.mark.parametrize("size", [1 / 300, 0.01, 10, 1e6])
def test_scale_of_weights_changes_nothing(kind, size):
    y, p = clicks(90, 25)
    w = np.random.default_rng(26).lognormal(0, 1, len(y))

    got = fit_calibrator(kind, y, p, w * size).apply(p)

    assert_allclose(got, fit_calibrator(kind, y, p, w).apply(p), rtol=1e-9)


def test_histogram_counts_what_weights_leave_of_a_bin():
    """The lower bin has one row of weight 6 and two of 3: 144/54 rows, so that one more weighs 54/12."""
    y, p, w = [1, 0, 0, 1, 0, 1], [0.1, 0.2, 0.3, 0.7, 0.8, 0.9], [6, 3, 3, 4, 4, 4]

    got = Histogram.fit(y, p, w, bins=2)

    base = 14 / 24
    assert_allclose(got.values, [(6 + 4.5 * base) / (12 + 4.5), (8 + 4 * base) / (12 + 4)])


@pytest.mark.parametrize("kind", ["temperature", "odds", "isotonic"])
def test_soft_label_is_a_share_of_two_rows(kind):
    """A label of 0.25 is a quarter of a positive and three quarters of a negative."""
    p, y = np.array([0.2, 0.4, 0.7, 0.9]), np.array([0.25, 0.5, 0.25, 0.75])

    soft = fit_calibrator(kind, y, p)

    hard = fit_calibrator(kind, np.repeat([1, 0], 4), np.tile(p, 2), np.concatenate([y, 1 - y]))
    assert_allclose(soft.apply(p), hard.apply(p), rtol=1e-12)


@pytest.mark.parametrize("kind", ["platt", "temperature", "odds"])
@pytest.mark.parametrize("level", [-5.0, 0.0, 2.0])
def test_order_is_kept(kind, level):
    y, p = clicks(50_000, 19, a=0.8, b=0.1, level=level)
    p[::2] = p[::2].astype(np.float32)

    got = fit_calibrator(kind, y, p) if kind != "temperature" else Temperature(0.37)
    after = got.apply(p)

    assert got.keeps_order
    assert_array_equal(np.argsort(after, kind="stable"), np.argsort(p, kind="stable"))
    assert len(np.unique(after)) == len(np.unique(p))
    assert auc(y, after) == pytest.approx(auc(y, p), abs=1e-12)


def test_odds_never_turns_neighbouring_floats_round():
    start = np.random.default_rng(20).uniform(1e-6, 1, 20_000)
    up = np.nextafter(start, 2).clip(max=1)

    got = OddsShift(-1.3)

    assert (got.apply(up) >= got.apply(start)).all()


@every_kind
def test_calibrated_predictions_lose_less(kind):
    y, p = clicks(20_000, 21, a=0.5, b=-0.3, level=0.3)
    half = len(y) // 2

    got = fit_calibrator(kind, y[:half], p[:half]).apply(p[half:]).clip(1e-15, 1 - 1e-15)

    assert log_loss(y[half:], got, 1) < log_loss(y[half:], p[half:], 1)


@every_kind
def test_labels_of_any_type_mean_the_same(kind):
    y, p = clicks(300, 22)
    want = fit_calibrator(kind, y, p)

    assert fit_calibrator(kind, y.astype(bool), p) == want
    assert fit_calibrator(kind, y.astype(np.int8), p) == want
    assert fit_calibrator(kind, y.tolist(), p.tolist()) == want


@every_kind
def test_arguments_come_back_as_they_went_in(kind):
    y, p = clicks(300, 23)
    w = np.ones(300)
    for column in (y, p, w):
        column.flags.writeable = False

    fit_calibrator(kind, y, p, w).apply(p)


@every_kind
def test_shape_is_kept_and_a_row_does_not_depend_on_the_others(kind):
    y, p = clicks(300, 24)
    got = fit_calibrator(kind, y, p)

    whole = got.apply(p.astype(np.float32).reshape(30, 10))

    assert whole.shape == (30, 10)
    assert whole.dtype == np.float64
    assert got.apply([]).shape == (0,)
    assert got.apply(float(np.float32(p[7]))) == whole[0, 7]


@every_kind
@pytest.mark.parametrize("only", [0, 1])
def test_one_class_is_refused(kind, only):
    with pytest.raises(InputError, match=f"{kind}: labels must hold both classes, got only {only} in 3 rows"):
        fit_calibrator(kind, [only] * 3, [0.1, 0.5, 0.7])


@every_kind
def test_rows_of_no_weight_are_no_rows(kind):
    with pytest.raises(InputError, match="got only 0 in 2 rows"):
        fit_calibrator(kind, [0, 0, 1], [0.1, 0.5, 0.7], [1, 1, 0])
    with pytest.raises(InputError, match="needs rows with a weight above 0"):
        fit_calibrator(kind, [0, 1], [0.1, 0.5], [0, 0])


# input that is refused


@pytest.mark.parametrize("bad", [1.5, -0.1, float("nan"), float("inf")])
def test_p_must_be_probabilities(bad):
    with pytest.raises(InputError, match=r"`p` must be a probability between 0 and 1, got .* in row 1 .*Pass prob"):
        Platt.fit([0, 1, 1], [0.5, bad, 0.5])
    with pytest.raises(InputError, match=r"`p` must be a probability .* in row 2 .*Pass probabilities"):
        Platt(1.0, 0.0).apply([0.5, 0.5, bad])


def test_labels_of_minus_one_get_advice():
    with pytest.raises(InputError, match=r"`label` must be 0, 1 or .*got -1.0 in row 0.*pass label > 0"):
        Platt.fit([-1, 1], [0.2, 0.4])


def test_all_problems_are_told_at_once():
    with pytest.raises(InputError) as e:
        Platt.fit([0, 2, float("nan")], [0.5, 7, 0.2], [1, -1, 1])

    assert len(e.value.problems) == 3


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([0, 1], [0.5]), "one value per row, got 2 labels, 1 p"),
        (([0, 1], [0.5, 0.6], [1]), "2 labels, 2 p and 1 weights"),
        (([0, 1], ["a", "b"]), "`p` must be numbers"),
        (([[0, 1]], [0.5, 0.5]), r"`label` must be one column, got an array of shape \(1, 2\)"),
        (([0, 1], [0.5, 0.6], [1, float("inf")]), "`weight` must be a number from 0 up, got inf"),
        (([], []), "got none"),
    ],
)
def test_columns_that_do_not_fit(columns, message):
    with pytest.raises(InputError, match=message):
        Isotonic.fit(*columns)


def test_unknown_kind_suggests():
    with pytest.raises(UnknownName, match=r"unknown calibrator 'isotone'. Did you mean isotonic\?"):
        fit_calibrator("isotone", [0, 1], [0.1, 0.2])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Platt(float("nan"), 0), "platt: `a` must be a finite number"),
        (lambda: Platt(1, "0"), "platt: `b` must be a finite number"),
        (lambda: Temperature(0.0), "temperature: `a` must be above 0"),
        (lambda: OddsShift(10**400), "odds: `b` must be a finite number"),
        (lambda: Isotonic((0.2, 0.1), (0.0, 1.0)), "`thresholds` must go up, got 0.1 after 0.2"),
        (lambda: Isotonic((0.1, 0.2), (1.0, 0.0)), "`values` must go up"),
        (lambda: Isotonic((0.1, 0.2), (1.0,)), "one length above 0, got 2 and 1"),
        (lambda: Isotonic((), ()), "one length above 0"),
        (lambda: Isotonic([0.1], (0.5,)), "`thresholds` must be a tuple"),
        (lambda: Histogram((0.5,), (0.1,)), "one value more than there are `edges`"),
        (lambda: Histogram((0.5,), (0.1, 1.2)), "`values` must be between 0 and 1"),
        (lambda: Histogram((0.5, 0.5), (0.1, 0.2, 0.3)), "`edges` must go up"),
    ],
)
def test_parameters_are_checked(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


# files


@every_kind
def test_file_gives_back_the_same_predictions(kind, tmp_path):
    y, p = clicks(2000, 25)
    got = fit_calibrator(kind, y, p)

    got.save(tmp_path / "c.json")
    back = load_calibrator(tmp_path / "c.json")

    assert back == got
    assert type(back) is CALIBRATORS[kind]
    assert back.fitted_on == got.fitted_on
    assert_array_equal(back.apply(p), got.apply(p))
    assert Calibrator.from_dict(got.to_dict()) == got
    assert [f.name for f in tmp_path.iterdir()] == ["c.json"]


def test_file_can_be_read_by_people(tmp_path):
    Platt.fit([0, 1], [0.4, 0.6]).save(tmp_path / "c.json")

    data = json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))

    assert list(data) == ["rankgauge", "kind", "parameters", "fitted_on"]
    assert data["kind"] == "platt"
    assert list(data["parameters"]) == ["a", "b"]
    assert data["fitted_on"] == {"rows": 2, "weight": 2.0, "positives": 1.0}


def test_calibrator_without_a_fit_has_no_facts(tmp_path):
    OddsShift.for_downsampling(0.1).save(tmp_path / "c.json")

    assert load_calibrator(tmp_path / "c.json") == OddsShift(log(0.1))
    assert load_calibrator(tmp_path / "c.json").fitted_on is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must hold JSON"),
        ('{"rankgauge": "1", "kind": "platt", "param', "must hold JSON"),
        ("\x00\xff", "must hold JSON"),
        ("[1, 2]", "the `rankgauge` version is missing"),
        ('{"kind": "platt", "parameters": {"a": 1, "b": 0}}', "the `rankgauge` version is missing"),
        ('{"rankgauge": "1"}', "must be an object with a `kind`"),
        ('{"rankgauge": "9", "kind": "plat"}', "by rankgauge 9: unknown calibrator 'plat'. Did you mean platt"),
        ('{"rankgauge": "1", "kind": "platt"}', "`parameters` of 'platt' must be a, b, got None"),
        ('{"rankgauge": "1", "kind": "platt", "parameters": {"a": 1}}', r"must be a, b, got \['a'\]"),
        ('{"rankgauge": "1", "kind": "odds", "parameters": {"b": NaN}}', "`b` must be a finite number"),
        ('{"rankgauge": "1", "kind": "odds", "parameters": {"b": [1]}}', "`b` must be a finite number"),
        ('{"rankgauge": "1", "kind": "odds", "parameters": {"b": 1}, "fitted_on": {"rows": 2}}', "`fitted_on` must"),
        (
            '{"rankgauge": "1", "kind": "isotonic", "parameters": {"thresholds": [0.5, 0.1], "values": [0, 1]}}',
            "`thresholds` must go up",
        ),
    ],
)
def test_broken_file_is_told(text, message, tmp_path):
    path = tmp_path / "broken.json"
    path.write_text(text, encoding="latin-1")

    with pytest.raises(InputError, match=message) as e:
        load_calibrator(path)

    assert "broken.json" in str(e.value)


def test_missing_file_is_told(tmp_path):
    with pytest.raises(InputError, match=r"calibrator '.*none.json' cannot be opened: No such file"):
        load_calibrator(tmp_path / "none.json")


def test_file_name_must_say_json(tmp_path):
    with pytest.raises(ParameterError, match=r"must end in .json, got '.*c.json.gz'"):
        OddsShift(0.0).save(tmp_path / "c.json.gz")


def test_kind_of_another_class_is_refused():
    with pytest.raises(InputError, match="Platt must be read from a calibrator of kind 'platt', got 'odds'"):
        Platt.from_dict(OddsShift(1.0).to_dict())


def test_import_needs_numpy_only():
    heavy = ("scipy", "polars", "pandas", "msgspec", "rich")
    code = f"import sys, rankgauge.calibration; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path.home())

    assert done.stdout.strip() == "[]"
