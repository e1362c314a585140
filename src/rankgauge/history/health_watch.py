"""Exact facts of the newest evaluation of a system: what is missing, what failed, what is not judged, what is stale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rankgauge._claims import Statement, phrase
from rankgauge._numbers import counted, share, short
from rankgauge._text import Text, joined
from rankgauge.evaluation.counts import judged_key
from rankgauge.history.entry import Entry, Summary
from rankgauge.history.moments import moment
from rankgauge.history.rules import HealthRule, duration
from rankgauge.history.series import REASONS, Look, reasons_between

if TYPE_CHECKING:
    from rankgauge.history.history import History

__all__ = ["Fact", "facts"]

_FAILURES = ("Failures", "failures")
"""The measure of evaluations, and what collections of live retrievers call it."""


@dataclass(frozen=True)
class Fact:
    """One thing that was looked at."""

    check: str
    state: str
    value: float
    limit: float
    sentence: Statement
    since: datetime | None = None
    n: int = 0


def facts(history: History, rule: HealthRule, entries: Sequence[Entry], now: datetime) -> list[Fact]:
    """What the newest entry of a system on a dataset shows; `now` is asked for the age only."""
    evaluated = [e for e in entries if e.kind != "collected"]
    counts: dict[str, Any] = {}
    if set(rule.checks) & {"missing_queries", "judged"} and evaluated:
        told = history.told(evaluated[-1].id)
        told = told.get("evaluations", {}).get("run", told) if isinstance(told.get("evaluations"), dict) else told
        counts = dict(told.get("counts") or {})
    some = {"stale": entries, "failures": entries}
    return [_LOOKED_AT[check](rule, some.get(check, evaluated) or entries, counts, now) for check in rule.checks]


def _known(check: str, system: str, what: Text) -> Fact:
    said = phrase("{}: {}", "{}：{}", system, what)
    return Fact(check, "unknown", float("nan"), float("nan"), said)


def _fact(check: str, e: Entry, is_off: bool, value: float, limit: float, said: Statement, n: int = 0) -> Fact:
    return Fact(check, "alert" if is_off else "ok", value, limit, said, e.at if is_off else None, n)


def _missing(rule: HealthRule, entries: Sequence[Entry], counts: dict[str, Any], now: datetime) -> Fact:
    e, limit = entries[-1], rule.missing_queries
    assert limit is not None
    if "missing" not in counts or "queries" not in counts:
        return _known("missing_queries", e.system, Text("queries are not counted", "没有查询计数"))
    n, all_ = int(counts["missing"]), int(counts["queries"])
    is_share = 0 < limit < 1
    is_off = n / all_ > limit if is_share and all_ else n > limit
    allowed = share(limit, 2) if is_share else f"{short(limit)}"
    said = phrase(
        "{}: {} of {} without results, {} allowed",
        "{0}：{2}中有 {1} 个没有结果，允许 {3}",
        e.system,
        f"{n:,}",
        counted(all_, "query", "个查询"),
        allowed,
    )
    return _fact("missing_queries", e, is_off, n, limit, said, all_)


def _failures(rule: HealthRule, entries: Sequence[Entry], counts: dict[str, Any], now: datetime) -> Fact:
    e, limit = entries[-1], rule.failures
    assert limit is not None
    s = next((s for x in reversed(entries) for name in _FAILURES if (s := x.summary(name)) is not None), None)
    if s is None:
        what = Text("failures were not measured; add the measure Failures", "没有测量失败率；请加上指标 Failures")
        return _known("failures", e.system, what)
    said = phrase(
        "{}: {} of {} got no answer, {} allowed",
        "{0}：{2}中有 {1} 没有得到返回，允许 {3}",
        e.system,
        share(s.value),
        counted(s.n, "query", "个查询"),
        share(limit),
    )
    return _fact("failures", e, s.value > limit, s.value, limit, said, s.n)


def _judged(rule: HealthRule, entries: Sequence[Entry], counts: dict[str, Any], now: datetime) -> Fact:
    e, limit, key = entries[-1], rule.judged, judged_key(counts)
    assert limit is not None
    if not key or counts[key] is None:
        return _known("judged", e.system, Text("what is judged is not counted", "没有标注比例的计数"))
    value = float(counts[key])
    told = ("{}: {} {}, at least {} asked", "{}：{} 为 {}，要求至少 {}")
    said = phrase(*told, e.system, key, share(value), share(limit))
    return _fact("judged", e, value < limit, value, limit, said, int(counts.get("queries", 0)))


def _unchanged(rule: HealthRule, entries: Sequence[Entry], counts: dict[str, Any], now: datetime) -> Fact:
    e = entries[-1]
    if len(entries) < 2:
        return _known("unchanged", e.system, Text("there is no evaluation before it", "之前没有评测"))
    none = Summary("", "", float("nan"))
    found = reasons_between(Look(entries[-2], none), Look(e, none))
    if not found:
        told = ("{}: queries, judgements and policy are those of {}", "{}：查询、标注和策略与 {} 的相同")
        return _fact("unchanged", e, False, 0, 0, phrase(*told, e.system, moment(entries[-2].at)))
    reasons = joined(Text(", ", "、"), [REASONS[r] for r in found])
    told = ("{}: {} than at {}", "{0}：与 {2} 相比，{1}")
    return _fact("unchanged", e, True, len(found), 0, phrase(*told, e.system, reasons, moment(entries[-2].at)))


def _stale(rule: HealthRule, entries: Sequence[Entry], counts: dict[str, Any], now: datetime) -> Fact:
    assert rule.stale is not None
    limit = duration(rule.stale)
    assert limit is not None
    past = [e for e in entries if e.at <= now]  # one dated ahead says nothing of when something was measured
    if not past:
        told = ("{}: measured at {} only, which has not come yet", "{}：只有 {} 的测量，而那时还没有到")
        said = phrase(*told, entries[0].system, moment(entries[0].at))
        return _fact("stale", entries[0], True, float("nan"), limit.total_seconds() / 86400, said)
    e = past[-1]
    age = (now - e.at).total_seconds() / 86400
    said = phrase(
        "{}: last measured at {}, {} days ago; at most {} allowed",
        "{}：最近一次测量在 {}，距今 {} 天；最多允许 {}",
        e.system,
        moment(e.at),
        short(age, 3),
        rule.stale,
    )
    return _fact("stale", e, age > limit.total_seconds() / 86400, age, limit.total_seconds() / 86400, said)


_LOOKED_AT = {
    "missing_queries": _missing,
    "failures": _failures,
    "judged": _judged,
    "unchanged": _unchanged,
    "stale": _stale,
}
