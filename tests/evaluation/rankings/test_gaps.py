"""How much worse the worst-served group is: numbers by hand, intervals that hold, what is refused."""

from __future__ import annotations

import json
from itertools import combinations
from math import isnan, sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import rankgauge as rg
from chinese_errors import Files, says_in_both
from rankgauge._text import in_language
from rankgauge.evaluation.rankings.gaps import _Mean, _welch, gaps
from rankgauge.reporting.gaps import sections_of_gaps

LIBRARIES = Path(__file__).parents[2] / "measures" / "shown" / "libraries.json"


def evaluated(groups: dict[str, list[int]], measures="RR", **how):
    """Queries by group, with the rank of the one relevant result of each."""
    ranks = {f"{g}{i}": rank for g, ranks in groups.items() for i, rank in enumerate(ranks)}
    run = {q: [*(f"x{i}" for i in range(rank - 1)), "right"] for q, rank in ranks.items()}
    by = {f"{g}{i}": {"kind": g} for g, ranks in groups.items() for i in range(len(ranks))}
    return rg.evaluate({q: ["right"] for q in ranks}, run, measures, slices=by, **how)


def test_the_gap_is_between_the_best_and_the_worst_served_group():
    ev = evaluated({"a": [1, 1, 2], "b": [2, 4, 2], "c": [1, 2, 2]})
    found = ev.gaps(least=2)["kind", "RR"]
    means = {"a": (1 + 1 + 1 / 2) / 3, "b": (1 / 2 + 1 / 4 + 1 / 2) / 3, "c": (1 + 1 / 2 + 1 / 2) / 3}

    assert (found.best, found.worst, found.pairs) == ("a", "b", 3)
    assert found.difference == pytest.approx(means["a"] - means["b"])
    assert [(g.name, g.n) for g in found.groups] == [("a", 3), ("c", 3), ("b", 3)]
    assert found.mean_difference == pytest.approx(np.mean([abs(x - y) for x, y in combinations(means.values(), 2)]))
    low, high = stats.ttest_ind([1, 1, 0.5], [0.5, 0.25, 0.5], equal_var=False).confidence_interval(1 - 0.05 / 3)
    assert found.interval.low <= low < high <= found.interval.high  # whole degrees of freedom: a little wider


def test_where_lower_is_better_the_worst_group_has_the_highest_value():
    train = {"u": ["x0"] * 3}
    groups = {"a": [3, 3, 1], "b": [1, 1, 2]}
    ev = evaluated(groups, "ARP@1", train=train)

    found = ev.gaps(least=2)["kind", "ARP@1"]
    assert (found.best, found.worst) == ("b", "a")
    assert found.difference == pytest.approx(2 - 1)


def test_intervals_hold_no_difference_as_often_as_they_say():
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(300):
        values = [rng.beta(0.6, 0.8, n) for n in (12, 40, 80, 25)]
        means = sorted((_Mean(v.mean(), v.var(ddof=1) / len(v), len(v) - 1) for v in values), key=lambda m: m.value)
        found = _welch(means[-1].value - means[0].value, means[-1], means[0], 1 - 0.05 / 6)
        held += found.low <= 0
    assert 0.93 <= held / 300 <= 1


def test_mean_difference_is_mad_of_elliot():
    """UserMADranking of Elliot 0.3.1 (fc27efe), nDCG@5 by three groups of four users."""
    data = json.loads(LIBRARIES.read_text(encoding="utf-8"))["data"]
    expected = {"full": 0.09869397032195508, "uneven": 0.034354871194060076, "seen": 0.10514822273100266}
    for name, value in expected.items():
        told = {k: {u: [str(i) for i in ids] for u, ids in data[name][k].items()} for k in ("test", "recs")}
        groups = {u: {"group": g} for u, g in data[name]["user_group"].items()}
        ev = rg.evaluate(told["test"], told["recs"], "nDCG@5", slices=groups)
        assert ev.gaps(least=2)["group", "nDCG@5"].mean_difference == pytest.approx(value)


def test_small_groups_and_queries_without_a_value_are_left_out_and_told():
    ranks = {"a": [1, 1, 2], "b": [2, 4, 2], "c": [9], "": [9, 9, 9]}
    ev = evaluated(ranks)
    found = ev.gaps(least=3)

    assert {g.name for g in found["kind", "RR"].groups} == {"a", "b"}
    assert "kind: 1 group of fewer than 3 queries left out" in found.notes
    assert "kind: 3 queries without a value left out" in found.notes
    assert "RR by kind: no group is surely worse off; b is 0.4167 worse than a (" in str(found)


