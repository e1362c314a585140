"""Answers that are right or not, beside what was retrieved for them."""

from __future__ import annotations

from typing import Any

from rankgauge._text import Text
from rankgauge.reporting import sections
from rankgauge.reporting.answers import headline
from rankgauge.reporting.figures import answers as figures
from rankgauge.reporting.page.story import Story

__all__ = ["NAME", "screen"]

NAME = Text("Answers", "答案")
_HALF = 480  # two charts stand beside each other


def screen(story: Story) -> dict[str, Any] | None:
    if not story.answers:
        return None
    return {"parts": [_part(found) for found in story.answers]}


def _part(found: Any) -> dict[str, Any]:
    head = headline(found)
    charts = [figures.cells(found, _HALF), *([figures.by_recall(found, _HALF)] if found.levels else [])]
    return {"head": head, "charts": charts, "sections": [s for s in sections(found) if s.title != head]}
