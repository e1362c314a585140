"""Records that show their own sections: gates, audits, calibrations, explanations, …"""

from __future__ import annotations

from typing import Any

from rankgauge._text import Text
from rankgauge.diagnosis.finding import Findings
from rankgauge.reporting import sections
from rankgauge.reporting.page.story import Story

__all__ = ["NAME", "screen"]

NAME = Text("Result", "结果")


def screen(story: Story) -> dict[str, Any] | None:
    has_verdict = bool(story.comparison or story.rankings or story.models or story.funnel)
    others = [r for r in story.others if not (has_verdict and isinstance(r, Findings))]
    if story.gate is not None:
        others.insert(0, story.gate)
    return {"sections": [s for r in others for s in sections(r)]} if others else None
