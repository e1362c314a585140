"""A fact of the page, and which of them decide its head.

    stop      nothing can be concluded: the input is suspect, or nothing counts
    gate      what the rules of a release came to
    verdict   which system is better
    level     how good one system is, where nothing is compared
    minimum   figures that a scenario asks for and that are missed
    doubt     what could undo it
    fine      what a careful reader asks, where there is nothing to fear

The first fact is the headline. What stands below is weaker, and is worded so that it holds beside what stands above.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rankgauge._claims import together
from rankgauge._text import Text

__all__ = ["DOUBTS", "KINDS", "SIGNS", "Fact", "conclusions", "doubt_or_fine"]

KINDS = ("stop", "gate", "verdict", "level", "minimum", "doubt", "fine")
"""The first decides the headline."""
DOUBTS = ("doubt", "fine")
"""Those that stand under the question of what could undo the answer."""
SIGNS = {"good": "▲", "bad": "▼", "same": "=", "open": "?", "mixed": "±"}
"""How verdicts are marked; mixed: better in one measure and worse in another."""


@dataclass(frozen=True)
class Fact:
    """Something that a reader must know, or would ask."""

    kind: str
    code: str
    """What it is about, whoever says it: findings, suspicions and notes of the same have the same code."""
    text: str
    tone: str = "same"

    @property
    def ok(self) -> bool:
        """Whether there is nothing to fear from it."""
        return self.kind == "fine"

    @property
    def mark(self) -> str:
        """Under the question of what could undo the answer: fine, to be asked by the reader, or a warning."""
        return "!" if not self.ok else "?" if self.tone == "open" else "✓"

    @property
    def sign(self) -> str:
        """A sign for decisions; a dot for what only says how good one system is."""
        return SIGNS[self.tone] if self.kind in ("gate", "verdict") else "!" if self.kind == "stop" else "●"


def doubt_or_fine(ok: bool, code: str, text: str) -> Fact:
    """What could undo an answer, or what a careful reader asks and need not fear."""
    return Fact("fine" if ok else "doubt", code, text)


def conclusions(facts: Sequence[Fact]) -> list[Fact]:
    """The headline and the lines under it.

    A missed minimum for production is part of the headline: nobody may read "better" or "pass" and stop there. Where
    the input is suspect nothing below the headline sounds like an answer.
    """
    lines = [f for f in facts if f.kind not in DOUBTS]
    if not lines:
        return []
    head, *rest = lines
    stop = [f for f in rest if f.kind == "minimum" and f.tone == "bad"]
    if stop and head.kind != "minimum":
        tone = {"good": "open"}.get(head.tone, head.tone) if head.kind in ("gate", "verdict") else "bad"
        head = replace(head, text=together(Text(" ", ""), [head.text, *(f.text for f in stop)]), tone=tone)
        rest = [f for f in rest if f not in stop]
    if head.kind == "stop":
        rest = [replace(f, tone="open") for f in rest]
    return [head, *rest]
