"""Can the judgements carry the numbers?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankgauge._text import Text
from rankgauge.evaluation.rankings.judgement_health import JudgementHealth
from rankgauge.reporting.figures import rankings as figures
from rankgauge.reporting.grid import Cell, Grid, number, share
from rankgauge.reporting.page.story import Story

__all__ = ["NAME", "screen"]

NAME = Text("Judgements", "标注")


def screen(story: Story) -> dict[str, Any] | None:
    runs = story.health
    if not runs:
        return None
    first = next(iter(runs.values()))
    return {
        "charts": [figures.judged(runs), figures.grades(first)],
        "relevant": first.relevant,
        "health": first,
        "holes": _holes(runs),
        "ties": _ties(runs),
    }


def _holes(runs: Mapping[str, JudgementHealth]) -> Grid:
    top = next(iter(runs.values())).holes
    header = [
        Text("run", "系统"),
        Text(f"unjudged in the first {top.top}", f"前 {top.top} 位未标注"),
        Text("queries with one or more", "至少一个未标注的查询"),
        Text(f"with {top.many} or more", f"{top.many} 个以上的查询"),
    ]
    rows = [
        [
            Cell(name),
            Cell(share(h.holes.share), strong=True),
            Cell(f"{h.holes.queries:,}"),
            Cell(f"{h.holes.queries_with_many:,}"),
        ]
        for name, h in runs.items()
    ]
    return Grid(header, rows)


def _ties(runs: Mapping[str, JudgementHealth]) -> Grid | None:
    """What hangs on the order of equal scores; None where nothing does."""
    rows = [
        [Cell(name), Cell(t.label), Cell(number(t.tie_width), strong=True), Cell(f"{t.queries:,}")]
        for name, h in runs.items()
        for t in h.ties
        if t.queries
    ]
    if not rows:
        return None
    header = [
        Text("run", "系统"),
        Text("measure", "指标"),
        Text("the mean can move by", "均值最多变动"),
        Text("queries", "查询数"),
    ]
    return Grid(header, rows, frozenset({0, 1}))
