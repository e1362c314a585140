"""Comparisons as charts: differences of all queries, by slice, and the lists of one query."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isfinite, isnan

from rankgauge._claims import phrase
from rankgauge._numbers import counted
from rankgauge._text import Text
from rankgauge.comparison.contrast import Contrast
from rankgauge.comparison.movement import MovedItem, Movement
from rankgauge.comparison.record import Comparison
from rankgauge.reporting.charts import Axes, Chart, Linear
from rankgauge.reporting.charts import kinds as k
from rankgauge.reporting.counts import sizes
from rankgauge.reporting.grid import number, p_value, signed

__all__ = ["contrasts", "contrasts_by_scale", "differences", "grade_level", "lists", "scatter", "slices"]

_MOST_BARS = 400  # beyond, single queries are thinner than a line
_MOST_DOTS = 1500
_POINTS = 600

Link = Callable[[str], str]
"""From a query to the place where its lists are shown; empty where there is none."""


def _nowhere(query_id: str) -> str:
    return ""


def _interval(low: float, high: float, digits: int = 4) -> str:
    return "" if isnan(low) else f" ({signed(low, digits)} … {signed(high, digits)})"


def contrasts(cmp: Comparison, measure: str | None = None) -> Chart:
    """The difference of each measure and system with its interval, around zero; measures on the scale of the first."""
    if measure is None:
        return contrasts_by_scale(cmp)[0]
    asked = cmp.evaluations[cmp.baseline].column(measure).label
    return _contrasts(cmp, [c for c in cmp.contrasts if c.measure == asked])


def contrasts_by_scale(cmp: Comparison) -> list[Chart]:
    """A chart for the measures of each direction, with and without bounds, the one of the first measure first."""
    base = cmp.evaluations[cmp.baseline]
    by: dict[tuple[bool, int], list[Contrast]] = {}
    for c in cmp.contrasts:
        m = base.column(c.measure).measure
        kept = by.setdefault((all(map(isfinite, m.bounds)), m.direction), [])
        if not isnan(c.interval.low):
            kept.append(c)
    first, *others = by
    shown = [first, *(scale for scale in others if by[scale])]
    return [_contrasts(cmp, by[scale], _BETTER[scale[1]] if len(shown) > 1 else "") for scale in shown]


_BETTER = {
    1: Text("higher is better", "越高越好"),
    -1: Text("lower is better", "越低越好"),
    0: Text("neither too high nor too low", "既不过高也不过低为好"),
}


def _contrasts(cmp: Comparison, chosen: Sequence[Contrast], better: str = "") -> Chart:
    names = {name: f"s{1 + i % 5}" for i, name in enumerate(cmp.systems)}
    rows = [
        (
            m,
            [
                k.Interval(names[c.system], c.difference, *c.interval, signed(c.difference, 4), _tip(c))
                for c in chosen
                if c.measure == m
            ],
        )
        for m in dict.fromkeys(c.measure for c in chosen)
    ]
    every = [x for c in chosen for x in (c.difference, *c.interval) if not isnan(x)]
    several = len(cmp.systems) > 1
    top = 30.0 if several else 8.0
    title: str = Text(f"Differences against {cmp.baseline}", f"与 {cmp.baseline} 的差异")
    if better:
        title = phrase("{}: {}", "{}：{}", title, better)
    summary = Text(
        "; ".join(f"{c.system} {c.measure} {signed(c.difference, 4)}" for c in chosen[:12]),
        "；".join(f"{c.system} {c.measure} {signed(c.difference, 4)}" for c in chosen[:12]),
    )
    chart = Chart(title, summary, 960, k.intervals_height(rows) + top - 8)
    if several:
        top = chart.legend([(kind, name) for name, kind in names.items()], 12, 14, 930) + 8
        chart.height = k.intervals_height(rows) + top - 8
    k.intervals(chart, rows, Linear.around(every or [0.0], zero=True), top=top, bars=False)
    return chart


def _tip(c: Contrast) -> str:
    return f"{c.system}: {c.measure} {signed(c.difference, 4)}{_interval(*c.interval)}, p {p_value(c.p_corrected)}"


def differences(
    cmp: Comparison, measure: str | None = None, system: str | None = None, *, link: Link = _nowhere
) -> Chart:
    """Every query's difference, sorted, with the mean and its interval."""
    x = _contrast(cmp, measure or _of_queries(cmp), system)
    frame = cmp.differences(x.measure, x.system).sort("difference")
    values, ids = frame["difference"].to_list(), frame["query_id"].to_list()
    n = len(values)
    title = Text(
        f"{x.measure} of {x.system} minus {x.baseline}, query by query",
        f"逐查询差异：{x.system} 减 {x.baseline}，{x.measure}",
    )
    mean = f"{signed(x.difference, 4)}{_interval(*x.interval)}"
    counts = phrase(
        "{} better, {} the same, {} worse; mean {}",
        "{}更好，{} 个相同，{} 个更差；平均 {}",
        counted(x.wins or 0, "query", "个查询"),
        x.ties,
        x.losses,
        mean,
    )
    chart = Chart(title, counts, 960, 320)
    low, high = x.interval
    scale = Linear.around([*values, *(v for v in (low, high) if not isnan(v))], zero=True)
    queries = phrase("{}, sorted", "{}，按差异排序", counted(n, "query", "个查询"))
    axes = Axes(chart, _Ranks(0, max(1, n)), scale, y_label=Text("difference", "差异"), bottom=290)
    chart.text((axes.left + axes.right) / 2, 310, queries, "quiet", anchor="middle")
    good = x.direction
    if n <= _MOST_BARS:
        for i, (query, value) in enumerate(zip(ids, values, strict=True)):
            kind = "pos" if value * good > 0 else "neg" if value * good < 0 else "zero"
            tip = f"{query}: {signed(value, 4)}"
            axes.bar(i + 0.08, i + 0.92, value, kind, tip=tip, href=link(query))
    else:
        _areas(axes, values, good)
    axes.across(0, "axis")
    if not isnan(low):
        axes.band([0, n], [low, low], [high, high], "s1")
    axes.across(x.difference, "dash s1")
    label = Text(f"mean {signed(x.difference, 4)}", f"平均 {signed(x.difference, 4)}")
    chart.text(axes.left + 8, axes.y(max(x.difference, high if not isnan(high) else x.difference)) - 5, label, "strong")
    return chart


