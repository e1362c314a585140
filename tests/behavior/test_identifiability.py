"""Which positions are joined by items that moved."""

import numpy as np
import pytest

from rankgauge.behavior.bias.counts import Counts
from rankgauge.behavior.bias.identifiability import identifiability, ranges
from rankgauge.behavior.bias.simulation import simulate_pbm
from rankgauge.errors import InputError, ParameterError


def counts_of(*cells: tuple) -> Counts:
    """(item, position, impressions, clicks) of one query."""
    item, position, impressions, clicks = zip(*cells, strict=True)
    return Counts.from_arrays(["q"] * len(cells), item, position, impressions, clicks)


def test_support_is_the_smaller_number_of_impressions():
    found = identifiability(counts_of(("a", 1, 300, 9), ("a", 2, 150, 4), ("b", 1, 50, 1), ("b", 2, 60, 1)))

    assert found.support == {(1, 2): 150 + 50}
    assert found.edges[0].pairs == 2
    assert (found.edges[0].clicks_low, found.edges[0].clicks_high) == (10, 5)
    assert found.is_identified
    assert found.reason == "items that moved join all 2 positions"
    assert "2 个位置" in found.reason.zh


def test_two_islands():
    found = identifiability(
        counts_of(("a", 1, 500, 9), ("a", 3, 500, 4), ("b", 2, 500, 1), ("b", 4, 500, 1), ("a", 4, 20, 1))
    )

    assert found.components == ((1, 3), (2, 4))
    assert found.left_out == (2, 4)
    assert found.is_identified
    assert found.reason == (
        "positions 2, 4 cannot be joined with position 1: the best link to them has 20 impressions at both ends,"
        " 100 are needed"
    )


def test_lower_support_joins_them():
    cells = counts_of(("a", 1, 500, 9), ("a", 2, 20, 1))

    assert not identifiability(cells).is_identified
    assert identifiability(cells, min_support=20).is_identified


def test_items_never_clicked_at_one_end_join_nothing():
    found = identifiability(counts_of(("a", 1, 500, 9), ("a", 2, 500, 0)))

    assert not found.is_identified
    assert "never clicked at one of them" in found.reason


def test_adjacent_looks_at_neighbours_only():
    cells = counts_of(("a", 1, 500, 9), ("a", 3, 500, 4), ("b", 2, 500, 1), ("b", 3, 500, 1))

    assert identifiability(cells).left_out == ()
    assert identifiability(cells, adjacent=True).left_out == (2, 3)


def test_a_gap_of_positions_is_no_neighbourhood():
    cells = counts_of(("a", 1, 500, 9), ("a", 3, 500, 4))

    assert not identifiability(cells, adjacent=True).is_identified


def test_one_ranker_is_not_identified():
    found = identifiability(simulate_pbm(50, 12, noise=(0.1,), requests=1000, rng=1).counts)

    assert not found.is_identified
    assert found.edges == ()
    assert "one ranker" in found.reason
    with pytest.raises(InputError, match="one ranker"):
        found.refuse("em")


def test_three_rankers_are():
    found = identifiability(simulate_pbm(50, 12, requests=100, rng=1).counts)

    assert found.identified == tuple(range(1, 11))
    assert len(found.components) == 1


def test_components_are_those_of_scipy():
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    draw = np.random.default_rng(5)
    for _ in range(30):
        n = 25
        cells = Counts.from_arrays(
            draw.integers(40, size=n), draw.integers(3, size=n), draw.integers(1, 13, size=n), np.full(n, 200), [20] * n
        )
        found = identifiability(cells)
        at = {p: i for i, p in enumerate(found.positions)}
        graph = np.zeros((len(at), len(at)))
        for e in found.edges:
            graph[at[e.low], at[e.high]] = e.counts
        _, label = connected_components(csr_array(graph), directed=False)
        expected = {tuple(p for p in at if label[at[p]] == part) for part in set(label)}
        assert set(found.components) == expected
        assert found.components[0][0] == found.positions[0]


def test_one_position():
    found = identifiability(counts_of(("a", 1, 500, 9), ("b", 1, 10, 1)))

    assert found.reason == "everything was shown at position 1"
    assert not found.is_identified


def test_stored_and_framed():
    found = identifiability(counts_of(("a", 1, 500, 9), ("a", 2, 500, 4), ("b", 3, 5, 4)))

    assert found.to_dict()["left_out"] == [3]
    assert found.to_frame().rows() == [(1, 2, 1, 500.0, 9.0, 4.0, True)]
    assert identifiability(counts_of(("a", 1, 500, 9))).to_frame().height == 0


def test_negative_support():
    with pytest.raises(ParameterError, match="min_support"):
        identifiability(counts_of(("a", 1, 1, 0)), min_support=-1)


def test_ranges():
    assert ranges([1, 3, 4, 5, 9]) == "1, 3–5, 9"
