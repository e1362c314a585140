"""What cleaning must know of a whole log, where its rows lie on Spark.

bots            counted by user and day; those with too many come here
dwell           counted by value; of each segment only the two values around its quantile come here
end of the log  one time
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from rankgauge.behavior.cleaning.dwell import Clicks
from rankgauge.behavior.cleaning.plan import clicks_of
from rankgauge.behavior.logs.log import Log
from rankgauge.behavior.logs.on_spark import batches_of, collected, frame_of
from rankgauge.engines.spark.session import map_in_arrow

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa
    from pyspark.sql import DataFrame

__all__ = ["SparkClicks", "SparkLooks"]


@dataclass(frozen=True, eq=False)
class SparkLooks:
    """Looks at the rows of a log on Spark."""

    log: Log
    rows: DataFrame

    def busy_days(self, most: int) -> pl.DataFrame:
        from pyspark.sql import functions as F

        by_day = self.rows.where("user_id is not null").groupBy("user_id", F.to_date("time").alias("_day")).count()
        return collected(by_day.where(F.col("count") > most).select("user_id", "_day"))

    def clicks(self, bots: pl.DataFrame | None) -> Clicks:
        return SparkClicks(self.log, self.rows, bots)

    def last_time(self) -> Any:
        from pyspark.sql import functions as F

        return collected(self.rows.agg(F.max("time"))).item()


@dataclass(frozen=True, eq=False)
class SparkClicks:
    """The clicks of a log on Spark that are not of bots."""

    log: Log
    rows: DataFrame
    bots: pl.DataFrame | None

    @property
    def columns(self) -> Sequence[str]:
        return self.log.columns

    def count(self) -> int:
        from pyspark.sql import functions as F

        return collected(self._by_dwell(()).agg(F.sum("_n"))).item() or 0

    def quantiles(self, share: float, by: Sequence[str]) -> pl.DataFrame:
        import polars as pl
        from pyspark.sql import Window
        from pyspark.sql import functions as F

        segment = Window.partitionBy(*by)
        n, end = F.sum("_n").over(segment), F.sum("_n").over(segment.orderBy("_dwell"))
        ranked = self._by_dwell(by).withColumns({"n": n, "start": end - F.col("_n"), "end": end})
        place = (F.col("n") - 1) * share

        def value(at: Any) -> Any:
            return F.max(F.when((F.col("start") <= at) & (at < F.col("end")), F.col("_dwell")))

        around = [value(F.floor(place)).alias("low"), value(F.ceil(place)).alias("high"), F.max("n").alias("n")]
        found = collected(ranked.groupBy(*by).agg(*around))
        # As Polars interpolates, to the last bit; Spark's `percentile` weighs the two values.
        at = (pl.col("n") - 1) * share
        between = (pl.col("high") - pl.col("low")) * (at - at.floor()) + pl.col("low")
        return found.select(*by, between.alias("q"), pl.col("n").fill_null(0))

    def _by_dwell(self, by: Sequence[str]) -> DataFrame:
        """How many clicks have each dwell, in each segment."""
        names = ", ".join([*(f"{c} string" for c in by), "_dwell double", "_n bigint"])
        counts = map_in_arrow(self.rows, partial(_dwells, log=self.log, bots=self.bots, by=tuple(by)), names)
        return counts.groupBy(*by, "_dwell").sum("_n").withColumnRenamed("sum(_n)", "_n")


def _dwells(
    batches: Iterator[pa.RecordBatch], log: Log, bots: pl.DataFrame | None, by: Sequence[str]
) -> Iterator[pa.RecordBatch]:
    import polars as pl

    for batch in batches:
        clicks = clicks_of(replace(log, frame=frame_of([batch], log).lazy()), bots)
        known = clicks.filter(pl.col("dwell").is_not_null())
        counts = known.group_by(pl.col(by).cast(pl.String), pl.col("dwell").alias("_dwell"))
        yield from batches_of(counts.agg(pl.len().cast(pl.Int64).alias("_n")).collect())
