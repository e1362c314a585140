"""What has to be added up over all rows for some measures, the same wherever rows lie."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rankgauge.alignment.score_bins import MANTISSA_BITS
from rankgauge.measures.predictions.base import PredictionMeasure

__all__ = ["TotalsPlan"]


@dataclass(frozen=True)
class TotalsPlan:
    """What to add up, the same for all parts."""

    scale: str = "auto"
    negatives_kept: float | None = None
    thresholds: tuple[float, ...] = ()
    widths: tuple[int, ...] = ()
    """Numbers of bins of equal width."""
    has_groups: bool = False
    mantissa_bits: int = MANTISSA_BITS
    along: bool = True
    """Whether bins of scores also hold what was predicted."""

    @classmethod
    def of(
        cls, measures: Iterable[PredictionMeasure], scale: str, negatives_kept: float | None, has_groups: bool
    ) -> TotalsPlan:
        """For these measures."""
        wanted = [m.wanted for m in measures]
        thresholds = {w.threshold for w in wanted if w.threshold is not None}
        widths = {w.width for w in wanted if w.width is not None}
        along = any(w.along for w in wanted)
        return cls(scale, negatives_kept, tuple(sorted(thresholds)), tuple(sorted(widths)), has_groups, along=along)
