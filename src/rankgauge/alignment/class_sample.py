"""Rows of a class, and of what a model called it: the twin of `Sample` for several classes.

What all measures of classes share is made once: how many rows of each class there are, how many were called so, how
many rightly (the margins and the diagonal of the confusion matrix), its cells that are not empty, and where the true
class stands among the probabilities. A matrix of all classes is never made: there may be thousands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from rankgauge.alignment.sample import Sample
from rankgauge.alignment.segments import Array
from rankgauge.alignment.weighted_rows import Shares, WeightedRows
from rankgauge.statistics.exact_sums import CHUNK, ExactSums, add_digits

__all__ = ["Cells", "ClassCounts", "ClassSample"]

_PIECE = 1 << 20  # probabilities that are looked at together


class ClassCounts(NamedTuple):
    """Rows (or their weight) of each class: the diagonal and the margins of the confusion matrix."""

    right: Array
    """Rows of the class that were called so."""
    truth: Array
    """Rows of the class."""
    called: Array
    """Rows that were called so."""

    @property
    def occurs(self) -> Array:
        """Classes that are in the labels or in the predictions, as a mask."""
        mask: Array = (self.truth > 0) | (self.called > 0)
        return mask


class Cells(NamedTuple):
    """The cells of the confusion matrix that are not empty, by label and then by what was called."""

    truth: Array
    called: Array
    weight: Array
    rows: Array


@dataclass(frozen=True, eq=False)
class ClassSample(WeightedRows):
    """Classes of rows and what one model said about them."""

    label: Array
    """The number of the class of each row."""
    called: Array
    """The number of the class that was predicted."""
    classes: Sequence[str]
    """The names of the classes by their numbers."""
    probability: Array | None = None
    """Of each row and class; None where only predicted classes are known."""
    weight: Array | None = None
    group: Array | None = None
    n_groups: int = 0

    def __len__(self) -> int:
        return len(self.label)

    @cached_property
    def truth(self) -> Array:
        """The class of each row by its place among the names that labels have: another model may know more classes."""
        there = np.unique(self.label)
        names = [self.classes[int(i)] for i in there]
        place = np.empty(len(names), dtype=np.int64)
        place[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
        of_row: Array = place[np.searchsorted(there, self.label)]
        return of_row

    @cached_property
    def digest(self) -> str:
        from hashlib import sha256

        names = "\0".join(sorted(self.classes[int(i)] for i in np.unique(self.label)))
        return sha256(f"{super().digest}\n{names}".encode()).hexdigest()[:16]

    @property
    def n_classes(self) -> int:
        return len(self.classes)

    def rows(self, chosen: Array) -> ClassSample:
        """Only these rows, by mask or by number."""
        return replace(
            self,
            label=self.label[chosen],
            called=self.called[chosen],
            probability=None if self.probability is None else self.probability[chosen],
            weight=None if self.weight is None else self.weight[chosen],
            group=None if self.group is None else self.group[chosen],
        )

    # the confusion matrix

    @cached_property
    def is_right(self) -> Array:
        """Rows whose class was predicted, as a mask."""
        mask: Array = self.label == self.called
        return mask

    @cached_property
    def counts(self) -> ClassCounts:
        """The diagonal and the margins, exact for any order of the rows."""
        right = self.label[self.is_right]
        if self.weight is None:
            made = [np.bincount(x, minlength=self.n_classes) for x in (right, self.label, self.called)]
            return ClassCounts(*(x.astype(np.float64) for x in made))
        weights = (self.weight[self.is_right], self.weight, self.weight)
        places = (right, self.label, self.called)
        return ClassCounts(*(_sums(w, x, self.n_classes) for w, x in zip(weights, places, strict=True)))

    @cached_property
    def cells(self) -> Cells:
        """The cells that are not empty."""
        place = self.label.astype(np.int64) * self.n_classes + self.called
        cell, of_row, rows = np.unique(place, return_inverse=True, return_counts=True)
        weight = rows.astype(np.float64) if self.weight is None else _sums(self.weight, of_row, len(cell))
        return Cells(cell // self.n_classes, cell % self.n_classes, weight, rows)

    def excess_of_each(self, which: str) -> Array:
        """`excess` for the numbers of each class by itself: over its rows (`truth`), those called so (`called`), or
        both of them (`either`)."""
        if self.weight is None:
            return np.zeros(self.n_classes)
        unit = np.arange(len(self)) if self.group is None else self.group.astype(np.int64)
        weight = self.weight / self.weight.max()
        of_label, of_call = (unit * self.n_classes + of_row for of_row in (self.label, self.called))
        place, w = of_label, weight
        if which == "called":
            place = of_call
        elif which == "either":
            wrong = ~self.is_right
            place, w = np.concatenate([of_label, of_call[wrong]]), np.concatenate([weight, weight[wrong]])
        cell, of_entry = np.unique(place, return_inverse=True)
        sums = np.bincount(of_entry, weights=w, minlength=len(cell)), np.bincount(of_entry, minlength=len(cell))
        of_class = cell % self.n_classes
        both = [np.bincount(of_class, x**k, self.n_classes) for x in sums for k in (1, 2)]
        return np.array([Shares(*row).excess for row in np.stack(both, axis=1).tolist()])

    # probabilities

    @cached_property
    def of_truth(self) -> Array:
        """The probability that each row's own class was given."""
        assert self.probability is not None
        given: Array = self.probability[np.arange(len(self)), self.label]
        return given

    @cached_property
    def squares(self) -> Array:
        """Σ p² over the classes of each row."""
        assert self.probability is not None
        sums: Array = np.einsum("ij,ij->i", self.probability, self.probability)
        return sums

    @cached_property
    def places(self) -> tuple[Array, Array]:
        """For each row how many classes have a higher probability than its own one, and how many the same, with it."""
        assert self.probability is not None
        above, level = np.empty(len(self), dtype=np.int64), np.empty(len(self), dtype=np.int64)
        step = max(1, _PIECE // self.n_classes)
        for start in range(0, len(self), step):
            part = slice(start, start + step)
            own = self.of_truth[part, None]
            above[part] = np.count_nonzero(self.probability[part] > own, axis=1)
            level[part] = np.count_nonzero(self.probability[part] == own, axis=1)
        return above, level

    def one_against_rest(self, number: int) -> Sample:
        """One class as positives and its probability as the score."""
        assert self.probability is not None
        score = np.ascontiguousarray(self.probability[:, number])
        return Sample(self.label == number, score, self.weight, self.group, self.n_groups)

    @cached_property
    def made(self) -> dict[str, Any]:
        """What else was made of the rows, by name, once for all measures that ask for it."""
        return {}


def _sums(values: Array, places: Array, size: int) -> Array:
    """The sum of the values at each place, the same for any order of the rows."""
    digits: dict[int, Any] = {}
    for start in range(0, len(values), CHUNK):
        part = slice(start, start + CHUNK)
        add_digits(digits, (1, size), 0, places[part], values[part])
    sums: Array = ExactSums.of(digits, (1, size)).floats()[0]
    return sums
