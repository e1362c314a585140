"""Where do positives and negatives lie along the score, in a state that shards can add up?

The bins are cut on the bit pattern of the score (sign, exponent, leading bits of the mantissa), so they are
the same for any data and relative in width: at 2% click rate scores are small, and bins of equal width would
put nearly all rows into one. Only bins that hold a row are kept, each with its weight of positives and of
negatives and its least and greatest score.

Pairs of rows in different bins are ordered for certain, rows of a bin whose least and greatest score agree are
tied for certain; all that is unknown is the order inside the other bins. So every measure comes as a bracket
that holds the exact value, whatever that order is.

Sums are exact. Floating-point addition depends on the order of the terms; here every weight is cut into whole
multiples of fixed powers of two (digits to the base 2^35), which are added as integers. Any split into shards
and any order of merging gives the same state, bit by bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankgauge._numbers import short
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment.bracket import Bracket
from rankgauge.alignment.score_checks import check_score, check_weight
from rankgauge.alignment.score_table import ScoreTable, binned
from rankgauge.errors import InputError, ParameterError
from rankgauge.statistics.exact_sums import ExactSums, from_units

__all__ = ["MANTISSA_BITS", "ScoreBins"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MANTISSA_BITS = 13
"""8192 bins per power of two: about 1e-5 half-width of AUC for probabilities at 2% click rate."""

_BLOCK = 1 << 24  # int64 holds the sum of 2^28 digits


class ScoreBins:
    """Positives and negatives by score, mergeable, with certified AUC, KS and PRAUC.

    `update` changes the state, `a + b` is a new one. `mantissa_bits` sets the number of bins per power of two;
    one bit more halves the brackets and at most doubles the state. `columns` numbers of each row, none negative, are
    summed up beside the weights.

    >>> import numpy as np
    >>> bins = ScoreBins().update(np.array([True, False, True, False]), np.array([1.0, 1.0, 1.0, 0.0]))
    >>> bins.auc().value
    0.75
    """

    def __init__(self, mantissa_bits: int = MANTISSA_BITS, columns: int = 0) -> None:
        if isinstance(mantissa_bits, bool) or not isinstance(mantissa_bits, int) or not 1 <= mantissa_bits <= 24:
            raise ParameterError(
                Text(
                    f"`mantissa_bits` must be a whole number from 1 to 24, got {show(mantissa_bits)}.",
                    f"`mantissa_bits` 必须是 1 到 24 的整数，实际为 {show(mantissa_bits)}。",
                )
            )
        self.mantissa_bits = mantissa_bits
        self.ids: Ints = np.zeros(0, dtype=np.int64)
        # level, (negatives, positives, columns …), bin
        self.sums = ExactSums(0, np.zeros((1, 2 + columns, 0), dtype=np.int64))
        self.least: Floats = np.zeros(0)
        self.greatest: Floats = np.zeros(0)
        self.whole = True  # whole weights stand for repeated rows, which PRAUC can use

    @property
    def columns(self) -> int:
        return int(self.sums.digits.shape[1]) - 2

    def update(
        self,
        positive: NDArray[np.bool_],
        score: Floats,
        weight: Floats | None = None,
        values: Sequence[Floats] = (),
    ) -> ScoreBins:
        """Adds rows. Any score but NaN; weights as `check_weight` allows, rows of weight 0 leave no trace."""
        positive = np.ascontiguousarray(positive, dtype=np.bool_)
        score = np.ascontiguousarray(score)
        if positive.shape != score.shape or score.ndim != 1:
            raise InputError(
                Text(
                    f"labels and scores must be two columns of one length, got {positive.shape} and {score.shape}.",
                    f"标签和得分必须是长度相同的两列，实际为 {positive.shape} 和 {score.shape}。",
                )
            )
        check_score(score)
        if weight is not None:
            weight = check_weight(weight, len(score))
        for start in range(0, len(score), _BLOCK):
            rows = slice(start, start + _BLOCK)
            w = None if weight is None else weight[rows]
            beside = [v[rows] for v in values]
            found = ScoreBins(self.mantissa_bits, self.columns)
            found.ids, found.least, found.greatest, found.whole, found.sums = binned(
                score[rows], positive[rows], w, self.mantissa_bits, beside
            )
            self._take(found)
        return self

    def _take(self, other: ScoreBins) -> None:
        merged = self + other
        self.ids, self.sums, self.whole = merged.ids, merged.sums, merged.whole
        self.least, self.greatest = merged.least, merged.greatest

    def __add__(self, other: ScoreBins) -> ScoreBins:
        if self.mantissa_bits != other.mantissa_bits:
            raise ParameterError(
                Text(
                    "states to merge must have the same `mantissa_bits`, "
                    f"got {self.mantissa_bits} and {other.mantissa_bits}. Build all shards with one value.",
                    f"要合并的状态必须有相同的 `mantissa_bits`，实际为 {self.mantissa_bits} 和 "
                    f"{other.mantissa_bits}。请用同一个值构建所有分片。",
                )
            )
        out = ScoreBins(self.mantissa_bits, self.columns)
        out.whole = self.whole and other.whole
        out.ids = _union(self.ids, other.ids)
        n = len(out.ids)
        mine, theirs = np.searchsorted(out.ids, self.ids), np.searchsorted(out.ids, other.ids)
        out.sums = self.sums.spread(mine, n) + other.sums.spread(theirs, n)
        out.least, out.greatest = np.full(n, np.inf), np.full(n, -np.inf)
        out.least[mine], out.greatest[mine] = self.least, self.greatest
        out.least[theirs] = np.minimum(out.least[theirs], other.least)
        out.greatest[theirs] = np.maximum(out.greatest[theirs], other.greatest)
        return out

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScoreBins):
            return NotImplemented
        return (
            self.mantissa_bits == other.mantissa_bits
            and self.whole == other.whole
            and np.array_equal(self.ids, other.ids)
            and self.sums == other.sums
            and np.array_equal(self.least, other.least)
            and np.array_equal(self.greatest, other.greatest)
        )

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        """Number of bins in use."""
        return len(self.ids)

    def __repr__(self) -> str:
        negatives, positives = self.totals()
        return f"ScoreBins({len(self)} bins, positives={short(positives)}, negatives={short(negatives)})"

    def totals(self) -> tuple[float, float]:
        """Weight of negatives and of positives."""
        negatives, positives, *_ = self.sums.units()
        return from_units(negatives), from_units(positives)

    def locator(self) -> Callable[[Floats], Ints]:
        """A function that finds the bin of each score; only for scores that were added."""
        table = ScoreTable.for_ids(self.ids, self.mantissa_bits)
        number = np.zeros(table.size, dtype=np.int64)
        number[table.places_of(self.ids)] = np.arange(len(self.ids))
        return lambda score: number[table.places(score)]

    def is_tied(self) -> NDArray[np.bool_]:
        """Bins in which all scores are equal."""
        tied: NDArray[np.bool_] = self.least == self.greatest
        return tied

    def auc(self) -> Bracket:
        """How often does a positive score above a negative? Ties count half; NaN with one class only.

        Pairs across bins are certain. Inside a bin a tied pair counts ½, any other pair 0 or 1.
        """
        d = self._descending()
        if not (d.all_positives and d.all_negatives):
            return Bracket.undefined()
        pairs = d.positives * d.negatives
        certain = fsum(d.negatives * d.positives_above) + 0.5 * fsum(pairs[d.is_tied])
        open_ = fsum(pairs[~d.is_tied])
        every = d.all_positives * d.all_negatives
        return Bracket.around(certain / every, (certain + open_) / every)

    def ks(self) -> Bracket:
        """How far apart are the two score distributions, max(TPR - FPR)? NaN with one class only.

        At the edge of a bin the difference is known. Inside a bin it can exceed its value at the upper edge by
        no more than the positives of the bin; in a bin of one class or of one score it has no peak of its own.
        """
        d = self._descending()
        if not (d.all_positives and d.all_negatives):
            return Bracket.undefined()
        upper_edge = d.positives_above / d.all_positives - d.negatives_above / d.all_negatives
        low = max(0.0, float(upper_edge.max()))  # the lower edge of the last bin has TPR = FPR = 1
        inside = ~d.is_tied & (d.positives > 0) & (d.negatives > 0)
        peak = upper_edge[inside] + d.positives[inside] / d.all_positives
        return Bracket.around(low, max(low, float(peak.max(initial=0.0))))

    def prauc(self) -> Bracket:
        """How pure is the top, average precision Σ (R_n - R_{n-1})·P_n over distinct scores? NaN with one class.

        Inside a bin every positive has at least the negatives above the bin, at most also those of the bin,
        before it. So no order beats "all positives of the bin at one score, then its negatives", which gives
        each the precision (T+p)/(T+p+F), where T, F are the rows above and p, n those of the bin. The worst
        order has the negatives first and the positives one by one: the i-th has the precision of at least i
        positives, f(i) = (T+i)/(T+i+F+n). Tied positives share the precision of the last of them, which is more,
        so a bin that is one tie lies between the two. Bins of positives only are open as well, as ties matter.
        """
        d = self._descending()
        if not (d.all_positives and d.all_negatives):
            return Bracket.undefined()
        p, above, tied = d.positives, d.positives_above, d.is_tied | (d.positives == 0)
        most = above + p
        behind = d.negatives_above + d.negatives
        at_least = np.where(tied, p * _share(most, behind), _one_by_one(p, above, behind, self.whole))
        at_most = np.where(tied, at_least, p * _share(most, d.negatives_above))
        return Bracket.around(fsum(at_least) / d.all_positives, fsum(at_most) / d.all_positives)

    def gain(self, top: float) -> Bracket:
        """What share of the positives is in the top share of all rows? NaN with one class only.

        A cut inside a bin leaves open how many of the rows above it are positive; equal scores are cut evenly.
        """
        d = self._descending()
        if not (d.all_positives and d.all_negatives):
            return Bracket.undefined()
        cut = top * (d.all_positives + d.all_negatives)
        at = int(np.searchsorted(d.positives_above + d.negatives_above, cut, "left")) - 1
        p, n = float(d.positives[at]), float(d.negatives[at])
        taken = cut - float(d.positives_above[at] + d.negatives_above[at])
        low, high = max(0.0, taken - n), min(p, taken)
        if d.is_tied[at]:
            low = high = p * min(taken / (p + n), 1.0)
        above = float(d.positives_above[at])
        return Bracket.around((above + low) / d.all_positives, (above + high) / d.all_positives)

    def _descending(self) -> _Descending:
        sums = self.sums.reversed()
        negatives, positives, *_ = sums.floats()
        negatives_above, positives_above, *_ = sums.before().floats()
        all_negatives, all_positives = self.totals()
        is_tied = self.is_tied()[::-1]
        return _Descending(
            positives, negatives, positives_above, negatives_above, is_tied, all_positives, all_negatives
        )


class _Descending(NamedTuple):
    """The bins from the highest score down."""

    positives: Floats
    negatives: Floats
    positives_above: Floats
    negatives_above: Floats
    is_tied: NDArray[np.bool_]
    all_positives: float
    all_negatives: float


def _share(positives: Floats, negatives: Floats) -> Floats:
    both = positives + negatives
    return np.divide(positives, both, out=np.zeros_like(both), where=both > 0)


def _one_by_one(p: Floats, above: Floats, negatives: Floats, whole: bool) -> Floats:
    """A lower bound of Σ_i w_i·f(t_i), f(t) = (T+t)/(T+t+F), over positives of total weight p in small steps.

    f rises, so the sum is at least ∫ f from 0 to p. It is also concave, so for whole weights, steps of 1,
    f(i) >= ∫ f from i-½ to i+½, which is far tighter for few positives.
    """
    start = above + negatives + (0.5 if whole else 0.0)
    # without negatives every precision is 1; this also keeps 0/0 away
    growth = np.divide(p, start, out=np.zeros_like(p), where=negatives > 0)
    return np.maximum(p - negatives * np.log1p(growth), 0.0)


def _union(a: Ints, b: Ints) -> Ints:
    if len(b) and len(a) and b[-1] <= a[-1] and np.array_equal(a[np.searchsorted(a, b)], b):
        return a
    return np.union1d(a, b)
