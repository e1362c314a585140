"""Twelve weeks: a noisy one, other judgements and a drop, and what a history makes of each."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

import rankgauge as rg
from command_line import rankgauge
from rankgauge import demo
from rankgauge.demo.weeks import BROKEN, N_WEEKS, NOISY, RULED


def test_weeks_are_the_same_each_time_and_a_week_apart():
    first, again = demo.weeks(7), demo.weeks(7)

    assert first == again
    assert len(first) == N_WEEKS
    assert {(b.at - a.at).days for a, b in itertools.pairwise(first)} == {7}
    assert demo.weeks(8)[0].runs != first[0].runs


def test_only_judgements_change_for_bm25():
    found = demo.weeks(7)

    assert len({str(w.runs["bm25"]) for w in found}) == 1
    assert [w.number for a, w in itertools.pairwise(found) if w.qrels != a.qrels] == [RULED]
    assert [w.number for w in found if w.note] == [RULED]


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("weeks")
    rankgauge("demo", "--history", "weeks.db", cwd=folder)
    with rg.History(folder / "weeks.db") as h:
        yield h


@pytest.mark.slow
def test_a_history_tells_the_three_apart(history: rg.History):
    line = rg.trend(history, project="shop", system="hybrid", measures="nDCG@10").series[0]
    by_week = dict(enumerate(line.points, start=1))
    surely = [i for i, p in by_week.items() if not p.breaks and p.since_previous and p.since_previous.high < 0]

    assert [i for i, p in by_week.items() if p.breaks] == [RULED]
    assert list(by_week[RULED].breaks) == ["judgements"]
    assert surely == [BROKEN]
    noisy = by_week[NOISY].since_previous
    assert noisy.low < 0 < noisy.high
    others = [
        p.since_previous.high - p.since_previous.low
        for i, p in by_week.items()
        if i not in (1, NOISY, NOISY + 1, RULED, BROKEN)
    ]
    assert noisy.high - noisy.low > 2 * max(others)


@pytest.mark.slow
def test_only_the_drop_rings(history: rg.History):
    found = history.entries(kind="alerts")[-1].record

    assert [(a.system, a.measure) for a in found.ringing] == [("hybrid", "nDCG@10")]
    assert {a.state for a in found.items if a.system == "bm25"} == {"ok"}
    assert [e.entry for e in history.events(kind="alert")] == [found.ringing[0].entry]
    assert [e.who for e in history.events(kind="baseline")] == ["Ana", "Ana"]


@pytest.mark.slow
def test_what_is_there_is_not_written_over(history: rg.History):
    place = Path(history.place)

    assert "is there already" in rankgauge("demo", "--history", place.name, cwd=place.parent, code=2).stderr
