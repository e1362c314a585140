"""Where a pipeline of several stages loses its relevant items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge._lazy import on_first_use

if TYPE_CHECKING:
    from rankgauge.evaluation.funnel.record import Funnel, FunnelStage, FunnelStep, Traced
    from rankgauge.evaluation.funnel.tracing import funnel

__all__ = [
    "Funnel",
    "FunnelStage",
    "FunnelStep",
    "Traced",
    "funnel",
]

_HOME = {
    "Funnel": "record",
    "FunnelStage": "record",
    "FunnelStep": "record",
    "Traced": "record",
    "funnel": "tracing",
}

__getattr__, __dir__ = on_first_use(__name__, _HOME, __all__)
