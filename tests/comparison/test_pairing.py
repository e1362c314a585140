"""What a comparison tests is the difference of the numbers that `evaluate` prints, whatever the average."""

from __future__ import annotations

from itertools import product
from math import fsum, isnan, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge.comparison.pairing import paired
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.rankings.policy import Policy
from rankgauge.evaluation.rankings.record import Column, RankingEvaluation
from rankgauge.measures import P
from rankgauge.reporting.verdicts import verdict
from rankgauge.statistics.intervals import t_quantile
from rankgauge.statistics.paired import p_values


def total(tops: list[float], bottoms: list[float]) -> float:
    return fsum(tops) / fsum(bottoms)


def evaluation(average: str, values: list[float], bottoms: list[float] | None = None) -> RankingEvaluation:
    """Values of queries; the others are their weights, or the denominators that they have."""
    n = len(values)
    tops = None if average != "micro" else np.array([v * b for v, b in zip(values, bottoms or [], strict=True)])
    return RankingEvaluation(
        columns=[
            Column(
                "P",
                P(),
                np.array(values, dtype=float),
                np.ones(n, dtype=bool),
                tops,
                np.array(bottoms, dtype=float) if average == "micro" else None,
            )
        ],
        query_ids=[f"q{i}" for i in range(n)],
        policy=Policy(average=average),
        counts={"queries": n},
        weights=np.array(bottoms, dtype=float) if average == "weighted" else None,
    )


unit = st.integers(0, 8).map(lambda k: k / 8)
amount = st.integers(1, 9).map(float)
queries = st.lists(st.tuples(unit, unit, amount, amount), min_size=2, max_size=7)


def pair(average: str, rows: list[tuple[float, float, float, float]]) -> tuple[RankingEvaluation, RankingEvaluation]:
    a, b, w, other = map(list, zip(*rows, strict=True))
    return evaluation(average, a, w), evaluation(average, b, other if average == "micro" else w)


def parts(average: str, rows: list[tuple[float, float, float, float]]) -> list[tuple[list[float], list[float]]]:
    """Numerators and denominators of both systems, from the definition of the average."""
    bottoms = {
        "macro": lambda r: (1.0, 1.0),
        "weighted": lambda r: (r[2], r[2]),
        "micro": lambda r: (r[2], r[3]),
    }[average]
    return [([r[i] * bottoms(r)[i] for r in rows], [bottoms(r)[i] for r in rows]) for i in (0, 1)]


AVERAGES = ["macro", "weighted", "micro"]


@pytest.mark.parametrize("average", AVERAGES)
@given(queries)
@settings(max_examples=30, deadline=None)
def test_the_difference_is_that_of_the_totals(average, rows):
    (top_a, bottom_a), (top_b, bottom_b) = parts(average, rows)
    a, b = pair(average, rows)
    label = a.labels[0]

    units = paired(a, b, label)

    assert (units.baseline, units.system) == (a[label], b[label])
    assert units.baseline == pytest.approx(total(top_a, bottom_a))
    assert units.system == pytest.approx(total(top_b, bottom_b))
    assert np.mean(units.differences) == pytest.approx(units.difference, abs=1e-12)
    assert units.unchanged == (top_a == top_b and bottom_a == bottom_b)


@pytest.mark.parametrize("average", AVERAGES)
@given(queries)
@settings(max_examples=30, deadline=None)
def test_the_standard_error_is_that_of_the_jackknife(average, rows):
    """Each query left out in turn: (n - 1)/n Σ (d_-i - mean)²."""
    a, b = pair(average, rows)
    n = len(rows)
    without = []
    for i in range(n):
        before, after = parts(average, [r for j, r in enumerate(rows) if j != i])
        without.append(total(*after) - total(*before))
    mean = fsum(without) / n
    error = sqrt((n - 1) / n * fsum((d - mean) ** 2 for d in without))

    units = paired(a, b, "P")
    got = rg.compare({"a": a, "b": b}, test="t")["P"]

    if units.is_one:  # one query counts for more than all others together
        assert isnan(units.error)
        assert isnan(got.p_value)
        return
    assert units.error == pytest.approx(error, abs=1e-9)
    half = t_quantile(0.975, n - 1) * error
    ends = (max(units.difference - half, -1), min(units.difference + half, 1))  # no difference of P is larger
    assert got.interval == pytest.approx(ends, abs=1e-8)


def test_one_heavy_query_is_not_enough_to_decide():
    """It gained and weighs as much as all 29 others together, which did not change: a sample of one."""
    a, b = (evaluation("weighted", [first, *[0.5] * 29], [29.0, *[1.0] * 29]) for first in (0.0, 1.0))

    for test in ("t", "randomisation"):
        c = rg.compare({"a": a, "b": b}, test=test)["P"]
        assert (c.difference, c.verdict) == (0.5, "inconclusive")


