"""Evaluations of rankings as charts: measures with intervals, measures by cutoff, slices, judgements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan

from rankgauge._claims import phrase
from rankgauge._numbers import counted
from rankgauge._text import Text
from rankgauge.evaluation.rankings.by_budget import ByBudget
from rankgauge.evaluation.rankings.by_cutoff import ByCutoff
from rankgauge.evaluation.rankings.judgement_health import JudgementHealth
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.measures.grammar import parse_ranking
from rankgauge.reporting.charts import Axes, Chart, Linear, Log
from rankgauge.reporting.charts import kinds as k
from rankgauge.reporting.counts import sizes, sizes_of_slices
from rankgauge.reporting.grid import number, share
from rankgauge.reporting.profiles import UNITS

__all__ = ["Ticks", "by_budget", "by_cutoff", "grades", "judged", "measures", "slices"]


def series(names: Sequence[str]) -> dict[str, str]:
    """A colour for each run: the first, often the baseline, is grey where there are several."""
    if len(names) == 1:
        return {names[0]: "s1"}
    return {name: f"s{i % 6}" for i, name in enumerate(names)}


def measures(runs: Mapping[str, RankingEvaluation]) -> Chart:
    """The mean of each measure and run with its interval."""
    first = next(iter(runs.values()))
    kinds = series(list(runs))
    shown = [c.label for c in first.columns if c.measure.summary == "mean" and c.measure.bounds == (0.0, 1.0)]
    rows = [
        (
            label,
            [
                k.Interval(kinds[n], ev[label], *ev.interval(label), number(ev[label]), _tip(n, ev, label))
                for n, ev in runs.items()
                if label in ev
            ],
        )
        for label in shown
    ]
    chart = Chart(
        Text("Means with intervals", "均值与置信区间"),
        "; ".join(f"{n}: " + ", ".join(f"{m} {number(ev[m])}" for m in shown[:6] if m in ev) for n, ev in runs.items()),
        960,
        k.intervals_height(rows),
    )
    top = 8.0
    if len(runs) > 1:
        top = chart.legend([(kind, name) for name, kind in kinds.items()], 12, 14, 930) + 8
        chart.height += top - 8
    k.intervals(chart, rows, Linear(0, 1), top=top)
    return chart


def _tip(name: str, ev: RankingEvaluation, label: str) -> str:
    low, high = ev.interval(label)
    return f"{name}: {label} {number(ev[label])}" + ("" if isnan(low) else f" ({number(low)} … {number(high)})")


def by_cutoff(runs: Mapping[str, ByCutoff], measure: str) -> Chart:
    """One measure over k with its interval; dashed, what a perfect ranking reaches."""
    kinds = series(list(runs))
    first = next(iter(runs.values()))
    ks = [p.k for p in first[measure]]
    last = {n: found[measure][-1] for n, found in runs.items()}
    chart = Chart(
        _family(measure),
        "; ".join(f"{n}: {measure}@{p.k} {number(p.value)}" for n, p in last.items()),
        460,
        320,
    )
    ceiling = [p.ceiling for p in first[measure]]
    below = not any(isnan(c) for c in ceiling) and min(ceiling) < 0.999
    names = [(kinds[n], n) for n in runs] if len(runs) > 1 else []
    names += [("dash s0", Text("ceiling", "可达上限"))] if below else []
    used = chart.legend(names, 60, 12, 390) if names else 4
    x = Log(ks[0] * 0.92, max(ks[-1] * 1.08, ks[0] * 1.2))
    every = [p for found in runs.values() for p in found[measure]]
    y = Linear(0, 1.02) if below else _up_to([x for p in every for x in (p.value, p.interval[1])])
    axes = Axes(chart, Ticks(x.low, x.high, ks=tuple(ks)), y, top=used + 10, x_label="k", y_label=measure)
    if below:
        axes.line(ks, ceiling, "dash s0")
    for name, found in runs.items():
        _curve(axes, kinds[name], [(p.k, p.value, p.interval, f"{name}: {measure}@{p.k}") for p in found[measure]])
    return chart


def by_budget(runs: Mapping[str, ByBudget], measure: str) -> Chart:
    """One measure over the room of a context, with its interval."""
    kinds = series(list(runs))
    first = next(iter(runs.values()))
    limits = [p.limit for p in first[measure]]
    last = {n: found[measure][-1] for n, found in runs.items()}
    chart = Chart(
        phrase("{}: {} by budget", "{}：不同预算下的 {}", parse_ranking(measure).title, measure),
        "; ".join(f"{n}: {p.definition} {number(p.value)}" for n, p in last.items()),
        460,
        320,
    )
    used = chart.legend([(kinds[n], n) for n in runs], 60, 12, 390) if len(runs) > 1 else 4
    x = Ticks(limits[0] * 0.9, max(limits[-1] * 1.1, limits[0] * 1.2), ks=tuple(limits))
    axes = Axes(chart, x, Linear(0, 1.02), top=used + 10, x_label=UNITS[first.unit], y_label=measure)
    for name, found in runs.items():
        _curve(axes, kinds[name], [(p.limit, p.value, p.interval, f"{name}: {p.definition}") for p in found[measure]])
    return chart


_LOW = 0.25
"""Below which values are drawn up to the largest of them: the full height would press them onto the axis."""


def _up_to(values: Sequence[float]) -> Linear:
    """From 0 to 1, or to what low values need."""
    most = max((x for x in values if not isnan(x)), default=1.0)
    return Linear(0, 1.08 * most if 0 < most < _LOW else 1.02)


def _curve(axes: Axes, kind: str, points: Sequence[tuple[float, float, tuple[float, float], str]]) -> None:
    """Values over something with their intervals; x, value, interval and name of each point."""
    points = [p for p in points if not isnan(p[1])]
    known = [p for p in points if not isnan(p[2][0])]
    if known:
        axes.band([p[0] for p in known], [p[2][0] for p in known], [p[2][1] for p in known], kind)
    axes.line([p[0] for p in points], [p[1] for p in points], f"stroke {kind}")
    for x, value, (low, high), name in points:
        around = "" if isnan(low) else f" ({number(low)} … {number(high)})"
        axes.dot(x, value, kind, r=3, tip=f"{name} {number(value)}{around}")


def _family(measure: str) -> str:
    """Recall: R@k."""
    title = parse_ranking(measure).title
    return phrase("{}: {}@k", "{}：{}@k", title, measure)


class Ticks(Log):
    """A logarithmic axis whose ticks are the cutoffs or budgets themselves."""

    ks: tuple[int, ...]

    def __init__(self, low: float, high: float, start: float = 0, end: float = 1, ks: tuple[int, ...] = ()) -> None:
        super().__init__(low, high, start, end)
        object.__setattr__(self, "ks", ks)

    def within(self, start: float, end: float) -> Ticks:
        return Ticks(self.low, self.high, start, end, self.ks)

    def ticks(self) -> list[tuple[float, str]]:
        return [(k, f"{k // 1000}k" if k >= 10_000 and k % 1000 == 0 else str(k)) for k in self.ks]


def slices(ev: RankingEvaluation, most: int = 24) -> Chart:
    """The mean of each measure by slice; the darker, the higher."""
    frame = ev.slices
    bounded = [c.label for c in ev.columns if c.measure.summary == "mean"]
    rows = [
        (
            f"{row['slice']}={row['value']}",
            f"n {sizes(ns or [row['n']])}",
            [
                k.HeatCell(
                    float("nan") if row[m] is None else row[m],
                    number(row[m], 3),
                    f"{row['value']}: {m} {number(row[m])}, n {n:,}",
                )
                for m, n in zip(bounded, ns, strict=True)
            ],
        )
        for row, ns in zip(frame.iter_rows(named=True), sizes_of_slices(ev, bounded), strict=True)
    ][:most]
    chart = Chart(
        Text(f"{ev.run} by slice", f"{ev.run} 各切片"),
        counted(len(rows), "slice", "个切片"),
        960,
        k.heat_height(len(rows)),
    )
    k.heat(chart, bounded, rows, diverging=False)
    return chart


def judged(runs: Mapping[str, JudgementHealth]) -> Chart:
    """How many of the results at each rank somebody has judged."""
    kinds = series(list(runs))
    depth = max(r.rank for h in runs.values() for r in h.ranks)
    chart = Chart(
        Text("Share of judged results by rank", "各排名的标注比例"),
        "; ".join(f"{n}: {share(h.ranks[0].share)} → {share(h.ranks[-1].share)}" for n, h in runs.items()),
        460,
        320,
    )
    used = chart.legend([(kinds[n], n) for n in runs], 60, 12, 390) if len(runs) > 1 else 4
    label = Text("judged", "已标注")
    axes = Axes(
        chart, Linear(0.5, depth + 0.5), Linear(0, 1.02), top=used + 10, x_label=Text("rank", "排名"), y_label=label
    )
    for name, health in runs.items():
        points = [r for r in health.ranks if r.lists]
        axes.line([r.rank for r in points], [r.share for r in points], f"stroke {kinds[name]}")
        for r in points:
            axes.dot(
                r.rank,
                r.share,
                kinds[name],
                r=2.5,
                tip=f"{name}: #{r.rank} {share(r.share)} ({r.judged:,}/{r.lists:,})",
            )
    return chart


def grades(health: JudgementHealth) -> Chart:
    """How often each grade was given."""
    found = list(health.grades.items())
    total = health.n_judgements or 1
    chart = Chart(
        phrase("{} by grade", "{}的相关性等级分布", counted(health.n_judgements, "judgement", "条标注")),
        Text(
            "; ".join(f"grade {g:g}: {n:,}" for g, n in found),
            "；".join(f"等级 {g:g}：{n:,}" for g, n in found),
        ),
        460,
        320,
    )
    steps = []
    top = max((g for g, _ in found), default=1) or 1
    for g, n in found:
        level = 0 if g <= 0 else max(1, min(4, round(4 * g / top)))
        steps.append(k.Step(f"{g:g}", 0, n, f"g{level}", f"{n:,}", f"{g:g}: {n:,} ({share(n / total)})"))
    k.waterfall(chart, steps, most=max((n for _, n in found), default=1), joined=False)
    chart.text(chart.width / 2, chart.height - 8, Text("grade", "相关性等级"), "quiet", anchor="middle")
    return chart
