"""Measures of a model over periods: the record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankgauge._records import Record
from rankgauge._show import show
from rankgauge._text import Text, joined
from rankgauge.errors import UnknownName, among
from rankgauge.evaluation.record import plain
from rankgauge.measures.grammar import parse_prediction

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Drift", "DriftPoint", "DriftSeries"]

_OFF = ("worse", "off")


@dataclass(frozen=True)
class DriftPoint:
    """One measure in one period."""

    period: str
    rows: int
    positives: float
    units: int
    value: float
    low: float
    high: float
    """The interval that decides, around the value: of its distance from the target, at the corrected level."""
    p_corrected: float
    """Of being no farther off than the tolerance, times the number of looks; NaN where it is not judged."""
    word: str
    """reference, few, same (not surely different), better, worse, or off (of a measure with an ideal value)."""

    @property
    def is_off(self) -> bool:
        return self.word in _OFF


@dataclass(frozen=True)
class DriftSeries:
    """One measure over all periods."""

    measure: str
    target: float
    """What each period is held against."""
    against: str
    """ideal, given or reference."""
    tolerance: float
    points: tuple[DriftPoint, ...]
    sentence: str = ""
    """What it comes to."""

    @property
    def first_off(self) -> DriftPoint | None:
        """The first period that is surely off; None where none is."""
        return next((p for p in self.points if p.is_off), None)


@dataclass(frozen=True, eq=False, kw_only=True)
class Drift(Record, kind="drift", schema=1):
    """Measures of one model over periods: `found["COPC"].first_off` is the first period that is surely off."""

    series: tuple[DriftSeries, ...]
    model: str
    data: str
    every: str
    reference: int
    """How many of the first periods are the reference; 0 where no measure needs one."""
    alpha: float
    looks: str
    tests: int
    """Periods times measures that were judged."""
    fewest: int
    notes: tuple[str, ...] = ()
    version: str = ""

    @property
    def verdict(self) -> str:
        """What all measures come to."""
        return joined(" ", [s.sentence for s in self.series])

    def __getitem__(self, measure: str) -> DriftSeries:
        for s in self.series:
            if s.measure == measure or parse_prediction(s.measure) == parse_prediction(measure):
                return s
        known = [s.measure for s in self.series]
        raise UnknownName(Text(f"no measure {show(measure)}.", f"没有指标 {show(measure)}。") + among(measure, known))

    @property
    def periods(self) -> list[str]:
        """Their names, the first one first."""
        return [p.period for p in self.series[0].points]

    @property
    def is_off(self) -> bool:
        """Whether any period is surely off in any measure."""
        return any(s.first_off is not None for s in self.series)

    def csv_rows(self) -> list[dict[str, Any]]:
        """One dict per measure and period."""
        return [
            {
                "measure": s.measure,
                **{k: plain(v) for k, v in vars(p).items()},
                "target": plain(s.target),
                "against": s.against,
                "tolerance": s.tolerance,
            }
            for s in self.series
            for p in s.points
        ]

    def to_frame(self) -> pl.DataFrame:
        """One row per measure and period."""
        import polars as pl

        return pl.DataFrame(self.csv_rows(), infer_schema_length=None)
