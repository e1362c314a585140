"""Measures of several classes: what a model called each row, or how probable it held each class.

One module per family. Importing this package imports them all, so a new module is a new family.
"""

from __future__ import annotations

import os
from importlib import import_module

from rankgauge.measures.classes.base import CLASSES, ClassCase, ClassMeasure

__all__ = ["CLASSES", "ClassCase", "ClassMeasure", "families"]

for _file in sorted(os.listdir(os.path.dirname(__file__))):
    if _file.endswith(".py") and not _file.startswith("_"):
        import_module(f"{__name__}.{_file.removesuffix('.py')}")

_FIRST = ("Classes: share called right", "Classes: precision and recall", "Classes: beyond chance")


def families() -> dict[str, list[type[ClassMeasure]]]:
    """The measures by family, in the order in which people ask for them."""
    return CLASSES.families(_FIRST)
