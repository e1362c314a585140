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

from rankgauge.alignment.alignment import Alignment, Groups, Repeats
from rankgauge.alignment.segments import Array, Segments
from rankgauge.errors import ParameterError

__all__ = ["MOST_ORDERS", "best_case", "condensed", "every_order", "fractional", "truncated", "worst_case"]

MOST_ORDERS = 50_000
"""Orders of one query that are enumerated at most."""


def best_case(a: Alignment) -> Alignment:
    """Inside each tie block the higher grades first: relevant on top, judged non-relevant at the end."""
    return _arranged(a, from_top=a.grade > 0, key=-a.grade)


def worst_case(a: Alignment, *, exact: bool = False) -> Alignment:
    """Inside each tie block the higher grades last.

    Where items of several grades repeat in one block, no single order need be the worst for all measures; the ranks
    are then a bound that none of the orders goes below. With `exact` that is an error.
    """
    return _arranged(a, from_top=a.grade <= 0, key=a.grade, exact=exact)


def _arranged(a: Alignment, from_top: Array, key: Array, exact: bool = False) -> Alignment:
    """`key` orders each tie block: `from_top` items, which have the lowest, fill it from its first rank, others end it.

    Copies of the former follow behind these; those of the latter stand right behind their item, so that it comes as
    late as it can, and items with more copies come before others of their grade.
    """
    if not a.tied.any():
        return a
    tied = np.flatnonzero(a.tie_first < a.tie_last)
    blocks = _Runs.of(a.by_query.owner[tied], a.tie_first[tied])  # rows are in rank order
    copies = a.copies[tied]
    order = np.lexsort((-copies, key[tied], blocks.owner))
    top, first, last = from_top[tied[order]], a.tie_first[tied], a.tie_last[tied]
    # at the end of a block the k-th start is latest when the most copies stand before it
    by_copies = order if a.repeats is None else np.lexsort((-copies, ~from_top[tied], blocks.owner))
    unlike = np.flatnonzero(~top & (copies[order] != copies[by_copies]))
    if exact and len(unlike):
        query = a.query_ids[a.by_query.owner[tied[order[unlike[0]]]]]
        raise ParameterError(
            f"ties='worst': query {query!r} shows items of several grades with equal scores, one of them more often "
            "than another, and which order is worst depends on the measure. Pass ties='expected' or ties='doc_id', "
            "or duplicates='first'."
        )
    up_to = np.cumsum(copies[by_copies])
    from_here = blocks.spread(up_to[blocks.offsets[1:] - 1]) - up_to + copies[by_copies]
    start = np.where(top, first + blocks.place, last - from_here + 1)
    rank = a.rank.copy()
    rank[tied[order]] = start
    if a.repeats is None:
        return a.with_ranks(rank)
    more = np.where(top, 0, copies[by_copies] - 1)
    behind = np.repeat(start, more) + Segments.of_lengths(more).place + 1
    return a.with_ranks(rank, again=_again(a, a.repeats, from_top, behind))


