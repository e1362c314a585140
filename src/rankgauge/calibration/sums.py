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
            raise InputError("a calibrator needs rows with a weight above 0 to be fitted on, got none.")
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
            f"{name}: labels must hold both classes, got only {only} in {self.rows} rows: {because}. "
            "Fit on a longer time slice."
        )


def probabilities(p: Any) -> Array:
    """The values as float64 in their shape, when all are probabilities."""
    values = _numbers("p", p)
    problem = _outside("p", values, "a probability between 0 and 1")
    if problem:
        raise InputError(f"{problem} {_PASS_PROBABILITIES}", [problem])
    return values


def logit(p: Array) -> Array:
    """ln(p / (1-p)), with p kept inside [1e-15, 1 - 1e-15]."""
    p = np.clip(p, CLIP, 1 - CLIP)
    return np.log(p) - np.log1p(-p)


_PASS_PROBABILITIES = "Pass probabilities; for scores on the log-odds scale, 1 / (1 + exp(-score))."


def _numbers(name: str, values: Any) -> Array:
    if np.ma.is_masked(values):
        raise InputError(f"`{name}` must be a number in every row, got masked ones.")
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as e:
        raise InputError(f"`{name}` must be numbers, got {type(values).__name__} that cannot be read: {e}.") from e


def _column(name: str, values: Any) -> Array:
    column = _numbers(name, values)
    if column.ndim != 1:
        raise InputError(f"`{name}` must be one column, got an array of shape {column.shape}.")
    return column


def _check(y: Array, p: Array, w: Array) -> None:
    """Every problem of the three columns at once."""
    if not len(y) == len(p) == len(w):
        raise InputError(
            "`label`, `p` and, when given, `weight` must have one value per row, "
            f"got {len(y)} labels, {len(p)} p and {len(w)} weights."
        )
    finite = np.isfinite(w) & (w >= 0)
    bad_p, bad_y = _outside("p", p, "a probability between 0 and 1"), _outside("label", y, "0, 1 or a share between")
    bad_w = "" if finite.all() else _first("weight", w, ~finite, "a number from 0 up")
    problems = [text for text in (bad_p, bad_y, bad_w) if text]
    advice = [_PASS_PROBABILITIES] if bad_p else []
    if bad_y and np.isin(y, (-1, 1)).all():
        advice.append("For labels -1 and 1 pass label > 0.")
    if problems:
        raise InputError.collect("", problems, " ".join(advice))


def _outside(name: str, values: Array, must_be: str) -> str:
    inside = (values >= 0) & (values <= 1)  # False for NaN
    return "" if inside.all() else _first(name, values, ~inside, must_be)


def _first(name: str, values: Array, bad: Array, must_be: str) -> str:
    where = np.flatnonzero(bad)
    text = f"`{name}` must be {must_be}, got {show(float(values.flat[where[0]]))} in row {where[0]} (the first is 0)"
    return f"{text}; rows like it: {len(where)}." if len(where) > 1 else f"{text}."


def _whole(values: Array) -> bool:
    return bool((values == np.rint(values)).all()) and float(values.sum()) < 2**53
