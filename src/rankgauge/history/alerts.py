"""What the rules of a project say of its history: the record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from rankgauge._claims import Claim, Statement, claimed, phrase
from rankgauge._numbers import counted
from rankgauge._records import Record
from rankgauge._text import Text
from rankgauge.evaluation.record import plain

if TYPE_CHECKING:
    import polars as pl

__all__ = ["OUTCOMES", "STATES", "Alert", "Alerts"]

STATES = {
    "alert": Text("alert", "告警"),
    "watch": Text("watch", "关注"),
    "inconclusive": Text("inconclusive", "无法判定"),
    "no_data": Text("no data", "无数据"),
    "unknown": Text("not known yet", "尚不可知"),
    "recovered": Text("recovered", "已恢复"),
    "ok": Text("fine", "正常"),
}
"""The states of an alert, the worst first, and what they are called."""

OUTCOMES = {"broken": 2, "fail": 1, "inconclusive": 3, "pass": 0}
"""What all of it can come to, with the exit code; the first of these that is found counts.

Broken comes before a failure: where a part was not measured, nobody knows what the rest of the answer would have been,
and both stop a release.
"""

NAN = float("nan")


@dataclass(frozen=True, kw_only=True)
class Alert:
    """One rule on one number of one system: how it stands now."""

    rule: str
    """What the rule is called."""
    kind: Annotated[str, ("release", "stream", "health")]
    project: str
    system: str
    measure: str
    """The measure, or what a rule of health looks at."""
    attribute: str = ""
    part: str = ""
    """The slice, where it is of one."""
    dataset: str = ""
    state: Annotated[str, tuple(STATES)]
    since: str = ""
    """When this state began, as far as it is known: of a drop, when that began."""
    value: float = NAN
    baseline: float = NAN
    """What it is held against."""
    change: float = NAN
    """Of a drop since it began; otherwise of the newest value."""
    low: float = NAN
    high: float = NAN
    """The 95% interval of the change."""
    margin: float = NAN
    n: int = 0
    """Queries or units that the change rests on."""
    evidence: float = NAN
    """Of a stream the logarithm of its statistic, of a release the corrected p-value."""
    limit: float = NAN
    """What the evidence is held against."""
    sentence: str = ""
    entry: str = ""
    """The newest evaluation that it rests on."""
    against: str = ""
    """The evaluation that is the baseline, where it is one."""
    rang: Sequence[str] = ()
    """When it rang since its baseline: the looks at which it became an alert."""
    queries: Sequence[tuple[str, float]] = ()
    """Queries that moved most, with their change, the worst first."""

    @property
    def slice(self) -> str:
        """attribute=value; nothing for all queries."""
        return f"{self.attribute}={self.part}" if self.attribute else ""

    @property
    def key(self) -> str:
        """What stays the same from look to look, so that a known alert is recognised."""
        about = (self.kind, self.rule, self.project, self.system, self.dataset, self.measure, self.attribute, self.part)
        return "\t".join(about)

    @property
    def is_alert(self) -> bool:
        return self.state == "alert"

    @property
    def outcome(self) -> str:
        """broken (the input), fail (a regression), inconclusive or pass."""
        if self.state == "no_data" or (self.is_alert and self.kind == "health"):
            return "broken"
        return "fail" if self.is_alert else "inconclusive" if self.state == "inconclusive" else "pass"


@dataclass(frozen=True, eq=False, kw_only=True)
class Alerts(Record, kind="alerts", schema=1):
    """What the rules of a project say of its history. `rg.alerts` makes it.

    `found.ringing` are the alerts, `found.exit_code` what a command ends with: 0 fine, 1 regression, 2 broken input, 3
    not settled.
    """

    items: Sequence[Alert]
    project: str
    looks: int
    """One false alarm in so many looks."""
    alpha: float = 0.05
    until: str = ""
    """The time of the newest evaluation."""
    streams: int = 0
    """Numbers that are watched together."""
    notes: Sequence[str] = ()
    version: str = ""

    def of(self, *states: str) -> list[Alert]:
        """Those in one of these states."""
        return [a for a in self.items if a.state in states]

    @property
    def ringing(self) -> list[Alert]:
        return self.of("alert")

    @property
    def outcome(self) -> str:
        """broken (the input), fail (a regression), inconclusive or pass: the first of these that is found."""
        return min((a.outcome for a in self.items), key=list(OUTCOMES).index, default="pass")

    @property
    def exit_code(self) -> int:
        """0 pass, 1 fail, 2 broken, 3 inconclusive."""
        return OUTCOMES[self.outcome]

    @property
    def decision(self) -> Statement:
        """All of it in one line."""
        total = claimed(counted(len(self.items), "thing", "项"), "alerts", len(self.items))
        found = [(state, len(self.of(state))) for state in STATES]
        said = [
            phrase("{} {}", "{1} {0} 项", claimed(f"{n:,}", "alerts", n, state), STATES[state])
            for state, n in found
            if n
        ]
        word = _TITLES[self.outcome]
        if not said:
            return phrase(
                "{}: nothing is watched", "{}：没有监控任何内容", word, claims=[Claim("alert outcome", self.outcome)]
            )
        listed = said[0]
        for more in said[1:]:
            listed = phrase("{}, {}", "{}，{}", listed, more)
        told = ("{}: of {} watched, {}", "{}：共监控 {}，{}")
        return phrase(*told, word, total, listed, claims=[Claim("alert outcome", self.outcome)])

    def csv_rows(self) -> list[dict[str, Any]]:
        """One dict per alert."""
        left_out = ("queries", "rang", "sentence")
        return [
            {
                **{k: plain(v) for k, v in vars(a).items() if k not in left_out},
                "sentence": a.sentence,
                "rang": " ".join(a.rang),
                "queries": " ".join(q for q, _ in a.queries),
            }
            for a in self.items
        ]

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame, one row per alert."""
        import polars as pl

        return pl.DataFrame(self.csv_rows(), infer_schema_length=None)


_TITLES = {
    "pass": Text("FINE", "正常"),
    "fail": Text("REGRESSION", "退化"),
    "broken": Text("BROKEN INPUT", "输入有问题"),
    "inconclusive": Text("INCONCLUSIVE", "无法判定"),
}
