"""Policies, conventions, `evaluate` and its record; each loads on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge._lazy import on_first_use

if TYPE_CHECKING:
    from rankgauge.evaluation.evaluator import evaluate
    from rankgauge.evaluation.policy import Policy
    from rankgauge.evaluation.prediction_policy import PredictionPolicy
    from rankgauge.evaluation.prediction_record import PredictionEvaluation
    from rankgauge.evaluation.predictions import evaluate_predictions
    from rankgauge.evaluation.ranking_record import RankingEvaluation
    from rankgauge.evaluation.record import Evaluation, Evaluations
    from rankgauge.evaluation.stream import PredictionState
    from rankgauge.evaluation.thresholds import Threshold, choose_threshold

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
]

_HOME = {
    "Evaluation": "record",
    "Evaluations": "record",
    "Policy": "policy",
    "PredictionEvaluation": "prediction_record",
    "PredictionPolicy": "prediction_policy",
    "PredictionState": "stream",
    "RankingEvaluation": "ranking_record",
    "Threshold": "thresholds",
    "choose_threshold": "thresholds",
    "evaluate": "evaluator",
    "evaluate_predictions": "predictions",
}

__getattr__, __dir__ = on_first_use(__name__, _HOME, __all__)
