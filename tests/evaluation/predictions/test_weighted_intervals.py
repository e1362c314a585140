"""Intervals of weighted rows rest on what weights leave of them: (Σw)² / Σw² (Kish 1965)."""

from math import floor, isnan, sqrt

import numpy as np
import polars as pl
import pytest
from scipy.stats import t

import rankgauge as rg
from rankgauge._text import zh
from rankgauge.gate import PredictionGate
from rankgauge.measures.predictions.auc import AUC

MEASURES = ["AUC", "COPC", "LogLoss", "NE", "Brier", "Recall(threshold=0.4)", "Precision(threshold=0.4)"]


def rows(n=200, *, seed=0, weight=None, **more):
    rng = np.random.default_rng(seed)
    p = rng.beta(2, 4, n)
    given = {} if weight is None else {"weight": weight}
    return {"label": (rng.random(n) < p) * 1, "old": p, "new": 0.1 + 0.8 * p, **given, **more}


def lognormal(n, seed=0):
    return np.exp(np.random.default_rng(seed).standard_normal(n))


def one_heavy(n=200, heavy=1000.0):
    return np.r_[heavy, np.ones(n - 1)]


def classes(n=300, seed=0, **more):
    rng = np.random.default_rng(seed)
    label = rng.choice(["a", "b", "c"], n)
    return {"label": label, "prediction": np.where(rng.random(n) < 0.7, label, rng.choice(["a", "b", "c"], n)), **more}


def test_the_interval_of_a_mean_has_what_weights_leave_of_its_rows():
    w = lognormal(200)
    data = rows(weight=w)
    ev = rg.evaluate_predictions(data, ["Brier"], scores="old")

    x = (data["old"] - data["label"]) ** 2
    left, mean = w.sum() ** 2 / (w**2).sum(), (w * x).sum() / w.sum()
    error = sqrt(((w * (x - mean)) ** 2).sum() * left / (left - 1)) / w.sum()
    half = t.ppf(0.975, floor(left) - 1) * error
    assert left < 120
    assert ev.column("Brier").left == pytest.approx(left)
    assert tuple(ev.interval("Brier")) == pytest.approx((mean - half, mean + half))
    assert ev.n("Brier") == 200


def test_equal_weights_leave_every_unit_and_change_nothing():
    groups = np.repeat(np.arange(40), np.arange(40) % 9 + 1)[:200]  # of unequal size
    for more in ({}, {"user_id": groups}):
        data = rows(len(groups), **more)
        plain = rg.evaluate_predictions(data, MEASURES, scores="old")
        equal = rg.evaluate_predictions({**data, "weight": np.full(len(groups), 0.3)}, MEASURES, scores="old")
        for m in MEASURES:
            assert equal.column(m).left == plain.column(m).left == plain.n(m)
            assert tuple(equal.interval(m)) == pytest.approx(tuple(plain.interval(m)), rel=1e-12)


def test_groups_leave_what_weights_add_to_their_inequality():
    groups, w = np.repeat(np.arange(50), 4), lognormal(200)
    ev = rg.evaluate_predictions(rows(weight=w, user_id=groups), ["COPC"], scores="old")

    of_group = np.bincount(groups, w)
    assert ev.column("COPC").left == pytest.approx(of_group.sum() ** 2 / (of_group**2).sum())


def test_rows_that_a_number_does_not_look_at_leave_it_alone():
    """A heavy negative decides no recall; a heavy positive decides it, be it light among all rows."""
    rng = np.random.default_rng(1)
    label = np.r_[np.ones(50), np.zeros(1000)].astype(int)
    score = np.clip(0.3 * label + rng.random(1050) * 0.7, 0, 1)
    m = "Recall(threshold=0.5)"

    def left(heavy):
        w = np.ones(1050)
        w[heavy] = 500
        return rg.evaluate_predictions({"label": label, "score": score, "weight": w}, [m, "LogLoss"]).column(m)

    assert left(60).left == 1050
    assert left(0).left == pytest.approx(1 / (1 / 1050 + (500**2 + 49) / 549**2 - 1 / 50))
    assert isnan(left(0).error)


