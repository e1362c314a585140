"""Has every evaluation queries of its own? Asked of their ids; where there are none, of what stands for them.

Errors of two means add up as those of independent samples only where they have hardly any queries in common: their
correlation is up to the share that both have. A tenth is let pass, which errors of promises can bear; a window that
moves on by a week, a set that grows, or two sets in turns are no fresh samples, however different each is from the one
before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rankgauge.errors import RankgaugeError
from rankgauge.history.entry import Entry

__all__ = ["SHARED", "Freshness", "Seen", "freshness", "queries_of"]

SHARED = 0.1
"""The largest share of its queries that an evaluation may have in common with an earlier one and still be fresh."""
_A_STREAM = 3
"""Sets of queries that it takes to see that every one is fresh."""


def queries_of(entry: Entry) -> str:
    """What stands for its set of queries; nothing where they are not known."""
    told = entry.contract.get("fingerprint")
    return str(told.get("queries", "")) if isinstance(told, dict) else ""


class Seen:
    """The queries of the evaluations that were counted so far."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._sets: list[set[str]] = []
        self._all: set[str] = set()
        self._asked: tuple[str, set[str]] = ("", set())

    def share(self, entry: Entry) -> float:
        """The largest share of queries that it has in common with one of them, of the smaller set."""
        if queries_of(entry) in self._known:
            return 1.0
        ids = self._ids(entry)
        common = self._all & ids
        if not common:
            return 0.0
        return max(len(common & some) / min(len(some), len(ids)) for some in self._sets if some)

    def count(self, entry: Entry) -> None:
        """From now on its queries are not fresh any more."""
        if found := queries_of(entry):
            self._known.add(found)
        self._sets.append(self._ids(entry))
        self._all |= self._sets[-1]

    def _ids(self, entry: Entry) -> set[str]:
        if self._asked[0] != entry.id:
            self._asked = (entry.id, set(_read(entry)))
        return self._asked[1]


def _read(entry: Entry) -> list[str]:
    if entry.kind != "rankings" or entry.history is None:
        return []
    try:
        return entry.history.query_ids(entry.id)
    except RankgaugeError:
        return []


@dataclass(frozen=True)
class Freshness:
    """What the queries of a series of evaluations are to each other."""

    is_stream: bool = False
    """Whether each has fresh queries, or those of the one before: that was evaluated again."""
    repeats: frozenset[int] = frozenset()
    """The places of those that have the queries of the one before."""
    is_whole: bool = True
    """Whether none has any query of an earlier one, but for repeats."""
    looked_at: int = 0
    """How many were compared by their ids, the newest ones; of older ones it is known that their sets differ."""


def freshness(entries: Sequence[Entry], newest: int) -> Freshness:
    """Looks at the ids of so many of the newest."""
    told = [queries_of(e) for e in entries]
    new = [i for i in range(len(told)) if not i or told[i] != told[i - 1]]
    repeats = frozenset(i for i in range(1, len(told)) if told[i] and told[i] == told[i - 1])
    if len(new) < _A_STREAM or "" in told or len({told[i] for i in new}) < len(new):
        return Freshness(repeats=repeats)
    some = new[-max(newest, _A_STREAM) :]
    seen, most = Seen(), 0.0
    for i in some:
        if (share := seen.share(entries[i])) > SHARED:
            return Freshness(repeats=repeats)
        most = max(most, share)
        seen.count(entries[i])
    return Freshness(True, repeats, not most, len(some) if len(some) < len(new) else len(entries))
