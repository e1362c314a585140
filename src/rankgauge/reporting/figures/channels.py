"""Channels, one after the other, as steps up to what they find together."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.evaluation.funnel.channels_record import Channels
from rankgauge.reporting.charts import Chart
from rankgauge.reporting.charts import kinds as k
from rankgauge.reporting.grid import number

__all__ = ["additions"]


def additions(c: Channels) -> Chart:
    """What each channel adds to the recall of those before it, and what all reach."""
    steps, level = [], 0.0
    for a in c.order:
        text = f"+{number(a.added, 3)}"
        steps.append(k.Step(a.name, level, a.recall, "s0", text, f"{a.name}: {number(level)} → {number(a.recall)}"))
        level = a.recall
    steps.append(k.Step(Text("together", "合计"), 0, c.recall, "pos", number(c.recall, 3), number(c.recall)))
    chart = Chart(
        Text("What each channel adds to the recall of those before it", "逐路加入时召回率的提升"),
        Text(
            "; ".join(f"{a.name}: +{number(a.added)}" for a in c.order) + f"; {number(c.recall)}",
            "；".join(f"{a.name}：+{number(a.added)}" for a in c.order) + f"；{number(c.recall)}",
        ),
        560,
        320,
    )
    k.waterfall(chart, steps)
    return chart
