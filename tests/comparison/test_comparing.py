"""`compare`: pairs, verdicts, what may not be compared, and how often it errs."""

from __future__ import annotations

from dataclasses import replace
from math import isnan
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import rankgauge as rg
from rankgauge.comparison.verdict import VERDICTS, verdict_of
from rankgauge.errors import InputError, ParameterError, UnknownName
from rankgauge.evaluation.rankings.policy import Policy
from rankgauge.evaluation.rankings.record import Column, RankingEvaluation
from rankgauge.measures import RR
from rankgauge.statistics.intervals import Interval

QRELS = {f"q{i}": {"d": 1} for i in range(12)}


def run(ranks: list[int]) -> dict[str, list[str]]:
    """The only relevant item at these ranks."""
    return {f"q{i}": [*(f"x{j}" for j in range(1, r)), "d"] for i, r in enumerate(ranks)}


OLD = run([1, 2, 2, 3, 4, 1, 2, 5, 3, 2, 4, 2])
NEW = run([1, 1, 1, 2, 2, 1, 1, 2, 1, 3, 2, 1])


def evaluation(values: np.ndarray, name: str = "a") -> RankingEvaluation:
    return RankingEvaluation(
        columns=[Column("RR", RR(), np.asarray(values, dtype=float), np.ones(len(values), dtype=bool))],
        query_ids=[f"q{i}" for i in range(len(values))],
        policy=Policy(),
        counts={"queries": len(values)},
        run=name,
    )


def test_all_that_is_said_about_a_difference():
    c = rg.compare(QRELS, {"old": OLD, "new": NEW}, ["RR"], test="t")["RR"]

    a, b = (rg.evaluate(QRELS, r, "RR") for r in (OLD, NEW))
    x, y = a.column("RR").values, b.column("RR").values
    d = y - x
    assert (c.mean_baseline, c.mean) == (a["RR"], b["RR"])
    assert c.difference == pytest.approx(d.mean())
    assert c.relative == pytest.approx(d.mean() / x.mean())
    assert c.interval == pytest.approx(stats.t.interval(0.95, 11, d.mean(), stats.sem(d)))
    assert c.p_value == pytest.approx(stats.ttest_rel(y, x).pvalue)
    assert c.effect == pytest.approx(d.mean() / d.std(ddof=1))
    assert (c.wins, c.ties, c.losses) == ((d > 0).sum(), (d == 0).sum(), (d < 0).sum())
    assert (c.n, c.verdict) == (12, "better")


@pytest.mark.parametrize("test", ["randomisation", "t", "wilcoxon", "sign", "bootstrap"])
def test_every_test_sees_a_plain_difference(test: str):
    worse = run([5] * 12)
    better = run([1] * 11 + [2])

    assert rg.compare(QRELS, {"a": worse, "b": better}, "RR", test=test).verdict("RR") == "better"
    assert rg.compare(QRELS, {"a": better, "b": worse}, "RR", test=test).verdict("RR", "b") == "worse"


def test_the_baseline_is_the_first_or_the_one_said():
    runs = {"old": OLD, "new": NEW, "newer": OLD}

    assert rg.compare(QRELS, runs, "RR").baseline == "old"
    c = rg.compare(QRELS, runs, "RR", baseline="new")
    assert c.systems == ["old", "newer"]
    assert c["RR", "old"].difference == c["RR", "newer"].difference < 0
    with pytest.raises(ParameterError, match="`baseline` must be one of old, new, newer, got 'nwe'"):
        rg.compare(QRELS, runs, "RR", baseline="nwe")
    with pytest.raises(UnknownName, match=r"no system 'nex'. Did you mean new"):
        rg.compare(QRELS, runs, "RR")["RR", "nex"]


def test_p_values_are_corrected_over_measures_and_systems():
    runs = {"old": OLD, "new": NEW, "other": run([2, 1, 2, 2, 4, 1, 2, 4, 3, 2, 4, 1])}
    plain = rg.compare(QRELS, runs, ["RR", "Hit@1"], correction="none", test="t")
    holm = rg.compare(QRELS, runs, ["RR", "Hit@1"], test="t")
    bonferroni = rg.compare(QRELS, runs, ["RR", "Hit@1"], correction="bonferroni", test="t")

    raw = [c.p_value for c in plain]
    assert [c.p_corrected for c in plain] == raw
    assert [c.p_corrected for c in bonferroni] == pytest.approx([min(1, 4 * p) for p in raw])
    assert all(p <= q for p, q in zip(raw, [c.p_corrected for c in holm], strict=True))
    assert holm.family == 4
    assert "corrected by holm over 4 comparisons" in str(holm)


