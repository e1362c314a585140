"""What may be concluded from an interval, also where all values are the same."""

from __future__ import annotations

from math import isnan

from rankgauge.evaluation.predictions.record import PredictionEvaluation
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.statistics.intervals import Interval

__all__ = ["sure", "sure_of", "sure_of_model"]


def sure(interval: Interval, n: int, level: float, bounds: tuple[float, float]) -> Interval:
    """The interval that a conclusion may rest on.

    Where all n values are the same, an interval from their spread has no width and proves nothing: two equal queries
    are not a certainty. A share of up to 1 - (α/2)^(1/n) of all queries could be different and none of n would show
    it, as far off as the measure goes. What is not known stays NaN.

    >>> sure(Interval(0.0, 0.0), 2, 0.95, (0, 1)).high > 0.8
    True
    >>> sure(Interval(0.0, 0.0), 200, 0.95, (0, 1)).high < 0.02
    True
    """
    low, high = interval
    if isnan(low) or isnan(high) or low < high or not n:
        return interval
    unseen = 1 - ((1 - level) / 2) ** (1 / n)
    return Interval(low - (low - bounds[0]) * unseen, high + (bounds[1] - high) * unseen)


def sure_of(ev: RankingEvaluation | PredictionEvaluation, measure: str) -> Interval:
    """The interval that a conclusion about a number of an evaluation may rest on."""
    if isinstance(ev, PredictionEvaluation):
        return sure_of_model(ev, measure)
    c = ev.column(measure)
    return sure(ev.interval(measure), c.n, ev.confidence_level, c.measure.bounds)


def sure_of_model(ev: PredictionEvaluation, measure: str) -> Interval:
    """The same for a number over rows, of which those of the smaller class count."""
    interval, c = ev.interval(measure), ev.column(measure)
    if not isnan(interval.low) or isnan(c.value) or c.error != 0:
        return interval
    positives = ev.counts["positives"]
    n = min(c.left, positives, ev.counts["weight"] - positives)
    return sure(Interval(c.value, c.value), int(n), ev.confidence_level, c.measure.bounds)
