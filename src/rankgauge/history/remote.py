"""A history behind a dashboard: added to and read over HTTP, so that machines of CI can push.

    history = rg.History("https://quality.example", token=os.environ["RANKGAUGE_TOKEN"])
    history.add(ev, project="shop", system="bm25")

The same names as with a file. What only who owns the store may do (prune, import) is refused.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import date, datetime
from functools import partial
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import Request

import numpy as np

from rankgauge._records import Record
from rankgauge._show import LIMIT, cut, show
from rankgauge._text import Text, zh
from rankgauge._web import answered
from rankgauge.errors import InputError, ParameterError, RankgaugeError, UnknownName
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.history.database import without_password
from rankgauge.history.entry import PROJECT, Entry, Event, ListedItem, QueryValue
from rankgauge.history.given import About, event_of, kinds_asked, places_asked
from rankgauge.history.heads import heads_of, matter
from rankgauge.history.history import History
from rankgauge.history.packing import storable
from rankgauge.history.plain import entry_from, event_from, event_told, lists_from

if TYPE_CHECKING:
    from rankgauge._typing import Array

__all__ = ["VARIABLE", "RemoteHistory"]

VARIABLE = "RANKGAUGE_TOKEN"
_PATIENCE, _IN_ALL = 60, 600
"""Seconds: for each step of a call, and for all of it, however slowly the answer comes."""
_PAGE = 500
_Moment = datetime | date | str | None
T = TypeVar("T")


class RemoteHistory(History):
    """What `rg.History("http://…", token=…)` is."""

    def __init__(self, place: str | os.PathLike[str], *, token: str | None = None, read_only: bool = False) -> None:
        self._base = _checked(os.fspath(place))
        self._token = os.environ.get(VARIABLE, "") if token is None else token
        if not isinstance(self._token, str) or not self._token.isprintable() or not self._token.isascii():
            raise ParameterError(
                Text("history: `token` must be a text of printable ASCII.", "历史：`token` 必须是可打印的 ASCII 文本。")
            )
        self.read_only = read_only
        self._surroundings: tuple[float, str, dict[str, str]] | None = None
        self._ask("")

    @property
    def place(self) -> str:
        """Its address."""
        return self._base

    def close(self) -> None:
        """Nothing stays open between two calls."""

    # adding

    def put(self, record: Record, about: About, heads: Mapping[str, Sequence[Sequence[Any]]]) -> Entry:
        """Sends a record; it is on the server's disk when this returns."""
        sent = {**asdict(about), "record": _plain(record._columnar()), "heads": dict(heads)}
        return self._entry(self._send("/entries", sent))

    def _heads(self, ev: RankingEvaluation, about: About) -> Mapping[str, Any]:
        column = next((c for c in ev.columns if c.measure.summary == "mean"), None) if ev.has_queries else None
        if column is None or ev.judged is None or ev.source is None:
            return {}
        last = self.entries(
            project=about.project,
            system=about.system,
            dataset=about.dataset,
            kind="rankings",
            until=about.at,
            newest_first=True,
            limit=1,
        )
        before: dict[str, float] = {}
        kept: list[str] = []
        if last:
            try:
                before = dict(
                    zip(self.query_ids(last[0].id), self.values(last[0].id, column.label).tolist(), strict=True)
                )
            except RankgaugeError:  # pruned, or of another measure: there is nothing to hold it against
                before = {}
            kept = list(self.lists(last[0].id))
        values = np.where(column.counted, column.values, np.nan)
        return heads_of(ev, matter(ev.query_ids, values, before, kept))

    # reading

    def __len__(self) -> int:
        return int(self._ask("/store")["entries"])

    def __iter__(self) -> Iterator[Entry]:
        """From the oldest to the newest."""
        return iter(self.entries())

    def _found(self, key: object, *, strict: bool = True) -> list[Entry]:
        if not _is_key(key):
            return []
        try:
            return [self._entry(self._ask(_path(str(key))))]
        except UnknownName:
            return []

    def __getitem__(self, key: str) -> Entry:
        """The entry with this id, the beginning of one, or a tag."""
        if not _is_key(key):
            raise UnknownName(Text(f"history: there is no entry {show(key)}.", f"历史：没有记录 {show(key)}。"))
        return self._entry(self._ask(_path(key)))

    def entries(
        self,
        *,
        kind: Any = None,
        since: _Moment = None,
        until: _Moment = None,
        labels: Mapping[str, str] | None = None,
        newest_first: bool = False,
        limit: int | None = None,
        skip: int = 0,
        **named: str | None,
    ) -> list[Entry]:
        """Entries that are all of this, in the order of their times; a day as `until` is meant with all its hours."""
        limit, skip = places_asked(limit, skip)
        asked = [*_words(since=since, until=until, labels=labels, **named), *(("kind", k) for k in _kinds(kind))]
        asked += [("newest_first", "true")] if newest_first else []
        if kind is not None and not _kinds(kind):
            return []
        out: list[Entry] = []
        while limit is None or len(out) < limit:
            wanted = _PAGE if limit is None else min(_PAGE, limit - len(out))
            words = [*asked, ("limit", wanted), ("skip", skip + len(out))]
            found = self._ask("/entries", words)["entries"]
            out += [self._entry(e) for e in found]
            if len(found) < wanted:
                break
        return out

    def count(self, *, kind: Any = None, **words: Any) -> int:
        """How many entries are all of this, by the words of `entries`."""
        if kind is not None and not _kinds(kind):
            return 0
        asked = [*_words(**words), *(("kind", k) for k in _kinds(kind)), ("limit", 0)]
        return int(self._ask("/entries", asked)["total"])

    def _told(self, key: str) -> dict[str, Any]:
        found: dict[str, Any] = self._ask(_path(key, "record"))
        return found

    def query_ids(self, key: str) -> list[str]:
        """The ids of the queries of an evaluation, in the order of its values."""
        return list(self._ask(_path(key, "queries")))

    def values(self, key: str, measure: str) -> Array:
        """The values of single queries of an evaluation, in the order of its queries; NaN where one does not count."""
        found = self._ask(_path(key, "values"), [("measure", measure)])["values"]
        return np.array([np.nan if v is None else v for v in found], dtype=np.float64)

    def query_history(self, query: str, measure: str, **chosen: Any) -> list[QueryValue]:
        """What one query had in each evaluation that knows it, from the oldest to the newest."""
        asked = _words(**chosen)
        found = self._ask("/query", [("query", query), ("measure", measure), *asked])["values"]
        return self._meant(lambda told: [self._query_value(x) for x in told], found)

    def lists(self, key: str) -> dict[str, tuple[ListedItem, ...]]:
        """The lists that were kept of an evaluation: the first results of the queries that matter."""
        return self._meant(lists_from, self._ask(_path(key, "lists")))

    # events

    def event(
        self,
        kind: str,
        text: str = "",
        *,
        entry: str = "",
        project: str = PROJECT,
        who: str = "",
        at: _Moment = None,
        data: Mapping[str, Any] | None = None,
    ) -> Event:
        """Writes down what happened: a note, a tag, an acknowledged change, an alert."""
        made = event_of(kind, text, entry=entry, project=project, who=who, at=at, data=data)
        return self._meant(event_from, self._send("/events", {k: v for k, v in event_told(made).items() if k != "id"}))

    def events(
        self,
        *,
        kind: Any = None,
        project: str | None = None,
        entry: str | None = None,
        since: _Moment = None,
        newest_first: bool = False,
        limit: int | None = None,
        skip: int = 0,
    ) -> list[Event]:
        """What happened, in the order of time."""
        limit, skip = places_asked(limit, skip)
        if kind is not None and not _kinds(kind):
            return []
        asked = [("kind", k) for k in _kinds(kind)]
        asked += [(n, v) for n, v in (("project", project), ("entry", entry)) if v is not None]
        asked += [("since", _moment(since))] if since is not None else []
        asked += [("newest_first", "true")] if newest_first else []
        out: list[Event] = []
        while limit is None or len(out) < limit:
            wanted = _PAGE if limit is None else min(_PAGE, limit - len(out))
            found = self._ask("/events", [*asked, ("limit", wanted), ("skip", skip + len(out))])["events"]
            out += [self._meant(event_from, e) for e in found]
            if len(found) < wanted:
                break
        return out

    # what there is

    def projects(self) -> list[str]:
        """Names of all projects."""
        return list(self._ask("/projects"))

    def systems(self, project: str | None = None) -> list[str]:
        """Names of all systems, or of those of a project."""
        return list(self._ask("/systems", [] if project is None else [("project", project)]))

    def measured(self, project: str | None = None) -> list[tuple[str, str]]:
        """Systems and what each was measured on, pair by pair."""
        return sorted({(e.system, e.dataset) for e in self.entries(project=project)})

    def size(self) -> int:
        """Bytes on disk, there."""
        return int(self._ask("/store")["bytes"])

    def __getattribute__(self, name: str) -> Any:
        if name == "_db":
            raise ParameterError(
                Text(
                    "history: that can only be done where the store is, not through a dashboard.",
                    "历史：这只能在存储所在的机器上进行，不能通过看板。",
                )
            )
        return super().__getattribute__(name)

    # calls

    def _entry(self, e: Mapping[str, Any]) -> Entry:
        return self._meant(partial(entry_from, history=self), e)

    def _query_value(self, x: Mapping[str, Any]) -> QueryValue:
        value = float("nan") if x["value"] is None else float(x["value"])
        return QueryValue(self._entry(x["entry"]), value, lists_from({"": x["results"]})[""])

    def _meant(self, read: Callable[[Any], T], told: Any) -> T:
        """What an answer stands for."""
        try:
            return read(told)
        except (LookupError, TypeError, ValueError, AttributeError) as e:
            if isinstance(e, RankgaugeError):
                raise
            raise _no_dashboard(self._base, f"{type(e).__name__}: {e}") from e

    def _ask(self, path: str, words: Sequence[tuple[str, Any]] = ()) -> Any:
        asked = f"?{urlencode(list(words), errors='backslashreplace')}" if words else ""
        return self._call(Request(f"{self._base}/api/v1{path}{asked}"))

    def _send(self, path: str, data: Mapping[str, Any]) -> Any:
        if self.read_only:
            raise ParameterError(
                Text("history: it was opened with read_only=True.", "历史：以 read_only=True 打开，不能写入。")
            )
        body = json.dumps(data, allow_nan=False).encode("ascii")
        made = Request(f"{self._base}/api/v1{path}", data=body, method="POST")
        made.add_header("Content-Type", "application/json")
        return self._call(made)

    def _call(self, request: Request) -> Any:
        if self._token:
            request.add_unredirected_header("Authorization", f"Bearer {self._token}")
        try:
            with answered(request, _PATIENCE, _IN_ALL) as answer:
                body = answer.read()
            if 200 <= answer.status < 300:
                return json.loads(body)
        except (OSError, ValueError, HTTPException) as e:
            said = str(getattr(e, "reason", None) or e) or type(e).__name__
            if isinstance(e, TimeoutError):
                said = Text("it takes too long", "耗时过长")
            raise _no_dashboard(self._base, said) from e
        raise _refused(self._base, answer.status, body)


