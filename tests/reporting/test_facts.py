"""The first screen: one ordered set of facts decides headline, cards, doubts and actions."""

from __future__ import annotations

from math import isnan
from typing import Any

import pytest

import rankgauge as rg
from rankgauge._claims import Claim, claims_of
from rankgauge.gate.checks import at_least, not_worse
from rankgauge.gate.result import GateResult
from rankgauge.reporting import render, sections
from rankgauge.reporting.page.gathering import gather
from rankgauge.reporting.page.screens.verdict import screen
from rankgauge.reporting.page.series import is_series

QUERIES = [f"q{i:02}" for i in range(40)]
QRELS = {q: {"a": 1, "b": 1} for q in QUERIES}


def first_screen(record: Any, **options: Any) -> dict[str, Any]:
    found = screen(gather(record, language="en", title=None, **options))
    assert found is not None
    return found


def words(shown: dict[str, Any]) -> str:
    """Everything on the screen."""
    lines = [shown["head"].text, *(x.text for x in shown["lines"]), *(x.text for x in shown["facts"])]
    return "\n".join([*lines, *(f"{a.title}: {a.do}" for a in shown["next"])])


def ranks(places: dict[str, int], qrels: dict[str, Any] = QRELS) -> dict[str, list[str]]:
    """`a` at a place of each list, among nine others."""
    return {
        q: [*(f"x{i}" for i in range(places[q] - 1)), "a", *(f"y{i}" for i in range(10 - places[q]))] for q in qrels
    }


# levels and minima


def test_a_missed_minimum_for_production_is_in_the_headline():
    """Right at rank 1 or 3, but half of what is relevant is never found: good by its band, too little for a release."""
    run = ranks({q: 1 + 2 * (i % 2) for i, q in enumerate(QUERIES)})

    shown = first_screen(rg.evaluate(QRELS, run, ["RR", "R@5"]), scenario="faq")

    assert shown["head"].text.startswith("run has RR 0.6667 (between 0.5587 and 0.7746) over 40 queries. That is good.")
    assert "Below the minimum for production: R@5 0.500 (0.500 … 0.500) < 0.7" in shown["head"].text
    assert (shown["head"].tone, shown["next"][0].title) == ("bad", "Below the minimum for production")


def test_a_system_without_benchmarks_has_its_level_only():
    shown = first_screen(rg.evaluate(QRELS, ranks(dict.fromkeys(QUERIES, 2)), ["RR"]))

    assert shown["head"].text == "run has RR 0.5000 (between 0.5000 and 0.5000) over 40 queries. That is fair."


def test_what_is_not_judged_casts_no_doubt_where_only_right_answers_are_judged():
    run = ranks(dict.fromkeys(QUERIES, 2))
    wrong = {q: {"a": 1, "x0": 0, "y0": 0} for q in QUERIES}

    right, both = (words(first_screen(rg.evaluate(x, run, ["RR@10"]))) for x in (QRELS, wrong))

    assert "Only relevant items are judged; all others count as not relevant" in right
    assert "Unjudged" not in right
    assert "Unjudged among the first 10: run 70.0%" in both


# verdicts


def test_a_system_that_is_better_and_worse_is_called_both():
    """`a` comes first, and `b` is gone: RR gains, R@10 loses."""
    old, new = {q: ["x", "a", "b", *"uvwyz"] for q in QUERIES}, {q: ["a", *"uvwyz"] for q in QUERIES}

    found = rg.compare(QRELS, {"old": old, "new": new}, ["RR", "R@10"])
    shown = first_screen(found)

    assert "new is better than old: RR 0.5000 → 1.0000" in shown["head"].text
    assert shown["head"].text.endswith("It is worse in R@10 (-0.5000).")
    assert (shown["head"].tone, shown["head"].sign) == ("mixed", "±")
    assert shown["next"][0].title == "new is worse than old in R@10"
    assert sections(found)[0].title == shown["head"].text


def test_too_few_queries_is_not_said_beside_an_answer():
    few = {q: {"a": 1} for q in QUERIES[:8]}
    old, new = ranks(dict.fromkeys(QUERIES, 1), few), ranks(dict.fromkeys(QUERIES, 3), few)

    shown = first_screen(rg.compare(few, {"old": old, "new": new}, ["RR"]))

    assert shown["head"].text.startswith("new is worse than old")
    assert "few" not in words(shown)
    assert "8 of 8 judged queries count in RR" in words(shown)


