"""Rules as people type them: `nDCG@10>=0.40`, `nDCG@10:0.01`, `missing_queries<=0`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import isfinite

from rankgauge._show import show
from rankgauge.errors import ParameterError, suggest
from rankgauge.measures.grammar import parse_ranking

__all__ = ["CEILINGS", "ceilings_of", "floors_of", "is_ceiling", "margins_of"]

CEILINGS = {
    "missing_queries": "judged queries without results",
    "unjudged": "share of the first k results that nobody judged: unjudged@20, or the k of the first measure with one",
    "duplicates": "results that repeat an item of their list",
    "nan_scores": "results whose score is not a number",
}
"""What can be limited, and what it counts."""

_COMPARED = re.compile(r"^\s*(?P<name>.+?)\s*(?P<sign>>=|<=)\s*(?P<limit>\S+)\s*$")

_UNJUDGED = re.compile(r"unjudged@[1-9]\d*")


def is_ceiling(name: str) -> bool:
    """Whether this can be limited."""
    return name in CEILINGS or _UNJUDGED.fullmatch(name) is not None


def floors_of(texts: Iterable[str]) -> dict[str, float]:
    """`nDCG@10>=0.40` → the least mean of the measure; `<=` for measures where lower is better.

    >>> floors_of(["nDCG@10>=0.40"])
    {'nDCG@10': 0.4}
    """
    out = {}
    for text in texts:
        name, sign, limit = _compared(text, "floor", "nDCG@10>=0.40")
        right = ">=" if parse_ranking(name).direction > 0 else "<="
        if sign != right:
            better = "higher" if right == ">=" else "lower"
            raise ParameterError(
                f"floor {show(text)}: {name} is better when {better}. Write {name}{right}{limit} instead of {sign}."
            )
        out[name] = _number(limit, text, "floor")
    return out


def margins_of(texts: Iterable[str]) -> dict[str, float]:
    """`nDCG@10:0.01` → the loss against the baseline that does not matter.

    >>> margins_of(["nDCG@10:0.01"])
    {'nDCG@10': 0.01}
    """
    out = {}
    for text in texts:
        name, colon, limit = (part.strip() for part in text.rpartition(":"))
        if not colon or not name:
            raise ParameterError(f"non-inferior must look like nDCG@10:0.01, got {show(text)}.")
        out[name] = _number(limit, text, "non-inferior")
    return out


def ceilings_of(texts: Iterable[str]) -> dict[str, int | float]:
    """`missing_queries<=0` → the highest count, or the highest share when it is written with a point.

    >>> ceilings_of(["missing_queries<=0", "unjudged<=0.35"])
    {'missing_queries': 0, 'unjudged': 0.35}
    """
    out: dict[str, int | float] = {}
    for text in texts:
        name, sign, limit = _compared(text, "ceiling", "missing_queries<=0")
        if not is_ceiling(name):
            raise ParameterError(
                f"ceiling {show(text)}: {show(name)} must be one of {', '.join(CEILINGS)}.{suggest(name, CEILINGS)}"
            )
        if sign != "<=":
            raise ParameterError(f"ceiling {show(text)} must be written with <=, got {sign}.")
        out[name] = int(limit) if limit.isdecimal() else _number(limit, text, "ceiling")
    return out


def _compared(text: str, rule: str, like: str) -> tuple[str, str, str]:
    found = _COMPARED.match(text)
    if found is None:
        raise ParameterError(f"{rule} must look like {like}, got {show(text)}.")
    return found["name"], found["sign"], found["limit"]


def _number(limit: str, text: str, rule: str) -> float:
    try:
        value = float(limit)
    except ValueError:
        value = float("nan")
    if not isfinite(value):
        raise ParameterError(f"{rule} {show(text)}: the limit must be a number, got {show(limit)}.")
    return value
