"""The calls of a retriever, one after the other, as steps up to what they find together."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.evaluation.rankings.by_call import ByCall
from rankgauge.reporting.charts import Chart
from rankgauge.reporting.charts import kinds as k
from rankgauge.reporting.grid import number
from rankgauge.reporting.words import phrase

__all__ = ["additions"]

_MOST = 12


def additions(found: ByCall) -> Chart:
    """What each call adds to the recall of those before it, and what all reach."""
    steps, level = [], 0.0
    for s in found.steps[:_MOST]:
        name = phrase("call {}", "第 {} 次", s.call)
        tip = phrase("{}: {} → {}", "{}：{} → {}", name, number(level), number(s.recall))
        steps.append(k.Step(name, level, s.recall, "s0", f"+{number(s.added, 3)}", tip))
        level = s.recall
    together = number(found.recall, 3)
    steps.append(k.Step(Text("together", "合计"), 0, found.recall, "pos", together, number(found.recall)))
    said = [f"{s.call}: +{number(s.added)}" for s in found.steps]
    chart = Chart(
        Text("What each call adds to the recall of those before it", "逐次调用时召回率的提升"),
        Text(f"{'; '.join(said)}; {together}", f"{'；'.join(said).replace(':', '：')}；{together}"),
        640,
        320,
    )
    k.waterfall(chart, steps)
    return chart
