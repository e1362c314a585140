"""Every query's difference: who won, who lost, and by how much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rankgauge._text import Text
from rankgauge.reporting.charts import Chart
from rankgauge.reporting.figures import comparison as figures
from rankgauge.reporting.grid import number, signed
from rankgauge.reporting.page.lists import anchor_of
from rankgauge.reporting.page.story import Story

__all__ = ["NAME", "screen"]

NAME = Text("Differences", "差异")
_MOST_MOVED = 5


@dataclass(frozen=True)
class Moved:
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
    moved: list[Moved]


def screen(story: Story) -> dict[str, Any] | None:
    c = story.comparison
    if c is None or not story.rankings:
        return None
    order = [story.leader, *(s for s in c.systems if s != story.leader)]
    return {"parts": [_part(story, s) for s in order], "measure": c.measures[0], "baseline": c.baseline}


def _part(story: Story, system: str) -> Part:
    c = story.comparison
    assert c is not None
    measure = c.measures[0]
    x = c[measure, system]

    def link(query: str) -> str:
        return anchor_of(story, query)

    bars = figures.differences(c, measure, system, link=link)
    return Part(
        system, bars.summary, bars, figures.scatter(c, measure, system, link=link), _moved(story, system, x.measure)
    )


def _moved(story: Story, system: str, measure: str) -> list[Moved]:
    c = story.comparison
    assert c is not None
    out = []
    for kind, frame in zip(("pos", "neg"), c.moved(measure, system, _MOST_MOVED), strict=True):
        for row in frame.iter_rows(named=True):
            why = ""
            if row["only_ties"]:
                why = Text("only from the order of tied scores", "仅因并列得分的顺序")
            elif row["only_unjudged"]:
                why = Text("only from unjudged results", "仅因未标注结果")
            q = row["query_id"]
            values = (number(row[c.baseline]), number(row[system]), signed(row["difference"], 4))
            out.append(Moved(q, anchor_of(story, q), *values, kind, why))
    return out
