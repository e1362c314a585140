"""What stored records look like: a value of another kind is an error when it is read, not when it is shown."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Any, Literal, NotRequired, TypedDict, TypeVar

import msgspec

from rankgauge._numbers import short
from rankgauge._show import show, show_all
from rankgauge._text import Text, zh
from rankgauge.errors import InputError
from rankgauge.measures.definition import Definition

__all__ = [
    "StoredClasses",
    "StoredComparison",
    "StoredPredictions",
    "StoredRankings",
    "refuse_beyond",
    "refuse_damaged",
    "refuse_strangers",
    "refuse_unlike",
    "refuse_without_values",
]

T = TypeVar("T")
Some = Annotated[list[T], msgspec.Meta(min_length=1)]
Count = Annotated[int, msgspec.Meta(ge=0)]
Number = float | None
"""None stands for NaN, which JSON does not have."""
_Value = Annotated[float, msgspec.Meta(ge=-1e150, le=1e150)]  # of larger ones there is no variance


class _Counts(TypedDict):
    queries: int
    evaluated: int
    missing: int
    without_relevant: int
    not_judged: int
    results: int
    judgements: int
    duplicates: int
    nan_scores: int
    tied_queries: int


class _Row(TypedDict):
    measure: str
    definition: str


class StoredRankings(TypedDict):
    rankgauge: str
    run: str
    tag: NotRequired[str]
    qrels: str
    convention: str
    fingerprint: NotRequired[dict[str, str]]
    policy: dict[str, str | float | None]
    confidence_level: float
    counts: _Counts
    measures: Some[_Row]
    notes: list[str]
    suspicions: NotRequired[list[dict[str, Any]]]
    query_ids: NotRequired[list[str]]
    per_query: NotRequired[dict[str, list[_Value | str | None]]]
    of_run: NotRequired[dict[str, list[_Value | None]]]
    attributes: NotRequired[dict[str, list[str | float | bool | None]]]
    weights: NotRequired[list[float]]
    lengths: NotRequired[list[Count]]
    longest_list: NotRequired[Count | None]
    undefined: NotRequired[dict[str, list[int]]]
    ratios: NotRequired[dict[str, tuple[list[Number], list[Number]]]]
    tie_bounds: NotRequired[dict[str, tuple[list[Number], list[Number]]]]


class _RowCounts(TypedDict):
    rows: int
    positives: float
    prevalence: Number
    weight: float
    groups: int | None
    zero_weight_rows: int


class _Estimate(TypedDict):
    measure: str
    definition: str
    value: Number
    low: Number
    high: Number
    n: Count
    undefined: str | None
    standard_error: Number
    beside: dict[str, Any]


class StoredPredictions(TypedDict):
    rankgauge: str
    model: str
    data: str
    policy: dict[str, str | float | None]
    confidence_level: float
    counts: _RowCounts
    measures: Some[_Estimate]
    notes: list[str]


class _ClassCounts(TypedDict):
    rows: int
    classes: int
    weight: float
    groups: int | None
    zero_weight_rows: int


class StoredClasses(TypedDict):
    rankgauge: str
    model: str
    data: str
    policy: dict[str, str | float | None]
    confidence_level: float
    counts: _ClassCounts
    measures: Some[_Estimate]
    notes: list[str]
    each: dict[str, Any]
    cells: dict[str, Any]


class _Contrast(TypedDict):
    measure: str
    system: str
    baseline: str
    mean: Number
    mean_baseline: Number
    difference: Number
    p_value: Number
    p_corrected: Number
    effect: Number
    wins: int | None
    ties: int | None
    losses: int | None
    n: int
    detectable: Number
    more: int | None
    margin: Number
    verdict: Literal["better", "worse", "equivalent", "inconclusive"]
    low: Number
    high: Number
    slice: NotRequired[str]
    gain: NotRequired[Number]
    direction: NotRequired[int]
    unchanged: NotRequired[bool]
    level: NotRequired[Number]


class StoredComparison(TypedDict):
    baseline: str
    test: str
    permutations: int
    correction: str
    family: int
    alpha: float
    confidence_level: float
    contrasts: Some[_Contrast]
    sliced: list[_Contrast]
    seeds: dict[str, int]
    seed_spread: dict[str, dict[str, Number]]
    pairwise: dict[str, list[list[Number]]]
    notes: list[str]
    depths: NotRequired[list[dict[str, Any]]]
    evaluations: dict[str, dict[str, Any]]
    only_unjudged: NotRequired[dict[str, dict[str, list[int]]]]


def refuse_damaged(data: Mapping[str, Any], shape: Any) -> None:
    """Raise an error where stored data has not the values that it was stored with."""
    try:
        msgspec.convert(data, shape)
        if "counts" in data:
            counts = dict(data["counts"])
            for by_measure in ("without_relevant_by", "left_out_by", "exhausted_by", "unfit_by", "too_long_by"):
                msgspec.convert(counts.pop(by_measure, {}), dict[str, int])
            msgspec.convert(counts, dict[str, float | None])
    except msgspec.ValidationError as e:
        raise InputError(
            Text(
                f"not what was stored: {_said(str(e))} Store it again.",
                f"与保存的内容不符：{zh(_said(str(e)))}请重新保存。",
            )
        ) from None


_EXPECTED = re.compile(r"^Expected (.*), got (.*)$")
_MISSING = re.compile(r"^Object missing required field (.*)$")


def _said(message: str) -> Text:
    """msgspec's ``Expected `str`, got `int` - at `$.measures[0].definition` `` in our words."""
    what, _, at = message.replace("`", "").partition(" - at ")
    place = at.removeprefix("$").removeprefix(".")
    english = f"{what[0].lower()}{what[1:]}."
    chinese = _EXPECTED.sub(r"应为 \1，实际为 \2", _MISSING.sub(r"缺少必填字段 \1", what)) + "。"
    return Text(f"{show(place)}: {english}", f"{show(place)}：{chinese}") if place else Text(english, chinese)


