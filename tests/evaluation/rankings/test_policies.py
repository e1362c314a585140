"""Every word of every policy, and every convention, with values that a reader can redo."""

import itertools
from math import isnan, log2
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import rankgauge as rg
from oracle import naive
from oracle.naive import NAIVE, Query
from rankgauge._text import Text
from rankgauge.errors import InputError, ParameterError, UnknownName
from rankgauge.evaluation.policy_fields import fields_of, words
from rankgauge.evaluation.rankings.policy import CHOICES, Policy

approx = pytest.approx
NO_SHRINKING = [Phase.explicit, Phase.reuse, Phase.generate]  # the data is small as it is

TWO = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}


def value(qrels: Any, run: Any, measure: str, **policies: Any) -> float:
    return rg.evaluate(qrels, run, measure, **policies)[measure]


# ties

TIED = {"q": {"a": 1.0, "b": 1.0, "c": 0.5}}  # a and b share the ranks 1 and 2


@pytest.mark.parametrize(
    ("ties", "rr_of_a", "rr_of_b"),
    [
        ("doc_id", 1 / 2, 1),  # ids from high to low: b, a, c
        ("input", 1, 1 / 2),  # as given: a, b, c
        ("best", 1, 1),
        ("worst", 1 / 2, 1 / 2),
        ("expected", (1 + 1 / 2) / 2, (1 + 1 / 2) / 2),
    ],
)
def test_ties(ties: str, rr_of_a: float, rr_of_b: float):
    assert value({"q": ["a"]}, TIED, "RR", ties=ties) == rr_of_a
    assert value({"q": ["b"]}, TIED, "RR", ties=ties) == rr_of_b


def test_ids_are_compared_as_text_in_order_of_code_points():
    run = {"q": {"d10": 1.0, "d9": 1.0, "文": 1.0}}

    assert [value({"q": [d]}, run, "RR") for d in ("文", "d9", "d10")] == [1, 1 / 2, 1 / 3]


def test_integer_ids_are_tied_as_their_digits():
    assert [value({"q": [d]}, {"q": {10: 1.0, 9: 1.0}}, "RR") for d in (9, 10)] == [1, 1 / 2]


@pytest.mark.parametrize("order", list(itertools.permutations("abcd")))
def test_all_scores_equal_expected_does_not_see_the_order_of_input(order: tuple[str, ...]):
    """Two of four relevant: the mean over the six patterns of hits."""
    run = {"q": dict.fromkeys(order, 1.0)}

    ev = rg.evaluate({"q": ["a", "c"]}, run, ["RR", "P@2", "nDCG@2"], ties="expected")

    assert ev["RR"] == approx((3 * 1 + 2 * (1 / 2) + 1 * (1 / 3)) / 6)
    assert ev["P@2"] == approx(1 / 2)
    assert ev["nDCG@2"] == approx(1 / 2)


MEASURES: list[tuple[str, str, dict[str, Any]]] = [
    ("P", "P", {}),
    ("P@3", "P", {"k": 3}),
    ("P(divisor=retrieved)@4", "P", {"k": 4, "divisor": "retrieved"}),
    ("P(rel=2)@3", "P", {"k": 3, "rel": 2}),
    ("R@3", "R", {"k": 3}),
    ("R(norm=min)@2", "R", {"k": 2, "norm": "min"}),
    ("F@3", "F", {"k": 3}),
    ("F(beta=2)@3", "F", {"k": 3, "beta": 2}),
    ("Hit@1", "Hit", {"k": 1}),
    ("Hit@3", "Hit", {"k": 3}),
    ("Hit(rel=2)@2", "Hit", {"k": 2, "rel": 2}),
    ("Hits@2", "Hits", {"k": 2}),
    ("RR", "RR", {}),
    ("RR@2", "RR", {"k": 2}),
    ("RR(rel=2)@3", "RR", {"k": 3, "rel": 2}),
    ("AP", "AP", {}),
    ("AP@3", "AP", {"k": 3}),
    ("AP(norm=min)@2", "AP", {"k": 2, "norm": "min"}),
    ("AP(rel=2)", "AP", {"rel": 2}),
    ("Rprec", "Rprec", {}),
    ("CG@3", "CG", {"k": 3}),
    ("DCG@3", "DCG", {"k": 3}),
    ("DCG(gain=exponential)", "DCG", {"gain": "exponential"}),
    ("nDCG", "nDCG", {}),
    ("nDCG@3", "nDCG", {"k": 3}),
    ("nDCG(gain=exponential)@2", "nDCG", {"k": 2, "gain": "exponential"}),
    ("nDCG(ideal=returned)@3", "nDCG", {"k": 3, "ideal": "returned"}),
    ("nDCG(ideal=uncut)@3", "nDCG", {"k": 3, "ideal": "uncut"}),
    ("ERR(max=3)", "ERR", {"max_grade": 3}),
    ("ERR(max=3)@2", "ERR", {"k": 2, "max_grade": 3}),
    ("RBP", "RBP", {}),
    ("RBP(p=0.5)@2", "RBP", {"p": 0.5, "k": 2}),
    ("bpref", "bpref", {}),
    ("IPrec@0.5", "IPrec", {"recall": 0.5}),
    ("IPrec(rounding=up)@0.3", "IPrec", {"recall": 0.3, "rounding": "trunc"}),
    ("IPrec11", "IPrec11", {}),
    ("SetP", "SetP", {}),
    ("SetR", "SetR", {}),
    ("SetF", "SetF", {}),
    ("SetAP", "SetAP", {}),
    ("binG", "binG", {}),
    ("G", "G", {}),
    ("nDCGrel", "ndcg_rel", {}),
    ("Rndcg", "Rndcg", {}),
    ("RprecMult@0.5", "Rprec_mult", {"multiple": 0.5}),
    ("Utility", "utility", {}),
    ("yaap", "yaap", {}),
    ("INSQ(max_rel=3)", "INSQ", {"max_rel": 3}),
    ("INST(max_rel=3)", "INST", {"max_rel": 3}),
    ("SDCG(max_rel=3)@3", "SDCG", {"max_rel": 3, "k": 3}),
    ("NERR8(max_rel=3)@3", "NERR8", {"max_rel": 3, "k": 3}),
    ("NERR9(max_rel=3)@3", "NERR9", {"max_rel": 3, "k": 3}),
    ("NERR10(max_rel=3)", "NERR10", {"max_rel": 3}),
    ("NERR11(max_rel=3)", "NERR11", {"max_rel": 3}),
    ("NumRelRet", "NumRelRet", {}),
]
# higher grades on top is not the best order for these: what they want on top is something else
OTHER_ORDERS: list[tuple[str, str, dict[str, Any]]] = [
    ("AP(norm=hits)@3", "AP", {"k": 3, "norm": "hits"}),
    ("infAP", "infAP", {}),
    ("BPM(max_rel=3)@3", "BPM", {"max_rel": 3, "k": 3}),
    ("Judged@2", "Judged", {"k": 2}),
    ("Unjudged@3", "Unjudged", {"k": 3}),
    ("RBPresidual", "RBPresidual", {}),
    ("NumRet", "NumRet", {}),
    ("NumRel", "NumRel", {}),
    ("NumNonrelJudgedRet", "NumNonrelJudgedRet", {}),
]
LESS_IS_BETTER = {"Unjudged@3", "RBPresidual", "NumNonrelJudgedRet"}

