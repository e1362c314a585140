"""Measures of spans as sets of characters: each character of a document is an element (document, offset)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

Place = tuple[str, int, int]
Char = tuple[str, int]


def chars(places: Sequence[Place]) -> set[Char]:
    return {(doc, i) for doc, start, end in places for i in range(start, end)}


@dataclass(frozen=True)
class Case:
    """One query: needs as (grade, alternatives), a ranked list of pieces, and all chunks there are."""

    needs: Sequence[tuple[float, Sequence[Sequence[Place]]]]
    pieces: Sequence[Place]
    chunks: Sequence[Place] = field(default=())

    def context(self, k: int | None) -> set[Char]:
        return chars(self.pieces[:k])

    def cost(self, k: int | None) -> int:
        return sum(end - start for _, start, end in self.pieces[:k])

    @property
    def gold(self) -> set[Char]:
        return {c for _, alternatives in self.needs for a in alternatives for c in chars(a)}

    def share(self, j: int, k: int | None) -> float:
        context = self.context(k)
        return max(len(chars(a) & context) / len(chars(a)) for a in self.needs[j][1])

    def missed(self, k: int | None) -> int:
        context, wanted = self.context(k), set()
        for _, alternatives in self.needs:
            sets = [chars(a) for a in alternatives]
            wanted |= max(sets, key=lambda s: (len(s & context) / len(s), len(s & context) - len(s)))
        return len(wanted - context)


def _ratio(a: float, b: float) -> float:
    return a / b if b else 0.0


def recall(m: Any, x: Case) -> float:
    if not x.needs:
        return math.nan
    return sum(g * x.share(j, m.k) for j, (g, _) in enumerate(x.needs)) / sum(g for g, _ in x.needs)


def precision(m: Any, x: Case) -> float:
    return _ratio(len(x.context(m.k) & x.gold), x.cost(m.k))


def f(m: Any, x: Case) -> float:
    p, r, b2 = precision(m, x), recall(m, x), m.beta**2
    return _ratio((1 + b2) * p * r, b2 * p + r)


def full(m: Any, x: Case) -> float:
    for k in range(1, len(x.pieces) + 1):
        if all(x.share(j, k) == 1 for j in range(len(x.needs))):
            return len(x.context(k) & x.gold) / x.cost(k)
    return 0.0


def omega(m: Any, x: Case) -> float:
    mine = [c for c in x.chunks if chars([c]) & x.gold]
    return _ratio(len(chars(mine) & x.gold), sum(e - s for _, s, e in mine))


def reached(m: Any, x: Case) -> float:
    return sum(x.share(j, m.k) >= m.reach for j in range(len(x.needs))) / len(x.needs)


NAIVE: dict[str, Callable[[Any, Case], float]] = {
    "SpanRecall": recall,
    "SpanPrecision": precision,
    "SpanIoU": lambda m, x: _ratio(len(x.context(m.k) & x.gold), x.cost(m.k) + x.missed(m.k)),
    "SpanF": f,
    "NeedRecall": reached,
    "SpanPfull": full,
    "SpanOmega": omega,
    "Duplication": lambda m, x: 1 - len(x.context(m.k)) / x.cost(m.k) if x.pieces[: m.k] else 0.0,
}
