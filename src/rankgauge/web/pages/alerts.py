"""What rang, what became of it, and who said so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from rankgauge._numbers import signed
from rankgauge._text import Text, composed
from rankgauge.errors import ParameterError
from rankgauge.history.alerts import STATES, Alert, Alerts
from rankgauge.history.entry import Event
from rankgauge.history.history import History
from rankgauge.history.judging import acknowledge
from rankgauge.web.pages.standing import State, current_alerts, said_of
from rankgauge.web.visit import Away, Page, Part, Visit, link

__all__ = ["acknowledged", "alerts"]

_ON_A_PAGE = 50
_KINDS = ("alert", "acknowledged", "baseline")
_MOST = 5000


def alerts(visit: Visit) -> Page:
    """How everything that is watched stands now, and what happened, newest first."""
    history = visit.history
    project, number = visit.asked("project"), visit.whole("page", 1)
    current = []
    for name in history.projects():
        known = current_alerts(visit.site, name) if project in ("", name) else None
        if known is not None:
            found, at = known
            seen = _seen(history, name)
            current.append((name, f"{at:%Y-%m-%d %H:%M}", found, _items(found, at, seen), len(found.of("ok"))))
    events = history.events(kind=_KINDS, project=project or None, newest_first=True, limit=_MOST)
    start = (number - 1) * _ON_A_PAGE
    some = events[start : start + _ON_A_PAGE]
    context: dict[str, Any] = {
        "current": current,
        "rows": [(e, f"{e.at:%Y-%m-%d %H:%M}", _what(e), _of_what(e), said_of(e)) for e in some],
        "part": Part(some, number, start + _ON_A_PAGE >= len(events), len(events)),
        "project": project,
        "projects": history.projects(),
    }
    return Page("alerts.html", context, Text("Alerts", "告警"))


_WORDS = {"acknowledged": Text("acknowledged", "已确认"), "baseline": Text("new baseline", "新基线")}


def _what(e: Event) -> str:
    """What became of something, in the word of its state."""
    state = State(str(e.data.get("state", "") or "alert"))
    return _WORDS.get(e.kind, state.text)


def _of_what(e: Event) -> str:
    """The system, and what it was measured on where that is known."""
    subject = e.data.get("subject") or " · ".join(str(e.data[n]) for n in ("system", "dataset") if e.data.get(n))
    return subject if isinstance(subject, str) else ""


def _seen(history: History, project: str) -> dict[str, list[Event]]:
    """What people said of entries, the last word first."""
    out: dict[str, list[Event]] = {}
    told = ("acknowledged", "baseline")
    for e in history.events(kind=told, project=project, newest_first=True, limit=_MOST):
        out.setdefault(e.entry, []).append(e)
    return out


def _said_by(a: Alert, at: datetime, seen: Mapping[str, Sequence[Event]]) -> str:
    """Who has seen an alert, and what follows from it."""
    for e in seen.get(a.entry, ()):
        when = f"{e.at:%Y-%m-%d %H:%M}"
        if e.kind == "baseline":
            later = "" if e.at <= at else Text(" It counts from the next run on.", "下次运行起生效。")
            return composed(
                "Accepted as the new baseline by {}, {}: {}.{}",
                "{} 于 {} 接受为新基线：{}。{}",
                e.who,
                when,
                e.text,
                later,
            )
        if e.data.get("rule", "") in ("", a.rule):
            return composed("Acknowledged by {}, {}: {}.", "{} 于 {} 确认：{}。", e.who, when, e.text)
    return ""


def _items(found: Alerts, at: datetime, seen: Mapping[str, Sequence[Event]]) -> list[Any]:
    """The worst first, each with the queries behind it, where it can be looked at, and who has seen it."""
    order = list(STATES)
    items = sorted(found.items, key=lambda a: order.index(a.state))
    return [
        (
            a,
            State(a.state),
            [(q, signed(v), link("/query", query=q, entry=a.entry, measure=a.measure)) for q, v in a.queries],
            link("/compare", a=a.against, b=a.entry) if a.entry and a.against and a.entry != a.against else "",
            _said_by(a, at, seen) if a.state != "ok" else "",
        )
        for a in items
    ]


def acknowledged(visit: Visit) -> Away:
    """A change that was seen, by whom and why; where it is accepted, the entry becomes the baseline."""
    visit.refuse_reading_only()
    text, who = visit.asked("text"), visit.who or visit.asked("who")
    if not text or not who:
        raise ParameterError(Text("write why, and your name.", "请写明原因和你的名字。"))
    entry = visit.history[visit.asked("entry")]
    if visit.asked("accept"):
        acknowledge(visit.history, entry, text, who, since=visit.asked("since"))
    else:
        data = {"system": entry.system, "rule": visit.asked("rule")}
        visit.history.event("acknowledged", text, entry=entry.id, project=entry.project, who=who, data=data)
    return Away(link("/alerts", project=entry.project))
