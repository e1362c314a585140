"""Charts of rows and columns: intervals by row, heat tables, waterfalls, lists joined by lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

from rankgauge._text import Text
from rankgauge.reporting.charts.scales import Linear, Scale
from rankgauge.reporting.charts.svg import Chart, clipped, place, text_width

__all__ = [
    "HeatCell",
    "Interval",
    "Item",
    "Step",
    "heat",
    "heat_height",
    "intervals",
    "intervals_height",
    "slopes",
    "slopes_height",
    "waterfall",
]


@dataclass(frozen=True)
class Interval:
    """An estimate with its interval."""

    kind: str
    value: float
    low: float
    high: float
    text: str
    """What is written beside it."""
    tip: str


def intervals(
    chart: Chart,
    rows: Sequence[tuple[str, Sequence[Interval]]],
    scale: Scale,
    *,
    top: float = 8,
    bars: bool = True,
    reference: float = 0.0,
) -> None:
    """Rows of estimates, one line each: bars from zero where `bars`, else dots; with intervals."""
    left = min(max((text_width(name) for name, _ in rows), default=0) + 22, 230)
    right = chart.width - 12 - max((text_width(e.text) for _, es in rows for e in es), default=0) - 10
    x = scale.within(left, right)
    y = top
    for value, text in x.ticks():
        chart.line(x(value), top, x(value), chart.height - 22, "grid")
        chart.text(x(value), chart.height - 6, text, "tick", anchor="middle")
    if x.low < reference < x.high:
        chart.line(x(reference), top, x(reference), chart.height - 22, "axis")
    for name, estimates in rows:
        middle = y + 9 * len(estimates) + 4
        chart.text(
            left - 10, middle + 4, clipped(name, left - 14) if type(name) is str else name, anchor="end", tip=name
        )
        for e in estimates:
            at = y + 12
            if isnan(e.value):
                chart.text(x(max(x.low, 0)), at + 4, "–", "quiet")
            elif bars:
                chart.rect(x(0), at - 6, x(e.value) - x(0), 12, f"soft {e.kind}", tip=e.tip)
            if not isnan(e.low):
                for end in (e.low, e.high):
                    chart.line(x(end), at - 3.5, x(end), at + 3.5, f"whisker {e.kind}")
                chart.line(x(e.low), at, x(e.high), at, f"whisker {e.kind}")
            if not isnan(e.value) and not bars:
                chart.circle(x(e.value), at, 4, f"fill {e.kind}", tip=e.tip)
            chart.text(right + 10, at + 4, e.text, "quiet")
            y += 18
        y += 10


def intervals_height(rows: Sequence[tuple[str, Sequence[Interval]]]) -> float:
    """How high such a chart must be."""
    return 8 + sum(18 * len(es) + 10 for _, es in rows) + 26


@dataclass(frozen=True)
class HeatCell:
    """A cell of a heat table."""

    value: float
    """What colours it: its sign the colour, its size the strength."""
    text: str
    tip: str
    strong: bool = False


def heat(
    chart: Chart, columns: Sequence[str], rows: Sequence[tuple[str, str, Sequence[HeatCell]]], *, diverging: bool = True
) -> None:
    """Rows of a name, a remark and cells; the strongest colour belongs to the largest value."""
    left = min(max((text_width(name) + text_width(about) + 30 for name, about, _ in rows), default=120), 300)
    step = (chart.width - left - 8) / max(1, len(columns))
    most = max((abs(c.value) for _, _, cells in rows for c in cells if not isnan(c.value)), default=0.0) or 1.0
    for i, name in enumerate(columns):
        chart.text(left + step * (i + 0.5), 18, clipped(name, step - 4), "strong", anchor="middle", tip=name)
    for j, (name, about, cells) in enumerate(rows):
        y = 28 + 30 * j
        chart.text(4, y + 19, clipped(name, left - text_width(about) - 24), tip=name)
        chart.text(left - 10, y + 19, about, "quiet", anchor="end")
        for i, cell in enumerate(cells):
            known = not isnan(cell.value)
            level = min(4, int(5 * abs(cell.value) / most)) if known else 0
            kind = ("pos" if cell.value >= 0 else "neg") if diverging else "s1"
            chart.rect(left + step * i, y, step, 30, f"heat cell {kind if known else 'zero'} h{level}", tip=cell.tip)
            style = "strong" if cell.strong else ""
            chart.text(left + step * (i + 0.5), y + 19, cell.text, style, anchor="middle")


def heat_height(n_rows: int) -> float:
    return 28 + 30 * n_rows + 6


@dataclass(frozen=True)
class Step:
    """One column of a waterfall: from a level to a level."""

    name: str
    start: float
    end: float
    kind: str
    text: str
    tip: str


def waterfall(chart: Chart, steps: Sequence[Step], *, top: float = 24, most: float = 1.0, joined: bool = True) -> None:
    """Columns that hang from the level before, joined by thin lines; plain columns of counts where they are not."""
    y = Linear(0, most).within(chart.height - 46, top)
    room = (chart.width - 60) / max(1, len(steps))
    wide = min(room * 0.66, 90)
    for value, text in y.ticks():
        if not joined and value % 1:
            continue  # half a thing is none
        chart.line(48, y(value), chart.width - 8, y(value), "grid")
        chart.text(42, y(value) + 4, text, "tick", anchor="end")
    for i, s in enumerate(steps):
        x = 54 + room * i + (room - wide) / 2
        chart.rect(x, y(max(s.start, s.end)), wide, abs(y(s.end) - y(s.start)), f"fill {s.kind}", tip=s.tip)
        if joined and i + 1 < len(steps):
            chart.line(x + wide, y(s.end), x + room, y(s.end), "ref")
        chart.text(x + wide / 2, y(max(s.start, s.end)) - 6, s.text, "strong", anchor="middle")
        name = clipped(s.name, room - 6) if type(s.name) is str else s.name
        chart.text(x + wide / 2, chart.height - 28, name, anchor="middle", tip=s.name)
    chart.line(48, y(0), chart.width - 8, y(0), "axis")


@dataclass(frozen=True)
class Item:
    """One result in a list."""

    key: str
    """The same item has the same key in both lists."""
    rank: str
    name: str
    grade: int | None
    """Level of its colour from 0 to 4; None: nobody judged it."""
    mark: str
    """What is written in its square: the grade, or ?"""
    change: str = ""
    """What it adds to the difference, written at the edge."""
    kind: str = ""
    """pos or neg, for the colour of the change."""
    move: str = ""
    """Where it stands in the other list, where no line can say so."""
    tip: str = ""


_ROW = 24
_LEAST = 240.0  # a list is never narrower
_STROKES = "l9 -9m-9 18l18 -18m-9 18l9 -9"  # across the square of an unjudged result


def slopes(chart: Chart, left: Sequence[Item], right: Sequence[Item], names: tuple[str, str], gap: float = 96) -> None:
    """Two lists side by side, lines between the same items: up, down or level. One list where the left name is empty.

    The chart becomes as wide as its names need.
    """
    lists = [(left, names[0]), (right, names[1])] if names[0] else [(right, names[1])]
    room = min(max(_LEAST, *(_needed(items, name) for items, name in lists)), (chart.width - gap) / 2)
    for i, (items, name) in enumerate(lists):
        _column(chart, items, name, i * (room + gap), room)
    chart.width = room if len(lists) == 1 else 2 * room + gap
    places = {item.key: i for i, item in enumerate(right)}
    for i, item in enumerate(left):
        j = places.get(item.key)
        if j is not None:
            kind = "pos" if j < i else "neg" if j > i else "zero"
            judged = "stroke" if (item.grade or 0) > 0 else "stroke thin"
            chart.line(room + 4, 34 + _ROW * i, room + gap - 4, 34 + _ROW * j, f"{judged} {kind}")


def _needed(items: Sequence[Item], name: str) -> float:
    longest = max((text_width(i.name) for i in items), default=0.0)
    return max(66 + longest + _edge(items), 12 + text_width(name))


def _edge(items: Sequence[Item]) -> float:
    """Room for what is written at the right of a list."""
    change = max((text_width(i.change) for i in items), default=0.0)
    move = max((text_width(i.move) for i in items), default=0.0)
    return change + (move + 12 if move else 0)


def _column(chart: Chart, items: Sequence[Item], name: str, x: float, room: float) -> None:
    """One list. Squares of one colour are one path: a page may hold hundreds of lists."""
    chart.text(x + 4, 14, clipped(name, room - 8), "strong", tip=name)
    if not items:
        chart.text(x + 4, 38, Text("no results", "没有结果"), "quiet")
    squares: dict[str, str] = {}
    for i, item in enumerate(items):
        at = f"M{place(x + 26)} {place(25 + _ROW * i)}"
        kind = "un" if item.grade is None else f"g{item.grade}"
        squares[kind] = squares.get(kind, "") + f"{at}h18v18h-18z"
        if item.grade is None:
            squares["hatch"] = squares.get("hatch", "") + f"M{place(x + 26)} {place(34 + _ROW * i)}{_STROKES}"
    for kind, d in squares.items():
        chart.shape(d, kind)
    ys = [38.0 + _ROW * i for i in range(len(items))]
    chart.column(x + 20, ys, [i.rank for i in items], "tick", anchor="end")
    for dark, kind in ((False, "small"), (True, "small on")):
        marks = [i.mark if (i.grade in (3, 4)) == dark else "" for i in items]
        chart.column(x + 35, ys, marks, kind, anchor="middle")
    for y, item in zip(ys, items, strict=True):
        shown = clipped(item.name, room - 62 - _edge(items))
        chart.text(x + 50, y, shown, tip=item.tip or (item.name if shown != item.name else ""))
    for kind in ("pos", "neg"):
        changes = [i.change if i.kind == kind else "" for i in items]
        chart.column(x + room - 6, ys, changes, f"small {kind}", anchor="end")
    change = max((text_width(i.change) for i in items), default=0.0)
    chart.column(x + room - 12 - change, ys, [i.move for i in items], "small quiet", anchor="end")


def slopes_height(n: int) -> float:
    return 22 + _ROW * n + 6
