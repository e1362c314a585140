"""What is worth a message: systems that are broken or did not pass, alerts, and what recovered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from rankgauge._numbers import signed
from rankgauge._text import Text, composed, in_language, joined
from rankgauge.history.alerts import Alert
from rankgauge.project.record import ProjectRun, SystemRun

__all__ = ["FINE", "OVER", "REPORT", "STATES", "Incident", "incidents", "of_report"]

_QUERIES = 3
"""How many of those that moved most are named."""

_ENTRY = re.compile("[0-9a-f]{16}")
"""The id of an entry; anything else that is held against is a file."""
OVER = ("recovered", "gone")
"""States that end something: it is fine, or nobody watches it any more."""
FINE = ("pass", "ok", "unknown", "watch", *OVER)
"""States in which nothing is to be told, unless something was before."""
STATES = {
    "broken": Text("broken", "有误"),
    "alert": Text("alert", "告警"),
    "fail": Text("failed", "未通过"),
    "no_data": Text("no data", "无数据"),
    "inconclusive": Text("not settled", "未定"),
    "recovered": Text("recovered", "已恢复"),
    "gone": Text("no longer watched", "不再监控"),
}
"""What can be told, the worst first."""
REPORT = Text("report", "报告")


@dataclass(frozen=True)
class Incident:
    """One thing that is or was not fine. `key` stays the same from run to run, `change` as long as nothing is new."""

    key: str
    state: str
    subject: str
    """What it is about: dataset and system, or what a rule watches."""
    sentence: str
    """What is so, with numbers and their interval."""
    since: str = ""
    slices: Sequence[str] = ()
    queries: Sequence[tuple[str, float]] = ()
    entry: str = ""
    against: str = ""
    change: str = ""
    """What makes it news: another state, or other rules that fail."""

    def link(self, dashboard: str | None) -> str:
        """The page of the dashboard that shows it; nothing where there is none."""
        if not dashboard:
            return ""
        base = dashboard.rstrip("/")
        if self.entry and self.against:
            return f"{base}/compare?{urlencode({'a': self.against, 'b': self.entry})}"
        return f"{base}/entries/{quote(self.entry, safe='')}" if self.entry else f"{base}/alerts"

    def lines(self, dashboard: str | None = None) -> list[str]:
        """The message about it, line by line."""
        out: list[str] = [composed("{}: {}: {}", "{}：{}：{}", STATES[self.state], self.subject, self.sentence)]
        if self.slices:
            out.append(composed("slices: {}", "切片：{}", joined(Text(", ", "、"), self.slices)))
        if self.since:
            out.append(composed("since {}", "自 {}", _moment(self.since)))
        if self.queries:
            moved = ", ".join(f"{q} {signed(change)}" for q, change in self.queries[:_QUERIES])
            out.append(composed("queries that moved most: {}", "变化最大的查询：{}", moved))
        if link := self.link(dashboard):
            out.append(link)
        return out

    def to_dict(self, dashboard: str | None = None, language: str = "en") -> dict[str, Any]:
        """As a program reads it."""
        return {
            "key": self.key,
            "state": self.state,
            "subject": in_language(self.subject, language),
            "sentence": in_language(self.sentence, language),
            "since": self.since,
            "slices": list(self.slices),
            "queries": [{"query": q, "change": change} for q, change in self.queries[:_QUERIES]],
            "entry": self.entry,
            "against": self.against,
            "link": self.link(dashboard),
        }


def _moment(at: str) -> str:
    """A stored time as people read it.

    >>> _moment("2026-11-18T06:00:00.000000Z")
    '2026-11-18 06:00 UTC'
    """
    return f"{at[:16].replace('T', ' ')} UTC"


def incidents(run: ProjectRun) -> list[Incident]:
    """How everything stands, fine or not, in the order of the run."""
    watched = () if run.alerts is None else run.alerts.items
    return [*(_of_system(r) for r in run.results), *(_of_alert(a) for a in watched)]


def of_report(problem: str = "") -> Incident:
    """The pages of a run: written, or why not."""
    state = "broken" if problem else "pass"
    said = problem or Text("the report was written", "报告已写出")
    return Incident("report", state, REPORT, said, change="\n".join([state, str(problem)]))


def _of_system(r: SystemRun) -> Incident:
    wrong = [c for c in r.checks if c.outcome == "fail"] or [c for c in r.checks if c.outcome != "pass"]
    about = [c for c in wrong if not c.slice] or wrong
    said: str = r.decision
    if about and r.state != "broken":
        said = composed("{}. {}: {}", "{}。{}：{}", r.decision, about[0].name, about[0].message)
    elif r.notes:
        said = composed("{}; {}", "{}；{}", r.decision, r.notes[0])
    queries = next((c.worst for c in about if c.worst and c.rule == "non_inferior"), ())
    news = (
        "\n".join([r.state, *(c.name for c in wrong)]) if r.state != "broken" else "\n".join([r.state, str(r.decision)])
    )
    return Incident(
        key="\t".join(("gate", r.dataset, r.system)),
        state=r.state,
        subject=f"{r.dataset} · {r.system}",
        sentence=said,
        slices=tuple(dict.fromkeys(c.slice for c in wrong if c.slice)),
        queries=tuple((q, float(v)) for q, v in queries),
        entry=r.entry,
        against=r.baseline if _ENTRY.fullmatch(r.baseline) else "",
        change=news,
    )


def _of_alert(a: Alert) -> Incident:
    return Incident(
        key=f"alert\t{a.key}",
        state=a.state,
        subject=a.dataset or a.system or a.rule,  # the sentence says of which system and measure
        sentence=a.sentence,
        since=a.since,
        slices=(a.slice,) if a.slice else (),
        queries=tuple((q, float(v)) for q, v in a.queries),
        entry=a.entry,
        against=a.against,
        change=a.state,
    )
