"""What changed between two evaluations: over the queries that both count, or, without them, of the means."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, isnan, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.errors import RankgaugeError
from rankgauge.evaluation.rankings.slices import slices_of
from rankgauge.history.series import Look, definition_of, reasons_between
from rankgauge.statistics.clusters import t_interval_of
from rankgauge.statistics.intervals import Interval, normal_quantile

if TYPE_CHECKING:
    from rankgauge._typing import Array
    from rankgauge.history.entry import Entry
    from rankgauge.history.history import History

__all__ = ["Change", "Pairs"]

_ROUNDING = 1e-12


@dataclass(frozen=True)
class Change:
    """One number minus an earlier one."""

    value: float
    interval: Interval
    n: int
    """Queries that both count; 0 where nothing could be paired."""
    ids: tuple[str, ...] = ()
    differences: Any = None

    @property
    def is_paired(self) -> bool:
        return self.n > 0

    def moved(self, sign: int, n: int = 3) -> list[tuple[str, float]]:
        """The queries that lost most, the worst first; of a number that should stay where it is, that moved most."""
        if self.differences is None:
            return []
        d = self.differences
        worst = np.argsort(sign * d if sign else -np.abs(d), kind="stable")[:n]
        return [(self.ids[i], float(d[i])) for i in worst.tolist() if (sign * d[i] < 0 if sign else d[i] != 0)]


class Pairs:
    """Reads values of queries once, however often they are asked for."""

    def __init__(self, history: History, confidence_level: float = 0.95) -> None:
        self.history = history
        self.level = confidence_level
        self._columns: dict[tuple[str, str, str, str], tuple[list[str], Array] | None] = {}
        self._ids: dict[str, list[str]] = {}
        self._told: dict[str, Any] = {}

    def change(self, before: Look, after: Look, *, are_independent: bool = False) -> Change | None:
        """By how much the later one differs; None where the two are not the same measure under the same policy, or the
        same queries were judged anew. Queries that `are_independent` are not paired, even where a few are the same."""
        reasons = reasons_between(before, after)
        if set(reasons) & {"policy", "definition"} or reasons == ["judgements"]:
            return None
        is_paired = not (are_independent and "queries" in reasons)
        a, b = (self.column(before), self.column(after)) if is_paired else (None, None)
        if a is not None and b is not None and (found := self._paired(a, b)) is not None:
            definition = definition_of(after.summary.definition, after.entry.kind)
            widest = inf if definition is None else definition.bounds[1] - definition.bounds[0]
            return (
                found if isnan(found.interval.low) else replace(found, interval=found.interval.clipped(-widest, widest))
            )
        value = after.value - before.value
        known = before.error > 0 and after.error > 0  # a few equal values say nothing of how far others lie apart
        error = sqrt(before.error**2 + after.error**2) if known else float("nan")
        half = normal_quantile((1 + self.level) / 2) * error
        return None if isnan(value) else Change(value, Interval(value - half, value + half), 0)

    def _paired(self, a: tuple[list[str], Array], b: tuple[list[str], Array]) -> Change | None:
        ids, x, y = a[0], a[1], b[1]
        if a[0] != b[0]:
            place = {q: i for i, q in enumerate(b[0])}
            both = [(i, place[q]) for i, q in enumerate(a[0]) if q in place]
            ids = [a[0][i] for i, _ in both]
            x, y = x[[i for i, _ in both]], y[[j for _, j in both]]
        known = ~(np.isnan(x) | np.isnan(y))
        if not known.any():
            return None
        d = y[known] - x[known]
        d = np.where(np.abs(d) <= _ROUNDING * np.maximum(np.abs(x[known]), np.abs(y[known])), 0.0, d)
        n = len(d)
        error = float(np.std(d, ddof=1)) / sqrt(n) if n > 1 else float("nan")
        names = tuple(ids if known.all() else (q for q, ok in zip(ids, known.tolist(), strict=True) if ok))
        return Change(float(d.mean()), t_interval_of(float(d.mean()), error, n, self.level), n, names, d)

    def column(self, look: Look) -> tuple[list[str], Array] | None:
        """Queries and values of a plain mean over queries; None for anything else, or where they were pruned."""
        e, s = look.entry, look.summary
        key = (e.id, s.measure, s.attribute, s.part)
        if key not in self._columns:
            self._columns[key] = self._read(e, look)
        return self._columns[key]

    def _read(self, e: Entry, look: Look) -> tuple[list[str], Array] | None:
        s = look.summary
        policy = e.contract.get("policy")
        if e.is_pruned or e.kind != "rankings" or not isinstance(policy, dict) or policy.get("average") != "macro":
            return None
        definition = definition_of(s.definition, e.kind)
        if definition is not None and definition.summary != "mean":
            return None
        try:
            ids, values = self._queries(e), np.asarray(self.history.values(e.id, s.measure))
            if s.attribute:
                if e.id not in self._told:
                    self._told[e.id] = self.history.told(e.id).get("attributes", {})
                masks = dict(slices_of(self._told[e.id][s.attribute]))
                values = np.where(masks[s.part], values, np.nan)
        except (RankgaugeError, KeyError):
            return None
        return (ids, values) if len(ids) == len(values) else None

    def _queries(self, e: Entry) -> list[str]:
        key = e.queries or e.id
        if key not in self._ids:
            self._ids[key] = self.history.query_ids(e.id)
        return self._ids[key]
