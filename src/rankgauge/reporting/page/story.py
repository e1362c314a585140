"""What a page has to tell: everything that its screens draw, made beforehand and never changed.

`gathering/` makes it and is the only place of the page that asks something new. Screens read records, also numbers that
a record works out of itself when they are first read (`interval`, `slices`, `differences`). Lists are tuples and
mappings are read-only, so that no screen can change what another one shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeVar

from rankgauge.calibration.diagram import Reliability
from rankgauge.calibration.judge import Calibration
from rankgauge.calibration.segments import WorstSegments
from rankgauge.comparison.movement import Movement
from rankgauge.comparison.record import Comparison, Winner
from rankgauge.comparison.tradeoff import Tradeoff
from rankgauge.data.collected import Collected
from rankgauge.diagnosis.finding import Findings
from rankgauge.diagnosis.order_and_probability import Reading
from rankgauge.diagnosis.rating import Rating
from rankgauge.evaluation.funnel.record import Funnel
from rankgauge.evaluation.predictions.classes import ClassEvaluation
from rankgauge.evaluation.predictions.record import PredictionEvaluation
from rankgauge.evaluation.predictions.score_histogram import ScoreHistogram
from rankgauge.evaluation.predictions.thresholds import Threshold
from rankgauge.evaluation.rankings.answers import Answers
from rankgauge.evaluation.rankings.by_budget import ByBudget
from rankgauge.evaluation.rankings.by_cutoff import ByCutoff
from rankgauge.evaluation.rankings.by_item_group import ByItemGroup
from rankgauge.evaluation.rankings.judgement_health import JudgementHealth
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.evaluation.rankings.suspicion import Suspicion
from rankgauge.gate.result import GateResult
from rankgauge.history.trend import Trend
from rankgauge.reporting.figures.curves import Curves, Place
from rankgauge.reporting.page.fact import Fact

__all__ = ["DEPTH", "Defined", "Listed", "Moved", "Scores", "Standing", "Story", "Valued", "fixed"]

DEPTH = 10
"""Results of each list that is shown."""

K = TypeVar("K")
V = TypeVar("V")


def fixed(found: Mapping[K, V] | Iterable[tuple[K, V]]) -> Mapping[K, V]:
    """A mapping that nobody can change."""
    return MappingProxyType(dict(found))


_NOTHING: Mapping[str, Any] = fixed({})


@dataclass(frozen=True)
class Defined:
    """A measure as it was used."""

    label: str
    measure: str
    title: str
    question: str
    formula: str
    edges: str
    reference: str


@dataclass(frozen=True)
class Standing:
    """A measure of the system that the page is about: its value, and how good that is."""

    label: str
    value: float
    low: float
    high: float
    rating: Rating | None
    as_count: bool
    """Whether the value is a number of things."""
    against: str = ""
    """The baseline, where the value is the mean over the queries that both count."""


@dataclass(frozen=True)
class Valued:
    """A query with its headline values, by run."""

    query: str
    text: str
    """What it asks, where that was given."""
    values: tuple[float, ...]


@dataclass(frozen=True)
class Listed:
    """A query, and what each system shows for it."""

    query: str
    anchor: str
    text: str
    movements: tuple[Movement, ...]
    """By system, the one that the page is about first."""


@dataclass(frozen=True)
class Moved:
    """A query that gained or lost much."""

    query: str
    before: float
    after: float
    difference: float
    gained: bool
    only_ties: bool
    only_unjudged: bool


@dataclass(frozen=True)
class Scores:
    """What labels and scores show beside their measures, by model."""

    curves: Mapping[str, Curves] = field(default_factory=lambda: _NOTHING)
    """Of models with rows of both classes: an order to draw."""
    places: Mapping[str, Place] = field(default_factory=lambda: _NOTHING)
    """Between order and probability, of those that have both."""
    readings: Mapping[str, Reading] = field(default_factory=lambda: _NOTHING)
    """Order and probability, where they can be told."""
    thresholds: Mapping[str, Threshold] = field(default_factory=lambda: _NOTHING)
    reliabilities: Mapping[str, Reliability] = field(default_factory=lambda: _NOTHING)
    histograms: tuple[ScoreHistogram, ...] = ()
    calibrations: tuple[Calibration, ...] = ()
    """Would recalibration help? Only where it can be tried."""
    segments: tuple[WorstSegments, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Story:
    """Everything that screens look at."""

    language: str
    records: tuple[Any, ...]
    title: str = ""
    command: str = ""
    notes: tuple[str, ...] = ()
    # the records, by what they are
    comparison: Comparison | None = None
    rankings: Mapping[str, RankingEvaluation] = field(default_factory=lambda: _NOTHING)
    models: Mapping[str, PredictionEvaluation] = field(default_factory=lambda: _NOTHING)
    classes: Mapping[str, ClassEvaluation] = field(default_factory=lambda: _NOTHING)
    """Models that tell several classes apart."""
    funnel: Funnel | None = None
    gate: GateResult | None = None
    others: tuple[Any, ...] = ()
    """Records that show their own sections: findings, audits, calibrations, …; not those that have a field above."""
    # whom it is about
    measure: str = ""
    """The headline: the first measure."""
    leader: str = ""
    """The system that the page is about: the last of a series in time, else the best."""
    chosen: str = ""
    """Why that one, where there are several."""
    # what was found out about them
    findings: Findings | None = None
    standings: tuple[Standing, ...] = ()
    winner: Winner | None = None
    """Could unjudged results change who wins? None where that is not known."""
    only_positives: bool = False
    """Whether everything judged is relevant."""
    by_cutoff: Mapping[str, ByCutoff] = field(default_factory=lambda: _NOTHING)
    by_budget: Mapping[str, ByBudget] = field(default_factory=lambda: _NOTHING)
    """The same over the room of a context, where it is known how long results are."""
    tradeoff: Tradeoff | None = None
    """Several systems in measures of what is right and of what is shown."""
    asked: Mapping[str, Collected] = field(default_factory=lambda: _NOTHING)
    """How retrievers were asked, and what became of the queries; by name."""
    answers: tuple[Answers, ...] = ()
    """Answers beside what was retrieved for them."""
    trends: tuple[Trend, ...] = ()
    """Numbers over time."""
    items: ByItemGroup | None = None
    """Which kinds of items are found and shown, where something is known of items."""
    health: Mapping[str, JudgementHealth] = field(default_factory=lambda: _NOTHING)
    moved: Mapping[str, tuple[Moved, ...]] = field(default_factory=lambda: _NOTHING)
    values: tuple[Valued, ...] = ()
    """The queries of the table, the most telling one first."""
    n_values: int = 0
    """How many there are, in the table or not."""
    lists: tuple[Listed, ...] = ()
    titles: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    """What items of these lists are called."""
    anchors: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    """The queries whose lists are shown, and where."""
    scores: Scores | None = None
    definitions: tuple[Defined, ...] = ()
    fingerprint: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    facts: tuple[Fact, ...] = ()
    """What all of it comes to, in order: head, doubts and actions are drawn from them."""

    @property
    def members(self) -> Mapping[str, Any]:
        """The evaluations, of rankings, of labels and scores, or of classes."""
        return self.rankings or self.models or self.classes

    @property
    def query_measure(self) -> str:
        """The measure that queries are looked at by: the headline, unless it is a number of the whole run; or none."""
        if self.comparison is not None:
            there = self.comparison.query_measures
            return self.measure if self.measure in there else next(iter(there), "")
        evs = list(self.rankings.values())
        there = [c.label for c in evs[0].columns if c.measure.summary != "run"] if evs else []
        there = [label for label in there if all(label in ev for ev in evs)]
        return self.measure if self.measure in there else next(iter(there), "")

    @property
    def systems(self) -> list[str]:
        """Those that are compared with the baseline, the one that the page is about first."""
        if self.comparison is None:
            return [self.leader]
        return [self.leader, *(s for s in self.comparison.systems if s != self.leader)]

    @property
    def suspicions(self) -> list[Suspicion]:
        """What casts doubt on the numbers of any system, under the name that the page gives it."""
        return [s.of(name) for name, ev in self.rankings.items() for s in ev.suspicions]

    @property
    def accepted(self) -> tuple[str, ...]:
        """The codes of suspicions that the rules of a gate let stand."""
        return () if self.gate is None else tuple(self.gate.accept)
