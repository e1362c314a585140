"""How good is a ranking, is the new one better, and can the answer be trusted?

    import rankgauge as rg

    ev = rg.evaluate(qrels, run, ["nDCG@10", "R@100", "RR@10"])
    print(ev)

Public names load on first use, so importing rankgauge costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from rankgauge._lazy import on_first_use
from rankgauge._version import __version__

if TYPE_CHECKING:
    from rankgauge import behavior, errors, experiments, measures
    from rankgauge._claims import Claim, Statement
    from rankgauge._language import get_language, set_language
    from rankgauge._records import Record
    from rankgauge._text import Text
    from rankgauge.alignment import Alignment, Confusion, Sample, Sweep
    from rankgauge.calibration import (
        CALIBRATORS,
        Calibration,
        Calibrator,
        Reliability,
        WorstSegments,
        calibrate,
        fit_calibrator,
        load_calibrator,
        reliability,
        worst_segments,
    )
    from rankgauge.comparison import Comparison, Contrast, Movement, Winner, compare
    from rankgauge.data import Predictions, Qrels, Run, read_predictions, read_qrels, read_run
    from rankgauge.data.audit import Audit, audit
    from rankgauge.diagnosis import Finding, Findings, Reading, Standards, diagnose, load_standards, reading
    from rankgauge.engines.spark.record import SparkEvaluation, SparkEvaluations
    from rankgauge.evaluation import (
        Column,
        Convention,
        CutoffPoint,
        Difference,
        Estimate,
        EvaluateOptions,
        Evaluation,
        Evaluations,
        Policy,
        PolicyWords,
        PredictionEvaluation,
        PredictionEvaluations,
        PredictionPolicy,
        PredictionState,
        PredictionWords,
        RankingEvaluation,
        RankingEvaluations,
        Suspicion,
        Threshold,
        choose_threshold,
        evaluate,
        evaluate_predictions,
        load,
    )
    from rankgauge.evaluation.funnel import Funnel, FunnelStage, FunnelStep, funnel
    from rankgauge.evaluation.predictions.score_histogram import ScoreHistogram, score_histogram
    from rankgauge.evaluation.rankings.by_cutoff import ByCutoff, by_cutoff
    from rankgauge.evaluation.rankings.conventions import CONVENTIONS
    from rankgauge.evaluation.rankings.judgement_health import JudgementHealth, judgement_health
    from rankgauge.gate import Check, Gate, GatePolicy, GateResult, run_gate
    from rankgauge.measures import Explanation, Measure, PredictionMeasure, parse
    from rankgauge.measures.custom import measure
    from rankgauge.measures.explanation import explain
    from rankgauge.reporting.figures import Figure, plot
    from rankgauge.reporting.page import report
    from rankgauge.reporting.verdicts import sentences
    from rankgauge.statistics.intervals import Interval

_HOME = {
    "Alignment": "alignment",
    "Audit": "data.audit",
    "ByCutoff": "evaluation.rankings.by_cutoff",
    "CALIBRATORS": "calibration",
    "CONVENTIONS": "evaluation.rankings.conventions",
    "Calibration": "calibration",
    "Calibrator": "calibration",
    "Check": "gate",
    "Claim": "_claims",
    "Column": "evaluation",
    "Comparison": "comparison",
    "Confusion": "alignment",
    "Contrast": "comparison",
    "Convention": "evaluation",
    "CutoffPoint": "evaluation",
    "Difference": "evaluation",
    "Estimate": "evaluation",
    "EvaluateOptions": "evaluation",
    "Evaluation": "evaluation",
    "Evaluations": "evaluation",
    "Explanation": "measures",
    "Figure": "reporting.figures",
    "Finding": "diagnosis",
    "Findings": "diagnosis",
    "Funnel": "evaluation.funnel",
    "FunnelStage": "evaluation.funnel",
    "FunnelStep": "evaluation.funnel",
    "Gate": "gate",
    "GatePolicy": "gate",
    "GateResult": "gate",
    "Interval": "statistics.intervals",
    "JudgementHealth": "evaluation.rankings.judgement_health",
    "Measure": "measures",
    "Movement": "comparison",
    "Policy": "evaluation",
    "PolicyWords": "evaluation",
    "PredictionEvaluation": "evaluation",
    "PredictionEvaluations": "evaluation",
    "PredictionMeasure": "measures",
    "PredictionPolicy": "evaluation",
    "PredictionState": "evaluation",
    "PredictionWords": "evaluation",
    "Predictions": "data",
    "Qrels": "data",
    "RankingEvaluation": "evaluation",
    "RankingEvaluations": "evaluation",
    "Reading": "diagnosis",
    "Record": "_records",
    "Reliability": "calibration",
    "Run": "data",
    "Sample": "alignment",
    "ScoreHistogram": "evaluation.predictions.score_histogram",
    "SparkEvaluation": "engines.spark.record",
    "SparkEvaluations": "engines.spark.record",
    "Standards": "diagnosis",
    "Statement": "_claims",
    "Suspicion": "evaluation",
    "Sweep": "alignment",
    "Text": "_text",
    "Threshold": "evaluation",
    "Winner": "comparison",
    "WorstSegments": "calibration",
    "audit": "data.audit",
    "behavior": "",
    "by_cutoff": "evaluation.rankings.by_cutoff",
    "calibrate": "calibration",
    "choose_threshold": "evaluation",
    "compare": "comparison",
    "diagnose": "diagnosis",
    "errors": "",
    "evaluate": "evaluation",
    "evaluate_predictions": "evaluation",
    "experiments": "",
    "explain": "measures.explanation",
    "fit_calibrator": "calibration",
    "funnel": "evaluation.funnel",
    "get_language": "_language",
    "judgement_health": "evaluation.rankings.judgement_health",
    "load": "evaluation",
    "load_calibrator": "calibration",
    "load_standards": "diagnosis",
    "measure": "measures.custom",
    "measures": "",
    "parse": "measures",
    "plot": "reporting.figures",
    "read_predictions": "data",
    "read_qrels": "data",
    "read_run": "data",
    "reading": "diagnosis",
    "reliability": "calibration",
    "report": "reporting.page",
    "run_gate": "gate",
    "score_histogram": "evaluation.predictions.score_histogram",
    "sentences": "reporting.verdicts",
    "set_language": "_language",
    "worst_segments": "calibration",
}

__all__ = [
    "CALIBRATORS",
    "CONVENTIONS",
    "Alignment",
    "Audit",
    "ByCutoff",
    "Calibration",
    "Calibrator",
    "Check",
    "Claim",
    "Column",
    "Comparison",
    "Confusion",
    "Contrast",
    "Convention",
    "CutoffPoint",
    "Difference",
    "Estimate",
    "EvaluateOptions",
    "Evaluation",
    "Evaluations",
    "Explanation",
    "Figure",
    "Finding",
    "Findings",
    "Funnel",
    "FunnelStage",
    "FunnelStep",
    "Gate",
    "GatePolicy",
    "GateResult",
    "Interval",
    "JudgementHealth",
    "Measure",
    "Movement",
    "Policy",
    "PolicyWords",
    "PredictionEvaluation",
    "PredictionEvaluations",
    "PredictionMeasure",
    "PredictionPolicy",
    "PredictionState",
    "PredictionWords",
    "Predictions",
    "Qrels",
    "RankingEvaluation",
    "RankingEvaluations",
    "Reading",
    "Record",
    "Reliability",
    "Run",
    "Sample",
    "ScoreHistogram",
    "SparkEvaluation",
    "SparkEvaluations",
    "Standards",
    "Statement",
    "Suspicion",
    "Sweep",
    "Text",
    "Threshold",
    "Winner",
    "WorstSegments",
    "__version__",
    "audit",
    "behavior",
    "by_cutoff",
    "calibrate",
    "choose_threshold",
    "compare",
    "diagnose",
    "errors",
    "evaluate",
    "evaluate_predictions",
    "experiments",
    "explain",
    "fit_calibrator",
    "funnel",
    "get_language",
    "judgement_health",
    "load",
    "load_calibrator",
    "load_standards",
    "measure",
    "measures",
    "parse",
    "plot",
    "read_predictions",
    "read_qrels",
    "read_run",
    "reading",
    "reliability",
    "report",
    "run_gate",
    "score_histogram",
    "sentences",
    "set_language",
    "worst_segments",
]

import_module("rankgauge._forked")  # has to know of forks before there are any

# a measure is found too: rg.nDCG @ 10
__getattr__, __dir__ = on_first_use(__name__, _HOME, __all__, others="measures")