def test_all_weight_on_one_query_has_no_error():
    a, b = (evaluation("weighted", [first, 0.5], [1.0, 0.0]) for first in (0.0, 1.0))

    c = rg.compare({"a": a, "b": b})["P"]

    assert (c.difference, c.n, c.verdict, np.isnan(c.p_value), np.isnan(c.interval.low)) == (
        1.0,
        1,
        "inconclusive",
        True,
        True,
    )


@pytest.mark.parametrize("average", ["weighted", "micro"])
@given(queries)
@settings(max_examples=30, deadline=None)
def test_randomisation_swaps_the_systems_of_each_query(average, rows):
    """All 2^n ways to call one of the systems A: the statistic is the gain over the total of both together."""
    a, b = pair(average, rows)
    (top_a, bottom_a), (top_b, bottom_b) = parts(average, rows)
    together = (fsum(top_a) + fsum(top_b)) / (fsum(bottom_a) + fsum(bottom_b))

    def statistic(swaps: tuple[bool, ...]) -> float:
        sides = [
            (tb - together * bb, ta - together * ba)
            for ta, ba, tb, bb in zip(top_a, bottom_a, top_b, bottom_b, strict=True)
        ]
        return fsum((x - y) * (-1 if s else 1) for (x, y), s in zip(sides, swaps, strict=True))

    seen = abs(statistic((False,) * len(rows)))
    every = [abs(statistic(s)) >= seen - 1e-9 for s in product([False, True], repeat=len(rows))]

    units, got = paired(a, b, a.labels[0]), rg.compare({"a": a, "b": b})[a.labels[0]]

    assert units.swaps is not None
    assert p_values("randomisation", units.swaps)[0] == pytest.approx(sum(every) / len(every))
    assert isnan(got.p_value) == units.is_one
    if not units.is_one:
        assert got.p_value >= sum(every) / len(every) - 1e-12


def test_a_query_of_weight_0_is_as_one_left_out():
    qrels = {f"q{i}": {"a": 1} for i in range(8)}
    old, new = {q: ["a"] for q in qrels}, {q: ["a"] if int(q[1]) % 2 else ["z"] for q in qrels}
    some = [f"q{i}" for i in range(6)]
    weights = {q: float(q in some) for q in qrels}

    got = rg.compare(qrels, {"old": old, "new": new}, "P@1", weights=weights)["P@1"]
    runs = {"old": {q: old[q] for q in some}, "new": {q: new[q] for q in some}}
    without = rg.compare({q: qrels[q] for q in some}, runs, "P@1")["P@1"]

    assert got.n == 6
    assert got.interval == pytest.approx(without.interval)
    assert (got.p_value, got.more, got.wins, got.losses) == (without.p_value, without.more, 0, 3)
    assert got.detectable == pytest.approx(without.detectable)


@pytest.mark.parametrize("test", ["randomisation", "t", "bootstrap"])
def test_nothing_is_tested_where_weights_leave_fewer_than_two_queries(test):
    """(500 + 28)² / (500² + 28) = 1.1 of 29: six gains by which flips are sure say nothing about other queries."""
    gained = [float(i in (0, 3, 7, 11, 15, 20)) for i in range(29)]
    a, b = (evaluation("weighted", values, [500.0, *[1.0] * 28]) for values in ([0.0] * 29, gained))

    c = rg.compare({"a": a, "b": b}, test=test)["P"]

    assert (c.verdict, isnan(c.p_value), isnan(c.interval.low)) == ("inconclusive", True, True)
    assert "one query counts for more than all others together" in verdict(c, rg.compare({"a": a, "b": b}, test=test))


@pytest.mark.parametrize("heavy", [2.0, 5.0, 20.0])
def test_with_weights_no_difference_is_clear_that_the_interval_leaves_open(heavy):
    gained = [float(i in (0, 3, 7, 11, 15, 20)) for i in range(29)]
    a, b = (evaluation("weighted", values, [heavy, *[1.0] * 28]) for values in ([0.0] * 29, gained))

    c = rg.compare({"a": a, "b": b})["P"]

    assert (c.verdict == "better") == (c.interval.low > 0) == (heavy < 20)


def test_one_heavy_query_decides_a_weighted_comparison():
    """R@1 of the heavy query stays, four of five light ones are lost: -0.04 of the weight, not -0.8 of the queries."""
    qrels = {f"q{i}": {"d": 1} for i in range(6)}
    old, new = {q: ["d"] for q in qrels}, {q: ["d"] if q in ("q0", "q1") else ["x", "d"] for q in qrels}
    weights = {q: 95.0 if q == "q0" else 1.0 for q in qrels}

    c = rg.compare(qrels, {"old": old, "new": new}, "R@1", weights=weights)["R@1"]

    assert (c.mean_baseline, c.mean) == (1.0, 0.96)
    assert c.mean == rg.evaluate(qrels, new, "R@1", weights=weights)["R@1"]
    assert c.difference == pytest.approx(-0.04)
    assert (c.wins, c.ties, c.losses) == (0, 2, 4)


