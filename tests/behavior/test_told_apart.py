"""Whether items differ: the moments against all share-outs, the tail against chance."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest

from rankgauge.behavior.grading.told_apart import _second_moment as second_moment
from rankgauge.behavior.grading.told_apart import clicks_told_apart, differ, told_apart


def p_value(*items: list[float]) -> float:
    """Of one query, from the values of each item."""
    powers = tuple(np.array([sum(v**p for v in item) for item in items]) for p in (1, 2, 3, 4))
    return float(told_apart(np.array([float(len(i)) for i in items]), powers, np.zeros(len(items), int), 1)[0])


@pytest.mark.parametrize("sizes", [(4, 4), (2, 3, 3), (1, 2, 5)], ids=str)
def test_the_moments_are_those_of_all_share_outs(sizes: tuple[int, ...]):
    values = np.array([1, 1, 1 / 3, 0, 0, 0, 0, 2 / 3])
    x = values - values.mean()
    edges = np.cumsum((0, *sizes))
    found = []
    for order in permutations(range(8)):
        sums = [x[list(order[a:b])].sum() for a, b in pairwise(edges)]
        found.append(sum(s * s / n for s, n in zip(sums, sizes, strict=True)) / (x**2).sum())

    n = np.array(sizes, dtype=float)
    got = second_moment(
        n, np.array([float(len(n))]), np.array([8.0]), np.array([(x**4).sum() / (x**2).sum() ** 2]), lambda v: v.sum()
    )

    assert np.mean(found) == pytest.approx((len(n) - 1) / 7)
    assert got[0] == pytest.approx(np.mean(np.square(found)))


@pytest.mark.parametrize(("n", "rate"), [(12, 0.05), (12, 0.3), (100, 0.02)])
def test_items_that_differ_by_chance_have_small_p_values_as_often_as_they_say(n: int, rate: float):
    queries, items = 4_000, 10
    clicks = np.random.default_rng(2).binomial(n, rate, queries * items).astype(float)
    query = np.repeat(np.arange(queries), items)

    for p in (
        told_apart(np.full(len(query), float(n)), (clicks,) * 4, query, queries),
        clicks_told_apart(clicks, np.full(len(query), float(n)), query, queries),
    ):
        for level in (0.05, 0.01):
            share = np.mean(np.nan_to_num(p, nan=1.0) <= level)
            assert share < 1.3 * level + 3 * np.sqrt(level * (1 - level) / queries)


def test_items_that_differ_are_told_apart():
    assert p_value([1.0] * 10 + [0.0] * 10, [0.0] * 20) < 0.001
    assert p_value([1.0] * 10 + [0.0] * 10, [1 / 3] * 10 + [0.0] * 10) < 0.05
    assert p_value([1.0] * 10 + [0.0] * 10, [1.0] * 8 + [0.0] * 12) > 0.3
    assert clicks_told_apart(np.array([40.0, 2]), np.array([100.0, 100]), np.zeros(2, int), 1)[0] < 1e-6


@pytest.mark.parametrize(
    "items",
    [([1.0] * 9,), ([1.0] * 9, [1.0] * 5), ([0.0] * 9, [0.0] * 5), ([1.0, 0.0, 0.0], [0.0] * 3), ([1.0], [0.0], [0.0])],
    ids=["one item", "all", "none", "one click", "one impression each"],
)
def test_where_nothing_can_be_told_there_is_no_p_value(items: tuple[list[float], ...]):
    assert np.isnan(p_value(*items))


def test_equal_rates_have_a_large_p_value_however_often_they_were_seen():
    assert told_apart(np.full(3, 1e9), (np.full(3, 2e7),) * 4, np.zeros(3, int), 1)[0] > 0.99


def test_more_clicks_below_do_not_say_that_items_differ():
    """The same attractiveness, looked at ten times as often."""
    assert clicks_told_apart(np.array([300.0, 30]), np.array([1000.0, 100]), np.zeros(2, int), 1)[0] > 0.9


def test_of_many_queries_the_share_of_errors_is_held():
    p = np.array([0.001, 0.02, 0.03, np.nan, 0.9])

    assert differ(p, 0.95).tolist() == [True, True, True, False, False]
    assert differ(np.array([0.03, 0.5, 0.6]), 0.95).tolist() == [False] * 3
