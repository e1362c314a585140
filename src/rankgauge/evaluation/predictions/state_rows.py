"""Rows on their way into a state: what is refused, and how labels are coded."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankgauge.alignment.score_checks import check_score, check_weight
from rankgauge.data.table import refuse_other_index
from rankgauge.errors import InputError

__all__ = ["Rows", "checked", "same_coding"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Rows(NamedTuple):
    """Checked input of one update."""

    positive: Bools
    score: NDArray[Any]
    weight: Floats | None
    negative_label: int | None


def checked(label: Any, score: Any, weight: Any) -> Rows:
    refuse_other_index({"label": label, "score": score, "weight": weight}, "rows")
    labels, scores = _column(label, "label"), _column(score, "score")
    if len(labels) != len(scores):
        raise InputError(f"label and score must have the same length, got {len(labels)} and {len(scores)}.")
    check_score(scores)
    weights = None if weight is None else check_weight(weight, len(scores))
    positive, negative_label = _classes(labels)
    return Rows(positive, scores, weights, negative_label)


def _column(values: Any, name: str) -> NDArray[Any]:
    if np.ma.is_masked(values):
        raise InputError(f"{name} must be a number in every row, got masked ones.")
    try:
        out = np.asarray(values)
        if out.dtype.kind not in "biuf" or out.dtype.itemsize > 8:
            out = out.astype(np.float64)
    except (TypeError, ValueError):
        raise InputError(
            f"{name} must be a column of numbers, got {type(values).__name__} of something else."
        ) from None
    if out.ndim != 1:
        raise InputError(f"{name} must be one column, got shape {out.shape}.")
    return np.ascontiguousarray(out)


def _classes(labels: NDArray[Any]) -> tuple[Bools, int | None]:
    """Which rows are positive, and the label of the others when there is one."""
    if labels.dtype.kind == "b":
        return labels, None if labels.all() else 0
    positive = labels == 1
    others = len(labels) - int(np.count_nonzero(positive))
    if not others:
        return positive, None
    zeros = int(np.count_nonzero(labels == 0))
    if zeros == others:
        return positive, 0
    if zeros == 0 and int(np.count_nonzero(labels == -1)) == others:
        return positive, -1
    strange = labels[~positive & (labels != 0) & (labels != -1)]
    got = f"{strange[0]} ({len(strange)} such rows)" if len(strange) else "0 and -1 together"
    raise InputError(f"label must be 0/1, bool or -1/1, got {got}. Turn soft or graded labels into 0/1 first.")


def same_coding(a: int | None, b: int | None) -> int | None:
    if a is not None and b is not None and a != b:
        raise InputError(
            "labels must be 0/1 or -1/1 throughout, got 0 in one part and -1 in another. Recode one of them."
        )
    return b if a is None else a
