"""Ranks judged items once, under one tie rule, and sorts labelled scores once; everything after works on the result."""

from rankgauge.alignment.alignment import Alignment, Groups
from rankgauge.alignment.sample import Sample
from rankgauge.alignment.segments import Array, Segments
from rankgauge.alignment.sweep import Sweep

__all__ = ["Alignment", "Array", "Groups", "Sample", "Segments", "Sweep"]