def test_each_of_several_systems_has_its_own_number_of_queries():
    some = {q: ["a", "x"] for q in QUERIES[:30]}
    runs = {"old": {q: ["x", "a"] for q in QUERIES}, "new": {q: ["a", "x"] for q in QUERIES}, "part": some}

    head = first_screen(rg.compare(QRELS, runs, ["RR"], missing="skip"))["head"].text

    assert "new (+0.5000, 40 queries)" in head
    assert "part (+0.5000, 30 queries)" in head
    assert Claim("n", 30, "RR", "part", "old") in claims_of(head)


def test_the_sentences_of_a_comparison_claim_what_they_say():
    found = rg.compare(QRELS, {"old": ranks(dict.fromkeys(QUERIES, 2)), "new": ranks(dict.fromkeys(QUERIES, 1))}, "RR")

    for language, said in (("en", "RR from 0.500 to 1.000"), ("zh", "RR 从 0.500 变为 1.000")):
        (text,) = rg.sentences(found, language)
        assert text.startswith(said)
        assert {c.what for c in claims_of(text)} == {"verdict", "mean", "difference low", "difference high", "n"}


def test_one_query_is_no_evidence():
    found = rg.compare({"q": {"a": 1}}, {"old": {"q": ["x", "a"]}, "new": {"q": ["a"]}}, "RR")

    assert str(found).splitlines()[0] == (
        "Which of new and old is better was not tested (only one query counts): RR 0.5000 → 1.0000, "
        "difference +0.5000, 1 query."
    )
    assert "few for a firm answer" in words(first_screen(found))


# gates


def gate(new: dict[str, int], old: dict[str, int], margin: float, **floors: float) -> GateResult:
    qrels = {q: {"a": 1} for q in QUERIES}
    before, after = (
        rg.evaluate(qrels, {n: ranks(x, qrels)}, ["RR", "P@1"])[n] for n, x in (("old", old), ("new", new))
    )
    checks = [at_least(after, name, limit) for name, limit in floors.items()]
    return GateResult(checks=[*checks, not_worse(after, before, "RR", margin)], evaluation=after, baseline=before)


def test_a_gate_page_begins_with_the_decision_and_its_reason():
    old = dict.fromkeys(QUERIES, 1)
    shown = first_screen(gate({q: 1 + i % 3 for i, q in enumerate(QUERIES)}, old, 0.01))

    assert shown["head"].text == "REGRESSION: 1 of 1 check failed (RR not worse by more than 0.01)"
    assert shown["lines"][0].text.startswith("RR not worse by more than 0.01: 1.0000 to 0.6")
    assert len(shown["lines"]) == 1  # the comparison says the same
    assert shown["next"][0].title == "RR not worse by more than 0.01"
    assert "few" not in words(shown)


def test_what_misses_a_floor_is_no_regression():
    shown = first_screen(gate(dict.fromkeys(QUERIES, 2), dict.fromkeys(QUERIES, 3), 0.01, RR=0.9))

    assert shown["head"].text == "FAIL: 1 of 2 checks failed (RR >= 0.9)"
    assert "Beside the rules: new is better than old" in shown["lines"][1].text


def test_a_rule_that_fails_while_the_comparison_is_open_says_why_both_are_so():
    """A loss in 11 queries of 40 is beyond the margin one-sided (p .04), and not clear two-sided over two measures."""
    old = dict.fromkeys(QUERIES, 1)
    new = {q: 2 if i % 10 in (0, 1) and i < 20 else 1 for i, q in enumerate(QUERIES)}
    result = gate(new, old, 0.0)

    shown = first_screen(result)

    assert shown["head"].text == "REGRESSION: 1 of 1 check failed (RR not worse by more than 0)"
    beside = shown["lines"][1].text
    assert beside.startswith("Beside the rules: It is not clear which of new and old is better")
    assert "The rule asks only whether more than 0 is lost, and that is so" in beside


def test_a_loss_that_the_rule_allows_is_no_reason_to_hold_a_release():
    old, new = dict.fromkeys(QUERIES, 1), {q: 2 if i % 4 == 0 else 1 for i, q in enumerate(QUERIES)}

    shown = first_screen(gate(new, old, 0.4))

    assert shown["head"].text == "PASS: 1 of 1 check"
    assert shown["lines"][0].text.endswith("The rule allows a loss of 0.4.")
    assert "Do not release" not in words(shown)


