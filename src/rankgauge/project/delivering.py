"""Who is told what: everything that is new, once; what no channel took is kept in a file.

Each change of an incident is an event `alert` of the store, each message that a channel took an event `delivered`. So a
known alert is not told again until it changes, a channel that failed is told at the next run, and one that was told of
something is told when it has recovered.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any

from rankgauge._language import get_language
from rankgauge._text import Text, composed, in_language
from rankgauge.errors import RankgaugeError
from rankgauge.history.entry import Event
from rankgauge.history.history import History, time_text
from rankgauge.project.channels.digest import Digest, Sending
from rankgauge.project.channels.lines import append_line
from rankgauge.project.channels.posting import attempted
from rankgauge.project.channels.secrets import lacking
from rankgauge.project.file import Project
from rankgauge.project.incidents import FINE, OVER, REPORT, Incident
from rankgauge.project.record import Delivery
from rankgauge.project.tables import Channel

__all__ = ["News", "deliver", "noted", "sending", "unready"]

_GONE = Text(
    "the project has no such rule, system, dataset or report any more", "项目中已没有这条规则、系统、数据集或报告"
)
_MOMENT = timedelta(microseconds=1)
_LOOKED_AT = 20_000
"""Events that are looked at, the newest first."""


def sending(project: Project) -> Sending:
    """The world as it is."""
    return Sending(os.environ, time.time, time.sleep, project.folder)


def unready(project: Project) -> dict[str, str]:
    """Channels that could be told nothing as things are, and why, by name."""
    found = ((name, next(lacking(os.environ, c), None)) for name, c in project.tables.channels.items())
    return {name: composed("{} cannot be told: {}", "无法通知 {}：{}", name, why) for name, why in found if why}


@dataclass(frozen=True)
class _Known:
    """What the store remembers."""

    last: Mapping[str, Event]
    """The newest event of each incident."""
    delivered: frozenset[tuple[str, str]]
    """Channels and the events that they were told."""
    told: frozenset[tuple[str, str]]
    """Channels and the incidents that they were ever told of."""


@dataclass(frozen=True)
class News:
    """How everything stands now, and what the store remembers of it."""

    now: Mapping[str, Incident]
    events: Mapping[str, Event]
    """The newest event of each incident, what was noted just now with it."""
    known: _Known


def noted(project: str, history: History, found: Sequence[Incident], at: datetime, *, is_whole: bool = True) -> News:
    """Writes down what changed. Of a run of everything (`is_whole`), what it does not have any more is over as well."""
    known = _known(history, project)
    now = {i.key: i for i in _with_times(found, known, at)}
    if is_whole:
        now |= {i.key: i for i in _gone(now, known, at)}
    events = dict(known.last)
    for key, i in now.items():
        if (event := _news(history, project, i, known.last.get(key), at)) is not None:
            events[key] = event
    return News(now, events, known)


def deliver(project: Project, history: History, news: News, at: datetime, how: Sending | None = None) -> list[Delivery]:
    """Tells every channel what it does not know yet."""
    out = []
    for name, channel in project.tables.channels.items():
        if due := list(_due(news, name)):
            out.append(_told(project, history, name, channel, due, at, how or sending(project)))
    return out


def _known(history: History, project: str) -> _Known:
    last: dict[str, Event] = {}
    keys: dict[str, str] = {}
    delivered = set()
    for e in history.events(kind=("alert", "delivered"), project=project, newest_first=True, limit=_LOOKED_AT):
        if e.kind == "alert" and (key := str(e.data.get("key", ""))):
            last.setdefault(key, e)
            keys[e.id] = key
        elif e.kind == "delivered":
            delivered.add((str(e.data.get("channel", "")), str(e.data.get("alert", ""))))
    told = {(channel, keys[event]) for channel, event in delivered if event in keys}
    return _Known(last, frozenset(delivered), frozenset(told))


def _with_times(found: Sequence[Incident], known: _Known, at: datetime) -> Iterator[Incident]:
    """Incidents with since when they are so; what was not fine and is now has recovered."""
    for i in found:
        event = known.last.get(i.key)
        before = "" if event is None else str(event.data.get("state", ""))
        if i.state in FINE:
            if event is not None and before not in FINE:
                yield replace(i, state="recovered", since=time_text(at), change="recovered")
            elif event is not None and before == "recovered" and i.state != "recovered":
                yield replace(i, state="recovered", since=str(event.data.get("since", "")), change="recovered")
            continue
        since = i.since
        if not since and event is not None and before == i.state:
            since = str(event.data.get("since", ""))
        yield replace(i, since=since or time_text(at))


def _gone(now: Mapping[str, Incident], known: _Known, at: datetime) -> Iterator[Incident]:
    """What was not fine when its rule, its system or its dataset was taken out of the project."""
    for key, event in known.last.items():
        state = str(event.data.get("state", ""))
        if key not in now and (state == "gone" or state not in FINE):
            since = str(event.data.get("since", "")) if state == "gone" else time_text(at)
            subject = REPORT if key == "report" else str(event.data.get("subject", ""))
            yield Incident(key, "gone", subject, _GONE, since=since, change="gone")


def _news(history: History, project: str, i: Incident, last: Event | None, at: datetime) -> Event | None:
    """The event of a change; None where nothing is new.

    It is never dated before the one that it follows: clocks are set back, and the newest event says how things stand.
    """
    if last is not None and last.data.get("change") == i.change:
        return None
    if last is None and i.state == "recovered":
        return None  # nobody heard of it before
    return history.event(
        "alert",
        in_language(i.sentence, "en"),
        entry=i.entry,
        project=project,
        at=at if last is None else max(at, last.at + _MOMENT),
        data={
            "key": i.key,
            "state": i.state,
            "since": i.since,
            "change": i.change,
            "subject": i.subject,
            "zh": in_language(i.sentence, "zh"),
        },
    )


def _due(news: News, channel: str) -> Iterator[tuple[Incident, Event]]:
    """What a channel has not been told; that something is over only where it was told of it before."""
    for key, i in news.now.items():
        event = news.events.get(key)
        if event is None or (channel, event.id) in news.known.delivered:
            continue
        if i.state not in OVER or (channel, key) in news.known.told:
            yield i, event


def _told(
    project: Project,
    history: History,
    name: str,
    channel: Channel,
    due: Sequence[tuple[Incident, Event]],
    at: datetime,
    how: Sending,
) -> Delivery:
    language = channel.language or project.tables.language or get_language()
    digest = Digest(project.name, time_text(at), [i for i, _ in due], project.tables.dashboard, language)
    module: Any = import_module(f"rankgauge.project.channels.{channel.kind}")
    try:
        attempted(lambda: module.send(channel, digest, how), channel, how.sleep)
    except RankgaugeError as e:
        reason = _kept(project, name, digest, e.text)
        return Delivery(name, len(due), "failed", reason)
    except Exception as e:  # a message is not lost because nobody foresaw something; its words may hold a secret
        reason = _kept(project, name, digest, Text(f"{type(e).__name__}.", f"{type(e).__name__}。"))
        return Delivery(name, len(due), "failed", reason)
    for _, event in due:
        history.event("delivered", name, project=project.name, at=at, data={"channel": name, "alert": event.id})
    return Delivery(name, len(due), "delivered")


def _kept(project: Project, name: str, digest: Digest, reason: str) -> str:
    """Keeps what was not taken; the reason, and where that failed as well, that one too."""
    told = {"channel": name, "reason": in_language(reason, "en"), **digest.to_dict()}
    try:
        append_line(project.folder / project.tables.undelivered, told)
    except RankgaugeError as e:
        return composed("{} {}", "{}{}", reason, e.text)
    kept = Text(f"kept in {project.tables.undelivered}.", f"已存入 {project.tables.undelivered}。")
    return composed("{} The message is {}", "{}消息{}", reason, kept)
