"""Asking a live retriever: lists, times, failures, to be taken up again after an interruption."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge._lazy import on_first_use

if TYPE_CHECKING:
    from rankgauge.collection.collecting import CollectOptions, collect

__all__ = ["CollectOptions", "collect"]

_HOME = {"CollectOptions": "collecting", "collect": "collecting"}

__getattr__, __dir__ = on_first_use(__name__, _HOME, __all__)
