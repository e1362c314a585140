"""A project, run: every system on every dataset measured, kept, held to the rules, reported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from os import PathLike
from typing import Any

from rankgauge._numbers import counted
from rankgauge._progress import tracked
from rankgauge._show import cut, show
from rankgauge._text import Text, composed
from rankgauge.errors import LONGEST, ParameterError, RankgaugeError, among
from rankgauge.history.entry import Summary
from rankgauge.history.history import History, time_of, time_text
from rankgauge.history.judging import alerts
from rankgauge.project.baselines import REGRESSION, UNSETTLED
from rankgauge.project.delivering import News, noted, unready
from rankgauge.project.delivering import deliver as deliver_all
from rankgauge.project.file import FILE, Project, read_project, rules_by_kind
from rankgauge.project.incidents import Incident, incidents, of_report
from rankgauge.project.measuring import Measured, measured
from rankgauge.project.record import ProjectRun, RunNumber, State, SystemRun
from rankgauge.project.reports import write_reports

__all__ = ["run_project"]

_NO_RULE = Text("measured; no rule is about it", "已评测；没有相关规则")
_OPEN = Text("INCONCLUSIVE: rules against the baseline are open", "无法判定：与基线比较的规则未定")


def run_project(
    project: str | PathLike[str] | Project = FILE,
    *,
    store: str | PathLike[str] | History | None = None,
    only: str | Iterable[str] | None = None,
    report: str | PathLike[str] | None = None,
    at: datetime | str | None = None,
    progress: bool | None = None,
    deliver: bool = True,
) -> ProjectRun:
    """Measure everything in a project file, keep it, hold it to the rules and say what came of it.

    `only` names systems (the others are left alone), `store` and `report` take the place of what the file says, `at`
    is the time that entries are filed under (now unless said). A system that cannot be measured is broken, and the
    others are measured all the same: `run.exit_code` is 2 then, else 1 where a rule failed or an alert rings, else 3
    where something is not settled, else 0. Messages go to the channels of the file unless `deliver` is False.
    """
    p = project if isinstance(project, Project) else read_project(project)
    chosen = _chosen(p, only)
    when = time_of(at)
    history = store if isinstance(store, History) else History(p.store if store is None else store)
    try:
        return _run(p, history, chosen, when, report, progress, deliver=deliver)
    finally:
        if history is not store:
            history.close()


def _chosen(p: Project, only: str | Iterable[str] | None) -> list[tuple[str, str]]:
    names = [only] if isinstance(only, str) else list(only or ())
    for name in names:
        if name not in p.tables.systems:
            raise ParameterError(
                composed(
                    "there is no system {} in the project.{}",
                    "项目中没有系统 {}。{}",
                    show(name),
                    among(name, p.tables.systems),
                )
            )
    return [(d, s) for d, s in p.pairs() if not names or s in names]


def _run(
    p: Project,
    history: History,
    chosen: Sequence[tuple[str, str]],
    at: datetime,
    report: str | PathLike[str] | None,
    progress: bool | None,
    *,
    deliver: bool,
) -> ProjectRun:
    mute = unready(p) if deliver else {}
    results: list[SystemRun] = []
    found: dict[tuple[str, str], Measured] = {}
    work = {f"{d} · {s}": (d, s) for d, s in chosen}
    for _, (d, s) in tracked(work, progress):
        try:
            one = measured(p, d, s, history, at)
            results.append(_kept(p, history, d, s, one, at))
            found[d, s] = one
        except Exception as e:  # whatever is wrong with one system, the others are measured
            results.append(SystemRun(d, s, "broken", _why(e)))
    rules = None if p.tables.alerts is None else rules_by_kind(p.tables)
    watched = None if rules is None else alerts(history, rules, project=p.name, at=at)
    if watched is not None and len(chosen) < len(list(p.pairs())):  # who is left alone may have no data
        systems = {s for _, s in chosen}
        watched = replace(watched, items=[a for a in watched.items if a.system in systems])
    run = ProjectRun(project=p.name, at=time_text(at), results=results, alerts=watched, store=history.place)
    run, page = _reported(p, run, found, report)  # before anybody is told: that it failed is news as well
    is_whole = len(chosen) == len(list(p.pairs()))
    news = noted(p.name, history, [*incidents(run), *page], at, is_whole=is_whole)
    if deliver:
        run = _delivered(p, history, run, news, at, mute)
    if run.reports and run.deliveries:  # who was told, and who was not, stands in it
        run, _ = _reported(p, run, found, report)
    history.event(
        "run",
        run.decision.en,
        project=p.name,
        at=at,
        data={
            "state": run.outcome,
            "exit_code": run.exit_code,
            "zh": run.decision.zh,
            "broken": [{"dataset": r.dataset, "system": r.system, "reason": r.decision} for r in run.of("broken")],
        },
    )
    return run


def _reported(
    p: Project, run: ProjectRun, found: Mapping[tuple[str, str], Measured], path: str | PathLike[str] | None
) -> tuple[ProjectRun, list[Incident]]:
    """Writes the report; that it cannot be written is a problem of its own, and no reason to lose the rest."""
    try:
        written = write_reports(p, run, found, path)
    except RankgaugeError as e:
        problem = composed("the report could not be written: {}", "无法写出报告：{}", e.text)
        return replace(run, problems=(*run.problems, problem)), [of_report(problem)]
    return replace(run, reports=written), [of_report()] if written else []


def _delivered(
    p: Project, history: History, run: ProjectRun, news: News, at: datetime, mute: Mapping[str, str]
) -> ProjectRun:
    """Tells the channels; what one did not take is a problem of its own, and that it could take nothing as well."""
    told = deliver_all(p, history, news, at)
    problems: list[str] = [
        composed("{} was not told: {}", "未能通知 {}：{}", d.channel, d.reason) for d in told if d.outcome == "failed"
    ]
    problems += [why for name, why in mute.items() if name not in {d.channel for d in told}]
    return replace(run, deliveries=tuple(told), problems=(*run.problems, *problems))


def _why(error: Exception) -> str:
    if isinstance(error, RankgaugeError):
        return error.text
    said = cut(f"{type(error).__name__}: {error}", LONGEST)
    return Text(f"an error that nobody foresaw: {said}", f"意外错误：{said}")


def _kept(p: Project, history: History, dataset: str, name: str, one: Measured, at: datetime) -> SystemRun:
    """Adds what was found to the store."""
    state = _state(one)
    system = p.tables.systems[name]
    labels = {**p.tables.labels, **system.labels}
    about: dict[str, Any] = {
        "project": p.name,
        "system": name,
        "dataset": dataset,
        "version": system.version,
        "at": at,
    }
    gate = {} if one.decision is None else {"gate": _gate_label(one.decision)}
    entry = history.add(one.evaluation, **about, labels=labels, **gate)
    if one.decision is not None:
        history.add(one.decision, **about, labels=labels)
    if one.collected is not None:
        history.add(one.collected, **about, labels=labels)
    return SystemRun(
        dataset,
        name,
        state,
        _decision(one),
        entry.id,
        one.baseline,
        tuple(_number(s) for s in entry.summaries if s.is_of_all),
        () if one.decision is None else tuple(one.decision.checks),
        (one.note,) if one.note else (),
    )


def _decision(one: Measured) -> str:
    """What the gate says; not that all passed, where rules against the baseline could not be among them."""
    gate = one.decision
    if one.is_open and (gate is None or not gate.checks):
        return _OPEN
    if gate is None:
        return _NO_RULE
    if not one.is_open or gate.exit_code:
        return gate.decision
    passed = f"{sum(c.outcome == 'pass' for c in gate.checks):,}"
    others = counted(len(gate.checks), "other check", "项其他检查")
    return composed("{}, {} of {} passed", "{0}，{2}中有 {1} 项通过", _OPEN, passed, others)


def _gate_label(decision: Any) -> str:
    """The outcome; by a name of its own what rules against the baseline did not let pass: later ones have another."""
    if decision.outcome != "pass":
        found = {c.outcome for c in decision.checks if c.rule == "non_inferior"}
        if not found <= {"pass"}:
            return REGRESSION if "fail" in found else UNSETTLED
    return str(decision.outcome)


def _state(one: Measured) -> State:
    code = 0 if one.decision is None else one.decision.exit_code
    if code == 1:
        return "fail"
    return "inconclusive" if code == 3 or one.is_open else "pass"


def _number(s: Summary) -> RunNumber:
    return RunNumber(s.measure, s.value, s.low, s.high, s.n)
