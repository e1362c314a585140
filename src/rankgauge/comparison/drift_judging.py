"""Is a period surely off? Its interval, at a level corrected for all looks, held against the target ± tolerance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, isnan, log, nan

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.alignment.sample import Sample
from rankgauge.comparison.drift_record import DriftPoint, DriftSeries
from rankgauge.comparison.parts import Part, is_enough, joint_error, placed, weighed
from rankgauge.errors import InputError
from rankgauge.evaluation.predictions.record import Estimate, estimate
from rankgauge.measures.predictions.base import PredictionMeasure
from rankgauge.statistics.clusters import t_interval_of, two_sided
from rankgauge.statistics.intervals import Interval

__all__ = ["DriftPlan"]

_ROUNDING = 1e-12


@dataclass
class DriftPlan:
    """What every series shares: rows, periods, which of them are judged and at which level."""

    sample: Sample
    parts: Sequence[Part]
    enough: Sequence[bool]
    first: int
    alpha: float
    looks: str
    n_measures: int
    fewest: int
    tests: int = 0

    def is_reference(self, i: int, kind: str) -> bool:
        return kind == "reference" and i < self.first

    def judged(self, kind: str) -> int:
        return sum(ok and not self.is_reference(i, kind) for i, ok in enumerate(self.enough))

    def level(self, i: int, kind: str) -> float:
        """The chance of a false alarm that this period of a measure may have."""
        if self.looks == "once":
            return self.alpha / max(self.tests, 1)
        t = i + 1 - (self.first if kind == "reference" else 0)
        return self.alpha / (self.n_measures * t * (t + 1))

    def series(self, label: str, m: PredictionMeasure, kind: str, given: float | None, tolerance: float) -> DriftSeries:
        base: tuple[Estimate, Array] | None = None
        target = given if given is not None else m.ideal if kind == "ideal" else nan
        if kind == "reference":
            rows = np.sort(np.concatenate([p.rows for p in self.parts[: self.first]]))
            part = self.sample.rows(rows)
            e = estimate(label, m, part)
            influence = placed(e, self.sample, rows)
            if not is_enough(part, self.fewest) or influence is None or isnan(e.value):
                weights = weighed(part)
                raise InputError(
                    Text(
                        f"drift: the reference must have {self.fewest} positives, negatives and units at least: its "
                        f"{len(rows):,} rows have not{weights.en}. Pass a larger reference=, or a number to hold "
                        "against.",
                        f"drift：参照至少要有 {self.fewest} 个正样本、负样本和单元，"
                        f"它的 {len(rows):,} 行不够{weights.zh}。请增大 reference=，或给出要对照的数值。",
                    )
                )
            base, target = (e, influence), e.value
        assert target is not None
        points = tuple(self.point(i, label, m, kind, base, float(target), tolerance) for i in range(len(self.parts)))
        return DriftSeries(label, float(target), kind, tolerance, points)

    def point(
        self,
        i: int,
        label: str,
        m: PredictionMeasure,
        kind: str,
        base: tuple[Estimate, Array] | None,
        target: float,
        tolerance: float,
    ) -> DriftPoint:
        part = self.parts[i]
        e = estimate(label, m, self.sample.rows(part.rows))
        about = (part.value, len(part.rows), e.sample.n_positives if e.sample else nan, e.n, e.value)
        if self.is_reference(i, kind):
            return DriftPoint(*about, nan, nan, nan, "reference")
        influence = placed(e, self.sample, part.rows)
        if not self.enough[i] or influence is None or isnan(e.value):
            return DriftPoint(*about, nan, nan, nan, "few")
        alpha, n, error = self.level(i, kind), e.left, e.error
        if base is not None:
            n = min(n, base[0].left)
            error = joint_error(influence, base[1], None if self.sample.weight is None else n)
        is_there = abs(e.value - target) <= tolerance + _ROUNDING * max(1.0, abs(target))
        if is_there and error <= _ROUNDING:  # no spread to learn from, and the last digits of sums are no change
            return DriftPoint(*about, nan, nan, nan, "same")
        on_logs = m.ideal is not None and e.value > 0 and target - tolerance > 0
        interval = _interval(e.value, error, n, 1 - alpha, on_logs)
        p = _p_beyond(e.value, target, tolerance, error, n, on_logs)
        is_off = interval.low > target + tolerance or interval.high < target - tolerance
        word = "same"
        if is_off:
            word = "off" if m.direction == 0 else "better" if m.is_better(e.value, target) else "worse"
        return DriftPoint(*about, *interval, min(1.0, p * self.alpha / alpha), word)


def _interval(value: float, error: float, n: float, level: float, on_logs: bool) -> Interval:
    if not on_logs:
        return t_interval_of(value, error, n, level)
    low, high = t_interval_of(log(value), error / value, n, level)
    return Interval(exp(low), exp(high))


def _p_beyond(value: float, target: float, tolerance: float, error: float, n: float, on_logs: bool) -> float:
    """p-value of being no farther from the target than the tolerance, two-sided."""
    edge = target + tolerance if value > target else target - tolerance
    if abs(value - target) <= tolerance:
        return 1.0
    return two_sided(log(value / edge), error / value, n) if on_logs else two_sided(value - edge, error, n)
