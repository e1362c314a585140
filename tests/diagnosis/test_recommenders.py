"""What is said of recommenders is so: computed again by hand, and only where it can be known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from planted import (
    CATALOGUE,
    HELD_OUT,
    TRAIN,
    USERS,
    N,
    cold,
    evaluated,
    few_hits,
    judged,
    own_lists,
    popular_lists,
    recommended,
    wanted,
)
from scipy.stats import ttest_rel

import rankgauge as rg
from oracle.claims import Inputs
from oracle.verdict_claims import holds
from rankgauge.evaluation.rankings.popular import beside_popular, returning
from rankgauge.statistics.quotients import quotient_interval

QRELS = {u: dict.fromkeys(items, 1.0) for u, items in HELD_OUT.items()}


def inputs(lists: Any) -> Inputs:
    return Inputs(qrels=QRELS, runs={"run": lists}, train=TRAIN, measures=["nDCG@10"])


# popularity


def test_what_popular_items_reach_is_what_a_list_of_them_reaches():
    ev = recommended(own_lists(), ["nDCG@10", "RR", "R@5"])
    made = rg.evaluate(HELD_OUT, rg.baseline(TRAIN, users=USERS), ["nDCG@10", "RR", "R@5"])

    for label in ("nDCG@10", "RR", "R@5"):
        found = beside_popular(ev, label)
        assert found is not None
        assert found.popular == made[label] > 0
        assert found.ratio == ev[label] / made[label]


def test_popular_items_are_no_deeper_than_the_lists_beside_them():
    ev = recommended({u: x[:3] for u, x in own_lists().items()}, ["RR"])
    found = beside_popular(ev, "RR")

    assert found is not None
    assert found.popular == rg.evaluate(HELD_OUT, rg.baseline(TRAIN, k=3, users=USERS), ["RR"])["RR"]


def test_every_claim_beside_popularity_holds():
    found = rg.diagnose(recommended(few_hits()))["near-popularity"]

    about = [c for c in found.claims if "popular" in c.what]
    assert {c.what for c in about} == {"popular", "times popular", "times popular low", "times popular high"}
    for c in found.claims:
        assert holds(c, inputs(few_hits())), c
    assert found.severity == "critical"
    assert found.title == "Worse than the most popular items"


def test_a_good_recommender_is_told_how_many_times_popularity_it_is():
    (said,) = rg.diagnose(recommended(own_lists())).notes

    assert said.startswith("nDCG@10 is ")
    assert "times that of the most popular items new to each user" in said
    assert said.zh.startswith("nDCG@10 是“每个用户没接触过的最热门物品”的 ")
    assert len(said.claims) == 4
    for c in said.claims:
        assert holds(c, inputs(own_lists())), c
    compared = rg.compare(HELD_OUT, {"old": few_hits(), "new": own_lists()}, "nDCG@10", train=TRAIN)
    assert [note.partition(":")[0] for note in rg.diagnose(compared).notes] == ["new"]


def test_a_list_of_popular_items_is_hardly_better_than_itself():
    found = rg.diagnose(recommended(popular_lists(), ["Hit@10"]))

    assert {"popularity-list", "near-popularity"} >= set(found.codes) & {"popularity-list", "near-popularity"}
    assert "only 0.0% (0.0% … 0.0%) are not among the 10 most popular" in found["popularity-list"].seen
    shown = {i for items in popular_lists().values() for i in items}
    assert f"the lists of 200 users together show {len(shown)}.0% of the catalogue" in found["popularity-list"].seen


def test_the_interval_of_a_quotient_is_where_a_paired_test_is_just_not_significant():
    rng = np.random.default_rng(0)
    y = rng.random(40) + 0.2
    x = 1.4 * y + rng.normal(0, 0.3, 40)

    low, high = quotient_interval(x, y)

    assert low < x.mean() / y.mean() < high
    for end in (low, high):
        assert ttest_rel(x, end * y).pvalue == pytest.approx(0.05, abs=1e-6)


@pytest.mark.parametrize(("x", "y"), [([1.0], [1.0]), ([1.0, 2.0], [0.0, 0.0]), ([1.0, 0.0, 1.0], [1.0, -1.0, 0.5])])
def test_a_quotient_whose_divisor_may_be_nothing_has_no_interval(x: list[float], y: list[float]):
    assert np.isnan(quotient_interval(np.array(x), np.array(y))).all()


@pytest.mark.long("coverage of intervals", ci=True)
def test_intervals_of_quotients_cover():
    rng = np.random.default_rng(1)
    inside = 0
    for _ in range(2000):
        y = rng.random(60) < 0.3
        x = np.where(rng.random(60) < 0.5, y, rng.random(60) < 0.4)  # mean 0.35: 7/6 of 0.3
        low, high = quotient_interval(x.astype(float), y.astype(float))
        inside += bool(low <= 7 / 6 <= high)
    assert inside / 2000 == pytest.approx(0.95, abs=0.02)


def test_few_users_prove_nothing_about_popularity():
    some = USERS[:4]
    ev = rg.evaluate({u: HELD_OUT[u] for u in some}, {u: popular_lists()[u] for u in some}, ["Hit@10"], train=TRAIN)

    assert not {"near-popularity", "popularity-list", "same-for-everybody"} & set(rg.diagnose(ev).codes)


# what users had


def again(n: int) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """A test in which the first n users come back to what they had, and lists that show it."""
    test = {u: [TRAIN[u][0]] if i < n else HELD_OUT[u] for i, u in enumerate(USERS)}
    return test, {u: [*TRAIN[u][:2], *x[:8]] for u, x in own_lists().items()}


def test_items_that_users_come_back_to_may_be_shown():
    test, lists = again(50)
    ev = rg.evaluate(test, lists, ["nDCG@10"], train=TRAIN)

    assert returning(ev) == 50 / 200
    assert "known-items-shown" not in rg.diagnose(ev).codes
    found = beside_popular(ev, "nDCG@10")
    assert found is not None
    assert found.popular == rg.evaluate(test, rg.baseline(TRAIN, users=USERS, seen=True), "nDCG@10")["nDCG@10"]


def test_places_for_what_users_know_are_counted():
    test, lists = again(0)
    found = rg.diagnose(rg.evaluate(test, lists, ["nDCG@10"], train=TRAIN))["known-items-shown"]

    assert "20.0% (20.0% … 20.0%) of the first 10 items" in found.seen
    assert "none of the 200 relevant items of the test is" in found.seen


# cold users


def test_cold_users_that_are_far_behind_are_found_without_asking_for_slices():
    found = rg.diagnose(cold(True))["weak-slice"]

    assert found.title == "activity=cold does much worse than the rest"
    assert "nDCG@10 is 0.000 for the 50 users with activity=cold and 1.000 for the others" in found.seen
    assert "first clicks" in found.do
    assert "weak-slice" not in rg.diagnose(cold(False)).codes


# what users did is not what somebody judged


def held_out_twins() -> tuple[Any, Any]:
    """One set of positives and lists, of queries and of users."""
    lists = own_lists(good=False) | {u: own_lists()[u] for u in USERS[:20]}
    rows = [(u, i) for u, items in HELD_OUT.items() for i in items]
    of_queries = {"query_id": [u for u, _ in rows], "doc_id": [i for _, i in rows], "grade": [1] * len(rows)}
    of_users = {"user_id": of_queries["query_id"], "item_id": of_queries["doc_id"]}
    measures = ["nDCG@10", "R@10", "Hit@10"]
    return tuple(rg.evaluate(pl.DataFrame(x), lists, measures) for x in (of_queries, of_users))  # type: ignore[return-value]


def test_positives_of_queries_keep_the_advice_of_search():
    of_queries, _ = held_out_twins()

    codes = rg.diagnose(of_queries).codes
    assert not of_queries.of_users
    assert {"recall-low-everywhere", "weak-measure", "single-target"} <= set(codes)


def test_what_users_did_gets_the_advice_of_recommenders():
    _, of_users = held_out_twins()

    found = rg.diagnose(of_users)
    assert of_users.of_users
    assert found.codes == ["level-alone", "single-target"]
    assert found["level-alone"].seen.endswith("for what 200 users did.")
    for language in ("en", "zh"):
        words = str(rg.diagnose(of_users, language=language))
        assert not any(w in words for w in ("Judge", "judge", "index", "unjudged", "标注更多", "索引", "补标"))
    assert "split by time" in found["single-target"].do


def test_one_user_is_said_in_the_singular():
    found = rg.diagnose(rg.evaluate(pl.DataFrame({"user_id": ["u"], "item_id": ["a"]}), {"u": ["a", "b"]}, ["nDCG@10"]))

    assert found["level-alone"].seen.endswith("for what 1 user did.")


def test_ratings_are_what_users_did():
    rows = {"user_id": USERS, "item_id": [HELD_OUT[u][0] for u in USERS], "rating": [5, 1] * 100}
    ev = rg.evaluate(pl.DataFrame(rows), own_lists(good=False) | {USERS[0]: own_lists()[USERS[0]]}, ["nDCG@10"], rel=4)

    assert (ev.of_users, ev.relevant_part, ev.has_only_positives) == (True, 0.5, True)
    assert rg.diagnose(ev).codes == ["level-alone"]  # neither unjudged-share nor no-relevant


def test_the_scenario_says_so_where_only_positives_are_there():
    lists = own_lists(first=3)
    plain = rg.evaluate(HELD_OUT, lists, ["nDCG@10", "RR@10"])

    assert "weak-measure" in rg.diagnose(plain).codes
    assert "weak-measure" not in rg.diagnose(plain, scenario="news").codes
    assert rg.rate(plain)["nDCG@10"].rating is not None
    found = rg.rate(plain, scenario="news")
    assert found["nDCG@10"].rating is None
    assert "Not rated: the judgements are what users did" in str(found)


def test_judged_grades_stay_judged_in_a_scenario_of_recommendation():
    ev = evaluated([9] * N, ["nDCG@10"])

    assert "weak-measure" in rg.diagnose(ev, scenario="news").codes


def test_a_stored_evaluation_remembers_whose_judgements_they_are(tmp_path: Path):
    _, of_users = held_out_twins()
    of_users.to_json(tmp_path / "ev.json")

    loaded = rg.load(tmp_path / "ev.json")
    assert loaded.of_users
    assert "weak-measure" not in rg.diagnose(loaded).codes
    assert "of_users" not in rg.evaluate(*judged([1] * 5), "RR").to_dict()


def test_a_loss_among_users_speaks_of_who_showed_what():
    compared = rg.compare(HELD_OUT, {"old": own_lists(), "new": own_lists(first=3)}, "nDCG@10", train=TRAIN)

    found = rg.diagnose(compared)["worse-than-baseline"]
    assert "what one system showed could be chosen" in found.check
    assert "judged as completely" not in found.check


def test_a_report_says_that_judgements_are_what_users_did():
    page = rg.report(recommended(own_lists()))

    assert "Judgements are what users did; every other item counts as wrong" in page
    assert "Only relevant items are judged" not in page


def test_numbers_in_sentences_of_a_comparison_are_those_of_the_evaluations():
    wide, narrow = own_lists(first=5), {u: [HELD_OUT[u][0], *CATALOGUE[:3]] for u in USERS}
    wide["u000"] = own_lists(good=False)["u000"]  # a target that is not found: nothing was drawn
    compared = rg.compare(HELD_OUT, {"old": wide, "new": narrow}, "nDCG@10", train=TRAIN, items=CATALOGUE)
    found = rg.diagnose(compared)["accuracy-for-variety"]

    shown = [len({i for x in lists.values() for i in x}) / 100 for lists in (wide, narrow)]
    said = {c.what: c.value for c in found.claims if c.measure == "Coverage@10"}
    assert [c.value for c in found.claims if (c.what, c.measure) == ("mean", "Coverage@10")] == shown
    assert said["difference"] == pytest.approx(shown[1] - shown[0])


# sampled candidates, and lists that end early


def drawn(n_users: int = 60, n_items: int = 40) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """For each user the target at some rank among candidates that were drawn, not what was retrieved."""
    rng = np.random.default_rng(0)
    test, lists = {}, {}
    for n, u in enumerate(USERS[:n_users]):
        rest = [i for i in CATALOGUE if i not in {*TRAIN[u], wanted(n)}]
        others = rng.choice(rest, n_items - 1, replace=False).tolist()
        at = int(rng.integers(8, 16)) if n % 6 else n_items - 2
        test[u], lists[u] = [wanted(n)], [*others[:at], wanted(n), *others[at:]]
    return test, lists


SHOPPING = ["R@40", "Hit@10", "nDCG@10"]
OF_EVERYTHING = {"found-but-late", "blunt-top", "near-popularity", "popularity-list", "depth-unsuited", "level-alone"}


@pytest.mark.parametrize("accept", [(), ("sampled-candidates",)])
def test_sampled_candidates_are_not_held_against_popularity_nor_taken_for_retrieval(accept: tuple[str, ...]):
    test, lists = drawn()
    ev = rg.evaluate(test, lists, SHOPPING, train=TRAIN, items=CATALOGUE)
    assert [s.code for s in ev.suspicions] == ["sampled-candidates"]

    found = rg.diagnose(ev, scenario="shopping", accept=accept)

    assert not OF_EVERYTHING & set(found.codes)
    assert found.limits[0].startswith("The candidates seem to be sampled")
    assert found.limits[0].zh.startswith("候选似乎是抽样的")
    assert ["sampled-candidates" in note for note in found.doubts] == [True] * (not accept)
    assert not any("popular items" in note for note in found.notes)


def test_of_two_systems_over_sampled_candidates_nothing_is_said_of_retrieval():
    test, lists = drawn()
    better = {u: sorted(x, key=lambda i, u=u: i not in test[u]) for u, x in lists.items()}
    found = rg.diagnose(rg.compare(test, {"old": lists, "new": better}, SHOPPING, train=TRAIN, items=CATALOGUE))

    assert not {"order-improved", "coverage-up-order-flat", "accuracy-for-variety"} & set(found.codes)
    assert any("sampled" in text for text in found.limits)


def test_full_lists_of_the_same_users_are_held_against_popularity():
    test, lists = drawn()
    lists["u001"] = [i for i in lists["u001"] if i not in test["u001"]]  # one target is not found: nothing was drawn
    found = rg.diagnose(rg.evaluate(test, lists, SHOPPING, train=TRAIN, items=CATALOGUE), scenario="shopping")

    assert "found-but-late" in found.codes
    assert not found.limits


@pytest.mark.parametrize("measure", ["R@50", "nDCG@50", "P@50"])
def test_popularity_is_looked_at_where_lists_end_and_the_measure_says_so(measure: str):
    ev = recommended(own_lists(), [measure])
    found = beside_popular(ev, measure)

    asked = measure.replace("50", "10")
    popular = rg.evaluate(HELD_OUT, rg.baseline(TRAIN, k=50, users=USERS), [asked])
    assert found is not None
    assert (found.measure, found.popular) == (asked, popular[asked])
    assert found.value == recommended(own_lists(), [asked])[asked]
    said = rg.diagnose(ev).notes
    assert said[0].startswith(f"{asked} is ")
    for c in said[0].claims:
        assert holds(c, inputs(own_lists())), c
    assert said[1] == f"no list has more than 10 results: {measure} sees no further"


def test_the_measure_where_lists_end_is_named_as_it_was_asked_for():
    test = {u: dict.fromkeys(items, 4.0) for u, items in HELD_OUT.items()}
    ev = rg.evaluate(test, own_lists(), ["R@50"], train=TRAIN, items=CATALOGUE, rel=4)

    assert rg.diagnose(ev).notes[0].startswith("R@10 is ")


def test_lists_that_end_before_a_measure_are_named_in_a_diagnosis_of_two():
    both = rg.compare(HELD_OUT, {"old": few_hits(), "new": own_lists()}, "R@50", train=TRAIN)
    said = rg.diagnose(both).notes

    assert "old: no list has more than 10 results: R@50 sees no further." in said
    assert "new：列表最多 10 条结果：R@50 看不到更后面。" in [x.zh for x in said]


# what is shown beside what is found

SHOWN = ["nDCG@10", "MIUF@10", "APLT@10"]


def lists_for(narrow: bool) -> dict[str, list[str]]:
    """What is wanted comes first (narrow: among what is popular) or sixth, and once not at all."""
    popular = popular_lists(9)
    if narrow:
        return {u: [wanted(n), *(i for i in popular[u] if i != wanted(n))] for n, u in enumerate(USERS)}
    return {**own_lists(first=5), "u000": own_lists(good=False)["u000"]}


def test_a_loss_in_what_is_shown_beside_a_gain_in_accuracy_is_one_finding_of_both():
    runs = {"old": lists_for(False), "new": lists_for(True)}
    compared = rg.compare(HELD_OUT, runs, SHOWN, train=TRAIN, items=CATALOGUE)
    assert [compared[m].verdict for m in SHOWN] == ["better", "worse", "worse"]

    found = rg.diagnose(compared)

    assert "worse-than-baseline" not in found.codes
    trade = found["accuracy-for-variety"]
    assert trade.severity == "warning"
    assert trade.title == "More accurate, and worse in what is shown: MIUF@10, APLT@10"
    assert trade.title.zh == "更准了，但展示变差了：MIUF@10，APLT@10"
    assert all(m in trade.seen for m in SHOWN)
    assert {(c.measure, c.value) for c in trade.claims if c.what == "verdict"} == {
        (m, compared[m].verdict) for m in SHOWN
    }


def test_a_query_is_named_where_it_lost_in_a_measure_of_relevance():
    runs = {"old": lists_for(True), "new": lists_for(False)}
    asked = [*SHOWN[1:], "nDCG@10"]
    lost = rg.diagnose(rg.compare(HELD_OUT, runs, asked, train=TRAIN, items=CATALOGUE))["worse-than-baseline"]
    assert lost.severity == "critical"
    assert lost.do.endswith(f"Look at a lost query first: {lost.evidence[0]}.")

    runs = {"old": lists_for(False), "new": {**lists_for(False), **{u: popular_lists()[u] for u in USERS[:40]}}}
    shown = rg.diagnose(rg.compare(HELD_OUT, runs, ["APLT@10"], train=TRAIN, items=CATALOGUE))["worse-than-baseline"]
    assert "--query" not in shown.do
    assert not shown.evidence


def test_users_who_are_served_late_are_not_asked_for_their_words():
    early, late = own_lists(), own_lists(first=6)
    lists = {u: (late if n % 3 == 1 else early)[u] for n, u in enumerate(USERS)}
    lists["u000"] = own_lists(good=False)["u000"]
    check = rg.diagnose(recommended(lists))["blunt-top"].check

    assert check.startswith("Whether the users listed share a trait")
    assert check.zh.startswith("看列出的用户是否有共同点")
    assert "rare words" in rg.diagnose(evaluated([7, 1] * 30))["blunt-top"].check


def test_users_without_a_list_are_to_be_served_and_queries_to_be_run_again():
    lists = own_lists()
    some = {u: lists[u] for u in USERS[5:]}

    of_users = rg.diagnose(recommended(some))["missing-queries"]
    assert "Give them a list too" in of_users.do
    assert of_users.do.zh.startswith("也给这些用户出列表")

    of_queries = rg.diagnose(rg.evaluate(QRELS, {u: dict.fromkeys(x, 1.0) for u, x in some.items()}, "R@5"))
    assert of_queries["missing-queries"].do.startswith("Run them again.")


def test_expected_ties_are_advised_only_for_the_measures_that_have_them():
    tied = {u: dict.fromkeys(items, 1.0) for u, items in own_lists().items()}
    alone = rg.diagnose(rg.evaluate(HELD_OUT, tied, ["nDCG@2"], train=TRAIN))["ties-matter"]
    beside = rg.diagnose(rg.evaluate(HELD_OUT, tied, ["nDCG@2", "Coverage@10"], train=TRAIN))["ties-matter"]

    assert alone.do.endswith("which depends on no order.")
    assert "with measures of relevance alone" in beside.do
    rg.evaluate(HELD_OUT, tied, ["nDCG@2"], train=TRAIN, ties="expected")
    with pytest.raises(rg.errors.ParameterError):
        rg.evaluate(HELD_OUT, tied, ["nDCG@2", "Coverage@10"], train=TRAIN, ties="expected")
