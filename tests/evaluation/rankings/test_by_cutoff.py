"""Numbers by cutoff: the same as `evaluate` gives one by one, and what a perfect ranking reaches."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import isnan, log2
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

import rankgauge as rg
from oracle import trec_golden
from rankgauge.errors import InputError, ParameterError, UnknownName

approx = pytest.approx
DEFAULT = ["nDCG", "R", "P", "Hit", "RR"]

# q1 shows c and a of its four relevant items; q2 shows nothing that is relevant; q3 is not in the run
QRELS = {"q1": {"a": 3, "b": 2, "c": 1, "d": 1, "n": 0}, "q2": {"e": 1, "f": 0}, "q3": {"g": 2}, "q4": {"h": 0}}
RUN = {"q1": ["x", "c", "a", "n"], "q2": ["y", "f"], "q4": ["h"]}


# the definition written out


def naive(measure: str, grades: list[float], judged: dict[str, float], k: int) -> float:
    """One measure of one list, given as the grades of its results (0 for those that nobody judged)."""
    relevant = sum(g >= 1 for g in judged.values())
    hits = sum(g >= 1 for g in grades[:k])
    if measure == "P":
        return hits / k
    if measure == "R":
        return hits / relevant
    if measure == "Hit":
        return float(hits > 0)
    if measure == "RR":
        return next((1 / rank for rank, g in enumerate(grades[:k], 1) if g >= 1), 0.0)
    best = sorted(judged.values(), reverse=True)
    dcg, ideal = (sum(max(g, 0) / log2(rank + 1) for rank, g in enumerate(x[:k], 1)) for x in (grades, best))
    return dcg / ideal


@pytest.mark.parametrize("measure", DEFAULT)
def test_values_and_ceilings_as_defined(measure: str):
    points = rg.by_cutoff(rg.evaluate(QRELS, RUN))[measure]

    with_relevant = ["q1", "q2", "q3"]  # q4 has nothing relevant and is left out
    for p in points:
        shown = {q: [QRELS[q].get(d, 0) for d in RUN.get(q, [])] for q in with_relevant}
        values = [naive(measure, shown[q], QRELS[q], p.k) for q in with_relevant]
        best = [naive(measure, sorted(QRELS[q].values(), reverse=True), QRELS[q], p.k) for q in with_relevant]
        assert p.value == approx(sum(values) / 3)
        assert p.ceiling == approx(sum(best) / 3)
        assert p.n == 3


def test_ceiling_of_recall_and_precision_by_hand():
    """Four, one and one relevant items."""
    found = rg.by_cutoff(rg.evaluate(QRELS, RUN), ["R", "P"], [1, 2, 5])

    assert [p.ceiling for p in found["R"]] == approx([(1 / 4 + 1 + 1) / 3, (2 / 4 + 1 + 1) / 3, 1])
    assert [p.ceiling for p in found["P"]] == approx([1, (2 + 1 + 1) / 2 / 3, (4 + 1 + 1) / 5 / 3])


# against evaluate

ITEMS = "abcdefg"
QUERY = st.tuples(
    st.dictionaries(st.sampled_from(ITEMS), st.integers(-1, 3), min_size=1),
    st.dictionaries(st.sampled_from(ITEMS + "xyz"), st.integers(0, 3).map(float)),  # few scores, so many ties
)
POLICIES = st.fixed_dictionaries(
    {
        "ties": st.sampled_from(["doc_id", "input", "best", "worst", "expected"]),
        "missing": st.sampled_from(["zero", "skip"]),
        "no_relevant": st.sampled_from(["skip", "zero", "one", "nan"]),
        "unjudged": st.sampled_from(["irrelevant", "remove"]),
        "average": st.sampled_from(["macro", "micro"]),
        "depth": st.sampled_from([None, 2]),
        "rel": st.sampled_from([None, 2]),
    }
).filter(lambda p: p["average"] == "macro" or p["no_relevant"] in ("skip", "zero"))
MEASURES = [*DEFAULT, "nDCG(gain=exponential)", "R(rel=2)", "AP", "R(norm=min)", "ERR"]


def split(queries: list[tuple[dict[str, int], dict[str, float]]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Queries with an empty list are not in the run, which holds one at least."""
    assume(any(run for _, run in queries))
    named = {f"q{i}": q for i, q in enumerate(queries)}
    return {q: judged for q, (judged, _) in named.items()}, {q: run for q, (_, run) in named.items() if run}