def test_measures_where_less_is_better():
    @rg.measure(higher_is_better=False, bounds=(0, 100))
    def FirstRank(a):
        "At which rank is the first relevant result?"
        return a.first_rank(a.relevant(1)).astype(float)

    c = rg.compare(QRELS, {"old": OLD, "new": NEW}, "FirstRank")

    assert c["FirstRank"].difference < 0
    assert c.verdict("FirstRank") == "better"
    assert c["FirstRank"].wins > c["FirstRank"].losses
    gained, lost = c.moved("FirstRank")
    assert (gained["difference"] < 0).all()
    assert (lost["difference"] > 0).all()


# verdicts


@pytest.mark.parametrize(
    ("difference", "p", "interval", "margin", "verdict"),
    [
        (0.1, 0.01, (0.05, 0.15), None, "better"),
        (-0.1, 0.01, (-0.15, -0.05), None, "worse"),
        (0.1, 0.2, (-0.05, 0.25), None, "inconclusive"),
        (0.001, 0.8, (-0.004, 0.006), 0.01, "equivalent"),
        (0.001, 0.8, (-0.004, 0.006), 0.005, "inconclusive"),
        (0.004, 0.001, (0.002, 0.006), 0.01, "equivalent"),  # real, and too small to matter
        (0.02, 0.001, (0.01, 0.03), 0.015, "better"),
        (0.0, float("nan"), (float("nan"), float("nan")), None, "inconclusive"),
    ],
)
def test_verdicts(difference: float, p: float, interval: tuple[float, float], margin: float | None, verdict: str):
    assert verdict_of(difference, p, Interval(*interval), alpha=0.05, margin=margin) == verdict
    assert verdict in VERDICTS


def test_an_open_question_says_how_many_more_queries_would_settle_it():
    rng = np.random.default_rng(0)
    x = rng.random(60)
    c = rg.compare({"a": evaluation(x), "b": evaluation(x + 0.03 + rng.normal(scale=0.2, size=60))}, None, "RR")["RR"]

    assert c.verdict == "inconclusive"
    sd = abs(c.difference / c.effect)
    n = 60 + c.more
    ncp = abs(c.difference) / sd * np.sqrt(n)
    power = stats.nct.sf(stats.t.ppf(0.975, n - 1), n - 1, ncp)
    assert power == pytest.approx(0.8, abs=0.01)


@pytest.mark.parametrize(("correction", "tests"), [("holm", 4), ("bonferroni", 4), ("bh", 4), ("none", 1)])
def test_what_is_detectable_and_how_many_more_know_the_correction_that_decides(correction: str, tests: int):
    """With four tests the smallest p-value has to be below alpha / 4."""
    rng = np.random.default_rng(0)
    x = rng.random(60)
    systems = {f"s{i}": evaluation(x + 0.03 + rng.normal(scale=0.2, size=60)) for i in range(4)}
    found = rg.compare({"a": evaluation(x), **systems}, None, "RR", correction=correction)

    c = next(c for c in found if c.verdict == "inconclusive")
    sd, level = abs(c.difference / c.effect), 0.05 / tests
    for n, effect in ((60 + c.more, abs(c.difference)), (60, c.detectable)):
        power = stats.nct.sf(stats.t.ppf(1 - level / 2, n - 1), n - 1, effect / sd * np.sqrt(n))
        assert power == pytest.approx(0.8, abs=0.01)


def quiet(rng: np.random.Generator) -> np.ndarray:
    """Most of 50 queries do not move, a few move a lot, to either side alike."""
    return rng.choice([0.0, 1.0], p=[0.6, 0.4], size=50) * rng.exponential(0.2, 50) * rng.choice([-1, 1], 50)