def _no_dashboard(base: str, why: str) -> InputError:
    return InputError(
        Text(
            f"history: {show(base)} does not answer as a dashboard does: {cut(why, LIMIT)}. Is `rankgauge ui` running?",
            f"历史：{show(base)} 没有像看板那样应答：{cut(zh(why), LIMIT)}。`rankgauge ui` 在运行吗？",
        )
    )


def _checked(place: str) -> str:
    try:
        parts = urlsplit(place)
        is_one = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets that do not close, a port that is no number
        is_one = False
    if not is_one or "@" in place or "?" in place or "#" in place or not (place.isascii() and place.isprintable()):
        shown = show(without_password(place))
        raise ParameterError(
            Text(
                f"history: the address of a dashboard must be http(s)://host:port, without a password, got {shown}.",
                f"历史：看板的地址必须是 http(s)://host:port，且不含密码，实际为 {shown}。",
            )
        )
    return place.rstrip("/")


def _refused(base: str, code: int, body: bytes) -> RankgaugeError:
    """What the other side said, as the error that it was there."""
    if code == 401:
        return InputError(
            Text(
                f"history: {show(base)} asks for its token. Set {VARIABLE}, or pass token=….",
                f"历史：{show(base)} 需要令牌。请设置 {VARIABLE}，或传入 token=…。",
            )
        )
    try:
        told = json.loads(body)
        text = Text(str(told["error"]), str(told.get("error_zh", told["error"])))
    except (ValueError, KeyError, TypeError):
        text = Text(f"{show(base)} answers {code}.", f"{show(base)} 返回 {code}。")
    return UnknownName(text) if code == 404 else InputError(text)


