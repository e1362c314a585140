"""Labels, scores, weights, times and groups as arrays that measures can rely on.

Arrays that are fine are used as they are; everything else is converted in a few passes or refused with the
rows and values that are wrong. NumPy only: Polars is loaded for text and for objects, not for numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankgauge._numbers import short
from rankgauge._show import show
from rankgauge._text import Text, joined, spaced, zh
from rankgauge.data._places import about, named, word_for
from rankgauge.data.columns import is_surely_time, read_as
from rankgauge.data.times import mixed_units, said_of_units
from rankgauge.data.weights import DIVIDE, LEAST, MOST, RANGE, out_of_range
from rankgauge.errors import InputError, ParameterError, suggest

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "Array",
    "Checks",
    "Codes",
    "Given",
    "as_given",
    "from_series",
    "one_column",
    "soft_labels",
    "starts_again",
]

Array = NDArray[Any]
Given = Any  # an array of numbers or times, or a Polars column of text

# What each role takes from NumPy as it is; b bool, i and u integers, f floats, M datetime64.
_PLAIN = {"label": "biuf", "score": "biuf", "weight": "biuf", "time": "iufM", "group": "iu", "segment": "iu"}
_COMPARISON = re.compile(r"\s*(>=|<=|!=|>|<)\s*(.*\S)\s*")
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": np.equal,
    "!=": np.not_equal,
    ">=": np.greater_equal,
    "<=": np.less_equal,
    ">": np.greater,
    "<": np.less,
}
_SPARE = 4  # integers up to this many times the rows are codes already
_MISSING = "(missing)"
_LONGEST_CYCLE = 366  # days of a year; hours, weekdays, days of a month, months and weeks are fewer


@dataclass(frozen=True, slots=True, eq=False)
class Codes:
    """Which group each row belongs to: `names[codes[i]]` is the group of row i.

    Small non-negative integers are their own codes, so some of the names may have no row.
    """

    codes: Array
    names: Sequence[Any]
    column: str

    @property
    def n(self) -> int:
        """How many names there are; every code is below it."""
        return len(self.names)

    def name_of(self, code: int) -> str:
        """The name of a group as text."""
        return str(self.names[code])

    def take(self, rows: Any) -> Codes:
        """The groups of these rows, with the same codes."""
        return Codes(self.codes[rows], self.names, self.column)


class Checks:
    """Checks columns one by one and keeps every problem for one error."""

    def __init__(self, where: str, position: Callable[[int], str], notes: list[str]) -> None:
        self.where = where
        self.position = position
        self.notes = notes
        self.problems: list[str] = []

    def finish(self) -> None:
        """Raise what was found."""
        if self.problems:
            raise InputError.collect(about(self.where), self.problems)

    # one method per role

    def label(self, values: Given, column: str, positive: Any = None) -> Array:
        """bool where labels are 0/1, True/False or -1/1; float64 where some lie between 0 and 1."""
        what = _what("label", column)
        if not isinstance(values, np.ndarray):
            return self._text_label(values, what, positive)
        if values.dtype == bool and positive is None:
            return values
        if positive is not None:
            return self._compared(values, what, positive)
        ones = values == 1
        if np.count_nonzero(ones) == np.count_nonzero(values):
            return np.asarray(ones)
        return self._other_label(values.astype(np.float64, copy=False), what)

    def score(self, values: Array, column: str) -> Array:
        """float64 without NaN; infinities order rows like other numbers."""
        scores = values.astype(np.float64, copy=False)
        if np.isnan(scores.min()):  # min keeps NaN and needs no array of its own
            self.complain(_what("score", column), _A_NUMBER, np.isnan(scores), scores)
        return scores

    def weight(self, values: Array, column: str) -> Array:
        """float64, finite, none negative, not all zero, none so large or small that sums of them fail."""
        what = _what("weight", column)
        weights = values.astype(np.float64, copy=False)
        lowest, highest = weights.min(), weights.max()
        if lowest >= LEAST and highest <= MOST:
            return weights
        if not (lowest >= 0 and highest < np.inf):
            bad = ~(np.isfinite(weights) & (weights >= 0))
            self.complain(what, Text("be a finite number and not negative", "必须是有限且非负的数字"), bad, weights)
        elif highest == 0:
            self.problems.append(
                Text(
                    f"{what} must be positive in some rows, got 0 in all {len(weights):,}.",
                    f"{spaced(zh(what), '至少在部分行中必须为正')}，实际 {len(weights):,} 行全为 0。",
                )
            )
        elif (odd := out_of_range(weights)).any():
            rule = Text(f"be {RANGE}", f"必须为{RANGE.zh}")
            self.complain(what, rule, odd, weights, DIVIDE)
        return weights

    def time(self, values: Array, column: str) -> Array:
        """int64, float64 or datetime64, none missing."""
        if values.dtype.kind in "iuf" and (units := mixed_units(values)):
            self.problems.append(
                Text(
                    f"{_what('time', column)} must be in one unit, got {said_of_units(units)} since 1970. Bring them "
                    "to "
                    f'one, or pass columns={{"{column}": "ignore"}}.',
                    f"{spaced(zh(_what('time', column)), '必须使用同一单位')}，实际是自 1970 "
                    f'年起的{zh(said_of_units(units))}。请统一单位，或传入 columns={{"{column}": "ignore"}}。',
                )
            )
        if values.dtype.kind in "iu":
            return values.astype(np.int64, copy=False)
        times = values.astype(np.float64, copy=False) if values.dtype.kind == "f" else values
        missing = np.isnat(times) if times.dtype.kind == "M" else np.isnan(times)
        if missing.any():
            self.complain(_what("time", column), _PRESENT, missing, times, _ignore(column))
        return times

    def group(self, values: Given, column: str) -> Codes:
        """A code for every row; a missing group is a problem."""
        if not isinstance(values, np.ndarray) and values.null_count():
            missing = values.is_null().to_numpy()
            self.complain(_what("group", column), _PRESENT, missing, values, _ignore(column))
            values = values.fill_null(_MISSING)
        return _codes(values, column)

    def segment(self, values: Given, column: str) -> Codes:
        """A code for every row; missing values are a segment of their own."""
        if not isinstance(values, np.ndarray) and (n := values.null_count()):
            self.notes.append(
                Text(
                    f"segment {show(column)}: {n:,} of {len(values):,} rows are missing, read as {show(_MISSING)}",
                    f"分段 {show(column)}：{len(values):,} 行中有 {n:,} 行缺失，读作 {show(_MISSING)}",
                )
            )
            values = values.fill_null(_MISSING)
        return _codes(values, column)

    # labels in detail

    def _other_label(self, values: Array, what: str) -> Array:
        """Labels that are not plainly 0 and 1."""
        missing = np.isnan(values)
        if missing.any():
            self.complain(what, _PRESENT, missing, values)
            return missing
        if (np.abs(values) == 1).all():
            self.notes.append(Text("labels -1/1: -1 read as 0", "标签为 -1/1：-1 读作 0"))
            return np.asarray(values > 0)
        outside = (values < 0) | (values > 1)
        if outside.any():
            self.complain(what, _LABELS, outside, values, _try_positive(values))
            return outside
        self.notes.append(soft_labels(int(np.count_nonzero((values > 0) & (values < 1))), len(values)))
        return values

    def _text_label(self, text: pl.Series, what: str, positive: Any) -> Array:
        missing = text.is_null().to_numpy()
        if missing.any():
            self.complain(what, _PRESENT, missing, text)
        if positive is None:
            self.complain(what, _LABELS, ~missing, text, _try_positive(text.drop_nulls().to_numpy()))
            return missing
        sign, wanted = "==", str(positive).strip()
        if (found := _COMPARISON.fullmatch(wanted)) and not (text == wanted).any():  # '>50K' may be a label as well
            sign, wanted = found[1], found[2]
        if sign not in ("==", "!="):
            self.complain(
                what,
                Text(f"be numbers for positive={show(positive)}", f"在 positive={show(positive)} 时必须是数字"),
                ~missing,
                text,
            )
        hits: Array = (text == wanted).fill_null(False).to_numpy()
        self._must_occur(hits, text.drop_nulls().to_numpy(), what, positive)
        return hits if sign == "==" else ~hits

    def _compared(self, values: Array, what: str, positive: Any) -> Array:
        """Rows that are as `positive` says, among labels that are numbers."""
        sign, wanted = "==", positive
        if isinstance(positive, str) and (found := _COMPARISON.fullmatch(positive)):
            sign, wanted = found[1], found[2]
        try:
            number = float(wanted)
        except (TypeError, ValueError, OverflowError):
            raise ParameterError(
                Text(
                    f'positive must be a number or a comparison such as ">=4", because the labels of {self.where} '
                    f"are numbers ({_shown(values)}), got {show(positive)}.",
                    f'positive 必须是数字或 ">=4" 这样的比较，因为 {zh(self.where)} '
                    f"的标签是数字（{zh(_shown(values))}），实际为 {show(positive)}。",
                )
            ) from None
        if values.dtype.kind == "f" and (missing := np.isnan(values)).any():
            self.complain(what, _PRESENT, missing, values)
            return missing
        hits: Array = _COMPARE[sign](values, number)
        if sign == "==":
            self._must_occur(hits, values, what, positive)
        return hits

    def _must_occur(self, hits: Array, values: Array, what: str, positive: Any) -> None:
        """A positive value that is in no row, while there are several others, is a slip of the pen."""
        if not hits.any() and len(_distinct(values)) > 1:
            hint = suggest(str(positive), map(str, _distinct(values)))
            self.problems.append(
                Text(
                    f"{what} must be {show(positive)} in some rows (positive=), got {_shown(values)}.{hint}",
                    f"{spaced(zh(what), '中必须有一些行为')} {show(positive)}（positive=），实际为 "
                    f"{zh(_shown(values))}。"
                    f"{zh(hint)}",
                )
            )

    def complain(self, what: str, rule: Text, bad: Array, values: Given, try_: str = "") -> None:
        """Keep a problem with the first rows that have it; `rule` goes on from "must"."""
        rows = np.flatnonzero(bad)
        some = joined(Text(", ", "、"), (self.position(int(r)) for r in rows[:3]))
        more = ", …" if len(rows) > 3 else ""
        got = _shown(np.asarray(values)[rows])
        text = Text(
            f"{what} must {rule}, got {got} in {len(rows):,} of {len(bad):,} rows ({some}{more}).",
            f"{spaced(zh(what), rule.zh)}，{len(bad):,} 行中有 {len(rows):,} "
            f"行{spaced('实际为', zh(got))}（{zh(some)}{more}）。",
        )
        self.problems.append(text + Text(f" {try_}", zh(try_)) if try_ else text)


def soft_labels(between: int, n: int) -> Text:
    return Text(
        f"soft labels: {between:,} of {n:,} strictly between 0 and 1",
        f"软标签：{n:,} 个中有 {between:,} 个严格介于 0 与 1 之间",
    )


_LABELS = Text(
    "be 0 or 1 (or True/False, -1/1, or a number between 0 and 1)",
    "必须是 0 或 1（或 True/False、-1/1，或 0 与 1 之间的数字）",
)


_A_NUMBER = Text("be a number", "必须是数字")
_PRESENT = Text("not be missing", "不能缺失")


def _what(role: str, column: str) -> str:
    return word_for(role) if column == role else named(role, column)


def _ignore(column: str) -> str:
    return Text(
        f'Fill them, or pass columns={{"{column}": "ignore"}}.', f'请补全，或传入 columns={{"{column}": "ignore"}}。'
    )


def _try_positive(values: Array) -> str:
    """Which `positive=` could be meant."""
    found = _distinct(values)
    last = found[-1] if len(found) else 1
    if isinstance(last, str):
        return Text(
            f"Say which are positive, for example positive={show(last)}.",
            f"请说明哪些是正样本，例如 positive={show(last)}。",
        )
    more = Text(f' or positive=">={_show(last)}"', f' 或 positive=">={_show(last)}"') if len(found) > 2 else ""
    return Text(
        f"Say which are positive, for example positive={_show(last)}{more}.",
        f"请说明哪些是正样本，例如 positive={_show(last)}{zh(more)}。",
    )


def _distinct(values: Array) -> list[Any]:
    """The different values, sorted; of very many rows only the first are looked at."""
    values = values[:100_000]
    if values.dtype.kind == "f":
        values = values[~np.isnan(values)]
    return sorted(set(values.tolist()))


def _shown(values: Array) -> str:
    if values.dtype.kind == "f" and np.isnan(values).all():
        return Text("nan or nothing", "nan 或空值")
    if values.dtype.kind == "M" or (values.dtype == object and values[0] is None):
        return Text("nothing", "空值")
    found = _distinct(values)
    return ", ".join(map(_show, found[:4])) + (", …" if len(found) > 4 else "")


def _show(value: Any) -> str:
    return short(value) if isinstance(value, float) else show(value)


def _codes(values: Given, column: str) -> Codes:
    if not isinstance(values, np.ndarray):
        from rankgauge.data._cast import text_codes

        return Codes(*text_codes(values), column)
    highest = int(values.max())
    if int(values.min()) >= 0 and highest < _SPARE * len(values):
        # bincount and its like take no uint64
        codes = values.astype(np.int64) if values.dtype == np.uint64 else values
        return Codes(codes, range(highest + 1), column)
    names, codes = np.unique(values, return_inverse=True)
    return Codes(codes, names, column)  # type: ignore[arg-type]


# from anything to an array of numbers, or to a column of text


def one_column(value: Any, name: str, where: str) -> Any:
    """A one-dimensional array, or the Polars column that was given."""
    if type(value).__module__.partition(".")[0] == "polars" and hasattr(value, "to_numpy"):
        return value
    if isinstance(value, np.ma.MaskedArray):
        value = value.tolist()  # what is masked becomes None
    if hasattr(value, "detach"):  # a tensor that may belong to a graph or to another device
        value = value.detach().cpu()
    if not hasattr(value, "__len__"):
        value = list(value) if hasattr(value, "__iter__") else value
    try:
        array = np.asarray(value)
    except ValueError:
        raise InputError(
            Text(
                f"{where}, column {show(name)}: must be one value per row, got rows of different length.",
                f"{zh(where)} 的列 {show(name)}：每行必须是一个值，实际各行长度不一。",
            )
        ) from None
    if array.dtype.kind in "US" and isinstance(value, (list, tuple)) and not all(isinstance(v, str) for v in value):
        array = np.array(value, dtype=object)  # NumPy makes texts of numbers, and of what is missing, among texts
    if array.ndim != 1:
        shape = Text(f"an array of shape {array.shape}", f"形状为 {array.shape} 的数组") if array.ndim else show(value)
        hint = (
            Text(" Pass the column of the positive class: p[:, 1].", "请传入正类那一列：p[:, 1]。")
            if array.ndim == 2 and array.shape[1] == 2
            else ""
        )
        raise InputError(
            Text(
                f"{where}, column {show(name)}: must be one value per row, got {shape}.{hint}",
                f"{zh(where)} 的列 {show(name)}：每行必须是一个值，{spaced('实际为', zh(shape))}。{zh(hint)}",
            )
        )
    return array


def as_given(
    values: Any, role: str, name: str, where: str, notes: list[str], *, asked: bool, dates: str | None = None
) -> Given | None:
    """The array itself where its type fits the role, else what the rules for dataframes make of it."""
    role = role.partition(":")[0]
    if isinstance(values, np.ndarray) and values.dtype.kind in _PLAIN[role]:
        return None if role == "time" and not asked and starts_again(values, name, notes) else values
    from rankgauge.data import _cast, frames

    series = _series(values, role, name)
    cast = _cast.Column(series, role, where, frames.row, notes, dates=dates).of_predictions(asked=asked)
    return None if cast is None else from_series(cast, role)


def starts_again(values: Array, name: str, notes: list[str]) -> bool:
    """Whether numbers are hours of a day, days of a month or the like, which do not order rows in time.

    By their values: 14102100 (hour 0 of 21 October 2014) and 20141021 do, 0 to 23 do not. A name such as `timestamp`
    leaves no doubt.
    """
    if values.dtype.kind not in "iuf" or is_surely_time(name) or not len(values):
        return False
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    if not (low >= 0 and high <= _LONGEST_CYCLE):
        return False
    notes[:] = [note for note in notes if note != read_as(name, "time")]
    notes.append(
        Text(
            f"left out {show(name)}: numbers from {short(low)} to {short(high)} are no dates, and may start again; "
            f"`time` takes them as times all the same",
            f"略去列 {show(name)}：{short(low)} 到 {short(high)} 的数字不是日期，可能周而复始；如需当作时间，请用 "
            "`time` 指定",
        )
    )
    return True


def _series(values: Any, role: str, name: str) -> pl.Series:
    import polars as pl

    from rankgauge.data._cast import from_objects

    if not isinstance(values, np.ndarray):
        return values.alias(name)  # type: ignore[no-any-return]
    if values.dtype.kind == "S":
        values = np.char.decode(values)
    if values.dtype.kind in "OU":
        series = from_objects(name, values.tolist())
        if not (role == "time" and series.dtype == pl.Object):
            return series
    try:
        return pl.Series(name, values.tolist() if values.dtype.kind == "O" else values)
    except (TypeError, ValueError, pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return pl.Series(name, values.tolist(), dtype=pl.Object)


def from_series(values: pl.Series, role: str) -> Given:
    """A Polars column as an array, nulls as NaN or NaT; text, and names with nulls, stay a column."""
    import polars as pl

    if values.dtype == pl.String:
        return values
    if values.null_count():
        if role.partition(":")[0] in ("group", "segment"):
            return values.cast(pl.String)
        if values.dtype.is_integer() or values.dtype == pl.Boolean:
            values = values.cast(pl.Float64)
    return values.to_numpy()
