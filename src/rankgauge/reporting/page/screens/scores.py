"""Labels and scores: order, probabilities, thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rankgauge._text import Text
from rankgauge.calibration.diagram import Reliability, reliability
from rankgauge.calibration.judge import calibrate
from rankgauge.calibration.segments import worst_segments
from rankgauge.errors import RankgaugeError
from rankgauge.evaluation.predictions.record import PredictionEvaluation, PredictionEvaluations
from rankgauge.evaluation.predictions.score_histogram import score_histogram
from rankgauge.evaluation.predictions.thresholds import Threshold, choose_threshold
from rankgauge.reporting import sections
from rankgauge.reporting.charts import Chart
from rankgauge.reporting.figures import predictions as figures
from rankgauge.reporting.grid import Section, unrepeated
from rankgauge.reporting.page.story import Story

__all__ = ["NAME", "screen"]

NAME = Text("Scores", "分数")


@dataclass(frozen=True)
class Matrix:
    """A chosen threshold and what it does."""

    model: str
    threshold: Threshold


def screen(story: Story) -> dict[str, Any] | None:
    if not story.models:
        return None
    whole = {n: ev for n, ev in story.models.items() if ev.sample is not None}
    curved = {n: ev for n, ev in whole.items() if _both_classes(ev)}
    as_probability = {n: ev for n, ev in whole.items() if ev.policy.scale != "score"}
    thresholds = {n: choose_threshold(ev, "F1") for n, ev in curved.items()}
    found = {n: reliability(ev) for n, ev in as_probability.items()}
    return {
        "charts": _charts(curved, thresholds, found, as_probability),
        "histograms": [figures.histogram(score_histogram(ev)) for ev in whole.values()],
        "matrices": [Matrix(n, t) for n, t in thresholds.items()],
        "tables": unrepeated([*_tables(story), *_readings(story), *_calibrations(as_probability)]),
        "segments": _segments(as_probability),
    }


def _both_classes(ev: PredictionEvaluation) -> bool:
    s = ev.sample
    return s is not None and not s.is_soft and s.has_both_classes


def _tables(story: Story) -> list[Section]:
    """The numbers, of all models in one table where they were evaluated together."""
    together = [r for r in story.records if isinstance(r, (PredictionEvaluation, PredictionEvaluations))]
    if not together and len(story.models) > 1:
        together = [PredictionEvaluations(story.models)]
    return [s for r in together or story.models.values() for s in sections(r)]


def _readings(story: Story) -> list[Section]:
    return [s for n in story.models if (r := story.reading(n)) is not None for s in sections(r)]


def _charts(
    curved: Mapping[str, PredictionEvaluation],
    thresholds: Mapping[str, Threshold],
    found: Mapping[str, Reliability],
    as_probability: Mapping[str, PredictionEvaluation],
) -> list[Chart]:
    out = []
    if curved:
        at = {n: float(t) for n, t in thresholds.items()}
        out += [figures.roc(curved, at), figures.pr(curved, at)]
    if found:
        out.append(figures.reliability(found))
    placed = {n: ev for n, ev in as_probability.items() if n in curved}
    if placed:
        out.append(figures.position(placed))
    return out


def _calibrations(models: Mapping[str, PredictionEvaluation]) -> list[Section]:
    """Would recalibration help? Nothing where it cannot be tried."""
    out: list[Section] = []
    for ev in models.values():
        try:
            out += sections(calibrate(ev))
        except RankgaugeError:
            continue
    return out


def _segments(models: Mapping[str, PredictionEvaluation]) -> list[tuple[Chart, list[Section]]]:
    out = []
    for ev in models.values():
        if ev.predictions is not None and ev.predictions.segments:
            worst = worst_segments(ev)
            out.append((figures.segments(worst), unrepeated(sections(worst))))
    return out
