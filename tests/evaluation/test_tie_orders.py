"""What the words about ties mean for measures in which one item changes what another is worth, and where they stop."""

from __future__ import annotations

import json
from math import isnan, log2
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.alignment import orders
from rankgauge.errors import ParameterError
from rankgauge.evaluation.rankings.totals import Totals
from rankgauge.measures import REGISTRY, _tie_orders
from rankgauge.measures.base import ALIASES, fold

approx = pytest.approx


def tied(*items: str) -> dict[str, dict[str, float]]:
    return {"q": dict.fromkeys(items, 1.0)}


def values(qrels: Any, run: Any, measure: str, **policy: Any) -> dict[str, float]:
    return {t: rg.evaluate(qrels, run, measure, ties=t, **policy)[measure] for t in ("best", "worst", "expected")}


# what another item is worth


def by_subtopic(*cells: tuple[str, str, float]) -> pl.DataFrame:
    rows = [("q", heading, item, grade) for item, heading, grade in cells]
    return pl.DataFrame(rows, schema=["query_id", "iteration", "doc_id", "grade"], orient="row")


def test_best_subtopic_recall_takes_one_item_of_each_subtopic_whatever_its_grade():
    """Of a, b (subtopic 1, grade 2) and c (subtopic 2, grade 1) any two: 1/2 for a b, else 1."""
    qrels = by_subtopic(("a", "1", 2), ("b", "1", 2), ("c", "2", 1))

    assert values(qrels, tied("a", "b", "c"), "StRecall@2") == {"best": 1, "worst": 1 / 2, "expected": approx(5 / 6)}


def test_best_order_of_novelty_alternates_subtopics():
    qrels = by_subtopic(("a", "1", 2), ("b", "1", 2), ("c", "2", 1))
    sums = {"abc": 1 + 0.5 / log2(3) + 1 / 2, "acb": 1 + 1 / log2(3) + 0.5 / 2}

    found = values(qrels, tied("a", "b", "c"), "alpha_nDCG")

    assert found["best"] == approx(1)
    assert found["worst"] == approx(sums["abc"] / sums["acb"])


def test_best_average_precision_over_hits_may_leave_a_relevant_result_out():
    """b is relevant at rank 1; of a and x one is shown at 2: b x is 1/1, b a is 2/2 too; behind it, rank 3 costs."""
    run = {"q": {"b": 3.0, "y": 2.0, "a": 1.0, "x": 1.0}}

    found = values({"q": {"a": 1, "b": 1}}, run, "AP(norm=hits)@3")

    assert found == {"best": 1, "worst": approx((1 + 2 / 3) / 2), "expected": approx((1 + (1 + 2 / 3) / 2) / 2)}


def test_judged_results_first_are_the_best_order_for_shares_of_judged_results():
    """a is judged not relevant, x is not judged."""
    qrels = {"q": {"a": 0, "z": 1}}

    assert values(qrels, tied("a", "x"), "Judged@1") == {"best": 1, "worst": 0, "expected": 1 / 2}
    assert values(qrels, tied("a", "x"), "Unjudged@1") == {"best": 0, "worst": 1, "expected": 1 / 2}
    residual = values(qrels, tied("a", "x"), "RBPresidual(p=0.5)")
    assert residual == {"best": approx(1 / 4 + 1 / 4), "worst": approx(1 / 4 + 1 / 2), "expected": approx(5 / 8)}


def test_best_gain_by_a_mapping_orders_by_gain_not_by_grade():
    found = values({"q": {"a": 1, "b": 2}}, tied("a", "b"), "DCG(gain={1: 5, 2: 1})")

    assert (found["best"], found["worst"]) == (approx(5 + 1 / log2(3)), approx(1 + 5 / log2(3)))


def test_best_utility_of_a_user_who_wants_nothing_relevant_is_the_greatest():
    assert values({"q": ["a"]}, tied("a", "x"), "Utility(weights=-1;1;0;0)", depth=1) == {
        "best": 1,
        "worst": -1,
        "expected": 0,
    }


