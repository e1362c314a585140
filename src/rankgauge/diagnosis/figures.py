"""Numbers as they stand in a sentence, each with the claim that it makes.

>>> figure(Claim("mean", 0.4567, "RR@20", "bm25")).claims[0].value
0.4567
>>> from rankgauge._numbers import share
>>> str(figure(Claim("share", 0.28, "unjudged@10", "bm25"), share, 0))
'28%'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import isnan
from numbers import Integral
from typing import Any

from rankgauge._claims import Claim, Statement, claims_of
from rankgauge._numbers import number, ranged
from rankgauge._text import in_language
from rankgauge.statistics.intervals import Interval

__all__ = ["NOTHING", "Form", "between", "claims_in", "figure", "resolved", "signed_between"]

Form = Callable[[Any, int], str]
"""How a number is written: the number, and how many digits."""

NOTHING = Statement("", "")
"""What is said where nothing is known."""


def figure(claim: Claim, form: Form = number, digits: int = 3) -> Statement:
    """A number as it is read: a whole one as it is, others in one of the forms of `_numbers`."""
    text = f"{claim.value:,}" if isinstance(claim.value, Integral) else form(claim.value, digits)
    return Statement(text, text, [claim])


def between(claim: Claim, interval: Interval, *, prefix: str = "", sign: bool = False) -> Statement:
    """ " (0.417 … 0.489)" for the number that is claimed; nothing where the interval is not known."""
    low, high = interval
    if isnan(low) or isnan(high):
        return NOTHING
    ends = [
        Claim(prefix + what, x, claim.measure, claim.system, claim.against)
        for what, x in (("low", low), ("high", high))
    ]
    text = ranged(low, high, 3, sign=sign)
    return Statement(f" ({text})", f"（{text}）", ends)


def signed_between(claim: Claim, interval: Interval) -> Statement:
    """The same for a difference."""
    return between(claim, interval, prefix="difference ", sign=True)


def resolved(parts: Mapping[str, Any], language: str) -> dict[str, Any]:
    """The parts of a sentence in one language."""
    return {k: in_language(v, language) if isinstance(v, str) else v for k, v in parts.items()}


def claims_in(parts: Iterable[Any]) -> list[Claim]:
    """What the parts of a sentence claim, each thing once."""
    return list(dict.fromkeys(claim for part in parts for claim in claims_of(part)))
