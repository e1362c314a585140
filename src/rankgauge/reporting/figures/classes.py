"""Several classes as charts: what was taken for what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rankgauge._numbers import grouped
from rankgauge._text import Text
from rankgauge._typing import Array
from rankgauge.evaluation.predictions.per_class import ConfusionMatrix
from rankgauge.reporting.charts import Chart
from rankgauge.reporting.charts.svg import clipped, text_width
from rankgauge.reporting.grid import share

__all__ = ["confusion"]

_MOST = 15  # classes that are drawn; the others are one row and one column
_OTHERS = Text("others", "其他")


@dataclass(frozen=True)
class _Drawn:
    """The matrix as it is drawn: with many classes the largest and one for all others."""

    names: Sequence[str]
    cells: Array
    n_others: int


def confusion(matrix: ConfusionMatrix, model: str = "") -> Chart:
    """Rows by label and prediction; the colour is the share of the label, so that each row of it adds up to one."""
    d = _drawn(matrix)
    n, whole = len(d.names), d.cells.sum(axis=1)
    right = float(np.asarray(matrix.weight)[np.asarray(matrix.truth) == np.asarray(matrix.called)].sum())
    total = float(sum(matrix.whole))
    shown = [clipped(name, 130) if not isinstance(name, Text) else name for name in d.names]
    left = max(70.0, *(text_width(name) + 40 for name in shown))
    widest = max(text_width(_amount(x)) for x in d.cells.ravel().tolist())
    side = max(26.0, widest + 8, min(64.0, 560 / n))
    top = 62.0
    width, height = left + side * n + 20, top + side * n + 16
    said = f"{model}: " if model else ""
    chart = Chart(
        Text(f"{said}confusion matrix", f"{said}混淆矩阵"),
        Text(
            f"{_amount(right)} of {_amount(total)} rows are called right ({share(right / total)})"
            + (f"; the {_MOST} largest of {_MOST + d.n_others:,} classes" if d.n_others else "")
            + (f"; {matrix.left_out:,} of the smallest cells were not stored" if matrix.left_out else ""),
            f"{_amount(total)} 行中有 {_amount(right)} 行判对（{share(right / total)}）"
            + (f"；{_MOST + d.n_others:,} 个类别中最大的 {_MOST} 个" if d.n_others else "")
            + (f"；未保存最小的 {matrix.left_out:,} 个单元格" if matrix.left_out else ""),
        ),
        max(width, 300),
        height,
    )
    chart.text(left + side * n / 2, 14, Text("prediction", "预测"), "quiet", anchor="middle")
    chart.text(12, top + side * n / 2, Text("label", "标签"), "quiet", anchor="middle", turn=True)
    for j, name in enumerate(shown):
        short = clipped(name, side + 6) if not isinstance(name, Text) else name
        level = 40 if side >= 44 or j % 2 else 28  # every other name higher, where columns are narrow
        chart.text(left + side * (j + 0.5), level + 12, short, "tick", anchor="middle", tip=d.names[j])
    for i, name in enumerate(shown):
        y = top + side * i
        chart.text(left - 8, y + side / 2 + 4, name, "tick", anchor="end", tip=d.names[i])
        for j in range(n):
            value = float(d.cells[i, j])
            part = value / whole[i] if whole[i] else 0.0
            mixed = bool(d.n_others) and i == j == n - 1  # among the others some are right and some are not
            right_one = i == j and not mixed
            kind = "zero" if mixed else "pos" if right_one else "neg"
            level_of = min(4, int(5 * part))
            tip = Text(
                f"{d.names[i]} → {d.names[j]}: {_amount(value)} ({share(part)} of {d.names[i]})",
                f"{_zh(d.names[i])} → {_zh(d.names[j])}：{_amount(value)}（占 {_zh(d.names[i])} 的 {share(part)}）",
            )
            heat = f"heat cell {kind} h{level_of}" if value else "heat cell zero h0"
            chart.rect(left + side * j, y, side, side, heat, tip=tip)
            if value:
                style = "small strong" if right_one else "small"
                chart.text(left + side * (j + 0.5), y + side / 2 + 4, _amount(value), style, anchor="middle")
    return chart


def _drawn(matrix: ConfusionMatrix) -> _Drawn:
    n = len(matrix.classes)
    truth, called, weight = np.asarray(matrix.truth), np.asarray(matrix.called), np.asarray(matrix.weight)
    if n <= _MOST:
        return _Drawn(list(matrix.classes), matrix.matrix, 0)
    size = np.bincount(truth, weights=weight, minlength=n) + np.bincount(called, weights=weight, minlength=n)
    kept = np.sort(np.argsort(-size, kind="stable")[:_MOST])
    place = np.full(n, _MOST)
    place[kept] = np.arange(_MOST)
    cells = np.zeros((_MOST + 1, _MOST + 1))
    np.add.at(cells, (place[truth], place[called]), weight)
    return _Drawn([*(matrix.classes[i] for i in kept), _OTHERS], cells, n - _MOST)


def _zh(name: str) -> str:
    return name.zh if isinstance(name, Text) else name


def _amount(x: float) -> str:
    return grouped(x) if float(x).is_integer() else grouped(x, 1)
