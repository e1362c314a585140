"""The list of entries, and one of them as the report shows it."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.errors import ParameterError
from rankgauge.reporting.page.writing import drawn
from rankgauge.web.drawing import served
from rankgauge.web.pages.series import headline, shown, when
from rankgauge.web.visit import Away, Page, Part, Visit, link

__all__ = ["entries", "entry", "tagged"]

_ON_A_PAGE = 50
_FILTERS = ("project", "system", "dataset", "kind")


def entries(visit: Visit) -> Page:
    """Newest first; two of them can be compared."""
    number = visit.whole("page", 1)
    asked = {name: visit.asked(name) or None for name in _FILTERS}
    history = visit.history
    chosen = {**asked, "since": visit.asked("since") or None, "until": visit.asked("until") or None}
    start = (number - 1) * _ON_A_PAGE
    found = history.entries(**chosen, newest_first=True, limit=_ON_A_PAGE, skip=start)  # type: ignore[arg-type]
    is_last = start + _ON_A_PAGE >= history.count(**chosen)  # type: ignore[arg-type]
    rows = []
    for e in found:
        measure = headline(e)
        s = e.summary(measure) if measure else None
        rows.append((e, when(e), None if s is None else shown(s)))
    context = {
        "part": Part(rows, number, is_last),
        "asked": {name: visit.asked(name) for name in (*_FILTERS, "since", "until")},
        "projects": history.projects(),
        "systems": history.systems(asked["project"]),
        "n": len(history),
    }
    return Page("entries.html", context, Text("Entries", "记录"))


def entry(visit: Visit) -> Page:
    """What the report says of it, below where it comes from."""
    found = visit.history[visit.request.path_params["id"]]
    about = drawn(found.record, language=visit.language, title=f"{found.system} · {when(found)}")
    screens = [(s.id, s.name, served(str(s.html))) for s in about.screens]
    before, after = visit.history.neighbours(found.id)
    context = {
        "entry": found,
        "when": when(found),
        "before": before,
        "after": after,
        "events": visit.history.events(entry=found.id, newest_first=True, limit=50),
        "trend": link("/trend", project=found.project, system=found.system),
        "queries": link("/queries", entry=found.id),
    }
    return Page("entry.html", context, f"{found.system} · {when(found)}", screens=screens)


def tagged(visit: Visit) -> Away:
    """A name to find an entry by, or a note beside it."""
    visit.refuse_reading_only()
    found = visit.history[visit.asked("entry")]
    tag, note = visit.asked("tag"), visit.asked("note")
    if not (tag or note):
        raise ParameterError(Text("write a tag or a note.", "请写一个标签或备注。"))
    who = visit.who or visit.asked("who")
    if tag:
        visit.history.tag(found.id, tag, who=who)
    if note:
        visit.history.event("note", note, entry=found.id, project=found.project, who=who)
    return Away(link(f"/entries/{found.id}"))
