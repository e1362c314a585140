"""What the order of tied results does to a measure: its least, greatest and mean value over all orders.

Each number is exact, or there is none. From the cheapest way to the dearest:

- a measure that gains whenever a better item changes places with a worse one above it (`Measure.merit`) has its ends at
  the orders by merit, one evaluation each;
- an expectation may have a closed form (`Measure.expected`);
- a measure that adds up steps, each of which depends on what stands above but not on its order (`Measure.stepwise`),
  is read off the lattice of multisets: its size grows with the product of how often each kind occurs, not with
  the number of orders;
- what is left is evaluated in every distinct order, up to a limit.

A measure that looks at the whole of what is shown (`Measure.looks_at`) is taken apart first: one case for each set that
a cut inside a tie block can leave, with its probability.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rankgauge._numbers import short
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.alignment import Alignment, Array
from rankgauge.alignment.orders import (
    Lattice,
    Lists,
    blocks_of,
    every_order,
    in_slices,
    n_orders,
    n_survivors,
    settled,
    straddled,
)
from rankgauge.alignment.ties import arranged, condensed
from rankgauge.errors import ParameterError

if TYPE_CHECKING:
    from rankgauge.measures.base import Measure

__all__ = [
    "ALL",
    "AT_HAND",
    "MOST_CELLS",
    "MOST_LISTS",
    "Limit",
    "expectation",
    "extremes",
    "is_taken_apart",
    "lattice_mean",
    "order_mean",
]

MOST_LISTS = 200_000
"""Lists of one query that are evaluated at most."""
MOST_CELLS = 100_000_000
"""Judged items of all these lists of one measure, at most: about ten seconds."""
EPS = 1e-12


@dataclass(frozen=True)
class Limit:
    """How much work the orders of tied results are worth."""

    lists: int
    """Of one query."""
    cells: int
    """Judged items of all lists of one query."""
    total: float
    """Judged items of all lists of all queries."""
    refuses: bool
    """Whether more than that is an error; else there is no value (NaN)."""


ALL = Limit(MOST_LISTS, MOST_CELLS, MOST_CELLS, refuses=True)
"""For numbers that were asked for."""
AT_HAND = Limit(2_000, 100_000, float("inf"), refuses=False)
"""For what goes with every evaluation: a limit of each query alone, so that parts of a run say what the whole says."""


def expectation(m: Measure, a: Alignment, undefined: float = 0.0) -> Array:
    """The mean over all orders of tied results; every query of `a` has some.

    `undefined` is the value of orders in which the measure says nothing; NaN leaves them out.
    """
    cases = _Cases.of(m, a, ALL, "ties='expected'")
    part = cases.alignment
    values = np.empty(part.n_queries)
    # closed forms take each item to stand anywhere in its block alike; the first of several copies does not
    copied = part.by_query.any(part.copies > 1) & (not m.additive)
    for queries, mean in (
        (~part.tied, m.per_query),
        (part.tied & ~copied, m.expected),
        (part.tied & copied, lambda x: (lattice_mean if m.stepwise else order_mean)(m, x)),
    ):
        if queries.any():
            values[queries] = mean(part.of_queries(queries))
    return cases.mean(np.where(m.defined(part), values, undefined))


def extremes(m: Measure, a: Alignment, undefined: float = 0.0, limit: Limit = ALL) -> tuple[Array, Array]:
    """The least and the greatest value over all orders of tied results; NaN where it would take more than the limit.

    `undefined` as for `expectation`.
    """
    word = Text("ties='best' or 'worst'", "ties='best' 或 'worst'")
    cases = _Cases.of(m, a, limit, word, ends=True)
    part = cases.alignment
    merit = m.merit(part)
    if merit is None:
        low = high = np.full(part.n_queries, np.nan)
        open_ = cases.known
    else:
        (first, unlike), (last, unlike_too) = (arranged(part, merit, worst=worst) for worst in (False, True))
        ends = m.per_query(first), m.per_query(last)
        low, high = np.minimum(*ends), np.maximum(*ends)
        open_ = (unlike | unlike_too) & cases.known
    if open_.any():
        low, high = low.copy(), high.copy()
        low[open_], high[open_], _ = (_steps if m.stepwise else _orders)(m, part.of_queries(open_), limit, word)
        # steps add up to the same sum in every order but for its last digits
        same = open_ & (high - low <= EPS * np.maximum(1.0, np.abs(high)))
        low[same] = high[same] = m.per_query(arranged(part, part.grade)[0])[same]
    unknown = np.isnan(low) | ~cases.known
    defined = m.defined(part)
    low, high = (np.where(defined, x, undefined) for x in (low, high))
    return cases.least(low, unknown), -cases.least(-high, unknown)


def is_taken_apart(m: Measure, a: Alignment) -> bool:
    """Whether a cut inside a tie block leaves sets that the measure tells apart as wholes."""
    cuts = (a.depth if m.judged_only else None, m.looks_at(a))
    return any(cut is not None and bool(straddled(a, cut).any()) for cut in cuts)


@dataclass(frozen=True, eq=False)
class _Cases:
    """The list as the measure sees it: for each query what cuts inside tie blocks can leave, with their chances."""

    alignment: Alignment
    owner: Array
    weight: Array
    known: Array
    """Cases that are worth looking at; others stand for queries that would take too many."""
    n_queries: int
    several: bool
    """Whether a query can have several cases."""

    @classmethod
    def of(cls, m: Measure, a: Alignment, limit: Limit, word: str, *, ends: bool = False) -> _Cases:
        if m.of_places:
            a = a.places
        cases = cls(a, np.arange(a.n_queries), np.ones(a.n_queries), np.ones(a.n_queries, bool), a.n_queries, False)
        if m.judged_only:
            if a.depth is not None:  # which judged results are left within the depth depends on the order
                cases = cases._settled(m, a.depth, m.items, limit, word, places=True)
            cases = cases._with(condensed(cases.alignment))
        cut = m.looks_at(cases.alignment, ends=ends)
        return cases if cut is None else cases._settled(m, cut, m.kinds, limit, word)

    def _with(self, a: Alignment) -> _Cases:
        return _Cases(a, self.owner, self.weight, self.known, self.n_queries, self.several)

    def _settled(
        self, m: Measure, cut: int, kinds: Callable[[Alignment], Array], limit: Limit, word: str, places: bool = False
    ) -> _Cases:
        a = self.alignment
        over = straddled(a, cut)
        if not over.any():
            return self
        kind, work = kinds(a), _Work(m, a, limit, word)
        fits = np.ones(a.n_queries, dtype=bool)
        for query in np.flatnonzero(over).tolist():
            fits[query] = work.fits(query, n_survivors(a, query, cut, kind, places=places))
        wide, owner, weight = settled(a, cut, kind, over & fits, places=places)
        known = self.known[owner] & fits[owner]
        return _Cases(wide, self.owner[owner], self.weight[owner] * weight, known, self.n_queries, True)

    def mean(self, values: Array) -> Array:
        """The mean over cases; those without a value are left out."""
        if not self.several:
            return values
        said = ~np.isnan(values)
        total = np.bincount(self.owner, weights=np.where(said, self.weight * values, 0.0), minlength=self.n_queries)
        weight = np.bincount(self.owner, weights=np.where(said, self.weight, 0.0), minlength=self.n_queries)
        mean: Array = np.divide(total, weight, out=np.full(self.n_queries, np.nan), where=weight > 0)
        return mean

    def least(self, values: Array, unknown: Array) -> Array:
        """The least over cases; those without a value are left out, unless it is not known."""
        if not self.several:
            return np.where(unknown, np.nan, values)
        out = np.full(self.n_queries, np.inf)
        np.minimum.at(out, self.owner, np.where(np.isnan(values), np.inf, values))
        out[np.isinf(out)] = np.nan
        out[self.owner[unknown]] = np.nan
        return out


# all steps, all orders


def lattice_mean(m: Measure, a: Alignment) -> Array:
    """The expectation of a measure that adds up steps."""
    return _steps(m, a, ALL, "ties='expected'")[2]


def order_mean(m: Measure, a: Alignment) -> Array:
    """The expectation as the mean over every distinct order."""
    return _orders(m, a, ALL, "ties='expected'")[2]


Bounds = tuple[Array, Array, Array]


def _steps(m: Measure, a: Alignment, limit: Limit, word: str) -> Bounds:
    kind, work = m.kinds(a), _Work(m, a, limit, word)
    deepest = min(float(x) for x in (m.cutoff, a.depth, np.inf) if x is not None)
    out = np.full((3, a.n_queries), np.nan)
    chosen = []
    for query in range(a.n_queries):
        lattice = Lattice.of(a, query, blocks_of(a, query, kind), deepest)
        if work.fits(query, len(lattice)):
            chosen.append(lattice)
    values = _evaluated(m.steps, m, a, [lattice.lists for lattice in chosen])
    for lattice, found in zip(chosen, values, strict=True):
        out[:, lattice.query] = lattice.read(found)
    scaled = [m.of_steps(a, x) for x in out]
    return np.minimum(scaled[0], scaled[1]), np.maximum(scaled[0], scaled[1]), scaled[2]


def _orders(m: Measure, a: Alignment, limit: Limit, word: str) -> Bounds:
    kind, work = m.kinds(a), _Work(m, a, limit, word)
    out = np.full((3, a.n_queries), np.nan)
    queries, lists = [], []
    for query in range(a.n_queries):
        blocks = blocks_of(a, query, kind)
        if work.fits(query, n_orders(blocks)):
            queries.append(query)
            lists.append(lambda query=query, blocks=blocks: every_order(a, query, blocks))
    for query, found in zip(queries, _evaluated(m.per_query, m, a, lists), strict=True):
        out[:, query] = found.min(), found.max(), found.mean()
    return out[0], out[1], out[2]


def _evaluated(
    function: Callable[[Alignment], Array], m: Measure, a: Alignment, lists: Sequence[Callable[[], Lists]]
) -> list[Array]:
    """For each query the values of its lists; a bounded number of lists is held at a time."""
    lengths: list[int] = []

    def made() -> Iterator[Lists]:
        for make in lists:
            query, ranks = make()
            lengths.append(len(ranks))
            yield query, ranks

    values = [function(part) for part in in_slices(a, made(), m.breadth)]
    flat = np.concatenate(values) if values else np.empty(0)
    return np.split(flat, np.cumsum(lengths)[:-1]) if lengths else []


class _Work:
    """How much has been taken on so far."""

    def __init__(self, m: Measure, a: Alignment, limit: Limit, word: str) -> None:
        self.m, self.a, self.limit, self.word = m, a, limit, word
        self.cells = 0

    def fits(self, query: int, lists: int) -> bool:
        """Whether so many lists of the query are within the limits; an error where they must be."""
        limit = self.limit
        cells = lists * max(int(self.a.by_query.lengths[query]), self.m.breadth)
        self.cells += cells
        if lists <= limit.lists and cells <= limit.cells and self.cells <= limit.total:
            return True
        if not limit.refuses:
            self.cells -= cells
            return False
        raise ParameterError(self._why(query, lists))

    def _why(self, query: int, lists: int) -> str:
        name = show(self.a.query_ids[query])
        if lists <= self.limit.lists:
            many = Text(
                f"the queries up to {name} have more orders of tied results than can be tried",
                f"到 {name} 为止，各查询并列结果的排列多得无法逐一尝试",
            )
        else:
            n, most = short(float(lists), 3), f"{self.limit.lists:,}"
            many = Text(
                f"query {name} has {n} orders of tied results (at most {most} are tried)",
                f"查询 {name} 的并列结果有 {n} 种排列（最多尝试 {most} 种）",
            )
        why = Text(
            f"{self.m}: {self.word} has no closed form for this measure, and {many}. "
            "Pass ties='doc_id' or 'input', or leave this measure out.",
            f"{self.m}：这个指标的 {zh(self.word)} 没有解析式，而{many.zh}。"
            "请传入 ties='doc_id' 或 'input'，或去掉这个指标。",
        )
        if self.m.custom:
            why += Text(
                " Where a better grade that moves up never lowers it, say @rg.measure(monotone=True).",
                "如果等级更高的结果前移绝不会使它变小，请用 @rg.measure(monotone=True) 说明。",
            )
        return why
