"""Which records there are, what they are called, and whom the page is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from rankgauge._text import Text
from rankgauge.comparison.comparing import compare
from rankgauge.comparison.record import Comparison
from rankgauge.diagnosis.rules.scores import mirrors_imbalance
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.funnel.record import Funnel
from rankgauge.evaluation.predictions.classes import ClassEvaluation
from rankgauge.evaluation.predictions.of_rows import RowEvaluation, RowEvaluations
from rankgauge.evaluation.predictions.record import PredictionEvaluation
from rankgauge.evaluation.rankings.record import RankingEvaluation, RankingEvaluations
from rankgauge.evaluation.rankings.too_long import telling
from rankgauge.gate.checks import baseline_name
from rankgauge.gate.result import GateResult
from rankgauge.reporting.classes import facts_of_classes
from rankgauge.reporting.page.series import in_time, is_series
from rankgauge.reporting.page.story import Story, fixed

__all__ = ["taken"]


def taken(records: Any, *, language: str, title: str | None, command: str) -> Story:
    """The beginning of a story: its records, and whom it is about."""
    every = tuple(records) if isinstance(records, (list, tuple)) else (records,)
    if not every:
        raise ParameterError(
            Text(
                "report() needs a record: an evaluation, a comparison, a funnel, …",
                "report() 需要一条记录：评测、比较、漏斗、…",
            )
        )
    if sum(isinstance(record, Comparison) for record in every) > 1:
        raise ParameterError(
            Text("a page holds one comparison: make a page of each.", "一个页面只能有一个比较：请分别生成页面。")
        )
    t = _Taken()
    for record in every:
        t.take(record)
    t.settle()
    if sum(map(bool, (t.rankings, t.models, t.classes))) > 1:
        raise ParameterError(
            Text(
                "a page is about rankings, about labels and scores, or about classes, not several of them: make a page "
                "of each.",
                "一个页面只能讲排序、标签与得分或类别中的一种：请分别生成页面。",
            )
        )
    t.set_apart()
    measure, leader, chosen = t.subject
    return Story(
        language=language,
        records=every,
        title=title or t.title,
        command=command,
        notes=tuple(t.notes),
        comparison=t.comparison,
        rankings=fixed(t.rankings),
        models=fixed(t.models),
        classes=fixed(t.classes),
        funnel=t.funnel,
        gate=t.gate,
        others=tuple(t.others),
        measure=measure,
        leader=leader,
        chosen=chosen,
    )


@dataclass(eq=False)
class _Taken:
    """Records by what they are, one after the other."""

    comparison: Comparison | None = None
    rankings: dict[str, Any] = field(default_factory=dict)
    models: dict[str, Any] = field(default_factory=dict)
    classes: dict[str, Any] = field(default_factory=dict)
    funnel: Funnel | None = None
    gate: GateResult | None = None
    others: list[Any] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    together: list[Mapping[str, Any]] = field(default_factory=list)
    """Evaluations that came as one record, by name."""

    def take(self, record: Any) -> None:
        if isinstance(record, Comparison):
            self.comparison = record
        elif isinstance(record, (RankingEvaluations, RowEvaluations)):
            self.together.append(record)
        elif isinstance(record, RankingEvaluation):
            self.together.append({record.run: record})
        elif isinstance(record, RowEvaluation):
            self.together.append({record.model: record})
        elif isinstance(record, Funnel):
            self.funnel = record
        elif isinstance(record, GateResult):
            self.gate = record
        else:
            self.others.append(record)

    def settle(self) -> None:
        """Who is on the page and under which name, once all records are known.

        A page has one comparison: the one given, else that of a gate with its baseline, else that of runs that were
        evaluated together. Its systems keep their names. A gate beside a comparison that was given shows its own
        numbers, and so do evaluations that cannot stand in one table with the others.
        """
        groups = [*([self._ruled] if self.comparison is None else []), *self.together]
        for members in groups:
            if len(members) > 1 and self.comparison is None and self._compare(members):
                groups = [g for g in groups if g is not members]
        if self.comparison is not None:
            groups.insert(0, self.comparison.evaluations)
        for members in groups:
            self._evaluations(members)

    def set_apart(self) -> None:
        """Evaluations without the headline measure, or beside a comparison without values of queries."""
        c, members = self.comparison, self.rankings or self.models or self.classes
        compared = {} if c is None else c.evaluations
        measure = self._headline(members) if members else ""
        for name in [n for n in members if n not in compared]:
            ev = members[name]
            beside = c is not None and ev.kind == "rankings" and not ev.has_queries
            if measure not in ev or beside:
                self.others.append(members.pop(name))

    def _headline(self, members: Mapping[str, Any]) -> str:
        if self.comparison is None:
            return _telling(list(members.values()))
        return telling(list(self.comparison.evaluations.values()), self.comparison.measures)[0]

    @property
    def _ruled(self) -> dict[str, Any]:
        """What a gate is about: the run, and where there is one its baseline."""
        if self.gate is None:
            return {}
        before, after = self.gate.baseline, self.gate.evaluation
        members: dict[str, Any] = {after.run: after}
        return members if before is None else {baseline_name(after, before): before, **members}

    def _evaluations(self, found: Mapping[str, Any]) -> None:
        for name, ev in found.items():
            members = {"rankings": self.rankings, "classes": self.classes}.get(ev.kind, self.models)
            alone = members.get(name, ev) is ev  # two of one name are two
            here = name if alone else next(new for i in count(2) if (new := f"{name} ({i})") not in members)
            members[here] = ev

    def _compare(self, members: Mapping[str, Any]) -> bool:
        """Runs that were evaluated together are compared with the first, where that can be done."""
        try:
            self.comparison = compare(dict(members))
        except InputError as e:
            self.notes.append(str(e))
            return False
        return True

    @property
    def subject(self) -> tuple[str, str, str]:
        """The headline measure, the system that the page is about, and why that one."""
        members = self.rankings or self.models or self.classes
        if not members:
            return "", "", ""
        c = self.comparison
        names = list(members) if c is None else c.systems
        measure = self._headline(members)
        if len(names) < 2:
            return measure, names[0], ""
        if c is not None and self.gate is not None and self.gate.evaluation.run in names:
            return measure, self.gate.evaluation.run, Text(": the rules are about it", "：规则针对它")
        if is_series(names):
            latest = Text(f": the latest of {len(names)}", f"：{len(names)} 期中最近一期")
            return measure, max(names, key=in_time), latest
        goodness = members[names[0]].column(measure).measure.goodness
        known = [n for n in names if members[n][measure] == members[n][measure]]
        best = max(known or names, key=lambda n: goodness(members[n][measure]))
        return measure, best, Text(f": the best {measure} of {len(names)}", f"：{measure} 在 {len(names)} 个中最好")

    @property
    def _apart(self) -> list[RankingEvaluation | RowEvaluation]:
        """Evaluations that show their own numbers."""
        return [r for r in self.others if isinstance(r, (RankingEvaluation, RowEvaluation))]

    @property
    def title(self) -> str:
        c = self.comparison
        if c is not None:
            return Text(f"{', '.join(c.systems)} against {c.baseline}", f"{'、'.join(c.systems)} 对比 {c.baseline}")
        names = list(self.rankings or self.models or self.classes)
        names += [r.run if isinstance(r, RankingEvaluation) else r.model for r in self._apart]
        if len(names) > 1:
            ends = f"{names[0]} … {names[-1]}"
            return Text(f"{ends}: {len(names)} evaluations", f"{ends}：{len(names)} 次评测")
        if self.rankings:
            ev = next(iter(self.rankings.values()))
            return Text(f"{ev.run} on {ev.qrels}", f"{ev.run}，{ev.qrels}")
        if self.models or self.classes:
            model = next(iter((self.models or self.classes).values()))
            return Text(f"{model.model} on {model.data}", f"{model.model}，{model.data}")
        if self.funnel is not None:
            return Text(f"Funnel on {self.funnel.qrels}", f"漏斗：{self.funnel.qrels}")
        named = next((str(r.name) for r in self.others if getattr(r, "name", "")), "")
        return named or "rankgauge"


def _telling(evs: Sequence[Any]) -> str:
    """The first measure that all have, or the first of the first evaluation where they have none in common.

    Where accuracy only mirrors how uneven the classes are, or what is needed is longer than what is read, the first
    that says something.
    """
    every: list[str] = evs[0].labels
    labels = [label for label in every if all(label in ev for ev in evs)] or every
    if not any(_mirrors_classes(ev) for ev in evs):
        return telling(evs, labels)[0]
    others = [label for label in labels if not _favours_frequent(evs[0].column(label).measure)]
    return others[0] if others else labels[0]


def _favours_frequent(measure: Any) -> bool:
    return measure.name == "Accuracy" or bool(getattr(measure, "favours_frequent", False))


def _mirrors_classes(ev: Any) -> bool:
    """Whether the page warns of accuracy."""
    if isinstance(ev, ClassEvaluation):
        return bool(facts_of_classes(ev)[1]["frequent-class"])
    if not isinstance(ev, PredictionEvaluation):
        return False
    return any(mirrors_imbalance(c) for c in ev.columns)
