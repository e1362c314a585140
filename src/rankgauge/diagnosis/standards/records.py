"""What is known about good values: bands, scenarios, benchmarks, and how to look them up."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isclose, isnan
from typing import TYPE_CHECKING, Any

from rankgauge._show import show
from rankgauge._text import LANGUAGES, Text
from rankgauge.errors import UnknownName, among
from rankgauge.measures.definition import fold

if TYPE_CHECKING:
    from rankgauge.measures.base import Measure
    from rankgauge.measures.predictions.base import PredictionMeasure

    AnyMeasure = str | Measure | PredictionMeasure

__all__ = [
    "LANGUAGES",
    "Advice",
    "Anchor",
    "Band",
    "Benchmark",
    "Choice",
    "Cutoffs",
    "ProductionLevel",
    "Scenario",
    "Standards",
    "Text",
]


@dataclass(frozen=True)
class Band:
    """A range of values of a measure that deserve the same word and the same advice."""

    measure: str
    """The measure as the band set names it: without a cutoff it holds for all of them."""
    name: str
    low: float | None
    """None: from the lowest value on."""
    high: float | None
    """None: up to the highest value."""
    includes_low: bool
    includes_high: bool
    title: Text
    advice: Text
    source: str

    def contains(self, value: float) -> bool:
        """Whether a value lies in the band. A value that differs from a limit by rounding only is at the limit."""
        return self._above_low(value) and self._below_high(value)

    def _above_low(self, value: float) -> bool:
        if self.low is None:
            return True
        return self.includes_low if _same(value, self.low) else value > self.low

    def _below_high(self, value: float) -> bool:
        if self.high is None:
            return True
        return self.includes_high if _same(value, self.high) else value < self.high


def _same(x: float, y: float) -> bool:
    return isclose(x, y, rel_tol=1e-9, abs_tol=1e-12)


@dataclass(frozen=True)
class Benchmark:
    """A value that systems of a scenario, or of a production level, should reach."""

    measure: str
    value: float
    source: str


@dataclass(frozen=True)
class Anchor:
    """What a known system reaches on a public collection."""

    dataset: str
    title: Text
    """What the collection is like."""
    scenarios: tuple[str, ...]
    system: str
    measure: str
    value: float
    source: str


@dataclass(frozen=True)
class Cutoffs:
    """Depths that suit measures at a stage."""

    stage: str
    """`candidates` or `visible`."""
    measures: tuple[str, ...]
    """Without cutoff: `R`, `nDCG`."""
    k: tuple[int, ...]
    source: str


@dataclass(frozen=True)
class Advice:
    """What to do about a measure in a scenario, whatever its value."""

    measure: str
    """As the scenario names it: without a cutoff it holds for all of them."""
    text: Text
    source: str


@dataclass(frozen=True)
class Scenario:
    """A situation in which rankings are judged, and how."""

    name: str
    title: Text
    description: Text
    measures: tuple[str, ...]
    """Recommended, the most telling first."""
    measures_source: str
    single_target: bool
    """Whether one right answer per query is typical; then Hit@k and R@k are the same number."""
    order_and_probability: bool
    """Whether AUC and LogLoss are to be read together."""
    cutoffs: tuple[Cutoffs, ...]
    benchmarks: tuple[Benchmark, ...]
    held_to_production: bool = False
    """Whether the figures of production are about systems like these: retrieval for answers, not lists of products."""
    advice: tuple[Advice, ...] = ()
    also: tuple[str, ...] = ()
    """What else it is called; its titles are names as well."""
    of_users: bool = False
    """Whether judgements are usually what users did afterwards, as for recommendations."""
    shown: tuple[str, ...] = ()
    """Measures of what is shown that belong to it as well, where `train=` is given."""

    def measures_with(self, train: Any) -> list[str]:
        """What to measure, with or without interactions before the test."""
        return [*self.measures, *(() if train is None else self.shown)]

    def advice_for(self, measure: AnyMeasure) -> Advice | None:
        """What to do about a measure here: what is said of exactly this one first, then of its name."""
        from rankgauge.measures import parse

        m = parse(measure)
        told = {a.measure: a for a in self.advice}
        return told.get(str(m)) or told.get(m.name)


@dataclass(frozen=True)
class ProductionLevel:
    """Figures that belong to a level of production quality."""

    name: str
    title: Text
    figures: tuple[Benchmark, ...]


@dataclass(frozen=True)
class Choice:
    """How many measures to decide on, and which to begin with when no scenario is named."""

    at_least: int
    at_most: int
    measures: tuple[str, ...]
    advice: Text
    source: str


@dataclass(frozen=True)
class Standards:
    """Everything that `load_standards` has read."""

    bands: Mapping[str, tuple[Band, ...]]
    """By measure, each from the lowest band up."""
    scenarios: Mapping[str, Scenario]
    production: Mapping[str, ProductionLevel]
    """By name, from the lowest level up."""
    anchors: tuple[Anchor, ...]
    choice: Choice

    def bands_of(self, measure: AnyMeasure) -> tuple[Band, ...]:
        """The bands of a measure from the lowest up; none when nobody has said what is good.

        Bands of exactly this measure come first, then those of its name: `nDCG` serves every nDCG@k. Measures of
        labels and scores have no cutoff, and their parameters change the scale, so they must match exactly.
        """
        from rankgauge.measures import parse
        from rankgauge.measures.base import Measure

        m = parse(measure)
        exact = self.bands.get(str(m), ())
        return exact or (self.bands.get(m.name, ()) if isinstance(m, Measure) else ())

    def band_of(self, measure: AnyMeasure, value: float) -> Band | None:
        """The band that a value lies in; None when the measure has no bands or the value is not a number.

        >>> from rankgauge.diagnosis.standards import load_standards
        >>> standards = load_standards()
        >>> standards.band_of("NDCG@10", 0.72).name, standards.band_of("MRR", 0.39).name
        ('good', 'poor')
        >>> standards.band_of("Hit@10", 0.9) is None
        True
        """
        if isnan(value):
            return None
        return next((band for band in self.bands_of(measure) if band.contains(value)), None)

    def levels_for(self, measure: AnyMeasure) -> tuple[tuple[ProductionLevel, Benchmark], ...]:
        """The levels of production with their figure of exactly this measure, from the lowest up."""
        name = _canonical(measure)
        return tuple((p, f) for p in self.production.values() for f in p.figures if f.measure == name)

    def production_level(self, name: str) -> ProductionLevel:
        """The level of that name (minimum, good, excellent), or of that title in either language."""
        for known, level in self.production.items():
            if fold(str(name)) in map(fold, (known, level.title.en, level.title.zh)):
                return level
        raise UnknownName(
            Text(f"unknown level {show(name)}.", f"未知的水平 {show(name)}。") + among(name, _titled(self.production))
        )

    def scenario(self, name: str) -> Scenario:
        """The scenario of that name, or of that title in either language; case, blanks and hyphens do not matter.

        >>> from rankgauge.diagnosis.standards import load_standards
        >>> load_standards().scenario("文档问答").name
        'document_qa'
        """
        name = str(name)
        if name in self.scenarios:
            return self.scenarios[name]
        for names in (_own_names, _other_names):
            found = next((s for s in self.scenarios.values() if fold(name) in map(fold, names(s))), None)
            if found is not None:
                return found
        raise UnknownName(
            Text(f"unknown scenario {show(name)}.", f"未知的场景 {show(name)}。")
            + among(re.sub(r"[\s-]+", "_", name.strip()), _titled(self.scenarios))
        )

    def benchmarks_for(self, scenario: str | Scenario, measure: AnyMeasure | None = None) -> tuple[Benchmark, ...]:
        """The benchmarks of a scenario, or those of exactly one measure.

        Another cutoff is another measure: a benchmark of nDCG@5 says nothing about nDCG@10.
        """
        found = scenario if isinstance(scenario, Scenario) else self.scenario(scenario)
        name = _canonical(measure)
        return tuple(b for b in found.benchmarks if name in (None, b.measure))

    def anchors_for(self, scenario: str | Scenario, measure: AnyMeasure | None = None) -> tuple[Anchor, ...]:
        """What known systems reach on collections that resemble the scenario."""
        found = scenario if isinstance(scenario, Scenario) else self.scenario(scenario)
        name = _canonical(measure)
        return tuple(a for a in self.anchors if found.name in a.scenarios and name in (None, a.measure))


def _titled(known: Mapping[str, Scenario] | Mapping[str, ProductionLevel]) -> list[Text]:
    return [Text(name, f"{name}（{one.title.zh}）") for name, one in known.items()]


def _own_names(scenario: Scenario) -> tuple[str, ...]:
    return (scenario.name,)


def _other_names(scenario: Scenario) -> tuple[str, ...]:
    return (scenario.title.en, scenario.title.zh, *scenario.also)


def _canonical(measure: AnyMeasure | None) -> str | None:
    from rankgauge.measures import parse

    return None if measure is None else str(parse(measure))
