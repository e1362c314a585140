"""Two evaluations of the same queries → what each query adds to the difference of their totals.

A total is T = Σ n_i / Σ d_i, be it a mean, a weighted mean or a pooled ratio (`evaluation/rankings/averages.py`). Of
the difference T_b - T_a each query has two views, which are the plain difference b_i - a_i where the total is a mean:

    its share     how far the difference moves without the query, N - 1 times, put around the difference: the mean of
                  the shares is the difference, their spread gives its standard error (the jackknife; Efron 1982): for
                  the t test, intervals, the bootstrap and power. It knows that one heavy query decides alone, which
                  the delta method does not
    its swap      z_i = (n_b,i - T d_b,i) - (n_a,i - T d_a,i),  T the total of both systems together; swapping the
                  systems in a query turns its sign and leaves T alone, and Σ z has the sign of T_b - T_a: for
                  randomisation tests, which stay exact

A query of weight 0 is no unit: with it and without it everything is the same. Where weights (or the denominators of a
pooled ratio) leave fewer than two queries, (Σw)²/Σw² < 2, one query decides alone and nothing is known about others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from math import isnan, nan, sqrt
from typing import Any

import numpy as np

from rankgauge._text import Text, zh
from rankgauge.alignment import Array
from rankgauge.alignment.weighted_rows import left_by
from rankgauge.errors import InputError
from rankgauge.evaluation.rankings.averages import Parts
from rankgauge.evaluation.rankings.record import Column, QuantileColumn, RankingEvaluation, RunColumn
from rankgauge.statistics.quantiles import quantile, quantile_change_shares

__all__ = ["Units", "change_of", "in_order", "paired", "paired_on", "pooled_rows"]

_ROUNDING = 1e-12  # of the larger value: sums of the same terms in another order


@dataclass(frozen=True)
class Units:
    """The paired differences that a contrast rests on, one per independent unit."""

    differences: Array
    """The share of each query, or of each group of rows, in system minus baseline: their mean is the difference."""
    baseline: float
    system: float
    swaps: Array | None = None
    """What changes its sign when the two systems change places in a unit; None: the differences do."""
    changes: Array | None = None
    """System minus baseline in each query by itself; None where single units have no value."""
    known: tuple[int, float] | None = None
    """How many units there are, and the standard error, where their differences are not at hand."""
    unchanged: bool = False
    """Whether no unit changed, up to rounding."""
    left: float | None = None
    """What weights, or denominators, leave of the units, (Σw)²/Σw²; None: all of them. Below two there is no error."""
    query_ids: Sequence[str] = ()

    @property
    def n(self) -> int:
        return len(self.differences) if self.known is None else self.known[0]

    @property
    def difference(self) -> float:
        return 0.0 if self.unchanged else self.system - self.baseline

    @property
    def spread(self) -> float:
        """Standard deviation of the differences of single units."""
        if self.known is not None:
            return self.known[1] * sqrt(self.known[0])
        if self.n < 2 or self.is_one:
            return float("nan")
        spread = float(np.std(self.differences, ddof=1))
        if self.left is None or self.left == self.n or self.swaps is not None:  # the jackknife knows them already
            return spread
        return spread * sqrt(self.left / (self.left - 1) * (self.n - 1) / self.n)

    @property
    def error(self) -> float:
        """Standard error of the difference."""
        return float("nan") if self.n < 2 else self.spread / sqrt(self.n)

    @property
    def units_left(self) -> float:
        """How many units intervals rest on."""
        return self.n if self.left is None or self.swaps is not None else self.left

    @property
    def is_one(self) -> bool:
        """Whether weights leave fewer than two units: one decides alone, and says nothing about others."""
        return self.left is not None and self.left < 2 * (1 - _ROUNDING)

    @property
    def is_uneven(self) -> bool:
        """Whether some queries count for more than others in the total."""
        return self.swaps is not None and self.left is not None and self.left < self.n * (1 - _ROUNDING)

    @property
    def is_plain(self) -> bool:
        """Whether the difference is the mean of what single units changed by."""
        return self.swaps is None and self.changes is not None


def paired(base: RankingEvaluation, ev: RankingEvaluation, label: str, queries: Array | None = None) -> Units:
    """The differences of all queries that both count, or of those of a mask, in the order of the baseline."""
    a, b = base.column(label), ev.column(label)
    if isinstance(a, QuantileColumn) and isinstance(b, QuantileColumn):
        return _of_quantiles(a, b, _places(base.query_ids, ev.query_ids), base.query_ids)
    if isinstance(a, RunColumn) and isinstance(b, RunColumn):
        return _of_runs(a, b, _places(base.query_ids, ev.query_ids), base.query_ids)
    if a.measure.summary != "mean":
        kind = {
            "sum": Text("a sum", "总和"),
            "geometric": Text("a geometric mean", "几何平均"),
            "none": Text("a text", "文本"),
        }[a.measure.summary]
        raise InputError(
            Text(
                f"{label} must be a mean over queries to be paired, it is {kind}. Leave it out.",
                f"{label} 必须是对查询的平均才能配对，而它是{zh(kind)}。请去掉它。",
            )
        )
    order = _places(base.query_ids, ev.query_ids)
    both = a.counted & b.counted[order]
    if queries is not None:
        both = both & queries
    for weights in (_weights_of(base, np.arange(len(order))), _weights_of(ev, order)):
        if weights is not None and weights[both].any():
            both = both & (weights > 0)
    there = order[both]  # the same queries, where `ev` has them
    if (unknown := int((np.isnan(a.values[both]) | np.isnan(b.values[there])).sum())) and a.numerator is None:
        raise InputError(
            Text(
                f"{label} must have a value for each query that counts, {unknown:,} of {int(both.sum()):,} have none. "
                "Pass no_relevant='skip'.",
                f"{label} 在每个计入的查询上都必须有值，实际 {int(both.sum()):,} 个中有 {unknown:,} 个没有。"
                "请传入 no_relevant='skip'。",
            )
        )
    before = a.parts(base.policy.average, base.weights, both)
    after = b.parts(ev.policy.average, ev.weights, there)
    changes = change_of(b.values[there], a.values[both])
    return _units(before, after, changes, [base.query_ids[i] for i in np.flatnonzero(both).tolist()])


def _of_runs(a: RunColumn, b: RunColumn, order: Array, query_ids: Sequence[str]) -> Units:
    """Two numbers of whole runs: the differences of the shares that users have in them; every user has one."""
    n, after = len(order), b.values[order]
    if n < 2 or np.isnan(a.values).any() or np.isnan(after).any():
        return Units(np.zeros(0), a.value, b.value, known=(n, nan))
    moved = change_of(after, a.values)
    unchanged = a.value == b.value and not moved.any()
    shares = b.value - a.value + (moved - moved.mean())
    return Units(shares, a.value, b.value, unchanged=unchanged, query_ids=list(query_ids))


def _of_quantiles(a: QuantileColumn, b: QuantileColumn, order: Array, query_ids: Sequence[str]) -> Units:
    """Two quantiles: the differences of the shares that queries have in them, of those that both count."""
    both = a.counted & b.counted[order]
    before, after = a.values[both], b.values[order][both]
    old, new = quantile(before, a.share), quantile(after, a.share)
    unchanged = not change_of(after, before).any()
    if unchanged:
        shares = np.zeros(len(before))
    elif np.isnan(shares := quantile_change_shares(before, after, a.share)).any() or len(shares) < 2:
        return Units(np.zeros(0), old, new, known=(len(shares), nan))
    ids = [query_ids[i] for i in np.flatnonzero(both).tolist()]
    return Units(shares, old, new, unchanged=unchanged, query_ids=ids)


def _units(before: Parts, after: Parts, changes: Array, query_ids: Sequence[str]) -> Units:
    baseline, system, n = before.total, after.total, len(changes)
    if before.bottom is None or after.bottom is None:  # a plain mean: both views are the changes themselves
        unchanged = n > 0 and not changes.any()
        return Units(changes, baseline, system, changes=changes, unchanged=unchanged, query_ids=query_ids)
    if isnan(system - baseline):  # nothing to divide by
        return Units(np.zeros(0), baseline, system, changes=changes, known=(n, nan), query_ids=query_ids)
    moved = (n - 1) * (system - after.without_each - (baseline - before.without_each))
    tops, bottoms = change_of(after.top, before.top), change_of(after.bottom, before.bottom)
    unchanged = not (tops.any() or bottoms.any())
    if np.isnan(moved).any():  # all of it is one query
        none = np.zeros(0)
        return Units(none, baseline, system, changes=changes, known=(n, nan), unchanged=unchanged, query_ids=query_ids)
    together = (before.sums[0] + after.sums[0]) / (before.sums[1] + after.sums[1])
    shares = np.zeros(n) if unchanged else system - baseline + (moved - moved.mean())
    return Units(
        differences=shares,
        baseline=baseline,
        system=system,
        swaps=tops - together * bottoms,
        changes=changes,
        unchanged=unchanged,
        left=min(left_by(before.bottom), left_by(after.bottom)),
        query_ids=query_ids,
    )


def _weights_of(ev: RankingEvaluation, order: Array) -> Array | None:
    """What its queries weigh, in this order; None where all count alike."""
    return ev.weights[order] if ev.weights is not None and ev.policy.average == "weighted" else None


def pooled_rows(evaluations: Sequence[RankingEvaluation], label: str) -> Array:
    """What each query adds to the total of each system, (queries, systems): to be shuffled inside each query."""
    first = evaluations[0]
    orders = [_places(first.query_ids, ev.query_ids) for ev in evaluations]
    columns = [ev.column(label) for ev in evaluations]
    both = np.logical_and.reduce([c.counted[order] for c, order in zip(columns, orders, strict=True)])
    parts = [
        c.parts(ev.policy.average, ev.weights, order[both])
        for c, ev, order in zip(columns, evaluations, orders, strict=True)
    ]
    tops = np.stack([p.top for p in parts], axis=1)
    if any(p.bottom is None for p in parts):
        return tops
    together = sum(p.sums[0] for p in parts) / (sum(p.sums[1] for p in parts) or nan)
    bottoms = np.stack([p.bottom for p in parts if p.bottom is not None], axis=1)
    rows: Array = tops - together * bottoms
    return rows


def in_order(ev: RankingEvaluation, query_ids: Sequence[str]) -> RankingEvaluation:
    """The evaluation with its queries in this order; stored ones may have another."""
    if list(ev.query_ids) == list(query_ids):
        return ev
    order = _places(query_ids, ev.query_ids)

    def placed(column: Column) -> Column:
        arrays: dict[str, Any] = {
            f.name: x[order] for f in fields(column) if isinstance(x := getattr(column, f.name), np.ndarray)
        }
        if isinstance(column, RunColumn) and (of := column.of) is not None:
            back = np.argsort(order)
            arrays["of"] = lambda chosen: of(chosen[back])
        return replace(column, **arrays)

    aligned = ev.aligned
    if aligned is not None:
        aligned = replace(
            aligned,
            alignment=aligned.alignment.of_queries(order),
            missing=aligned.missing[order],
            repeats=aligned.repeats[order],
        )
    return replace(
        ev,
        query_ids=list(query_ids),
        columns=[placed(c) for c in ev.columns],
        weights=None if ev.weights is None else ev.weights[order],
        attributes={k: [v[i] for i in order.tolist()] for k, v in ev.attributes.items()},
        aligned=aligned,
        shown=None if ev.shown is None else ev.shown.of_queries(order),
    )


def _places(wanted: Sequence[str], there: Sequence[str]) -> Array:
    """Where the queries are; stored evaluations may have another order."""
    if list(wanted) == list(there):
        return np.arange(len(wanted))
    place = {q: i for i, q in enumerate(there)}
    return np.array([place[q] for q in wanted], dtype=np.intp)


def change_of(after: Array, before: Array) -> Array:
    """After minus before, and exactly 0 where only rounding keeps them apart."""
    d = after - before
    settled: Array = np.where(np.abs(d) <= _ROUNDING * np.maximum(np.abs(before), np.abs(after)), 0.0, d)
    return settled


def paired_on(label: str, n: int) -> str:
    """What a reader must know where not every system counts the same queries for a measure."""
    return Text(
        f"{label}: systems count different queries; paired on the {n:,} that all count",
        f"{label}：各系统计入的查询不同；在共同计入的 {n:,} 个查询上配对",
    )
