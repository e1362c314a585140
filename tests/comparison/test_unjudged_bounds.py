"""What unjudged and tied results could do to the difference of two runs."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge.alignment import Alignment
from rankgauge.alignment.build import align
from rankgauge.alignment.single import one_list
from rankgauge.alignment.ties import best_case
from rankgauge.alignment.unjudged import unjudged
from rankgauge.comparison.unjudged import (
    STEPS,
    bounds,
    has_bounds,
    only_from_ties,
    only_from_unjudged,
    optimistic,
)
from rankgauge.data import Qrels, Run
from rankgauge.errors import InputError, ParameterError

Lists = Mapping[str, Any]


def aligned(qrels: Lists, run: Lists) -> Alignment:
    return align(Qrels.of(qrels), Run.of(run)).alignment


def value(a: Alignment, name: str) -> float:
    return float(rg.parse(name).values(a)[0])


# optimistic


def test_unjudged_results_become_the_best_grade_at_their_ranks():
    a = optimistic(one_list([None, 1, None, 0], missed=[2]))

    assert a.grade.tolist() == [2, 1, 2, 0, 2]
    assert a.rank.tolist() == [1, 2, 3, 4, 0]
    assert a.item.tolist() == [3, 0, 4, 1, 2]
    assert a.offsets.tolist() == [0, 5]


def test_depth_and_grade_can_be_said():
    a = optimistic(one_list([None, 1, None]), depth=2, grade=3)

    assert (a.grade.tolist(), a.rank.tolist(), a.max_grade) == ([3, 1], [1, 2], 3)


def test_several_queries_one_of_them_empty():
    qrels = {"p": {"a": 1, "z": 0}, "q": {"a": 1}, "r": {"b": 2}}
    a = optimistic(aligned(qrels, {"p": ["u", "a", "v"], "r": ["u", "b"]}))

    assert a.offsets.tolist() == [0, 4, 5, 7]
    assert a.rank.tolist() == [1, 2, 3, 0, 0, 1, 2]
    assert a.grade.tolist() == [2, 1, 2, 0, 1, 2, 2]


def test_list_without_unjudged_results_stays_as_it_is():
    a = one_list([1, 0, 2], missed=[1])
    b = optimistic(a)

    assert [b.grade.tolist(), b.rank.tolist()] == [a.grade.tolist(), a.rank.tolist()]


def test_by_default_the_first_thousand_results_are_open():
    assert len(unjudged(one_list([None] * 1200)).rank) == 1000
    assert len(unjudged(one_list([None] * 1200), depth=1100).rank) == 1100


def test_unjudged_results_share_the_tie_block_of_a_judged_one():
    run = {"q": {"a": 3.0, "b": 2.0, "c": 2.0, "d": 2.0, "e": 1.0}, "r": {"x": 1.0, "y": 1.0}}
    a = optimistic(aligned({"q": {"c": 1}, "r": {"z": 1}}, run))

    assert a.tie_first.tolist() == [1, 2, 2, 2, 5, 1, 2, 0]
    assert a.tie_last.tolist() == [1, 4, 4, 4, 5, 1, 2, 0]
    assert best_case(a).rank.tolist() == [1, 2, 3, 4, 5, 1, 2, 0]


def test_subtopics_stay_with_their_items():
    a = optimistic(one_list([None, (1, 0), None, (0, 2)]))

    assert a.groups is not None
    assert a.rank[a.groups.row].tolist() == [2, 2, 4, 4]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from([None, 0, 1, 2]), min_size=1, max_size=8))
def test_optimistic_is_the_list_with_the_best_grade_written_in(grades: list[int | None]):
    a = one_list([*grades], missed=[2])
    want = one_list([2 if g is None else g for g in grades], missed=[2])

    for name in ("nDCG@5", "AP", "R@3", "RBP", "Judged@5"):
        assert value(optimistic(a), name) == pytest.approx(value(want, name), abs=1e-12)


# bounds


def test_precision_by_hand():
    found = bounds(one_list([1, None]), one_list([None, None], [1]), "P@2")

    assert found.difference.tolist() == [-0.5]
    assert found.low.tolist() == [0 / 2 - 2 / 2]  # all of A relevant, none of B
    assert found.high.tolist() == [2 / 2 - 1 / 2]
    assert found.could_change
    assert (found.unjudged_a.tolist(), found.unjudged_b.tolist(), found.depth) == ([1], [2], 2)


def test_recall_by_hand():
    low, high = bounds(one_list([1, None], [1]), one_list([1, 1, None]), "R")

    # A between 1/(2+1), B's result missed, and 2/(2+1); B between 2/(2+1) and 3/(2+1)
    assert low.tolist() == pytest.approx([2 / 3 - 2 / 3])
    assert high.tolist() == pytest.approx([3 / 3 - 1 / 3])


def test_ndcg_by_hand():
    low, high = bounds(one_list([1, None], [0]), one_list([1, 0]), "nDCG@2")

    # A: 1 at best; at worst as judged or with its result relevant, 1 both times. B misses what A may have found
    assert low.tolist() == pytest.approx([1 / (1 + 1 / log2(3)) - 1])
    assert high.tolist() == pytest.approx([0.0])


def test_ap_falls_when_a_deep_result_turns_out_relevant():
    low, high = bounds(one_list([1, 0, 0, None]), one_list([1, 0, 0, 0]), "AP")

    # A: 1 as judged, (1 + 2/4)/2 with the last one relevant; B: 1, or 1/2 when A's result is missed
    assert low.tolist() == [1 / 2 - 1]
    assert high.tolist() == [1 - 3 / 4]


@pytest.mark.parametrize("name", ["P@2", "R@2", "nDCG@2", "AP@2", "RR@2", "RBP@2"])
def test_lists_judged_down_to_the_cut_leave_nothing_open(name: str):
    found = bounds(one_list([1, 0, None], [1]), one_list([0, 1, None, None], [1]), name)

    assert found.low == pytest.approx(found.difference, abs=1e-12)
    assert found.high == pytest.approx(found.difference, abs=1e-12)


def test_deeper_results_matter_for_recall_when_asked():
    a, b = one_list([1, 0, None], [1]), one_list([0, 0, 1, 1])

    assert [x.tolist() for x in bounds(a, b, "R@2", depth=3)] == [[0 / 3 - 1 / 2], [0 / 3 - 1 / 3]]


def test_sign_that_no_judgement_can_change():
    found = bounds(one_list([0, 0, None], [1, 1, 1]), one_list([1, 1, 1], [0, 0]), "P@3")

    assert (found.mean_low, found.mean, found.mean_high) == (pytest.approx(2 / 3), 1.0, 1.0)
    assert not found.could_change


def test_difference_that_could_vanish_could_change():
    found = bounds(one_list([None], [1]), one_list([1]), "P@1")

    assert (found.mean_low, found.mean_high, found.could_change) == (0.0, 1.0, True)


def test_equal_lists_without_open_results_cannot_change():
    assert not bounds(one_list([1]), one_list([1]), "P@1").could_change


def test_query_without_relevant_items_is_left_out():
    qrels = {"p": {"a": 1}, "q": {"a": 0}}
    found = bounds(aligned(qrels, {"p": ["a"], "q": ["u"]}), aligned(qrels, {"p": ["u"], "q": ["a"]}), "P@1")

    assert found.low.tolist() == pytest.approx([-1.0, np.nan], nan_ok=True)
    assert found.high.tolist() == pytest.approx([0.0, np.nan], nan_ok=True)
    assert found.mean == -1.0


def test_nothing_defined_cannot_change():
    found = bounds(one_list([0]), one_list([None]), "P@1")

    assert np.isnan(found.mean_low)
    assert not found.could_change


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("bpref", "not known how"),
        ("Rprec", "not known how"),
        ("GMAP", "not known how"),
        ("AP(norm=hits)", "divides by what was found"),
        ("nDCG(ideal=retrieved)@3", "divides by what was found"),
        ("P(judged_only=true)@3", "leaves unjudged results out"),
        ("RBP(graded=topic)", "highest grade found in the query"),
        ("nDCG(gain={1: 5})@3", "need not grow"),
    ],
)
def test_measures_without_bounds_are_refused(name: str, why: str):
    assert not has_bounds(name)
    with pytest.raises(ParameterError, match=f"no bounds are known for .*{why}"):
        bounds(one_list([1]), one_list([1]), name)


def test_depth_must_be_positive_here_too():
    with pytest.raises(ParameterError, match="`depth` must be a positive integer or None, got 0"):
        bounds(one_list([1]), one_list([1]), "P@1", depth=0)


def test_other_queries_are_refused():
    with pytest.raises(InputError, match="same judgements: A has 1 queries, B 1"):
        bounds(one_list([1]), replace(one_list([1]), query_ids=["other"]), "P@1")


NAMES = ["P@3", "P", "R@2", "R", "R(norm=min)@2", "nDCG@3", "nDCG", "nDCG(gain=exponential)@4", "nDCG(ideal=uncut)@2"]
NAMES += ["nDCG(ideal=returned)@3", "nDCG(rel=2)@3", "AP", "AP@3", "AP(norm=min)@2", "AP(rel=2)", "RR@3", "RR", "RBP"]
NAMES += ["RBP(graded=max)@3", "ERR@3", "DCG@3", "Hit@2", "F@3", "P(rel=2, divisor=retrieved)@4"]
ids = st.sampled_from([*"abcdefghij"])
results = st.lists(ids, unique=True, max_size=7)
grades = st.sampled_from([0, 0, 1, 2, 3])


def test_a_result_of_one_list_that_stands_deeper_in_the_other_is_open_there_too():
    qrels = {"q": {"a": 1, "f": 0}}

    found = bounds(aligned(qrels, {"q": ["c", "a"]}), aligned(qrels, {"q": ["f", "c"]}), "R@2", depth=1)

    assert found.low[0] <= 1 / 2 - 2 / 2 <= found.high[0]  # with c relevant; without it 0 - 1


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(ids, grades, min_size=1, max_size=4), results, results, st.sampled_from(NAMES), st.data())
def test_no_grades_of_unjudged_results_lead_out_of_the_bounds(
    judged: dict[str, int], a: list[str], b: list[str], name: str, data: st.DataObject
):
    qrels = {"q": judged, "top": {"a": 3}}
    depth = data.draw(st.sampled_from([None, 1, 3, 7]))
    found = bounds(aligned(qrels, {"q": a}), aligned(qrels, {"q": b}), name, depth=depth)
    if np.isnan(found.difference[0]):
        return
    assert found.low[0] <= found.difference[0] <= found.high[0]
    open_ = [x for x in dict.fromkeys([*a[: found.depth], *b[: found.depth]]) if x not in judged]
    for _ in range(4):
        filled = {"q": judged | {x: data.draw(grades) for x in open_}, "top": {"a": 3}}
        values = [rg.evaluate(filled, {"q": run}, name).column(name).values[0] for run in (a, b)]
        assert found.low[0] - 1e-12 <= values[1] - values[0] <= found.high[0] + 1e-12


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from([None, None, 0, 1, 2]), min_size=1, max_size=6),
    st.sampled_from(["P@3", "R@4", "AP", "AP@3", "RR", "RBP", "nDCG@4", "nDCG"]),
)
def test_extremes_of_one_run_are_reached(grades_a: list[int | None], name: str):
    """Against an empty list nothing is independent: the bounds are values that some grades give (nDCG: the lower)."""
    a, empty = one_list([*grades_a], [2]), one_list([], [g for g in grades_a if g is not None] + [2])
    found = bounds(a, empty, name, depth=6)
    open_ = [i for i, g in enumerate(grades_a) if g is None]
    values = []
    for choice in product([0, 2], repeat=len(open_)):
        filled = [*grades_a]
        for i, g in zip(open_, choice, strict=True):
            filled[i] = g
        values.append(-value(one_list([*filled], [2]), name))

    assert found.high[0] == pytest.approx(max(values), abs=1e-12)
    if not name.startswith("nDCG"):
        assert found.low[0] == pytest.approx(min(values), abs=1e-12)


@pytest.mark.parametrize("name", ["AP", "nDCG"])
def test_many_open_results_are_tried_in_ranges(name: str):
    rng = np.random.default_rng(1)
    n = 2 * STEPS + 7
    judged = [None if x < 0.9 else int(x > 0.95) for x in rng.random(n)]
    a, empty = one_list([1, *judged], [1]), one_list([], [1, 1, *(g for g in judged if g is not None)])
    low, high = bounds(a, empty, name)
    at = [i for i, g in enumerate(judged) if g is None]

    for chosen in [at[:j] for j in range(len(at))] + [at[j:] for j in range(len(at))]:
        got = -value(one_list([1, *(1 if i in chosen else g for i, g in enumerate(judged))], [1]), name)
        assert low[0] - 1e-12 <= got <= high[0] + 1e-12


# what a difference comes from


def test_difference_that_goes_with_the_unjudged_results():
    qrels = {q: {"x": 1, "n": 0} for q in ("gone", "another", "stays", "equal", "undefined")} | {"undefined": {"n": 0}}
    a = {"gone": [*"ux"], "another": [*"uvwx"], "stays": [*"nx"], "equal": ["x"], "undefined": ["u"]}
    b = {"gone": [*"xu"], "another": [*"nx"], "stays": [*"xn"], "equal": ["x"], "undefined": ["n"]}

    # judged items of both lists: x and x;  x and n x;  n x and x n
    assert only_from_unjudged(aligned(qrels, a), aligned(qrels, b), "RR").tolist() == [True, False, False, False, False]
    assert only_from_unjudged(aligned(qrels, b), aligned(qrels, a), "RR").tolist() == [True, False, False, False, False]


def test_a_judged_item_that_comes_into_the_cutoff_is_a_gain_of_its_own():
    """Without the unjudged results R@2 is 1 in both, but it is x that moved from rank 4 to rank 1."""
    qrels = {"q": {"x": 1, "n": 0}}
    a, b = aligned(qrels, {"q": [*"uvwxn"]}), aligned(qrels, {"q": [*"xuvwn"]})

    assert only_from_unjudged(a, b, "R@2").tolist() == [False]
    assert only_from_unjudged(a, b, "RR").tolist() == [True]


def test_aligned_records_are_taken_too():
    qrels = Qrels.of({"q": ["x"]})
    a, b = align(qrels, Run.of({"q": ["u", "x"]})), align(qrels, Run.of({"q": ["x"]}))

    assert only_from_unjudged(a, b, "RR@5").tolist() == [True]
    assert bounds(a, b, "RR").could_change


def columns(qrels: Lists, a: Lists, b: Lists, name: str = "RR") -> list[Any]:
    return [rg.evaluate(qrels, run, name).column(name) for run in (a, b)]


QRELS = {q: {"x": 1, "n": 0} for q in ("p", "q", "r", "s")}
APART = {"n": 2.0, "x": 1.0}  # RR 1/2
TIED = {"x": 1.0, "a": 1.0}  # RR 1 by id, 1/2 in the other order
BEHIND = {"a": 3.0, "b": 2.0, "c": 1.0, "x": 0.0}  # RR 1/4: better than that in any order
FIRST = {"x": 1.0}


def test_difference_that_an_order_of_ties_would_undo():
    a = {"p": APART, "q": BEHIND, "r": APART, "s": TIED}
    b = {"p": TIED, "q": TIED, "r": FIRST, "s": TIED}
    first, second = columns(QRELS, a, b)

    # 1/2 against 1 or 1/2: may be equal; 1/4 against 1 or 1/2: never; no ties; no difference
    assert only_from_ties(first, second).tolist() == [True, False, False, False]
    assert only_from_ties(second, first).tolist() == [True, False, False, False]


def test_without_ties_no_difference_comes_from_them():
    first, second = columns(QRELS, {"p": APART}, {"p": FIRST})

    assert first.best is None
    assert only_from_ties(first, second).tolist() == [False] * 4


def test_queries_that_are_not_counted_are_not_named():
    qrels = {"p": {"x": 1}, "q": {"n": 0}}
    first, second = columns(qrels, {"p": {"n": 2.0, "x": 1.0}, "q": TIED}, {"p": TIED, "q": {"n": 1.0, "m": 1.0}})

    assert only_from_ties(first, second).tolist() == [True, False]
