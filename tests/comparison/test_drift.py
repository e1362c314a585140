"""Measures over days: held against an ideal value, a number or the first days; the first day that is surely off."""

from __future__ import annotations

import json
from math import isnan, log, sqrt
from typing import Any

import numpy as np
import pytest
from scipy import stats

import rankgauge as rg
from rankgauge._text import zh
from rankgauge.errors import InputError, ParameterError, UnknownName


def days(
    n: int = 8, rows: int = 600, users: int = 200, seed: int = 0, *, broken: int | None = None, odds: float = 2.0
) -> dict[str, Any]:
    """Calibrated scores of returning users; from day `broken` on the odds of a click are `odds` times what is said."""
    rng = np.random.default_rng(seed)
    day = np.repeat(np.arange(n), rows)
    user = rng.integers(0, users, len(day))
    logit = -1.5 + rng.normal(0, 1, len(day)) + rng.normal(0, 0.7, users)[user]
    late = np.zeros(len(day), dtype=bool) if broken is None else day >= broken
    label = rng.random(len(day)) < 1 / (1 + np.exp(-logit - log(odds) * late))
    return {
        "label": label.astype(int),
        "score": 1 / (1 + np.exp(-logit)),
        "user_id": user,
        "time": np.datetime64("2024-05-01") + day,
    }


def of_day(table: dict[str, Any], i: int) -> dict[str, Any]:
    chosen = table["time"] == np.datetime64("2024-05-01") + i
    return {k: v[chosen] for k, v in table.items()}


def test_values_are_those_of_each_day_alone() -> None:
    table = days(4)

    found = rg.drift(table)

    for i, period in enumerate(found.periods):
        alone = rg.evaluate_predictions(of_day(table, i), ["COPC", "AUC", "LogLoss"])
        assert period == f"2024-05-0{i + 1}"
        assert [s.points[i].value for s in found.series] == [alone[m] for m in ("COPC", "AUC", "LogLoss")]


def test_the_interval_of_a_day_against_the_ideal_is_on_logs_at_the_corrected_level() -> None:
    table = days(4)

    found = rg.drift(table, "COPC")["COPC"]

    p, alone = found.points[2], rg.evaluate_predictions(of_day(table, 2), ["COPC"])
    half = stats.t.ppf(1 - 0.05 / 4 / 2, alone.n("COPC") - 1) * alone.column("COPC").error / alone["COPC"]
    assert (p.low, p.high) == pytest.approx((alone["COPC"] * np.exp(-half), alone["COPC"] * np.exp(half)))


def test_the_difference_to_the_reference_knows_that_users_return() -> None:
    """LogLoss of a day minus that of the first: the naive clustered error of the difference, user by user."""
    table = days(2, rows=800, users=60)

    p = rg.drift(table, "LogLoss", reference=1)["LogLoss"].points[1]

    loss = -np.log(np.where(table["label"] == 1, table["score"], 1 - table["score"]))
    first, second = (table["time"] == np.datetime64("2024-05-01") + i for i in (0, 1))
    means = [loss[m].mean() for m in (first, second)]
    parts = [
        sum(((loss - mean) * m * (table["user_id"] == u)).sum() / m.sum() * sign for m, mean, sign in sides)
        for u in range(60)
        for sides in [((second, means[1], 1), (first, means[0], -1))]
    ]
    error = sqrt(sum((x - np.mean(parts)) ** 2 for x in parts) * 60 / 59)
    users = [len(np.unique(table["user_id"][m])) for m in (first, second)]
    half = stats.t.ppf(1 - 0.05 / 2, min(users) - 1) * error
    assert (p.low, p.high) == pytest.approx((means[1] - half, means[1] + half), rel=1e-9)


def test_the_first_day_that_is_off_is_named() -> None:
    found = rg.drift(days(broken=5, rows=1500))

    assert found["COPC"].first_off is not None
    assert found["COPC"].first_off.period == "2024-05-06"
    assert found.is_off
    assert "COPC: 2024-05-06 is the first day surely away from 1" in found.verdict
    assert "COPC：2024-05-06 是第一个确定偏离 1 的时段" in found.verdict.zh  # type: ignore[attr-defined]


