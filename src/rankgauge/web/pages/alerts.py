"""What rang, what became of it, and who said so."""

from __future__ import annotations

from typing import Any

from rankgauge._numbers import signed
from rankgauge._text import Text
from rankgauge.errors import ParameterError
from rankgauge.history.alerts import STATES, Alerts
from rankgauge.history.judging import acknowledge
from rankgauge.web.pages.standing import State, current_alerts, said_of
from rankgauge.web.visit import Away, Page, Part, Visit, link

__all__ = ["acknowledged", "alerts"]

_ON_A_PAGE = 50
_KINDS = ("alert", "acknowledged", "baseline", "delivered")
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
            current.append((name, f"{at:%Y-%m-%d %H:%M}", found, _items(found), len(found.of("ok"))))
    events = history.events(kind=_KINDS, project=project or None, newest_first=True, limit=_MOST)
    start = (number - 1) * _ON_A_PAGE
    some = events[start : start + _ON_A_PAGE]
    context: dict[str, Any] = {
        "current": current,
        "rows": [(e, f"{e.at:%Y-%m-%d %H:%M}", said_of(e)) for e in some],
        "part": Part(some, number, start + _ON_A_PAGE >= len(events), len(events)),
        "project": project,
        "projects": history.projects(),
        "words": {
            "alert": Text("alert", "告警"),
            "acknowledged": Text("acknowledged", "已确认"),
            "baseline": Text("new baseline", "新基线"),
            "delivered": Text("delivered", "已送达"),
        },
    }
    return Page("alerts.html", context, Text("Alerts", "告警"))


def _items(found: Alerts) -> list[Any]:
    """The worst first, each with the queries behind it and where it can be looked at."""
    order = list(STATES)
    items = sorted(found.items, key=lambda a: order.index(a.state))
    return [
        (
            a,
            State(a.state),
            [(q, signed(v), link("/query", query=q, entry=a.entry, measure=a.measure)) for q, v in a.queries],
            link("/compare", a=a.against, b=a.entry) if a.entry and a.against and a.entry != a.against else "",
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
