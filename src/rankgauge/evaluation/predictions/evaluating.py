"""Labels and scores that are in memory → their record."""

from __future__ import annotations

from collections.abc import Iterable

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.data.predictions import Predictions
from rankgauge.evaluation.predictions.asking import OfPredictions, are_only_calls, sample_of, wanted_measures
from rankgauge.evaluation.predictions.of_rows import heavy_rows
from rankgauge.evaluation.predictions.policy import PredictionPolicy
from rankgauge.evaluation.predictions.record import PredictionEvaluation, PredictionEvaluations, counts_of, estimate

__all__ = ["evaluate_rows"]


def evaluate_rows(
    rows: Predictions,
    measures: OfPredictions | Iterable[OfPredictions] | None,
    rules: PredictionPolicy,
    confidence_level: float,
) -> PredictionEvaluation | PredictionEvaluations:
    """The measures of one model, or of each of several."""

    def one(model: str) -> PredictionEvaluation:
        sample = sample_of(rows, model, rules)
        called = len(rows.scores) == 1 and are_only_calls(sample)  # of several models all have the same measures
        wanted = wanted_measures(measures, sample, are_calls=called)
        return PredictionEvaluation(
            columns=[estimate(label, m, sample) for label, m in wanted],
            policy=rules.of_rows(
                sample.scale,
                rows.group.column if rows.group is not None else "",
                "weight" if rows.weight is not None else "",
            ),
            counts=counts_of(sample, None if sample.group is None else int(sample.filled.sum()), rows.zero_weight_rows),
            confidence_level=confidence_level,
            remarks=(
                *rows.notes,
                *([_calls(model)] if called else []),
                *heavy_rows(sample.n_units, sample.left, sample.has_groups),
            ),
            version=__version__,
            model=model,
            data=rows.name,
            predictions=rows,
            sample=sample,
        )

    if len(rows.scores) == 1:
        return one(next(iter(rows.scores)))
    return PredictionEvaluations({model: one(model) for model in rows.scores})


def _calls(column: str) -> Text:
    """What is said of scores that are classes."""
    asked = f"prediction={show(column)}"
    return Text(
        "all scores are 0 or 1: calls, which every threshold above 0 and up to 1 leaves as they are; "
        f"{asked} evaluates them as classes",
        f"所有得分都是 0 或 1，即已经判定的类别：大于 0、不超过 1 的任何阈值都得到同样的判定；{asked} 可按类别评测",
    )
