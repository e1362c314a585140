"""What samples of labels and scores and samples of classes share: weights of rows, and groups of rows that belong
together.

Intervals rest on what weights leave of the independent units (groups, or rows). With the weight W_u and the number M_u
of the rows of a unit that a number looks at, W and M those of all N units,

    left = 1 / (1/N + Σ (W_u/W)² - Σ (M_u/M)²),  never more than N

Rows without groups that all count leave (Σw)² / Σw² (Kish 1965), and equal weights leave every unit. One row of weight
1,000 among 200 leaves 1.4: its own value is near any mean that it decides, so that the spread around it says nothing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import astuple, dataclass
from functools import cached_property

import numpy as np

from rankgauge.alignment.segments import Array
from rankgauge.statistics.exact_sums import exact_sum, exact_units

__all__ = ["Shares", "WeightedRows", "left_by", "units_left"]

_ROUNDING = 1e-12  # equal weights make equal shares, but for rounding


def left_by(weights: Array) -> float:
    """How many of equal weight say as much: (Σw)² / Σw², Kish (1965). One row of weight 1,000 among 200 leaves 1.4."""
    if not len(weights):
        return 0.0
    w = weights / weights.max()
    return float(w.sum() ** 2 / (w**2).sum())


def units_left(n: int, excess: float) -> float:
    """What weights leave of n units: all of them where their shares are no less equal than without weights."""
    return 1 / (1 / n + excess) if n and excess > 0 else n


@dataclass(frozen=True)
class Shares:
    """How unequally weights share a number among units, in sums that add up."""

    weight: float = 0.0
    weight_squares: float = 0.0
    rows: float = 0.0
    row_squares: float = 0.0

    @classmethod
    def of(cls, weight: Array, rows: Array) -> Shares:
        """Of the weight and the number of rows of each unit; weights so scaled that their squares are no trouble."""
        return cls(float(weight.sum()), float(weight @ weight), float(rows.sum()), float(rows @ rows))

    def __add__(self, other: Shares) -> Shares:
        return Shares(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    @property
    def excess(self) -> float:
        """Σ (W_u/W)² - Σ (M_u/M)², at least 0."""
        if not self.weight or not self.rows:
            return 0.0
        before = self.row_squares / self.rows**2
        found = self.weight_squares / self.weight**2 - before
        return found if found > _ROUNDING * before else 0.0


class WeightedRows(ABC):
    """Rows with a weight each, in groups; a sample says what else they have."""

    weight: Array | None
    """None: each row counts once."""
    group: Array | None
    """For each row the number of its group: user, query, session. Groups are the clusters of all intervals."""
    n_groups: int

    @abstractmethod
    def __len__(self) -> int: ...

    @property
    @abstractmethod
    def truth(self) -> Array:
        """What happened in each row, as numbers that mean the same in every sample of these rows."""

    # sums

    def weigh(self, values: Array) -> Array:
        """Values times the weight of their rows."""
        return np.asarray(values, dtype=np.float64) if self.weight is None else values * self.weight

    def sum(self, values: Array) -> float:
        """The weighted sum over all rows, the same for any order of them."""
        return exact_sum(self.weigh(values))

    def mean(self, values: Array) -> float:
        """The weighted mean over all rows, rounded once."""
        return exact_units(self.weigh(values)) / self.units

    @cached_property
    def units(self) -> int:
        """The weight of all rows in units of 2^-1074: the denominator of means."""
        return exact_units(np.ones(1)) * len(self) if self.weight is None else exact_units(self.weight)

    @cached_property
    def total(self) -> float:
        """The weight of all rows."""
        return float(len(self)) if self.weight is None else exact_sum(self.weight)

    # clusters

    @property
    def unit_weights(self) -> Array:
        """What each group weighs, or each row; groups and rows without weights count once."""
        if self.group is None:
            return np.ones(len(self)) if self.weight is None else self.weight
        if self.weight is None:
            return np.ones(int(self.filled.sum()))
        return np.bincount(self.group, weights=self.weight, minlength=self.n_groups)[self.filled]

    @property
    def has_groups(self) -> bool:
        return self.group is not None

    @cached_property
    def digest(self) -> str:
        """Of labels, groups and weights in the order of the rows: what two models share that can be paired."""
        from hashlib import sha256  # a few milliseconds that only stored evaluations pay

        found = sha256()
        for name, kind in (("label", "<f8"), ("group", "<i8"), ("weight", "<f8")):
            values = self.truth if name == "label" else getattr(self, name)
            found.update(f"{name} {-1 if values is None else len(values)}\n".encode())
            if values is not None:
                found.update(np.ascontiguousarray(values, dtype=kind).tobytes())
        return found.hexdigest()[:16]

    @cached_property
    def filled(self) -> Array:
        """Groups that have rows, as a mask."""
        assert self.group is not None
        mask: Array = np.bincount(self.group, minlength=self.n_groups) > 0
        return mask

    @property
    def n_units(self) -> int:
        """Independent units: groups that have rows, or rows."""
        return len(self) if self.group is None else int(self.filled.sum())

    def excess(self, counted: Array | None = None) -> float:
        """How much less equally the units share a number because of weights; `counted` are the rows it looks at."""
        if self.weight is None or not len(self):
            return 0.0
        rows = np.ones(len(self)) if counted is None else np.asarray(counted, dtype=np.float64)
        return Shares.of(self.by_cluster(rows * (self.weight / self.weight.max())), self.by_cluster(rows)).excess

    @cached_property
    def left(self) -> float:
        """What weights leave of all units."""
        return units_left(self.n_units, self.excess())

    def by_cluster(self, influence: Array) -> Array:
        """Influence values of rows summed in each group, or as they are where rows have no groups."""
        if self.group is None:
            return influence
        return np.bincount(self.group, weights=influence, minlength=self.n_groups)[self.filled]
