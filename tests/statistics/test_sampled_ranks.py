"""Ranks among sampled candidates: chances by counting, and intervals that hold whatever the ranks are."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import linprog

from rankgauge.statistics.sampled_ranks import SampledRanks, _chances

Array = np.ndarray


def test_the_chance_of_a_seen_rank_is_that_of_all_draws() -> None:
    """Of five others two are drawn; a target of rank 3 has two others before it."""
    draws = list(combinations(range(1, 6), 2))  # others by rank among themselves; the first two are before the target
    seen = [1 + sum(other <= 2 for other in drawn) for drawn in draws]

    assert _chances(np.array([3]), 2, 6)[0] == pytest.approx([seen.count(r) / len(draws) for r in (1, 2, 3)])


@pytest.mark.parametrize(("n", "n_items"), [(5, 40), (99, 1000), (3, 4)])
def test_chances_are_hypergeometric(n: int, n_items: int) -> None:
    ranks = np.array([1, 2, n_items // 2, n_items])
    expected = [
        [comb(rank - 1, j) * comb(n_items - rank, n - j) / comb(n_items - 1, n) for j in range(n + 1)]
        for rank in ranks.tolist()
    ]

    assert _chances(ranks, n, n_items) == pytest.approx(np.array(expected), rel=1e-9, abs=1e-12)


def test_where_everything_was_drawn_the_value_is_the_plain_mean() -> None:
    """Candidates are all items: the seen rank is the rank."""
    counts = np.array([5, 3, 0, 2, 10])
    seen = SampledRanks(counts, 5)
    reciprocal = 1 / seen.ranks

    assert seen.value(reciprocal) == pytest.approx(float(counts @ reciprocal) / 20, abs=0.02)
    low, high = seen.interval(reciprocal, 0.95)
    assert low < float(counts @ reciprocal) / 20 < high


def test_the_interval_is_that_of_a_binomial_share_where_the_ranks_tell_it() -> None:
    """One of two candidates, of two items: rank 1 or 2, 30 of 100 first. The likelihood interval by bisection."""
    seen = SampledRanks(np.array([30, 70]), 2)
    low, high = seen.interval((seen.ranks == 1).astype(float), 0.95)

    def loss(x: float) -> float:
        return float(30 * np.log(0.3 / x) + 70 * np.log(0.7 / (1 - x)))

    edge = 1.9842169515864165**2 / 2  # t of 99 degrees of freedom
    assert loss(low) == pytest.approx(edge, rel=0.01)
    assert loss(high) == pytest.approx(edge, rel=0.01)
    assert low < 0.3 < high


def test_few_candidates_cannot_tell_a_small_cutoff() -> None:
    """Everybody first among 11 of 10,000: that is any of the first thousand or so, and not nothing."""
    seen = SampledRanks(np.array([500, *[0] * 10]), 10_000, [1, 5_000])
    low, high = seen.interval((seen.ranks <= 1).astype(float), 0.95)

    assert low == pytest.approx(0, abs=1e-4)
    assert high == pytest.approx(1, abs=1e-3)
    assert seen.interval((seen.ranks <= 5_000).astype(float), 0.95).low > 0.9


def highest_mean(f: Array, counts: Array, n_items: int) -> float:
    """The highest mean of f of shares that are likely enough, by linear programmes that cut away what is not."""
    chance, seen = _chances(np.arange(1, n_items + 1), len(counts) - 1, n_items), counts / counts.sum()
    there = seen > 0
    p = np.full(n_items, 1 / n_items)
    for _ in range(20_000):
        p *= chance[:, there] @ (seen[there] / (p @ chance)[there])
    room = stats.t.ppf(0.975, counts.sum() - 1) ** 2 / 2 / counts.sum()
    least = seen[there] @ np.log((p @ chance)[there]) - room
    cuts, ends = [], []
    for _ in range(200):
        # the likelihood is below each of its tangents: ℓ(q0) + Σ seen (q - q0) / q0 >= least
        q = np.maximum(p @ chance, 1e-12)[there]
        cuts.append(-chance[:, there] @ (seen[there] / q))
        ends.append(seen[there] @ np.log(q) - 1 - least)
        p = linprog(-f, A_ub=np.array(cuts), b_ub=ends, A_eq=np.ones((1, n_items)), b_eq=[1]).x
        if seen[there] @ np.log(np.maximum(p @ chance, 1e-12)[there]) > least - 1e-7:
            break
    return float(f @ p)


@pytest.mark.parametrize(
    ("counts", "n_items"),
    [([1, 1, 0, 0], 12), ([0, 0, 0, 30], 12), ([40, 3, 2, 1], 20), ([5, 0, 0, 5], 30), ([0, 10, 0], 4)],
)
def test_the_interval_is_that_of_linear_programmes(counts: list[int], n_items: int) -> None:
    seen = SampledRanks(np.array(counts), n_items)
    f = 1 / seen.ranks
    low, high = seen.interval(f, 0.95)

    assert high == pytest.approx(highest_mean(f, np.array(counts), n_items), abs=0.003)
    assert low == pytest.approx(-highest_mean(-f, np.array(counts), n_items), abs=0.003)


@st.composite
def few_lists(draw: st.DrawFn) -> tuple[Array, int]:
    """Counts of seen ranks, most of them at one or two places, and a number of items from theirs up."""
    length = draw(st.integers(2, 60))
    places = draw(st.lists(st.integers(0, length - 1), min_size=1, max_size=4))
    times = draw(st.lists(st.integers(1, 100), min_size=len(places), max_size=len(places)))
    counts = np.bincount(places, weights=times, minlength=length).astype(int)
    return counts, draw(st.one_of(st.integers(length, 2 * length), st.sampled_from([1_000, 10**6, 10**15])))


@pytest.mark.filterwarnings("error")
@settings(max_examples=15, deadline=None)
@given(few_lists(), st.sampled_from([0.1, 0.5, 0.95, 0.999]))
def test_every_value_is_within_its_interval(given: tuple[Array, int], level: float) -> None:
    counts, n_items = given
    seen = SampledRanks(counts, n_items)
    for f in (1 / seen.ranks, 1 / np.log2(seen.ranks + 1), (seen.ranks <= 10) / np.log2(seen.ranks + 1)):
        low, high = seen.interval(f, level)
        value, error = seen.value(f), seen.error(f)
        assert f.min() - 1e-9 <= value <= f.max() + 1e-9
        if counts.sum() == 1:
            assert np.isnan([low, high, error]).all()
        else:
            assert low <= value <= high
            assert f.min() - 1e-9 <= low
            assert high <= f.max() + 1e-9
            assert error >= 0


def drawn(kind: str, n_items: int, users: int, rng: np.random.Generator) -> Array:
    """Ranks among all items: a heavy head, none, and gaps where an estimate has no reason to see them."""
    u, any_rank = rng.random(users), rng.integers(1, n_items + 1, users)
    if kind == "head":
        return np.maximum(1, np.ceil(n_items * u ** (1 / 0.3))).astype(int)
    if kind == "power":
        return np.maximum(1, np.ceil(n_items * u ** (1 / 0.6))).astype(int)
    if kind == "even":
        return any_rank
    if kind == "hole":
        return np.where(u < 0.3, 11, np.maximum(any_rank, 20))
    return np.where(u < 0.1, 1, np.where(u < 0.2, 15, any_rank))


FUNCTIONS = {
    "Hit@10": lambda ranks: (ranks <= 10).astype(float),
    "Hit@100": lambda ranks: (ranks <= 100).astype(float),
    "nDCG@10": lambda ranks: (ranks <= 10) / np.log2(ranks + 1),
    "RR": lambda ranks: 1 / ranks,
}


@pytest.mark.long("coverage of intervals of what sampled candidates tell")
@pytest.mark.parametrize("kind", ["head", "power", "even", "hole", "spike"])
@pytest.mark.parametrize(("n_items", "n", "users"), [(1_000, 100, 500), (10_000, 100, 1_000), (500, 99, 200)])
def test_intervals_hold_the_value_of_all_items(kind: str, n_items: int, n: int, users: int) -> None:
    rng = np.random.default_rng(1)
    many = drawn(kind, n_items, 1_000_000, rng)
    held = dict.fromkeys(FUNCTIONS, 0)
    times = 60
    for _ in range(times):
        ranks = drawn(kind, n_items, users, rng)
        counts = np.bincount(rng.hypergeometric(ranks - 1, n_items - ranks, n), minlength=n + 1)
        seen = SampledRanks(counts, n_items, [10, 100])
        for name, f in FUNCTIONS.items():
            low, high = seen.interval(f(seen.ranks), 0.95)
            assert low <= seen.value(f(seen.ranks)) <= high
            held[name] += low - 1e-6 <= float(f(many).mean()) <= high + 1e-6

    # 95%: fewer than 52 of 60 is one in 500
    assert min(held.values()) >= 52