@pytest.mark.parametrize("options", [{"weights": [1, 2, 3, 4, 5, 6]}, {"average": "micro"}], ids=["weights", "micro"])
def test_compare_prints_the_numbers_of_evaluate(options):
    qrels = {f"q{i}": {f"d{j}": 1 for j in range(i + 1)} for i in range(6)}
    runs = {"old": {q: ["d0", "x", "d1"] for q in qrels}, "new": {q: ["d1", "d2", "d3"] for q in qrels}}
    measures = ["R@3", "P@3", "nDCG@3", "RR"]

    cmp = rg.compare(qrels, runs, measures, **options)
    evs = rg.evaluate(qrels, runs, measures, **options)

    assert {(c.mean_baseline, c.mean) for c in cmp} == {(evs["old"][m], evs["new"][m]) for m in measures}


def test_slices_and_pairs_of_a_weighted_comparison_are_weighted():
    qrels = {f"q{i}": {"d": 1} for i in range(12)}
    runs = {"old": {q: ["d"] for q in qrels}, "new": {q: ["d"] if q == "q0" else ["x", "d"] for q in qrels}}
    weights = {q: 6.0 if q == "q0" else 1.0 for q in qrels}
    half = {q: "a" if int(q[1:]) < 6 else "b" for q in qrels}

    cmp = rg.compare(qrels, runs, "RR", weights=weights, slices=half, pairs="all")

    assert {c.slice: c.mean for c in cmp.sliced} == {"slice=a": pytest.approx(8.5 / 11), "slice=b": 0.5}
    assert cmp.pairwise["RR"][0, 1] == pytest.approx(2 / 2**11, abs=0.01)  # all eleven that changed got worse


def test_seeds_of_a_pooled_measure_stay_pooled():
    qrels = {"q1": {"a": 1}, "q2": dict.fromkeys("abc", 1)}
    first, second, base = {"q1": ["a"], "q2": ["x"]}, {"q1": ["x"], "q2": ["a", "b"]}, {"q1": ["x"], "q2": ["a"]}

    c = rg.compare(qrels, {"old": base, "new": [first, second]}, "R@2", average="micro")["R@2"]

    assert (c.mean_baseline, c.mean) == (1 / 4, (1 + 2) / 8)


@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
def test_tests_of_ranks_know_no_weights(test):
    a, b = pair("weighted", [(0.0, 0.5, 1.0, 1.0), (0.5, 1.0, 3.0, 1.0), (0.5, 1.0, 3.0, 1.0)])

    with pytest.raises(ParameterError, match=f"test='{test}' looks at queries one by one and knows no weights"):
        rg.compare({"a": a, "b": b}, test=test)


def test_other_weights_are_not_comparable():
    a, b = evaluation("weighted", [0.0, 1.0], [1, 2]), evaluation("weighted", [1.0, 1.0], [1, 3])

    with pytest.raises(InputError, match=r"1 queries have other weights in 'a' than in 'b' \(q1\)"):
        rg.compare({"a": a, "b": b})


def test_a_sum_cannot_be_paired():
    ev = rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, ["num_ret", "gm_map"])

    with pytest.raises(InputError, match=r"num_ret must be a mean over queries to be paired, it is a sum"):
        rg.compare({"a": ev, "b": ev}, measures="num_ret")
    with pytest.raises(InputError, match=r"gm_map must be a mean .* it is a geometric mean"):
        rg.compare({"a": ev, "b": ev}, measures="gm_map")


def test_rounding_is_no_change():
    """The same terms in another order: 0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1 to the last bit."""
    a, b = evaluation("macro", [0.1 + 0.2 + 0.3, 0.5]), evaluation("macro", [0.3 + 0.2 + 0.1, 0.5])

    c = rg.compare({"a": a, "b": b})["P"]

    assert 0.1 + 0.2 + 0.3 != 0.3 + 0.2 + 0.1
    assert (c.unchanged, c.wins, c.ties, c.losses, c.difference) == (True, 0, 2, 0, 0.0)


@pytest.mark.long("simulations of error rates and coverage")
@pytest.mark.parametrize("average", ["weighted", "micro"])
def test_of_equal_systems_one_in_twenty_is_called_different(average):
    """Two systems with the same chances in each query; weights from 1 to 9, pooled denominators of their own."""
    rng = np.random.default_rng(14)
    rounds, n = 4000, 40
    found = []
    for _ in range(rounds):
        sizes = rng.integers(1, 10, (2, n)) if average == "micro" else rng.integers(1, 10, (1, n)).repeat(2, axis=0)
        skill = rng.random(n)
        values = rng.beta(1 + 3 * skill, 4 - 3 * skill, (2, n))
        a, b = (evaluation(average, v.tolist(), s.tolist()) for v, s in zip(values, sizes, strict=True))
        found.append(paired(a, b, "P"))
    flipped = p_values("randomisation", np.stack([u.swaps for u in found], axis=1), permutations=999)
    student = p_values("t", np.stack([u.differences for u in found], axis=1))

    assert 0.04 < (flipped < 0.05).mean() < 0.06
    assert 0.04 < (student < 0.05).mean() < 0.06