Blocks = list[list[str]]
Grades = dict[str, float]


@st.composite
def tied_lists(draw: st.DrawFn) -> tuple[Blocks, Grades]:
    """Up to five results in blocks of equal scores, some judged, and up to two judged items not shown."""
    n = draw(st.integers(1, 5))
    docs = [f"d{i}" for i in draw(st.permutations(range(n)))]
    scores = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    blocks = [
        [doc for doc, s in zip(docs, scores, strict=True) if s == level] for level in sorted(set(scores), reverse=True)
    ]
    grade = st.sampled_from([-1, 0, 0, 1, 1, 2, 3])
    judged = draw(st.lists(st.none() | grade, min_size=n, max_size=n))
    grades: Grades = {doc: g for doc, g in zip(docs, judged, strict=True) if g is not None}
    grades |= {f"x{i}": g for i, g in enumerate(draw(st.lists(grade, max_size=2)))}
    return blocks, grades | {"x9": draw(st.integers(1, 3))}


def scored(blocks: Blocks) -> dict[str, float]:
    """Scores that put the blocks in order, every block in the order of its ids from low to high."""
    return {doc: -float(i) for i, block in enumerate(blocks) for doc in sorted(block)}


def left_over(ranking: list[str], grades: Grades, unjudged: str, depth: int | None) -> list[str]:
    return [doc for doc in ranking[:depth] if unjudged == "irrelevant" or doc in grades]


def evaluated(blocks: Blocks, grades: Grades, measures: list[Any], **policies: Any) -> dict[str, float]:
    names = [text for text, _, _ in measures]
    return rg.evaluate({"q": grades}, {"q": scored(blocks)}, names, no_relevant="zero", **policies).mean()


def test_ideal_of_what_was_retrieved_is_not_cut_to_the_first_k():
    """Grades [0, 1, 2] at k = 2: the ideal list of what was retrieved is [2, 1], rank 3 included."""
    qrels, run = {"q": {"a": 1, "b": 2, "z": 0}}, {"q": ["z", "a", "b"]}

    assert value(qrels, run, "nDCG(ideal=retrieved)@2") == approx((1 / log2(3)) / (2 + 1 / log2(3)))


def test_compat_with_judged_items_that_are_not_shown():
    """The ideal list is [x9, a]; the run shows a first, so they share nothing at rank 1 and a at rank 2."""
    qrels, run = {"q": {"a": 1, "x9": 2, "x0": 0, "x1": -1, "x2": 0}}, {"q": ["a"]}

    ideal = Query(["a"], qrels["q"])
    assert value(qrels, run, "Compat(p=0.5)") == approx(naive.Compat(ideal, 0.5))
    assert naive.Compat(ideal, 0.5) == approx(0.5 * (1 / 2) / (1 + 0.5))


shapes = pytest.mark.parametrize("depth", [None, 2])
conditions = pytest.mark.parametrize("unjudged", ["irrelevant", "remove"])


def naive_values(measure: tuple[str, str, dict[str, Any]], queries: list[Query]) -> list[float]:
    _, name, parameters = measure
    return [NAIVE[name](query, **parameters) for query in queries]


@pytest.mark.slow
@shapes
@conditions
@given(data=tied_lists())
@settings(max_examples=25, deadline=None, phases=NO_SHRINKING)
def test_expected_is_the_mean_over_all_orders(unjudged: str, depth: int | None, data: tuple[Blocks, Grades]):
    blocks, grades = data
    orders = [Query(left_over(order, grades, unjudged, depth), grades) for order in naive.orders(blocks)]

    got = evaluated(blocks, grades, MEASURES + OTHER_ORDERS, ties="expected", unjudged=unjudged, depth=depth)

    assert got == approx(
        {m[0]: naive.mean(naive_values(m, orders)) for m in MEASURES + OTHER_ORDERS}, rel=1e-9, abs=1e-12
    )


