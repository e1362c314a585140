"""Ranks judged items once, under one tie rule, and sorts labelled scores once; everything after works on the result."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rankgauge.alignment.alignment import Alignment, Groups, Repeats
from rankgauge.alignment.segments import Array, Segments

if TYPE_CHECKING:
    from rankgauge.alignment.sample import Sample
    from rankgauge.alignment.sweep import Sweep

__all__ = ["Alignment", "Array", "Groups", "Repeats", "Sample", "Segments", "Sweep"]

_LATER = {"Sample": "sample", "Sweep": "sweep"}  # rankings do without them


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
