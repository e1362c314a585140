"""Probabilities of classes: a row for each row of a table, a column for each class, and what they say was called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rankgauge._numbers import counted, short
from rankgauge._show import show
from rankgauge._text import Text, composed, joined, zh
from rankgauge.data._arrays import Array, Checks
from rankgauge.data.class_predictions import ClassPredictions
from rankgauge.data.frames import row

__all__ = ["check_probabilities", "matrix_of", "with_models"]

_NEAR = 1e-3  # how far the probabilities of a row may be from 1 together: columns are often rounded
_EXACT = 1e-6  # … without a note


def matrix_of(values: Any) -> Array | None:
    """Rows by classes as an array, where it is that."""
    if hasattr(values, "detach"):  # a tensor that may belong to a graph or to another device
        values = values.detach().cpu()
    first = values[0] if isinstance(values, (list, tuple)) and values else None
    if isinstance(first, (list, tuple, np.ndarray)) or getattr(values, "ndim", 1) == 2:
        try:
            made = np.asarray(values, dtype=np.float64)
        except (TypeError, ValueError):
            return None
        return made if made.ndim == 2 else None
    return None


def check_probabilities(model: str, values: Array, classes: Sequence[str], n: int, checks: Checks) -> None:
    """Whether these are the probabilities of n rows: what is wrong is a problem, what is only nearly right a note."""
    what = Text(f"probabilities {show(model)}", f"概率 {show(model)}")
    problem = (
        _wrong_shape(what, values, n, len(classes)) or _wrong_values(what, values, classes) or _wrong_sums(what, values)
    )
    if problem:
        checks.problems.append(problem)
        return
    off = np.abs(values.sum(axis=1) - 1)
    if near := int(np.count_nonzero(off > _EXACT)):
        most = short(off.max(), 1)
        checks.notes.append(
            Text(
                f"{near:,} rows of probabilities sum to 1 only within {most}: taken as they are",
                f"{near:,} 行概率之和与 1 相差不超过 {most}：按原值使用",
            )
        )


def _wrong_shape(what: Text, values: Array, n: int, of_classes: int) -> Text | None:
    if values.shape == (n, of_classes):
        return None
    got = f"{values.shape[0]:,} × {values.shape[1]:,}"
    return Text(
        f"{what} must have a row for each of {n:,} rows and a column for each of {of_classes:,} classes, got {got}.",
        f"{what.zh} 必须有 {n:,} 行、{of_classes:,} 列（每个类别一列），实际为 {got}。",
    )


def _wrong_values(what: Text, values: Array, classes: Sequence[str]) -> Text | None:
    bad, rule = np.isnan(values), Text("be numbers, none missing", "必须都是数字，不能缺失")
    if not bad.any():
        bad, rule = (values < 0) | (values > 1), Text("be from 0 to 1", "必须在 0 到 1 之间")
    rows, columns = np.nonzero(bad)
    if not len(rows):
        return None
    found = [
        composed("{} for {} in {}", "{2}的 {1} 为 {0}", short(values[i, j]), show(classes[j]), row(int(i)))
        for i, j in zip(rows[:3], columns[:3], strict=True)
    ]
    at, wrong_rows = _listed(found, len(rows)), counted(len(np.unique(rows)), "row", "行")
    return Text(
        f"{what} must {rule}, got {at} ({wrong_rows}).",
        f"{what.zh} {rule.zh}，实际{zh(at)}（{wrong_rows.zh}）。",
    )


def _wrong_sums(what: Text, values: Array) -> Text | None:
    sums = values.sum(axis=1)
    wrong = np.flatnonzero(np.abs(sums - 1) > _NEAR)
    if not len(wrong):
        return None
    at = _listed(
        [composed("{} in {}", "{1}为 {0}", short(values[i].sum()), row(int(i))) for i in wrong[:3]], len(wrong)
    )
    return Text(
        f"{what}: the classes of a row must sum to 1, got {at} ({len(wrong):,} of {len(values):,} rows). Is a class "
        "missing? Else divide each row by its sum.",
        f"{what.zh}：每行各类别之和必须为 1，实际{zh(at)}（{len(values):,} 行中有 {len(wrong):,} 行）。"
        "是否缺少某个类别？否则请将每行除以其和。",
    )


def _listed(found: Sequence[str], n: int) -> str:
    """The first few of n."""
    return joined(Text(", ", "，"), found) + (", …" if n > len(found) else "")


def with_models(made: ClassPredictions, notes: list[str]) -> ClassPredictions:
    """Predicted classes of every model: those that were given, else the most probable ones."""
    given = made.probabilities
    if len(made.called) == len(given) == 1:  # the two columns of one model
        given = {next(iter(made.called)): next(iter(given.values()))}
    called = dict(made.called)
    for model, values in given.items():
        best = np.argmax(values, axis=1)
        if model in called:
            differing = int(np.count_nonzero(values[np.arange(len(best)), called[model]] < values.max(axis=1)))
            if differing:
                notes.append(
                    Text(
                        f"{model}: in {differing:,} of {len(best):,} rows the predicted class is not the most probable",
                        f"{model}：{len(best):,} 行中有 {differing:,} 行的预测类别不是概率最高的类别",
                    )
                )
            continue
        called[model] = best
        tied = int(np.count_nonzero((values == values.max(axis=1, keepdims=True)).sum(axis=1) > 1))
        if tied:
            notes.append(
                Text(
                    f"{model}: in {tied:,} of {len(best):,} rows several classes are most probable; the first of them "
                    "is the predicted one",
                    f"{model}：{len(best):,} 行中有 {tied:,} 行的最高概率并列；取其中第一个类别为预测类别",
                )
            )
    return replace(made, called=called, probabilities=given)
