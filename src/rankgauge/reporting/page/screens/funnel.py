"""Where a pipeline loses its relevant items."""

from __future__ import annotations

from typing import Any

from rankgauge._text import Text
from rankgauge.reporting import sections
from rankgauge.reporting.figures import funnel as figures
from rankgauge.reporting.page.story import Story

__all__ = ["NAME", "screen"]

NAME = Text("Funnel", "漏斗")


def screen(story: Story) -> dict[str, Any] | None:
    f = story.funnel
    if f is None:
        return None
    found = sections(f)
    alone = not story.members
    return {
        "headline": "" if alone else found[0].title,
        "charts": [figures.waterfall(f), figures.waterfall_of_ndcg(f)],
        "sections": found[1:],
    }
