"""Entries as points of a chart, and what tables say of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

from rankgauge._numbers import number, ranged
from rankgauge._text import Text
from rankgauge.history.entry import Entry, Summary
from rankgauge.measures.grammar import meanings
from rankgauge.reporting.figures.timeline import Moment
from rankgauge.web.visit import link

__all__ = ["Shown", "direction_of", "headline", "moments", "shown", "when"]


@dataclass(frozen=True)
class Shown:
    """A number of an entry as it is written."""

    measure: str
    value: str
    interval: str
    n: int


def when(entry: Entry) -> str:
    """The time of an entry."""
    return f"{entry.at:%Y-%m-%d %H:%M}"


def headline(entries: Sequence[Entry]) -> str:
    """The first measure of the latest entry that has one: what was asked for first matters most."""
    return next((s.measure for e in entries for s in e.summaries if s.is_of_all and not isnan(s.value)), "")


def shown(s: Summary) -> Shown:
    """As tables have it."""
    interval = ranged(s.low, s.high) if s.has_interval else ""
    return Shown(s.measure, number(s.value), interval, s.n)


def moments(
    entries: Sequence[Entry], measure: str, attribute: str = "", part: str = "", *, linked: bool = True
) -> list[Moment]:
    """The numbers of a measure, from the oldest to the newest; a change of what is measured breaks the line."""
    out: list[Moment] = []
    before: Entry | None = None
    for e in sorted(entries, key=lambda e: (e.at, e.id)):
        s = e.summary(measure, attribute, part)
        if s is None or isnan(s.value):
            continue
        anew = before is not None and (before.contract, before.dataset) != (e.contract, e.dataset)
        about = shown(s)
        words = f"{when(e)} · {e.system}: {s.measure} {about.value}" + (
            f" ({about.interval})" if about.interval else ""
        )
        if anew:
            words = Text(f"{words} · other queries, judgements or policy", f"{words} · 查询、标注或约定已改变")
        href = link(f"/entries/{e.id}") if linked else ""
        out.append(Moment(e.at, s.value, s.low, s.high, words, href, "", anew))
        before = e
    return out


def direction_of(measure: str) -> int:
    """1 where more is better, -1 where less is; 0 where neither can be said."""
    for found in meanings(measure):
        better = getattr(found, "higher_is_better", None)
        if better is not None and getattr(found, "ideal", None) is None:
            return 1 if better else -1
    return 0
