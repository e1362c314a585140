"""May this release go out? Rules about a run, checked against judgements and a baseline, with an exit code for CI."""

from __future__ import annotations

from rankgauge.evaluation.rankings.policy import PolicyWords
from rankgauge.gate.checks import Check, at_least, at_most, not_worse
from rankgauge.gate.config import Gate, GatePolicy, SliceRules
from rankgauge.gate.result import GateResult
from rankgauge.gate.running import run_gate

__all__ = [
    "Check",
    "Gate",
    "GatePolicy",
    "GateResult",
    "PolicyWords",
    "SliceRules",
    "at_least",
    "at_most",
    "not_worse",
    "run_gate",
]
