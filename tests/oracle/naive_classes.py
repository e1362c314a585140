"""Every measure of several classes, written as its definition reads: loops over rows and classes.

No arrays, nothing from the package. NaN where a measure is undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations
from math import fsum, isnan, log, nan, sqrt


@dataclass(frozen=True)
class ClassRows:
    """The class of each row, what it was called, and the probability of each class in the order of `classes`."""

    label: Sequence[str]
    called: Sequence[str]
    classes: Sequence[str]
    probability: Sequence[Sequence[float]] | None = None
    weight: Sequence[float] | None = None

    @property
    def w(self) -> Sequence[float]:
        return self.weight or [1.0] * len(self.label)

    def total(self, chosen: Callable[[str, str], bool] = lambda y, p: True) -> float:
        """The weight of the rows whose label and prediction are as asked."""
        return fsum(w for y, p, w in zip(self.label, self.called, self.w, strict=True) if chosen(y, p))

    @property
    def occurring(self) -> list[str]:
        return [c for c in self.classes if c in self.label or c in self.called]


def accuracy(r: ClassRows) -> float:
    return r.total(lambda y, p: y == p) / r.total()


def _precision(r: ClassRows, c: str) -> float:
    called = r.total(lambda y, p: p == c)
    return r.total(lambda y, p: y == p == c) / called if called else nan


def _recall(r: ClassRows, c: str) -> float:
    there = r.total(lambda y, p: y == c)
    return r.total(lambda y, p: y == p == c) / there if there else nan


def _f(r: ClassRows, c: str, beta: float) -> float:
    below = beta**2 * r.total(lambda y, p: y == c) + r.total(lambda y, p: p == c)
    return (1 + beta**2) * r.total(lambda y, p: y == p == c) / below if below else nan


def _averaged(r: ClassRows, of_class: Callable[[ClassRows, str], float], average: str, label: str | None) -> float:
    if label is not None:
        return of_class(r, label) if label in r.classes else nan
    if average == "micro":
        return accuracy(r)
    values = {c: of_class(r, c) for c in r.occurring}
    defined = {c: 0.0 if isnan(v) else v for c, v in values.items()}
    if average == "macro":
        return fsum(defined.values()) / len(defined)
    return fsum(r.total(lambda y, p, c=c: y == c) * v for c, v in defined.items()) / r.total()


def precision(r: ClassRows, average: str, label: str | None) -> float:
    return _averaged(r, _precision, average, label)


def recall(r: ClassRows, average: str, label: str | None) -> float:
    return _averaged(r, _recall, average, label)


def f(r: ClassRows, average: str, label: str | None, beta: float) -> float:
    return _averaged(r, lambda rows, c: _f(rows, c, beta), average, label)


def balanced_accuracy(r: ClassRows) -> float:
    values = [v for c in r.classes if not isnan(v := _recall(r, c))]
    return fsum(values) / len(values)


def _chance(r: ClassRows) -> float:
    return (
        fsum(r.total(lambda y, p, c=c: y == c) * r.total(lambda y, p, c=c: p == c) for c in r.classes) / r.total() ** 2
    )


def kappa(r: ClassRows) -> float:
    if len({*r.label, *r.called}) == 1:
        return nan
    return (accuracy(r) - _chance(r)) / (1 - _chance(r))


def mcc(r: ClassRows) -> float:
    if len(set(r.label)) == 1 or len(set(r.called)) == 1:
        return nan
    total = r.total()
    same = [1 - fsum((r.total(lambda y, p, c=c, k=k: (y, p)[k] == c) / total) ** 2 for c in r.classes) for k in (0, 1)]
    return (accuracy(r) - _chance(r)) / sqrt(same[0] * same[1])


def top_k(r: ClassRows, k: int) -> float:
    """Over every order of classes that their probabilities allow."""
    if r.probability is None:
        return nan
    found = []
    for y, row, w in zip(r.label, r.probability, r.w, strict=True):
        own = r.classes.index(y)
        allowed = [
            order for order in permutations(range(len(row))) if all(row[a] >= row[b] for a, b in pairwise(order))
        ]
        found.append(w * sum(own in order[:k] for order in allowed) / len(allowed))
    return fsum(found) / r.total()


def log_loss(r: ClassRows) -> float:
    if r.probability is None:
        return nan
    own = [row[r.classes.index(y)] for y, row in zip(r.label, r.probability, strict=True)]
    return fsum(-w * log(min(max(p, 1e-15), 1 - 1e-15)) for p, w in zip(own, r.w, strict=True)) / r.total()


def brier(r: ClassRows) -> float:
    if r.probability is None:
        return nan
    return (
        fsum(
            w * (p - (c == y)) ** 2
            for y, row, w in zip(r.label, r.probability, r.w, strict=True)
            for c, p in zip(r.classes, row, strict=True)
        )
        / r.total()
    )


def auc(r: ClassRows, average: str) -> float:
    if r.probability is None or len(set(r.label)) < 2:
        return nan
    values, weights = [], []
    for i, c in enumerate(r.classes):
        if c not in r.label:
            continue
        won, pairs = [], []
        for a, row_a, w_a in zip(r.label, r.probability, r.w, strict=True):
            for b, row_b, w_b in zip(r.label, r.probability, r.w, strict=True):
                if a == c != b:
                    pairs.append(w_a * w_b)
                    won.append(w_a * w_b * ((row_a[i] > row_b[i]) + 0.5 * (row_a[i] == row_b[i])))
        values.append(fsum(won) / fsum(pairs))
        weights.append(r.total(lambda y, p, c=c: y == c) if average == "weighted" else 1.0)
    return fsum(v * w for v, w in zip(values, weights, strict=True)) / fsum(weights)


NAIVE: dict[str, Callable[..., float]] = {
    "Accuracy": accuracy,
    "BalancedAccuracy": balanced_accuracy,
    "TopKAccuracy": top_k,
    "Precision": precision,
    "Recall": recall,
    "F": f,
    "Kappa": kappa,
    "MCC": mcc,
    "LogLoss": log_loss,
    "Brier": brier,
    "AUC": auc,
}
"""By name; each takes the rows and the parameters of the measure."""