@pytest.mark.slow
@shapes
@conditions
@given(data=tied_lists())
@settings(max_examples=25, deadline=None, phases=NO_SHRINKING)
def test_best_and_worst_are_the_extremes_over_all_orders(unjudged: str, depth: int | None, data: tuple[Blocks, Grades]):
    blocks, grades = data
    orders = [Query(left_over(order, grades, unjudged, depth), grades) for order in naive.orders(blocks)]

    for ties in ("best", "worst"):
        got = evaluated(blocks, grades, MEASURES + OTHER_ORDERS, ties=ties, unjudged=unjudged, depth=depth)
        wanted = {}
        for m in MEASURES + OTHER_ORDERS:
            extreme = max if (ties == "best") == (m[0] not in LESS_IS_BETTER) else min
            wanted[m[0]] = extreme(naive_values(m, orders))
        assert got == approx(wanted, rel=1e-9, abs=1e-12), ties


@given(data=tied_lists())
@settings(max_examples=40, deadline=None, phases=NO_SHRINKING)
def test_doc_id_and_input_are_two_of_the_orders(data: tuple[Blocks, Grades]):
    blocks, grades = data
    descending = Query([doc for block in blocks for doc in sorted(block, reverse=True)], grades)
    as_given = Query([doc for block in blocks for doc in sorted(block)], grades)

    for ties, query in (("doc_id", descending), ("input", as_given)):
        got = evaluated(blocks, grades, MEASURES + OTHER_ORDERS, ties=ties)
        assert got == approx({m[0]: naive_values(m, [query])[0] for m in MEASURES + OTHER_ORDERS}, rel=1e-9, abs=1e-12)


def test_too_many_orders_are_refused_with_a_way_out():
    run = {"q": {f"d{i}": 1.0 for i in range(40)}}
    qrels = {"q": {f"d{i}": i % 4 for i in range(40)}}

    for ties in ("best", "worst", "expected"):
        with pytest.raises(
            ParameterError, match=r"^nDCGrel: ties='.*'q' has .*at most 200,000 are tried.*ties='doc_id'"
        ):
            rg.evaluate(qrels, run, "nDCGrel", ties=ties)


def test_tie_width_and_tied_queries():
    """RR of q1 is 1 or 1/2 with the order of its two results; q2 has no tie."""
    run = {"q1": {"a": 1.0, "b": 1.0}, "q2": {"a": 2.0, "b": 1.0}}

    ev = rg.evaluate(TWO, run, ["RR", "P@2"])

    assert ev.column("RR").tie_width == (1 / 2 + 0) / 2
    assert ev.column("P@2").tie_width == 0
    assert ev.counts["tied_queries"] == 1


def test_ties_that_change_nothing_are_not_counted():
    run = {"q1": {"c": 1.0, "d": 1.0, "a": 0.5}, "q2": {"a": 1.0, "b": 0.5, "c": 0.5}}

    assert rg.evaluate(TWO, run, ["RR", "nDCG"]).counts["tied_queries"] == 0


# missing

ONE_LIST = {"q1": ["a"]}


def test_missing_zero_halves_the_mean():
    ev = rg.evaluate(TWO, ONE_LIST, ["R@5", "NumQ"])

    assert ev.mean() == {"R@5": (1 + 0) / 2, "NumQ": 2}
    assert (ev.counts["queries"], ev.counts["evaluated"], ev.counts["missing"]) == (2, 2, 1)
    assert ev.n("R@5") == 2


def test_missing_skip_leaves_the_query_out_and_counts_it():
    ev = rg.evaluate(TWO, ONE_LIST, ["R@5", "NumQ"], missing="skip")

    assert ev.mean() == {"R@5": 1, "NumQ": 1}
    assert (ev.counts["queries"], ev.counts["evaluated"], ev.counts["missing"]) == (2, 1, 1)
    assert ev.n("R@5") == 1
    assert ev.per_query["R@5"].to_list() == [1, None]


def test_missing_error_names_the_query():
    with pytest.raises(InputError, match=r"1 of 2 judged queries have no results \(q2\)"):
        rg.evaluate(TWO, ONE_LIST, "R@5", missing="error")


def test_queries_without_judgements_are_ignored_and_counted():
    ev = rg.evaluate(TWO, {"q1": ["a"], "q2": ["a"], "q3": ["a"], "q4": ["b"]}, "R@5")

    assert ev["R@5"] == 1
    assert ev.counts["not_judged"] == 2


# no_relevant

NOTHING = {"q1": {"a": 1}, "q2": {"a": 0}}
BOTH = {"q1": ["a"], "q2": ["a"]}


@pytest.mark.parametrize(("word", "mean", "n"), [("skip", 1, 1), ("zero", (1 + 0) / 2, 2), ("one", (1 + 1) / 2, 2)])
def test_no_relevant(word: str, mean: float, n: int):
    ev = rg.evaluate(NOTHING, BOTH, "R@5", no_relevant=word)

    assert (ev["R@5"], ev.n("R@5")) == (mean, n)
    assert ev.counts["without_relevant"] == 1


