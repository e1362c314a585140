"""What is known about the errors of several numbers together, where the rows lie elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from rankgauge.alignment.segments import Array

__all__ = ["Joint"]

_NOISE = 1e-13  # of the terms of a variance, which is their difference


@dataclass(frozen=True, eq=False)
class Joint:
    """Covariances of numbers over the same units: Σ over units of the product of their influences."""

    lines: Array
    """Each number as a combination of what was summed."""
    products: Array
    n: int
    left: Sequence[float] = ()
    """What weights leave of the units for each number; empty where it is all of them."""

    def equals(self, other: Joint) -> bool:
        """Whether all of it is the same."""
        same = np.array_equal(self.lines, other.lines) and np.array_equal(self.products, other.products)
        return self.n == other.n and same and list(self.left) == list(other.left)

    def left_of(self, *places: int) -> float:
        """What weights leave of the units for all of these numbers."""
        return min((self.left[i] for i in places), default=self.n) if len(self.left) else self.n

    def error(self, plus: int, minus: int | None = None) -> float:
        """The standard error of a number, or of one minus another; NaN for fewer than two units."""
        return self.error_of({plus: 1.0} if minus is None else {plus: 1.0, minus: -1.0})

    def error_of(self, times: Mapping[int, float]) -> float:
        """The standard error of a sum of numbers, each so many times."""
        if (n := self.left_of(*times)) < 2:
            return float("nan")
        line = sum(k * self.lines[i] for i, k in times.items())
        variance = float(line @ self.products @ line)
        size = float(np.abs(line) @ np.abs(self.products) @ np.abs(line))
        return sqrt(variance * n / (n - 1)) if variance > _NOISE * size else 0.0
