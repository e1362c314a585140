"""Judgements, rankings and predictions, and the ways in and out of files, frames, arrays and dicts."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rankgauge.data.qrels import Qrels, read_qrels
from rankgauge.data.run import Run, read_run

if TYPE_CHECKING:
    from rankgauge.data.predictions import Predictions, read_predictions

__all__ = ["Predictions", "Qrels", "Run", "read_predictions", "read_qrels", "read_run"]


def __getattr__(name: str) -> Any:
    if name in ("Predictions", "read_predictions"):  # rankings do without them
        return getattr(import_module("rankgauge.data.predictions"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
