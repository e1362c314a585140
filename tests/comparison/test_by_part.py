"""Two models by segment and by day, corrected for looking at so many parts."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import rankgauge as rg
from rankgauge.errors import InputError, ParameterError


def rows(n: int = 4000, seed: int = 0, *, noise: float = 1.5) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    user = rng.integers(0, 400, n)
    logit = -1.0 + rng.normal(0, 1, n) + rng.normal(0, 0.7, 400)[user]
    return {
        "label": (rng.random(n) < 1 / (1 + np.exp(-logit))).astype(int),
        "old": 1 / (1 + np.exp(-logit - noise * rng.normal(0, 1, n))),
        "new": 1 / (1 + np.exp(-logit - noise * rng.normal(0, 1, n))),
        "user_id": user,
        "device": np.array(["desk", "phone"])[rng.integers(0, 2, n)],
        "time": np.datetime64("2024-05-01") + rng.integers(0, 3, n),
    }


def test_each_part_is_paired_on_its_own_rows_at_the_corrected_level() -> None:
    table = rows()

    found = rg.compare_by(table, ["AUC", "LogLoss"], slices="device", every="day", scores=["old", "new"])

    assert found.tests == 5 * 2
    assert [(c.column, c.part) for c in found.changes[::2]] == [
        *(("device", "desk"), ("device", "phone")),
        *(("day", "2024-05-01"), ("day", "2024-05-02"), ("day", "2024-05-03")),
    ]
    phone = table["device"] == "phone"
    alone = rg.evaluate_predictions({k: v[phone] for k, v in table.items()}, ["AUC"], scores=["old", "new"])
    d = alone["new"].difference(alone["old"], "AUC", 1 - 0.05 / 10)
    c = next(c for c in found.changes if (c.part, c.measure) == ("phone", "AUC"))
    assert (c.difference, c.low, c.high) == pytest.approx((d.value, *d.interval))
    assert c.p_corrected == pytest.approx(min(1, 10 * d.p_value))


def test_the_part_where_the_new_model_is_worse_is_named() -> None:
    table = rows(noise=0.0)
    broken = table["device"] == "phone"
    rng = np.random.default_rng(5)
    table["new"] = np.where(broken, rng.permutation(table["new"]), table["new"])

    found = rg.compare_by(table, "AUC", slices=["device"], scores=["old", "new"])

    assert {c.part: c.word for c in found.changes} == {"desk": "not clear", "phone": "worse"}
    assert found.verdict == "AUC: new is surely better than old in 0 of 2 parts, surely worse in 1 (phone)."
    assert [c.part for c in found.of("worse")] == ["phone"]


def test_nearer_to_one_is_better_for_copc() -> None:
    table = rows(noise=0.0)
    table["new"] = np.minimum(2 * table["old"], 0.999)

    found = rg.compare_by(table, "COPC", slices="device", scores=["old", "new"])
    turned = rg.compare_by(table, "COPC", slices="device", scores=["old", "new"], baseline="new")

    assert {c.word for c in found.changes} == {"worse"}
    assert {c.word for c in turned.changes} == {"better"}


def test_identical_models_differ_nowhere() -> None:
    table = rows()

    found = rg.compare_by({**table, "new": table["old"]}, slices="device", every="day", scores=["old", "new"])

    assert {c.word for c in found.changes} == {"not clear"}
    assert {c.difference for c in found.changes} == {0.0}


def test_equal_models_are_rarely_called_different() -> None:
    """60 pairs of equally good models, 5 parts and 3 measures each: at most a few have a false alarm at 5%."""
    alarms = 0
    for i in range(60):
        found = rg.compare_by(rows(1500, seed=i), slices="device", every="day", scores=["old", "new"])
        alarms += any(c.word in ("better", "worse") for c in found.changes)

    assert alarms <= 8


def test_small_parts_and_measures_without_errors_are_not_judged() -> None:
    table = rows(600)
    table["device"] = np.array(["few"] * 40 + ["many"] * 560)

    found = rg.compare_by(table, ["AUC", "ECE"], slices="device", scores=["old", "new"])

    assert {(c.part, c.measure): c.word for c in found.changes} == {
        ("few", "AUC"): "few",
        ("few", "ECE"): "few",
        ("many", "AUC"): "not clear",
        ("many", "ECE"): "undefined",
    }
    assert any("1 of 2 parts has fewer than 50" in note for note in found.notes)


def test_evaluations_with_their_rows_are_taken_as_they_are() -> None:
    table = rows()
    evs = rg.evaluate_predictions(table, ["AUC"], scores=["old", "new"], slices=["device"])

    assert rg.compare_by(evs, "AUC", slices="device").changes == (
        rg.compare_by(table, "AUC", slices="device", scores=["old", "new"]).changes
    )


def test_it_is_stored_drawn_and_comes_back() -> None:
    found = rg.compare_by(rows(), slices="device", every="day", scores=["old", "new"])

    back = rg.Record.from_dict(json.loads(found.to_json()))

    assert back.to_json() == found.to_json()
    assert str(back) == str(found)
    assert "2024-05-02" in rg.plot(back, measure="LogLoss").svg


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({}, ParameterError, r"compare_by needs parts\. Pass slices="),
        ({"slices": "device", "scores": ["old"]}, InputError, "needs two models or more on the same rows, got 1: old"),
        ({"slices": "device", "baseline": "nwe"}, ParameterError, r"Did you mean new\?"),
        ({"slices": "user_id"}, ParameterError, "these are ids, not segments"),
        ({"every": "minute"}, ParameterError, "`every` must be one of"),
        ({"slices": "dvice"}, InputError, "dvice"),
    ],
)
def test_what_cannot_be_compared_is_an_error(options: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        rg.compare_by(rows(600), **{"scores": ["old", "new"], **options})


def test_no_part_has_more_rows_than_there_are_numbers_for() -> None:
    found = rg.compare_by(rows(400), ["AUC"], slices="device", scores=["old", "new"], fewest=10**400)

    assert found.tests == 0