def skewed(rng: np.random.Generator) -> np.ndarray:
    """100 queries: many lose a little, a few win a lot, 0 on average."""
    return 0.1 * (rng.exponential(1, 100) - 1)


@pytest.mark.long("simulations of error rates and coverage")
@pytest.mark.parametrize("differences", [quiet, skewed])
def test_false_verdicts_are_as_rare_as_alpha_says(differences):
    """2,000 comparisons of systems that do not differ."""
    rng = np.random.default_rng(7)
    wrong = 0
    for _ in range(2000):
        moved = differences(rng)
        x = rng.random(len(moved))
        found = rg.compare({"a": evaluation(x), "b": evaluation(x + moved)}, None, "RR", permutations=999)
        wrong += found.verdict("RR") != "inconclusive"

    assert 0.03 <= wrong / 2000 <= 0.07


# several runs of one system


def test_seeds_are_averaged_per_query_before_pairing():
    c = rg.compare(QRELS, {"old": OLD, "new": [NEW, OLD]}, "RR", test="t")

    a, b = (rg.evaluate(QRELS, r, "RR").column("RR").values for r in (OLD, NEW))
    assert c["RR"].p_value == pytest.approx(stats.ttest_rel((a + b) / 2, a).pvalue)
    assert c.seeds == {"new": 2}
    assert c.seed_spread["RR", "new"] == pytest.approx(np.std([a.mean(), b.mean()], ddof=1))
    assert "new: mean of 2 runs per query" in str(c)


# what may not be compared


def test_stored_evaluations_compare_like_live_ones(tmp_path: Path):
    for name, r in (("old", OLD), ("new", NEW)):
        rg.evaluate(QRELS, r, ["RR", "Hit@1"]).to_json(tmp_path / f"{name}.json")

    stored = rg.compare([tmp_path / "old.json", tmp_path / "new.json"])
    live = rg.compare(QRELS, {"old": OLD, "new": NEW}, ["RR", "Hit@1"])
    assert [c.to_dict() for c in stored] == [c.to_dict() for c in live]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"no_relevant": "zero"}, "'old' and 'new' were evaluated under other policies: no_relevant=skip and zero"),
        ({"convention": "ranx"}, "convention=rankgauge and ranx"),
    ],
)
def test_other_policies_are_refused(change: dict[str, str], message: str):
    a, b = rg.evaluate(QRELS, OLD, "RR"), rg.evaluate(QRELS, NEW, "RR", **change)

    with pytest.raises(InputError, match=message):
        rg.compare({"old": a, "new": b})


def test_other_queries_are_refused():
    fewer = {q: QRELS[q] for q in list(QRELS)[:10]}

    with pytest.raises(InputError, match=r"2 of 12 queries are only in 'old' \(q10, q11\)"):
        rg.compare({"old": rg.evaluate(QRELS, OLD, "RR"), "new": rg.evaluate(fewer, NEW, "RR")})


def test_changed_judgements_are_refused():
    changed = {**QRELS, "q3": {"d": 1, "x1": 1}}

    with pytest.raises(InputError, match=r"the judgements of 'old' and 'new' differ .* one of them is stale"):
        rg.compare({"old": rg.evaluate(QRELS, OLD, "RR"), "new": rg.evaluate(changed, NEW, "RR")})


def test_judgements_in_another_order_are_the_same():
    shuffled = dict(reversed(QRELS.items()))
    a, b = rg.evaluate(QRELS, OLD, "RR"), rg.evaluate(shuffled, NEW, "RR")

    assert a.fingerprint == b.fingerprint
    assert rg.compare({"old": a, "new": b})["RR"].difference == pytest.approx(b["RR"] - a["RR"])


def test_other_definitions_of_a_name_are_refused():
    a = rg.evaluate(QRELS, OLD, "RR")
    b = rg.evaluate(QRELS, NEW, "RR")
    b = replace(b, columns=[replace(b.columns[0], measure=RR(k=3))])

    with pytest.raises(InputError, match="RR is RR in 'old' and RR@3 in 'new'"):
        rg.compare({"old": a, "new": b})


