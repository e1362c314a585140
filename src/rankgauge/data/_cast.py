"""Columns of any dtype to canonical ones: ids to text, scores and grades to Float64, ranks to Int64.

Columns of predictions keep their nulls; see `Column.of_predictions`.

Every function either returns exact values or raises `InputError` with the rows that cannot be read.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from rankgauge._forked import refuse_fork
from rankgauge._show import show
from rankgauge._text import Text, spaced, zh
from rankgauge._words import decimal_comma
from rankgauge.data._arrays import starts_again
from rankgauge.data._places import within, word_for
from rankgauge.data.columns import read_as
from rankgauge.data.mappings import EXACT
from rankgauge.data.times import (
    DAY_FIRST,
    MONTH_FIRST,
    SLASHED,
    in_formats,
    in_our_years,
    is_slashed,
    order_of,
    read_slashed,
    said_of_order,
)
from rankgauge.errors import InputError

__all__ = ["Column", "from_objects", "text_codes"]

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
    dates: str | None = None  # whether dates begin with the day or the month, where that was said

    def ids(self, *, as_numbers: bool = False) -> pl.Series:
        """Text; whole numbers without a decimal point; no id missing or empty.

        `as_numbers` leaves whole numbers as Int64, whose text is theirs: it is made where something asks for it.
        """
        values = self.values
        if values.dtype.is_float():
            values = self._whole(values, Text("an id must be text or a whole number", "id 必须是文本或整数"))
        elif values.dtype == pl.Null:
            values = values.cast(pl.String)
        elif not self._is_text(values.dtype):
            raise InputError(
                Text(
                    f"{self._here()}: {self.role} must be text or whole numbers, got a column of type {values.dtype}.",
                    f"{zh(self._here())}：{self.role} 必须是文本或整数，该列的类型是 {values.dtype}。",
                )
            )
        if as_numbers and values.dtype.is_integer() and not values.null_count():
            numbers = values.cast(pl.Int64, strict=False)
            if not numbers.null_count():  # an unsigned one may be too large
                return numbers
        text = values if values.dtype == pl.String else values.cast(pl.String)
        if text.null_count():
            raise self._problems(text.is_null(), Text("must not be missing, got {}", "不能缺失，实际为{}"))
        if (empty := text == "").any():
            raise self._problems(empty, Text("must not be empty, got {}", "不能为空，实际为{}"))
        return text

    def numbers(self, *, finite: bool) -> pl.Series:
        """Float64 without nulls; text that holds numbers is converted and said."""
        numbers = self._floats()
        if numbers.null_count():
            raise self._problems(numbers.is_null(), Text("must be a number, got {}", "必须是数字，实际为{}"))
        if finite and not numbers.is_finite().all():
            raise self._problems(
                ~numbers.is_finite(), Text("must be a finite number, got {}", "必须是有限的数字，实际为{}")
            )
        return numbers

    def ranks(self, *, required: bool) -> pl.Series | None:
        """Int64, or None (and a note) when the column is no rank and nothing depends on it."""
        values = self.values
        if values.dtype.is_integer() and not values.null_count() and len(values):
            low, high = values.min(), values.max()
            if -EXACT < low <= high < EXACT:  # type: ignore[operator]
                return values.cast(pl.Int64)
        try:
            values = self.numbers(finite=True)
            return self._whole(values, Text("a rank must be a whole number", "排名必须是整数"))
        except InputError:
            if required:
                raise
            name = self.values.name
            self.notes.append(
                Text(f"left out {show(name)}: not whole numbers throughout", f"略去列 {show(name)}：不全是整数")
            )
            return None

    def offsets(self) -> pl.Series:
        """Int64, whole numbers from 0 on, none missing."""
        values = self.values
        if not values.dtype.is_integer():
            values = self._whole(self.numbers(finite=True), Text("an offset must be a whole number", "偏移必须是整数"))
        elif values.null_count():
            raise self._problems(values.is_null(), Text("must be a number, got {}", "必须是数字，实际为{}"))
        if (below := values < 0).any():
            raise self._problems(below, Text("must not be below 0, got {}", "不能小于 0，实际为{}"))
        return values.cast(pl.Int64)

    def text(self) -> pl.Series:
        """Text as it is; nulls stay."""
        if self.values.dtype.is_nested() or self.values.dtype in (pl.Object, pl.Binary):
            raise InputError(
                Text(
                    f"{self._here()}: {self.role} must be text, got a column of type {self.values.dtype}.",
                    f"{zh(self._here())}：{zh(word_for(self.role))}必须是文本，该列的类型是 {self.values.dtype}。",
                )
            )
        return self.values.cast(pl.String)

    def of_predictions(self, *, asked: bool) -> pl.Series | None:
        """By its role: a label, a number, a time or the name of a group. None leaves out what is no time,
        unless that column was asked for.

        label   Boolean, numbers, or String where the text holds anything but numbers, true and false
        score   Float64, and so is the weight
        time    whole numbers, Float64, Datetime or Date
        group   whole numbers or String, and so are segments
        """
        match self.role.partition(":")[0]:
            case "label":
                return self._label()
            case "score" | "weight":
                return self._floats()
            case "time":
                return self._time(asked=asked)
            case _:
                return self._names()

    def classes(self) -> pl.Series:
        """Names of classes as text, nulls where nothing was given: whole numbers without a decimal point."""
        if self.values.dtype.is_temporal():
            raise InputError(
                Text(
                    f"{self._here()}: {self.role} must be text or whole numbers, got a column of type "
                    f"{self.values.dtype}.",
                    f"{zh(self._here())}：{zh(word_for(self.role))}必须是文本或整数，该列的类型是 "
                    f"{self.values.dtype}。",
                )
            )
        names = self._names()
        if names.dtype != pl.String:
            return names.cast(pl.String)
        text = names.str.strip_chars(_BLANKS).replace("", None)
        if text.cast(pl.Float64, strict=False).null_count() == text.null_count():  # 1.0 of a float column is 1
            text = text.str.replace(r"^([+-]?\d+)\.0+$", "$1")
        return text

    def _label(self) -> pl.Series:
        values = self._plain_text()
        if values.dtype == pl.String:
            text = values.str.strip_chars(_BLANKS).replace("", None)
            folded = text.str.to_lowercase().replace({"true": "1", "false": "0"})
            numbers = folded.cast(pl.Float64, strict=False)
            if numbers.null_count() > text.null_count():
                return text
            if not self.is_text:
                self.notes.append(Text("label was text: read as numbers", "label 是文本，按数字读取"))
            return numbers
        if isinstance(values.dtype, pl.Decimal) or values.dtype == pl.Null:
            return values.cast(pl.Float64)
        if values.dtype.is_numeric() or values.dtype == pl.Boolean:
            return values
        raise InputError(
            Text(
                f"{self._here()}: label must be numbers, True/False or text, got a column of type {values.dtype}.",
                f"{zh(self._here())}：label 必须是数字、True/False 或文本，该列的类型是 {values.dtype}。",
            )
        )

    def _time(self, *, asked: bool) -> pl.Series | None:
        values = self._plain_text()
        if values.dtype == pl.String:
            read = self._time_from_text(values)
            if isinstance(read, Text):
                self._no_time(read, asked=asked)
                return None
            values = read
        if values.dtype in (pl.Datetime, pl.Date):
            has_zone = isinstance(values.dtype, pl.Datetime) and values.dtype.time_zone is not None
            return values.dt.convert_time_zone("UTC").dt.replace_time_zone(None) if has_zone else values
        if values.dtype.is_numeric() or values.dtype == pl.Null:
            values = values if values.dtype.is_integer() else values.cast(pl.Float64)
            numbers = values.drop_nulls().to_numpy()
            return None if not asked and starts_again(numbers, self.values.name, self.notes) else values
        kind = self.values.dtype
        why = Text(
            f"time must be numbers, dates or times, got a column of type {kind}",
            f"time 必须是数字、日期或时间，该列的类型是 {kind}",
        )
        self._no_time(why, asked=asked)
        return None

    def _no_time(self, why: Text, *, asked: bool) -> None:
        """An error where the column was asked for, else a note that it was left out."""
        if asked:
            raise InputError(Text(f"{self._here()}: {why}.", f"{zh(self._here())}：{why.zh}。"))
        name = show(self.values.name)
        self.notes[:] = [note for note in self.notes if note != read_as(self.values.name, "time")]
        self.notes.append(Text(f"left out {name}: {why.en}", f"略去列 {name}：{why.zh}"))

    def _time_from_text(self, text: pl.Series) -> pl.Series | Text:
        """Numbers, dates or times where every row holds one; else why not."""
        text = text.str.strip_chars(_BLANKS).replace("", None)
        for dtype in (pl.Int64(), pl.Float64()):
            values = text.cast(dtype, strict=False)
            if values.null_count() == text.null_count():
                return values
        frame, column = text.alias("time").to_frame(), pl.col("time")
        if is_slashed(text.drop_nulls()):
            if (order := self.dates or self._order(text)) is None:
                example, name = show(text.drop_nulls()[0]), self.values.name
                return Text(
                    f"time must say whether dates begin with the day or the month, got {example}; "
                    f'columns={{"{name}": "time {DAY_FIRST}"}} or "time {MONTH_FIRST}" says so',
                    f"无法判断日期是日在前还是月在前（{example}）；"
                    f'请用 columns={{"{name}": "time {DAY_FIRST}"}} 或 "time {MONTH_FIRST}" 说明',
                )
            if self.dates is None:
                self.notes.append(said_of_order(self.values.name, order))
            values = frame.select(read_slashed(column, order)).to_series()
        else:
            values = frame.select(in_formats(column)).to_series()
            if values.null_count() > text.null_count():
                with contextlib.suppress(pl.exceptions.PolarsError):  # no format fits the first rows
                    read = column.str.to_datetime(strict=False, time_zone="UTC")
                    values = frame.select(in_our_years(read).alias("time")).to_series()
        lost = values.is_null() & text.is_not_null()
        if not lost.any():
            return values
        n, at = int(lost.sum()), int(lost.arg_max() or 0)
        example, place = show(text[at]), self.position(at)
        return Text(
            f"time must be numbers, dates or times, got {n:,} of {len(text):,} that are none, such as {example} "
            f"({place})",
            f"time 必须是数字、日期或时间，{len(text):,} 个中有 {n:,} 个不是，如 {example}（{zh(place)}）",
        )

    def _order(self, text: pl.Series) -> str | None:
        numbers = [text.str.extract(SLASHED, i).cast(pl.Int32, strict=False).max() for i in (1, 2)]
        return order_of(*(int(n) if isinstance(n, int) else 0 for n in numbers))

    def _names(self) -> pl.Series:
        values = self._plain_text()
        if values.dtype.is_float():
            role, _, name = self.role.partition(":")
            return self._whole(
                values,
                Text(
                    f"a {role} must be text or a whole number{', not a measurement' if name else ''}",
                    f"{spaced(zh(word_for(role)), '必须是文本或整数')}{'，不能是测量值' if name else ''}",
                ),
            )
        if values.dtype == pl.String:
            return values.set(values == "", None) if (values == "").any() else values
        if values.dtype.is_integer():
            return values
        if values.dtype.is_nested() or values.dtype == pl.Object:
            raise InputError(
                Text(
                    f"{self._here()}: {self.role} must be text or whole numbers, got a column of type {values.dtype}.",
                    f"{zh(self._here())}：{self.role} 必须是文本或整数，该列的类型是 {values.dtype}。",
                )
            )
        if values.dtype == pl.Boolean:
            return values.cast(pl.Int8).cast(pl.String).replace({"0": "False", "1": "True"})
        return values.cast(pl.String)

    def _plain_text(self) -> pl.Series:
        return self.values.cast(pl.String) if self.values.dtype in (pl.Categorical, pl.Enum) else self.values

    def _floats(self) -> pl.Series:
        """Float64 with nulls where nothing was given."""
        values = self._plain_text()
        if values.dtype == pl.String:
            values = self._from_text(values)
        elif not (values.dtype.is_numeric() or values.dtype in (pl.Boolean, pl.Null)):
            raise InputError(
                Text(
                    f"{self._here()}: {self.role} must be numbers, got a column of type {values.dtype}.",
                    f"{zh(self._here())}：{self.role} 必须是数字，该列的类型是 {values.dtype}。",
                )
            )
        return values.cast(pl.Float64)

    def _from_text(self, values: pl.Series) -> pl.Series:
        numbers = values.str.strip_chars(_BLANKS).cast(pl.Float64, strict=False)
        bad = numbers.is_null() & values.is_not_null()
        if bad.any():
            raise self._problems(bad, Text("must be a number, got {}", "必须是数字，实际为{}"))
        if not self.is_text:
            self.notes.append(Text(f"{self.role} was text: read as numbers", f"{self.role} 是文本，按数字读取"))
        return numbers

    def _whole(self, values: pl.Series, rule: Text) -> pl.Series:
        """A float column that holds integers, as integers."""
        numbers = values.fill_nan(None)
        bad = ((numbers != numbers.round(0)) | (numbers.abs() >= EXACT)).fill_null(False)
        if bad.any():
            said = Text(
                "{}: " + f"{rule} (and below 2^53 when given as a float)",
                "{}：" + f"{rule.zh}（以浮点数给出时还须小于 2^53）",
            )
            raise self._problems(bad, said)
        return numbers.cast(pl.Int64)

    def _is_text(self, dtype: pl.DataType) -> bool:
        whole = dtype.is_integer() or (isinstance(dtype, pl.Decimal) and dtype.scale == 0)
        return whole or dtype in (pl.String, pl.Categorical, pl.Enum)

    def _here(self) -> Text:
        name = show(self.values.name)
        return Text(f"{self.where}, column {name}", f"{zh(self.where)} 的列 {name}")

    def _problems(self, bad: pl.Series, rule: Text) -> InputError:
        """All rows where `bad`; `rule` has one {} for the value as given."""
        rows = bad.arg_true().to_list()
        texts = [self._problem(row, rule) for row in rows]
        texts[0] += decimal_comma(self.values[rows[0]])
        return InputError.collect(within(self.where), texts)

    def _problem(self, row: int, rule: Text) -> Text:
        place, value = self.position(row), self.values[row]
        got = Text("nothing", "空值") if value is None else show(value)
        head, tail = rule.zh.split("{}")
        return Text(
            f"{place}: {self.role} {rule.en.format(got)}.",
            f"{zh(place)}：{spaced(zh(word_for(self.role)), head, zh(got), tail)}。",
        )


def text_codes(values: pl.Series) -> tuple[Any, list[str]]:
    """A number from 0 on for each text, as a NumPy array, and the texts in order. No null, please."""
    refuse_fork(Text(f"{show(values.name)}, a column of texts,", f"文本列 {show(values.name)} "))
    names = values.unique().sort()
    # An Enum has categories of its own; those of a Categorical are shared and grow with every column.
    return values.cast(pl.Enum(names)).to_physical().to_numpy(), names.to_list()


def from_objects(name: str, values: Sequence[Any]) -> pl.Series:
    """A column of Python objects. Text mixed with numbers becomes text, so that ids survive.

    Anything that is neither text, number nor missing gives a column of type Object, which no role accepts; so does a
    truth value among texts, and a number among words that is no id: with decimals, infinite, beyond what floats count.
    """
    try:
        return _from_objects(name, values)
    except UnicodeEncodeError as e:  # half a character, as file names of unknown encodings become
        raise InputError(
            Text(
                f"column {show(name)}: text must be Unicode, got {show(e.object)}.",
                f"列 {show(name)}：文本必须是 Unicode，实际为 {show(e.object)}。",
            )
        ) from None


def _from_objects(name: str, values: Sequence[Any]) -> pl.Series:
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
        if bool in kinds or (float in kinds and _has_measurements(cleaned)):
            return pl.Series(name, cleaned, dtype=pl.Object)
        cleaned = [v if v is None or isinstance(v, str) else _digits(v) for v in cleaned]
    elif kinds <= {int, float} and float in kinds:
        try:
            cleaned = [None if v is None else float(v) for v in cleaned]
        except OverflowError:  # a whole number beyond all floats
            return pl.Series(name, cleaned, dtype=pl.Object)
    elif kinds == {int} and max(map(abs, filter(None, cleaned)), default=0) >= 2**63:
        cleaned = [None if v is None else str(v) for v in cleaned]
    return pl.Series(name, cleaned, strict=False)


def _has_measurements(values: Sequence[Any]) -> bool:
    """Whether there are numbers that are no ids among texts that are no numbers."""
    if all(v.is_integer() and abs(v) < EXACT for v in values if isinstance(v, float)):
        return False
    texts = pl.Series([v for v in values if isinstance(v, str)], dtype=pl.String).str.strip_chars(_BLANKS)
    return texts.cast(pl.Float64, strict=False).null_count() > 0


def _digits(value: Any) -> str:
    return repr(int(value) if isinstance(value, float) and value.is_integer() else value)


def _plain(value: Any) -> Any:
    """A scalar of NumPy, and a text of a type of its own, as Python's; an array stays one, also of one element."""
    if isinstance(value, str):
        return str.__str__(value)
    return value.item() if getattr(value, "ndim", None) == 0 and hasattr(value, "item") else value


def _is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and math.isnan(value)
