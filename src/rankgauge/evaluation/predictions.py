"""Labels + scores → numbers: the whole path, in one call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from rankgauge._version import __version__
from rankgauge.alignment.sample import Sample
from rankgauge.data.predictions import Predictions
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.intervals import check_level
from rankgauge.evaluation.prediction_policy import PredictionPolicy
from rankgauge.evaluation.prediction_record import PredictionEvaluation, PredictionEvaluations, estimate
from rankgauge.measures.grammar import parse_prediction
from rankgauge.measures.predictions.base import PredictionMeasure

__all__ = ["default_measures", "evaluate_predictions", "sample_of"]

OfPredictions = str | PredictionMeasure


def evaluate_predictions(
    predictions: Any,
    measures: OfPredictions | Iterable[OfPredictions] | None = None,
    *,
    scale: str = "auto",
    negatives_kept: float | None = None,
    confidence_level: float = 0.95,
    columns: Mapping[str, str] | None = None,
    scores: Sequence[str] | str | None = None,
    segments: Sequence[str] | str | None = None,
    label: str | None = None,
    weight: str | None = None,
    group: str | None = None,
    time: str | None = None,
    positive: Any = None,
    name: str = "",
) -> Any:
    """How good are these scores: do they order rows well, and can they be taken as probabilities?

    `predictions` may be a mapping of arrays (`{"label": y, "score": p, "group": user}`), any dataframe, a path, or
    `Predictions`. One score gives a `PredictionEvaluation`; several (`scores=["old", "new"]`) give
    `PredictionEvaluations`, whose `difference("AUC", "new")` is paired.

    >>> ev = evaluate_predictions({"label": [0, 0, 1, 1], "score": [.1, .4, .35, .8]}, ["AUC", "LogLoss"])
    >>> ev["roc_auc"], round(ev["log_loss"], 4)
    (0.75, 0.4723)

    `scale` says what the scores are: probability, logit, score (an order only); auto takes them for probabilities if
    they all are in [0, 1]. `negatives_kept` corrects probabilities of a model trained on down-sampled negatives:
    p / (p + (1-p) / kept). `columns` maps names of the input to roles; `label`, `weight`, `group`, `time` are short
    forms of it, `segments` names columns to slice by, `positive` says which labels count ("yes", ">=4"). Intervals
    treat the rows of one group as one unit.
    """
    rows = Predictions.of(
        predictions,
        columns=columns,
        scores=scores,
        segments=segments,
        label=label,
        weight=weight,
        group=group,
        time=time,
        positive=positive,
        name=name,
    )
    check_level(confidence_level)

    def one(model: str) -> PredictionEvaluation:
        sample = sample_of(rows, model, scale, negatives_kept)
        wanted = default_measures(sample) if measures is None else measures
        wanted = [wanted] if isinstance(wanted, (str, PredictionMeasure)) else list(wanted)
        return PredictionEvaluation(
            columns=[estimate(str(m), parse_prediction(m), sample) for m in wanted],
            policy=PredictionPolicy(
                sample.scale,
                negatives_kept,
                rows.group.column if rows.group is not None else "",
                "weight" if rows.weight is not None else "",
            ),
            counts=_counts(rows, sample),
            confidence_level=confidence_level,
            notes=rows.notes,
            version=__version__,
            model=model,
            data=rows.name,
            predictions=rows,
            sample=sample,
        )

    if len(rows.scores) == 1:
        return one(next(iter(rows.scores)))
    return PredictionEvaluations({model: one(model) for model in rows.scores})


def sample_of(
    rows: Predictions, model: str | None = None, scale: str = "auto", negatives_kept: float | None = None
) -> Sample:
    """The rows of one model, with what its scores are."""
    score = rows.score if model is None else rows.scores[model]
    PredictionPolicy(scale, negatives_kept)  # refuses unknown words
    if scale == "score" and negatives_kept is not None:
        raise ParameterError("`negatives_kept` corrects probabilities; with scale='score' there are none.")
    low, high = float(score.min()), float(score.max())
    inside = low >= 0 and high <= 1
    if scale == "probability" and not inside:
        outside = int(np.count_nonzero(~((score >= 0) & (score <= 1))))
        raise InputError(
            f"{rows.name}: {outside:,} of {len(score):,} scores are outside [0, 1] ({low:g} to {high:g}). "
            "Pass scale='logit' if they are log-odds, scale='score' if they only order rows."
        )
    if scale == "auto" and not inside and negatives_kept is not None:
        raise InputError(
            f"{rows.name}: `negatives_kept` corrects probabilities, and scores are from {low:g} to {high:g}. "
            "Pass scale='logit' if they are log-odds."
        )
    return Sample(
        rows.label,
        score,
        rows.weight,
        None if rows.group is None else rows.group.codes,
        0 if rows.group is None else rows.group.n,
        ("probability" if inside else "score") if scale == "auto" else scale,
        negatives_kept,
    )


def default_measures(s: Sample) -> list[str]:
    """What people want to know first, as far as the rows can say it."""
    order = ["AUC", "PRAUC"] + (["GAUC"] if s.group is not None else [])
    if s.scale == "score":
        return [*order, "KS"]
    return [*([] if s.is_soft else order), "LogLoss", "NE", "COPC", "ECE", "ECCE"]


def _counts(rows: Predictions, s: Sample) -> dict[str, Any]:
    """What went into the numbers."""
    return {
        "rows": len(s),
        "positives": s.n_positives,
        "prevalence": s.prevalence,
        "weight": s.total,
        "groups": int(s.filled.sum()) if s.group is not None else None,
        "zero_weight_rows": rows.zero_weight_rows,
        "soft_labels": int(np.count_nonzero((s.label > 0) & (s.label < 1))) if s.is_soft else 0,
    }
