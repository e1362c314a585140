"""How a system stands by the rules that watch it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from rankgauge._text import Text
from rankgauge.errors import RankgaugeError
from rankgauge.history.alerts import STATES, Alerts
from rankgauge.history.damage import passed_over
from rankgauge.history.entry import Entry, Event
from rankgauge.history.history import History
from rankgauge.history.series import DECISIONS

if TYPE_CHECKING:
    from rankgauge.web.visit import Site

__all__ = ["State", "States", "current_alerts", "said_of", "states_of"]

_ORDER = ("broken", "fail", *STATES)
_EVENTS = 500
_WORDS = {
    **STATES,
    "broken": Text("broken input", "输入有问题"),
    "fail": Text("gate failed", "门禁未通过"),
    "pass": Text("gate passed", "门禁通过"),
    "": Text("not watched", "未监控"),
}
_TONES = {
    **dict.fromkeys(("alert", "fail", "broken"), "neg"),
    **dict.fromkeys(("watch", "inconclusive", "no_data"), "warn"),
    **dict.fromkeys(("ok", "pass", "recovered"), "pos"),
}


@dataclass(frozen=True)
class State:
    """A word, its colour, and where it is explained."""

    word: str
    sentence: str = ""
    since: str = ""

    @property
    def text(self) -> str:
        return _WORDS.get(self.word, self.word)

    @property
    def tone(self) -> str:
        return _TONES.get(self.word, "")


@dataclass(frozen=True)
class States:
    """The states of all systems, by project, system and dataset."""

    watched: Mapping[tuple[str, str, str], State]

    def of(self, project: str, system: str, dataset: str, newest_first: Sequence[Entry]) -> State:
        """The worse of what the rules that watch it say, and of the gate that it came to last."""
        decided = next((State(e.state) for e in newest_first if e.kind in DECISIONS), None)
        told = [s for s in (self.watched.get((project, system, dataset)), decided) if s is not None]
        return min(told, key=_place, default=State(""))


def current_alerts(site: Site, project: str) -> tuple[Alerts, datetime] | None:
    """How everything that is watched in a project stands, and when that was found out.

    By the rules of the project file, where the dashboard was given one; else as it was stored last.
    """
    rules = site.rules.get(project)
    if rules is not None:
        return site.judged.of(site.history, project, rules)
    for entry in site.history.entries(project=project, kind="alerts", newest_first=True, limit=1):
        if isinstance(found := entry.record, Alerts):
            return found, entry.at
    return None


def states_of(site: Site, projects: Sequence[str]) -> States:
    """The worst state of each system, by what watches it; where nothing does, by what was last told of it."""
    found: dict[tuple[str, str, str], State] = {}
    for project in projects:
        try:
            current = current_alerts(site, project)
        except RankgaugeError as e:
            passed_over(project, e)
            continue
        told = _of_alerts(current[0]) if current is not None else _of_events(site.history, project)
        for system, dataset, state in told:
            key = (project, system, dataset)
            if key not in found or _place(state) < _place(found[key]):
                found[key] = state
    return States(found)


def _of_alerts(found: Alerts) -> Iterator[tuple[str, str, State]]:
    for a in found.items:
        yield a.system, a.dataset, State(a.state, a.sentence, a.since)


def _of_events(history: History, project: str) -> Iterator[tuple[str, str, State]]:
    """The latest of each alert that was told: its key says of which system and dataset it is."""
    seen: set[str] = set()
    for e in history.events(kind="alert", project=project, newest_first=True, limit=_EVENTS):
        key = str(e.data.get("key", ""))
        parts = key.split("\t")
        if not key or key in seen:
            continue
        seen.add(key)
        if parts[0] == "gate" and len(parts) > 2:
            system, dataset = parts[2], parts[1]
        else:
            system, dataset = parts[4:6] if len(parts) > 5 else ("", "")
        yield system, dataset, State(str(e.data.get("state", "")), said_of(e), str(e.data.get("since", "")))


def said_of(event: Event) -> str:
    """The text of an event, in both languages where it has them."""
    zh = event.data.get("zh")
    return Text(event.text, zh) if isinstance(zh, str) and zh else event.text


def _place(state: State) -> int:
    return _ORDER.index(state.word) if state.word in _ORDER else len(_ORDER)
