"""Logs as charts: attention by position, grades of judgements, what clipping does to an estimate."""

from __future__ import annotations

from math import isinf, isnan
from typing import TYPE_CHECKING

from rankgauge._text import Text
from rankgauge.reporting.charts import Axes, Chart, Linear, Log
from rankgauge.reporting.charts import kinds as k
from rankgauge.reporting.grid import number, share

if TYPE_CHECKING:
    from rankgauge.behavior.bias.position_bias import PositionBias
    from rankgauge.behavior.counterfactual.record import OffPolicy
    from rankgauge.behavior.grading.record import Judgements

__all__ = ["clipping", "judged_grades", "propensity"]


def propensity(b: PositionBias) -> Chart:
    """How much each position is looked at, with intervals; dashed, the naive click rates."""
    title = Text("How much each position is looked at", "各位置被浏览的程度")
    shown = "; ".join(f"{p}: {number(float(x), 3)}" for p, x in zip(b.positions, b.propensity, strict=True))
    chart = Chart(title, shown, 720, 340)
    naive = [float(r / b.click_rate[0]) if b.click_rate[0] else float("nan") for r in b.click_rate]
    entries = [("dash s0", Text("naive: click rate by rank", "朴素：各位置的点击率"))]
    if not b.is_naive:
        entries.insert(0, ("s1", Text("propensity", "浏览倾向")))
    chart.legend(entries, 60, 12, 600)
    high = [float(x) for x in b.high if not isnan(x)]
    shown_at = [x for x in (*map(float, b.propensity), *naive) if not isnan(x)]
    # wide intervals may leave the chart, no dot does
    top = max(1.02, min(max(high, default=1.0), 1.5) * 1.05, max(shown_at) * 1.05)
    axes = Axes(
        chart,
        Linear(b.positions[0] - 0.5, b.positions[-1] + 0.5),
        Linear(0, top),
        top=32,
        x_label=Text("position", "位置"),
        y_label=Text("relative to the first", "相对首位"),
    )
    axes.line(list(b.positions), naive, "dash s0")
    if not b.is_naive:
        known = [i for i in range(len(b.positions)) if not isnan(float(b.low[i]))]
        places = [b.positions[i] for i in known]
        axes.band(places, [float(b.low[i]) for i in known], [min(float(b.high[i]), top) for i in known], "s1")
        axes.line(list(b.positions), [float(x) for x in b.propensity], "stroke s1")
        for i, p in enumerate(b.positions):
            around = f"{number(float(b.low[i]), 3)} … {number(float(b.high[i]), 3)}"
            tip = f"{p}: {number(float(b.propensity[i]))} ({around})"
            axes.dot(p, float(b.propensity[i]), "s1", tip=tip)
    return chart


def judged_grades(j: Judgements) -> Chart:
    """How many judgements have which grade."""
    rows, total = j.summary.grades, max(len(j), 1)
    chart = Chart(
        Text(f"{len(j):,} judgements by grade", f"{len(j):,} 条标注的相关性等级分布"),
        "; ".join(f"{g}: {n:,}" for g, n in rows),
        560,
        300,
    )
    steps = [
        k.Step(
            g,
            0,
            n,
            f"g{min(4, round(4 * i / max(1, len(rows) - 1)))}",
            f"{n:,}",
            f"{g}: {n:,} ({share(n / total)})",
        )
        for i, (g, n) in enumerate(rows)
    ]
    k.waterfall(chart, steps, most=max((n for _, n in rows), default=1), joined=False)
    return chart


def clipping(o: OffPolicy) -> Chart:
    """The estimate over the cut of the weights, with intervals; dashed, what the log itself got."""
    cuts = [s for s in o.sweep if not isinf(s.clip)]
    steps = [s for s in cuts if not isnan(s.snips)]  # none where the target shows nothing that was shown
    sure = [s for s in steps if not isnan(s.snips_low)]
    chart = Chart(
        Text("The estimate over the cut of the weights", "估计值随权重截断的变化"),
        "; ".join(f"{s.clip:g}: {number(s.snips)}" for s in steps) or Text("no estimate", "没有估计值"),
        560,
        320,
    )
    chart.legend([("s1", "SNIPS"), ("dash s0", Text("logged policy", "日志策略"))], 60, 12, 460)
    values = [s.snips for s in steps] + [v for s in sure for v in (s.snips_low, s.snips_high)]
    axes = Axes(
        chart,
        Log(cuts[0].clip * 0.9, cuts[-1].clip * 1.1),
        Linear.around([*values, o.logging.value], zero=True),
        top=32,
        x_label=Text("cut", "截断"),
        y_label=o.reward,
    )
    axes.across(o.logging.value, "dash s0")
    axes.band([s.clip for s in sure], [s.snips_low for s in sure], [s.snips_high for s in sure], "s1")
    axes.line([s.clip for s in steps], [s.snips for s in steps], "stroke s1")
    for s in steps:
        around = f" ({number(s.snips_low)} … {number(s.snips_high)})" if s in sure else ""
        axes.dot(s.clip, s.snips, "s1", tip=f"{s.clip:g}: {number(s.snips)}{around}")
    return chart