def test_refusals():
    with pytest.raises(InputError, match="two systems or more, got 1"):
        rg.compare({"old": rg.evaluate(QRELS, OLD, "RR")})
    with pytest.raises(ParameterError, match=r"`alpha` must be between 0 and 0.5"):
        rg.compare(QRELS, {"a": OLD, "b": NEW}, "RR", alpha=0.9)
    with pytest.raises(UnknownName, match="'tt'"):
        rg.compare(QRELS, {"a": OLD, "b": NEW}, "RR", test="tt")
    with pytest.raises(ParameterError, match="`pairs` must be one of baseline, all, got"):
        rg.compare(QRELS, {"a": OLD, "b": NEW}, "RR", pairs="some")
    with pytest.raises(InputError, match="cannot be compared with each other"):
        rg.compare(
            {
                "a": rg.evaluate(QRELS, OLD, "RR"),
                "b": rg.evaluate_predictions({"label": [0, 1], "score": [0.1, 0.2]}, "AUC"),
            }
        )


# where it moved


def test_slices_are_corrected_and_the_largest_loss_comes_first():
    slices = {f"q{i}": {"kind": "even" if i % 2 == 0 else "odd"} for i in range(12)}

    c = rg.compare(QRELS, {"old": NEW, "new": OLD}, "RR", slices=slices)

    assert [x.slice for x in c.sliced] == sorted(
        (x.slice for x in c.sliced), key=lambda s: next(x.n * x.difference for x in c.sliced if x.slice == s)
    )
    assert {x.slice for x in c.sliced} == {"kind=even", "kind=odd"}
    assert all(x.p_corrected >= x.p_value for x in c.sliced)


def test_what_moved_is_told_of_the_first_measure_in_which_something_did():
    qrels = {f"q{i}": ["a"] for i in range(8)}
    late, early = {q: ["x", "a"] for q in qrels}, {q: ["a", "x"] for q in qrels}

    moved = str(rg.compare(qrels, {"late": late, "early": early}, ["Hit@2", "RR@2"]))
    same = str(rg.compare(qrels, {"late": late, "again": dict(late)}, ["Hit@2", "RR@2"]))

    assert "What moved most: RR@2, early" in moved
    assert "What moved most" not in same


def test_queries_that_moved_most():
    c = rg.compare(QRELS, {"old": OLD, "new": NEW}, "RR")
    gained, lost = c.moved("RR", n=2)

    assert gained["difference"].to_list() == pytest.approx([2 / 3, 0.5])  # q8: 1/3 → 1, then one of those from 1/2 to 1
    assert lost["query_id"].to_list() == ["q9"]  # 1/2 → 1/3
    assert c.query("q9", measure="RR").difference == pytest.approx(1 / 3 - 1 / 2)


def test_where_only_right_answers_are_judged_nothing_is_only_from_unjudged_results():
    """As in leave-one-out: what is not judged is wrong, and not merely unknown."""
    qrels = {f"u{i}": {"t": 1} for i in range(8)}
    cmp = rg.compare(qrels, {"old": {u: ["t", "x"] for u in qrels}, "new": {u: ["x", "t"] for u in qrels}}, "RR")

    assert not cmp.differences("RR")["only_unjudged"].any()
    assert "judged" not in str(cmp)


def test_differences_only_from_unjudged_results_and_ties_are_flagged():
    qrels = {"q1": {"d": 1, "wrong": 0}, "q2": {"d": 1}}
    old = {"q1": {"d": 3.0, "x": 2.0}, "q2": {"d": 2.0, "x": 1.0}}
    new = {"q1": {"u": 3.0, "d": 2.0}, "q2": {"d": 1.0, "zz": 1.0}}

    frame = rg.compare(qrels, {"old": old, "new": new}, "RR").differences("RR").sort("query_id")

    assert frame["difference"].to_list() == [-0.5, -0.5]
    assert frame["only_unjudged"].to_list() == [True, True]
    assert frame["only_ties"].to_list() == [False, True]


def test_judging_more_could_change_who_wins():
    qrels = {f"q{i}": {"d": 1} for i in range(6)}
    old = {q: ["d", "x"] for q in qrels}
    new = {q: ["u", "d"] for q in qrels}

    winner = rg.compare(qrels, {"old": old, "new": new}, "P@1").winner("P@1")

    assert (winner.low, winner.high) == (-1.0, 0.0)  # at best the unjudged first result is relevant, too
    assert winner.could_change  # and then nobody wins
    assert rg.compare(qrels, {"old": old, "new": new}, "P@2").winner("P@2").could_change  # both have one of two


