"""Rankings on Spark: a plan over tables, measured where the rows lie, summed up here.

    one look    how long is each list, which queries are judged, what holds for all judgements     (facts.py)
    one shuffle results, judgements and what else is known, a packed row for each query            (here)
    one table   a row of values per query, kept on the cluster; totals of each part add up exactly (worker.py)
    one driver  what is shown is measured here, of the first items of each list                    (shown.py)

A 64-bit key stands in for the id of a query. Spark packs the list of each query where it reads it, so the shuffle moves
few rows, and a list leaves Java as one text and one array. Lists too long for one executor go their own way
(`splitting.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any

from rankgauge._claims import Statement
from rankgauge._memory import room_of
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.alignment.build import align
from rankgauge.data import Qrels, Run
from rankgauge.data.activity import Activity, with_activity
from rankgauge.data.choosing import is_spark
from rankgauge.data.many_runs import several
from rankgauge.data.matrices import refuse_misfit
from rankgauge.data.weights import RANGE
from rankgauge.engines.spark import worker
from rankgauge.engines.spark.executors import refuse_bare_executors
from rankgauge.engines.spark.facts import Facts, JudgedFacts, facts_of_both, facts_of_judgements, key_of
from rankgauge.engines.spark.partial import Partial, add_up
from rankgauge.engines.spark.queries import attribute_rows, named_queries
from rankgauge.engines.spark.record import FarSummary, NearSummary, SparkEvaluation, SparkEvaluations
from rankgauge.engines.spark.session import map_in_arrow, partitions, session
from rankgauge.engines.spark.shown import PLACE, unpacked
from rankgauge.engines.spark.splitting import long_values
from rankgauge.engines.spark.tables import SparkTable, brought, refuse_too_large, table_of, to_spark
from rankgauge.engines.spark.worker import Work, labels_of
from rankgauge.errors import InputError
from rankgauge.evaluation.counts import LONGEST
from rankgauge.evaluation.rankings.measuring import Measured, counts_of, measured, refuse
from rankgauge.evaluation.rankings.naming import Named
from rankgauge.evaluation.rankings.policy import Policy
from rankgauge.evaluation.rankings.showing import Showing
from rankgauge.evaluation.rankings.suspicion import (
    NOT_LOOKED_AT,
    not_looked_at,
    suspicions_of_measures,
    suspicions_of_tally,
)
from rankgauge.evaluation.rankings.totals import Totals
from rankgauge.evaluation.rankings.user_ratings import of_ratings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from rankgauge.alignment.shown import Shown

__all__ = ["evaluate_on_spark"]

_UNJUDGED = 0.2  # share of rows without judgements from which on they are left out before the shuffle


def evaluate_on_spark(
    qrels: Any,
    run: Any,
    wanted: Sequence[Named],
    policy: Policy,
    *,
    convention: str = "rankgauge",
    weights: Any = None,
    slices: Any = None,
    confidence_level: float = 0.95,
    columns: Mapping[str, str] | None = None,
    train: Any = None,
    items: Any = None,
    room: Callable[[], int] | None = None,
    master: str | None = None,
    long_list: int = 1_000_000,
) -> SparkEvaluation | SparkEvaluations:
    """The numbers of one run, or of several by name, computed on Spark.

    `qrels` and `run` are Spark DataFrames, tables, paths, or anything that `rg.evaluate` takes. Lists with more than
    `long_list` results are split over executors. What is shown, and the catalogue (`train`, `items`), are looked at
    here, in so many bytes as `room` says.
    """
    room = room_of(None) if room is None else room
    runs = _several(run)
    some = [x for x in (qrels, *(runs or {"": run}).values()) if is_spark(x)]
    spark = some[0].sparkSession if some else session(master)
    refuse_bare_executors(spark)
    judged = table_of(qrels, "qrels", spark, columns)
    wanted = of_ratings(judged.notes, wanted, policy, has_train=train is not None)
    train, items = (brought(x, kind, columns, spark, room) for x, kind in ((train, "train"), (items, "items")))
    showing = Showing.asked(wanted, policy, train, items, columns)
    far, asked = (wanted, None) if showing is None else (showing.others, showing.elsewhere())
    slices = with_activity(slices, None if showing is None else showing.catalogue.train)
    about = facts_of_judgements(judged)
    if not about.rows:
        raise InputError(
            Text(
                f"qrels {show(judged.name)}: must hold at least one query, got none.",
                f"qrels {show(judged.name)}：至少要有一个查询，实际没有。",
            )
        )

    def one(given: Any, name: str = "") -> SparkEvaluation:
        table = table_of(given, "run", spark, columns, name)
        work = Work(far, policy, about.max_grade, about.grouped, judged.name, table.name, weights is not None)
        work = replace(work, showing=asked)
        return _evaluated(
            spark,
            judged,
            table,
            work,
            about,
            weights=weights,
            slices=slices,
            long_list=long_list,
            convention=convention,
            confidence_level=confidence_level,
            showing=showing,
            room=room,
        )

    if runs is None:
        return one(run)
    return SparkEvaluations({name: one(given, name) for name, given in runs.items()})


def _several(run: Any) -> dict[str, Any] | None:
    """As everywhere; names of tables stand for runs as well."""
    if isinstance(run, Mapping) and run and all(isinstance(r, (str, PathLike)) for r in run.values()):
        return dict(run)
    return several(run)


def _evaluated(
    spark: SparkSession,
    judged: SparkTable,
    run: SparkTable,
    work: Work,
    about: JudgedFacts,
    *,
    weights: Any,
    slices: Any,
    long_list: int,
    convention: str,
    confidence_level: float,
    showing: Showing | None,
    room: Callable[[], int],
) -> SparkEvaluation:
    if judged.shape is not None and run.shape is not None:
        refuse_misfit(judged.shape, run.shape, run.name)
    facts = facts_of_both(judged, run, long_list)
    if facts.long and showing is not None:
        showing.refuse_whole_lists()
    if not facts.rows and not run.empty:
        raise InputError(
            Text(
                f"run {show(run.name)}: must hold at least one query, got none.",
                f"run {show(run.name)}：至少要有一个查询，实际没有。",
            )
        )
    names = named_queries(spark, judged, weights)
    notes: list[str] = []
    attributes = None
    if slices is not None:
        attributes, kept, notes = attribute_rows(spark, judged, slices)
        work = replace(work, attributes=kept)
    rest = _about_queries(spark, judged, run, facts, names, attributes, work)
    results = _results(judged, run, facts, work)
    short = results if not facts.long else results.where(~results["key"].isin([*facts.long]))
    rest_of_short = rest if not facts.long else rest.where(~rest["key"].isin([*facts.long]))
    values = _values(short, rest_of_short, work)
    found_items = None
    if facts.long:
        of_long, found_items = long_values(results, rest, facts.long, work)
        values = values.unionByName(of_long)
    with partitions(spark, facts.rows + about.rows):  # that of a table is settled when it is to be kept
        table = _persisted(values)
    try:
        found = _added_up(table)
        found.raise_if_failed()
        start = _nothing(work)
        total = Partial.of(start) + found
        tally = {**total.tally, "not_judged": facts.not_judged}
        refuse(work.policy, tally, total.some["missing"].shown)
        notes += _checked(total, tally["queries"], work)
        near = _Near() if showing is None else _near(table, total, tally["queries"], showing, work, room)
    except BaseException:
        table.unpersist()
        raise
    finally:
        if found_items is not None:
            found_items.unpersist()
    far = [FarSummary(c.label, c.measure, t) for c, t in zip(start.columns, total.totals, strict=True)]
    columns: list[FarSummary] = [*far, *near.columns]
    if showing is not None:  # in the order asked
        by_label = {c.label: c for c in columns}
        columns = [by_label[label] for label, _ in showing.wanted]
    ev = SparkEvaluation(
        columns=columns,
        query_ids=(),
        policy=work.policy,
        counts=counts_of(tally, [c.measure for c in columns], work.policy),
        run=run.name,
        tag=run.tag,
        qrels=judged.name,
        convention=convention,
        confidence_level=confidence_level,
        attributes=dict.fromkeys(work.attributes, ()),
        activity=slices if isinstance(slices, Activity) else None,
        remarks=(*judged.notes, *run.notes, *notes, *near.notes, *not_looked_at(tally, run.name), *_unseen(showing)),
        stored_fingerprint={},
        version=__version__,
        longest=tally[LONGEST],
        table=table,
        slice_totals=total.slices,
        catalogue=None if showing is None else showing.catalogue,
        shown=near.shown,
        near_labels=near.labels,
    )
    of_measures = suspicions_of_measures(ev, tally)
    return replace(ev, suspected=(*suspicions_of_tally(tally, work.policy.missing), *of_measures))


# rows


def _results(judged: SparkTable, run: SparkTable, facts: Facts, work: Work) -> DataFrame:
    """The results as rows of the shuffle, those of judged queries at least."""
    from pyspark.sql import functions as F

    placed = work.ties == "input" or work.keep  # places tell results apart that are otherwise the same
    rows = run.frame.select(
        key_of(facts.seed),
        F.col("doc_id").alias("text"),
        F.col("score").alias("value"),
        (F.monotonically_increasing_id() if placed else F.lit(0).cast("long")).alias("place"),
        *([F.lit(None).cast("string").alias("heading")] if work.grouped else []),
    )
    if facts.unjudged_rows > _UNJUDGED * facts.rows and facts.can_broadcast:
        # a row that cannot be read is an error wherever it is, so it has to be seen
        unreadable = F.col("text").isNull() | (F.col("text") == "") | F.col("value").isNull()
        keys = judged.frame.select(key_of(facts.seed)).distinct().withColumn("judged", F.lit(True))
        rows = rows.join(F.broadcast(keys), "key", "left").where(F.col("judged") | unreadable).drop("judged")
    return rows


def _about_queries(
    spark: SparkSession,
    judged: SparkTable,
    run: SparkTable,
    facts: Facts,
    names: DataFrame,
    attributes: DataFrame | None,
    work: Work,
) -> DataFrame:
    """Judgements, and everything else that is known about queries, as rows of the shuffle."""
    from pyspark.sql import functions as F

    def row(frame: DataFrame, text: Any, value: Any, place: Any) -> DataFrame:
        heading = F.col("iteration") if frame is judged.frame else F.lit(None).cast("string")
        return frame.select(
            key_of(facts.seed),
            text.cast("string").alias("text"),
            value.cast("double").alias("value"),
            place.cast("long").alias("place"),
            *([heading.alias("heading")] if work.grouped else []),
        )

    nothing = F.lit(None)
    rows = row(judged.frame, F.col("doc_id"), F.col("grade"), -1 - F.monotonically_increasing_id())
    rows = rows.unionByName(row(names, F.col("query_id"), F.col("weight"), F.lit(worker.NAME)))
    if attributes is not None:
        rows = rows.unionByName(row(attributes, F.col("text"), nothing, F.lit(worker.ATTRIBUTES)))
    if run.empty:
        import polars as pl

        listed = pl.DataFrame({"query_id": [*run.empty]})
        rows = rows.unionByName(row(to_spark(listed, spark), nothing, nothing, F.lit(worker.LISTED)))
    return rows


def _values(results: DataFrame, rest: DataFrame, work: Work) -> DataFrame:
    """A row per query: its results packed (a text, an array), which leave Java many times faster than row by row."""
    from pyspark.sql import functions as F

    packed = [
        F.count("*").alias("n"),
        F.array_join(F.collect_list("text"), worker.BETWEEN).alias("texts"),  # leaves out what is null
        F.collect_list("value").alias("values"),
        *([F.collect_list("place").alias("places")] if work.ties == "input" else []),
    ]
    columns = [name for name in rest.columns if name != "key"]
    known = rest.groupBy("key").agg(F.collect_list(F.struct(*columns)).alias("about"))
    by_query = results.groupBy("key").agg(*packed).join(known, "key", "full_outer").fillna(0, ["n"])
    return map_in_arrow(by_query, partial(worker.measure_rows, work=work), worker.value_schema(work.wanted))


def _persisted(table: DataFrame) -> DataFrame:
    from pyspark import StorageLevel

    return table.persist(StorageLevel.MEMORY_AND_DISK)


# totals


def _unseen(showing: Showing | None) -> list[Statement]:
    """What has to be said where train is given: nobody held it against the test."""
    return [] if showing is None or showing.catalogue.train is None else [NOT_LOOKED_AT]


def _added_up(table: DataFrame) -> Partial:
    """The totals of all parts: one row that reaches the driver."""
    parts = table.select("partial").where("partial is not null").repartition(1)
    rows = map_in_arrow(parts, add_up, "partial string").collect()
    return sum((Partial.from_text(row[0]) for row in rows), Partial())


@dataclass(frozen=True, eq=False)
class _Near:
    """What was measured here: that of shown items."""

    columns: Sequence[NearSummary] = ()
    shown: Shown | None = None
    """In the order of the ids of users."""
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    notes: Sequence[str] = ()


def _near(
    table: DataFrame, total: Partial, queries: int, showing: Showing, work: Work, room: Callable[[], int]
) -> _Near:
    """The measures of shown items, of the lists that executors have put into the table."""
    what = Text(
        f"{total.places:,} items that are shown to {queries:,} users",
        f"展示给 {queries:,} 个用户的 {total.places:,} 个物品",
    )
    advice = Text(
        "Give measures a smaller cutoff, such as Coverage@10, or evaluate some of the users",
        "请把截断位置取小一些，如 Coverage@10，或只评测部分用户",
    )
    refuse_too_large(what, total.places * PLACE, total.sent, table.sparkSession, room, advice)
    rows = table.select("shown").where("shown is not null").collect()
    lists = unpacked((bytes(row[0]) for row in rows), showing.catalogue)
    return _Near(
        [
            NearSummary(c.label, c.measure, Totals(), column=c, weights=lists.weights)
            for c in showing.columns(lists.shown)
        ],
        lists.shown,
        {} if lists.attributes is None else labels_of(lists.attributes, work.attributes),
        showing.notes(lists.shown),
    )


def _nothing(work: Work) -> Measured:
    """What there is to say about no query at all: the measures as they are bound, and counts of 0."""
    import polars as pl

    ids = {"query_id": pl.String, "doc_id": pl.String}
    judged = pl.DataFrame(schema={**ids, "grade": pl.Float64, "iteration": pl.String})
    run = pl.DataFrame(schema={**ids, "score": pl.Float64})
    empty = align(Qrels(frame=judged, grouped=work.grouped), Run(frame=run))
    alignment = replace(empty.alignment, max_grade=work.max_grade)
    return measured(replace(empty, alignment=alignment), work.wanted, work.policy)


def _checked(total: Partial, queries: int, work: Work) -> list[str]:
    """Refuse weights and slices that do not fit the queries; notes on the rest."""
    if (some := total.some.get("unweighted")) and some.n:
        raise InputError(
            Text(
                f"weights: {some.n:,} of {queries:,} queries have none ({some}).",
                f"权重：{queries:,} 个查询中有 {some.n:,} 个没有权重（{some}）。",
            )
        )
    if (some := total.some.get("bad weights")) and some.n:
        raise InputError(
            Text(
                f"weights: must be finite and not negative, {RANGE}, got others for {some.n:,} queries ({some}).",
                f"权重：必须有限、非负，且为{RANGE.zh}，实际有 {some.n:,} 个查询不是（{some}）。",
            )
        )
    if (
        work.weighted
        and total.totals
        and work.policy.average == "weighted"
        and not any(t.weights for t in total.totals)
    ):
        raise InputError(
            Text("weights: must be finite, not negative, and not all 0.", "权重：必须有限、非负，且不全为 0。")
        )
    if not (some := total.some.get("unsliced")) or not some.n:
        return []
    if some.n == queries:
        raise InputError(
            Text(
                f"slices: none of the {queries:,} queries is in the slice table. Queries are such as {some}.",
                f"切片：{queries:,} 个查询都不在切片表中。查询形如 {some}。",
            )
        )
    return [Text(f"{some.n:,} queries have no slice ({some})", f"{some.n:,} 个查询没有切片（{some}）")]
