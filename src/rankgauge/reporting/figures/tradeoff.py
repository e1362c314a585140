"""Two measures of several systems against each other: intervals as crosses, dominated systems hollow."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from rankgauge._claims import phrase
from rankgauge._text import Text
from rankgauge.comparison.tradeoff import Tradeoff, TradeoffPoint
from rankgauge.errors import InputError
from rankgauge.reporting.charts import Axes, Chart, Linear
from rankgauge.reporting.charts.svg import clipped, text_width
from rankgauge.reporting.grid import number
from rankgauge.reporting.tradeoff import headline, measure_name, standing_of

__all__ = ["tradeoff"]

Box = tuple[float, float, float, float]


def tradeoff(found: Tradeoff, x: str | None = None, y: str | None = None, width: float = 640) -> Chart:
    """Two measures, by default the first upwards and the second to the right; standings are those in these two."""
    measures = found.measures
    y = y or next((m for m in measures if m != x), measures[0])
    x = x or next(m for m in measures if m != y)
    if x == y:
        raise InputError(
            Text(f"tradeoff: two measures are needed, got {x} twice.", f"tradeoff：需要两个指标，实际两次都是 {x}。")
        )
    two = found.among(y, x)
    title = Text(f"{y} against {x}", f"{y} 与 {x}")
    chart = Chart(title, headline(two), width, 0.68 * width)
    points = [(name, two[name, x], two[name, y]) for name in two.systems]
    known = [(name, a, b) for name, a, b in points if not isnan(a.value) and not isnan(b.value)]
    axes = Axes(
        chart,
        _around([a for _, a, _ in known]),
        _around([b for _, _, b in known]),
        x_label=measure_name(two, x),
        y_label=measure_name(two, y),
    )
    taken: list[Box] = [(x0 - 7, y0 - 7, x0 + 7, y0 + 7) for x0, y0 in (axes.at(a.value, b.value) for _, a, b in known)]
    for i, (name, a, b) in enumerate(known):
        kind = f"s{i % 6}"
        if not isnan(b.interval.low):
            axes.whisker(a.value, *b.interval, kind)
        if not isnan(a.interval.low):
            axes.lying(b.value, *a.interval, kind)
        at = axes.at(a.value, b.value)
        values = (y, number(b.value), x, number(a.value))
        tip = phrase("{}: {} {}, {} {}; {}", "{}：{} {}，{} {}；{}", name, *values, standing_of(two, name))
        if two.standing(name) == "dominated":
            chart.circle(*at, 5.5, f"hollow {kind}", tip=tip)
        else:
            chart.circle(*at, 5.5, f"fill {kind}", tip=tip)
        _name(chart, axes, at, name, taken)
    return chart


def _around(points: Sequence[TradeoffPoint]) -> Linear:
    """Room for all points with their intervals."""
    every = [v for p in points for v in (p.value, *p.interval) if not isnan(v)]
    return Linear.around(every or [0.0])


def _name(chart: Chart, axes: Axes, at: tuple[float, float], name: str, taken: list[Box]) -> None:
    """A name beside its point, where no other stands if there is such a place."""
    label = clipped(name, 150)
    wide = text_width(label)
    places = [(side, up) for up in (-8, 17, -22, 31) for side in (1, -1)]

    def box(place: tuple[int, int]) -> Box:
        left = at[0] + 10 if place[0] > 0 else at[0] - 10 - wide
        return left, at[1] + place[1] - 11, left + wide, at[1] + place[1] + 3

    def fits(b: Box) -> bool:
        inside = b[0] >= axes.left and b[2] <= axes.right and b[1] >= axes.top and b[3] <= axes.bottom
        return inside and all(b[2] < t[0] or b[0] > t[2] or b[3] < t[1] or b[1] > t[3] for t in taken)

    side, up = next((p for p in places if fits(box(p))), places[0])
    taken.append(box((side, up)))
    chart.text(at[0] + 10 * side, at[1] + up, label, "strong", anchor="start" if side > 0 else "end")
