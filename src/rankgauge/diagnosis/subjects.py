"""What rules look at: an evaluation or comparison, with everything that can be asked of it on the way.

A rule may ask for any measure, whether or not the user did: it is computed from the ranks of the judged items.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array
from rankgauge.comparison.record import Comparison
from rankgauge.diagnosis.standards import Band, Scenario, Standards
from rankgauge.evaluation.evaluator import evaluate_alignment
from rankgauge.evaluation.intervals import Interval
from rankgauge.evaluation.prediction_record import PredictionEvaluation
from rankgauge.evaluation.ranking_record import RankingEvaluation
from rankgauge.measures.grammar import parse_ranking

__all__ = ["Changed", "Ranked", "Scored"]


@dataclass(eq=False)
class Ranked:
    """A ranking and its numbers."""

    ev: RankingEvaluation
    standards: Standards
    scenario: Scenario | None = None
    _known: dict[str, RankingEvaluation] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.ev.run

    @property
    def n(self) -> int:
        return len(self.ev.query_ids)

    @property
    def counts(self) -> Mapping[str, Any]:
        return self.ev.counts

    @property
    def alignment(self) -> Alignment | None:
        """The ranks of judged items; None for stored evaluations, which many rules cannot judge."""
        return None if self.ev.aligned is None else self.ev.aligned.alignment

    def _of(self, measure: str) -> RankingEvaluation | None:
        if measure in self._known:
            return self._known[measure]
        if measure in self.ev:
            found = self.ev
        elif self.ev.aligned is not None:
            found = evaluate_alignment(self.ev.aligned, [(measure, parse_ranking(measure))], self.ev.policy)
        else:
            return None
        self._known[measure] = found
        return found

    def value(self, measure: str) -> float:
        """The mean of any measure; NaN where it cannot be known."""
        found = self._of(measure)
        return float("nan") if found is None else found[measure]

    def interval(self, measure: str) -> Interval:
        found = self._of(measure)
        return Interval(float("nan"), float("nan")) if found is None else found.interval(measure)

    def per_query(self, measure: str) -> tuple[Array, Array] | None:
        """The values of all queries, and which of them count."""
        found = self._of(measure)
        if found is None:
            return None
        c = found.column(measure)
        return c.values, c.counted

    @cached_property
    def relevant_per_query(self) -> Array:
        """Relevant items of each query; empty where the ranks are not at hand."""
        return np.zeros(0) if self.alignment is None else self.alignment.n_relevant()

    @cached_property
    def first_ranks(self) -> Array:
        """For each query with relevant items the rank of the first one shown; 0 = none."""
        a = self.alignment
        if a is None:
            return np.zeros(0)
        ranks: Array = a.first_rank(a.relevant(1))
        return ranks[self.relevant_per_query > 0]

    def attainable(self, measure: str) -> float:
        """The mean of a perfect ranking: min(k, R)/R for recall and AP, min(k, R)/k for precision, else 1."""
        m = parse_ranking(measure)
        k, relevant = getattr(m, "k", None), self.relevant_per_query[self.relevant_per_query > 0]
        if k is None or not len(relevant) or m.name not in ("R", "AP", "P"):
            return 1.0
        return float(np.mean(np.minimum(relevant, k) / (k if m.name == "P" else relevant)))

    def band(self, measure: str, value: float | None = None) -> Band | None:
        """The band of the mean (or of this value), measured by what a perfect ranking could reach."""
        x, best = self.value(measure) if value is None else value, self.attainable(measure)
        return self.standards.band_of(measure, x / best if best else x)

    @property
    def depth(self) -> int:
        """How long the lists are, at the median."""
        a = self.alignment
        return 0 if a is None or not len(a.retrieved) else int(np.median(a.retrieved))

    def worst_queries(self, measure: str, n: int = 3) -> list[str]:
        """Queries with the lowest values, for evidence."""
        found = self.per_query(measure)
        if found is None:
            return []
        values, counted = found
        order = [i for i in np.argsort(values, kind="stable") if counted[i]]
        return [f"{self.ev.query_ids[i]} ({values[i]:.2f})" for i in order[:n]]


@dataclass(eq=False)
class Changed:
    """A comparison: what rules about change look at."""

    cmp: Comparison
    system: str
    standards: Standards
    scenario: Scenario | None = None
    online: Mapping[str, float] = field(default_factory=dict)
    """What was seen online, such as {"ctr": 0.001}: differences with their sign."""

    @property
    def name(self) -> str:
        return Text(f"{self.system} against {self.cmp.baseline}", f"{self.system} 对比 {self.cmp.baseline}")

    @cached_property
    def before(self) -> Ranked:
        return Ranked(self._ranking(self.cmp.baseline), self.standards, self.scenario)

    @cached_property
    def after(self) -> Ranked:
        return Ranked(self._ranking(self.system), self.standards, self.scenario)

    def _ranking(self, name: str) -> RankingEvaluation:
        ev = self.cmp.evaluations[name]
        assert isinstance(ev, RankingEvaluation)
        return ev

    def difference(self, measure: str) -> tuple[float, Interval]:
        """The paired difference of any measure with its interval; NaN where it cannot be known."""
        from rankgauge.evaluation.intervals import t_interval

        a, b = self.before.per_query(measure), self.after.per_query(measure)
        if a is None or b is None:
            return float("nan"), Interval(float("nan"), float("nan"))
        both = a[1] & b[1]
        d = (b[0] - a[0])[both]
        return (float(d.mean()), t_interval(d)) if len(d) else (float("nan"), Interval(float("nan"), float("nan")))


@dataclass(eq=False)
class Scored:
    """An evaluation of labels and scores."""

    ev: PredictionEvaluation
    standards: Standards
    scenario: Scenario | None = None

    @property
    def name(self) -> str:
        return self.ev.model

    @cached_property
    def reading(self) -> Any:
        """The case of AUC × LogLoss; None where it cannot be told."""
        from rankgauge.diagnosis.order_and_probability import reading
        from rankgauge.errors import InputError

        try:
            return reading(self.ev)
        except InputError:
            return None

    def value(self, measure: str) -> tuple[float, Interval]:
        found = self.ev.evaluate(measure) if self.ev.sample is not None else self.ev
        return found[measure], found.interval(measure)
