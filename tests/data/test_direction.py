"""Which end of the lists is best: the definition written naively, and how often it is wrong."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.naive import tilt as naive_tilt
from rankgauge.data.direction import Direction, direction_of, n_distinct


def direction(lists):
    """Of `(length, {rank: gain})`, one for each list."""
    rows = [(i, rank, gain) for i, (_, found) in enumerate(lists) for rank, gain in found.items()]
    owner, rank, gain = (np.array([row[k] for row in rows], dtype=float) for k in range(3))
    return direction_of(owner.astype(int), rank, rank, gain, np.array([length for length, _ in lists]))


def reversed_(lists):
    return [(n, {n + 1 - rank: gain for rank, gain in found.items()}) for n, found in lists]


found_lists = st.integers(3, 40).flatmap(
    lambda n: st.tuples(st.just(n), st.dictionaries(st.integers(1, n), st.integers(1, 3), min_size=1, max_size=n))
)


@given(st.lists(found_lists, min_size=1, max_size=12))
def test_direction_is_the_mean_of_the_tilts_of_the_lists(lists):
    tilts = [t for t in (naive_tilt(n, list(found.items())) for n, found in lists) if abs(t) > 1e-9]
    got = direction(lists)

    assert (got.lists, got.against) == (len(tilts), sum(t > 0 for t in tilts))
    assert got.tilt == pytest.approx(np.mean(tilts) if tilts else 0, abs=2e-6)
    assert all(-1 - 1e-9 <= t <= 1 + 1e-9 for t in tilts)


@given(st.lists(found_lists, min_size=1, max_size=12))
def test_turning_lists_around_changes_the_sign_only(lists):
    a, b = direction(lists), direction(reversed_(lists))

    assert (a.lists, a.tilts, a.squares, a.against) == (b.lists, -b.tilts, b.squares, b.lists - b.against)


@given(st.lists(found_lists, min_size=2, max_size=12), st.integers(1, 11))
def test_directions_of_parts_add_up(lists, cut):
    cut = min(cut, len(lists) - 1)
    parts = zip(direction(lists[:cut]), direction(lists[cut:]), strict=True)

    assert direction(lists) == Direction(*(a + b for a, b in parts))


def test_one_relevant_result_at_the_end_of_ten_lists_is_worst_first():
    lists = [(10, {10: 1})] * 10

    assert direction(lists).tilt == pytest.approx((1 - 1 / 10) / (1 + 1 / 10), abs=1e-6)
    assert direction(lists).is_worst_first
    assert direction(reversed_(lists)).is_best_first


def test_two_lists_never_say_enough():
    assert not direction([(100, {100: 1})] * 2).is_worst_first
    assert not direction([(100, {100: 1})] * 2).may_be_worst_first


def test_a_few_lists_that_lean_to_the_end_may_be_chance():
    lists = [(10, {9: 1})] * 4  # tilt 7/11

    assert not direction(lists).is_worst_first
    assert direction(lists).may_be_worst_first


def test_lists_whose_results_all_tie_have_no_direction():
    n = 12
    owner = np.arange(n)
    got = direction_of(owner, np.ones(n), np.full(n, 10.0), np.ones(n), np.full(n, 10))

    assert got == Direction(0, 0, 0, 0)


def test_lists_full_of_relevant_results_are_measured_by_what_their_grades_allow():
    best_last = {rank: 1 + (rank > 5) for rank in range(1, 11)}  # every result is relevant, the better ones last

    assert direction([(10, best_last)] * 20).tilt == pytest.approx(1, abs=1e-6)
    assert direction([(10, best_last)] * 20).is_worst_first


# a pool of several systems: what `pooled` makes is the setting in which the shares of pairs say nothing


def pooled(rng, queries, length, quality, *, judged=30, in_pool=False, systems=5, items=1000):
    """Lists of a system of this quality, judged where a pool of better systems was judged, as for `direction`."""
    out = []
    for _ in range(queries):
        worth = rng.standard_normal(items)
        relevant = worth >= np.quantile(worth, 0.98)
        mine = np.argsort(-(quality * worth + rng.standard_normal(items)))
        others = [np.argsort(-(1.5 * worth + rng.standard_normal(items))) for _ in range(systems)]
        others += [mine] * in_pool
        pool = {}
        for depth in range(judged):
            for one in others:
                if len(pool) < judged:
                    pool[int(one[depth])] = None
        rank = {int(item): r for r, item in enumerate(mine[:length], 1)}
        shown = {rank[item]: 1 for item in pool if item in rank and relevant[item]}
        judged_ranks = [rank[item] for item in pool if item in rank]
        out.append((length, shown, judged_ranks))
    return out


def test_pooled_lists_of_a_hundred_stored_worst_first_are_found():
    made = pooled(np.random.default_rng(14), 100, 100, 0.9)
    lists = reversed_([(n, shown) for n, shown, _ in made])
    first = sum(n + 1 - r <= 20 for n, _, ranks in made for r in ranks)
    last = sum(n + 1 - r > n - 20 for n, _, ranks in made for r in ranks)

    assert first < last / 2  # judged results gather at the end
    assert direction(lists).is_worst_first
    assert not direction(reversed_(lists)).may_be_worst_first


DENSE = np.concatenate([np.full(20, 0.058), np.linspace(0.06, 0.09, 60), np.full(10, 0.11), np.full(10, 0.15)])
"""Share of relevant results at each rank of long lists, most of it unjudged, that are stored worst first."""


def dense(rng, queries):
    lists = [np.flatnonzero(rng.random(len(DENSE)) < DENSE) + 1 for _ in range(queries)]
    return [(len(DENSE), dict.fromkeys(ranks.tolist(), 1)) for ranks in lists if len(ranks)]


def pairs_below(lists):
    """The mean share of other results that stand behind a relevant one: 0.5 for a random order."""
    shares = []
    for n, found in lists:
        others = [r for r in range(1, n + 1) if r not in found]
        shares.append(np.mean([sum(o > r for o in others) / len(others) for r in found]))
    return np.mean(shares)


def test_lists_are_told_where_the_share_of_ordered_pairs_says_little():
    lists = dense(np.random.default_rng(1), 100)

    assert pairs_below(lists) > 0.4
    assert direction(lists).is_worst_first


@pytest.mark.slow
def test_such_lists_are_told_nearly_always():
    rng = np.random.default_rng(5)

    assert np.mean([direction(dense(rng, 100)).is_worst_first for _ in range(100)]) >= 0.85


def weak(rng, queries, length, relevant, density):
    """Lists with about so many relevant results at ranks drawn by a density."""
    out = []
    for _ in range(queries):
        n = min(1 + rng.poisson(relevant - 1), length)
        p = density(rng, np.arange(length) / length)
        ranks = 1 + rng.choice(length, n, replace=False, p=p / p.sum())
        out.append((length, dict(zip(ranks.tolist(), rng.integers(1, 4, n).tolist(), strict=True))))
    return out


def near(x, centre):
    return np.exp(-(((x - centre) / 0.1) ** 2) / 2) + 1e-9


WEAK = {
    "random": lambda rng, x: np.ones_like(x),
    "hardly better than random": lambda rng, x: np.exp(-0.3 * x),
    "a little worse than random": lambda rng, x: np.exp(0.3 * x),
    "good for some queries, bad for others": lambda rng, x: np.exp(3 * rng.standard_normal() * x),
    "relevant results side by side, anywhere": lambda rng, x: near(x, rng.uniform(0, x[-1])),
    "relevant results late": lambda rng, x: np.exp(-(np.log((x * len(x) + 1) / 50) ** 2) / 8) / (x * len(x) + 1),
}


@pytest.mark.long("simulations of error rates and coverage")
@pytest.mark.parametrize("queries", [5, 10, 20, 50, 200])
@pytest.mark.parametrize("kind", WEAK)
def test_weak_systems_are_called_worst_first_in_less_than_one_of_a_hundred_runs(kind, queries):
    rng = np.random.default_rng([queries, len(kind)])
    shapes = [(10, 1), (10, 5), (100, 1), (100, 4), (100, 30), (1000, 1), (1000, 30)]
    each = {5: 120, 10: 100, 20: 60, 50: 30, 200: 12}[queries]
    said = [
        direction(weak(rng, queries, length, relevant, WEAK[kind])).is_worst_first
        for length, relevant in shapes
        for _ in range(each)
    ]

    # the upper end of what one in a hundred could give by chance, three standard errors up
    assert sum(said) <= 0.01 * len(said) + 3 * sqrt(0.01 * len(said))
    assert np.mean(said) < 0.01 or sum(said) <= 2


@pytest.mark.slow
@pytest.mark.parametrize("in_pool", [False, True])
@pytest.mark.parametrize("quality", [0.0, 0.5, 1.0, 2.0])
def test_pooled_runs_are_told_from_their_reverse(quality, in_pool):
    rng = np.random.default_rng([int(10 * quality), in_pool])
    runs = [
        [(n, shown) for n, shown, _ in pooled(rng, 100, length, quality, in_pool=in_pool)]
        for length in (20, 100, 500)
        for _ in range(3)
    ]

    assert not any(direction(lists).is_worst_first for lists in runs)
    if quality >= 1:  # one that is hardly better than random looks much the same reversed
        assert all(direction(reversed_(lists)).is_worst_first for lists in runs)


# real runs


REAL = {
    "dl_hard_passage": ("dl_hard-passage.qrels.gz", "*.run.gz"),
    "codec_entity": ("entity_ndcg.qrels.gz", "*.run.gz"),
    "cast2021_docs": ("trec-cast-qrels-docs.2021.qrel.gz", "*.run.gz"),
}


@pytest.mark.slow
@pytest.mark.parametrize("collection", REAL)
def test_real_runs_are_told_from_their_reverse(shared, collection):
    import rankgauge as rg

    judged, pattern = REAL[collection]
    folder = shared / collection
    for path in sorted(folder.glob(pattern)):
        run = rg.read_run(path).to_dict()
        turned = {q: {d: -score for d, score in row.items()} for q, row in run.items()}
        forth, back = (rg.evaluate(folder / judged, r, "nDCG@10") for r in (run, turned))

        assert forth.suspicions == ()
        assert [(s.code, s.severity) for s in back.suspicions] == [("worst-first", "error")]


def test_lists_count_as_many_as_there_are_different_ones():
    one, other = ["a", "b", "c"], ["d", "e", "f"]
    users = [{"a": 1}, {"b": 2}, {"c": 3}]

    assert n_distinct([(one, places) for places in users], 30) == pytest.approx(1)
    assert n_distinct([(one, {"a": 1}), (one, {"a": 3}), (one, {"b": 2})], 30) == 30  # in another order for each
    assert n_distinct([(one, {"a": 1})] * 3, 30) == 30  # one query many times
    assert n_distinct([(one, {"a": 1}), (one, {"b": 2}), (other, {"d": 1})], 30) == 30 / (1 + 29 / 3)
    assert n_distinct([(one, {"a": 1})], 1) == 1


def test_a_list_with_an_infinite_gain_says_nothing_and_the_others_what_they_said():
    plain = [(9, {1: 1.0, 9: 2.0}), (9, {2: 3.0})]

    with np.errstate(all="raise"):
        found = direction([*plain, (9, {1: np.inf, 2: 1.0}), (9, {1: np.inf, 9: np.inf})])

    assert found == direction([*plain, (9, {}), (9, {})])
