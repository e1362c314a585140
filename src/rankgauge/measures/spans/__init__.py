"""Measures of spans: how much of the gold a context holds, what it costs, what is in it twice.

One module per family. Importing this package imports them all, so a new module is a new family.
"""

from __future__ import annotations

import os
from importlib import import_module

from rankgauge.measures.spans.base import SPANS, SpanCase, SpanMeasure

__all__ = ["SPANS", "SpanCase", "SpanMeasure", "families"]

for _file in sorted(os.listdir(os.path.dirname(__file__))):
    if _file.endswith(".py") and not _file.startswith("_"):
        import_module(f"{__name__}.{_file.removesuffix('.py')}")


def families() -> dict[str, list[type[SpanMeasure]]]:
    """The measures by family."""
    return SPANS.families()
