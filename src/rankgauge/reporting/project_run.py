"""What came of running a project, as sections: the decision, the numbers, what is wrong, where it was kept."""

from __future__ import annotations

from typing import Any

from rankgauge._numbers import counted
from rankgauge._text import Text, composed, joined
from rankgauge.reporting.alerts import sections_of_alerts
from rankgauge.reporting.grid import Cell, Grid, Section, number, ranged
from rankgauge.reporting.words import VALUE

__all__ = ["sections_of_project_run"]

_HEADER = (
    Text("dataset", "数据集"),
    Text("system", "系统"),
    Text("state", "状态"),
    Text("measure", "指标"),
    VALUE,
    Text("interval", "区间"),
    "n",
)
_STATES = {
    "pass": Text("fine", "正常"),
    "fail": Text("failed", "未通过"),
    "inconclusive": Text("not settled", "未定"),
    "broken": Text("broken", "有误"),
}
_TONES = {"pass": "good", "fail": "bad", "inconclusive": "open", "broken": "bad"}
_SHOWN = 3


def sections_of_project_run(run: Any, digits: int = 4) -> list[Section]:
    """The decision and every number of the project; why something is not fine; where everything went."""
    rows = [row for r in run.results for row in _rows(r, digits)]
    return [
        Section(
            title=run.decision,
            tone=_TONES[run.outcome],
            grid=Grid(_HEADER, rows, frozenset({0, 1, 2, 3})) if rows else None,
            warnings=[*(line for r in run.results for line in _warnings(r)), *run.problems],
            notes=_notes(run),
        ),
        *([] if run.alerts is None else sections_of_alerts(run.alerts, digits)),
    ]


def _rows(r: Any, digits: int) -> list[list[Cell]]:
    state = Cell(_STATES[r.state], strong=r.state != "pass", tone="bad" if r.state in ("fail", "broken") else "")
    head = [Cell(r.dataset), Cell(r.system), state]
    if not r.numbers:
        return [[*head, Cell(""), Cell(""), Cell(""), Cell("")]]
    blank = [Cell(""), Cell(""), Cell("")]
    return [
        [
            *(blank if i else head),
            Cell(x.measure),
            Cell(number(x.value, digits), strong=True),
            Cell(ranged(x.low, x.high, digits), quiet=True),
            Cell(f"{x.n:,}", quiet=True),
        ]
        for i, x in enumerate(r.numbers)
    ]


def _warnings(r: Any) -> list[str]:
    """Why a system is not fine, and the checks behind it."""
    name = f"{r.dataset} · {r.system}"
    if r.state == "pass":
        return []
    out: list[str] = [composed("{}: {}", "{}：{}", name, r.decision)]
    open_ = [c for c in r.checks if c.outcome != "pass"]
    for c in sorted(open_, key=lambda c: c.outcome != "fail")[:_SHOWN]:
        worst = ", ".join(q for q, _ in c.worst[:_SHOWN])
        tail = composed("; most of all {}", "；尤其是 {}", worst) if worst else ""
        out.append(composed("{}: {}: {}{}", "{}：{}：{}{}", name, c.name, c.message, tail))
    return out + [composed("{}: {}", "{}：{}", name, note) for note in r.notes]


def _notes(run: Any) -> list[str]:
    notes: list[str] = [
        composed("{} · {}: {}", "{} · {}：{}", r.dataset, r.system, note)
        for r in run.results
        if r.state == "pass"
        for note in r.notes
    ]
    kept = sum(bool(r.entry) for r in run.results)
    if run.store:
        notes.append(composed("kept {} of {} in {}", "{1} 次中的 {0} 次已存入 {2}", kept, len(run.results), run.store))
    if run.reports:
        notes.append(composed("reports: {}", "报告：{}", joined(Text(", ", "、"), run.reports)))
    told = (d for d in run.deliveries if d.outcome == "delivered")
    return [*notes, *(composed("told {} of {}", "已通知 {}：{}", d.channel, _changes(d.messages)) for d in told)]


def _changes(n: int) -> Text:
    return counted(n, "change", "项变化")
