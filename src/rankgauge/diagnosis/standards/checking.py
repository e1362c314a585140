"""Whether tables of standards make sense: what each of them must hold, and one error that names every mistake."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from rankgauge._numbers import short
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.data.settings import dotted, settings
from rankgauge.errors import RankgaugeError, among
from rankgauge.measures import parse

__all__ = ["check"]

Word = Annotated[str, Meta(pattern=r"\S"), Text("a text", "文本")]
Count = Annotated[int, Meta(ge=1), Text("a whole number of 1 or more", "不小于 1 的整数")]
Measures = Annotated[tuple[str, ...], Meta(min_length=1), Text("a list of measures", "指标的列表")]
Mistakes = Iterator[tuple[str, str]]


class Words(Struct):
    en: Word
    zh: Word


class Figure(Struct):
    value: float
    source: Word


Figures = dict[str, Figure]


class BandTable(Struct):
    name: Word
    advice: Words
    source: Word
    title: Words | None = None
    at_least: float | None = None
    above: float | None = None


class CutoffsTable(Struct):
    stage: Literal["candidates", "visible"]
    measures: Measures
    k: Annotated[
        tuple[Annotated[int, Meta(ge=1)], ...],
        Meta(min_length=1),
        Text("a list of whole numbers of 1 or more that ascend", "由小到大、不小于 1 的整数的列表"),
    ]
    source: Word

    def mistakes(self) -> Mistakes:
        yield from _unknown("measures", self.measures)
        for text in self.measures:
            m = _measure(text)
            if not isinstance(m, str) and (not m.has_cutoff or m.cutoff is not None):
                yield (
                    "measures",
                    Text(
                        f"must name measures that take @k, without it, got {show(text)}.",
                        f"必须是可带 @k 的指标，且不写 @k，实际为 {show(text)}。",
                    ),
                )
        if list(self.k) != sorted(set(self.k)):
            yield (
                "k",
                Text(
                    f"must be a list of whole numbers of 1 or more that ascend, got {show(list(self.k))}.",
                    f"必须是由小到大、不小于 1 的整数的列表，实际为 {show(list(self.k))}。",
                ),
            )


class AdviceTable(Struct):
    en: Word
    zh: Word
    source: Word


class ScenarioTable(Struct):
    title: Words
    description: Words
    measures: Measures
    measures_source: Word = "?"
    single_target: bool = False
    order_and_probability: bool = False
    held_to_production: bool = False
    cutoffs: tuple[CutoffsTable, ...] = ()
    benchmarks: Figures = {}
    advice: dict[str, AdviceTable] = {}
    also: Annotated[tuple[Word, ...], Text("a list of names", "名称的列表")] = ()
    of_users: bool = False
    shown: Annotated[tuple[str, ...], Text("a list of measures", "指标的列表")] = ()

    def mistakes(self) -> Mistakes:
        yield from _unknown("measures", self.measures)
        yield from _unknown("shown", self.shown)
        yield from _figures("benchmarks", self.benchmarks)
        for name in self.advice:
            if isinstance(m := _measure(name), str):
                yield f"advice.{dotted(name)}", Text(f"must name measures: {m}", f"必须是指标：{zh(m)}")


class AnchorTable(Struct):
    dataset: Word
    title: Words
    scenarios: Annotated[tuple[str, ...], Text("a list of scenarios", "场景的列表")]
    systems: dict[str, Figures]
    source: Word = "?"

    def mistakes(self) -> Mistakes:
        for system, figures in self.systems.items():
            yield from _figures(dotted("systems", system), figures)


class LevelTable(Struct):
    title: Words
    figures: Figures

    def mistakes(self) -> Mistakes:
        yield from _figures("figures", self.figures)


class ChoiceTable(Struct):
    at_least: Count
    at_most: Count
    measures: Measures
    advice: Words
    source: Word

    def mistakes(self) -> Mistakes:
        yield from _unknown("measures", self.measures)
        if self.at_most < self.at_least:
            yield (
                "at_most",
                Text(
                    f"must be `at_least` ({self.at_least}) or more, got {self.at_most}.",
                    f"不能小于 `at_least`（{self.at_least}），实际为 {self.at_most}。",
                ),
            )


class Tables(Struct):
    sources: dict[str, Words]
    bands: dict[str, Annotated[tuple[BandTable, ...], Meta(min_length=1), Text("a list of bands", "评级区间的列表")]]
    scenarios: dict[str, ScenarioTable]
    anchors: dict[str, AnchorTable]
    production: dict[str, LevelTable]
    choice: ChoiceTable

    def mistakes(self) -> Mistakes:
        for name, bands in self.bands.items():
            yield from _bands(name, bands)
        for name, anchor in self.anchors.items():
            for scenario in anchor.scenarios:
                if scenario not in self.scenarios:
                    wrong = Text(
                        f"must name scenarios, got {show(scenario)}.", f"必须是场景，实际为 {show(scenario)}。"
                    )
                    yield dotted("anchors", name, "scenarios"), wrong + among(scenario, self.scenarios)
        yield from _falling(self.production)


def check(data: Mapping[str, Any], where: str) -> None:
    """One error that begins with `where` and names everything that is wrong with plain tables of standards."""
    settings(Tables, data, where)


def _measure(text: str) -> Any:
    """The measure, or why there is none."""
    try:
        return parse(text)
    except RankgaugeError as e:
        return e.text


def _unknown(key: str, names: Iterable[str]) -> Mistakes:
    for name in names:
        if isinstance(m := _measure(name), str):
            yield key, Text(f"must name measures: {m}", f"必须是指标：{zh(m)}")


def _figures(key: str, figures: Figures) -> Mistakes:
    for name, figure in figures.items():
        m, below = _measure(name), f"{key}.{dotted(name)}"
        if isinstance(m, str):
            yield below, Text(f"must name measures: {m}", f"必须是指标：{zh(m)}")
        else:
            yield from _out_of_bounds(f"{below}.value", m, figure.value)


def _out_of_bounds(key: str, m: Any, value: float) -> Mistakes:
    low, high = m.bounds
    if not isfinite(value) or not low <= value <= high:
        yield (
            key,
            Text(
                f"must be a value of {m}, between {short(low)} and {short(high)}, got {short(value)}.",
                f"必须是 {m} 的取值，介于 {short(low)} 和 {short(high)} 之间，实际为 {short(value)}。",
            ),
        )


def _bands(name: str, bands: tuple[BandTable, ...]) -> Mistakes:
    """Bands begin where the one before ends: the first at the lowest value, the others at a limit of their own."""
    key, m = dotted("bands", name), _measure(name)
    if isinstance(m, str):
        yield key, Text(f"must name measures: {m}", f"必须是指标：{zh(m)}")
    before: tuple[float, bool] | None = None
    for i, band in enumerate(bands, 1):
        here = f"{key} #{i}"
        limits = {k: v for k, v in (("at_least", band.at_least), ("above", band.above)) if v is not None}
        if band.name in [b.name for b in bands[: i - 1]]:
            yield (
                f"{here}.name",
                Text(
                    f"must be another one than those before, got {show(band.name)} again.",
                    f"必须与前面的不同，实际又是 {show(band.name)}。",
                ),
            )
        if i == 1:
            for k in limits:
                yield (
                    f"{here}.{k}",
                    Text(
                        "must not be there: the first band begins at the lowest value.",
                        "不能出现：第一个区间从最低值开始。",
                    ),
                )
            continue
        if len(limits) != 1:
            got = Text("both", "两个都有") if limits else Text("neither", "两个都没有")
            yield (
                f"{here}.at_least",
                Text(
                    f"or `above` must say where the band begins, got {got}.",
                    f"或 `above` 必须说明区间从哪里开始，实际{zh(got)}。",
                ),
            )
            continue
        ((k, value),) = limits.items()
        if not isinstance(m, str):
            yield from _out_of_bounds(f"{here}.{k}", m, value)
        limit = value, k == "above"
        if before is not None and limit <= before:
            yield (
                f"{here}.{k}",
                Text(
                    f"must be higher than the limit of the band before, {short(before[0])}, got {short(value)}.",
                    f"必须高于前一个区间的界限 {short(before[0])}，实际为 {short(value)}。",
                ),
            )
        before = limit


def _falling(levels: Mapping[str, LevelTable]) -> Mistakes:
    """Figures that ask less of a higher level than of the one before it."""
    seen: dict[str, tuple[str, float]] = {}
    for level, table in levels.items():
        for name, figure in table.figures.items():
            m, before = _measure(name), seen.get(name)
            if before is not None and not isinstance(m, str) and m.is_better(before[1], figure.value):
                asked = Text(
                    f"must not ask less than {show(before[0])} does, {short(before[1])}, got {short(figure.value)}.",
                    f"的要求不能低于 {show(before[0])} 的 {short(before[1])}，实际为 {short(figure.value)}。",
                )
                yield dotted("production", level, "figures", name), asked
            seen[name] = level, figure.value
