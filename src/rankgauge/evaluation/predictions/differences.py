"""Is one model better than another on the same rows? Paired differences, clustered by group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan, log, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._rng import random_generator
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.errors import InputError
from rankgauge.evaluation.predictions.stored_influence import MOST_NUMBERS
from rankgauge.measures.predictions.base import RowMeasure, Undefined
from rankgauge.statistics.clusters import standard_error, t_interval_of, two_sided
from rankgauge.statistics.intervals import Interval

if TYPE_CHECKING:
    from rankgauge.evaluation.predictions.of_rows import Estimate

__all__ = ["Difference", "difference", "resampled_error"]


_ROUNDING = 1e-12


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
    error: float = nan
    """The standard error of the value."""
    left: float = nan
    """What weights leave of the units, on which the interval rests: all of them where rows have no weights."""
    p_better: float = nan
    """Of neither being better: the p-value, or where there is an ideal value that of both being as far from it."""
    confidence_level: float = 0.95

    @property
    def is_better(self) -> bool | None:
        """True or False where the interval leaves out 0 and no doubt is left who is better, else None."""
        low, high = self.interval
        if isnan(low) or low <= 0 <= high:
            return None
        if self.p_better != self.p_value and not self.p_better < 1 - self.confidence_level:  # either may be nearer
            return None
        return self.nearer


def difference(
    mine: Estimate, theirs: Estimate, model: str, baseline: str, level: float, rng: Any, resamples: int
) -> Difference:
    """The influence of each unit on both values, taken from each other; groups drawn again where there is none."""
    if mine.joint is not None and theirs.joint is not None:
        return _without_rows(mine, theirs, model, baseline, level)
    if not _same_rows(mine, theirs):
        raise InputError(
            Text(
                f"difference: {show(model)} and {show(baseline)} must be on the same rows in the same order. "
                "Pass both as scores=['old', 'new'] of one table.",
                f"差值：{show(model)} 和 {show(baseline)} 必须是同样的行、同样的顺序。请把两者作为同一张表的 "
                "scores=['old', 'new'] 传入。",
            )
        )
    value, error, logs = mine.value - theirs.value, nan, nan
    if isnan(value):
        pass
    elif mine.clusters is not None and theirs.clusters is not None:
        left = _left(mine, theirs)
        error = standard_error(mine.clusters - theirs.clusters, left)
        if _can_mirror(mine, theirs):
            logs = standard_error(mine.clusters / mine.value + theirs.clusters / theirs.value, left)
    elif resamples:
        error = resampled_error([mine.measure, theirs.measure], [_sample(mine), _sample(theirs)], rng, resamples)
    return _made(mine, theirs, model, baseline, error, logs, level)


def _without_rows(mine: Estimate, theirs: Estimate, model: str, baseline: str, level: float) -> Difference:
    """From what is known about the errors of both numbers together."""
    assert mine.joint is not None
    assert theirs.joint is not None
    (joint, i), (other, j) = mine.joint, theirs.joint
    if joint is not other:
        raise InputError(
            Text(
                "an evaluation in pieces has no rows to compare with another one. Evaluate both models in one call, "
                "and "
                "store them in one file.",
                "分块计算的评测没有可与另一个评测比较的行。请在一次调用中评测两个模型，并存入同一个文件。",
            )
        )
    known = min(i, j) >= 0
    error = joint.error(i, j) if known else nan
    logs = joint.error_of({i: 1 / mine.value, j: 1 / theirs.value}) if known and _can_mirror(mine, theirs) else nan
    found = _made(mine, theirs, model, baseline, error, logs, level)
    down = mine.value - mine.certain.low + theirs.certain.high - theirs.value
    up = mine.certain.high - mine.value + theirs.value - theirs.certain.low
    return replace(found, interval=Interval(found.interval.low - down, found.interval.high + up))


def _made(
    mine: Estimate, theirs: Estimate, model: str, baseline: str, error: float, logs: float, level: float
) -> Difference:
    """`logs` is the standard error of log mine + log theirs, asked for where the measure has an ideal value."""
    value, left = mine.value - theirs.value, _left(mine, theirs)
    if value and mine.measure.needs_spread and error <= _ROUNDING * abs(value):
        error = nan  # every unit says the same, as where a class has one row: no spread to learn from
    p = p_better = two_sided(value, error, left)
    if mine.measure.ideal is not None:
        p_better = _p_nearer(mine, theirs, p, logs)
    return Difference(
        measure=mine.label,
        model=model,
        baseline=baseline,
        value=value,
        interval=t_interval_of(value, error, left, level),
        p_value=p,
        n=mine.n,
        nearer=mine.measure.is_better(mine.value, theirs.value),
        error=error,
        left=left,
        p_better=p_better,
        confidence_level=level,
    )


def _left(mine: Estimate, theirs: Estimate) -> float:
    """What weights leave of the units for both numbers."""
    return min(mine.left, theirs.left)


def _can_mirror(mine: Estimate, theirs: Estimate) -> bool:
    return mine.measure.ideal is not None and mine.value > 0 and theirs.value > 0


def _p_nearer(mine: Estimate, theirs: Estimate, p: float, logs: float) -> float:
    """p-value of both values being as far from the ideal 1, as ratios: a = b, or a = 1/b.

    Two models may differ for sure and still nobody knows which is nearer: 1.02 and 1.01 of the same rows, or 2 and 1/2.
    The null holds where either of its parts does, so that the larger of their p-values is its own (Berger 1982).
    """
    if not _can_mirror(mine, theirs):
        return nan
    ideal = mine.measure.ideal
    assert ideal is not None
    both = log(mine.value / ideal) + log(theirs.value / ideal)
    mirrored = two_sided(both, logs, _left(mine, theirs))
    return nan if isnan(p) or isnan(mirrored) else max(p, mirrored)


def _same_rows(mine: Estimate, theirs: Estimate) -> bool:
    """Whether both numbers are of the same rows; an error where that is not known, or their influence is not."""
    a, b = mine.sample, theirs.sample
    if a is not None and b is not None:
        is_same = len(a) == len(b) and np.array_equal(a.truth, b.truth)
        return is_same and _same(a.group, b.group) and _same(a.weight, b.weight)
    for c in (mine, theirs):
        if not c.rows:
            raise InputError(
                Text(
                    "a stored evaluation has no rows to compare, and was stored by a version that kept nothing in "
                    "their "
                    "place, or in pieces. Evaluate the predictions again.",
                    "存储的评测没有可以比较的行，并且存储它的版本没有留下替代的内容，或它是分块计算的。"
                    "请重新评测预测数据。",
                )
            )
        if c.stored is not None and c.stored.get("influence", "") is None:
            raise InputError(
                Text(
                    f"a stored evaluation has no rows to compare: the influence of {c.n:,} units was more than the "
                    f"{MOST_NUMBERS:,} numbers that are stored. Compare before storing, ask for fewer measures, or "
                    "name "
                    "groups of rows with group=.",
                    f"存储的评测没有可以比较的行：{c.n:,} 个单元的影响值超过了可存储的 {MOST_NUMBERS:,} 个数。"
                    "请在存储前比较，或减少指标，或用 group= 指定行的分组。",
                )
            )
    return mine.rows == theirs.rows


def _sample(c: Estimate) -> Any:
    if c.sample is None:
        raise InputError(
            Text(
                f"{c.label} has no influence values, so that groups are drawn again for its error, and a stored "
                "evaluation "
                "has no rows to compare. Evaluate the predictions again, or pass resamples=0 for the difference alone.",
                f"{c.label} 没有影响值，其误差需要对分组重新抽样，而存储的评测没有可以比较的行。"
                "请重新评测预测数据，或传入 resamples=0 只求差值。",
            )
        )
    return c.sample


def _same(a: Array | None, b: Array | None) -> bool:
    return a is b or (a is not None and b is not None and np.array_equal(a, b))


def resampled_error(measures: Sequence[RowMeasure], samples: Sequence[Any], rng: Any, resamples: int) -> float:
    """Standard error of a value, or of the difference of two, over units drawn again with replacement."""
    generator = random_generator(rng)
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
