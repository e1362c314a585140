"""A value that is known to lie between two others."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["ROUNDING", "Bracket"]

# Prefix sums are exact; what is left is a handful of roundings per bin, each relative to a share of the result,
# and the result is at most 1. 64 half-ulps cover them with room to spare.
ROUNDING = 2.0**-47


class Bracket(NamedTuple):
    """A value that lies between `low` and `high` for certain; `value` is the middle.

    The bounds allow for floating-point rounding: where nothing is uncertain `half_width` is about 7e-15, not 0,
    so that the exact value, which need not be a float64, is still inside.
    """

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2

    @property
    def is_exact(self) -> bool:
        """Whether nothing but rounding separates `low` and `high`."""
        return self.half_width <= 2 * ROUNDING

    @classmethod
    def around(cls, low: float, high: float) -> Bracket:
        """The bracket of a measure in [0, 1], widened by the rounding of its computation."""
        low, high = min(low, 1.0), min(high, 1.0)
        return cls((low + high) / 2, max(low - ROUNDING, 0.0), min(high + ROUNDING, 1.0))

    @classmethod
    def exact(cls, value: float) -> Bracket:
        return cls(value, value, value)

    def stretched(self, factor: float, shift: float = 0.0) -> Bracket:
        """Of factor·x + shift. Exact bounds differ by rounding, which must not be stretched into a doubt."""
        value, low, high = (x * factor + shift for x in self)
        return Bracket.exact(value) if self.is_exact else Bracket(value, low, high)

    @classmethod
    def undefined(cls) -> Bracket:
        return cls(float("nan"), float("nan"), float("nan"))
