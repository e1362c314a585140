"""Numbers over time: lines with their bands, broken where they are about something else, and small ones for tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import isnan

from rankgauge._text import Text
from rankgauge.reporting.charts import Axes, Chart, Linear

__all__ = ["Line", "Moment", "Remark", "spark", "timeline"]

_SPARK = (180.0, 44.0)
_COLOURS = 6
_DAY = 86400.0
_FIRST, _LAST = datetime(1, 1, 1, tzinfo=UTC).timestamp(), datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC).timestamp()
"""There are no dates beyond, and an axis has some air at its ends."""


@dataclass(frozen=True)
class Moment:
    """A number at a time."""

    at: datetime
    value: float
    low: float = float("nan")
    high: float = float("nan")
    tip: str = ""
    href: str = ""
    tone: str = ""
    """pos or neg, where it surely differs from what it is held against."""
    anew: str = ""
    """Why it is about something else than the one before: the line is broken there."""


@dataclass(frozen=True)
class Line:
    """One series."""

    name: str
    moments: Sequence[Moment]


@dataclass(frozen=True)
class Remark:
    """What somebody wrote on a date."""

    at: datetime
    text: str


@dataclass(frozen=True)
class _Dates(Linear):
    """Seconds, with dates below."""

    def ticks(self) -> list[tuple[float, str]]:
        first, last = (datetime.fromtimestamp(x, UTC) for x in (self.low, self.high))
        days = max(1, round((last - first).days / 8))
        if (last - first) < timedelta(days=2):
            return [(x, f"{datetime.fromtimestamp(x, UTC):%m-%d %H:%M}") for x in _spread(self.low, self.high)]
        form = "%Y-%m" if days > 45 else "%m-%d" if first.year == last.year else "%Y-%m-%d"
        start = int(self.low // _DAY + 1)
        found = [_DAY * day for day in range(start, int(self.high // _DAY) + 1, days)]
        return [(x, f"{datetime.fromtimestamp(x, UTC):{form}}") for x in found]


def _spread(low: float, high: float, n: int = 5) -> list[float]:
    return [low + (high - low) * i / (n - 1) for i in range(n)]


def timeline(
    title: str,
    summary: str,
    lines: Sequence[Line],
    *,
    remarks: Sequence[Remark] = (),
    reference: Moment | None = None,
    y_label: str = "",
    height: float = 280,
) -> Chart:
    """Series over the same time, each with its band; a point leads to its record."""
    chart = Chart(title, summary, 960, height)
    top = 14.0 + chart.legend(_legend(lines, reference), 60, 14, 880)
    known = [[m for m in line.moments if not isnan(m.value)] for line in lines]
    times = [m.at.timestamp() for moments in known for m in moments]
    values = [v for moments in known for m in moments for v in (m.value, m.low, m.high) if not isnan(v)]
    if not times:
        chart.text(60, 60, Text("no numbers in this time", "这段时间没有数值"), "quiet")
        return chart
    air = max(3600.0, 0.02 * (max(times) - min(times)))
    held = [] if reference is None or isnan(reference.value) else [reference.value]
    axes = Axes(
        chart,
        _Dates(max(_FIRST, min(times) - air), min(_LAST, max(times) + air)),
        Linear.around([*values, *held]),
        top=top + 18,
        y_label=y_label,
    )
    for i, remark in enumerate(r for r in remarks if axes.x.low <= r.at.timestamp() <= axes.x.high):
        at = axes.x(remark.at.timestamp())
        chart.line(at, axes.top - 6, at, axes.bottom, "ref")
        chart.text(at, axes.top - 9, str(i + 1), "tick", anchor="middle", tip=f"{remark.at:%Y-%m-%d}: {remark.text}")
    if reference is not None and held:  # beyond a break it is of something else
        axes.line(_around(known[0], reference, axes), [reference.value] * 2, "dash s0")
    for i, moments in enumerate(known):
        _draw(axes, moments, f"s{_colour(i, lines)}", with_tones=len(lines) == 1)
    return chart


def _around(moments: Sequence[Moment], reference: Moment, axes: Axes) -> list[float]:
    """From the last break before a moment to the first one after it."""
    starts = [m.at for m in moments if m.anew]
    first = max((at for at in starts if at <= reference.at), default=None)
    after = min((at for at in starts if at > reference.at), default=None)
    last = None if after is None else max((m.at for m in moments if m.at < after), default=None)
    return [
        axes.x.low if first is None else first.timestamp(),
        axes.x.high if last is None else last.timestamp(),
    ]


def _legend(lines: Sequence[Line], reference: Moment | None) -> list[tuple[str, str]]:
    """What colours and lines mean, of those that are drawn."""
    every = [m for line in lines for m in line.moments]
    tones = {m.tone for m in every}
    of_several = "dash s0" if len(lines) > 1 else "dash s2"  # each series has breaks in its own colour
    broken = (
        [(of_several, Text("break: not the same number", "断点：不是同一个数值"))] if any(m.anew for m in every) else []
    )
    if len(lines) > 1:
        return [*((f"s{_colour(i, lines)}", line.name) for i, line in enumerate(lines)), *broken]
    return [
        ("s1", Text("value and its interval", "数值及其区间")),
        *(
            [("pos", Text("better than the one before, beyond noise", "优于上一次，超出波动范围"))]
            if "pos" in tones
            else []
        ),
        *(
            [("neg", Text("worse than the one before, beyond noise", "差于上一次，超出波动范围"))]
            if "neg" in tones
            else []
        ),
        *([("dash s0", Text("baseline", "基线"))] if reference is not None else []),
        *broken,
    ]


def _colour(place: int, lines: Sequence[Line]) -> int:
    return 1 + place % (_COLOURS - 1) if lines else 1


def _draw(axes: Axes, moments: Sequence[Moment], kind: str, *, with_tones: bool) -> None:
    pieces: list[list[Moment]] = []
    for m in moments:
        if m.anew or not pieces:
            pieces.append([])
        pieces[-1].append(m)
    for i, piece in enumerate(pieces):
        xs = [m.at.timestamp() for m in piece]
        if i:  # between what came before and this one
            middle = (axes.x(pieces[i - 1][-1].at.timestamp()) + axes.x(xs[0])) / 2
            axes.chart.line(middle, axes.top, middle, axes.bottom, "dash s2" if with_tones else f"dash {kind}")
            end = middle > (axes.left + axes.right) / 2
            if with_tones:
                at = middle - 5 if end else middle + 5
                axes.chart.text(at, axes.top + 12, piece[0].anew, "quiet", anchor="end" if end else "start")
        banded = [m for m in piece if not isnan(m.low) and not isnan(m.high)]
        if len(banded) > 1:
            axes.band([m.at.timestamp() for m in banded], [m.low for m in banded], [m.high for m in banded], kind)
        elif banded:
            axes.whisker(banded[0].at.timestamp(), banded[0].low, banded[0].high, kind)
        if len(piece) > 1:
            axes.line(xs, [m.value for m in piece], f"stroke {kind}")
    small = len(moments) > 120
    for m in moments:
        tone = m.tone if with_tones and m.tone else kind
        axes.dot(m.at.timestamp(), m.value, tone, r=2.2 if small else 4, tip=m.tip, href=m.href)


def spark(moments: Sequence[Moment], title: str = "") -> Chart:
    """A small line for a table: the last point marked, breaks left open."""
    width, height = _SPARK
    known = [m for m in moments if not isnan(m.value)]
    chart = Chart(title, "", width, height)
    if not known:
        return chart
    x = Linear(0, max(1, len(known) - 1)).within(4, width - 8)
    y = Linear.around([v for m in known for v in (m.value, m.low, m.high) if not isnan(v)]).within(height - 4, 4)
    piece: list[tuple[float, float]] = []
    pieces = [piece]
    for i, m in enumerate(known):
        if m.anew and piece:
            piece = []
            pieces.append(piece)
        piece.append((x(i), y(m.value)))
    banded = [(x(i), y(m.high), y(m.low)) for i, m in enumerate(known) if not isnan(m.low)]
    if len(banded) > 1 and len(pieces) == 1:
        there, back = [(a, b) for a, b, _ in banded], [(a, c) for a, _, c in banded]
        chart.path([*there, *back[::-1]], "band s1", closed=True)
    for points in pieces:
        if len(points) > 1:
            chart.path(points, "stroke thin s1")
        elif points is not piece:
            chart.circle(*points[0], 1.6, "fill s1")
    chart.circle(*piece[-1], 3.2, f"fill {known[-1].tone or 's1'}")
    return chart
