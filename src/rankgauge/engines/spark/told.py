"""Errors of executors as plain data: a task that raises would be tried again, to no avail."""

from __future__ import annotations

from rankgauge import errors
from rankgauge._text import Text, in_language, zh
from rankgauge.errors import InputError, RankgaugeError

__all__ = ["Told", "heard", "told"]

Told = tuple[str, str, str]
"""The class of an error, and what it says in each language: whoever hears it may speak another than the executor."""


def told(error: RankgaugeError) -> Told:
    return type(error).__name__, in_language(error.text, "en"), zh(error.text)


def heard(name: str, english: str, chinese: str) -> RankgaugeError:
    """The error again."""
    found: RankgaugeError = getattr(errors, name, InputError)(Text(english, chinese))
    return found
