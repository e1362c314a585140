"""Measures over days, and models by segment and day, as charts."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan

from rankgauge._claims import phrase
from rankgauge._show import show
from rankgauge._text import Text, joined
from rankgauge.comparison.by_part import ByPart
from rankgauge.comparison.drift_record import Drift, DriftPoint, DriftSeries
from rankgauge.errors import UnknownName, among
from rankgauge.reporting.charts import Axes, Chart, Linear
from rankgauge.reporting.charts import kinds as k
from rankgauge.reporting.grid import number, signed

__all__ = ["by_part", "drift"]

_HEIGHT = 210
_KINDS = {"worse": "neg", "off": "neg", "better": "pos"}


@dataclass(frozen=True)
class _Days(Linear):
    """Places of periods, with their names below some of them."""

    names: tuple[str, ...] = ()

    def ticks(self) -> list[tuple[float, str]]:
        step = max(1, -(-len(self.names) // 10))
        return [(float(i), name) for i, name in enumerate(self.names) if i % step == 0]


def drift(d: Drift, measure: str | None = None) -> Chart:
    """Each measure over the periods with the intervals that decide; the line is what they are held against."""
    series = [d[measure]] if measure is not None else list(d.series)
    title = phrase("{}: {} over time", "{}：{} 随时间的变化", d.model, ", ".join(s.measure for s in series))
    chart = Chart(title, d.verdict, 960, 30 + _HEIGHT * len(series))
    entries = [
        ("s1", Text("not surely off", "未确定偏离")),
        ("neg", Text("surely off", "确定偏离")),
        ("dash s0", Text("held against", "对照值")),
    ]
    chart.legend(entries, 60, 14, 880)
    for i, s in enumerate(series):
        _panel(chart, d, s, 44 + i * _HEIGHT)
    return chart


def _panel(chart: Chart, d: Drift, s: DriftSeries, top: float) -> None:
    known = [(i, p) for i, p in enumerate(s.points) if not isnan(p.value)]
    values = [v for _, p in known for v in (p.value, p.low, p.high) if not isnan(v)]
    axes = Axes(
        chart,
        _Days(-0.5, len(s.points) - 0.5, names=tuple(d.periods)),
        Linear.around([*values, s.target]),
        top=top,
        bottom=top + _HEIGHT - 50,
        y_label=s.measure,
    )
    axes.across(s.target, "dash s0")
    axes.line([float(i) for i, _ in known], [p.value for _, p in known], "stroke s1")
    for i, p in known:
        kind = _KINDS.get(p.word, "s1")
        if not isnan(p.low):
            axes.whisker(float(i), p.low, p.high, kind)
        axes.dot(float(i), p.value, kind, tip=_tip(s, p))


def _tip(s: DriftSeries, p: DriftPoint) -> str:
    around = "" if isnan(p.low) else f" ({number(p.low)} … {number(p.high)})"
    return f"{p.period}: {s.measure} {number(p.value)}{around}"


def by_part(b: ByPart, measure: str | None = None, model: str | None = None) -> Chart:
    """The difference in each part with its corrected interval, around zero."""
    chosen, who = _one(measure, b.measures), _one(model, b.models)
    changes = [c for c in b.changes if (c.measure, c.model) == (chosen, who)]
    rows = [
        (
            c.part,
            [
                k.Interval(
                    {"better": "pos", "worse": "neg"}.get(c.word, "s1"),
                    c.difference,
                    c.low,
                    c.high,
                    signed(c.difference),
                    f"{c.part}: {signed(c.difference)}",
                )
            ],
        )
        for c in changes
    ]
    title = phrase("{} of {} minus {} by part", "各部分的 {}：{} 减 {}", chosen, who, b.baseline)
    summary = joined("; ", [f"{c.part} {signed(c.difference)}" for c in changes[:20]])
    chart = Chart(title, summary, 960, k.intervals_height(rows))
    every = [x for c in changes for x in (c.difference, c.low, c.high) if not isnan(x)]
    k.intervals(chart, rows, Linear.around(every or [0.0], zero=True), bars=False)
    return chart


def _one(name: str | None, known: tuple[str, ...]) -> str:
    if name is None:
        return known[0]
    if name not in known:
        raise UnknownName(Text(f"no {show(name)}.", f"没有 {show(name)}。") + among(name, known))
    return name
