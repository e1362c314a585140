"""Where a pipeline of several stages loses its relevant items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge._lazy import on_first_use

if TYPE_CHECKING:
    from rankgauge.evaluation.funnel.channels_record import Addition, Channel, Channels, FoundItems, Overlap
    from rankgauge.evaluation.funnel.record import Funnel, FunnelStage, FunnelStep, Traced
    from rankgauge.evaluation.funnel.several_channels import channels
    from rankgauge.evaluation.funnel.tracing import funnel

__all__ = [
    "Addition",
    "Channel",
    "Channels",
    "FoundItems",
    "Funnel",
    "FunnelStage",
    "FunnelStep",
    "Overlap",
    "Traced",
    "channels",
    "funnel",
]

_HOME = {
    "Addition": "channels_record",
    "Channel": "channels_record",
    "Channels": "channels_record",
    "FoundItems": "channels_record",
    "Funnel": "record",
    "FunnelStage": "record",
    "FunnelStep": "record",
    "Overlap": "channels_record",
    "Traced": "record",
    "channels": "several_channels",
    "funnel": "tracing",
}

__getattr__, __dir__ = on_first_use(__name__, _HOME, __all__)
