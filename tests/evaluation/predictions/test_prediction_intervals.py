"""Intervals and paired differences: known variances, and coverage where rows of a user are alike."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from scipy import stats

from rankgauge.alignment.sample import Sample
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.of_predictions import evaluate_predictions
from rankgauge.measures.grammar import parse_prediction
from rankgauge.statistics.clusters import standard_error, two_sided

approx = pytest.approx


def clicks(seed=0, n=400, users=40):
    """Rows of two models; a user's rows are alike."""
    rng = np.random.default_rng(seed)
    user = rng.integers(0, users, n)
    x = rng.normal(size=n)
    y = rng.random(n) < 1 / (1 + np.exp(1 - x - rng.normal(size=users)[user]))
    old, new = (1 / (1 + np.exp(1 - x - noise * rng.normal(size=n))) for noise in (1.0, 0.3))
    return {"label": y, "old": old, "new": new, "user": user}


def evaluated(measures, seed=0, group="user", **more):
    rows = clicks(seed)
    if group is None:
        rows.pop("user")
    return evaluate_predictions(rows, measures, scores=["old", "new"], group=group, **more)


# one number


def test_error_of_auc_without_groups_is_that_of_delong():
    rng = np.random.default_rng(3)
    y, s = rng.random(60) < 0.4, np.round(rng.random(60), 1)
    m, n = int(y.sum()), int((~y).sum())
    wins = np.array([[(a > b) + (a == b) / 2 for b in s[~y]] for a in s[y]])
    by_positive, by_negative = wins.mean(axis=1), wins.mean(axis=0)
    # DeLong divides by m - 1 and n - 1, influence values by m and n, and by one n/(n-1) for all rows
    inside = np.var(by_positive, ddof=1) * (m - 1) / m / m + np.var(by_negative, ddof=1) * (n - 1) / n / n

    ev = evaluate_predictions({"label": y, "score": s}, "AUC")

    assert ev.column("AUC").error ** 2 == approx(inside * 60 / 59, rel=1e-12)


def test_interval_of_a_mean_is_students_t():
    y, p = np.array([1, 0, 0, 1, 0]), np.array([0.8, 0.3, 0.1, 0.4, 0.2])
    losses = -np.log(np.where(y, p, 1 - p))
    low, high = evaluate_predictions({"label": y, "score": p}, "LogLoss").interval("LogLoss", 0.9)

    half = stats.t.ppf(0.95, 4) * losses.std(ddof=1) / sqrt(5)
    assert (low, high) == approx((losses.mean() - half, losses.mean() + half))


def test_rows_of_a_group_are_one_unit():
    rows = {"label": [1, 0, 1, 0], "score": [0.8, 0.4, 0.6, 0.1], "group": ["a", "a", "b", "b"]}
    losses = -np.log([0.8, 0.6, 0.6, 0.9])
    sums = np.array([losses[:2].sum(), losses[2:].sum()]) / 4 - losses.mean() / 2

    ev = evaluate_predictions(rows, "LogLoss")

    assert ev.n("LogLoss") == 2
    assert ev.column("LogLoss").error == approx(sqrt((sums**2).sum() * 2 / 1))


def test_repeating_every_row_in_its_group_changes_no_interval():
    rows = clicks()
    twice = {name: np.repeat(values, 2) for name, values in rows.items()}

    for name in ("AUC", "GAUC", "LogLoss", "NE", "COPC", "PRAUC"):
        one, two = (
            evaluate_predictions(r, name, columns={"new": "score", "old": "ignore"}, group="user").interval(name)
            for r in (rows, twice)
        )
        assert two == approx(one, rel=1e-9), name


def test_one_unit_has_no_interval():
    ev = evaluate_predictions({"label": [1, 0], "score": [0.8, 0.4], "group": [7, 7]}, "AUC")

    assert np.isnan(ev.interval("AUC")).all()


def test_interval_stays_inside_the_bounds_of_the_measure():
    ev = evaluate_predictions({"label": [1, 0, 1, 0, 1], "score": [0.9, 0.4, 0.35, 0.1, 0.8]}, "AUC")

    low, high = ev.interval("AUC")
    assert 0 <= low < ev["AUC"] <= high <= 1


def test_wider_levels_are_wider():
    ev = evaluated("LogLoss")["new"]

    (a, b), (c, d) = ev.interval("LogLoss", 0.99), ev.interval("LogLoss", 0.5)
    assert a < c < d < b


@pytest.mark.parametrize("name", ["AUC", "LogLoss", "GAUC"])
def test_bootstrap_over_groups_agrees_with_influence(name):
    ev = evaluated(name)["new"]

    by_influence, drawn = ev.interval(name), ev.interval(name, method="bootstrap", rng=1, resamples=600)

    assert np.subtract(*drawn) == approx(np.subtract(*by_influence), rel=0.12)


