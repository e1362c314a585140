"""What labels and scores show: order, probabilities, thresholds.

A question that these rows cannot answer (a threshold of five rows, a calibration without rows to judge it on) leaves a
gap, never a page that is not made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from rankgauge.calibration.diagram import reliability
from rankgauge.calibration.judge import calibrate
from rankgauge.calibration.segments import worst_segments
from rankgauge.diagnosis.order_and_probability import reading
from rankgauge.errors import RankgaugeError
from rankgauge.evaluation.predictions.asking import are_classes
from rankgauge.evaluation.predictions.record import PredictionEvaluation
from rankgauge.evaluation.predictions.score_histogram import score_histogram
from rankgauge.evaluation.predictions.thresholds import Threshold, choose_threshold
from rankgauge.reporting.figures.curves import curves_of, place_of
from rankgauge.reporting.page.story import Scores, fixed

__all__ = ["scores_of"]

Models = Mapping[str, PredictionEvaluation]
T = TypeVar("T")


def scores_of(models: Models) -> Scores:
    """All that can be told of each model, where its rows are at hand."""
    whole = {n: ev for n, ev in models.items() if ev.sample is not None}
    curved = {n: ev for n, ev in whole.items() if _has_classes(ev)}
    as_probability = {n: ev for n, ev in whole.items() if ev.policy.scale != "score" and not _are_classes(ev)}
    sliced = {n: ev for n, ev in as_probability.items() if ev.predictions is not None and ev.predictions.segments}
    thresholds, reliabilities = _answers(_threshold, curved), _answers(reliability, as_probability)
    return Scores(
        curves=fixed({n: curves_of(ev, _at(thresholds.get(n))) for n, ev in curved.items()}),
        places=fixed({n: place_of(curved[n]) for n in reliabilities if n in curved}),
        readings=_answers(reading, {n: ev for n, ev in curved.items() if n in as_probability}),
        thresholds=thresholds,
        reliabilities=reliabilities,
        histograms=tuple(_answers(score_histogram, whole).values()),
        calibrations=tuple(_answers(calibrate, as_probability).values()),
        segments=tuple(_answers(worst_segments, sliced).values()),
    )


def _has_classes(ev: PredictionEvaluation) -> bool:
    s = ev.sample
    return s is not None and not s.is_soft and s.has_both_classes


def _are_classes(ev: PredictionEvaluation) -> bool:
    return ev.sample is not None and are_classes(ev.sample)


def _threshold(ev: PredictionEvaluation) -> Threshold:
    return choose_threshold(ev, "F1")


def _at(chosen: Threshold | None) -> float | None:
    return None if chosen is None else float(chosen)


def _answers(ask: Callable[[PredictionEvaluation], T], models: Models) -> Mapping[str, T]:
    """The answer of each model that has one."""

    def answered() -> Iterable[tuple[str, T]]:
        for name, ev in models.items():
            try:
                yield name, ask(ev)
            except RankgaugeError:
                continue

    return fixed(answered())
