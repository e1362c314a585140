"""Names that are points in time: an evaluation of every week is read from its latest."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["in_time", "is_series"]

_TIME = re.compile(
    r"(?<![a-z])(week|wk|day|month|quarter|date)[ _.-]*#|(周|日|月|期|季)#|#(周|日|月|期|季)|####[-_./]##|########",
    re.IGNORECASE,
)
"""A point in time in a name, its digits written as #."""


def is_series(names: Sequence[str]) -> bool:
    """Whether names are points in time: alike but for their digits, which stand for a date, a week, …

    >>> is_series(["week1", "week2", "week10"]), is_series(["2026-01-05", "2026-01-12"]), is_series(["bm25", "dense"])
    (True, True, False)
    >>> is_series(["bm25", "bm27"])
    False
    """
    forms = {re.sub(r"\d", "#", name) for name in names}
    shapes = {re.sub("#+", "#", form) for form in forms}
    return len(names) > 1 and len(shapes) == 1 and all(_TIME.search(form) for form in forms)


def in_time(name: str) -> list[int]:
    """What orders such names.

    >>> max(["week2", "week10"], key=in_time)
    'week10'
    """
    return [int(digits) for digits in re.findall(r"\d+", name)]
