"""What better means is the measure's to say, and who is nearer to an ideal value is a test of its own."""

from __future__ import annotations

import ast
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rankgauge as rg
from rankgauge._claims import claims_of
from rankgauge.comparison.record import Comparison
from rankgauge.errors import InputError
from rankgauge.measures.base import RANKINGS
from rankgauge.measures.classes import CLASSES
from rankgauge.measures.predictions.base import PREDICTIONS
from rankgauge.measures.shown import SHOWN
from rankgauge.reporting import render
from rankgauge.reporting.verdicts import sentences, tone_of, verdict_of_system
from source import every

EVERY = [
    *RANKINGS.measures.values(),
    *PREDICTIONS.measures.values(),
    *CLASSES.measures.values(),
    *SHOWN.measures.values(),
]


def test_nobody_but_the_measures_reads_higher_is_better():
    """Whoever needs to know asks `is_better`, `improvement`, `goodness` or `direction`; `explain` prints it."""
    readers = {
        name
        for name, node in every(ast.Attribute, having="higher_is_better")
        if node.attr == "higher_is_better" and isinstance(node.ctx, ast.Load)
    }

    assert {r for r in readers if not r.startswith("measures")} <= {"reporting/explanation.py"}


@pytest.mark.parametrize("cls", EVERY, ids=lambda cls: cls.__name__)
def test_no_parameter_hides_what_a_measure_says_about_better(cls):
    m = cls(**({"threshold": 0.5} if "threshold" in cls.params else {}))

    assert {"direction", "goodness", "improvement", "is_better"}.isdisjoint(cls.params)
    expected = 0 if getattr(cls, "ideal", None) == 1.0 else 1 if cls.higher_is_better else -1
    assert m.direction == expected
    assert not m.is_better(0.5, 0.5)
    assert not m.is_better(float("nan"), 0.5)
    assert m.is_better(0.5, 0.25) == (m.improvement(0.5, 0.25) > 0)


@given(st.floats(0.01, 100), st.floats(0.01, 100))
def test_half_is_as_far_from_the_ideal_as_twice(a, b):
    m = rg.parse("COPC")
    far_a, far_b = max(a, 1 / a), max(b, 1 / b)

    if abs(far_a - far_b) > 1e-9:
        assert m.is_better(a, b) == (far_a < far_b)
    assert m.improvement(a, b) == pytest.approx(abs(log(b)) - abs(log(a)), abs=1e-9)
    assert m.goodness(np.array([a, b])).tolist() == [m.goodness(a), m.goodness(b)]
    assert m.is_better(a, 0.0)


def models(n: int, **times: float) -> Comparison:
    """Models that predict the true rate so many times."""
    rng = np.random.default_rng(5)
    p = rng.uniform(0.05, 0.3, n)
    rows = {"label": (rng.random(n) < p).astype(int), **{name: p * k for name, k in times.items()}}
    evs = rg.evaluate_predictions(rows, ["COPC"], label="label", scores=list(times))
    return rg.compare(dict(evs))


def test_twice_the_ideal_is_not_better_than_the_ideal():
    cmp = models(4000, right=1.0, low=0.5)

    c = cmp["COPC", "low"]
    assert (round(c.mean_baseline), round(c.mean), c.verdict, c.direction) == (1, 2, "worse", 0)
    assert c.gain == pytest.approx(abs(log(c.mean_baseline)) - abs(log(c.mean)))
    assert "low is worse than right" in str(cmp)
    assert "COPC: the nearer to 1, as a ratio, the better; p says whether one is nearer than the other" in cmp.notes


def test_the_other_way_round_it_is_better():
    assert models(4000, low=0.5, right=1.0).verdict("COPC", "right") == "better"
    assert models(4000, high=2.0, right=1.0).verdict("COPC", "right") == "better"


def test_twice_and_half_differ_for_sure_but_nobody_is_nearer():
    c = models(4000, half=2.0, twice=0.5)["COPC"]

    assert c.interval.low > 0
    assert (c.verdict, c.more, np.isnan(c.detectable)) == ("inconclusive", None, True)
    assert c.p_value > 0.05


