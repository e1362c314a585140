"""Classes: which of several each row is of, which a model called it, and how probable it held each.

label        cat    text or whole numbers
prediction   dog    the same; several columns are several models
p_cat, p_dog, p_fox     a column of probabilities for each class, or a matrix with `classes=`
weight, group, time and segments where there are any
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from rankgauge._numbers import counted
from rankgauge.data._arrays import Array, Codes
from rankgauge.data.predictions import left_out

__all__ = ["ClassPredictions"]


@dataclass(frozen=True, eq=False, repr=False)
class ClassPredictions:
    """Rows of a class and what models said about it.

    >>> from rankgauge.data.class_reading import read_classes
    >>> read_classes({"label": ["cat", "dog"], "prediction": ["cat", "cat"]})
    <ClassPredictions 'predictions': 2 rows, 2 classes, 1 model>
    """

    label: Array
    """The number of the class of each row."""
    classes: tuple[str, ...]
    called: dict[str, Array]
    """By model the numbers of predicted classes."""
    probabilities: dict[str, Array] = field(default_factory=dict)
    """By model, where there are any, the probability of each row and class."""
    weight: Array | None = None
    group: Codes | None = None
    segments: dict[str, Codes] = field(default_factory=dict)
    name: str = "predictions"
    notes: tuple[str, ...] = ()
    zero_weight_rows: int = 0
    path: Path | None = None

    def __len__(self) -> int:
        return len(self.label)

    def __repr__(self) -> str:
        sizes = (
            counted(len(self), "row", "行"),
            f"{len(self.classes):,} class{'' if len(self.classes) == 1 else 'es'}",
            counted(len(self.called), "model", "个模型"),
        )
        return f"<ClassPredictions {self.name!r}: {', '.join(sizes)}>"

    def select(self, rows: Array) -> ClassPredictions:
        """These rows: a mask or indices."""
        return replace(
            self,
            label=self.label[rows],
            called={model: values[rows] for model, values in self.called.items()},
            probabilities={model: values[rows] for model, values in self.probabilities.items()},
            weight=None if self.weight is None else self.weight[rows],
            group=None if self.group is None else self.group.take(rows),
            segments={name: codes.take(rows) for name, codes in self.segments.items()},
        )

    def without_zero_weights(self) -> ClassPredictions:
        """The rows that weigh something, with a note about the others."""
        if self.weight is None or self.weight.min() > 0:
            return self
        kept = self.weight > 0
        n = len(self) - int(np.count_nonzero(kept))
        return replace(self.select(kept), zero_weight_rows=n, notes=(*self.notes, left_out(n)))
