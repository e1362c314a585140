"""Groups of items: which are found, which get the attention, and what nobody is shown although it is relevant."""

from __future__ import annotations

from math import isnan
from typing import Any

from rankgauge._text import Text
from rankgauge.reporting.by_item_group import notes_on_groups, sections_of_never_shown, table_of_groups
from rankgauge.reporting.figures.items import by_item_group as chart_of
from rankgauge.reporting.page.story import Story
from rankgauge.reporting.words import phrase

__all__ = ["NAME", "screen"]

NAME = Text("Items", "物品")
_FEW_GROUPS = 6
_HALF = 480  # two charts stand beside each other


def screen(story: Story) -> dict[str, Any] | None:
    found = story.items
    if found is None or not found.rows:
        return None
    leader = story.leader if story.leader in found.systems else found.systems[0]
    depth = found.cutoffs[0]
    parts = []
    for attribute in dict.fromkeys(row.attribute for row in found.rows):
        groups = {row.group for row in found.rows if row.attribute == attribute}
        alone = leader if len(groups) > _FEW_GROUPS else None  # of all systems they would fill the page
        of = ["recall", *(["exposure"] if any(not isnan(row.exposure) for row in found.rows) else [])]
        parts.append(
            {
                "title": phrase("By {}", "按 {}", attribute)
                if alone is None
                else phrase("By {}: {}", "按 {}：{}", attribute, alone),
                "charts": [chart_of(found, attribute, alone, depth, one, _HALF) for one in of],
                "tables": [(system, table_of_groups(found, system, attribute)) for system in found.systems],
            }
        )
    never = [one for one in found.never_shown if one.system == leader]
    return {
        "parts": parts,
        "notes": notes_on_groups(found),
        "never": sections_of_never_shown(found, [leader]) if never else [],
    }
