"""Moments of interactions: what a person says for one, and how it is said to a person.

Times are numbers that grow. Where they were dates they are microseconds; else seconds since 1970 or parts of them, if
all can be that, or any numbers, of which nothing is known but their order.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

from rankgauge._checks import is_number
from rankgauge._numbers import short
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.data.interactions import Interactions
from rankgauge.data.times import time_from_text, unit_code, units_of_codes
from rankgauge.errors import ParameterError

__all__ = ["moment", "per_second", "said_of"]


_BEGIN = datetime(1970, 1, 1, tzinfo=UTC)


def per_second(known: Interactions) -> int | None:
    """How many units of its times are a second; None where they are no moments of our days."""
    if known.times is None:
        return None
    if known.are_dates:
        return 1_000_000
    import polars as pl

    ends = pl.Series("t", [known.times.min(), known.times.max()])
    codes = ends.to_frame().select(unit_code(pl.col("t"))).to_series().to_list()
    unit, _ = units_of_codes(codes)
    return unit if all(code % 2 for code in codes) else None


def said_of(time: Any, known: Interactions) -> str:
    """A time as people write it: `2016-10-12 08:30:00`, or the number where it is no moment."""
    unit = per_second(known)
    if unit is None:
        return short(time)
    return datetime.fromtimestamp(int(time) // unit, UTC).strftime("%Y-%m-%d %H:%M:%S")


def moment(said: Any, known: Interactions) -> Any:
    """The time that somebody said as a date, a text of one, or a number like those of the interactions."""
    unit = per_second(known)
    given = _from_text(said) if isinstance(said, str) else said
    if is_number(given) and not known.are_dates:
        return given
    if isinstance(given, (datetime, date)) and unit is not None:
        at = given if isinstance(given, datetime) else datetime(given.year, given.month, given.day)
        at = at.replace(tzinfo=UTC) if at.tzinfo is None else at
        return (at - _BEGIN) // timedelta(microseconds=1) * unit // 1_000_000
    must = (
        Text("a number like the times", "与时间列相同的数字")
        if unit is None
        else Text("a date such as 2024-03-01", "日期，如 2024-03-01")
    )
    raise ParameterError(
        Text(f"`at` must be {must}, got {show(said)}.", f"`at` 必须是{must.zh}，实际为 {show(said)}。")
    )


def _from_text(said: str) -> Any:
    import polars as pl

    try:
        sample = pl.Series("time", [said.strip()])
    except UnicodeEncodeError:  # a lone surrogate, as a shell makes of bytes that are no text
        return said
    read = time_from_text(sample)
    if read is not None and (found := sample.to_frame().select(read).item()) is not None:
        return found
    try:
        return int(said) if said.strip().isdecimal() else float(said)
    except ValueError:
        return said
