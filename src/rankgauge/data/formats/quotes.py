"""Quotes that are out of place in a CSV file, with their lines.

A field is either without quotes, or begins and ends with one, and quotes inside it are doubled (RFC 4180). Anything
else moves the fields behind it, so that a reader can only say that rows do not fit.
"""

from __future__ import annotations

from typing import NamedTuple

from rankgauge._text import Text

__all__ = ["Stray", "stray_quotes"]

_MOST = 50  # that are looked for
_SHOWN = 60


class Stray(NamedTuple):
    """A quote that is out of place."""

    line: int
    what: str
    text: str
    """Its line."""
    is_kept: bool
    """Whether it can be taken for a character of an unquoted field."""


def stray_quotes(text: str, separator: str) -> list[Stray]:
    """The first quotes that are out of place; lines are counted from 1.

    >>> stray_quotes('a,b\\n1,"x"y\\n', ",")
    [Stray(line=2, what='text behind a closing quote', text='1,"x"y', is_kept=False)]
    """
    found: list[Stray] = []
    at, line = 0, 1
    while len(found) < _MOST and (quote := text.find('"', at)) >= 0:
        line += text.count("\n", at, quote)
        if quote == 0 or text[quote - 1] in (separator, "\n"):
            closing = _closing(text, quote + 1)
            if closing < 0:
                return [
                    *found,
                    Stray(line, Text("a quote that is not closed", "引号没有闭合"), _line_at(text, quote), False),
                ]
            line += text.count("\n", quote, closing)
            at = closing + 1
            if text[at : at + 1] in (separator, "\n", "\r", ""):
                continue
            found.append(
                Stray(line, Text("text behind a closing quote", "右引号之后还有文字"), _line_at(text, closing), False)
            )
        else:
            found.append(
                Stray(line, Text("a quote in the middle of a field", "字段中间有引号"), _line_at(text, quote), True)
            )
            at = quote
        at = end if (end := text.find("\n", at)) >= 0 else len(text)  # one of each line
    return found


def _closing(text: str, at: int) -> int:
    """Where the quoted field ends whose content begins here; -1 where it does not."""
    while (at := text.find('"', at)) >= 0 and text[at + 1 : at + 2] == '"':
        at += 2
    return at


def _line_at(text: str, at: int) -> str:
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    return text[start : end if end >= 0 else len(text)].rstrip("\r")[:_SHOWN]
