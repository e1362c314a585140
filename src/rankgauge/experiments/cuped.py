"""Less noise in an experiment, by what each unit did before it.

    adjusted difference   (T - C) - θ (T₀ - C₀)
    θ = (cov(T, T₀) + cov(C, C₀)) / (var T₀ + var C₀)

T and C are the values of the arms, T₀ and C₀ the same (or any) number from before the experiment, which the treatment
cannot have changed: its difference is noise, and taking θ of it away leaves the expected difference as it is. θ is one
for both arms and makes the variance smallest; what remains is 1 - ρ². For ratios, variances and the covariance come
from the 4 by 4 covariance matrix of numerator, denominator and both of before, by the delta method.

Deng, Xu, Kohavi & Walker (WSDM 2013).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rankgauge._records import Record
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.errors import InputError
from rankgauge.experiments.moments import Moments, unit_sums
from rankgauge.experiments.ratios import RatioChange, change_of
from rankgauge.statistics.intervals import check_level

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Cuped", "CupedArm", "cuped", "cuped_arm"]

_MEAN = ("numerator", "before")
_RATIO = ("numerator", "denominator", "before", "before_denominator")


@dataclass(frozen=True)
class CupedArm:
    """One arm: the value and that of before, over the same units; `a + b` is the arm of both."""

    moments: Moments

    def __add__(self, other: CupedArm) -> CupedArm:
        return CupedArm(self.moments + other.moments)


def cuped_arm(
    numerator: Any, before: Any, denominator: Any = None, before_denominator: Any = None, unit: Any = None
) -> CupedArm:
    """Rows of one arm, summed by unit: during the experiment, and before it (0 for those who were not there yet).

    With both denominators the value is a ratio, with neither it is the mean per unit.
    """
    if (denominator is None) != (before_denominator is None):
        raise InputError(
            Text(
                "cuped_arm: a ratio needs both denominators, got one. Pass both, or neither for a mean.",
                "cuped_arm：比率需要两个分母，实际只有一个。请都传入；求平均时都不传入。",
            )
        )
    columns = {"numerator": numerator, "before": before}
    if denominator is not None:
        columns |= {"denominator": denominator, "before_denominator": before_denominator}
    sums = unit_sums(columns, unit, "cuped_arm")
    names = _MEAN if denominator is None else _RATIO
    for name in names:
        if "denominator" in name and (sums[name] < 0).any():
            raise InputError(
                Text(
                    f"cuped_arm: {name} must be 0 or above in every unit.",
                    f"cuped_arm：每个单元的 {name} 都必须不小于 0。",
                )
            )
        if "denominator" in name and not sums[name].any():
            raise InputError(
                Text(
                    f"cuped_arm: {name} must not be 0 in all units. Was there a time before the experiment?",
                    f"cuped_arm：{name} 不能在所有单元中都为 0。实验之前有数据吗？",
                )
            )
    return CupedArm(Moments.of({name: sums[name] for name in names}))


@dataclass(frozen=True, eq=False, kw_only=True)
class Cuped(Record, kind="cuped", schema=1):
    """The change as measured, the same with less noise, and how much less."""

    raw: RatioChange
    adjusted: RatioChange
    """Its control is as measured; its treatment is control plus the adjusted difference."""
    theta: float
    reduction: float
    """Share of the variance of the difference that is gone: ρ²."""
    before_difference: float
    """Treatment minus control before the experiment: noise, if users were assigned by chance."""
    notes: tuple[str, ...] = ()

    def csv_rows(self) -> list[dict[str, Any]]:
        """The change as measured and adjusted."""
        return [
            {"kind": kind, **change.csv_rows()[0]} for kind, change in (("raw", self.raw), ("adjusted", self.adjusted))
        ]

    def to_frame(self) -> pl.DataFrame:
        """Two rows: as measured, and adjusted."""
        import polars as pl

        return pl.DataFrame(self.csv_rows())


class _Arm(NamedTuple):
    value: float
    before: float
    variance: float
    variance_before: float
    covariance: float
    n: int


def cuped(control: CupedArm, treatment: CupedArm, *, confidence_level: float = 0.95) -> Cuped:
    """Difference of two arms, adjusted by what was measured before."""
    check_level(confidence_level)
    if control.moments.names != treatment.moments.names:
        raise InputError(
            Text(
                "cuped: both arms must be ratios, or both means, got one of each.",
                "cuped：两组必须都是比率，或都是平均，实际各有一个。",
            )
        )
    c, t = _read(control.moments), _read(treatment.moments)
    raw = change_of((c.value, c.variance, c.n), (t.value, t.variance, t.n), confidence_level)
    spread = c.variance_before + t.variance_before
    notes: list[str] = []
    if spread > 0:
        theta = (c.covariance + t.covariance) / spread
    else:
        theta = 0.0
        notes.append(
            Text("what was measured before does not vary: nothing to adjust by", "实验前的数据没有变化：无从调整")
        )
    # an arm by itself is adjusted towards the mean of both arms of before: the difference is what was asked
    middle = (c.before * c.n + t.before * t.n) / (c.n + t.n)
    arms = [
        (
            a.value - theta * (a.before - middle),
            a.variance + theta**2 * a.variance_before - 2 * theta * a.covariance,
            a.n,
        )
        for a in (c, t)
    ]
    adjusted = change_of(arms[0], arms[1], confidence_level)
    total = c.variance + t.variance
    reduction = 1 - (arms[0][1] + arms[1][1]) / total if total > 0 else float("nan")
    return Cuped(
        raw=raw,
        adjusted=adjusted,
        theta=theta,
        reduction=reduction,
        before_difference=t.before - c.before,
        notes=tuple(notes),
    )


def _read(m: Moments) -> _Arm:
    """Values, variances and covariance of the value and that of before."""
    means, cov = m.means, m.covariance() / m.n
    if m.names == _MEAN:
        return _Arm(float(means[0]), float(means[1]), float(cov[0, 0]), float(cov[1, 1]), float(cov[0, 1]), m.n)
    y, x, z, w = means.tolist()
    g = np.array([1 / x, -y / x**2, 0, 0])
    h = np.array([0, 0, 1 / w, -z / w**2])
    return _Arm(y / x, z / w, _form(g, cov, g), _form(h, cov, h), _form(g, cov, h), m.n)


def _form(g: Array, cov: Array, h: Array) -> float:
    return float(g @ cov @ h)
