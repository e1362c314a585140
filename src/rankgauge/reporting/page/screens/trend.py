"""Numbers over time: a chart per measure, what changed, and the points of each series."""

from __future__ import annotations

from typing import Any

from rankgauge._text import Text
from rankgauge.history.trend import Trend
from rankgauge.reporting.charts import Chart
from rankgauge.reporting.figures import trend as figures
from rankgauge.reporting.grid import Section
from rankgauge.reporting.page.story import Story
from rankgauge.reporting.trend import latex_of_trend, points_of_trend

__all__ = ["NAME", "screen"]

NAME = Text("Trend", "趋势")


def screen(story: Story) -> dict[str, Any] | None:
    if not story.trends:
        return None
    return {"parts": [(_charts(t), _sections(t)) for t in story.trends]}


def _charts(t: Trend) -> list[Chart]:
    return [figures.trend(t, measure) for measure in dict.fromkeys(s.measure for s in t.series)]


def _sections(t: Trend) -> list[Section]:
    """At a glance, then the points of each series on request."""
    first, *_ = latex_of_trend(t)  # without lines of characters: charts stand below
    return [first, *points_of_trend(t)]
