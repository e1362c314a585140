"""What is known about each judged query besides its judgements: its name, its weight, its attributes."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

from rankgauge._show import show, show_all
from rankgauge._text import Text, zh
from rankgauge.data._places import word_for
from rankgauge.data.activity import ACTIVITY, Activity
from rankgauge.data.choosing import is_spark
from rankgauge.data.columns import role_of
from rankgauge.data.mappings import id_text, refuse_twins
from rankgauge.data.slices import MOST_VALUES, attribute_table, weight_table
from rankgauge.engines.spark.tables import SparkTable, id_column, quoted, to_spark
from rankgauge.errors import InputError, ParameterError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["attribute_rows", "named_queries"]


def named_queries(spark: SparkSession, judged: SparkTable, weights: Any = None) -> DataFrame:
    """`query_id`, `weight`: a row for each judged query; null where no weight is known."""
    from pyspark.sql import functions as F

    names = judged.frame.select("query_id").distinct()
    if weights is None:
        return names.withColumn("weight", F.lit(None).cast("double"))
    return names.join(_weights(spark, weights), "query_id", "left")


def _weights(spark: SparkSession, weights: Any) -> DataFrame:
    if isinstance(weights, (str, PathLike)):
        weights = weight_table(weights)
    if isinstance(weights, Mapping):
        import polars as pl

        refuse_twins(weights, word_for("weights"), Text("queries", "查询"))
        by_id = {id_text(q, "weights"): float(w) for q, w in weights.items()}
        return to_spark(pl.DataFrame({"query_id": [*by_id], "weight": [*by_id.values()]}), spark)
    if not is_spark(weights):
        raise ParameterError(
            Text(
                "`weights` must be a mapping from query ids, a file or a Spark DataFrame with query_id and weight, "
                f'got {type(weights).__name__}: with engine="spark" queries have no order.',
                "`weights` 必须是以查询 id 为键的映射、文件，或含 query_id 和 weight 的 Spark DataFrame，"
                f'实际为 {type(weights).__name__}：使用 engine="spark" 时查询没有顺序。',
            )
        )
    others = [name for name in weights.columns if role_of(name, "run") != "query_id"]
    number = "weight" if "weight" in others else others[0] if len(others) == 1 else None
    if number is None:
        raise InputError(
            Text(
                f"weights: columns query_id and weight expected, found: {show_all(weights.columns)}.",
                f"权重：应有 query_id 和 weight 两列，找到的是：{show_all(weights.columns)}。",
            )
        )
    frame: DataFrame = weights
    rows = frame.select(_query_id(frame, word_for("weights")), quoted(number).cast("double").alias("weight"))
    return _one_each(rows, word_for("weights"), Text("one weight", "一个权重"))


def _one_each(frame: DataFrame, where: str, must: str) -> DataFrame:
    """The rows, each once; a query with two that differ is refused."""
    rows = frame.distinct()
    twice = rows.groupBy("query_id").count().where("count > 1").limit(1).collect()
    if twice:
        raise InputError(
            Text(
                f"{where}: query {show(twice[0]['query_id'])} must have {must}, got {twice[0]['count']} rows.",
                f"{zh(where)}：查询 {show(twice[0]['query_id'])} 只能有{zh(must)}，实际有 {twice[0]['count']} 行。",
            )
        )
    return rows


def attribute_rows(spark: SparkSession, judged: SparkTable, slices: Any) -> tuple[DataFrame, list[str], list[str]]:
    """`query_id`, `text` (JSON): attributes of queries; the names of those with few values; notes on the others."""
    from pyspark.sql import functions as F

    table, names = _attributes(spark, judged, slices)
    texts = [F.coalesce(quoted(name).cast("string"), F.lit("None")) for name in names]
    counts = [F.count_distinct(text).alias(str(i)) for i, text in enumerate(texts)]
    distinct = judged.frame.select("query_id").distinct().join(table, "query_id", "left").agg(*counts).collect()[0]
    kept = [name for name, n in zip(names, distinct, strict=True) if n <= MOST_VALUES]
    notes: list[str] = [slices.note] if isinstance(slices, Activity) else []
    notes += [
        Text(
            f"attribute {show(name)} has {n:,} values and is not used as a slice",
            f"属性 {show(name)} 有 {n:,} 个取值，不用作切片",
        )
        for name, n in zip(names, distinct, strict=True)
        if n > MOST_VALUES
    ]
    rows = table.select("query_id", F.to_json(F.struct(*map(quoted, kept))).alias("text")) if kept else table.limit(0)
    return (rows if kept else rows.select("query_id", F.lit("{}").alias("text"))), kept, notes


def _attributes(spark: SparkSession, judged: SparkTable, slices: Any) -> tuple[DataFrame, list[str]]:
    import polars as pl

    if isinstance(slices, Activity):
        users = [row[0] for row in judged.frame.select("query_id").distinct().collect()]
        active = to_spark(pl.DataFrame({"query_id": users, ACTIVITY: slices.of(users)}), spark)
        if slices.beside is None:
            return active, [ACTIVITY]
        others, names = _attributes(spark, judged, slices.beside)
        return active.join(others, "query_id", "left"), [ACTIVITY, *names]
    if is_spark(slices):
        key = _query_id(slices, word_for("slices"))
        names = [name for name in slices.columns if role_of(name, "run") != "query_id"]
        return _one_each(
            slices.select(key, *map(quoted, names)),
            word_for("slices"),
            Text("one value of each attribute", "各属性的一个值"),
        ), names
    table = attribute_table(slices)
    names = list(dict.fromkeys(name for row in table.values() for name in row))
    columns = {
        name: pl.Series([None if (v := row.get(name)) is None else str(v) for row in table.values()], dtype=pl.String)
        for name in names
    }
    return to_spark(pl.DataFrame({"query_id": pl.Series([*table], dtype=pl.String), **columns}), spark), names


def _query_id(frame: DataFrame, where: str) -> Any:
    """The column of query ids, as text."""
    found = [name for name in frame.columns if role_of(name, "run") == "query_id"]
    key = "query_id" if "query_id" in found else found[0] if found else None
    if key is None:
        raise InputError(
            Text(
                f"{where}: column 'query_id' is missing. Found: {show_all(frame.columns)}.",
                f"{zh(where)}：缺少列 'query_id'。找到：{show_all(frame.columns)}。",
            )
        )
    return id_column(frame, key, "query_id", where)
