"""Numbers over time as sections: a line of characters for each, what changed, where it broke."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isnan

from rankgauge._claims import phrase
from rankgauge._numbers import counted, percent
from rankgauge._text import Text, joined
from rankgauge.history.moments import moment, time_of
from rankgauge.history.series import REASONS
from rankgauge.history.trend import Trend, TrendChange, TrendPoint, TrendSeries
from rankgauge.reporting.bars import spark_line
from rankgauge.reporting.grid import Cell, Grid, Section, number, ranged, signed
from rankgauge.reporting.words import SLICE

__all__ = ["latex_of_trend", "points_of_trend", "sections_of_trend", "spark_of"]

_POINTS = 30
"""Points of a series that are listed."""
_NONE = Text("Nothing over time yet", "还没有随时间变化的数值")


def sections_of_trend(t: Trend, digits: int = 4) -> list[Section]:
    """All series at a glance; of a single one its points, too."""
    return _sections(t, digits, drawn=True)


def latex_of_trend(t: Trend, digits: int = 4) -> list[Section]:
    """The same without lines of characters, which papers draw."""
    return _sections(t, digits, drawn=False)


def spark_of(s: TrendSeries) -> str:
    """The series as a line of characters."""
    return spark_line([p.value for p in s.points], [i for i, p in enumerate(s.points) if p.breaks])


def _sections(t: Trend, digits: int, *, drawn: bool) -> list[Section]:
    if not t.series:
        none = Text(
            "no evaluation of the history has a number that was asked for", "历史中没有任何评测包含所要求的数值"
        )
        return [Section(_NONE, notes=[none, *t.notes])]
    first, last = _span(t)
    n = Text(f"{len(t.series):,} series", f"{len(t.series):,} 个序列")
    title = phrase("{} from {} to {}", "{}，{} 至 {}", n, first, last)
    overview = Section(title, _overview(t, digits, drawn=drawn), notes=[*(s.sentence for s in t.series), *t.notes])
    return [overview, *(points_of_trend(t, digits) if len(t.series) == 1 else ())]


def points_of_trend(t: Trend, digits: int = 4) -> list[Section]:
    """The points of each series, folded where there are several."""
    return [replace(_points(t, s, digits), folded=len(t.series) > 1) for s in t.series]


def _span(t: Trend) -> tuple[str, str]:
    times = sorted(p.at for s in t.series for p in s.points)
    return moment(time_of(times[0])), moment(time_of(times[-1]))


def _overview(t: Trend, digits: int, *, drawn: bool) -> Grid:
    names = {
        "system": Text("system", "系统"),
        "dataset": Text("data", "数据"),
        "measure": Text("measure", "指标"),
        "slice": SLICE,
    }
    kept = [k for k in names if k == "measure" or len({getattr(s, k) for s in t.series}) > 1 or k == "system"]
    header = [
        *(names[k] for k in kept),
        *([Text("over time", "走势")] if drawn else []),
        *(Text("points", "点数"), Text("newest", "最新"), Text("interval", "区间")),
        *(Text("since last", "较上一点"), Text("since baseline", "较基线")),
        Text("breaks", "断点"),
    ]
    rows = []
    for s in t.series:
        p = s.newest
        rows.append(
            [
                *(Cell(getattr(s, k)) for k in kept),
                *([Cell(spark_of(s))] if drawn else []),
                Cell(f"{len(s.points):,}", quiet=True),
                Cell(number(p.value, digits), strong=True),
                Cell(ranged(p.low, p.high, digits), quiet=True),
                _change(s, p.since_previous, digits),
                _change(s, p.since_baseline, digits),
                Cell(f"{sum(bool(x.breaks) for x in s.points):,}", quiet=True),
            ]
        )
    text = len(kept) + drawn
    return Grid(header, rows, frozenset(range(text)), spare=(text + 5, text + 2, text))


def _change(s: TrendSeries, c: TrendChange | None, digits: int) -> Cell:
    if c is None:
        return Cell("")
    is_sure = not isnan(c.low) and (c.low > 0 or c.high < 0)
    tone = ("good" if c.change * s.direction > 0 else "bad") if is_sure and s.direction else ""
    return Cell(signed(c.change, digits), strong=is_sure, tone=tone)


def _points(t: Trend, s: TrendSeries, digits: int) -> Section:
    some = list(enumerate(s.points))[-_POINTS:]
    header = [
        *(Text("time", "时间"), Text("entry", "记录"), s.measure, Text("interval", "区间"), "n"),
        Text("since last", "较上一点"),
        phrase("{} interval", "{} 置信区间", percent(t.confidence_level)),
        *(Text("common", "共同查询"), Text("since baseline", "较基线"), Text("what changed", "变化")),
    ]
    rows = [_row(s, i, p, digits) for i, p in some]
    name = f"{s.system} · {s.measure}" + (f" [{s.slice}]" if s.slice else "")
    left = len(s.points) - len(some)
    notes = (
        [phrase("{} before these are not listed", "更早的 {}未列出", counted(left, "point", "个点"))] if left else []
    )
    return Section(name, Grid(header, rows, frozenset({0, 1, 9}), spare=(1, 3, 6)), notes=notes)


def _row(s: TrendSeries, i: int, p: TrendPoint, digits: int) -> list[Cell]:
    c = p.since_previous
    return [
        Cell(moment(time_of(p.at))),
        Cell(p.entry, quiet=True),
        Cell(number(p.value, digits)),
        Cell(ranged(p.low, p.high, digits), quiet=True),
        Cell(f"{p.n:,}", quiet=True),
        _change(s, c, digits),
        Cell("" if c is None else ranged(c.low, c.high, digits, sign=True), quiet=True),
        Cell("" if c is None else f"{c.n:,}", quiet=True),
        _change(s, p.since_baseline, digits),
        Cell(_marks(s, i, p)),
    ]


def _marks(s: TrendSeries, i: int, p: TrendPoint) -> Text:
    said: Sequence[str] = [
        *(phrase("| {}", "| {}", REASONS[r]) for r in p.breaks),
        *(Text("step", "台阶") for step in s.steps if step.place == i),
        *([Text("baseline", "基线")] if p.entry == s.baseline else []),
    ]
    found = joined(Text(", ", "，"), said)
    return found if isinstance(found, Text) else Text(found, found)
