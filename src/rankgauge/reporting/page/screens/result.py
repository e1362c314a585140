"""Records that show their own sections: gates, audits, calibrations, explanations, …"""

from __future__ import annotations

from typing import Any

from rankgauge._text import Text
from rankgauge.diagnosis.finding import Findings
from rankgauge.reporting import sections
from rankgauge.reporting.charts import Chart
from rankgauge.reporting.figures import plot
from rankgauge.reporting.grid import unrepeated
from rankgauge.reporting.page.story import Story

__all__ = ["NAME", "screen"]

NAME = Text("Result", "结果")


def screen(story: Story) -> dict[str, Any] | None:
    has_verdict = bool(story.comparison or story.rankings or story.models or story.funnel)
    others = [r for r in story.others if not (has_verdict and isinstance(r, Findings))]
    if story.gate is not None:
        others.insert(0, story.gate)
    return {"parts": [(_charts(r), unrepeated(sections(r))) for r in others]} if others else None


def _charts(record: Any) -> list[Chart]:
    """The picture of records that have one."""
    drawn = {"PositionBias": "propensity", "Judgements": "judged_grades", "OffPolicy": "clipping"}
    kind = drawn.get(type(record).__name__)
    return [] if kind is None else [plot(record, kind).chart]
