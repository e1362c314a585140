"""Series of a trend as lines of a chart, and what tables say of their points."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan

from rankgauge._numbers import number, ranged, signed
from rankgauge._text import Text, composed, joined
from rankgauge.history.entry import Entry, Summary
from rankgauge.history.moments import time_of
from rankgauge.history.series import REASONS
from rankgauge.history.trend import TrendChange, TrendPoint, TrendSeries
from rankgauge.reporting.figures.timeline import Moment
from rankgauge.web.visit import link

__all__ = ["Change", "Shown", "change_of", "headline", "moments", "shown", "tone_of", "when"]


@dataclass(frozen=True)
class Shown:
    """A number of an entry as it is written."""

    measure: str
    value: str
    interval: str
    n: int


@dataclass(frozen=True)
class Change:
    """Against the point before: how much, whether that is sure, and in which words."""

    text: str
    tone: str
    says: str


def when(entry: Entry) -> str:
    """The time of an entry."""
    return f"{entry.at:%Y-%m-%d %H:%M}"


def headline(entry: Entry) -> str:
    """The first measure of an entry: what was asked for first matters most."""
    return next((s.measure for s in entry.summaries if s.is_of_all and not isnan(s.value)), "")


def shown(s: Summary) -> Shown:
    """As tables have it."""
    interval = ranged(s.low, s.high) if s.has_interval else ""
    return Shown(s.measure, number(s.value), interval, s.n)


def tone_of(change: TrendChange | None, direction: int) -> str:
    """pos or neg where the interval of a change leaves no doubt about its side; nothing otherwise."""
    if change is None or isnan(change.low) or isnan(change.high) or not direction:
        return ""
    if change.low > 0 or change.high < 0:
        return "pos" if (change.change > 0) == (direction > 0) else "neg"
    return ""


def change_of(point: TrendPoint, direction: int) -> Change | None:
    """What a point is beside the one before it; nothing for the first."""
    if point.breaks:
        why = joined(Text(", ", "、"), [REASONS[r] for r in point.breaks])
        return Change(Text("not comparable", "不可比"), "warn", composed("{} than before", "与上一次相比：{}", why))
    c = point.since_previous
    if c is None:
        return None
    if isnan(c.low):
        return Change(
            signed(c.change), "", Text("since the one before; how sure is not known", "与上一次相比；无法判断确定性")
        )
    if not (c.change or c.low or c.high):
        return Change(Text("unchanged", "没有变化"), "", Text("the same values as before", "与上一次的数值相同"))
    tone = tone_of(c, direction)
    sure = {
        "pos": Text("better than before, beyond noise", "优于上一次，超出波动范围"),
        "neg": Text("worse than before, beyond noise", "差于上一次，超出波动范围"),
        "": Text("within noise", "在波动范围内"),
    }[tone]
    ends = ranged(c.low, c.high, sign=True)
    return Change(signed(c.change), tone, composed("{} ({})", "{}（{}）", sure, ends))


def moments(series: TrendSeries, *, linked: bool = True) -> list[Moment]:
    """The points of a series, from the oldest to the newest."""
    return [_moment(series, p, linked) for p in series.points]


def _moment(series: TrendSeries, p: TrendPoint, linked: bool) -> Moment:
    ends = ranged(p.low, p.high)
    at = time_of(p.at)
    words: str = f"{at:%Y-%m-%d %H:%M} · {series.system}{' ' + p.version if p.version else ''}: {number(p.value)}"
    words += f" ({ends})" if ends else ""
    change = change_of(p, series.direction)
    if change is not None:
        words = composed("{} · {}, {}", "{} · {}，{}", words, change.text, change.says)
    anew = joined(Text(", ", "、"), [REASONS[r] for r in p.breaks]) if p.breaks else ""
    href = link(f"/entries/{p.entry}") if linked else ""
    tone = "" if anew else tone_of(p.since_previous, series.direction)
    return Moment(at, p.value, p.low, p.high, words, href, tone, anew)
