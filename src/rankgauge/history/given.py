"""What comes from outside, looked at once.

Python, the HTTP interface, an export that is read back and the command line differ in how they write things down; what
may be in a history does not. All of them make an `About`, an `Event` or lists here, so that what one of them refuses
the others refuse as well, and nothing is stored that could not be told again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from math import inf, isfinite
from typing import Any, NoReturn

from rankgauge._checks import whole
from rankgauge._show import show
from rankgauge._text import Text, spaced
from rankgauge.errors import ParameterError
from rankgauge.history.entry import EVENTS, PROJECT, Event
from rankgauge.history.moments import time_of, time_text
from rankgauge.history.packing import digest_of, storable

__all__ = ["DIGITS", "About", "data_text", "event_of", "kinds_asked", "listed", "named", "places_asked", "shown_lists"]

DIGITS = 16
"""Of an id."""
_DEEPEST = 50
_WHOLE = 2**63
_ID = re.compile("[0-9a-fA-F]{4,16}")


def named(what: str, value: object) -> str:
    """A text as every database holds it."""
    if not isinstance(value, str):
        _refused(what, Text("a text", "文本"), value)
    return storable(value)


@dataclass(frozen=True)
class About:
    """What a record is of, and when."""

    at: str
    """As it is stored."""
    project: str = PROJECT
    system: str = ""
    version: str = ""
    dataset: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        at: datetime | date | str | None,
        *,
        project: object = PROJECT,
        system: object = "",
        version: object = "",
        dataset: object = "",
        labels: object = None,
    ) -> About:
        """As somebody says it."""
        texts = {"project": project, "system": system, "version": version, "dataset": dataset}
        if labels is not None and not isinstance(labels, Mapping):
            _refused("labels", Text("names with their values", "名称与取值的对应"), labels)
        words: Mapping[Any, Any] = {} if labels is None else labels
        held = {named("label", k): named(f"label {k}", str(v)) for k, v in words.items()}
        return cls(time_text(time_of(at)), **{k: named(k, v) for k, v in texts.items()}, labels=held)

    @property
    def labels_text(self) -> str:
        return json.dumps(dict(self.labels), sort_keys=True, ensure_ascii=False)


# lists


def shown_lists(value: object) -> dict[str, list[tuple[str, float | None]]]:
    """First results of queries: what was listed, each with its grade or None."""
    if not isinstance(value, Mapping):
        _refused("heads", _LISTS, value)
    return {named("query", query): listed(items) for query, items in value.items()}


def listed(value: object) -> list[tuple[str, float | None]]:
    """Results of one list."""
    return [_item(x) for x in value] if isinstance(value, (list, tuple)) else _refused("heads", _LISTS, value)


_LISTS = Text(
    'lists of [item, grade or null] by query, as {"q1": [["a", 2], ["b", null]]}',
    '按查询给出的列表，每个结果带等级或 null，如 {"q1": [["a", 2], ["b", null]]}',
)


def _item(value: object) -> tuple[str, float | None]:
    if not isinstance(value, (list, tuple)) or len(value) != 2 or not isinstance(value[0], str):
        _refused("heads", _LISTS, value)
    item, grade = value
    if grade is None:
        return storable(item), None
    if isinstance(grade, bool) or not isinstance(grade, (int, float)) or abs(grade) >= _WHOLE or not isfinite(grade):
        _refused("heads", _LISTS, value)
    return storable(item), grade


# events


def event_of(
    kind: object,
    text: object = "",
    *,
    entry: object = "",
    project: object = PROJECT,
    who: object = "",
    at: datetime | date | str | None = None,
    data: object = None,
) -> Event:
    """An event as it may be stored, under the id of its content."""
    if kind not in EVENTS:
        _refused("kind", Text(f"one of {', '.join(EVENTS)}", f"{'、'.join(EVENTS)} 之一"), kind)
    words = {"kind": kind, "text": text, "entry": entry, "project": project, "who": who}
    row = {name: named(name, value) for name, value in words.items()}
    when, body = time_text(time_of(at)), data_text({} if data is None else data)
    held: dict[str, Any] = json.loads(body)
    if kind == "tag":
        if not row["text"].strip() or _ID.fullmatch(row["text"]):
            raise ParameterError(
                Text(
                    f"history: a tag must be a name that does not look like an id, got {show(text)}.",
                    f"历史：标签必须是不像 id 的名称，实际为 {show(text)}。",
                )
            )
        if not row["entry"]:
            _refused("entry", Text("the entry that the tag is for", "标签所指的记录"), entry)
    if kind == "baseline" and "since" in held:
        since = held["since"]
        time_of(since if isinstance(since, str) else _refused("since", Text("a time", "时间"), since), "since")
    key = digest_of(*row.values(), when, body)[:DIGITS]
    return Event(key, time_of(when), data=held, **row)


def data_text(value: object) -> str:
    """What stands beside an event, as JSON that any reader takes: no NaN, nothing endless, no halves of characters."""
    if not isinstance(value, Mapping):
        _refused("data", Text("an object", "对象"), value)
    return json.dumps(_plain(value, 0), sort_keys=True, allow_nan=False)


def _plain(value: object, depth: int) -> Any:
    if depth > _DEEPEST:
        _refused("data", Text(f"nested at most {_DEEPEST} deep", f"嵌套不超过 {_DEEPEST} 层"), "…")
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Mapping) and all(isinstance(k, str) for k in value):
        return {storable(k): _plain(v, depth + 1) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v, depth + 1) for v in value]
    is_number = isinstance(value, (int, float)) and abs(value) < (_WHOLE if isinstance(value, int) else inf)
    if value is not None and not is_number:
        _refused("data", Text("what JSON can hold (finite numbers, texts, lists, objects)", "JSON 可表示的内容"), value)
    return value


# what is asked for


def kinds_asked(kind: str | Iterable[str] | None) -> list[str] | None:
    """The kinds that were asked for; None for all."""
    return None if kind is None else [named("kind", k) for k in ([kind] if isinstance(kind, str) else kind)]


def places_asked(limit: object, skip: object) -> tuple[int | None, int]:
    """How many, after how many."""
    most: int | None = whole("limit", limit, at_least=0, at_most=_WHOLE - 1, optional=True, caller="history")
    return most, whole("skip", skip, at_least=0, at_most=_WHOLE - 1, caller="history")


def _refused(name: str, must: Text, value: object) -> NoReturn:
    raise ParameterError(
        Text(
            f"history: `{name}` must be {must.en}, got {show(value)}.",
            f"历史：`{name}` {spaced('必须是', must.zh)}，实际为 {show(value)}。",
        )
    )
