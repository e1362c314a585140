"""What is told at once: everything that is new for a channel, as lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rankgauge._show import cut, neutral
from rankgauge._text import Text, composed, in_language, joined
from rankgauge._version import __version__
from rankgauge.project.incidents import STATES, Incident

__all__ = ["Digest", "Sending"]

_MOST = 10
"""Incidents in one message; of more it says how many there are."""
_LINE = 600
"""Characters of a line."""


@dataclass(frozen=True)
class Digest:
    """A message: what it is about, and one block of lines for each incident."""

    project: str
    at: str
    incidents: Sequence[Incident]
    dashboard: str | None = None
    language: str = "en"

    @property
    def title(self) -> str:
        """`shop: 1 alert, 2 recovered`."""
        found = Counter(i.state for i in self.incidents)
        parts = [
            composed("{} {}", "{} 项{}", f"{found[state]:,}", word) for state, word in STATES.items() if found[state]
        ]
        said = composed("{}: {}", "{}：{}", self.project, joined(Text(", ", "，"), parts))
        return _one_line(in_language(said, self.language))

    def blocks(self) -> list[list[str]]:
        """The lines of each incident; of too many a last one that says how many more there are."""
        out = [
            [_one_line(in_language(line, self.language)) for line in i.lines(self.dashboard)]
            for i in self.incidents[:_MOST]
        ]
        if (more := len(self.incidents) - _MOST) > 0:
            out.append([in_language(Text(f"… and {more} more", f"… 还有 {more} 项"), self.language)])
        return out

    def text(self) -> str:
        """All of it as plain lines, incidents apart from each other."""
        return "\n\n".join([self.title, *("\n".join(block) for block in self.blocks())])

    def to_dict(self) -> dict[str, Any]:
        """As a program reads it."""
        return {
            "rankgauge": __version__,
            "project": self.project,
            "at": self.at,
            "title": self.title,
            "text": self.text(),
            "incidents": [i.to_dict(self.dashboard, self.language) for i in self.incidents],
        }


def _one_line(text: str) -> str:
    """Names and ids are other people's: they begin no line of their own, and turn no writing around."""
    return cut(" ".join(neutral(text).split()), _LINE)


@dataclass(frozen=True)
class Sending:
    """What channels need of the world: variables, a clock, patience, and where the project lies."""

    variables: Mapping[str, str] = field(repr=False)
    now: Any
    """Seconds since 1970."""
    sleep: Any
    folder: Any