def test_what_p_is_about_is_said_wherever_it_stands_beside_the_difference():
    cmp = models(4000, half=2.0, twice=0.5)

    assert ", which is nearer to 1: p 0." in str(cmp)
    assert "，哪一个更接近 1：p 0." in render(cmp, "text", language="zh")
    told = "COPC: the nearer to 1, as a ratio, the better; p says whether one is nearer than the other"
    evs = rg.evaluate_predictions(
        {"label": [1, 0, 1, 0, 0, 0], "a": [0.9, 0.2, 0.5, 0.5, 0.1, 0.3], "b": [0.4, 0.2, 0.5, 0.1, 0.1, 0.2]},
        ["COPC", "AUC"],
        label="label",
        scores=["a", "b"],
    )
    assert told in str(evs)
    assert "COPC：按比值越接近 1 越好；p 检验的是哪一个更接近" in render(evs, "text", language="zh")


def test_p_is_the_larger_of_that_of_being_equal_and_that_of_being_mirrored():
    rng = np.random.default_rng(6)
    p = rng.uniform(0.05, 0.3, 500)
    y = (rng.random(500) < p).astype(float)
    a, b = p * rng.uniform(0.5, 1.5, 500), p * rng.uniform(0.8, 1.0, 500)
    evs = rg.evaluate_predictions({"label": y, "a": a, "b": b}, ["COPC"], label="label", scores=["a", "b"])

    (u, v), n = (y.sum() / a.sum(), y.sum() / b.sum()), 500
    moved_u, moved_v = (y - u * a) / a.sum(), (y - v * b) / b.sum()  # the influence of each row on a ratio

    def p_of(value: float, influence: np.ndarray) -> float:
        error = np.sqrt((influence**2).sum() * n / (n - 1))
        return float(2 * stats.t.sf(abs(value / error), n - 1))

    expected = max(p_of(v - u, moved_v - moved_u), p_of(log(u) + log(v), moved_u / u + moved_v / v))
    assert rg.compare(dict(evs))["COPC"].p_value == pytest.approx(expected, rel=1e-6)
    assert evs.difference("COPC", "b", "a").p_better == pytest.approx(expected, rel=1e-6)


@pytest.mark.slow
def test_models_that_are_equally_far_from_the_ideal_are_seldom_told_apart():
    """Twice and half the true rate; both 1.02 and 1.01 times of it would be, were only their difference tested."""
    rng = np.random.default_rng(7)
    found = {"mirrored": 0, "both near": 0}
    for _ in range(300):
        p = rng.uniform(0.05, 0.3, 300)
        y = (rng.random(300) < p).astype(int)
        for case, (a, b) in {"mirrored": (1.5, 1 / 1.5), "both near": (1.0, 1.01)}.items():
            rows = {"label": y, "a": p * a, "b": p * b}
            evs = rg.evaluate_predictions(rows, ["COPC"], label="label", scores=["a", "b"])
            found[case] += evs.difference("COPC", "b", "a").is_better is not None

    assert max(found.values()) <= 0.08 * 300


# nothing changed

QRELS = {f"q{i}": {"d": 1} for i in range(8)}
RUN = {q: ["x", "d"] if i % 2 else ["d"] for i, q in enumerate(QRELS)}


def test_identical_systems_no_query_changed():
    cmp = rg.compare(QRELS, {"old": RUN, "new": RUN}, "RR")

    c = cmp["RR"]
    assert (c.unchanged, c.verdict, c.word, c.ties, c.gain) == (True, "inconclusive", "unchanged", 8, 0.0)
    said = "No query changed: new and old have the same RR in each of 8 queries (0.7500 for both)."
    assert str(cmp).startswith(said)
    assert "differences from" not in str(cmp)
    assert "who wins" not in str(cmp)
    assert rg.sentences(cmp) == ["RR stays 0.750: none of 8 queries changed."]
    assert rg.sentences(cmp, "zh") == ["RR 保持 0.750：全部 8 个查询都没有变化。"]


def test_identical_systems_are_equivalent_within_any_margin():
    c = rg.compare(QRELS, {"old": RUN, "new": RUN}, "RR", margin=0.01)["RR"]

    assert (c.unchanged, c.verdict, c.word) == (True, "equivalent", "equivalent")


def test_one_query_that_did_not_change():
    cmp = rg.compare({"q": {"d": 1}}, {"old": {"q": ["d"]}, "new": {"q": ["d"]}}, "RR")

    assert cmp["RR"].unchanged
    assert "nan" not in str(cmp).lower()


