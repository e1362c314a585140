"""Single queries: which moved, and how each did over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankgauge._numbers import number, short, signed
from rankgauge._text import Text
from rankgauge.errors import InputError, ParameterError
from rankgauge.history.entry import Entry, ListedItem, QueryValue
from rankgauge.history.moved import Moved, moved
from rankgauge.history.series import definition_of
from rankgauge.reporting.figures.comparison import grade_level
from rankgauge.reporting.figures.timeline import Line, Moment, timeline
from rankgauge.web.pages.series import when
from rankgauge.web.visit import Page, Part, Visit, link

__all__ = ["queries", "query"]

_ON_A_PAGE = 50
_SORTS = ("change", "loss", "gain", "value", "query")
_LISTS = 3
_ANEW = Text("other judgements or policy", "标注或约定不同")


def queries(visit: Visit) -> Page:
    """The queries of an entry against an earlier one: searched, sorted by change, paged."""
    history = visit.history
    entry, against = _pair(visit)
    if entry is None:
        return Page("queries.html", {"entry": None, "projects": history.projects()}, Text("Queries", "查询"))
    labels = [s.measure for s in entry.summaries if s.is_of_all]
    measure = visit.asked("measure") or next(iter(labels), "")
    sort, search, page = visit.asked("sort") or "change", visit.asked("search"), visit.whole("page", 1)
    if sort not in _SORTS:
        raise ParameterError(
            Text(f"`sort` must be one of {', '.join(_SORTS)}.", f"`sort` 必须是 {'、'.join(_SORTS)} 之一。")
        )
    found = moved(history, entry.id, None if against is None else against.id, measure)
    words = search.lower().split()
    kept = [m for m in found if all(w in m.query.lower() for w in words)]
    better = _direction(entry, measure)
    kept.sort(key=_keys(sort, better))
    start = (page - 1) * _ON_A_PAGE
    some = kept[start : start + _ON_A_PAGE]
    rows = [
        (m.query, _shown(m), _tone(m, better), link("/query", query=m.query, entry=entry.id, measure=measure))
        for m in some
    ]
    others = history.entries(
        project=entry.project,
        system=entry.system,
        dataset=entry.dataset,
        kind=entry.kind,
        newest_first=True,
        limit=50,
    )
    context: dict[str, Any] = {
        "entry": entry,
        "when": when(entry),
        "against": against,
        "against_when": None if against is None else when(against),
        "labels": labels,
        "measure": measure,
        "sort": sort,
        "search": search,
        "rows": rows,
        "part": Part(rows, page, start + _ON_A_PAGE >= len(kept), len(kept)),
        "n": len(found),
        "others": [(e, when(e)) for e in others],
        "projects": history.projects(),
    }
    return Page("queries.html", context, Text("Queries", "查询"))


def _pair(visit: Visit) -> tuple[Entry | None, Entry | None]:
    """The entry that was asked for, or the latest with queries, and the one before it unless another was named."""
    history, key = visit.history, visit.asked("entry")
    if key:
        entry = history[key]
    else:
        project, system = visit.asked("project") or None, visit.asked("system") or None
        found = history.entries(project=project, system=system, kind="rankings", newest_first=True, limit=1)
        if not found:
            return None, None
        entry = found[0]
    if visit.asked("against"):
        return entry, history[visit.asked("against")]
    return entry, history.neighbours(entry.id)[0]


def _direction(entry: Entry, measure: str) -> int:
    """1 where more is better, -1 where less is, 0 where there is a value to come near to or nobody knows."""
    s = entry.summary(measure)
    definition = None if s is None else definition_of(s.definition, entry.kind)
    if definition is None or getattr(definition, "ideal", None) is not None:
        return 0
    return int(definition.direction)


def _keys(sort: str, better: int) -> Any:
    """What orders the rows; what is not known comes last."""
    sign = better or 1
    keys = {
        "change": lambda m: (m.change is None, -abs(m.change or 0.0), m.query),
        "loss": lambda m: (m.change is None, sign * (m.change or 0.0), m.query),
        "gain": lambda m: (m.change is None, -sign * (m.change or 0.0), m.query),
        "value": lambda m: (m.after is None, m.after or 0.0, m.query),
        "query": lambda m: (m.query,),
    }
    return keys[sort]


def _shown(m: Moved) -> tuple[str, str, str]:
    change = "–" if m.change is None else signed(m.change)
    return number(m.before), number(m.after), change


def _tone(m: Moved, better: int) -> str:
    if not m.change or not better:
        return ""
    return "pos" if m.change * better > 0 else "neg"


def query(visit: Visit) -> Page:
    """One query: its value in every evaluation of the system, and what was listed for it."""
    history = visit.history
    name = visit.request.query_params.get("query", "")
    key = visit.asked("entry")
    entry = history[key] if key else None
    project = entry.project if entry is not None else visit.asked("project") or None
    system = entry.system if entry is not None else visit.asked("system") or None
    if not name or project is None or system is None:
        raise InputError(Text("a query, its project and its system are needed.", "需要查询、项目和系统。"))
    labels = [s.measure for s in entry.summaries if s.is_of_all] if entry is not None else []
    measure = visit.asked("measure") or next(iter(labels), "")
    dataset = entry.dataset if entry is not None else visit.asked("dataset") or None
    points = history.query_history(name, measure, project=project, system=system, dataset=dataset)
    before = [None, *(p.entry for p in points)]
    line = Line(
        system,
        [
            Moment(
                p.entry.at,
                p.value,
                tip=f"{when(p.entry)}: {number(p.value)}",
                href=link(f"/entries/{p.entry.id}"),
                anew=_ANEW if last is not None and last.contract != p.entry.contract else "",
            )
            for last, p in zip(before, points, strict=False)
        ],
    )
    chart = timeline(
        Text(f"{measure} of query {name} in {system}", f"查询 {name} 在 {system} 中的 {measure}"),
        Text(f"{len(points)} evaluations", f"{len(points)} 次评测"),
        [line],
        y_label=measure,
    )
    listed = [p for p in reversed(points) if p.results][:_LISTS]
    context = {
        "query": name,
        "project": project,
        "system": system,
        "measure": measure,
        "labels": labels,
        "chart": chart,
        "rows": [(p.entry, when(p.entry), number(p.value)) for p in reversed(points[-_ON_A_PAGE:])],
        "n": len(points),
        "lists": _lists(list(reversed(listed))),
        "entry": entry,
    }
    return Page("query.html", context, name)


@dataclass(frozen=True)
class Listed:
    """A result as a list shows it: its grade as a colour, and where it stood in the list before."""

    item: str
    grade: str
    kind: str
    move: str = ""
    tone: str = ""


def _lists(points: Sequence[QueryValue]) -> list[tuple[Entry, str, str, list[Listed]]]:
    """Lists from the oldest to the newest, side by side."""
    top = max((x.grade or 0 for p in points for x in p.results), default=0)
    out = []
    before: dict[str, int] = {}
    for p in points:
        ranks = {x.item: i for i, x in enumerate(p.results, start=1)}
        items = [_listed(x, rank, before, top) for rank, x in enumerate(p.results, start=1)]
        out.append((p.entry, when(p.entry), number(p.value), items))
        before = ranks
    return out


def _listed(x: ListedItem, rank: int, before: Mapping[str, int], top: float) -> Listed:
    move = tone = ""
    if before:
        then = before.get(x.item)
        if then is None:
            move = Text("new", "新")
        elif then != rank:
            move, tone = (f"↑{then - rank}", "pos") if then > rank else (f"↓{rank - then}", "neg")
    if x.grade is None:
        return Listed(x.item, "?", "un", move, tone)
    return Listed(x.item, short(x.grade), f"g{grade_level(x.grade, top or 1)}", move, tone)
