"""Numbers of rows that lie in parts: from the totals of a first pass and the moments of a second one to estimates.

exact       functions of sums over rows, or over groups
certified   what depends on the order of rows, known as far as bins of scores go: the middle of certain bounds
none        everything else, with the reason
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment.bracket import Bracket
from rankgauge.alignment.segments import Array
from rankgauge.evaluation.predictions.cluster_moments import ClusterMoments, Influences
from rankgauge.evaluation.predictions.joint_errors import Joint
from rankgauge.evaluation.predictions.record import CERTIFIED, Estimate
from rankgauge.evaluation.predictions.row_totals import RowTotals
from rankgauge.measures.predictions.auc import won_by_row
from rankgauge.measures.predictions.base import GroupSums, PredictionMeasure, Undefined
from rankgauge.measures.predictions.sums import EVERY_ROW, OfSums
from rankgauge.statistics.exact_sums import from_units

__all__ = ["First", "estimate_of", "estimates", "first", "influences", "left_of_all"]

_UNKNOWN = Bracket.undefined()


@dataclass(frozen=True, eq=False)
class First:
    """What the first pass says about a measure, and what the second one has to do."""

    label: str
    measure: PredictionMeasure
    value: Bracket = _UNKNOWN
    reason: str = ""
    beside: Mapping[str, Any] = field(default_factory=dict)
    sums: OfSums | None = None
    table: Array | None = None
    grouped: bool = False


def first(label: str, m: PredictionMeasure, t: RowTotals, *, is_last: bool = False) -> First:
    """The number as far as totals tell, or the reason why there is none. `is_last`: there is no second pass."""
    try:
        if not len(t):
            raise Undefined(Text("there are no rows", "没有任何行"))
        m.check(t)
        if m.is_grouped:
            return First(label, m, grouped=True)
        if (found := m.of_sums(t)) is not None:
            return First(label, m, Bracket.exact(found.value), beside=m.beside_sums(t), sums=found)
        bracket, beside = m.bracket(t)
        return First(label, m, bracket, beside=beside, table=None if is_last else _table(m, t))
    except Undefined as e:
        return First(label, m, reason=e.args[0])


def _table(m: PredictionMeasure, t: RowTotals) -> Array | None:
    """By how much a row of weight 1 moves a number, for the negatives of each bin, then for the positives."""
    weight, values = t.binned.weight, m.influence(t.binned)
    assert weight is not None
    return None if values is None else np.divide(values, weight, out=np.zeros(len(weight)), where=weight > 0)


def influences(found: Sequence[First], t: RowTotals) -> Influences:
    """What the second pass has to know of one model."""
    grouped = [f.measure for f in found if f.grouped]
    across = any(m.is_across for m in grouped)
    tables = [f.table for f in found if f.table is not None]
    return Influences(
        t.scale,
        t.plan.negatives_kept,
        [f.sums for f in found if f.sums is not None],
        t.bins if tables or across else None,
        tables,
        grouped,
        won_by_row(t.binned) if across else None,
        t.n_positives,
        t.n_negatives,
        list(dict.fromkeys([EVERY_ROW, *(c for f in found for c in f.measure.rests_on)])) if t.weighted else (),
    )


def estimates(models: Sequence[tuple[Sequence[First], RowTotals]], moments: ClusterMoments) -> list[list[Estimate]]:
    """The numbers of each model with their errors."""
    made: list[list[tuple[First, Array | None]]] = []
    for i, (found, t) in enumerate(models):
        lines = _Lines(moments, i)
        made.append([_completed(f, t, moments, i, lines) for f in found])
    known = [(line, i, f.measure) for i, one in enumerate(made) for f, line in one if line is not None]
    left = [moments.left(i, m.rests_on) for _, i, m in known] if any(t.weighted for _, t in models) else []
    joint = Joint(np.array([line for line, _, _ in known]), moments.products, moments.n, left)
    places = iter(range(len(known)))
    return [[estimate_of(f, joint.n, (joint, -1 if line is None else next(places))) for f, line in one] for one in made]


def left_of_all(moments: ClusterMoments) -> float:
    """What weights leave of all units."""
    return moments.left(0, [EVERY_ROW]) if moments.models[0].counted else moments.n


class _Lines:
    """Where the lines of each measure of a model are among all lines: of sums, then tables, then groups."""

    def __init__(self, moments: ClusterMoments, model: int) -> None:
        of, start = moments.models[model], moments.starts[model]
        self.size = len(moments.sums)
        self.next = {
            "sums": start,
            "table": start + len(of.sums),
            "grouped": start + len(of.sums) + len(of.tables),
        }

    def take(self, kind: str) -> int:
        at = self.next[kind]
        self.next[kind] += 2 if kind == "grouped" else 1
        return at

    def combination(self, *parts: tuple[int, float]) -> Array:
        out = np.zeros(self.size)
        for at, factor in parts:
            out[at] = factor
        return out


def _completed(
    f: First, t: RowTotals, moments: ClusterMoments, model: int, lines: _Lines
) -> tuple[First, Array | None]:
    """The number with all that the second pass found, and how its influence is made of lines."""
    if f.sums is not None or f.table is not None:
        return f, lines.combination((lines.take("sums" if f.sums is not None else "table"), 1.0))
    if not f.grouped:
        return f, None
    at = lines.take("grouped")
    try:
        value, below, beside = f.measure.of_group_sums(_group_sums(t, moments, model, at))
    except Undefined as e:
        return First(f.label, f.measure, reason=e.args[0]), None
    made = First(f.label, f.measure, value, beside=beside)
    return made, lines.combination((at, 1 / below), (at + 1, -value.value / below))


def _group_sums(t: RowTotals, moments: ClusterMoments, model: int, at: int) -> GroupSums:
    tally = moments.tallies[model]
    won, pairs = from_units(tally["won"]), from_units(tally["pairs"])
    sums = moments.sum(at), moments.sum(at + 1)
    return GroupSums(t, moments.n, *sums, tally["both"], tally["rows_of_both"], won, pairs)


def estimate_of(f: First, n: int, joint: tuple[Joint, int] | None = None) -> Estimate:
    """The number with its error, where the errors of all numbers are known."""
    beside = dict(f.beside)
    if not f.reason and not f.value.is_exact:
        beside |= zip(CERTIFIED, f.value[1:], strict=True)
    error, left = nan, float(n)
    if joint is not None and joint[1] >= 0:
        error, left = joint[0].error(joint[1]), joint[0].left_of(joint[1])
    stored = {"standard_error": error, "n": n, "left": left, "beside": beside}
    return Estimate(f.label, f.measure, f.value.value, f.reason, stored=stored, joint=joint)
