"""Retention: values of single queries for a while, means for ever."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import InputError, ParameterError
from rankgauge.history.database import Database
from rankgauge.history.moments import earlier, time_of, time_text
from rankgauge.history.packing import Packed, pack
from rankgauge.history.series import evaluations
from rankgauge.history.writing import write_body

if TYPE_CHECKING:
    from rankgauge.history.history import History

__all__ = ["Pruned", "age_of", "prune"]

_DAYS = {"d": 1, "w": 7, "m": 30, "y": 365}
_WITH_VALUES = ("rankings", "predictions", "classes")
"""Kinds that say the same without them; a comparison is nothing without its evaluations, and stays whole."""


@dataclass(frozen=True)
class Pruned:
    """What `prune` took away, or would."""

    values: int = 0
    """Entries whose values of single queries, and lists, are gone; their numbers stay."""
    entries: int = 0
    """Entries that are gone."""
    kept: int = 0
    """Entries old enough that stayed whole: they have a tag, or are a baseline, be it by being the first."""
    bytes: int = 0
    """How much of the store the values were of; the file shrinks by about as much."""
    is_done: bool = False


def age_of(text: str) -> timedelta:
    """How long something is kept.

    >>> age_of("90d"), age_of("12w").days, age_of("2y").days
    (datetime.timedelta(days=90), 84, 730)
    """
    found = re.fullmatch(r"\s*(\d{1,6})\s*([dwmy])\s*", text) if isinstance(text, str) else None
    if found is None:
        raise ParameterError(
            Text(
                f"history: an age must be a number of days, weeks, months (of 30 days) or years: 90d, 12w, 6m, 2y, got "
                f"{show(text)}.",
                f"历史：保留时长必须是天、周、月（30 天）或年数，如 90d、12w、6m、2y，实际为 {show(text)}。",
            )
        )
    return timedelta(days=int(found[1]) * _DAYS[found[2]])


def prune(
    history: History,
    db: Database,
    values: str | None,
    entries: str | None,
    *,
    project: str | None,
    now: datetime,
    dry_run: bool,
) -> Pruned:
    """Forgets, or says what would be forgotten."""
    if values is None and entries is None:
        raise ParameterError(
            Text(
                "history: prune() needs to know how long to keep what: prune('90d') keeps values of single queries for "
                "90 days and means for ever.",
                "历史：prune() 需要知道保留多久：prune('90d') 把单个查询的数值保留 90 天，均值永久保留。",
            )
        )
    whole, old = _older(db, now, entries, project), _older(db, now, values, project)
    # somebody compares with these, query by query; of a tag that moved, with the last one
    fixed = {*history.tags().values(), *(e.entry for e in history.events(kind="baseline") if e.entry)}
    if whole or old:
        fixed.update(_firsts(history, project))
    gone = {key for key, _, _ in whole if key not in fixed}
    lighter = [
        key for key, kind, pruned in old if kind in _WITH_VALUES and not pruned and key not in fixed and key not in gone
    ]
    kept = {key for key, kind, _ in (*whole, *old) if key in fixed and kind in _WITH_VALUES}
    size = sum(_bytes_of(db, key) for key in (*gone, *lighter))
    if not dry_run:
        for key in lighter:  # one transaction each: whoever writes meanwhile waits for one record at most
            left = _without_values(history, key)
            with db.writing(alone=True) as w:
                if w.rows("SELECT 1 FROM entry WHERE id = ? AND pruned = ''", (key,)):
                    write_body(w, key, left, time_text(time_of(None)))
        with db.writing(alone=True) as w:
            w.executemany("DELETE FROM entry WHERE id = ?", [(key,) for key in gone])
            w.execute("DELETE FROM id_list WHERE digest NOT IN (SELECT digest FROM list_use)")
        if gone or lighter:
            with suppress(InputError):  # giving room back takes room: where there is none, the file uses it again
                db.compact()
    return Pruned(len(lighter), len(gone), len(kept), size, not dry_run)


def _firsts(history: History, project: str | None) -> Iterator[str]:
    """What later evaluations are held against unless somebody accepts or tags another: the first with each measure."""
    from rankgauge.history.judging import baselines, by_system

    for name in history.projects() if project is None else [project]:
        known = baselines(history, name)
        for key, mine in by_system(evaluations(history, project=name)).items():
            seen = {s.measure for s in known[key][0].summaries} if key in known else set()
            for e in mine[:-1]:  # nothing is held against the last one yet
                measures = {s.measure for s in e.summaries}
                if not e.is_pruned and not measures <= seen:
                    seen |= measures
                    yield e.id


def _older(db: Database, now: datetime, age: str | None, project: str | None) -> list[tuple[str, str, str]]:
    if age is None:
        return []
    sql, given = "SELECT id, kind, pruned FROM entry WHERE at < ?", [time_text(earlier(now, age_of(age)))]
    if project is not None:
        sql, given = f"{sql} AND project = ?", [*given, project]
    return [(key, kind, pruned) for key, kind, pruned in db.rows(f"{sql} ORDER BY at, id", given)]


def _bytes_of(db: Database, key: str) -> int:
    tables: Iterable[str] = ("numbers", "head")
    return sum(
        int(db.rows(f"SELECT coalesce(sum(length(data)), 0) FROM {table} WHERE entry = ?", (key,))[0][0])
        for table in tables
    )


def _without_values(history: History, key: str) -> Packed:
    """The record without what single queries, rows or groups have."""
    told: dict[str, Any] = history.told(key)
    if told["kind"] == "rankings":
        record: Any = Record.from_dict(told)
        return pack(record.to_dict(per_query=False))
    for row in told["measures"]:
        if "influence" in row:
            row["influence"] = None  # as where there are too many to keep: what needs them says so
    return pack(told)
