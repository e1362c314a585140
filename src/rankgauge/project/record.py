"""What came of running a project: every dataset and system with its numbers and its decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from rankgauge._numbers import counted
from rankgauge._records import Record
from rankgauge._text import Text, composed, joined, mapped
from rankgauge.gate.check import Check
from rankgauge.history.alerts import OUTCOMES, Alert, Alerts

__all__ = ["CODES", "Delivery", "ProjectRun", "RunNumber", "State", "SystemRun"]

State = Literal["pass", "fail", "inconclusive", "broken"]

CODES: Mapping[str, int] = OUTCOMES
"""The exit code of each state, the one that counts first first."""


@dataclass(frozen=True)
class RunNumber:
    """One measure of a system."""

    measure: str
    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True)
class SystemRun:
    """One system on one dataset."""

    dataset: str
    system: str
    state: State
    decision: str
    """The decision of the gate in one line; why it could not be measured; or that no rule is about it."""
    entry: str = ""
    """Its id in the store; empty where nothing was measured."""
    baseline: str = ""
    """What it was held against: the id of an entry, or a file."""
    numbers: Sequence[RunNumber] = ()
    checks: Sequence[Check] = ()
    notes: Sequence[str] = ()

    @property
    def exit_code(self) -> int:
        return CODES[self.state]


@dataclass(frozen=True)
class Delivery:
    """A message that was to be told, and what became of it."""

    channel: str
    messages: int
    outcome: Literal["delivered", "failed"]
    reason: str = ""
    """Why it failed; never with a secret in it."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ProjectRun(Record, kind="project_run", schema=1):
    """Every system on every dataset. `run.exit_code` is 2 where something could not be done, else 1 where a rule failed
    or an alert rings, else 3 where something is not settled, else 0."""

    project: str
    at: str
    results: Sequence[SystemRun]
    alerts: Alerts | None = None
    """How everything that is watched stands; None where nothing is."""
    deliveries: Sequence[Delivery] = ()
    reports: Sequence[str] = ()
    store: str = ""
    problems: Sequence[str] = ()
    """What else could not be done: a report that could not be written, a message that no channel took."""

    @property
    def outcome(self) -> State:
        """The worst of all, in the order broken, fail, inconclusive, pass."""
        found: set[Any] = {*(r.state for r in self.results), *(() if self.alerts is None else [self.alerts.outcome])}
        if self.problems:
            return "broken"
        worst: State = min(found, key=list(CODES).index, default="pass")
        return worst

    @property
    def exit_code(self) -> int:
        """2 broken or no data, 1 a rule failed or an alert rings, 3 not settled, 0 fine."""
        return CODES[self.outcome]

    def of(self, state: State) -> list[SystemRun]:
        """What came to this."""
        return [r for r in self.results if r.state == state]

    @property
    def ringing(self) -> list[Alert]:
        """Alerts that ring."""
        return [] if self.alerts is None else self.alerts.ringing

    @property
    def decision(self) -> Text:
        """In one line: how many were measured, and what came of them."""
        found = {state: len(self.of(state)) for state in get_args(State)}
        parts: list[str] = [composed(*_WORDS[state], f"{found[state]:,}") for state in CODES if found[state]]
        if rings := self.ringing:
            parts.append(composed("{} ringing", "{}", counted(len(rings), "alert", "个告警")))
        title = _ALERT if self.outcome == "fail" and not found["fail"] else _TITLES[self.outcome]
        n = counted(len(self.results), "evaluation", "次评测")
        what = joined(Text(", ", "，"), parts)
        return composed("{}: {}, {}: {}", "{}：{}，{}：{}", title, self.project, n, what)

    @property
    def fault(self) -> str:
        """What could not be done: the first of it, and how much more there is; nothing where all could."""
        found: list[str] = [
            composed("{} · {}: {}", "{} · {}：{}", r.dataset, r.system, r.decision) for r in self.of("broken")
        ]
        found += [a for a in self.problems if isinstance(a, Text)]
        if self.alerts is not None:
            found += [a.sentence for a in self.alerts.of("alert", "no_data") if a.sentence]
        if self.outcome != "broken" or not found:
            return Text("", "")
        first, more = mapped(lambda text: text.partition("\n")[0], found[0]), len(found) - 1
        return composed("{} ({} more)", "{}（另有 {} 项）", first, more) if more else first

    def csv_rows(self) -> list[dict[str, Any]]:
        """A row per measure of each system; one where nothing could be measured."""
        out = []
        for r in self.results:
            about = {"project": self.project, "dataset": r.dataset, "system": r.system, "state": r.state}
            numbers: list[dict[str, Any]] = [vars(x) for x in r.numbers] or [
                {"measure": "", "value": None, "low": None, "high": None, "n": 0}
            ]
            out += [{**about, **x, "entry": r.entry, "at": self.at, "decision": r.decision} for x in numbers]
        return out


_TITLES = {
    "broken": Text("BROKEN", "输入有误"),
    "fail": Text("FAIL", "未通过"),
    "inconclusive": Text("INCONCLUSIVE", "无法判定"),
    "pass": Text("FINE", "正常"),
}
_ALERT = Text("ALERT", "告警")
_WORDS = {
    "broken": ("{} broken", "{} 次有误"),
    "fail": ("{} failed", "{} 次未通过"),
    "inconclusive": ("{} not settled", "{} 次未定"),
    "pass": ("{} fine", "{} 次正常"),
}
