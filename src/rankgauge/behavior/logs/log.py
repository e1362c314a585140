"""What was shown to whom, where, and what did they do with it?

A log has one row per event (`event` says which: impression, click, cart, purchase, refund, …) or one row per impression
with a column per behaviour. Either way its columns get the same names and types here:

    request_id   one list shown to one user; text or whole numbers, as are all ids
    query_id     what was asked (or the user, where nobody asks)
    item_id      what was shown
    position     Int32 from 1; null where it is no whole number from 1 on
    event        the name of the event, or Boolean columns `click`, `cart`, `purchase`, `refund`
    time         Datetime in UTC
    and, when there, user_id, dwell (seconds), device, viewed, propensity, ranker, randomised, segments

Nothing is left out while reading: that is the work of `clean`, which counts it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.behavior.logs.columns import BEHAVIOURS, LogColumns, event_name, is_ubi, recognise_log
from rankgauge.data._places import named
from rankgauge.data.any_table import open_table, reading
from rankgauge.data.table import stem
from rankgauge.errors import InputError, ParameterError

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.behavior.logs.values import Values

__all__ = ["Log", "LogReading", "canonical_log", "read_log", "reading_of"]

Kind = Literal["events", "impressions"]
_IDS = ("request_id", "session_id", "query_id", "user_id", "item_id")
_TEXTS = ("device", "ranker")
_FLAGS = ("viewed", "randomised", *BEHAVIOURS)
_TRUE = ("true", "1", "1.0", "yes", "y", "t", "是")
_FALSE = ("false", "0", "0.0", "no", "n", "f", "否", "")


@dataclass(frozen=True, eq=False)
class Log:
    """A log under the names above, not read into memory yet. `read_log` makes them."""

    frame: pl.LazyFrame
    name: str
    notes: tuple[str, ...]
    """What was recognised or repaired while reading."""
    kind: Kind
    rows: int = 0
    events: Mapping[str, int] = field(default_factory=dict)
    """Rows per event, also of events that nobody else has; of an impression table, impressions per behaviour."""
    segments: tuple[str, ...] = ()
    """Columns that were kept under their own names."""
    read_from: tuple[str | PathLike[str], ...] = ()
    """Its files, where it has some."""

    @property
    def columns(self) -> list[str]:
        """Names of the columns that the log has."""
        return self.frame.collect_schema().names()

    def __repr__(self) -> str:
        return f"<Log {self.name!r}: {self.rows:,} {self.kind}, {', '.join(self.events)}>"


def read_log(
    source: Any,
    *,
    columns: Mapping[str, str] | None = None,
    events: Mapping[str, str] | None = None,
    position_base: int | Literal["auto"] = "auto",
    name: str = "",
) -> Log:
    """Read a log of behaviour: a file, a folder or list of files, a dataframe, a lazy frame, OpenSearch UBI events.

    `columns` maps names of the input to `request_id`, `query_id`, `item_id`, `position`, `event`, `time` and so on,
    or to `segment` for one to keep as it is. `events` maps values of the event column to names:
    `{"pdp_open": "click"}`; the usual spellings are known. `position_base` says what the first position is called; by
    default 0 when there is a 0.

    Where there is no request id, a session and its query are one request, or `clean` cuts the events of a user into
    sessions. Where there is no query, the user takes its place; a bandit log (it has propensities) without users is one
    query, `all`.
    """
    if position_base not in ("auto", 0, 1):
        raise ParameterError(
            Text(
                f"`position_base` must be 'auto', 0 or 1, got {show(position_base)}.",
                f"`position_base` 必须是 'auto'、0 或 1，实际为 {show(position_base)}。",
            )
        )
    if isinstance(source, Log):
        return source
    from rankgauge.data.formats.base import Records

    content = open_table(source, "log")
    frame = content.lazy()
    if not name:
        name = stem(source) if isinstance(source, (str, PathLike)) else "log"
    where, names = named("log", name), frame.collect_schema().names()
    with reading(where, explained=content.explained):
        if not columns and is_ubi(names):
            from rankgauge.behavior.logs.ubi import ubi_log

            log = ubi_log(frame, None, events=events, position_base=position_base, name=name, told=content.notes)
        else:
            found = recognise_log(names, columns, where)
            told = content.notes
            log = canonical_log(
                *(frame, found),
                events=events,
                position_base=position_base,
                name=name,
                notes=told,
                is_json=isinstance(content, Records),
            )
    files = source if isinstance(source, (list, tuple)) else [source]
    return replace(log, read_from=tuple(f for f in files if isinstance(f, (str, PathLike))))


def canonical_log(
    frame: pl.LazyFrame,
    found: LogColumns,
    *,
    events: Mapping[str, str] | None,
    position_base: int | str,
    name: str,
    notes: tuple[str, ...] = (),
    is_json: bool = False,
) -> Log:
    """The log of a frame whose columns are known."""
    import polars as pl

    from rankgauge.behavior.logs.values import Values

    lazy = frame.select(pl.col(column).alias(role) for role, column in found.kept.items())
    read = reading_of(Values(lazy, named("log", name), found, is_json=is_json), events, position_base, notes)
    rows = read.rows(lazy)
    return read.log(rows, _counted(rows, read.kind), name)


@dataclass(frozen=True, eq=False)
class LogReading:
    """How the columns of a log become those above. `reading_of` finds it; it serves any part of the log."""

    expressions: Sequence[pl.Expr]
    kind: Kind
    segments: tuple[str, ...]
    notes: tuple[str, ...]

    def rows(self, frame: pl.LazyFrame) -> pl.LazyFrame:
        """Rows under their roles as they are read."""
        return _with_requests(frame.select(self.expressions), [])

    def log(self, rows: pl.LazyFrame, counted: pl.DataFrame, name: str) -> Log:
        """The log of rows that were read and counted: by event, or in one row with a column per behaviour."""
        if self.kind == "events":
            by_rows = counted.sort("rows", "event", descending=[True, False])
            counts = {"(none)" if e is None else str(e): int(n) for e, n in by_rows.select("event", "rows").iter_rows()}
            n = sum(counts.values())
        else:
            n = int(counted["rows"][0])
            counts = {"impression": n, **{b: int(counted[b][0] or 0) for b in BEHAVIOURS if b in counted.columns}}
        if not n:
            raise InputError(Text(f"log {show(name)} has no rows.", f"日志 {show(name)} 没有数据行。"))
        notes = (*self.notes, *_told_of_events(counts, self.kind))
        return Log(rows, name, notes, self.kind, n, counts, self.segments)


def reading_of(
    values: Values,
    events: Mapping[str, str] | None = None,
    position_base: int | str = "auto",
    notes: Sequence[str] = (),
) -> LogReading:
    """Look at the columns as far as their meaning depends on what is in them."""
    import polars as pl

    found = values.found
    told: list[str] = [*notes, *found.notes]
    expressions: list[pl.Expr] = []
    for role in found.kept:
        if role in _IDS:
            expressions.append(values.ids(role))
        elif role in _TEXTS:
            expressions.append(pl.col(role).cast(pl.String))
        elif role in _FLAGS:
            expressions.append(values.flag(role, _TRUE, _FALSE))
        elif role == "position":
            expressions.append(values.position(position_base, told))
        elif role == "time":
            if (time := values.time(told)) is not None:
                expressions.append(time)
        elif role == "dwell":
            expressions.append(values.dwell())
        elif role == "propensity":
            expressions.append(values.number(role))
        elif role == "event":
            expressions.append(values.event({raw: event_name(raw, events) for raw in values.raw_events()}))
        else:
            expressions.append(pl.col(role))
    _with_requests(values.frame.select(expressions), told)
    return LogReading(expressions, "events" if "event" in found.source else "impressions", found.segments, tuple(told))


def _with_requests(lazy: pl.LazyFrame, notes: list[str]) -> pl.LazyFrame:
    """Requests and queries of logs that have none."""
    import polars as pl

    names = lazy.collect_schema().names()
    if "query_id" not in names and "user_id" in names:
        lazy = lazy.with_columns(pl.col("user_id").alias("query_id"))
        notes.append(Text("no query: each user is a query", "没有查询列：每个用户作为一个查询"))
    elif "query_id" not in names:
        lazy = lazy.with_columns(pl.lit("all").alias("query_id"))
        notes.append(
            Text(
                "neither query nor user in a log with propensities: all rows are one query, 'all'",
                "日志有倾向得分但没有查询与用户：所有行视为同一查询 'all'",
            )
        )
    if "session_id" in names:
        if "request_id" not in names:
            both = pl.concat_str(["session_id", "query_id"], separator="|")
            lazy = lazy.with_columns(both.alias("request_id"))
            notes.append(
                Text("no request id: a session and its query are one request", "没有请求 id：会话与查询合为一次请求")
            )
        lazy = lazy.drop("session_id")
    return lazy


def _counted(lazy: pl.LazyFrame, kind: Kind) -> pl.DataFrame:
    import polars as pl

    rows = pl.len().alias("rows")
    if kind == "events":
        return lazy.group_by("event").agg(rows).collect(engine="streaming")
    flags = [b for b in BEHAVIOURS if b in lazy.collect_schema().names()]
    return lazy.select(rows, *(pl.col(f).sum() for f in flags)).collect(engine="streaming")


def _told_of_events(counts: Mapping[str, int], kind: Kind) -> list[str]:
    if kind != "events":
        return []
    others = {e: n for e, n in counts.items() if e not in ("impression", *BEHAVIOURS)}
    if not others:
        return []
    listed = ", ".join(f"{e} ({n:,})" for e, n in list(others.items())[:8]) + (", …" if len(others) > 8 else "")
    return [
        Text(
            f"events under their own names: {listed}; events={{…}} gives them another",
            f"保留原名的事件：{listed}；可用 events={{…}} 改名",
        )
    ]