@contextmanager
def same_refusal(evaluate: Callable[[], Any]) -> Iterator[None]:
    """What cannot be pooled is refused by both, and then there is nothing to compare."""
    try:
        yield
    except ParameterError:
        with pytest.raises(ParameterError, match="average='micro' pools"):
            evaluate()
        reject()


def same(a: float, b: float) -> bool:
    return a == b or (isnan(a) and isnan(b))


@pytest.mark.slow
@given(st.lists(QUERY, min_size=1, max_size=5), POLICIES)
@settings(max_examples=60, deadline=None)
def test_values_intervals_and_counts_are_those_of_evaluate(queries: list[Any], policies: dict[str, Any]):
    qrels, run = split(queries)
    ks = [1, 2, 3, 5, 10]
    labels = [f"{measure}@{k}" for measure in MEASURES for k in ks]

    with same_refusal(lambda: rg.evaluate(qrels, run, labels, **policies)):
        found = rg.by_cutoff(rg.evaluate(qrels, run, "AP", **policies), MEASURES, ks)

    for measure in MEASURES:
        for k, p in zip(ks, found[measure], strict=True):
            label = f"{measure}@{k}"
            ev = rg.evaluate(qrels, run, label, **policies)
            assert same(p.value, ev[label]), label
            assert all(map(same, p.interval, ev.interval(label))), label
            assert p.n == ev.n(label)
            assert p.definition == str(ev.column(label).measure)


@pytest.mark.slow
@given(st.lists(QUERY, min_size=1, max_size=5), POLICIES)
@settings(max_examples=60, deadline=None)
def test_ceiling_is_what_a_run_in_ideal_order_gets(queries: list[Any], policies: dict[str, Any]):
    qrels, run = split(queries)
    counted = qrels if policies["missing"] == "zero" else run
    ideal = {q: sorted(qrels[q], key=lambda d, q=q: -qrels[q][d]) for q in counted}

    labels = [f"{measure}@{k}" for measure in MEASURES for k in (1, 2, 3, 10)]
    with same_refusal(lambda: rg.evaluate(qrels, run, labels, **policies)):
        found = rg.by_cutoff(rg.evaluate(qrels, run, "AP", **policies), MEASURES, [1, 2, 3, 10])

    for p in found.points:
        best = rg.evaluate(qrels, ideal, f"{p.measure}@{p.k}", **policies)[f"{p.measure}@{p.k}"]
        assert p.ceiling == approx(best, abs=1e-12, nan_ok=True), p
        assert isnan(p.value) or p.ceiling >= p.value - 1e-12


def test_tied_scores_under_each_policy():
    """a and x share the ranks 1 and 2."""
    run = {"q": {"a": 1.0, "x": 1.0}}

    got = {
        ties: rg.by_cutoff(rg.evaluate({"q": ["a"]}, run, ties=ties), "P", [1])["P"][0].value
        for ties in ("doc_id", "best", "worst", "expected")
    }

    assert got == {"doc_id": 0, "best": 1, "worst": 0, "expected": 0.5}


def test_weights_and_confidence_level_are_those_of_the_evaluation():
    options: dict[str, Any] = {"weights": {"q1": 3, "q2": 1, "q3": 1, "q4": 1}, "confidence_level": 0.8}
    ev = rg.evaluate(QRELS, RUN, "R@3", **options)

    [p] = rg.by_cutoff(ev, "R", [3])["R"]

    assert (p.value, p.interval) == (ev["R@3"], ev.interval("R@3"))
    assert p.value == approx((3 * 2 / 4 + 0 + 0) / 5)
    assert p.ceiling == approx((3 * 3 / 4 + 1 + 1) / 5)


