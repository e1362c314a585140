"""A history of evaluations: everything that was measured, when, of what; in one file, or on a server.

    history = rg.History("history.db")
    history.add(ev, project="shop", system="bm25", dataset="july")
    history.entries(project="shop", newest_first=True)

Only added to: what is in it stays as it was. Notes, tags, baselines and alerts are events beside the records. The same
record of the same time with the same labels is one entry, however often it is added. Only `prune` deletes.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypedDict, Unpack, cast, overload

import numpy as np

from rankgauge._records import Record, read_back
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import InputError, ParameterError, UnknownName, among
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.evaluation.record import Evaluations
from rankgauge.history.checking import verify
from rankgauge.history.damage import EVENT, entry_read, entry_text, event_read, read_whole, whole_ones
from rankgauge.history.database import Reader, Row, opened, without_password
from rankgauge.history.entry import PROJECT, Entry, Event, ListedItem, QueryValue
from rankgauge.history.exchange import export, read_export
from rankgauge.history.given import DIGITS, About, event_of, kinds_asked, places_asked, shown_lists
from rankgauge.history.heads import heads_of, matter, read_head
from rankgauge.history.moments import last_of, time_of, time_text
from rankgauge.history.packing import Numbers, pack, path_text, read_ids, storable, unpack
from rankgauge.history.pruning import Pruned, prune
from rankgauge.history.schema import migrated
from rankgauge.history.summaries import dataset_of, state_of, summaries_of, system_of
from rankgauge.history.surroundings import surroundings
from rankgauge.history.writing import ENTRY, MANY, key_of, write_entry, write_event

if TYPE_CHECKING:
    from rankgauge._typing import Array
    from rankgauge.history.trend import Trend, TrendOptions

__all__ = ["PROJECT", "EntryWords", "History", "QueryWords", "time_of", "time_text"]

_FRESH = 60  # seconds


class QueryWords(TypedDict, total=False):
    """Which entries of evaluations are meant: the words of `History.entries` but for the kind."""

    project: str | None
    system: str | None
    dataset: str | None
    version: str | None
    since: datetime | date | str | None
    until: datetime | date | str | None
    labels: Mapping[str, str] | None


class EntryWords(QueryWords, total=False):
    """Which entries are meant: the words of `History.entries`."""

    kind: str | Iterable[str] | None


class History:
    """What was measured over time. A path is a file of SQLite, `postgresql://…` a server, `http://…` a dashboard.

    Made where it does not exist; `read_only` changes nothing. `token` is what a dashboard asks for.
    """

    def __new__(cls, place: str | os.PathLike[str], **_: Any) -> Self:
        """The kind that the place asks for."""
        if cls is History and isinstance(place, str) and place.startswith(("http://", "https://")):
            from rankgauge.history.remote import RemoteHistory

            return cast("Self", object.__new__(RemoteHistory))
        return object.__new__(cls)

    def __init__(self, place: str | os.PathLike[str], *, token: str | None = None, read_only: bool = False) -> None:
        if token is not None:
            shown = without_password(place) if isinstance(place, str) else place
            raise ParameterError(
                Text(
                    f"history: `token` is for the address of a dashboard (https://…), got the store {show(shown)}.",
                    f"历史：`token` 用于看板的地址（https://…），而这里的存储是 {show(shown)}。",
                )
            )
        self._db = opened(place, read_only=read_only)
        self._version = migrated(self._db, read_only=read_only)
        self._surroundings: tuple[float, str, dict[str, str]] | None = None

    @property
    def place(self) -> str:
        """Where it is, without passwords."""
        return self._db.place

    def __repr__(self) -> str:
        return f"<History {self.place}: {len(self):,} entries>"

    def close(self) -> None:
        """Ends its connections."""
        self._db.close()

    def __enter__(self) -> History:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # adding

    @overload
    def add(self, record: Evaluations[Any], /, **about: Any) -> list[Entry]: ...
    @overload
    def add(self, record: Record, /, **about: Any) -> Entry: ...
    def add(
        self,
        record: Record,
        /,
        *,
        system: str | None = None,
        project: str = PROJECT,
        dataset: str | None = None,
        version: str = "",
        at: datetime | date | str | None = None,
        lists: bool = True,
        labels: Mapping[str, object] | None = None,
        surroundings: bool = True,
        **more: object,
    ) -> Entry | list[Entry]:
        """Keeps a record; when this returns, it is on disk.

        `system` is what was measured (the name of the run unless said), `dataset` what it was measured on (the name of
        the judgements or rows). `labels`, and further keywords, are your own words to find it by; with `surroundings`
        branch, commit and author are read from git and from the variables of CI. Evaluations of several systems become
        an entry each. With `lists`, the first results of the queries that matter are kept as well, where the run is at
        hand.
        """
        when = time_of(at)
        if isinstance(record, Evaluations):
            words: dict[str, Any] = {"project": project, "dataset": dataset, "version": version, "at": when}
            words |= {"lists": lists, "labels": labels, "surroundings": surroundings, **more}
            return [self.add(one, system=name, **words) for name, one in _systems(record, system)]
        if not isinstance(record, Record):
            raise ParameterError(
                Text(
                    "history: a record must be what evaluate, compare, gate and other verbs return, got "
                    f"{show(record)}.",
                    f"历史：记录必须是 evaluate、compare、gate 等返回的结果，实际为 {show(record)}。",
                )
            )
        mine = {} if labels is None else About.of(when, labels=labels).labels
        about = About.of(
            when,
            project=project,
            system=system_of(record) if system is None else system,
            version=version,
            dataset=dataset_of(record) if dataset is None else dataset,
            labels={**(self._where_we_are() if surroundings else {}), **mine, **more},
        )
        heads = self._heads(record, about) if lists and isinstance(record, RankingEvaluation) else {}
        return self.put(record, about, heads)

    def put(self, record: Record, about: About, heads: Mapping[str, Sequence[Sequence[Any]]]) -> Entry:
        """Writes a record with what it is of, in one transaction."""
        told, heads = record._columnar(), shown_lists(heads)
        summaries, packed = summaries_of(record, told), pack(told)
        key = key_of(packed, about)
        with self._db.writing() as w:
            write_entry(w, key, about, told, packed, summaries, heads, state=state_of(record))
        return self[key]

    def _where_we_are(self) -> dict[str, str]:
        """Labels of git and CI; git takes longer than writing an entry, and is not asked again for a minute."""
        kept, now, folder = self._surroundings, time.monotonic(), os.getcwd()
        if kept is None or kept[1] != folder or now - kept[0] > _FRESH:
            kept = self._surroundings = (now, folder, surroundings())
        return kept[2]

    def _heads(self, ev: RankingEvaluation, about: About) -> Mapping[str, Any]:
        """The lists of the queries that matter, by what they were before."""
        if ev.judged is None or ev.source is None or not ev.has_queries:
            return {}
        column = next((c for c in ev.columns if c.measure.summary == "mean"), None)
        if column is None:
            return {}
        values = np.where(column.counted, column.values, np.nan)
        before: dict[str, float] = {}
        kept: list[str] = []
        last = self._db.rows(
            "SELECT id, queries FROM entry WHERE project = ? AND system = ? AND dataset = ? AND kind = 'rankings' "
            "AND at < ? ORDER BY at DESC, id LIMIT 1",
            [about.project, about.system, about.dataset, about.at],
        )
        if last:
            path = path_text(("per_query", column.label))
            stored = self._db.rows("SELECT data FROM numbers WHERE entry = ? AND path = ?", (last[0][0], path))
            if stored and last[0][1]:
                with read_whole(self.place, last[0][0]):
                    then = np.frombuffer(bytes(stored[0][0]), dtype="<f8").tolist()
                    before = dict(zip(self._ids(last[0][0], last[0][1]), then, strict=True))
            rows = self._db.rows("SELECT query FROM head WHERE entry = ? ORDER BY query", (last[0][0],))
            kept = [row[0] for row in rows]
        return heads_of(ev, matter(ev.query_ids, values, before, kept))

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
            raise UnknownName(_no_entry(key, found, self.tags() if not found else {}))
        return found[0]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and len(self._found(key, strict=False)) == 1

    def _found(self, key: object, *, strict: bool = True) -> list[Entry]:
        if not isinstance(key, str) or not key or storable(key) != key:
            return []
        if re.fullmatch(f"[0-9a-f]{{{DIGITS}}}", key):  # no tag takes the place of an id
            return self._made(self._db.rows(f"SELECT {ENTRY} FROM entry WHERE id = ?", (key,)), strict=strict)
        tagged = self._db.rows(
            "SELECT entry FROM event WHERE kind = 'tag' AND text = ? ORDER BY at DESC, id DESC LIMIT 1", (key,)
        )
        if tagged:
            return self._made(self._db.rows(f"SELECT {ENTRY} FROM entry WHERE id = ?", tagged[0]), strict=strict)
        if not re.fullmatch("[0-9a-f]+", key):
            return []
        sql = f"SELECT {ENTRY} FROM entry WHERE id >= ? AND id < ? ORDER BY id LIMIT 4"
        return self._made(self._db.rows(sql, (key, key + "g")), strict=strict)

    def entries(
        self,
        *,
        project: str | None = None,
        system: str | None = None,
        dataset: str | None = None,
        version: str | None = None,
        kind: str | Iterable[str] | None = None,
        since: datetime | date | str | None = None,
        until: datetime | date | str | None = None,
        labels: Mapping[str, str] | None = None,
        newest_first: bool = False,
        limit: int | None = None,
        skip: int = 0,
    ) -> list[Entry]:
        """Entries that are all of this, in the order of their times; a day as `until` is meant with all its hours."""
        where, values = _where(
            {"project": project, "system": system, "dataset": dataset, "version": version}, kind, since, until, labels
        )
        sql = f"SELECT {ENTRY} FROM entry{where}{_ordered(newest_first, limit, skip)}"
        return self._made(self._db.rows(sql, values))

    def count(self, **words: Unpack[EntryWords]) -> int:
        """How many entries are all of this, by the words of `entries`."""
        chosen: dict[str, Any] = {**words}
        named = {name: chosen.pop(name, None) for name in ("project", "system", "dataset", "version")}
        where, values = _where(named, *(chosen.pop(name, None) for name in ("kind", "since", "until", "labels")))
        if chosen:
            raise ParameterError(
                Text(
                    f"history: unknown word {show(next(iter(chosen)))} in count().",
                    f"历史：count() 不认识 {show(next(iter(chosen)))}。",
                )
            )
        return int(self._db.rows(f"SELECT count(*) FROM entry{where}", values)[0][0])

    def _made(self, rows: Sequence[Row], *, strict: bool = False) -> list[Entry]:
        numbers = self._summaries([row[0] for row in rows])
        return whole_ones(
            self.place, rows, lambda row: entry_read(row, numbers.get(row[0], ()), self), "entry", strict=strict
        )

    def _summaries(self, ids: Sequence[str]) -> dict[str, list[Row]]:
        out: dict[str, list[Row]] = {}
        for start in range(0, len(ids), MANY):
            some = ids[start : start + MANY]
            found = self._db.rows(
                "SELECT entry, measure, definition, value, low, high, error, n, attribute, part FROM summary "
                f"WHERE entry IN ({', '.join('?' * len(some))}) ORDER BY entry, place",
                some,
            )
            for key, *numbers in found:
                out.setdefault(key, []).append(tuple(numbers))
        return out

    def record(self, key: str) -> Record:
        """The whole record of an entry."""
        entry = self[key]
        return read_back(entry_text(self.place, entry.id), Record.from_dict, self._told(entry.id))

    def told(self, key: str) -> dict[str, Any]:
        """The record of an entry as plain data, as `to_dict` had it."""
        return self._told(self[key].id)

    def _told(self, key: str) -> dict[str, Any]:
        with self._db.reading() as r, read_whole(self.place, key):  # nobody may prune it half way
            body = r.rows("SELECT body FROM entry WHERE id = ?", (key,))[0][0]
            rows = r.rows("SELECT path, type, n, data FROM numbers WHERE entry = ?", (key,))
            columns = {path: Numbers(kind, n, bytes(data)) for path, kind, n, data in rows}
            return unpack(body, columns.__getitem__, lambda digest: _ids(r, digest))

    def _ids(self, key: str, digest: str) -> list[str]:
        with read_whole(self.place, key):
            return read_ids(_ids(self._db, digest))

    # single queries

    def query_ids(self, key: str) -> list[str]:
        """The ids of the queries of an evaluation, in the order of its values."""
        entry = self[key]
        return self._ids(entry.id, entry.queries) if entry.queries else list(self._told(entry.id).get("query_ids", ()))

    def values(self, key: str, measure: str) -> Array:
        """The values of single queries of an evaluation, in the order of its queries; NaN where one does not count."""
        entry = self[key]
        path = path_text(("per_query", _label(entry, measure)))
        found = self._db.rows("SELECT data FROM numbers WHERE entry = ? AND path = ?", (entry.id, path))
        if found:
            with read_whole(self.place, entry.id):
                return np.frombuffer(bytes(found[0][0]), dtype="<f8")
        told = self._told(entry.id).get("per_query", {}).get(_label(entry, measure))
        if told is None:
            raise _without_values(entry)
        return np.array([np.nan if v is None else v for v in told], dtype=np.float64)

    def query_history(self, query: str, measure: str, **chosen: Unpack[QueryWords]) -> list[QueryValue]:
        """What one query had in each evaluation that knows it, from the oldest to the newest.

        `chosen` are words of `entries`, as `project` and `system`. The values of other queries are not read.
        """
        kept = [e for e in self.entries(**chosen, kind="rankings") if e.summary(measure) is not None]
        places: dict[str, int | None] = {}
        for digest, key in {e.queries: e.id for e in kept if e.queries}.items():
            ids = self._ids(key, digest)
            places[digest] = ids.index(query) if query in ids else None
        found: dict[str, float] = {}
        by_label: dict[str, list[tuple[str, int]]] = {}
        for e in kept:
            at = places.get(e.queries)
            if at is not None and not e.is_pruned:
                by_label.setdefault(_label(e, measure), []).append((e.id, 8 * at))
            elif not e.queries and not e.is_pruned and query in (ids := self.query_ids(e.id)):
                found[e.id] = float(self.values(e.id, measure)[ids.index(query)])
        for label, wanted in by_label.items():
            pieces = self._db.pieces(path_text(("per_query", label)), wanted)
            for (key, _), piece in zip(wanted, pieces, strict=True):
                if piece:
                    with read_whole(self.place, key):
                        found[key] = float(np.frombuffer(piece, dtype="<f8")[0])
        lists: dict[str, bytes] = dict(
            self._db.rows("SELECT entry, data FROM head WHERE query = ?", (storable(query),))
        )
        out = []
        for e in kept:
            if e.id in found:
                with read_whole(self.place, e.id):
                    out.append(QueryValue(e, found[e.id], read_head(lists[e.id]) if e.id in lists else ()))
        return out

    def lists(self, key: str) -> dict[str, tuple[ListedItem, ...]]:
        """The lists that were kept of an evaluation: the first results of the queries that matter."""
        found = self[key].id
        rows = self._db.rows("SELECT query, data FROM head WHERE entry = ? ORDER BY query", (found,))
        with read_whole(self.place, found):
            return {query: read_head(data) for query, data in rows}

    # events beside the records

    def event(
        self,
        kind: str,
        text: str = "",
        *,
        entry: str = "",
        project: str = PROJECT,
        who: str = "",
        at: datetime | date | str | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> Event:
        """Writes down what happened: a note, a tag, an acknowledged change, an alert; of an entry or of none."""
        made = event_of(kind, text, entry=entry, project=project, who=who, at=at, data=data)
        if made.entry:  # by the whole id, however it was named
            about = self[made.entry].id
            made = event_of(kind, text, entry=about, project=project, who=who, at=made.at, data=data)
        with self._db.writing() as w:
            write_event(w, made)
        return made

    def events(
        self,
        *,
        kind: str | Iterable[str] | None = None,
        project: str | None = None,
        entry: str | None = None,
        since: datetime | date | str | None = None,
        newest_first: bool = False,
        limit: int | None = None,
        skip: int = 0,
    ) -> list[Event]:
        """What happened, in the order of time."""
        where, values = _where({"project": project, "entry": entry}, kind, since, None, None)
        sql = f"SELECT {EVENT} FROM event{where}{_ordered(newest_first, limit, skip)}"
        return whole_ones(self.place, self._db.rows(sql, values), event_read, "event")

    def tag(self, key: str, name: str, *, who: str = "") -> Entry:
        """Gives an entry a name to find it by; a later tag of the same name takes its place."""
        entry = self[key]
        self.event("tag", name, entry=entry.id, project=entry.project, who=who)
        return entry

    def tags(self) -> dict[str, str]:
        """The id that each tag stands for now."""
        return {e.text: e.entry for e in self.events(kind="tag")}

    # over time

    def trend(self, **options: Unpack[TrendOptions]) -> Trend:
        """How the numbers have moved: `rg.trend(history, …)`."""
        from rankgauge.history.trend import trend

        return trend(self, **options)

    # what there is

    def projects(self) -> list[str]:
        """Names of all projects."""
        return sorted(row[0] for row in self._db.rows("SELECT DISTINCT project FROM entry"))

    def systems(self, project: str | None = None) -> list[str]:
        """Names of all systems, or of those of a project."""
        where, values = _where({"project": project}, None, None, None, None)
        return sorted(row[0] for row in self._db.rows(f"SELECT DISTINCT system FROM entry{where}", values))

    def measured(self, project: str | None = None) -> list[tuple[str, str]]:
        """Systems and what each was measured on, pair by pair."""
        where, values = _where({"project": project}, None, None, None, None)
        return sorted((s, d) for s, d in self._db.rows(f"SELECT DISTINCT system, dataset FROM entry{where}", values))

    def neighbours(self, key: str) -> tuple[Entry | None, Entry | None]:
        """The entry before and the one after: of the same kind, project, system and dataset."""
        e = self[key]
        at = time_text(e.at)
        found = []
        for sign, order in (("<", "DESC"), (">", "ASC")):
            near = self._db.rows(
                f"SELECT {ENTRY} FROM entry WHERE project = ? AND system = ? AND dataset = ? AND kind = ? "
                f"AND (at {sign} ? OR (at = ? AND id {sign} ?)) ORDER BY at {order}, id {order} LIMIT 1",
                (e.project, e.system, e.dataset, e.kind, at, at, e.id),
            )
            found.append(next(iter(self._made(near)), None))
        return found[0], found[1]

    def size(self) -> int:
        """Bytes on disk."""
        return self._db.size()

    def _pruned_at(self, key: str) -> str:
        return str(self._db.rows("SELECT pruned FROM entry WHERE id = ?", (key,))[0][0])

    # looking after it

    def prune(
        self,
        values: str | None = None,
        entries: str | None = None,
        *,
        project: str | None = None,
        now: datetime | date | str | None = None,
        dry_run: bool = False,
    ) -> Pruned:
        """Forgets what is older than was asked to keep: `values` of single queries, or whole `entries`.

            history.prune("90d")                       values of single queries for 90 days, means for ever
            history.prune("12w", entries="2y")         and nothing at all after two years
            history.prune("90d", dry_run=True)         says what would go

        What has a tag or is a baseline stays whole: one that was accepted, or else the first evaluation of a system on
        a dataset, which later ones are held against. Numbers with their intervals and slices stay with their entries.
        """
        return prune(self, self._db, values, entries, project=project, now=time_of(now, "now"), dry_run=dry_run)

    def export(self, path: str | os.PathLike[str], **chosen: Unpack[EntryWords]) -> int:
        """Writes entries (by the words of `entries`) with their events to a .jsonl (also .gz) or .parquet file.

        How many entries there are. `import_` reads it back to the last bit, here or elsewhere.
        """
        return export(self, Path(path), {**chosen})

    def import_(self, path: str | os.PathLike[str]) -> tuple[int, int]:
        """Reads what `export` wrote: how many entries are new, and how many were here already."""
        return read_export(self, self._db, Path(path))

    def verify(self) -> list[str]:
        """What is wrong with the store, one sentence each; nothing where every record is as it was added."""
        return verify(self, self._db)


# small things


def _where(
    named: Mapping[str, str | None],
    kind: str | Iterable[str] | None,
    since: datetime | date | str | None,
    until: datetime | date | str | None,
    labels: Mapping[str, str] | None,
) -> tuple[str, list[Any]]:
    """What is asked for, as SQL and its values."""
    wheres: list[str] = []
    values: list[Any] = []
    for name, value in named.items():
        if value is not None:
            wheres.append(f"{name} = ?")
            values.append(storable(str(value)))
    if (kinds := kinds_asked(kind)) is not None:
        wheres.append(f"kind IN ({', '.join('?' * len(kinds))})" if kinds else "1 = 0")
        values += kinds
    if since is not None:
        wheres.append("at >= ?")
        values.append(time_text(time_of(since, "since")))
    if until is not None:
        wheres.append("at <= ?")
        values.append(time_text(last_of(until)))
    for name, value in (labels or {}).items():
        wheres.append("EXISTS (SELECT 1 FROM label WHERE label.entry = entry.id AND name = ? AND value = ?)")
        values += [storable(name), storable(str(value))]
    return (f" WHERE {' AND '.join(wheres)}" if wheres else ""), values


def _ordered(newest_first: bool, limit: int | None, skip: int) -> str:
    """The order of time, and which part of it."""
    most, first = places_asked(limit, skip)
    order = "DESC" if newest_first else "ASC"
    part = f" LIMIT {2**62 if most is None else most} OFFSET {first}" if most is not None or first else ""
    return f" ORDER BY at {order}, id {order}{part}"


def _systems(record: Evaluations[Any], system: str | None) -> list[tuple[str, Record]]:
    found = list(record.items())
    if system is not None and len(found) > 1:
        names = ", ".join(name for name, _ in found)
        raise ParameterError(
            Text(
                f"history: `system` names one system, and there are {len(found)} ({names}). Leave it out: each is kept "
                "under its own name.",
                f"历史：`system` 只能命名一个系统，这里有 {len(found)} 个（{names}）。请去掉它："
                "各系统会以自己的名称保存。",
            )
        )
    return [(name if system is None else system, one) for name, one in found]


def _label(entry: Entry, measure: str) -> str:
    """What an entry calls a measure."""
    found = entry.summary(measure)
    if found is None:
        known = [s.measure for s in entry.summaries if s.is_of_all]
        raise UnknownName(
            Text(f"history: {entry.id} has no {measure}.", f"历史：{entry.id} 没有 {measure}。") + among(measure, known)
        )
    return found.measure


def _without_values(entry: Entry) -> InputError:
    return InputError(
        Text(
            f"history: {entry.id} has no values of single queries. Evaluations of rankings have them, until they are "
            "pruned.",
            f"历史：{entry.id} 没有单个查询的数值。排序评测才有，清理之后也没有。",
        )
    )


def _ids(reader: Reader, digest: str) -> bytes:
    return bytes(reader.rows("SELECT data FROM id_list WHERE digest = ?", (digest,))[0][0])


def _no_entry(key: object, found: Sequence[Entry], tags: Mapping[str, str]) -> Text:
    if found:
        ids = ", ".join(e.id for e in found[:3])
        return Text(
            f"history: {show(key)} is the beginning of several ids ({ids}, …). Write more of it.",
            f"历史：有多个 id 以 {show(key)} 开头（{ids} …）。请多写几位。",
        )
    near = among(str(key), list(tags)) if tags else Text("", "")
    return (
        Text(f"history: there is no entry {show(key)}.", f"历史：没有记录 {show(key)}。")
        + near
        + Text(" `rankgauge history list` shows what there is.", "用 `rankgauge history list` 查看现有记录。")
    )
