"""Single queries between two evaluations of a history, without reading whole records."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rankgauge.history.history import History

__all__ = ["Moved", "moved"]


@dataclass(frozen=True)
class Moved:
    """A query before and after; None where it has no value there."""

    query: str
    before: float | None
    after: float | None

    @property
    def change(self) -> float | None:
        """After minus before, where both are known."""
        return None if self.before is None or self.after is None else self.after - self.before


def moved(history: History, after: str, before: str | None, measure: str) -> list[Moved]:
    """Every query of `after` and its value in `before`, in the order of `after`."""
    now = _values(history, after, measure)
    then = {} if before is None else _values(history, before, measure)
    return [Moved(q, then.get(q), value) for q, value in now.items()]


def _values(history: History, key: str, measure: str) -> dict[str, float | None]:
    found = history.values(key, measure)
    return {q: None if isnan(v) else float(v) for q, v in zip(history.query_ids(key), found.tolist(), strict=True)}
