"""Is one model better than another on the same rows? Paired differences, clustered by group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._show import show
from rankgauge.alignment import Array
from rankgauge.alignment.sample import Sample
from rankgauge.errors import InputError
from rankgauge.evaluation.clusters import standard_error, t_interval_of, two_sided
from rankgauge.evaluation.intervals import Interval
from rankgauge.measures.predictions.base import PredictionMeasure, Undefined

if TYPE_CHECKING:
    from rankgauge.evaluation.prediction_record import Estimate

__all__ = ["Difference", "difference", "resampled_error"]


@dataclass(frozen=True)
class Difference:
    """A measure of one model minus that of another on the same rows."""

    measure: str
    model: str
    baseline: str
    value: float
    interval: Interval
    p_value: float
    """Of no difference, two-sided, by Student's t over units."""
    n: int
    """Independent units: groups, or rows without groups."""
    nearer: bool
    """Whether the model's own value is the better of the two, be it by chance."""

    @property
    def is_better(self) -> bool | None:
        """True or False where the interval leaves out 0, None where it does not."""
        low, high = self.interval
        return None if isnan(low) or low <= 0 <= high else self.nearer


def difference(
    mine: Estimate, theirs: Estimate, model: str, baseline: str, level: float, rng: Any, resamples: int
) -> Difference:
    """The influence of each unit on both values, taken from each other; groups drawn again where there is none."""
    a, b = mine.sample, theirs.sample
    if a is None or b is None:
        return _without_rows(mine, theirs, model, baseline, level)
    if (
        len(a) != len(b)
        or not np.array_equal(a.label, b.label)
        or not _same(a.group, b.group)
        or not _same(a.weight, b.weight)
    ):
        raise InputError(
            f"difference: {show(model)} and {show(baseline)} must be on the same rows in the same order. "
            "Pass both as scores=['old', 'new'] of one table."
        )
    value = mine.value - theirs.value
    if isnan(value):
        error = nan
    elif mine.clusters is not None and theirs.clusters is not None:
        error = standard_error(mine.clusters - theirs.clusters)
    else:
        error = resampled_error([mine.measure, theirs.measure], [a, b], rng, resamples)
    return _made(mine, theirs, model, baseline, error, level)


def _without_rows(mine: Estimate, theirs: Estimate, model: str, baseline: str, level: float) -> Difference:
    """From what is known about the errors of both numbers together."""
    if mine.joint is None or theirs.joint is None or mine.joint[0] is not theirs.joint[0]:
        raise InputError("a stored evaluation has no rows to compare; evaluate the predictions again.")
    (joint, i), (_, j) = mine.joint, theirs.joint
    found = _made(mine, theirs, model, baseline, nan if min(i, j) < 0 else joint.error(i, j), level)
    down = mine.value - mine.certain.low + theirs.certain.high - theirs.value
    up = mine.certain.high - mine.value + theirs.value - theirs.certain.low
    return replace(found, interval=Interval(found.interval.low - down, found.interval.high + up))


def _made(mine: Estimate, theirs: Estimate, model: str, baseline: str, error: float, level: float) -> Difference:
    value = mine.value - theirs.value
    interval = t_interval_of(value, error, mine.n, level)
    better = mine.measure.is_better(mine.value, theirs.value)
    return Difference(mine.label, model, baseline, value, interval, two_sided(value, error, mine.n), mine.n, better)


def _same(a: Array | None, b: Array | None) -> bool:
    return a is b or (a is not None and b is not None and np.array_equal(a, b))


def resampled_error(
    measures: Sequence[PredictionMeasure], samples: Sequence[Sample], rng: Any, resamples: int
) -> float:
    """Standard error of a value, or of the difference of two, over units drawn again with replacement."""
    generator = np.random.default_rng(rng)
    s = samples[0]
    units = np.arange(len(s)) if s.group is None else s.group
    names = np.unique(units)
    found = []
    for _ in range(resamples):
        times = np.zeros(int(names[-1]) + 1, dtype=np.int64)
        times[names] = np.bincount(generator.integers(len(names), size=len(names)), minlength=len(names))
        most = int(times.max())
        copies = [np.flatnonzero(times[units] > k) for k in range(most)]
        rows = np.concatenate(copies)
        copy = np.repeat(np.arange(most), [len(c) for c in copies])
        values = []
        for m, sample in zip(measures, samples, strict=True):
            part = sample.rows(rows)
            if part.group is not None:  # a group drawn twice is two groups
                part = replace(part, group=part.group + copy * part.n_groups, n_groups=part.n_groups * most)
            try:
                m.check(part)
                values.append(m.value(part))
            except Undefined:
                values.append(nan)
        found.append(values[0] - (values[1] if len(values) > 1 else 0.0))
    known = [v for v in found if not isnan(v)]
    return float(np.std(known, ddof=1)) if len(known) > 1 else nan
