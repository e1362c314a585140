"""Findings say what was measured, and nothing where nothing is known."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from planted import evaluated, judged, mixed, more_but_unseen, order_only

import rankgauge as rg
from rankgauge.diagnosis.rules import RULES, Seen, Texts, rule
from rankgauge.diagnosis.subjects import Ranked
from rankgauge.diagnosis.sureness import sure
from rankgauge.statistics.intervals import Interval

FILLER = [f"x{i}" for i in range(30)]


def said(found: Any) -> str:
    return " ".join(text for f in found for text in (f.title, f.seen, f.why, f.check, f.do, *f.evidence))


# no finding without evidence


def test_one_query_whose_first_result_is_right_is_not_late():
    ev = rg.evaluate({"q": {"d": 1}}, {"q": ["d", *FILLER]}, ["Hit@20", "RR@20"])

    assert rg.diagnose(ev).codes == []


@pytest.mark.parametrize("ranks", [[9], [0], [1]])
@pytest.mark.parametrize("scenario", [None, "faq", "document_qa", "monitoring"])
def test_of_one_query_nothing_is_sure(ranks: list[int], scenario: str | None):
    found = rg.diagnose(evaluated(ranks, ["nDCG@10", "RR", "R@5", "P@5"]), scenario=scenario)

    assert {f.severity for f in found} <= {"note"}
    assert "nan" not in said(found)


def test_two_queries_with_the_same_value_are_not_a_certainty():
    late = evaluated([9, 9], ["RR@20", "Hit@20"])
    many = evaluated([9] * 40, ["RR@20", "Hit@20"])

    assert "found-but-late" not in rg.diagnose(late)
    assert "found-but-late" in rg.diagnose(many)


def test_what_so_few_equal_values_leave_open():
    """With n queries alike, a share u of others goes unseen with probability (1 - u)^n = 0.025."""
    low, high = sure(Interval(0.25, 0.25), 10, 0.95, (0, 1))

    assert (1 - (high - 0.25) / 0.75) ** 10 == pytest.approx(0.025)
    assert (1 - (0.25 - low) / 0.25) ** 10 == pytest.approx(0.025)
    assert sure(Interval(0.2, 0.3), 10, 0.95, (0, 1)) == (0.2, 0.3)


def test_a_micro_average_has_no_interval_and_its_band_is_a_note():
    qrels, run = judged([9] * 40)

    found = rg.diagnose(rg.evaluate(qrels, run, ["P@5", "R@5"], average="micro"))

    assert "nan" not in said(found)
    assert found["weak-measure"].severity == "note"
    assert "uncertainty is not known" in found["weak-measure"].seen


def test_a_finding_with_a_number_that_is_none_is_refused():
    texts = Texts(title="t", seen="{x}", why="w", check="c", do="d")

    @rule("own", "ranking", en=texts, zh=texts)
    def own(s: Ranked) -> Seen:
        return Seen("note", {"x": s.mean("Judged@10")})

    try:
        assert "own" in rg.diagnose(evaluated([1]), rules=["own"])
        assert "own" not in rg.diagnose(rg.evaluate({"q": {"d": 1}}, {"q": []}, "RR"), rules=["own"])
    finally:
        RULES.pop("own")


def test_numbers_of_a_weighted_evaluation_are_weighted():
    qrels, run = judged([1] * 30 + [15] * 30)
    weights = {q: 99.0 if i >= 30 else 1.0 for i, q in enumerate(qrels)}
    ev = rg.evaluate(qrels, run, ["Hit@20"], weights=weights)

    late = rg.diagnose(ev)["found-but-late"]

    assert late.numbers["rr"] == f"{(1 + 99 / 15) / 100:.3f}"


def test_an_order_without_an_interval_is_not_clear():
    two = rg.evaluate_predictions({"label": [0, 1], "score": [0.2, 0.4]}, ["AUC", "LogLoss"])

    read = rg.reading(two)

    assert not read.is_clear
    assert any("AUC can be told neither from 0.5 nor from 0.7" in a for a in read.advice)
    assert "calibrate" not in rg.diagnose(two)


def test_separation_in_many_rows_is_clear_although_it_has_no_spread():
    rows = {"label": [0, 1] * 50, "score": [0.1, 0.9] * 50}

    assert rg.reading(rg.evaluate_predictions(rows, ["AUC"])).headline.startswith("The order is good")


def test_a_reversed_score_is_not_called_weak_as_well():
    rows = {"label": [0, 1] * 50, "score": [0.9 - i / 1000 - 0.3 * (i % 2) for i in range(100)]}

    codes = rg.diagnose(rg.evaluate_predictions(rows, ["AUC"])).codes

    assert "reversed-score" in codes
    assert {"rebuild", "uninformative", "calibrate"}.isdisjoint(codes)


# it is about the measure that it names


def test_offline_up_online_flat_counts_the_measure_that_it_names():
    qrels, old = judged(mixed([4, 8], 0.8))
    _, new = judged(mixed([1, 1], 0.8))
    both = rg.compare(qrels, {"old": old, "new": new}, ["RR@20", "R@30"], permutations=200)

    f = rg.diagnose(both, online={"ctr": 0.0})["offline-up-online-flat"]

    assert f.seen.startswith("RR@20 changed by ")
    assert "of 48 queries whose RR@20 differs, 0 differ only by unjudged results" in f.check
    assert "R@30" not in f.seen + f.check


def test_worse_online_is_not_called_the_same():
    assert rg.diagnose(order_only(True), online={"ctr": -0.01})["offline-up-online-flat"].title == (
        "Better offline, not better online"
    )


@pytest.mark.parametrize("measures", [["nDCG@10", "R@50"], ["nDCG@10"]])
def test_a_question_about_recall_at_50_is_answered_at_50(measures: list[str]):
    qrels, old = judged([0] * 30 + [1] * 30, depth=51)
    _, new = judged([45] * 30 + [1] * 30, depth=51)
    both = rg.compare(qrels, {"old": old, "new": new}, measures, permutations=200)

    f = rg.diagnose(both)["coverage-up-order-flat"]

    assert f.seen.startswith("R@50 changed by +0.500")


def test_stored_comparisons_leave_out_what_they_do_not_know():
    qrels, old = judged([0] * 30 + [1] * 30, depth=51)
    _, new = judged([45] * 30 + [1] * 30, depth=51)
    both = rg.compare(qrels, {"old": old, "new": new}, ["nDCG@10", "R@50"], permutations=200)
    stored = rg.Comparison.from_dict(both.to_dict())

    f = rg.diagnose(stored)["coverage-up-order-flat"]

    assert re.fullmatch(r"R@50 changed by \S+ \(\S+ … \S+\), nDCG@10 by \S+ \(\S+ … \S+\)\.", f.seen)


def test_the_depth_of_candidates_is_that_of_candidates():
    f = rg.diagnose(evaluated([1] * 30, ["Hit@5"]), scenario="candidates")["depth-unsuited"]

    assert f.seen == "Hit@5 cuts at 5; what later stages choose from is usually measured at 50 / 100."
    assert f.do == "Use lists of 50 results or more, which end at 30 now, and then Hit@50."
    deep = rg.diagnose(evaluated([1] * 30, ["Hit@500"]), scenario="product_search")["depth-unsuited"]
    assert deep.seen == "Hit@500 cuts at 500; the list that people see is usually measured at 5 / 10 / 20."
    assert deep.do == "Use Hit@20."


def test_a_measure_keeps_its_parameters_at_another_depth():
    f = rg.diagnose(evaluated([1] * 30, ["nDCG(gain=exponential)@50"]), scenario="ranking")["depth-unsuited"]

    assert f.do == "Use nDCG(gain=exponential)@20."


# what can be reached


def of_seven(found: int) -> Any:
    """Forty queries with seven relevant items each, of which the first five results hold some, one more or less."""
    qrels = {f"q{i:02d}": {f"r{j}": 1 for j in range(7)} | {"x0": 0} for i in range(40)}
    run = {q: [*(f"r{j}" for j in range(found + i % 2)), *FILLER][:5] for i, q in enumerate(qrels)}
    return rg.evaluate(qrels, run, ["R@5"])


def test_figures_out_of_reach_are_held_against_what_can_be_reached():
    found = rg.diagnose(of_seven(2), scenario="document_qa")  # (2/7 + 3/7)/2 = 0.357 of 5/7 = 0.714

    assert "R@5 0.357 (0.334 … 0.380) < 0.571 (0.8 of the 0.714 that can be reached)" in found["below-benchmark"].seen
    low = found["below-production-minimum"]
    assert "R@5 0.357 (0.334 … 0.380) < 0.500 (0.7 of the 0.714 that can be reached)" in low.seen
    assert "可达上限 0.714 的 0.7" in low.seen.zh


def test_a_figure_that_is_reached_as_far_as_it_can_be_is_no_finding():
    found = rg.diagnose(of_seven(4), scenario="document_qa")  # 0.643, 0.9 of what can be reached, and below 0.7

    assert "R@5" not in said(f for f in found if f.code.startswith("below-"))


def test_a_number_that_the_judgements_hold_down_is_not_weak():
    perfect = evaluated([1] * 40, ["P@10"])  # 0.1 each, and no list has more

    assert "weak-measure" not in rg.diagnose(perfect)


def test_both_bands_are_said():
    f = rg.diagnose(of_seven(3))["weak-measure"]  # 0.5, and 0.7 of what can be reached

    assert f.title == "R@5 is poor"
    assert "poor (fair beside 0.714, the highest that can be reached) by the bands" in f.seen


# judgements of right answers only


@pytest.mark.parametrize("answers", [1, 3])
def test_written_answers_are_not_unjudged(answers: int):
    """Everything judged is relevant: what is not judged says no more than 1 - P@k."""
    qrels = {f"q{i:02d}": {f"r{j}": 1 for j in range(answers)} for i in range(40)}
    run = {q: [*FILLER[:5], "r0", *FILLER[5:]] for q in qrels}

    found = rg.diagnose(rg.evaluate(qrels, run, ["Hit@10", "nDCG@10"]))

    assert "unjudged-share" not in found
    assert "unjudged=" not in said(found)


def test_an_unjudged_top_is_found_where_someone_also_judged_what_is_wrong():
    qrels = {f"q{i:02d}": {"r0": 1, "x29": 0} for i in range(40)}
    run = {q: [*FILLER[:5], "r0", *FILLER[5:]] for q in qrels}

    found = rg.diagnose(rg.evaluate(qrels, run, ["Hit@10"]))["unjudged-share"]

    assert found.seen == "90% of the first 10 results have no judgement; they count as wrong."


def test_unjudged_results_that_were_taken_out_do_not_count_as_wrong():
    qrels = {f"q{i:02d}": {"r0": 1, "x29": 0} for i in range(40)}
    run = {q: [*FILLER[:5], "r0", *FILLER[5:]] for q in qrels}

    found = rg.diagnose(rg.evaluate(qrels, run, ["Hit@10"], unjudged="remove"))["unjudged-share"]

    assert "they were taken out of the lists" in found.seen
    assert "unjudged='irrelevant'" in found.do


# policies


def test_ties_that_are_averaged_over_decide_nothing():
    qrels, run = judged([1] * 40)
    tied = {q: dict.fromkeys(v, 1.0) for q, v in run.items()}

    assert "ties-matter" in rg.diagnose(rg.evaluate(qrels, tied, ["Hit@5"]))
    assert "ties-matter" not in rg.diagnose(rg.evaluate(qrels, tied, ["Hit@5"], ties="expected"))


def test_queries_without_relevant_items_at_the_level_asked_for():
    qrels, run = judged([1] * 40)
    qrels["q00"]["g0"] = 2

    found = rg.diagnose(rg.evaluate(qrels, run, ["RR"], rel=2))["no-relevant"]

    assert found.seen == "39 of 40 queries have no relevant item (left out; no_relevant=skip)."


def test_a_loss_elsewhere_is_not_kept_for_its_order():
    qrels, old = judged(mixed([4, 8, 12], 0.8), relevant=3)
    _, new = judged(mixed([1, 2, 3], 0.8), relevant=1)
    both = rg.compare(qrels, {"old": old, "new": new}, ["R@30", "RR@20"], permutations=500)

    codes = rg.diagnose(both).codes

    assert "worse-than-baseline" in codes
    assert "order-improved" not in codes


def test_so_few_queries_that_no_difference_could_be_found():
    qrels, old = judged([1, 3])
    _, new = judged([2, 1])
    both = rg.compare(qrels, {"old": old, "new": new}, ["RR"])

    assert "so few find no difference, however large" in rg.diagnose(both)["not-settled"].seen


def test_stored_evaluations_have_findings_without_gaps(tmp_path: Path):
    evaluated([9] * 30 + [0] * 10, ["nDCG@10", "R@5", "P@5", "RR"]).to_json(tmp_path / "ev.json")

    found = rg.diagnose(rg.Evaluation.from_json(tmp_path / "ev.json"), scenario="document_qa")

    assert {"weak-measure", "below-benchmark"} <= {*found.codes}
    assert "nan" not in said(found)


def test_accuracy_where_positives_are_the_larger_class():
    rows = {"label": [1] * 19 + [0], "score": [0.9] * 20}

    f = rg.diagnose(rg.evaluate_predictions(rows, ["Accuracy(threshold=0.5)"]))["accuracy-of-imbalance"]

    assert f.title == "Accuracy only mirrors how uneven the classes are"


# at the depths that were asked for


def deep(rank: int, measures: list[str]) -> Any:
    """The only relevant item of each of 40 queries stands at this rank of 200."""
    items = [f"x{i:03}" for i in range(199)]
    qrels = {f"q{i}": {"g": 1, "x000": 0} for i in range(40)}
    run = {q: [*items[: rank - 1 + i % 3], "g", *items[rank - 1 + i % 3 :]] for i, q in enumerate(qrels)}
    return rg.evaluate(qrels, run, measures)


def test_recall_at_depth_beside_a_low_mrr_is_found_at_the_depths_that_were_asked():
    f = rg.diagnose(deep(60, ["R@1000", "RR@10"]))["found-but-late"]

    assert f.seen == "R@1000 is 1.000, yet RR@10 only 0.000: the first relevant result is typically at rank 61."
    assert "51-100: 40" in f.evidence
    assert "found-but-late" not in rg.diagnose(deep(60, ["RR@10"]))  # Hit@20 is 0
    assert "found-but-late" not in rg.diagnose(deep(1, ["R@1000", "RR@10"]))


def test_another_level_of_relevance_is_not_mixed_with_ranks_of_this_one():
    found = rg.diagnose(deep(60, ["R(rel=2)@1000", "RR@10"]))

    assert "found-but-late" not in found


# what was seen online


def test_online_changes_that_are_not_surely_up_are_called_that():
    def told(online: Any) -> str:
        return str(rg.diagnose(order_only(True), online=online)["offline-up-online-flat"].title)

    assert told({"ctr": (0.031, 0.031)}) == "Better offline, not better online"
    assert told({"ctr": (0.031, 0.0312)}) == "Better offline, not clearly better online"
    assert told({"ctr": ((310, 10_000), (330, 10_000))}) == "Better offline, not clearly better online"


@pytest.mark.parametrize(
    "online", [{"ctr": 0.001}, {"ctr": (0.031, 0.04)}, {"ctr": ((3100, 100_000), (3600, 100_000))}]
)
def test_what_is_up_online_is_no_finding(online: Any):
    assert "offline-up-online-flat" not in rg.diagnose(order_only(True), online=online)


def test_counts_bring_an_interval_and_what_it_leaves_open():
    f = rg.diagnose(order_only(True), online={"ctr": ((310, 10_000), (330, 10_000))})["offline-up-online-flat"]

    # 0.002 ± 1.96 · sqrt(0.031·0.969/10000 + 0.033·0.967/10000)
    assert "ctr 0.031 → 0.033 (difference between -0.00288" in f.seen
    assert "more traffic may show one" in f.seen


def test_a_pair_without_counts_says_what_was_taken_for_none():
    f = rg.diagnose(order_only(True), online={"ctr": (0.031, 0.0312)})["offline-up-online-flat"]

    assert f.seen.endswith("a change below 1% is taken for none.")


def test_more_found_and_nothing_gained_names_every_cause_and_its_check():
    for language, words in (
        ("en", ("features", "another goal", "exposure and position bias", "training labels", "rankgauge bias")),
        ("zh", ("特征缺失", "排序目标与评测不一致", "曝光偏差、位置偏差", "训练标签", "rankgauge bias")),
    ):
        f = rg.diagnose(more_but_unseen(False), language=language)["coverage-up-order-flat"]
        assert [w for w in words if w not in f.why + f.check] == []


def test_a_missed_benchmark_names_where_to_start_and_what_else_is_poor():
    both = {f"q{i}": {"retrieved": list("abcde"), "relevant": ["e" if i % 2 else "z"]} for i in range(12)}
    found = rg.diagnose(rg.evaluate(both, measures=["R@5", "nDCG@5", "P@5"]), scenario="document_qa")["below-benchmark"]

    assert found.seen == "nDCG@5 0.193 (0.065 … 0.322) < 0.78. Rated poor as well: R@5 0.500 (0.168 … 0.832)."
    assert found.do == "Start with nDCG@5, which is furthest below, and with the queries that do worst in it."
    assert found.evidence[0].startswith("q0")
