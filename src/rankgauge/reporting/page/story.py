"""What a page has to tell: the records, and what they bring with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.comparison.comparing import compare
from rankgauge.comparison.record import Comparison
from rankgauge.data.texts import ItemText, read_texts
from rankgauge.diagnosis.diagnosing import diagnose
from rankgauge.diagnosis.finding import Findings
from rankgauge.diagnosis.order_and_probability import Reading, reading
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.funnel_record import Funnel
from rankgauge.evaluation.prediction_record import PredictionEvaluation, PredictionEvaluations
from rankgauge.evaluation.ranking_record import RankingEvaluation, RankingEvaluations
from rankgauge.gate.result import GateResult

__all__ = ["Story", "gather"]


@dataclass(eq=False)
class Story:
    """Everything that screens look at."""

    language: str
    records: Sequence[Any]
    title: str = ""
    comparison: Comparison | None = None
    rankings: dict[str, RankingEvaluation] = field(default_factory=dict)
    models: dict[str, PredictionEvaluation] = field(default_factory=dict)
    funnel: Funnel | None = None
    gate: GateResult | None = None
    others: list[Any] = field(default_factory=list)
    """Records that show their own sections: findings, gates, audits, calibrations, …"""
    documents: Any = None
    queries: Any = None
    scenario: str | None = None
    command: str = ""
    notes: list[str] = field(default_factory=list)
    anchors: dict[str, str] | None = None
    """The queries whose lists are shown, and where; None until someone asks."""
    lists: list[Any] = field(default_factory=list)
    _readings: dict[str, Reading | None] = field(default_factory=dict)

    @property
    def version(self) -> str:
        return __version__

    @property
    def numpy(self) -> str:
        """The version of NumPy, which the last digits may depend on."""
        return np.__version__

    @property
    def measure(self) -> str:
        """The headline: the first measure."""
        if self.comparison is not None:
            return self.comparison.measures[0]
        members: Mapping[str, Any] = self.rankings or self.models
        label: str = next(iter(members.values())).labels[0]
        return label

    @property
    def leader(self) -> str:
        """The system that the page is about: the best of those compared, or the best run."""
        c = self.comparison
        members: Mapping[str, Any] = self.rankings or self.models
        names = list(members) if c is None else c.systems
        if len(names) < 2:
            return names[0]
        goodness = members[names[0]].column(self.measure).measure.goodness
        known = [n for n in names if members[n][self.measure] == members[n][self.measure]]
        return max(known or names, key=lambda n: goodness(members[n][self.measure]))

    @property
    def can_show_lists(self) -> bool:
        """Whether the runs are at hand."""
        if self.comparison is not None:
            return bool(self.rankings) and self.comparison.sources is not None and not self.comparison.seeds
        return len(self.rankings) == 1 and all(ev.source is not None and ev.judged for ev in self.rankings.values())

    @cached_property
    def findings(self) -> Findings | None:
        """What the numbers say; None for records that have none."""
        members: Mapping[str, Any] = self.rankings or self.models
        subject: Any = self.comparison if self.rankings else None
        if members and (subject is None or len(subject.systems) > 1):
            subject = members[self.leader]  # what one system needs can be acted on
        given = next((r for r in self.others if isinstance(r, Findings)), None)
        if given is not None or subject is None:
            return given
        return diagnose(subject, scenario=self.scenario)

    def reading(self, model: str) -> Reading | None:
        """Order and probability of a model; None where they cannot be told."""
        if model not in self._readings:
            ev = self.models[model]
            s = ev.sample
            can = s is not None and not s.is_soft and s.scale != "score" and s.has_both_classes
            self._readings[model] = reading(ev) if can else None
        return self._readings[model]

    def texts_of(self, source: Any, ids: Iterable[str]) -> Mapping[str, ItemText]:
        """What queries or documents say, where a source was given."""
        return {} if source is None else read_texts(source, list(ids))


def gather(
    records: Any,
    *,
    language: str,
    title: str | None,
    documents: Any = None,
    queries: Any = None,
    scenario: str | None = None,
    command: str = "",
) -> Story:
    """The story of one record or of several."""
    several = isinstance(records, (list, tuple))
    story = Story(language, list(records) if several else [records])
    if not story.records:
        raise ParameterError("report() needs a record: an evaluation, a comparison, a funnel, …")
    story.documents, story.queries, story.scenario, story.command = documents, queries, scenario, command
    if sum(isinstance(record, Comparison) for record in story.records) > 1:
        raise ParameterError("a page holds one comparison: make a page of each.")
    for record in story.records:
        _take(story, record)
    if story.rankings and story.models:
        raise ParameterError("a page is about rankings or about labels and scores, not both: make a page of each.")
    story.title = title or _title(story)
    return story


def _take(story: Story, record: Any) -> None:
    if isinstance(record, Comparison):
        story.comparison = record
        for name, ev in record.evaluations.items():
            _take_evaluation(story, name, ev)
    elif isinstance(record, (RankingEvaluations, PredictionEvaluations)):
        for name, ev in record.items():
            _take_evaluation(story, name, ev)
        if len(record) > 1:
            _compare(story, record)
    elif isinstance(record, RankingEvaluation):
        _take_evaluation(story, record.run, record)
    elif isinstance(record, PredictionEvaluation):
        _take_evaluation(story, record.model, record)
    elif isinstance(record, Funnel):
        story.funnel = record
    elif isinstance(record, GateResult):
        story.gate = record
        _take_gate(story, record)
    else:
        story.others.append(record)


def _take_gate(story: Story, result: GateResult) -> None:
    """The run, and where there is one its baseline."""
    before, after = result.baseline, result.evaluation
    members: dict[str, Any] = {after.run: after}
    if before is not None:
        members = {before.run if before.run != after.run else f"{before.run} (baseline)": before, **members}
        _compare(story, members)
    for name, ev in members.items():
        _take_evaluation(story, name, ev)


def _take_evaluation(story: Story, name: str, ev: Any) -> None:
    members: dict[str, Any] = story.rankings if ev.kind == "rankings" else story.models
    members[name] = ev


def _compare(story: Story, members: Mapping[str, Any]) -> None:
    """Runs that were evaluated together are compared with the first, where that can be done."""
    try:
        story.comparison = compare(dict(members))
    except InputError as e:
        story.notes.append(str(e))


def _title(story: Story) -> str:
    c = story.comparison
    if c is not None:
        against = ", ".join(c.systems)
        return Text(f"{against} against {c.baseline}", f"{against} 对比 {c.baseline}")
    if story.rankings:
        ev = next(iter(story.rankings.values()))
        return Text(f"{ev.run} on {ev.qrels}", f"{ev.run}，{ev.qrels}")
    if story.models:
        model = next(iter(story.models.values()))
        return Text(f"{model.model} on {model.data}", f"{model.model}，{model.data}")
    if story.funnel is not None:
        return Text(f"Funnel on {story.funnel.qrels}", f"漏斗：{story.funnel.qrels}")
    named = next((str(r.name) for r in story.others if getattr(r, "name", "")), "")
    return named or "rankgauge"
