"""Measures over time."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import ParameterError
from rankgauge.history.entry import Entry
from rankgauge.history.history import time_of
from rankgauge.reporting.figures.timeline import Line, Remark, timeline
from rankgauge.web.pages.series import headline, moments, shown, when
from rankgauge.web.pages.standing import Change, change_of
from rankgauge.web.visit import Away, Page, Visit, link

__all__ = ["annotated", "trend"]

WINDOWS = {
    "": Text("all", "全部"),
    "4w": Text("4 weeks", "4 周"),
    "12w": Text("12 weeks", "12 周"),
    "52w": Text("a year", "一年"),
}
_MOST = 1000
"""Entries of one system that are drawn."""
_SYSTEMS = 6
_MEASURES = 6
_LISTED = 40


def trend(visit: Visit) -> Page:
    """Chosen measures of chosen systems, all of them or slices."""
    history = visit.history
    projects = history.projects()
    project = visit.asked("project") or (projects[0] if projects else "")
    known = history.systems(project) if project else []
    systems = [s for s in visit.every("system") if s in known][:_SYSTEMS] or known[:1]
    since = _since(visit, project)
    found = {
        s: history.entries(project=project, system=s, since=since, newest_first=True, limit=_MOST) for s in systems
    }
    every = [e for entries in found.values() for e in entries]
    labels = list(dict.fromkeys(s.measure for e in every[:50] for s in e.summaries if s.is_of_all))
    measures = [m for m in visit.every("measure") if m in labels][:_MEASURES]
    measures = measures or ([headline(every)] if every and headline(every) else [])
    slices = list(dict.fromkeys((s.attribute, s.part) for e in every[:50] for s in e.summaries if not s.is_of_all))
    attribute, _, part = visit.asked("slice").partition("=")
    if (attribute, part) not in slices:
        attribute = part = ""
    notes = history.events(kind=("note", "baseline"), project=project, newest_first=True, limit=_LISTED)
    remarks = [Remark(n.at, n.text) for n in reversed(notes)]
    charts = [_chart(found, m, attribute, part, remarks) for m in measures]
    latest = sorted(every, key=lambda e: (e.at, e.id), reverse=True)[:_LISTED]
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
        "notes": [(i + 1, n) for i, n in enumerate(reversed(notes))],
        "said": [],
        "rows": [
            (e, when(e), _numbers(e, measures, attribute, part), _change(visit, found[e.system], e, measures))
            for e in latest
        ],
        "n": len(every),
        "is_cut": any(len(entries) == _MOST for entries in found.values()),
    }
    return Page("trend.html", context, Text("Trend", "趋势"))


def _change(visit: Visit, newest_first: list[Entry], entry: Entry, measures: list[str]) -> Change | None:
    """Of the first measure, against the entry before."""
    place = newest_first.index(entry)
    return change_of(visit.history, newest_first[place : place + 2], measures[0]) if measures else None


def _numbers(entry: Entry, measures: list[str], attribute: str, part: str) -> list[Any]:
    return [None if (s := entry.summary(m, attribute, part)) is None else shown(s) for m in measures]


def _chart(found: dict[str, list[Entry]], measure: str, attribute: str, part: str, remarks: list[Remark]) -> Any:
    lines = [Line(s, moments(entries, measure, attribute, part)) for s, entries in found.items()]
    of = f"{measure} · {attribute}={part}" if attribute else measure
    n = sum(len(line.moments) for line in lines)
    summary = Text(f"{n} numbers of {len(lines)} systems", f"{len(lines)} 个系统的 {n} 个数值")
    return timeline(Text(f"{of} over time", f"{of} 的走势"), summary, lines, remarks=remarks, y_label=measure)


def _since(visit: Visit, project: str) -> Any:
    if visit.asked("since"):
        return time_of(visit.asked("since"))
    window = visit.asked("window")
    if window not in WINDOWS:
        raise ParameterError(
            Text(
                f"`window` must be one of 4w, 12w, 52w, got {show(window)}.",
                f"`window` 必须是 4w、12w、52w 之一，实际为 {show(window)}。",
            )
        )
    if not window:
        return None
    latest = visit.history.entries(project=project, newest_first=True, limit=1)
    return latest[0].at - timedelta(weeks=int(window[:-1])) if latest else None


def annotated(visit: Visit) -> Away:
    """A note on a date."""
    visit.refuse_reading_only()
    text, project = visit.asked("text"), visit.asked("project")
    if not text:
        raise ParameterError(Text("write what happened.", "请写明发生了什么。"))
    at = time_of(visit.asked("at")) if visit.asked("at") else None
    visit.history.event("note", text, project=project, who=visit.who or visit.asked("who"), at=at)
    return Away(link("/trend", project=project, system=visit.asked("system"), measure=visit.asked("measure")))
