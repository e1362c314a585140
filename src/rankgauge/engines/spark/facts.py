"""What has to be known about whole tables before their rows are spread: one look at each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.data._places import AN_ID
from rankgauge.engines.spark.tables import SparkTable
from rankgauge.errors import InputError

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

__all__ = ["Facts", "JudgedFacts", "facts_of_both", "facts_of_judgements", "key_of"]

_KEY_BYTES = 24  # of a key in a broadcast table
_SEEDS = 8
_UNITS = {"": 0, "b": 0, "k": 10, "kb": 10, "m": 20, "mb": 20, "g": 30, "gb": 30}


@dataclass(frozen=True)
class JudgedFacts:
    """All judgements."""

    rows: int
    max_grade: float
    grouped: bool
    """Whether items are judged under several headings."""


@dataclass(frozen=True)
class Facts:
    """All lists of a run."""

    rows: int
    queries: int
    """Judged ones."""
    not_judged: int
    """Queries of the run that nobody judged."""
    unjudged_rows: int
    seed: int
    """With which different queries have different keys."""
    can_broadcast: bool
    """Whether the keys of judged queries are few enough to be sent to every executor."""
    long: Mapping[int, int] = field(default_factory=dict)
    """Keys of judged queries whose lists are too long for one executor, and how long they are."""


def key_of(seed: int) -> Column:
    """64 bits in place of a query id."""
    from pyspark.sql import functions as F

    return F.xxhash64("query_id", F.lit(seed)).alias("key")


def facts_of_judgements(judged: SparkTable) -> JudgedFacts:
    """One look at all judgements, which also finds those that cannot be read."""
    from pyspark.sql import functions as F

    has_headings = "iteration" in judged.frame.columns
    heading = F.col("iteration") if has_headings else F.lit(None).cast("string")
    grade, infinite = F.col("grade"), F.lit(float("inf"))
    found = judged.frame.agg(
        F.count("*").alias("rows"),
        F.count_if(_is_gap("query_id")).alias("query_id"),
        F.count_if(_is_gap("doc_id")).alias("doc_id"),
        F.count_if(grade.isNull() | F.isnan(grade) | (F.abs(grade) == infinite)).alias("grade"),
        F.max("grade").alias("max_grade"),
        F.min(heading).alias("first"),
        F.max(heading).alias("last"),
        F.count(heading).alias("headed"),
    ).collect()[0]
    rules = {"query_id": AN_ID, "doc_id": AN_ID, "grade": Text("a finite number", "有限的数字")}
    for role, rule in rules.items():
        if n := found[role]:
            raise InputError(
                Text(
                    f"qrels {show(judged.name)}: {role} must be {rule}, got nothing that is one in {n:,} of "
                    f"{found['rows']:,} rows. Remove these rows or repair them.",
                    f"qrels {show(judged.name)}：{role} 必须是{zh(rule)}，实际 {found['rows']:,} 行中有 {n:,} "
                    "行不是。请删除或修复这些行。",
                )
            )
    several = found["first"] != found["last"] or 0 < found["headed"] < found["rows"]
    return JudgedFacts(found["rows"], max(found["max_grade"] or 0.0, 0.0), several)


def facts_of_both(judged: SparkTable, run: SparkTable, long_list: int) -> Facts:
    """One look at the query ids of both tables: map-side counts, then a row per query."""
    from pyspark.sql import functions as F

    def marked(frame: DataFrame, result: int) -> DataFrame:
        return frame.select("query_id", F.lit(result).cast("long").alias("result"))

    queries = marked(run.frame, 1).unionByName(marked(judged.frame, 0)).groupBy("query_id")
    lists = queries.agg(F.sum("result").alias("n"), F.count_if(F.col("result") == 0).alias("judged"))
    is_judged = F.col("judged") > 0
    found = lists.agg(
        F.coalesce(F.sum("n"), F.lit(0)).alias("rows"),
        F.count_if(is_judged).alias("queries"),
        F.count_if(~is_judged).alias("not_judged"),
        F.coalesce(F.sum(F.when(~is_judged, F.col("n"))), F.lit(0)).alias("unjudged_rows"),
        F.coalesce(F.sum(F.when(_is_gap("query_id"), F.col("n"))), F.lit(0)).alias("gaps"),
        F.coalesce(F.max(F.when(is_judged, F.col("n"))), F.lit(0)).alias("longest"),
        F.count("*").alias("names"),
        F.count_distinct(key_of(0)).alias("keys"),
    ).collect()[0]
    if n := found["gaps"]:
        raise InputError(
            Text(
                f"run {show(run.name)}: query_id must be text or a whole number, got nothing that is one in {n:,} of "
                f"{found['rows']:,} rows. Remove these rows or repair them.",
                f"run {show(run.name)}：query_id 必须是文本或整数，实际 {found['rows']:,} 行中有 {n:,} 行不是。"
                "请删除或修复这些行。",
            )
        )
    seed = 0 if found["keys"] == found["names"] else _seed(lists)
    long: dict[int, int] = {}
    if found["longest"] > long_list:
        rows = lists.where(is_judged & (F.col("n") > long_list)).select(key_of(seed), "n").collect()
        long = {row["key"]: row["n"] for row in rows}
    return Facts(
        rows=found["rows"],
        queries=found["queries"],
        not_judged=found["not_judged"],
        unjudged_rows=found["unjudged_rows"],
        seed=seed,
        can_broadcast=found["queries"] * _KEY_BYTES <= _broadcast_limit(run.frame),
        long=long,
    )


def _seed(lists: DataFrame) -> int:
    """Another hash, should two queries ever have the same key: one chance in 10^7 with a million queries."""
    from pyspark.sql import functions as F

    for seed in range(1, _SEEDS):
        names, keys = lists.agg(F.count("*"), F.count_distinct(key_of(seed))).collect()[0]
        if names == keys:
            return seed
    raise InputError(Text("queries cannot be told apart by any hash.", "没有哈希能区分这些查询。"))  # pragma: no cover


def _is_gap(name: str) -> Column:
    from pyspark.sql import functions as F

    return F.col(name).isNull() | (F.col(name) == "")


def _broadcast_limit(frame: Any) -> int:
    """Bytes that Spark would broadcast by itself."""
    text = str(frame.sparkSession.conf.get("spark.sql.autoBroadcastJoinThreshold", "10485760b")).casefold()
    found = re.fullmatch(r"(-?\d+)\s*([kmg]?b?)", text)
    return int(found[1]) << _UNITS[found[2]] if found else 0
