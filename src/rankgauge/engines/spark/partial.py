"""What some queries add to the totals of all: sums, counts and objections that can be merged in any order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.alignment import Array
from rankgauge.engines.spark.told import Told, heard, told
from rankgauge.errors import RankgaugeError
from rankgauge.evaluation.counts import added_up
from rankgauge.evaluation.rankings.measuring import Measured
from rankgauge.evaluation.rankings.totals import Totals

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Partial", "Some", "add_up"]

_SHOWN = 3


@dataclass(frozen=True)
class Some:
    """How many there are, and a few of them."""

    n: int = 0
    shown: tuple[str, ...] = ()

    @classmethod
    def of(cls, names: Iterable[str]) -> Some:
        found = sorted(names)
        return cls(len(found), tuple(found[:_SHOWN]))

    def __add__(self, other: Some) -> Some:
        return Some(self.n + other.n, tuple(sorted((*self.shown, *other.shown))[:_SHOWN]))

    def __str__(self) -> str:
        return ", ".join(self.shown) + ("…" if self.n > len(self.shown) else "")


@dataclass(frozen=True)
class Partial:
    """The totals of some queries."""

    tally: Mapping[str, int] = field(default_factory=dict)
    totals: Sequence[Totals] = ()
    """One for each measure."""
    slices: Mapping[str, Mapping[str, Sequence[Totals]]] = field(default_factory=dict)
    """By attribute and value."""
    some: Mapping[str, Some] = field(default_factory=dict)
    """Queries that may have to be named, by what is wrong with them."""
    errors: Sequence[Told] = ()
    """What was raised while measuring."""
    places: int = 0
    """Shown items that the driver is going to look at."""
    sent: int = 0
    """Bytes in which it gets them."""

    @classmethod
    def of(
        cls,
        found: Measured,
        weights: Array | None = None,
        attributes: Mapping[str, Sequence[str]] | None = None,
        some: Mapping[str, Some] | None = None,
    ) -> Partial:
        """The totals of what was measured; weights and attributes by query, as the values are."""

        def totals(queries: Array | None = None) -> list[Totals]:
            return [Totals.of(c, weights, queries) for c in found.columns]

        slices = {}
        for attribute, of_query in (attributes or {}).items():
            labels = np.array(of_query, dtype=object)
            slices[attribute] = {value: totals(labels == value) for value in sorted(set(of_query))}
        missing = Some.of(q for q, m in zip(found.query_ids, found.missing, strict=True) if m)
        return cls(dict(found.tally), totals(), slices, {"missing": missing, **(some or {})})

    @classmethod
    def failed(cls, error: RankgaugeError) -> Partial:
        """Errors travel as data: a task that raises would be tried again, to no avail."""
        return cls(errors=[told(error)])

    def __add__(self, other: Partial) -> Partial:
        return Partial(
            added_up((self.tally, other.tally)),
            _added(self.totals, other.totals),
            {
                attribute: {value: _added(mine.get(value, ()), theirs.get(value, ())) for value in {**mine, **theirs}}
                for attribute in {**self.slices, **other.slices}
                for mine, theirs in [(self.slices.get(attribute, {}), other.slices.get(attribute, {}))]
            },
            {k: self.some.get(k, Some()) + other.some.get(k, Some()) for k in {**self.some, **other.some}},
            sorted({*self.errors, *other.errors})[:_SHOWN],
            self.places + other.places,
            self.sent + other.sent,
        )

    def to_text(self) -> str:
        return json.dumps(
            {
                "tally": self.tally,
                "totals": [t.to_text() for t in self.totals],
                "slices": {a: {v: [t.to_text() for t in ts] for v, ts in by.items()} for a, by in self.slices.items()},
                "some": {k: [s.n, *s.shown] for k, s in self.some.items()},
                "errors": self.errors,
                "places": self.places,
                "sent": self.sent,
            }
        )

    @classmethod
    def from_text(cls, text: str) -> Partial:
        data = json.loads(text)
        return cls(
            data["tally"],
            [Totals.from_text(t) for t in data["totals"]],
            {a: {v: [*map(Totals.from_text, ts)] for v, ts in by.items()} for a, by in data["slices"].items()},
            {k: Some(n, tuple(shown)) for k, (n, *shown) in data["some"].items()},
            [(name, en, zh) for name, en, zh in data["errors"]],
            data["places"],
            data["sent"],
        )

    def raise_if_failed(self) -> None:
        """Raise on the driver what was found wrong where the rows lie."""
        if self.errors:
            raise heard(*self.errors[0])


def _added(a: Sequence[Totals], b: Sequence[Totals]) -> Sequence[Totals]:
    return [x + y for x, y in zip(a, b, strict=True)] if a and b else a or b


def add_up(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Many partial totals → one."""
    import pyarrow as pa

    total = Partial()
    for batch in batches:
        for text in batch.column(0).to_pylist():
            total = total + Partial.from_text(text)
    yield pa.RecordBatch.from_pydict({"partial": [total.to_text()]})
