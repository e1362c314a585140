"""What records share that have a point for each measure and each of several limits: cutoffs, budgets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import UnknownName, among

if TYPE_CHECKING:
    import polars as pl

__all__ = ["OfPoints"]


class Point(Protocol):
    """A number of one measure, within one limit."""

    @property
    def measure(self) -> str: ...


P = TypeVar("P", bound=Point)


class OfPoints(Generic[P]):
    """Points by measure, as `points`, and their table, as `csv_rows`."""

    points: Sequence[P]

    @property
    def measures(self) -> list[str]:
        """What the measures are called, in the order asked for."""
        return list(dict.fromkeys(p.measure for p in self.points))

    def __getitem__(self, measure: str) -> tuple[P, ...]:
        found = tuple(p for p in self.points if p.measure == measure)
        if not found:
            raise UnknownName(
                Text(f"no measure {show(measure)}.", f"没有指标 {show(measure)}。") + among(measure, self.measures)
            )
        return found

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        raise NotImplementedError  # pragma: no cover - each kind has columns of its own

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame, one row per measure and limit."""
        import polars as pl

        return pl.DataFrame(self.csv_rows())