@pytest.mark.parametrize("name", ["GAUC(weight=uniform)", "GAUC(weight=pairs)", "Recall(threshold=0.3, average=macro)"])
def test_bootstrap_counts_a_group_that_is_drawn_twice_as_two_groups(name):
    ev = evaluated(name)["new"]

    by_influence, drawn = ev.interval(name), ev.interval(name, method="bootstrap", rng=1, resamples=600)

    assert np.subtract(*drawn) == approx(np.subtract(*by_influence), rel=0.12)


@pytest.mark.parametrize("name", ["ECE", "MCE(min_count=1)", "ECCE"])
def test_binned_measures_have_only_a_bootstrap_interval(name):
    ev = evaluated(name)["new"]

    assert np.isnan(ev.interval(name)).all()
    low, high = ev.interval(name, method="bootstrap", rng=1, resamples=50)
    assert low < ev[name] < high
    assert ev.interval(name, method="bootstrap", rng=1, resamples=50) == (low, high)


def test_unknown_methods_and_levels_are_refused():
    ev = evaluated("AUC")["new"]

    with pytest.raises(ParameterError, match="must be 'influence' or 'bootstrap', got 'jackknife'"):
        ev.interval("AUC", method="jackknife")
    with pytest.raises(ParameterError, match="confidence_level"):
        ev.interval("AUC", 95)
    with pytest.raises(ParameterError, match="confidence_level"):
        evaluated("AUC", confidence_level=1.0)


# two models


@pytest.mark.parametrize("name", ["AUC", "LogLoss", "GAUC", "PRAUC", "NE", "Recall(threshold=0.3)", "MCB", "CrossAUC"])
def test_difference_is_one_value_minus_the_other(name):
    both = evaluated(name)
    old, new = both["old"], both["new"]

    d = both.difference(name, "new")

    assert d.value == new[name] - old[name]
    assert (d.model, d.baseline, d.n) == ("new", "old", 40)
    assert d.interval.low < d.value < d.interval.high
    back = old.difference(new, name)
    assert back.value == -d.value
    assert back.interval == approx((-d.interval.high, -d.interval.low), rel=1e-12)
    assert back.p_value == approx(d.p_value, rel=1e-12)


@pytest.mark.parametrize("n", [5, 30, 299, 400, 1500])
def test_p_value_of_a_mean_is_that_of_the_paired_t_test(n):
    rows = clicks(4, n)
    both = evaluate_predictions({k: rows[k] for k in ("label", "old", "new")}, "LogLoss", scores=["old", "new"])
    losses = {k: -np.log(np.where(rows["label"], rows[k], 1 - rows[k])) for k in ("old", "new")}

    d = both.difference("LogLoss", "new")

    want = stats.ttest_1samp(losses["new"] - losses["old"], 0)
    assert d.p_value == approx(want.pvalue, rel=1e-9)
    assert d.interval == approx(tuple(want.confidence_interval(0.95)), rel=1e-9)


@pytest.mark.parametrize("df", [1, 2, 3, 4, 9, 50, 300, 301, 5000])
@pytest.mark.parametrize("t", [0.0, 0.3, 1.96, 4.0])
def test_two_sided_p_value_is_students(df, t):
    assert two_sided(t, 1.0, df + 1) == approx(2 * stats.t.sf(t, df), rel=1e-9)


def test_p_value_without_any_spread():
    assert two_sided(0.0, 0.0, 9) == 1
    assert two_sided(0.1, 0.0, 9) == 0
    assert np.isnan(two_sided(np.nan, 1.0, 9))
    assert np.isnan(standard_error(np.array([1.0])))


def test_a_model_does_not_differ_from_itself():
    ev = evaluated(["AUC", "ECE"])["old"]

    d = ev.difference(ev, "AUC")

    assert (d.value, tuple(d.interval), d.p_value) == (0, (0, 0), 1)
    assert d.is_better is None
    assert ev.difference(ev, "ECE", resamples=20).value == 0


def test_better_follows_the_direction_of_the_measure():
    both = evaluate_predictions(clicks(n=4000), ["AUC", "LogLoss"], scores=["old", "new"], group="user")

    auc, loss = (both.difference(name, "new") for name in ("AUC", "LogLoss"))

    assert (auc.value > 0, auc.is_better) == (True, True)
    assert (loss.value < 0, loss.is_better) == (True, True)
    assert both.difference("AUC", "old", "new").is_better is False


def test_differences_of_all_measures_against_the_first_model():
    both = evaluated(["AUC", "LogLoss"])

    assert list(both.differences) == ["new"]
    assert both.differences["new"]["AUC"].value == both.difference("AUC", "new").value


def test_a_paired_difference_is_narrower_than_two_intervals():
    both = evaluated("LogLoss")
    alone = sum(both[name].column("LogLoss").error ** 2 for name in both)

    low, high = both.difference("LogLoss", "new").interval

    assert (high - low) / 2 / stats.t.ppf(0.975, 39) < sqrt(alone)