def _is_key(key: object) -> bool:
    """Whether something can be an id or a tag at all."""
    return isinstance(key, str) and bool(key) and storable(key) == key


def _path(key: str, *more: str) -> str:
    return "/".join(["/entries", quote(storable(key), safe=""), *more])


def _kinds(kind: Any) -> list[str]:
    return kinds_asked(kind) or []


def _words(
    since: _Moment = None, until: _Moment = None, labels: Mapping[str, str] | None = None, **named: str | None
) -> list[tuple[str, Any]]:
    """Which entries are meant, as an address says it."""
    asked = [(k, v) for k, v in named.items() if v is not None]
    asked += [(n, _moment(m)) for n, m in (("since", since), ("until", until)) if m is not None]
    return [*asked, *((f"label.{k}", v) for k, v in (labels or {}).items())]


def _moment(at: Any) -> str:
    """A day stays a day: it is meant with all its hours."""
    return at if isinstance(at, str) else at.isoformat()


def _plain(value: Any) -> Any:
    """Columns as lists: what is missing among numbers is null."""
    if isinstance(value, Mapping):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, np.ndarray):
        found = value.tolist()
        return [None if isinstance(v, float) and v != v else v for v in found]  # noqa: PLR0124
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, float) and value != value:  # noqa: PLR0124
        return None
    return value
