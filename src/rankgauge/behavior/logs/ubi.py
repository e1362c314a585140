"""OpenSearch User Behavior Insights: what its plugin writes, as a log.

    ubi_events     action_name · query_id · client_id · timestamp · message · user_query · event_attributes
                   (object.object_id, position.ordinal, dwell_time)
    ubi_queries    query_id · user_query

UBI's `query_id` is one search by one client: here it is the request. The query is the text that was typed, taken from
the queries file, from `user_query` of the event, or from the message of the search event, in this order; a search
whose text is nowhere stays a query of its own, and a note says how many rows that concerns. Times are ISO texts or
thousandths of a second since 1970, also mixed. Positions start from 0 or 1 by application. `dwell_time` is taken
for seconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from rankgauge._show import show_all
from rankgauge._text import Text, spaced, zh
from rankgauge.behavior.logs.columns import BEHAVIOURS, LogColumns, event_name, is_ubi
from rankgauge.behavior.logs.log import Log, canonical_log
from rankgauge.data._places import named
from rankgauge.data.any_table import open_table, reading
from rankgauge.data.table import stem
from rankgauge.data.times import time_from_text
from rankgauge.errors import InputError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["read_ubi", "ubi_log"]

_SEARCHES = ("on_search", "search")


def read_ubi(
    events: Any,
    queries: Any = None,
    *,
    names: Mapping[str, str] | None = None,
    position_base: int | str = "auto",
    name: str = "",
) -> Log:
    """A log from the events of OpenSearch UBI, and the texts of its queries where given.

    `names` maps values of `action_name` to events, as `events` of `read_log` does.
    """
    log = open_table(events, "log")
    frame = log.lazy()
    if not is_ubi(there := frame.collect_schema().names()):
        raise InputError(
            Text(
                "UBI events must have action_name, query_id and event_attributes, "
                f"got columns {show_all(there)}. Try read_log(…) for other logs.",
                f"UBI 事件必须有 action_name、query_id 和 event_attributes，实际的列为 {show_all(there)}。"
                "其他日志请用 read_log(…)。",
            )
        )
    listed = None if queries is None else open_table(queries, "log")
    texts, told = (None, log.notes) if listed is None else (listed.lazy(), log.notes + listed.notes)
    name = name or (stem(events) if isinstance(events, (str, PathLike)) else "ubi")
    with reading(named("log", name), explained=log.explained):
        return ubi_log(frame, texts, events=names, position_base=position_base, name=name, told=told)


def ubi_log(
    frame: pl.LazyFrame,
    queries: pl.LazyFrame | None,
    *,
    events: Mapping[str, str] | None,
    position_base: int | str,
    name: str,
    told: Sequence[str] = (),
) -> Log:
    """The log of a frame of UBI events."""
    import polars as pl

    flat = _flat(frame)
    notes: list[str] = [
        *told,
        Text("OpenSearch UBI: each of its queries is one request", "OpenSearch UBI：其每个查询是一次请求"),
    ]
    if "timestamp" in frame.collect_schema().names() and (n := _times_lost(frame)):
        notes.append(
            Text(
                f"{n:,} {'timestamp' if n == 1 else 'timestamps'} cannot be read: no time for those rows",
                f"{n:,} 个 timestamp 无法读作时间：这些行没有时间",
            )
        )
    listed, messages = _texts(frame, queries)
    flat = flat.join(listed, on="request_id", how="left", maintain_order="left")
    flat = flat.join(messages, on="request_id", how="left", suffix="_said", maintain_order="left")
    flat = flat.with_columns(pl.coalesce("query_text", "typed", "query_text_said").alias("typed"))
    nameless = flat.select((pl.col("typed").is_null() & pl.col("item_id").is_not_null()).sum()).collect().item()
    if nameless:
        notes.append(
            Text(
                f"{nameless:,} events whose query text is nowhere: their search is a query of its own",
                f"{nameless:,} 个事件找不到查询文本：其搜索单独作为一个查询",
            )
        )
    flat = flat.with_columns(pl.coalesce("typed", "request_id").alias("query_id")).drop(
        "typed", "query_text", "query_text_said"
    )
    if position_base == "auto":
        flat = _from_one(flat, events, notes)
        position_base = 1
    columns = flat.collect_schema().names()
    kept = [c for c in columns if c != "application"]
    segments = ("application",) if "application" in columns else ()
    found = LogColumns({c: c for c in kept}, segments, ())
    return canonical_log(flat, found, events=events, position_base=position_base, name=name, notes=tuple(notes))


def _flat(frame: pl.LazyFrame) -> pl.LazyFrame:
    """The few things that matter of a nested event."""
    import polars as pl

    schema = frame.collect_schema()

    def inner(*path: str) -> pl.Expr | None:
        kind: Any = schema["event_attributes"]
        at = pl.col("event_attributes")
        for step in path:
            if not isinstance(kind, pl.Struct) or step not in (inside := {f.name: f.dtype for f in kind.fields}):
                return None
            kind, at = inside[step], at.struct.field(step)
        return at

    def text(column: str) -> pl.Expr:
        filled = pl.col(column).cast(pl.String)
        return pl.when(filled != "").then(filled)

    item = inner("object", "object_id")
    if item is None:
        raise InputError(
            Text(
                "UBI events must have event_attributes.object.object_id, got none. Nothing says what was shown.",
                "UBI 事件必须有 event_attributes.object.object_id，实际没有，因此不知道展示了什么。",
            )
        )
    wanted: dict[str, pl.Expr | None] = {
        "request_id": text("query_id"),
        "item_id": item.cast(pl.String),
        "event": pl.col("action_name"),
        "position": inner("position", "ordinal"),
        "dwell": inner("dwell_time"),
        "typed": text("user_query") if "user_query" in schema else pl.lit(None, dtype=pl.String),
    }
    people = [text(c) for c in ("user_id", "client_id") if c in schema]
    if people:
        wanted["user_id"] = pl.coalesce(people)
    if "application" in schema:
        wanted["application"] = pl.col("application")
    if "timestamp" in schema:
        wanted["time"] = _time(frame)
    return frame.select(e.alias(role) for role, e in wanted.items() if e is not None)


def _time(frame: pl.LazyFrame) -> pl.Expr:
    """ISO texts, thousandths of a second, or both."""
    import polars as pl

    stamp = pl.col("timestamp").cast(pl.String)
    digits = stamp.cast(pl.Int64, strict=False).cast(pl.Datetime("ms")).dt.cast_time_unit("us")
    sample = frame.select(stamp.filter(stamp.str.contains("-")).head(1_000)).collect().to_series()
    parsed = time_from_text(sample, stamp) if len(sample) else None
    return digits if parsed is None else pl.coalesce(parsed, digits)


def _times_lost(frame: pl.LazyFrame) -> int:
    """Timestamps that are there and cannot be read."""
    import polars as pl

    stamp = pl.col("timestamp").cast(pl.String)
    lost = stamp.is_not_null() & (stamp != "") & _time(frame).is_null()
    return int(frame.select(lost.sum()).collect().item())


def _texts(frame: pl.LazyFrame, queries: pl.LazyFrame | None) -> tuple[pl.LazyFrame, pl.LazyFrame]:
    """`request_id, query_text`, from the queries file and from the messages of search events."""
    import polars as pl

    nothing = pl.LazyFrame(schema={"request_id": pl.String, "query_text": pl.String})
    listed = messages = nothing
    if queries is not None:
        there = queries.collect_schema().names()
        missing = [c for c in ("query_id", "user_query") if c not in there]
        if missing:
            raise InputError(
                Text(
                    f"columns missing from UBI queries: {show_all(missing)}. Found: {show_all(there)}.",
                    f"UBI 查询缺少列：{show_all(missing)}。找到：{show_all(there)}。",
                )
            )
        listed = _pairs(queries, "user_query")
    if "message" in frame.collect_schema().names():
        messages = _pairs(frame.filter(pl.col("action_name").is_in(_SEARCHES)), "message")
    return listed, messages


def _pairs(frame: pl.LazyFrame, column: str) -> pl.LazyFrame:
    import polars as pl

    texts = frame.select(
        pl.col("query_id").cast(pl.String).alias("request_id"), pl.col(column).cast(pl.String).alias("query_text")
    )
    return texts.drop_nulls().filter(pl.col("query_text") != "").group_by("request_id").agg(pl.col("query_text").min())


def _from_one(flat: pl.LazyFrame, events: Mapping[str, str] | None, notes: list[str]) -> pl.LazyFrame:
    """Positions of applications that start from 0, moved by one."""
    import polars as pl

    if "position" not in flat.collect_schema().names():
        return flat
    if "application" not in flat.collect_schema().names():
        flat = flat.with_columns(pl.lit("").alias("application"))
    raw = flat.select(pl.col("event").unique()).collect().to_series().drop_nulls().to_list()
    shown = [e for e in raw if event_name(e, events) in ("impression", *BEHAVIOURS)]
    least = (
        flat.filter(pl.col("event").is_in(shown) & (pl.col("position") >= 0))
        .group_by("application")
        .agg(pl.col("position").min())
        .collect()
    )
    zero = least.filter(pl.col("position") == 0)["application"].drop_nulls().sort().to_list()
    if not zero:
        return flat
    listed = ", ".join(a for a in zero if a) or Text("this log", "此日志")
    notes.append(
        Text(f"positions of {listed} start from 0: 1 was added", f"{spaced(zh(listed), '的位置从')} 0 开始：已加 1")
    )
    is_zero = pl.col("application").is_in(zero)
    return flat.with_columns(pl.when(is_zero).then(pl.col("position") + 1).otherwise("position").alias("position"))
