"""Click models: how users read a result list, fitted to what they clicked.

    model = fit_click_model(sessions, "sdbn")
    model.relevance()                            # per query and item, free of the position it was shown at
    model.perplexity(held_out).overall
    compare_click_models(sessions).best

| name    | users                                                                       | fitted by    |
|---------|-----------------------------------------------------------------------------|--------------|
| pbm     | look at a position by chance, click if the item attracts                    | EM on counts |
| cascade | read downwards, leave with the first click                                  | counting     |
| sdbn    | read downwards, leave when a clicked item satisfies them                    | counting, EM |
| dcm     | read downwards, go on after a click with a chance that the position has     | counting, EM |
| ubm     | look at a position by a chance that depends on where they clicked last      | EM on counts |
"""

from __future__ import annotations

from rankgauge.behavior.click_models.base import ClickModel, Iterations, Perplexity
from rankgauge.behavior.click_models.cascade import Cascade
from rankgauge.behavior.click_models.choosing import ClickModelComparison, JudgedClickModel, compare_click_models
from rankgauge.behavior.click_models.dcm import DCM
from rankgauge.behavior.click_models.pbm import PBM
from rankgauge.behavior.click_models.registry import CLICK_MODELS, fit_click_model
from rankgauge.behavior.click_models.sdbn import SDBN
from rankgauge.behavior.click_models.ubm import UBM

__all__ = [
    "CLICK_MODELS",
    "DCM",
    "PBM",
    "SDBN",
    "UBM",
    "Cascade",
    "ClickModel",
    "ClickModelComparison",
    "Iterations",
    "JudgedClickModel",
    "Perplexity",
    "compare_click_models",
    "fit_click_model",
]
