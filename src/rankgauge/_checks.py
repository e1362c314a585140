"""Arguments that are numbers or words, checked in one way everywhere.

    alpha = number("alpha", alpha, above=0, below=1)
    depth = whole("depth", depth, optional=True)
    ties = one_of("ties", ties, CHOICES["ties"])

What is not a number (NaN, infinity, True, text) is no number here either: a margin of infinity makes everything
equivalent, and a difference of NaN is found every time.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable
from typing import Any

from rankgauge._numbers import short
from rankgauge._show import show
from rankgauge._text import Text, composed
from rankgauge._words import as_meant
from rankgauge.errors import ParameterError, suggest

__all__ = ["is_number", "number", "one_of", "whole"]


def is_number(value: Any) -> bool:
    """Whether this is a finite number; True and False are none."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or type(value).__name__ in ("bool", "bool_"):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond the largest double
        return False


def number(
    name: str,
    value: Any,
    *,
    above: float | None = None,
    at_least: float | None = None,
    below: float | None = None,
    at_most: float | None = None,
    optional: bool = False,
    caller: str = "",
) -> Any:
    """The number, if it is one and inside its bounds; None where that is allowed.

    >>> number("alpha", float("nan"), above=0, below=1)
    Traceback (most recent call last):
    rankgauge.errors.ParameterError: `alpha` must be between 0 and 1, got nan.
    """
    if value is None and optional:
        return None
    if (
        is_number(value)
        and (above is None or value > above)
        and (at_least is None or value >= at_least)
        and (below is None or value < below)
        and (at_most is None or value <= at_most)
    ):
        return value if isinstance(value, numbers.Integral) else float(value)  # a fraction, say
    low, high = at_least if above is None else above, at_most if below is None else below
    what = Text("a finite number", "是有限的数")
    if low is not None and high is not None:
        a, b = short(low), short(high)
        if (above is None) == (below is None):
            what = Text(f"between {a} and {b}", f"介于 {a} 和 {b} 之间")
        else:
            what = Text(f"above {a} and up to {b}", f"大于 {a} 且不超过 {b}")
    elif low is not None:
        a = short(low)
        what = Text(f"a number above {a}", f"是大于 {a} 的数")
        if at_least is not None:
            what = Text(f"a number from {a} up", f"是不小于 {a} 的数")
    raise ParameterError(_wrong(caller, name, what, value, optional))


def whole(
    name: str,
    value: Any,
    *,
    at_least: int = 1,
    at_most: int | None = None,
    optional: bool = False,
    caller: str = "",
) -> Any:
    """The whole number, if it is one and large enough; None where that is allowed.

    >>> whole("depth", 2.5, optional=True)
    Traceback (most recent call last):
    rankgauge.errors.ParameterError: `depth` must be a positive integer or None, got 2.5.
    """
    if value is None and optional:
        return None
    is_whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if is_whole and at_least <= value and (at_most is None or value <= at_most):
        return int(value)
    what = Text("a positive integer", "是正整数")
    if is_whole and value >= at_least:
        what = Text(f"at most {at_most:,}", f"不超过 {at_most:,}")
    elif at_least != 1:
        what = Text(f"a whole number from {at_least:,} up", f"是不小于 {at_least:,} 的整数")
    raise ParameterError(_wrong(caller, name, what, value, optional))


def one_of(name: str, value: Any, words: Iterable[str], *, caller: str = "") -> str:
    """The word in plain letters, if it is one of these.

    >>> one_of("ties", "ｂest", ["best", "worst"])
    'best'
    """
    known = list(words)
    word = as_meant(value).strip() if isinstance(value, str) else value
    if isinstance(word, str) and word in known:
        return word
    hint = suggest(value, known) if isinstance(value, str) else Text("", "")
    listed = ", ".join(known)
    error = _wrong(caller, name, Text(f"one of {listed}", f"是 {listed} 之一"), value, False)
    raise ParameterError(error + hint)


def _wrong(caller: str, name: str, what: Text, value: Any, optional: bool) -> Text:
    en, zh = (f"{caller}: ", f"{caller}：") if caller else ("", "")
    return composed(
        f"{en}`{name}` must be {{}}{' or None' if optional else ''}, got {{}}.",
        f"{zh}`{name}` 必须{{}}{'或 None' if optional else ''}，实际为 {{}}。",
        what,
        show(value),
    )
