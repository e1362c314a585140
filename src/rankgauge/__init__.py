"""How good is a ranking, is the new one better, and can the answer be trusted?

    import rankgauge as rg

    ev = rg.evaluate(qrels, run, ["nDCG@10", "R@100", "RR@10"])
    print(ev)

Public names load on first use, so importing rankgauge costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rankgauge._version import __version__

if TYPE_CHECKING:
    from rankgauge import errors, measures
    from rankgauge.alignment import Alignment, Sample, Sweep
    from rankgauge.data import Predictions, Qrels, Run, read_predictions, read_qrels, read_run
    from rankgauge.data.audit import Audit, audit
    from rankgauge.evaluation import (
        Evaluation,
        Evaluations,
        Policy,
        PredictionEvaluation,
        PredictionPolicy,
        PredictionState,
        RankingEvaluation,
        evaluate,
        evaluate_predictions,
    )
    from rankgauge.evaluation.conventions import CONVENTIONS
    from rankgauge.measures import Measure, PredictionMeasure, parse
    from rankgauge.measures.custom import measure
    from rankgauge.measures.explanation import explain

_HOME = {
    "Alignment": "alignment",
    "Audit": "data.audit",
    "CONVENTIONS": "evaluation.conventions",
    "Evaluation": "evaluation",
    "Evaluations": "evaluation",
    "Measure": "measures",
    "Policy": "evaluation",
    "PredictionEvaluation": "evaluation",
    "PredictionMeasure": "measures",
    "PredictionPolicy": "evaluation",
    "PredictionState": "evaluation",
    "Predictions": "data",
    "Qrels": "data",
    "RankingEvaluation": "evaluation",
    "Run": "data",
    "Sample": "alignment",
    "Sweep": "alignment",
    "audit": "data.audit",
    "errors": "",
    "evaluate": "evaluation",
    "evaluate_predictions": "evaluation",
    "explain": "measures.explanation",
    "measure": "measures.custom",
    "measures": "",
    "parse": "measures",
    "read_predictions": "data",
    "read_qrels": "data",
    "read_run": "data",
}

__all__ = [
    "CONVENTIONS",
    "Alignment",
    "Audit",
    "Evaluation",
    "Evaluations",
    "Measure",
    "Policy",
    "PredictionEvaluation",
    "PredictionMeasure",
    "PredictionPolicy",
    "PredictionState",
    "Predictions",
    "Qrels",
    "RankingEvaluation",
    "Run",
    "Sample",
    "Sweep",
    "__version__",
    "audit",
    "errors",
    "evaluate",
    "evaluate_predictions",
    "explain",
    "measure",
    "measures",
    "parse",
    "read_predictions",
    "read_qrels",
    "read_run",
]


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'rankgauge' has no attribute {name!r}")
    if not home:  # a public module
        return import_module(f"rankgauge.{name}")
    value = getattr(import_module(f"rankgauge.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