class _Runs(Segments):
    """Consecutive rows that agree in some columns."""

    @classmethod
    def of(cls, *columns: Array) -> _Runs:
        new = np.ones(len(columns[0]), dtype=bool)
        new[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
        return cls(np.append(np.flatnonzero(new), len(new)))


def _again(a: Alignment, repeats: Repeats, from_top: Array, behind: Array) -> Array:
    """Ranks of the repeats: next behind the `from_top` items of their block; `behind` for copies of others."""
    row, owner = repeats.row, a.by_query.owner
    # repeats are sorted by query and rank, and so by block: those of one block take its places one by one
    at_end = ~from_top[row] & (repeats.tie_first == a.tie_first[row])
    rank = np.empty_like(repeats.rank)
    rank[at_end] = behind
    block = (owner[row] << 32)[~at_end] + repeats.tie_first[~at_end]
    tops = np.sort(((owner << 32) + a.tie_first)[from_top & a.shown])
    n_tops = np.searchsorted(tops, block, "right") - np.searchsorted(tops, block, "left")
    rank[~at_end] = repeats.tie_first[~at_end] + n_tops + _Runs.of(block).place
    return rank


def fractional(a: Alignment) -> Alignment:
    """An alignment in which `within` and `discounted` are expectations over the orders of each tie block."""
    return replace(a, fractional=True, _cache={})


def condensed(a: Alignment) -> Alignment:
    """The ranking without its unjudged results: judged items move up and keep their order."""
    places = a.places
    shown = places.count(places.shown)
    place = places.by_query.place + 1  # rows are in rank order, shown ones first
    blocks = _Runs.of(places.by_query.owner, places.tie_first)
    first = blocks.spread(place[blocks.offsets[:-1]]) if len(place) else place
    last = first + blocks.spread(blocks.lengths) - 1 if len(place) else place
    ranks = np.empty((3, len(place)), dtype=np.int64)
    ranks[:, a.place_order] = np.where(places.shown, (place, first, last), 0)
    rows, again = ranks[:, : len(a.rank)], ranks[:, len(a.rank) :]
    return replace(
        a,
        rank=rows[0],
        tie_first=rows[1],
        tie_last=rows[2],
        retrieved=shown,
        repeats=None if a.repeats is None else Repeats(a.repeats.row, *again),
        _cache={},
    )


def truncated(a: Alignment, depth: int, *, blocks: bool = False) -> Alignment:
    """The first `depth` results of each list; what lies deeper counts as not shown.

    With `blocks`, an item stays as long as its tie block begins within the depth: which of the block
    are cut depends on their order, and expectations take care of it.
    """
    kept = a.shown & ((a.tie_first if blocks else a.rank) <= depth)
    again = None
    if a.repeats is not None:
        again = np.where((a.repeats.tie_first if blocks else a.repeats.rank) <= depth, a.repeats.rank, 0)
    cut = replace(
        a,
        tie_first=np.where(kept, a.tie_first, 0),
        tie_last=np.where(kept, a.tie_last, 0),
        retrieved=np.minimum(a.retrieved, depth),
        depth=depth,
        _cache={},
    )
    return cut.with_ranks(np.where(kept, a.rank, 0), ties=True, again=again)


def every_order(a: Alignment, measure: str) -> tuple[Alignment, Array]:
    """An alignment with a query for each distinct order of each query, and whose order each one is.

    Unjudged results of a block are alike, and so are items of equal grade, so only distinct patterns
    are listed; each is equally likely.
    """
    ranks, agains, owners = [], [], []
    for query in range(a.n_queries):
        patterns = _patterns(a, query, measure)
        n = int(a.by_query.lengths[query])
        ranks += [pattern[:n] for pattern in patterns]
        agains += [pattern[n:] for pattern in patterns]
        owners += [query] * len(patterns)
    owner = np.array(owners, dtype=np.int64)
    wide = a.of_queries(owner)
    if a.groups is not None:
        wide = replace(wide, groups=_repeated(a, owner))
    rank = np.concatenate(ranks) if ranks else wide.rank
    again = np.concatenate(agains) if wide.repeats is not None else None
    if a.depth is not None:
        rank = np.where(rank <= a.depth, rank, 0)
        again = None if again is None else np.where(again <= a.depth, again, 0)
    return replace(wide.with_ranks(rank, again=again), fractional=False), owner


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


def _patterns(a: Alignment, query: int, measure: str) -> list[Array]:
    """Each distinct order of one query: the ranks of its rows, then those of its repeats."""
    first, last, kind = _entries(a, query)
    blocks = []
    for start in np.unique(first[first > 0]):
        members = np.flatnonzero(first == start)
        size = int(last[members[0]] - start + 1)
        kinds = [members[kind[members] == k] for k in np.unique(kind[members])]
        blocks.append((int(start), size, kinds))
    n_orders = prod(_n_patterns(size, [len(k) for k in kinds]) for _, size, kinds in blocks)
    if n_orders > MOST_ORDERS:
        raise ParameterError(
            f"{measure}: ties='expected' has no closed form for this measure, and query {a.query_ids[query]!r} has "
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


def _entries(a: Alignment, query: int) -> tuple[Array, Array, Array]:
    """First and last rank of the tie block of each row and each repeat of a query, 0 where it is not shown; its kind.

    Members of one kind are alike: the one named first has the first of their places. An item and its copies beside
    it are a kind, so that the item is the one that comes first.
    """
    rows = np.arange(a.offsets[query], a.offsets[query + 1])
    first, last = np.where(a.shown[rows], (a.tie_first[rows], a.tie_last[rows]), 0)
    alone = (a.copies[rows] == 1) & (a.groups is None)  # items of one grade may differ by subtopic
    _, grade = np.unique(a.grade[rows], return_inverse=True)
    kind = np.where(alone, grade, len(rows) + np.arange(len(rows)))
    if a.repeats is None:
        return first, last, kind
    mine = np.flatnonzero(a.by_query.owner[a.repeats.row] == query)
    row = a.repeats.row[mine] - a.offsets[query]
    beside = a.repeats.tie_first[mine] == first[row]
    again = np.where(beside, kind[row], 2 * len(rows) + grade[row])
    return (
        np.concatenate((first, a.repeats.tie_first[mine])),
        np.concatenate((last, a.repeats.tie_last[mine])),
        np.concatenate((kind, again)),
    )


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
