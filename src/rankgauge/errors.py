"""Everything rankgauge raises on purpose.

    RankgaugeError                   catch this to catch them all
    ├── InputError      (ValueError)   data that cannot be read or trusted; lists every problem found
    ├── ParameterError  (ValueError)   an argument outside its range, a policy word that does not exist
    ├── UnknownName     (KeyError)     a measure, column, query or convention nobody has heard of
    └── MissingExtra    (ImportError)  an optional package that is not installed

    RankgaugeWarning    (UserWarning)  the answer stands, but read this before you rely on it

One shape for every message: what — must be — got — where — try. Values are shown by `rankgauge._show`, which keeps
them short.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rankgauge._show import cut
from rankgauge._words import looks_like, strangers

__all__ = [
    "InputError",
    "MissingExtra",
    "ParameterError",
    "RankgaugeError",
    "RankgaugeWarning",
    "UnknownName",
    "suggest",
]


LONGEST = 4000
"""Characters of a message; of a longer one the middle is left out."""


class RankgaugeError(Exception):
    """Base of all errors raised by rankgauge."""

    def __init__(self, message: object = "", *more: object) -> None:
        super().__init__(cut(message, LONGEST) if isinstance(message, str) else message, *more)


class InputError(RankgaugeError, ValueError):
    """Input that cannot be read or trusted.

    `problems` holds every problem found, one sentence each; the message shows the first
    and says how many more there are.
    """

    def __init__(self, message: str, problems: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems) or (message,)

    @classmethod
    def collect(cls, where: str, problems: Sequence[str], try_: str = "") -> InputError:
        """One error for many problems of one kind: the first in full, then a count."""
        more = len(problems) - 1
        text = f"{where}{problems[0]}"
        if more:
            text += f" {more} more like it:" + "".join(f"\n  {p}" for p in problems[1:4])
            if more > 3:
                text += f"\n  … and {more - 3} more."
        if try_:
            text += ("\n" if more else " ") + try_
        return cls(text, problems)


class ParameterError(RankgaugeError, ValueError):
    """An argument that is not one of the allowed values."""


class UnknownName(RankgaugeError, KeyError):
    """A name that is not known here, with the nearest ones that are."""

    def __str__(self) -> str:  # KeyError would show the repr
        return str(self.args[0])


class MissingExtra(RankgaugeError, ImportError):
    """An optional package that is needed for what was asked."""


class RankgaugeWarning(UserWarning):
    """The numbers stand, but the input has something to look at."""


def suggest(word: str, known: Iterable[str], *, n: int = 1) -> str:
    """`" Did you mean X?"`, or nothing when nothing is near; letters that only look like Latin ones are named."""
    import difflib

    word, by_fold = str(word), {str(k).casefold(): str(k) for k in known}
    script = set("".join(by_fold.values()))  # names of users may be in any
    foreign = any(not c.isascii() and c not in script for c in word)
    meant = looks_like(word) if foreign else word
    near = difflib.get_close_matches(meant.casefold(), list(by_fold), n=n, cutoff=0.6)
    if not near:
        return ""
    odd = strangers(word) if foreign else ""
    return f"{' ' if odd else ''}{odd} Did you mean {' or '.join(by_fold[k] for k in near)}?"
