"""Sums, squares and products of what each unit did: all that means, ratios and their errors need.

Sums are exact fractions, so states of shards add up to the state of the whole to the last bit, in any order, and
variances do not lose digits to large means. A unit (a user) must be whole inside one shard.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from rankgauge._numbers import short
from rankgauge._text import Text, zh
from rankgauge.alignment import Array
from rankgauge.data.tabular import array_of
from rankgauge.errors import InputError
from rankgauge.statistics.exact_sums import exact_units

__all__ = ["Moments", "unit_sums"]

_UNIT = 1 << 1074  # exact_units counts in 2^-1074
LARGEST = 1e150  # the squares of larger numbers, and sums of many, are beyond what a float64 can hold


@dataclass(frozen=True)
class Moments:
    """Of some variables over n units; `a + b` is the state of both."""

    names: tuple[str, ...]
    n: int
    sums: tuple[Fraction, ...]
    products: tuple[Fraction, ...]
    """Of each pair of variables, in the order of `itertools.combinations_with_replacement`."""

    @classmethod
    def of(cls, columns: Mapping[str, Array]) -> Moments:
        """From one value per unit and variable."""
        values = [np.asarray(v, dtype=np.float64) for v in columns.values()]
        sums = tuple(Fraction(exact_units(v), _UNIT) for v in values)
        pairs = combinations_with_replacement(values, 2)
        return cls(tuple(columns), len(values[0]), sums, tuple(Fraction(exact_units(x * y), _UNIT) for x, y in pairs))

    def __add__(self, other: Moments) -> Moments:
        if self.names != other.names:
            raise InputError(
                Text(
                    f"states must be of the same variables, got {self.names} and {other.names}.",
                    f"各状态的变量必须相同，实际为 {self.names} 和 {other.names}。",
                )
            )
        return Moments(
            self.names,
            self.n + other.n,
            tuple(x + y for x, y in zip(self.sums, other.sums, strict=True)),
            tuple(x + y for x, y in zip(self.products, other.products, strict=True)),
        )

    @property
    def means(self) -> Array:
        return np.array([float(s / self.n) for s in self.sums])

    def covariance(self) -> Array:
        """Of single units, with n - 1 below; NaN for fewer than two."""
        k = len(self.names)
        out = np.full((k, k), np.nan)
        if self.n < 2:
            return out
        for (i, j), product in zip(combinations_with_replacement(range(k), 2), self.products, strict=True):
            out[i, j] = out[j, i] = float((product - self.sums[i] * self.sums[j] / self.n) / (self.n - 1))
        return out

    def to_dict(self) -> dict[str, Any]:
        """Plain values; fractions as text, so that nothing is lost."""
        return {
            "names": list(self.names),
            "n": self.n,
            "sums": [str(s) for s in self.sums],
            "products": [str(p) for p in self.products],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Moments:
        """A state from what `to_dict` gave."""
        return cls(
            tuple(data["names"]),
            int(data["n"]),
            tuple(Fraction(s) for s in data["sums"]),
            tuple(Fraction(p) for p in data["products"]),
        )


def unit_sums(columns: Mapping[str, Any], unit: Any, where: str) -> dict[str, Array]:
    """Sums of rows by unit; without units each row is one. All problems of the rows are errors."""
    values = {name: array_of(v) for name, v in columns.items()}
    lengths = {name: len(v) if v.ndim == 1 else -1 for name, v in values.items()}
    if unit is not None:
        lengths["unit"] = len(unit)
    if len(set(lengths.values())) > 1 or -1 in lengths.values():
        got = ", ".join(f"{name} {n:,}" for name, n in lengths.items())
        raise InputError(
            Text(
                f"{where}: all columns must be lists of the same length, got {got}.",
                f"{zh(where)}：各列必须是同样长度的列表，实际为 {got}。",
            )
        )
    if not next(iter(lengths.values())):
        raise InputError(
            Text(f"{where}: must have at least one row, got none.", f"{zh(where)}：至少要有一行，实际没有。")
        )
    numbers: dict[str, Array] = {}
    for name, v in values.items():
        if v.dtype.kind not in "biuf":
            raise InputError(
                Text(
                    f"{where}: {name} must hold numbers, got {v.dtype}.",
                    f"{zh(where)}：{name} 必须是数字，实际为 {v.dtype}。",
                )
            )
        numbers[name] = v.astype(np.float64)
        if (bad := np.flatnonzero(~(np.abs(numbers[name]) <= LARGEST))).size:
            raise InputError(
                Text(
                    f"{where}: {name} must be finite, and at most {short(LARGEST)}, got {numbers[name][bad[0]]} "
                    f"in row {bad[0] + 1:,} ({bad.size:,} rows like it).",
                    f"{zh(where)}：{name} 必须有限，且不超过 {short(LARGEST)}，实际第 {bad[0] + 1:,} 行为 "
                    f"{numbers[name][bad[0]]}（这样的行共 {bad.size:,} 行）。",
                )
            )
    if unit is None:
        return numbers
    import polars as pl

    from rankgauge.data._cast import from_objects

    known = isinstance(unit, (np.ndarray, pl.Series))
    ids = pl.Series(unit, strict=False) if known else from_objects("unit", list(unit))
    if ids.dtype == pl.Object or ids.dtype.is_nested():
        raise InputError(
            Text(
                f"{where}: units must be texts or numbers, got {ids.dtype}.",
                f"{zh(where)}：单元必须是文本或数字，实际为 {ids.dtype}。",
            )
        )
    if ids.dtype.is_float():
        ids = ids.fill_nan(None)
    if ids.null_count():
        raise InputError(
            Text(
                f"{where}: every row must have a unit, missing in {ids.null_count():,} rows.",
                f"{zh(where)}：每行都必须有单元，实际有 {ids.null_count():,} 行缺失。",
            )
        )
    codes = (ids.rank("dense").cast(pl.Int64) - 1).to_numpy()
    return {name: np.bincount(codes, v) for name, v in numbers.items()}
