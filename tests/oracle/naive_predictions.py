"""Every measure of labels and scores, written as its definition reads: loops over pairs, thresholds and groups.

No arrays, no sorting tricks, nothing from the package. NaN where a measure is undefined.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import fsum, log, nan, sqrt
from typing import NamedTuple

CLIP = 1e-15


class Row(NamedTuple):
    y: float
    s: float
    w: float
    g: int


@dataclass(frozen=True)
class Rows:
    """Labels and scores; the scores are probabilities where all of them are between 0 and 1."""

    label: Sequence[float]
    score: Sequence[float]
    weight: Sequence[float] | None = None
    group: Sequence[int] | None = None

    def __iter__(self):
        w = self.weight or [1.0] * len(self.label)
        g = self.group or [0] * len(self.label)
        return iter([Row(*row) for row in zip(self.label, self.score, w, g, strict=True)])

    @property
    def hard(self) -> bool:
        return all(y in (0, 1) for y in self.label)

    @property
    def probabilities(self) -> bool:
        return all(0 <= s <= 1 for s in self.score)

    def groups(self) -> list[list[Row]]:
        names = sorted(set(self.group or []))
        return [[row for row in self if row.g == name] for name in names]


def total(rows) -> float:
    return fsum(row.w for row in rows)


def positives(rows) -> float:
    return fsum(row.w * row.y for row in rows)


def rate(rows) -> float:
    return positives(rows) / total(rows)


def two_classes(rows: Rows) -> bool:
    return rows.hard and len(set(rows.label)) == 2


def thresholds(rows) -> list[float]:
    return sorted({row.s for row in rows}, reverse=True)


# order


def pairs_won(rows) -> tuple[float, float]:
    """Weight of the pairs in which the positive scores higher (ties half), and of all pairs."""
    won, made = [], []
    for a in rows:
        for b in rows:
            if a.y == 1 and b.y == 0:
                made.append(a.w * b.w)
                won.append(a.w * b.w * (1 if a.s > b.s else 0.5 if a.s == b.s else 0))
    return fsum(won), fsum(made)


def roc(rows) -> list[tuple[float, float]]:
    """(FPR, TPR) of no row, then of each threshold."""
    p = positives(rows)
    n = total(rows) - p
    points = [(0.0, 0.0)]
    for t in thresholds(rows):
        tp = fsum(row.w for row in rows if row.y == 1 and row.s >= t)
        fp = fsum(row.w for row in rows if row.y == 0 and row.s >= t)
        points.append((fp / n, tp / p))
    return points


def AUC(rows: Rows, max_fpr: float | None = None, area: str = "mcclish") -> float:
    if not two_classes(rows):
        return nan
    if max_fpr is None or max_fpr == 1:
        won, made = pairs_won(rows)
        return won / made
    points, size = roc(rows), 0.0
    for (x0, y0), (x1, y1) in pairwise(points):
        right = min(x1, max_fpr)
        if right > x0:
            at_right = y0 + (right - x0) / (x1 - x0) * (y1 - y0)
            size += (right - x0) * (y0 + at_right) / 2
    least = max_fpr * max_fpr / 2
    return size if area == "raw" else 0.5 * (1 + (size - least) / (max_fpr - least))


def Gini(rows: Rows) -> float:
    return 2 * AUC(rows) - 1


def KS(rows: Rows) -> float:
    return max(tpr - fpr for fpr, tpr in roc(rows)) if two_classes(rows) else nan


def PRAUC(rows: Rows) -> float:
    if not two_classes(rows):
        return nan
    area, before = [], 0.0
    for t in thresholds(rows):
        shown = [row for row in rows if row.s >= t]
        recall = positives(shown) / positives(rows)
        area.append((recall - before) * rate(shown))
        before = recall
    return fsum(area)


def Gain(rows: Rows, top: float = 0.1) -> float:
    if not two_classes(rows):
        return nan
    left, found = top * total(rows), []
    for t in thresholds(rows):
        block = [row for row in rows if row.s == t]
        part = min(1.0, left / total(block))  # of a block that is cut, the same part of both classes
        found.append(part * positives(block))
        left -= part * total(block)
        if left <= 0:
            break
    return fsum(found) / positives(rows)


def Lift(rows: Rows, top: float = 0.1) -> float:
    return Gain(rows, top) / top


def GAUC(rows: Rows, weight: str = "impressions", undefined: str = "skip") -> float:
    if not two_classes(rows) or rows.group is None:
        return nan
    above, below = [], []
    for group in rows.groups():
        won, made = pairs_won(group)
        if not made and undefined == "skip":
            continue
        p = positives(group)
        v = {"impressions": total(group), "uniform": 1.0, "positives": p, "pairs": p * (total(group) - p)}[weight]
        above.append(v * (won / made if made else 0.5))
        below.append(v)
    return fsum(above) / fsum(below) if fsum(below) else nan


def CrossAUC(rows: Rows) -> float:
    if not two_classes(rows) or rows.group is None:
        return nan
    won, made = [], []
    for a in rows:
        for b in rows:
            if a.y == 1 and b.y == 0 and a.g != b.g:
                made.append(a.w * b.w)
                won.append(a.w * b.w * (1 if a.s > b.s else 0.5 if a.s == b.s else 0))
    return fsum(won) / fsum(made) if made else nan


# loss


def log_loss_of(y: float, p: float) -> float:
    p = min(max(p, CLIP), 1 - CLIP)
    return -(y * log(p) + (1 - y) * math.log1p(-p))


def LogLoss(rows: Rows) -> float:
    if not rows.probabilities:
        return nan
    return fsum(row.w * log_loss_of(row.y, row.s) for row in rows) / total(rows)


def NE(rows: Rows, base: float | None = None) -> float:
    r = rate(rows)
    if base is None and r in (0.0, 1.0):
        return nan
    q = r if base is None else base
    return LogLoss(rows) / -(r * log(q) + (1 - r) * log(1 - q))


def RIG(rows: Rows, base: float | None = None) -> float:
    return 1 - NE(rows, base)


def Brier(rows: Rows) -> float:
    if not rows.probabilities:
        return nan
    return fsum(row.w * (row.s - row.y) ** 2 for row in rows) / total(rows)


# calibration


def COPC(rows: Rows) -> float:
    predicted = fsum(row.w * row.s for row in rows)
    return positives(rows) / predicted if rows.probabilities and predicted else nan


def in_bins(rows: Rows, n: int, binning: str) -> list[list[Row]]:
    """Rows by bin; those with equal scores together. Of equal mass: by what lies below."""
    made: dict[int, list[Row]] = {}
    whole = Fraction(total(rows))
    for row in rows:
        below = sum((Fraction(other.w) for other in rows if other.s < row.s), Fraction(0))
        place = math.floor(below * n / whole) if binning == "mass" else math.floor(row.s * n)
        made.setdefault(min(place, n - 1), []).append(row)
    return list(made.values())


def gap(rows: Sequence[Row]) -> float:
    return abs(rate(rows) - fsum(row.w * row.s for row in rows) / total(rows))


def ECE(rows: Rows, bins: int = 15, binning: str = "mass") -> float:
    if not rows.probabilities:
        return nan
    return fsum(total(part) * gap(part) for part in in_bins(rows, bins, binning)) / total(rows)


def MCE(rows: Rows, bins: int = 15, binning: str = "mass", min_count: float = 100) -> float:
    if not rows.probabilities:
        return nan
    parts = in_bins(rows, bins, binning)
    return max((gap(part) for part in parts if total(part) >= min_count), default=nan)


def ECCE(rows: Rows) -> float:
    if not rows.probabilities:
        return nan
    walk = [fsum(row.w * (row.y - row.s) for row in rows if row.s <= t) for t in (-1.0, *thresholds(rows))]
    return (max(walk) - min(walk)) / total(rows)


# the split of the loss


def isotonic(totals: Sequence[float], weights: Sequence[float]) -> list[float]:
    """max over starts of min over ends of the mean between them (Robertson, Wright & Dykstra 1988)."""
    n = len(totals)

    def mean(a: int, b: int) -> float:
        return fsum(totals[a : b + 1]) / fsum(weights[a : b + 1])

    return [max(min(mean(a, b) for b in range(i, n)) for a in range(i + 1)) for i in range(n)]


def proper(loss: str, y: float, p: float) -> float:
    """Not clipped: a probability of 0 or 1 that is right costs nothing."""
    if loss == "brier":
        return (p - y) ** 2
    return -(y * log(p) if y else 0.0) - ((1 - y) * log(1 - p) if y < 1 else 0.0)


def losses(rows: Rows, loss: str) -> tuple[float, float, float]:
    """Of the given probabilities, of the best with the same order, and of the base rate."""
    scores = sorted({row.s for row in rows})
    blocks = [[row for row in rows if row.s == t] for t in scores]
    best = dict(zip(scores, isotonic([positives(b) for b in blocks], [total(b) for b in blocks]), strict=True))
    given = LogLoss(rows) if loss == "log" else Brier(rows)
    r = rate(rows)
    recalibrated = fsum(row.w * proper(loss, row.y, best[row.s]) for row in rows) / total(rows)
    return given, recalibrated, fsum(row.w * proper(loss, row.y, r) for row in rows) / total(rows)


def MCB(rows: Rows, loss: str = "log") -> float:
    if not rows.probabilities:
        return nan
    given, best, _ = losses(rows, loss)
    return given - best


def DSC(rows: Rows, loss: str = "log") -> float:
    if not rows.probabilities:
        return nan
    _, best, base = losses(rows, loss)
    return base - best


def UNC(rows: Rows, loss: str = "log") -> float:
    return losses(rows, loss)[2] if rows.probabilities else nan


# at a threshold


class Cells(NamedTuple):
    tp: float
    fp: float
    fn: float
    tn: float


def cells(rows, threshold: float) -> Cells:
    def sum_of(y: int, called: bool) -> float:
        return fsum(row.w for row in rows if row.y == y and (row.s >= threshold) == called)

    return Cells(sum_of(1, True), sum_of(0, True), sum_of(1, False), sum_of(0, False))


def divided(a: float, b: float) -> float:
    return a / b if b else nan


def at_threshold(of: Callable[..., float]) -> Callable[..., float]:
    """A function of the four cells as a measure: over all rows, or as the mean over groups that have a value."""

    def value(rows: Rows, threshold: float, average: str = "micro", **more: float) -> float:
        if not rows.hard:
            return nan
        if average == "micro":
            return of(cells(rows, threshold), **more)
        if rows.group is None:
            return nan
        values = [of(cells(group, threshold), **more) for group in rows.groups()]
        known = [v for v in values if not math.isnan(v)]
        return divided(fsum(known), len(known))

    return value


def balanced(c: Cells) -> float:
    return (divided(c.tp, c.tp + c.fn) + divided(c.tn, c.tn + c.fp)) / 2


def f_beta(c: Cells, beta: float = 1) -> float:
    b = beta * beta
    return divided((1 + b) * c.tp, (1 + b) * c.tp + b * c.fn + c.fp)


def matthews(c: Cells) -> float:
    margins = (c.tp + c.fp) * (c.tp + c.fn) * (c.tn + c.fp) * (c.tn + c.fn)
    return divided(c.tp * c.tn - c.fp * c.fn, sqrt(margins))


Accuracy = at_threshold(lambda c: divided(c.tp + c.tn, sum(c)))
Precision = at_threshold(lambda c: divided(c.tp, c.tp + c.fp))
Recall = at_threshold(lambda c: divided(c.tp, c.tp + c.fn))
Specificity = at_threshold(lambda c: divided(c.tn, c.tn + c.fp))
FPR = at_threshold(lambda c: divided(c.fp, c.fp + c.tn))
FNR = at_threshold(lambda c: divided(c.fn, c.fn + c.tp))
F = at_threshold(f_beta)
BalancedAccuracy = at_threshold(balanced)
MCC = at_threshold(matthews)

_ORDER = (AUC, Gini, KS, PRAUC, Gain, Lift, GAUC, CrossAUC)
_PROBABILITY = (LogLoss, NE, RIG, Brier, COPC, ECE, MCE, ECCE, MCB, DSC, UNC)

NAIVE: dict[str, Callable[..., float]] = {
    **{f.__name__: f for f in (*_ORDER, *_PROBABILITY)},
    "Accuracy": Accuracy,
    "Precision": Precision,
    "Recall": Recall,
    "Specificity": Specificity,
    "FPR": FPR,
    "FNR": FNR,
    "F": F,
    "BalancedAccuracy": BalancedAccuracy,
    "MCC": MCC,
}