def test_gains_that_cancel_are_changes():
    turned = {q: ["d"] if i % 2 else ["x", "d"] for i, q in enumerate(QRELS)}
    c = rg.compare(QRELS, {"old": RUN, "new": turned}, "RR")["RR"]

    assert (c.difference, c.unchanged, c.verdict) == (0.0, False, "inconclusive")


def test_identical_models_nothing_changed():
    cmp = models(200, a=1.0, b=1.0)

    assert cmp["COPC"].unchanged
    assert str(cmp).startswith("Nothing changed: b and a have the same COPC in each of 200 units")


def test_what_earlier_versions_stored_is_read_with_its_facts(tmp_path):
    cmp = rg.compare(QRELS, {"old": RUN, "new": RUN}, "RR")
    data = cmp.to_dict()
    for row in data["contrasts"]:
        for name in ("gain", "direction", "unchanged"):
            del row[name]
    del data["depths"]

    again = Comparison.from_dict(data)["RR"]
    assert (again.gain, again.direction, again.unchanged) == (0.0, 1, True)


# nothing to pair

HALVES = [{q: items for q, items in RUN.items() if (int(q[1:]) < 4) == first} for first in (True, False)]


@pytest.mark.parametrize("missing", ["zero", "skip"])
def test_disjoint_queries_are_refused_with_another_call(missing):
    with pytest.raises(InputError) as e:
        rg.compare(QRELS, {"old": HALVES[0], "new": HALVES[1]}, "RR", missing=missing)

    assert "no query has results in both: 4 only in 'old' (q0, q1, q2…), 4 only in 'new' (q4, q5, q6…)" in str(e.value)
    call = "rg.experiments.compare_ratios(rg.experiments.ratio(values_a), rg.experiments.ratio(values_b))"
    assert call in str(e.value)


def test_the_other_call_works():
    values = [rg.evaluate(QRELS, half, "RR", missing="skip").per_query["RR"].drop_nulls() for half in HALVES]

    change = rg.experiments.compare_ratios(*(rg.experiments.ratio(v) for v in values))

    assert (change.control, change.treatment, change.p_value) == (0.75, 0.75, 1.0)


def test_stored_evaluations_that_count_no_query_in_common_are_refused():
    a, b = (rg.Evaluation.from_dict(rg.evaluate(QRELS, h, "RR", missing="skip").to_dict()) for h in HALVES)

    with pytest.raises(InputError, match="no query counts in RR of both: 4 only in 'a'"):
        rg.compare({"a": a, "b": b})


def test_a_system_that_answers_nothing_is_worse_and_not_refused():
    assert rg.compare(QRELS, {"old": RUN, "down": {"q99": ["d"]}}, "RR").verdict("RR") == "worse"


def test_a_measure_without_any_value_is_said_to_have_none():
    cmp = rg.compare({"q": {"d": 0}, "r": {"d": 0}}, {"a": {"q": ["d"]}, "b": {"q": ["x"]}}, "RR")

    assert "b and a cannot be compared: RR has no value here." in str(cmp)
    assert "nan" not in str(cmp).lower()


def test_sentences_say_what_has_to_be_known_of_the_lists():
    other = {q: lists for q, lists in RUN.items() if q != "q0"} | {"x": ["d"], "q1": ["x", "x", "d"], "q2": []}

    said = rg.sentences(rg.compare(QRELS, {"old": RUN, "new": other}, "RR"))

    assert [text for text in said if text.startswith("new: ")] == [
        "new: 1 of 8 judged queries is not in the run (counted as empty lists; missing=zero).",
        "new: 1 list of the run is empty.",
        "new: 1 repeated result in 1 query removed: later results moved up (duplicates=first; keep leaves them in "
        "their places).",
        "new: 1 query of the run without judgements, ignored.",
    ]
    assert all(claims_of(text) for text in said)


def test_a_query_without_weight_may_change_and_the_sentence_knows():
    qrels = {f"q{i}": {"a": 1, "b": 0} for i in range(6)}
    a = {f"q{i}": ["b", "a"] if i % 2 == 0 else ["a", "b"] for i in range(6)}
    cmp = rg.compare(qrels, {"A": a, "B": {**a, "q0": ["a", "b"]}}, ["RR"], weights={f"q{i}": i for i in range(6)})

    assert "No query that has weight changed: B and A have the same RR (0.8000 for both)." in str(cmp)
    assert "No query changed" not in str(cmp)
    assert rg.sentences(cmp, "zh")[0] == "RR 保持 0.800：有权重的查询都没有变化。"


