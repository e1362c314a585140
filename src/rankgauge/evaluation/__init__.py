"""Policies, conventions, `evaluate` and its record; each loads on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge._lazy import on_first_use

if TYPE_CHECKING:
    from rankgauge.evaluation.loading import load
    from rankgauge.evaluation.of_predictions import evaluate_predictions
    from rankgauge.evaluation.of_rankings import EvaluateOptions, evaluate
    from rankgauge.evaluation.predictions.classes import ClassEvaluation, ClassEvaluations
    from rankgauge.evaluation.predictions.differences import Difference
    from rankgauge.evaluation.predictions.per_class import ConfusionMatrix, PerClass
    from rankgauge.evaluation.predictions.policy import PredictionPolicy, PredictionWords
    from rankgauge.evaluation.predictions.record import Estimate, PredictionEvaluation, PredictionEvaluations
    from rankgauge.evaluation.predictions.score_histogram import ScoreBin
    from rankgauge.evaluation.predictions.splits import Split
    from rankgauge.evaluation.predictions.state import PredictionState
    from rankgauge.evaluation.predictions.thresholds import Threshold, choose_threshold
    from rankgauge.evaluation.rankings.by_budget import BudgetPoint, ByBudget
    from rankgauge.evaluation.rankings.by_cutoff import ByCutoff, CutoffPoint
    from rankgauge.evaluation.rankings.conventions import Convention
    from rankgauge.evaluation.rankings.judgement_health import Holes, JudgedAtRank, RelevantItems, TieSensitivity
    from rankgauge.evaluation.rankings.policy import Policy, PolicyWords
    from rankgauge.evaluation.rankings.record import Column, RankingEvaluation, RankingEvaluations
    from rankgauge.evaluation.rankings.suspicion import Suspicion
    from rankgauge.evaluation.record import Evaluation, Evaluations

__all__ = [
    "BudgetPoint",
    "ByBudget",
    "ByCutoff",
    "ClassEvaluation",
    "ClassEvaluations",
    "Column",
    "ConfusionMatrix",
    "Convention",
    "CutoffPoint",
    "Difference",
    "Estimate",
    "EvaluateOptions",
    "Evaluation",
    "Evaluations",
    "Holes",
    "JudgedAtRank",
    "PerClass",
    "Policy",
    "PolicyWords",
    "PredictionEvaluation",
    "PredictionEvaluations",
    "PredictionPolicy",
    "PredictionState",
    "PredictionWords",
    "RankingEvaluation",
    "RankingEvaluations",
    "RelevantItems",
    "ScoreBin",
    "Split",
    "Suspicion",
    "Threshold",
    "TieSensitivity",
    "choose_threshold",
    "evaluate",
    "evaluate_predictions",
    "load",
]

_HOME = {
    "BudgetPoint": "rankings.by_budget",
    "ByBudget": "rankings.by_budget",
    "ByCutoff": "rankings.by_cutoff",
    "ClassEvaluation": "predictions.classes",
    "ClassEvaluations": "predictions.classes",
    "Column": "rankings.record",
    "ConfusionMatrix": "predictions.per_class",
    "Convention": "rankings.conventions",
    "CutoffPoint": "rankings.by_cutoff",
    "Difference": "predictions.differences",
    "Estimate": "predictions.record",
    "EvaluateOptions": "of_rankings",
    "Evaluation": "record",
    "Evaluations": "record",
    "Holes": "rankings.judgement_health",
    "JudgedAtRank": "rankings.judgement_health",
    "PerClass": "predictions.per_class",
    "Policy": "rankings.policy",
    "PolicyWords": "rankings.policy",
    "PredictionEvaluation": "predictions.record",
    "PredictionEvaluations": "predictions.record",
    "PredictionPolicy": "predictions.policy",
    "PredictionState": "predictions.state",
    "PredictionWords": "predictions.policy",
    "RankingEvaluation": "rankings.record",
    "RankingEvaluations": "rankings.record",
    "RelevantItems": "rankings.judgement_health",
    "ScoreBin": "predictions.score_histogram",
    "Split": "predictions.splits",
    "Suspicion": "rankings.suspicion",
    "Threshold": "predictions.thresholds",
    "TieSensitivity": "rankings.judgement_health",
    "choose_threshold": "predictions.thresholds",
    "evaluate": "of_rankings",
    "evaluate_predictions": "of_predictions",
    "load": "loading",
}

__getattr__, __dir__ = on_first_use(__name__, _HOME, __all__)