def test_a_day_whose_order_is_gone_is_worse_and_a_better_one_is_not_off() -> None:
    table = days(rows=1500)
    last = table["time"] == np.datetime64("2024-05-08")
    rng = np.random.default_rng(1)

    worse = rg.drift({**table, "score": np.where(last, rng.permutation(table["score"]), table["score"])}, "AUC")
    better = rg.drift({**table, "score": np.where(last, 0.2 + 0.6 * table["label"], table["score"])}, "AUC")

    assert [p.word for p in worse["AUC"].points] == ["reference"] * 2 + ["same"] * 5 + ["worse"]
    assert better["AUC"].points[-1].word == "better"
    assert better["AUC"].first_off is None


def test_a_tolerance_forgives_what_does_not_matter() -> None:
    table = days(broken=0, odds=1.3, rows=2000)

    assert rg.drift(table, "COPC").is_off
    forgiven = rg.drift(table, "COPC", tolerance={"COPC": 0.5})
    assert not forgiven.is_off
    assert all(p.p_corrected == 1 for p in forgiven["COPC"].points)


def test_a_number_that_is_known_otherwise_has_no_noise_and_needs_no_reference() -> None:
    table = days(2)
    auc = rg.evaluate_predictions(of_day(table, 0), "AUC")

    found = rg.drift(table, "AUC", reference={"roc_auc": 0.99})["AUC"]

    level = 1 - 0.05 / 2
    assert (found.against, found.target) == ("given", 0.99)
    assert (found.points[0].low, found.points[0].high) == pytest.approx(tuple(auc.interval("AUC", level)))
    assert [p.word for p in found.points] == ["worse", "worse"]


def test_looking_daily_spends_alpha_and_later_days_change_nothing() -> None:
    table = days(6)
    before = {k: v[table["time"] < np.datetime64("2024-05-05")] for k, v in table.items()}

    short = rg.drift(before, "COPC", looks="daily")["COPC"]
    long = rg.drift(table, "COPC", looks="daily")["COPC"]

    assert long.points[:4] == short.points
    both = [rg.drift(t, "AUC", looks="daily")["AUC"] for t in (before, table)]
    assert str(both[1].points[:4]) == str(both[0].points)  # the reference stays the same as well
    alone = rg.evaluate_predictions(of_day(table, 2), ["COPC"])
    half = stats.t.ppf(1 - 0.05 / 12 / 2, alone.n("COPC") - 1) * alone.column("COPC").error / alone["COPC"]
    assert long.points[2].high == pytest.approx(alone["COPC"] * np.exp(half))  # 3 · 4 = 12


def test_small_days_are_shown_and_not_judged() -> None:
    table = days(4)
    keep = (table["time"] < np.datetime64("2024-05-04")) | (np.arange(2400) % 10 == 0)

    found = rg.drift({k: v[keep] for k, v in table.items()}, "COPC")

    assert [p.word for p in found["COPC"].points] == ["same"] * 3 + ["few"]
    assert not isnan(found["COPC"].points[3].value)
    assert found.tests == 3
    assert any("1 of 4 periods has fewer than 50" in note for note in found.notes)


@pytest.mark.parametrize("label", [0, 1])
@pytest.mark.parametrize("weight", [None, 0.1, 10.0])
def test_a_day_of_one_class_is_off_where_both_were_expected(label: int, weight: float | None) -> None:
    table = days(4)
    table["score"] = np.full(2400, table["label"].mean())
    table["label"] = np.where(table["time"] == np.datetime64("2024-05-03"), label, table["label"])
    if weight is not None:
        table["weight"] = np.full(2400, weight)

    found = rg.drift(table, "COPC")

    assert [p.word for p in found["COPC"].points] == ["same", "same", "off", "same"]
    point = found["COPC"].points[2]
    assert 0 <= point.low <= point.value < point.high
    assert (point.high < 1) == (label == 0)
    assert point.p_corrected < 0.001
    assert "2024-05-03 is the first day surely away from 1" in found.verdict
    assert any("(COPC: judged where so many are expected)" in note for note in found.notes)