class _Ranks(Linear):
    """Places without numbers: the axis counts queries."""

    def ticks(self) -> list[tuple[float, str]]:
        return []


def _areas(axes: Axes, values: Sequence[float], good: int) -> None:
    """Many queries: gains and losses as two areas."""
    n = len(values)
    at = sorted({round(i * (n - 1) / _POINTS) for i in range(_POINTS + 1)})
    for sign, kind in ((1, "pos"), (-1, "neg")):
        ys = [max(values[i] * sign * good, 0.0) * sign * good for i in at]
        points = [axes.at(0, 0), *(axes.at(i + 0.5, y) for i, y in zip(at, ys, strict=True)), axes.at(n, 0)]
        axes.chart.path(points, f"fill {kind}", closed=True)


def scatter(cmp: Comparison, measure: str | None = None, system: str | None = None, *, link: Link = _nowhere) -> Chart:
    """Every query's value before and after: above the diagonal the system is higher."""
    x = _contrast(cmp, measure or _of_queries(cmp), system)
    frame = cmp.differences(x.measure, x.system)
    before, after = frame[x.baseline].to_list(), frame[x.system].to_list()
    ids, n = frame["query_id"].to_list(), len(frame)
    chart = Chart(
        Text(
            f"{x.measure} of each query: {x.baseline} and {x.system}",
            f"各查询的 {x.measure}：{x.baseline} 与 {x.system}",
        ),
        phrase(
            "{} above the diagonal, {:,} below",
            "对角线以上 {}，以下 {:,} 个",
            counted(x.wins or 0, "query", "个查询"),
            x.losses or 0,
        ),
        460,
        380,
    )
    scale = Linear.around([*before, *after])
    if min([*before, *after], default=0) >= 0 and max([*before, *after], default=1) <= 1:
        scale = Linear(-0.02, 1.02)
    axes = Axes(chart, scale, scale, x_label=x.baseline, y_label=x.system)
    axes.diagonal()
    good = x.direction
    step = max(1, n // _MOST_DOTS)
    for query, a, b in list(zip(ids, before, after, strict=True))[::step]:
        kind = "pos" if (b - a) * good > 0 else "neg" if (b - a) * good < 0 else "zero"
        tip = f"{query}: {number(a)} → {number(b)}"
        axes.chart.circle(*axes.at(a, b), 4 if n <= 300 else 2.5, f"soft {kind}", tip=tip, href=link(query))
    return chart


def slices(cmp: Comparison, measure: str | None = None, system: str | None = None, most: int = 24) -> Chart:
    """Differences by slice: a column per measure, or per system where a measure is named; the largest losses first."""
    asked = _contrast(cmp, measure, system)  # any spelling of a measure, and no unknown name
    by_system = measure is not None
    columns = cmp.systems if by_system else cmp.measures
    cells: dict[str, dict[str, Contrast]] = {}
    for c in cmp.sliced:
        if c.measure == asked.measure if by_system else c.system == asked.system:
            cells.setdefault(c.slice, {})[c.system if by_system else c.measure] = c
    rows = []
    for name, found in list(cells.items())[:most]:
        about = f"n {sizes([c.n for c in found.values()])}"
        rows.append((name, about, [_heat_cell(found.get(column)) for column in columns]))
    what = asked.measure if by_system else asked.system
    return _heat_chart(
        Text(f"Differences by slice: {what} against {cmp.baseline}", f"各切片的差异：{what}，相对 {cmp.baseline}"),
        phrase("{}, the largest losses first", "{}，损失最大的在前", counted(len(rows), "slice", "个切片")),
        columns,
        rows,
    )


def _heat_chart(
    title: str, summary: str, columns: Sequence[str], rows: list[tuple[str, str, list[k.HeatCell]]]
) -> Chart:
    chart = Chart(title, summary, 960, k.heat_height(len(rows)))
    k.heat(chart, columns, rows)
    return chart


def _heat_cell(c: Contrast | None) -> k.HeatCell:
    if c is None:
        return k.HeatCell(float("nan"), "", "")
    settled = c.verdict in ("better", "worse")
    text = signed(c.difference, 3) + ("*" if settled else "")
    return k.HeatCell(c.gain, text, f"{c.slice} · {_tip(c)}, n {c.n:,}", strong=settled)


def lists(
    m: Movement, titles: Mapping[str, str] | None = None, max_grade: float | None = None, depth: int | None = None
) -> Chart:
    """The two lists of one query side by side; one list where the movement has only one."""
    shown = depth or m.depth
    names = titles or {}
    alone = isnan(m.value_a) and all(i.rank_a is None for i in m.items)
    top = max_grade or max((i.grade or 0 for i in m.items), default=1) or 1
    left = [] if alone else _side(m, "a", shown, names, top)
    right = _side(m, "b", shown, names, top)
    how = "" if isnan(m.difference) else f" {signed(m.difference, 4)}"
    chart = Chart(
        Text(f"{m.query_id}: {m.measure}{how}", f"{m.query_id}：{m.measure}{how}"),
        Text(
            f"Results of {m.run_b}" + ("" if alone else f" beside those of {m.run_a}"),
            f"{m.run_b} 的结果" + ("" if alone else f"与 {m.run_a} 的结果对照"),
        ),
        960,
        k.slopes_height(max(len(left), len(right), 1)),
    )
    heading = ("" if alone else _heading(m.run_a, m.value_a), _heading(m.run_b, m.value_b))
    k.slopes(chart, left, right, heading)
    return chart


def _heading(run: str, value: float) -> str:
    return run if isnan(value) else f"{run}  {number(value)}"


def _side(m: Movement, side: str, depth: int, titles: Mapping[str, str], top: float) -> list[k.Item]:
    shown = [i for i in m.items if (rank := getattr(i, f"rank_{side}")) is not None and rank <= depth]
    shown.sort(key=lambda i: getattr(i, f"rank_{side}"))
    alone = all(i.rank_a is None for i in m.items)
    return [_item(i, side, depth, titles, top, alone=alone) for i in shown]


def _item(i: MovedItem, side: str, depth: int, titles: Mapping[str, str], top: float, *, alone: bool) -> k.Item:
    rank, there = (i.rank_b, i.rank_a) if side == "b" else (i.rank_a, i.rank_b)
    outside = there is None or there > depth
    change, kind, move = "", "", ""
    if i.change and (side == "b" or outside):  # each change once: where the item arrives, or where it leaves
        change, kind = signed(i.change, 3), "pos" if i.change > 0 else "neg"
        change = "" if not change.strip("+-0.") else change
    if outside and not alone:
        other = "–" if there is None else str(there)
        move = f"→ {other}" if side == "a" else f"{other} →"
    title = titles.get(i.item_id, "")
    return k.Item(
        key=i.item_id,
        rank=str(rank),
        name=title or i.item_id,
        grade=None if i.grade is None else grade_level(i.grade, top),
        mark="?" if i.grade is None else f"{i.grade:g}",
        change=change,
        kind=kind,
        move=move,
        tip=f"{i.item_id} · {title}" if title else "",
    )


def grade_level(grade: float, top: float) -> int:
    """Colour of a grade: the highest is the darkest, what is not relevant grey."""
    return 0 if grade <= 0 else max(1, min(4, round(4 * grade / top)))


def _of_queries(cmp: Comparison) -> str | None:
    """The first measure that queries have values of."""
    return next(iter(cmp.query_measures), None)


def _contrast(cmp: Comparison, measure: str | None, system: str | None) -> Contrast:
    return cmp[measure or cmp.measures[0], system or cmp.systems[0]]