def test_a_few_equal_values_prove_little():
    """Three of a kind: at 97.5% each, up to 1 - 0.025^(1/3) of others may be unlike them, and anything from 0 to 1."""
    found = evaluated({"a": [1, 1, 1], "b": [2, 2, 2]}).gaps(least=2)
    unlike = 1 - 0.025 ** (1 / 3)

    assert found["kind", "RR"].difference == 0.5
    assert found["kind", "RR"].interval == pytest.approx((1 - unlike - (0.5 + unlike / 2), 0.5 + unlike / 2))
    assert "no group is surely worse off; b is 0.5000 worse than a (" in str(found)
    many = evaluated({"a": [1] * 200, "b": [2] * 200}).gaps()
    assert "b is served worst, surely worse than a" in str(many)


def test_equal_values_of_a_measure_without_bounds_prove_nothing():
    found = evaluated({"a": [3] * 12, "b": [1, 1, 2] * 4}, "ARP@1", train={"u": ["x0"] * 3}).gaps()

    assert isnan(found["kind", "ARP@1"].interval.low)
    assert "how sure that is cannot be told" in str(found)


def test_equal_groups_do_not_differ():
    title = sections_of_gaps(evaluated({"a": [1] * 10, "b": [1] * 10}).gaps())[0].title

    assert in_language(title, "en") == "RR by kind: no difference between the groups"
    assert in_language(title, "zh") == "RR 按 kind：各组没有差异"


@pytest.mark.slow
@pytest.mark.parametrize(("rate", "n"), [(0.1, 10), (0.05, 10), (0.9, 12)])
def test_groups_that_are_served_alike_are_seldom_called_worse(rate, n):
    """A small group without a single hit is no proof."""
    rng = np.random.default_rng(5)
    wrong = 0
    for _ in range(100):
        ranks = {g: np.where(rng.random(size) < rate, 1, 2).tolist() for g, size in (("a", n), ("b", 400))}
        wrong += evaluated(ranks, "Hit@1").gaps()["kind", "Hit@1"].interval.low > 0
    assert wrong <= 10  # 5%: more than 10 of 100 is one in 90


def test_a_sure_gap_is_called_so():
    found = evaluated({"a": [1, 2] * 30, "b": [4, 9] * 30}).gaps()

    row = found["kind", "RR"]
    assert row.interval.low > 0
    assert str(found).startswith("RR by kind: b is served worst, surely worse than a: by 0.5694 (")


def test_weights_count_for_what_they_leave_of_the_queries():
    groups = {"a": [1, 2, 2, 1], "b": [2, 3, 2, 4]}
    weights = {f"{g}{i}": [1.0, 2.0, 1.0, 4.0][i] for g in groups for i in range(4)}
    found = evaluated(groups, weights=weights).gaps(least=2)["kind", "RR"]
    w, a = np.array([1, 2, 1, 4]), np.array([1, 1 / 2, 1 / 2, 1])

    assert {g.name: g.value for g in found.groups}["a"] == pytest.approx((w * a).sum() / w.sum())
    plain = evaluated(groups).gaps(least=2)["kind", "RR"]
    b = np.array([1 / 2, 1 / 3, 1 / 2, 1 / 4])
    half = stats.t.ppf(0.975, 4) * sqrt(a.var(ddof=1) / 4 + b.var(ddof=1) / 4)  # 4.8 degrees of freedom
    assert plain.interval.high - plain.difference == pytest.approx(half)


@pytest.mark.parametrize(
    ("make", "english", "chinese"),
    [
        (
            lambda: rg.evaluate({"q": ["a"]}, {"q": ["a"]}, "RR").gaps(),
            "gaps: no slices were given. Pass slices=… to evaluate().",
            "gaps：没有给出切片。请把 slices=… 传入 evaluate()。",
        ),
        (
            lambda: evaluated({"a": [1, 2], "b": [1, 3]}).gaps(),
            "gaps: kind must have at least two groups of 10 queries for RR, got 0. Pass a lower least=….",
            "gaps：kind 至少要有两个不少于 10 个查询的分组（RR），实际有 0 个。请传入更小的 least=…。",
        ),
        (
            lambda: evaluated({"a": [1, 2], "b": [1, 3]}, ["RR", "Entropy@2"]).gaps(measures="Entropy@2", least=2),
            "gaps: Entropy@2 is no mean of values of single queries. Name a measure that is, such as nDCG@10, and "
            "average it over queries.",
            "gaps：Entropy@2 不是各查询数值的均值。请给出这样的指标，如 nDCG@10，并按查询取平均。",
        ),
    ],
)
def test_what_cannot_be_had_is_said_in_both_languages(tmp_path, make, english, chinese):
    says_in_both(lambda at: make(), Files(tmp_path), english, chinese)


def test_attributes_and_gaps_that_are_not_there_are_named():
    ev = evaluated({"a": [1, 2], "b": [1, 3]})

    with pytest.raises(rg.errors.UnknownName, match="Did you mean kind"):
        ev.gaps("kin", least=2)
    with pytest.raises(rg.errors.UnknownName, match="no gap of"):
        gaps(ev, least=2)["kind", "nDCG"]
    assert isinstance(str(ev.gaps(least=2)), str)
