"""The result of evaluating a ranking: a value per query, means, intervals and counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from math import fsum, isnan, log
from os import PathLike
from typing import TYPE_CHECKING, Any, Self, Unpack, cast

import numpy as np

from rankgauge._numbers import counted, short
from rankgauge._plain_data import plain_of, read_columns, read_value
from rankgauge._show import show
from rankgauge._text import Text, as_spoken, zh
from rankgauge.alignment import Array
from rankgauge.alignment.aligned import Aligned
from rankgauge.data import Qrels
from rankgauge.data.activity import ACTIVITY, Activity
from rankgauge.data.run_source import RunSource
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.counts import judged_key
from rankgauge.evaluation.rankings.averages import Parts, total_of
from rankgauge.evaluation.rankings.conventions import convention
from rankgauge.evaluation.rankings.fingerprint import of_judgements, of_queries
from rankgauge.evaluation.rankings.notes import counts_said, evaluated, warnings_of
from rankgauge.evaluation.rankings.policy import Policy
from rankgauge.evaluation.rankings.slices import slices_of
from rankgauge.evaluation.rankings.suspicion import Suspicion, accepting
from rankgauge.evaluation.record import Evaluation, Evaluations, plain
from rankgauge.measures.base import Measure
from rankgauge.measures.grammar import parse_ranking
from rankgauge.statistics.intervals import Interval, bootstrap_interval, check_level, t_interval
from rankgauge.statistics.quantiles import quantile, quantile_interval
from rankgauge.statistics.shares import wilson_of

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.alignment.shown import Shown
    from rankgauge.data.catalogue import Catalogue
    from rankgauge.evaluation.rankings.answers import AnswerOptions, Answers
    from rankgauge.evaluation.rankings.by_budget import ByBudget
    from rankgauge.evaluation.rankings.by_call import ByCall
    from rankgauge.evaluation.rankings.by_cutoff import ByCutoff
    from rankgauge.evaluation.rankings.by_item_group import ByItemGroup, GroupOptions
    from rankgauge.evaluation.rankings.gaps import Gaps
    from rankgauge.evaluation.rankings.unsampled import Unsampled

__all__ = [
    "Column",
    "QuantileColumn",
    "RankingEvaluation",
    "RankingEvaluations",
    "RunColumn",
    "StoredColumn",
    "values_of",
]

FLOOR = 1e-5  # of a geometric mean, as trec_eval


@dataclass(frozen=True, eq=False)
class Column:
    """One measure over all queries."""

    label: str
    """What the user calls it."""
    measure: Measure
    """What it is, with parameters that depend on the judgements filled in."""
    values: Array
    """A value per query."""
    counted: Array
    """Queries that enter the mean, as a mask."""
    numerator: Array | None = None
    denominator: Array | None = None
    """The ratio per query, for micro averages."""
    best: Array | None = None
    worst: Array | None = None
    """Values under the luckiest and unluckiest order of tied results for this measure, where ties exist."""

    def total(self, average: str, weights: Array | None, queries: Array | None = None) -> float:
        """One number for all queries, or for those of a mask."""
        if self.measure.summary == "none":
            return float("nan")
        chosen = self.counted if queries is None else self.counted & queries
        return total_of(self.measure.summary, *self.parts(average, weights, chosen).sums)

    def parts(self, average: str, weights: Array | None, chosen: Array) -> Parts:
        """Numerator and denominator of each chosen query under this average. Only means know one."""
        values = self.values[chosen]
        if self.measure.summary == "geometric":
            return Parts(np.array([log(max(v, FLOOR)) for v in values.tolist()], dtype=np.float64))
        if self.measure.summary != "mean":
            return Parts(values)
        if average == "micro" and self.numerator is not None and self.denominator is not None:
            return Parts(self.numerator[chosen], self.denominator[chosen])
        if average == "weighted" and weights is not None:
            return Parts(weights[chosen] * values, weights[chosen])
        return Parts(values)

    def interval(
        self,
        confidence_level: float,
        average: str,
        weights: Array | None,
        *,
        method: str = "t",
        rng: Any = 0,
        resamples: int = 10_000,
    ) -> Interval:
        """Confidence interval of the mean; undefined (NaN) for pooled ratios and where a value is."""
        values = self.values[self.counted]
        pooled = average == "micro" and self.numerator is not None
        if pooled or (len(values) and np.isnan(values).any()):
            return Interval(float("nan"), float("nan"))
        w = weights[self.counted] if average == "weighted" and weights is not None else None
        if method == "t":
            is_share = self.measure.is_share and w is None
            return wilson_of(values, confidence_level) if is_share else t_interval(values, confidence_level, w)
        if method == "bootstrap":
            return bootstrap_interval(values, confidence_level, w, rng=rng, resamples=resamples)
        raise ParameterError(
            Text(
                f"`method` must be 't' or 'bootstrap', got {show(method)}.",
                f"`method` 必须是 't' 或 'bootstrap'，实际为 {show(method)}。",
            )
        )

    @property
    def n(self) -> int:
        """How many queries count."""
        return int(self.counted.sum())

    @property
    def is_by_query(self) -> bool:
        """Whether `values` are what single queries have, so that one of them can be named for its own."""
        return True

    @property
    def undefined(self) -> Array:
        """Queries whose value is not a number, as a mask."""
        return np.zeros(len(self.values), dtype=bool) if self.values.dtype == object else np.isnan(self.values)

    @property
    def tie_width(self) -> float:
        """How much the mean can change with the order of tied results; NaN where that is not known."""
        if self.best is None or self.worst is None or not self.counted.any():
            return 0.0
        if self.tie_unknown.any():
            return float("nan")
        width = abs(self.best - self.worst)[self.counted]
        return fsum(width[~np.isnan(width)]) / len(width)

    @property
    def tie_queries(self) -> Array:
        """Queries whose value changes with the order of tied results."""
        if self.best is None or self.worst is None:
            return np.zeros(len(self.values), dtype=bool)
        changed: Array = self.counted & (abs(self.best - self.worst) > 0) & ~np.isnan(self.values)
        return changed

    @property
    def tie_unknown(self) -> Array:
        """Queries with so many orders of tied results that the best and the worst were not looked for."""
        if self.best is None or self.worst is None:
            return np.zeros(len(self.values), dtype=bool)
        unknown: Array = self.counted & np.isnan(self.best - self.worst) & ~np.isnan(self.values)
        return unknown


def values_of(query_ids: Sequence[str], columns: Sequence[Column]) -> pl.DataFrame:
    """`query_id`, then a column of values per measure; null where a query does not count."""
    import polars as pl

    data: dict[str, Any] = {"query_id": pl.Series(list(query_ids), dtype=pl.String)}
    for c in columns:
        s = pl.Series(c.values.tolist() if c.values.dtype == object else c.values)
        data[c.label] = s.zip_with(pl.Series(c.counted), pl.Series([None], dtype=s.dtype))
    return pl.DataFrame(data)


@dataclass(frozen=True, eq=False, kw_only=True)
class RunColumn(Column):
    """One measure of the whole run: no user has a value of it.

    `values` are the shares that users have in it (`measures/shown/base.py`): their mean is the value, and their spread
    says how far it can be trusted.
    """

    value: float
    of: Callable[[Array], float] | None = None
    """The value of the lists of some users, as a mask; None where the lists are not at hand."""

    @property
    def is_by_query(self) -> bool:
        return False

    def total(self, average: str, weights: Array | None, queries: Array | None = None) -> float:
        """The value, or that of the lists of some users."""
        if queries is None:
            return self.value
        return float("nan") if self.of is None else self.of(queries)


@dataclass(frozen=True, eq=False, kw_only=True)
class QuantileColumn(RunColumn):
    """One quantile of what queries have: `values` are those, not shares."""

    @property
    def is_by_query(self) -> bool:
        return True

    @property
    def share(self) -> float:
        """Which quantile it is, from 0 to 1."""
        share = self.measure.quantile
        assert share is not None
        return share

    def total(self, average: str, weights: Array | None, queries: Array | None = None) -> float:
        """The quantile, or that of some queries."""
        return self.value if queries is None else quantile(self.values[self.counted & queries], self.share)

    def interval(
        self, confidence_level: float, average: str, weights: Array | None, *, method: str = "t", **options: Any
    ) -> Interval:
        """Two of the values that hold the quantile of all queries like these; an end may not be known (infinite)."""
        if method != "t":
            raise ParameterError(
                Text(
                    f"{self.label}: the interval of a quantile rests on order statistics. Leave out `method`.",
                    f"{self.label}：分位数的置信区间来自次序统计量。请去掉 `method`。",
                )
            )
        return quantile_interval(self.values[self.counted], self.share, confidence_level)


WITHOUT_QUERIES = Text(
    "this evaluation was stored without per-query values. Evaluate again, or store it with them (per_query=True).",
    "这个评测存储时没有包含各查询的数值。请重新评测，或连同它们一起存储（per_query=True）。",
)


@dataclass(frozen=True, eq=False)
class StoredColumn:
    """A measure whose values per query were not stored: what `Column` says about all of them together."""

    label: str
    measure: Measure
    value: float
    ends: Interval
    n: int
    tie_width: float
    level: float
    """Of the interval."""

    def total(self, average: str, weights: Any = None, queries: Any = None) -> float:
        """One number for all queries."""
        return self.value

    def interval(self, confidence_level: float, average: str, weights: Any = None, **options: Any) -> Interval:
        """The interval that was stored."""
        if confidence_level != self.level or options.get("method", "t") != "t":
            raise InputError(
                Text(
                    f"another interval than the one of {short(self.level)} needs values: {WITHOUT_QUERIES}",
                    f"{short(self.level)} 以外的置信区间需要各查询的数值：{WITHOUT_QUERIES.zh}",
                )
            )
        return self.ends

    def __getattr__(self, name: str) -> Any:
        if name in _OF_QUERIES:
            raise InputError(WITHOUT_QUERIES)
        raise AttributeError(name)


_OF_QUERIES = {"tie_queries", "tie_unknown", "undefined", "parts", *(f.name for f in fields(Column))}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RankingEvaluation(Evaluation, kind="rankings", schema=1):
    """Numbers of one run against one set of judgements.

    `ev["nDCG@10"]` is the mean, under any spelling of the name; `ev.per_query` has the values;
    `ev.interval("nDCG@10")` says how far the mean can be trusted; `ev.counts` what went into it.
    """

    columns: Sequence[Column]
    query_ids: Sequence[str]
    policy: Policy
    run: str = "run"
    tag: str = ""
    """The run tag of a TREC file."""
    qrels: str = "qrels"
    convention: str = "rankgauge"
    weights: Array | None = None
    attributes: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """For each attribute of the queries its value per query: the slices."""
    judged: Qrels | None = field(default=None, repr=False)
    """The judgements; None after reading a stored evaluation."""
    aligned: Aligned | None = field(default=None, repr=False)
    """The ranks of judged items; None after reading a stored evaluation."""
    source: RunSource | None = field(default=None, repr=False)
    """The run as it was given, for looking at its lists; None after reading a stored evaluation."""
    catalogue: Catalogue | None = field(default=None, repr=False)
    """What was given of users and items (`train=`, `items=`); None without, and after reading a stored one."""
    activity: Activity | None = field(default=None, repr=False)
    """How users are parted into slices by what they did before; None without, and after reading a stored one."""
    shown: Shown | None = field(default=None, repr=False)
    """The first items of the lists, where such things were given or a measure asks; None after reading a stored one."""
    of_users: bool = False
    """Whether the judgements are what users did (their interactions after `train=`), and not what somebody judged."""
    stored_fingerprint: Mapping[str, str] | None = field(default=None, repr=False)
    stored_slices: Mapping[str, Sequence[Any]] | None = field(default=None, repr=False)
    """The columns of `slices`, where the values of queries were not stored."""
    suspected: Sequence[Suspicion] = ()
    """What casts doubt on the numbers; `suspicions` says it of this run."""
    lengths: Array | None = field(default=None, repr=False)
    """How many results the list of each query has, as far as the policy lets it go; None where that is not at hand."""
    longest: int | None = None
    """How many the longest has; None in what earlier versions stored."""

    @property
    def suspicions(self) -> tuple[Suspicion, ...]:
        """What makes the numbers wrong (error) or doubtful (warning), the most serious first."""
        found = sorted(self.suspected, key=lambda s: s.severity != "error")
        return tuple(s.of(self.run) for s in found)

    def accepting(self, *codes: str) -> Self:
        """The same, where suspicions of these codes may stand: they are said, and stop nothing.

        >>> import rankgauge as rg
        >>> qrels = {f"q{i}": {"a": 1} for i in range(20)}
        >>> late = rg.evaluate(qrels, {q: ["x", "y", "z", "a"] for q in qrels}, "RR")
        >>> print(str(late).splitlines()[0][:28], "/", str(late.accepting("worst-first")).splitlines()[0])
        Do not trust the numbers of  / run on qrels
        """
        return replace(self, suspected=accepting(self.suspected, codes))

    def fetched_before(self, measure: str) -> int | None:
        """Where all lists end because no more was fetched, if the measure would read on; None otherwise.

        Lists that the policy cuts or condenses end for another reason.
        """
        k, rules = self.column(measure).measure.cutoff, self.policy
        if not self.longest or k is None or k <= self.longest or rules.unjudged == "remove":
            return None
        return None if rules.depth is not None and self.longest >= rules.depth else self.longest

    @property
    def widest_tie(self) -> Column | None:
        """The measure whose mean the order of tied results moves most; None where it moves none.

        None as well for averages other than the plain mean, which move by other amounts, and for an expectation over
        all orders, which depends on none.
        """
        if self.policy.ties == "expected" or self.policy.average != "macro":
            return None
        moved = [c for c in self.columns if c.measure.summary == "mean" and c.tie_width > 0]
        return max(moved, key=lambda c: c.tie_width, default=None)

    @property
    def notes_on_slices(self) -> tuple[str, ...]:
        """What has to be known to read the slices: the counts that part users by activity."""
        return () if self.activity is None or ACTIVITY not in self.attributes else (self.activity.note,)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the table prints around the numbers: suspicions, what should stop a reader, counts in words, remarks."""
        suspected = [s.statement for s in self.suspicions]
        counted = (*warnings_of(self), evaluated(self), *counts_said(self))
        return tuple(map(as_spoken, dict.fromkeys((*suspected, *counted, *self.remarks))))

    @cached_property
    def relevant_part(self) -> float | None:
        """The share of judgements that are relevant, 1 where there are none; None where it is not known."""
        if self.aligned is not None:
            a = self.aligned.alignment
            return float(a.relevant(1 if self.policy.rel is None else self.policy.rel).mean()) if len(a.grade) else 1.0
        n, relevant = self.counts["judgements"], self.counts.get("relevant")  # earlier versions did not count them
        return None if relevant is None else relevant / n if n else 1.0

    @property
    def has_only_positives(self) -> bool | None:
        """Whether everything judged is relevant, as where right answers were written down; None where not known.

        Then what is not judged says nothing: it is all that is not a written answer. So it is for what users did, where
        a low rating may stand beside: nobody looked at all else.
        """
        if self.of_users:
            return True
        return None if self.relevant_part is None else self.relevant_part == 1

    @cached_property
    def fingerprint(self) -> Mapping[str, str]:
        """What the numbers rest on: digests of the queries and of the judgements."""
        if self.stored_fingerprint is not None:
            return self.stored_fingerprint
        out = {"queries": of_queries(self.query_ids)}
        if self.judged is not None:
            out["judgements"] = of_judgements(self.judged)
        return out

    # numbers

    @property
    def read_from(self) -> list[str | PathLike[str]]:
        """The files of judgements and of the run, where they were read from files."""
        given = (getattr(self.judged, "path", None), getattr(self.source, "given", None))
        return [path for path in given if isinstance(path, (str, PathLike))]

    @property
    def can_be_read_again(self) -> bool:
        """Whether judgements and the run are files, which a command can be given."""
        return len(self.read_from) == 2 and not (self.aligned is not None and self.aligned.is_of_spans)

    @property
    def _system(self) -> str:
        return self.run

    @property
    def _about(self) -> tuple[str, str]:
        return self.qrels, counted(self.counts["queries"], "query", "个查询")

    def _parse(self, name: Any) -> Measure:
        return parse_ranking(name, convention(self.convention).parameters)

    def _total(self, column: Column) -> float:
        return column.total(self.policy.average, self.weights)

    def column(self, name: str | Measure) -> Column:
        """The column of a measure, under any of its names."""
        return cast("Column", super().column(name))

    def n(self, name: str | Measure) -> int:
        """How many queries the number of this measure rests on."""
        return self.column(name).n

    def interval(
        self,
        name: str | Measure,
        confidence_level: float | None = None,
        *,
        method: str = "t",
        rng: Any = 0,
        resamples: int = 10_000,
    ) -> Interval:
        """Confidence interval of the mean over queries like these: `method` is `"t"` or `"bootstrap"`.

        Undefined (NaN) for sums, geometric and micro averages, and for fewer than two queries. Of a measure of the
        whole run it rests on what the number would be without each query.
        """
        c = self.column(name)
        level = self.confidence_level if confidence_level is None else confidence_level
        if c.measure.summary not in ("mean", "run"):
            return Interval(float("nan"), float("nan"))
        found: Interval = c.interval(
            level, self.policy.average, self.weights, method=method, rng=rng, resamples=resamples
        )
        return found if isnan(found.low) else found.clipped(*c.measure.bounds)

    def by_budget(self, measures: Any = None, budgets: str | Iterable[str] | None = None) -> ByBudget:
        """How the numbers change with the room that a context has: `rg.by_budget(ev, …)`."""
        from rankgauge.evaluation.rankings.by_budget import by_budget

        return by_budget(self, measures, budgets)

    def by_cutoff(
        self, measures: str | Measure | Iterable[str | Measure] | None = None, cutoffs: Iterable[int] | None = None
    ) -> ByCutoff:
        """How the numbers change with the cutoff, and what they could be at most: `rg.by_cutoff(ev, …)`."""
        from rankgauge.evaluation.rankings.by_cutoff import DEFAULT_FAMILIES, by_cutoff

        return by_cutoff(self, DEFAULT_FAMILIES if measures is None else measures, cutoffs)

    def by_call(self) -> ByCall:
        """What each further call of a retriever finds: `rg.by_call(ev)`."""
        from rankgauge.evaluation.rankings.by_call import by_call

        return by_call(self)

    def gaps(
        self,
        by: str | Iterable[str] | None = None,
        measures: str | Measure | Iterable[str | Measure] | None = None,
        *,
        least: int = 10,
    ) -> Gaps:
        """How much worse the worst-served group of queries is, by each attribute of `slices=` and each measure.

        `by` and `measures` name some of them; groups with fewer than `least` queries are left out.
        """
        from rankgauge.evaluation.rankings.gaps import gaps

        return gaps(self, by, measures, least=least)

    def answers(
        self, correct: Any, retrieved: str | Measure | None = None, **options: Unpack[AnswerOptions]
    ) -> Answers:
        """Are wrong answers the fault of retrieval or of generation? `rg.answers(ev, correct, …)`."""
        from rankgauge.evaluation.rankings.answers import answers

        return answers(self, correct, retrieved, **options)

    def by_item_group(
        self, groups: Any = None, cutoffs: Iterable[int] | None = None, **options: Unpack[GroupOptions]
    ) -> ByItemGroup:
        """Which kinds of items are found, popular and rare ones among them: `rg.by_item_group(ev, groups, …)`."""
        from rankgauge.evaluation.rankings.by_item_group import by_item_group

        return by_item_group(self, groups, cutoffs, **options)

    def unsampled(self, n_items: int) -> Unsampled:
        """What sampled candidates say of a ranking of all items: `rg.unsampled(ev, n_items)`."""
        from rankgauge.evaluation.rankings.unsampled import unsampled

        return unsampled(self, n_items)

    # tables

    @cached_property
    def per_query(self) -> pl.DataFrame:
        """A Polars frame: `query_id`, then a column per measure; null where a query does not count.

        Measures of the whole run have no values of queries, and no column.
        """
        return values_of(self.query_ids, [c for c in self.columns if c.measure.summary != "run"])

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        rows = []
        for c in self.columns:
            low, high = self.interval(c.label)
            rows.append(
                {
                    "measure": c.label,
                    "definition": str(c.measure),
                    "value": self._total(c),
                    "low": low,
                    "high": high,
                    "n": c.n,
                    "tie_width": c.tie_width,
                }
            )
        return rows

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
        if self.stored_slices is not None and not self.has_queries:
            return pl.DataFrame(self.stored_slices)
        stored = self._stored_by_slice()
        rows = []
        for attribute, of_query in self.attributes.items():
            for value, mask in slices_of(of_query):
                n = max(int((c.counted & mask).sum()) for c in self.columns)
                row: dict[str, Any] = {"slice": attribute, "value": value, "n": n}
                for c in self.columns:
                    known = stored.get((attribute, value, c.label)) if isinstance(c, RunColumn) else None
                    row[c.label] = c.total(self.policy.average, self.weights, mask) if known is None else known
                rows.append(row)
        return pl.DataFrame(rows, infer_schema_length=None)

    def _stored_by_slice(self) -> dict[tuple[str, str, str], float]:
        """Numbers by slice that were stored: those of the whole run cannot be made of what single queries have."""
        kept = self.stored_slices or {}
        return {
            (attribute, value, label): number
            for label in kept.keys() - {"slice", "value", "n"}
            for attribute, value, number in zip(kept["slice"], kept["value"], kept[label], strict=True)
        }

    # plain data

    def to_dict(self, *, per_query: bool = True) -> dict[str, Any]:
        """Everything as plain Python values, nothing rounded; `rg.load` and `from_dict` read it back.

        Without `per_query` the values of single queries are left out, and what needs them later says so.
        """
        return self._stored(self._told(_as_list if per_query and self.has_queries else None))

    def _columnar(self) -> dict[str, Any]:
        return self._stored(self._told(_as_array if self.has_queries else None))

    def _told(self, column: Callable[[Array], Any] | None) -> dict[str, Any]:
        """Everything as it is stored, with what queries have as `column` says it; None leaves that out."""
        out: dict[str, Any] = {**self._plain(), "fingerprint": dict(self.fingerprint)}
        if column is None:
            return out
        out["query_ids"] = list(self.query_ids)
        out["per_query"] = {c.label: _of_counted(c, column) for c in self.columns if c.measure.summary != "run"}
        of_run = {c.label: c for c in self.columns if isinstance(c, RunColumn)}
        if of_run:
            out["of_run"] = {label: _of_counted(c, column) for label, c in of_run.items()}
        undefined = {
            c.label: np.flatnonzero(c.counted & c.undefined).tolist() for c in self.columns if c.label not in of_run
        }
        if any(undefined.values()):  # these count, other empty places do not
            out["undefined"] = {label: queries for label, queries in undefined.items() if queries}
        bounds = {c.label: (c.best, c.worst) for c in self.columns if c.best is not None and c.worst is not None}
        if bounds:
            out["tie_bounds"] = {k: [column(x) for x in pair] for k, pair in bounds.items()}
        ratios = {c.label: c for c in self.columns if c.numerator is not None and c.denominator is not None}
        if self.policy.average == "micro":
            out["ratios"] = {
                label: [c.numerator.tolist(), c.denominator.tolist()]  # type: ignore[union-attr]
                for label, c in ratios.items()
            }
        if self.weights is not None:
            out["weights"] = self.weights.tolist()
        if self.lengths is not None:
            out["lengths"] = self.lengths if column is _as_array else self.lengths.tolist()
        if self.attributes:
            out["attributes"] = {k: plain_of(list(v)) for k, v in self.attributes.items()}
        return out

    def _plain(self) -> dict[str, Any]:
        """The numbers with their contract, and nothing that the input has to be read for again."""
        out: dict[str, Any] = {
            "run": self.run,
            "tag": self.tag,
            "qrels": self.qrels,
            "convention": self.convention,
            "policy": self.policy.to_dict(),
            "confidence_level": self.confidence_level,
            "counts": dict(self.counts),
            "longest_list": self.longest,
            "measures": [{k: plain(v) for k, v in row.items()} for row in self.csv_rows()],
            "notes": list(self.notes),
            "remarks": list(self.remarks),
            "suspicions": [s.to_dict() for s in self.suspicions],
        }
        if self.of_users:
            out["of_users"] = True
        if self.attributes:
            out["slices"] = [{k: plain(v) for k, v in row.items()} for row in self.slices.to_dicts()]
        return out

    @property
    def has_queries(self) -> bool:
        """Whether the values of single queries are here; not where they were not stored."""
        return not any(isinstance(c, StoredColumn) for c in self.columns)

    def refuse_without_queries(self, where: str) -> None:
        """Raise an error where the values of single queries were not stored."""
        if not self.has_queries:
            raise InputError(Text(f"{where}: {WITHOUT_QUERIES}", f"{zh(where)}：{WITHOUT_QUERIES.zh}"))

    @classmethod
    def _from_plain(cls, data: Any) -> Self:
        from rankgauge.evaluation.stored_shapes import (
            StoredRankings,
            refuse_beyond,
            refuse_damaged,
            refuse_unlike,
            refuse_without_values,
        )

        refuse_damaged(data, StoredRankings)
        check_level(data["confidence_level"])
        if not judged_key(data["counts"]):
            raise InputError(
                Text(
                    "not what was stored: counts say nothing of judged@k. Store it again.",
                    "与保存的内容不符：counts 中没有 judged@k。请重新保存。",
                )
            )
        if "per_query" not in data:
            return cls._without_queries(data)
        of_run = data.get("of_run", {})
        refuse_unlike(data["query_ids"], {**data["per_query"], **of_run, **data.get("attributes", {})})
        refuse_unlike(data["query_ids"], {name: data[name] for name in ("weights", "lengths") if name in data})
        for pairs in (data.get("ratios", {}), data.get("tie_bounds", {})):
            for end in (0, 1):
                refuse_unlike(data["query_ids"], {label: pair[end] for label, pair in pairs.items()})
        rows = {row["measure"]: row for row in data["measures"]}
        columns: list[Column] = []
        values_of = {**data["per_query"], **of_run}
        refuse_without_values(rows, values_of)
        place = {label: i for i, label in enumerate(rows)}
        for label in sorted(values_of, key=lambda label: place[label]):
            values, m = values_of[label], parse_ranking(rows[label]["definition"])
            counted = np.array([v is not None for v in values], dtype=bool)
            if (label in of_run) != (m.summary == "run"):
                raise InputError(
                    Text(
                        f"not what was stored: {label} is kept as what it is not. Store it again.",
                        f"与保存的内容不符：{label} 的存储方式不对。请重新保存。",
                    )
                )
            if label in of_run:
                shares = np.array([np.nan if v is None else v for v in values], dtype=np.float64)
                value = read_value(float, rows[label]["value"], "measures.value")
                kept = RunColumn if m.quantile is None else QuantileColumn
                columns.append(kept(label, m, shares, counted, value=value))
                continue
            counted[data.get("undefined", {}).get(label, [])] = True
            ratio = data.get("ratios", {}).get(label)
            bounds = data.get("tie_bounds", {}).get(label)
            refuse_beyond(label, m, [*values, *(v for end in bounds or () for v in end)])
            columns.append(
                Column(
                    label,
                    m,
                    np.array(
                        [("" if m.summary == "none" else np.nan) if v is None else v for v in values],
                        dtype=object if m.summary == "none" else np.float64,
                    ),
                    counted,
                    np.array(ratio[0], dtype=np.float64) if ratio else None,
                    np.array(ratio[1], dtype=np.float64) if ratio else None,
                    np.array(bounds[0], dtype=np.float64) if bounds else None,
                    np.array(bounds[1], dtype=np.float64) if bounds else None,
                )
            )
        return cls(
            **cls._contract(data),
            columns=columns,
            query_ids=list(data["query_ids"]),
            weights=np.array(data["weights"]) if "weights" in data else None,
            lengths=np.array(data["lengths"], dtype=np.int64) if "lengths" in data else None,
            attributes=data.get("attributes", {}),
            stored_slices=_read_slices(data, list(of_run)) if of_run else None,
        )

    @classmethod
    def _without_queries(cls, data: Mapping[str, Any]) -> Self:
        """An evaluation of numbers alone, with the slices that were made of it."""
        level = data["confidence_level"]
        columns: list[Any] = [
            StoredColumn(
                row["measure"],
                parse_ranking(row["definition"]),
                read_value(float, row["value"], "measures.value"),
                Interval(*(read_value(float, row[end], f"measures.{end}") for end in ("low", "high"))),
                read_value(int, row["n"], "measures.n"),
                read_value(float, row["tie_width"], "measures.tie_width"),
                level,
            )
            for row in data["measures"]
        ]
        slices = _read_slices(data, [c.label for c in columns])
        return cls(
            **cls._contract(data),
            columns=columns,
            query_ids=(),
            attributes={} if slices is None else dict.fromkeys(slices["slice"], ()),
            stored_slices=slices,
        )

    @classmethod
    def _contract(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        """What stored numbers are and what they rest on."""
        return {
            "policy": Policy(**data["policy"]),
            "counts": dict(data["counts"]),
            "run": data["run"],
            "tag": data.get("tag", ""),
            "qrels": data["qrels"],
            "convention": data["convention"],
            "stored_fingerprint": data.get("fingerprint", {}),
            "confidence_level": data["confidence_level"],
            "longest": data.get("longest_list"),
            "remarks": tuple(data.get("remarks", data["notes"])),  # earlier versions stored no other notes
            "suspected": [s for row in data.get("suspicions", ()) if (s := Suspicion.from_dict(row)) is not None],
            "of_users": data.get("of_users", False),
            "version": data["rankgauge"],
        }


def _of_counted(c: Column, column: Callable[[Array], Any]) -> Any:
    """The values of the queries that count; nothing in the places of others."""
    if c.values.dtype.kind != "f":
        return [v if ok else None for v, ok in zip(c.values.tolist(), c.counted, strict=True)]
    return column(np.where(c.counted, c.values, np.nan))


def _as_list(values: Array) -> list[float | None]:
    return [None if v != v else v for v in values.tolist()]  # noqa: PLR0124 - what is not a number is not itself


def _as_array(values: Array) -> Any:
    """As it is; a list where something is infinite, which JSON has no place for."""
    return _as_list(values) if np.isinf(values).any() else values


def _read_slices(data: Mapping[str, Any], labels: Sequence[str]) -> dict[str, list[Any]] | None:
    """The numbers of these measures by slice, as far as some were stored."""
    if "slices" not in data:
        return None
    types = {"slice": str, "value": str, "n": int, **dict.fromkeys(labels, float)}
    return read_columns(types, data["slices"], "slices")


class RankingEvaluations(Evaluations[RankingEvaluation], kind="rankings_by_name", schema=1):
    """Evaluations of several runs against the same judgements, by name."""

    @property
    def suspicions(self) -> tuple[Suspicion, ...]:
        """What casts doubt on the numbers of each run, under its name here."""
        return tuple(s.of(name) for name, ev in self.items() for s in ev.suspicions)

    def accepting(self, *codes: str) -> Self:
        """The same, where suspicions of these codes may stand."""
        return type(self)({name: ev.accepting(*codes) for name, ev in self.items()})

    def by_item_group(
        self, groups: Any = None, cutoffs: Iterable[int] | None = None, **options: Unpack[GroupOptions]
    ) -> ByItemGroup:
        """Which kinds of items each run finds: `rg.by_item_group(evs, groups, …)`."""
        from rankgauge.evaluation.rankings.by_item_group import by_item_group

        return by_item_group(self, groups, cutoffs, **options)

    def unsampled(self, n_items: int) -> Unsampled:
        """What sampled candidates say of rankings of all items: `rg.unsampled(evs, n_items)`."""
        from rankgauge.evaluation.rankings.unsampled import unsampled

        return unsampled(self, n_items)

    @cached_property
    def per_query(self) -> pl.DataFrame:
        """The per-query values of all runs, with a leading `run` column."""
        import polars as pl

        return pl.concat([ev.per_query.select(pl.lit(name).alias("run"), pl.all()) for name, ev in self.items()])
