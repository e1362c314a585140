"""What the measures at a threshold share: the four cells of the confusion matrix.

Each row is in one of them, so the influence of a row is the slope of the measure in its cell.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from rankgauge._text import Text, in_language
from rankgauge.alignment.sample import Sample
from rankgauge.alignment.segments import Array
from rankgauge.measures.parameters import Param, choice, number
from rankgauge.measures.predictions.base import PredictionMeasure, Undefined

__all__ = ["OfCells", "Ratio", "threshold"]


def threshold() -> Any:
    """Required: 0.5 is not assumed, since at 2% positives it would call nothing positive."""
    base = number(0.0, doc=Text("the lowest score that is called positive", "判为正的最低得分"), aliases=("t", "cut"))

    def read(value: Any) -> float:
        if value is None:
            raise ValueError("must be said, as in threshold=0.3 (choose_threshold() finds one)")
        found: float = base.read(value)
        return found

    return Param(**{**base.__dict__, "default": None, "read": read})


class OfCells(PredictionMeasure):
    """Base of the measures made of the confusion matrix."""

    threshold: float = threshold()
    average: str = choice(
        "micro",
        "macro",
        doc=Text(
            "all rows together, or the mean over groups where it is defined",
            "所有行合并计算，或对有定义的分组取均值",
        ),
    )

    empty: ClassVar[str] = ""
    """Why it is undefined where its denominator is 0."""

    def of_cells(self, cells: Array) -> Array:
        """The value of each column of (tp, fp, fn, tn); NaN where undefined."""
        raise NotImplementedError  # pragma: no cover - every measure has its own

    def slope(self, cells: Array) -> Array:
        """Its derivative by each of the four cells."""
        raise NotImplementedError  # pragma: no cover

    def _cell_of_row(self, s: Sample) -> Array:
        """0 tp, 1 fp, 2 fn, 3 tn."""
        cell: Array = np.where(s.label, 0, 1) + np.where(s.score >= self.threshold, 0, 2)
        return cell

    def _cells(self, s: Sample) -> Array:
        return np.array(s.sweep.confusion(self.threshold))

    def by_group(self, s: Sample) -> Array:
        """The value of each group that has rows."""
        if s.group is None:
            raise Undefined(
                Text(
                    "average=macro needs a group for each row, such as user_id",
                    "average=macro 要求每一行都有分组，例如 user_id",
                )
            )
        # codes may be as narrow as a byte
        place, weight = s.group.astype(np.int64) * 4 + self._cell_of_row(s), s.weight
        if weight is not None:  # in one order, whatever that of the rows: sums are rounded
            light = np.argsort(weight)
            place, weight = place[light], weight[light]
        cells = np.bincount(place, weights=weight, minlength=4 * s.n_groups).reshape(-1, 4)[s.filled]
        return self.of_cells(cells.T)

    def value(self, s: Sample) -> float:
        if self.average == "macro":
            values = self.by_group(s)
            if np.isnan(values).all():
                raise self.nowhere()
            return float(np.nanmean(values))
        value = float(self.of_cells(self._cells(s)))
        if np.isnan(value):
            raise Undefined(self.empty)
        return value

    def nowhere(self) -> Undefined:
        """Why the mean over groups is undefined."""
        return Undefined(Text(f"{self.empty} in every group", f"每一组都是：{in_language(self.empty, 'zh')}"))

    def influence(self, s: Sample) -> Array:
        return s.weigh(self.slope(self._cells(s))[self._cell_of_row(s)])

    def clusters(self, s: Sample) -> Array | None:
        if self.average == "micro":
            return super().clusters(s)
        values = self.by_group(s)
        known = ~np.isnan(values)
        rows: Array = np.where(known, values - np.nanmean(values), 0.0) / known.sum()
        return rows

    def per_group(self, s: Sample) -> Array:
        values = np.full(s.n_groups, np.nan)
        values[s.filled] = self.by_group(s)
        return values

    def beside(self, s: Sample) -> dict[str, Any]:
        if self.average == "micro":
            return {}
        values = self.by_group(s)
        return {"groups": len(values), "valid groups": int((~np.isnan(values)).sum())}


class Ratio(OfCells):
    """Σ top·cells / Σ bottom·cells."""

    top: ClassVar[tuple[float, ...]] = ()
    bottom: ClassVar[tuple[float, ...]] = ()

    def _coefficients(self) -> tuple[Array, Array]:
        return np.array(self.top), np.array(self.bottom)

    def of_cells(self, cells: Array) -> Array:
        top, bottom = self._coefficients()
        above, below = np.tensordot(top, cells, 1), np.tensordot(bottom, cells, 1)
        made: Array = np.divide(above, below, out=np.full(np.shape(below), np.nan), where=below != 0)
        return made

    def slope(self, cells: Array) -> Array:
        top, bottom = self._coefficients()
        made: Array = (top - float(self.of_cells(cells)) * bottom) / float(bottom @ cells)
        return made
