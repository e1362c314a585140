"""Slices of the queries: where it gains, where it loses, where nothing can be said."""

from __future__ import annotations

from typing import Any

from rankgauge._text import Text
from rankgauge.comparison.record import Comparison
from rankgauge.reporting.charts import Chart
from rankgauge.reporting.figures import comparison as changes
from rankgauge.reporting.figures import rankings as figures
from rankgauge.reporting.grid import Cell, Grid, number, p_value, ranged, signed
from rankgauge.reporting.page.story import Story
from rankgauge.reporting.words import VERDICTS, interval_of

__all__ = ["NAME", "screen"]

NAME = Text("Slices", "切片")
_MOST_ROWS = 200


def screen(story: Story) -> dict[str, Any] | None:
    c = story.comparison
    if c is not None and c.sliced:
        return {
            "charts": _charts(c, story.leader),
            "grid": _grid(c),
            "n": len(c.sliced),
            "most": _MOST_ROWS,
            "compared": True,
            "notes": story.rankings[c.baseline].notes_on_slices,
        }
    sliced = [ev for ev in story.rankings.values() if ev.attributes]
    if not sliced:
        return None
    return {
        "charts": [figures.slices(ev) for ev in sliced],
        "grid": None,
        "n": 0,
        "most": 0,
        "compared": False,
        "notes": sliced[0].notes_on_slices,
    }


def _charts(c: Comparison, leader: str) -> list[Chart]:
    out = [changes.slices(c, system=leader)]
    if len(c.systems) > 1:
        out.append(changes.slices(c, measure=next(iter(c.query_measures), None)))
    return out


def _grid(c: Comparison) -> Grid:
    header = [
        Text("slice", "切片"),
        Text("system", "系统"),
        Text("measure", "指标"),
        "n",
        Text("difference", "差异"),
        interval_of(c.confidence_level),
        Text("p, corrected", "校正后 p"),
        Text("detectable", "检出下限"),
        Text("verdict", "结论"),
    ]
    rows = [
        [
            Cell(x.slice),
            Cell(x.system),
            Cell(x.measure),
            Cell(f"{x.n:,}", quiet=True),
            Cell(signed(x.difference, 4), strong=x.verdict in ("better", "worse")),
            Cell(
                ranged(*x.interval, sign=True),
                quiet=True,
            ),
            Cell(p_value(x.p_corrected), quiet=True),
            Cell(number(x.detectable), quiet=True),
            Cell(VERDICTS[x.word]),
        ]
        for x in c.sliced[:_MOST_ROWS]
    ]
    return Grid(header, rows, frozenset({0, 1, 2, 8}))
