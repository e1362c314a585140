"""The result of a comparison: every difference with its evidence, and a verdict for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._rendered import Storable
from rankgauge.alignment import Array
from rankgauge.comparison.contrast import Contrast
from rankgauge.comparison.movement import Movement, movement
from rankgauge.comparison.unjudged import bounds, has_bounds, only_from_ties, only_from_unjudged
from rankgauge.errors import InputError, ParameterError, UnknownName, suggest
from rankgauge.evaluation.record import Evaluation, plain

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Comparison", "Winner"]

_DEEP = 100  # results that a reader of an uncut list might look at: unjudged ones beyond stay as they are


@dataclass(frozen=True)
class Winner:
    """Could the unjudged results change who wins?"""

    low: float
    high: float
    """The mean difference when the unjudged results are worst for the system, and when they are best for it."""
    could_change: bool
    unjudged: float
    """Share of the first results of both systems that nobody judged."""


@dataclass(frozen=True, eq=False)
class Comparison(Storable):
    """Systems against a baseline, measure by measure.

    `cmp.verdict("nDCG@10", "dense")` is one of better, worse, equivalent, inconclusive; `cmp["nDCG@10", "dense"]` has
    the evidence; `cmp.moved("nDCG@10", "dense")` says which queries moved, `cmp.query("q1", "dense")` how.
    """

    contrasts: Sequence[Contrast]
    baseline: str
    evaluations: Mapping[str, Evaluation]
    test: str
    correction: str
    family: int
    """How many p-values were corrected together."""
    alpha: float = 0.05
    confidence_level: float = 0.95
    permutations: int = 10_000
    sliced: Sequence[Contrast] = ()
    """The same by slice, those that lose most first."""
    seeds: Mapping[str, int] = field(default_factory=dict)
    """Runs averaged per query, for systems that were given several."""
    seed_spread: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """Standard deviation of the mean between the runs of a system, by measure and system."""
    pairwise: Mapping[str, Array] = field(default_factory=dict)
    """For each measure the p-values of all pairs of systems (randomised Tukey HSD), where asked for."""
    sources: tuple[Any, Mapping[str, Any]] | None = None
    """Judgements and runs as given, for looking at single queries."""
    notes: Sequence[str] = ()

    # numbers

    @property
    def systems(self) -> list[str]:
        """The systems that are compared with the baseline."""
        return [name for name in self.evaluations if name != self.baseline]

    @property
    def measures(self) -> list[str]:
        return list(dict.fromkeys(c.measure for c in self.contrasts))

    def __getitem__(self, key: str | tuple[str, str]) -> Contrast:
        """`cmp["nDCG@10", "dense"]`, or `cmp["nDCG@10"]` with two systems."""
        measure, system = key if isinstance(key, tuple) else (key, None)
        if system is None:
            if len(self.systems) != 1:
                raise ParameterError(f"several systems: say which, as in cmp[{measure!r}, {self.systems[0]!r}].")
            system = self.systems[0]
        if system not in self.systems:
            raise UnknownName(
                f"no system {system!r}.{suggest(system, self.systems)} There are: {', '.join(self.systems)}."
            )
        label = self.evaluations[self.baseline].column(measure).label
        return next(c for c in self.contrasts if (c.measure, c.system) == (label, system))

    def __iter__(self) -> Iterator[Contrast]:
        return iter(self.contrasts)

    def __len__(self) -> int:
        return len(self.contrasts)

    def verdict(self, measure: str, system: str | None = None) -> str:
        """better, worse, equivalent or inconclusive."""
        return self[measure if system is None else (measure, system)].verdict

    # where it moved

    def differences(self, measure: str, system: str | None = None) -> pl.DataFrame:
        """A Polars frame of all queries: both values, the difference, and what it could be due to."""
        import polars as pl

        c = self[measure if system is None else (measure, system)]
        base, ev = self._rankings(c.system)
        a, b = base.column(c.measure), _in_order(ev, base.query_ids).column(c.measure)
        both = a.counted & b.counted
        ties = only_from_ties(a, b)
        unjudged = np.zeros(len(a.values), dtype=bool)
        if base.aligned is not None and ev.aligned is not None:
            unjudged = only_from_unjudged(base.aligned, ev.aligned, a.measure)
        return (
            pl.DataFrame(
                {
                    "query_id": list(base.query_ids),
                    c.baseline: a.values,
                    c.system: b.values,
                    "difference": b.values - a.values,
                    "only_ties": ties,
                    "only_unjudged": unjudged,
                }
            )
            .filter(pl.Series(both))
            .sort("difference", "query_id", descending=[not a.measure.higher_is_better, False])
        )

    def moved(self, measure: str, system: str | None = None, n: int = 5) -> tuple[pl.DataFrame, pl.DataFrame]:
        """The queries that gained most and those that lost most."""
        import polars as pl

        frame = self.differences(measure, system)
        better = self.evaluations[self.baseline].column(measure).measure.higher_is_better
        gained = pl.col("difference") > 0 if better else pl.col("difference") < 0
        lost = pl.col("difference") < 0 if better else pl.col("difference") > 0
        return frame.filter(gained).reverse().head(n), frame.filter(lost).head(n)

    def query(self, query_id: str, system: str | None = None, measure: str | None = None, depth: int = 10) -> Movement:
        """The two result lists of one query side by side: who moved where, and what it was worth."""
        if self.sources is None:
            raise InputError("stored evaluations have no result lists. Compare judgements and runs to look at a query.")
        c = self[measure or self.measures[0]] if system is None else self[measure or self.measures[0], system]
        qrels, runs = self.sources
        return movement(qrels, runs[c.baseline], runs[c.system], query_id, c.measure, depth=depth)

    def winner(self, measure: str, system: str | None = None) -> Winner | None:
        """Could unjudged results change who wins? None where the ranks are not at hand or the measure has no bounds."""
        c = self[measure if system is None else (measure, system)]
        base, ev = self._rankings(c.system)
        m = base.column(c.measure).measure
        if base.aligned is None or ev.aligned is None or not has_bounds(m):
            return None
        found = bounds(base.aligned, ev.aligned, m, depth=None if getattr(m, "k", None) else _DEEP)
        both = base.column(c.measure).counted & _in_order(ev, base.query_ids).column(c.measure).counted
        low, high = float(np.mean(found.low[both])), float(np.mean(found.high[both]))
        key = next(k for k in base.counts if k.startswith("judged@"))
        judged = [e.counts[key] for e in (base, ev) if e.counts.get(key) is not None]
        return Winner(low, high, low < 0 < high, 1 - sum(judged) / len(judged) if judged else float("nan"))

    def _rankings(self, system: str) -> tuple[Any, Any]:
        base, ev = self.evaluations[self.baseline], self.evaluations[system]
        if base.kind != "rankings":
            raise InputError("rows of labels and scores have no queries to look at.")
        return base, ev

    # tables and plain data

    def csv_rows(self) -> list[dict[str, Any]]:
        """One dict per contrast, those of slices after the others."""
        return [c.to_dict() for c in (*self.contrasts, *self.sliced)]

    def to_frame(self) -> pl.DataFrame:
        """One row per contrast."""
        import polars as pl

        return pl.DataFrame(self.csv_rows(), infer_schema_length=None)

    @cached_property
    def worst(self) -> str:
        """The verdict that matters most: worse before inconclusive before the others."""
        found = {c.verdict for c in self.contrasts}
        return next(v for v in ("worse", "inconclusive", "equivalent", "better") if v in found)

    def to_dict(self) -> dict[str, Any]:
        """Everything but single queries as plain Python values, nothing rounded."""
        return {
            "baseline": self.baseline,
            "systems": self.systems,
            "test": self.test,
            "permutations": self.permutations,
            "correction": self.correction,
            "family": self.family,
            "alpha": self.alpha,
            "confidence_level": self.confidence_level,
            "contrasts": [{k: plain(v) for k, v in row.items()} for row in self.csv_rows()],
            "notes": list(self.notes),
        }


def _in_order(ev: Any, query_ids: Sequence[str]) -> Any:
    """Queries of two evaluations against the same judgements are in the same order; stored ones may not be."""
    if list(ev.query_ids) == list(query_ids):
        return ev
    raise InputError("the queries of the two evaluations are in different orders; evaluate both again.")