def test_days_that_are_not_judged_are_named() -> None:
    table = days(8, rows=60)

    found = rg.drift({k: v[table["time"] != np.datetime64("2024-05-02")] for k, v in table.items()}, "COPC", fewest=200)

    assert "no day has enough rows" in found.verdict
    table = days(4)
    keep = (table["time"] < np.datetime64("2024-05-04")) | (np.arange(2400) % 10 == 0)
    found = rg.drift({k: v[keep] for k, v in table.items()}, "COPC")
    assert found.verdict == "COPC: no day is surely away from 1; not judged: 2024-05-04."


def test_weeks_and_months_begin_where_they_should() -> None:
    table = days(40, rows=60)

    weeks = rg.drift(table, "COPC", every="week", fewest=2)
    months = rg.drift(table, "COPC", every="month", fewest=2)

    assert weeks.periods == ["2024-04-29", *(f"2024-05-{d:02d}" for d in (6, 13, 20, 27)), "2024-06-03"]  # Mondays
    assert [p.rows for p in weeks["COPC"].points] == [300, 420, 420, 420, 420, 420]
    assert months.periods == ["2024-05", "2024-06"]


def test_periods_that_are_numbers_keep_their_digits() -> None:
    table = days(3)
    number = 10_000_001 + (table["time"] - np.datetime64("2024-05-01")).astype(int)

    assert rg.drift({**table, "time": number}, "COPC", time="time").periods == ["10000001", "10000002", "10000003"]


def test_days_that_all_say_the_same_are_not_off() -> None:
    table = {"label": [0, 1] * 200, "score": [0.2, 0.7] * 200, "time": ["2024-05-01"] * 200 + ["2024-05-02"] * 200}

    found = rg.drift(table, "AUC")

    assert [p.word for p in found["AUC"].points] == ["reference", "same"]
    assert isnan(found["AUC"].points[1].low)


def test_a_day_of_one_score_for_all_rows_is_off_though_it_has_no_spread() -> None:
    table = days(2)
    table["score"][600:] = 0.5

    found = rg.drift(table, ["AUC", "LogLoss"], reference={"AUC": 0.7, "LogLoss": 0.5}, tolerance={"AUC": 0.1})

    assert [(s.points[1].word, s.points[1].p_corrected) for s in found.series] == [("worse", 0.0)] * 2
    assert "2024-05-02 is the first day surely worse than 0.7: 0.5000; 1 of 2 are." in found["AUC"].sentence
    assert "差于 0.7 的时段：0.5000；" in zh(found["AUC"].sentence)


def test_an_order_that_turns_around_is_worse_though_neither_day_has_spread() -> None:
    score = [0.2, 0.7] * 100 + [0.7, 0.2] * 100
    table = {"label": [0, 1] * 200, "score": score, "time": ["2024-05-01"] * 200 + ["2024-05-02"] * 200}

    assert [p.word for p in rg.drift(table, "AUC")["AUC"].points] == ["reference", "worse"]


def test_last_digits_of_weighted_sums_are_no_drift() -> None:
    words = set()
    for seed in range(20):
        rng = np.random.default_rng(seed)
        sizes = rng.integers(60, 300, 3)
        table = {
            "label": np.tile([0, 1], sizes.sum()),
            "score": np.full(2 * sizes.sum(), 0.5),
            "weight": np.repeat(rng.choice([0.1, 0.3, 0.7], 3), 2 * sizes),
            "time": np.repeat(np.datetime64("2024-05-01") + np.arange(3), 2 * sizes),
        }
        words |= {p.word for s in rg.drift(table, ["AUC", "LogLoss"], weight="weight").series for p in s.points}

    assert words == {"reference", "same"}


