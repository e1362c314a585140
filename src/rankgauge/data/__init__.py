"""Judgements, rankings and predictions, and the ways in and out of files, frames, arrays and dicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge._lazy import on_first_use

if TYPE_CHECKING:
    from rankgauge.data._arrays import Codes
    from rankgauge.data.class_predictions import ClassPredictions
    from rankgauge.data.predictions import Predictions, read_predictions
    from rankgauge.data.qrels import Qrels, read_qrels
    from rankgauge.data.run import Run, read_run
    from rankgauge.data.run_source import RunSource

__all__ = [
    "ClassPredictions",
    "Codes",
    "Predictions",
    "Qrels",
    "Run",
    "RunSource",
    "read_predictions",
    "read_qrels",
    "read_run",
]

_HOME = {
    "ClassPredictions": "class_predictions",
    "Codes": "_arrays",
    "Predictions": "predictions",
    "Qrels": "qrels",
    "Run": "run",
    "RunSource": "run_source",
    "read_predictions": "predictions",
    "read_qrels": "qrels",
    "read_run": "run",
}

__getattr__, __dir__ = on_first_use(__name__, _HOME, __all__)
