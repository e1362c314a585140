"""Items that a list shows several times, with duplicates="keep": ranks stay, the first place earns, repeats do not.

The oracle writes a list out place by place: at its first place an item has its grade, at later ones nothing, and
`seen` says which places show a judged item. Ties are tried in every order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from math import isnan
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge.alignment.build import align
from rankgauge.data import Qrels, Run
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.rankings.by_cutoff import by_cutoff
from rankgauge.measures import REGISTRY, parse_ranking
from rankgauge.measures._tie_orders import MOST_LISTS
from rankgauge.measures.base import Measure

CHUNKS = {"q": ["a", "a", "a", "b", "a", "g"]}

NEED_GROUPS = {name for name, cls in REGISTRY.items() if {"groups", "subtopics"} & cls.needs}
NEED_CUTOFF = {"BPM", "SDCG", "NERR8", "NERR9", "Unjudged"}
MEASURES = [
    *(name for name in REGISTRY if name not in NEED_GROUPS | NEED_CUTOFF),
    *("nDCG@3", "AP(norm=min)@4", "P@2", "P(divisor=retrieved)@4", "RR@3", "ERR@3", "BPM@3", "SDCG@3", "NERR8@3"),
    *("NERR9@3", "Judged@3", "Judged(negative=unjudged)@3", "Unjudged@3", "RBPresidual(negative=unjudged)"),
    *("AP(judged_only=true)", "nDCG(judged_only=true)@2", "nDCG(ideal=returned)@3", "P(judged_only=true)@2"),
]
HALF = {"PairAccuracy"}  # counts equal scores half, whatever their order
OF_PLACES = {"Judged", "Unjudged", "RBPresidual", "relstring"}
"""Measures that ask of each place whether it was judged, not what was found there."""

few = settings(max_examples=20, deadline=None)


# the oracle


@dataclass(frozen=True)
class Place:
    item: str
    grade: float | None
    first: bool

    @property
    def gained(self) -> float | None:
        """The grade that is met here; None: no judged item that is new."""
        return self.grade if self.first else None


def places(order: Sequence[str], grades: dict[str, float]) -> list[Place]:
    return [Place(x, grades.get(x), x not in order[:i]) for i, x in enumerate(order)]


def of_list(m: Measure, order: Sequence[str], grades: dict[str, float]) -> Any:
    """The value of one list without ties."""
    listed = places(order, grades)
    missed = [g for x, g in grades.items() if x not in order]
    if m.judged_only:
        listed = [p for p in listed if p.grade is not None]
        m = m.replace(judged_only=False)
    if type(m).__name__ in OF_PLACES:  # a grade is there however often its item is shown
        return m.of([p.grade for p in listed], missed)
    return m.of([p.gained for p in listed], missed)


def blocks(results: Sequence[tuple[str, float]]) -> list[list[str]]:
    """Results with equal scores together, best first, in the order given."""
    scores = sorted({s for _, s in results}, reverse=True)
    return [[x for x, s in results if s == score] for score in scores]


def orders(results: Sequence[tuple[str, float]]) -> Iterator[list[str]]:
    """Each distinct order once: copies can change places among themselves alike in all of them."""
    for choice in product(*(sorted(set(permutations(block))) for block in blocks(results))):
        yield [x for block in choice for x in block]


def in_order(results: Sequence[tuple[str, float]], ties: str) -> list[str]:
    found = blocks(results)
    return [x for block in found for x in (sorted(block, reverse=True) if ties == "doc_id" else block)]


def close(a: Any, b: Any) -> bool:
    if isinstance(a, str):
        return bool(a == b)
    return (isnan(a) and isnan(b)) or bool(abs(a - b) <= 1e-9 * max(1.0, abs(b)))


lists = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from([1.0, 2.0])), min_size=1, max_size=5)
short_lists = lists.filter(lambda results: len(results) <= 4)
judged = st.dictionaries(
    st.sampled_from("abcde"), st.sampled_from([-1.0, 0.0, 1.0, 2.0]), min_size=1, max_size=4
).filter(lambda grades: any(g > 0 for g in grades.values()))


# the case from which it came


@pytest.mark.parametrize(("duplicates", "hit", "mrr", "n"), [("first", 1, 1 / 3, 3), ("keep", 0, 1 / 6, 6)])
def test_chunks_of_one_document_before_the_right_one(duplicates: str, hit: float, mrr: float, n: int):
    ev = rg.evaluate({"q": ["g"]}, CHUNKS, ["Hit@5", "MRR", "NumRet"], duplicates=duplicates)

    assert ev.mean() == {"Hit@5": hit, "MRR": pytest.approx(mrr), "NumRet": n}
    assert (ev.counts["duplicates"], ev.counts["duplicate_queries"], ev.counts["results"]) == (3, 1, n)


def test_a_repeat_of_a_judged_item_is_a_judged_place_and_earns_nothing():
    ev = rg.evaluate({"q": ["a", "g"]}, CHUNKS, ["Judged@5", "P@5", "R@5", "Hits@5"], duplicates="keep")

    assert ev.mean() == {"Judged@5": 4 / 5, "P@5": 1 / 5, "R@5": 1 / 2, "Hits@5": 1}
    assert ev.counts["judged@5"] == 4 / 5


def test_taking_out_unjudged_results_leaves_repeats_of_judged_ones():
    ev = rg.evaluate({"q": ["a", "g"]}, CHUNKS, ["AP", "NumRet"], duplicates="keep", unjudged="remove")

    assert ev.mean() == {"AP": (1 / 1 + 2 / 5) / 2, "NumRet": 5}  # a a a a g


# every measure


def all_values(measures: Sequence[Measure], results: Any, grades: Any, **policy: Any) -> list[Any]:
    names = [str(m) for m in measures]
    ev = rg.evaluate({"q": grades}, {"q": results}, names, duplicates="keep", no_relevant="zero", **policy)
    return [c.values[0] for c in ev.columns]


@pytest.mark.parametrize("ties", ["doc_id", "input"])
@given(results=lists, grades=judged)
@few
def test_every_measure_is_that_of_the_places(ties: str, results: Any, grades: Any):
    has_ties = any(len(block) > 1 for block in blocks(results))
    measures = [parse_ranking(m) for m in MEASURES if not (has_ties and m in HALF)]
    order = in_order(results, ties)

    for m, found in zip(measures, all_values(measures, results, grades, ties=ties), strict=True):
        assert close(found, of_list(bound(m, grades), order, grades)), m


@given(results=short_lists, grades=judged)
@few
def test_expected_is_the_mean_over_all_orders(results: Any, grades: Any):
    measures = [m for m in map(parse_ranking, MEASURES) if m.summary != "none"]
    each = list(orders(results))

    for m, found in zip(measures, all_values(measures, results, grades, ties="expected"), strict=True):
        b = bound(m, grades)
        assert close(found, float(np.mean([of_list(b, order, grades) for order in each]))), m


def bound(m: Measure, grades: dict[str, float]) -> Measure:
    """With what depends on all judgements filled in."""
    return m.bind(align(Qrels.of({"q": grades}), Run.of({"q": ["x"]})).alignment)


ORDERED = [
    "nDCG",
    "nDCG@3",
    "DCG",
    "AP",
    "AP@3",
    "P@2",
    "R@2",
    "RR",
    "RR@2",
    "Hit@2",
    "ERR",
    "RBP",
    "Rprec",
    "bpref",
    "SetP",
]
"""Measures that never fall when a higher grade changes places with a lower one below it."""


@given(results=short_lists, grades=judged)
@few
def test_best_and_worst_are_the_ends_of_all_orders(results: Any, grades: Any):
    measures = [parse_ranking(m) for m in ORDERED]
    each = [[of_list(bound(m, grades), order, grades) for order in orders(results)] for m in measures]

    for m, found, values in zip(measures, all_values(measures, results, grades, ties="best"), each, strict=True):
        assert close(found, max(values)), m
    for m, found, values in zip(measures, all_values(measures, results, grades, ties="worst"), each, strict=True):
        assert close(found, min(values)), m


def test_the_worst_order_of_unlike_repeats_is_that_of_each_measure():
    """a b b has the least gain, b b a the fewest of both in its first two places."""
    run = {"q": [("a", 1.0), ("b", 1.0), ("b", 1.0)]}
    judgements = {"q": {"a": 1, "b": 2}}

    worst = rg.evaluate(judgements, run, ["DCG", "Hits@2"], ties="worst", duplicates="keep")

    assert worst.mean() == {"DCG": pytest.approx(1 + 2 / np.log2(3)), "Hits@2": 1}
    assert worst.counts["tied_queries"] == 1


def test_an_expectation_of_too_many_orders_is_refused_by_measures_without_a_closed_form():
    run = {"q": [(x, 1.0) for x in ["a", "a", *(f"u{i}" for i in range(500)), "b"]]}
    assert MOST_LISTS < 501 * 502 * 503 / 2

    with pytest.raises(ParameterError, match=f"at most {MOST_LISTS:,} are tried"):
        rg.evaluate({"q": {"a": 1, "b": 2}}, run, "NERR10", ties="expected", duplicates="keep")
    assert rg.evaluate({"q": {"a": 1, "b": 2}}, run, "P@5", ties="expected", duplicates="keep")["P@5"] > 0


# ways in


def as_frame(run: dict[str, list[tuple[str, float]]]) -> pl.DataFrame:
    rows = [(q, x, s) for q, row in run.items() for x, s in row]
    return pl.DataFrame(rows, schema={"query_id": pl.String, "doc_id": pl.String, "score": pl.Float64}, orient="row")


@pytest.mark.slow
@pytest.mark.parametrize("ties", ["doc_id", "input", "best", "expected"])
@pytest.mark.parametrize("duplicates", ["first", "keep"])
@given(st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), lists, min_size=1), judged)
@few
def test_pairs_frames_and_files_are_alike(tmp_path_factory: Any, duplicates: str, ties: str, run: Any, grades: Any):
    qrels = {"q1": grades, "q2": {"b": 1.0}, "q9": {"a": 1.0}}
    folder = tmp_path_factory.mktemp("run")
    lines = [f"{q} Q0 {x} {i} {s} tag" for q, row in run.items() for i, (x, s) in enumerate(row)]
    (folder / "a.run").write_text("\n".join(lines) + "\n")
    options = {"ties": ties, "duplicates": duplicates}
    measures = ["AP", "nDCG@3", "Judged@3", "NumRet", "infAP"]

    wanted = rg.evaluate(qrels, as_frame(run), measures, **options)

    for given_run in (run, folder / "a.run"):
        found = rg.evaluate(qrels, given_run, measures, **options)
        assert [repr(c.values.tolist()) for c in found.columns] == [repr(c.values.tolist()) for c in wanted.columns]
        assert found.counts == wanted.counts


def test_lists_of_ids_of_any_type_keep_their_places():
    for run in ([7, 7, 8], ["7", "7", "8"], np.array([7, 7, 8]), ("7", "7", "8")):
        assert rg.evaluate({"q": {"8": 1}}, {"q": run}, "RR", duplicates="keep")["RR"] == 1 / 3
    assert rg.evaluate({"q": {8: 1}}, {"q": [7, 7, 8]}, "RR", duplicates="keep")["RR"] == 1 / 3


@pytest.mark.parametrize("duplicates", ["first", "keep"])
def test_a_repeat_without_a_number_for_a_score_ranks_last(duplicates: str):
    run = {"q": [("a", float("nan")), ("b", 1.0), ("a", 2.0)]}

    assert rg.evaluate({"q": ["a"]}, run, "RR", duplicates=duplicates)["RR"] == 1
    assert rg.evaluate({"q": ["a"]}, as_frame(run), "RR", duplicates=duplicates)["RR"] == 1


def test_of_equal_scores_the_better_of_two_results_has_its_own_place():
    """a is shown first with 1, then, behind b, with 2."""
    run = {"q": [("a", 1.0), ("b", 2.0), ("a", 2.0)]}

    for given_run in (run, as_frame(run)):
        assert rg.evaluate({"q": ["a"]}, given_run, "RR", ties="input")["RR"] == 1 / 2


def test_a_score_that_is_no_number_is_refused_by_name_also_in_a_repeat():
    with pytest.raises(InputError, match="score must be a number"):
        rg.evaluate({"q": ["a"]}, {"q": [("a", 1.0), ("a", "high")]}, "RR", duplicates="keep")


def test_judgements_by_subtopic_with_repeats():
    rows = [("q", "1", "a", 1.0), ("q", "2", "a", 1.0), ("q", "2", "b", 1.0)]
    qrels = pl.DataFrame(rows, schema=["query_id", "iteration", "doc_id", "grade"], orient="row")
    run = as_frame({"q": [("a", 3.0), ("a", 2.0), ("b", 1.0)]})

    ev = rg.evaluate(qrels, run, ["P_IA@2", "StRecall@2", "alpha_nDCG@3"], duplicates="keep")
    spaced = as_frame({"q": [("a", 3.0), ("x", 2.0), ("b", 1.0)]})

    assert ev.mean() == rg.evaluate(qrels, spaced, ["P_IA@2", "StRecall@2", "alpha_nDCG@3"]).mean()
    assert ev["P_IA@2"] == 1 / 2


def test_a_random_order_of_copies_by_subtopic_is_the_mean_over_orders():
    rows = [("q", "1", "a", 1.0), ("q", "2", "a", 1.0), ("q", "2", "b", 1.0)]
    qrels = pl.DataFrame(rows, schema=["query_id", "iteration", "doc_id", "grade"], orient="row")
    tied = [("a", 1.0), ("a", 1.0), ("b", 1.0), ("x", 1.0)]
    for measure in ("P_IA@2", "alpha_nDCG@2"):
        found = rg.evaluate(qrels, as_frame({"q": tied}), measure, duplicates="keep", ties="expected")[measure]
        each = [
            rg.evaluate(
                qrels, as_frame({"q": [(x, -float(i)) for i, x in enumerate(order)]}), measure, duplicates="keep"
            )[measure]
            for order in permutations([x for x, _ in tied])
        ]
        assert found == pytest.approx(float(np.mean(each)))


# what looks at alignments


def test_movement_shows_items_where_the_evaluation_has_them():
    found = rg.compare({"q": ["g"]}, {"old": CHUNKS, "new": {"q": ["g", "a"]}}, "RR", duplicates="keep")
    moved = found.query("q")

    assert {i.item_id: i.rank_a for i in moved.items}["g"] == 6
    assert moved.value_a == 1 / 6


def test_a_perfect_list_repeats_nothing():
    ev = rg.evaluate({"q": ["a", "g"]}, CHUNKS, "P@2", duplicates="keep")

    assert [(p.value, p.ceiling) for p in by_cutoff(ev, "R", [1, 2, 6])["R"]] == [(0.5, 0.5), (0.5, 1), (1, 1)]
