"""CTR and other ratios of an experiment, with intervals that know that users were randomised and not clicks.

    R = Σ y / Σ x over units (users)
    var R = (s_yy - 2 R s_xy + R² s_xx) / (n x̄²)                 the delta method
    difference  T - C,      var = var T + var C
    lift        T/C - 1,    var = var T / C² + var C · T²/C⁴      the noise of the control counts as well

Deng, Knoblich & Lu (KDD 2018). Without a denominator it is the mean per unit.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import isnan, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._records import Record
from rankgauge._text import Text, zh
from rankgauge.alignment import Array
from rankgauge.errors import InputError
from rankgauge.evaluation.record import plain
from rankgauge.experiments.moments import Moments, unit_sums
from rankgauge.statistics.clusters import t_interval_of, two_sided
from rankgauge.statistics.intervals import Interval, check_level

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Ratio", "RatioChange", "change_of", "compare_ratios", "ratio"]

_UNSTABLE = 3.0  # a control nearer to 0 than this many of its errors has no lift worth reading


@dataclass(frozen=True, eq=False, kw_only=True)
class Ratio(Record, kind="ratio", schema=1, stored_as={"moments": "state"}):
    """A ratio of sums over units, or a mean per unit; `a + b` is the ratio over the units of both."""

    moments: Moments
    """The numerator, and the denominator where there is one."""
    confidence_level: float = 0.95

    @property
    def n(self) -> int:
        """How many units."""
        return self.moments.n

    @property
    def value(self) -> float:
        if len(self.moments.names) == 1:
            return float(self.moments.sums[0] / self.n)
        y, x = self.moments.sums
        return float(y / x) if x else float("nan")

    @property
    def gradient(self) -> Array:
        """Of the value, with respect to the means of its variables."""
        if len(self.moments.names) == 1:
            return np.ones(1)
        x = float(self.moments.means[1])
        return np.array([1.0, -self.value]) / x if x else np.full(2, np.nan)

    @property
    def variance(self) -> float:
        g = self.gradient
        return float(g @ self.moments.covariance() @ g) / self.n

    @property
    def error(self) -> float:
        """Standard error."""
        return _root(self.variance)

    @property
    def interval(self) -> Interval:
        return t_interval_of(self.value, self.error, self.n, self.confidence_level)

    def __add__(self, other: Ratio) -> Ratio:
        return Ratio(moments=self.moments + other.moments, confidence_level=self.confidence_level)

    def csv_rows(self) -> list[dict[str, Any]]:
        """One dict with the value, its interval and what it rests on."""
        names = [f"sum_{name}" for name in self.moments.names]
        return [
            {
                "value": plain(self.value),
                "low": plain(self.interval.low),
                "high": plain(self.interval.high),
                "error": plain(self.error),
                "units": self.n,
                **{name: float(s) for name, s in zip(names, self.moments.sums, strict=True)},
            }
        ]

    def to_frame(self) -> pl.DataFrame:
        """One row."""
        import polars as pl

        return pl.DataFrame(self.csv_rows())

    def _also(self) -> dict[str, Any]:
        return self.csv_rows()[0]


def ratio(numerator: Any, denominator: Any = None, unit: Any = None, *, confidence_level: float = 0.95) -> Ratio:
    """Σ numerator / Σ denominator with its interval over units; arrays with a value per row.

    Rows of one unit are summed first: clicks of a user are not independent. Without `unit` each row is one; without
    `denominator` it is the mean of the numerator per unit.

    >>> round(ratio([1, 0, 2, 1], [4, 4, 4, 8], ["u", "u", "v", "w"]).value, 3)
    0.2
    """
    check_level(confidence_level)
    columns = {"numerator": numerator} | ({} if denominator is None else {"denominator": denominator})
    sums = unit_sums(columns, unit, "ratio")
    below = sums.get("denominator", np.ones(1))
    if (negative := int(np.count_nonzero(below < 0))) or not below.any():
        what = (
            Text(f"negative ones in {negative:,} units", f"有 {negative:,} 个单元为负")
            if negative
            else Text("only zeros", "全为 0")
        )
        raise InputError(
            Text(
                f"ratio: denominators must be 0 or above, and not all 0, got {what}.",
                f"ratio：分母必须不小于 0，且不全为 0，实际{zh(what)}。",
            )
        )
    return Ratio(moments=Moments.of(sums), confidence_level=confidence_level)


@dataclass(frozen=True, eq=False, kw_only=True)
class RatioChange(Record, kind="ratio_change", schema=1):
    """Treatment against control: the difference, the lift, and how sure they are."""

    control: float
    treatment: float
    difference: float
    low: float
    high: float
    error: float
    p_value: float
    lift: float
    """Difference over control; NaN where control is 0."""
    lift_low: float
    lift_high: float
    lift_error: float
    units_control: int
    units_treatment: int
    confidence_level: float
    notes: tuple[str, ...] = ()

    @property
    def interval(self) -> Interval:
        return Interval(self.low, self.high)

    def csv_rows(self) -> list[dict[str, Any]]:
        """One dict with every number."""
        return [{f.name: plain(getattr(self, f.name)) for f in fields(self) if f.name != "notes"}]

    def to_frame(self) -> pl.DataFrame:
        """One row."""
        import polars as pl

        return pl.DataFrame(self.csv_rows())


def compare_ratios(control: Ratio, treatment: Ratio, *, confidence_level: float = 0.95) -> RatioChange:
    """Difference and relative lift of the same ratio in two arms."""
    if control.moments.names != treatment.moments.names:
        raise InputError(
            Text(
                "compare_ratios: both arms must be ratios, or both means, got one of each.",
                "compare_ratios：两组必须都是比率，或都是平均，实际各有一个。",
            )
        )
    return change_of(
        (control.value, control.variance, control.n),
        (treatment.value, treatment.variance, treatment.n),
        confidence_level,
    )


def change_of(control: tuple[float, float, int], treatment: tuple[float, float, int], level: float) -> RatioChange:
    """From value, variance and units of each arm."""
    check_level(level)
    (c, var_c, n_c), (t, var_t, n_t) = control, treatment
    error = _root(var_c + var_t)
    units = _freedom(var_c, n_c, var_t, n_t) + 1
    found = t_interval_of(t - c, error, units, level)
    lift, lift_error = float("nan"), float("nan")
    if c:
        lift, lift_error = t / c - 1, _root(var_t / c**2 + var_c * t**2 / c**4)
    of_lift = t_interval_of(lift, lift_error, units, level)
    notes: tuple[str, ...] = ()
    if not abs(c) > _UNSTABLE * _root(var_c):
        notes = (
            Text(
                "the control is too near to 0 for a lift: read the difference",
                "对照组的值过于接近 0，相对提升不可靠：请看差值",
            ),
        )
    return RatioChange(
        control=c,
        treatment=t,
        difference=t - c,
        low=found.low,
        high=found.high,
        error=error,
        p_value=two_sided(t - c, error, units),
        lift=lift,
        lift_low=of_lift.low,
        lift_high=of_lift.high,
        lift_error=lift_error,
        units_control=n_c,
        units_treatment=n_t,
        confidence_level=level,
        notes=notes,
    )


def _freedom(var_c: float, n_c: int, var_t: float, n_t: int) -> int:
    """Degrees of freedom of Welch (1947), rounded down."""
    if isnan(var_c + var_t):  # an arm of one unit has no error, and the change has none
        return 1
    below = sum(v**2 / (n - 1) for v, n in ((var_c, n_c), (var_t, n_t)) if n > 1)
    return max(int((var_c + var_t) ** 2 / below), 1) if below else max(n_c + n_t - 2, 1)


def _root(variance: float) -> float:
    """Rounding can leave a variance of 0 just below it."""
    return variance if isnan(variance) else sqrt(max(variance, 0.0))
