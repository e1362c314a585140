"""How much worse is the worst-served group of users?

A mean over all users does not say for whom a system works. With groups of queries (users) by an attribute of `slices=`,
the gap of a measure is the difference between the means of the best- and of the worst-served group:

    gap = max_g mean(g) - min_g mean(g)          (the other way round where lower is better)

The largest of many differences is large by chance, so its interval holds for all pairs of groups together: that of
Welch (1947) for two groups, at the level that Bonferroni leaves each of g (g - 1) / 2 pairs. Where it holds 0, no group
is surely worse off. A group whose values are all equal has no spread to learn from: of n queries alike, the share of
others that are not is below 1 - a^(1/n) at level 1 - a (Clopper and Pearson 1934), and they may be anything the measure
can be; with measures that have no bounds nothing can be told. `mean_difference` is the mean over all pairs of groups,
MAD of Elliot (Deldjoo et al. 2021).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rankgauge._checks import whole
from rankgauge._numbers import counted
from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.alignment import Array
from rankgauge.errors import InputError, ParameterError, UnknownName, among
from rankgauge.evaluation.rankings.record import Column, RankingEvaluation
from rankgauge.evaluation.rankings.slices import NONE, slices_of
from rankgauge.measures.base import Measure
from rankgauge.statistics.intervals import Interval, degrees_of_freedom, t_interval, t_quantile

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Gap", "Gaps", "UserGroup", "gaps"]


@dataclass(frozen=True, kw_only=True)
class UserGroup:
    """The queries of one group."""

    name: str
    n: int
    """Queries that count for the measure."""
    value: float
    interval: Interval
    """Of this group alone."""


@dataclass(frozen=True, kw_only=True)
class Gap:
    """The largest difference between two groups."""

    attribute: str
    measure: str
    groups: Sequence[UserGroup]
    """The best-served first."""
    best: str
    worst: str
    difference: float
    """How much worse the mean of the worst-served group is, never below 0."""
    interval: Interval
    """Holds for all pairs of groups together; NaN where it cannot be told (equal values without bounds)."""
    mean_difference: float
    """The mean size of the differences of all pairs."""
    pairs: int


@dataclass(frozen=True, eq=False, kw_only=True)
class Gaps(Record, kind="gaps", schema=1):
    """How much worse the worst-served group of queries is: `found.rows[0].difference`, `found["country", "nDCG@10"]`.

    `ev.gaps()` makes them.
    """

    rows: Sequence[Gap]
    """Attribute after attribute, measure after measure."""
    run: str
    qrels: str
    least: int
    """Groups of fewer queries are left out."""
    confidence_level: float = 0.95
    notes: Sequence[str] = ()
    version: str = ""

    def __getitem__(self, key: tuple[str, str]) -> Gap:
        for row in self.rows:
            if (row.attribute, row.measure) == key:
                return row
        known = [f"{row.attribute}, {row.measure}" for row in self.rows]
        raise UnknownName(
            Text(f"no gap of {show(key)}.", f"没有 {show(key)} 的差距。") + among(", ".join(map(str, key)), known)
        )

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        return [
            {
                "attribute": row.attribute,
                "measure": row.measure,
                "best": row.best,
                "worst": row.worst,
                "difference": row.difference,
                "low": row.interval.low,
                "high": row.interval.high,
                "mean_difference": row.mean_difference,
                "groups": len(row.groups),
                "n": sum(g.n for g in row.groups),
            }
            for row in self.rows
        ]

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame, one row per attribute and measure."""
        import polars as pl

        return pl.DataFrame(self.csv_rows(), infer_schema_length=None)


def gaps(
    ev: RankingEvaluation,
    by: str | Iterable[str] | None = None,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    least: int = 10,
) -> Gaps:
    """How much worse is the worst-served group of queries, by each attribute of `slices=` and each measure?

    `by` and `measures` name some of them. Groups with fewer than `least` queries, and queries without a value of the
    attribute, are left out and counted.

    >>> from rankgauge.evaluation.of_rankings import evaluate
    >>> users = [f"u{i}" for i in range(8)]
    >>> found = evaluate(
    ...     {u: ["x"] for u in users},
    ...     {u: ["x"] if i % 4 else ["y", "x"] for i, u in enumerate(users)},
    ...     "RR",
    ...     slices={u: {"device": "phone" if i < 4 else "desk"} | {"odd": str(i % 2)} for i, u in enumerate(users)},
    ... ).gaps("odd", least=2)
    >>> (found["odd", "RR"].worst, found["odd", "RR"].difference)
    ('0', 0.25)
    """
    least = whole("least", least, at_least=2, caller="gaps")
    if not ev.attributes:
        raise ParameterError(
            Text(
                "gaps: no slices were given. Pass slices=… to evaluate().",
                "gaps：没有给出切片。请把 slices=… 传入 evaluate()。",
            )
        )
    ev.refuse_without_queries("gaps")
    wanted = [by] if isinstance(by, str) else list(ev.attributes if by is None else by)
    for name in wanted:
        if name not in ev.attributes:
            raise UnknownName(
                Text(f"gaps: no slices by {show(name)}.", f"gaps：没有按 {show(name)} 的切片。")
                + among(str(name), list(ev.attributes))
            )
    asked = [measures] if isinstance(measures, (str, Measure)) else measures
    columns = [ev.column(m) for m in asked] if asked is not None else [c for c in ev.columns if not _why_not(ev, c)]
    if not columns:
        raise ParameterError(
            Text(
                "gaps: no measure has a value per query whose mean is its number. Evaluate one such as nDCG@10.",
                "gaps：没有以各查询数值的均值为结果的指标。请评测一个这样的指标，如 nDCG@10。",
            )
        )
    for c in columns:
        if why := _why_not(ev, c):
            raise ParameterError(why)
    notes: list[str] = []
    rows = [_gap(ev, attribute, c, least, notes) for attribute in wanted for c in columns]
    return Gaps(
        rows=tuple(rows),
        run=ev.run,
        qrels=ev.qrels,
        least=least,
        confidence_level=ev.confidence_level,
        notes=list(dict.fromkeys(notes)),
        version=__version__,
    )


