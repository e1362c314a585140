"""Can the judgements carry the numbers?"""

from __future__ import annotations

import json
from math import isnan
from pathlib import Path
from statistics import mean, median
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from oracle import trec_golden
from rankgauge.errors import InputError, ParameterError

QRELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"d": 1, "e": -1}, "q3": {"f": 0}, "q4": {"g": 1}}
RUN = {"q1": ["a", "x", "b", "y"], "q2": ["z", "e"], "q3": ["f"]}  # q4 is missing


def test_judged_results_by_rank():
    """Three lists reach rank 1, two reach rank 2, one reaches 3 and 4."""
    found = rg.judgement_health(rg.evaluate(QRELS, RUN), depth=5).ranks

    assert [(r.rank, r.lists, r.judged) for r in found] == [(1, 3, 2), (2, 2, 1), (3, 1, 1), (4, 1, 0), (5, 0, 0)]
    assert [r.share for r in found[:4]] == [2 / 3, 1 / 2, 1, 0]
    assert isnan(found[4].share)


def test_grades_relevant_items_and_holes():
    found = rg.judgement_health(rg.evaluate(QRELS, RUN))

    assert found.grades == {-1: 1, 0: 2, 1: 3, 2: 1}
    assert (found.n_queries, found.n_judgements) == (4, 7)
    r = found.relevant
    assert (r.rel, r.queries_without, r.queries_with, r.queries_with_one) == (1, 1, 3, 2)
    assert (r.min, r.median, r.mean, r.max) == (1, 1, (2 + 1 + 1) / 3, 2)
    assert (found.holes.results, found.holes.unjudged, found.holes.queries) == (4 + 2 + 1, 2 + 1, 2)
    assert found.holes.share == 3 / 7
    assert found.holes.queries_with_many == 0


def test_queries_left_out_are_left_out_here():
    found = rg.judgement_health(rg.evaluate(QRELS, RUN, missing="skip"))

    assert found.n_queries == 3
    assert found.grades == {-1: 1, 0: 2, 1: 2, 2: 1}
    assert found.relevant.queries_with == 2


@pytest.mark.parametrize(("shown", "many"), [(4, 0), (5, 1), (9, 1)])
def test_many_holes_are_five(shown: int, many: int):
    """The judged result comes last; behind rank 10 nobody looks."""
    run = {"q": [*(f"x{i}" for i in range(shown)), "a", *(f"y{i}" for i in range(30))]}
    found = rg.judgement_health(rg.evaluate({"q": ["a"]}, {"q": run["q"][: shown + 1]}))
    deep = rg.judgement_health(rg.evaluate({"q": ["a"]}, run))

    assert (found.holes.unjudged, found.holes.queries_with_many) == (shown, many)
    assert deep.holes.unjudged == 9


@pytest.mark.parametrize(
    ("measures", "rel", "level"),
    [("RR", None, 1), ("RR", 2, 2), (["nDCG@10", "RR(rel=2)"], None, 2), (["RR", "P(rel=2)@5"], None, 1)],
)
def test_relevant_from_the_level_of_the_evaluation(measures: Any, rel: int | None, level: int):
    found = rg.judgement_health(rg.evaluate(QRELS, RUN, measures, rel=rel)).relevant

    assert (found.rel, found.queries_with) == (level, {1: 3, 2: 1}[level])


def test_nothing_relevant_has_no_mean():
    found = rg.judgement_health(rg.evaluate({"q": {"a": 0}}, {"q": ["a"]})).relevant

    assert (found.queries_without, found.queries_with) == (1, 0)
    assert all(isnan(x) for x in (found.min, found.median, found.mean, found.max))


def test_what_hangs_on_ties():
    """In q1 the relevant item shares its score; RR is 1 or 1/2 there, and P@2 is the same in any order."""
    run = {"q1": {"a": 1.0, "b": 1.0}, "q2": {"d": 2.0, "e": 1.0}}
    ev = rg.evaluate({"q1": {"a": 1, "b": 0}, "q2": {"d": 1}}, run, ["RR", "P@2"])

    found = rg.judgement_health(ev)

    assert [(t.label, t.tie_width, t.queries) for t in found.ties] == [("RR", (1 - 1 / 2) / 2, 1), ("P@2", 0, 0)]


def test_lists_end_at_the_depth_of_the_policy():
    found = rg.judgement_health(rg.evaluate(QRELS, RUN, depth=2), depth=3)

    assert [(r.lists, r.judged) for r in found.ranks] == [(3, 2), (2, 1), (0, 0)]
    assert found.holes.results == 2 + 2 + 1


# the definition written out


