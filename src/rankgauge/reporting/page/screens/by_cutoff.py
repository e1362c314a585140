"""Measures over k, beside what can be reached."""

from __future__ import annotations

from math import isnan
from typing import Any

from rankgauge._numbers import counted
from rankgauge._text import Text
from rankgauge.reporting.figures import rankings as figures
from rankgauge.reporting.grid import Cell, Grid, number
from rankgauge.reporting.page.story import Story
from rankgauge.reporting.words import phrase

__all__ = ["NAME", "screen"]

NAME = Text("By cutoff", "截断深度")


def screen(story: Story) -> dict[str, Any] | None:
    runs = story.by_cutoff
    if not runs:
        return None
    first = next(iter(runs.values()))
    ks = [p.k for p in first.points if p.measure == first.measures[0]]
    rows = [
        [Cell(m), Cell(name, quiet=True), *(Cell(number(p.value)) for p in found[m])]
        for m in first.measures
        for name, found in runs.items()
    ]
    return {
        "charts": [figures.by_cutoff(runs, m) for m in first.measures],
        "ends": _ends(max(found.longest for found in runs.values()), ks[-1]),
        "has_ceiling": any(not isnan(p.ceiling) for found in runs.values() for p in found.points),
        "grid": Grid([Text("measure", "指标"), Text("run", "系统"), *map(str, ks)], rows, frozenset({0, 1})),
    }


def _ends(longest: int, last: int) -> str:
    """Where all lists end before the curves do."""
    if not 0 < longest < last:
        return ""
    results = counted(longest, "result", "条结果")
    told = (
        "No list has more than {}: beyond that, the curves show what larger cutoffs make of the same lists.",
        "所有列表都不超过 {}：再往后，曲线只是同样的列表在更大截断位置下的取值。",
    )
    return phrase(*told, results)
