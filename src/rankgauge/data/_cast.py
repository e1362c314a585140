"""Columns of any dtype to canonical ones: ids to text, scores and grades to Float64, ranks to Int64.

Every function either returns exact values or raises `InputError` with the rows that cannot be read.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from rankgauge.errors import InputError

__all__ = ["Column", "from_objects"]

_EXACT = 2**53  # from here on a float no longer holds every integer
_BLANKS = " \t\r\n\f\v"


@dataclass(slots=True)
class Column:
    """One column of the input, with everything needed to speak about it."""

    values: pl.Series
    role: str
    where: str
    position: Callable[[int], str]
    notes: list[str]
    is_text: bool = False  # the source knows nothing but text, so numbers as text need no note

    def ids(self) -> pl.Series:
        """Text; whole numbers without a decimal point; no id missing or empty."""
        values = self.values
        if values.dtype.is_float():
            values = self._whole(values, "an id must be text or a whole number")
        elif values.dtype == pl.Null:
            values = values.cast(pl.String)
        elif not self._is_text(values.dtype):
            raise InputError(
                f"{self._here()}: {self.role} must be text or whole numbers, got a column of type {values.dtype}."
            )
        text = values if values.dtype == pl.String else values.cast(pl.String)
        if text.null_count():
            raise self._problems(text.is_null(), "must not be missing, got {}")
        if (empty := text == "").any():
            raise self._problems(empty, "must not be empty, got {}")
        return text

    def numbers(self, *, finite: bool) -> pl.Series:
        """Float64 without nulls; text that holds numbers is converted and said."""
        values = self.values
        if values.dtype in (pl.Categorical, pl.Enum):
            values = values.cast(pl.String)
        if values.dtype == pl.String:
            values = self._from_text(values)
        elif not (values.dtype.is_numeric() or values.dtype in (pl.Boolean, pl.Null)):
            raise InputError(f"{self._here()}: {self.role} must be numbers, got a column of type {values.dtype}.")
        numbers = values.cast(pl.Float64)
        if numbers.null_count():
            raise self._problems(numbers.is_null(), "must be a number, got {}")
        if finite and not numbers.is_finite().all():
            raise self._problems(~numbers.is_finite(), "must be a finite number, got {}")
        return numbers

    def ranks(self, *, required: bool) -> pl.Series | None:
        """Int64, or None (and a note) when the column is no rank and nothing depends on it."""
        try:
            values = self.numbers(finite=True)
            return self._whole(values, "a rank must be a whole number")
        except InputError:
            if required:
                raise
            self.notes.append(f"left out {self.values.name!r}: not whole numbers throughout")
            return None

    def text(self) -> pl.Series:
        """Text as it is; nulls stay."""
        return self.values.cast(pl.String)

    def _from_text(self, values: pl.Series) -> pl.Series:
        numbers = values.str.strip_chars(_BLANKS).cast(pl.Float64, strict=False)
        bad = numbers.is_null() & values.is_not_null()
        if bad.any():
            raise self._problems(bad, "must be a number, got {}")
        if not self.is_text:
            self.notes.append(f"{self.role} was text: read as numbers")
        return numbers

    def _whole(self, values: pl.Series, rule: str) -> pl.Series:
        """A float column that holds integers, as integers."""
        numbers = values.fill_nan(None)
        bad = ((numbers != numbers.round(0)) | (numbers.abs() >= _EXACT)).fill_null(False)
        if bad.any():
            raise self._problems(bad, "{}: " + f"{rule} (and below 2^53 when given as a float)")
        return numbers.cast(pl.Int64)

    def _is_text(self, dtype: pl.DataType) -> bool:
        whole = dtype.is_integer() or (isinstance(dtype, pl.Decimal) and dtype.scale == 0)
        return whole or dtype in (pl.String, pl.Categorical, pl.Enum)

    def _here(self) -> str:
        return f"{self.where}, column {self.values.name!r}"

    def _problems(self, bad: pl.Series, rule: str) -> InputError:
        """All rows where `bad`; `rule` has one {} for the value as given."""
        texts = [
            f"{self.position(row)}: {self.role} {rule.format(_show(self.values[row]))}."
            for row in bad.arg_true().to_list()
        ]
        return InputError.collect(f"{self.where}, ", texts)


def _show(value: object) -> str:
    return "nothing" if value is None else repr(value)


def from_objects(name: str, values: Sequence[Any]) -> pl.Series:
    """A column of Python objects. Text mixed with numbers becomes text, so that ids survive.

    Anything that is neither text, number nor missing gives a column of type Object, which no role accepts.
    """
    kinds = {type(v) for v in values}
    if kinds <= {str, type(None)}:
        return pl.Series(name, values, dtype=pl.String)
    if kinds == {float}:
        return pl.Series(name, values, dtype=pl.Float64)
    cleaned = [None if _is_missing(v) else _plain(v) for v in values]
    kinds = {type(v) for v in cleaned} - {type(None)}
    if not kinds <= {str, int, float, bool}:
        return pl.Series(name, cleaned, dtype=pl.Object)
    if str in kinds and len(kinds) > 1:
        cleaned = [v if v is None or isinstance(v, str) else repr(v) for v in cleaned]
    elif kinds <= {int, float} and float in kinds:
        cleaned = [None if v is None else float(v) for v in cleaned]
    elif kinds == {int} and max(map(abs, filter(None, cleaned)), default=0) >= 2**63:
        cleaned = [None if v is None else str(v) for v in cleaned]
    return pl.Series(name, cleaned, strict=False)


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and math.isnan(value)