def naive(qrels: dict[str, dict[str, int]], run: dict[str, list[str]], depth: int) -> dict[str, Any]:
    lists, judged, holes, results = [0] * depth, [0] * depth, [], 0
    for q, shown in run.items():
        for i, d in enumerate(shown[:depth]):
            lists[i] += 1
            judged[i] += d in qrels[q]
        holes.append(sum(d not in qrels[q] for d in shown[:10]))
        results += len(shown[:10])
    counts: dict[int, int] = {}
    for grades in qrels.values():
        for g in grades.values():
            counts[g] = counts.get(g, 0) + 1
    relevant = [sum(g >= 1 for g in grades.values()) for grades in qrels.values()]
    some = [n for n in relevant if n]
    return {
        "ranks": list(zip(lists, judged, strict=True)),
        "grades": dict(sorted(counts.items())),
        "relevant": [relevant.count(0), relevant.count(1), len(some)],
        "spread": [min(some), median(some), mean(some), max(some)] if some else None,
        "holes": [results, sum(holes), sum(h > 0 for h in holes), sum(h >= 5 for h in holes)],
    }


def summary(h: rg.JudgementHealth) -> dict[str, Any]:
    r, o = h.relevant, h.holes
    return {
        "ranks": [(x.lists, x.judged) for x in h.ranks],
        "grades": dict(h.grades),
        "relevant": [r.queries_without, r.queries_with_one, r.queries_with],
        "spread": [r.min, r.median, r.mean, r.max] if r.queries_with else None,
        "holes": [o.results, o.unjudged, o.queries, o.queries_with_many],
    }


ITEMS = [f"d{i}" for i in range(16)]
QUERY = st.tuples(
    st.dictionaries(st.sampled_from(ITEMS), st.integers(-2, 3), min_size=1),
    st.lists(st.sampled_from(ITEMS), unique=True, min_size=1),
)


@given(st.lists(QUERY, min_size=1, max_size=6), st.integers(1, 14))
@settings(max_examples=80, deadline=None)
def test_as_defined(queries: list[tuple[dict[str, int], list[str]]], depth: int):
    qrels = {f"q{i}": judged for i, (judged, _) in enumerate(queries)}
    run = {f"q{i}": shown for i, (_, shown) in enumerate(queries)}

    found = summary(rg.judgement_health(rg.evaluate(qrels, run, "RR"), depth))

    expected = naive(qrels, run, depth)
    assert found.pop("spread") == pytest.approx(expected.pop("spread"))
    assert found == expected


def test_dl_hard_passage(shared: Path):
    golden = trec_golden.dl_hard("bm25")
    judged = {
        q: {d: int(g) for (d, _), g in rows.items()}
        for q, rows in trec_golden.read_qrels(shared / golden.qrels).items()
    }
    ranked = {q: trec_golden.rank(scores) for q, scores in trec_golden.read_run(shared / golden.run).items()}
    ev = rg.evaluate(str(shared / f"{golden.qrels}.gz"), str(shared / f"{golden.run}.gz"), "RR@10")

    found = summary(rg.judgement_health(ev))

    expected = naive(judged, ranked, 20)
    assert found.pop("spread") == pytest.approx(expected.pop("spread"))
    assert found == expected
    assert found["ranks"][0] == (50, 31)
    assert sum(found["grades"].values()) == 4256


# plain data and errors


def test_frame_csv_and_json():
    found = rg.judgement_health(rg.evaluate(QRELS, RUN, "RR"), depth=5)

    frame, stored = found.to_frame(), json.loads(found.to_json())

    assert frame.columns == ["rank", "lists", "judged", "share"]
    assert frame["lists"].to_list() == [3, 2, 1, 1, 0]
    assert found.to_csv().splitlines()[2] == "2,2,1,0.5"
    assert stored["ranks"][4] == {"rank": 5, "lists": 0, "judged": 0, "share": None}
    assert stored["grades"][0] == {"grade": -1, "count": 1}
    assert stored["holes"]["share"] == 3 / 7
    assert stored["relevant"]["mean"] == 4 / 3
    assert stored["ties"] == [{"label": "RR", "tie_width": 0, "queries": 0}]
    assert (stored["kind"], stored["queries"]) == ("judgement_health", 4)


def test_stored_evaluations_have_no_ranks():
    stored = rg.Evaluation.from_dict(rg.evaluate(QRELS, RUN).to_dict())

    with pytest.raises(InputError, match="judgement_health: this evaluation was stored"):
        rg.judgement_health(stored)


@pytest.mark.parametrize("depth", [0, 2.5, True])
def test_depth_is_a_positive_integer(depth: Any):
    with pytest.raises(ParameterError, match="`depth` must be a positive integer"):
        rg.judgement_health(rg.evaluate(QRELS, RUN), depth)
