"""Several classes: the numbers, each class, and what was taken for what."""

from __future__ import annotations

from typing import Any

from rankgauge._text import Text
from rankgauge.evaluation.predictions.classes import ClassEvaluation, ClassEvaluations
from rankgauge.reporting import sections
from rankgauge.reporting.figures import classes as figures
from rankgauge.reporting.grid import unrepeated
from rankgauge.reporting.page.story import Story

__all__ = ["NAME", "screen"]

NAME = Text("Classes", "类别")


def screen(story: Story) -> dict[str, Any] | None:
    if not story.classes:
        return None
    together = [r for r in story.records if isinstance(r, ClassEvaluations)]
    if not together and len(story.classes) > 1:
        together = [ClassEvaluations(story.classes)]
    members: list[ClassEvaluation] = list(story.classes.values())
    return {
        "charts": [figures.confusion(ev.confusion(), ev.model) for ev in members],
        "tables": unrepeated([s for r in (*together, *members) for s in sections(r)]),
    }
