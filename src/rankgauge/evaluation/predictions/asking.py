"""What is asked of labels and scores, and the sample that answers it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rankgauge._numbers import short
from rankgauge._text import Text, zh
from rankgauge.alignment.class_sample import ClassSample
from rankgauge.alignment.sample import Sample
from rankgauge.data.predictions import Predictions
from rankgauge.errors import InputError
from rankgauge.evaluation.predictions.policy import PredictionPolicy
from rankgauge.measures.classes.base import ClassMeasure
from rankgauge.measures.grammar import as_list, parse_class, parse_prediction
from rankgauge.measures.predictions import PREDICTIONS
from rankgauge.measures.predictions.base import Facts, PredictionMeasure

__all__ = [
    "OfPredictions",
    "are_only_calls",
    "default_class_measures",
    "default_measures",
    "sample_of",
    "scale_of",
    "wanted_class_measures",
    "wanted_measures",
]

OfPredictions = str | PredictionMeasure | ClassMeasure
_MOST_FOR_AUC = 20_000_000  # probabilities that are sorted, class by class, without being asked


def sample_of(rows: Predictions, model: str, policy: PredictionPolicy) -> Sample:
    """The rows of one model, with what its scores are."""
    given = Sample(
        rows.label,
        rows.scores[model],
        rows.weight,
        None if rows.group is None else rows.group.codes,
        0 if rows.group is None else rows.group.n,
        policy.scale,
        policy.negatives_kept,
    )
    return replace(given, scale=scale_of(given, policy, rows.name))


def scale_of(s: Facts, policy: PredictionPolicy, name: str) -> str:
    """What the scores are, once all of them are known; refuses those that are not what they were said to be."""
    scale = policy.scale
    low, high = s.ends
    inside = low >= 0 and high <= 1
    if scale == "probability" and not inside:
        raise InputError(
            Text(
                f"{name}: {s.outside:,} of {len(s):,} scores are outside [0, 1] ({short(low)} to {short(high)}). "
                "Pass scale='logit' if they are log-odds, scale='score' if they only order rows.",
                f"{zh(name)}：{len(s):,} 个得分中有 {s.outside:,} 个在 [0, 1] 之外（{short(low)} 到 "
                f"{short(high)}）。如果是对数几率，请传入 scale='logit'；如果只用于排序，请传入 scale='score'。",
            )
        )
    if scale == "auto" and not inside and policy.negatives_kept is not None:
        raise InputError(
            Text(
                f"{name}: `negatives_kept` corrects probabilities, and scores are from {short(low)} to {short(high)}. "
                "Pass scale='logit' if they are log-odds.",
                f"{zh(name)}：`negatives_kept` 用来校正概率，而得分从 {short(low)} 到 {short(high)}。"
                "如果是对数几率，请传入 scale='logit'。",
            )
        )
    return ("probability" if inside else "score") if scale == "auto" else scale


def wanted_measures(
    measures: OfPredictions | Iterable[OfPredictions] | None, s: Facts | None = None, *, are_calls: bool = False
) -> list[tuple[str, PredictionMeasure]]:
    """What was asked for, or what people want to know first, by the name that it was called.

    `are_calls`: all scores are 0 or 1, so somebody has drawn the line already, and no threshold has to be said.
    """
    if measures is None:
        assert s is not None
        measures = _OF_CALLS if are_calls else default_measures(s)
    at = _ANY_THRESHOLD if are_calls else None
    return [(str(m), parse_prediction(m, at)) for m in as_list(measures)]


_ANY_THRESHOLD = {name: {"threshold": 0.5} for name, cls in PREDICTIONS.measures.items() if "threshold" in cls.params}
_OF_CALLS = ["Accuracy", "BalancedAccuracy", "Precision", "Recall", "F1", "MCC"]


def are_only_calls(s: Sample) -> bool:
    """Whether all scores are 0 or 1 and so are labels: every threshold above 0 leaves them as they are."""
    if not set(s.ends) <= {0, 1} or s.is_soft:
        return False
    return bool(((s.score == 0) | (s.score == 1)).all())


def are_classes(s: Sample) -> bool:
    """Whether scores are calls of both classes: as probabilities each would be sure, and nobody meant that."""
    return are_only_calls(s) and bool((s.score == 0).any() and (s.score == 1).any())


def default_measures(s: Facts) -> list[str]:
    """What people want to know first, as far as the rows can say it."""
    order = ["AUC", "PRAUC"] + (["GAUC"] if s.has_groups else [])
    if s.scale == "score":
        return [*order, "KS"]
    return [*([] if s.is_soft else order), "LogLoss", "NE", "COPC", "ECE", "ECCE"]


def wanted_class_measures(measures: object, s: ClassSample) -> list[tuple[str, ClassMeasure]]:
    """What was asked for of several classes, or what people want to know first, by the name that it was called."""
    asked = default_class_measures(s) if measures is None else as_list(measures)
    return [(str(m), parse_class(m)) for m in asked]


def default_class_measures(s: ClassSample) -> list[str]:
    """What people want to know first, as far as the rows can say it."""
    averages = [f"{name}(average=macro)" for name in ("Precision", "Recall", "F1")]
    called = ["Accuracy", "BalancedAccuracy", *averages, "F1(average=weighted)", "Kappa", "MCC"]
    if s.probability is None:
        return called
    k = 2 if s.n_classes < 5 else 3 if s.n_classes < 10 else 5
    top = [f"TopKAccuracy@{k}"] if s.n_classes > 2 else []
    return [*called, *top, "LogLoss", "Brier", *(["AUC"] if s.probability.size <= _MOST_FOR_AUC else [])]