def test_suspicious_input_stands_above_a_gate_and_its_checks_do_not_count():
    worst_first = {q: [*(f"x{i}" for i in range(18)), "a", "b"] for q in QUERIES}
    ev = rg.evaluate(QRELS, worst_first, "RR")
    result = GateResult(checks=[at_least(ev, "RR", 0.9)], evaluation=ev)

    shown = first_screen(result)

    assert shown["head"].text.startswith(
        "Do not trust the numbers of run: relevant results lie at the end of the lists"
    )
    assert [x.text for x in shown["lines"]] == ["INCONCLUSIVE: the input is suspicious (worst-first); no check counts"]
    assert shown["lines"][0].tone == "open"
    assert shown["next"][0].do.startswith("Are the lists in reversed order?")


# several evaluations


def week(i: int) -> Any:
    qrels = {f"w{i}-{q}": {"a": 1} for q in QUERIES}
    run = {q: [*(f"x{j}" for j in range((i + n) % 3)), "a", *"uvwyz"] for n, q in enumerate(qrels)}
    return rg.evaluate(qrels, {f"week{i}": run}, ["RR"])[f"week{i}"]


def test_a_page_of_weeks_is_about_the_latest_and_says_so():
    weeks = [week(i) for i in (1, 2, 10, 9)]

    shown = first_screen(weeks)

    assert shown["whose"] == "week10 in numbers: the latest of 4"
    assert shown["cards"][0].value == f"{weeks[2]['RR']:.4f}"
    assert shown["head"].text.startswith("week10 has RR")
    assert shown["lines"][0].text.startswith("4 evaluations that are not compared with each other: RR from")


def test_evaluations_of_one_name_are_all_on_the_page():
    ev = [rg.evaluate(QRELS, ranks(dict.fromkeys(QUERIES, place)), "RR") for place in (1, 2)]

    story = gather(ev, language="en", title=None)

    assert list(story.rankings) == ["run", "run (2)"]
    assert first_screen(ev)["whose"] == "run in numbers: the best RR of 2"


@pytest.mark.parametrize(
    ("names", "series"),
    [
        (["week1", "week2"], True),
        (["2026-01-05", "2026-01-12"], True),
        (["clicks_20260105", "clicks_20260112"], True),
        (["第1周", "第2周"], True),
        (["bm25", "dense"], False),
        (["seed1", "seed2"], False),
        (["week1"], False),
    ],
)
def test_names_that_are_points_in_time(names: list[str], series: bool):
    assert is_series(names) is series


# numbers that are not there


def test_a_measure_without_a_value_stops_every_conclusion():
    shown = first_screen(rg.evaluate({"q": {"a": 0}}, {"q": ["a"]}, "RR"))

    assert "there is 1 judged query, and it has no relevant item" in shown["head"].text
    assert any("RR of run has no value (0 of 1 judged query count)" in x.text for x in shown["lines"])
    assert "does not matter" not in words(shown)


def test_constant_predictions_have_a_page():
    rows = {"label": [0, 1] * 20, "score": [0.3] * 40}

    shown = first_screen(rg.evaluate_predictions(rows, ["AUC", "LogLoss"]))

    assert shown["head"].text.startswith("score: The order is weak and the probabilities are off.")


@pytest.mark.parametrize(
    ("n", "said"),
    [(5, "all 32 sign flips"), (1, "nothing could be tested"), (20, "10,000 permutations")],
)
def test_permutations_are_named_only_where_they_were_drawn(n: int, said: str):
    """Five queries that all changed have 2^5 choices of signs, and all are tried; one query is not tested at all."""
    qrels = {f"q{i}": {"d": 1} for i in range(n)}
    c = rg.compare(qrels, {"old": {q: ["x", "d"] for q in qrels}, "new": {q: ["d"] for q in qrels}}, "RR")
    text = render(c, "text")

    assert said in text
    assert ("10,000 permutations" in text) == (n == 20)


def test_only_tests_that_were_made_are_counted():
    """Only q0 has an item of grade 2: one query is not tested, so two of three measures are."""
    qrels = {f"q{i}": {"d": 2 if i == 0 else 1} for i in range(8)}
    old, new = {q: ["x", "d"] for q in qrels}, {q: ["d"] for q in qrels}
    c = rg.compare(qrels, {"old": old, "new": new}, ["RR", "P@1", "R(rel=2)@1"])

    assert [c[m].n for m in c.measures] == [8, 8, 1]
    assert c.family == 2
    text = render(c, "text")
    assert "over 2 comparisons" in text
    assert "with these queries after correction for 2 tests" in text


