"""Ranks judged items once, under one tie rule, and sorts labelled scores once; everything after works on the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge._lazy import on_first_use
from rankgauge.alignment.alignment import Alignment, Beside, Groups, Repeats
from rankgauge.alignment.segments import Array, Segments

if TYPE_CHECKING:
    from rankgauge.alignment.aligned import Aligned
    from rankgauge.alignment.bracket import Bracket
    from rankgauge.alignment.class_sample import Cells, ClassCounts, ClassSample
    from rankgauge.alignment.costs import Budget, Costs, Prices
    from rankgauge.alignment.covered import Covered
    from rankgauge.alignment.pairs import GroupPairs
    from rankgauge.alignment.sample import Blocks, Sample
    from rankgauge.alignment.sweep import Class, Confusion, ThresholdSweep

__all__ = [
    "Aligned",
    "Alignment",
    "Array",
    "Beside",
    "Blocks",
    "Bracket",
    "Budget",
    "Cells",
    "Class",
    "ClassCounts",
    "ClassSample",
    "Confusion",
    "Costs",
    "Covered",
    "GroupPairs",
    "Groups",
    "Prices",
    "Repeats",
    "Sample",
    "Segments",
    "ThresholdSweep",
]

_HOME = {
    "Aligned": "aligned",
    "Blocks": "sample",
    "Bracket": "bracket",
    "Budget": "costs",
    "Cells": "class_sample",
    "Class": "sweep",
    "ClassCounts": "class_sample",
    "ClassSample": "class_sample",
    "Confusion": "sweep",
    "Costs": "costs",
    "Covered": "covered",
    "GroupPairs": "pairs",
    "Prices": "costs",
    "Sample": "sample",
    "ThresholdSweep": "sweep",
}  # rankings do without them

__getattr__, __dir__ = on_first_use(__name__, _HOME, __all__)
