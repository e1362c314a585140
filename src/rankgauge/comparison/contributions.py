"""What does each result add to the value of its list?

For measures that add up over results (DCG, nDCG, P, R, RBP, …) the contribution of an item is what the list is worth
when it holds this item alone at its rank: for nDCG its discounted gain over the ideal DCG. For AP, RR, Hit and
ERR, whose terms depend on what stands above, it is the item's term of the sum: what the value grows by
when the list is read on to this item. The lists of all queries are computed together.
"""

from __future__ import annotations

from dataclasses import replace
from math import nan

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array, Repeats
from rankgauge.alignment.segments import Segments
from rankgauge.alignment.ties import affordable, condensed, fractional
from rankgauge.measures.base import Measure

__all__ = ["contributions"]

EPS = 1e-12
CELLS = 1_000_000  # judged items times lists that are computed at once


def contributions(
    m: Measure, a: Alignment, values: Array, *, expected: bool = False
) -> list[tuple[dict[int, float] | None, str]]:
    """For each query what its judged items add to its value, by their numbers; or None, and why.

    Items that add nothing are left out. `values` are those of the measure over the same alignment; with `expected` they
    are expectations over tied results, which only measures that add up have item by item.
    """
    if m.budget is not None:
        a = affordable(a, m.budget)
        m = m.replace(budget=None)
    no_sum = Text(f"{m} is not a sum over results.", f"{m} 不是各结果之和。")
    if m.summary == "none":
        return [(None, no_sum)] * a.n_queries
    in_order = m.adds_in_order
    defined = m.defined(a) & ~np.isnan(values)
    tied = a.tied & (expected and in_order and not m.additive)
    found: dict[int, dict[int, float]] = {}
    if m.additive or in_order:
        # what is not relevant hardly ever adds anything; only where the rest does not make the sum it is looked at
        for graded in (True, False):
            queries = np.array([i for i in np.flatnonzero(defined & ~tied).tolist() if i not in found], dtype=np.int64)
            found |= _sums(m, a, queries, values, graded=graded, in_order=in_order, expected=expected)
    nothing = Text(
        f"{m} says nothing about this query: no relevant item is judged.",
        f"{m} 对该查询没有意义：没有标注为相关的结果。",
    )
    over_ties = Text(
        f"{m} is the mean over the orders of tied results: no single result has a share of it.",
        f"{m} 是并列结果各种顺序下的平均值，无法分摊到单个结果。",
    )
    reasons = np.where(defined, np.where(tied, 1, 2), 0).tolist()
    return [
        (found[i], "") if i in found else (None, (nothing, over_ties, no_sum)[why]) for i, why in enumerate(reasons)
    ]


def _sums(
    m: Measure, a: Alignment, queries: Array, values: Array, *, graded: bool, in_order: bool, expected: bool
) -> dict[int, dict[int, float]]:
    """For each query whose items make up its value what they add; with `graded` only items of a grade above 0."""
    a = a.of_queries(queries)
    if m.judged_only:  # the list without unjudged results has the same items in the same order
        m, a = m.replace(judged_only=False), condensed(a)
    a = replace(fractional(a) if expected and m.additive else a, groups=None, _cache={})
    if graded:
        a = _rows(a, a.grade > 0)
    cut = m.cutoff
    begins = a.tie_first if a.fractional else a.rank
    n = a.count(a.shown if cut is None else a.shown & (begins <= cut))  # rows in rank order: the first n
    lists = Segments.of_lengths(n + in_order)
    each = _values(m, a, lists.owner, lists.place, up_to=in_order)
    numbers = np.arange(a.n_queries)
    empty = _values(m, a, numbers, np.zeros(a.n_queries, dtype=np.int64), up_to=True)
    out = {}
    for i, (query, value) in enumerate(zip(queries.tolist(), values[queries].tolist(), strict=True)):
        parts = each[lists.offsets[i] : lists.offsets[i + 1]]
        parts = np.diff(parts) if in_order else parts
        if empty[i] or not abs(parts.sum() - value) <= EPS * max(1.0, abs(value)):
            continue
        items = a.item[a.offsets[i] : a.offsets[i] + n[i]]
        out[query] = {x: part for x, part in zip(items.tolist(), parts.tolist(), strict=True) if part}
    return out


def _rows(a: Alignment, kept: Array) -> Alignment:
    """The alignment with some of its items only; ranks stay."""
    names = ("grade", "rank", "tie_first", "tie_last", "item")
    offsets = Segments.of_lengths(a.count(kept)).offsets
    again = a.repeats
    if again is not None:
        row = (np.cumsum(kept) - 1)[again.row]
        again = Repeats.ordered(
            a.by_query.owner[again.row], row, again.rank * kept[again.row], again.tie_first, again.tie_last
        )
    return replace(a, offsets=offsets, repeats=again, **{name: getattr(a, name)[kept] for name in names}, _cache={})


def _values(m: Measure, a: Alignment, queries: Array, numbers: Array, *, up_to: bool) -> Array:
    """Values of lists of these queries that hold only the shown judged item of that number, or only those before it."""
    out = np.full(len(queries), nan)
    cells = np.cumsum(a.by_query.lengths[queries])
    start = 0
    while start < len(queries):
        before = int(cells[start - 1]) if start else 0
        end = max(start + 1, int(np.searchsorted(cells, before + CELLS, side="right")))
        wide = a.of_queries(queries[start:end])
        number = wide.by_query.spread(numbers[start:end])
        kept = wide.by_query.place < number if up_to else wide.by_query.place == number
        out[start:end] = m.values(wide.with_ranks(np.where(kept, wide.rank, 0), ties=a.fractional))
        start = end
    return out
