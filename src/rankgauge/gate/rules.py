"""Rules as people type them: `nDCG@10>=0.40`, `nDCG@10:0.01`, `COPC=0.9..1.1`, `missing_queries<=0`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import isfinite
from typing import Annotated

from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge._words import as_meant
from rankgauge.errors import ParameterError, suggest
from rankgauge.measures.definition import Definition
from rankgauge.measures.grammar import parse_ranking

__all__ = ["CEILINGS", "Bounds", "Limits", "bounds_of", "ceilings_of", "each", "floors_of", "is_ceiling", "margins_of"]

CEILINGS = {
    "missing_queries": "judged queries without results",
    "unjudged": "share of the first k results that nobody judged: unjudged@20, or the k of the first measure with one",
    "duplicates": "results that repeat an item of their list",
    "nan_scores": "results whose score is not a number",
    "failures": "queries that a live retriever did not answer: errors and time-outs",
}
"""What can be limited, and what it counts."""

_COMPARED = re.compile(r"^\s*(?P<name>.+?)\s*(?P<sign>>=|<=)\s*(?P<limit>\S+)\s*$")

_UNJUDGED = re.compile(r"unjudged@[1-9]\d*")


Limit = int | float
Limits = dict[str, Limit | tuple[Limit, ...]]
"""The limit of each name, or several: every one is a rule of its own."""
Bounds = dict[str, Annotated[tuple[float, float], Text("two numbers such as [0.9, 1.1]", "两个数字，例如 [0.9, 1.1]")]]
"""The least and the greatest value of each name."""


def each(limits: Mapping[str, Limit | Iterable[Limit]]) -> Iterator[tuple[str, Limit]]:
    """Every rule of a table, one by one.

    >>> list(each({"nDCG@10": (0.9, 0.5), "RR": 0.4}))
    [('nDCG@10', 0.9), ('nDCG@10', 0.5), ('RR', 0.4)]
    """
    for name, given in limits.items():
        for limit in given if isinstance(given, (list, tuple)) else (given,):
            yield name, limit


def _collected(rules: Iterable[tuple[str, Limit]]) -> Limits:
    """The table of rules that were given one by one; none takes the place of another, and the same is there once."""
    found: dict[str, dict[tuple[type, Limit], Limit]] = {}
    for name, limit in rules:
        found.setdefault(name, {})[type(limit), limit] = limit
    limits = {name: tuple(every.values()) for name, every in found.items()}
    return {name: several[0] if len(several) == 1 else several for name, several in limits.items()}


def is_ceiling(name: str) -> bool:
    """Whether this can be limited."""
    meant = as_meant(name)
    return meant in CEILINGS or _UNJUDGED.fullmatch(meant) is not None


def floors_of(
    texts: Iterable[str], parse: Callable[[str], Definition] = parse_ranking, like: str = "nDCG@10>=0.40"
) -> Limits:
    """`nDCG@10>=0.40` → the least mean of the measure; `<=` for measures where lower is better.

    >>> floors_of(["nDCG@10>=0.40"]), floors_of(["RR>=0.9", "RR>=0.5"])
    ({'nDCG@10': 0.4}, {'RR': (0.9, 0.5)})
    """
    out = []
    for text in texts:
        name, sign, limit = _compared(text, "floor", like)
        direction = parse(name).direction
        if direction == 0:
            raise ParameterError(
                Text(
                    f"floor {show(text)}: {name} must be neither too high nor too low. Write --bounds {name}=0.9..1.1.",
                    f"下限 {show(text)}：{name} 既不能过高也不能过低。请写 --bounds {name}=0.9..1.1。",
                )
            )
        right = ">=" if direction > 0 else "<="
        if sign != right:
            better = "higher" if right == ">=" else "lower"
            raise ParameterError(
                Text(
                    f"floor {show(text)}: {name} is better when {better}. Write {name}{right}{limit} instead of "
                    f"{sign}.",
                    f"下限 {show(text)}：{name} 越{'高' if right == '>=' else '低'}越好。请把 {sign} 写成 "
                    f"{name}{right}{limit}。",
                )
            )
        out.append((name, _number(limit, text, "floor")))
    return _collected(out)


def margins_of(texts: Iterable[str], like: str = "nDCG@10:0.01") -> Limits:
    """`nDCG@10:0.01` or `nDCG@10=0.01` → the loss against the baseline that does not matter.

    >>> margins_of(["nDCG@10:0.01"]), margins_of(["Recall(threshold=0.5)=0.01"])
    ({'nDCG@10': 0.01}, {'Recall(threshold=0.5)': 0.01})
    """
    out = []
    for text in texts:
        meant = as_meant(text)
        mark = ":" if ":" in meant else "="
        name, found, limit = (part.strip() for part in meant.rpartition(mark))
        if not found or not name or ")" in limit:  # the last sign may be one of a parameter
            raise ParameterError(
                Text(
                    f"non-inferior must look like {like}, got {show(text)}.",
                    f"non-inferior 必须写成 {like} 的样子，实际为 {show(text)}。",
                )
            )
        out.append((name, _number(limit, text, "non-inferior")))
    return _collected(out)


def bounds_of(texts: Iterable[str]) -> Bounds:
    """`COPC=0.9..1.1` → the least and the greatest value.

    >>> bounds_of(["COPC=0.9..1.1"])
    {'COPC': (0.9, 1.1)}
    """
    out: Bounds = {}
    for text in texts:
        name, equals, ends = (part.strip() for part in as_meant(text).rpartition("="))
        low, dots, high = (part.strip() for part in ends.partition(".."))
        if not (name and equals and dots):
            raise ParameterError(
                Text(
                    f"bounds must look like COPC=0.9..1.1, got {show(text)}.",
                    f"bounds 必须写成 COPC=0.9..1.1 的样子，实际为 {show(text)}。",
                )
            )
        if name in out:
            raise ParameterError(
                Text(
                    f"bounds {show(text)}: {name} has bounds already. Give it once.",
                    f"bounds {show(text)}：{name} 已经有 bounds。只给一次。",
                )
            )
        out[name] = _number(low, text, "bounds"), _number(high, text, "bounds")
    return out


def ceilings_of(texts: Iterable[str]) -> Limits:
    """`missing_queries<=0` → the highest count, or the highest share when it is written with a point.

    >>> ceilings_of(["missing_queries<=0", "unjudged<=0.35"])
    {'missing_queries': 0, 'unjudged': 0.35}
    """
    out: list[tuple[str, Limit]] = []
    for text in texts:
        name, sign, limit = _compared(text, "ceiling", "missing_queries<=0")
        if not is_ceiling(name):
            raise ParameterError(
                Text(
                    f"ceiling {show(text)}: {show(name)} must be one of "
                    f"{', '.join(CEILINGS)}.{suggest(name, CEILINGS)}",
                    f"上限 {show(text)}：{show(name)} 必须是 {', '.join(CEILINGS)} 之一。{zh(suggest(name, CEILINGS))}",
                )
            )
        if sign != "<=":
            raise ParameterError(
                Text(
                    f"ceiling {show(text)} must be written with <=, got {sign}.",
                    f"上限 {show(text)} 必须用 <= 书写，实际为 {sign}。",
                )
            )
        out.append((name, int(limit) if limit.isdecimal() else _number(limit, text, "ceiling")))
    return _collected(out)


_RULES = {"floor": "下限", "ceiling": "上限", "non-inferior": "non-inferior", "bounds": "bounds"}


def _compared(text: str, rule: str, like: str) -> tuple[str, str, str]:
    found = _COMPARED.match(as_meant(text))
    if found is None:
        raise ParameterError(
            Text(
                f"{rule} must look like {like}, got {show(text)}.",
                f"{zh(_RULES[rule])}必须写成 {like} 的样子，实际为 {show(text)}。",
            )
        )
    return found["name"], found["sign"], found["limit"]


def _number(limit: str, text: str, rule: str) -> float:
    try:
        value = float(limit)
    except ValueError:
        value = float("nan")
    if not isfinite(value):
        raise ParameterError(
            Text(
                f"{rule} {show(text)}: the limit must be a number, got {show(limit)}.",
                f"{zh(_RULES[rule])} {show(text)}：限值必须是数字，实际为 {show(limit)}。",
            )
        )
    return value
