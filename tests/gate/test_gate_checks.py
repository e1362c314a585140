"""Single rules: when they pass, fail, or are not settled, against numbers anyone can redo."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest
from scipy import stats

import rankgauge as rg
from rankgauge.errors import InputError
from rankgauge.gate import at_least, at_most, not_worse
from rankgauge.gate.checks import loss_of, part_of


def at_ranks(*ranks: int, measure: str = "RR", **options: Any) -> Any:
    """An evaluation of queries whose one relevant item is at these ranks; 0 shows nothing."""
    qrels = {f"q{i}": {"a": 1} for i in range(len(ranks))}
    run = {f"q{i}": [*(f"x{j}" for j in range(1, r)), "a"] for i, r in enumerate(ranks) if r}
    return rg.evaluate(qrels, run or {"other": ["a"]}, [measure], **options)


# floors


@pytest.mark.parametrize(
    ("limit", "certain", "outcome"),
    [
        (0.75, False, "pass"),
        (0.76, False, "fail"),
        (0.74, True, "inconclusive"),
        (0.2, True, "pass"),
        (0.76, True, "fail"),
    ],
)
def test_floor_of_a_mean_of_three_quarters(limit: float, certain: bool, outcome: str) -> None:
    check = at_least(at_ranks(1, 2, 1, 2, 1, 2), "RR", limit, certain=certain)

    assert (check.value, check.outcome, check.n) == (0.75, outcome, 6)
    half = stats.t.ppf(0.95, 5) * sqrt(0.075 / 6)  # variance 6 · 0.25² / 5
    assert check.interval == pytest.approx((0.75 - half, min(0.75 + half, 1.0)))


def test_floor_is_not_missed_by_a_last_digit() -> None:
    assert at_least(at_ranks(3, 3, 3), "RR", 0.1 + 0.2 + 1 / 3 - 0.3).outcome == "pass"


def test_floor_where_lower_is_better_is_a_ceiling() -> None:
    ev = at_ranks(2, 2, measure="Unjudged@2")  # one of two is unjudged

    assert at_least(ev, "Unjudged@2", 0.5).outcome == "pass"
    failed = at_least(ev, "Unjudged@2", 0.4)
    assert (failed.outcome, failed.title) == ("fail", "Unjudged@2 <= 0.4")


def test_a_failed_floor_names_the_lowest_queries() -> None:
    check = at_least(at_ranks(1, 4, 2), "RR", 0.9)

    assert check.worst == [("q1", 0.25), ("q2", 0.5), ("q0", 1.0)]
    assert "mean 0.5833" in check.message


def test_a_certain_floor_without_an_interval_is_inconclusive() -> None:
    check = at_least(at_ranks(1), "RR", 0.5, certain=True)

    assert check.outcome == "inconclusive"
    assert check.message.endswith("the mean reaches it, but has no interval")


def test_an_undefined_mean_is_invalid() -> None:
    ev = rg.evaluate({"q": {"a": 0}}, {"q": ["a"]}, "RR", no_relevant="nan")

    with pytest.raises(InputError, match="RR: the mean must be a number, got NaN over 1 query"):
        at_least(ev, "RR", 0.5)


# against the baseline


def test_not_worse_is_the_one_sided_t_test() -> None:
    old, new = at_ranks(1, 2, 1, 2, 4, 1, 2, 1), at_ranks(1, 1, 2, 2, 4, 1, 1, 1)  # +.5 -.5 +.5
    differences = [0, 0.5, -0.5, 0, 0, 0, 0.5, 0]
    mean, sd = 0.0625, stats.tstd(differences)
    low, high = (mean + s * stats.t.ppf(0.9, 7) * sd / sqrt(8) for s in (-1, 1))

    check = not_worse(new, old, "RR", 0.05, alpha=0.1)

    assert check.value == pytest.approx(mean)
    assert check.interval == pytest.approx((low, high))
    assert check.outcome == "inconclusive"
    assert not_worse(new, old, "RR", -low + 1e-6, alpha=0.1).outcome == "pass"
    assert not_worse(new, old, "RR", -low - 1e-6, alpha=0.1).outcome == "inconclusive"
    loss = loss_of(new, old, "RR", 0.05)
    assert loss.p_worse == pytest.approx(stats.ttest_1samp(differences, -0.05, alternative="less").pvalue)


def test_worse_beyond_the_margin_fails_just_where_the_interval_ends() -> None:
    old, new = at_ranks(*[1] * 8), at_ranks(2, 2, 2, 4, 2, 2, 4, 1)
    high = not_worse(new, old, "RR", 0).interval.high

    assert high < 0
    assert not_worse(new, old, "RR", -high - 1e-6).outcome == "fail"
    assert not_worse(new, old, "RR", -high + 1e-6).outcome == "inconclusive"


def test_more_queries_would_settle_it() -> None:
    old, new = at_ranks(1, 2, 1, 2, 1, 1), at_ranks(1, 1, 2, 2, 1, 1)
    loss = loss_of(new, old, "RR", 0.02)
    n = int(loss.more) + 6
    sd = stats.tstd([0, 0.5, -0.5, 0, 0, 0])

    def power(n: int) -> float:
        return float(stats.nct.sf(stats.t.ppf(0.95, n - 1), n - 1, 0.02 * sqrt(n) / sd))

    assert power(n) >= 0.8 > power(n - 1)
    assert f"about {n - 6:,} more queries like these would settle it" in loss.check().message


def test_nothing_changed_passes_without_a_margin() -> None:
    ev = at_ranks(1, 2, 4)

    assert not_worse(ev, ev, "RR", 0).outcome == "pass"


def test_the_same_loss_of_many_queries_is_certain() -> None:
    old, new = at_ranks(*[1] * 60), at_ranks(*[2] * 60)

    assert not_worse(new, old, "RR", 0.4).outcome == "fail"
    assert not_worse(new, old, "RR", 0.6).outcome == "pass"
    assert "no number of queries settles" in not_worse(new, old, "RR", 0.5).message


@pytest.mark.parametrize("n", [0, 1])
def test_fewer_than_two_pairs_settle_nothing(n: int) -> None:
    new, old = at_ranks(*[1] * n, 0, missing="skip"), at_ranks(*[2] * n, 0, missing="skip")

    check = not_worse(new, old, "RR", 0.1)

    assert (check.outcome, check.n) == ("inconclusive", n)
    assert "at least 2 needed" in check.message


def test_one_query_that_did_not_change_passes_as_many_do() -> None:
    check = not_worse(at_ranks(2), at_ranks(2), "RR", 0)

    assert (check.outcome, check.n, check.value) == ("pass", 1, 0)
    assert check.message == "0.5000 to 0.5000, difference 0.0000 over 1 query, a loss of 0 allowed"


def test_a_floor_that_no_query_counts_for_is_inconclusive() -> None:
    ev = rg.evaluate({"q": {"a": 0}, "r": {"b": 0}}, {"q": ["a"], "r": ["b"]}, "RR")

    check = at_least(ev, "RR", 0.5)

    assert (check.outcome, check.n) == ("inconclusive", 0)
    assert check.message == "0 queries count for it, asked >= 0.5"


def test_lower_is_better_is_mirrored() -> None:
    measure = "Unjudged@4"  # 0, 1/4, 3/4 for the ranks 1, 2, 4
    old, new = at_ranks(1, 2, 1, 2, 1, measure=measure), at_ranks(2, 4, 4, 2, 4, measure=measure)

    worse = not_worse(new, old, measure, 0.01)
    better = not_worse(old, new, measure, 0.01)

    assert worse.value == pytest.approx((1 / 4 + 2 / 4 + 3 / 4 + 0 + 3 / 4) / 5)
    assert (worse.outcome, worse.limit) == ("fail", 0.01)
    assert worse.interval.low < worse.value < worse.interval.high
    assert worse.worst[0] == ("q2", pytest.approx(0.75))
    assert (better.outcome, better.value) == ("pass", pytest.approx(-worse.value))


def test_pairs_are_found_by_query_not_by_place() -> None:
    ev = at_ranks(1, 2, 4)
    turned = rg.evaluate({f"q{i}": {"a": 1} for i in (2, 0, 1)}, {"q0": ["a"], "q1": ["b", "a"]}, ["RR"])

    units = loss_of(ev, turned, "RR", 0).units
    assert dict(zip(units.query_ids, units.differences.tolist(), strict=True)) == {"q0": 0, "q1": 0, "q2": 0.25}


def test_undefined_values_are_invalid() -> None:
    ev = rg.evaluate({"q": {"a": 0}, "r": {"a": 1}}, {"q": ["a"]}, "RR", no_relevant="nan")

    with pytest.raises(InputError, match="must have a value for each query that counts, 1 of 2 have none"):
        not_worse(ev, ev, "RR", 0.1)


def test_only_the_queries_of_a_part_count() -> None:
    part = part_of(at_ranks(1, 2, 4), np.array([True, False, True]))

    assert (part["RR"], part.n("RR")) == (0.625, 2)


# ceilings


@pytest.mark.parametrize(
    ("limit", "value", "outcome"),
    [(2, 2, "pass"), (1, 2, "fail"), (0, 2, "fail"), (0.5, 0.5, "pass"), (0.4, 0.5, "fail")],
)
def test_missing_queries_by_count_and_share(limit: float, value: float, outcome: str) -> None:
    check = at_most(at_ranks(1, 0, 0, 2), "missing_queries", limit)

    assert (check.value, check.outcome) == (value, outcome)
    assert "2 of 4 judged queries are not in the run" in check.message


def test_unjudged_is_a_share_of_the_first_results() -> None:
    ev = at_ranks(2, 2, measure="P@2")

    assert at_most(ev, "unjudged", 0.5).outcome == "pass"
    check = at_most(ev, "unjudged", 0.4)
    assert (check.title, check.value, check.outcome) == ("unjudged@2 <= 0.4", 0.5, "fail")


def test_unjudged_at_a_rank_of_its_own() -> None:
    ev = at_ranks(1, 3, measure="P@1")

    assert at_most(ev, "unjudged", 0.5).title == "unjudged@1 <= 0.5"
    assert at_most(ev, "unjudged@5", 0.5).value == 0.5  # two of the four shown


def test_a_run_without_results_is_not_well_judged() -> None:
    check = at_most(at_ranks(0, 0), "unjudged", 0.5)

    assert check.outcome == "fail"
    assert check.message.startswith("the run has no results")


def test_duplicates_and_nan_scores() -> None:
    nan = float("nan")
    ev = rg.evaluate({"q": {"a": 1}}, {"q": [("a", 2.0), ("a", 1.0), ("b", nan)]}, "RR")

    assert at_most(ev, "duplicates", 0).value == 1
    assert at_most(ev, "nan_scores", 0).outcome == "fail"


def test_a_few_equal_values_make_no_floor_certain():
    few, many = ({f"q{i}": ["a"] for i in range(n)} for n in (2, 200))

    two = at_least(rg.evaluate(few, few, "RR"), "RR", 0.5, certain=True)
    enough = at_least(rg.evaluate(many, many, "RR"), "RR", 0.5, certain=True)

    assert two.outcome == "inconclusive"  # 1 - 0.05^(1/2) = 78% of other queries could be at 0
    assert two.message.en.endswith("so few of them prove nothing about others")
    assert two.message.zh.endswith("查询太少，不足以推及其他查询")
    assert enough.outcome == "pass"  # 1 - 0.05^(1/200) = 1.5%


def three(new: list[str], old: list[str], n: int = 3) -> tuple[Any, Any]:
    qrels = {f"q{i}": {"a": 1} for i in range(n)}
    runs = {"new": new, "old": old}
    found = {name: rg.evaluate(qrels, dict.fromkeys(qrels, found), "nDCG@10") for name, found in runs.items()}
    return found["new"], found["old"]


@pytest.mark.parametrize(("n", "outcomes"), [(3, ("inconclusive", "inconclusive")), (60, ("fail", "pass"))])
def test_few_equal_changes_settle_nothing(n: int, outcomes: tuple[str, str]):
    """Of 3 queries that all lose 0.37, up to 63% of others could be different, and win: 1 - 0.05^(1/3)."""
    late, early = three(["z", "a"], ["a", "z"], n)

    loss, gain = not_worse(late, early, "nDCG@10", 0.01), not_worse(early, late, "nDCG@10", 0.01)

    assert (loss.outcome, gain.outcome) == outcomes
    if n == 3:
        assert "all queries changed by the same, and so few of them prove nothing about others" in loss.message
    assert not_worse(early, early, "nDCG@10", 0.01).outcome == "pass"  # nothing changed at all


def test_the_p_value_of_equal_changes_is_the_level_at_which_they_decide():
    late, early = three(["z", "a"], ["a", "z"], 9)
    p = loss_of(late, early, "nDCG@10", 0.01).p_worse

    for alpha, outcome in ((p * 1.01, "fail"), (p * 0.99, "inconclusive")):
        loss = loss_of(late, early, "nDCG@10", 0.01, alpha=alpha)
        assert loss.check().outcome == outcome
        assert (loss.reliable.high < -0.01) == (outcome == "fail")


def test_the_interval_of_a_loss_is_one_that_can_be():
    qrels = {"q1": {"a": 1}, "q2": {"b": 1}}
    old, new = (rg.evaluate(qrels, {"q1": ["a"], "q2": [x]}, "nDCG@10") for x in ("b", "w"))

    assert not_worse(new, old, "nDCG@10", 0.01).interval == (-1, 1)


def test_a_mean_just_below_the_floor_is_written_so():
    values = {f"q{i}": ["a"] if i < 10_000 else ["z"] for i in range(20_001)}
    ev = rg.evaluate({q: {"a": 1} for q in values}, values, "P@1")

    check = at_least(ev, "P@1", 0.5)

    assert check.outcome == "fail"
    assert "mean 0.49998 (" in check.message
    half = at_least(rg.evaluate({"q": {"a": 1}, "r": {"a": 1}}, {"q": ["a"], "r": ["z"]}, "P@1"), "P@1", 0.50000001)
    assert (half.outcome, half.title) == ("fail", "P@1 >= 0.50000001")
