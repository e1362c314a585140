"""A history of evaluations: everything that was measured, when, of what; in one file, or on a server.

    history = rg.History("history.db")
    history.add(ev, project="shop", system="bm25", dataset="july")
    history.trend(project="shop")

Only added to: what is in it stays as it was. Notes, tags, baselines and alerts are events beside the records. The same
record of the same time with the same labels is one entry, however often it is added. Only `prune` deletes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib import resources
from math import isnan
from typing import TYPE_CHECKING, Any, overload

from rankgauge._records import Record, read_back
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import InputError, ParameterError, UnknownName
from rankgauge.evaluation.record import Evaluations
from rankgauge.history.database import Database, Writer, opened
from rankgauge.history.entry import Entry, Event, Summary
from rankgauge.history.packing import Numbers, digest_of, pack, unpack
from rankgauge.history.summaries import contract_of, state_of, summaries_of, system_of
from rankgauge.history.surroundings import surroundings

if TYPE_CHECKING:
    from rankgauge._typing import Array

__all__ = ["PROJECT", "History", "time_of", "time_text"]

PROJECT = "default"
_ENTRY = "id, at, project, system, version, dataset, kind, schema, state, labels, contract, pruned"
_MANY = 500
"""Ids in one statement."""
_DIGITS = 16


class History:
    """What was measured over time. A path is a file of SQLite, `postgresql://…` a server.

    Made where it does not exist; `read_only` changes nothing.
    """

    def __init__(self, place: str | os.PathLike[str], *, read_only: bool = False) -> None:
        self._db = opened(place, read_only=read_only)
        self._version = migrated(self._db, read_only)

    @property
    def place(self) -> str:
        """Where it is, without passwords."""
        return self._db.place

    def __repr__(self) -> str:
        return f"<History {self.place}: {len(self):,} entries>"

    def close(self) -> None:
        """Ends its connection."""
        self._db.close()

    def __enter__(self) -> History:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # adding

    @overload
    def add(self, record: Evaluations[Any], **about: Any) -> list[Entry]: ...
    @overload
    def add(self, record: Record, **about: Any) -> Entry: ...
    def add(
        self,
        record: Record,
        *,
        system: str | None = None,
        project: str = PROJECT,
        dataset: str | None = None,
        version: str = "",
        at: datetime | str | None = None,
        heads: Mapping[str, Any] | None = None,
        **labels: str,
    ) -> Entry | list[Entry]:
        """Keeps a record; when this returns, it is on disk.

        `system` is what was measured (the name of the run unless said), `dataset` what it was measured on (the name of
        the judgements or rows). `labels` are your own words to find it by; branch, commit and author are read from git
        and from the variables of CI. Evaluations of several systems become an entry each.
        """
        when = time_of(at)
        if isinstance(record, Evaluations):
            return [
                self.add(one, system=name, project=project, dataset=dataset, version=version, at=when, **labels)
                for name, one in record.evaluations.items()
            ]
        if not isinstance(record, Record):
            raise ParameterError(
                Text(
                    f"history: a record must be what evaluate, compare, gate and other verbs return, got {show(record)}.",
                    f"历史：记录必须是 evaluate、compare、gate 等返回的结果，实际为 {show(record)}。",
                )
            )
        for name, value in (("system", system), ("project", project), ("dataset", dataset), ("version", version)):
            if value is not None and not isinstance(value, str):
                raise ParameterError(
                    Text(
                        f"history: `{name}` must be a text, got {show(value)}.",
                        f"历史：`{name}` 必须是文本，实际为 {show(value)}。",
                    )
                )
        told = record.to_dict()
        about = {
            "at": time_text(when),
            "project": project,
            "system": system_of(record) if system is None else system,
            "version": version,
            "dataset": _dataset_of(record) if dataset is None else dataset,
            "labels": {**surroundings(), **{k: str(v) for k, v in labels.items()}},
        }
        return self.put(told, summaries_of(record), state_of(record), about, heads or {})

    def put(
        self,
        told: Mapping[str, Any],
        summaries: Sequence[Summary],
        state: str,
        about: Mapping[str, Any],
        heads: Mapping[str, Any],
    ) -> Entry:
        """Writes what `add` has made of a record, in one transaction."""
        packed = pack(told)
        labels = json.dumps(about["labels"], sort_keys=True, ensure_ascii=False)
        content = json.dumps(told, sort_keys=True, ensure_ascii=False)
        names = [about[key] for key in ("at", "project", "system", "version", "dataset")]
        key = digest_of(content, labels, *names)[:_DIGITS]
        contract = json.dumps(contract_of(dict(told)), sort_keys=True, ensure_ascii=False)
        with self._db.writing() as w:
            new = w.execute(
                f"INSERT INTO entry ({_ENTRY}, body) VALUES ({', '.join('?' * 13)}) ON CONFLICT DO NOTHING",
                (key, *names, told["kind"], told["schema"], state, labels, contract, "", packed.body),
            )
            if new:
                w.executemany(
                    "INSERT INTO id_list (digest, n, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                    [(d, packed.lengths[d], data) for d, data in packed.id_lists.items()],
                )
                w.executemany(
                    "INSERT INTO numbers (entry, path, type, n, data) VALUES (?, ?, ?, ?, ?)",
                    [(key, path, x.type, x.n, x.data) for path, x in packed.numbers.items()],
                )
                w.executemany(
                    "INSERT INTO label (entry, name, value) VALUES (?, ?, ?)",
                    [(key, name, value) for name, value in about["labels"].items()],
                )
                w.executemany(
                    "INSERT INTO summary (entry, place, measure, definition, attribute, part, value, low, high, error, "
                    "n) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                    [_summary_row(key, place, s) for place, s in enumerate(summaries)],
                )
                _write_heads(w, key, heads)
        return self[key]

    # reading

    def __len__(self) -> int:
        return int(self._db.rows("SELECT count(*) FROM entry")[0][0])

    def __iter__(self) -> Iterator[Entry]:
        """From the oldest to the newest."""
        return iter(self.entries())

    def __getitem__(self, key: str) -> Entry:
        """The entry with this id, the beginning of one, or a tag."""
        found = self._found(key)
        if len(found) != 1:
            raise UnknownName(_no_entry(key, found))
        return found[0]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and len(self._found(key)) == 1

    def _found(self, key: str) -> list[Entry]:
        tagged = self._db.rows("SELECT entry FROM event WHERE kind = 'tag' AND text = ? ORDER BY at DESC, id", (key,))
        ids = [tagged[0][0]] if tagged else []
        where = "id = ?" if ids else "substr(id, 1, ?) = ?"
        values = ids or [len(key), key]
        return self._made(
            self._db.rows(f"SELECT {_ENTRY} FROM entry WHERE {where} ORDER BY id LIMIT 4", values) if key else []
        )

    def entries(
        self,
        *,
        project: str | None = None,
        system: str | None = None,
        dataset: str | None = None,
        version: str | None = None,
        kind: str | Iterable[str] | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        labels: Mapping[str, str] | None = None,
        newest_first: bool = False,
        limit: int | None = None,
        skip: int = 0,
    ) -> list[Entry]:
        """Entries that are all of this, in the order of their times."""
        wheres: list[str] = []
        values: list[Any] = []
        named = {"project": project, "system": system, "dataset": dataset, "version": version}
        for name, value in named.items():
            if value is not None:
                wheres.append(f"{name} = ?")
                values.append(value)
        if kind is not None:
            kinds = [kind] if isinstance(kind, str) else list(kind)
            wheres.append(f"kind IN ({', '.join('?' * len(kinds))})" if kinds else "1 = 0")
            values += kinds
        for sign, moment in ((">=", since), ("<=", until)):
            if moment is not None:
                wheres.append(f"at {sign} ?")
                values.append(time_text(time_of(moment)))
        for name, value in (labels or {}).items():
            wheres.append("EXISTS (SELECT 1 FROM label WHERE entry = entry.id AND name = ? AND value = ?)")
            values += [name, value]
        order = "DESC" if newest_first else "ASC"
        sql = f"SELECT {_ENTRY} FROM entry" + (f" WHERE {' AND '.join(wheres)}" if wheres else "")
        sql += f" ORDER BY at {order}, id {order}"
        if limit is not None:
            sql += f" LIMIT {int(limit)} OFFSET {int(skip)}"
        return self._made(self._db.rows(sql, values))

    def _made(self, rows: Sequence[tuple[Any, ...]]) -> list[Entry]:
        numbers = self._summaries([row[0] for row in rows])
        return [
            Entry(
                key,
                time_of(at),
                project,
                system,
                version,
                dataset,
                kind,
                schema,
                state,
                json.loads(labels),
                json.loads(contract),
                numbers.get(key, ()),
                bool(pruned),
                self,
            )
            for key, at, project, system, version, dataset, kind, schema, state, labels, contract, pruned in rows
        ]

    def _summaries(self, ids: Sequence[str]) -> dict[str, list[Summary]]:
        out: dict[str, list[Summary]] = {}
        for start in range(0, len(ids), _MANY):
            some = ids[start : start + _MANY]
            found = self._db.rows(
                "SELECT entry, measure, definition, value, low, high, error, n, attribute, part FROM summary "
                f"WHERE entry IN ({', '.join('?' * len(some))}) ORDER BY entry, place",
                some,
            )
            for key, measure, definition, value, low, high, error, n, attribute, part in found:
                four = (float("nan") if x is None else float(x) for x in (value, low, high, error))
                out.setdefault(key, []).append(Summary(measure, definition, *four, n, attribute, part))
        return out

    def record(self, key: str) -> Record:
        """The whole record of an entry."""
        told = self.told(key)
        return read_back(_where(self.place, key), Record.from_dict, told)

    def told(self, key: str) -> dict[str, Any]:
        """The record of an entry as plain data, as `to_dict` had it."""
        entry = self[key]
        body = self._db.rows("SELECT body FROM entry WHERE id = ?", (entry.id,))[0][0]
        rows = self._db.rows("SELECT path, type, n, data FROM numbers WHERE entry = ?", (entry.id,))
        columns = {path: Numbers(kind, n, bytes(data)) for path, kind, n, data in rows}
        try:
            return unpack(body, columns.__getitem__, self._ids)
        except (KeyError, ValueError, IndexError) as e:
            raise InputError(
                Text(
                    f"{_where(self.place, entry.id)} is damaged: a part of it is missing ({e}). Restore the store from a "
                    "copy.",
                    f"{_where(self.place, entry.id).zh} 已损坏：缺少一部分（{e}）。请用备份恢复。",
                )
            ) from e

    def _ids(self, digest: str) -> bytes:
        return bytes(self._db.rows("SELECT data FROM id_list WHERE digest = ?", (digest,))[0][0])

    def values(self, key: str, measure: str) -> Array:
        """The values of single queries of an evaluation, in the order of its queries, without reading the rest."""
        import numpy as np

        from rankgauge.history.packing import path_text

        path = path_text(("per_query", measure))
        found = self._db.rows("SELECT data FROM numbers WHERE entry = ? AND path = ?", (key, path))
        if not found:
            record: Any = self.record(key)
            return np.asarray(record.column(measure).values, dtype=np.float64)
        return np.frombuffer(bytes(found[0][0]), dtype="<f8")

    # events beside the records

    def event(
        self,
        kind: str,
        text: str = "",
        *,
        entry: str = "",
        project: str = PROJECT,
        who: str = "",
        at: datetime | str | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> Event:
        """Writes down what happened: a note, a tag, an acknowledged change, an alert."""
        when = time_text(time_of(at))
        body = json.dumps(dict(data or {}), sort_keys=True, ensure_ascii=False)
        key = digest_of(kind, text, entry, project, who, when, body)[:_DIGITS]
        with self._db.writing() as w:
            w.execute(
                "INSERT INTO event (id, at, project, entry, kind, who, text, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT DO NOTHING",
                (key, when, project, entry, kind, who, text, body),
            )
        return Event(key, time_of(when), project, kind, entry, who, text, json.loads(body))

    def events(
        self,
        *,
        kind: str | Iterable[str] | None = None,
        project: str | None = None,
        entry: str | None = None,
        since: datetime | str | None = None,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[Event]:
        """What happened, in the order of time."""
        wheres: list[str] = []
        values: list[Any] = []
        if kind is not None:
            kinds = [kind] if isinstance(kind, str) else list(kind)
            wheres.append(f"kind IN ({', '.join('?' * len(kinds))})" if kinds else "1 = 0")
            values += kinds
        for name, value in (("project", project), ("entry", entry)):
            if value is not None:
                wheres.append(f"{name} = ?")
                values.append(value)
        if since is not None:
            wheres.append("at >= ?")
            values.append(time_text(time_of(since)))
        order = "DESC" if newest_first else "ASC"
        sql = "SELECT id, at, project, kind, entry, who, text, data FROM event"
        sql += (f" WHERE {' AND '.join(wheres)}" if wheres else "") + f" ORDER BY at {order}, id {order}"
        if limit is not None:
            sql += f" LIMIT {int(limit)}"
        return [
            Event(key, time_of(at), of, what, about, who, text, json.loads(data))
            for key, at, of, what, about, who, text, data in self._db.rows(sql, values)
        ]

    def tag(self, key: str, name: str, *, who: str = "") -> Entry:
        """Gives an entry a name to find it by; a later tag of the same name takes its place."""
        entry = self[key]
        self.event("tag", name, entry=entry.id, project=entry.project, who=who)
        return entry

    # what there is

    def projects(self) -> list[str]:
        """Names of all projects."""
        return [row[0] for row in self._db.rows("SELECT DISTINCT project FROM entry ORDER BY project")]

    def systems(self, project: str | None = None) -> list[str]:
        """Names of all systems, or of those of a project."""
        where, values = ("", []) if project is None else (" WHERE project = ?", [project])
        return [row[0] for row in self._db.rows(f"SELECT DISTINCT system FROM entry{where} ORDER BY system", values)]

    def size(self) -> int:
        """Bytes on disk."""
        return self._db.size()


# schema

_SCHEMA = "CREATE TABLE IF NOT EXISTS rankgauge_schema (version INTEGER PRIMARY KEY, at TEXT NOT NULL)"


def migrated(db: Database, read_only: bool = False) -> int:
    """Brings a store to the newest schema, one numbered step after the other; the version it has now."""
    steps = _steps()
    newest = max(steps)
    version = _version(db)
    if version > newest:
        raise InputError(
            Text(
                f"history: {show(db.place)} was written by a newer rankgauge (schema {version}, and this version knows "
                f"up to {newest}). Update rankgauge.",
                f"历史：{show(db.place)} 由更新版本的 rankgauge 写入（schema {version}，本版本最多支持 {newest}）。"
                "请升级 rankgauge。",
            )
        )
    if version == newest:
        return version
    if read_only:
        raise InputError(
            Text(
                f"history: {show(db.place)} has the schema {version} of an older rankgauge (or none), and may only be "
                "read. Open it once for writing.",
                f"历史：{show(db.place)} 是旧版本 rankgauge 的 schema {version}（或没有），而现在只读。"
                "请先以可写方式打开一次。",
            )
        )
    if version:
        db.copied(version)
    with db.writing() as w:
        w.execute(_SCHEMA)
        done = w.rows("SELECT max(version) FROM rankgauge_schema")[0][0] or 0  # another process may have been quicker
        for number in range(done + 1, newest + 1):
            for statement in db.script(steps[number]):
                w.execute(statement)
            w.execute("INSERT INTO rankgauge_schema (version, at) VALUES (?, ?)", (number, time_text(time_of(None))))
    return newest


def _version(db: Database) -> int:
    from rankgauge.errors import RankgaugeError

    try:
        return int(db.rows("SELECT max(version) FROM rankgauge_schema")[0][0] or 0)
    except RankgaugeError:
        db.rows("SELECT 1")  # says what is wrong with the store itself
        return 0


def _steps() -> dict[int, str]:
    folder = resources.files("rankgauge.history") / "migrations"
    return {int(f.name[:4]): f.read_text(encoding="utf-8") for f in folder.iterdir() if f.name.endswith(".sql")}


# small things


def time_of(at: datetime | str | None) -> datetime:
    """A moment in UTC: as given, as a text, or now."""
    if at is None:
        return datetime.now(UTC)
    if isinstance(at, str):
        try:
            at = datetime.fromisoformat(at)
        except ValueError as e:
            raise ParameterError(
                Text(
                    f"`at` must be a time such as 2026-11-18 or 2026-11-18T09:30, got {show(at)}.",
                    f"`at` 必须是时间，如 2026-11-18 或 2026-11-18T09:30，实际为 {show(at)}。",
                )
            ) from e
    if not isinstance(at, datetime):
        raise ParameterError(
            Text(
                f"`at` must be a datetime or a text, got {show(at)}.",
                f"`at` 必须是 datetime 或文本，实际为 {show(at)}。",
            )
        )
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def time_text(at: datetime) -> str:
    """As it is stored: texts that sort as the times do."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _summary_row(key: str, place: int, s: Summary) -> tuple[Any, ...]:
    four = [None if isnan(x) else float(x) for x in (s.value, s.low, s.high, s.error)]
    return (key, place, s.measure, s.definition, s.attribute, s.part, *four, s.n)


def _write_heads(w: Writer, key: str, heads: Mapping[str, Any]) -> None:
    from rankgauge.history.packing import packed_text

    rows = [(key, q, packed_text(json.dumps(head, ensure_ascii=False))) for q, head in heads.items()]
    w.executemany("INSERT INTO head (entry, query, data) VALUES (?, ?, ?)", rows)


def _dataset_of(record: Any) -> str:
    inner = getattr(record, "evaluation", record)
    about = getattr(inner, "_about", None)
    return str(about[0]) if about else ""


def _where(place: str, key: str) -> Text:
    return Text(f"history {show(place)}, entry {key}", f"历史 {show(place)} 的记录 {key}")


def _no_entry(key: str, found: Sequence[Entry]) -> Text:
    if found:
        ids = ", ".join(e.id for e in found[:3])
        return Text(
            f"history: {show(key)} is the beginning of several ids ({ids}, …). Write more of it.",
            f"历史：有多个 id 以 {show(key)} 开头（{ids} …）。请多写几位。",
        )
    return Text(
        f"history: there is no entry {show(key)}. `rankgauge history list` shows what there is.",
        f"历史：没有记录 {show(key)}。用 `rankgauge history list` 查看现有记录。",
    )
