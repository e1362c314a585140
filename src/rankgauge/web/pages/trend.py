"""Measures over time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from rankgauge import history as histories
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import ParameterError
from rankgauge.history.entry import Entry, Event
from rankgauge.history.moments import earlier, time_of
from rankgauge.history.trend import Trend, TrendPoint, TrendSeries
from rankgauge.history.trend import trend as trend_of
from rankgauge.reporting.charts.svg import Chart
from rankgauge.reporting.figures.timeline import Line, Moment, Remark, timeline
from rankgauge.web.pages.series import change_of, moments, shown, when
from rankgauge.web.visit import Away, Page, Visit, link

__all__ = ["annotated", "trend"]

WINDOWS = {
    "": Text("all", "全部"),
    "4w": Text("4 weeks", "4 周"),
    "12w": Text("12 weeks", "12 周"),
    "52w": Text("a year", "一年"),
}
_MOST = 1000
"""Entries that are drawn; older ones are reached by a window."""
_SYSTEMS, _MEASURES, _LISTED = 6, 6, 25


def trend(visit: Visit) -> Page:
    """Chosen measures of chosen systems, all of them or slices."""
    history = visit.history
    projects = history.projects()
    project = visit.asked("project") or (projects[0] if projects else "")
    known = [s for s in history.systems(project) if s] if project else []
    systems = [s for s in visit.every("system") if s in known][:_SYSTEMS]
    latest = _latest(history, project, systems) if project else []
    systems = systems or [e.system for e in latest[:1] if e.summaries] or known[:1]
    labels = list(dict.fromkeys(s.measure for e in latest for s in e.summaries if s.is_of_all))
    measures = [m for m in visit.every("measure") if m in labels][:_MEASURES] or labels[:1]
    slices = list(dict.fromkeys((s.attribute, s.part) for e in latest for s in e.summaries if not s.is_of_all))
    attribute, _, part = visit.asked("slice").partition("=")
    if (attribute, part) not in slices:
        attribute = part = ""
    since, is_cut = _since(visit, project, systems)
    found = _trend(visit, project, systems, measures, attribute, since) if measures else None
    series = [] if found is None else [s for s in found.series if (s.attribute, s.part) == (attribute, part)]
    notes = _notes(history, project, systems, since)
    remarks = [Remark(n.at, n.text) for n in notes]
    charts = [_chart([s for s in series if s.measure == m], m, attribute, part, remarks) for m in measures if series]
    context: dict[str, Any] = {
        "projects": projects,
        "project": project,
        "known": known,
        "systems": systems,
        "labels": labels,
        "measures": measures,
        "slices": [f"{a}={p}" for a, p in slices],
        "slice": f"{attribute}={part}" if attribute else "",
        "windows": WINDOWS,
        "window": visit.asked("window"),
        "charts": charts,
        "sentences": [s.sentence for s in series],
        "notes": list(enumerate(notes, start=1)),
        "rows": _rows(visit, series, measures),
        "is_cut": is_cut,
        "most": _MOST,
    }
    return Page("trend.html", context, Text("Trend", "趋势"))


def _notes(history: histories.History, project: str, systems: Sequence[str], since: datetime | None) -> list[Event]:
    """What people wrote, and baselines of these systems; what was written for several stands there once."""
    found = history.events(kind=("note", "baseline"), project=project, since=since, newest_first=True, limit=_LISTED)
    mine = [e for e in found if e.kind == "note" or e.data.get("system") in (None, *systems)]
    return list({(e.at, e.kind, e.text): e for e in reversed(mine)}.values())


def _latest(history: histories.History, project: str, systems: Sequence[str]) -> list[Entry]:
    """The newest entries of each system: what can be chosen."""
    if not systems:
        return [e for e in history.entries(project=project, newest_first=True, limit=12) if e.summaries]
    return [
        e
        for s in systems
        for e in history.entries(project=project, system=s, newest_first=True, limit=3)
        if e.summaries
    ]


def _trend(
    visit: Visit, project: str, systems: Sequence[str], measures: Sequence[str], attribute: str, since: datetime | None
) -> Trend:
    return trend_of(
        visit.history,
        project=project,
        system=systems,
        measures=list(measures),
        slices=[attribute] if attribute else [],
        since=since,
        paired=_LISTED,
    )


def _rows(visit: Visit, series: Sequence[TrendSeries], measures: Sequence[str]) -> list[Any]:
    """The newest points as a table: an entry each, with the change of the first measure."""
    if not series:
        return []
    by_entry: dict[str, dict[str, tuple[TrendSeries, TrendPoint]]] = {}
    for s in series:
        for p in s.points[-_LISTED:]:
            by_entry.setdefault(p.entry, {})[s.measure] = (s, p)
    newest = sorted(by_entry, key=lambda key: (next(iter(by_entry[key].values()))[1].at, key), reverse=True)[:_LISTED]
    known = _entries(visit.history, series)
    out = []
    for key in newest:
        mine = by_entry[key]
        entry = known.get(key) or visit.history[key]
        first = mine.get(measures[0])
        said = None if first is None else change_of(first[1], first[0].direction)
        numbers = [None if m not in mine else entry.summary(m, mine[m][0].attribute, mine[m][0].part) for m in measures]
        out.append((entry, when(entry), [None if s is None else shown(s) for s in numbers], said))
    return out


def _entries(history: histories.History, series: Sequence[TrendSeries]) -> dict[str, Entry]:
    """The newest entries of the systems, by id."""
    systems = dict.fromkeys((s.project, s.system) for s in series)
    found = (history.entries(project=p, system=s, newest_first=True, limit=2 * _LISTED) for p, s in systems)
    return {e.id: e for entries in found for e in entries}


def _chart(series: Sequence[TrendSeries], measure: str, attribute: str, part: str, remarks: Sequence[Remark]) -> Chart:
    several = len({s.dataset for s in series}) > 1
    lines = [Line(f"{s.system} · {s.dataset}" if several else s.system, moments(s)) for s in series]
    of = f"{measure} · {attribute}={part}" if attribute else measure
    n = sum(len(line.moments) for line in lines)
    base = series[0].base if len(series) == 1 else None
    return timeline(
        Text(f"{of} over time", f"{of} 的走势"),
        Text(f"{n} points of {len(lines)} series", f"{len(lines)} 条序列的 {n} 个点"),
        lines,
        remarks=remarks,
        reference=None if base is None else Moment(time_of(base.at), base.value),
        y_label=measure,
    )


def _since(visit: Visit, project: str, systems: Sequence[str]) -> tuple[datetime | None, bool]:
    """From when on, and whether that is because there is too much to draw."""
    if visit.asked("since"):
        return time_of(visit.asked("since")), False
    window = visit.asked("window")
    if window not in WINDOWS:
        raise ParameterError(
            Text(
                f"`window` must be one of 4w, 12w, 52w, got {show(window)}.",
                f"`window` 必须是 4w、12w、52w 之一，实际为 {show(window)}。",
            )
        )
    first = None
    if window and (latest := visit.history.entries(project=project, newest_first=True, limit=1)):
        first = earlier(latest[0].at, timedelta(weeks=int(window[:-1])))
    for system in systems:
        beyond = visit.history.entries(project=project, system=system, newest_first=True, limit=1, skip=_MOST)
        if beyond and (first is None or beyond[0].at > first):
            return beyond[0].at + timedelta(microseconds=1), True
    return first, False


def annotated(visit: Visit) -> Away:
    """A note on a date."""
    visit.refuse_reading_only()
    text, project = visit.asked("text"), visit.asked("project")
    if not text:
        raise ParameterError(Text("write what happened.", "请写明发生了什么。"))
    at = time_of(visit.asked("at")) if visit.asked("at") else None
    visit.history.event("note", text, project=project, who=visit.who or visit.asked("who"), at=at)
    return Away(link("/trend", project=project, system=visit.asked("system"), measure=visit.asked("measure")))
