"""What a page concludes: one ordered list of facts, from which its head, its doubts and its cards are drawn.

    decisions.py   what stops any conclusion, what the rules of a gate came to, which system is better
    levels.py      how good one system is, and which figures it misses
    doubts.py      what could undo it: failed calls, queries, depths, judgements, ties, repairs
    of_models.py   the same for labels and scores, and for funnels

Everything is worded from a story; nothing is computed here.
"""

from __future__ import annotations

from rankgauge.reporting.page.fact import KINDS, Fact
from rankgauge.reporting.page.facts.decisions import of_gate, of_verdicts, stops
from rankgauge.reporting.page.facts.doubts import doubts_of
from rankgauge.reporting.page.facts.levels import levels_of, minima_of
from rankgauge.reporting.page.story import Story

__all__ = ["facts_of"]


def facts_of(story: Story) -> tuple[Fact, ...]:
    """All facts, in order."""
    found = [
        *stops(story),
        *of_gate(story),
        *of_verdicts(story),
        *levels_of(story),
        *minima_of(story),
        *doubts_of(story),
    ]
    return tuple(sorted(found, key=lambda f: KINDS.index(f.kind)))
