"""Answers beside what was retrieved for them: cells, lift, levels, who is at fault, and what is left out."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from math import isnan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgauge as rg
from chinese_errors import Files, says_in_both
from command_line import rankgauge
from rankgauge.errors import InputError, UnknownName
from rankgauge.statistics.shares import clopper_pearson, difference_of_shares

QRELS = {f"q{i}": ["a", "b"] for i in range(8)}
RUN = {
    **{f"q{i}": ["a", "x", "b"] for i in range(3)},  # both
    **{f"q{i}": ["x", "b"] for i in range(3, 5)},  # one, at rank 2
    **{f"q{i}": ["x", "y"] for i in range(5, 8)},  # none
}
RIGHT = {"q0": True, "q1": True, "q2": False, "q3": True, "q4": False, "q5": False, "q6": False, "q7": True}


def evaluated(**options: Any) -> rg.RankingEvaluation:
    return rg.evaluate(QRELS, RUN, "nDCG@10", **options)


def test_the_four_cells():
    found = rg.answers(evaluated(), RIGHT)

    assert dict(zip(found.query_ids, found.cells, strict=True)) == {
        "q0": "fine",
        "q1": "fine",
        "q2": "generation",
        "q3": "fine",
        "q4": "generation",
        "q5": "retrieval",
        "q6": "retrieval",
        "q7": "lucky",
    }
    assert {cell: found[cell].n for cell in ("fine", "lucky", "generation", "retrieval")} == {
        "fine": 3,
        "lucky": 1,
        "generation": 2,
        "retrieval": 2,
    }
    assert found["fine"].value == 3 / 8
    assert found["fine"].interval == clopper_pearson(3, 8)
    assert (found.accuracy.value, found.retrieved.value) == (4 / 8, 5 / 8)
    assert (found.if_retrieved.value, found.if_not.value) == (3 / 5, 1 / 3)
    assert found.lift == pytest.approx(3 / 5 - 1 / 3)
    assert found.lift_interval == difference_of_shares(3, 5, 1, 3)
    assert found.examples("retrieval") == ["q5", "q6"]
    assert found.examples("fine", 2) == ["q0", "q1"]


def test_levels_are_those_of_recall():
    found = evaluated().answers(RIGHT)

    assert found.recall_measure == "R"
    assert [(x.level, x.right.n, x.right.of) for x in found.levels] == [
        ("none", 1, 3),
        ("half or more", 1, 2),
        ("all", 2, 3),
    ]


def test_only_so_many_results_were_given():
    found = evaluated().answers(RIGHT, k=1)

    assert found.measure == "Hit@1"
    assert found.recall_measure == "R@1"
    assert found.retrieved.n == 3
    assert [x.level for x in found.levels] == ["none", "half or more"]


def test_all_of_the_gold_can_be_asked_for():
    found = evaluated().answers(RIGHT, "R@3", at_least=1)

    assert found.retrieved.n == 3
    assert (found.at_least, found.measure) == (1, "R@3")
    assert found["lucky"].n == 2


def test_recall_is_that_of_the_same_budget():
    texts = {"a": "one two three", "x": "one two three four five six", "b": "one two"}
    ev = rg.evaluate({"q1": ["a", "b"]}, {"q1": ["a", "x", "b"]}, ["R(budget=8t)"], documents=texts)

    found = ev.answers({"q1": True}, "Hit(budget=8t)")

    assert (found.measure, found.recall_measure, found.recalls) == ("Hit(budget=8t)", "R(budget=8t)", [0.5])


def test_lower_grades_are_no_gold_where_a_level_is_said():
    qrels = {"q1": {"a": 1, "b": 2}, "q2": {"a": 1}}
    ev = rg.evaluate(qrels, {"q1": ["a"], "q2": ["a"]}, "nDCG@10", rel=2)

    found = ev.answers({"q1": True, "q2": True})

    assert (found.query_ids, found.cells) == (["q1"], ("lucky",))


@pytest.mark.parametrize(
    ("without", "with_gold", "fault"),
    [
        (0, 0, "none"),
        (1, 0, "unclear"),
        (5, 0, "unclear"),
        (6, 0, "retrieval"),
        (0, 6, "generation"),
        (30, 28, "unclear"),
    ],
)
def test_who_is_at_fault_is_said_only_where_it_is_sure(without: int, with_gold: int, fault: str):
    """0.025^(1/6) is above one half, 0.025^(1/5) is not."""
    run = {f"n{i}": ["x"] for i in range(without)} | {f"w{i}": ["a"] for i in range(with_gold)} | {"fine": ["a"]}
    found = rg.evaluate({q: ["a"] for q in run}, run, "RR").answers({q: q == "fine" for q in run})

    assert found.fault == fault
    text = str(found)
    assert ("improve retrieval first" in text) == (fault == "retrieval")
    assert ("improve generation first" in text) == (fault == "generation")
    assert ("cannot be told" in text) == (fault == "unclear")
    assert ("No answer is wrong" in text) == (fault == "none")


def spoken(found: rg.Answers) -> str:
    """Everything that is said, in text, charts and on the page."""
    charts = [rg.plot(found, kind).svg for kind in ("answers", "answers_by_recall")]
    return "\n".join([str(found), *charts])


def test_what_had_part_of_its_gold_is_not_said_to_have_none():
    found = rg.answers(evaluated(), RIGHT, retrieved="R@3", at_least=1)
    text = spoken(found)

    assert found.asks_for == "all"
    assert "all of the gold was retrieved for 37.5%" in text
    assert "Of 4 wrong answers 75.0% had not all of their gold retrieved" in text
    assert "Of 3 wrong answers without all of their gold 1 had part of their gold retrieved, and not all" in text
    for false in ("no gold", "without gold", "gold not retrieved", "; gold was", "Where gold", "lucky)"):
        assert false not in text


def test_another_condition_is_said_as_it_is():
    found = rg.answers(evaluated(), RIGHT, retrieved="nDCG@3", at_least=0.5)
    text = spoken(found)

    assert found.asks_for == "measure"
    assert "nDCG@3 at least 0.5 holds for 37.5%" in text
    assert "75.0% had nDCG@3 below 0.5" in text
    assert "wrong with nDCG@3 below 0.5 (retrieval at fault)" in text
    for false in ("no gold", "without gold", "gold not retrieved", "gold was retrieved"):
        assert false not in text


def test_wrong_despite_part_of_the_gold_is_counted():
    text = str(rg.answers(evaluated(), RIGHT))

    assert "Of 2 wrong answers with gold 1 had part of their gold retrieved, and not all of it." in text
    single = rg.evaluate({"q": ["a"], "r": ["a"]}, {"q": ["a"], "r": ["x"]}, "RR").answers({"q": False, "r": True})
    assert "part of" not in str(single)


def test_without_gold_or_answer_a_query_is_left_out_and_counted():
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 0}, "q4": {"a": 1}}
    ev = rg.evaluate(qrels, {q: ["a"] for q in qrels}, "RR", no_relevant="zero")

    found = ev.answers({"q1": True, "q3": True, "q4": None, "q9": False})

    assert found.query_ids == ["q1"]
    assert [str(n) for n in found.notes][:4] == [
        "1 query without an answer left out",
        "1 query whose answer nobody judged left out",
        "1 query with an answer and without gold left out",
        "1 query with an answer that the evaluation does not have left out",
    ]


def test_a_query_without_results_has_no_gold_retrieved():
    found = rg.evaluate({"q1": ["a"], "q2": ["a"]}, {"q1": ["a"]}, "RR").answers({"q1": True, "q2": False})

    assert found.cells == ("fine", "retrieval")


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("there", [True, False])
def test_one_query_says_little(right: bool, there: bool):
    found = rg.evaluate({"q": ["a"]}, {"q": ["a" if there else "x"]}, "RR").answers({"q": right})

    assert isnan(found.lift)
    assert all(map(isnan, found.lift_interval))
    assert found.fault == ("none" if right else "unclear")
    for language in ("en", "zh"):
        assert "nan" not in found.to_markdown(language=language)
    assert "cannot be seen" in str(found)


def naive(qrels: Any, run: Any, right: Any, k: int) -> dict[str, int]:
    out = dict.fromkeys(("fine", "lucky", "generation", "retrieval"), 0)
    for q, gold in qrels.items():
        if gold and right.get(q) is not None:
            there = any(d in gold for d in run.get(q, [])[:k])
            out[("fine" if there else "lucky") if right[q] else ("generation" if there else "retrieval")] += 1
    return out


@given(st.randoms(use_true_random=False))
def test_cells_are_those_of_the_naive_definition(rng: random.Random):
    queries = [f"q{i}" for i in range(rng.randint(1, 12))]
    qrels = {q: rng.sample("abcdef", rng.randint(1, 3)) for q in queries}
    run = {q: rng.sample("abcdefgh", rng.randint(1, 6)) for q in queries if rng.random() < 0.9} or {"q0": ["a"]}
    right = {q: rng.choice([True, False, None]) for q in queries if rng.random() < 0.9} | {"q0": True}
    k = rng.randint(1, 6)

    found = rg.evaluate(qrels, run, "RR").answers(right, k=k)

    assert {cell: found[cell].n for cell in ("fine", "lucky", "generation", "retrieval")} == naive(qrels, run, right, k)
    assert sum(found[cell].value for cell in ("fine", "lucky", "generation", "retrieval")) == pytest.approx(1)


def test_spans_are_gold_as_well():
    spans = rg.Spans({"q1": [("d", 0, 10)], "q2": [("d", 20, 30)]})
    chunks = {"q1": [("d", 0, 12)], "q2": [("d", 0, 25)]}

    found = rg.evaluate(spans, chunks, "Hit@5").answers({"q1": True, "q2": False})

    assert found.cells == ("fine", "retrieval")


def test_it_is_stored_and_comes_back(tmp_path: Path):
    rows = [{"id": q, "question": f"{q}?", "answer": "…", "correct": ok} for q, ok in RIGHT.items()]
    found = evaluated().answers(rows)
    path = tmp_path / "answers.json"

    text = found.to_json(path)
    back = rg.load(path)

    assert isinstance(back, rg.Answers)
    assert (str(back), back.to_json()) == (str(found), text)
    told = json.loads(text)
    assert told["cells"][3]["n"] == 2
    assert told["fault"] == "unclear"
    assert back.questions["q5"] == "q5?"


def test_a_stored_evaluation_has_the_measure_or_says_so(tmp_path: Path):
    ev = rg.Evaluation.from_dict(rg.evaluate(QRELS, RUN, ["Hit@2", "R@2"]).to_dict())

    found = ev.answers(RIGHT, k=2)

    assert [found[cell].n for cell in ("fine", "lucky", "generation", "retrieval")] == [3, 1, 2, 2]
    assert [x.level for x in found.levels] == ["none", "half or more"]
    with pytest.raises(UnknownName, match="Hit was not evaluated"):
        ev.answers(RIGHT)


@pytest.mark.parametrize(
    ("call", "en", "zh"),
    [
        (
            lambda: rg.answers(rg.evaluate(QRELS, {"one": RUN, "two": RUN}, "RR"), RIGHT),  # type: ignore[arg-type]
            "answers() needs the evaluation of one ranking, got RankingEvaluations.",
            "answers() 需要单个排序的评测，实际为 RankingEvaluations。",
        ),
        (
            lambda: evaluated().answers({"other": True}),
            "answers: none of the 8 queries with gold has an answer that was judged. Queries are such as 'q0', answers "
            "are to 'other'.",
            "答案：8 个有相关条目的查询都没有判断过的答案。查询形如 'q0'，答案针对 'other'。",
        ),
        (
            lambda: evaluated().answers({"q1": None}),
            "answers: none was judged; all values are empty.",
            "答案：没有一个被判断过，取值全部为空。",
        ),
        (
            lambda: evaluated().answers(RIGHT, "R@5", k=3),
            "answers: k is for Hit@k, and R@5 says itself how deep it looks. Leave one of them out.",
            "answers：k 用于 Hit@k，而 R@5 自己说明了截断位置。请去掉其中之一。",
        ),
        (
            lambda: evaluated().answers(RIGHT, "NumRel"),
            "answers: NumRel has no number of each query that says how much was retrieved. Name a measure such as "
            "Hit@10 or R@10.",
            "answers：NumRel 没有能说明每个查询检索到多少的数值。请给出 Hit@10 或 R@10 这样的指标。",
        ),
        (
            lambda: evaluated().answers(RIGHT, k=0),
            "answers: `k` must be a positive integer or None, got 0.",
            "answers：`k` 必须是正整数或 None，实际为 0。",
        ),
    ],
)
def test_what_cannot_be_told_is_said(call: Any, en: str, zh: str, tmp_path: Path):
    says_in_both(lambda at: call(), Files(tmp_path), en, zh)


def test_a_damaged_record_is_refused():
    data = evaluated().answers(RIGHT).to_dict()

    with pytest.raises(InputError, match="one for each query"):
        rg.Answers.from_dict({**data, "correct": [True]})
    with pytest.raises(UnknownName, match="Did you mean lucky"):
        evaluated().answers(RIGHT)["luck"]


def test_the_page_has_a_screen_with_both_charts():
    ev = evaluated()

    page = rg.report([ev, ev.answers(RIGHT)])

    assert '<section id="answers">' in page
    assert "Right answers by recall" in page
    assert '<section id="answers">' not in rg.report(ev)


def test_the_command_says_the_same(tmp_path: Path):
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 {d} 1\n" for q, row in QRELS.items() for d in row))
    (tmp_path / "context.run").write_text(
        "".join(f"{q} Q0 {d} {i} {9 - i} t\n" for q, row in RUN.items() for i, d in enumerate(row))
    )
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps({"id": q, "ok": v}) + "\n" for q, v in RIGHT.items()))
    words = ("answers", "qrels.txt", "context.run", "--answers", "answers.jsonl", "--columns", "ok=correct")

    told = rankgauge(*words, "-k", "2", "--queries", "cells.csv", cwd=tmp_path)

    found = evaluated().answers(RIGHT, k=2)
    assert told.stdout.splitlines()[0] == str(replace(found, run="context", qrels="qrels")).splitlines()[0]
    assert (tmp_path / "cells.csv").read_text().splitlines()[1] == "q0,true,1.0,0.5,fine"
    stored = json.loads(rankgauge(*words, "--json", cwd=tmp_path).stdout)
    assert stored["kind"] == "answers"
    several = ("qrels.txt", "a=context.run", "b=context.run", "--answers", "answers.jsonl")
    assert "answers are made from one run, got 2" in rankgauge("answers", *several, cwd=tmp_path, code=2).stderr


def test_what_the_evaluation_says_of_its_input_goes_with_it():
    qrels = {f"q{i}": {"a": 1, "b": 0, "c": 0, "d": 0} for i in range(40)}
    turned = {q: {"b": 4.0, "c": 3.0, "d": 2.0, "a": 1.0} for q in [*qrels][1:]}
    ev = rg.evaluate(qrels, {"turned": turned}, "RR")["turned"]

    found = ev.answers(RIGHT)

    assert [s.code for s in found.suspicions] == [s.code for s in ev.suspicions] != []
    assert str(found).startswith("Do not trust the numbers of turned")
    assert "1 of 40 judged queries is not in the run (counted as empty lists; missing=zero)" in found.notes
    assert str(rg.Answers.from_dict(found.to_dict())) == str(found)


def nearly_whole() -> tuple[rg.Spans, dict[str, list[tuple[str, int, int]]]]:
    """100 characters are needed: all of them are retrieved, 97, 90, 45, and none."""
    held = [100, 97, 90, 45, 0]
    spans = rg.Spans({f"q{i}": [(f"d{i}", 0, 100)] for i in range(5)})
    return spans, {f"q{i}": [(f"d{i}", 0, n) if n else ("x", 0, 9)] for i, n in enumerate(held)}


def test_gold_of_which_a_little_is_missing_is_said_and_the_limit_can_be_moved():
    spans, chunks = nearly_whole()
    right = {"q0": True, "q1": False, "q2": False, "q3": False, "q4": False}
    ev = rg.evaluate(spans, chunks, ["R@5", "SpanRecall@5"])

    whole, most = ev.answers(right), ev.answers(right, at_least=0.95)

    assert list(whole.cells) == ["fine", *["retrieval"] * 4]
    assert (whole.measure, whole.recall_measure, whole.nearly) == ("Hit", "SpanRecall", 2)
    assert list(whole.recalls) == pytest.approx([1, 0.97, 0.9, 0.45, 0])
    assert whole.partly("retrieval") == 3
    assert (most.measure, most.at_least, most.nearly) == ("SpanRecall", 0.95, 1)
    assert (most["generation"].n, most["retrieval"].n) == (1, 3)
    for said in (
        "a whole passage of gold was retrieved for 20",
        "Of 4 answers without what counts as retrieved 2 have",
    ):
        assert said in str(whole)
    assert "(SpanRecall 0.9 or more): the limit decides about them, and `at_least` moves it" in str(whole)
    assert "Of 3 answers without what counts as retrieved 1 has" in str(most)
    assert "SpanRecall at least 0.95" in str(most)


def test_nothing_is_nearly_whole_of_gold_by_ids():
    found = rg.evaluate(QRELS, RUN, "R@5").answers(RIGHT)

    assert found.nearly == 0
    assert "limit decides" not in str(found)
    assert found.recall_measure == "R"


def test_stored_spans_know_what_they_have(tmp_path: Path):
    spans, chunks = nearly_whole()
    rg.evaluate(spans, chunks, ["Hit", "SpanRecall"]).to_json(tmp_path / "ev.json")
    right = {f"q{i}": i == 0 for i in range(5)}

    found = rg.load(tmp_path / "ev.json").answers(right, at_least=0.9)

    assert (found.measure, found["generation"].n, found.nearly) == ("SpanRecall", 2, 0)
    assert rg.load(tmp_path / "ev.json").answers(right).nearly == 2


def test_answers_of_a_lower_reach_are_not_called_whole():
    spans, chunks = nearly_whole()
    ev = rg.evaluate(rg.Spans(spans.to_frame(), reach=0.9), chunks, ["R@5"])

    found = ev.answers({f"q{i}": i == 0 for i in range(5)})

    assert (found.reach, found.asks_for, found["generation"].n) == (0.9, "measure", 2)
    assert "whole passage" not in str(found)


def test_results_that_nobody_judged_are_said():
    gold = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1}, "q3": {"d1": 1}}
    lists = {"q1": ["d2", "d1"], "q2": ["d7", "d1"], "q3": ["d1", "d9"]}
    correct = dict.fromkeys(gold, True)
    said = "show results that nobody judged, which count as not relevant"

    assert f"2 of 3 queries {said}" in rg.evaluate(gold, lists, "R@2").answers(correct).notes
    assert f"1 of 3 queries {said}" in rg.evaluate(gold, lists, "R@2").answers(correct, k=1).notes
    assert not any(said in note for note in rg.evaluate(gold, lists, "R@2").answers({"q1": True}).notes)
    condensed = rg.evaluate(gold, lists, "R@2", unjudged="remove")
    assert not any(said in note for note in condensed.answers(correct).notes)
    spans = rg.evaluate(rg.Spans({"q": [("d", 0, 9)]}), {"q": [("e", 0, 9)]}, "R@2")
    assert not any(said in note for note in spans.answers({"q": True}).notes)
