"""The online side: interleaving, ratios of experiments and their checks, and what offline numbers foretold."""

from rankgauge.behavior.online.agreement import Agreement, agreement
from rankgauge.behavior.online.credit import InterleavingResult, credit
from rankgauge.behavior.online.cuped import Cuped, CupedArm, cuped, cuped_arm
from rankgauge.behavior.online.interleaving import Interleaved, Interleaving, interleave, team_draft
from rankgauge.behavior.online.moments import Moments
from rankgauge.behavior.online.ratios import Ratio, RatioChange, compare_ratios, ratio
from rankgauge.behavior.online.sample_ratio import SampleRatio, sample_ratio
from rankgauge.behavior.online.sequential import confidence_sequence

__all__ = [
    "Agreement",
    "Cuped",
    "CupedArm",
    "Interleaved",
    "Interleaving",
    "InterleavingResult",
    "Moments",
    "Ratio",
    "RatioChange",
    "SampleRatio",
    "agreement",
    "compare_ratios",
    "confidence_sequence",
    "credit",
    "cuped",
    "cuped_arm",
    "interleave",
    "ratio",
    "sample_ratio",
    "team_draft",
]
