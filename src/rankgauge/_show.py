"""A value as a message shows it: like `repr`, but short whatever it is; a text as a terminal may have it."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterable
from itertools import islice
from typing import Any

__all__ = ["LIMIT", "cut", "neutral", "show", "show_all"]

LIMIT = 200
"""Characters of one value."""
_MOST = 20
"""Names in a list of names."""


class _Short(reprlib.Repr):
    """Looks at the first few entries of a collection only: the repr of a large one takes its time as well."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 3
        self.maxstring = self.maxother = LIMIT
        self.fillvalue = "…"

    def repr_dict(self, x: dict[Any, Any], level: int) -> str:
        """In the order of the dict, which the standard one would sort."""
        if level <= 0 and x:
            return "{…}"
        shown = [f"{self.repr1(k, level - 1)}: {self.repr1(x[k], level - 1)}" for k in islice(x, self.maxdict)]
        return "{" + ", ".join([*shown, *(["…"] if len(x) > self.maxdict else [])]) + "}"


_SHORT = _Short()


def show(value: Any) -> str:
    """The value for a message, on one line.

    >>> show("a\\nb"), show({"k": 10}), show(list(range(1000)))
    ("'a\\\\nb'", "{'k': 10}", '[0, 1, 2, 3, 4, 5, …]')
    """
    if type(value) is str and len(value) < LIMIT // 2:  # by far the most: names and ids
        return repr(value)
    try:
        text = _SHORT.repr(value)
    except Exception:  # an integer of more digits than Python writes, or an object that cannot say what it is
        text = f"<{type(value).__name__}>"
    return cut(" ".join(text.split("\n")) if "\n" in text else text, LIMIT)


def show_all(names: Iterable[Any], separator: str = ", ") -> str:
    """Names in quotes, and how many more there are; read alike in every language.

    >>> show_all(["a", "b"]), show_all(range(1000))[-20:]
    ("'a', 'b'", "'18', '19', … (+980)")
    """
    every = [str(n) for n in names]
    text = separator.join(show(n) for n in every[:_MOST])
    return text if len(every) <= _MOST else f"{text}, … (+{len(every) - _MOST:,})"


def cut(text: str, limit: int) -> str:
    """A text of at most so many characters: its middle is left out."""
    if len(text) <= limit:
        return text
    head = 3 * (limit - 1) // 4
    return f"{text[:head]}…{text[head + 1 - limit :]}"


# C0 without tab and line feed, DEL, C1, and what turns the direction of writing around
_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def neutral(text: str) -> str:
    """A text without characters that command a terminal: names and ids are other people's.

    They are written as JSON would write them, so that JSON stays what it was.

    >>> neutral("\\x1b[2Jbm25")
    '\\\\u001b[2Jbm25'
    """
    return _COMMANDS.sub(lambda m: f"\\u{ord(m[0]):04x}", text)
