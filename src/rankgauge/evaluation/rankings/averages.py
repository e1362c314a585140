"""One number for many queries, whatever the average: a sum of numerators over a sum of denominators.

                numerator           denominator
    macro       v_i                 1
    weighted    w_i v_i             w_i
    micro       that of the ratio   that of the ratio
    geometric   log v_i             1               and the exponential of it all
    sum         v_i                 none

Evaluations, totals that add up over machines and comparisons all divide here, so that they print the same number.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

import numpy as np

from rankgauge.alignment import Array
from rankgauge.statistics.exact_sums import rounded_sum

__all__ = ["Parts", "total_of"]

_NAN = float("nan")


def total_of(summary: str, top: float, bottom: float) -> float:
    """The number of all queries from the two sums; NaN where there is nothing to divide by.

    >>> total_of("mean", 3.0, 4.0)
    0.75
    """
    if summary == "none":
        return _NAN
    if summary == "sum":
        return top
    if not bottom:
        return _NAN
    return exp(top / bottom) if summary == "geometric" else top / bottom


@dataclass(frozen=True, eq=False)
class Parts:
    """Numerator and denominator of each query."""

    top: Array
    bottom: Array | None = None
    """None where every query has the denominator 1."""

    def __len__(self) -> int:
        return len(self.top)

    @property
    def sums(self) -> tuple[float, float]:
        """Of numerators and of denominators, rounded once."""
        bottom = float(len(self.top)) if self.bottom is None else rounded_sum(self.bottom)
        return rounded_sum(self.top), bottom

    @property
    def total(self) -> float:
        """The mean, weighted mean or pooled ratio."""
        return total_of("mean", *self.sums)

    @property
    def without_each(self) -> Array:
        """The total of all queries but one, for each one; NaN where nothing is left to divide by."""
        top, bottom = self.sums
        rest = bottom - (np.ones(len(self)) if self.bottom is None else self.bottom)
        left: Array = np.divide(top - self.top, rest, out=np.full(len(self), _NAN), where=rest > 0)
        return left
