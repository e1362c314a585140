"""Measures of labels and scores: order, loss and calibration of classifiers and CTR models.

One module per family. Importing this package imports them all, so a new module is a new family.
"""

from __future__ import annotations

import os
from importlib import import_module

from rankgauge.measures.predictions.base import (
    PREDICTIONS,
    Beside,
    Case,
    PredictionMeasure,
    RowMeasure,
    Undefined,
    Wanted,
)
from rankgauge.measures.predictions.sums import OfSums

__all__ = [
    "PREDICTIONS",
    "Beside",
    "Case",
    "OfSums",
    "PredictionMeasure",
    "RowMeasure",
    "Undefined",
    "Wanted",
    "families",
]

for _file in sorted(os.listdir(os.path.dirname(__file__))):
    if _file.endswith(".py") and not _file.startswith("_"):
        import_module(f"{__name__}.{_file.removesuffix('.py')}")

_FIRST = ("Order of scores", "Order of scores inside groups", "Loss", "Calibration", "Split of the loss")


def families() -> dict[str, list[type[PredictionMeasure]]]:
    """The measures by family, in the order in which people ask for them."""
    return PREDICTIONS.families(_FIRST)