def test_no_relevant_nan_makes_the_mean_undefined():
    ev = rg.evaluate(NOTHING, BOTH, "R@5", no_relevant="nan")

    assert isnan(ev["R@5"])
    assert ev.n("R@5") == 2


def test_no_relevant_does_not_touch_measures_that_need_no_relevant_item():
    ev = rg.evaluate(NOTHING, BOTH, ["Judged@1", "NumRet"], no_relevant="one")

    assert ev.mean() == {"Judged@1": 1, "NumRet": 2}
    assert ev.n("Judged@1") == 2


def test_every_query_without_relevant_items_gives_no_number():
    ev = rg.evaluate({"q": {"a": 0}}, {"q": ["a"]}, "R@5")

    assert isnan(ev["R@5"])
    assert ev.n("R@5") == 0


def test_level_decides_who_has_relevant_items():
    """With rel=2 only q1 has one: q2 leaves the mean of that measure, not of the other."""
    ev = rg.evaluate({"q1": {"a": 2}, "q2": {"a": 1}}, BOTH, ["R(rel=2)@5", "R@5"])

    assert (ev.n("R(rel=2)@5"), ev.n("R@5")) == (1, 2)


# unjudged


def test_unjudged_keep_their_ranks_or_are_removed():
    qrels, run = {"q": {"a": 1, "z": 0}}, {"q": ["u", "z", "v", "a"]}

    assert value(qrels, run, "RR") == 1 / 4
    assert value(qrels, run, "RR", unjudged="irrelevant") == 1 / 4
    assert value(qrels, run, "RR", unjudged="remove") == 1 / 2
    assert value(qrels, run, "SetP", unjudged="remove") == 1 / 2
    assert value(qrels, run, "RR(judged_only=true)") == 1 / 2


def test_unjudged_are_removed_before_the_list_is_cut():
    assert value({"q": ["a"]}, {"q": ["u", "v", "a"]}, "RR", unjudged="remove", depth=2) == 0
    assert value({"q": ["a"]}, {"q": ["u", "v", "a"]}, "RR", unjudged="remove", depth=3) == 1


def test_judged_share_counts_the_list_as_it_was():
    counts = rg.evaluate({"q": {"a": 1, "z": 0}}, {"q": ["u", "z", "a"]}, "P@2", unjudged="remove").counts

    assert counts["judged@2"] == 1 / 2


# duplicates

TWICE = {"q": ["A", "A"]}


def test_duplicate_is_dropped_and_counted():
    """relevant {A}, list [A, A]."""
    ev = rg.evaluate({"q": ["A"]}, TWICE, ["R@2", "nDCG", "P@2"])

    assert ev.mean() == {"R@2": 1, "nDCG": 1, "P@2": 1 / 2}
    assert ev.counts["duplicates"] == 1
    assert value({"q": ["A", "B"]}, TWICE, "R") == 1 / 2


def test_of_two_scores_the_better_one_counts():
    run = {"q": [("A", 0.1), ("B", 0.5), ("A", 0.9)]}

    assert value({"q": ["A"]}, run, "RR") == 1
    assert value({"q": ["B"]}, run, "RR") == 1 / 2


def test_duplicates_error():
    with pytest.raises(InputError, match=r"1 results repeat .* pass duplicates='first'"):
        rg.evaluate({"q": ["A"]}, TWICE, "R", duplicates="error")


def test_duplicates_error_says_nothing_where_there_are_none():
    assert value({"q": ["A"]}, {"q": ["A", "B"]}, "R", duplicates="error") == 1


KEEPING = {"llamaindex", "mlflow", "ragas", "sentence-transformers", "gdeval"}


@pytest.mark.parametrize("name", rg.CONVENTIONS)
def test_conventions_of_tools_that_leave_ranks_alone_keep_repeats(name: str):
    """MRR of tools that walk down the list as it is: 1 / 6."""
    wanted = 1 / 6 if name in KEEPING else 1 / 3

    assert value({"q": ["g"]}, {"q": ["a", "a", "a", "b", "a", "g"]}, "RR", convention=name) == pytest.approx(wanted)


# average

UNEVEN = {"q1": ["a"], "q2": ["a", "b", "c", "d"]}
FOUND = {"q1": ["a"], "q2": ["x", "a"]}


def test_macro_is_the_mean_of_queries():
    assert value(UNEVEN, FOUND, "R@5") == (1 / 1 + 1 / 4) / 2


def test_micro_pools_numerators_and_denominators():
    assert value(UNEVEN, FOUND, "R@5", average="micro") == (1 + 1) / (1 + 4)
    assert value(UNEVEN, FOUND, "P@2", average="micro") == (1 + 1) / (2 + 2)


def test_micro_of_a_measure_without_a_ratio_is_the_mean():
    assert value(UNEVEN, FOUND, "RR", average="micro") == (1 + 1 / 2) / 2


def test_micro_leaves_out_what_the_mean_leaves_out():
    qrels = {**UNEVEN, "q3": ["a", "b"]}

    assert value(qrels, FOUND, "R@5", average="micro") == (1 + 1) / (1 + 4 + 2)
    assert value(qrels, FOUND, "R@5", average="micro", missing="skip") == (1 + 1) / (1 + 4)


def test_weighted():
    """Weights alone are enough to ask for it; a sequence goes in the order of the judgements."""
    expected = (1 * 1 + 3 * (1 / 4)) / (1 + 3)

    assert value(UNEVEN, FOUND, "R@5", weights={"q2": 3, "q1": 1}) == expected
    assert value(UNEVEN, FOUND, "R@5", weights=[1, 3], average="weighted") == expected
    assert value(UNEVEN, FOUND, "R@5", weights=[1, 3], average="macro") == (1 + 1 / 4) / 2


