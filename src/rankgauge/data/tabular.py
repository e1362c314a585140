"""Plain tables with columns of any name: from a mapping of arrays, a dataframe or a file, and back to one.

Text files are read as text, so that an id `007` stays `007`; numbers are made of it where they are asked for, and what
is no number is an error with its row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._numbers import short
from rankgauge._piped import taken_in
from rankgauge._show import show, show_all
from rankgauge._text import Text, joined, spaced, zh
from rankgauge._typing import Array
from rankgauge._words import decimal_comma
from rankgauge.data._places import NOTHING, within
from rankgauge.data.any_table import open_table
from rankgauge.data.frames import is_frame
from rankgauge.errors import InputError, ParameterError, suggest

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "array_of",
    "codes_of",
    "named_numbers",
    "need",
    "numbers",
    "read_table",
    "refuse_rows",
    "table_of",
    "write_table",
]


def table_of(obj: Any, where: str) -> pl.DataFrame:
    """A Polars frame of a mapping of columns, any dataframe, or a path."""
    import polars as pl

    obj = taken_in(obj)
    if isinstance(obj, (str, PathLike)) or is_frame(obj):
        return _without_objects(open_table(obj, "table").read(), where)
    if isinstance(obj, Mapping):
        columns = {str(name): array_of(values) for name, values in obj.items()}
        lengths = {name: len(v) if v.ndim == 1 else -1 for name, v in columns.items()}
        if len(set(lengths.values())) > 1 or -1 in lengths.values():
            got = joined(
                ", ",
                (
                    f"{show(name)} {n:,}" if n >= 0 else Text(f"{show(name)} no list", f"{show(name)} 不是列表")
                    for name, n in lengths.items()
                ),
            )
            raise InputError(
                Text(
                    f"{where}: columns must be lists of the same length, got {got}.",
                    f"{zh(where)}：各列必须是同样长度的列表，实际为 {zh(got)}。",
                )
            )
        return _without_objects(pl.DataFrame({n: _series(n, v) for n, v in columns.items()}), where)
    raise InputError(
        Text(
            f"{where}: must be a mapping of columns, a dataframe or a path, got a {type(obj).__name__}. "
            'Pass {"name": values, …}.',
            f'{zh(where)}：必须是列的映射、DataFrame 或路径，实际为 {type(obj).__name__}。请传入 {{"name": '
            f"values, …}}。",
        )
    )


def array_of(values: Any) -> Array:
    """A list as an array, also one whose elements are lists of several lengths."""
    try:
        return np.asarray(values)
    except ValueError:
        return np.asarray([*values, None], dtype=object)[:-1]


def _without_objects(frame: pl.DataFrame, where: str) -> pl.DataFrame:
    """Columns hold numbers, texts, times; Python objects of other types are nothing that can be compared."""
    import polars as pl

    for name, kind in frame.schema.items():
        if kind == pl.Object:
            odd = {type(v).__name__: v for v in frame[name].to_list() if not isinstance(v, (str, float, int))}
            raise InputError(
                Text(
                    f"{where}, column {show(name)}: must hold numbers or text, got "
                    f"{show_all(list(odd) or ['objects'])} "
                    "among them.",
                    f"{zh(where)} 的列 {show(name)}：必须是数字或文本，实际其中有 "
                    f"{zh(show_all(list(odd) or ['objects']))}。",
                )
            )
    return frame


def named_numbers(values: Any, what: str) -> dict[str, float]:
    """A mapping of names to numbers, such as `{"click": 1}`."""
    if not isinstance(values, Mapping):
        raise ParameterError(
            Text(
                f'`{what}` must map names to numbers, such as {{"click": 1}}, got {show(values)}.',
                f'`{what}` 必须把名称映射为数字，如 {{"click": 1}}，实际为 {show(values)}。',
            )
        )
    out: dict[str, float] = {}
    for name, value in values.items():
        try:
            out[str(name)] = float("" if isinstance(value, bool) else value)
        except (TypeError, ValueError, OverflowError):
            raise ParameterError(
                Text(
                    f"`{what}`: {show(name)} must be a number, got {show(value)}.",
                    f"`{what}`：{show(name)} 必须是数字，实际为 {show(value)}。",
                )
            ) from None
    return out


def read_table(path: str | PathLike[str]) -> pl.DataFrame:
    """A file in any format that has columns; compressed as well."""
    return open_table(path, "table").read()


def write_table(frame: pl.DataFrame, path: str | PathLike[str]) -> None:
    """CSV, TSV, JSONL or Parquet, as the suffix says; it appears under its name only when it is complete."""
    from rankgauge.data.formats.write import write_frame

    write_frame(frame, Path(path))


def need(frame: pl.DataFrame, names: Sequence[str], where: str, option: str = "columns") -> None:
    """All these columns must be there."""
    missing = [name for name in names if name not in frame.columns]
    if missing:
        near = suggest(missing[0], frame.columns)
        raise InputError(
            Text(
                f"{where}: columns missing: {show_all(missing)}.{near} "
                f"Found: {show_all(frame.columns) or 'none'}. Name them by {option}.",
                f"{zh(where)}：缺少列：{zh(show_all(missing))}。{zh(near)}找到："
                f"{zh(show_all(frame.columns) or NOTHING)}。{spaced('请用', zh(option), '指定')}。",
            )
        )


def numbers(frame: pl.DataFrame, name: str, where: str) -> Array:
    """A column as float64: numbers, booleans, or text of either; NaN where it is missing.

    Of truth values, 1 and 0 may stand among them; beside other numbers they count nothing that anybody could name.
    """
    import polars as pl

    column = frame[name]
    if column.dtype == pl.String:
        text = column.str.strip_chars().str.to_lowercase()
        empty = text.is_in(["", "nan", "null", "none"]) | text.is_null()
        truths = text.is_in(["true", "false"])
        text = text.replace({"true": "1", "false": "0"})
        made = text.set(empty, None).cast(pl.Float64, strict=False)
        wrong = made.is_null() & ~empty
        if wrong.any():
            at = int(wrong.arg_max() or 0)
            raise InputError(
                Text(
                    f"{where}, column {show(name)}: must hold numbers, got {show(column[at])} in row {at + 1:,}"
                    f" ({int(wrong.sum()):,} rows like it).{decimal_comma(column[at])}",
                    f"{zh(where)} 的列 {show(name)}：必须是数字，实际第 {at + 1:,} 行为 "
                    f"{show(column[at])}（这样的行共 {int(wrong.sum()):,} 行）。{zh(decimal_comma(column[at]))}",
                )
            )
        others = made.filter(~truths & made.is_not_null() & ~made.is_in([0.0, 1.0]))
        if truths.any() and len(others):
            at = int(truths.arg_max() or 0)
            raise InputError(
                Text(
                    f"{where}, column {show(name)}: must hold numbers or truth values, got {show(column[at])} in row "
                    f"{at + 1:,} beside {short(others[0])}. Write all as numbers, or all as true and false.",
                    f"{zh(where)} 的列 {show(name)}：必须都是数字或都是真假值，实际第 {at + 1:,} 行为 "
                    f"{show(column[at])}，另有 {short(others[0])}。请都写成数字，或都写成 true 和 false。",
                )
            )
        column = made
    elif not (column.dtype.is_numeric() or column.dtype in (pl.Boolean, pl.Null)):
        raise InputError(
            Text(
                f"{where}, column {show(name)}: must hold numbers, got {column.dtype}.",
                f"{zh(where)} 的列 {show(name)}：必须是数字，实际为 {column.dtype}。",
            )
        )
    return column.cast(pl.Float64).fill_null(float("nan")).to_numpy()


def codes_of(frame: pl.DataFrame, name: str, where: str) -> Array:
    """Whole numbers from 0, one for each distinct value; a missing value is an error."""
    import polars as pl

    column = frame[name]
    if column.dtype.is_nested():
        raise InputError(
            Text(
                f"{where}, column {show(name)}: must hold text or numbers, got {column.dtype}.",
                f"{zh(where)} 的列 {show(name)}：必须是文本或数字，实际为 {column.dtype}。",
            )
        )
    if column.dtype.is_float():
        column = column.fill_nan(None)
    if column.dtype == pl.String:
        column = column.set(column.str.strip_chars() == "", None)
    if column.null_count():
        at = int(column.is_null().arg_max() or 0)
        raise InputError(
            Text(
                f"{where}, column {show(name)}: every row must have one, missing in {column.null_count():,} rows "
                f"(first: row {at + 1:,}). Leave those rows out, or give them ids of their own.",
                f"{zh(where)} 的列 {show(name)}：每行都必须有值，实际有 {column.null_count():,} "
                f"行缺失（首先是第 {at + 1:,} 行）。请去掉这些行，或给它们各自的 id。",
            )
        )
    return (column.rank("dense").cast(pl.Int64) - 1).to_numpy()


_LAST = 2**31 - 1
FROM_1 = Text(f"a whole number from 1 to {_LAST:,}", f"是从 1 到 {_LAST:,} 的整数")


def positions(frame: pl.DataFrame, name: str, where: str) -> Array:
    """A column of places in lists, counted from 1."""
    values = numbers(frame, name, where)
    refuse_rows(~((values >= 1) & (values <= _LAST) & (values == np.floor(values))), values, "position", FROM_1, where)
    return values.astype(np.int64)


def refuse_rows(bad: Array, values: Array, what: str, must: Text, where: str) -> None:
    """One error for all rows of a column that are not what they must be."""
    rows = np.flatnonzero(bad)
    if len(rows):
        raise InputError.collect(
            within(where),
            [
                Text(
                    f"row {i + 1:,}: {what} must be {must}, got {short(values[i])}.",
                    f"第 {i + 1:,} 行：{spaced(zh(what), '必须')}{zh(must)}，实际为 {short(values[i])}。",
                )
                for i in rows[:1000].tolist()
            ],
        )


def _series(name: str, values: Array) -> pl.Series:
    """The column; of objects that Polars has no type for, their texts."""
    import polars as pl

    if values.dtype != object:
        return pl.Series(name, values, strict=False)
    try:
        return pl.Series(name, values.tolist(), strict=False)
    except (pl.exceptions.PanicException, pl.exceptions.ComputeError):  # a text among dates, say, or none of pandas
        texts = [None if v is None or type(v).__name__ in ("NaTType", "NAType") else str(v) for v in values.tolist()]
        return pl.Series(name, texts, dtype=pl.String)
