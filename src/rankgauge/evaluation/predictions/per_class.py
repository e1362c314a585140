"""What becomes of each class: its precision, recall and F1 with intervals, and what it is confused with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._numbers import counted
from rankgauge._records import Record
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.alignment.class_sample import ClassCounts, ClassSample
from rankgauge.alignment.weighted_rows import units_left
from rankgauge.errors import InputError
from rankgauge.measures.classes.averages import Averaged, F, Precision, Recall

if TYPE_CHECKING:
    import polars as pl

__all__ = ["MOST_CELLS", "ConfusionMatrix", "PerClass"]

MOST_CELLS = 20_000
"""Cells of a confusion matrix that are stored: the largest."""
_MOST_CLASSES = 2_000  # of a matrix with all its empty cells: 32 MB
_MEASURES: dict[str, type[Averaged]] = {"precision": Precision, "recall": Recall, "f1": F}


@dataclass(frozen=True, eq=False)
class PerClass:
    """Each class by itself: its rows, what was called so, how many rightly; and how far its numbers can be trusted."""

    classes: Sequence[str]
    right: Sequence[float]
    truth: Sequence[float]
    """Rows of the class, or their weight."""
    called: Sequence[float]
    rows: Sequence[int] = ()
    """Rows of the class, whatever their weight."""
    errors: dict[str, Sequence[float]] = field(default_factory=dict)
    """Standard errors of precision, recall and f1; NaN where there is none."""
    n: int = 0
    """Independent units."""
    left: dict[str, Sequence[float]] = field(default_factory=dict)
    """What weights leave of them for precision, recall and f1 of each class; empty where it is all of them."""

    @classmethod
    def of(cls, s: ClassSample) -> PerClass:
        """Every class of a sample."""
        left = {name: _left(measure.rests_on, s) for name, measure in _MEASURES.items()}
        errors = {name: _errors(measure(), s, left[name]).tolist() for name, measure in _MEASURES.items()}
        right, truth, called = (x.tolist() for x in s.counts)
        rows = np.bincount(s.label, minlength=s.n_classes).tolist()
        kept = {} if s.weight is None else {name: x.tolist() for name, x in left.items()}
        return cls(list(s.classes), right, truth, called, rows, errors, s.n_units, kept)

    def units_left(self, name: str) -> Sequence[float]:
        """How many units the interval of precision, recall or f1 of each class rests on."""
        return self.left.get(name) or [self.n] * len(self.classes)

    @cached_property
    def counts(self) -> ClassCounts:
        return ClassCounts(*(np.asarray(x, dtype=np.float64) for x in (self.right, self.truth, self.called)))

    def values(self, name: str) -> Array:
        """Precision, recall or f1 of each class, NaN where it is undefined."""
        return _MEASURES[name]().of_each(self.counts).value

    @property
    def accuracy(self) -> float:
        return float(self.counts.right.sum() / self.counts.truth.sum())

    @property
    def balanced_accuracy(self) -> float:
        """Mean recall over the classes with rows."""
        return float(self.values("recall")[self.counts.truth > 0].mean())

    @property
    def most_frequent(self) -> tuple[str, float]:
        """The class with the most rows, and their share."""
        i = int(np.argmax(self.counts.truth))
        return self.classes[i], float(self.counts.truth[i] / self.counts.truth.sum())

    def few(self, rows: int) -> list[str]:
        """Classes that have rows, but fewer than so many."""
        return [name for name, n in zip(self.classes, self.rows, strict=True) if 0 < n < rows]

    @property
    def n_with_rows(self) -> int:
        return int(np.count_nonzero(self.counts.truth))

    @property
    def is_no_better_than_one_class(self) -> bool:
        """Whether always saying the most frequent class would be right at least as often."""
        return float(self.counts.right.sum()) <= float(self.counts.truth.max())


def _left(which: str, s: ClassSample) -> Array:
    return np.array([units_left(s.n_units, excess) for excess in s.excess_of_each(which).tolist()], dtype=np.float64)


def _errors(measure: Averaged, s: ClassSample, left: Array) -> Array:
    """The standard error of the value of each class, over groups (or rows).

    A row moves the number of its own class and that of the class it was called; the influences of a group on a class
    are summed, squared and added up, as in `statistics/clusters.py`.
    """
    if s.n_units < 2:
        return np.full(s.n_classes, nan)
    n = np.where(left < 2, nan, left)
    each = measure.of_each(s.counts)
    own = np.nan_to_num(each.truth)[s.label] + np.where(s.is_right, np.nan_to_num(each.right)[s.label], 0.0)
    other = np.nan_to_num(each.called)[s.called]
    unit = np.arange(len(s)) if s.group is None else s.group.astype(np.int64)
    place = np.concatenate([unit * s.n_classes + s.label, unit * s.n_classes + s.called])
    moved = np.concatenate([s.weigh(own), s.weigh(other)])
    cell, of_entry = np.unique(place, return_inverse=True)
    sums = np.bincount(of_entry, weights=moved, minlength=len(cell))
    squares = np.bincount(cell % s.n_classes, weights=sums**2, minlength=s.n_classes)
    found: Array = np.sqrt(squares * n / (n - 1))
    return np.where(np.isnan(each.value), nan, found)


@dataclass(frozen=True, eq=False, repr=False)
class ConfusionMatrix(Record, kind="confusion_matrix", schema=1):
    """How often rows of one class were called another: the cells that are not empty, by class."""

    classes: Sequence[str]
    truth: Sequence[int]
    """For each cell the number of the class of its rows."""
    called: Sequence[int]
    """… and of the class that they were called."""
    rows: Sequence[int]
    weight: Sequence[float]
    whole: Sequence[float]
    """The weight of all rows of each class."""
    left_out: int = 0
    """Cells that were not stored, none of them larger."""

    @classmethod
    def of(cls, s: ClassSample) -> ConfusionMatrix:
        """The matrix of a sample."""
        cells = s.cells
        truth, called, weight, rows = (x.tolist() for x in cells)
        return cls(list(s.classes), truth, called, rows, weight, s.counts.truth.tolist())

    def largest(self, most: int = MOST_CELLS) -> ConfusionMatrix:
        """The cells on the diagonal, and of the others those with the most weight."""
        if len(self.rows) <= most:
            return self
        on_diagonal = np.asarray(self.truth) == np.asarray(self.called)
        order = np.lexsort((-np.asarray(self.weight), ~on_diagonal))  # the diagonal first
        kept = np.sort(order[: max(most, int(on_diagonal.sum()))]).tolist()
        return ConfusionMatrix(
            self.classes,
            [self.truth[i] for i in kept],
            [self.called[i] for i in kept],
            [self.rows[i] for i in kept],
            [self.weight[i] for i in kept],
            self.whole,
            self.left_out + len(self.rows) - len(kept),
        )

    @property
    def matrix(self) -> Array:
        """All cells, those of label j and prediction k at [j, k]."""
        n = len(self.classes)
        if n > _MOST_CLASSES:
            raise InputError(
                Text(
                    f"a matrix of {n:,} classes has {n * n:,} cells, most of them empty; `to_frame()` has the "
                    f"{len(self.rows):,} others.",
                    f"{n:,} 个类别的矩阵有 {n * n:,} 个单元格，大部分为空；`to_frame()` 给出其余 "
                    f"{len(self.rows):,} 个。",
                )
            )
        made = np.zeros((n, n))
        made[list(self.truth), list(self.called)] = self.weight
        return made

    def to_frame(self) -> pl.DataFrame:
        """A row for each cell that is not empty: label, prediction, rows, weight, share of the label; largest first."""
        import polars as pl

        whole = np.asarray(self.whole, dtype=np.float64)
        weight = np.asarray(self.weight, dtype=np.float64)
        frame = pl.DataFrame(
            {
                "label": [self.classes[i] for i in self.truth],
                "prediction": [self.classes[i] for i in self.called],
                "rows": list(self.rows),
                "weight": weight,
                "share_of_label": weight / whole[list(self.truth)],
            },
            schema_overrides={"label": pl.String, "prediction": pl.String, "rows": pl.Int64},
        )
        return frame.sort("weight", descending=True, maintain_order=True)

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        return self.to_frame().to_dicts()

    def mistakes(self, most: int = 10) -> list[dict[str, Any]]:
        """The cells off the diagonal, the largest first."""
        rows = self.to_frame().iter_rows(named=True)
        wrong = (r for r in rows if r["label"] != r["prediction"])
        return [r for _, r in zip(range(most), wrong, strict=False)]

    def __repr__(self) -> str:
        cells = counted(len(self.rows), "cell", "个单元格")
        return f"<ConfusionMatrix of {len(self.classes):,} classes: {cells}>"
