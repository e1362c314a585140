"""What scores and weights may be where they are counted."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankgauge._text import Text
from rankgauge.errors import InputError

__all__ = ["check_score", "check_weight"]

Floats = NDArray[np.float64]

_LEAST_WEIGHT, _GREATEST_WEIGHT = 1e-100, 1e100


def check_score(score: NDArray[Any]) -> None:
    """NaN has no place in an order."""
    if score.dtype.kind == "f" and (missing := int(np.isnan(score).sum())):
        raise InputError(
            Text(
                f"score must be a number, got NaN in {missing} of {len(score)} rows. "
                "Drop these rows or give them a score on purpose.",
                f"得分必须是数字，实际 {len(score)} 行中有 {missing} 行为 NaN。请去掉这些行，"
                "或有意识地给它们一个得分。",
            )
        )


def check_weight(weight: Any, rows: int) -> Floats:
    """Weights as float64: 0, or from 1e-100 to 1e100, so that no product with a loss leaves float64."""
    try:
        out = np.ascontiguousarray(weight, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(
            Text(
                f"weight must be a column of numbers, got {type(weight).__name__}.",
                f"权重必须是一列数字，实际为 {type(weight).__name__}。",
            )
        ) from None
    if out.shape != (rows,):
        raise InputError(
            Text(
                f"weight must have one number per row ({rows}), got shape {out.shape}.",
                f"权重必须每行一个数字（{rows} 个），实际形状为 {out.shape}。",
            )
        )
    if not rows:
        return out
    bad = ~((out >= _LEAST_WEIGHT) & (out <= _GREATEST_WEIGHT) | (out == 0))
    if bad.any():
        first = int(bad.argmax())
        raise InputError(
            Text(
                "weight must be 0 or a finite number from 1e-100 to 1e100, "
                f"got {out[first]} in row {first} ({int(bad.sum())} of {rows} rows). Leave a row out with weight 0.",
                f"权重必须为 0，或介于 1e-100 与 1e100 之间的有限数字，实际第 {first} 行为 {out[first]}（{rows} "
                f"行中的 {int(bad.sum())} 行）。要略去某一行，请把权重设为 0。",
            )
        )
    return out
