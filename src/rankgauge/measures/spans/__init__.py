"""Measures of spans: how much of the gold a context holds, what it costs, what is in it twice.

One module per family. Importing this package imports them all, so a new module is a new family.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge._lazy import import_modules, on_first_use
from rankgauge.measures.spans.base import SPANS, SpanCase, SpanMeasure

__all__ = ["SPANS", "SpanCase", "SpanMeasure", "families"]

import_modules(__name__)


def families() -> dict[str, list[type[SpanMeasure]]]:
    """The measures by family."""
    return SPANS.families()


if TYPE_CHECKING:

    def __getattr__(name: str) -> type[SpanMeasure]: ...
else:  # a measure is found by its name: rg.measures.spans.SpanRecall
    __getattr__, __dir__ = on_first_use(__name__, {}, __all__, registries=["base.SPANS"])