def test_weights_of_left_out_queries_do_not_count():
    qrels = {**UNEVEN, "q3": ["z"]}
    weights = {"q1": 1, "q2": 3, "q3": 100}

    assert value(qrels, FOUND, "R@5", weights=weights, missing="skip") == (1 + 3 / 4) / 4


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"q1": 1}, "1 of 2 queries have none"),
        ([1, 2, 3], "expected 2 numbers"),
        ([1, -1], "not negative"),
        ([0, 0], "not all 0"),
        ([1, float("nan")], "finite"),
    ],
)
def test_weights_that_cannot_be_used(weights: Any, message: str):
    with pytest.raises(InputError, match=message):
        rg.evaluate(UNEVEN, FOUND, "R@5", weights=weights)


def test_weighted_needs_weights():
    with pytest.raises(ParameterError, match="needs weights"):
        rg.evaluate(UNEVEN, FOUND, "R@5", average="weighted")


def test_geometric_mean_has_a_floor():
    """A query with AP 0 counts as 0.00001, as in trec_eval."""
    ev = rg.evaluate({"q1": ["a"], "q2": ["z"]}, {"q1": ["b", "a"], "q2": ["a"]}, "gm_map")

    assert ev["gm_map"] == approx((1 / 2 * 0.00001) ** (1 / 2))


# depth and rel


def test_depth_cuts_every_list():
    qrels, run = {"q": ["a", "c"]}, {"q": ["a", "b", "c", "d"]}

    ev = rg.evaluate(qrels, run, ["R", "P@4", "NumRet", "AP", "Rprec"], depth=2)

    assert ev.mean() == {"R": 1 / 2, "P@4": 1 / 4, "NumRet": 2, "AP": (1 / 1) / 2, "Rprec": 1 / 2}
    assert value({"q": ["a", "b", "c"]}, {"q": ["x", "y", "a"]}, "Rprec", depth=2) == 0


def test_depth_beyond_the_list_changes_nothing():
    qrels, run = {"q": ["a", "c"]}, {"q": ["a", "b", "c", "d"]}
    names = ["R", "P@4", "NumRet", "AP", "nDCG", "RBP"]

    assert rg.evaluate(qrels, run, names, depth=9).mean() == rg.evaluate(qrels, run, names).mean()


def test_rel_is_the_level_of_measures_that_do_not_say_their_own():
    qrels, run = {"q": {"a": 1, "b": 2, "c": 3}}, {"q": ["a", "b", "c"]}

    ev = rg.evaluate(qrels, run, ["P@3", "P(rel=3)@3", "RR", "nDCG"], rel=2)

    assert (ev["P@3"], ev["P(rel=3)@3"], ev["RR"]) == (2 / 3, 1 / 3, 1 / 2)
    assert ev["P(rel=2)@3"] == 2 / 3
    assert str(ev.measures[0]) == "P(rel=2)@3"


def test_rel_leaves_gains_alone():
    """nDCG is about grades; trec_eval's -l does not touch it either."""
    qrels, run = {"q": {"a": 1, "b": 2}}, {"q": ["a", "b"]}

    assert value(qrels, run, "nDCG", rel=2) == value(qrels, run, "nDCG")


# counts


def test_counts_say_what_went_in():
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 0}, "q3": {"a": 1}}
    run = {"q1": {"a": 3.0, "u": 2.0, "b": 1.0}, "q2": {"a": float("nan"), "b": 1.0}, "q9": {"a": 1.0}}

    counts = rg.evaluate(qrels, run, "nDCG@2").counts

    assert counts == {
        "queries": 3,
        "evaluated": 3,
        "missing": 1,
        "empty_lists": 0,
        "without_relevant": 1,
        "not_judged": 1,
        "results": 3 + 2,
        "judgements": 2 + 1 + 1,
        "relevant": 1 + 1,
        "duplicates": 0,
        "duplicate_queries": 0,
        "nan_scores": 1,
        "tied_queries": 0,
        "judged@2": (1 + 1) / (2 + 2),
    }


def test_scores_that_are_no_number_rank_last():
    run = {"q": {"a": float("nan"), "b": -5.0, "c": float("-inf")}}

    assert value({"q": ["b"]}, run, "RR") == 1
    assert value({"q": ["a"]}, run, "RR", ties="worst") == 1 / 3


# wrong words


@pytest.mark.parametrize(
    ("policy", "word", "hint"),
    [
        ("ties", "docid", "Did you mean doc_id?"),
        ("ties", "exepcted", "Did you mean expected?"),
        ("missing", "zeros", "Did you mean zero?"),
        ("no_relevant", "skipp", "Did you mean skip?"),
        ("unjudged", "removed", "Did you mean remove?"),
        ("duplicates", "frist", "Did you mean first?"),
        ("average", "marco", "Did you mean macro?"),
    ],
)
def test_wrong_word_names_the_choices_and_suggests(policy: str, word: str, hint: str):
    with pytest.raises(ParameterError) as error:
        rg.evaluate(TWO, BOTH, "R@5", **{policy: word})

    assert str(error.value) == f"`{policy}` must be one of {', '.join(CHOICES[policy])}, got {word!r}. {hint}"


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ({"depth": 0}, "`depth` must be a positive integer or None, got 0."),
        ({"depth": -1}, "`depth` must be a positive integer or None, got -1."),
        ({"depth": 1.5}, "`depth` must be a positive integer or None, got 1.5."),
        ({"depth": float("nan")}, "`depth` must be a positive integer or None, got nan."),
        ({"depth": True}, "`depth` must be a positive integer or None, got True."),
        ({"depth": 10**30}, f"`depth` must be at most 2,147,483,647 or None, got {10**30}."),
        ({"rel": 0}, "`rel` must be a number above 0 or None, got 0."),
    ],
)
def test_wrong_depth_and_rel(argument: dict[str, Any], message: str):
    with pytest.raises(ParameterError) as error:
        rg.evaluate(TWO, BOTH, "R@5", **argument)

    assert str(error.value) == message


