"""The result of evaluating a ranking on Spark: totals here, values of queries where they were computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property, reduce
from itertools import count
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.engines.spark.tables import quoted, to_spark
from rankgauge.engines.spark.worker import EXTRAS, labels_of
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.rankings.record import Column, RankingEvaluation, RankingEvaluations, values_of
from rankgauge.evaluation.rankings.slices import in_order, slice_name
from rankgauge.evaluation.rankings.totals import Summary, Totals
from rankgauge.statistics.intervals import Interval

if TYPE_CHECKING:
    import polars as pl
    from pyspark.sql import DataFrame

__all__ = ["FarSummary", "NearSummary", "SparkEvaluation", "SparkEvaluations"]

_OF_QUERIES = {"tie_queries", "undefined", *(f.name for f in fields(Column))}


class FarSummary(Summary):
    """A measure whose values lie on Spark; who asks for them is told how to get them."""

    def __getattr__(self, name: str) -> Any:
        if name in _OF_QUERIES:
            raise ParameterError(
                Text(
                    "the values of queries lie on Spark. Bring them here with ev.collect().",
                    "各查询的数值在 Spark 上。请用 ev.collect() 取到这里。",
                )
            )
        raise AttributeError(name)


@dataclass(frozen=True, eq=False)
class NearSummary(FarSummary):
    """A measure of what is shown: its values were computed here, and are shown where those of all measures are."""

    column: Column = field(kw_only=True)
    weights: Array | None = field(kw_only=True)

    @property
    def n(self) -> int:
        return self.column.n

    def total(self, average: str, weights: Any = None, queries: Any = None) -> float:
        """One number for all queries, or for those of a mask."""
        return self.column.total(average, self.weights, queries)

    def interval(self, confidence_level: float, average: str, weights: Any = None, **options: Any) -> Interval:
        """Confidence interval of the number."""
        return self.column.interval(confidence_level, average, self.weights, **options)


@dataclass(frozen=True, eq=False, kw_only=True)
class SparkEvaluation(RankingEvaluation):
    """Numbers of one run whose values per query stay on Spark.

    Means, intervals, counts and slices are here. `ev.per_query` is a Spark DataFrame, `ev.write(path)` stores it, and
    `ev.collect()` brings the values here, for comparisons, reports and whatever looks at single queries. The values
    are kept in the memory of the cluster until `ev.unpersist()`.
    """

    columns: Sequence[Summary]  # type: ignore[assignment]
    query_ids: Sequence[str] = ()
    table: DataFrame = field(repr=False)
    """The values as executors gave them, with what their totals need."""
    slice_totals: Mapping[str, Mapping[str, Sequence[Totals]]] = field(default_factory=dict, repr=False)
    near_labels: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    """For each attribute its value for each query of `shown`, whose values of shown items are here."""

    @cached_property
    def per_query(self) -> DataFrame:  # type: ignore[override]
        """A Spark DataFrame: `query_id`, then a column per measure; null where a query does not count."""
        from pyspark.sql import functions as F

        values = [F.when(F.col(f"counted_{i}"), F.col(f"value_{i}")).alias(c.label) for i, c in enumerate(self._far)]
        found = self._rows.select("query_id", *values)
        of_lists = [c.column for c in self._near if c.measure.summary != "run"]
        if self.shown is None or not of_lists:
            return found
        here = to_spark(values_of(self.shown.query_ids, of_lists), found.sparkSession)
        return found.join(here, "query_id").select(
            "query_id", *(quoted(c.label) for c in self.columns if c.measure.summary != "run")
        )

    @property
    def _far(self) -> list[Summary]:
        return [c for c in self.columns if not isinstance(c, NearSummary)]

    @property
    def _near(self) -> list[NearSummary]:
        return [c for c in self.columns if isinstance(c, NearSummary)]

    @property
    def _rows(self) -> DataFrame:
        return self.table.where("query_id is not null")

    @cached_property
    def slices(self) -> pl.DataFrame:
        """One row per value of each query attribute: `slice`, `value`, `n`, then a column per measure."""
        import polars as pl

        if not self.attributes:
            raise ParameterError(
                Text(
                    "no slices were given. Pass slices=… to evaluate().",
                    "没有给出切片。请把 slices=… 传入 evaluate()。",
                )
            )
        rows = []
        for attribute in self.attributes:
            labels = np.array(self.near_labels.get(attribute, ()), dtype=object)
            found = self.slice_totals.get(attribute, {})
            place = {name: i for i, name in enumerate(in_order({*map(slice_name, found)}))}
            for value in sorted(found, key=lambda value: place[slice_name(value)]):
                totals, mask = found[value], labels == value
                far = iter(totals)
                counts = [*(t.n for t in totals), *(int((c.column.counted & mask).sum()) for c in self._near)]
                row: dict[str, Any] = {"slice": attribute, "value": slice_name(value), "n": max(counts)}
                for c in self.columns:
                    if isinstance(c, NearSummary):
                        row[c.label] = c.total(self.policy.average, queries=mask)
                    else:
                        row[c.label] = next(far).value(c.measure.summary, self.policy.average)
                rows.append(row)
        return pl.DataFrame(rows, infer_schema_length=None)

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """Everything but the values of queries as plain Python values; those are in `ev.collect().to_dict()`."""
        if per_query:
            raise ParameterError(
                Text(
                    "the values of queries lie on Spark. Bring them here with ev.collect().",
                    "各查询的数值在 Spark 上。请用 ev.collect() 取到这里。",
                )
            )
        return super().to_dict(per_query=False)

    def write(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write `per_query` as Parquet. Spark commits all of it at the end (the file `_SUCCESS`), or nothing."""
        try:
            self.per_query.write.mode("overwrite" if overwrite else "error").parquet(fspath(path))
        except Exception as e:
            if "PATH_ALREADY_EXISTS" in str(e):
                raise InputError(
                    Text(
                        f"{show(fspath(path))} exists. Pass overwrite=True to replace it.",
                        f"{show(fspath(path))} 已存在。要替换它，请传入 overwrite=True。",
                    )
                ) from None
            raise

    def collect(self) -> RankingEvaluation:
        """An ordinary evaluation with the values of queries here, in the order of their ids as text."""
        import polars as pl

        found = pl.from_arrow(self._rows.toArrow())
        assert isinstance(found, pl.DataFrame)
        found = found.sort("query_id")
        weights, number = found["weight"], count()
        names = {f: getattr(self, f) for f in ("policy", "counts", "run", "tag", "qrels", "convention", "version")}
        return RankingEvaluation(
            **names,
            columns=[c.column if isinstance(c, NearSummary) else _column(found, next(number), c) for c in self.columns],
            query_ids=found["query_id"].to_list(),
            confidence_level=self.confidence_level,
            remarks=self.remarks,
            suspected=self.suspected,
            longest=self.longest,
            weights=None if weights.null_count() else weights.to_numpy(),
            attributes=_attributes(found, tuple(self.attributes)),
            activity=self.activity,
            catalogue=self.catalogue,
            shown=self.shown,
        )

    def unpersist(self) -> None:
        """Give the memory of the values back; they are computed again when asked for."""
        self.table.unpersist()


