"""Systems in several measures at once: who is better in one only by being worse in another, and who is dominated."""

from __future__ import annotations

from typing import Any

from rankgauge._text import Text
from rankgauge.reporting.figures.tradeoff import tradeoff as chart_of
from rankgauge.reporting.page.story import Story
from rankgauge.reporting.suspicions import alarms_and_doubts
from rankgauge.reporting.tradeoff import headline, notes_on, table_of

__all__ = ["NAME", "screen"]

NAME = Text("Trade-off", "权衡")
_HALF = 480  # two charts stand beside each other


def screen(story: Story) -> dict[str, Any] | None:
    found = story.tradeoff
    if found is None:
        return None
    first, *others = found.measures
    return {
        "head": headline(found) if not others[1:] else "",
        "parts": [(headline(found.among(first, x)), chart_of(found, x, first, _HALF)) for x in others],
        "grid": table_of(found),
        "notes": notes_on(found),
        # the first screen says what casts doubt on the evaluations of the page
        "warnings": [] if story.rankings else alarms_and_doubts(found.suspicions),
        "several": len(others) > 1,
    }
