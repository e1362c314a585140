"""What samples of labels and scores and samples of classes share: weights of rows, and groups of rows that belong
together."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from rankgauge.alignment.segments import Array
from rankgauge.statistics.exact_sums import exact_sum, exact_units

__all__ = ["WeightedRows", "left_by"]


def left_by(weights: Array) -> float:
    """How many of equal weight say as much: (Σw)² / Σw², Kish (1965). One row of weight 1,000 among 200 leaves 1.4."""
    if not len(weights):
        return 0.0
    w = weights / weights.max()
    return float(w.sum() ** 2 / (w**2).sum())


class WeightedRows:
    """Rows with a weight each, in groups; a sample says what else they have."""

    weight: Array | None
    """None: each row counts once."""
    group: Array | None
    """For each row the number of its group: user, query, session. Groups are the clusters of all intervals."""
    n_groups: int

    def __len__(self) -> int:
        raise NotImplementedError  # pragma: no cover - each kind of sample knows its rows

    @property
    def truth(self) -> Array:
        """What happened in each row, as numbers that mean the same in every sample of these rows."""
        raise NotImplementedError  # pragma: no cover

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

    def by_cluster(self, influence: Array) -> Array:
        """Influence values of rows summed in each group, or as they are where rows have no groups."""
        if self.group is None:
            return influence
        return np.bincount(self.group, weights=influence, minlength=self.n_groups)[self.filled]
