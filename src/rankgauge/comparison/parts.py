"""Rows of labels and scores in parts: periods of time, or values of segment columns.

Parts share units: a user comes back on other days. So the influence of each unit on the number of a part is kept in
the place of that unit among all (0 where it has no rows in the part), and a difference of two parts has the standard
error of the difference of these: what both owe to the same users is not counted twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.alignment.sample import Sample
from rankgauge.alignment.weighted_rows import left_by
from rankgauge.data.predictions import Predictions
from rankgauge.errors import InputError, ParameterError, among
from rankgauge.evaluation.predictions.record import Estimate
from rankgauge.statistics.clusters import standard_error

__all__ = [
    "EVERY",
    "FEWEST",
    "MOST_VALUES",
    "Part",
    "is_enough",
    "is_enough_expected",
    "joint_error",
    "periods",
    "placed",
    "rough",
    "segments",
    "weighed",
]

EVERY = {
    "hour": Text("hour", "小时"),
    "day": Text("day", "天"),
    "week": Text("week", "周"),
    "month": Text("month", "月"),
}
"""How long a period is."""
FEWEST = 50
"""Positives, negatives and units from which on intervals hold at corrected levels."""
_MOST = 1000  # periods
MOST_VALUES = 50
"""A column with more values is an id, not a segment."""


@dataclass(frozen=True, eq=False)
class Part:
    """Some of the rows: those of one period, or with one value of a column."""

    column: str
    value: str
    rows: Array
    """Their numbers, ascending."""


def periods(rows: Predictions, every: str) -> list[Part]:
    """The rows of each period that has any, the first one first."""
    if rows.time is None:
        raise InputError(
            Text(
                f"{rows.name}: there are no times to tell periods by. Pass time='day', or a column of dates.",
                f"{rows.name}：没有时间，无法划分时段。请用 time='day' 指定，或提供日期列。",
            )
        )
    time = rows.time
    if time.dtype.kind == "M":
        # Monday is the first day of a week, and 1970-01-01 was a Thursday
        unit = {"hour": "h", "day": "D", "week": "D", "month": "M"}[every]
        codes = time.astype(f"datetime64[{unit}]").astype(np.int64)
        if every == "week":
            codes = (codes + 3) // 7
    else:
        codes = time
    found, number = np.unique(codes, return_inverse=True)
    if len(found) > _MOST:
        raise InputError(
            Text(
                f"{rows.name}: {len(found):,} periods are too many, at most {_MOST:,}. Pass every='week' or 'month', "
                "or times that are dates.",
                f"{rows.name}：{len(found):,} 个时段过多，最多 {_MOST:,} 个。"
                "请用 every='week' 或 'month'，或使用日期。",
            )
        )
    names = [_named(code, every) if time.dtype.kind == "M" else _plain(code) for code in found.tolist()]
    order = np.argsort(number, kind="stable")
    ends = np.cumsum(np.bincount(number, minlength=len(found)))
    return [Part(every, name, chosen) for name, chosen in zip(names, np.split(order, ends[:-1]), strict=True)]


def _plain(code: float) -> str:
    """The number of a period that is no date, with all its digits."""
    return str(int(code)) if float(code).is_integer() else str(code)


def _named(code: int, every: str) -> str:
    start = datetime(1970, 1, 1)
    if every == "hour":
        return (start + timedelta(hours=code)).strftime("%Y-%m-%d %H:00")
    if every == "month":
        return f"{1970 + code // 12}-{1 + code % 12:02d}"
    return (start + timedelta(days=code if every == "day" else 7 * code - 3)).strftime("%Y-%m-%d")


def segments(rows: Predictions, columns: Iterable[str]) -> list[Part]:
    """The rows with each value of these columns."""
    out = []
    for column in columns:
        if column not in rows.segments:
            raise ParameterError(
                Text(f"no column {show(column)} to slice by.", f"没有可用于切片的列 {show(column)}。")
                + among(column, rows.segments)
                + Text(f" Pass slices=[{show(column)}] with the rows.", f"请在给出各行时传入 slices=[{show(column)}]。")
            )
        codes = rows.segments[column]
        counts = np.bincount(codes.codes, minlength=codes.n)
        there = np.flatnonzero(counts)
        if len(there) > MOST_VALUES:
            raise ParameterError(
                Text(
                    f"column {show(column)} has {len(there):,} values, at most {MOST_VALUES} are compared: "
                    "these are ids, not segments. Leave it out.",
                    f"列 {show(column)} 有 {len(there):,} 个值，最多比较 {MOST_VALUES} 个："
                    "它是 id 而不是分段。请去掉。",
                )
            )
        out += [Part(column, codes.name_of(int(code)), np.flatnonzero(codes.codes == code)) for code in there]
    return out


def is_enough(s: Sample, fewest: int) -> bool:
    """Whether a part has enough positives, negatives and units for intervals to hold; weights leave fewer of them."""
    w = np.ones(len(s)) if s.weight is None else s.weight
    return min(left_by(w[s.label > 0]), left_by(w[s.label < 1]), left_by(s.unit_weights)) >= _least(s, fewest)


def is_enough_expected(s: Sample, fewest: int, ratio: float) -> bool:
    """The same, of the positives and negatives to expect if `ratio` came for each one that was predicted.

    A day without a single positive has none to count, and says the more about a model that expected hundreds.
    """
    w = np.ones(len(s)) if s.weight is None else s.weight / s.weight.max()
    p = np.minimum(ratio * s.probability, 1.0)
    left = [float(w @ x) ** 2 / squares if (squares := float(w**2 @ x)) else 0.0 for x in (p, 1 - p)]
    return min(*left, left_by(s.unit_weights)) >= _least(s, fewest)


def _least(s: Sample, fewest: int) -> float:
    """Equal weights leave every row, to the last digit of the sums; more than all rows are never there."""
    return min(fewest, len(s) + 1) * (1 - 1e-12)


def weighed(s: Sample) -> Text:
    """What is meant by a number of positives, negatives or units where rows have weights."""
    if s.weight is None:
        return Text("", "")
    return Text(" (weights leave (Σw)²/Σw² of them)", "（有权重时按 (Σw)²/Σw² 计）")


def rough(fewest: int) -> Text:
    """The note where smaller parts are judged than intervals hold for."""
    return Text(
        f"parts with as few as {fewest} positives are judged: intervals are rough below {FEWEST}, and alarms likelier "
        "than stated",
        f"正样本少至 {fewest} 个的部分也参与判断：不足 {FEWEST} 个时区间较粗略，误报比所述更多",
    )


def placed(e: Estimate, whole: Sample, rows: Array) -> Array | None:
    """The influence of each unit of all rows on the number of a part; None where the measure has none."""
    found = e.clusters
    if found is None or e.sample is None:
        return None
    out = np.zeros(len(whole) if whole.group is None else whole.n_groups)
    out[rows if whole.group is None else np.flatnonzero(e.sample.filled)] = found
    return out


def joint_error(mine: Array, theirs: Array, left: float | None = None) -> float:
    """The standard error of a difference, over the units that either number rests on."""
    there = (mine != 0) | (theirs != 0)
    if not there.any():  # neither number moves with any unit, as the AUC of a perfect order
        return 0.0
    return standard_error((mine - theirs)[there], left)
