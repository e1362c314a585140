"""Policies, conventions, `evaluate` and its record."""

from rankgauge.evaluation.evaluate import evaluate
from rankgauge.evaluation.policy import Policy
from rankgauge.evaluation.record import Evaluation, Evaluations

__all__ = ["Evaluation", "Evaluations", "Policy", "evaluate"]
