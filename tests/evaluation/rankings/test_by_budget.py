"""Numbers over the room of a context."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from oracle.naive_budgets import fitting, words
from rankgauge.errors import InputError, ParameterError, RankgaugeError
from rankgauge.evaluation.rankings.by_budget import by_same_budgets

DOCS = {"a": "one two", "b": "three 四五", "x": "many words " * 5}
QRELS = {"q1": {"a": 1, "b": 1}, "q2": {"b": 1}, "q3": {"a": 1}}
RUN = {"q1": ["a", "x", "b"], "q2": ["x", "b"]}


def evaluated(**options):
    return rg.evaluate(QRELS, RUN, "R(budget=20t)", documents=DOCS, **options)


def test_each_point_is_what_evaluate_gives_within_that_budget():
    ev = evaluated()
    found = ev.by_budget(["R", "nDCG@2", "P"], ["20t", "2t", "5t", "5t"])

    assert (found.measures, found.budgets, found.unit) == (["R", "nDCG@2", "P"], ["2t", "5t", "20t"], "t")
    for p in found.points:
        name = str(rg.parse(p.measure).replace(budget=p.budget))
        one = rg.evaluate(QRELS, RUN, name, documents=DOCS)
        assert (p.definition, p.value, p.interval, p.n) == (name, one[name], one.interval(name), one.n(name))


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_recall_and_what_fits_by_hand(data):
    docs = {f"d{i}": "字" * data.draw(st.integers(0, 5)) for i in range(5)}
    ids = st.lists(st.sampled_from(sorted(docs)), unique=True)
    lists = {f"q{i}": data.draw(ids) for i in range(3)}
    qrels = {q: {"d0": 1, "d3": 1} for q in lists}
    limits = sorted(data.draw(st.sets(st.integers(1, 20), min_size=1, max_size=4)))
    ev = rg.evaluate(qrels, lists, "R", documents=docs, ties="input")
    found = ev.by_budget("R", [f"{n}t" for n in limits])

    for limit, p in zip(limits, found["R"], strict=True):
        ends = {q: fitting([words(docs[d]) for d in each], limit) for q, each in lists.items()}
        recalls = [len({"d0", "d3"} & set(lists[q][:n])) / 2 for q, n in ends.items()]
        assert p.value == pytest.approx(sum(recalls) / 3)
        assert p.results == pytest.approx(sum(ends.values()) / 3)
        assert p.empty == sum(n == 0 and len(lists[q]) > 0 for q, n in ends.items())
        costs = [[words(docs[d]) for d in each] for each in lists.values() if each]
        assert p.exhausted == sum(Fraction(sum(c)) + Fraction(sum(c), len(c)) <= limit for c in costs)


def test_lists_that_end_before_the_budget_are_said():
    """Three results of two words: six are filled by 6t and 7t, at 8t a fourth would fit."""
    texts = {f"d{i}": "two words" for i in range(3)}
    lists = {q: list(texts) for q in ("q1", "q2")} | {"q3": []}
    qrels = {q: {"d2": 1} for q in lists}
    names = [f"R(budget={b}t)" for b in (6, 7, 8, 5000)]
    ev = rg.evaluate(qrels, lists, [*names, "R(budget=5000t)@3"], documents=texts, ties="input")

    assert ev.counts["exhausted_by"] == dict(zip(names, (0, 0, 2, 2), strict=True)) | {"R(budget=5000t)@3": 0}
    (said,) = [note for note in ev.notes if "before the budget" in note]
    assert said.startswith(
        "2 of 3 judged queries have lists that end before the budget of R(budget=8t), R(budget=5000t)"
    )
    assert "3 个已标注查询中有 2 个的列表在" in said.zh
    assert [p.exhausted for p in ev.by_budget("R", ["6t", "7t", "8t"])["R"]] == [0, 0, 2]
    assert "room left" in str(ev.by_budget("R", ["6t", "8t"]))
    again = rg.evaluate(qrels, lists, "R(budget=5000t)", documents=texts, ties="input", depth=3)
    assert "exhausted_by" not in again.counts  # lists end where they were told to
    assert said in rg.report(ev)


def test_steps_go_from_the_cheapest_first_result_to_what_holds_every_list():
    assert evaluated().by_budget("R").budgets == ["2t", "5t", "10t", "20t"]  # 2 and 10 words first, 15 in all
    plain = rg.evaluate(QRELS, RUN, "R", documents=DOCS).by_budget()
    assert plain.unit == "c"
    assert plain.budgets[-1] == "100c"  # 7 + 55 + 8
    spans = rg.evaluate(rg.Spans({"q": [("d", 0, 5)]}), {"q": [("d", 0, 30), ("d", 30, 90)]}, "R")
    assert spans.by_budget().measures == ["SpanRecall", "R", "SpanPrecision"]
    assert spans.by_budget().budgets == ["50c", "100c"]


def test_lists_without_any_result_have_budgets_too():
    ev = rg.evaluate({"q": {"a": 1}}, {"q": [], "p": ["a"]}, "R", documents=DOCS)

    assert [(p.budget, p.value, p.empty) for p in ev.by_budget("R")["R"]] == [("1c", 0, 0)]


@pytest.mark.parametrize(
    ("measures", "budgets", "said"),
    [
        ("R(budget=5t)", None, "takes measures that can have a budget, without one"),
        ("Coverage@5", None, "takes measures that can have a budget, without one"),
        ([], None, "no measures given"),
        ("R", [], "must be one or more of one unit"),
        ("R", ["5t", "9c"], "must be one or more of one unit, .* got 5t, 9c"),
        ("R", [5], "each must be a number of tokens such as 2000t"),
    ],
)
def test_what_cannot_be_is_refused(measures, budgets, said):
    with pytest.raises(ParameterError, match=said):
        evaluated().by_budget(measures, budgets)


def test_it_needs_texts_and_lists():
    with pytest.raises(ParameterError, match=r"by_budget\(\) needs the texts of results"):
        rg.evaluate(QRELS, RUN, "R").by_budget()
    with pytest.raises(InputError, match="this evaluation was stored and has no ranks"):
        rg.by_budget(replace(evaluated(), aligned=None))
    with pytest.raises(ParameterError, match="ends where a budget does"):
        rg.evaluate(QRELS, RUN, "R", documents=DOCS, ties="expected").by_budget()


def test_it_is_stored_loaded_and_shown_in_both_languages(tmp_path):
    found = evaluated().by_budget("R", ["2t", "20t"])
    found.to_json(tmp_path / "b.json")
    back = rg.load(tmp_path / "b.json")

    assert back.to_dict() == found.to_dict()
    assert back.to_frame().equals(found.to_frame())
    for language, word in (("en", "results that fit"), ("zh", "放得下的结果数")):
        assert word in back.to_markdown(language=language)
    data = json.loads((tmp_path / "b.json").read_text())
    data["points"][0]["budget"] = "much"
    (tmp_path / "b.json").write_text(json.dumps(data))
    with pytest.raises(RankgaugeError, match="expected one for each measure and budget"):
        rg.load(tmp_path / "b.json")


def test_several_runs_are_held_beside_each_other_within_the_same_budgets():
    spans = rg.Spans({"q": [("d", 0, 5)]})
    evs = rg.evaluate(spans, {"long": {"q": [("d", 0, 900)]}, "short": {"q": [("d", 0, 30), ("d", 30, 90)]}}, "R")
    found = by_same_budgets(dict(evs), "R")

    assert [b.budgets for b in found.values()] == [["50c", "100c", "200c", "500c", "1000c"]] * 2
    assert [p.value for p in found["long"]["R"]] == [0, 0, 0, 0, 1]
    assert [p.value for p in found["short"]["R"]] == [1, 1, 1, 1, 1]
    assert rg.plot(evs, "by_budget", measure="R").svg.count("<circle") == 10


@pytest.mark.parametrize("policy", [{"ties": "expected"}, {"unjudged": "remove"}, {}])
def test_a_page_has_budgets_where_lists_have_one_order(policy):
    page = rg.report(rg.evaluate(QRELS, RUN, "R", documents=DOCS, **policy))

    assert ("How much context is enough?" in page) == (not policy)
