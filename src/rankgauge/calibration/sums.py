"""Which rows is a calibrator fitted on, and may they be trusted?

Every fit depends on the rows only through two sums per distinct p: the weight and the weighted label. Taking
these sums once, in an order that does not depend on the order of the rows, makes every fit independent of row
order to the last bit, and a row of weight 3 the same as three rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgauge._show import show
from rankgauge._text import Text, joined, spaced, zh
from rankgauge.alignment import Array, Sample
from rankgauge.errors import InputError
from rankgauge.measures.predictions.sums import CLIP

__all__ = ["CLIP", "Sums", "logit", "probabilities"]


@dataclass(frozen=True, eq=False)
class Sums:
    """Labels summed over equal predictions, the smallest p first."""

    p: Array  # distinct, ascending
    weight: Array  # > 0
    positive: Array  # weighted labels, between 0 and weight
    rows: int  # with a weight above 0

    @classmethod
    def of(cls, label: Any, p: Any, weight: Any = None) -> Sums:
        """The sums, once all three columns are found to be what they should be."""
        p, y = _column("p", p), _column("label", label)
        w = np.ones(len(p)) if weight is None else _column("weight", weight)
        _check(y, p, w)
        if not w.all():
            used = w > 0
            y, p, w = y[used], p[used], w[used]
        if not len(p):
            raise InputError(
                Text(
                    "a calibrator needs rows with a weight above 0 to be fitted on, got none.",
                    "拟合校准方法需要权重大于 0 的行，实际没有。",
                )
            )
        # whole numbers add up exactly in any order, and classes sorted apart are quickest
        hard = _whole(w) and bool(((y == 0) | (y == 1)).all())
        blocks = Sample(y.astype(bool) if hard else y, p, None if weight is None else w).blocks
        return cls(blocks.score, blocks.weight, np.minimum(blocks.positive, blocks.weight), len(p))

    @property
    def negative(self) -> Array:
        return self.weight - self.positive

    @property
    def base_rate(self) -> float:
        return float(self.positive.sum() / self.weight.sum())

    def need_both_classes(self, name: str, because: str) -> None:
        """One class says nothing about where the other would be."""
        if self.positive.any() and self.negative.any():
            return
        only = int(self.positive.any())
        raise InputError(
            Text(
                f"{name}: labels must hold both classes, got only {only} in {self.rows} rows: {because}. "
                "Fit on a longer time slice.",
                f"{name}：标签必须同时有两个类别，实际 {self.rows} 行中只有 {only}：{zh(because)}。"
                "请在更长的时间段上拟合。",
            )
        )


def probabilities(p: Any) -> Array:
    """The values as float64 in their shape, when all are probabilities."""
    values = _numbers("p", p)
    problem = _outside("p", values, Text("a probability between 0 and 1", "0 与 1 之间的概率"))
    if problem:
        raise InputError(Text(f"{problem} {_PASS_PROBABILITIES}", f"{zh(problem)}{_PASS_PROBABILITIES.zh}"), [problem])
    return values


def logit(p: Array) -> Array:
    """ln(p / (1-p)), with p kept inside [1e-15, 1 - 1e-15]."""
    p = np.clip(p, CLIP, 1 - CLIP)
    return np.log(p) - np.log1p(-p)


_PASS_PROBABILITIES = Text(
    "Pass probabilities; for scores on the log-odds scale, 1 / (1 + exp(-score)).",
    "请传入概率；对数几率形式的得分请换算为 1 / (1 + exp(-score))。",
)


def _numbers(name: str, values: Any) -> Array:
    if np.ma.is_masked(values):
        raise InputError(
            Text(
                f"`{name}` must be a number in every row, got masked ones.",
                f"`{name}` 在每行都必须是数字，实际有被掩去的行。",
            )
        )
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as e:
        raise InputError(
            Text(
                f"`{name}` must be numbers, got {type(values).__name__} that cannot be read: {e}.",
                f"`{name}` 必须是数字，实际是无法读取的 {type(values).__name__}：{e}。",
            )
        ) from e


def _column(name: str, values: Any) -> Array:
    column = _numbers(name, values)
    if column.ndim != 1:
        raise InputError(
            Text(
                f"`{name}` must be one column, got an array of shape {column.shape}.",
                f"`{name}` 必须是一列，实际是形状为 {column.shape} 的数组。",
            )
        )
    return column


def _check(y: Array, p: Array, w: Array) -> None:
    """Every problem of the three columns at once."""
    if not len(y) == len(p) == len(w):
        raise InputError(
            Text(
                "`label`, `p` and, when given, `weight` must have one value per row, "
                f"got {len(y)} labels, {len(p)} p and {len(w)} weights.",
                f"`label`、`p` 以及给出的 `weight` 必须每行一个值，实际为 {len(y)} 个标签、{len(p)} 个 p 和 "
                f"{len(w)} 个权重。",
            )
        )
    finite = np.isfinite(w) & (w >= 0)
    bad_p, bad_y = (
        _outside("p", p, Text("a probability between 0 and 1", "0 与 1 之间的概率")),
        _outside("label", y, Text("0, 1 or a share between", " 0、1 或两者之间的比例")),
    )
    bad_w = "" if finite.all() else _first("weight", w, ~finite, Text("a number from 0 up", "不小于 0 的数"))
    problems = [text for text in (bad_p, bad_y, bad_w) if text]
    advice = [_PASS_PROBABILITIES] if bad_p else []
    if bad_y and np.isin(y, (-1, 1)).all():
        advice.append(Text("For labels -1 and 1 pass label > 0.", "标签为 -1 和 1 时请传入 label > 0。"))
    if problems:
        raise InputError.collect("", problems, joined(Text(" ", ""), advice))


def _outside(name: str, values: Array, must_be: str) -> str:
    inside = (values >= 0) & (values <= 1)  # False for NaN
    return "" if inside.all() else _first(name, values, ~inside, must_be)


def _first(name: str, values: Array, bad: Array, must_be: str) -> str:
    where = np.flatnonzero(bad)
    text = Text(
        f"`{name}` must be {must_be}, got {show(float(values.flat[where[0]]))} in row {where[0]} (the first is 0)",
        f"`{name}` {spaced('必须是', zh(must_be))}，实际第 {where[0]} 行为 {show(float(values.flat[where[0]]))}（从 0 "
        "数起）",
    )
    return (
        Text(f"{text}; rows like it: {len(where)}.", f"{zh(text)}；这样的行共 {len(where)} 行。")
        if len(where) > 1
        else text + Text(".", "。")
    )


def _whole(values: Array) -> bool:
    return bool((values == np.rint(values)).all()) and float(values.sum()) < 2**53
