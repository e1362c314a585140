"""Positives and negatives by score: what a threshold that sweeps over all scores would see.

The two classes are sorted apart: that is all AUC needs, and sorting values is many times quicker than
sorting rows with their labels. The joint curve of distinct thresholds is merged from them when asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rankgauge.alignment.segments import Array
from rankgauge.data.parallel import in_order, in_parallel
from rankgauge.data.pieces import in_pieces

__all__ = ["Class", "Confusion", "ThresholdSweep"]


class Confusion(NamedTuple):
    """What a threshold does: rows (or their weight) by label and by side of the threshold."""

    tp: float
    fp: float
    fn: float
    tn: float


@dataclass(frozen=True, eq=False)
class Class:
    """The scores of one class in ascending order, and the weight of all rows before each of them."""

    score: Array
    before: Array | None = None
    """Weights cumulated from the lowest score on, one longer than `score`; None when each row counts once."""

    @classmethod
    def of(cls, score: Array, weight: Array | None) -> Class:
        if weight is None:
            return cls(in_order(score))
        order = _by_score_and_weight(score, weight)
        return cls(score[order], np.append(0.0, np.cumsum(weight[order])))

    @property
    def total(self) -> float:
        return float(len(self.score)) if self.before is None else float(self.before[-1])

    def _upto(self, index: Array) -> Array:
        """The weight of the first so many rows."""
        return index if self.before is None else self.before[index]

    def _from(self, index: Array) -> Array:
        """The weight of the rows from this one on."""
        left: Array = len(self.score) - index if self.before is None else self.before[-1] - self.before[index]
        return left

    def below(self, scores: Array) -> tuple[Array, Array]:
        """Weight strictly below, and weight at or below, each of these scores (quickest when they ascend)."""
        strictly, at_most = self._places(scores)
        return self._upto(strictly), self._upto(at_most)

    def at_or_above(self, scores: Array) -> Array:
        """Weight at or above each of these scores."""
        return self._from(self._places(scores)[0])

    def _places(self, scores: Array) -> tuple[Array, Array]:
        """How many rows are strictly below, and how many at or below, each of these scores."""
        strictly = np.empty(len(scores), dtype=np.int64)
        at_most = np.empty(len(scores), dtype=np.int64)

        def look_up(part: slice) -> None:
            needles = scores[part]
            left = np.searchsorted(self.score, needles, "left")
            right = left.copy()
            tied = np.flatnonzero(self.score[np.minimum(left, len(self.score) - 1)] == needles)
            right[tied] = np.searchsorted(self.score, needles[tied], "right")
            strictly[part], at_most[part] = left, right

        if len(self.score):
            in_pieces(look_up, len(scores))
        else:
            strictly[:] = at_most[:] = 0
        return strictly, at_most


def _by_score_and_weight(score: Array, weight: Array) -> Array:
    """Rows by score, those with equal scores by weight: sums do not depend on the order of the input."""
    order = np.argsort(score)
    ranked = score[order]
    tied = np.zeros(len(score), dtype=bool)
    tied[1:] = ranked[1:] == ranked[:-1]
    tied[:-1] |= tied[1:]
    some = np.flatnonzero(tied)
    rows = order[some]
    order[some] = rows[np.lexsort((weight[rows], score[rows]))]
    return order


_LONG = 1 << 14
"""Rows from which on two threads sort both classes sooner than one: to start a thread takes as long as to sort few."""


@dataclass(frozen=True, eq=False)
class ThresholdSweep:
    """Both classes by score. AUC, the curves and every threshold come from here."""

    positives: Class
    negatives: Class

    @classmethod
    def of(cls, label: Array, score: Array, weight: Array | None = None) -> ThresholdSweep:
        """From rows: `label` says which are positive."""
        masks = (label, ~label)

        def one(i: int) -> Class:
            rows = np.flatnonzero(masks[i])
            return Class.of(score[rows], None if weight is None else weight[rows])

        if len(label) < _LONG:
            return cls(one(0), one(1))
        return cls(*in_parallel(one, 2))

    @property
    def n_positives(self) -> float:
        return self.positives.total

    @property
    def n_negatives(self) -> float:
        return self.negatives.total

    # pairs

    @cached_property
    def pairs_won(self) -> float:
        """Pairs of a positive and a negative in which the positive scores higher; ties count half."""
        few, many = self.positives, self.negatives
        swapped = len(few.score) > len(many.score)
        if swapped:
            few, many = many, few
        below, at_most = many.below(few.score)
        if few.before is None:  # whole numbers: exact, and one division at the end
            twice = int(below.sum()) + int(at_most.sum()) if many.before is None else float((below + at_most).sum())
            won = twice / 2
        else:
            won = float((np.diff(few.before) * (below + at_most)).sum()) / 2
        return few.total * many.total - won if swapped else won

    # the curve

    @cached_property
    def _curve(self) -> tuple[Array, Array, Array]:
        pos, neg = self.positives, self.negatives
        few, many = (pos, neg) if len(pos.score) <= len(neg.score) else (neg, pos)
        # where each of the few stands among all: after those of the many that score less
        place = np.searchsorted(many.score, few.score, "left") + np.arange(len(few.score))
        is_few = np.zeros(len(few.score) + len(many.score), dtype=bool)
        is_few[place] = True
        both = np.empty(len(is_few))
        both[place] = few.score
        both[~is_few] = many.score
        first = np.flatnonzero(np.append(True, both[1:] != both[:-1])) if len(both) else place
        few_before = np.concatenate(([0], np.cumsum(is_few)))[first]
        above_few, above_many = few._from(few_before), many._from(first - few_before)
        tp, fp = (above_few, above_many) if few is pos else (above_many, above_few)
        return both[first][::-1], tp[::-1].astype(np.float64), fp[::-1].astype(np.float64)

    @property
    def thresholds(self) -> Array:
        """Distinct scores, the highest first."""
        return self._curve[0]

    @property
    def tp(self) -> Array:
        """Positives at or above each threshold."""
        return self._curve[1]

    @property
    def fp(self) -> Array:
        """Negatives at or above each threshold."""
        return self._curve[2]

    @cached_property
    def at_positives(self) -> tuple[Array, Array, Array]:
        """Thresholds at which positives come in, the highest first, with tp and fp: all that PRAUC and KS look at."""
        score = self.positives.score
        first = np.flatnonzero(np.append(True, score[1:] != score[:-1])) if len(score) else np.empty(0, dtype=np.int64)
        tp = self.positives._from(first)
        fp = self.negatives.at_or_above(score[first])
        return score[first][::-1], tp[::-1].astype(np.float64), fp[::-1].astype(np.float64)

    def confusion(self, threshold: float) -> Confusion:
        """The four cells when rows at or above the threshold are called positive."""
        tp, fp = (float(c.at_or_above(np.array([threshold]))[0]) for c in (self.positives, self.negatives))
        return Confusion(tp, fp, self.n_positives - tp, self.n_negatives - fp)

    def top(self, share: float) -> tuple[float, float]:
        """Positives and negatives in the top share of all rows.

        A cut inside a block of equal scores takes the same part of its positives and of its negatives: the
        expectation over all orders of the block.
        """
        wanted = share * (self.n_positives + self.n_negatives)
        tp, fp = np.append(0.0, self.tp), np.append(0.0, self.fp)
        taken = tp + fp
        return float(np.interp(wanted, taken, tp)), float(np.interp(wanted, taken, fp))

    def roc(self) -> tuple[Array, Array, Array]:
        """False positive rate, true positive rate and threshold, from (0, 0) at infinity on."""
        start = np.append(np.inf, self.thresholds)
        return np.append(0.0, self.fp) / self.n_negatives, np.append(0.0, self.tp) / self.n_positives, start

    def precision_recall(self) -> tuple[Array, Array, Array]:
        """Precision, recall and threshold, the highest threshold first."""
        return self.tp / (self.tp + self.fp), self.tp / self.n_positives, self.thresholds
