"""Policies, conventions, `evaluate` and its record; each loads on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge._lazy import on_first_use

if TYPE_CHECKING:
    from rankgauge.evaluation.loading import load
    from rankgauge.evaluation.of_predictions import evaluate_predictions
    from rankgauge.evaluation.of_rankings import evaluate
    from rankgauge.evaluation.predictions.policy import PredictionPolicy
    from rankgauge.evaluation.predictions.record import PredictionEvaluation
    from rankgauge.evaluation.predictions.state import PredictionState
    from rankgauge.evaluation.predictions.thresholds import Threshold, choose_threshold
    from rankgauge.evaluation.rankings.policy import Policy
    from rankgauge.evaluation.rankings.record import RankingEvaluation
    from rankgauge.evaluation.record import Evaluation, Evaluations

__all__ = [
    "Evaluation",
    "Evaluations",
    "Policy",
    "PredictionEvaluation",
    "PredictionPolicy",
    "PredictionState",
    "RankingEvaluation",
    "Threshold",
    "choose_threshold",
    "evaluate",
    "evaluate_predictions",
    "load",
]

_HOME = {
    "Evaluation": "record",
    "Evaluations": "record",
    "Policy": "rankings.policy",
    "PredictionEvaluation": "predictions.record",
    "PredictionPolicy": "predictions.policy",
    "PredictionState": "predictions.state",
    "RankingEvaluation": "rankings.record",
    "Threshold": "predictions.thresholds",
    "choose_threshold": "predictions.thresholds",
    "evaluate": "of_rankings",
    "evaluate_predictions": "of_predictions",
    "load": "loading",
}

__getattr__, __dir__ = on_first_use(__name__, _HOME, __all__)
