"""What rules look at: an evaluation or comparison, with everything that can be asked of it on the way.

A rule may ask for any measure, whether or not the user did: it is computed from the ranks of the judged items. What is
not known is NaN, and no condition (`surely_below`, `surely_above`) holds for it. A subject whose lists or rows are not
at hand, as one that was stored, remembers that it was asked for them (`lacks`): what such a rule did not find is not
known not to be there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isnan
from typing import Any

import numpy as np

from rankgauge._claims import Claim, Statement
from rankgauge._numbers import counted, number, signed
from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array
from rankgauge.alignment.sample import Sample
from rankgauge.comparison.contrast import Contrast
from rankgauge.comparison.record import Comparison
from rankgauge.data.activity import ACTIVITY, COLD, Activity
from rankgauge.diagnosis.figures import Form, between, figure, signed_between
from rankgauge.diagnosis.online import OnlineChange
from rankgauge.diagnosis.rating import Rating, rating_of
from rankgauge.diagnosis.standards import Scenario, Standards
from rankgauge.diagnosis.sureness import sure, sure_of
from rankgauge.evaluation.predictions.classes import ClassEvaluation
from rankgauge.evaluation.predictions.per_class import PerClass
from rankgauge.evaluation.predictions.record import PredictionEvaluation
from rankgauge.evaluation.rankings.by_cutoff import STEPS
from rankgauge.evaluation.rankings.ceiling import ceilings, evaluated_like
from rankgauge.evaluation.rankings.conventions import convention
from rankgauge.evaluation.rankings.measuring import shaped
from rankgauge.evaluation.rankings.record import Column, RankingEvaluation
from rankgauge.evaluation.rankings.showing import shown_like
from rankgauge.evaluation.rankings.slices import slices_of
from rankgauge.evaluation.rankings.suspicion import SAMPLED
from rankgauge.evaluation.rankings.too_long import needs_too_long, too_long
from rankgauge.measures.grammar import parse_ranking
from rankgauge.measures.shown.base import ShownMeasure
from rankgauge.statistics.intervals import Interval, t_interval

__all__ = ["Changed", "Classed", "Ranked", "Scored"]

_NAN = float("nan")
_UNKNOWN = Interval(_NAN, _NAN)


class _Numbers:
    """Numbers of one system, asked for by the name of a measure, and as they stand in sentences."""

    @property
    def name(self) -> str:
        raise NotImplementedError

    def _of(self, measure: str) -> Any:
        """The evaluation that has a measure; None where there is none and none can be made."""
        raise NotImplementedError

    lacks: bool = False
    """Whether something was asked for that is not at hand."""

    def value(self, measure: str) -> float:
        """The number of any measure; NaN where it cannot be known."""
        found = self._of(measure)
        return _NAN if found is None else found[measure]

    def interval(self, measure: str) -> Interval:
        """NaN where it is not known, also where there is no spread to learn from."""
        found = self._of(measure)
        return _UNKNOWN if found is None else found.interval(measure)

    def surely(self, measure: str) -> Interval:
        """The interval that a conclusion about a number may rest on."""
        raise NotImplementedError

    def surely_below(self, measure: str, figure: float) -> bool:
        """Whether a number is below a figure with its whole interval; no where either is not known."""
        return self.surely(measure).high < figure

    def surely_above(self, measure: str, figure: float) -> bool:
        """Whether a number is above a figure with its whole interval; no where either is not known."""
        return self.surely(measure).low > figure

    # numbers in sentences

    def claim(self, what: str, value: Any, measure: str = "", against: str = "") -> Claim:
        return Claim(what, value, measure, self.name, against)

    def figure(
        self, what: str, value: Any, measure: str = "", form: Form = number, digits: int = 3, *, against: str = ""
    ) -> Statement:
        return figure(self.claim(what, value, measure, against), form, digits)

    def mean(self, measure: str, form: Form = number, digits: int = 3) -> Statement:
        return self.figure("mean", self.value(measure), measure, form, digits)

    def between(self, measure: str) -> Statement:
        """The interval in brackets; nothing where it is not known."""
        return between(self.claim("mean", self.value(measure), measure), self.interval(measure))


@dataclass(eq=False)
class Ranked(_Numbers):
    """A ranking and its numbers."""

    ev: RankingEvaluation
    standards: Standards
    scenario: Scenario | None = None
    is_compared: bool = False
    """Whether another system stands beside it."""
    _known: dict[str, RankingEvaluation] = field(default_factory=dict)
    _ceilings: dict[str, float] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.ev.run

    @property
    def n(self) -> int:
        """How many queries there are, also where they were not stored one by one."""
        return len(self.ev.query_ids) or int(self.counts["queries"])

    @property
    def counts(self) -> Mapping[str, Any]:
        return self.ev.counts

    @property
    def is_mean_of_queries(self) -> bool:
        """Whether every query has one voice."""
        return self.ev.policy.average == "macro"

    @property
    def alignment(self) -> Alignment | None:
        """The ranks of judged items under the policy; None for stored evaluations, which many rules cannot judge."""
        self.lacks = self.lacks or self._shaped is None
        return self._shaped

    @cached_property
    def _shaped(self) -> Alignment | None:
        if self.ev.aligned is None:
            return None
        ties = "doc_id" if self.ev.policy.ties == "expected" else self.ev.policy.ties
        return shaped(self.ev.aligned.alignment, ties, self.ev.policy)

    @property
    def level(self) -> float:
        """The lowest relevant grade of measures that do not say their own."""
        return 1 if self.ev.policy.rel is None else self.ev.policy.rel

    def _of(self, measure: str) -> RankingEvaluation | None:
        if measure not in self._known:
            found = self.ev if measure in self.ev else self._made(measure)
            if found is None:
                return None
            self._known[measure] = found
        return self._known[measure]

    def _made(self, measure: str) -> RankingEvaluation | None:
        """The evaluation of a measure that nobody asked for; None where it cannot be made."""
        m = parse_ranking(measure, convention(self.ev.convention).parameters)
        if isinstance(m, ShownMeasure):  # of what was given beside the lists, if anything was
            self.lacks = self.lacks or (self.ev.aligned is None and self.ev.of_users)
            return shown_like(self.ev, measure, m)
        if self.ev.aligned is None:
            self.lacks = True
            return None
        return evaluated_like(self.ev, self.ev.aligned, [(measure, m)])

    # numbers

    def column(self, measure: str) -> Column | None:
        """The values of all queries, and which of them count; None where they are not known, or not stored."""
        found = self._of(measure)
        if found is None:
            return None
        c = found.column(measure)
        self.lacks = self.lacks or not isinstance(c, Column)
        return c if isinstance(c, Column) else None

    def surely(self, measure: str) -> Interval:
        """The interval that a conclusion about a mean may rest on."""
        found = self._of(measure)
        return _UNKNOWN if found is None else sure_of(found, measure)

    def ceiling(self, measure: str) -> float:
        """What a perfect ranking of these judgements reaches; NaN where that is not known."""
        if measure not in self._ceilings:
            found = self._of(measure)
            self._ceilings[measure] = _NAN if found is None else ceilings(self.ev, [found.column(measure)])[0]
        return self._ceilings[measure]

    def is_beyond_pieces(self, measure: str) -> bool:
        """Whether most of what is needed is longer than what a measure reads: then it says little."""
        found = self._of(measure)
        if self.ev.aligned is None or found is None:
            of = too_long(self.ev, measure)
        else:
            of = needs_too_long(self.ev.aligned.alignment, found.column(measure).measure)
        return of is not None and of.is_most

    def rating(self, measure: str, value: float | None = None) -> Rating | None:
        """The mean of a measure (or another value in its place) in a word; None for what users did."""
        found = None if self.of_users else self._of(measure)
        if found is None:
            return None
        return rating_of(found, measure, self.standards, value=value, ceiling=self.ceiling(measure))

    # what was judged and shown

    @property
    def relevant_per_query(self) -> Array:
        """Relevant items of each query; empty where the ranks are not at hand."""
        return np.zeros(0) if self.alignment is None else self.alignment.n_relevant(self.level)

    @property
    def has_only_positives(self) -> bool | None:
        """Whether everything judged is relevant; None where not known."""
        found = self.ev.has_only_positives
        self.lacks = self.lacks or found is None
        return found

    @property
    def of_users(self) -> bool:
        """Whether the judgements are what users did, and not what somebody judged.

        Said by what was given (`train=`, names of columns), or by the scenario where only positives are there.
        """
        told = self.scenario is not None and self.scenario.of_users
        return self.ev.of_users or (told and self.ev.has_only_positives is True)

    @property
    def of_spans(self) -> bool:
        """Whether gold is spans of documents; not known of stored evaluations."""
        return self.ev.aligned is not None and self.ev.aligned.is_of_spans

    @property
    def is_sampled(self) -> bool:
        """Whether each list seems to be the target among candidates that were drawn: it says nothing of retrieval."""
        return any(x.code == SAMPLED for x in self.ev.suspicions)

    @property
    def relevant_part(self) -> float | None:
        """The share of judgements that are relevant, also of stored evaluations; None where it is not known."""
        part = self.ev.relevant_part
        self.lacks = self.lacks or part is None
        return part

    @property
    def slices(self) -> Iterator[tuple[str, str, Array]]:
        """Attribute, value and queries of each slice; where train is given, users whom it does not know are one."""
        for attribute, of_query in self.ev.attributes.items():
            for value, mask in slices_of(of_query):
                yield attribute, value, mask
        known = self.ev.catalogue
        if known is not None and known.train is not None and ACTIVITY not in self.ev.attributes:
            yield ACTIVITY, COLD, np.array([x == COLD for x in Activity(known.train).of(self.ev.query_ids)], dtype=bool)

    @property
    def _with_first_ranks(self) -> Array:
        """Queries that count and have something relevant, as a mask."""
        c = self.column("Hit@20")
        if self.alignment is None or c is None:
            return np.zeros(0, dtype=bool)
        return np.asarray(c.counted & (self.relevant_per_query > 0))

    @property
    def first_ranks(self) -> Array:
        """For each query that counts the rank of the first relevant item shown; 0 = none."""
        a = self.alignment
        if a is None:
            return np.zeros(0, dtype=np.int64)
        return np.asarray(a.first_rank(a.relevant(self.level))[self._with_first_ranks])

    @property
    def voices(self) -> Array:
        """How much each of these queries counts in a mean."""
        weights = self.ev.weights if self.ev.policy.average == "weighted" else None
        mask = self._with_first_ranks
        return np.ones(int(mask.sum())) if weights is None else np.asarray(weights[mask])

    @property
    def depth(self) -> int:
        """How long the lists are, at the median."""
        a = self.alignment
        return 0 if a is None or not len(a.retrieved) else int(np.median(a.retrieved))

    @property
    def longest(self) -> int:
        """How long they are at most."""
        a = self.alignment
        return 0 if a is None else int(a.retrieved.max(initial=0))

    def worst_queries(self, measure: str, n: int = 3, among: Array | None = None) -> list[str]:
        """Queries (those of a mask) with the lowest values (where less is better: the highest), for evidence."""
        found = self._of(measure)
        c = None if found is None else found.column(measure)
        if not isinstance(c, Column):
            return []
        order = [
            i
            for i in np.argsort(c.measure.goodness(c.values), kind="stable")
            if c.counted[i] and not isnan(c.values[i]) and (among is None or among[i])
        ]
        return [f"{self.ev.query_ids[i]} ({number(c.values[i], 2)})" for i in order[:n]]


@dataclass(eq=False)
class Changed:
    """A comparison: what rules about change look at."""

    cmp: Comparison
    system: str
    standards: Standards
    scenario: Scenario | None = None
    online: Sequence[OnlineChange] = ()
    """What was seen online."""

    @property
    def name(self) -> str:
        return Text(f"{self.system} against {self.cmp.baseline}", f"{self.system} 对比 {self.cmp.baseline}")

    @cached_property
    def before(self) -> Ranked:
        return Ranked(self._ranking(self.cmp.baseline), self.standards, self.scenario, is_compared=True)

    @cached_property
    def after(self) -> Ranked:
        return Ranked(self._ranking(self.system), self.standards, self.scenario, is_compared=True)

    def _ranking(self, name: str) -> RankingEvaluation:
        ev = self.cmp.evaluations[name]
        assert isinstance(ev, RankingEvaluation)
        return ev

    @property
    def of_users(self) -> bool:
        """Whether the judgements are what users did."""
        return self.after.of_users

    @property
    def of_spans(self) -> bool:
        """Whether gold is spans of documents."""
        return self.after.of_spans

    @property
    def is_sampled(self) -> bool:
        """Whether the lists of a side seem to be candidates that were drawn."""
        return self.before.is_sampled or self.after.is_sampled

    @property
    def lacks(self) -> bool:
        """Whether a side was asked for what is not at hand."""
        return self.before.lacks or self.after.lacks

    @lacks.setter
    def lacks(self, value: bool) -> None:
        self.before.lacks = self.after.lacks = value

    @property
    def contrasts(self) -> list[Contrast]:
        """What the comparison says of this system, the first measure first."""
        return [c for c in self.cmp.contrasts if c.system == self.system]

    def contrast(self, measure: str) -> Contrast | None:
        """What the comparison says of a measure, where it was asked for."""
        if measure not in self.before.ev:
            return None
        label = self.before.ev.column(measure).label
        return next((c for c in self.contrasts if c.measure == label), None)

    def deepest(self, measure: str, *, beyond: int) -> int | None:
        """The largest cutoff at which a measure was asked for; else the largest usual one that the lists reach."""
        asked = [m.cutoff or 0 for m in self.after.ev.measures if m.name == measure]
        reached = max(self.before.depth, self.after.depth)
        usual = [k for k in STEPS if k <= min(reached, 100)]
        return max([k for k in asked if k > beyond] or [k for k in usual if k > beyond], default=None)

    # differences

    def difference(self, measure: str) -> tuple[float, Interval]:
        """The paired difference of any measure with its interval; NaN where it cannot be known."""
        known = self.contrast(measure)
        if known is not None:
            return known.difference, known.interval
        d = self._differences(measure)
        plain = self.before.is_mean_of_queries and self.after.is_mean_of_queries
        if not len(d) or not plain or np.isnan(d).any():  # other averages are compared where they were asked for
            return _NAN, _UNKNOWN
        return float(d.mean()), t_interval(d, self.cmp.confidence_level).clipped(*self._reach(measure))

    def _differences(self, measure: str) -> Array:
        a, b = self.before.column(measure), self.after.column(measure)
        if a is None or b is None or len(a.values) != len(b.values):
            return np.zeros(0)
        return np.asarray((b.values - a.values)[a.counted & b.counted])

    def _reach(self, measure: str) -> tuple[float, float]:
        """By how much a measure can differ."""
        column = self.after.column(measure)
        low, high = (0.0, 1.0) if column is None else column.measure.bounds
        return low - high, high - low

    def surely(self, measure: str) -> Interval:
        """The interval that a conclusion about a difference may rest on."""
        n, level = len(self._differences(measure)), self.cmp.confidence_level
        return sure(self.difference(measure)[1], n, level, self._reach(measure))

    def surely_above(self, measure: str, figure: float) -> bool:
        """Whether a difference is above a figure with its whole interval, and the comparison does not say otherwise."""
        known = self.contrast(measure)
        return self.surely(measure).low > figure and (known is None or known.verdict in ("better", "worse"))

    def surely_below(self, measure: str, figure: float) -> bool:
        """The same for a difference below a figure."""
        known = self.contrast(measure)
        return self.surely(measure).high < figure and (known is None or known.verdict in ("better", "worse"))

    def moves(self, measure: str) -> bool | None:
        """Whether a measure surely changed; None where that is not known."""
        known, (low, high) = self.contrast(measure), self.surely(measure)
        if isnan(low) or isnan(high):
            return None
        return not low <= 0 <= high or (known is not None and known.verdict in ("better", "worse"))

    @property
    def is_worse_somewhere(self) -> bool:
        return any(c.verdict == "worse" for c in self.contrasts)

    def is_of_shown(self, measure: str) -> bool:
        """Whether a measure that was asked for is about what is shown, whatever is relevant."""
        m = self.before.ev.column(measure).measure
        return isinstance(m, ShownMeasure) and m.is_of_items

    @property
    def is_trade(self) -> bool:
        """Whether relevant items are found better, in no measure of them worse, and what is shown got worse."""
        lost = [c.measure for c in self.contrasts if c.verdict == "worse"]
        return bool(lost) and all(map(self.is_of_shown, lost)) and self.more_accurate is not None

    @property
    def more_accurate(self) -> Contrast | None:
        """The first measure of relevance that is better."""
        return next((c for c in self.contrasts if c.verdict == "better" and self._is_of_relevance(c.measure)), None)

    def _is_of_relevance(self, measure: str) -> bool:
        return not self.is_of_shown(measure) and bool(self.before.ev.column(measure).measure.relevance)

    # numbers in sentences

    def claim(self, what: str, value: Any, measure: str = "") -> Claim:
        return Claim(what, value, measure, self.system, self.cmp.baseline)

    def figure(self, what: str, value: Any, measure: str = "", form: Form = number, digits: int = 3) -> Statement:
        return figure(self.claim(what, value, measure), form, digits)

    def counted(self, what: str, n: int, measure: str) -> Statement:
        """A number of queries."""
        text = counted(n, "query", "个查询")
        return Statement(text.en, text.zh, [self.claim(what, n, measure)])

    def changed(self, measure: str) -> Statement:
        """The difference with its sign."""
        return self.figure("difference", self.difference(measure)[0], measure, signed)

    def between(self, measure: str) -> Statement:
        """Its interval in brackets; nothing where it is not known."""
        difference, interval = self.difference(measure)
        return signed_between(self.claim("difference", difference, measure), interval)


@dataclass(eq=False)
class Scored(_Numbers):
    """An evaluation of labels and scores."""

    ev: PredictionEvaluation
    standards: Standards
    scenario: Scenario | None = None

    @property
    def name(self) -> str:
        return self.ev.model

    @property
    def sample(self) -> Sample | None:
        """The rows; None where they are not at hand."""
        self.lacks = self.lacks or self.ev.sample is None
        return self.ev.sample

    @property
    def reading(self) -> Any:
        """The case of AUC × LogLoss; None where it cannot be told."""
        return None if self.sample is None else self._read

    @cached_property
    def _read(self) -> Any:
        from rankgauge.diagnosis.order_and_probability import reading
        from rankgauge.errors import InputError

        try:
            return reading(self.ev)
        except InputError:
            return None

    def _of(self, measure: str) -> PredictionEvaluation | None:
        if measure in self.ev:
            return self.ev
        return None if self.sample is None else self.ev.evaluate(measure)

    def surely(self, measure: str) -> Interval:
        """The interval that a conclusion about a number may rest on."""
        found = self._of(measure)
        return _UNKNOWN if found is None else sure_of(found, measure)


@dataclass(eq=False)
class Classed(_Numbers):
    """An evaluation of several classes; all that rules ask of it is stored with it."""

    ev: ClassEvaluation
    standards: Standards
    scenario: Scenario | None = None

    @property
    def name(self) -> str:
        return self.ev.model

    @property
    def each(self) -> PerClass:
        """Every class by itself."""
        return self.ev.each

    @property
    def calls_one_class(self) -> bool:
        """Whether all rows are called the same although they are not."""
        return sum(x > 0 for x in self.each.called) == 1 and self.each.n_with_rows > 1

    @property
    def amount(self) -> Text:
        """What shares are of."""
        return Text("weight", "权重") if self.ev.policy.weight else Text("rows", "行数")

    @cached_property
    def mistakes(self) -> list[dict[str, Any]]:
        """What was taken for what, the most frequent first."""
        return self.ev.confusion().mistakes(most=100)

    def said(self, text: Text, what: str, value: Any, measure: str) -> Statement:
        """Words with the number that they claim."""
        return Statement(text.en, text.zh, [self.claim(what, value, measure)])

    def _of(self, measure: str) -> ClassEvaluation | None:
        if measure in self.ev:
            return self.ev
        return None if self.ev.sample is None else self.ev.evaluate(measure)

    def surely(self, measure: str) -> Interval:
        """The interval that a conclusion about a number may rest on."""
        return self.interval(measure)
