"""A measure in a picture: ten results, and what it says of them after small changes."""

from __future__ import annotations

from math import isnan
from typing import Any

from rankgauge._numbers import short
from rankgauge._text import Text, joined
from rankgauge.measures.explanation import Explanation, Reading, Scene
from rankgauge.reporting.charts import Chart
from rankgauge.reporting.charts.svg import clipped, text_width
from rankgauge.reporting.explanation import about_marks, mark_of
from rankgauge.reporting.grid import number, signed
from rankgauge.reporting.words import about, phrase

__all__ = ["changes"]

_SQUARE, _STEP, _ROW, _TOP = 24.0, 27.0, 46.0, 34.0
_DARK = ("g3", "g4")
_LEVELS = 5


def changes(e: Explanation) -> Chart:
    """A row for each scene: the list with what changed in it, and the values of the measure and of others beside it."""
    label = max(text_width(s.says) for s in e.scenes) + 14
    strip = label + _STEP * len(e.scenes[0].shown) + 14
    rooms = [max(104.0, text_width(r.measure) + 20) for r in e.readings]
    lefts = [strip + sum(rooms[:j]) for j in range(len(rooms))]
    note = about_marks(e.scenes[0])
    width = max(strip + sum(rooms) + 8, text_width(note) + 16)
    chart = Chart(_title(e), _summary(e), width, _TOP + _ROW * len(e.scenes) + 22)
    for rank in range(1, len(e.scenes[0].shown) + 1):
        chart.text(label + _STEP * (rank - 0.5), _TOP - 10, str(rank), "tick", anchor="middle")
    most = max((abs(_moved(r, i)) for r in e.readings for i in range(len(e.scenes))), default=0.0) or 1.0
    for r, left, room in zip(e.readings, lefts, rooms, strict=True):
        chart.text(left + room / 2, _TOP - 10, r.measure, "strong" if r is e.readings[0] else "quiet", anchor="middle")
    for i, scene in enumerate(e.scenes):
        y = _TOP + _ROW * i
        chart.text(4, y + 20, scene.says, "strong" if i == 0 else "")
        _strip(chart, scene, label, y)
        for r, left, room in zip(e.readings, lefts, rooms, strict=True):
            _value(chart, r, i, left, y, room, most)
    chart.text(4, chart.height - 6, note, "quiet")
    return chart


def _strip(chart: Chart, scene: Scene, x: float, y: float) -> None:
    """Ten squares, darker with the grade, or dark where a class is called right; what changed is framed."""
    for rank, g in enumerate(scene.shown, 1):
        left = x + _STEP * (rank - 1) + 1.5
        kind = _square(g, scene, rank)
        chart.rect(left, y + 3, _SQUARE, _SQUARE, kind)
        if rank in scene.marked:
            chart.rect(left - 1.5, y + 1.5, _SQUARE + 3, _SQUARE + 3, "stroke s2")
        small = "small on" if kind in _DARK else "small"
        chart.text(left + _SQUARE / 2, y + 19, mark_of(g), small, anchor="middle")
        if scene.called and scene.called[rank - 1] != g:
            chart.text(left + _SQUARE / 2, y + 39, f"→{scene.called[rank - 1]}", "tick", anchor="middle")
        if scene.scores:
            chart.text(left + _SQUARE / 2, y + 39, short(scene.scores[rank - 1]).lstrip("0"), "tick", anchor="middle")


def _square(g: Any, scene: Scene, rank: int) -> str:
    """The colour of a grade; of a label, of what serves any need, of a class that is called right."""
    if scene.called:
        return "g3" if scene.called[rank - 1] == g else "g0"
    if g is None:
        return "un"
    if isinstance(g, (tuple, list)):
        return f"g{min(4, round(2 * sum(g)))}"
    return f"g{3 * round(g)}" if scene.scores else f"g{max(0, min(4, round(g)))}"


def _value(chart: Chart, r: Reading, i: int, x: float, y: float, room: float, most: float) -> None:
    value, first = r.values[i], r.values[0]
    if isinstance(value, str) or isinstance(first, str):
        chart.text(x + room / 2, y + 20, clipped(str(value), room - 6), anchor="middle")
        return
    side = r.better[i]
    if side:
        level = min(_LEVELS - 1, int(_LEVELS * abs(_moved(r, i)) / most))
        chart.rect(x, y, room, _ROW - 4, f"heat cell {'pos' if side > 0 else 'neg'} h{level}", tip=_told(r, i))
    chart.text(x + room / 2, y + (18 if i else 20), number(value), "strong", anchor="middle")
    if i:
        unmoved = Text("undefined", "无定义") if isnan(value) else Text("no change", "不变")
        said = signed(value - first) if side else unmoved
        chart.text(x + room / 2, y + 33, said, "small", anchor="middle")


def _moved(r: Reading, i: int) -> float:
    """The change as a part of the value, so that colours compare between measures."""
    value, first = r.values[i], r.values[0]
    if isinstance(value, str) or isinstance(first, str) or not r.better[i]:
        return 0.0
    return (value - first) / (abs(first) or 1.0)


def _told(r: Reading, i: int) -> str:
    value, first = r.values[i], r.values[0]
    if isinstance(value, str) or isinstance(first, str):
        return f"{r.measure}: {value}"
    return f"{r.measure}: {number(first)} → {number(value)}"


def _title(e: Explanation) -> str:
    return phrase("What small changes do to {} ({})", "小变化对 {}（{}）的影响", e.measure, e.title)


def _summary(e: Explanation) -> str:
    own = e.readings[0]
    rows = [about(scene.says, _plain(own.values[i])) for i, scene in enumerate(e.scenes)]
    return about(own.measure, joined(Text("; ", "；"), rows))


def _plain(value: float | str) -> str:
    return value if isinstance(value, str) else number(value)
