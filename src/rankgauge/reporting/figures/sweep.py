"""Systems over budgets of context: a curve each, filled where it is surely best, hollow where it is beaten."""

from __future__ import annotations

from math import isnan

from rankgauge._claims import phrase, together
from rankgauge._text import Text
from rankgauge.comparison.sweep import BudgetSweep
from rankgauge.measures.grammar import parse_ranking
from rankgauge.reporting.charts import Axes, Chart, Linear
from rankgauge.reporting.figures.rankings import Ticks
from rankgauge.reporting.grid import number
from rankgauge.reporting.profiles import UNITS
from rankgauge.reporting.sweep import found_within, standing_of

__all__ = ["sweep"]


def sweep(found: BudgetSweep, measure: str | None = None) -> Chart:
    """One measure, by default the first, of every system over the budgets."""
    name = found.measures[0] if measure is None else measure
    points = [found[name, b] for b in found.budgets]
    said = together(Text(" ", ""), [found_within(found, name, b) for b in found.budgets])
    title = phrase("{}: {} by budget", "{}：不同预算下的 {}", parse_ranking(name).title, name)
    chart = Chart(title, said, 640, 400)
    kinds = {system: f"s{1 + i % 5}" for i, system in enumerate(found.systems)}
    used = chart.legend([(kinds[system], system) for system in found.systems], 60, 12, 560)
    limits = [next(iter(row.values())).limit for row in points]
    x = Ticks(limits[0] * 0.9, max(limits[-1] * 1.1, limits[0] * 1.2), ks=tuple(limits))
    low, high = parse_ranking(name).bounds
    axes = Axes(chart, x, Linear(low, high * 1.02), top=used + 10, x_label=UNITS[found.unit], y_label=name)
    for system, kind in kinds.items():
        mine = [row[system] for row in points if not isnan(row[system].value)]
        known = [p for p in mine if not isnan(p.interval.low)]
        if known:
            lows, highs = [p.interval.low for p in known], [p.interval.high for p in known]
            axes.band([p.limit for p in known], lows, highs, kind)
        axes.line([p.limit for p in mine], [p.value for p in mine], f"stroke {kind}")
        for p in mine:
            told = ("{}: {} {}; {}", "{}：{} {}；{}")
            tip = phrase(*told, system, p.definition, number(p.value), standing_of(found, system, name, p.budget))
            is_beaten = found.standing(system, name, p.budget) == "beaten"
            chart.circle(*axes.at(p.limit, p.value), 5, f"{'hollow' if is_beaten else 'fill'} {kind}", tip=tip)
    return chart
