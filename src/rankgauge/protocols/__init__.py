"""How recommenders are tested: what a model may learn from, what it is asked then, and what a simple one answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge._lazy import on_first_use

if TYPE_CHECKING:
    from rankgauge.protocols.baselines import baseline
    from rankgauge.protocols.splitting import Split, SplitPart, folds, split

__all__ = ["Split", "SplitPart", "baseline", "folds", "split"]

_HOME = {
    "Split": "splitting",
    "SplitPart": "splitting",
    "baseline": "baselines",
    "folds": "splitting",
    "split": "splitting",
}

__getattr__, __dir__ = on_first_use(__name__, _HOME, __all__)