def test_fewest_non_relevant_results_are_the_best():
    found = values({"q": {"a": 0, "b": 1}}, tied("a", "b"), "NumNonrelJudgedRet", depth=1)

    assert found == {"best": 0, "worst": 1, "expected": 1 / 2}


# cuts inside ties


def test_judged_results_that_are_left_within_the_depth_depend_on_the_order():
    """Of a, b and x two are left. With x one judged result stands at rank 1; a is found in two of three orders."""
    qrels = {"q": {"a": 1, "b": 0}}

    found = values(qrels, tied("a", "b", "x"), "AP(judged_only=true)", depth=2)

    # a b: 1, b a: 1/2, a x and x a: 1, b x and x b: 0
    assert found == {"best": 1, "worst": 0, "expected": approx((1 + 1 / 2 + 1 + 1) / 6)}


def test_compatibility_with_a_depth_inside_ties_is_the_mean_over_orders():
    """One of five results is left, and a is it in one of five orders."""
    found = values({"q": ["a"]}, tied("a", "u", "v", "w", "x"), "Compat", depth=1)

    assert found == {"best": 1, "worst": 0, "expected": approx(1 / 5)}


def test_orders_that_say_nothing_are_left_out_of_an_expectation():
    """Two of a, b, x are looked at; there is a pair only where both are judged."""
    qrels = {"q": {"a": 1, "b": 0}}

    found = values(qrels, tied("a", "b", "x"), "PairAccuracy@2")
    as_zero = values(qrels, tied("a", "b", "x"), "PairAccuracy@2", no_relevant="zero")

    assert found == {"best": 1, "worst": 0, "expected": 1 / 2}
    assert as_zero == {"best": 1, "worst": 0, "expected": approx(1 / 2 * 1 / 3)}


def test_pooled_ratios_whose_divisor_depends_on_the_order_are_refused():
    qrels, run = {"q": {"a": 1, "b": 0}}, tied("a", "b", "x")

    for ties in ("best", "worst", "expected"):
        with pytest.raises(ParameterError, match=r"PairAccuracy@2: average='micro' pools"):
            rg.evaluate(qrels, run, "PairAccuracy@2", ties=ties, average="micro")
        assert rg.evaluate(qrels, run, "P@2", ties=ties, average="micro")["P@2"] == {
            "best": 1 / 2,
            "worst": 0,
            "expected": approx(1 / 3),
        }.get(ties)


def test_pooled_ratios_of_judged_results_look_at_these_only():
    """x is taken out, so a is at rank 1."""
    name = "P(judged_only=true)@1"

    assert rg.evaluate({"q": ["a"]}, {"q": ["x", "a"]}, name, average="micro")[name] == 1


# limits

MANY = 40
MANY_TIED = {"q": {f"d{i}": 1.0 for i in range(MANY)}, "p": {"d0": 2.0, "d1": 1.0}}
MANY_JUDGED = {q: {f"d{i}": i % 4 for i in range(MANY)} for q in MANY_TIED}


def test_steps_are_exact_where_orders_are_far_too_many_to_list():
    """5·10^21 orders of 40 results in four grades; AP by its closed form is infAP without unjudged ones, but for e."""
    found, known = (values(MANY_JUDGED, MANY_TIED, m) for m in ("infAP", "AP"))

    assert {t: found[t] for t in found} == {t: approx(known[t], abs=1e-4) for t in known}


def test_a_width_that_is_not_known_is_no_width_and_said():
    ev = rg.evaluate(MANY_JUDGED, MANY_TIED, ["nDCGrel", "P@10"])
    c = ev.column("nDCGrel")

    assert isnan(c.tie_width)
    assert c.tie_unknown.tolist() == [True, False]
    assert c.tie_queries.tolist() == [False, False]
    assert ev.widest_tie is ev.column("P@10")
    (note,) = [n for n in ev.notes if "not known" in n]
    assert note == "how far tied scores move nDCGrel is not known: too many orders (ties=doc_id)"
    assert note.zh == "并列得分对 nDCGrel 的影响未知：可能的顺序太多（ties=doc_id）"
    assert isnan(Totals.from_text(Totals.of(c).to_text()).tie_width)
    stored = rg.Evaluation.from_dict(json.loads(json.dumps(ev.to_dict())))
    assert isnan(stored.column("nDCGrel").tie_width)