@pytest.mark.parametrize("lazily", [False, True], ids=["memory", "pieces"])
def test_one_row_that_outweighs_all_others_leaves_no_interval_and_no_difference(lazily):
    data = pl.DataFrame(rows(weight=one_heavy()))
    evs = rg.evaluate_predictions(data.lazy() if lazily else data, ["COPC", "LogLoss", "AUC"], scores=["old", "new"])

    for m in ("COPC", "LogLoss", "AUC"):
        assert isnan(evs["old"].interval(m).low)
        d = evs.difference(m, "new")
        assert isnan(d.interval.low)
        assert d.is_better is None
    assert {c.word for c in evs.compare().contrasts} <= {"untested", "unchanged"}  # both models have the same order
    remark = evs["old"].notes[-1]
    assert "weights leave 1.4 of 200 rows" in remark
    assert "too few for the interval of a number over all of them" in remark
    assert "只相当于 1.4" in zh(remark)
    assert "没有置信区间" in zh(remark)


@pytest.mark.parametrize("groups", [False, True], ids=["rows", "groups"])
def test_pieces_say_what_memory_says(groups):
    more = {"user_id": np.arange(200) // 3} if groups else {}
    data = pl.DataFrame(rows(weight=lognormal(200, 3), **more))
    here = rg.evaluate_predictions(data, MEASURES, scores=["old", "new"])
    there = rg.evaluate_predictions(data.lazy(), MEASURES, scores=["old", "new"], engine="streaming")

    for m in MEASURES:
        close = {"abs": 2e-3} if m == "AUC" else {"rel": 1e-9}  # known between bounds in pieces
        assert there["old"].column(m).left == pytest.approx(here["old"].column(m).left, rel=1e-9)
        assert there["old"].column(m).error == pytest.approx(here["old"].column(m).error, **close)
        assert tuple(there["old"].interval(m)) == pytest.approx(tuple(here["old"].interval(m)), **close)
        a, b = here.difference(m, "new"), there.difference(m, "new")
        assert (b.left, b.error) == pytest.approx((a.left, a.error), **close)


def test_stored_evaluations_keep_what_weights_leave(tmp_path):
    evs = rg.evaluate_predictions(rows(weight=lognormal(200)), ["LogLoss", "AUC"], scores=["old", "new"])
    for name, ev in evs.items():
        ev.to_json(tmp_path / f"{name}.json")
    old, new = (rg.load(tmp_path / f"{name}.json") for name in ("old", "new"))

    for m in ("LogLoss", "AUC"):
        assert old.interval(m) == evs["old"].interval(m)
        assert new.difference(old, m) == evs.difference(m, "new")


def test_comparison_and_gate_rest_on_what_weights_leave():
    data = rows(weight=one_heavy(heavy=60.0))
    evs = rg.evaluate_predictions(data, ["LogLoss"], scores=["old", "new"])
    d = evs.difference("LogLoss", "new")
    contrast = evs.compare(measures=["LogLoss"]).contrasts[0]

    left = (60 + 199) ** 2 / (60**2 + 199)
    assert d.left == pytest.approx(left)
    assert tuple(contrast.interval) == pytest.approx(tuple(d.interval), rel=1e-9)
    assert contrast.p_value == pytest.approx(2 * t.sf(abs(d.value / d.error), floor(left) - 1))
    rules = {"score": "new", "baseline": "old", "non_inferior": {"LogLoss": 10.0}}
    assert rg.run_gate(PredictionGate(predictions=data, **rules)).outcome == "pass"
    heavy = rg.run_gate(PredictionGate(predictions=rows(weight=one_heavy()), **rules))
    assert [c.outcome for c in heavy.checks] == ["inconclusive"]


def test_each_class_has_what_weights_leave_of_its_own_rows():
    label = ["a"] * 100 + ["b"] * 10
    called = ["a"] * 90 + ["b"] * 15 + ["a"] * 5
    w = np.r_[np.ones(100), 50.0, np.ones(9)]
    ev = rg.evaluate_predictions(
        {"label": label, "prediction": called, "weight": w}, ["Accuracy"], prediction="prediction"
    )

    recall = dict(zip(ev.per_class["class"], ev.per_class["recall_low"], strict=True))
    assert recall["b"] is None  # one row is 50 of 59
    assert recall["a"] > 0.8
    assert isnan(ev.evaluate("Recall(label=b)").interval("Recall(label=b)").low)
    assert not isnan(ev.evaluate("Recall(label=a)").interval("Recall(label=a)").low)
    plain = rg.evaluate_predictions({"label": label, "prediction": called}, ["Accuracy"], prediction="prediction")
    assert plain.each.left == {}


def _covered(truth, make, times, seed):
    """How often intervals held the truth, and how often there was none."""
    held = dict.fromkeys(truth, 0)
    none = dict.fromkeys(truth, 0)
    for i in range(times):
        for name, (low, high) in make(seed + i).items():
            none[name] += isnan(low)
            held[name] += low <= truth[name] <= high
    return held, none


def _of_model(weights):
    def make(seed):
        evs = rg.evaluate_predictions(
            rows(1000, seed=seed, weight=weights(seed)), ["COPC", "LogLoss", "Brier", "AUC"], scores=["old", "new"]
        )
        return {m: evs["old"].interval(m) for m in ("COPC", "LogLoss", "Brier", "AUC")} | {
            "difference": evs.difference("LogLoss", "new").interval
        }

    return make


def _truth():
    """Of very many rows like these: p is the chance of a positive, so COPC is 1 and losses are expectations."""
    p = np.random.default_rng(99).beta(2, 4, 2_000_000)

    def loss(q):
        return float(-(p * np.log(q) + (1 - p) * np.log(1 - q)).mean())

    label = np.random.default_rng(98).random(len(p)) < p
    return {
        "COPC": 1.0,
        "LogLoss": loss(p),
        "Brier": float((p * (1 - p)).mean()),
        "AUC": AUC().of(label, p),
        "difference": loss(0.1 + 0.8 * p) - loss(p),
    }


def test_a_few_weighted_intervals_hold_the_truth():
    truth = {"COPC": 1.0}
    held, none = _covered(
        truth, lambda seed: {"COPC": _of_model(lambda s: lognormal(1000, 1000 + s))(seed)["COPC"]}, 40, 0
    )

    assert none == {"COPC": 0}
    assert held["COPC"] >= 34  # 38 expected; fewer than 34 in 1 of 100 such tests


@pytest.mark.long("simulations of error rates and coverage")
def test_weighted_intervals_hold_the_truth_as_often_as_they_say():
    """Lognormal weights leave about 370 of 1,000 rows; a row of weight 300 decides a fourth of the number."""
    times, truth = 400, _truth()
    for weights in (lambda s: lognormal(1000, 10_000 + s), lambda s: one_heavy(1000, 300.0)):
        held, none = _covered(truth, _of_model(weights), times, 0)
        assert set(none.values()) == {0}
        for name, n in held.items():
            assert n / times > 0.91, name  # 95% but for the skewness of rows and what 400 samples leave to chance
    _, none = _covered(truth, _of_model(lambda s: one_heavy(1000, 5000.0)), 20, 0)
    assert set(none.values()) == {20}


@pytest.mark.long("coverage of intervals of classes")
def test_weighted_intervals_of_classes_hold_the_truth_as_often_as_they_say():
    right = 0.7 + 0.3 / 3
    truth = {"Accuracy": right, "Recall(average=macro)": right, "recall of b": right}

    def make(seed):
        ev = rg.evaluate_predictions(
            classes(1000, seed=seed, weight=lognormal(1000, 10_000 + seed)),
            ["Accuracy", "Recall(average=macro)"],
            prediction="prediction",
        )
        of_b = ev.per_class.row(by_predicate=pl.col("class") == "b", named=True)
        return {m: ev.interval(m) for m in ("Accuracy", "Recall(average=macro)")} | {
            "recall of b": (of_b["recall_low"], of_b["recall_high"])
        }

    held, none = _covered(truth, make, 400, 0)
    assert set(none.values()) == {0}
    for name, n in held.items():
        assert n / 400 > 0.91, name
