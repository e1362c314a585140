"""Labels and scores: order, probabilities, thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rankgauge._text import Text
from rankgauge.evaluation.predictions.record import PredictionEvaluation, PredictionEvaluations
from rankgauge.evaluation.predictions.thresholds import Threshold
from rankgauge.reporting import sections
from rankgauge.reporting.charts import Chart
from rankgauge.reporting.figures import predictions as figures
from rankgauge.reporting.grid import Section, unrepeated
from rankgauge.reporting.page.story import Scores, Story

__all__ = ["NAME", "screen"]

NAME = Text("Scores", "得分")


@dataclass(frozen=True)
class Matrix:
    """A chosen threshold and what it does."""

    model: str
    threshold: Threshold


def screen(story: Story) -> dict[str, Any] | None:
    scores = story.scores
    if scores is None:
        return None
    asides = [*scores.readings.values(), *scores.calibrations]
    return {
        "charts": _charts(scores),
        "histograms": [figures.histogram(h) for h in scores.histograms],
        "matrices": [Matrix(n, t) for n, t in scores.thresholds.items()],
        "tables": unrepeated([*_tables(story), *(s for r in asides for s in sections(r))]),
        "segments": [(figures.segments(worst), unrepeated(sections(worst))) for worst in scores.segments],
    }


def _tables(story: Story) -> list[Section]:
    """The numbers, of all models in one table where they were evaluated together."""
    together = [r for r in story.records if isinstance(r, (PredictionEvaluation, PredictionEvaluations))]
    if not together and len(story.models) > 1:
        together = [PredictionEvaluations(story.models)]
    return [s for r in together or story.models.values() for s in sections(r)]


def _charts(scores: Scores) -> list[Chart]:
    out = []
    if scores.curves:
        out += [figures.roc(scores.curves), figures.pr(scores.curves)]
    if scores.reliabilities:
        out.append(figures.reliability(scores.reliabilities))
    if scores.places:
        out.append(figures.position(scores.places))
    return out
