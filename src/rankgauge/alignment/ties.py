"""What ties can do to a ranking: the best order, the worst, and all of them.

Results with equal scores have no order of their own. Any rule that gives them one (ids, input order)
is a convention; the honest questions are what the luckiest and the unluckiest order would give, and
what is expected when every order is equally likely.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product
from math import comb, prod

import numpy as np

from rankgauge._show import show
from rankgauge.alignment.alignment import Alignment, Groups
from rankgauge.alignment.segments import Array, Segments
from rankgauge.errors import ParameterError

__all__ = ["MOST_ORDERS", "best_case", "condensed", "every_order", "fractional", "truncated", "worst_case"]

MOST_ORDERS = 50_000
"""Orders of one query that are enumerated at most."""


def best_case(a: Alignment) -> Alignment:
    """Inside each tie block the higher grades first: relevant on top, judged non-relevant at the end."""
    return _arranged(a, a.grade > 0, -a.grade)


def worst_case(a: Alignment) -> Alignment:
    """Inside each tie block the higher grades last."""
    return _arranged(a, a.grade <= 0, a.grade)


def _arranged(a: Alignment, from_top: Array, key: Array) -> Alignment:
    """`from_top` items, those of the lowest `key`, fill their block from its first rank, the others end it."""
    tied = np.flatnonzero(a.tie_first < a.tie_last)
    if not len(tied):
        return a
    first, last = a.tie_first[tied], a.tie_last[tied]
    owner = a.by_query.owner[tied]
    new_block = np.ones(len(tied), dtype=bool)  # rows are in rank order: those of a block stand together
    new_block[1:] = (np.diff(owner) != 0) | (np.diff(first) != 0)
    blocks = Segments(np.append(np.flatnonzero(new_block), len(tied)))
    order = np.lexsort((key[tied], blocks.owner))
    behind = blocks.spread(blocks.lengths) - 1 - blocks.place
    rank = a.rank.copy()
    rank[tied[order]] = np.where(from_top[tied[order]], first + blocks.place, last - behind)
    return a.with_ranks(rank)


def fractional(a: Alignment) -> Alignment:
    """An alignment in which `within` and `discounted` are expectations over the orders of each tie block."""
    return replace(a, fractional=True, _cache={})


def condensed(a: Alignment) -> Alignment:
    """The ranking without its unjudged results: judged items move up and keep their order."""
    shown = a.count(a.shown)
    place = a.by_query.place + 1  # rows are in rank order, shown ones first
    rank = np.where(a.shown, place, 0)
    owner = a.by_query.owner
    new_block = np.ones(len(rank), dtype=bool)
    new_block[1:] = (np.diff(owner) != 0) | (np.diff(a.tie_first) != 0)
    blocks = Segments(np.append(np.flatnonzero(new_block), len(rank)))
    first = blocks.spread(place[blocks.offsets[:-1]]) if len(rank) else rank
    last = first + blocks.spread(blocks.lengths) - 1 if len(rank) else rank
    return replace(
        a,
        rank=rank,
        tie_first=np.where(a.shown, first, 0),
        tie_last=np.where(a.shown, last, 0),
        retrieved=shown,
        _cache={},
    )


def truncated(a: Alignment, depth: int, *, blocks: bool = False) -> Alignment:
    """The first `depth` results of each list; what lies deeper counts as not shown.

    With `blocks`, an item stays as long as its tie block begins within the depth: which of the block
    are cut depends on their order, and expectations take care of it.
    """
    kept = a.shown & ((a.tie_first if blocks else a.rank) <= depth)
    cut = replace(
        a,
        tie_first=np.where(kept, a.tie_first, 0),
        tie_last=np.where(kept, a.tie_last, 0),
        retrieved=np.minimum(a.retrieved, depth),
        depth=depth,
        _cache={},
    )
    return cut.with_ranks(np.where(kept, a.rank, 0), ties=True)


def every_order(a: Alignment, measure: str) -> tuple[Alignment, Array]:
    """An alignment with a query for each distinct order of each query, and whose order each one is.

    Unjudged results of a block are alike, and so are items of equal grade, so only distinct patterns
    are listed; each is equally likely.
    """
    ranks, owners = [], []
    for query in range(a.n_queries):
        rows = slice(a.offsets[query], a.offsets[query + 1])
        patterns = _patterns(a, rows, a.query_ids[query], measure)
        ranks += patterns
        owners += [query] * len(patterns)
    owner = np.array(owners, dtype=np.int64)
    wide = a.of_queries(owner)
    if a.groups is not None:
        wide = replace(wide, groups=_repeated(a, owner))
    rank = np.concatenate(ranks) if ranks else wide.rank
    if a.depth is not None:
        rank = np.where(rank <= a.depth, rank, 0)
    return replace(wide.with_ranks(rank), fractional=False), owner


def _repeated(a: Alignment, owner: Array) -> Groups:
    """Groups for a query that occurs several times."""
    assert a.groups is not None
    groups = a.groups
    of_query = a.by_query.owner[groups.row]
    first_code = np.concatenate(([0], np.cumsum(groups.n_codes)))
    start, code_start = 0, 0
    row, code, grade = [], [], []
    for query in owner:
        mine = of_query == query
        row.append(groups.row[mine] - a.offsets[query] + start)
        code.append(groups.code[mine] - first_code[query] + code_start)
        grade.append(groups.grade[mine])
        start += int(a.by_query.lengths[query])
        code_start += int(groups.n_codes[query])
    return Groups(np.concatenate(row), np.concatenate(code), np.concatenate(grade), groups.n_codes[owner])


def _patterns(a: Alignment, rows: slice, query_id: str, measure: str) -> list[Array]:
    first, last, shown = a.tie_first[rows], a.tie_last[rows], a.shown[rows]
    starts = np.unique(first[shown])
    blocks = []
    for start in starts:
        members = np.flatnonzero(shown & (first == start))
        size = int(last[members[0]] - start + 1)
        kinds = [members[a.grade[rows][members] == g] for g in np.unique(a.grade[rows][members])]
        if a.groups is not None:  # items of one grade may differ by subtopic
            kinds = [members[i : i + 1] for i in range(len(members))]
        blocks.append((int(start), size, kinds))
    n_orders = prod(_n_patterns(size, [len(k) for k in kinds]) for _, size, kinds in blocks)
    if n_orders > MOST_ORDERS:
        raise ParameterError(
            f"{measure}: ties='expected' has no closed form for this measure, and query {show(query_id)} has "
            f"{float(n_orders):.3g} orders of tied results (at most {MOST_ORDERS:,} are enumerated). "
            "Pass ties='best' and ties='worst' for its bounds, or ties='doc_id'."
        )
    out = []
    for choice in product(*(list(_placements(size, kinds)) for _, size, kinds in blocks)):
        rank = np.zeros(len(first), dtype=np.int64)
        for (start, _, _), placement in zip(blocks, choice, strict=True):
            for members, slots in placement:
                rank[members] = start + np.asarray(slots)
        out.append(rank)
    return out


def _n_patterns(size: int, counts: list[int]) -> int:
    total = 1
    for count in counts:
        total *= comb(size, count)
        size -= count
    return total


def _placements(size: int, kinds: list[Array]) -> Iterator[list[tuple[Array, tuple[int, ...]]]]:
    """Every way of giving the kinds their slots inside a block of `size`."""

    def place(free: tuple[int, ...], rest: list[Array]) -> Iterator[list[tuple[Array, tuple[int, ...]]]]:
        if not rest:
            yield []
            return
        for slots in combinations(free, len(rest[0])):
            left = tuple(s for s in free if s not in slots)
            for tail in place(left, rest[1:]):
                yield [(rest[0], slots), *tail]

    return place(tuple(range(size)), kinds)