def test_convention_gives_parameters_and_policies():
    """Elasticsearch divides by the results returned: a list that stops after its hits reaches 1."""
    qrels, run = {"q": {"a": 2, "b": 1, "n": 0}}, {"q": ["a"]}
    ev = rg.evaluate(qrels, run, "P@10", convention="elasticsearch")

    [p] = rg.by_cutoff(ev, "P", [10])["P"]

    assert p.definition == "P(divisor=retrieved)@10"
    assert (p.value, p.ceiling) == (1, 1)  # n would make it 2/3


def test_ceiling_counts_the_queries_of_the_value():
    """The share of judged results is undefined for an empty list, as q2 has: it is in neither number."""
    ev = rg.evaluate({"q1": ["a"], "q2": {"b": 1}, "q3": {"c": 1}}, {"q1": ["x", "a"], "q3": ["c"]})
    weighted = rg.evaluate({"q1": {"a": 1, "b": -1}, "q2": {"c": 1}}, {"q1": ["x", "a"]}, weights={"q1": 1, "q2": 3})

    [p] = rg.by_cutoff(ev, "Judged", [2])["Judged"]
    [best] = rg.by_cutoff(weighted, "Judged(negative=unjudged)", [2])["Judged(negative=unjudged)"]

    assert (p.n, p.value, p.ceiling) == (2, (1 / 2 + 1) / 2, 1)
    assert (best.n, best.value, best.ceiling) == (1, 1 / 2, 1 / 2)  # with q2 it would be (1/2 + 3) / 4


def test_no_ceiling_where_the_order_of_grades_is_not_the_best(tmp_path: Path):
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("q 1 a 1\nq 2 b 1\n")  # two subtopics
    ev = rg.evaluate(str(qrels), {"q": ["x", "a"]}, "alpha_nDCG@10")

    [p] = rg.by_cutoff(ev, "alpha_nDCG", [2])["alpha_nDCG"]

    assert 0 < p.value < 1
    assert isnan(p.ceiling)


# defaults


@pytest.mark.parametrize(
    ("length", "depth", "cutoffs"),
    [
        (1, None, [1, 2, 3, 5, 10]),
        (10, None, [1, 2, 3, 5, 10]),
        (49, None, [1, 2, 3, 5, 10, 20]),
        (50, None, [1, 2, 3, 5, 10, 20, 50]),
        (50, 20, [1, 2, 3, 5, 10, 20]),
        (1200, None, [1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000]),
    ],
)
def test_default_cutoffs_end_at_the_longest_list(length: int, depth: int | None, cutoffs: list[int]):
    run = {"q": [f"d{i}" for i in range(length)], "p": ["d0"]}
    found = rg.by_cutoff(rg.evaluate({"q": ["d0"], "p": ["d0"]}, run, depth=depth))

    assert (found.measures, found.cutoffs) == (DEFAULT, cutoffs)
    assert found.longest == min(length, depth or length)


@pytest.mark.parametrize(
    ("measures", "rel", "definition"),
    [
        (["nDCG@10"], None, "R@1"),
        (["nDCG@10", "RR(rel=2)@10", "P(rel=2)@5"], None, "R(rel=2)@1"),
        (["RR@10", "P(rel=2)@5"], None, "R@1"),  # they do not agree
        (["nDCG@10"], 2, "R(rel=2)@1"),
        (["nDCG@10", "RR(rel=3)@10"], 2, "R(rel=3)@1"),
        (["nDCG(rel=2)@10"], None, "R@1"),  # there it cuts gains
    ],
)
def test_default_measures_take_the_level_of_the_evaluation(measures: list[str], rel: int | None, definition: str):
    found = rg.by_cutoff(rg.evaluate(QRELS, RUN, measures, rel=rel))

    assert [p.definition for p in found.points if p.k == 1][:2] == ["nDCG@1", definition]


def test_given_measures_say_their_own_level():
    found = rg.by_cutoff(rg.evaluate(QRELS, RUN, "R(rel=2)@10"), ["R", "R(rel=3)"], [10])

    assert [p.definition for p in found.points] == ["R@10", "R(rel=3)@10"]
    assert [p.value for p in found.points] == approx([(2 / 4 + 0 + 0) / 3, 1])