class SparkEvaluations(RankingEvaluations):
    """Evaluations of several runs whose values stay on Spark, by name."""

    _members: dict[str, SparkEvaluation]  # type: ignore[assignment]

    @cached_property
    def per_query(self) -> DataFrame:  # type: ignore[override]
        """The per-query values of all runs, with a leading `run` column, as a Spark DataFrame."""
        from pyspark.sql import functions as F

        parts = [ev.per_query.select(F.lit(name).alias("run"), "*") for name, ev in self._members.items()]
        return reduce(lambda a, b: a.unionByName(b), parts)

    def collect(self) -> RankingEvaluations:
        """Ordinary evaluations with the values of queries here."""
        return RankingEvaluations({name: ev.collect() for name, ev in self._members.items()})

    def unpersist(self) -> None:
        """Give the memory of all values back."""
        for ev in self._members.values():
            ev.unpersist()


def _column(found: pl.DataFrame, i: int, c: Summary) -> Column:
    is_text = c.measure.summary == "none"
    values = found[f"value_{i}"]
    array = np.array(values.to_list(), dtype=object) if is_text else values.to_numpy()

    def extra(name: str) -> Array | None:
        column = found[f"{name}_{i}"]
        if column.null_count() == len(column):
            return None
        # without ties every order is the best and the worst
        return (column.fill_null(values) if name in ("best", "worst") else column).to_numpy()

    return Column(c.label, c.measure, array, found[f"counted_{i}"].to_numpy(), *map(extra, EXTRAS))


def _attributes(found: pl.DataFrame, names: Sequence[str]) -> dict[str, list[str | None]]:
    labels = labels_of(found["attributes"], names) if names else {}
    return {name: [v or None for v in values] for name, values in labels.items()}
