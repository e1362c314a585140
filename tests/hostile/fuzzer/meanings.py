"""What a mutated input must give.

A mutation says what it does to the meaning, and the check asks for nothing else:

    SAME            the numbers of the unmutated input; an error is a failure
    SAME_OR_ERROR   those numbers, or an error
    Meant(value)    the numbers of another table or document, which the naive reading found; or an error
    OPEN            an error, the same numbers, or a record that says more: a note, a count, a suspicion
    LEFT_OUT        an error, or a record that says more: something is there that the numbers do not know
    CLEAN           anything that ends well: the mutation asks for something else (another option, say)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["CLEAN", "LEFT_OUT", "OPEN", "SAME", "SAME_OR_ERROR", "Further", "Given", "Meaning", "Meant", "Open"]


class Open(Exception):
    """The naive reading cannot say what this means."""


class Further(Exception):
    """It plainly means more than was there: another attribute makes other slices."""


@dataclass(frozen=True)
class Meaning:
    name: str


@dataclass(frozen=True)
class Meant(Meaning):
    value: Any = None


SAME = Meaning("same")
SAME_OR_ERROR = Meaning("same or error")
OPEN = Meaning("error, same or remark")
LEFT_OUT = Meaning("error or remark")
CLEAN = Meaning("ends well")


@dataclass(frozen=True)
class Given:
    """What is passed for one slot, and what it means."""

    value: Any  # a path, or an object
    meaning: Meaning
