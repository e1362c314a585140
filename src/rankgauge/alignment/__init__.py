"""Ranks judged items once, under one tie rule; everything after works on the result."""

from rankgauge.alignment.alignment import Alignment, Groups
from rankgauge.alignment.segments import Array, Segments

__all__ = ["Alignment", "Array", "Groups", "Segments"]
