"""Labels and scores on Spark: two passes over the rows where they lie, states that add up on the way here.

first pass    no shuffle: each partition becomes one state of exact sums and bins
second pass   rows of a group together (one shuffle), or as they lie where there are no groups
both          states are added in a tree; the driver sees a few of them and no rows
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any

from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.data._places import named
from rankgauge.data.choosing import is_spark
from rankgauge.data.columns import recognise
from rankgauge.data.predictions import Predictions
from rankgauge.data.table import stem
from rankgauge.engines.predictions import plan_of, record
from rankgauge.engines.spark import prediction_worker as worker
from rankgauge.engines.spark.executors import refuse_bare_executors
from rankgauge.engines.spark.prediction_worker import State, Work
from rankgauge.engines.spark.session import map_in_arrow, session
from rankgauge.engines.spark.tables import quoted, read_table, to_spark
from rankgauge.errors import ParameterError
from rankgauge.evaluation.predictions.asking import OfPredictions, scale_of, wanted_measures
from rankgauge.evaluation.predictions.cluster_moments import ClusterMoments
from rankgauge.evaluation.predictions.piecewise import first, influences
from rankgauge.evaluation.predictions.policy import PredictionPolicy
from rankgauge.evaluation.predictions.record import PredictionEvaluation, PredictionEvaluations
from rankgauge.measures.grammar import as_list

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["evaluate_on_spark"]

_ADDED_AT_ONCE = 16  # states of up to some ten megabytes each
_ON_DRIVER = 4
_UNKNOWN = 1024  # partitions, where Spark does not tell
_ROWS = 1_000_000  # of a partition of groups
_PARTITIONS = 2_000


def evaluate_on_spark(
    predictions: Any,
    measures: OfPredictions | Iterable[OfPredictions] | None,
    columns: Mapping[str, str],
    policy: PredictionPolicy,
    *,
    confidence_level: float,
    positive: Any = None,
    name: str = "",
    master: str | None = None,
) -> PredictionEvaluation | PredictionEvaluations:
    """The numbers that rows read in pieces on one machine have, computed on Spark.

    `predictions` is a Spark DataFrame, a table, a path, or anything that `rg.evaluate_predictions` takes.
    """
    asked = None if measures is None else as_list(measures)
    spark = predictions.sparkSession if is_spark(predictions) else session(master)
    refuse_bare_executors(spark)
    frame, roles, name, where, notes, left_out = _table(predictions, columns, positive, name, spark)
    chosen = recognise(frame.columns, "predictions", roles, where)
    source = {role: column for role, column in chosen.source.items() if role != "time"}
    if segments := [column for role, column in source.items() if role.startswith("segment")]:
        raise ParameterError(
            Text(
                f"{where}: slices are made in memory, got {show(segments[0])} for rows on Spark. "
                "Leave slices= out, or evaluate each slice by itself.",
                f"{zh(where)}：切片须在内存中计算，而 {show(segments[0])} 所在的行在 Spark 上。请去掉 slices=，"
                "或对每个切片单独评测。",
            )
        )
    group = source.get("group", "")
    taken = dict.fromkeys(source.values())
    rows = frame.select([quoted(column) for column in taken])
    work = Work(
        where,
        {column: " ".join(r.partition(":")[0] for r, c in source.items() if c == column) for column in taken},
        None if left_out is not None else positive,
        plan_of(asked, policy, bool(group)),
    )
    state = State.of(work)
    states = map_in_arrow(rows, partial(worker.rows_of, work=work), worker.SCHEMA)
    for made in _added(states, partial(worker.add_rows, work=work), _partitions(rows)):
        state.add(made)
    more = state.parts.finish()
    found = {}
    for model, t in state.totals.items():
        scale_of(t, policy, name)
        found[model] = [first(label, m, t) for label, m in wanted_measures(asked, t)]
    models = [influences(found[model], t) for model, t in state.totals.items()]
    is_soft = any(t.is_soft for t in state.totals.values())
    return record(
        {model: (found[model], t) for model, t in state.totals.items()},
        _moments(rows, group, state.parts.rows, models, work, is_soft),
        policy,
        confidence_level=confidence_level,
        group=group,
        weight="weight" if state.parts.has_weight else "",
        zero_weight_rows=state.parts.zero_weight_rows + (left_out or 0),
        notes=(*notes, *(() if left_out is not None else chosen.notes), *more),
        data=name,
    )


def _table(
    obj: Any, columns: Mapping[str, str], positive: Any, name: str, spark: SparkSession
) -> tuple[DataFrame, Mapping[str, str], str, str, tuple[str, ...], int | None]:
    """The table on Spark, the roles of its columns, what it is called, and what was noted and left out on the way."""
    if is_spark(obj):
        return obj, columns, name or "predictions", name or "predictions", (), None
    if isinstance(obj, (str, PathLike)) and (found := read_table(str(obj), "predictions", spark)) is not None:
        return found, columns, name or stem(str(obj)), named("predictions", str(obj)), (), None
    here = Predictions.of(obj, columns=columns, positive=positive, name=name)
    roles = {"label": "label", "weight": "weight", "group": "group", "time": "ignore"}
    rows = here.to_frame().drop("time", strict=False)
    roles = {c: roles.get(c, "segment" if c in here.segments else "score") for c in rows.columns}
    return to_spark(rows, spark), roles, here.name, here.name, here.notes, here.zero_weight_rows


def _moments(rows: DataFrame, group: str, n: int, models: Any, work: Work, is_soft: bool) -> ClusterMoments:
    """The second pass."""
    partitions = _partitions(rows)
    if group:
        partitions = min(max(-(-n // _ROWS), 1), _PARTITIONS)
        rows = rows.repartition(partitions, quoted(group)).sortWithinPartitions(quoted(group))
    states = map_in_arrow(rows, partial(worker.moments_of, work=work, models=models, is_soft=is_soft), worker.SCHEMA)
    total = ClusterMoments(models)
    for made in _added(states, partial(worker.add_moments, models=models), partitions):
        total = total + ClusterMoments.from_bytes(made, models)
    return total


def _partitions(rows: DataFrame) -> int:
    try:
        return int(rows.rdd.getNumPartitions())
    except Exception:  # Spark Connect has no RDDs
        return _UNKNOWN


def _added(states: DataFrame, add: Any, n: int) -> list[bytes]:
    """A few states that hold all: added where they lie, some at a time."""
    while n > _ON_DRIVER:
        n = -(-n // _ADDED_AT_ONCE)
        states = map_in_arrow(states.repartition(n), add, worker.SCHEMA)
    found = states.collect()
    for row in found:
        worker.raise_if_failed(row["error"])
    return [bytes(row["state"]) for row in found]
