"""The third waist: what the first pieces of each list cover of what was needed.

Gold is a set of needs, each a set of intervals in documents (`data/spans.py`); a list is a ranking of pieces, each an
interval (`data/chunks.py`). Place by place this keeps what a piece costs, what of it is new, and how much of the gold
is covered by then: all that a measure of spans asks for. It is as small as the lists, and lengths in it are whole
numbers, so that nothing is counted twice and no share passes 1.

The same walk makes an alignment (`aligned_of`), so that every ranking measure can be asked of spans. It has two views:

  by need   a row for each need, at the place where it is found: where the share of it that is covered first reaches
            `reach`. Needs that are found in one place are one row there and rows beside it (`Alignment.beside`), for a
            result is relevant once, and R is the number of needs.
  by gain   (`Alignment.gains`) a row for each place that adds gold, with Σ grade · newly covered share as its grade;
            and, not shown, the rows of the ideal list (`Alignment.is_ideal`), which is made of the gold itself and the
            same for every chunking: each document in one piece, the richest first.

A share is counted in the best alternative of a need. With f(d) what document d covers alone, no k pieces cover more
than the k largest f together, nor more than everything; these bounds are the running totals of the ideal list. Without
alternatives in different documents a list of whole documents reaches them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import fsum

import numpy as np

from rankgauge.alignment.aligned import Aligned
from rankgauge.alignment.alignment import Alignment, Beside
from rankgauge.alignment.costs import Costs
from rankgauge.alignment.segments import Array, Segments
from rankgauge.data.chunks import Chunks, Piece
from rankgauge.data.spans import Interval, Need, Spans, merged

__all__ = ["Chunks", "Covered", "Spans", "aligned_of", "covered_of"]


@dataclass(frozen=True, eq=False)
class Covered:
    """What lists cover, place by place, list after list.

    | field | shape | meaning |
    |---|---|---|
    | `query_ids` | Q | those of the spans |
    | `offsets` | Q+1 | places `offsets[i]:offsets[i+1]` are the list of query i |
    | `cost` | P | characters of the piece at each place, whether or not they were there before |
    | `new` | P | those that no place above it has |
    | `hit` | P | those of the new ones that are gold, of whichever need and alternative |
    | `touches` | P | whether the piece holds any gold, new or not |
    | `found` | P | Σ grade · covered share over the needs, down to this place |
    | `missed` | P | characters of gold that are still missing below this place, each need in its best alternative |
    | `total` | Q | Σ grade over the needs |
    | `gold` | Q | what is missing before the first place |
    | `needs` | Q+1 | steps of needs: needs `needs[i]:needs[i+1]` are those of query i |
    | `grade`, `size` | N | of each need; its size in characters is that of its shortest alternative |
    | `step_need`, `step_rank`, `step_share` | S | need, place from 1 and share covered then, wherever it grows |
    | `ideal_offsets`, `ideal` | Q+1, I | gains of the ideal list, the largest first |
    | `ceiling` | Q | precision of all chunks there are that hold gold; NaN where they are not known |
    | `missing` | Q | queries without a list |
    """

    query_ids: Sequence[str]
    offsets: Array
    cost: Array
    new: Array
    hit: Array
    touches: Array
    found: Array
    missed: Array
    total: Array
    gold: Array
    needs: Array
    grade: Array
    size: Array
    step_need: Array
    step_rank: Array
    step_share: Array
    ideal_offsets: Array
    ideal: Array
    ceiling: Array
    missing: Array
    reach: float = 1.0
    extra_queries: int = 0

    @property
    def n_lists(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def by_list(self) -> Segments:
        return Segments(self.offsets)

    @cached_property
    def by_query(self) -> Segments:
        """Needs by query."""
        return Segments(self.needs)

    @property
    def has_needs(self) -> Array:
        """Queries that need anything, as a mask."""
        mask: Array = self.total > 0
        return mask

    def within(self, depth: int | Array | None) -> Covered:
        """The first places of every list, or so many as it says for each; what comes behind them is not there."""
        if depth is None or not (self.by_list.lengths > depth).any():
            return self
        kept, lists = self.by_list.first(depth)
        ends = self.by_query.spread(np.broadcast_to(depth, self.n_lists))
        steps = self.step_rank <= ends[self.step_need]
        places = {n: getattr(self, n)[kept] for n in _OF_PLACES}
        return replace(
            self,
            offsets=lists.offsets,
            step_need=self.step_need[steps],
            step_rank=self.step_rank[steps],
            step_share=self.step_share[steps],
            **places,
        )

    def of_queries(self, chosen: Array) -> Covered:
        """The lists of some queries, by their numbers or as a mask."""
        numbers = np.flatnonzero(chosen) if chosen.dtype == bool else chosen
        places, needs, ideals = (
            s.rows_of(numbers) for s in (self.by_list, self.by_query, Segments(self.ideal_offsets))
        )
        owner = self.by_query.owner[self.step_need]
        steps = Segments.of_lengths(np.bincount(owner, minlength=self.n_lists))
        rows = np.argsort(owner, kind="stable")[steps.rows_of(numbers)]
        moved = Segments.of_lengths(self.by_query.lengths[numbers]).offsets
        shift = np.repeat(moved[:-1] - self.needs[numbers], steps.lengths[numbers])
        return replace(
            self,
            query_ids=[self.query_ids[i] for i in numbers.tolist()],
            offsets=Segments.of_lengths(self.by_list.lengths[numbers]).offsets,
            needs=moved,
            grade=self.grade[needs],
            size=self.size[needs],
            step_need=self.step_need[rows] + shift,
            step_rank=self.step_rank[rows],
            step_share=self.step_share[rows],
            ideal_offsets=Segments.of_lengths(np.diff(self.ideal_offsets)[numbers]).offsets,
            ideal=self.ideal[ideals],
            **{n: getattr(self, n)[places] for n in _OF_PLACES},
            **{n: getattr(self, n)[numbers] for n in ("total", "gold", "ceiling", "missing")},
        )

    # what measures are written with: one value per query, of the first k places

    def spent(self, k: Array | float | None = None) -> Array:
        """Characters of the first k pieces, repeats included."""
        return self._sum(self.cost, k)

    def held(self, k: Array | float | None = None) -> Array:
        """Characters that the first k pieces hold, each once."""
        return self._sum(self.new, k)

    def hits(self, k: Array | float | None = None) -> Array:
        """Characters of gold among them, each once."""
        return self._sum(self.hit, k)

    def left(self, k: Array | float | None = None) -> Array:
        """Characters of gold that are missing then."""
        return self._last(self.missed, k, self.gold)

    def recalled(self, k: Array | float | None = None) -> Array:
        """Σ grade · covered share over the needs."""
        return self._last(self.found, k, np.zeros(self.n_lists))

    def reached(self, share: float, k: Array | float | None = None) -> Array:
        """For each need, whether at least this share of it is covered by the first k pieces."""
        first = self.first(share)
        mask: Array = np.isfinite(first) & (first <= (np.inf if k is None else self._of_needs(k)))
        return mask

    def first(self, share: float) -> Array:
        """For each need the place from which on at least this share of it is covered; infinite where there is none."""
        out = np.full(len(self.grade), np.inf)
        enough = np.flatnonzero(self.step_share >= share)[
            ::-1
        ]  # steps are in order of places: the first is written last
        out[self.step_need[enough]] = self.step_rank[enough]
        return out

    def _of_needs(self, k: Array | float) -> Array:
        return self.by_query.spread(np.broadcast_to(k, self.n_lists))

    def _within(self, k: Array | float | None) -> Array:
        limit = np.inf if k is None else self.by_list.spread(np.broadcast_to(k, self.n_lists))
        mask: Array = self.by_list.place < limit
        return mask

    def _sum(self, values: Array, k: Array | float | None) -> Array:
        return self.by_list.sum(np.where(self._within(k), values, 0))

    def _last(self, values: Array, k: Array | float | None, before: Array) -> Array:
        """A running number at the last of the first k places, or what it is before them all."""
        n = self.by_list.count(self._within(k))
        some = n > 0
        out = before.astype(np.float64)
        out[some] = values[self.offsets[:-1][some] + n[some] - 1]
        return out


_OF_PLACES = ("cost", "new", "hit", "touches", "found", "missed")


# the walk


def covered_of(spans: Spans, chunks: Chunks) -> Covered:
    """Walks down every list once, and notes what each place adds."""
    walks = [_Walk(needs, chunks.lists.get(query, ()), chunks.inventory) for query, needs in spans.needs.items()]
    places = Segments.of_lengths(np.array([len(w.cost) for w in walks], dtype=np.int64))
    needs = Segments.of_lengths(np.array([len(w.needs) for w in walks], dtype=np.int64))

    def chain(name: str, dtype: type) -> Array:
        return np.array([x for w in walks for x in getattr(w, name)], dtype=dtype)

    first = needs.offsets[:-1].tolist()
    return Covered(
        query_ids=spans.query_ids,
        offsets=places.offsets,
        cost=chain("cost", np.int64),
        new=chain("new", np.int64),
        hit=chain("hit", np.int64),
        touches=chain("touches", bool),
        found=chain("found", np.float64),
        missed=chain("missed", np.int64),
        total=np.array([fsum(n.grade for n in w.needs) for w in walks]),
        gold=np.array([w.gold for w in walks], dtype=np.int64),
        needs=needs.offsets,
        grade=np.array([n.grade for w in walks for n in w.needs], dtype=np.float64),
        size=np.array([min(sizes) for w in walks for sizes in w.sizes], dtype=np.int64),
        step_need=np.array([first[i] + j for i, w in enumerate(walks) for j, _, _ in w.steps], dtype=np.int64),
        step_rank=np.array([r for w in walks for _, r, _ in w.steps], dtype=np.int64),
        step_share=np.array([x for w in walks for _, _, x in w.steps], dtype=np.float64),
        ideal_offsets=Segments.of_lengths(np.array([len(w.ideal) for w in walks], dtype=np.int64)).offsets,
        ideal=chain("ideal", np.float64),
        ceiling=np.array([w.ceiling for w in walks], dtype=np.float64),
        missing=np.array([q not in chunks.lists for q in spans.needs], dtype=bool),
        reach=spans.reach,
        extra_queries=sum(q not in spans.needs for q in chunks.lists),
    )


class _Walk:
    """One list, read from the top."""

    def __init__(self, needs: Sequence[Need], pieces: Sequence[Piece], inventory: Sequence[Piece] | None) -> None:
        self.needs = needs
        self.cost: list[int] = []
        self.new: list[int] = []
        self.hit: list[int] = []
        self.touches: list[bool] = []
        self.found: list[float] = []
        self.missed: list[int] = []
        self.steps: list[tuple[int, int, float]] = []
        self.sizes = [[_size(a) for a in need.alternatives] for need in needs]
        self._had = [[0] * len(need.alternatives) for need in needs]
        self._shares = [0.0] * len(needs)
        self._in: dict[str, list[tuple[int, int, int, int]]] = {}  # by document: start, end, need, alternative
        for j, need in enumerate(needs):
            for a, alternative in enumerate(need.alternatives):
                for doc, start, end in alternative:
                    self._in.setdefault(doc, []).append((start, end, j, a))
        self._gold = {
            doc: [(s, e) for _, s, e in merged((doc, s, e) for s, e, *_ in parts)] for doc, parts in self._in.items()
        }
        self._context: dict[str, _Union] = {}
        self._plain = all(len(need.alternatives) == 1 for need in needs)
        self._left = self.gold = self._missing()
        for rank, piece in enumerate(pieces, 1):
            self._read(piece, rank)
        self.ideal = self._ideal()
        self.ceiling = float("nan") if inventory is None else self._ceiling(inventory)

    def _read(self, piece: Piece, rank: int) -> None:
        self.cost.append(piece.cost)
        new: list[tuple[int, int]] = []
        hit, touches = 0, False
        if piece.doc_id is not None:
            new = self._context.setdefault(piece.doc_id, _Union()).add(piece.start, piece.end)
            gold = self._gold.get(piece.doc_id, ())
            touches = any(s < piece.end and piece.start < e for s, e in gold)
            hit = sum(_common(part, other) for part in new for other in gold) if touches else 0
        self.new.append(sum(e - s for s, e in new))
        self.hit.append(hit)
        self.touches.append(touches)
        if hit:
            self._count(piece.doc_id or "", new, rank, hit)
        grades = zip(self.needs, self._shares, strict=True)
        self.found.append(fsum(need.grade * share for need, share in grades))
        self.missed.append(self._left)

    def _count(self, doc: str, new: Sequence[tuple[int, int]], rank: int, hit: int) -> None:
        """New gold: who has it, and what is missing now."""
        grown = set()
        for start, end, j, a in self._in[doc]:
            if more := sum(_common(part, (start, end)) for part in new):
                self._had[j][a] += more
                grown.add(j)
        for j in sorted(grown):
            share = max(had / size for had, size in zip(self._had[j], self.sizes[j], strict=True))
            if share > self._shares[j]:
                self._shares[j] = share
                self.steps.append((j, rank, share))
        self._left = self._left - hit if self._plain else self._missing()

    def _missing(self) -> int:
        """Characters of gold that are not in the context, each need in its best alternative: the fullest, then the one
        of which least is missing."""
        chosen: list[Interval] = []
        for need, had, sizes in zip(self.needs, self._had, self.sizes, strict=True):
            best = max(range(len(sizes)), key=lambda a: (had[a] / sizes[a], had[a] - sizes[a]))
            chosen += need.alternatives[best]
        union = merged(chosen)
        return _size(union) - sum(self._context[d].common(s, e) for d, s, e in union if d in self._context)

    def _ideal(self) -> list[float]:
        """What each piece of the ideal list adds, the most first."""
        alone = []
        for doc in self._in:
            shares = []
            for need, sizes in zip(self.needs, self.sizes, strict=True):
                inside = [sum(e - s for d, s, e in a if d == doc) for a in need.alternatives]
                shares.append(need.grade * max(x / size for x, size in zip(inside, sizes, strict=True)))
            alone.append(fsum(shares))
        total = fsum(need.grade for need in self.needs)
        out, sofar = [], 0.0
        for gain in sorted(alone, reverse=True):
            gain = min(gain, total - sofar)
            if gain <= 1e-12 * total:  # everything is there
                break
            out.append(gain)
            sofar += gain
        return out

    def _ceiling(self, inventory: Sequence[Piece]) -> float:
        """The precision of all chunks that hold gold, those of the inventory."""
        mine = [p for p in inventory if p.doc_id in self._gold]
        mine = [p for p in mine if any(s < p.end and p.start < e for s, e in self._gold[p.doc_id or ""])]
        cost = sum(p.cost for p in mine)
        if not cost:
            return 0.0
        held = merged((p.doc_id or "", p.start, p.end) for p in mine)
        hit = sum(_common((s, e), gold) for doc, s, e in held for gold in self._gold[doc])
        return hit / cost


class _Union:
    """The parts of a document that are in the context: intervals that neither overlap nor touch, in order."""

    def __init__(self) -> None:
        self.parts: list[tuple[int, int]] = []

    def add(self, start: int, end: int) -> list[tuple[int, int]]:
        """What is new of an interval; it is in from now on."""
        low = bisect_left(self.parts, start, key=lambda part: part[1])
        high = bisect_right(self.parts, end, key=lambda part: part[0])
        met = self.parts[low:high]
        new, at = [], start
        for s, e in met:
            if s > at:
                new.append((at, s))
            at = max(at, e)
        if at < end:
            new.append((at, end))
        del self.parts[low:high]
        insort(self.parts, (min([start, *(s for s, _ in met)]), max([end, *(e for _, e in met)])))
        return new

    def common(self, start: int, end: int) -> int:
        """How much of an interval is in."""
        return sum(_common((start, end), part) for part in self.parts)


def _common(a: tuple[int, int], b: tuple[int, int]) -> int:
    return max(0, min(a[1], b[1]) - max(a[0], b[0]))


def _size(intervals: Iterable[Interval]) -> int:
    return sum(end - start for _, start, end in intervals)


# the alignment


def aligned_of(c: Covered, costs: Costs | None = None) -> Aligned:
    """Needs at the places where they are found, and beside it the gains of places.

    What places cost is known in characters, unless `costs` know more.
    """
    alignment = _by_need(c)
    costs = Costs.of_lengths(c.offsets, c.cost) if costs is None else costs
    return Aligned(
        replace(alignment, gains=replace(_by_gain(c), costs=costs), covered=c, costs=costs),
        missing=c.missing,
        extra_queries=c.extra_queries,
        repeats=np.zeros(c.n_lists, dtype=np.int64),
        nan_scores=0,
    )


def _by_need(c: Covered) -> Alignment:
    first = c.first(c.reach)
    shown = np.isfinite(first)
    owner = c.by_query.owner
    rank = np.where(shown, np.where(shown, first, 0), 0).astype(np.int64)
    # of the needs of one place, the one with the highest grade is its row
    order = np.lexsort((c.by_query.place, -c.grade, np.where(shown, rank, np.iinfo(np.int64).max), owner))
    again = np.zeros(len(order), dtype=bool)
    again[1:] = (owner[order][1:] == owner[order][:-1]) & (rank[order][1:] == rank[order][:-1]) & shown[order][1:]
    rows, others = order[~again], order[again]
    beside = None
    if len(others):
        of_row = np.cumsum(~again) - 1
        beside = Beside(of_row[again], c.grade[others])
    lengths, rank = np.bincount(owner[rows], minlength=c.n_lists), rank[rows]
    return Alignment(
        query_ids=c.query_ids,
        offsets=Segments.of_lengths(lengths).offsets,
        grade=c.grade[rows],
        rank=rank,
        tie_first=rank,
        tie_last=rank,
        retrieved=c.by_list.lengths,
        item=c.by_query.place[rows],
        beside=beside,
        max_grade=float(c.grade.max(initial=0.0)),
    )


def _by_gain(c: Covered) -> Alignment:
    lists, ideals = c.by_list, Segments(c.ideal_offsets)
    before = np.where(lists.place == 0, 0.0, np.concatenate(([0.0], c.found[:-1])))
    gain = np.clip(c.found - before, 0.0, lists.spread(ideals.max(c.ideal)))  # rounding aside, it is inside
    adds = np.flatnonzero(gain > 0)
    owner = np.concatenate((lists.owner[adds], ideals.owner))
    order = np.argsort(owner, kind="stable")  # places of a query are in order, its ideal list follows
    rank = np.concatenate((lists.place[adds] + 1, np.zeros(len(c.ideal), dtype=np.int64)))[order]
    segments = Segments.of_lengths(np.bincount(owner, minlength=c.n_lists))
    return Alignment(
        query_ids=c.query_ids,
        offsets=segments.offsets,
        grade=np.concatenate((gain[adds], c.ideal))[order],
        rank=rank,
        tie_first=rank,
        tie_last=rank,
        retrieved=lists.lengths,
        item=segments.place,
        is_ideal=np.concatenate((np.zeros(len(adds), dtype=bool), np.ones(len(c.ideal), dtype=bool)))[order],
        max_grade=float(c.ideal.max(initial=0.0)),
    )
