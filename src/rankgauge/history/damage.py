"""Rows of a store as what they stand for; and where one is no longer that, an error that names it.

A file that was damaged, or changed by hand, holds anything. Who asks for one entry gets one clear error. Who asks for
many gets it as well, or does without: within `left_out` damaged ones are passed over and written down.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from math import nan
from typing import TYPE_CHECKING, Any, TypeVar

from rankgauge._show import LIMIT, cut, show
from rankgauge._text import Text, zh
from rankgauge.errors import InputError, ParameterError, RankgaugeError
from rankgauge.history.database import Row
from rankgauge.history.entry import Entry, Event, Summary
from rankgauge.history.moments import time_of

if TYPE_CHECKING:
    from rankgauge.history.history import History

__all__ = ["EVENT", "entry_read", "entry_text", "event_read", "left_out", "passed_over", "read_whole", "whole_ones"]

EVENT = "id, at, project, kind, entry, who, text, data"
_LEFT_OUT: ContextVar[dict[str, Text] | None] = ContextVar("left_out", default=None)
_NOT_THAT = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, EOFError)

T = TypeVar("T")


@contextmanager
def left_out() -> Iterator[dict[str, Text]]:
    """Until the end of the block damaged rows are passed over: which, by id, with what is wrong."""
    found: dict[str, Text] = {}
    token = _LEFT_OUT.set(found)
    try:
        yield found
    finally:
        _LEFT_OUT.reset(token)


@contextmanager
def read_whole(place: str, key: str, what: str = "entry") -> Iterator[None]:
    """What cannot be read back within the block is an error that names the entry."""
    try:
        yield
    except Exception as e:
        if not _is_damage(e):
            raise
        where = entry_text(place, key, what)
        is_missing = isinstance(e, LookupError)
        why = cut(f"{type(e).__name__}: {e}", LIMIT)
        en, zh = ("a part of it is missing", "缺少一部分") if is_missing else ("it cannot be read back", "无法读回")
        raise InputError(
            Text(
                f"{where} is damaged: {en} ({why}). Restore the store from a copy; `rankgauge history verify` finds "
                "everything that is damaged.",
                f"{where.zh} 已损坏：{zh}（{why}）。请用备份恢复；`rankgauge history verify` 会找出所有损坏。",
            )
        ) from e


def passed_over(key: str, error: RankgaugeError) -> None:
    """One of several cannot be shown: within `left_out` it is written down, and otherwise an error."""
    passed = _LEFT_OUT.get()
    if passed is None:
        raise error
    passed[key] = Text(str(error.text), zh(error.text))


def _is_damage(e: Exception) -> bool:
    """What was refused as an argument was not said by anybody: it stands in the store."""
    return isinstance(e, ParameterError if isinstance(e, RankgaugeError) else _NOT_THAT)


def whole_ones(
    place: str, rows: Sequence[Row], read: Callable[[Row], T], what: str, *, strict: bool = False
) -> list[T]:
    """What rows stand for, the first of each being its id."""
    passed = None if strict else _LEFT_OUT.get()
    out = []
    for row in rows:
        try:
            with read_whole(place, row[0], what):
                out.append(read(row))
        except InputError as e:
            if passed is None:
                raise
            passed[str(row[0])] = Text(str(e.text), zh(e.text))
    return out


def entry_text(place: str, key: str, what: str = "entry") -> Text:
    """Where it is."""
    zh = {"entry": "记录", "event": "事件"}[what]
    return Text(f"history {show(place)}, {what} {cut(str(key), 40)}", f"历史 {show(place)} 的{zh} {cut(str(key), 40)}")


def entry_read(row: Row, numbers: Sequence[Row], history: History) -> Entry:
    """Of the columns of an entry and of its summaries."""
    key, at, project, system, version, dataset, kind, schema, state, labels, contract, pruned, queries = row
    return Entry(
        id=_text(key),
        at=time_of(_text(at)),
        project=_text(project),
        system=_text(system),
        version=_text(version),
        dataset=_text(dataset),
        kind=_text(kind),
        schema=_whole(schema),
        state=_text(state),
        labels={name: _text(value) for name, value in _object(labels).items()},
        contract=_object(contract),
        summaries=[_summary(row) for row in numbers],
        is_pruned=bool(_text(pruned)),
        queries=_text(queries),
        history=history,
    )


def event_read(row: Row) -> Event:
    """Of the columns of an event."""
    key, at, project, kind, entry, who, text, data = (_text(x) for x in row)
    return Event(key, time_of(at), project, kind, entry, who, text, _object(data))


def _summary(row: Row) -> Summary:
    measure, definition, value, low, high, error, n, attribute, part = row
    numbers = _number(value), _number(low), _number(high), _number(error)
    for text in (measure, definition, attribute, part):
        _text(text)
    return Summary(measure, definition, *numbers, _whole(n), attribute, part)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"text, got {show(value)}")
    return value


def _whole(value: Any) -> int:
    if not isinstance(value, int):
        raise TypeError(f"whole number, got {show(value)}")
    return value


def _number(value: Any) -> float:
    if value is None:
        return nan
    if not isinstance(value, (int, float)):
        raise TypeError(f"number, got {show(value)}")
    return float(value)


def _object(text: Any) -> Mapping[str, Any]:
    found = json.loads(_text(text))
    if not isinstance(found, dict):
        raise TypeError(f"object, got {show(found)}")
    return found
