"""Is one system better than another? Paired differences, what they come from, and what could undo them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankgauge.comparison.comparing import compare
    from rankgauge.comparison.contrast import Contrast
    from rankgauge.comparison.movement import Movement, movements
    from rankgauge.comparison.record import Comparison
    from rankgauge.comparison.stored import load

__all__ = ["Comparison", "Contrast", "Movement", "compare", "load", "movements"]

_HOME = {
    "Comparison": "record",
    "Contrast": "contrast",
    "Movement": "movement",
    "compare": "comparing",
    "load": "stored",
    "movements": "movement",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
