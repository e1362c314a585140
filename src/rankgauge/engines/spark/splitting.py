"""Lists that are too long for one executor: each is cut by a hash of its items, and counted piece by piece.

    look_up    which judged items are in a piece, with which scores         piece → found items, its first ones
    count      how many results of a piece stand around each found item     piece, all found items → counts
    assemble   the summed counts are the ranks                              query → its values

`engines/long_lists.py` says why that is exact. Only found items and counts travel between the steps.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from rankgauge._text import Text
from rankgauge.data import Run
from rankgauge.data._places import A_NUMBER, AN_ID
from rankgauge.engines.spark.session import map_in_arrow
from rankgauge.engines.spark.worker import (
    LISTED,
    NAME,
    Work,
    failed,
    refusal,
    rows_of,
    settled,
    split,
    value_schema,
    with_lists,
)
from rankgauge.errors import InputError, RankgaugeError

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa
    from pyspark.sql import DataFrame

__all__ = ["long_values"]

_PIECE = 250_000  # rows
_PARTITIONS = 200
_SUMMED, _REFUSED = -1, -2  # places of rows that tell about a piece
_FIRST = -3  # and, from here on down, of its first items: -3 for place 0
_FOUND = "key long, text string, value double, place long, above long, equal long, before long"


@dataclass(frozen=True)
class _Pieces:
    """The long lists as they are cut."""

    rows: DataFrame
    n: int
    """Pieces of each list."""
    partitions: int

    def map(self, rows: DataFrame, function: Any, work: Work) -> DataFrame:
        together = rows.repartition(self.partitions, "key", "piece")
        return map_in_arrow(together, partial(function, work=work), _FOUND)


def long_values(
    results: DataFrame, rest: DataFrame, long: Mapping[int, int], work: Work
) -> tuple[DataFrame, DataFrame]:
    """The values of the queries with these keys, as `worker.measure_rows` gives those of the others.

    Also the found items, which stay in memory until nobody needs them.
    """
    from pyspark.sql import functions as F

    n = -(-max(long.values()) // _PIECE)
    piece = F.pmod(F.xxhash64("text"), F.lit(n)).alias("piece")
    is_long = F.col("key").isin([*long])
    rows = results.where(is_long).select("key", "text", "value", "place", piece)
    rest = rest.where(is_long)
    judged = rest.where((F.col("place") < 0) & (F.col("place") > LISTED)).select("key", "text", "value", "place", piece)
    pieces = _Pieces(rows, n, -(-sum(long.values()) // _PIECE))

    found = pieces.map(rows.unionByName(judged), look_up, work).persist()
    everywhere = found.where("place >= 0").select(
        "key",
        "text",
        "value",
        (-1 - F.col("place")).alias("place"),
        F.explode(F.sequence(F.lit(0), F.lit(n - 1))).alias("piece"),
    )
    around = pieces.map(rows.unionByName(everywhere.withColumn("piece", F.col("piece").cast("long"))), count, work)
    numbers = [F.sum(name).alias(name) for name in ("above", "equal", "before")]
    summed = around.unionByName(found.where(F.col("place") == _SUMMED)).groupBy("key", "text", "place").agg(*numbers)
    told = summed.withColumn("value", F.lit(None).cast("double")).unionByName(found.where(F.col("place") <= _REFUSED))

    nothing = [F.lit(None).cast("long").alias(name) for name in ("above", "equal", "before")]
    about = rest.select("*", *nothing, F.lit(False).alias("told"))
    whole = about.unionByName(told.withColumn("told", F.lit(True)), allowMissingColumns=True).repartition(
        min(len(long), _PARTITIONS), "key"
    )
    return map_in_arrow(whole, partial(assemble, work=work), value_schema(work.wanted)), found


# on executors


def look_up(batches: Iterator[pa.RecordBatch], work: Work) -> Iterator[pa.RecordBatch]:
    """Pieces with their judgements → the judged items that they show, and their counts."""
    import polars as pl

    from rankgauge.engines import long_lists

    for key, piece in _groups(batches, "key", "piece"):
        results = piece.filter(pl.col("place") >= 0).select(doc_id="text", score="value", place="place").sort("place")
        gaps = {
            "doc_id": (AN_ID, results["doc_id"].is_null() | (results["doc_id"] == "")),
            "score": (A_NUMBER, results["score"].is_null()),
        }
        counts = {role: int(is_gap.sum()) for role, (_, is_gap) in gaps.items()}
        objections = [refusal(work, role, gaps[role][0], n) for role, n in counts.items() if n]
        if objections:
            yield _rows(key, text=[json.dumps([t.en, t.zh]) for t in objections[:1]], place=[_REFUSED])
            continue
        judged = piece.filter(pl.col("place") < 0)["text"]
        seen = long_lists.look_up(results, judged, single=work.single, keep=work.keep)
        found = seen.found
        yield _rows(key, text=found["doc_id"], value=found["score"].cast(pl.Float64), place=found["place"])
        yield _rows(key, place=[_SUMMED], above=[seen.results], equal=[seen.repeats], before=[seen.nan_scores])
        if work.showing is not None:
            first = work.showing.first_of(results.with_columns(query_id=pl.lit(key)))
            yield _rows(key, text=first["doc_id"], value=first["score"], place=_FIRST - first["place"])


def count(batches: Iterator[pa.RecordBatch], work: Work) -> Iterator[pa.RecordBatch]:
    """Pieces with all found items of their lists → what each piece adds to their ranks."""
    import polars as pl

    from rankgauge.engines import long_lists

    for key, piece in _groups(batches, "key", "piece"):
        columns = {"doc_id": "text", "score": "value", "place": "place"}
        results = piece.filter(pl.col("place") >= 0).select(**columns).sort("place")
        found = piece.filter(pl.col("place") < 0).select(**columns).with_columns(place=-1 - pl.col("place"))
        if work.single:
            found = found.cast({"score": pl.Float32})
        around = long_lists.count_around(results, found, work.ties, single=work.single, keep=work.keep)
        numbers = {name: around[name] for name in ("above", "equal", "before")}
        yield _rows(key, text=around["doc_id"], place=around["place"], **numbers)


def assemble(batches: Iterator[pa.RecordBatch], work: Work) -> Iterator[pa.RecordBatch]:
    """Judgements and summed counts → values."""
    import polars as pl

    from rankgauge.engines import long_lists

    for _, block in _groups(batches, "key"):
        told = block.filter("told")
        try:
            if not (refused := told.filter(pl.col("place") == _REFUSED)).is_empty():
                raise InputError(Text(*json.loads(refused["text"][0])))
            judged, about = split(block.filter(~pl.col("told")), work)
            counted = told.filter(pl.col("place") >= 0).select("above", "equal", "before", "place", doc_id="text")
            results, repeats, nan = told.filter(pl.col("place") == _SUMMED).select("above", "equal", "before").row(0)
            qrels = settled(judged, about.filter(pl.col("place") == NAME), work)
            counts = {"results": results, "repeats": repeats, "nan_scores": nan}
            aligned = with_lists(long_lists.assemble(qrels, counted, work.ties, **counts), about)
            first = told.filter(pl.col("place") <= _FIRST).sort("place", descending=True)
            run = Run(frame=first.select(doc_id="text", score="value", query_id="key"))
            yield rows_of(aligned, about, work, work.shown(aligned, run, qrels))
        except RankgaugeError as e:
            yield failed(e, work)


def _groups(batches: Iterator[pa.RecordBatch], *by: str) -> Iterator[tuple[int, pl.DataFrame]]:
    """The rows of a partition, those with equal keys together."""
    import polars as pl
    import pyarrow as pa

    if not (parts := [batch for batch in batches if batch.num_rows]):
        return
    frame = pl.from_arrow(pa.Table.from_batches(parts))
    assert isinstance(frame, pl.DataFrame)
    for (key, *_), rows in frame.partition_by(by, as_dict=True).items():
        yield key, rows


def _rows(key: int, **columns: Any) -> pa.RecordBatch:
    import pyarrow as pa

    n = len(columns["place"])
    types = dict(zip(("text", "value", "place", "above", "equal", "before"), "sdllll", strict=True))
    arrow = {"s": pa.string(), "d": pa.float64(), "l": pa.int64()}

    def column(name: str) -> pa.Array:
        values = columns.get(name)
        kind = arrow[types[name]]
        if values is None:
            return pa.nulls(n, kind)
        return pa.array(values if isinstance(values, list) else values.to_list(), kind)

    return pa.RecordBatch.from_pydict(
        {"key": pa.array([key] * n, pa.int64()), **{name: column(name) for name in types}}
    )
