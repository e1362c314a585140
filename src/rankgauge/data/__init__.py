"""Judgements and rankings, and the ways in and out of files, frames, arrays and dicts."""

from rankgauge.data.qrels import Qrels, read_qrels
from rankgauge.data.run import Run, read_run

__all__ = ["Qrels", "Run", "read_qrels", "read_run"]
