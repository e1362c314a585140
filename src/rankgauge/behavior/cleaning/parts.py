"""The rows of a log, one part of its requests after the other.

Where the caller wants the ids of requests, each part is read by itself. Where only counts are wanted, as for
judgements, several parts are read at once with small stand-ins: 128 bits of hash for the id of a request or user (two
of 20,000,000 agree by chance with a probability of 1e-24), a number with a dictionary for each query and item. Texts
are most of what a log weighs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import TYPE_CHECKING

from rankgauge.behavior.cleaning.plan import Plan

if TYPE_CHECKING:
    import polars as pl

__all__ = ["HASHES", "each_rows", "needed"]

HASHES = ("_hash_1", "_hash_2")
ROWS_PER_PART = 2_000_000
PARTS_PER_LOAD = 4


def each_rows(plan: Plan, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
    """The rows of each part, with the columns that the rules and the caller need (all by default)."""
    import polars as pl

    frame = plan.log.frame
    if plan.key is None:
        frame = frame.with_row_index("request_id")
    key = plan.key or "request_id"
    is_small = columns is not None and "request_id" not in columns
    frame = frame.with_columns(pl.col(key).hash(seed=7).alias("_part"))
    frame = _with_bots(plan, frame)
    if columns is not None:
        kept = needed(plan, columns)
        frame = frame.select(c for c in frame.collect_schema().names() if c in kept)
    if is_small:
        frame = _small(frame, key)
    parts = max(1, ceil(plan.log.rows / ROWS_PER_PART))
    loads = ceil(parts / PARTS_PER_LOAD) if is_small else parts
    each = ceil(parts / loads)
    for load in range(loads):
        rows = frame if loads == 1 else frame.filter(pl.col("_part") % loads == load)
        loaded = rows.collect(engine="streaming")
        for i in range(each):
            yield (loaded if each == 1 else loaded.filter(pl.col("_part") // loads % each == i)).drop("_part")


def needed(plan: Plan, columns: Sequence[str]) -> set[str]:
    """The columns that the rules need for those that the caller needs, once bots are told."""
    found = {"_part", "_bot", plan.key or "request_id", "query_id", "item_id", "position", "event"}
    found |= {*plan.behaviours, *columns}
    if plan.examined == "viewed":
        found.add("viewed")
    if plan.dwell is not None:
        found |= {"dwell", *plan.dwell.by}
    if plan.rules.duplicates is not None or plan.key == "user_id" or plan.mature is not None:
        found.add("time")
    return found


def _with_bots(plan: Plan, frame: pl.LazyFrame) -> pl.LazyFrame:
    """A column that says which rows are of users on days with too many."""
    import polars as pl

    if plan.bots is None:
        return frame
    if plan.bots.is_empty():
        return frame.with_columns(pl.lit(False).alias("_bot"))
    days = plan.bots.lazy().with_columns(pl.lit(True).alias("_bot"))
    frame = frame.with_columns(pl.col("time").dt.date().alias("_day"))
    found = frame.join(days, on=["user_id", "_day"], how="left", nulls_equal=True).drop("_day")
    return found.with_columns(pl.col("_bot").fill_null(False))


def _small(frame: pl.LazyFrame, key: str) -> pl.LazyFrame:
    """Numbers in place of texts."""
    import polars as pl

    schema = frame.collect_schema()
    texts = [c for c in ("query_id", "item_id") if schema[c] == pl.String]
    frame = frame.with_columns(pl.col(texts).cast(pl.Categorical))
    if schema[key] != pl.String:
        return frame
    text = pl.col(key)
    hashes = [pl.when(text.is_not_null()).then(text.hash(seed=i)).alias(h) for i, h in enumerate(HASHES, 1)]
    return frame.with_columns(hashes).drop(key)
