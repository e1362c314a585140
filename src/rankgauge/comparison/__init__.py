"""Is one system better than another? Paired differences, what they come from, and what could undo them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge._lazy import on_first_use

if TYPE_CHECKING:
    from rankgauge.comparison.comparing import compare
    from rankgauge.comparison.contrast import Contrast
    from rankgauge.comparison.depths import DepthGap
    from rankgauge.comparison.movement import MovedItem, Movement, movements
    from rankgauge.comparison.record import Comparison, Winner

__all__ = [
    "Comparison",
    "Contrast",
    "DepthGap",
    "MovedItem",
    "Movement",
    "Winner",
    "compare",
    "movements",
]

_HOME = {
    "Comparison": "record",
    "Contrast": "contrast",
    "DepthGap": "depths",
    "MovedItem": "movement",
    "Movement": "movement",
    "Winner": "record",
    "compare": "comparing",
    "movements": "movement",
}

__getattr__, __dir__ = on_first_use(__name__, _HOME, __all__)
