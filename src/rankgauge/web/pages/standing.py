"""How a system stands by the rules that watch it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankgauge._text import Text
from rankgauge.history.alerts import STATES
from rankgauge.history.entry import Entry
from rankgauge.history.history import History

__all__ = ["State", "States", "states_of"]

_ORDER = tuple(STATES)
_WORDS = {
    **STATES,
    "fail": Text("gate failed", "门禁未通过"),
    "pass": Text("gate passed", "门禁通过"),
    "": Text("not watched", "未监控"),
}
_TONES = {
    **dict.fromkeys(("alert", "fail"), "neg"),
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
    """The states of all systems, by project and system."""

    watched: Mapping[tuple[str, str], State]

    def of(self, project: str, system: str, latest: Entry) -> State:
        """By the rules that watch it; else by the gate that its latest entry passed or not."""
        return self.watched.get((project, system)) or State(latest.state)


def states_of(history: History) -> States:
    """As the newest judgement of each project has them."""
    found: dict[tuple[str, str], State] = {}
    for project in history.projects():
        for entry in history.entries(project=project, kind="alerts", newest_first=True, limit=1):
            for item in _items(entry):
                key = (project, str(item.system))
                mine = State(item.state, item.sentence, item.since)
                if key not in found or _place(mine) < _place(found[key]):
                    found[key] = mine
    return States(found)


def _items(entry: Entry) -> Sequence[Any]:
    items: Sequence[Any] = getattr(entry.record, "items", ())
    return items


def _place(state: State) -> int:
    return _ORDER.index(state.word) if state.word in _ORDER else len(_ORDER)
