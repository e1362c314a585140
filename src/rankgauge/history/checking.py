"""Is everything in a store as it was added?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from math import isclose, isnan
from typing import TYPE_CHECKING, Any

from rankgauge._records import Record, read_back
from rankgauge._text import Text, composed
from rankgauge.errors import RankgaugeError
from rankgauge.history.damage import EVENT, event_read, read_whole
from rankgauge.history.database import Database
from rankgauge.history.entry import Summary
from rankgauge.history.given import About, event_of
from rankgauge.history.packing import digest_of, pack, read_ids
from rankgauge.history.summaries import contract_of, state_of, summaries_of
from rankgauge.history.writing import key_of

if TYPE_CHECKING:
    from rankgauge.history.history import History

__all__ = ["differing", "verify"]

_NOT_ADDED = Text("{} is not what was added.", "{} 与存入时不同。")
_WHOLE = ("rankings", "predictions", "classes")
"""Kinds whose stored form still has all numbers."""
_CLOSE = 1e-9
"""Relative: another machine may sum in another order."""


def verify(history: History, db: Database) -> list[str]:
    """One sentence for each thing that is wrong; what cannot be read does not keep the rest from being looked at."""
    found: list[str] = [Text(f"{said}.", f"{said}。") for said in db.damage()]
    for table, key, look in (("id_list", "digest", _list), ("entry", "id", _entry), ("event", "id", _event)):
        try:
            keys = [row[0] for row in db.rows(f"SELECT {key} FROM {table} ORDER BY {key}")]
        except RankgaugeError as e:
            found.append(e.text)
            continue
        for one in keys:
            try:
                with read_whole(history.place, one, "event" if table == "event" else "entry"):
                    found += look(history, db, one)
            except RankgaugeError as e:
                found.append(e.text)
    return list(dict.fromkeys(found))


def _list(history: History, db: Database, digest: str) -> Iterator[str]:
    try:
        ids = read_ids(db.rows("SELECT data FROM id_list WHERE digest = ?", (digest,))[0][0])
        is_same = digest_of(json.dumps(ids, ensure_ascii=False)) == digest
    except (RankgaugeError, LookupError, TypeError, ValueError):
        is_same = False
    if not is_same:
        yield Text(f"the list of ids {digest} is not what was added.", f"id 列表 {digest} 与存入时不同。")


def _entry(history: History, db: Database, key: str) -> Iterator[str]:
    entry, told = history[key], history.told(key)
    record = read_back(Text(key, key), Record.from_dict, told)
    names = ("project", "system", "version", "dataset", "labels")
    about = About.of(entry.at, **{name: getattr(entry, name) for name in names})
    labels: dict[str, str] = dict(db.rows("SELECT name, value FROM label WHERE entry = ?", (key,)))
    is_same = entry.is_pruned or key_of(pack(told), about) == key
    of_record = (record.kind, told["schema"], state_of(record), json.loads(json.dumps(contract_of(told))), labels)
    if not is_same or of_record != (entry.kind, entry.schema, entry.state, entry.contract, dict(entry.labels)):
        yield composed(_NOT_ADDED.en, _NOT_ADDED.zh, key)
    if wrong := differing(entry.summaries, record, told, is_pruned=entry.is_pruned):
        yield composed("{}: {}.", "{}：{}。", key, wrong)
    history.lists(key)


def _event(history: History, db: Database, key: str) -> Iterator[str]:
    e = event_read(db.rows(f"SELECT {EVENT} FROM event WHERE id = ?", (key,))[0])
    made = event_of(e.kind, e.text, entry=e.entry, project=e.project, who=e.who, at=e.at, data=e.data)
    if made.id != key:
        yield composed(_NOT_ADDED.en, _NOT_ADDED.zh, Text(f"the event {key}", f"事件 {key}"))


def differing(kept: Sequence[Summary], record: Record, told: Mapping[str, Any], *, is_pruned: bool) -> str:
    """Which numbers beside a record are not those in it; nothing where all are.

    A pruned record, and a decision, tell nothing of slices and standard errors any more: there they are believed.
    """
    is_whole = record.kind in _WHOLE and not is_pruned
    mine = {_key(s): s for s in kept if s.is_of_all or is_whole}
    theirs = {_key(s): s for s in summaries_of(record, told) if s.is_of_all or is_whole}
    wrong = [k for k in {**theirs, **mine} if not _is_same(mine.get(k), theirs.get(k), is_whole)]
    if not wrong:
        return ""
    names = [f"{measure} ({attribute}={part})" if attribute else measure for measure, attribute, part in wrong[:3]]
    said = ", ".join([*names, *(["…"] if len(wrong) > 3 else [])])
    return composed("its numbers are not those of its record: {}", "其数值与记录不符：{}", said)


def _key(s: Summary) -> tuple[str, str, str]:
    return s.measure, s.attribute, s.part


def _is_same(kept: Summary | None, known: Summary | None, is_whole: bool) -> bool:
    if kept is None or known is None or (kept.definition, kept.n) != (known.definition, known.n):
        return False
    pairs = [(getattr(kept, name), getattr(known, name)) for name in ("low", "high", "error")]
    pairs = [(kept.value, known.value), *(p for p in pairs if is_whole or not isnan(p[1]))]
    return all((isnan(x) and isnan(y)) or isclose(x, y, rel_tol=_CLOSE, abs_tol=1e-12) for x, y in pairs)