def test_days_that_rest_on_one_heavy_row_are_not_judged() -> None:
    table = days(4)
    weight = np.ones(len(table["label"]))
    weight[::600] = 1000.0  # leaves (1,599)² / 1,000,599 = 2.6 rows of a day

    found = rg.drift({**table, "weight": weight}, "COPC", weight="weight")

    assert {p.word for p in found["COPC"].points} == {"few"}
    assert any("50 positives, negatives or units (weights leave (Σw)²/Σw² of them): shown" in n for n in found.notes)


def test_equal_weights_leave_every_row() -> None:
    table = days(3)
    weight = np.full(len(table["label"]), 0.1)

    assert [p.word for p in rg.drift({**table, "weight": weight}, "COPC", weight="weight")["COPC"].points] == [
        p.word for p in rg.drift(table, "COPC")["COPC"].points
    ]


def test_chinese_sentence_ends_without_a_space_before_its_stop() -> None:
    assert zh(rg.drift(days(2), "COPC")["COPC"].sentence) == "COPC：没有任何时段确定偏离 1。"


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"measures": "ECE"}, ParameterError, "ECE has no standard error of its own"),
        ({"every": "minute"}, ParameterError, "`every` must be one of hour, day, week, month, got 'minute'"),
        ({"reference": 8}, InputError, "at least 9 periods are needed, 8 of them as the reference, got 8"),
        ({"reference": 0}, ParameterError, "`reference` must be"),
        ({"tolerance": {"KS": 0.1}}, ParameterError, "must have a number for one of COPC, AUC, LogLoss, got 'KS'"),
        ({"tolerance": {"AUC": -0.1}}, ParameterError, "`tolerance` of AUC must be 0 or more"),
        ({"tolerance": 0.1}, ParameterError, "must map measures to numbers"),
        ({"alpha": 1}, ParameterError, "`alpha` must be"),
        ({"looks": "often"}, ParameterError, "`looks` must be one of once, daily"),
        ({"fewest": 5000}, InputError, "the reference must have 5000 positives"),
    ],
)
def test_what_cannot_be_asked_is_an_error(options: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        rg.drift(days(), **options)


def test_rows_without_time_and_scores_without_probabilities_are_told() -> None:
    table = days(4)

    with pytest.raises(InputError, match="there are no times to tell periods by"):
        rg.drift({k: v for k, v in table.items() if k != "time"})
    with pytest.raises(InputError, match="drift: LogLoss needs probabilities"):
        rg.drift({**table, "score": 9 * table["score"]}, "LogLoss")
    assert [s.measure for s in rg.drift({**table, "score": 9 * table["score"]}).series] == ["AUC"]
    with pytest.raises(UnknownName, match="no measure 'KS'"):
        rg.drift(table)["KS"]


def test_it_is_stored_drawn_and_comes_back() -> None:
    found = rg.drift(days(4))

    back = rg.Record.from_dict(json.loads(found.to_json()))

    assert back.to_json() == found.to_json()
    assert str(back) == str(found)
    assert "2024-05-03" in rg.plot(back, measure="AUC").svg
    assert rg.plot(found, "drift", language="zh").svg.count("<circle") == 12


@pytest.mark.parametrize("looks", ["once", "daily"])
def test_a_healthy_model_is_rarely_called_off(looks: str) -> None:
    """40 worlds of 8 days in which nothing changes: false alarms at a level of 10%."""
    alarms = sum(rg.drift(days(rows=400, seed=100 + i), alpha=0.1, looks=looks).is_off for i in range(40))

    assert alarms <= 9  # 4 are expected at most; more than 9 have a chance of 0.5%


@pytest.mark.long("simulations of error rates")
def test_the_chance_of_a_false_alarm_is_as_stated() -> None:
    alarms = sum(rg.drift(days(10, rows=500, seed=i), looks="once").is_off for i in range(600))

    assert alarms <= 46  # 5% of 600 is 30, three standard errors are 16
