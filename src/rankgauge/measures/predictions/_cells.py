"""What the measures at a threshold share: the four cells of the confusion matrix.

Each row is in one of them, so the influence of a row is the slope of the measure in its cell.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from rankgauge._claims import phrase
from rankgauge._text import Text
from rankgauge.alignment.sample import Sample
from rankgauge.alignment.segments import Array
from rankgauge.alignment.sweep import Confusion
from rankgauge.measures.parameters import Param, choice, number
from rankgauge.measures.predictions.base import Beside, Facts, GroupSums, PredictionMeasure, Undefined, Wanted
from rankgauge.measures.predictions.sums import EVERY_ROW, CountedRows, OfSums, RowSums, cell_of_row

__all__ = ["GROUPS", "OfCells", "RatioOfCells", "threshold"]

GROUPS = {"groups": Beside(Text("groups", "组数")), "valid groups": Beside(Text("valid groups", "有效组数"))}
"""What measures made from groups are read with."""


def threshold() -> Any:
    """Required: 0.5 is not assumed, since at 2% positives it would call nothing positive."""
    base = number(0.0, doc=Text("the lowest score that is called positive", "判为正的最低得分"), aliases=("t", "cut"))

    def read(value: Any) -> float:
        if value is None:
            raise ValueError(
                Text(
                    "must be said, as in threshold=0.3 (choose_threshold() finds one)",
                    "必须给出，如 threshold=0.3（可用 choose_threshold() 选取）",
                )
            )
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

    read_with = GROUPS
    empty: ClassVar[str] = ""
    """Why it is undefined where its denominator is 0."""

    def of_cells(self, cells: Array) -> Array:
        """The value of each column of (tp, fp, fn, tn); NaN where undefined."""
        raise NotImplementedError  # pragma: no cover - every measure has its own

    def slope(self, cells: Array) -> Array:
        """Its derivative by each of the four cells."""
        raise NotImplementedError  # pragma: no cover

    @property
    def is_grouped(self) -> bool:
        return self.average == "macro"

    @property
    def wanted(self) -> Wanted:
        return Wanted() if self.is_grouped else Wanted(threshold=self.threshold)

    def check(self, s: Facts) -> None:
        super().check(s)
        if self.is_grouped and not s.has_groups:
            raise Undefined(
                Text(
                    "average=macro needs a group for each row, such as user_id",
                    "average=macro 要求每一行都有分组，例如 user_id",
                )
            )

    def of_sums(self, t: RowSums) -> OfSums:
        cells = t.cells(self.threshold)
        value = float(self.of_cells(cells))
        if np.isnan(value):
            raise Undefined(self.empty)
        return OfSums(value, dict(zip(Confusion._fields, self.slope(cells).tolist(), strict=True)), 1.0, self.threshold)

    def of_groups(self, s: Sample) -> tuple[Array, Array]:
        assert s.group is not None
        # codes may be as narrow as a byte
        place, weight = s.group.astype(np.int64) * 4 + cell_of_row(s, self.threshold), s.weight
        if weight is not None:  # in one order, whatever that of the rows: sums are rounded
            light = np.argsort(weight)
            place, weight = place[light], weight[light]
        values = self.of_cells(np.bincount(place, weights=weight, minlength=4 * s.n_groups).reshape(-1, 4).T)
        known = ~np.isnan(values)
        return known.astype(np.float64), np.where(known, values, 0.0)

    def nowhere(self, n_groups: int) -> Undefined:
        return Undefined(phrase("{} in every group", "每一组都是：{}", self.empty))

    def per_group(self, s: Sample) -> Array:
        known, values = self.of_groups(s)
        return np.where(known, values, np.nan)

    def beside(self, s: Sample) -> dict[str, Any]:
        found = super().beside(s)
        if not self.is_grouped:
            return found
        return {**found, "groups": int(s.filled.sum()), "valid groups": int(self.of_groups(s)[0].sum())}

    def beside_groups(self, g: GroupSums) -> dict[str, Any]:
        return {**self.beside_sums(g.totals), "groups": g.n, "valid groups": int(g.below)}


class RatioOfCells(OfCells):
    """Σ top·cells / Σ bottom·cells."""

    top: ClassVar[tuple[float, ...]] = ()
    bottom: ClassVar[tuple[float, ...]] = ()

    def _coefficients(self) -> tuple[Array, Array]:
        return np.array(self.top), np.array(self.bottom)

    @property
    def rests_on(self) -> tuple[CountedRows, ...]:
        if self.is_grouped:
            return (EVERY_ROW,)
        tp, fp, fn, tn = (self._coefficients()[1] != 0).tolist()
        return (CountedRows((tp, fp, fn, tn), self.threshold),)

    def of_cells(self, cells: Array) -> Array:
        top, bottom = self._coefficients()
        above, below = np.tensordot(top, cells, 1), np.tensordot(bottom, cells, 1)
        made: Array = np.divide(above, below, out=np.full(np.shape(below), np.nan), where=below != 0)
        return made

    def slope(self, cells: Array) -> Array:
        top, bottom = self._coefficients()
        made: Array = (top - float(self.of_cells(cells)) * bottom) / float(bottom @ cells)
        return made
