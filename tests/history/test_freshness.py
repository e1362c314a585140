"""What the queries of a series of evaluations are to each other."""

from __future__ import annotations

from pathlib import Path

import pytest

import rankgauge as rg
from rankgauge.history.freshness import Seen, freshness

from .years import same


@pytest.fixture
def history(tmp_path: Path) -> rg.History:
    return rg.History(tmp_path / "history.db")


def sets(history: rg.History, *some: range) -> list[rg.Entry]:
    return same(history, [{f"q{i}": 1.0 for i in one} for one in some])


def test_the_share_is_that_of_the_smaller_set_and_of_one_evaluation(history: rg.History):
    a, b, small, both = sets(history, range(20), range(20, 60), range(18, 22), range(10, 30))
    seen = Seen()
    for e in (a, b):
        assert seen.share(e) == 0
        seen.count(e)

    assert seen.share(a) == 1
    assert seen.share(small) == 2 / 4
    assert seen.share(both) == 10 / 20


def test_a_tenth_in_common_is_let_pass(history: rg.History):
    entries = sets(history, range(20), range(18, 38), range(36, 56), range(54, 74))
    more = sets(history, range(20), range(17, 37), range(34, 54))

    found = freshness(entries, 100)

    assert found.is_stream
    assert not found.is_whole
    assert found.looked_at == 4
    assert not freshness(more, 100).is_stream


def test_older_ones_are_only_known_to_differ(history: rg.History):
    entries = sets(history, range(20), range(10, 30), range(30, 40), range(40, 50), range(50, 60))

    assert freshness(entries, 3).is_stream
    assert freshness(entries, 3).looked_at == 3
    assert not freshness(entries, 5).is_stream


def test_sets_in_turns_are_no_stream_and_repeats_are_seen(history: rg.History):
    a, b, c = sets(history, range(20), range(20, 40), range(40, 60))

    assert not freshness([a, b, a, b], 100).is_stream
    again = freshness([a, a, b, c, c], 100)
    assert (again.is_stream, again.is_whole, again.repeats) == (True, True, {1, 4})
