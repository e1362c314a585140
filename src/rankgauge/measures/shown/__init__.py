"""Measures of what is shown: how much of a catalogue, how popular, how new, how varied, how fair to items.

One module per family. Importing this package imports them all, so a new module is a new family.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge._lazy import import_modules, on_first_use
from rankgauge.measures.shown.base import SHOWN, ShownCase, ShownMeasure

__all__ = ["SHOWN", "ShownCase", "ShownMeasure", "families"]

import_modules(__name__)

_FIRST = ("Shown: coverage", "Shown: popularity", "Shown: novelty", "Shown: novelty of what is relevant")


def families() -> dict[str, list[type[ShownMeasure]]]:
    """The measures by family, in the order in which people ask for them."""
    return SHOWN.families(_FIRST)


if TYPE_CHECKING:

    def __getattr__(name: str) -> type[ShownMeasure]: ...
else:  # a measure is found by its name: rg.measures.shown.Coverage
    __getattr__, __dir__ = on_first_use(__name__, {}, __all__, registries=["base.SHOWN"])
