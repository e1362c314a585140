"""Every measure in a word: bands, intervals, figures and advice, also where nothing can be said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rankgauge as rg
from rankgauge.errors import InputError, UnknownName
from rankgauge.reporting import render


def ranked(ranks: list[int], measures: list[str] | str = "RR", **options: Any) -> Any:
    """One relevant item per query, at this rank."""
    qrels = {f"q{i}": {"g": 1} for i in range(len(ranks))}
    run = {
        f"q{i}": [*(f"x{j}" for j in range(rank - 1)), "g", *(f"y{j}" for j in range(30 - 2 * rank))]
        for i, rank in enumerate(ranks)
    }
    return rg.evaluate(qrels, run, measures, **options)


def rating(ev: Any, measure: str = "RR") -> Any:
    return ev.ratings()[measure].rating


def test_a_value_on_a_border_belongs_to_the_band_that_begins_there():
    assert rating(ranked([1, 5, 5] * 20 + [1, 5, 5, 5, 5])).band.name == "fair"  # 22 at 1, 43 at 1/5: 0.471
    exactly = ranked([1, 5] * 30)  # (1 + 0.2) / 2 = 0.6, where good begins
    assert (exactly["RR"], rating(exactly).band.name) == (pytest.approx(0.6), "good")
    assert rating(exactly).doubt == "interval"
    assert [b.name for b in (rating(exactly).lowest, rating(exactly).highest)] == ["fair", "good"]


def test_the_bands_of_the_interval_are_named_where_it_spans_two():
    found = ranked([1, 5] * 30).ratings()

    assert "good; interval fair … good" in str(found)
    assert "良；区间中至良" in render(found, "text", "zh")


def test_an_interval_of_no_width_on_a_border_is_no_certainty():
    found = rating(ranked([2] * 8))

    assert found.value == 0.5
    assert (found.doubt, found.lowest.name, found.highest.name) == ("alike", "poor", "good")
    assert "All queries have the same value" in str(ranked([2] * 8).ratings())


def test_many_queries_that_are_all_alike_settle_the_word():
    assert rating(ranked([2] * 400)).doubt == ""


def test_one_query_supports_no_word():
    found = ranked([1]).ratings()

    assert found["RR"].rating.doubt == "one"
    assert "one query supports no word" in str(found)
    assert {a.answer for a in found["RR"].asked} == {"open"}


def test_a_pooled_number_has_no_interval_and_says_so():
    found = ranked([1, 2, 3], "P@2", average="micro").ratings()

    assert found["P@2"].rating.doubt == "unknown"
    assert "uncertainty is not known" in str(found)


def test_no_value_no_rating_and_no_advice():
    ev = rg.evaluate({"q": {"a": 0}}, {"q": ["a"]}, ["RR", "R@5"])

    found = ev.ratings(scenario="document_qa", accept=["no-relevant"])

    assert [(row.rating, row.advice, list(row.asked)) for row in found] == [(None, "", [])] * 2
    assert "No value, so no rating: RR, R@5." in str(found)


def test_bands_that_no_list_can_reach_are_said_and_the_advice_says_why():
    found = ranked([1] * 20, ["P@5", "RR"]).ratings(scenario="document_qa")
    row = found["P@5"]

    assert (row.ceiling, row.rating.band.name, row.rating.beside_ceiling.name) == (0.2, "poor", "excellent")
    assert list(row.beyond) == ["fair", "good", "excellent"]
    assert row.advice.startswith("No list can have more than 0.200 with these judgements")
    assert {a.by: a.answer for a in row.asked} == dict.fromkeys(("benchmark", "minimum", "good", "excellent"), "beyond")
    assert "P@5 cannot pass 0.200 with these judgements; out of reach: fair, good, excellent." in str(found)
    assert "按这些标注，P@5 最高为 0.200；达不到：中、良、优。" in render(found, "text", "zh")


def test_levels_of_production_are_reached_missed_or_open():
    # 0.7 of 100 queries at rank 1, the others at 5: 0.76 ± 0.07
    row = ranked([1] * 70 + [5] * 30).ratings(scenario="monitoring")["RR"]

    assert {a.by: (a.figure, a.answer) for a in row.asked} == {
        "minimum": (0.5, "reached"),
        "good": (0.7, "open"),
        "excellent": (0.8, "open"),
    }
    assert row.level.by == "minimum"
    assert {a.answer for a in ranked([5] * 50 + [4] * 50).ratings()["RR"].asked} == {"missed"}


def test_figures_of_production_are_not_asked_of_lists_of_products():
    ev = ranked([1, 2] * 20, ["RR", "Hit@5"])

    assert [a.by for a in ev.ratings(scenario="product_search")["RR"].asked] == []
    assert [a.by for a in ev.ratings()["RR"].asked] == ["minimum", "good", "excellent"]


def test_a_weak_measure_is_told_what_the_scenario_says_of_it_as_well():
    qrels = {f"q{i}": {"a": 1, "x": 0} for i in range(30)}  # somebody judged: what users did has no bands
    weak = rg.evaluate(qrels, {q: ["a"] if i % 3 == 0 else ["x"] for i, q in enumerate(qrels)}, measures=["R@100"])
    fine = rg.evaluate(qrels, {q: ["a"] for q in qrels}, measures=["R@100"])

    told = weak.ratings(scenario="cold_start")["R@100"].advice
    assert told.startswith("Too much is missed, and no list has more than 1: ")
    assert "retrieve by content" in told
    assert "只能靠内容召回" in told.zh
    assert "by content" not in fine.ratings(scenario="cold_start")["R@100"].advice
    assert "by content" not in weak.ratings()["R@100"].advice


def test_a_measure_without_bands_is_told_by_the_benchmark_or_by_the_scenario():
    ev = ranked([1, 2] * 20, ["Hit@3", "Hit@10", "AP"])

    assert ev.ratings(scenario="faq")["Hit@3"].advice.startswith("Reaches what is usual here, 0.9.")
    assert ev.ratings(scenario="cold_start")["Hit@10"].advice.startswith("Explore")
    assert ev.ratings()["AP"].advice == "Nobody has said what is good here: compare it with your baseline."
    assert all(row.rating is None for row in ev.ratings())


def test_the_source_is_a_title_in_the_language_of_the_reader():
    found = ranked([1, 2] * 20).ratings()

    assert "Bands of RR: “Core concepts: retrieval quality measures”." in str(found)
    assert "RR 的分档出自《核心概念 - 检索质量评估指标》。" in render(found, "text", "zh")


def test_measures_that_the_scenario_has_and_the_evaluation_lacks_are_named():
    assert list(ranked([1, 2]).ratings(scenario="faq").not_evaluated) == ["Hit@3", "P@3"]


def test_several_systems_are_rated_by_their_names():
    qrels = {f"q{i}": {"a": 1} for i in range(20)}
    evs = rg.evaluate(qrels, {"old": {key: ["x", "a"] for key in qrels}, "new": {key: ["a"] for key in qrels}}, "RR")

    for found in (evs.ratings(), rg.rate(rg.compare(evs, permutations=100))):
        assert [(row.system, row.rating.band.name) for row in found] == [("old", "fair"), ("new", "excellent")]
        assert found["RR", "new"].rating.system == "new"
    with pytest.raises(UnknownName, match=r"no rating of 'nDCG' of 'new'"):
        found["nDCG", "new"]


def test_a_stored_evaluation_is_rated_without_a_ceiling_and_says_so(tmp_path: Path):
    ranked([1, 2] * 20, "P@5").to_json(tmp_path / "ev.json")

    found = rg.load(tmp_path / "ev.json").ratings()

    assert str(found["P@5"].rating.words) == "poor"
    assert "What these judgements allow at most is not known of P@5" in str(found)


def test_suspicious_input_is_not_rated_unless_accepted():
    ev = ranked([29] * 40, "RR")  # stored worst first, as it seems
    assert "worst-first" in [s.code for s in ev.suspicions]

    assert ev.ratings()["RR"].rating is None
    assert str(ev.ratings()).startswith("Do not trust the numbers of run")
    assert ev.ratings(accept=["worst-first"])["RR"].rating.band.name == "poor"


def test_models_are_rated_by_what_is_known_of_them():
    table = {"label": [0, 1] * 50, "score": [0.2 + 0.006 * (i * 37 % 100) + 0.1 * (i % 2) for i in range(100)]}

    found = rg.evaluate_predictions(table, ["AUC", "LogLoss"]).ratings(scenario="ctr")

    assert found["AUC"].rating.band.name == "informative"
    assert found["LogLoss"].rating is None
    assert "base rate" in found["LogLoss"].advice


def test_what_cannot_be_rated_is_an_error_in_both_languages():
    with pytest.raises(InputError, match=r"rate\(\) needs an evaluation"):
        rg.rate([1, 2])


def test_ratings_as_a_table_have_a_row_for_each_measure():
    frame = ranked([1, 5] * 30, ["RR", "Hit@3"]).ratings(scenario="faq").to_frame()

    assert frame["rating"].to_list() == ["good", None]
    assert frame["benchmark"].to_list() == [0.85, 0.9]
    assert frame["benchmark_answer"].to_list() == ["missed", "missed"]


def test_figures_say_that_an_interval_without_width_is_no_evidence():
    qrels = {f"q{i}": ["a"] for i in range(2)}

    alike = rg.evaluate(qrels, qrels, "R@5").ratings()
    apart = rg.evaluate(qrels, {"q0": ["a"], "q1": ["x"]}, "R@5").ratings()

    said = "R@5: All queries have the same value, so the interval has no width and is no evidence by itself"
    assert {a.answer for a in alike["R@5"].asked} == {"open"}
    assert said in str(alike)
    assert said not in str(apart)


def test_a_suspicious_system_takes_no_ratings_from_the_others():
    qrels = {f"q{i}": ["a"] for i in range(40)}
    late = {q: [*(f"x{i}" for i in range(29)), "a"] for q in qrels}
    good = {q: ["a", *(f"x{i}" for i in range(29))] for q in qrels}

    found = rg.evaluate(qrels, {"late": late, "good": good}, "RR").ratings()

    assert found["RR", "late"].rating is None
    assert found["RR", "good"].rating.band.name == "excellent"
    assert [s.system for s in found.suspicions] == ["late"]
    assert str(found).startswith("Do not trust the numbers of late")
    assert "good rated" in str(found)


# what no list can reach

ONE_TARGET = {f"q{i}": {"retrieved": [*"vwxyz"], "relevant": [f"t{i}"]} for i in range(60)}
for _i, _x in enumerate(ONE_TARGET.values()):
    if _i % 4:
        _x["retrieved"][_i % 3] = _x["relevant"][0]


def first_ones(n: int) -> dict[str, dict[str, list[str]]]:
    return dict(list(ONE_TARGET.items())[:n])


@pytest.mark.parametrize("n", [2, 8, 60])
def test_no_interval_reaches_a_band_that_is_out_of_reach(n: int):
    """One target per query: P@3 ends at 1/3, which is poor; an interval of two queries is as wide as can be."""
    row = rg.evaluate(first_ones(n), measures=["P@3"]).ratings()["P@3"]

    assert row.rating is not None
    assert row.beyond == ("fair", "good", "excellent")
    assert (row.rating.reach, row.rating.band.name, row.rating.highest.name) == (None, "poor", "poor")


@pytest.mark.parametrize("found", [False, True])
def test_precision_that_one_target_holds_down_is_not_called_noise(found: bool):
    lists = ONE_TARGET if found else {q: {**x, "retrieved": [*"vwxyz"]} for q, x in ONE_TARGET.items()}
    lists["q0"]["retrieved"] = ["t0", *"wxyz"]
    advice = rg.rate(rg.evaluate(lists, measures=["P@3"]), accept=["judged-ids-never-retrieved"])["P@3"].advice

    assert advice.startswith("No list can have more than 0.333 with these judgements")
    assert "recall at the same k says how often they are found" in advice or found
    assert "Most places hold nothing relevant" not in advice
    assert "Usable" not in advice
    assert advice.zh.startswith("按这些标注，任何列表最高只能达到 0.333")


def test_advice_beside_the_ceiling_says_that_it_is_so():
    """Five of nine relevant items fit: 0.556; of these 0.7 are shown, which is fair, and poor as it stands."""
    items = {f"r{i}": 1 for i in range(9)}
    shown = [*list(items)[:4], *"vwxyz"]
    other = [*list(items)[:3], *"vwxyz"]
    ev = rg.evaluate(
        {f"q{i}": items for i in range(40)}, {f"q{i}": shown if i % 2 else other for i in range(40)}, "R@5"
    )
    row = ev.ratings()["R@5"]

    assert (row.rating.band.name, row.rating.beside_ceiling.name) == ("poor", "fair")
    assert "Beside it: Usable." in row.advice
    assert "对照上限来看：可以使用。" in row.advice.zh


def test_figures_of_another_level_of_relevance_are_not_dropped_without_a_word():
    lists = {f"q{i}": ["a", "b"] for i in range(40)}
    ev = rg.evaluate({q: {"a": 2, "b": 1} for q in lists}, lists, ["R@5", "MRR", "nDCG@10"], rel=2)
    found = ev.ratings()
    told = "Not held to figures: R@5, MRR. Those are about grades from 1 on, and here 2 and above is relevant."

    assert told in str(found)
    assert "R@5、MRR 不对照标准：标准中等级 1 及以上为相关，而这里 2 及以上才算相关。" in render(found, "text", "zh")
    assert told not in str(rg.evaluate({q: {"a": 2, "b": 1} for q in lists}, lists, ["R@5"]).ratings())
