"""What ties can do to a ranking: orders of merit, and lists without what a policy leaves out.

Results with equal scores have no order of their own. Any rule that gives them one (ids, input order)
is a convention; the honest questions are what the luckiest and the unluckiest order would give, and
what is expected when every order is equally likely.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rankgauge.alignment.alignment import Alignment, Repeats
from rankgauge.alignment.costs import Budget, Costs
from rankgauge.alignment.segments import Array, Segments

__all__ = ["affordable", "arranged", "best_case", "condensed", "fractional", "truncated", "worst_case"]


def best_case(a: Alignment) -> Alignment:
    """Inside each tie block the higher grades first: relevant on top, judged non-relevant at the end."""
    return arranged(a, a.grade)[0]


def worst_case(a: Alignment) -> Alignment:
    """Inside each tie block the higher grades last.

    Where items of several grades repeat in one block, no single order need be the worst for all measures; the ranks
    are then a bound that none of the orders goes below.
    """
    return arranged(a, a.grade, worst=True)[0]


def arranged(a: Alignment, merit: Array, *, worst: bool = False) -> tuple[Alignment, Array]:
    """Each tie block by descending merit, or ascending for the worst; unjudged results have merit 0.

    Lists are cut at the depth of the alignment. Also a mask of queries in which one order need not be the best or worst
    of all: those that show items of different merit unequally often in one block.
    """
    if not a.tied.any():
        return a, np.zeros(a.n_queries, dtype=bool)
    key = ("arranged", worst) if merit is a.grade else None
    if key is None or key not in a._cache:
        made, unlike = _arranged(a, merit <= 0, merit) if worst else _arranged(a, merit > 0, -merit)
        if a.depth is not None:
            made = truncated(made, a.depth)
        if key is None:
            return made, unlike
        a._cache[key] = made, unlike
    found: tuple[Alignment, Array] = a._cache[key]
    return found


def _arranged(a: Alignment, from_top: Array, key: Array) -> tuple[Alignment, Array]:
    """`key` orders each tie block: `from_top` items, which have the lowest, fill it from its first rank, others end it.

    Copies of the former follow behind these; those of the latter stand right behind their item, so that it comes as
    late as it can, and items with more copies come before others of their merit. Also the queries in which those do not
    come as late as each of them can.
    """
    unlike = np.zeros(a.n_queries, dtype=bool)
    tied = np.flatnonzero(a.tie_first < a.tie_last)
    blocks = _Runs.of(a.by_query.owner[tied], a.tie_first[tied])  # rows are in rank order
    copies = a.copies[tied]
    order = np.lexsort((*([] if a.repeats is None else [-copies]), key[tied], blocks.owner))
    top, first, last = from_top[tied[order]], a.tie_first[tied], a.tie_last[tied]
    # at the end of a block the k-th start is latest when the most copies stand before it
    by_copies = order
    if a.repeats is not None:
        by_copies = np.lexsort((-copies, ~from_top[tied], blocks.owner))
        differs = ~top & (copies[order] != copies[by_copies])
        unlike[a.by_query.owner[tied[order[differs]]]] = True
    up_to = np.cumsum(copies[by_copies])
    from_here = blocks.spread(up_to[blocks.offsets[1:] - 1]) - up_to + copies[by_copies]
    start = np.where(top, first + blocks.place, last - from_here + 1)
    rank = a.rank.copy()
    rank[tied[order]] = start
    if a.repeats is None:
        return a.with_ranks(rank), unlike
    more = np.where(top, 0, copies[by_copies] - 1)
    behind = np.repeat(start, more) + Segments.of_lengths(more).place + 1
    return a.with_ranks(rank, again=_again(a, a.repeats, from_top, behind)), unlike


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


def affordable(a: Alignment, budget: Budget) -> Alignment:
    """The results of each list that fit into a budget: the longest beginning that costs no more than it.

    Lists are in one order, and the alignment knows what they cost.
    """
    key = ("affordable", budget)
    if key not in a._cache:
        assert isinstance(a.costs, Costs)
        ends = a.costs.ends(budget)
        a._cache[key] = truncated(a, ends) if (a.retrieved > ends).any() else a
    found: Alignment = a._cache[key]
    return found


def truncated(a: Alignment, depth: int | Array, *, blocks: bool = False) -> Alignment:
    """The first `depth` results of each list, or so many as it says for each; what lies deeper counts as not shown.

    With `blocks`, an item stays as long as its tie block begins within the depth: which of the block
    are cut depends on their order, and expectations take care of it.
    """
    limit = a.by_query.spread(np.broadcast_to(depth, a.n_queries))
    kept = a.shown & ((a.tie_first if blocks else a.rank) <= limit)
    again = None
    if a.repeats is not None:
        deepest = limit[a.repeats.row]
        again = np.where((a.repeats.tie_first if blocks else a.repeats.rank) <= deepest, a.repeats.rank, 0)
    cut = replace(
        a,
        tie_first=np.where(kept, a.tie_first, 0),
        tie_last=np.where(kept, a.tie_last, 0),
        retrieved=np.minimum(a.retrieved, depth),
        depth=depth if isinstance(depth, int) else a.depth,
        gains=None if a.gains is None else truncated(a.gains, depth, blocks=blocks),
        covered=None if a.covered is None else a.covered.within(depth),
        _cache={},
    )
    return replace(cut.with_ranks(np.where(kept, a.rank, 0), ties=True, again=again), costs=a.costs)
