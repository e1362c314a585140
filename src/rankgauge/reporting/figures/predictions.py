"""Labels and scores as charts: curves, reliability, histograms, and where a model stands."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from statistics import median

from rankgauge._text import Text
from rankgauge.calibration.diagram import Reliability
from rankgauge.calibration.segments import WorstSegments
from rankgauge.evaluation.predictions.score_histogram import ScoreHistogram
from rankgauge.reporting.charts import Axes, Chart, Linear, Log
from rankgauge.reporting.charts import kinds as k
from rankgauge.reporting.figures.curves import Curves, Place
from rankgauge.reporting.grid import number, share

__all__ = ["histogram", "position", "pr", "reliability", "roc", "segments"]

_SMALL = 0.1  # where half of the rates are below, a logarithmic axis shows more


def _series(names: Mapping[str, object]) -> dict[str, str]:
    return {name: f"s{1 + i % 5}" for i, name in enumerate(names)}


def roc(models: Mapping[str, Curves]) -> Chart:
    """True against false positive rate over all thresholds."""
    title = Text("ROC curve", "ROC 曲线")
    chart, kinds = _square(title, models, [f"{n} {number(of.auc)}" for n, of in models.items()])
    axes = _unit(chart, Text("false positive rate", "假正率"), Text("true positive rate", "真正率"))
    axes.diagonal()
    for name, of in models.items():
        axes.line(of.fpr, of.tpr, f"stroke {kinds[name]}", tip=name)
        if of.chosen is not None:
            c, tip = of.chosen.confusion, f"{name}: {of.chosen.threshold:.4g}"
            axes.dot(c.fp / (c.fp + c.tn), c.tp / (c.tp + c.fn), kinds[name], r=5, tip=tip)
    return chart


def pr(models: Mapping[str, Curves]) -> Chart:
    """Precision against recall over all thresholds; the dashed line is the share of positives."""
    title = Text("Precision and recall", "精确率—召回率曲线")
    chart, kinds = _square(title, models, list(models))
    axes = _unit(chart, Text("recall", "召回率"), Text("precision", "精确率"))
    for name, of in models.items():
        axes.line(of.recall, of.precision, f"stroke {kinds[name]}", tip=name)
        if of.chosen is not None:
            c, tip = of.chosen.confusion, f"{name}: {of.chosen.threshold:.4g}"
            if c.tp + c.fp:
                axes.dot(c.tp / (c.tp + c.fn), c.tp / (c.tp + c.fp), kinds[name], r=5, tip=tip)
    axes.across(next(iter(models.values())).prevalence)
    return chart


def _square(title: str, models: Mapping[str, object], labels: list[str]) -> tuple[Chart, dict[str, str]]:
    kinds = _series(models)
    chart = Chart(title, "; ".join(labels), 460, 400)
    chart.legend(list(zip(kinds.values(), labels, strict=True)), 60, 12, 390)
    return chart, kinds


def _unit(chart: Chart, x_label: str, y_label: str) -> Axes:
    return Axes(chart, Linear(0, 1), Linear(0, 1.02), top=36, x_label=x_label, y_label=y_label)


def reliability(found: Mapping[str, Reliability]) -> Chart:
    """Observed against predicted rates by bin; on the diagonal probabilities are right."""
    kinds = _series(found)
    bins = [b for r in found.values() for b in r.bins]
    values = [v for b in bins for v in (b.predicted, b.observed, *b.interval) if not isnan(v)]
    chart = Chart(
        Text("Reliability: predicted and observed rates", "可靠性图：预测率与实际率"),
        Text(
            "; ".join(f"{n}: ECE {number(r.ece)}, COPC {number(r.copc)}" for n, r in found.items()),
            "；".join(f"{n}：ECE {number(r.ece)}，COPC {number(r.copc)}" for n, r in found.items()),
        ),
        460,
        400,
    )
    chart.legend([(kinds[n], f"{n} ECE {number(r.ece)}") for n, r in found.items()], 60, 12, 390)
    positive = [v for v in values if v > 0]
    if positive and median(b.predicted for b in bins) <= _SMALL:
        scale: Linear | Log = Log(max(min(positive) * 0.8, 1e-6), min(max(values) * 1.2, 1.0))
    else:
        scale = Linear.around(values, zero=True, most=1.02)
    axes = Axes(chart, scale, scale, top=36, x_label=Text("predicted", "预测"), y_label=Text("observed", "实际"))
    axes.diagonal()
    for name, r in found.items():
        for b in r.bins:
            low, high = b.interval
            if not isnan(low):
                axes.whisker(b.predicted, low, high, kinds[name])
        xs, ys = [b.predicted for b in r.bins], [b.observed for b in r.bins]
        if xs:
            axes.line(xs, ys, f"stroke thin {kinds[name]}")
        for b in r.bins:
            axes.dot(
                b.predicted, b.observed, kinds[name], tip=f"{name}: {b.predicted:.4g} → {b.observed:.4g}, n {b.rows:,}"
            )
    return chart


def position(models: Mapping[str, Place], good_auc: float = 0.7) -> Chart:
    """Order and probability: AUC across, and upwards what wrong probabilities cost of the uncertainty (MCB/UNC)."""
    points = {name: (of.auc, of.lost, of.interval) for name, of in models.items()}
    chart = Chart(
        Text("Order and probability", "排序与概率"),
        Text(
            "; ".join(f"{n}: AUC {number(a)}, {share(m)} lost to calibration" for n, (a, m, _) in points.items()),
            "；".join(f"{n}：AUC {number(a)}，校准损失 {share(m)}" for n, (a, m, _) in points.items()),
        ),
        460,
        400,
    )
    kinds = _series(models)
    chart.legend([(kinds[n], n) for n in models], 60, 12, 390)
    lowest = min([0.5, *(a for a, _, _ in points.values() if not isnan(a))])
    most = max([0.06, *(1.25 * m for _, m, _ in points.values() if not isnan(m))])
    x_label, y_label = Text("AUC: order", "AUC：排序能力"), Text("lost to calibration, share", "校准损失占比")
    axes = Axes(chart, Linear(lowest - 0.02, 1.0), Linear(0, most), top=36, x_label=x_label, y_label=y_label)
    chart.line(axes.x(good_auc), axes.top, axes.x(good_auc), axes.bottom, "ref")
    axes.across(0.01)
    words = {
        (0, 0): Text("order weak, probabilities off", "排序弱，概率不准"),
        (1, 0): Text("order good, probabilities off: calibrate", "排序好，概率不准：校准"),
    }
    chart.text(axes.left + 6, axes.top + 12, words[0, 0], "quiet")
    chart.text(axes.right - 4, axes.top + 12, words[1, 0], "quiet", anchor="end")
    chart.text(axes.right - 4, axes.bottom - 6, Text("ideal", "理想"), "quiet", anchor="end")
    for name, (auc, mcb, interval) in points.items():
        if isnan(auc) or isnan(mcb):
            continue
        if not isnan(interval.low):
            y = axes.y(mcb)
            chart.line(axes.x(interval.low), y, axes.x(interval.high), y, f"whisker {kinds[name]}")
        axes.dot(auc, mcb, kinds[name], r=6, tip=f"{name}: AUC {number(auc)}, MCB/UNC {share(mcb)}")
    return chart


def segments(found: WorstSegments, most: int = 14) -> Chart:
    """Observed over predicted positives by segment, with intervals: at 1 probabilities are right."""
    shown = [s for s in found.segments if not isnan(s.copc)][:most]
    rows = [
        (
            f"{s.column}={s.value}",
            [
                k.Interval(
                    "neg" if s.is_significant else "s0",
                    s.copc,
                    *s.copc_interval,
                    number(s.copc, 3) + ("*" if s.is_significant else ""),
                    f"{s.column}={s.value}: {number(s.copc)}, n {s.rows:,}",
                )
            ],
        )
        for s in shown
    ]
    ends = [x for s in shown for x in (s.copc, *s.copc_interval) if not isnan(x)]
    chart = Chart(
        Text(
            f"{found.model}: observed over predicted positives, by segment",
            f"{found.model}：各分段的实际正样本数 / 预测正样本数",
        ),
        Text(
            f"{len(found.significant)} of {found.tested} segments are surely off",
            f"{found.tested} 个分段中有 {len(found.significant)} 个显著偏离",
        ),
        960,
        k.intervals_height(rows),
    )
    k.intervals(chart, rows, Linear.around([*ends, 1.0]), bars=False, reference=1.0)
    return chart


def histogram(h: ScoreHistogram) -> Chart:
    """Where the scores of positives and negatives lie; each class adds up to one."""
    rows = h.csv_rows()
    chart = Chart(
        Text(f"Scores of {h.model} by class", f"{h.model} 的得分分布（按类别）"),
        Text(
            f"{h.positive:,.6g} positives, {h.negative:,.6g} negatives",
            f"正样本 {h.positive:,.6g}，负样本 {h.negative:,.6g}",
        ),
        460,
        340,
    )
    words = [("zero", Text("negatives", "负样本")), ("s2", Text("positives", "正样本"))]
    chart.legend(words, 60, 12, 390)
    most = max((v for r in rows for v in (r["positive_share"], r["negative_share"]) if not isnan(v)), default=1.0)
    low, high = rows[0]["low"], rows[-1]["high"]
    x = Log(low, high) if h.axis == "log" else Linear(low, high)
    share_of = Text("share of the class", "占该类比例")
    axes = Axes(chart, x, Linear(0, most * 1.05), top=36, x_label=Text("score", "得分"), y_label=share_of)
    for key, kind in (("negative", "zero"), ("positive", "s2")):
        for r in rows:
            value = r[f"{key}_share"]
            if value and not isnan(value):
                tip = f"{r['low']:.3g} … {r['high']:.3g}: {r[key]:,.6g} ({share(value)})"
                left, right = axes.x(r["low"]), axes.x(r["high"])
                chart.rect(left, axes.y(value), right - left, axes.y(0) - axes.y(value), f"soft {kind}", tip=tip)
    return chart
