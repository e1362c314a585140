"""Pairs of query and item counted on Spark, by the code that counts them on one machine.

    read        every executor reads its rows (rankgauge.behavior.logs.on_spark)
    plan        what the rules must know of all rows (rankgauge.behavior.cleaning.on_spark)
    clean       one shuffle brings the rows of a request (a user, where requests have to be cut) together; each
                partition is cleaned and counted like a small log
    add up      counts of partitions are summed on the cluster

The counts of pairs and rules come to the driver: judgements are made of them there. The rows do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rankgauge.behavior.cleaning.clean import Cleaning
from rankgauge.behavior.cleaning.on_spark import SparkLooks
from rankgauge.behavior.cleaning.parts import needed
from rankgauge.behavior.cleaning.plan import Plan
from rankgauge.behavior.grading.pair_counts import (
    Counted,
    PairCounts,
    columns_of,
    counted_parts,
    pair_counts_of,
    plan_of,
)
from rankgauge.behavior.logs.on_spark import batches_of, collected, frame_of, log_on_spark
from rankgauge.engines.spark.session import map_in_arrow

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

__all__ = ["count_pairs_on_spark"]

_ROWS = 500_000  # of a partition, which is in memory as a whole
_COUNTS = "rule string, query_id string, item_id string, events bigint, n bigint, examined bigint"


def count_pairs_on_spark(frame: DataFrame, events: Sequence[str], rules: Cleaning | None = None) -> PairCounts:
    """Count a log in a Spark DataFrame; the counts of its pairs come here."""
    with log_on_spark(frame) as (log, rows):
        plan = plan_of(log, events, rules, SparkLooks(log, rows))
        counts = map_in_arrow(_together(plan, rows), partial(_count, plan=plan, events=tuple(events)), _COUNTS)
        return pair_counts_of(plan, events, _added_up(counts))


def _together(plan: Plan, rows: DataFrame) -> DataFrame:
    """The rows of each request in one partition, with no more columns than the rules need."""
    from pyspark.sql import functions as F

    kept = needed(plan, columns_of(plan)) | (set() if plan.bots is None else {"user_id", "time"})
    rows = rows.select([c for c in rows.columns if c in kept])
    if plan.key is None:
        return rows
    key = F.col(plan.key)
    # Rows without a key are only counted, anywhere: in one partition they could be too many.
    spread = F.when(key.isNull(), F.monotonically_increasing_id()).otherwise(F.xxhash64(key))
    return rows.repartition(-(-plan.log.rows // _ROWS), spread)


def _added_up(counts: DataFrame) -> Counted:
    import polars as pl
    from pyspark.sql import functions as F

    total = counts.groupBy("rule", "query_id", "item_id", "events").agg(
        F.sum("n").alias("n"), F.sum("examined").alias("examined")
    )
    found = collected(total)
    pairs = found.filter(pl.col("rule").is_null())
    base = pairs.filter(pl.col("events").is_null()).select("query_id", "item_id", "n", "examined")
    followed = pairs.filter(pl.col("events").is_not_null()).select("query_id", "item_id", "events", "n")
    rules = found.filter(pl.col("rule").is_not_null()).select("rule", "n")
    return Counted(base.rename({"n": "impressions"}), followed.cast({"events": pl.UInt32}), Counter(dict(rules.rows())))


def _count(batches: Iterator[pa.RecordBatch], plan: Plan, events: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Rows of whole requests → their counts: of pairs, of events that followed, of rules."""
    import polars as pl

    parts = list(batches)
    if not parts:
        return
    frame = frame_of(parts, plan.log)
    part = replace(plan, log=replace(plan.log, frame=frame.lazy(), rows=frame.height))
    base, followed, rules = counted_parts(part, events)
    counts = pl.concat(
        [
            base.rename({"impressions": "n"}),
            followed.cast({"events": pl.Int64}),
            pl.DataFrame({"rule": [*rules], "n": [*rules.values()]}, schema={"rule": pl.String, "n": pl.Int64}),
        ],
        how="diagonal_relaxed",
    )
    ids = pl.col("query_id", "item_id").cast(pl.String)
    yield from batches_of(counts.select("rule", ids, "events", "n", "examined"))