def test_a_difference_that_no_measure_can_have_is_not_called_detectable():
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    old, new = {"q1": ["a"], "q2": ["x", "y", "a"]}, {"q1": ["x", "a"], "q2": ["a"]}

    x = rg.compare(qrels, {"old": old, "new": new}, "RR")["RR"]

    assert isnan(x.detectable)


# classes that are uneven


def called(rare: int, found: int, common: int) -> dict[str, list[int]]:
    """Rows of a common class, called right, and of a rare one, of which some are found."""
    label = [0] * common + [1] * rare
    return {"label": label, "prediction": [0] * common + [1] * found + [0] * (rare - found)}


@pytest.mark.parametrize("words_said", [{}, {"prediction": "prediction"}], ids=["0 and 1", "classes"])
def test_an_accuracy_that_the_page_warns_of_is_not_its_headline(words_said: dict[str, Any]) -> None:
    ev = rg.evaluate_predictions(called(10, 1, 990), **words_said)
    balanced = (1 / 10 + 1) / 2

    head = first_screen(ev)["head"].text

    assert ev["Accuracy"] == 0.991
    assert f"BalancedAccuracy {balanced:.4f}" in head
    assert f"BalancedAccuracy 为 {balanced:.4f}" in head.zh


@pytest.mark.parametrize("words_said", [{}, {"prediction": "prediction"}], ids=["0 and 1", "classes"])
def test_an_accuracy_of_even_classes_is_a_headline(words_said: dict[str, Any]) -> None:
    ev = rg.evaluate_predictions(called(100, 80, 100), **words_said)

    assert "has Accuracy 0.9000" in first_screen(ev)["head"].text


def test_what_is_assumed_and_not_tested_is_not_called_fine() -> None:
    shown = first_screen(rg.evaluate_predictions(called(100, 80, 100), prediction="prediction"))

    assert {f.code: f.mark for f in shown["facts"]}["no-groups"] == "?"


def test_the_headline_of_a_few_queries_says_how_far_their_word_reaches():
    """RR 1 and 1/2: 0.75, good, over an interval from 0 to 1."""
    ev = rg.evaluate({"q0": {"a": 1}, "q1": {"a": 1}}, {"q0": ["a", "b"], "q1": ["b", "a"]}, "RR")
    head = first_screen(ev)["head"]

    told = "That is good. But the interval reaches from poor to excellent: more queries may change the word."
    assert head.text.endswith(told)
    assert head.text.zh.endswith("水平：良。但区间从“差”到“优”：查询更多时评级可能改变。")
    assert head.tone == "open"


def test_of_spans_nothing_is_said_of_scores_and_of_items():
    """The order of equal scores decides all here, and scores of pieces are not kept."""
    gold = rg.Spans({f"q{i}": [("d", 0, 10)] for i in range(12)})
    first, second = ("d", 0, 10, 1.0), ("e", 0, 10, 1.0)
    runs = {
        name: rg.Chunks({f"q{i}": pieces for i in range(12)})
        for name, pieces in (("a", [first, second]), ("b", [second, first]))
    }
    compared = rg.compare(gold, runs, "R@1")

    for record in (compared, rg.evaluate(gold, runs["a"], "R@1")):
        said = words(first_screen(record))
        assert "Gold is parts of documents; all other text counts as not needed" in said
        assert "tied scores" not in said
        assert "Only relevant items are judged" not in said


def test_of_several_systems_what_is_missed_says_by_whom():
    runs = {name: ranks(dict.fromkeys(QUERIES, place)) for name, place in (("old", 4), ("mid", 3), ("new", 2))}
    compared = rg.compare(QRELS, runs, ["RR", "R@5"])
    leader = gather(compared, language="en", title=None, scenario="faq").leader

    shown = first_screen(compared, scenario="faq")
    found = rg.diagnose(compared, scenario="faq")

    assert f"{leader}: Below the minimum for production: R@5" in shown["head"].text
    missed = [f.title for f in found.all if f.code == "below-production-minimum"]
    assert sorted(missed) == ["mid: Below the minimum for production", "new: Below the minimum for production"]
    of_two = rg.diagnose(rg.compare(QRELS, {n: runs[n] for n in ("old", "new")}, ["RR", "R@5"]), scenario="faq")
    assert "Below the minimum for production" in [f.title for f in of_two.all]
