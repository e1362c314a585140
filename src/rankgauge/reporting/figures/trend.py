"""Numbers over time: a line with its band, broken where it is not the same number, beside its baseline and margin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import isfinite, isnan

from rankgauge._claims import phrase, together
from rankgauge._show import show
from rankgauge._text import Text, joined
from rankgauge.errors import InputError, UnknownName, among
from rankgauge.history.moments import moment, time_of
from rankgauge.history.series import REASONS
from rankgauge.history.trend import Trend, TrendPoint, TrendSeries
from rankgauge.reporting.charts import Axes, Chart, Linear
from rankgauge.reporting.charts.svg import clipped
from rankgauge.reporting.grid import number, signed

__all__ = ["trend"]

_HEIGHT = 240
_MOST = 6
"""Panels of one chart."""
_DAY = 86400.0


@dataclass(frozen=True)
class _Times(Linear):
    """Seconds, with days or times written below some of them."""

    def ticks(self) -> list[tuple[float, str]]:
        span = self.high - self.low
        form = "%Y-%m-%d" if span > 2 * _DAY else "%m-%d %H:%M"
        step = max(_DAY, _DAY * round(span / _DAY / 8)) if span > 2 * _DAY else span / 4 or 1.0
        start = self.low - self.low % _DAY if span > 2 * _DAY else self.low
        found = [start + i * step for i in range(12)]
        return [
            (x, datetime.fromtimestamp(x, UTC).strftime(form)) for x in found if self.low <= x <= self.high - span / 30
        ]


def trend(t: Trend, measure: str | None = None, margin: float | None = None) -> Chart:
    """A panel per series, six at most; with `margin` the line below (or above) which it has lost that much."""
    series = list(t.series)
    if measure is not None:
        known = list(dict.fromkeys(s.measure for s in series))
        series = [s for s in series if s.measure == measure]
        if not series:
            raise UnknownName(
                Text(f"no series of {show(measure)}.", f"没有 {show(measure)} 的序列。") + among(measure, known)
            )
    if not series:
        raise InputError(Text("trend: there is nothing to draw yet.", "trend：还没有可以画的内容。"))
    shown = series[:_MOST]
    said = together(Text(" ", ""), [phrase("{}.", "{}。", s.sentence) for s in shown])
    names = joined(Text(", ", "、"), list(dict.fromkeys(s.measure for s in shown)))
    title = phrase("{} over time", "{} 随时间的变化", names)
    chart = Chart(title, said, 960, 40 + _HEIGHT * len(shown))
    breaks, stepped = any(len(s.parts) > 1 for s in shown), any(s.steps for s in shown)
    entries = [
        ("s1", Text("value and its interval", "数值及其区间")),
        ("dash s0", Text("baseline", "基线")),
        *([("dash neg", Text("margin", "允许的损失"))] if margin is not None else []),
        *([("dash s2", Text("break: not the same number", "断点：不是同一个数值"))] if breaks else []),
        *([("s3", Text("level between steps", "台阶之间的水平"))] if stepped else []),
    ]
    chart.legend(entries, 60, 14, 880)
    for i, s in enumerate(shown):
        _panel(chart, s, 62 + i * _HEIGHT, margin)
    return chart


def _seconds(p: TrendPoint) -> float:
    return time_of(p.at).timestamp()


def _panel(chart: Chart, s: TrendSeries, top: float, margin: float | None) -> None:
    points = s.points
    times = [_seconds(p) for p in points]
    air = (times[-1] - times[0]) * 0.02 or _DAY
    base = s.base
    line = float("nan") if base is None else base.value
    least = line - (s.direction or 1) * margin if margin is not None and not isnan(line) else float("nan")
    seen = [v for p in points for v in (p.value, p.low, p.high) if isfinite(v)]
    seen += [v for v in (line, least) if isfinite(v)]
    name = s.measure + (f" [{s.slice}]" if s.slice else "") + (f" ({s.unit})" if s.unit else "")
    about = " · ".join(x for x in (s.system, s.dataset, name) if x)
    axes = Axes(
        chart,
        _Times(times[0] - air, times[-1] + air),
        Linear.around(seen or [0.0, 1.0]),
        top=top,
        bottom=top + _HEIGHT - 56,
        title=clipped(about, 880),
    )
    near = next((part for part in s.parts if any(points[i].entry == s.baseline for i in part)), None)
    ends = (times[0], times[-1]) if near is None else (times[near.start] - air, times[near.stop - 1] + air)
    for at, kind in ((line, "dash s0"), (least, "dash neg")):  # beyond a break they are of something else
        if isfinite(at):
            axes.line(ends, (at, at), kind)
    for part in s.parts:
        _part(axes, s, part, times)
        if part.start:
            _break(chart, axes, points[part.start], times[part.start - 1], times[part.start])
    for part in s.parts:
        _levels(axes, s, part, times)
    for t, p in zip(times, points, strict=True):
        if isfinite(p.value):
            is_base = p.entry == s.baseline
            chart.circle(
                *axes.at(t, p.value), 5 if is_base else 3.5, f"{'hollow' if is_base else 'fill'} s1", tip=_tip(s, p)
            )


def _part(axes: Axes, s: TrendSeries, part: range, times: Sequence[float]) -> None:
    """An unbroken part; gaps where there is no value."""
    runs: list[list[int]] = [[]]
    for i in part:
        if isfinite(s.points[i].value):
            runs[-1].append(i)
        elif runs[-1]:
            runs.append([])
    for run in filter(None, runs):
        ends = [i for i in run if isfinite(s.points[i].low) and isfinite(s.points[i].high)]
        if len(ends) > 1:
            lows, highs = ([getattr(s.points[i], end) for i in ends] for end in ("low", "high"))
            axes.band([times[i] for i in ends], lows, highs, "s1")
        elif ends:
            p = s.points[ends[0]]
            axes.whisker(times[ends[0]], p.low, p.high, "s1")
        if len(run) > 1:
            axes.line([times[i] for i in run], [s.points[i].value for i in run], "stroke s1")


def _break(chart: Chart, axes: Axes, p: TrendPoint, before: float, after: float) -> None:
    """A line between two points that are not about the same thing, with the reasons beside it."""
    at = axes.x((before + after) / 2)
    chart.line(at, axes.top, at, axes.bottom, "dash s2")
    reasons = joined(Text(", ", "、"), [REASONS[r] for r in p.breaks])
    end = at > (axes.left + axes.right) / 2
    chart.text(at - 5 if end else at + 5, axes.top + 12, reasons, "quiet", anchor="end" if end else "start")


def _levels(axes: Axes, s: TrendSeries, part: range, times: Sequence[float]) -> None:
    """Levels between steps, and how far each step may lie from where it is drawn."""
    found = [x for x in s.steps if x.place in part]
    for i, step in enumerate(found):
        start = found[i - 1].place if i else part.start
        axes.line([times[start], times[step.place - 1]], [step.before] * 2, "stroke thin s3")
        if i == len(found) - 1:
            axes.line([times[step.place], times[part.stop - 1]], [step.after] * 2, "stroke thin s3")
        middle = (step.before + step.after) / 2
        axes.lying(middle, times[max(step.first - 1, part.start)], times[step.last], "s3")


def _tip(s: TrendSeries, p: TrendPoint) -> Text:
    around = "" if isnan(p.low) else f" ({number(p.low)} … {number(p.high)})"
    said = phrase(
        "{}: {} {}{}, n {}", "{}：{} {}{}，n {}", moment(time_of(p.at)), s.measure, number(p.value), around, f"{p.n:,}"
    )
    if p.version:
        said = phrase("{}, {}", "{}，{}", said, p.version)
    if (c := p.since_previous) is not None:
        said = phrase("{}; {} since the point before", "{}；较上一点 {}", said, signed(c.change))
    return said
