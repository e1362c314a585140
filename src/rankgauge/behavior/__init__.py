"""From behaviour logs to judgements: clicks, carts, purchases, and their biases.

    log = read_log("log.parquet")
    found = judgements(log)                         graded judgements with evidence, and what was left out
    table = clean(log, Cleaning(examined="all")).impressions
    bias = position_bias(table)                     refused where the log cannot tell position from relevance
    relevance(table, bias)                          raw and corrected, side by side

Folders: `logs` reads, `cleaning` leaves out, `grading` judges, `bias` corrects, `click_models` describe users,
`counterfactual` values another policy. Experiments with users are in `rankgauge.experiments`; their names are found
here too, as they were before.
"""

from rankgauge.behavior.bias.correction import Corrected, qrels_of, relevance
from rankgauge.behavior.bias.counts import Counts
from rankgauge.behavior.bias.identifiability import Edge, Identifiability, identifiability
from rankgauge.behavior.bias.position_bias import PositionBias, position_bias
from rankgauge.behavior.bias.simulation import Simulation, simulate_pbm, simulate_pbm_log
from rankgauge.behavior.cleaning.clean import Cleaned, Cleaning, RuleCount, clean
from rankgauge.behavior.cleaning.dwell import Dwell, DwellThresholds
from rankgauge.behavior.click_models import (
    CLICK_MODELS,
    ClickModel,
    Iterations,
    JudgedClickModel,
    Perplexity,
    compare_click_models,
    fit_click_model,
)
from rankgauge.behavior.click_models.base import PairTable
from rankgauge.behavior.click_models.choosing import ClickModelComparison
from rankgauge.behavior.click_models.prior import Rates
from rankgauge.behavior.click_models.sessions import Pairs, Sessions
from rankgauge.behavior.counterfactual.off_policy import off_policy
from rankgauge.behavior.counterfactual.record import ClipStep, OffPolicy, PolicyEstimate, PositionWeights
from rankgauge.behavior.grading.judging import judgements
from rankgauge.behavior.grading.pair_counts import PairCounts
from rankgauge.behavior.grading.record import EvidenceSummary, Judgements, Settings, SureItem
from rankgauge.behavior.grading.sensitivity import Flip, Sensitivity, SensitivityRow, sensitivity
from rankgauge.behavior.logs.log import Log, read_log
from rankgauge.behavior.logs.ubi import read_ubi
from rankgauge.experiments.agreement import Agreement, agreement
from rankgauge.experiments.credit import InterleavingResult, credit
from rankgauge.experiments.cuped import Cuped, cuped, cuped_arm
from rankgauge.experiments.interleaving import Interleaving, interleave, team_draft
from rankgauge.experiments.ratios import Ratio, RatioChange, compare_ratios, ratio
from rankgauge.experiments.sample_ratio import SampleRatio, sample_ratio
from rankgauge.statistics.sequences import confidence_sequence

__all__ = [
    "CLICK_MODELS",
    "Agreement",
    "Cleaned",
    "Cleaning",
    "ClickModel",
    "ClickModelComparison",
    "ClipStep",
    "Corrected",
    "Counts",
    "Cuped",
    "Dwell",
    "DwellThresholds",
    "Edge",
    "EvidenceSummary",
    "Flip",
    "Identifiability",
    "Interleaving",
    "InterleavingResult",
    "Iterations",
    "JudgedClickModel",
    "Judgements",
    "Log",
    "OffPolicy",
    "PairCounts",
    "PairTable",
    "Pairs",
    "Perplexity",
    "PolicyEstimate",
    "PositionBias",
    "PositionWeights",
    "Rates",
    "Ratio",
    "RatioChange",
    "RuleCount",
    "SampleRatio",
    "Sensitivity",
    "SensitivityRow",
    "Sessions",
    "Settings",
    "Simulation",
    "SureItem",
    "agreement",
    "clean",
    "compare_click_models",
    "compare_ratios",
    "confidence_sequence",
    "credit",
    "cuped",
    "cuped_arm",
    "fit_click_model",
    "identifiability",
    "interleave",
    "judgements",
    "off_policy",
    "position_bias",
    "qrels_of",
    "ratio",
    "read_log",
    "read_ubi",
    "relevance",
    "sample_ratio",
    "sensitivity",
    "simulate_pbm",
    "simulate_pbm_log",
    "team_draft",
]
