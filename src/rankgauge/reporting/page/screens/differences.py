"""Every query's difference: who won, who lost, and by how much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rankgauge._numbers import number, signed
from rankgauge._text import Text
from rankgauge.comparison.record import Comparison
from rankgauge.reporting.charts import Chart
from rankgauge.reporting.figures import comparison as figures
from rankgauge.reporting.page.story import Moved, Story

__all__ = ["NAME", "screen"]

NAME = Text("Differences", "差异")


@dataclass(frozen=True)
class Row:
    """A query that gained or lost much."""

    query: str
    anchor: str
    before: str
    after: str
    difference: str
    kind: str
    why: str


@dataclass(frozen=True)
class Part:
    """One system against the baseline."""

    system: str
    counts: str
    bars: Chart
    scatter: Chart
    moved: list[Row]


def screen(story: Story) -> dict[str, Any] | None:
    c = story.comparison
    measure = story.query_measure
    if c is None or not story.rankings or not measure:
        return None
    return {"parts": [_part(story, c, s) for s in story.systems], "measure": measure, "baseline": c.baseline}


def _part(story: Story, c: Comparison, system: str) -> Part:
    measure = story.query_measure

    def link(query: str) -> str:
        return story.anchors.get(query, "")

    bars = figures.differences(c, measure, system, link=link)
    scatter = figures.scatter(c, measure, system, link=link)
    return Part(system, bars.summary, bars, scatter, [_row(x, link(x.query)) for x in story.moved[system]])


def _row(x: Moved, anchor: str) -> Row:
    why = ""
    if x.only_ties:
        why = Text("only from the order of tied scores", "仅因并列得分的顺序")
    elif x.only_unjudged:
        why = Text("only from unjudged results", "仅因未标注结果")
    values = (number(x.before), number(x.after), signed(x.difference))
    return Row(x.query, anchor, *values, "pos" if x.gained else "neg", why)
