"""A log on Spark, read there by the expressions that read any log.

What a column means may depend on all of its values: whether positions start from 0, what its events are called, in
which unit its times are. Those are looked for on the executors, and little comes back. Then every executor reads its
rows, and the table of them stays on the cluster.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.behavior.logs.columns import BEHAVIOURS, is_ubi, recognise_log
from rankgauge.behavior.logs.log import Log, LogReading, reading_of
from rankgauge.behavior.logs.values import Values
from rankgauge.data._places import named
from rankgauge.engines.spark.session import map_in_arrow
from rankgauge.engines.spark.tables import quoted
from rankgauge.errors import InputError

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa
    from pyspark.sql import DataFrame

__all__ = ["batches_of", "collected", "frame_of", "log_on_spark", "schema_text"]


@contextmanager
def log_on_spark(frame: DataFrame, name: str = "log") -> Iterator[tuple[Log, DataFrame]]:
    """A log whose frame has the columns but no rows, and its rows on Spark, kept there as long as the context is open.

    Events are text on Spark; everything else has the types of the log.
    """
    from pyspark import StorageLevel

    if is_ubi(frame.columns):
        raise InputError(
            Text(
                f"log {show(name)} must have one row per event or impression on Spark, got OpenSearch UBI events, "
                "whose "
                "attributes lie deeper. Try rg.behavior.read_ubi on files, or select query_id, item_id, position, "
                "event.",
                f"Spark 上的日志 {show(name)} 必须每个事件或每次曝光一行，实际是 OpenSearch UBI 事件，"
                "其属性在更深处。请对文件用 rg.behavior.read_ubi，或选出 query_id、item_id、position、event。",
            )
        )
    found = recognise_log(frame.columns, None, named("log", name))
    raw = frame.select(*(quoted(column).alias(role) for role, column in found.kept.items()))
    typed = collected(raw.limit(0)).lazy()
    reading = reading_of(_SparkValues(typed, named("log", name), found, raw))
    nothing = reading.rows(typed).collect()
    rows = map_in_arrow(raw, partial(_read, reading=reading), schema_text(nothing.schema))
    rows = rows.persist(StorageLevel.MEMORY_AND_DISK)
    try:
        yield reading.log(nothing.lazy(), _counted(rows, nothing.schema), name), rows
    finally:
        rows.unpersist()


@dataclass
class _SparkValues(Values):
    """Columns on Spark; the frame has their types."""

    rows: DataFrame

    def reduced(self, values: pl.Expr, how: Literal["min", "max", "sum", "unique"]) -> pl.Series:
        import polars as pl

        few = self.frame.select(values.alias("value")).collect_schema()
        raw = self.rows.select(*set(values.meta.root_names()))
        found = collected(map_in_arrow(raw, partial(_reduced, values=values, how=how), schema_text(few)))
        return found.select(getattr(pl.col("value"), how)()).to_series()

    def first(self, role: str, n: int) -> pl.Series:
        return collected(self.rows.select(role).where(f"{role} is not null").limit(n)).to_series()


def _counted(rows: DataFrame, schema: Any) -> pl.DataFrame:
    from pyspark.sql import functions as F

    total = F.count("*").alias("rows")
    if "event" in schema:
        return collected(rows.groupBy("event").agg(total)).cast({"event": schema["event"]})
    flags = [F.count_if(b).alias(b) for b in BEHAVIOURS if b in schema]
    return collected(rows.agg(total, *flags))


# on executors


def _reduced(
    batches: Iterator[pa.RecordBatch], values: pl.Expr, how: Literal["min", "max", "sum", "unique"]
) -> Iterator[pa.RecordBatch]:
    import polars as pl

    parts = [frame_of([batch]).select(getattr(values.alias("value"), how)()) for batch in batches]
    if parts:
        yield from batches_of(pl.concat(parts).select(getattr(pl.col("value"), how)()))


def _read(batches: Iterator[pa.RecordBatch], reading: LogReading) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        yield from batches_of(reading.rows(frame_of([batch]).lazy()).collect())


# between Polars and Spark


def frame_of(batches: Sequence[pa.RecordBatch], log: Log | None = None) -> pl.DataFrame:
    """Rows that reached an executor; with the types of a log where they are of one."""
    os.environ.setdefault("POLARS_MAX_THREADS", "1")  # Spark runs a task on each core
    import polars as pl
    import pyarrow as pa

    frame = pl.DataFrame(pa.Table.from_batches(batches))
    return frame if log is None else frame.cast({c: t for c, t in log.frame.collect_schema().items() if c in frame})


def batches_of(frame: pl.DataFrame) -> list[pa.RecordBatch]:
    """Rows that leave an executor."""
    import polars as pl

    plain = frame.with_columns(pl.selectors.by_dtype(pl.Enum, pl.Categorical).cast(pl.String))
    return [*plain.to_arrow(compat_level=pl.CompatLevel.oldest()).to_batches()]


def collected(frame: DataFrame) -> pl.DataFrame:
    """A few rows, brought here."""
    import polars as pl

    return pl.DataFrame(frame.toArrow())


def schema_text(schema: Any) -> str:
    """What Spark calls the columns of a Polars frame."""
    import polars as pl

    names = {
        pl.Boolean: "boolean",
        pl.Int8: "tinyint",
        pl.Int16: "smallint",
        pl.Int32: "int",
        pl.Int64: "bigint",
        pl.Float64: "double",
        pl.Datetime: "timestamp_ntz",
    }
    return ", ".join(f"{name} {names.get(kind.base_type(), 'string')}" for name, kind in schema.items())