def test_unknown_convention_suggests():
    with pytest.raises(
        UnknownName, match=r"unknown convention 'trec_evl'. Did you mean trec_eval\? There are: rankgauge"
    ):
        rg.evaluate(TWO, BOTH, "R@5", convention="trec_evl")


def test_unknown_policy_suggests():
    with pytest.raises(ParameterError, match=r"unknown policy 'tie'\. Did you mean ties\?"):
        Policy().replace(tie="input")


def test_first_word_of_every_policy_is_the_default():
    assert {name: getattr(Policy(), name) for name in CHOICES} == {n: next(iter(w)) for n, w in CHOICES.items()}


def test_policy_is_printed_with_the_result():
    text = str(rg.evaluate(TWO, BOTH, "R@5", ties="worst", depth=3, rel=2, convention="trec_eval-9"))

    assert "ties=worst missing=skip no_relevant=zero unjudged=irrelevant" in text
    assert "depth=3 rel=2 scores=single" in text
    assert "convention trec_eval-9" in text


# conventions

FIVE = {"q": {f"r{i}": 3 for i in range(5)}}  # five items of grade 3
IDEAL_5 = sum(1 / log2(i + 1) for i in range(1, 6))
LAST_FIVE = {"q": ["x1", "x2", "x3", "x4", "x5", *FIVE["q"]]}
AT_6_TO_10 = sum(1 / log2(i + 1) for i in range(6, 11))
TWENTY = {"q": {f"r{i:02d}": 3 for i in range(20)}}
IDEAL_20 = sum(1 / log2(i + 1) for i in range(1, 21))
IDEAL_10 = sum(1 / log2(i + 1) for i in range(1, 11))


def test_rankgauge_has_the_ideal_of_all_judged():
    assert value(FIVE, {"q": ["r0"]}, "nDCG@10") == approx(1 / IDEAL_5) == approx(0.339, abs=0.0005)
    assert value(FIVE, LAST_FIVE, "nDCG@10") == approx(AT_6_TO_10 / IDEAL_5) == approx(0.541, abs=0.0005)
    assert value(TWENTY, {"q": [f"r{i:02d}" for i in range(10)]}, "nDCG@10") == 1
    assert value({"q": ["a"]}, {"q": ["a"]}, "P@10") == 1 / 10


def test_elasticsearch_cuts_the_ideal_at_the_results_returned():
    """One perfect hit of five is perfect there; five of five at ranks 6 to 10 are not."""
    assert value(FIVE, {"q": ["r0"]}, "nDCG@10", convention="elasticsearch") == 1
    assert value(FIVE, LAST_FIVE, "nDCG@10", convention="elasticsearch") == approx(AT_6_TO_10 / IDEAL_5)
    assert value(FIVE, {"q": ["r0"]}, "DCG@10", convention="elasticsearch") == 2**3 - 1
    assert value(FIVE, {"q": ["r0", "x"]}, "P@10", convention="elasticsearch") == 1 / 2


def test_mlflow_divides_by_what_was_returned():
    assert value(FIVE, {"q": ["r0"]}, "nDCG@10", convention="mlflow") == 1
    assert value(FIVE, {"q": ["r0", "x"]}, "P@10", convention="mlflow") == 1 / 2
    assert value(FIVE, {"q": ["r0"]}, "DCG@10", convention="mlflow") == 3  # linear gain


def test_llamaindex_does_not_cut_the_ideal():
    """A perfect top 10 with twenty relevant items is not perfect there."""
    perfect = {"q": [f"r{i:02d}" for i in range(10)]}

    got = value(TWENTY, perfect, "nDCG@10", convention="llamaindex")

    assert got == approx(IDEAL_10 / IDEAL_20) == approx(0.645, abs=0.0005)
    assert value(TWENTY, {"q": ["r00", "x"]}, "P@10", convention="llamaindex") == 1 / 2


def test_ragas_divides_average_precision_by_the_hits():
    """Finding one more relevant item lowers it: [1, 0, 0, 0, 0] is 1, [1, 0, 0, 0, 1] is .70."""
    qrels = {"q": ["a", "b", "c", "d", "e"]}
    one, two = {"q": ["a", "v", "w", "x", "y"]}, {"q": ["a", "v", "w", "x", "b"]}

    assert value(qrels, one, "AP@5", convention="ragas") == 1
    assert value(qrels, two, "AP@5", convention="ragas") == approx((1 / 1 + 2 / 5) / 2) == approx(0.70)
    assert value(qrels, two, "AP@5") == approx((1 / 1 + 2 / 5) / 5) == approx(0.28)
    assert value({"q": ["a", "b"]}, two, "AP@5") == approx((1 / 1 + 2 / 5) / 2)  # the same with R = 2


