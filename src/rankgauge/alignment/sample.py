"""Rows of label and score, and what all measures of them share: the sweep, blocks of equal scores, groups.

The twin of the alignment: everything about where the rows came from ends here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import log
from typing import Any, NamedTuple

import numpy as np

from rankgauge.alignment.pairs import GroupPairs, group_pairs
from rankgauge.alignment.segments import Array
from rankgauge.alignment.sweep import ThresholdSweep
from rankgauge.alignment.weighted_rows import WeightedRows

__all__ = ["Blocks", "Sample", "sigmoid"]


class Blocks(NamedTuple):
    """Rows with the same score as one, in ascending order of scores."""

    score: Array
    weight: Array
    positive: Array
    """The part of the weight that is positive."""


def sigmoid(logit: Array) -> Array:
    """1 / (1 + e^-x) without overflow."""
    small = np.exp(-np.abs(logit))
    out: Array = np.where(logit >= 0, 1.0, small) / (1.0 + small)
    return out


@dataclass(frozen=True, eq=False)
class Sample(WeightedRows):
    """Labels and scores of one model on one set of rows."""

    label: Array
    """True for positives; or shares from 0 to 1 (soft labels)."""
    score: Array
    weight: Array | None = None
    """None: each row counts once."""
    group: Array | None = None
    """For each row the number of its group: user, query, session. Groups are the clusters of all intervals."""
    n_groups: int = 0
    scale: str = "probability"
    """What the scores are: probability, logit, or score (an order and nothing else)."""
    kept: float | None = None
    """Share of the negatives that the model was trained on; None: all of them, or nothing to correct."""

    def __len__(self) -> int:
        return len(self.score)

    # rows

    @property
    def truth(self) -> Array:
        return self.label

    @property
    def is_soft(self) -> bool:
        return self.label.dtype != np.bool_

    @property
    def between(self) -> int:
        """Labels strictly between 0 and 1."""
        return int(np.count_nonzero((self.label > 0) & (self.label < 1))) if self.is_soft else 0

    @property
    def outside(self) -> int:
        """Scores outside [0, 1]."""
        return int(np.count_nonzero(~((self.score >= 0) & (self.score <= 1))))

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the greatest score."""
        return float(self.score.min()), float(self.score.max())

    @cached_property
    def probability(self) -> Array:
        """The scores as probabilities; only for scales that have them."""
        return self.to_probability(self.score)

    def to_probability(self, score: Array) -> Array:
        """What a score says about its row."""
        score = self.corrected(score)
        return sigmoid(score) if self.scale == "logit" else score

    def corrected(self, score: Array) -> Array:
        """The score without the effect of down-sampled negatives, on its own scale: odds times `kept`."""
        if self.kept is None:
            return score
        made: Array = score + log(self.kept) if self.scale == "logit" else score / (score + (1.0 - score) / self.kept)
        return made

    def rows(self, chosen: Array) -> Sample:
        """Only these rows, by mask or by number."""
        return replace(
            self,
            label=self.label[chosen],
            score=self.score[chosen],
            weight=None if self.weight is None else self.weight[chosen],
            group=None if self.group is None else self.group[chosen],
        )

    @cached_property
    def n_positives(self) -> float:
        """The weight of the positives."""
        if self.weight is None and not self.is_soft:
            return float(np.count_nonzero(self.label))
        return self.sum(self.label)

    @property
    def n_negatives(self) -> float:
        return self.total - self.n_positives

    @property
    def prevalence(self) -> float:
        """The share of positives: the base rate, the click-through rate."""
        return self.n_positives / self.total

    @property
    def has_both_classes(self) -> bool:
        return 0 < self.n_positives < self.total

    # views

    @cached_property
    def sweep(self) -> ThresholdSweep:
        return ThresholdSweep.of(self.label, self.score, self.weight)

    @cached_property
    def blocks(self) -> Blocks:
        """Rows with equal scores together, the lowest score first."""
        if not self.is_soft:
            sweep = self.sweep
            positive = np.diff(sweep.tp, prepend=0.0)[::-1]
            return Blocks(sweep.thresholds[::-1], positive + np.diff(sweep.fp, prepend=0.0)[::-1], positive)
        w = np.ones(len(self)) if self.weight is None else self.weight
        order = np.lexsort((w, self.label, self.score))
        score = self.score[order]
        first = np.flatnonzero(np.append(True, score[1:] != score[:-1]))
        weight = np.add.reduceat(w[order], first)
        return Blocks(score[first], weight, np.add.reduceat((w * self.label)[order], first))

    @cached_property
    def block_of_row(self) -> Array:
        """For each row the number of its block."""
        return np.searchsorted(self.blocks.score, self.score)

    @cached_property
    def pairs(self) -> GroupPairs:
        """The pairs of a positive and a negative inside each group."""
        assert self.group is not None
        return group_pairs(self.label, self.score, self.group, self.n_groups, self.weight)

    @cached_property
    def made(self) -> dict[str, Any]:
        """What else was made of the rows, by name, once for all measures that ask for it."""
        return {}
