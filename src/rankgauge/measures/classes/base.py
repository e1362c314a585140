"""What a measure of several classes is, and the ways in which rows become its value.

from counts   `of_shares`: a function of the diagonal and the margins of the confusion matrix, with its slopes
from means    `of_rows`: the mean of a number of each row

The influence of a row follows from either. With r, t and q the shares of all rows that are called rightly, are of, and
are called each class, a row of class y that is called p moves g(r, t, q) by

    w/W · (∂g/∂t_y + ∂g/∂q_p + [y = p] ∂g/∂r_y - Σ (∂g/∂r · r + ∂g/∂t · t + ∂g/∂q · q))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Unpack

import numpy as np

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment.class_sample import ClassCounts, ClassSample
from rankgauge.alignment.segments import Array
from rankgauge.measures.definition import RecordWords, Registry
from rankgauge.measures.predictions.base import Beside, RowMeasure, Undefined

__all__ = ["CLASSES", "ClassCase", "ClassMeasure", "OfCounts", "OfRows", "Slopes", "measure", "names_of_classes"]

_NAMED = 3  # classes that are named beside a value; of more there is a count


@dataclass(frozen=True)
class ClassCase:
    """Rows few enough to check by hand, and the arithmetic as a Python expression."""

    label: Sequence[str]
    sum: str
    prediction: Sequence[str] | None = None
    probability: Sequence[Mapping[str, float]] | None = None
    """Of each row the probabilities by class."""
    params: Mapping[str, Any] = field(default_factory=dict)

    def rows(self) -> list[dict[str, Any]]:
        """Row by row."""
        made: list[dict[str, Any]] = [{"label": label} for label in self.label]
        for i, row in enumerate(made):
            if self.prediction is not None:
                row["prediction"] = self.prediction[i]
            if self.probability is not None:
                row |= {f"p_{name}": p for name, p in self.probability[i].items()}
        return made


class ClassMeasure(RowMeasure):
    """Base of the measures of several classes."""

    example: ClassVar[ClassCase | None] = None
    needs_spread = True

    @property
    def favours_frequent(self) -> bool:
        """Whether always saying the most frequent class can look good."""
        return False

    @property
    def is_by_class(self) -> bool:
        """Whether every class counts the same, however few rows it has."""
        return False

    def excess(self, s: ClassSample) -> float:
        """Where every class counts the same, the mean of n numbers that each have a share of their own: Σ / n²."""
        found = s.excess()
        if not self.is_by_class or s.weight is None:
            return found
        each = s.excess_of_each("either")
        return max(found, float(each.sum()) / max(int(np.count_nonzero(s.counts.occurs)), 1) ** 2)

    def check(self, s: ClassSample) -> None:
        """Raise `Undefined` where the rows cannot answer."""
        if "probabilities" in self.needs and s.probability is None:
            raise Undefined(
                Text(
                    "needs probabilities; the input has only predicted classes. Give each class a column p_<class>",
                    "需要概率；输入中只有预测类别。请为每个类别提供一列 p_<类别>",
                )
            )

    def of(
        self,
        label: Sequence[Any],
        prediction: Sequence[Any] | None = None,
        probability: Sequence[Mapping[Any, float]] | None = None,
        weight: Sequence[float] | None = None,
        group: Sequence[int] | None = None,
    ) -> float:
        """Value of a few rows: predicted classes, or probabilities by class, or both. NaN where it is undefined.

        Where only probabilities are given, the most probable class is the predicted one, the first of equal ones.
        """
        names = list(dict.fromkeys([*(probability[0] if probability else ()), *label, *(prediction or ())]))
        number = {name: i for i, name in enumerate(names)}
        matrix = None
        if probability is not None:
            matrix = np.array([[float(row.get(name, 0.0)) for name in names] for row in probability])
        called = [number[x] for x in prediction] if prediction is not None else np.argmax(matrix, axis=1)  # type: ignore[arg-type]
        sample = ClassSample(
            np.array([number[x] for x in label]),
            np.asarray(called),
            [str(name) for name in names],
            matrix,
            None if weight is None else np.asarray(weight, dtype=np.float64),
            None if group is None else np.asarray(group),
            0 if group is None else max(group) + 1,
        )
        try:
            self.check(sample)
            return self.value(sample)
        except Undefined:
            return float("nan")


@dataclass(frozen=True)
class Slopes:
    """The derivatives of a value by the shares of rows; arrays over classes."""

    right: Array | float = 0.0
    truth: Array | float = 0.0
    called: Array | float = 0.0


class OfCounts(ClassMeasure):
    """Base of the measures made of the diagonal and the margins of the confusion matrix."""

    def of_shares(self, c: ClassCounts, s: ClassSample) -> tuple[float, Slopes]:
        """The value and its slopes, of counts that are shares of all rows. Raises `Undefined`."""
        raise NotImplementedError  # pragma: no cover - every measure has its own

    def value(self, s: ClassSample) -> float:
        return self.of_shares(_shares(s), s)[0]

    def influence(self, s: ClassSample) -> Array:
        c = _shares(s)
        slopes = self.of_shares(c, s)[1]
        right, truth, called = (np.broadcast_to(x, s.n_classes) for x in (slopes.right, slopes.truth, slopes.called))
        moved = truth[s.label] + called[s.called] + np.where(s.is_right, right[s.label], 0.0)
        centre = float(right @ c.right + truth @ c.truth + called @ c.called)
        return s.weigh(moved - centre) / s.total


def _shares(s: ClassSample) -> ClassCounts:
    return ClassCounts(*(x / s.total for x in s.counts))


class OfRows(ClassMeasure):
    """Base of the measures that are the mean of a number of each row."""

    def of_rows(self, s: ClassSample) -> Array:
        """The number of each row."""
        raise NotImplementedError  # pragma: no cover - every measure has its own

    def value(self, s: ClassSample) -> float:
        return s.mean(self.of_rows(s))

    def influence(self, s: ClassSample) -> Array:
        values = self.of_rows(s)
        return s.weigh(values - s.mean(values)) / s.total

    def per_group(self, s: ClassSample) -> Array:
        assert s.group is not None
        above = np.bincount(s.group, s.weigh(self.of_rows(s)), s.n_groups)
        below = np.bincount(s.group, s.weigh(np.ones(len(s))), s.n_groups)
        made: Array = np.divide(above, below, out=np.full(s.n_groups, np.nan), where=below != 0)
        return made


def names_of_classes(s: ClassSample, chosen: Array) -> str:
    """Some classes by name; of many the first and how many there are."""
    places = np.flatnonzero(chosen)
    first = ", ".join(show(s.classes[int(i)]) for i in places[:_NAMED])
    return first if len(places) <= _NAMED else f"{len(places):,} ({first}, …)"


# the registry


class ClassRecordWords(RecordWords, total=False):
    """What the record of a measure of classes may say; `RowMeasure` says what each word means."""

    example: ClassCase | None
    read_with: Mapping[str, Beside]


CLASSES: Registry[ClassMeasure] = Registry(
    Text("classes", "多个类别"), ClassMeasure, ClassRecordWords, prefix="Multiclass"
)


def measure(**record: Unpack[ClassRecordWords]) -> Callable[[type[ClassMeasure]], type[ClassMeasure]]:
    """Registers a measure of classes; its name may be that of a measure of labels and scores as well."""
    return CLASSES.registering(record)
