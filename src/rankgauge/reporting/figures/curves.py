"""What charts of a model are drawn of, computed before anything is drawn: for the story of a page and for `rg.plot`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

from rankgauge.alignment.sweep import Confusion
from rankgauge.evaluation.predictions.record import PredictionEvaluation
from rankgauge.statistics.intervals import Interval

__all__ = ["Curves", "Place", "curves_of", "place_of"]

_POINTS = 240


@dataclass(frozen=True)
class Chosen:
    """A threshold, and what it does."""

    threshold: float
    confusion: Confusion


@dataclass(frozen=True)
class Curves:
    """ROC curve, precision and recall of a model over all thresholds, thinned for drawing."""

    auc: float
    prevalence: float
    fpr: Sequence[float]
    tpr: Sequence[float]
    recall: Sequence[float]
    precision: Sequence[float]
    chosen: Chosen | None = None


@dataclass(frozen=True)
class Place:
    """Where a model stands between order and probability."""

    auc: float
    interval: Interval
    lost: float
    """What wrong probabilities cost of the uncertainty: MCB/UNC."""


def curves_of(ev: PredictionEvaluation, threshold: float | None = None) -> Curves:
    roc, pr = (ev.curve(kind, points=_POINTS) for kind in ("roc", "pr"))
    return Curves(
        auc=ev.evaluate("AUC")["AUC"],
        prevalence=ev.counts["prevalence"],
        **{name: tuple(roc[name]) for name in ("fpr", "tpr")},
        **{name: tuple(pr[name]) for name in ("recall", "precision")},
        chosen=None if threshold is None else Chosen(threshold, ev.confusion(threshold)),
    )


def place_of(ev: PredictionEvaluation) -> Place:
    full = ev.evaluate("AUC", "MCB", "UNC")
    unc = full["UNC"]
    return Place(full["AUC"], full.interval("AUC"), full["MCB"] / unc if unc else nan)