# labels and scores


def test_two_models_on_the_same_rows():
    rng = np.random.default_rng(0)
    p = rng.beta(1, 8, 4000)
    rows = {
        "label": rng.random(4000) < p,
        "score": {"noisy": np.clip(p * rng.uniform(0.3, 1.7, 4000), 0, 1), "true": p},
        "group": rng.integers(400, size=4000),
    }
    evs = rg.evaluate_predictions(rows, ["AUC", "LogLoss"])

    c = rg.compare(dict(evs))

    assert [x.verdict for x in c] == ["better", "better"]
    d = evs.difference("AUC", "true", "noisy")
    assert c["AUC"].p_value == d.p_value
    assert c["AUC"].interval == pytest.approx(d.interval)
    assert c["AUC"].n == len(np.unique(rows["group"]))
    assert "paired t test over groups" in str(c)
    with pytest.raises(InputError, match="no queries to look at"):
        c.differences("AUC")


def test_plain_data_and_tables():
    c = rg.compare(QRELS, {"old": OLD, "new": NEW}, ["RR", "Hit@1"])

    data = c.to_dict()
    assert [x["measure"] for x in data["contrasts"]] == ["RR", "Hit@1"]
    assert data["contrasts"][0]["verdict"] == c.verdict("RR")
    assert c.to_frame()["difference"].to_list() == [x.difference for x in c]
    assert c.to_csv().startswith("measure,system,baseline,mean,")
    for text in (c.to_markdown(), c.to_latex(), c.to_html()):
        assert "better" in text
    assert not isnan(c["RR"].detectable)


def test_a_system_cannot_be_called_like_a_column():
    qrels, run = {"q1": {"d": 1}, "q2": {"d": 1}}, {"q1": ["d"], "q2": ["x", "d"]}

    with pytest.raises(InputError, match="a system cannot be called 'difference'"):
        rg.compare(qrels, {"old": run, "difference": run}, "RR")


def test_stored_evaluations_in_another_order_of_queries_are_paired_by_query():
    qrels = {f"q{i}": {"d": 1} for i in range(8)}
    old = {q: ["x"] * (i % 4) + ["d"] for i, q in enumerate(qrels)}
    new = {q: ["d"] if i % 2 else ["y", "d"] for i, q in enumerate(qrels)}
    turned = dict(reversed(qrels.items()))

    same = rg.compare({"old": rg.evaluate(qrels, old, "RR"), "new": rg.evaluate(qrels, new, "RR")})
    other = rg.compare({"old": rg.evaluate(qrels, old, "RR"), "new": rg.evaluate(turned, new, "RR")})

    assert other.differences("RR", "new").equals(same.differences("RR", "new"))
    assert other["RR", "new"] == same["RR", "new"]


def test_five_queries_find_nothing_by_signs_and_six_may():
    """Two of 2^5 choices of signs are 6%: a p-value below 5% cannot be had."""
    for n, finds in ((5, False), (6, True)):
        qrels = {f"q{i}": {"d": 1} for i in range(n)}
        old = {q: ["x"] * (1 + i % 2) + ["d"] for i, q in enumerate(qrels)}
        c = rg.compare(qrels, {"old": old, "new": {q: ["d"] for q in qrels}}, "RR", duplicates="keep")["RR", "new"]
        assert (c.detectable == c.detectable) == finds
        assert (c.p_value < 0.05) == finds
        assert (c.more is not None and c.more >= 1) == (not finds)


def test_missing_queries_and_repeats_are_said_of_each_system():
    qrels = {f"q{i}": {"d": 1} for i in range(4)}
    old, new = {q: ["d"] for q in qrels}, {"q0": ["x", "x", "d"], "q1": ["d"]}

    notes = rg.compare(qrels, {"old": old, "new": new}, "RR").notes

    assert notes[0] == "new: 2 of 4 judged queries are not in the run (counted as empty lists; missing=zero)"
    assert notes[1].startswith("new: 1 repeated result in 1 query removed")
