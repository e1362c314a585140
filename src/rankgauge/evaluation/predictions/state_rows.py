"""Rows on their way into a state: what is refused, and how labels are coded."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankgauge._text import Text, zh
from rankgauge.alignment.score_checks import check_score, check_weight
from rankgauge.data._places import word_for
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
        raise InputError(
            Text(
                f"label and score must have the same length, got {len(labels)} and {len(scores)}.",
                f"标签和得分的长度必须相同，实际为 {len(labels)} 和 {len(scores)}。",
            )
        )
    check_score(scores)
    weights = None if weight is None else check_weight(weight, len(scores))
    positive, negative_label = _classes(labels)
    return Rows(positive, scores, weights, negative_label)


def _column(values: Any, name: str) -> NDArray[Any]:
    if np.ma.is_masked(values):
        raise InputError(
            Text(
                f"{name} must be a number in every row, got masked ones.",
                f"{zh(word_for(name))}在每行都必须是数字，实际有被掩去的行。",
            )
        )
    try:
        out = np.asarray(values)
        if out.dtype.kind not in "biuf" or out.dtype.itemsize > 8:
            out = out.astype(np.float64)
    except (TypeError, ValueError):
        raise InputError(
            Text(
                f"{name} must be a column of numbers, got {type(values).__name__} of something else.",
                f"{zh(word_for(name))}必须是一列数字，实际是含其他内容的 {type(values).__name__}。",
            )
        ) from None
    if out.ndim != 1:
        raise InputError(
            Text(
                f"{name} must be one column, got shape {out.shape}.",
                f"{zh(word_for(name))}必须是一列，实际形状为 {out.shape}。",
            )
        )
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
    got = (
        Text(f"{strange[0]} ({len(strange)} such rows)", f" {strange[0]}（共 {len(strange)} 行）")
        if len(strange)
        else Text("0 and -1 together", "同时有 0 和 -1")
    )
    raise InputError(
        Text(
            f"label must be 0/1, bool or -1/1, got {got}. Turn soft or graded labels into 0/1 first.",
            f"标签必须是 0/1、bool 或 -1/1，实际为{zh(got)}。请先把软标签或分级标签转为 0/1。",
        )
    )


def same_coding(a: int | None, b: int | None) -> int | None:
    if a is not None and b is not None and a != b:
        raise InputError(
            Text(
                "labels must be 0/1 or -1/1 throughout, got 0 in one part and -1 in another. Recode one of them.",
                "标签必须统一为 0/1 或 -1/1，实际一部分中有 0，另一部分中有 -1。请重新编码其中一部分。",
            )
        )
    return b if a is None else a
