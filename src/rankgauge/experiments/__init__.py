"""The online side: interleaving, ratios of experiments and their checks, and what offline numbers foretold."""

from rankgauge.experiments.ab_test import ABTest, Arm, ArmChange, ab_test, arm_sizes
from rankgauge.experiments.agreement import Agreement, agreement
from rankgauge.experiments.credit import InterleavingResult, credit
from rankgauge.experiments.cuped import Cuped, CupedArm, cuped, cuped_arm
from rankgauge.experiments.interleaving import Interleaved, Interleaving, interleave, team_draft
from rankgauge.experiments.moments import Moments
from rankgauge.experiments.ratios import Ratio, RatioChange, compare_ratios, ratio
from rankgauge.experiments.sample_ratio import SampleRatio, sample_ratio
from rankgauge.statistics.sequences import confidence_sequence

__all__ = [
    "ABTest",
    "Agreement",
    "Arm",
    "ArmChange",
    "Cuped",
    "CupedArm",
    "Interleaved",
    "Interleaving",
    "InterleavingResult",
    "Moments",
    "Ratio",
    "RatioChange",
    "SampleRatio",
    "ab_test",
    "agreement",
    "arm_sizes",
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
