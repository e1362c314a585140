"""A funnel as a waterfall."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.evaluation.funnel.record import Funnel
from rankgauge.reporting.charts import Chart
from rankgauge.reporting.charts import kinds as k
from rankgauge.reporting.grid import number, share

__all__ = ["waterfall", "waterfall_of_ndcg"]


def waterfall(f: Funnel) -> Chart:
    """Relevant items: all, what each step loses, what is shown."""
    steps = [k.Step(Text("relevant", "相关结果"), 0, 1, "s0", f"{f.n_relevant:,}", f"{f.n_relevant:,}")]
    level = 1.0
    for step in f.steps:
        after = step.remaining_share
        name = Text(f"lost at {step.name}", f"{step.name} 丢失")
        steps.append(
            k.Step(
                name, level, after, "neg", f"-{share(step.share)}", f"{step.name}: {step.lost:,} ({share(step.share)})"
            )
        )
        level = after
    last = f.steps[-1]
    shown = Text(f"in the first {f.k}", f"前 {f.k} 位")
    steps.append(k.Step(shown, 0, level, "pos", share(level), f"{last.remaining:,} ({share(level)})"))
    chart = Chart(
        Text(f"What becomes of {f.n_relevant:,} relevant items", f"{f.n_relevant:,} 个相关结果的去向"),
        Text(
            "; ".join(f"{s.name}: -{share(s.share)}" for s in f.steps),
            "；".join(f"{s.name}：-{share(s.share)}" for s in f.steps),
        ),
        560,
        320,
    )
    k.waterfall(chart, steps)
    return chart


def waterfall_of_ndcg(f: Funnel) -> Chart:
    """The best possible nDCG@k after each step, down to what was measured."""
    steps = [k.Step(Text("perfect", "理想"), 0, 1, "s0", "1", "1")]
    for step in f.steps:
        text = f"-{number(step.ndcg_lost, 3)}"
        tip = f"{step.name}: {number(step.ndcg_before)} → {number(step.ndcg_after)}"
        name = Text(f"lost at {step.name}", f"{step.name} 丢失")
        if step is f.steps[-1]:
            name = Text("lost by order", "排序丢失")
        steps.append(k.Step(name, step.ndcg_before, step.ndcg_after, "neg", text, tip))
    steps.append(k.Step(Text("measured", "实测"), 0, f.measured, "pos", number(f.measured, 3), number(f.measured)))
    chart = Chart(
        Text(f"What each step costs in nDCG@{f.k}", f"各步损失的 nDCG@{f.k}"),
        Text(f"measured {number(f.measured)}", f"实测 {number(f.measured)}"),
        560,
        320,
    )
    k.waterfall(chart, steps)
    return chart
