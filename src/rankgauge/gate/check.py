"""What one rule of a gate found, and how its numbers are said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, Literal

from rankgauge._claims import Statement, claimed, phrase
from rankgauge._numbers import counted, percent, short
from rankgauge._numbers import number as written
from rankgauge._plain_data import read_fields, read_value
from rankgauge._text import mapped
from rankgauge.evaluation.record import plain
from rankgauge.statistics.intervals import Interval

__all__ = ["ROUNDING", "About", "Check", "Outcome", "also", "asked", "in_unit"]

Outcome = Literal["pass", "fail", "inconclusive"]

ROUNDING = 1e-12  # a mean of exactly the floor must not fail for its last digit
_NONE = Interval(float("nan"), float("nan"))


@dataclass(frozen=True)
class Check:
    """What one rule found."""

    rule: str
    """floor, non_inferior or ceiling."""
    title: str
    """The rule in words: `nDCG@10 >= 0.4`."""
    measure: str
    """The measure, or what a ceiling counts."""
    value: float
    """The mean, the difference to the baseline, the count or the share."""
    limit: float
    outcome: Outcome
    message: str
    interval: Interval = _NONE
    n: int = 0
    """Queries that the value rests on."""
    slice: str = ""
    """The slice of queries, as attribute=value; empty for all."""
    worst: Sequence[tuple[str, float]] = ()
    """Queries with the worst values, or the largest losses, where the rule did not pass; none for a number of the
    whole run, of which no query has a value."""
    is_certain: bool = True
    """Of a line that the value keeps to: whether its interval does so too, as `certain` asks."""

    @property
    def name(self) -> str:
        """The rule with its slice."""
        return mapped(lambda title: f"{title} [{self.slice}]", self.title) if self.slice else self.title

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, nothing rounded."""
        out = {k: plain(v) for k, v in vars(self).items() if k not in ("interval", "worst")}
        low, high = map(plain, self.interval)
        worst = [{"query_id": q, "value": plain(v)} for q, v in self.worst]
        return {**out, "low": low, "high": high, "worst": worst}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Check:
        """From what `to_dict` gave."""
        rows = read_value(list[dict[str, Any]], data["worst"], "worst")
        return cls(**read_fields(cls, {**data, "worst": [[row["query_id"], row["value"]] for row in rows]}))


def also(said: str, more: str) -> Statement:
    return phrase("{}; {}", "{}；{}", said, more)


def asked(measure: str, limit: float, text: str = "") -> Statement:
    """A figure of a rule, in these words where it needs more digits than usual."""
    return claimed(text or short(limit), "benchmark", limit, measure)


def in_unit(said: Statement, unit: str) -> Statement:
    """A figure with its unit, where it has one."""
    return phrase("{} {}", "{} {}", said, unit) if unit else said


@dataclass(frozen=True)
class About:
    """What the numbers of a message are about, so that each is said with its claim."""

    measure: str
    system: str
    against: str = ""
    slice: str = ""

    def said(self, text: str, what: str, value: Any, level: float | None = None) -> Statement:
        about = (self.measure, self.system, self.against)
        return claimed(text, what, value, *about, level=level, slice=self.slice)

    def queries(self, n: int) -> Statement:
        return self.said(counted(n, "query", "个查询"), "n", n)

    def units(self, n: int) -> Statement:
        """What a number of a model rests on."""
        return self.said(counted(n, "unit", "个单元"), "n", n)

    def range(self, interval: Interval, level: float, of: str = "", form: Callable[[float], str] = written) -> str:
        """The interval with its level, where there is one."""
        low, high = interval
        if isnan(low):
            return ""
        ends = [self.said(form(v), f"{of}{end}", v, level) for end, v in (("low", low), ("high", high))]
        return phrase(" ({} interval {} … {})", "（{} 置信区间 {} … {}）", percent(level), *ends)
