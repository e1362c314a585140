"""Entries, events and lists as plain data, as the HTTP interface and exports have them; and read back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from math import isfinite, nan
from typing import TYPE_CHECKING, Any

from rankgauge.history.entry import Entry, Event, ListedItem, Summary
from rankgauge.history.moments import time_of

if TYPE_CHECKING:
    from rankgauge.history.history import History

__all__ = ["entry_from", "entry_told", "event_from", "event_told", "lists_from", "lists_told"]

_ENTRY = [f.name for f in fields(Entry) if f.name != "history"]
_EVENT = [f.name for f in fields(Event)]
_SUMMARY = [f.name for f in fields(Summary)]
_NUMBERS = ("value", "low", "high", "error")

Lists = Mapping[str, Sequence[ListedItem]]


def entry_told(e: Entry) -> dict[str, Any]:
    """An entry without its record; a number that is none is None."""
    told = {name: getattr(e, name) for name in _ENTRY}
    about = {"at": e.at.isoformat(), "labels": dict(e.labels), "contract": dict(e.contract)}
    return {**told, **about, "summaries": [_summary(s) for s in e.summaries]}


def entry_from(told: Mapping[str, Any], history: History) -> Entry:
    about = {name: told[name] for name in _ENTRY}
    summaries = [_summary_from(s) for s in told["summaries"]]
    return Entry(**{**about, "at": time_of(told["at"]), "summaries": summaries}, history=history)


def _summary(s: Summary) -> dict[str, Any]:
    numbers = {name: float(x) if isfinite(x := getattr(s, name)) else None for name in _NUMBERS}
    return {name: numbers.get(name, getattr(s, name)) for name in _SUMMARY} | numbers


def _summary_from(told: Mapping[str, Any]) -> Summary:
    numbers = {name: nan if told[name] is None else float(told[name]) for name in _NUMBERS}
    return Summary(**{**{name: told[name] for name in _SUMMARY}, **numbers})


def event_told(e: Event) -> dict[str, Any]:
    return {name: getattr(e, name) for name in _EVENT} | {"at": e.at.isoformat(), "data": dict(e.data)}


def event_from(told: Mapping[str, Any]) -> Event:
    return Event(**{**{name: told[name] for name in _EVENT}, "at": time_of(told["at"])})


def lists_told(lists: Lists) -> dict[str, list[list[Any]]]:
    return {query: [[x.item, x.grade] for x in items] for query, items in lists.items()}


def lists_from(told: Mapping[str, Any]) -> dict[str, tuple[ListedItem, ...]]:
    return {query: tuple(ListedItem(item, grade) for item, grade in items) for query, items in told.items()}
