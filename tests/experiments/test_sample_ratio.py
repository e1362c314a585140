"""Sample ratios against scipy."""

from __future__ import annotations

import pytest
from scipy import stats

from rankgauge.errors import InputError, ParameterError
from rankgauge.experiments.sample_ratio import sample_ratio

approx = pytest.approx


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"c": 5000, "t": 5040}, None),
        ({"c": 821_588, "t": 815_482}, None),
        ({"c": 900, "t": 110, "u": 95}, {"c": 0.8, "t": 0.1, "u": 0.1}),
        ({"c": 0, "t": 12}, {"t": 3, "c": 1}),
    ],
)
def test_p_value_is_that_of_scipy(counts, expected):
    total, weights = sum(counts.values()), expected or dict.fromkeys(counts, 1)
    due = [total * weights[arm] / sum(weights.values()) for arm in counts]

    found = sample_ratio(counts, expected)

    wanted = stats.chisquare(list(counts.values()), due)
    assert (found.statistic, found.p_value) == approx((wanted.statistic, wanted.pvalue))
    assert found.to_frame()["expected"].to_list() == approx(due)


def test_mismatch_is_told_in_both_languages():
    found = sample_ratio({"control": 821_588, "treatment": 815_482})

    assert not found.is_fine
    assert found.verdict.startswith("Sample ratio mismatch (treatment: 815,482 / 818,535, p = ")
    assert found.verdict.zh.startswith("样本比例失衡")
    assert sample_ratio({"control": 5000, "treatment": 5040}).is_fine
    assert found.to_dict()["is_fine"] is False


def test_few_units_are_noted():
    assert "only 3.0 units expected" in sample_ratio({"a": 2, "b": 4}).notes[0]
    assert sample_ratio({"a": 20, "b": 40}).notes == ()


@pytest.mark.parametrize(
    ("counts", "expected", "message"),
    [
        ({"a": 1}, None, "at least two arms are needed, got 1"),
        ({"a": 1, "b": 2}, {"a": 1, "c": 1}, "expected must name the arms"),
        ({"a": 1.5, "b": 2}, None, "whole numbers, not all 0, got a: 1.5"),
        ({"a": -1, "b": 2}, None, "whole numbers, not all 0, got a: -1"),
        ({"a": 0, "b": 0}, None, "got zeros"),
        ({"a": 1, "b": 2}, {"a": 0, "b": 1}, "expected shares must be above 0, got a: 0"),
    ],
)
def test_bad_input(counts, expected, message):
    with pytest.raises(InputError, match=message):
        sample_ratio(counts, expected)


def test_bad_alpha():
    with pytest.raises(ParameterError, match="`alpha` must be between 0 and 1"):
        sample_ratio({"a": 1, "b": 1}, alpha=0)


def test_counts_whose_squares_no_float_holds_have_a_p_value():
    assert sample_ratio({"A": 10**200, "B": 10**200}).p_value == 1
    assert sample_ratio({"A": 10**200, "B": 3 * 10**200}).p_value == 0
