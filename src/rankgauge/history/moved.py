"""Single queries between two evaluations of a history, and over all of them, without reading whole records."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING

from rankgauge.history.entry import Entry

if TYPE_CHECKING:
    from rankgauge.history.history import History

__all__ = ["Moved", "moved", "query_over_time"]


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
    ids = history.told(key).get("query_ids", ())
    found = history.values(key, measure)
    return {q: None if isnan(v) else float(v) for q, v in zip(ids, found, strict=True)}


def query_over_time(
    history: History, query: str, measure: str, *, project: str, system: str, limit: int
) -> list[tuple[Entry, float, bool]]:
    """The value of a query in the latest evaluations, the oldest first, and whether something else was measured."""
    out: list[tuple[Entry, float, bool]] = []
    found = history.entries(project=project, system=system, kind="rankings", newest_first=True, limit=limit)
    for entry in reversed(found):
        value = _values(history, entry.id, measure).get(query)
        if value is not None:
            anew = bool(out) and out[-1][0].contract != entry.contract
            out.append((entry, value, anew))
    return out