def test_difference_of_a_binned_measure_is_drawn_again():
    both = evaluated("ECE")
    old, new = both["old"], both["new"]

    one = new.difference(old, "ECE", rng=3, resamples=60)

    assert one.value == new["ECE"] - old["ECE"]
    assert one.interval.low < one.value < one.interval.high
    assert new.difference(old, "ECE", rng=3, resamples=60) == one
    assert new.difference(old, "ECE", rng=4, resamples=60).interval != one.interval


@pytest.mark.parametrize(
    "change",
    [
        {"label": [0, 0, 1, 1]},
        {"label": [1, 0, 1], "score": [0.9, 0.2, 0.4], "group": [0, 0, 1]},
        {"group": [0, 1, 1, 1]},
    ],
    ids=["labels", "length", "groups"],
)
def test_difference_of_other_rows_is_refused(change):
    rows = {"label": [1, 0, 1, 0], "score": [0.9, 0.2, 0.4, 0.5], "group": [0, 0, 1, 1]}
    one, other = (evaluate_predictions(r, "AUC") for r in (rows, {**rows, **change}))

    with pytest.raises(InputError, match="must be on the same rows"):
        one.difference(other, "AUC")


def test_difference_of_missing_numbers_is_missing():
    both = evaluate_predictions({"label": [1, 1], "score": {"a": [0.1, 0.2], "b": [0.3, 0.4]}}, "AUC")

    d = both.difference("AUC", "b")

    assert np.isnan([d.value, *d.interval, d.p_value]).all()
    assert d.is_better is None


# coverage

USERS, EACH, REPEATS = 1500, 40, 600


def a_day_of_clicks(rng):
    """1,500 users with 40 rows each: users differ in how often they click, and in how the first model sees them."""
    user = np.repeat(np.arange(USERS), EACH)
    x = rng.normal(size=USERS * EACH)
    habit, view = rng.normal(size=(2, USERS))
    y = rng.random(USERS * EACH) < 1 / (1 + np.exp(2 - x - habit[user]))
    first = 1 / (1 + np.exp(1.7 - 0.85 * x - 0.5 * (habit + view)[user]))
    second = 1 / (1 + np.exp(1.7 - 0.85 * x - 0.5 * habit[user]))
    return {"label": y, "score": {"first": first, "second": second}, "group": user}


@pytest.mark.long("simulations of error rates and coverage")
def test_clustered_intervals_hold_the_truth_in_95_of_100_samples_and_others_do_not():
    """The truth is the mean over all samples, whose own error is a 24th of one standard error."""
    rng = np.random.default_rng(5)
    names = ["AUC", "LogLoss"]
    values, errors, by_row = [], [], []
    for _ in range(REPEATS):
        both = evaluate_predictions(a_day_of_clicks(rng), names)
        first, second = both["first"], both["second"]
        d = second.difference(first, "AUC")
        found = [(first[name], (first.interval(name).high - first.interval(name).low) / 2) for name in names]
        found.append((d.value, (d.interval.high - d.interval.low) / 2))
        values.append([v for v, _ in found])
        errors.append([half for _, half in found])
        alone = [parse_prediction(name).influence(first.sample) for name in names]
        by_row.append([1.96 * standard_error(rows) for rows in alone])

    off = np.abs(np.array(values) - np.mean(values, axis=0))

    clustered = (off <= np.array(errors)).mean(axis=0)
    assert ((clustered >= 0.93) & (clustered <= 0.97)).all(), clustered
    unclustered = (off[:, :2] <= np.array(by_row)).mean(axis=0)
    assert (unclustered < 0.9).all(), unclustered


@pytest.mark.parametrize("name", ["GAUC", "GAUC(weight=uniform)", "CrossAUC", "Recall(threshold=0.3, average=macro)"])
def test_error_of_grouped_measures_is_the_spread_over_samples(name):
    rng = np.random.default_rng(2)
    m, values, errors = parse_prediction(name), [], []
    for _ in range(400):
        rows = clicks(int(rng.integers(1 << 30)), 900, 90)
        s = Sample(rows["label"], rows["new"], None, rows["user"], 90)
        values.append(m.value(s))
        errors.append(standard_error(m.clusters(s)))

    assert sqrt(np.mean(np.square(errors))) == approx(np.std(values), rel=0.12)


def test_weights_of_all_rows_by_a_factor_change_no_error():
    rows = clicks()
    one = Sample(rows["label"], rows["new"], np.ones(400), rows["user"], 40)

    for name in ("AUC", "LogLoss", "GAUC", "PRAUC", "MCC(threshold=0.3)"):
        m = parse_prediction(name)
        errors = [standard_error(m.clusters(s)) for s in (one, replace(one, weight=np.full(400, 7.0)))]
        assert errors[0] == approx(errors[1], rel=1e-12)


def test_perfect_separation_says_nothing_about_its_own_uncertainty():
    ev = evaluate_predictions({"label": [0, 0, 1, 1], "score": [0.1, 0.2, 0.8, 0.9]}, ["AUC", "LogLoss"])

    assert ev["AUC"] == 1
    assert np.isnan(ev.interval("AUC").low)
    assert not np.isnan(ev.interval("LogLoss").low)
