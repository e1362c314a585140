"""What a history has of one evaluation: when, of what, its numbers; the whole record on demand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from math import isnan
from typing import TYPE_CHECKING

from rankgauge.errors import RankgaugeError
from rankgauge.measures.grammar import meanings

if TYPE_CHECKING:
    from rankgauge._records import Record
    from rankgauge.history.history import History

__all__ = ["EVENTS", "PROJECT", "Entry", "Event", "ListedItem", "QueryValue", "Summary"]

PROJECT = "default"
EVENTS = ("note", "tag", "baseline", "alert", "acknowledged", "delivered", "run")
"""What can happen beside the records."""


@dataclass(frozen=True)
class Summary:
    """One number of an evaluation: of all queries, or of a slice (`attribute`, `part`)."""

    measure: str
    """As it was asked for."""
    definition: str
    """What it is: equal definitions are the same measure."""
    value: float
    low: float = float("nan")
    high: float = float("nan")
    error: float = float("nan")
    """Standard error; NaN where there is none."""
    n: int = 0
    attribute: str = ""
    part: str = ""

    @property
    def is_of_all(self) -> bool:
        """Whether it is of everything, and not of a slice."""
        return not self.attribute

    @property
    def has_interval(self) -> bool:
        """Whether both ends are known."""
        return not (isnan(self.low) or isnan(self.high))


@dataclass(frozen=True, eq=False)
class Entry:
    """One record in a history. `entry.record` reads the whole of it."""

    id: str
    at: datetime
    project: str
    system: str
    version: str
    dataset: str
    kind: str
    schema: int
    state: str
    """Of a decision: pass, fail or inconclusive; else nothing."""
    labels: Mapping[str, str]
    contract: Mapping[str, object]
    """What must be equal for two numbers to be about the same thing: queries, judgements, policy."""
    summaries: Sequence[Summary] = ()
    is_pruned: bool = False
    """Whether values of single queries were taken away."""
    queries: str = field(default="", repr=False)
    """What stands for the list of its queries: entries that have the same have the same queries in the same order."""
    history: History | None = field(default=None, repr=False, compare=False)

    @cached_property
    def record(self) -> Record:
        """The record, as it was added."""
        assert self.history is not None
        return self.history.record(self.id)

    def summary(self, measure: str, attribute: str = "", part: str = "") -> Summary | None:
        """The number of a measure, under any of its names; None where it was not asked for."""
        mine = [s for s in self.summaries if (s.attribute, s.part) == (attribute, part)]
        found = next((s for s in mine if s.measure == measure), None)
        if found is not None or not mine:
            return found
        try:
            wanted = {str(m) for m in meanings(measure)}
        except RankgaugeError:  # a measure of somebody's own, that is not known here
            return None
        return next((s for s in mine if s.definition in wanted), None)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entry) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)


@dataclass(frozen=True)
class ListedItem:
    """One result of a list that was kept."""

    item: str
    grade: float | None
    """None where nobody judged it."""


@dataclass(frozen=True)
class QueryValue:
    """One query in one evaluation."""

    entry: Entry
    value: float
    """NaN where the query does not count."""
    results: Sequence[ListedItem] = ()
    """Its first results, where they were kept."""


@dataclass(frozen=True)
class Event:
    """What happened beside the records: a note, a tag, a new baseline, an alert, its delivery."""

    id: str
    at: datetime
    project: str
    kind: str
    entry: str = ""
    who: str = ""
    text: str = ""
    data: Mapping[str, object] = field(default_factory=dict)
