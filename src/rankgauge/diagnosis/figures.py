"""Numbers as they stand in a sentence, each with the claim that it makes.

>>> figure(Claim("mean", 0.4567, "RR@20", "bm25")).claims[0].value
0.4567
>>> str(figure(Claim("share", 0.28, "unjudged@10", "bm25"), ".0%"))
'28%'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isnan
from typing import Any

from rankgauge._claims import Claim, Statement, claims_of
from rankgauge._text import in_language
from rankgauge.statistics.intervals import Interval

__all__ = ["NOTHING", "between", "claims_in", "figure", "resolved", "signed_between"]

NOTHING = Statement("", "")
"""What is said where nothing is known."""


def figure(claim: Claim, spec: str = ".3f") -> Statement:
    """A number under a format."""
    text = format(claim.value, spec)
    return Statement(text, text, [claim])


def between(claim: Claim, interval: Interval, spec: str = ".3f", *, prefix: str = "") -> Statement:
    """ " (0.417 … 0.489)" for the number that is claimed; nothing where the interval is not known."""
    low, high = interval
    if isnan(low) or isnan(high):
        return NOTHING
    ends = [
        Claim(prefix + what, x, claim.measure, claim.system, claim.against)
        for what, x in (("low", low), ("high", high))
    ]
    text = f"{low:{spec}} … {high:{spec}}"
    return Statement(f" ({text})", f"（{text}）", ends)


def signed_between(claim: Claim, interval: Interval) -> Statement:
    """The same for a difference."""
    return between(claim, interval, "+.3f", prefix="difference ")


def resolved(parts: Mapping[str, Any], language: str) -> dict[str, Any]:
    """The parts of a sentence in one language."""
    return {k: in_language(v, language) if isinstance(v, str) else v for k, v in parts.items()}


def claims_in(parts: Iterable[Any]) -> list[Claim]:
    """What the parts of a sentence claim, each thing once."""
    return list(dict.fromkeys(claim for part in parts for claim in claims_of(part)))
