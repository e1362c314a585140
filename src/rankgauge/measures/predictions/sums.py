"""Measures that are functions of a few sums over rows: where rows lie in parts, the sums of the parts are enough.

    value = g(Σ w a, Σ w b, …)        influence of a row = w · (∂g/∂A · a + ∂g/∂B · b + …),  A = Σ w a, …

Every g is a ratio, which does not change when all sums are doubled; so the influences add up to 0. A measure writes its
g once, as `of_sums`, for whoever knows the sums: a sample (`SampleSums`), or the totals of rows that lie elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import Protocol

import numpy as np

from rankgauge.alignment.bins import Bins
from rankgauge.alignment.certified import CalibrationBins
from rankgauge.alignment.pieces import in_pieces
from rankgauge.alignment.sample import Sample
from rankgauge.alignment.score_bins import ScoreBins
from rankgauge.alignment.segments import Array
from rankgauge.statistics.exact_sums import exact_units, from_units

__all__ = [
    "CLIP",
    "EVERY_ROW",
    "NEGATIVES",
    "POSITIVES",
    "TERMS",
    "CountedRows",
    "Facts",
    "OfSums",
    "RowSums",
    "SampleSums",
    "Term",
    "Terms",
    "Totals",
    "cell_of_row",
    "clipped_rows",
    "row_losses",
    "squares",
]

CLIP = 1e-15
_CLIP_LOGIT = log((1 - CLIP) / CLIP)
_ROUNDING = 2.0**-50


# what each row adds to a sum


def row_losses(s: Sample, part: slice | Array = slice(None)) -> Array:
    """-[y ln p + (1-y) ln(1-p)] of each row."""
    label, score = s.label[part], s.corrected(s.score[part])
    if s.scale == "logit":  # ln(1 + e^-|z|) neither overflows nor cancels
        z = np.clip(score, -_CLIP_LOGIT, _CLIP_LOGIT)
        made: Array = np.maximum(z, 0.0) - z * label + np.log1p(np.exp(-np.abs(z)))
        return made
    p = np.clip(score, CLIP, 1.0 - CLIP)
    of_negatives: Array = -np.log1p(-p)  # not log(1-p), which loses the digits of a small p
    if s.is_soft:
        soft: Array = (1.0 - label) * of_negatives - label * np.log(p)
        return soft
    ones = np.flatnonzero(label)  # one logarithm a row
    of_negatives[ones] = -np.log(p[ones])
    return of_negatives


def clipped_rows(s: Sample) -> Array:
    """The rows whose probability is too near to 0 or 1 to be taken at its word."""
    score = s.corrected(s.score)
    if s.scale == "logit":
        return np.flatnonzero(np.abs(score) > _CLIP_LOGIT)
    return np.flatnonzero((score < CLIP) | (score > 1 - CLIP))


def squares(s: Sample) -> Array:
    """(p - y)² of each row."""
    made: Array = (s.probability - s.label) ** 2
    return made


@dataclass(frozen=True)
class Term:
    """What each row adds to a sum, before its weight."""

    of: Callable[[Sample], Array]
    of_probabilities: bool = False
    """Whether it can be told only where scores are probabilities."""
    soft_only: bool = False
    """Whether it is 0 for labels that are 0 or 1."""


TERMS: dict[str, Term] = {
    "weight": Term(lambda s: np.ones(1)),  # the same for all rows
    "positive": Term(lambda s: s.label),
    "excess": Term(lambda s: s.label**2 - s.label if s.is_soft else np.zeros(1), soft_only=True),
    "loss": Term(row_losses, of_probabilities=True),
    "squared": Term(squares, of_probabilities=True),
    "predicted": Term(lambda s: s.probability, of_probabilities=True),
}
"""The sums that measures can be made from, by name: here, and nowhere else, is a new one added."""


class Terms(dict[str, Array]):
    """What each row adds to each sum, before its weight; made when asked for."""

    def __init__(self, s: Sample) -> None:
        super().__init__()
        self.sample = s

    def __missing__(self, name: str) -> Array:
        self[name] = made = TERMS[name].of(self.sample)
        return made

    def weighed(self, name: str) -> Array:
        """What each row adds to a sum."""
        return self.sample.weigh(np.broadcast_to(self[name], len(self.sample)))


def cell_of_row(s: Sample, threshold: float) -> Array:
    """0 tp, 1 fp, 2 fn, 3 tn."""
    cell: Array = np.where(s.label, 0, 1) + np.where(s.score >= threshold, 0, 2)
    return cell


@dataclass(frozen=True)
class CountedRows:
    """The rows that a number looks at: by their cell at a threshold, which does not matter where it parts none."""

    cells: tuple[bool, bool, bool, bool]
    """Of tp, fp, fn and tn."""
    threshold: float = 0.0

    def of(self, s: Sample) -> Array | None:
        """Their part of each row; None where all rows count."""
        tp, fp, fn, tn = self.cells
        if tp and fp and fn and tn:
            return None
        above = s.score >= self.threshold
        made: Array = np.where(above, tp, fn) * (s.label * 1.0) + np.where(above, fp, tn) * (1.0 - s.label)
        return made


EVERY_ROW = CountedRows((True, True, True, True))
POSITIVES, NEGATIVES = CountedRows((True, False, True, False)), CountedRows((False, True, False, True))


# sums over all rows


class Facts(Protocol):
    """What decides whether rows can answer at all: a sample knows it, and the totals of rows that lie elsewhere."""

    def __len__(self) -> int: ...
    @property
    def is_soft(self) -> bool: ...
    @property
    def between(self) -> int: ...
    @property
    def scale(self) -> str: ...
    @property
    def outside(self) -> int: ...
    @property
    def ends(self) -> tuple[float, float]: ...
    @property
    def has_groups(self) -> bool: ...
    @property
    def has_both_classes(self) -> bool: ...
    @property
    def n_positives(self) -> float: ...
    @property
    def n_negatives(self) -> float: ...
    @property
    def total(self) -> float: ...
    @property
    def prevalence(self) -> float: ...


class RowSums(Protocol):
    """Sums over all rows, by name: those of `TERMS`, and clipped_loss."""

    @property
    def is_soft(self) -> bool: ...
    @property
    def prevalence(self) -> float: ...
    @property
    def n_clipped(self) -> int:
        """Rows whose probability was clipped."""
        ...

    def sum(self, name: str) -> float: ...
    def ratio(self, top: str, bottom: str) -> float:
        """Of two sums, rounded once."""
        ...

    def cells(self, threshold: float) -> Array:
        """The weight of (tp, fp, fn, tn)."""
        ...


class Totals(RowSums, Facts, Protocol):
    """Sums over rows that lie elsewhere, and how they lie along the scores."""

    weighted: bool
    bins: ScoreBins

    @property
    def calibration(self) -> CalibrationBins: ...
    @property
    def binned(self) -> Sample: ...
    def of_equal_width(self, n: int) -> Bins: ...


class SampleSums:
    """The sums of rows that are here, each made once."""

    def __init__(self, s: Sample) -> None:
        self.sample, self.is_soft = s, s.is_soft
        self._units: dict[str, int] = {}

    @classmethod
    def of(cls, s: Sample) -> SampleSums:
        """Those of a sample, which keeps them."""
        if "sums" not in s.made:
            s.made["sums"] = cls(s)
        found: SampleSums = s.made["sums"]
        return found

    @cached_property
    def _clipped(self) -> Array:
        return clipped_rows(self.sample)

    @property
    def prevalence(self) -> float:
        return self.sample.prevalence

    @property
    def n_clipped(self) -> int:
        return len(self._clipped)

    def _in_units(self, name: str) -> int:
        if name not in self._units:
            self._units[name] = self._added(name)
        return self._units[name]

    def _added(self, name: str) -> int:
        s = self.sample
        if name == "weight":
            return s.units
        if name == "clipped_loss":
            return exact_units(s.rows(self._clipped).weigh(row_losses(s, self._clipped)))
        if name != "loss":
            return exact_units(Terms(s).weighed(name))

        def piece(part: slice) -> int:  # no second array of all rows is needed
            losses = row_losses(s, part)
            return exact_units(losses if s.weight is None else losses * s.weight[part])

        return sum(in_pieces(piece, len(s), 1 << 16))

    def sum(self, name: str) -> float:
        return from_units(self._in_units(name))

    def ratio(self, top: str, bottom: str) -> float:
        return self._in_units(top) / self._in_units(bottom)

    def cells(self, threshold: float) -> Array:
        return np.array(self.sample.sweep.confusion(threshold))


# functions of them


@dataclass(frozen=True)
class OfSums:
    """A value, and how it changes with each sum."""

    value: float
    slope: Mapping[str, float]
    """Times `over`, by the name of the sum; at a threshold by the four cells: tp, fp, fn, tn."""
    over: float = 1.0
    threshold: float | None = None

    def influence(self, s: Sample, terms: Terms | None = None) -> Array:
        """How much each row moves the value."""
        return self._parts(s, terms)[0]

    def clusters(self, s: Sample, terms: Terms | None = None) -> Array:
        """That of each group, or of each row; what is nothing but rounding is 0, as where all have the same loss."""
        rows, size = self._parts(s, terms)
        line, size = s.by_cluster(rows), s.by_cluster(size)
        line[np.abs(line) <= _ROUNDING * size] = 0.0
        return line

    def _parts(self, s: Sample, terms: Terms | None) -> tuple[Array, Array]:
        """The influences, and how large the terms are that they are made of."""
        if self.threshold is not None:
            rows = s.weigh(np.array(list(self.slope.values()))[cell_of_row(s, self.threshold)])
            return rows, np.abs(rows)
        made = Terms(s) if terms is None else terms
        parts = [slope * made[name] for name, slope in self.slope.items()]
        sizes = [np.abs(part) for part in parts]
        rows, size = (s.weigh(np.broadcast_to(sum(x[1:], x[0]), len(s))) / self.over for x in (parts, sizes))
        return rows, size
