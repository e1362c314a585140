"""The first screen: every project and system, how it stands, where it came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rankgauge._text import Text
from rankgauge.errors import RankgaugeError
from rankgauge.history.damage import passed_over
from rankgauge.history.entry import Entry
from rankgauge.history.trend import TrendSeries, trend
from rankgauge.reporting.charts.svg import Chart
from rankgauge.reporting.figures.timeline import spark
from rankgauge.web.pages.series import Change, Shown, change_of, headline, moments, shown, when
from rankgauge.web.pages.standing import State, States, states_of
from rankgauge.web.visit import Page, Part, Visit, link

__all__ = ["overview"]

_ON_A_PAGE = 20
_POINTS = 24
_MEASURES = 4


@dataclass(frozen=True)
class Row:
    """A system of a project."""

    project: str
    system: str
    name: str
    """The system, and what it was measured on where that is not the same for all."""
    entry: Entry
    when: str
    numbers: list[Shown]
    chart: Chart | None
    change: Change | None
    state: State
    trend: str
    """Where it goes on."""


def overview(visit: Visit) -> Page:
    """All systems, by project."""
    chosen, number = visit.asked("project"), visit.whole("page", 1)
    projects = visit.history.projects()
    pairs = [(p, s, d) for p in projects if chosen in ("", p) for s, d in visit.history.measured(p) if s]
    several = {p for p in projects if len({d for of, _, d in pairs if of == p}) > 1}
    start = (number - 1) * _ON_A_PAGE
    some = pairs[start : start + _ON_A_PAGE]
    states = states_of(visit.site, list(dict.fromkeys(p for p, _, _ in some)))
    rows = []
    for p, s, d in some:
        name = f"{s} · {d}" if d and p in several else s
        try:
            row = _row(visit, p, s, d, name, states)
        except RankgaugeError as e:
            passed_over(f"{p} {name}", e)
            continue
        if row is not None:
            rows.append(row)
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.project, []).append(row)
    context: dict[str, Any] = {
        "groups": groups,
        "projects": projects,
        "chosen": chosen,
        "part": Part(rows, number, len(pairs) <= start + _ON_A_PAGE, len(pairs)),
        "n": len(visit.history),
        "place": visit.history.place,
    }
    return Page("overview.html", context, Text("Overview", "概览"))


def _row(visit: Visit, project: str, system: str, dataset: str, name: str, states: States) -> Row | None:
    found = visit.history.entries(project=project, system=system, dataset=dataset, newest_first=True, limit=_POINTS)
    if not found:
        return None
    latest = found[0]
    measured = next((e for e in found if headline(e)), latest)
    measure = headline(measured)
    line = _line(visit, measured, found[-1], measure) if measure else None
    return Row(
        project,
        system,
        name,
        latest,
        when(latest),
        [shown(s) for s in measured.summaries if s.is_of_all][:_MEASURES],
        None if line is None else spark(moments(line, linked=False), _of(measure, name)),
        None if line is None else change_of(line.newest, line.direction),
        states.of(project, system, dataset, found),
        link("/trend", project=project, system=system, measure=measure),
    )


def _of(measure: str, system: str) -> Text:
    return Text(f"{measure} of {system} over time", f"{system} 的 {measure} 走势")


def _line(visit: Visit, latest: Entry, oldest: Entry, measure: str) -> TrendSeries | None:
    """The headline over the latest entries; only the newest change is worked out."""
    found = trend(
        visit.history,
        project=latest.project,
        system=latest.system,
        dataset=latest.dataset,
        measures=[measure],
        since=oldest.at,
        paired=1,
    )
    return next(iter(found.series), None)