def test_many_queries_that_each_have_few_orders_can_be_too_many_together(monkeypatch: pytest.MonkeyPatch):
    queries = [f"q{i}" for i in range(30)]
    qrels, run = {q: {"a": 1, "b": 2, "c": 3} for q in queries}, {q: dict.fromkeys("abcd", 1.0) for q in queries}
    monkeypatch.setattr(_tie_orders, "ALL", _tie_orders.Limit(200_000, 10**8, 24 * 3 * 20, refuses=True))

    assert rg.evaluate({q: qrels[q] for q in queries[:20]}, run, "nDCGrel", ties="expected")["nDCGrel"] > 0
    with pytest.raises(ParameterError, match=r"queries up to 'q20' have more orders of tied results than can be tried"):
        rg.evaluate(qrels, run, "nDCGrel", ties="expected")


@pytest.mark.parametrize("ties", ["best", "worst", "expected"])
@pytest.mark.parametrize("measure", ["nDCGrel", "infAP", "INST"])
def test_lists_are_looked_at_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch, measure: str, ties: str):
    qrels = {q: {"a": 1, "b": 2, "c": 0, "d": -1} for q in "pqr"}
    run = {q: dict.fromkeys("abcdx", 1.0) for q in "pqr"}
    at_once = rg.evaluate(qrels, run, measure, ties=ties).columns[0].values

    seen = []
    together = orders._together
    monkeypatch.setattr(orders, "SLICE", 60)
    monkeypatch.setattr(
        orders, "_together", lambda a, lists: seen.append(sum(len(r) for _, r in lists)) or together(a, lists)
    )
    in_slices = rg.evaluate(qrels, run, measure, ties=ties).columns[0].values

    assert in_slices.tolist() == at_once.tolist()
    assert len(seen) > 3
    assert max(seen) * 4 < 2 * 60


# a measure of one's own


@pytest.fixture
def own() -> Any:
    """Registers measures of a test and forgets them again."""
    before, aliases = dict(REGISTRY), dict(ALIASES)
    yield rg.measure
    for name in set(REGISTRY) - set(before):
        del REGISTRY[name]
        ALIASES.pop(fold(name), None)
    assert aliases == ALIASES


def test_a_measure_of_ones_own_is_tried_in_every_order(own: Any):
    @own
    def SecondIsBetter(a: Any) -> Any:
        "1 where the second result has a higher grade than the first."
        first = a.sum(np.where(a.rank == 1, a.grade, 0.0))
        second = a.sum(np.where(a.rank == 2, a.grade, 0.0))
        return (second > first).astype(float)

    found = values({"q": {"a": 1, "b": 2}}, tied("a", "b", "x"), "SecondIsBetter")

    # a b, x a, x b of a b, b a, a x, x a, b x, x b
    assert found == {"best": 1, "worst": 0, "expected": 1 / 2}


def test_a_measure_of_ones_own_that_says_it_is_monotone_needs_no_orders(own: Any):
    def top(a: Any) -> Any:
        "Grade at rank 1."
        return a.sum(np.where(a.rank == 1, a.grade, 0.0))

    top.__name__ = "TopGrade"
    own(top)
    with pytest.raises(ParameterError, match=r"@rg\.measure\(monotone=True\)"):
        rg.evaluate(MANY_JUDGED, MANY_TIED, "TopGrade", ties="best")
    own(monotone=True)(top)
    assert rg.evaluate(MANY_JUDGED, MANY_TIED, "TopGrade", ties="best").column("TopGrade").values.tolist() == [3, 0]