def _why_not(ev: RankingEvaluation, c: Column) -> Text | None:
    """Why groups cannot be compared by a measure; None where they can."""
    pooled = ev.policy.average == "micro" and c.numerator is not None
    if c.measure.summary == "mean" and not pooled and not np.isnan(c.values[c.counted]).any():
        return None
    return Text(
        f"gaps: {c.label} is no mean of values of single queries. Name a measure that is, such as nDCG@10, and average "
        "it over queries.",
        f"gaps：{c.label} 不是各查询数值的均值。请给出这样的指标，如 nDCG@10，并按查询取平均。",
    )


class _Mean(NamedTuple):
    value: float
    variance: float
    """Of the mean."""
    df: int


def _mean(values: Array, weights: Array | None) -> _Mean:
    """The mean of a group, and how far it can be trusted; weights count for what they leave of the queries."""
    w = np.ones(len(values)) if weights is None else weights
    total = fsum(w)
    n = total * total / fsum(w * w)
    mean = fsum(w * values) / total
    spread = fsum((w * (values - mean)) ** 2) / total**2
    return _Mean(mean, spread * n / (n - 1) if n > 1 else float("nan"), degrees_of_freedom(n))


def _gap(ev: RankingEvaluation, attribute: str, c: Column, least: int, notes: list[str]) -> Gap:
    level = ev.confidence_level
    weights = ev.weights if ev.policy.average == "weighted" else None
    means: dict[str, _Mean] = {}
    groups: list[UserGroup] = []
    small: list[str] = []
    for name, mask in slices_of(ev.attributes[attribute]):
        chosen = mask & c.counted
        n = int(chosen.sum())
        if name == NONE:
            if n:
                notes.append(
                    Text(
                        f"{attribute}: {counted(n, 'query', '个查询').en} without a value left out",
                        f"{attribute}：{n:,} 个查询没有取值，不计入",
                    )
                )
            continue
        if n < least:
            small.append(name)
            continue
        w = None if weights is None else weights[chosen]
        means[name] = _mean(c.values[chosen], w)
        own = t_interval(c.values[chosen], level, w)
        groups.append(UserGroup(name=name, n=n, value=means[name].value, interval=own.clipped(*c.measure.bounds)))
    if small:
        notes.append(
            Text(
                f"{attribute}: {counted(len(small), 'group', '个分组').en} of fewer than {least:,} queries left out",
                f"{attribute}：{len(small):,} 个不足 {least:,} 个查询的分组不计入",
            )
        )
    if len(groups) < 2:
        raise InputError(
            Text(
                f"gaps: {attribute} must have at least two groups of {least:,} queries for {c.label}, got "
                f"{len(groups)}. Pass a lower least=….",
                f"gaps：{attribute} 至少要有两个不少于 {least:,} 个查询的分组（{c.label}），实际有 {len(groups)} 个。"
                "请传入更小的 least=…。",
            )
        )
    groups.sort(key=lambda g: (-c.measure.goodness(g.value), g.name))
    best, worst = groups[0].name, groups[-1].name
    sizes = [abs(means[a].value - means[b].value) for a, b in combinations([g.name for g in groups], 2)]
    difference = c.measure.improvement(means[best].value, means[worst].value)
    return Gap(
        attribute=attribute,
        measure=c.label,
        groups=tuple(groups),
        best=best,
        worst=worst,
        difference=difference,
        interval=_interval(c.measure, means[best], means[worst], 1 - (1 - level) / len(sizes)),
        mean_difference=fsum(sizes) / len(sizes),
        pairs=len(sizes),
    )


def _interval(measure: Measure, best: _Mean, worst: _Mean, level: float) -> Interval:
    """How much better one group is than another that shares no query with it."""
    if best.variance > 0 and worst.variance > 0:
        return _welch(measure.improvement(best.value, worst.value), best, worst, level)
    a, b = (_alone(m, measure.bounds, (1 + level) / 2) for m in (best, worst))
    ends = measure.improvement(a.low, b.high), measure.improvement(a.high, b.low)
    return Interval(min(ends), max(ends)) if np.isfinite(ends).all() else Interval(float("nan"), float("nan"))


def _alone(m: _Mean, bounds: tuple[float, float], level: float) -> Interval:
    """The interval of the mean of one group; of values that are all equal, by how many others may be unlike them."""
    if m.df < 1:
        return Interval(float("nan"), float("nan"))
    if m.variance > 0:
        half = t_quantile((1 + level) / 2, m.df) * sqrt(m.variance)
        return Interval(m.value - half, m.value + half)
    unlike = 1 - (1 - level) ** (1 / (m.df + 1))
    return Interval(m.value - unlike * (m.value - bounds[0]), m.value + unlike * (bounds[1] - m.value))


def _welch(difference: float, a: _Mean, b: _Mean, level: float) -> Interval:
    """The interval of the difference of two means of groups that share no query; both have a spread."""
    variance = a.variance + b.variance
    df = variance**2 / (a.variance**2 / a.df + b.variance**2 / b.df)
    half = t_quantile((1 + level) / 2, max(int(df), 1)) * sqrt(variance)
    return Interval(difference - half, difference + half)
