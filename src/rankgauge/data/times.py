"""Times as files hold them: texts in any usual format, and numbers of seconds since 1970 or parts of them.

    2026-11-16T08:30:00Z, 2026-11-16 08:30, 2026/11/16     as they stand; without a zone, UTC
    16/11/2026 08:30, 11/16/2026                           where one number above 12 tells the day, or somebody says so
    1794817800, 1794817800000                              seconds, milliseconds, microseconds or nanoseconds, not mixed
    20261116, 202611160830, 20261116083000                 as they stand, where all numbers are such dates

Nobody guesses whether 01/02/2020 is in January or February: `columns={"date": "time day-first"}` says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankgauge._show import show
from rankgauge._text import Text, joined

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "DAY_FIRST",
    "MONTH_FIRST",
    "ORDERS",
    "SLASHED",
    "UNITS",
    "compact_digits",
    "from_compact",
    "in_formats",
    "in_our_years",
    "is_slashed",
    "mixed_units",
    "order_of",
    "read_slashed",
    "said_of_compact",
    "said_of_order",
    "said_of_units",
    "time_from_text",
    "unit_code",
    "units_of_codes",
]

DAY_FIRST, MONTH_FIRST = "day-first", "month-first"
ORDERS = (DAY_FIRST, MONTH_FIRST)
SLASHED = r"^\s*(\d{1,2})[/.\-](\d{1,2})[/.\-]\d{4}(?:\D|$)"
"""A date that begins with the day or with the month."""

_FORMATS = (
    "%Y-%m-%dT%H:%M:%S%.f%#z",
    "%Y-%m-%d %H:%M:%S%.f%#z",
    "%Y-%m-%dT%H:%M:%S%.f",
    "%Y-%m-%d %H:%M:%S%.f",
    "%Y-%m-%dT%H:%M",
    "%Y-%m-%d %H:%M",
    "%Y/%m/%d %H:%M:%S",
    "%Y/%m/%d %H:%M",
    "%Y%m%d%H%M%S",
)
_DAYS = ("%Y-%m-%d", "%Y/%m/%d")
_CLOCKS = ("", " %H:%M", " %H:%M:%S", " %H:%M:%S%.f")

UNITS = ((1e17, 1_000_000_000), (1e14, 1_000_000), (1e11, 1_000), (0.0, 1))
"""Seconds since 1970 have ten digits in our time; whatever is longer counts thousandths of the unit before."""
_NAMES = {
    1: Text("seconds", "秒"),
    1_000: Text("milliseconds", "毫秒"),
    1_000_000: Text("microseconds", "微秒"),
    1_000_000_000: Text("nanoseconds", "纳秒"),
}
_OURS = (631_152_000, 4_102_444_800)  # 1990 to 2100: numbers in it are surely times, and of one unit
_FIRST_YEAR = 1000
_COMPACT = {8: "%Y%m%d", 12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}
_COMPACT_YEARS = (1970, 2100)  # no number of a surely known unit is a date of these years


# texts


def time_from_text(sample: pl.Series, column: pl.Expr | None = None) -> pl.Expr | None:
    """An expression that reads the times of a column like the sample, in whichever formats there are; None for none.

    The column is `time` unless given.
    """

    import polars as pl

    frame = sample.alias("time").to_frame()
    there = [f for f in _ALL if frame.select(_read_as(f, pl.col("time"))).to_series().drop_nulls().len()]
    return in_formats(pl.col("time") if column is None else column, there) if there else None


def in_formats(column: pl.Expr, formats: tuple[str, ...] | list[str] = ()) -> pl.Expr:
    """The times of a column in any of these formats, of all that are known by default; null where none fits."""

    import polars as pl

    return in_our_years(pl.coalesce([_read_as(form, column) for form in formats or _ALL])).alias("time")


def in_our_years(times: pl.Expr) -> pl.Expr:
    """Times whose year has four digits; a year of three is a slip (`024-05-31`), and null."""
    import polars as pl

    return pl.when(times.dt.year() >= _FIRST_YEAR).then(times)


_ALL = (*_FORMATS, *_DAYS)


def _read_as(form: str, column: pl.Expr) -> pl.Expr:
    import polars as pl

    if form in _DAYS:
        return column.str.to_date(form, strict=False).cast(pl.Datetime("us"))
    if not form.endswith("z"):
        return column.str.to_datetime(form, time_unit="us", strict=False)
    parsed = column.str.replace(r"[zZ]$", "+00:00").str.to_datetime(form, time_unit="us", strict=False)
    return parsed.dt.convert_time_zone("UTC").dt.replace_time_zone(None)


# texts that begin with the day or the month


def is_slashed(sample: pl.Series) -> bool:
    """Whether the first of them begins with the day or the month."""
    return bool(len(sample) and sample.head(1).str.contains(SLASHED).item())


def order_of(first: int, second: int) -> str | None:
    """Which comes first, by the highest of the first numbers and of the second ones; None where both may be either.

    >>> order_of(31, 12), order_of(12, 31), order_of(12, 12)
    ('day-first', 'month-first', None)
    """
    if first > 12 >= second:
        return DAY_FIRST
    return MONTH_FIRST if second > 12 >= first else None


def said_of_order(name: str, order: str) -> Text:
    """The note on a column whose dates tell which comes first."""
    first = Text("day", "日") if order == DAY_FIRST else Text("month", "月")
    return Text(f"dates of {show(name)} begin with the {first.en}", f"{show(name)} 的日期以{first.zh}开头")


def read_slashed(column: pl.Expr, order: str) -> pl.Expr:
    """Times that begin with the day or the month; null where they do not."""

    import polars as pl

    plain = column.str.strip_chars().str.replace(r"^(\d{1,2})[.\-](\d{1,2})[.\-](\d{4})", "$1/$2/$3")
    plain = plain.str.replace("T", " ")
    date = "%d/%m/%Y" if order == DAY_FIRST else "%m/%d/%Y"
    forms = [plain.str.to_date(date, strict=False).cast(pl.Datetime("us"))]
    forms += [plain.str.to_datetime(date + clock, time_unit="us", strict=False) for clock in _CLOCKS[1:]]
    return pl.coalesce(forms).alias("time")


# numbers


def unit_code(number: pl.Expr) -> pl.Expr:
    """What a number can be, as one small number: twice its unit, counted from seconds, and 1 more where it surely is
    a time of our days. `units_of_codes` reads them."""

    import polars as pl

    size = number.abs()
    code = pl.lit(0)
    for i, (least, per_second) in enumerate(reversed(UNITS)):
        sure = size.is_between(_OURS[0] * per_second, _OURS[1] * per_second).cast(pl.Int32)
        code = pl.when(size >= least).then(2 * i + sure).otherwise(code)
    return code.cast(pl.Int32)


def units_of_codes(codes: list[int]) -> tuple[int, list[int]]:
    """How many of the longest unit make a second, and all units that surely occur."""
    per_second = [p for _, p in reversed(UNITS)]
    highest = per_second[max((c // 2 for c in codes), default=0)]
    return highest, [per_second[c // 2] for c in sorted(codes) if c % 2]


def compact_digits(number: pl.Expr) -> pl.Expr:
    """How many digits a number has that writes a date, as 20261116083000 does with 14; 0 for any other number."""

    import polars as pl

    digits = pl.lit(0)
    for n in _COMPACT:
        fits = number.is_between(10 ** (n - 1), 10**n, closed="left") & from_compact(number, n).is_not_null()
        digits = pl.when(fits).then(n).otherwise(digits)
    return pl.when(number.is_not_null()).then(digits).cast(pl.Int32)


def from_compact(number: pl.Expr, digits: int) -> pl.Expr:
    """Times of numbers such as 20261116083000; null where a number is no date from 1970 to 2100."""

    import polars as pl

    text, form = number.cast(pl.Int64, strict=False).cast(pl.String), _COMPACT[digits]
    if digits == 8:
        time = text.str.to_date(form, strict=False).cast(pl.Datetime("us"))
    else:
        time = text.str.to_datetime(form, time_unit="us", strict=False)
    whole = number == number.round()
    return pl.when(whole & time.dt.year().is_between(*_COMPACT_YEARS)).then(time).alias("time")


def said_of_compact(name: str, digits: int) -> Text:
    """The note on a column of such numbers."""
    form = "YYYYMMDDhhmmss"[:digits]
    return Text(f"numbers of {show(name)} read as {form}", f"{show(name)} 的数字按 {form} 读取")


def mixed_units(values: NDArray[Any]) -> list[int]:
    """The units that surely occur in an array of numbers, as parts of a second, where there are several."""
    size = np.abs(values[np.isfinite(values)] if values.dtype.kind == "f" else values)
    found = [p for _, p in reversed(UNITS) if ((size >= _OURS[0] * p) & (size <= _OURS[1] * p)).any()]
    return found if len(found) > 1 else []


def said_of_units(units: list[int]) -> str:
    """`seconds and milliseconds`."""
    return joined(Text(" and ", "和"), (_NAMES[u] for u in units))
