"""Ranks judged items once, under one tie rule, and sorts labelled scores once; everything after works on the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge._lazy import on_first_use
from rankgauge.alignment.alignment import Alignment, Groups, Repeats
from rankgauge.alignment.segments import Array, Segments

if TYPE_CHECKING:
    from rankgauge.alignment.sample import Sample
    from rankgauge.alignment.sweep import Sweep

__all__ = ["Alignment", "Array", "Groups", "Repeats", "Sample", "Segments", "Sweep"]

_HOME = {"Sample": "sample", "Sweep": "sweep"}  # rankings do without them

__getattr__, __dir__ = on_first_use(__name__, _HOME, __all__)
