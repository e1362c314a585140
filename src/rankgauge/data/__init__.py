"""Judgements, rankings and predictions, and the ways in and out of files, frames, arrays and dicts."""

from rankgauge.data.predictions import Predictions, read_predictions
from rankgauge.data.qrels import Qrels, read_qrels
from rankgauge.data.run import Run, read_run

__all__ = ["Predictions", "Qrels", "Run", "read_predictions", "read_qrels", "read_run"]
