"""What a series of numbers comes to, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING

from rankgauge._claims import Statement, claimed, phrase, together
from rankgauge._numbers import counted, number, signed
from rankgauge._text import Text, joined
from rankgauge.history.alert_words import when
from rankgauge.history.freshness import Freshness
from rankgauge.history.moments import moment
from rankgauge.history.series import REASONS, Series

if TYPE_CHECKING:
    from rankgauge.history.trend import TrendChange, TrendPoint, TrendSeries, TrendStep

__all__ = ["of_series"]

_LINK = Text("; ", "；")
_QUERIES, _ROWS = ("query", "个查询"), ("unit", "个单元")
_UNITS = {"rankings": _QUERIES, "gate": _QUERIES, "collected": _QUERIES} | dict.fromkeys(
    ("predictions", "classes", "prediction_gate"), _ROWS
)


def of_series(s: Series, made: TrendSeries, steps: Sequence[TrendStep], fresh: Freshness) -> Statement:
    """The newest value, what changed, where it broke, where it stepped."""
    points = made.points
    last, look = points[-1], s.looks[-1]
    name = f"{s.measure} [{s.slice}]" if s.slice else s.measure
    what = Text(f"{name} of {s.system}" if s.system else name, f"{s.system} 的 {name}" if s.system else name)
    about = (s.measure, last.entry)
    if isnan(last.value):
        parts: list[str] = [phrase("{}: no value at {}", "{}：{} 没有数值", what, when(look.entry))]
    else:
        n = claimed(counted(last.n, *_UNITS[look.entry.kind]), "stored n", last.n, *about, slice=s.slice)
        told = ("{}: {}{} at {}, over {}", "{0}：{3} 为 {1}{2}，{4}")
        value = claimed(number(last.value), "stored value", last.value, *about, slice=s.slice)
        ends: str = ""
        if not isnan(last.low):
            low = claimed(number(last.low), "stored low", last.low, *about, slice=s.slice)
            high = claimed(number(last.high), "stored high", last.high, *about, slice=s.slice)
            ends = phrase(" ({} … {})", "（{} … {}）", low, high)
        parts = [phrase(*told, what, value, ends, when(look.entry), n)]
    if len(points) == 1:
        parts.append(Text("the only point so far", "目前只有这一个点"))
    if last.since_previous is not None:
        parts.append(_changed(s, last, last.since_previous, Text("since the point before", "与上一个点相比")))
    if last.since_baseline is not None and last.since_baseline.entry != getattr(last.since_previous, "entry", ""):
        parts.append(_changed(s, last, last.since_baseline, Text("since the baseline", "与基线相比")))
    if made.is_stream:
        parts.append(_fresh(fresh, len(points)))
    parts += _broken(s, points)
    if steps:
        parts.append(_stepped(s, points, steps))
    return together(_LINK, parts)


def _changed(s: Series, last: TrendPoint, c: TrendChange, what: Text) -> Statement:
    about = (s.measure, last.entry, c.entry)
    words = "stored change" if c.n else "change of entries"
    if c.n and not c.change and not (c.low or c.high):
        common = claimed(counted(c.n, "common query", "个共同的查询"), "stored common", c.n, *about, slice=s.slice)
        same = claimed(Text("unchanged", "没有变化"), "stored change", c.change, *about, slice=s.slice)
        return phrase("{1} {0}, over {2}", "{0}{1}，{2}", what, same, common)
    ends: str = ""
    if not isnan(c.low):
        ends = phrase(
            " ({} … {})",
            "（{} … {}）",
            claimed(signed(c.low), f"{words} low", c.low, *about, slice=s.slice),
            claimed(signed(c.high), f"{words} high", c.high, *about, slice=s.slice),
        )
    change = claimed(signed(c.change), words, c.change, *about, slice=s.slice)
    if not c.n:
        return phrase("{1} {0}{2}, not paired", "{0} {1}{2}，未配对", what, change, ends)
    common = claimed(counted(c.n, "common query", "个共同的查询"), "stored common", c.n, *about, slice=s.slice)
    return phrase("{1} {0}{2}, paired over {3}", "{0} {1}{2}，在 {3}上配对", what, change, ends, common)


def _fresh(fresh: Freshness, n: int) -> Statement:
    where = Text("every point", "每个点") if fresh.looked_at == n else Text("the newest points", "最近各点")
    told = ("fresh queries at {}", "{}的查询都是新的")
    if not fresh.is_whole:
        told = ("fresh queries at {}, but for a few that an earlier one has", "{}的查询除少数外都是新的")
    if fresh.repeats:
        again = Text("some points look at those of the one before again", "有的点再次评测前一个点的查询")
        return phrase("{}; {}", "{}；{}", phrase(*told, where), again)
    return phrase(*told, where)


def _broken(s: Series, points: Sequence[TrendPoint]) -> list[Statement]:
    found = [i for i, p in enumerate(points) if p.breaks]
    if not found:
        return []
    last = found[-1]
    reasons = joined(Text(", ", "、"), [REASONS[r] for r in points[last].breaks])
    n = claimed(counted(len(found), "break", "处断点"), "points", len(found), "break")
    told = ("{}, the last at {} ({})", "{}，最近一处在 {}（{}）")
    if len(found) == 1:
        told = ("{} at {} ({})", "{}，在 {}（{}）")
    return [phrase(*told, n, moment(s.looks[last].at), reasons)]


def _stepped(s: Series, points: Sequence[TrendPoint], steps: Sequence[TrendStep]) -> Statement:
    last = steps[-1]
    n = claimed(counted(len(steps), "step", "处台阶"), "points", len(steps), "step")
    told = ("{}, the last from {} to {} between {} and {}", "{0}，最近一处在 {3} 与 {4} 之间，从 {1} 到 {2}")
    if len(steps) == 1:
        told = ("{} from {} to {} between {} and {}", "{0}，在 {3} 与 {4} 之间，从 {1} 到 {2}")
    a, b = (moment(s.looks[i].at) for i in (max(last.first - 1, 0), last.last))
    start = steps[-2].place if len(steps) > 1 else 0
    start = max([start, *(i for i in range(last.place) if points[i].breaks)])
    stop = next((i for i in range(last.place + 1, len(points)) if points[i].breaks), len(points))
    levels = [
        claimed(number(level), "mean of entries", level, s.measure, _ids(points[x:y]), slice=s.slice)
        for level, x, y in ((last.before, start, last.place), (last.after, last.place, stop))
    ]
    return phrase(*told, n, *levels, a, b)


def _ids(points: Sequence[TrendPoint]) -> str:
    return ",".join(p.entry for p in points if not isnan(p.value))
