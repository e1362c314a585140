"""Measures over k, beside what can be reached."""

from __future__ import annotations

from typing import Any

from rankgauge._text import Text
from rankgauge.reporting.figures import rankings as figures
from rankgauge.reporting.grid import Cell, Grid, number
from rankgauge.reporting.page.story import Story

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
        "grid": Grid([Text("measure", "指标"), Text("run", "系统"), *map(str, ks)], rows, frozenset({0, 1})),
    }
