"""The result of evaluating labels and scores: one number per measure over all rows, with interval and company."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from rankgauge._checks import one_of, whole
from rankgauge._text import Text, zh
from rankgauge.alignment import Array
from rankgauge.alignment.sample import Sample
from rankgauge.alignment.sweep import Confusion
from rankgauge.data.predictions import Predictions
from rankgauge.errors import InputError
from rankgauge.evaluation.predictions.of_rows import CERTIFIED, Estimate, RowEvaluation, RowEvaluations, estimate
from rankgauge.measures.grammar import parse_prediction
from rankgauge.measures.predictions.base import Facts, PredictionMeasure

if TYPE_CHECKING:
    import polars as pl

__all__ = ["CERTIFIED", "Estimate", "PredictionEvaluation", "PredictionEvaluations", "counts_of", "estimate"]


def counts_of(s: Facts, groups: int | None, zero_weight_rows: int) -> dict[str, Any]:
    """What went into the numbers."""
    return {
        "rows": len(s),
        "positives": s.n_positives,
        "prevalence": s.prevalence,
        "weight": s.total,
        "groups": groups,
        "zero_weight_rows": zero_weight_rows,
        "soft_labels": s.between,
    }


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PredictionEvaluation(RowEvaluation, kind="predictions", schema=1):
    """Numbers of one model on one set of rows.

    `ev["AUC"]` is a number, under any spelling of its name; `ev.interval("AUC")` says how far it can be trusted, with
    rows of one group counted as one unit; `ev.undefined` says why a number is missing; `ev.column("ECE").beside` what
    to read it with.
    """

    predictions: Predictions | None = None
    """The rows; None after reading a stored evaluation."""
    sample: Sample | None = None

    @classmethod
    def _parsed(cls, name: Any) -> PredictionMeasure:
        return parse_prediction(name)

    # curves and thresholds

    def confusion(self, threshold: float) -> Confusion:
        """Rows (or their weight) by label and side of a threshold: tp, fp, fn, tn."""
        return self._hard_rows().sweep.confusion(threshold)

    def curve(self, kind: str = "roc", points: int | None = None) -> pl.DataFrame:
        """The curve over all distinct thresholds, the highest first: `roc`, `pr` or `gain`.

        Columns: `threshold`, then `fpr, tpr`, or `recall, precision`, or `share, gain, lift`. `points` keeps about so
        many of them, and always the first and the last: spread evenly along the curve (roc), over the positives (pr),
        or over the rows (gain).
        """
        import polars as pl

        sweep = self._hard_rows().sweep
        p, n = sweep.n_positives, sweep.n_negatives
        along = {"roc": sweep.tp / p + sweep.fp / n, "pr": sweep.tp}.get(kind, sweep.tp + sweep.fp)
        kept = _spread(along, points)
        threshold, tp, fp = sweep.thresholds[kept], sweep.tp[kept], sweep.fp[kept]
        curves = {
            "roc": {"fpr": fp / n, "tpr": tp / p},
            "pr": {"recall": tp / p, "precision": tp / (tp + fp)},
            "gain": {"share": (tp + fp) / (p + n), "gain": tp / p, "lift": tp / p * (p + n) / (tp + fp)},
        }
        if kind not in curves:
            one_of("kind", kind, curves)
        columns = {"threshold": threshold, **curves[kind]}
        if kind == "roc":  # where nothing is called positive
            start = {"threshold": np.inf, "fpr": 0.0, "tpr": 0.0}
            columns = {name: np.concatenate(([start[name]], values)) for name, values in columns.items()}
        return pl.DataFrame(columns)

    def _hard_rows(self) -> Sample:
        s: Sample = self._rows()
        if s.is_soft or not s.has_both_classes:
            raise InputError(
                Text(
                    f"{self.data}: a curve needs labels 0 and 1, both of them.",
                    f"{zh(self.data)}：曲线需要标签同时有 0 和 1。",
                )
            )
        return s

    # tables and plain data

    def _of_groups(self, s: Sample) -> dict[str, Array]:
        assert s.group is not None
        return {"positives": np.bincount(s.group, weights=s.weigh(s.label), minlength=s.n_groups)}

    @classmethod
    def _from_plain(cls, data: Any) -> Self:
        from rankgauge.evaluation.stored_shapes import StoredPredictions, refuse_damaged

        refuse_damaged(data, StoredPredictions)
        return cls(**cls._given(data))


class PredictionEvaluations(RowEvaluations[PredictionEvaluation], kind="predictions_by_name", schema=1):
    """Evaluations of several models on the same rows, by name."""


def _spread(taken: Array, points: int | None) -> Array:
    """Which points of a curve to keep, evenly over the rows taken so far."""
    whole("points", points, at_least=2, optional=True)
    if points is None or len(taken) <= points:
        return np.arange(len(taken))
    wanted = np.linspace(taken[0], taken[-1], points)
    return np.unique(np.append(np.searchsorted(taken, wanted), [0, len(taken) - 1]).clip(max=len(taken) - 1))
