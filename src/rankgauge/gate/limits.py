"""Limits that no numbers could decide on, of a run as of a model."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any

from rankgauge._checks import is_number
from rankgauge._numbers import short
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.errors import InputError, ParameterError
from rankgauge.gate.rules import Limits
from rankgauge.measures.definition import Definition
from rankgauge.statistics.intervals import check_alpha

__all__ = ["empty_lists", "odd_alpha", "odd_least", "odd_limit", "out_of_reach", "refuse_no_tables", "values_of"]


def refuse_no_tables(tables: Mapping[str, Any]) -> None:
    """Raises an `InputError` where a table of rules is none."""
    for name, given in tables.items():
        if not isinstance(given, Mapping):
            raise InputError(
                Text(
                    f"gate: {name} must map names to values, got {show(given)}.",
                    f"门禁：{name} 必须把名称映射为值，实际为 {show(given)}。",
                )
            )


def odd_alpha(alpha: Any) -> list[str]:
    try:
        check_alpha(alpha)
    except ParameterError as e:
        return [e.text]
    return []


def odd_least(key: str, n: int) -> list[str]:
    """Of how many queries or rows a slice has at least."""
    return [] if n >= 1 else [Text(f"`{key}` must be 1 or more, got {n}.", f"`{key}` 必须不小于 1，实际为 {n}。")]


def empty_lists(table: str, limits: Limits) -> list[str]:
    empty = [name for name, given in limits.items() if isinstance(given, (list, tuple)) and not given]
    return [
        Text(
            f"{table}: {name} must have a number, or several, got an empty list.",
            f"{table}：{name} 必须有一个或多个数字，实际是空列表。",
        )
        for name in empty
    ]


def odd_limit(table: str, name: str, limit: Any) -> list[str]:
    is_margin = table.endswith("non_inferior")
    if is_number(limit) and not (is_margin and limit < 0):
        return []
    need = Text("a margin of 0 or more", "不小于 0 的允许损失") if is_margin else Text("a finite number", "有限的数字")
    return [
        Text(
            f"{table}: {name} must have {need}, got {show(limit)}.",
            f"{table}：{name} 必须是{zh(need)}，实际为 {show(limit)}。",
        )
    ]


def out_of_reach(table: str, name: str, m: Definition, limit: Any) -> list[str]:
    """A margin that nothing can fail, a floor that no value can be at."""
    low, high = m.bounds
    if not is_number(limit):
        return []
    if table.endswith("non_inferior"):
        if limit < high - low:
            return []
        return [
            Text(
                f"{table}: {name} cannot lose more than {short(high - low)}, so the margin must be smaller, got "
                f"{show(limit)}. Is it a percentage? Write 0.01 for 1%.",
                f"{table}：{name} 的损失不可能超过 {short(high - low)}，允许的损失必须更小，实际为 {show(limit)}。"
                "是百分比吗？1% 请写成 0.01。",
            )
        ]
    if low <= limit <= high or m.family == "Your own":  # whose bounds are what nobody may have said
        return []
    values = values_of(m)
    return [
        Text(
            f"{table}: {name} is {values}, so the limit must be as well, got {show(limit)}.",
            f"{table}：{name} 的取值{zh(values)}，限值也必须如此，实际为 {show(limit)}。",
        )
    ]


def values_of(m: Definition) -> Text:
    """The values that a measure can have."""
    low, high = m.bounds
    if high == inf:
        return Text(f"{short(low)} or more", f"不小于 {short(low)}")
    if low == -inf:
        return Text(f"{short(high)} or less", f"不大于 {short(high)}")
    return Text(f"between {short(low)} and {short(high)}", f"介于 {short(low)} 和 {short(high)} 之间")
