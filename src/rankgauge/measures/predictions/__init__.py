"""Measures of labels and scores: order, loss and calibration of classifiers and CTR models.

One module per family. Importing this package imports them all, so a new module is a new family.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge._lazy import import_modules, on_first_use
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

import_modules(__name__)

_FIRST = ("Order of scores", "Order of scores inside groups", "Loss", "Calibration", "Split of the loss")


def families() -> dict[str, list[type[PredictionMeasure]]]:
    """The measures by family, in the order in which people ask for them."""
    return PREDICTIONS.families(_FIRST)


if TYPE_CHECKING:

    def __getattr__(name: str) -> type[PredictionMeasure]: ...
else:  # a measure is found by its name: rg.measures.predictions.F
    __getattr__, __dir__ = on_first_use(__name__, {}, __all__, registries=["base.PREDICTIONS"])
