"""How retrievers were asked: what became of the queries, how long they took, what failed."""

from __future__ import annotations

from typing import Any

from rankgauge._text import Text
from rankgauge.reporting.collected import beside_each_other
from rankgauge.reporting.page.story import Story

__all__ = ["NAME", "screen"]

NAME = Text("Asked", "询问")


def screen(story: Story) -> dict[str, Any] | None:
    return {"sections": beside_each_other(story.asked)} if story.asked else None