def test_sentence_transformers_divides_average_precision_by_what_k_allows():
    qrels, run = {"q": ["a", "b", "c"]}, {"q": ["a", "x"]}

    assert value(qrels, run, "AP@2", convention="sentence-transformers") == 1 / 2
    assert value(qrels, run, "AP@2") == 1 / 3


def test_gdeval_has_exponential_gain_and_highest_grade_4():
    qrels, run = {"q": {"a": 2, "b": 1}, "p": {"a": 1}}, {"q": ["b", "a"]}

    ev = rg.evaluate(qrels, run, ["nDCG@2", "ERR@2"], convention="gdeval")

    assert ev["nDCG@2"] == approx((1 + 3 / log2(3)) / (3 + 1 / log2(3)))
    assert ev["ERR@2"] == approx(1 / 16 + (1 / 2) * (3 / 16) * (15 / 16))
    assert ev.n("nDCG@2") == 1  # p is not in the run and left out
    own = rg.evaluate(qrels, run, ["nDCG@2", "ERR@2"], missing="skip")
    assert own["nDCG@2"] == approx((1 + 2 / log2(3)) / (2 + 1 / log2(3)))
    assert own["ERR@2"] == approx(1 / 4 + (1 / 2) * (3 / 4) * (3 / 4))  # highest grade here is 2


def test_trec_eval_leaves_missing_queries_out_and_counts_those_without_relevant_items():
    qrels = {**NOTHING, "q3": ["a"]}

    assert value(qrels, BOTH, "map", convention="trec_eval") == (1 + 0) / 2
    assert value(qrels, BOTH, "map", convention="trec_eval", missing="zero") == (1 + 0 + 0) / 3
    assert value(qrels, BOTH, "map") == (1 + 0) / 2  # q2 left out, q3 counted


def test_trec_eval_has_its_own_persistence_and_scales_by_the_topic():
    """rbp: p = .9, gains over the highest grade of the topic."""
    qrels, run = {"q": {"a": 2, "b": 4}}, {"q": ["a"]}

    assert value(qrels, run, "rbp", convention="trec_eval") == approx((1 - 0.9) * 2 / 4)
    assert value(qrels, run, "RBP") == approx((1 - 0.8) * 1)


def test_trec_eval_does_not_square_the_parameter_of_set_f():
    """P = 1/2, R = 1/3; its F_2 is (2+1)PR / (2P+R), the textbook's 5PR / (4P+R)."""
    qrels, run = {"q": ["a", "b", "c"]}, {"q": ["a", "x"]}
    p, r = 1 / 2, 1 / 3

    assert value(qrels, run, "set_F_2", convention="trec_eval") == approx(3 * p * r / (2 * p + r))
    assert value(qrels, run, "SetF(beta=2)") == approx(5 * p * r / (4 * p + r))


TEN = {"q": ["a", *(f"m{i}" for i in range(8)), "z"]}  # ten relevant, one found at rank 1


def test_recall_points_round_up_before_trec_eval_10():
    """R = 10: recall .14 needs trunc(1.4 + .9) = 2 hits in version 9 and round(1.4) = 1 in version 10."""
    run = {"q": ["a", "x"]}

    assert value(TEN, run, "iprec_at_recall_0.14", convention="trec_eval-9") == 0
    assert value(TEN, run, "iprec_at_recall_0.14", convention="pytrec_eval") == 0
    assert value(TEN, run, "IPrec@0.14", convention="ir_measures") == 0
    assert value(TEN, run, "IPrec@0.14", convention="ranx") == 0
    assert value(TEN, run, "iprec_at_recall_0.14", convention="trec_eval") == 1
    assert value(TEN, run, "IPrec@0.14") == 1


@pytest.mark.parametrize("name", ["trec_eval-9", "pytrec_eval", "ir_measures"])
def test_scores_in_single_precision(name: str):
    """0.100000002 and 0.100000001 are equal in 32 bits, so the id decides."""
    run = {"q": {"a": 0.100000002, "b": 0.100000001}}

    assert value({"q": ["a"]}, run, "RR", convention=name) == 1 / 2
    assert value({"q": ["a"]}, run, "RR") == 1


def test_ir_measures_counts_missing_queries_and_fixes_the_highest_grade():
    qrels, run = {"q1": {"a": 2}, "q2": {"a": 1}}, {"q1": ["a"]}

    assert value(qrels, run, "ERR@10", convention="ir_measures") == (3 / 16 + 0) / 2
    assert value(qrels, run, "ERR@10") == (3 / 4 + 0) / 2


def test_ranx_takes_ties_as_given_raw_grades_and_no_missing_query():
    run = {"q": {"a": 1.0, "b": 1.0}}

    assert value({"q": ["a"]}, run, "mrr", convention="ranx") == 1
    assert value({"q": ["a"]}, run, "mrr") == 1 / 2
    assert value({"q": {"a": 4}}, run, "rbp.50", convention="ranx") == (1 - 0.5) * 4
    assert value({"q": {"a": 4}}, {"q": ["a"]}, "rbp.50") == 1 - 0.5
    with pytest.raises(InputError, match="no results"):
        rg.evaluate(TWO, ONE_LIST, "mrr", convention="ranx")


