"""Records that show their own sections: gates, audits, calibrations, explanations, …"""

from __future__ import annotations

from typing import Any

from rankgauge._records import kinds_of
from rankgauge._text import Text
from rankgauge.diagnosis.finding import Findings
from rankgauge.reporting import sections
from rankgauge.reporting.charts import Chart
from rankgauge.reporting.figures import can_draw, charts_of, plot
from rankgauge.reporting.grid import unrepeated
from rankgauge.reporting.page.story import Story

__all__ = ["NAME", "screen"]

NAME = Text("Result", "结果")


def screen(story: Story) -> dict[str, Any] | None:
    has_verdict = bool(story.comparison or story.members or story.funnel)
    others = [r for r in story.others if not (has_verdict and isinstance(r, Findings))]
    if story.gate is not None:
        others.insert(0, story.gate)
    return {"parts": [(_charts(r), unrepeated(sections(r))) for r in others]} if others else None


def _charts(record: Any) -> list[Chart]:
    """The picture of records that have one."""
    drawn = [name for kind in kinds_of(record) for name in charts_of(kind) if can_draw(name, record)]
    return [plot(record, drawn[0]).chart] if drawn else []