def test_any_spelling_of_a_measure_and_the_measure_itself():
    found = rg.by_cutoff(rg.evaluate(QRELS, RUN), ["recall", rg.parse("RR")], [3, 1, 3])

    assert [(p.measure, p.definition) for p in found.points] == [
        *(("recall", "R@1"), ("recall", "R@3")),
        *(("RR", "RR@1"), ("RR", "RR@3")),
    ]


# errors


def test_stored_evaluations_have_no_ranks():
    stored = rg.Evaluation.from_dict(rg.evaluate(QRELS, RUN).to_dict())

    with pytest.raises(InputError, match="by_cutoff: this evaluation was stored and has no ranks"):
        rg.by_cutoff(stored)


@pytest.mark.parametrize(
    ("measures", "cutoffs", "message"),
    [
        (["nDCG(gain=exponential)@10"], None, r"without a cutoff, got nDCG.*Pass 'nDCG\(gain=exponential\)' and cut"),
        ("Rprec", None, "Rprec has no cutoff"),
        ("relstring", None, "relstring is a text"),
        ([], None, "no measures given"),
        ("nDCG", [], "no cutoffs given"),
        ("nDCG", [5, 0], "`cutoffs` must be positive integers, got 0"),
        ("nDCG", [2.5], "`cutoffs` must be positive integers, got 2.5"),
        ("nDCG", [True], "`cutoffs` must be positive integers, got True"),
    ],
)
def test_what_cannot_be_asked(measures: Any, cutoffs: Any, message: str):
    with pytest.raises(ParameterError, match=message):
        rg.by_cutoff(rg.evaluate(QRELS, RUN), measures, cutoffs)


def test_several_runs_are_not_one():
    with pytest.raises(ParameterError, match="needs the evaluation of one ranking, got RankingEvaluations"):
        rg.by_cutoff(rg.evaluate(QRELS, {"a": RUN, "b": RUN}))


def test_unknown_measure_of_the_record():
    with pytest.raises(UnknownName, match=r"no measure 'ndcg'\. Did you mean nDCG"):
        rg.by_cutoff(rg.evaluate(QRELS, RUN))["ndcg"]


# plain data


def test_frame_csv_and_json_hold_the_points():
    found = rg.by_cutoff(rg.evaluate({"q": ["a"]}, {"q": ["x", "a"]}), ["RR"], [1, 2])  # one query has no interval

    frame, stored = found.to_frame(), json.loads(found.to_json())

    assert frame.columns == ["measure", "definition", "k", "value", "low", "high", "n", "ceiling"]
    assert frame["value"].to_list() == [0, 0.5]
    assert found.to_csv().splitlines()[2] == "RR,RR@2,2,0.5,nan,nan,1,1.0"
    assert stored["points"][1] == {
        **{"measure": "RR", "definition": "RR@2", "k": 2, "value": 0.5},
        **{"low": None, "high": None, "n": 1, "ceiling": 1},
    }
    assert (stored["kind"], stored["longest"], stored["policy"]["ties"]) == ("by_cutoff", 2, "doc_id")


# real data


def test_dl_hard_passage_against_trec_eval(shared: Path):
    golden = trec_golden.dl_hard("bm25")
    printed = {line.name: line.text for line in trec_golden.read_output(shared / golden.output) if line.query == "all"}
    qrels, run = (str(shared / f"{name}.gz") for name in (golden.qrels, golden.run))
    ev = rg.evaluate(qrels, run, "AP", convention="trec_eval-9", missing="zero", rel=2, depth=1000)

    found = rg.by_cutoff(ev, ["ndcg_cut", "recall", "P", "success"], [1, 5, 10, 100, 1000])

    got = {f"{p.measure}_{p.k}": f"{p.value:.4f}" for p in found.points if f"{p.measure}_{p.k}" in printed}
    assert len(got) == 4 + 4 + 4 + 3
    assert got == {name: printed[name] for name in got}
    grades = trec_golden.read_qrels(shared / golden.qrels)
    counts = [sum(g >= 2 for g in judged.values()) for judged in grades.values()]
    for k, p in zip(found.cutoffs, found["recall"], strict=True):
        assert p.ceiling == approx(sum(min(n, k) / n for n in counts if n) / len(counts))
