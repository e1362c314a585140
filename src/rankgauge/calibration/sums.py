"""Which rows is a calibrator fitted on, and may they be trusted?

Every fit depends on the rows only through two sums per distinct p: the weight and the weighted label. Taking
these sums once, in an order that does not depend on the order of the rows, makes every fit independent of row
order to the last bit. Only priors, which hold a fit back where rows are few, ask for how many rows there are: weights
leave (Σw)² / Σw² of them, whatever their scale, and equal weights are no weights.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankgauge._show import show
from rankgauge._text import Text, joined, spaced, zh
from rankgauge.alignment import Array, Sample
from rankgauge.errors import InputError
from rankgauge.measures.predictions.sums import CLIP
from rankgauge.statistics.exact_sums import exact_sum

__all__ = ["CLIP", "Sums", "logit", "probabilities"]


@dataclass(frozen=True, eq=False)
class Sums:
    """Labels summed over equal predictions, the smallest p first."""

    p: Array  # distinct, ascending
    weight: Array  # > 0
    positive: Array  # weighted labels, between 0 and weight
    rows: int  # with a weight above 0
    squares: Array  # Σw²
    left: tuple[float, float]  # what weights leave of the positives and of the negatives, (Σw)² / Σw²
    scale: float = 1.0  # what a weight of 1 was when it was given: equal weights are 1 here

    @classmethod
    def of(cls, label: Any, p: Any, weight: Any = None) -> Sums:
        """The sums, once all three columns are found to be what they should be."""
        p, y = _column("p", p), _column("label", label)
        w, scale = np.ones(len(p)) if weight is None else _column("weight", weight), 1.0
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
        if w.min() == w.max():
            w, scale, weight = np.ones(len(w)), float(w[0]), None
        elif not _whole(w):
            scale = float(2.0 ** np.frexp(w.max())[1])  # squares of any weights are numbers, and no digit is lost
            w = w / scale
        # whole numbers add up exactly in any order, and classes sorted apart are quickest
        hard = _whole(w) and bool(((y == 0) | (y == 1)).all())
        s = Sample(y.astype(bool) if hard else y, p, None if weight is None else w)
        blocks, squares, left = s.blocks, s.blocks.weight, (s.n_positives, s.n_negatives)
        if weight is not None:
            order = np.lexsort((w, s.block_of_row))  # the same sums for any order of rows
            squares = np.bincount(s.block_of_row[order], w[order] ** 2)
            left = _left(w, y), _left(w, 1 - y)
        positive = np.minimum(blocks.positive, blocks.weight)
        return cls(blocks.score, blocks.weight, positive, len(p), squares, left, scale)

    def in_bins(self, most: int) -> Sums:
        """Bins of equal weight in place of the distinct p where these are more."""
        if len(self.p) <= most:
            return self
        upto = np.cumsum(self.weight)
        place = np.minimum(((upto - self.weight) * most / upto[-1]).astype(np.int64), most - 1)
        start = np.flatnonzero(np.append(True, place[1:] != place[:-1]))
        weight, positive, predicted, squares = (
            np.add.reduceat(x, start) for x in (self.weight, self.positive, self.weight * self.p, self.squares)
        )
        return replace(self, p=predicted / weight, weight=weight, positive=positive, squares=squares)

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


def _left(w: Array, part: Array) -> float:
    """What weights leave of the rows, of each of which a part counts."""
    squares = exact_sum(w * w * part)
    return exact_sum(w * part) ** 2 / squares if squares else 0.0


def _whole(values: Array) -> bool:
    return bool((values == np.rint(values)).all()) and float(values.sum()) < 2**53