@pytest.mark.parametrize("weights", [{"q": 1}, {"q": 1, "r": 0}])
def test_identical_systems_with_all_weight_in_one_query_are_unchanged(weights: dict[str, int]):
    qrels, top, longer = (dict.fromkeys(weights, found) for found in ({"a": 1}, ["a"], ["a", "x"]))

    cmp = rg.compare(qrels, {"A": top, "B": longer}, "RR", weights=weights)

    assert cmp["RR"].unchanged
    assert ("No query that has weight changed" if "r" in weights else "No query changed") in str(cmp)


def test_a_first_measure_that_did_not_change_hides_no_clear_one():
    qrels = {f"q{i}": ["a"] for i in range(8)}
    late, early = {q: ["x", "a"] for q in qrels}, {q: ["a", "x"] for q in qrels}

    cmp = rg.compare(qrels, {"late": late, "early": early}, ["Hit@2", "RR@2"])
    said, tone = verdict_of_system(cmp, "early"), tone_of(cmp, "early")

    assert said.en.startswith("early is better than late: RR@2 0.5000 → 1.0000")
    assert said.en.endswith(" Hit@2 is unchanged (1.0000).")
    assert said.zh.startswith("early 优于 late：RR@2 0.5000 → 1.0000")
    assert said.zh.endswith("Hit@2 没有变化（1.0000）。")
    assert tone == "good"


def test_an_open_first_measure_is_said_after_the_clear_one():
    qrels = {f"q{i}": ["a"] for i in range(12)}
    late = {q: ["x", "y", "a"] for q in qrels}
    early = {q: ["a", "x"] if q != "q0" else ["x", "y"] for q in qrels}

    cmp = rg.compare(qrels, {"late": late, "early": early}, ["R@3", "RR@3"])
    said = verdict_of_system(cmp, "early")

    assert said.en.startswith("early is better than late: RR@3 0.3333 → 0.9167")
    assert "In R@3 it is not clear (-0.0833; " in said.en
    assert "R@3 尚无法判定（-0.0833；" in said.zh
    assert tone_of(cmp, "early") == "open"


def test_a_worse_measure_is_told_beside_a_better_one_whichever_comes_first():
    qrels = {f"q{i}": ["a", "b"] for i in range(12)}
    old, new = {q: ["x", "a", "b"] for q in qrels}, {q: ["a", "x", "y"] for q in qrels}

    cmp = rg.compare(qrels, {"old": old, "new": new}, ["Hit@3", "RR@3", "R@3"])
    said = verdict_of_system(cmp, "new")

    assert said.en.startswith("new is better than old: RR@3")
    assert "It is worse in R@3 (-0.5000). Hit@3 is unchanged (1.0000)." in said.en
    assert tone_of(cmp, "new") == "mixed"


def test_a_hit_rate_speaks_of_queries_and_not_of_items():
    qrels = {f"q{i}": ["a", "b"] for i in range(12)}
    old = {q: ["a", "b"] if q == "q0" else ["x", "y"] for q in qrels}
    new = {q: ["x", "a"] for q in qrels}

    up = sentences(rg.compare(qrels, {"old": old, "new": new}, "Hit@2"))
    down = sentences(rg.compare(qrels, {"new": new, "old": old}, "Hit@2"))
    chinese = sentences(rg.compare(qrels, {"old": old, "new": new}, "Hit@2"), "zh")

    assert up[0].endswith("queries have a hit more often.")
    assert down[0].endswith("queries have a hit less often.")
    assert chinese[0].endswith("命中的查询占比更高。")


def test_a_tiny_difference_is_not_a_matter_of_a_few_more_queries():
    qrels = {f"q{i}": ["a"] for i in range(40)}
    old = {q: ["a", "x"] if i % 2 else ["x", "a"] for i, q in enumerate(qrels)}
    new = {q: ["x", "a"] if i % 2 and i != 1 else ["a", "x"] for i, q in enumerate(qrels)}

    cmp = rg.compare(qrels, {"old": old, "new": new}, "RR")

    assert cmp["RR"].more > 10 * cmp["RR"].n
    assert "more than ten times as many" in sentences(cmp)[0]
    assert "十倍以上" in sentences(cmp, "zh")[0]
    assert f"{cmp['RR'].more:,}" not in str(cmp)
