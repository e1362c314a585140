"""An A/B test from one table: each treatment against the control, over units, and whether it can be believed."""

from __future__ import annotations

import json
from math import isnan, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import rankgauge as rg
from chinese_errors import Files, says_in_both
from rankgauge.errors import InputError, ParameterError
from rankgauge.experiments import ABTest, ab_test, arm_sizes, cuped, cuped_arm, sample_ratio

ROWS = {  # user c2 has two rows
    "user": ["c1", "c2", "c2", "c3", "n1", "n2", "n3", "n4"],
    "arm": ["control"] * 4 + ["new"] * 4,
    "clicks": [1, 0, 1, 3, 2, 4, 1, 3],
    "shown": [10, 5, 5, 10, 10, 10, 5, 10],
}


def many(n: int = 400, arms: int = 2, lift: float = 0.0, seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    users = np.arange(n)
    arm = np.array(["A", "B", "C", "D"])[users % arms]
    before = rng.poisson(5, n)
    clicks = rng.poisson(before + lift * (arm == "B"))
    return {"user": users, "arm": arm, "clicks": clicks, "shown": rng.integers(20, 40, n), "before": before}


def delta(clicks: list[float], shown: list[float]) -> tuple[float, float]:
    """A ratio of sums over units and its variance, by the delta method, written out."""
    y, x = np.array(clicks, float), np.array(shown, float)
    n, r = len(y), y.sum() / x.sum()
    return r, float(((y - r * x) ** 2).sum() / (n - 1) / n / x.mean() ** 2)


def test_ratios_are_over_units_by_the_delta_method() -> None:
    found = ab_test(ROWS, numerator="clicks", denominator="shown", unit="user")

    control, var_c = delta([1, 1, 3], [10, 10, 10])
    new, var_n = delta([2, 4, 1, 3], [10, 10, 5, 10])
    change = found["new"].change
    assert (change.control, change.treatment) == (pytest.approx(control), pytest.approx(new))
    assert change.error == pytest.approx(sqrt(var_c + var_n))
    assert [(a.name, a.units, a.numerator, a.denominator) for a in found.arms] == [
        ("control", 3, 5.0, 30.0),
        ("new", 4, 10.0, 35.0),
    ]


def test_without_a_denominator_it_is_the_mean_per_unit_as_welch_tests_it() -> None:
    rows = many(lift=0.4)

    found = ab_test(rows, numerator="clicks", unit="user")["B"]

    a, b = (rows["clicks"][rows["arm"] == x] for x in "AB")
    assert found.change.difference == pytest.approx(b.mean() - a.mean())
    assert found.change.p_value == pytest.approx(
        stats.ttest_ind(b, a, equal_var=False).pvalue, rel=2e-3
    )  # whole degrees


def test_before_is_taken_out_as_cuped_does_and_decides() -> None:
    rows = many(lift=0.45, seed=3)

    found = ab_test(rows, numerator="clicks", before="before", unit="user")["B"]

    arms = [cuped_arm(rows["clicks"][m], rows["before"][m]) for m in (rows["arm"] == "A", rows["arm"] == "B")]
    alone = cuped(*arms)
    assert found.cuped is not None
    assert found.cuped.adjusted.difference == pytest.approx(alone.adjusted.difference)
    assert found.decides.p_value == pytest.approx(alone.adjusted.p_value)
    assert found.decides.error < found.change.error
    assert (found.p_corrected < 0.05) == (found.word == "better")


def test_several_treatments_are_corrected_and_intervals_agree_with_verdicts() -> None:
    found = ab_test(many(600, arms=4, lift=1.2), numerator="clicks", unit="user")

    assert [c.arm for c in found.changes] == ["B", "C", "D"]
    for c in found.changes:
        assert c.change.confidence_level == pytest.approx(1 - 0.05 / 3)
        assert c.p_corrected == pytest.approx(min(1, 3 * c.change.p_value))
        assert (c.word == "not clear") == (c.change.low <= 0 <= c.change.high)
    assert found["B"].word == "better"
    assert any("corrected for 3 comparisons" in note for note in found.notes)


def test_lower_is_better_turns_the_word_around() -> None:
    rows = many(600, lift=1.5)

    assert ab_test(rows, numerator="clicks", unit="user")["B"].word == "better"
    assert ab_test(rows, numerator="clicks", unit="user", lower_is_better=True)["B"].word == "worse"


def test_arms_without_their_units_have_no_conclusion() -> None:
    rows = many(400)
    keep = (rows["arm"] == "A") | (np.arange(400) % 8 == 1)

    found = ab_test({k: v[keep] for k, v in rows.items()}, numerator="clicks", unit="user")

    assert not found.sample.is_fine
    assert found.verdict.startswith("No conclusion: the arms do not have the units they should have.")
    assert found.sample.p_value == sample_ratio({"A": 200, "B": 50}).p_value
    told = ab_test(
        {k: v[keep] for k, v in rows.items()}, numerator="clicks", unit="user", expected={"A": 0.8, "B": 0.2}
    )
    assert told.sample.is_fine


def test_units_in_several_arms_are_an_error_or_left_out_and_counted() -> None:
    rows = {**ROWS, "arm": ["control", "control", "new", "control", "new", "new", "new", "new"]}  # c2 is in both

    with pytest.raises(InputError, match=r"1 of 7 values of 'user' are in several.*crossed='drop'"):
        ab_test(rows, numerator="clicks", denominator="shown", unit="user")
    found = ab_test(rows, numerator="clicks", denominator="shown", unit="user", crossed="drop")
    assert found.crossed == 1
    assert [a.units for a in found.arms] == [2, 4]
    assert any("1 unit in several arms left out" in note for note in found.notes)


@pytest.mark.parametrize(
    ("arms", "control"), [(("new", "old"), "old"), (("A", "B"), "A"), (("0", "1"), "0"), (("实验", "对照"), "对照")]
)
def test_the_control_is_found_by_its_name(arms: tuple[str, str], control: str) -> None:
    found = ab_test({"arm": [*arms] * 3, "clicks": [1, 2, 3, 4, 5, 7]}, numerator="clicks")

    assert found.control == control
    assert any(f"read '{control}' as the control" in note for note in found.notes)


def test_an_arm_of_one_unit_is_no_comparison() -> None:
    found = ab_test({"arm": ["A", "A", "A", "B"], "clicks": [1, 2, 4, 3]}, numerator="clicks")["B"]

    assert isnan(found.p_corrected)
    assert (found.word, isnan(found.change.low)) == ("not clear", True)


def test_no_spread_is_no_comparison() -> None:
    found = ab_test({"arm": ["A", "A", "B", "B"], "clicks": [1, 1, 1, 1]}, numerator="clicks")

    assert isnan(found["B"].p_corrected)
    assert found["B"].word == "not clear"
    assert found.verdict == "B and A cannot be compared on mean clicks: there is no spread to learn from."


@pytest.mark.parametrize(
    ("change", "options", "error", "said"),
    [
        ({}, {"numerator": "click"}, InputError, r"columns missing: 'click'\. Did you mean clicks\?"),
        ({}, {"control": "nwe"}, InputError, r"no arm 'nwe' to compare with\. Did you mean new\?"),
        ({"arm": ["x"] * 8}, {}, InputError, "at least two arms are needed, column 'arm' holds only 'x'"),
        ({"arm": ["x", "y"] * 4}, {"unit": None}, ParameterError, r"is not known\. Pass control='x'"),
        ({"clicks": ["a"] * 8}, {}, InputError, "must hold numbers, got 'a' in row 1"),
        ({"clicks": [float("nan")] * 8}, {}, InputError, "must be finite"),
        ({}, {"before": "clicks", "denominator": "shown"}, ParameterError, "needs both"),
        ({}, {"before_denominator": "shown"}, ParameterError, "`before_denominator` needs `before`"),
        ({"shown": [0] * 8}, {"denominator": "shown"}, InputError, "not all 0"),
        ({}, {"crossed": "keep"}, ParameterError, "`crossed` must be one of error, drop, got 'keep'"),
        ({}, {"expected": {"control": 1, "old": 1}}, InputError, "expected must name the arms"),
    ],
)
def test_what_cannot_be_compared_is_an_error(
    change: dict[str, Any], options: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        ab_test({**ROWS, **change}, **{"numerator": "clicks", "unit": "user", **options})


def test_it_is_stored_with_everything_in_it() -> None:
    found = ab_test(many(60, arms=3), numerator="clicks", before="before", unit="user")

    back = rg.Record.from_dict(json.loads(found.to_json()))

    assert isinstance(back, ABTest)
    assert back.to_json() == found.to_json()
    assert back.verdict.zh == found.verdict.zh  # type: ignore[attr-defined]
    assert back.to_frame().equals(found.to_frame())


def test_a_header_in_the_middle_is_no_arm() -> None:
    twice = {k: [*v, k, *v] for k, v in {"user": ["a", "b"], "arm": ["A", "B"]}.items()}

    with pytest.raises(InputError, match="row 3 repeats the names of the columns"):
        arm_sizes(twice, unit="user")


def test_many_arms_are_asked_about() -> None:
    assert not sample_ratio(dict.fromkeys("abcd", 100)).notes
    (note,) = sample_ratio(dict.fromkeys("abcdefghij", 100)).notes
    assert note == "10 arms are many for an experiment: are these its arms?"


def test_sizes_of_arms_count_units_once() -> None:
    assert arm_sizes(ROWS, unit="user") == {"control": 3, "new": 4}
    assert arm_sizes(ROWS) == {"control": 4, "new": 4}


def test_identical_arms_are_rarely_called_different() -> None:
    """60 experiments without an effect and three treatments each: a false alarm in at most a few."""
    alarms = sum(
        any(c.word != "not clear" for c in ab_test(many(200, arms=4, seed=i), numerator="clicks", unit="user").changes)
        for i in range(60)
    )

    assert alarms <= 8  # 5% of 60 is 3; more than 8 has a chance of 0.5%


@pytest.mark.parametrize("unit", ["", "nobody"])
def test_units_of_a_column_that_is_not_there_are_an_error(unit):
    with pytest.raises(InputError, match=f"'{unit}'"):
        arm_sizes({"arm": ["A", "B"], "user": [1, 2]}, unit=unit)


def test_a_unit_in_several_arms_counts_in_none(tmp_path: Path):
    crossed = {"arm": ["A", "B", "B"], "user": ["u1", "u2", "u1"]}

    says_in_both(
        lambda at: arm_sizes(crossed, unit="user"),
        Files(tmp_path),
        "arm_sizes: a unit must be in one arm, 1 of 2 values of 'user' are in several: no arm can count them. "
        "Find out why, and leave them out.",
        "arm_sizes：一个单元只能属于一个组，'user' 的 2 个值中有 1 个出现在多个组，任何一组都不能计入。"
        "请查明原因，并去掉它们。",
    )


@pytest.mark.parametrize("name", ["unit", "denominator", "before", "arm"])
def test_an_empty_name_is_no_column(name):
    with pytest.raises(InputError, match="columns missing: ''"):
        ab_test(ROWS, **{"numerator": "clicks", name: ""})
