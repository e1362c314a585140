"""Is a period surely off? Its interval, at a level corrected for all looks, held against the target ± tolerance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, isnan, log, nan
from typing import NamedTuple

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.alignment.sample import Sample
from rankgauge.comparison.drift_record import DriftPoint, DriftSeries
from rankgauge.comparison.parts import Part, is_enough, is_enough_expected, joint_error, placed, weighed
from rankgauge.errors import InputError
from rankgauge.evaluation.predictions.record import Estimate, estimate
from rankgauge.measures.predictions.base import PredictionMeasure
from rankgauge.statistics.clusters import t_interval_of, two_sided
from rankgauge.statistics.intervals import Interval

__all__ = ["DriftPlan", "Held"]

_ROUNDING = 1e-12


class Held(NamedTuple):
    """A measure, and what each period of it is held against."""

    label: str
    measure: PredictionMeasure
    kind: str
    """ideal, given or reference."""
    target: float
    base: tuple[Estimate, Array] | None
    """The reference, and the influence of each unit on it."""


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

    def judged(self, held: Held) -> int:
        return sum(self.can_judge(i, held) and not self.is_reference(i, held.kind) for i in range(len(self.parts)))

    def can_judge(self, i: int, held: Held) -> bool:
        """Whether a period has enough; of a ratio to what was expected, whether that is enough."""
        if self.enough[i] or not held.measure.holds_by_expected:
            return self.enough[i]
        return is_enough_expected(self.sample.rows(self.parts[i].rows), self.fewest, held.target)

    def level(self, i: int, kind: str) -> float:
        """The chance of a false alarm that this period of a measure may have."""
        if self.looks == "once":
            return self.alpha / max(self.tests, 1)
        t = i + 1 - (self.first if kind == "reference" else 0)
        return self.alpha / (self.n_measures * t * (t + 1))

    def held(self, label: str, m: PredictionMeasure, kind: str, given: float | None) -> Held:
        """What a measure is held against."""
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
        return Held(label, m, kind, float(target), base)

    def series(self, held: Held, tolerance: float) -> DriftSeries:
        points = tuple(self.point(i, held, tolerance) for i in range(len(self.parts)))
        return DriftSeries(held.label, held.target, held.kind, tolerance, points)

    def point(self, i: int, held: Held, tolerance: float) -> DriftPoint:
        part, label, m, kind, target, base = self.parts[i], *held
        e = estimate(label, m, self.sample.rows(part.rows))
        about = (part.value, len(part.rows), e.sample.n_positives if e.sample else nan, e.n, e.value)
        if self.is_reference(i, kind):
            return DriftPoint(*about, nan, nan, nan, "reference")
        influence = placed(e, self.sample, part.rows)
        if not self.can_judge(i, held) or influence is None or isnan(e.value):
            return DriftPoint(*about, nan, nan, nan, "few")
        alpha, n, error = self.level(i, kind), e.left, e.error
        if base is not None:
            n = min(n, base[0].left)
            error = joint_error(influence, base[1], None if self.sample.weight is None else n)
        if not self.enough[i]:  # what is so rare has no spread of its own to learn from
            error = max(error, _error_at_target(self.sample.rows(part.rows), target) * (e.value / target or 1.0))
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


def _error_at_target(s: Sample, target: float) -> float:
    """The standard error of COPC if it were the target: from rows that are independent, or from what units show."""
    p = np.minimum(target * s.probability, 1.0)
    by_rows = float(np.sqrt(np.sum(s.weigh(s.weigh(p * (1 - p))))))
    by_units = float(np.linalg.norm(s.by_cluster(s.weigh(s.label - p))))
    return max(by_rows, by_units) / s.sum(s.probability)


def _interval(value: float, error: float, n: float, level: float, on_logs: bool) -> Interval:
    if not on_logs:
        low, high = t_interval_of(value, error, n, level)
        return Interval(max(low, 0.0) if value == 0 else low, high)
    low, high = t_interval_of(log(value), error / value, n, level)
    return Interval(exp(low), exp(high))


def _p_beyond(value: float, target: float, tolerance: float, error: float, n: float, on_logs: bool) -> float:
    """p-value of being no farther from the target than the tolerance, two-sided."""
    edge = target + tolerance if value > target else target - tolerance
    if abs(value - target) <= tolerance:
        return 1.0
    return two_sided(log(value / edge), error / value, n) if on_logs else two_sided(value - edge, error, n)
