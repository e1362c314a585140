"""Measures of several classes: what a model called each row, or how probable it held each class.

One module per family. Importing this package imports them all, so a new module is a new family.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge._lazy import import_modules, on_first_use
from rankgauge.measures.classes.base import CLASSES, ClassCase, ClassMeasure

__all__ = ["CLASSES", "ClassCase", "ClassMeasure", "families"]

import_modules(__name__)

_FIRST = ("Classes: share called right", "Classes: precision and recall", "Classes: beyond chance")


def families() -> dict[str, list[type[ClassMeasure]]]:
    """The measures by family, in the order in which people ask for them."""
    return CLASSES.families(_FIRST)


if TYPE_CHECKING:

    def __getattr__(name: str) -> type[ClassMeasure]: ...
else:  # a measure is found by its name: rg.measures.classes.Recall
    __getattr__, __dir__ = on_first_use(__name__, {}, __all__, registries=["base.CLASSES"])
