"""What to know of a measure before choosing it: strengths, limits, when to take it, and what to take instead.

Each module of measures has one here of the same name, with a `Lesson` under the name of each of its measures. They load
when a measure is explained: evaluating does not read them. Sentences that hold for several measures are stated once, in
`facts.py`, and tests compute them for every measure that says them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from rankgauge.measures.definition import Definition

__all__ = ["Lesson", "lesson_of"]


@dataclass(frozen=True)
class Lesson:
    """What somebody who knows a measure says to somebody who wants to use it; every text in both languages."""

    strengths: Sequence[str]
    limits: Sequence[str]
    use: str
    """When to take it."""
    avoid: str
    """When not to."""
    instead: Mapping[str, str]
    """Other measures as they are typed, `R@k`, and when to take each instead."""


def lesson_of(cls: type[Definition]) -> Lesson | None:
    """The lesson of a measure; None where a user made it."""
    package, _, module = cls.__module__.partition(".measures.")
    home = f"{package}.measures.lessons.{module}"
    if not module or package != __name__.partition(".")[0] or find_spec(home) is None:
        return None
    lesson: Lesson | None = getattr(import_module(home), cls.name, None)
    return lesson
