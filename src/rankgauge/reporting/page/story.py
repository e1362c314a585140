"""What a page has to tell: the records, and what they bring with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.comparison.comparing import compare
from rankgauge.comparison.record import Comparison
from rankgauge.data.document_texts import ItemText, read_texts
from rankgauge.diagnosis.diagnosing import diagnose
from rankgauge.diagnosis.finding import Findings
from rankgauge.diagnosis.order_and_probability import Reading, reading
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.funnel.record import Funnel
from rankgauge.evaluation.predictions.record import PredictionEvaluation, PredictionEvaluations
from rankgauge.evaluation.rankings.record import RankingEvaluation, RankingEvaluations
from rankgauge.gate.checks import baseline_name
from rankgauge.gate.result import GateResult

__all__ = ["Story", "gather", "is_series"]

_TIME = re.compile(
    r"(?<![a-z])(week|wk|day|month|quarter|date)[ _.-]*#|(周|日|月|期|季)#|#(周|日|月|期|季)|####[-_./]##|########",
    re.IGNORECASE,
)
"""A point in time in a name, its digits written as #."""


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
    def _compared(self) -> list[str]:
        """The systems that the page could be about."""
        members: Mapping[str, Any] = self.rankings or self.models
        return list(members) if self.comparison is None else self.comparison.systems

    @property
    def leader(self) -> str:
        """The system that the page is about: the last of a series in time, else the best."""
        names = self._compared
        if len(names) < 2:
            return names[0]
        if is_series(names):
            return max(names, key=_in_time)
        members: Mapping[str, Any] = self.rankings or self.models
        goodness = members[names[0]].column(self.measure).measure.goodness
        known = [n for n in names if members[n][self.measure] == members[n][self.measure]]
        return max(known or names, key=lambda n: goodness(members[n][self.measure]))

    @property
    def chosen(self) -> str:
        """Why the page is about that system, where there are several."""
        names = self._compared
        if len(names) < 2:
            return ""
        if is_series(names):
            return Text(f": the latest of {len(names)}", f"：{len(names)} 期中最近一期")
        return Text(f": the best {self.measure} of {len(names)}", f"：{len(names)} 个中 {self.measure} 最好")

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
        if members and (subject is None or len(subject.systems) > 1 or self.gate is not None):
            # what one system needs can be acted on; whether a change may go out is for the rules of a gate to say
            subject = members[self.leader]
        given = next((r for r in self.others if isinstance(r, Findings)), None)
        if given is not None or subject is None:
            return given
        accepted = () if self.gate is None else self.gate.accept
        return diagnose(subject, scenario=self.scenario, accept=accepted)

    def reading(self, model: str) -> Reading | None:
        """Order and probability of a model; None where they cannot be told."""
        if model not in self._readings:
            ev = self.models[model]
            s = ev.sample
            can = s is not None and not s.is_soft and s.scale != "score" and s.has_both_classes
            try:
                self._readings[model] = reading(ev) if can else None
            except InputError:  # scores that are all alike, say
                self._readings[model] = None
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


def is_series(names: Sequence[str]) -> bool:
    """Whether names are points in time: alike but for their digits, which stand for a date, a week, …

    >>> is_series(["week1", "week2", "week10"]), is_series(["2026-01-05", "2026-01-12"]), is_series(["bm25", "dense"])
    (True, True, False)
    >>> is_series(["bm25", "bm27"])
    False
    """
    forms = {re.sub(r"\d", "#", name) for name in names}
    shapes = {re.sub("#+", "#", form) for form in forms}
    return len(names) > 1 and len(shapes) == 1 and all(_TIME.search(form) for form in forms)


def _in_time(name: str) -> list[int]:
    return [int(digits) for digits in re.findall(r"\d+", name)]


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
        members = {baseline_name(after, before): before, **members}
        _compare(story, members)
    for name, ev in members.items():
        _take_evaluation(story, name, ev)


def _take_evaluation(story: Story, name: str, ev: Any) -> None:
    members: dict[str, Any] = story.rankings if ev.kind == "rankings" else story.models
    if members.get(name, ev) is not ev:  # two of one name are two
        name = next(new for i in count(2) if (new := f"{name} ({i})") not in members)
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
    members: Mapping[str, Any] = story.rankings or story.models
    if len(members) > 1:
        names = list(members)
        return Text(
            f"{names[0]} … {names[-1]}: {len(names)} evaluations", f"{names[0]} … {names[-1]}：{len(names)} 次评估"
        )
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
