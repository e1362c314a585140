"""Measures over the room of a context."""

from __future__ import annotations

from typing import Any

from rankgauge._text import Text
from rankgauge.reporting.figures import rankings as figures
from rankgauge.reporting.page.story import Story
from rankgauge.reporting.profiles import by_budget_notes, by_budget_table

__all__ = ["NAME", "screen"]

NAME = Text("By budget", "上下文预算")


def screen(story: Story) -> dict[str, Any] | None:
    runs = story.by_budget
    if not runs:
        return None
    first = next(iter(runs.values()))
    return {
        "charts": [figures.by_budget(runs, m) for m in first.measures],
        "grid": by_budget_table(runs),
        "notes": by_budget_notes(first),
    }
