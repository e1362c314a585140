"""Measures that are functions of a few sums over rows: where rows lie in parts, the sums of the parts are enough.

    value = g(Σ w a, Σ w b, …)        influence of a row = w · (∂g/∂A · a + ∂g/∂B · b + …),  A = Σ w a, …

Every g here is a ratio, which does not change when all sums are doubled; so the influences add up to 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isnan, log
from typing import Any, Protocol

import numpy as np

from rankgauge.alignment.sample import Sample
from rankgauge.alignment.segments import Array
from rankgauge.measures.predictions._cells import OfCells
from rankgauge.measures.predictions.base import Facts, PredictionMeasure, Undefined
from rankgauge.measures.predictions.calibration import COPC, nothing_predicted
from rankgauge.measures.predictions.corp import UNC
from rankgauge.measures.predictions.loss import RIG, Brier, LogLoss, Relative, row_losses, squares

__all__ = ["OfSums", "RowSums", "above", "of_sums", "term"]


class RowSums(Facts, Protocol):
    """Sums over all rows, by name."""

    def sum(self, name: str) -> float: ...
    def ratio(self, top: str, bottom: str) -> float:
        """Of two sums, rounded once."""
        ...

    def read_with(self, m: PredictionMeasure) -> dict[str, Any]:
        """Counts beside a measure."""
        ...


@dataclass(frozen=True)
class OfSums:
    """A value, and how it changes with each sum."""

    value: float
    slope: Mapping[str, float]
    beside: Mapping[str, Any] = field(default_factory=dict)


def above(threshold: float, label: str) -> str:
    """The name of the weight of positives (`tp`) or negatives (`fp`) at or above a threshold."""
    return f"{label} {threshold!r}"


def term(name: str, s: Sample) -> Array:
    """What each row adds to a sum."""
    if name.startswith(("tp ", "fp ")):
        label, _, threshold = name.partition(" ")
        return s.weigh((s.label if label == "tp" else ~s.label) & (s.score >= float(threshold)))
    if name == "weight":
        return s.weigh(np.ones(len(s)))
    return s.weigh(_TERMS[name](s))


_TERMS: dict[str, Callable[[Sample], Array]] = {
    "positive": lambda s: s.label,
    "excess": lambda s: s.label**2 - s.label if s.is_soft else np.zeros(len(s)),
    "loss": row_losses,
    "squared": squares,
    "predicted": lambda s: s.probability,
}


def of_sums(m: PredictionMeasure, t: RowSums) -> OfSums | None:
    """The measure from sums alone, or None where they do not tell. Raises `Undefined`."""
    if isinstance(m, LogLoss):
        return _mean("loss", t, t.read_with(m))
    if isinstance(m, Brier):
        return _mean("squared", t)
    if isinstance(m, Relative):
        return _relative(m, t)
    if isinstance(m, COPC):
        return _copc(t)
    if isinstance(m, UNC):
        return _uncertainty(m, t)
    if isinstance(m, OfCells) and m.average == "micro":
        return _of_cells(m, t)
    return None


def _mean(name: str, t: RowSums, beside: Mapping[str, Any] | None = None) -> OfSums:
    value, weight = t.ratio(name, "weight"), t.sum("weight")
    return OfSums(value, {name: 1 / weight, "weight": -value / weight}, beside or {})


def _relative(m: Relative, t: RowSums) -> OfSums:
    """Log loss over that of the base rate, which depends on the share of positives as well."""
    below, loss, weight = m.baseline(t), t.ratio("loss", "weight"), t.sum("weight")
    by_rate = -loss * m.slope(t) / below**2 / weight
    slope = {"loss": 1 / below / weight, "positive": by_rate}
    slope["weight"] = -loss / below / weight - by_rate * t.prevalence
    ne = loss / below
    if isinstance(m, RIG):
        return OfSums(1 - ne, {name: -x for name, x in slope.items()}, m.beside(t))
    return OfSums(ne, slope, m.beside(t))


def _copc(t: RowSums) -> OfSums:
    predicted = t.sum("predicted")
    if not predicted:
        raise nothing_predicted()
    value = t.ratio("positive", "predicted")
    beside = {"predicted": predicted / t.sum("weight"), "observed": t.prevalence}
    return OfSums(value, {"positive": 1 / predicted, "predicted": -value / predicted}, beside)


def _uncertainty(m: Any, t: RowSums) -> OfSums:
    r, weight, positive = t.prevalence, t.sum("weight"), t.sum("positive")
    if m.loss == "brier":
        value = (positive * (1 - r) ** 2 + (weight - positive) * r**2 + t.sum("excess")) / weight
        slope = {"positive": (1 - 2 * r) / weight, "weight": (r**2 - value) / weight}
        return OfSums(value, {**slope, "excess": 1 / weight} if t.is_soft else slope)
    of_positive, of_negative = (-log(max(x, 1e-300)) for x in (r, 1 - r))
    value = (positive * of_positive + (weight - positive) * of_negative) / weight
    return OfSums(value, {"positive": (of_positive - of_negative) / weight, "weight": (of_negative - value) / weight})


def _of_cells(m: OfCells, t: RowSums) -> OfSums:
    """The four cells from the sums at or above the threshold and those of all rows."""
    names = above(m.threshold, "tp"), above(m.threshold, "fp")
    tp, fp = (t.sum(name) for name in names)
    positive = t.sum("positive")
    cells = np.array([tp, fp, positive - tp, t.sum("weight") - positive - fp])
    value = float(m.of_cells(cells))
    if isnan(value):
        raise Undefined(m.empty)
    d_tp, d_fp, d_fn, d_tn = m.slope(cells).tolist()
    slope = {names[0]: d_tp - d_fn, names[1]: d_fp - d_tn, "positive": d_fn - d_tn, "weight": d_tn}
    return OfSums(value, slope, m.beside(t))  # type: ignore[arg-type]
