"""Columns of a log as expressions: of any type in, of one type out, without reading more than needs to be known.

A value that cannot be read is null and counted by `clean`; a column of which nothing can be read is an error, and so
are times of which more than one in twenty cannot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from rankgauge._numbers import number as written
from rankgauge._numbers import short
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge._words import decimal_comma
from rankgauge.behavior.logs.columns import LogColumns
from rankgauge.data.times import (
    DAY_FIRST,
    MONTH_FIRST,
    SLASHED,
    compact_digits,
    from_compact,
    in_formats,
    is_slashed,
    order_of,
    read_slashed,
    said_of_compact,
    said_of_order,
    said_of_units,
    time_from_text,
    unit_code,
    units_of_codes,
)
from rankgauge.errors import InputError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Values"]

_SAMPLE = 1_000
_NESTED = r'^(?:\{(?:".*)?\}|\[.*\])$'
"""A list or an object of JSON as text; a UUID in braces is none."""
_MOST_UNREAD = 0.05
"""Above this part of the times it is no slip of a few rows: another form, or another column."""


@dataclass
class Values:
    """The columns of one log, already under their roles."""

    frame: pl.LazyFrame
    where: str
    found: LogColumns
    is_json: bool = field(default=False, kw_only=True)
    """Whether texts may be lists and objects, which Polars writes out where they stand among texts."""

    @cached_property
    def schema(self) -> Any:
        return self.frame.collect_schema()

    def reduced(self, values: pl.Expr, how: Literal["min", "max", "sum", "unique"]) -> pl.Series:
        """What is left of values of all rows; reduced again, what is left of parts is what is left of the whole."""
        return self.frame.select(getattr(values, how)()).collect(engine="streaming").to_series()

    def first(self, role: str, n: int) -> pl.Series:
        """Some values of a column that are there."""
        import polars as pl

        return self.frame.select(pl.col(role).drop_nulls().head(n)).collect().to_series()

    def ids(self, role: str) -> pl.Expr:
        """Text or whole numbers; an integer that met a missing value in pandas loses its `.0`."""
        import polars as pl

        kind = self.schema[role]
        if kind.is_integer() or kind == pl.Null:
            return pl.col(role) if kind.is_integer() else pl.col(role).cast(pl.String)
        if kind.is_float():
            column = pl.col(role)
            return pl.when(column == column.round()).then(column).cast(pl.Int64, strict=False).alias(role)
        if kind == pl.String:
            column = pl.col(role)
            is_id = (column != "") & ~column.str.contains(_NESTED) if self.is_json else column != ""
            return pl.when(is_id).then(column).alias(role)
        if kind in (pl.Categorical, pl.Enum, pl.Boolean, pl.Date):
            return pl.col(role).cast(pl.String)
        raise self._error(
            role,
            Text(
                f"must be text or whole numbers, got a column of type {kind}", f"必须是文本或整数，该列的类型是 {kind}"
            ),
        )

    def number(self, role: str) -> pl.Expr:
        import polars as pl

        kind = self.schema[role]
        if not (kind.is_numeric() or kind in (pl.String, pl.Null)):
            raise self._error(
                role, Text(f"must hold numbers, got a column of type {kind}", f"必须是数字，该列的类型是 {kind}")
            )
        if kind == pl.String:
            commas = (v for v in self.first(role, _SAMPLE) if decimal_comma(v))
            if (value := next(commas, None)) is not None:
                raise self._error(
                    role,
                    Text(f"must hold numbers, got {show(value)}", f"必须是数字，实际为 {show(value)}"),
                    decimal_comma(value),
                )
        column = pl.col(role).str.strip_chars() if kind == pl.String else pl.col(role)
        return column.cast(pl.Float64, strict=False)

    def position(self, base: int | str, notes: list[str]) -> pl.Expr:
        """Whole numbers from 1; the log's own numbers may start from 0."""
        import polars as pl

        number = self.number("position")
        whole = pl.when(number.is_finite() & (number == number.round()) & (number >= 0)).then(number)
        if base == "auto":
            least = self.reduced(whole, "min").item()
            base = 0 if least == 0 else 1
            if base == 0:
                notes.append(
                    Text(
                        "positions start from 0: 1 was added; pass position_base=1 if 0 means unknown",
                        "位置从 0 开始：已加 1；若 0 表示未知，请传 position_base=1",
                    )
                )
        shifted = whole + (1 - int(base))
        return pl.when(shifted >= 1).then(shifted).cast(pl.Int32, strict=False).alias("position")

    def dwell(self) -> pl.Expr:
        """Seconds; what is negative or no number is not known."""
        import polars as pl

        number = self.number("dwell")
        seconds = number / 1_000 if self.found.dwell_in_milliseconds else number
        return pl.when(seconds.is_finite() & (seconds >= 0)).then(seconds).alias("dwell")

    def flag(self, role: str, true: tuple[str, ...], false: tuple[str, ...]) -> pl.Expr:
        """True and False; a number is true above 0, nothing is false."""
        import polars as pl

        kind = self.schema[role]
        column = pl.col(role)
        if kind == pl.Boolean:
            return column.fill_null(False)
        if kind.is_numeric():
            return (column.cast(pl.Float64).fill_nan(0.0) > 0).fill_null(False)
        if kind == pl.Null:
            return pl.lit(False).alias(role)
        if kind != pl.String:
            raise self._error(
                role,
                Text(
                    f"must hold true and false, or 0 and 1, got a column of type {kind}",
                    f"必须是 true 和 false，或 0 和 1，该列的类型是 {kind}",
                ),
            )
        text = column.str.strip_chars().str.to_lowercase()
        values = self.reduced(text, "unique").drop_nulls().to_list()
        numbers = {v: n for v in values if v not in (*true, *false) and (n := _number(v)) is not None}
        unknown = sorted(v for v in values if v not in (*true, *false) and v not in numbers)
        if unknown:
            raise self._error(
                role,
                Text(
                    f"must hold true and false, or 0 and 1, got {show(unknown[0])}",
                    f"必须是 true 和 false，或 0 和 1，实际为 {show(unknown[0])}",
                ),
            )
        return text.is_in([*true, *(v for v, n in numbers.items() if n > 0)]).fill_null(False).alias(role)

    def raw_events(self) -> list[str]:
        import polars as pl

        kind = self.schema["event"]
        if not (kind in (pl.String, pl.Categorical, pl.Enum) or kind.is_integer()):
            raise self._error(
                "event",
                Text(
                    f"must hold names of events, got a column of type {kind}", f"必须是事件的名称，该列的类型是 {kind}"
                ),
            )
        found = self.reduced(pl.col("event"), "unique")
        return sorted(found.cast(pl.String).drop_nulls().to_list())

    def event(self, names: Mapping[str, str]) -> pl.Expr:
        """The few names that there are, as numbers with a dictionary."""
        import polars as pl

        text = pl.col("event").cast(pl.String)
        known = pl.Enum(sorted({"impression", *names.values()}))
        found = pl.lit(None, dtype=known)
        # replace_strict would say the same, but holds the whole column in memory.
        for name in sorted(set(names.values())):
            here = text.is_in([raw for raw, to in names.items() if to == name])
            found = pl.when(here).then(pl.lit(name, dtype=known)).otherwise(found)
        return found.alias("event")

    def time(self, notes: list[str]) -> pl.Expr | None:
        """Datetime in UTC without a zone; numbers are seconds since 1970, or thousandths of them and so on."""
        import polars as pl

        kind = self.schema["time"]
        column = pl.col("time")
        if isinstance(kind, pl.Datetime):
            utc = column.dt.convert_time_zone("UTC").dt.replace_time_zone(None) if kind.time_zone else column
            return utc.dt.cast_time_unit("us")
        if kind == pl.Date:
            return column.cast(pl.Datetime("us"))
        if kind.is_numeric():
            times = self._of_numbers(column, notes)
            return self._counted(column.fill_nan(None), times, notes) if kind.is_float() else times
        if kind == pl.String and (parsed := self._from_text(notes)) is not None:
            return parsed
        if self.found.source.get("time") == "time":
            raise self._error(
                "time",
                Text(
                    f"must be a time such as 2026-11-16T08:30:00Z, got {self._example()}",
                    f"必须是 2026-11-16T08:30:00Z 这样的时间，实际为 {self._example()}",
                ),
            )
        name = self.found.source["time"]
        notes.append(Text(f"left out {show(name)}: it holds no times", f"略去列 {show(name)}：不是时间"))
        return None

    def _from_text(self, notes: list[str]) -> pl.Expr | None:
        """Times written as text, in whichever formats there are; None for a column that holds none."""
        import polars as pl

        column = pl.col("time")
        text = pl.when(column.str.strip_chars() != "").then(column)
        sample = self.first("time", _SAMPLE)
        numbers = sample.cast(pl.Float64, strict=False)
        if numbers.count() > 0 and 2 * numbers.count() >= len(sample):
            return self._counted(text, self._of_numbers(column.cast(pl.Float64, strict=False), notes), notes)
        if is_slashed(sample):
            return self._counted(text, read_slashed(column, self._order(text, notes)), notes)
        if (parsed := time_from_text(sample)) is None:
            return None
        if self._unread(text, parsed):  # formats that come later only
            parsed = in_formats(column)
        return self._counted(text, parsed, notes)

    def _order(self, text: pl.Expr, notes: list[str]) -> str:
        """Whether dates such as 01/02/2020 begin with the day or the month: as asked for, or as all of them tell."""
        import polars as pl

        if self.found.dates is not None:
            return self.found.dates
        name = self.found.source["time"]
        highest = [
            self.reduced(text.str.extract(SLASHED, i).cast(pl.Int32, strict=False), "max").item() for i in (1, 2)
        ]
        order = order_of(*highest)
        if order is None:
            raise self._error(
                "time",
                Text(
                    f"must say whether dates begin with the day or the month, got {self._example()}. "
                    f'Pass columns={{"{name}": "time {DAY_FIRST}"}} or "time {MONTH_FIRST}"',
                    f'必须说明日期是日在前还是月在前，实际为 {self._example()}。请传入 columns={{"{name}": '
                    f'"time {DAY_FIRST}"}} 或 "time {MONTH_FIRST}"',
                ),
            )
        notes.append(said_of_order(name, order))
        return order

    def _unread(self, column: pl.Expr, parsed: pl.Expr) -> int:
        import polars as pl

        lost = (column.is_not_null() & parsed.is_null()).cast(pl.Int64)
        return int(self.reduced(lost, "sum").item() or 0)

    def _counted(self, column: pl.Expr, parsed: pl.Expr, notes: list[str]) -> pl.Expr:
        """The same times, once a note has told how many cannot be read."""
        import polars as pl

        if n := self._unread(column, parsed):
            lost = column.is_not_null() & parsed.is_null()
            example = self.reduced(pl.when(lost).then(column.cast(pl.String)), "min").item()
            name = self.found.source["time"]
            at = self._row_of(lost, column, example)
            given = int(self.reduced(column.is_not_null().cast(pl.Int64), "sum").item())
            if n > _MOST_UNREAD * given:
                raise self._error(
                    "time",
                    Text(
                        f"must be a time in every row and in one form, got {n:,} of {given:,} that cannot be read as "
                        "the "
                        f"others are, such as {show(example)}{at}. Correct them, or pass "
                        f'columns={{"{name}": "ignore"}}',
                        f"在每行都必须是同一形式的时间，实际 {given:,} 个中有 {n:,} 个无法像其他的那样读取，如 "
                        f'{show(example)}{at.zh}。请改正，或传入 columns={{"{name}": "ignore"}}',
                    ),
                )
            notes.append(
                Text(
                    f"{n:,} {'value' if n == 1 else 'values'} of {show(name)} cannot be read as a time (such as "
                    f"{show(example)}{at.en}): no time for {'that row' if n == 1 else 'those rows'}",
                    f"{show(name)} 有 {n:,} 个值无法读作时间（如 {show(example)}{at.zh}）：这些行没有时间",
                )
            )
        return parsed

    def _row_of(self, lost: pl.Expr, column: pl.Expr, value: str) -> Text:
        """Where a value stands first; nothing where rows have no order, as on Spark."""
        import polars as pl

        here = lost & (column.cast(pl.String) == value)
        at = self.frame.select(here.arg_true().first()).collect().item()
        return Text("", "") if at is None else Text(f" in row {at + 1:,}", f"，第 {at + 1:,} 行")

    def _of_numbers(self, column: pl.Expr, notes: list[str]) -> pl.Expr:
        """Dates written as numbers, such as 20261116083000, where all of them are; else time since 1970."""
        import polars as pl

        number = column.cast(pl.Float64)
        digits = compact_digits(pl.when(number.is_finite()).then(number))
        first = self.first("time", _SAMPLE).alias("time").to_frame().select(digits.unique()).to_series()
        few = first.drop_nulls().to_list()  # a glance before all rows are looked at
        if len(few) != 1 or not few[0] or self.reduced(digits, "unique").drop_nulls().to_list() != few:
            return self._since_1970(column, notes)
        notes.append(said_of_compact(self.found.source["time"], few[0]))
        return from_compact(number, few[0])

    def _since_1970(self, column: pl.Expr, notes: list[str]) -> pl.Expr:
        import polars as pl

        number = column.cast(pl.Float64)
        code = unit_code(pl.when(number.is_finite()).then(number))
        codes = self.reduced(code, "unique").drop_nulls().to_list()
        per_second, units = units_of_codes(codes)
        if len(units) > 1:
            low, high = (self.reduced(number, how).item() for how in ("min", "max"))
            raise self._error(
                "time",
                Text(
                    f"must be in one unit, got {said_of_units(units)} since 1970 ({written(low, 0)} to "
                    f"{written(high, 0)}). "
                    "Bring them to one",
                    f"必须使用同一单位，实际是自 1970 年起的{zh(said_of_units(units))}（{written(low, 0)} 到 "
                    f"{written(high, 0)}）。请统一单位",
                ),
            )
        odd = number.is_finite() & (code % 2 == 0)
        if units and any(c % 2 == 0 for c in codes) and (n := int(self.reduced(odd.cast(pl.Int64), "sum").item() or 0)):
            example = self.reduced(pl.when(odd).then(number), "min").item()
            name = self.found.source["time"]
            notes.append(
                Text(
                    f"{n:,} {'value' if n == 1 else 'values'} of {show(name)} (such as {short(example, 15)}) "
                    f"{'is' if n == 1 else 'are'} no time from 1990 to 2100, as others are",
                    f"{show(name)} 有 {n:,} 个值（如 {short(example, 15)}）不在 1990 至 2100 年间，而其余的值在",
                )
            )
        micro = number * (1_000_000 / per_second)
        if per_second >= 1_000_000:  # floats no longer hold every digit of whole numbers this long
            micro = column.cast(pl.Int64, strict=False) // (per_second // 1_000_000)
        return micro.cast(pl.Int64, strict=False).cast(pl.Datetime("us")).alias("time")

    def _example(self) -> str:
        found = self.first("time", 1).to_list()
        return show(found[0]) if found else "nothing"

    def _error(self, role: str, text: str, hint: str = "") -> InputError:
        name = self.found.source.get(role, role)
        return InputError(
            Text(
                f"{self.where}, column {show(name)}: {role} {text}.{hint}",
                f"{zh(self.where)} 的列 {show(name)}：{role} {zh(text)}。{zh(hint)}",
            )
        )


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
