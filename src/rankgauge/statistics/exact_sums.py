"""Sums that do not depend on the order of their terms.

Floating-point addition does. Here numbers are cut into whole multiples of powers of two, and those are added as
integers: the sum of shards is the sum of all rows, and shuffled rows have the same sum, to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import frexp, fsum, ldexp
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "CHUNK",
    "DIGIT",
    "ExactSums",
    "add_digits",
    "exact_sum",
    "exact_units",
    "from_units",
    "parts_of",
    "rounded_sum",
    "units_of",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CHUNK = 1 << 16
DIGIT = 35  # CHUNK digits of 35 bits add up to less than 2^52: exact in float64, in any order
_UNIT = 1074  # 2^-1074 divides every float64


def exact_sum(values: NDArray[Any]) -> float:
    """The sum of finite numbers, rounded once.

    >>> exact_sum(np.array([1e16, 1.0, -1e16]))
    1.0
    """
    try:
        return from_units(exact_units(values))
    except OverflowError:
        return float(np.sum(values))  # beyond the range in which parts can be told apart


_MANY = 1 << 12
"""Numbers from which on parts of them add up sooner than one after the other."""


def rounded_sum(values: Floats) -> float:
    """What math.fsum answers, to the last bit and whatever it is given; a long array in a tenth of its time."""
    if len(values) >= _MANY and np.isfinite(values).all():
        try:
            found = from_units(exact_units(values))
        except OverflowError:  # beyond the range in which parts can be told apart
            return fsum(values)
        if found:  # the sign of a zero is left to it
            return found
    return fsum(values)


def from_units(units: int) -> float:
    """A whole number of 2^-1074 as the nearest float64."""
    return units / (1 << _UNIT)


def units_of(value: float) -> int:
    """A finite float64 in units of 2^-1074."""
    numerator, denominator = value.as_integer_ratio()
    return numerator << (_UNIT + 1 - denominator.bit_length())


def exact_units(values: Floats) -> int:
    """The sum of finite numbers, not rounded, in units of 2^-1074.

    math.fsum answers the same for one list; this is vectorised, and integers can be added later in any order.
    """
    total = 0
    for start in range(0, len(values), CHUNK):
        for _, part in parts_of(values[start : start + CHUNK], step=1):
            total += units_of(float(part.sum()))
    return total


def parts_of(values: Floats, step: int) -> Iterator[tuple[int, Floats]]:
    """Cuts numbers into parts of at most 35 bits: multiples of 2^e, e itself a multiple of `step`.

    Adding and taking away 1.5·2^52·2^e rounds to multiples of 2^e, and what is left over is exact
    (Rump, Ogita & Oishi 2008). The sum of at most CHUNK parts is exact in float64.
    """
    rest = values
    while len(rest) and (largest := max(float(rest.max()), -float(rest.min()))) > 0:
        e = max(-((DIGIT - frexp(largest)[1]) // step) * step, -_UNIT)
        magic = ldexp(1.5, e + 52)
        part = rest + magic
        part -= magic
        yield e, part
        rest = rest - part


def add_digits(sums: dict[int, Ints], shape: tuple[int, int], row: int, places: Ints, values: Floats) -> None:
    """Adds at most CHUNK values, none negative, each at its place of a row; `ExactSums.of` takes what this makes."""
    for e, part in parts_of(values, step=DIGIT):
        digits = (part * 2.0**-e).astype(np.int64)
        np.add.at(sums.setdefault(e // DIGIT, np.zeros(shape, dtype=np.int64))[row], places, digits)


@dataclass(frozen=True, eq=False)
class ExactSums:
    """Many sums of non-negative numbers, none of them rounded.

    A sum is Σ digits[j] · 2^(35·(lowest + j)) with digits in [0, 2^35). Rows that are all zero are dropped
    except that of 2^0, so equal sums are equal arrays.
    """

    lowest: int
    digits: Ints

    @classmethod
    def of(cls, parts: dict[int, Ints], shape: tuple[int, ...]) -> ExactSums:
        """From whole multiples of 2^(35·level), of any sign and size below 2^62, that add up to sums >= 0."""
        lowest, highest = min([0, *parts]), max([0, *parts])
        digits = np.zeros((highest - lowest + 1, *shape), dtype=np.int64)
        for level, part in parts.items():
            digits[level - lowest] += part
        return cls(lowest, digits)._carried()

    def _carried(self) -> ExactSums:
        rows: list[Ints] = []
        carry: Any = 0
        for row in self.digits:
            row = row + carry
            carry = row >> DIGIT
            rows.append(row & ((1 << DIGIT) - 1))
        while np.any(carry):
            rows.append(carry & ((1 << DIGIT) - 1))
            carry = carry >> DIGIT
        lowest = self.lowest
        while lowest < 0 and not rows[0].any():
            lowest += 1
            del rows[0]
        while lowest + len(rows) > 1 and not rows[-1].any():
            del rows[-1]
        return ExactSums(lowest, np.stack(rows))

    def __add__(self, other: ExactSums) -> ExactSums:
        lowest = min(self.lowest, other.lowest)
        highest = max(self.lowest + len(self.digits), other.lowest + len(other.digits))
        digits = np.zeros((highest - lowest, *self.digits.shape[1:]), dtype=np.int64)
        for one in (self, other):
            start = one.lowest - lowest
            digits[start : start + len(one.digits)] += one.digits
        return ExactSums(lowest, digits)._carried()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ExactSums):
            return NotImplemented
        return self.lowest == other.lowest and np.array_equal(self.digits, other.digits)

    __hash__ = None  # type: ignore[assignment]

    def spread(self, places: Ints, size: int) -> ExactSums:
        """The same sums at other places along the last axis, 0 elsewhere."""
        digits = np.zeros((*self.digits.shape[:-1], size), dtype=np.int64)
        digits[..., places] = self.digits
        return ExactSums(self.lowest, digits)

    def without(self, rows: list[int]) -> ExactSums:
        """The same with 0 in these rows of the first axis."""
        digits = self.digits.copy()
        digits[:, rows] = 0
        return ExactSums(self.lowest, digits)._carried()

    def before(self) -> ExactSums:
        """For each place the sum of all places before it, still exact: int64 holds 2^28 digits."""
        digits = np.zeros_like(self.digits)
        np.cumsum(self.digits[..., :-1], axis=-1, out=digits[..., 1:])
        return ExactSums(self.lowest, digits)._carried()

    def reversed(self) -> ExactSums:
        return ExactSums(self.lowest, self.digits[..., ::-1])

    def floats(self) -> Floats:
        """Each sum as float64: exact for whole numbers below 2^53, within a few ulps otherwise."""
        total = np.zeros(self.digits.shape[1:])
        for level, row in enumerate(self.digits, start=self.lowest):
            total += row * 2.0 ** (DIGIT * level)
        return total

    def units(self) -> list[int]:
        """The total along the last axis, for each of the others, in units of 2^-1074."""
        totals = self.digits.sum(axis=-1)
        shifts = [_UNIT + DIGIT * (self.lowest + j) for j in range(len(totals))]
        return [sum(int(d) << s for d, s in zip(column, shifts, strict=True)) for column in totals.T]
