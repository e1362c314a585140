"""What has to be added up over all rows for some measures, the same wherever rows lie."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rankgauge.alignment.score_bins import MANTISSA_BITS
from rankgauge.measures.predictions._cells import OfCells
from rankgauge.measures.predictions.base import PredictionMeasure
from rankgauge.measures.predictions.calibration import OfBins

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

    @classmethod
    def of(
        cls, measures: Iterable[PredictionMeasure], scale: str, negatives_kept: float | None, has_groups: bool
    ) -> TotalsPlan:
        """For these measures."""
        found = list(measures)
        thresholds = {m.threshold for m in found if isinstance(m, OfCells) and m.average == "micro"}
        widths = {m.bins for m in found if isinstance(m, OfBins) and m.binning == "uniform"}
        return cls(scale, negatives_kept, tuple(sorted(thresholds)), tuple(sorted(widths)), has_groups)
