"""Where do the scores of positives and of negatives lie?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum, isfinite, log10
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from rankgauge._checks import whole
from rankgauge._numbers import short
from rankgauge._plain_data import plain_of
from rankgauge._records import Record
from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.alignment import Array
from rankgauge.alignment.sample import Sample
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.predictions.record import PredictionEvaluation

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ScoreBin", "ScoreHistogram", "score_histogram"]

LOW, MOST = 0.2, 0.9
"""Probabilities are drawn on a log axis when more than this share of the weight lies below 0.2."""
MOST_BINS = 10**6
DECADES = 8
"""How far a log axis goes down from the highest score at most: a single 1e-300 must not squeeze all others."""


@dataclass(frozen=True, kw_only=True)
class ScoreBin:
    """Rows with low <= score < high; the first and the last bin also hold what lies beyond the axis."""

    low: float
    high: float
    rows: int
    positive: Annotated[float, isfinite]
    """The weight of the positives: rows, where rows have no weights."""
    negative: Annotated[float, isfinite]


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoreHistogram(Record, kind="score_histogram", schema=1):
    """The scores of both classes, in bins of equal width on the axis. `rg.score_histogram` makes them."""

    bins: Sequence[ScoreBin]
    """From the lowest scores to the highest, empty ones too."""
    axis: Annotated[str, ("linear", "log")]
    """linear, or log: the widths are equal in log10 of the score."""
    values: Annotated[str, ("probability", "score")]
    """What the scores are: probability, or score (an order and nothing else)."""
    positive: Annotated[float, isfinite]
    """The weight of all positives: the sum of the bins."""
    negative: Annotated[float, isfinite]
    rows: int
    model: str = "score"
    data: str = "predictions"
    notes: Sequence[str] = ()
    """What the first and the last bin hold beyond their edges."""
    version: str = ""

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts.

        The shares are those of each class and add up to 1: bins are equally wide on the axis, so they are densities.
        """
        return [
            {
                "low": b.low,
                "high": b.high,
                "rows": b.rows,
                "positive": b.positive,
                "negative": b.negative,
                "positive_share": b.positive / self.positive if self.positive else float("nan"),
                "negative_share": b.negative / self.negative if self.negative else float("nan"),
            }
            for b in self.bins
        ]

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame, one row per bin."""
        import polars as pl

        return pl.DataFrame(self.csv_rows())

    def _also(self) -> dict[str, Any]:
        return {"bins": plain_of(self.csv_rows())}


def score_histogram(ev: PredictionEvaluation, bins: int = 40) -> ScoreHistogram:
    """Where do the scores of positives and of negatives lie?

    Probabilities (logits as the probabilities they stand for, down-sampled negatives corrected) lie on an axis from 0
    to 1; where more than 90% of the weight is below 0.2, on a log axis from the lowest score above 0, or from 8 decades
    below the highest, up to the highest. Other scores lie on an axis from the lowest to the highest finite one.

    With weights a row counts its weight w; a soft label y gives w·y to the positives and w·(1 - y) to the negatives.

    >>> from rankgauge.evaluation.of_predictions import evaluate_predictions
    >>> ev = evaluate_predictions({"label": [0, 0, 1, 1], "score": [0.1, 0.6, 0.6, 0.9]}, "AUC")
    >>> [(b.low, b.high, b.positive, b.negative) for b in score_histogram(ev, bins=2).bins]
    [(0.0, 0.5, 0.0, 1.0), (0.5, 1.0, 2.0, 1.0)]
    """
    whole("bins", bins, at_most=MOST_BINS)
    if not isinstance(ev, PredictionEvaluation):
        raise ParameterError(
            Text(
                f"score_histogram() needs the evaluation of one model, got {type(ev).__name__}.",
                f"score_histogram() 需要单个模型的评测，实际为 {type(ev).__name__}。",
            )
        )
    if ev.sample is None:
        raise InputError(
            Text(
                "score_histogram: this evaluation was stored and has no rows, or was computed in pieces; "
                "evaluate the predictions in memory.",
                "score_histogram：这个评测是存储的，没有行，或是分块计算的；请在内存中评测预测数据。",
            )
        )
    s = ev.sample
    is_probability = s.scale != "score"
    scores = s.probability if is_probability else s.score
    axis, edges = _axis(s, scores, is_probability, bins)
    place = np.clip(np.searchsorted(edges, scores, side="right") - 1, 0, bins - 1)
    rows = np.bincount(place, minlength=bins).tolist()
    positive = np.bincount(place, weights=s.weigh(s.label), minlength=bins).tolist()
    negative = np.bincount(place, weights=s.weigh(1.0 - s.label), minlength=bins).tolist()
    return ScoreHistogram(
        bins=tuple(
            ScoreBin(low=low, high=high, rows=n, positive=p, negative=q)
            for (low, high), n, p, q in zip(pairwise(edges.tolist()), rows, positive, negative, strict=True)
        ),
        axis=axis,
        values="probability" if is_probability else "score",
        positive=fsum(positive),
        negative=fsum(negative),
        rows=len(s),
        model=ev.model,
        data=ev.data,
        notes=_notes(scores, axis, edges),
        version=__version__,
    )


def _axis(s: Sample, scores: Array, is_probability: bool, bins: int) -> tuple[str, Array]:
    """The axis and the edges of its bins."""
    edges: Array
    if is_probability:
        above = scores[scores > 0]
        high = float(above.max(initial=0.0))
        low = max(float(above.min(initial=1.0)), high * 10.0**-DECADES)
        if low < high and s.sum(scores < LOW) > MOST * s.total:
            edges = np.logspace(log10(low), log10(high), bins + 1)
            edges[0], edges[-1] = low, high  # not what rounding makes of them
            return "log", edges
        return "linear", np.linspace(0.0, 1.0, bins + 1)
    finite = scores[np.isfinite(scores)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
    if low == high:  # one score: in the middle of the axis
        low, high = low - max(0.5, abs(low) / 1000), high + max(0.5, abs(high) / 1000)
    # halves, because high - low may be more than a float64 holds
    return "linear", 2 * np.linspace(low / 2, high / 2, bins + 1)


def _notes(scores: Array, axis: str, edges: Array) -> tuple[str, ...]:
    """What the outer bins hold beyond their edges."""
    notes = []
    if axis == "log":
        if zeros := int((scores == 0).sum()):
            en = f"the first bin also holds {_scores(zeros)} of 0, beyond the end of a log axis"
            notes.append(Text(en, f"第一个区间另含 {zeros:,} 个为 0 的得分：对数轴上没有它们的位置"))
        if lower := int(((scores > 0) & (scores < edges[0])).sum()):
            en = f"the first bin also holds {_scores(lower)} below {short(edges[0], 3)}"
            notes.append(Text(en, f"第一个区间另含 {lower:,} 个低于 {short(edges[0], 3)} 的得分"))
    if infinite := int(np.isinf(scores).sum()):
        en = f"the outer bins also hold {_scores(infinite)} of plus or minus infinity"
        notes.append(Text(en, f"首末区间另含 {infinite:,} 个正负无穷的得分"))
    return tuple(notes)


def _scores(n: int) -> str:
    return f"{n:,} score{'s' * (n != 1)}"
