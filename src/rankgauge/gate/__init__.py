"""May this release go out? Rules about a run or a model, with a baseline, and an exit code for CI."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge._lazy import on_first_use

if TYPE_CHECKING:
    from rankgauge.evaluation.rankings.policy import PolicyWords
    from rankgauge.gate.check import Check
    from rankgauge.gate.checks import at_least, at_most, not_worse
    from rankgauge.gate.config import Gate, GateCollect, GatePolicy, SliceRules
    from rankgauge.gate.prediction_config import PredictionGate, PredictionSliceRules
    from rankgauge.gate.predictions import PredictionGateResult
    from rankgauge.gate.result import GateResult
    from rankgauge.gate.running import run_gate

__all__ = [
    "Check",
    "Gate",
    "GateCollect",
    "GatePolicy",
    "GateResult",
    "PolicyWords",
    "PredictionGate",
    "PredictionGateResult",
    "PredictionSliceRules",
    "SliceRules",
    "at_least",
    "at_most",
    "not_worse",
    "run_gate",
]

_HOME = {
    "Check": "check",
    "Gate": "config",
    "GateCollect": "config",
    "GatePolicy": "config",
    "GateResult": "result",
    "PolicyWords": "config",
    "PredictionGate": "prediction_config",
    "PredictionGateResult": "predictions",
    "PredictionSliceRules": "prediction_config",
    "SliceRules": "config",
    "at_least": "checks",
    "at_most": "checks",
    "not_worse": "checks",
    "run_gate": "running",
}

__getattr__, __dir__ = on_first_use(__name__, _HOME, __all__)
