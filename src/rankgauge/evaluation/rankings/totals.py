"""One measure over many queries as a handful of sums that add up exactly.

Means, pooled ratios, weighted and geometric means, tie widths and t-intervals of parts of the queries, computed on
different machines, are those of all queries together: whole multiples of 2^-1074 are added as integers, so neither the
split nor the order of adding changes a bit.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from math import log, sqrt
from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.errors import ParameterError
from rankgauge.evaluation.rankings.averages import total_of
from rankgauge.evaluation.rankings.record import FLOOR, Column
from rankgauge.measures.base import Measure
from rankgauge.statistics.exact_sums import exact_units, from_units
from rankgauge.statistics.intervals import Interval, check_level, degrees_of_freedom, t_quantile

__all__ = ["Summary", "Totals"]

_NAN = float("nan")
_UNIT = 1 << 1074


@dataclass(frozen=True)
class Totals:
    """Sums over the queries that count, in units of 2^-1074; with weights w (1 without), values v.

    A geometric mean keeps logarithms in place of values.
    """

    n: int = 0
    undefined: int = 0
    """Queries that count and have no value: they make the mean undefined."""
    values: int = 0
    """Σ w v"""
    weights: int = 0
    """Σ w"""
    squares: int = 0
    """Σ (w v)²"""
    mixed: int = 0
    """Σ w² v"""
    weight_squares: int = 0
    """Σ w²"""
    ratios: int = 0
    """Queries that have a ratio to be pooled."""
    numerators: int = 0
    denominators: int = 0
    tie_widths: int = 0
    """Σ |best - worst| over the orders of tied results, without weights."""
    tie_unknown: int = 0
    """Queries for which that is not known."""

    @classmethod
    def of(cls, c: Column, weights: Array | None = None, queries: Array | None = None) -> Totals:
        """The sums of a column, over all of its queries or over those of a mask. Only means know weights."""
        if c.measure.summary != "mean":
            weights = None
        chosen = c.counted if queries is None else c.counted & queries
        n = int(chosen.sum())
        if c.measure.summary == "none":
            return cls(n=n)
        values = c.values[chosen].astype(np.float64)
        known = ~np.isnan(values)
        values = values[known]
        if c.measure.summary == "geometric":
            values = np.array([log(max(v, FLOOR)) for v in values.tolist()], dtype=np.float64)
        w = np.ones(len(values)) if weights is None else weights[chosen][known]
        ratio = c.numerator is not None and c.denominator is not None
        widths: Array = np.zeros(0)
        if c.best is not None and c.worst is not None:
            widths = abs(c.best - c.worst)[chosen][known]
        return cls(
            n=n,
            undefined=n - len(values),
            values=exact_units(w * values),
            weights=exact_units(w),
            squares=_exact_products(w * values, w * values),
            mixed=_exact_products(w * values, w),
            weight_squares=_exact_products(w, w),
            ratios=n if ratio else 0,
            numerators=exact_units(c.numerator[chosen].astype(np.float64)) if ratio else 0,  # type: ignore[index]
            denominators=exact_units(c.denominator[chosen].astype(np.float64)) if ratio else 0,  # type: ignore[index]
            tie_widths=exact_units(widths[~np.isnan(widths)]),
            tie_unknown=int(np.isnan(widths).sum()),
        )

    def __add__(self, other: Totals) -> Totals:
        return Totals(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    def to_text(self) -> str:
        """All sums as text, which no reader rounds."""
        return " ".join(f"{getattr(self, f.name):x}" for f in fields(self))

    @classmethod
    def from_text(cls, text: str) -> Totals:
        return cls(*(int(part, 16) for part in text.split()))

    # what they say

    def value(self, summary: str, average: str) -> float:
        """One number for all queries: as `Column.total`, to the last bit."""
        pooled = average == "micro" and summary == "mean" and self.ratios > 0
        if summary == "none" or (self.undefined and not pooled):
            return _NAN
        if pooled:
            return total_of(summary, from_units(self.numerators), from_units(self.denominators))
        bottom = from_units(self.weights) if average == "weighted" and summary == "mean" else float(self.n)
        return total_of(summary, from_units(self.values), bottom)

    def interval(self, confidence_level: float) -> Interval:
        """mean ± t · s/√n of the (weighted) mean, as `intervals.t_interval`."""
        check_level(confidence_level)
        n = float(Fraction(self.weights * self.weights, self.weight_squares * _UNIT)) if self.weights else 0.0
        if self.undefined or (df := degrees_of_freedom(n)) < 1:
            return Interval(_NAN, _NAN)
        mean = Fraction(self.values, self.weights)
        spread = (self.squares - 2 * mean * self.mixed + mean * mean * self.weight_squares) / _UNIT
        error = sqrt(max(float(spread), 0.0) * n / (n - 1)) / from_units(self.weights)
        half = t_quantile((1 + confidence_level) / 2, df) * error
        return Interval(float(mean) - half, float(mean) + half)

    @property
    def tie_width(self) -> float:
        """How much the mean can change with the order of tied results; NaN where that is not known."""
        if self.tie_unknown:
            return _NAN
        return from_units(self.tie_widths) / self.n if self.n else 0.0


def _exact_products(a: Array, b: Array) -> int:
    """Σ a b without any rounding: each product as a float64 and what that leaves over (Dekker 1971)."""
    high = a * b
    a1, b1 = (_upper(x) for x in (a, b))
    a2, b2 = a - a1, b - b1
    low = ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2
    return exact_units(high) + exact_units(low)


def _upper(x: Array) -> Array:
    """The upper half of the digits (Veltkamp)."""
    y = x * 134217729.0  # 2^27 + 1
    upper: Array = y - (y - x)
    return upper


@dataclass(frozen=True, eq=False)
class Summary:
    """A measure of queries that lie elsewhere: what `Column` says about all of them, without their values."""

    label: str
    measure: Measure
    totals: Totals

    @property
    def n(self) -> int:
        return self.totals.n

    @property
    def tie_width(self) -> float:
        return self.totals.tie_width

    def total(self, average: str, weights: Any = None, queries: Any = None) -> float:
        """One number for all queries."""
        return self.totals.value(self.measure.summary, average)

    def interval(self, confidence_level: float, average: str, weights: Any = None, **options: Any) -> Interval:
        """Confidence interval of the mean."""
        if options.get("method", "t") != "t":
            raise ParameterError(
                Text(
                    "`method` must be 't' where the values of the queries lie elsewhere. "
                    "Bring them here with ev.collect() for a bootstrap.",
                    "各查询的数值在别处时，`method` 必须是 't'。要用 bootstrap，请先用 ev.collect() 取到这里。",
                )
            )
        if average == "micro" and self.totals.ratios:
            return Interval(_NAN, _NAN)
        return self.totals.interval(confidence_level)
