"""The result of evaluating several classes: one number per measure, each class by itself, what was taken for what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from rankgauge._numbers import counted
from rankgauge._plain_data import read_value, stored_fields
from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.alignment.class_sample import ClassSample
from rankgauge.data.class_predictions import ClassPredictions
from rankgauge.errors import InputError
from rankgauge.evaluation.predictions.asking import wanted_class_measures
from rankgauge.evaluation.predictions.of_rows import RowEvaluation, RowEvaluations, estimate, heavy_rows
from rankgauge.evaluation.predictions.per_class import ConfusionMatrix, PerClass
from rankgauge.evaluation.predictions.policy import PredictionPolicy
from rankgauge.measures.classes.base import ClassMeasure
from rankgauge.measures.grammar import parse_class
from rankgauge.statistics.clusters import t_interval_of

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ClassEvaluation", "ClassEvaluations", "evaluate_classes"]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ClassEvaluation(RowEvaluation, kind="classes", schema=1):
    """Numbers of one model that tells several classes apart.

    `ev["Accuracy"]`, `ev["f1_macro"]`, `ev.interval("Kappa")` as with all evaluations; `ev.per_class` has precision,
    recall and F1 of each class with intervals, `ev.confusion()` what was taken for what.
    """

    predictions: ClassPredictions | None = None
    """The rows; None after reading a stored evaluation."""
    sample: ClassSample | None = None
    each: PerClass
    """Each class by itself."""
    cells: ConfusionMatrix

    @property
    def _about(self) -> tuple[str, str]:
        n = len(self.each.classes)
        return self.data, f"{counted(self.counts['rows'], 'row', '行').en}, {n:,} class{'' if n == 1 else 'es'}"

    @classmethod
    def _parsed(cls, name: Any) -> ClassMeasure:
        return parse_class(name)

    @property
    def classes(self) -> list[str]:
        """The names of all classes."""
        return list(self.each.classes)

    def confusion(self) -> ConfusionMatrix:
        """Rows (or their weight) by label and prediction: `.to_frame()` the cells, `.matrix` all of them."""
        return self.cells

    @cached_property
    def per_class(self) -> pl.DataFrame:
        """A Polars frame: `class`, `rows` (or their weight), `called` (predicted so), `right`, then `precision`,
        `recall` and `f1`, each with `_low` and `_high`; null where undefined."""
        import polars as pl

        data: dict[str, Any] = {"class": list(self.each.classes)}
        data |= {"rows": self.each.truth, "called": self.each.called, "right": self.each.right}
        for name, errors in self.each.errors.items():
            values = self.each.values(name)
            ends = [
                t_interval_of(v, e or float("nan"), n, self.confidence_level).clipped(0.0, 1.0)
                for v, e, n in zip(values.tolist(), errors, self.each.units_left(name), strict=True)
            ]
            for key, column in (
                (name, values.tolist()),
                (f"{name}_low", [end.low for end in ends]),
                (f"{name}_high", [end.high for end in ends]),
            ):
                data[key] = pl.Series(column, dtype=pl.Float64, strict=False).fill_nan(None)
        return pl.DataFrame(data, schema_overrides={"class": pl.String})

    # plain data

    def _also(self) -> dict[str, Any]:
        return {"each": stored_fields(self.each), "cells": stored_fields(self.cells.largest())}

    @classmethod
    def _from_plain(cls, data: Any) -> Self:
        from rankgauge.evaluation.stored_shapes import StoredClasses, refuse_damaged

        refuse_damaged(data, StoredClasses)
        each, cells = read_value(PerClass, data["each"], "each"), read_value(ConfusionMatrix, data["cells"], "cells")
        n = len(each.classes)
        lists = (each.right, each.truth, each.called, each.rows, *each.errors.values(), cells.whole)
        sizes = {len(x) for x in (cells.truth, cells.called, cells.rows, cells.weight)}
        places = [*cells.truth, *cells.called]
        fits = all(len(x) == n for x in lists) and len(sizes) == 1 and list(cells.classes) == list(each.classes)
        if not fits or not n or any(i < 0 or i >= n for i in places) or not sum(each.truth) > 0:
            raise InputError(
                Text(
                    "not what was stored: its classes and their counts do not fit each other. Store it again.",
                    "与保存的内容不符：类别与计数对不上。请重新保存。",
                )
            )
        return cls(**cls._given(data), each=each, cells=cells)


class ClassEvaluations(RowEvaluations[ClassEvaluation], kind="classes_by_name", schema=1):
    """Evaluations of several models that tell the same classes apart, by name."""


def evaluate_classes(
    rows: ClassPredictions,
    measures: Any | Iterable[Any] | None,
    policy: PredictionPolicy,
    confidence_level: float,
) -> ClassEvaluation | ClassEvaluations:
    """Every model on the rows; the only one by itself."""
    made = {model: _one(rows, model, measures, policy, confidence_level) for model in rows.called}
    return next(iter(made.values())) if len(made) == 1 else ClassEvaluations(made)


def _one(
    rows: ClassPredictions, model: str, measures: Any, policy: PredictionPolicy, confidence_level: float
) -> ClassEvaluation:
    given = rows.probabilities.get(model)
    sample = ClassSample(
        rows.label,
        rows.called[model],
        rows.classes,
        given,
        rows.weight,
        None if rows.group is None else rows.group.codes,
        0 if rows.group is None else rows.group.n,
    )
    asked: Sequence[tuple[str, ClassMeasure]] = wanted_class_measures(measures, sample)
    return ClassEvaluation(
        columns=[estimate(label, m, sample) for label, m in asked],
        policy=replace(
            policy,
            scale=policy.scale if given is None else "probability",
            clusters="" if rows.group is None else rows.group.column,
            weight="" if rows.weight is None else "weight",
        ),
        counts={
            "rows": len(sample),
            "classes": sample.n_classes,
            "weight": sample.total,
            "groups": None if sample.group is None else sample.n_units,
            "zero_weight_rows": rows.zero_weight_rows,
        },
        confidence_level=confidence_level,
        remarks=(*rows.notes, *heavy_rows(sample.n_units, sample.left, sample.has_groups)),
        version=__version__,
        model=model,
        data=rows.name,
        predictions=rows,
        sample=sample,
        each=PerClass.of(sample),
        cells=ConfusionMatrix.of(sample),
    )