def test_scikit_learn_averages_over_ties():
    """ndcg_score([[1, 0]], [[.5, .5]]) is the mean of 1 and 1/log2(3); a row without gain counts as 0."""
    run = {"q": {"a": 0.5, "b": 0.5}, "p": {"a": 1.0}}

    assert value({"q": {"a": 1, "b": 0}}, run, "nDCG", convention="scikit-learn") == approx((1 + 1 / log2(3)) / 2)
    assert value({"q": {"a": 1, "b": 0}, "p": {"a": 0}}, run, "nDCG", convention="scikit-learn") == approx(
        ((1 + 1 / log2(3)) / 2 + 0) / 2
    )


def test_words_of_the_caller_override_the_convention():
    assert value(NOTHING, BOTH, "R@5", convention="trec_eval", no_relevant="one") == 1
    assert value(FIVE, {"q": ["r0"]}, "nDCG(ideal=judged)@10", convention="mlflow") == approx(1 / IDEAL_5)


def test_conventions_are_found_under_any_spelling():
    assert rg.evaluate(TWO, BOTH, "R@5", convention="TREC_EVAL 9").convention == "trec_eval-9"


def test_every_convention_has_its_test_here():
    assert set(rg.CONVENTIONS) == {
        *("rankgauge", "trec_eval", "trec_eval-9", "pytrec_eval", "ir_measures", "ranx", "scikit-learn"),
        *("elasticsearch", "gdeval", "mlflow", "llamaindex", "sentence-transformers", "ragas"),
        "recall-and-hit-rate",  # in test_no_relevant_by_measure.py
    }


def test_identity_reranker_changes_nothing():
    """A run that gives every result a new score in the same order has the same numbers."""
    run = {"q": {f"r{i}": 1.0 / (i + 1) for i in range(4)} | {"x": 0.1}}
    reranked = {"q": {doc: 10.0 - i for i, doc in enumerate(run["q"])}}
    names = ["nDCG@10", "AP", "RR@10", "P@3", "R@3", "bpref", "ERR@10"]

    assert rg.evaluate(FIVE, reranked, names).mean() == rg.evaluate(FIVE, run, names).mean()


@pytest.mark.parametrize("word", ["one", "nan"])
def test_counts_that_are_added_up_know_no_query_that_counts_as_one(word: str):
    with pytest.raises(ParameterError, match=r"average='micro' adds up counts.*no_relevant='skip' or 'zero'"):
        rg.evaluate(UNEVEN, FOUND, "P@1", average="micro", no_relevant=word)


@pytest.mark.parametrize("word", ["skip", "zero"])
@pytest.mark.parametrize("ties", ["doc_id", "best", "worst", "expected"])
def test_queries_without_relevant_items_are_counted_under_every_tie_rule(ties: str, word: str):
    """A tie in one query changed what was counted of another one."""
    ev = rg.evaluate({"q0": {"d1": 3}, "q1": {"d3": 0}}, {"q0": {"d1": 1, "d2": 1}}, "P@3", ties=ties, no_relevant=word)

    assert ev.counts["without_relevant"] == 1


@pytest.mark.parametrize("ties", ["doc_id", "input", "best", "worst", "expected"])
@pytest.mark.parametrize("average", ["macro", "micro"])
def test_lists_are_cut_before_unjudged_results_are_taken_out(ties: str, average: str):
    qrels = {"q": {"a": 1, "b": 1}}
    run = {"q": {"u": 4.0, "a": 3.0, "v": 2.0, "b": 1.0}}
    policy: dict[str, Any] = {"ties": ties, "average": average, "depth": 2}

    # trec_eval -M 2 -J: u and a are left, then a alone
    assert rg.evaluate(qrels, run, "P@2", unjudged="remove", **policy)["P@2"] == 1 / 2
    assert rg.evaluate(qrels, run, "P(judged_only=true)@2", **policy)["P(judged_only=true)@2"] == 1 / 2
    assert rg.evaluate(qrels, run, "P@2", unjudged="remove", ties=ties, average=average)["P@2"] == 2 / 2


@pytest.mark.parametrize("name", ["P@2", "RR", "AP", "nDCG@2", "Judged@2"])
@pytest.mark.parametrize("ties", ["doc_id", "input", "best", "worst", "expected"])
def test_removing_within_a_depth_is_what_measures_of_judged_results_do(name: str, ties: str):
    qrels = {"q": {"a": 2, "b": 0, "c": 1}, "r": {"c": 1, "x": 0}}
    run = {"q": {"u": 2.0, "a": 2.0, "b": 1.0, "v": 1.0, "c": 1.0}, "r": {"x": 3.0, "y": 2.0, "c": 2.0}}
    m = rg.parse(name)

    for depth in (1, 2, 3, 4, 9):
        policy = rg.evaluate(qrels, run, name, ties=ties, depth=depth, unjudged="remove").column(name)
        measure = rg.evaluate(qrels, run, m.replace(judged_only=True), ties=ties, depth=depth).columns[0]

        assert np.array_equal(policy.values, measure.values, equal_nan=True)
        assert str(policy.measure) == name


# what a word did


@pytest.mark.parametrize("name", ["missing", "no_relevant"])
def test_every_choice_about_queries_says_what_it_did(name: str):
    field = fields_of(Policy)[name]

    assert list(field.became) == list(field.choices)
    assert all(text.zh for text in field.became.values())


def test_a_choice_that_does_not_say_what_it_did_is_found_out_where_it_is_written():
    told = Text("left out, and counted", "不计入，但会计数"), Text("left out", "不计入")

    with pytest.raises(TypeError, match="each of skip, half must say what it did"):
        words(Text("queries", "查询"), skip=told, half=Text("counted as 0.5", "计为 0.5"))
