"""What was not tested is called that, and nothing sounds as if a test had left it open."""

from __future__ import annotations

import pytest

import rankgauge as rg
from rankgauge.reporting.verdicts import verdict

ONE = {"q0": {"a": 1}}
OLD, NEW = {"q0": ["a", "x"]}, {"q0": ["x", "a"]}


def test_one_query_is_not_tested():
    cmp = rg.compare(ONE, {"old": OLD, "new": NEW}, "RR")

    assert (cmp["RR"].verdict, cmp["RR"].word) == ("inconclusive", "untested")
    said = verdict(cmp["RR"], cmp)
    assert said == (
        "Which of new and old is better was not tested (only one query counts): RR 1.0000 → 0.5000, "
        "difference -0.5000, 1 query."
    )
    assert "未经检验（只有一个查询计入）" in said.zh
    assert rg.sentences(cmp) == ["RR from 1.000 to 0.500 (1 query): not tested, only one query counts."]
    assert "not tested" in str(cmp)
    assert "not clear" not in str(cmp)


@pytest.mark.parametrize(
    ("rest", "why"), [(0, "only one query counts"), (0.9, "one query counts for more than all others together")]
)
def test_all_weight_in_one_query_is_not_tested(rest: float, why: str):
    qrels = {"q0": {"a": 1}, "q1": {"a": 1}}
    runs = {"old": {"q0": ["a"], "q1": ["a"]}, "new": {"q0": ["x", "a"], "q1": ["x", "a"]}}
    cmp = rg.compare(qrels, runs, "RR", average="weighted", weights={"q0": 1, "q1": rest})

    assert why in verdict(cmp["RR"], cmp)


@pytest.mark.parametrize("measure", ["RR", "P@1"])
def test_two_queries_are_tested_and_leave_it_open(measure: str):
    qrels = {"q0": {"a": 1}, "q1": {"a": 1}}
    runs = {"old": {"q0": ["a"], "q1": ["a"]}, "new": {"q0": ["x", "a"], "q1": ["a", "x"]}}

    assert rg.compare(qrels, runs, measure)[measure].word == "inconclusive"
