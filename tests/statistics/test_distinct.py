"""How far the number of distinct things would change: less than the jackknife says."""

from __future__ import annotations

from math import sqrt

import pytest

from rankgauge.statistics.distinct import narrower


def test_the_sum_written_out():
    once, twice, places, variance = 60, 30, 200, 40.0
    alone = once / places
    unsure = 4 * max(1, variance / (once * (1 - alone)))
    ratio = (once - 0.8125 * twice + 0.5 * 8 - 0.1875 * 2 + 0.03125 * 1 + unsure) / (once + unsure)

    found = narrower([once, twice, 8, 2, 1], places, variance)

    assert found == pytest.approx(sqrt((ratio - alone) / (1 - alone)))


@pytest.mark.parametrize(
    ("in_exactly", "places"),
    [
        ([0, 0, 0, 0, 0], 10),  # nothing is in one list alone: nothing would be lost
        ([10, 0, 0, 0, 0], 10),  # nothing is in two lists: other lists would bring other things
        ([3, 0, 0, 0, 0], 1000),  # the rest is everywhere
    ],
)
def test_where_nothing_is_known_better_the_jackknife_stays(in_exactly, places):
    assert narrower(in_exactly, places, 3.0) == pytest.approx(1.0)


def test_it_is_never_wider_and_never_nothing():
    for once in range(0, 50, 3):
        for twice in range(0, 200, 13):
            assert 0.3 < narrower([once, twice, twice, twice // 2, 1], 500, 20.0) <= 1.0