_ROUNDING = 1e-9


def refuse_beyond(label: str, measure: Definition, values: Iterable[float | str | None]) -> None:
    """Raise an error where a measure has a value that it cannot have.

    Where a measure of a user ends is not known, nor what gains by a mapping come to, which may be negative.
    """
    low, high = measure.bounds
    own_gains = not isinstance(getattr(measure, "gain", ""), str)
    if getattr(measure, "custom", False) or own_gains or measure.summary == "none":
        return
    low, high = min(low, 0.0) - _ROUNDING, max(high, 1.0) + _ROUNDING  # where nothing is relevant it counts as 0 or 1
    for value in values:
        if isinstance(value, (int, float)) and (value < low or value > high):  # NaN is no value
            ends = " to ".join(map(short, measure.bounds))
            raise InputError(
                Text(
                    f"not what was stored: {show(label)} must be from {ends}, got {short(value)}. Store it again.",
                    f"与保存的内容不符：{show(label)} 必须介于 {' 与 '.join(map(short, measure.bounds))} 之间，"
                    f"实际为 {short(value)}。请重新保存。",
                )
            )


def refuse_strangers(data: Mapping[str, Any]) -> None:
    """Raise an error where a comparison speaks of systems or measures that it does not hold."""
    known = set(data["evaluations"])
    named = {row["system"] for row in (*data["contrasts"], *data["sliced"])} | {data["baseline"], *data["seeds"]}
    if not named <= known or len(known) < 2:
        raise InputError(
            Text(
                f"not what was stored: it speaks of {show_all(sorted(named))} and holds {show_all(sorted(known))}. "
                "Store it again.",
                f"与保存的内容不符：其中提到 {show_all(sorted(named))}，而包含的是 {show_all(sorted(known))}。"
                "请重新保存。",
            )
        )
    there = {row["measure"] for row in data["evaluations"][data["baseline"]].get("measures", ())}
    if missing := {row["measure"] for row in (*data["contrasts"], *data["sliced"])} - there:
        raise InputError(
            Text(
                f"not what was stored: it speaks of {show_all(sorted(missing))} and holds {show_all(sorted(there))}. "
                "Store it again.",
                f"与保存的内容不符：其中提到 {show_all(sorted(missing))}，而包含的是 {show_all(sorted(there))}。"
                "请重新保存。",
            )
        )


def refuse_without_values(measures: Collection[str], values: Collection[str]) -> None:
    """Raise an error where a measure has no values of queries, or values belong to no measure."""
    if odd := [label for label in (*measures, *values) if (label in measures) != (label in values)]:
        raise InputError(
            Text(
                f"not what was stored: {show(odd[0])} is among the measures or the values of queries, not both. "
                "Store it again.",
                f"与保存的内容不符：{show(odd[0])} 只出现在指标或各查询的值之一中。请重新保存。",
            )
        )


def refuse_unlike(query_ids: list[str], by_query: Mapping[str, list[Any]]) -> None:
    """Raise an error where a query is stored twice, or something of each has more or fewer entries."""
    if len(set(query_ids)) < len(query_ids):
        raise InputError(
            Text(
                "not what was stored: a query is there twice. Store it again.",
                "与保存的内容不符：有一个查询出现两次。请重新保存。",
            )
        )
    for name, values in by_query.items():
        if len(values) != len(query_ids):
            raise InputError(
                Text(
                    f"must have one value for each of its {len(query_ids):,} queries, got {len(values):,} of "
                    f"{show(name)}. "
                    "Store it again.",
                    f"{len(query_ids):,} 个查询必须各有一个值，实际 {show(name)} 有 {len(values):,} 个。请重新保存。",
                )
            )
