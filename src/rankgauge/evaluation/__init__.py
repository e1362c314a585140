"""Policies, conventions, `evaluate` and its record; each loads on first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankgauge.evaluation.evaluator import evaluate
    from rankgauge.evaluation.policy import Policy
    from rankgauge.evaluation.record import Evaluation, Evaluations

__all__ = ["Evaluation", "Evaluations", "Policy", "evaluate"]

_HOME = {"Evaluation": "record", "Evaluations": "record", "Policy": "policy", "evaluate": "evaluator"}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
