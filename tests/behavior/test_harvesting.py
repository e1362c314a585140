"""Intervention harvesting: ratios of click rates of items that moved."""

from itertools import combinations
from math import log

import numpy as np
import pytest

from rankgauge.behavior.bias.counts import Counts
from rankgauge.behavior.bias.harvesting import adjacent, all_pairs, meat
from rankgauge.behavior.bias.simulation import simulate_pbm


def one_query(*cells: tuple) -> Counts:
    item, position, impressions, clicks = zip(*cells, strict=True)
    return Counts.from_arrays(["q"] * len(cells), item, position, impressions, clicks)


def small(rng: int = 4) -> Counts:
    return simulate_pbm(12, 6, (1, 0.6, 0.4, 0.3), requests=np.array([[60, 90, 40]] * 12), rng=rng).counts


def test_adjacent_ratio_by_hand():
    got = adjacent(one_query(("a", 1, 100, 20), ("a", 2, 100, 5), ("b", 1, 30, 6), ("b", 2, 60, 6)), "pair")

    at_1, at_2 = 20 * 100 / 200 + 6 * 60 / 90, 5 * 100 / 200 + 6 * 30 / 90
    assert got.log.tolist() == pytest.approx([0, log(at_2 / at_1)])


def test_adjacent_error_by_hand():
    got = adjacent(one_query(("a", 1, 100, 20), ("a", 2, 100, 5), ("b", 1, 30, 6), ("b", 2, 60, 6)), "pair")

    of_a = 2.5 / 4.5 - 10 / 14
    of_b = 2 / 4.5 - 4 / 14
    assert got.covariance[1, 1] == pytest.approx(2 * (of_a**2 + of_b**2))
    assert got.clusters == 2


def test_two_positions_adjacent_is_all_pairs():
    counts = simulate_pbm(30, 5, (1, 0.5), requests=80, rng=2).counts

    a, b = adjacent(counts, "pair"), all_pairs(counts, "pair")

    assert a.log == pytest.approx(b.log)
    assert a.covariance[1, 1] == pytest.approx(b.covariance[1, 1])


def bradley_terry_height(counts: Counts, log_theta: np.ndarray) -> float:
    """The likelihood of the module's docstring, written out with loops."""
    height = 0.0
    for i, j in combinations(range(counts.n_cells), 2):
        if counts.pair[i] == counts.pair[j]:
            n_i, n_j = counts.impressions[i], counts.impressions[j]
            a, b = counts.clicks[i] * n_j / (n_i + n_j), counts.clicks[j] * n_i / (n_i + n_j)
            t_i, t_j = np.exp(log_theta[counts.position[i] - 1]), np.exp(log_theta[counts.position[j] - 1])
            height += a * np.log(t_i / (t_i + t_j)) + b * np.log(t_j / (t_i + t_j))
    return height


def test_all_pairs_is_the_maximum():
    counts = small()
    got = all_pairs(counts, "pair").log
    best = bradley_terry_height(counts, got)

    for k in (1, 2, 3):
        for step in (-1e-3, 1e-3):
            moved = got.copy()
            moved[k] += step
            assert bradley_terry_height(counts, moved) < best


def test_all_pairs_covariance_by_loops():
    counts = small()
    got = all_pairs(counts, "pair")
    theta = np.exp(got.log)
    scores, information = np.zeros((counts.n_pairs, 4)), np.zeros((4, 4))
    for i, j in combinations(range(counts.n_cells), 2):
        if counts.pair[i] == counts.pair[j]:
            k, l = counts.position[i] - 1, counts.position[j] - 1
            n_i, n_j = counts.impressions[i], counts.impressions[j]
            a, b = counts.clicks[i] * n_j / (n_i + n_j), counts.clicks[j] * n_i / (n_i + n_j)
            share = theta[k] / (theta[k] + theta[l])
            scores[counts.pair[i], k] += a - (a + b) * share
            scores[counts.pair[i], l] += b - (a + b) * (1 - share)
            h = (a + b) * share * (1 - share)
            information[[k, l], [k, l]] += h
            information[[k, l], [l, k]] -= h
    n = len(set(counts.moved().pair.tolist()))
    bread = np.linalg.inv(information[1:, 1:])
    expected = bread @ (scores.T @ scores)[1:, 1:] @ bread * n / (n - 1)

    assert got.covariance[1:, 1:] == pytest.approx(expected)
    assert got.covariance[0].tolist() == [0] * 4
    assert got.clusters == n


@pytest.mark.parametrize("estimate", [adjacent, all_pairs])
def test_clusters_of_queries(estimate):
    counts = small()
    pairs, queries = estimate(counts, "pair"), estimate(counts, "query")

    assert pairs.log == pytest.approx(queries.log)
    assert queries.clusters == 12 < pairs.clusters
    assert (np.diag(queries.covariance)[1:] > 0).all()


def test_meat_by_loops():
    draw = np.random.default_rng(0)
    cluster, slot, score = draw.integers(6, size=80), draw.integers(4, size=80), draw.normal(size=80)
    sums = np.zeros((6, 4))
    for c, s, x in zip(cluster, slot, score, strict=True):
        sums[c, s] += x

    got, n = meat(cluster, slot, score, 4)

    assert got == pytest.approx(sums.T @ sums * 6 / 5)
    assert n == 6


def test_one_pair_has_no_error():
    got = all_pairs(one_query(("a", 1, 100, 20), ("a", 2, 100, 5)), "pair")

    assert got.log[1] == pytest.approx(log(5 / 20))
    assert np.isnan(got.covariance[1, 1])


def test_exact_ratios_are_found_exactly():
    """Click rates that are products to the last digit, whatever the impressions."""
    theta, gamma = [1, 0.5, 0.25], {"a": 0.4, "b": 0.2, "c": 0.8}
    cells = [
        (d, k + 1, n, n * theta[k] * gamma[d])
        for d, k, n in [("a", 0, 100), ("a", 2, 300), ("b", 0, 50), ("b", 1, 500), ("c", 1, 70), ("c", 2, 10)]
    ]

    assert np.exp(all_pairs(one_query(*cells), "pair").log) == pytest.approx(theta)
