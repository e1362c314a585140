"""Measures of what is shown: how much of a catalogue, how popular, how new, how varied, how fair to items.

One module per family. Importing this package imports them all, so a new module is a new family.
"""

from __future__ import annotations

import os
from importlib import import_module

from rankgauge.measures.shown.base import SHOWN, ShownCase, ShownMeasure

__all__ = ["SHOWN", "ShownCase", "ShownMeasure", "families"]

for _file in sorted(os.listdir(os.path.dirname(__file__))):
    if _file.endswith(".py") and not _file.startswith("_"):
        import_module(f"{__name__}.{_file.removesuffix('.py')}")

_FIRST = ("Shown: coverage", "Shown: popularity", "Shown: novelty", "Shown: novelty of what is relevant")


def families() -> dict[str, list[type[ShownMeasure]]]:
    """The measures by family, in the order in which people ask for them."""
    return SHOWN.families(_FIRST)
