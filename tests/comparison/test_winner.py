"""Could unjudged results change who wins? Only said where it is known."""

from __future__ import annotations

from typing import Any

import pytest

import rankgauge as rg
from rankgauge.errors import ParameterError

QRELS = {"q0": {"g": 1}, "q1": {"g": 1}, "q2": {"n": 0}}
OLD = {"q0": ["g", "x"], "q1": ["x", "g"], "q2": ["x", "n"]}
NEW = {"q0": ["y", "g"], "q1": ["y", "z"], "q2": ["n", "y"]}


def test_nothing_is_said_where_queries_without_relevant_items_count():
    c = rg.compare(QRELS, {"a": OLD, "b": NEW}, ["RR"], convention="trec_eval")

    assert c.winner("RR", "b") is None
    assert "change who wins" not in str(c)


@pytest.mark.parametrize("policy", [{"ties": "expected"}, {"ties": "best"}, {"depth": 1}, {"unjudged": "remove"}])
def test_nothing_is_said_of_lists_that_are_measured_otherwise(policy: dict[str, Any]):
    c = rg.compare(QRELS, {"a": OLD, "b": NEW}, ["RR"], **policy)

    assert c.winner("RR", "b") is None
    assert not c.differences("RR", "b")["only_unjudged"].any()


def test_a_win_that_judging_could_undo_is_open():
    qrels = {f"q{i}": {"g": 1} for i in range(6)}
    c = rg.compare(qrels, {"a": {q: ["x", "g"] for q in qrels}, "b": {q: ["g", "y"] for q in qrels}}, "RR")

    found = c.winner("RR", "b")

    assert (found.low, found.could_change) == (0.0, True)  # with x relevant both have 1


def test_weights_that_leave_no_query_have_no_winner():
    c = rg.compare(QRELS, {"a": OLD, "b": NEW}, ["RR"], weights={"q0": 0, "q1": 0, "q2": 1})

    assert c.winner("RR", "b") is None
    assert "RR has no value here" in str(c)


@pytest.mark.parametrize("margin", [-1, 0, float("nan"), float("inf"), {"RR": -0.1}, "0.1"])
def test_a_margin_is_a_number_above_0(margin: Any):
    with pytest.raises(ParameterError, match="`margin` must be a number above 0"):
        rg.compare(QRELS, {"a": OLD, "b": NEW}, ["RR"], margin=margin)


def test_the_interval_of_a_difference_stays_within_what_can_be():
    qrels = {"q0": {"g": 1}, "q1": {"g": 1}}
    low, high = rg.compare(qrels, {"a": {"q0": ["g"], "q1": ["x"]}, "b": {"q0": ["x"], "q1": ["g"]}}, "Hit@1")[
        "Hit@1", "b"
    ].interval

    assert (low, high) == (-1, 1)
