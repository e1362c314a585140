"""Numbers of rows that lie in parts: from the totals of a first pass and the moments of a second one to estimates.

exact       functions of sums over rows, or over groups
certified   what depends on the order of rows, known as far as bins of scores go: the middle of certain bounds
none        everything else, with the reason
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment.bracket import Bracket
from rankgauge.alignment.certified import EqualMass
from rankgauge.alignment.sample import Sample
from rankgauge.alignment.segments import Array
from rankgauge.evaluation.cluster_moments import ClusterMoments, Influences
from rankgauge.evaluation.joint import Joint
from rankgauge.evaluation.prediction_record import CERTIFIED, Estimate
from rankgauge.evaluation.row_totals import RowTotals
from rankgauge.measures.predictions._cells import OfCells
from rankgauge.measures.predictions.auc import AUC, KS, PRAUC, Gain, Gini, Lift, won_by_row
from rankgauge.measures.predictions.base import PredictionMeasure, Undefined
from rankgauge.measures.predictions.calibration import ECCE, ECE, MCE
from rankgauge.measures.predictions.confusion import Accuracy
from rankgauge.measures.predictions.group_auc import GAUC, CrossAUC, no_pairs, one_group
from rankgauge.measures.predictions.sums import of_sums

__all__ = ["First", "estimates", "first", "influences"]

NEEDS_ROWS = Text(
    "needs all rows in memory at once. Pass engine='memory' or a larger memory=, or evaluate a sample of the rows",
    "需要把所有行同时放入内存。请传入 engine='memory' 或更大的 memory=，或对抽样的行求值",
)


_UNKNOWN = Bracket.undefined()


@dataclass(frozen=True, eq=False)
class First:
    """What the first pass says about a measure, and what the second one has to do."""

    label: str
    measure: PredictionMeasure
    value: Bracket = _UNKNOWN
    reason: str = ""
    beside: Mapping[str, Any] = field(default_factory=dict)
    slope: Mapping[str, float] | None = None
    table: Array | None = None
    grouped: bool = False


def first(label: str, m: PredictionMeasure, t: RowTotals) -> First:
    """The number as far as totals tell, or the reason why there is none."""
    try:
        m.check(t)
        if (found := of_sums(m, t)) is not None:
            return First(label, m, _exact(found.value), beside=found.beside, slope=found.slope)
        if isinstance(m, (GAUC, CrossAUC)):
            return First(label, m, grouped=True)
        if isinstance(m, OfCells):
            if not t.has_groups:
                m.by_group(Sample(np.zeros(0, dtype=bool), np.zeros(0)))  # says that it needs groups
            return First(label, m, grouped=True)
        if isinstance(m, (ECE, MCE)):
            return _of_bins(label, m, t)
        if isinstance(m, ECCE):
            walk = t.calibration.ecce()
            return First(label, m, walk, beside={"p": m.chance(walk.value * t.total, t.sum("variance"))})
        if (bracket := _ORDER.get(type(m))) is not None and getattr(m, "max_fpr", None) in (None, 1):
            return First(label, m, bracket(m, t), beside=m.beside(t.binned), table=_table(m.influence(t.binned), t))
        raise Undefined(NEEDS_ROWS)
    except Undefined as e:
        return First(label, m, reason=e.args[0])


def _exact(value: float) -> Bracket:
    return Bracket(value, value, value)


def _stretched(b: Bracket, factor: float, shift: float = 0.0) -> Bracket:
    """Of factor·x + shift. Exact bounds differ by rounding, which must not be stretched into a doubt."""
    value, low, high = (x * factor + shift for x in b)
    return _exact(value) if b.is_exact else Bracket(value, low, high)


_ORDER: dict[type[PredictionMeasure], Callable[[Any, RowTotals], Bracket]] = {
    AUC: lambda m, t: t.bins.auc(),
    Gini: lambda m, t: _stretched(t.bins.auc(), 2.0, -1.0),
    KS: lambda m, t: t.bins.ks(),
    PRAUC: lambda m, t: t.bins.prauc(),
    Gain: lambda m, t: t.bins.gain(m.top),
    Lift: lambda m, t: _stretched(t.bins.gain(m.top), 1 / m.top),
}


def _of_bins(label: str, m: ECE | MCE, t: RowTotals) -> First:
    if m.binning == "uniform":
        bins = t.of_equal_width(m.bins)
        return First(label, m, _exact(m.of_bins(bins)), beside=m.read_with(bins, t.weighted))
    mass = EqualMass.of(t.calibration, m.bins)
    m.of_bins(mass.bins)  # says where no bin is large enough
    bracket = mass.mce(m.min_count) if isinstance(m, MCE) else mass.ece()
    return First(label, m, bracket, beside=m.read_with(mass.bins, t.weighted))


def _table(values: Array | None, t: RowTotals) -> Array | None:
    """By how much a row of weight 1 moves a number, for the negatives of each bin, then for the positives."""
    weight = t.binned.weight
    assert weight is not None
    assert values is not None
    return np.divide(values, weight, out=np.zeros(len(weight)), where=weight > 0)


def influences(found: Sequence[First], t: RowTotals) -> Influences:
    """What the second pass has to know of one model."""
    grouped = [f.measure for f in found if f.grouped]
    across = any(isinstance(m, CrossAUC) for m in grouped)
    tables = [f.table for f in found if f.table is not None]
    return Influences(
        t.scale,
        t.plan.negatives_kept,
        [f.slope for f in found if f.slope is not None],
        t.bins if tables or across else None,
        tables,
        grouped,
        won_by_row(t.binned) if across else None,
        t.n_positives,
        t.n_negatives,
    )


def estimates(models: Sequence[tuple[Sequence[First], RowTotals]], moments: ClusterMoments) -> list[list[Estimate]]:
    """The numbers of each model with their errors."""
    made: list[list[tuple[First, Array | None]]] = []
    for i, (found, t) in enumerate(models):
        lines = _Lines(moments, i)
        made.append([_completed(f, t, moments, i, lines) for f in found])
    known = [line for one in made for _, line in one if line is not None]
    joint = Joint(np.array(known), moments.products, moments.n)
    places = iter(range(len(known)))
    return [[_estimate(f, joint, -1 if line is None else next(places)) for f, line in one] for one in made]


class _Lines:
    """Where the lines of each measure of a model are among all lines: slopes, then tables, then groups."""

    def __init__(self, moments: ClusterMoments, model: int) -> None:
        of, start = moments.models[model], moments.starts[model]
        self.size = len(moments.sums)
        self.next = {
            "slope": start,
            "table": start + len(of.slopes),
            "grouped": start + len(of.slopes) + len(of.tables),
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
    if f.slope is not None or f.table is not None:
        return f, lines.combination((lines.take("slope" if f.slope is not None else "table"), 1.0))
    if not f.grouped:
        return f, None
    at = lines.take("grouped")
    try:
        value, below, beside = _of_groups(f.measure, t, moments, model, at)
    except Undefined as e:
        return First(f.label, f.measure, reason=e.args[0]), None
    made = First(f.label, f.measure, value, beside=beside)
    return made, lines.combination((at, 1 / below), (at + 1, -value.value / below))


def _of_groups(
    m: PredictionMeasure, t: RowTotals, moments: ClusterMoments, model: int, at: int
) -> tuple[Bracket, float, dict[str, Any]]:
    """The number, the sum that it is divided by, and what to read it with."""
    n, tally = moments.n, moments.tallies[model]
    if isinstance(m, CrossAUC):
        every = t.n_positives * t.n_negatives
        below = every - tally["pairs"] / _ONE
        if n < 2 or not below:
            raise one_group()
        across = _stretched(t.bins.auc(), every / below, -tally["won"] / _ONE / below)
        return across, below, {"share of pairs": below / every}
    below = moments.sum(at + 1)
    if not below:
        raise m.nowhere() if isinstance(m, OfCells) else no_pairs(n)
    value = _exact(moments.sum(at) / below)
    if isinstance(m, OfCells):
        more = {"majority class": max(t.prevalence, 1 - t.prevalence)} if isinstance(m, Accuracy) else {}
        return value, below, {**more, "groups": n, "valid groups": int(below)}
    kept = tally["rows_of_both"] / len(t) if getattr(m, "undefined", "") == "skip" else 1.0
    return value, below, {"groups": n, "valid groups": tally["both"], "rows kept": kept}


_ONE = 1 << 1074  # in units of exact sums


def _estimate(f: First, joint: Joint, place: int) -> Estimate:
    beside = dict(f.beside)
    if not f.reason and not f.value.is_exact:
        beside |= zip(CERTIFIED, f.value[1:], strict=True)
    error = nan if place < 0 else joint.error(place)
    stored = {"standard_error": error, "n": joint.n, "beside": beside}
    return Estimate(f.label, f.measure, f.value.value, f.reason, stored=stored, joint=(joint, place))
