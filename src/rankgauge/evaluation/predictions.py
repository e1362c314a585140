"""Labels + scores → numbers: the whole path, in one call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rankgauge._memory import room_of
from rankgauge._piped import taken_in
from rankgauge._version import __version__
from rankgauge.alignment.sample import Sample
from rankgauge.data.batches import Batches
from rankgauge.data.predictions import Predictions, asked_columns
from rankgauge.engines.choosing import check_engine, in_pieces, is_on_spark
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.intervals import check_level
from rankgauge.evaluation.prediction_policy import PredictionPolicy
from rankgauge.evaluation.prediction_record import PredictionEvaluation, PredictionEvaluations, counts_of, estimate
from rankgauge.measures.grammar import as_list, parse_prediction
from rankgauge.measures.predictions.base import Facts, PredictionMeasure

__all__ = [
    "check_scale",
    "default_measures",
    "evaluate_predictions",
    "sample_of",
    "scale_of",
    "wanted_measures",
]

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
    engine: str = "auto",
    memory: str | int | None = None,
    progress: bool | None = None,
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

    `engine` says where: `"auto"` computes in memory what fits into `memory` (`"2GiB"`, or half of what is free) and
    reads larger Parquet files, folders and lazily scanned frames in pieces; `"streaming"` always reads those in
    pieces, `"memory"` never does; `"spark"` computes on a Spark session. Sums over rows or groups (LogLoss, NE, Brier,
    COPC, GAUC, thresholds …) are the same everywhere. What depends on the order of all rows (AUC, PRAUC, KS, ECE, ECCE)
    comes from pieces as the middle of certain bounds, which `beside` tells and the interval includes.
    `progress` shows a bar over the rows that are read in pieces; by default when standard error is a terminal.
    """
    engine = check_engine(engine)
    check_level(confidence_level)
    check_scale(scale, negatives_kept)
    asked = asked_columns(columns, scores, segments, {"label": label, "weight": weight, "group": group, "time": time})
    options: dict[str, Any] = {"scale": scale, "negatives_kept": negatives_kept, "confidence_level": confidence_level}
    predictions = taken_in(predictions)
    if engine == "spark" or (engine == "auto" and is_on_spark(predictions)):
        from rankgauge.engines.spark.predictions import evaluate_on_spark

        return evaluate_on_spark(predictions, measures, asked, positive=positive, name=name, **options)
    pieces = in_pieces(predictions, "predictions", asked, name, engine, room := room_of(memory))
    if pieces is None:
        rows = Predictions.of(predictions, columns=asked, positive=positive, name=name)
    else:
        from rankgauge.engines.predictions import evaluate_in_pieces, read_ahead

        found = read_ahead(pieces, positive, room()) if engine == "auto" else pieces
        if isinstance(found, Batches):
            return evaluate_in_pieces(found, measures, positive=positive, memory=room(), progress=progress, **options)
        rows = found

    def one(model: str) -> PredictionEvaluation:
        sample = sample_of(rows, model, scale, negatives_kept)
        return PredictionEvaluation(
            columns=[estimate(label, m, sample) for label, m in wanted_measures(measures, sample)],
            policy=PredictionPolicy(
                sample.scale,
                negatives_kept,
                rows.group.column if rows.group is not None else "",
                "weight" if rows.weight is not None else "",
            ),
            counts=counts_of(sample, None if sample.group is None else int(sample.filled.sum()), rows.zero_weight_rows),
            confidence_level=confidence_level,
            remarks=rows.notes,
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
    check_scale(scale, negatives_kept)
    given = Sample(
        rows.label,
        score,
        rows.weight,
        None if rows.group is None else rows.group.codes,
        0 if rows.group is None else rows.group.n,
        scale,
        negatives_kept,
    )
    return replace(given, scale=scale_of(given, scale, negatives_kept, rows.name))


def scale_of(s: Facts, scale: str, negatives_kept: float | None, name: str) -> str:
    """What the scores are, once all of them are known; refuses those that are not what they were said to be."""
    low, high = s.ends
    inside = low >= 0 and high <= 1
    if scale == "probability" and not inside:
        raise InputError(
            f"{name}: {s.outside:,} of {len(s):,} scores are outside [0, 1] ({low:g} to {high:g}). "
            "Pass scale='logit' if they are log-odds, scale='score' if they only order rows."
        )
    if scale == "auto" and not inside and negatives_kept is not None:
        raise InputError(
            f"{name}: `negatives_kept` corrects probabilities, and scores are from {low:g} to {high:g}. "
            "Pass scale='logit' if they are log-odds."
        )
    return ("probability" if inside else "score") if scale == "auto" else scale


def check_scale(scale: str, negatives_kept: float | None) -> None:
    """Refuses words that do not exist or do not go together."""
    PredictionPolicy(scale, negatives_kept)  # refuses unknown words
    if scale == "score" and negatives_kept is not None:
        raise ParameterError("`negatives_kept` corrects probabilities; with scale='score' there are none.")


def wanted_measures(
    measures: OfPredictions | Iterable[OfPredictions] | None, s: Facts | None = None
) -> list[tuple[str, PredictionMeasure]]:
    """What was asked for, or what people want to know first, by the name that it was called."""
    if measures is None:
        assert s is not None
        measures = default_measures(s)
    return [(str(m), parse_prediction(m)) for m in as_list(measures)]


def default_measures(s: Facts) -> list[str]:
    """What people want to know first, as far as the rows can say it."""
    order = ["AUC", "PRAUC"] + (["GAUC"] if s.has_groups else [])
    if s.scale == "score":
        return [*order, "KS"]
    return [*([] if s.is_soft else order), "LogLoss", "NE", "COPC", "ECE", "ECCE"]
