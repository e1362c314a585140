"""Rankings larger than memory: whole lists of some queries at a time, measured as in memory.

    blocks    the rows of each query lie together, as most systems write them: one pass, nothing set aside
    buckets   they do not: rows go to disk by a hash of their query, then bucket after bucket

Blocks are tried first; the first query that comes back shows that they do not do. A single list that does not fit
into memory either is cut by item (`long_lists.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from rankgauge._progress import EVALUATING, SORTING, rows_bar
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.alignment.build import Aligned, align
from rankgauge.alignment.from_columns import blocks
from rankgauge.alignment.joining import joined as joined_alignments
from rankgauge.alignment.shown import Shown
from rankgauge.alignment.shown import joined as joined_shown
from rankgauge.data import Qrels, Run
from rankgauge.data.batches import Batches
from rankgauge.engines.judged import JudgedPart, Whole, bucket_of, judged_part, spilled
from rankgauge.engines.long_lists import align_long
from rankgauge.engines.spill import MOST_BUCKETS, Spill
from rankgauge.errors import InputError
from rankgauge.evaluation.rankings.measuring import Measured, joined, measured
from rankgauge.evaluation.rankings.naming import Named
from rankgauge.evaluation.rankings.policy import Policy

if TYPE_CHECKING:
    from rankgauge.evaluation.rankings.showing import Showing

__all__ = ["WORK", "Streamed", "measure_in_pieces"]

WORK = 4  # aligning rows takes about so many times the room of the rows themselves
_WIDTH = 64  # bytes of a row of text ids and a score, where nothing is known yet
_MOST_SEEN = 5_000_000  # queries whose ids are remembered while blocks go by
_KEPT_WIDTH = 128  # bytes of a judged item in an alignment and while it is measured


class _Scattered(Exception):
    """The rows of a query do not lie together, or are too many."""


@dataclass(frozen=True, eq=False)
class Streamed:
    """What was measured, and the alignment where it is small enough to be kept."""

    measured: Measured
    aligned: Aligned | None
    is_small: bool
    """Whether the run would have fitted into memory."""
    notes: Sequence[str] = ()
    """On what was shown."""
    shown: Shown | None = None
    """The first items of all lists, where somebody asks."""


Part = tuple[Array, Aligned, Shown | None]
"""Where some queries stand among all of them, their alignment, and what they are shown where somebody asks."""


@dataclass(eq=False)
class _Stream:
    """One run on its way through."""

    run: Batches
    ties: str
    single: bool
    duplicates: str
    memory: int
    advance: Callable[[str, int], None]
    showing: Showing | None = None
    extra_queries: int = 0
    rows: int = 0
    most_rows: int = 0
    """Rows that fit into memory while they are aligned."""

    def __post_init__(self) -> None:
        width = self.run.size / max(self.run.rows, 1) if self.run.size and self.run.rows else _WIDTH
        self.most_rows = max(int(self.memory / WORK / max(width, _WIDTH)), 1)

    @property
    def at_a_time(self) -> int:
        """Rows to read at a time: pieces that fit the caches are no slower than large ones."""
        return int(np.clip(self.most_rows // 8, 1, 1_000_000))

    def frames(self, doing: str) -> Iterator[pl.DataFrame]:
        self.rows = 0
        for frame in self.run.frames(self.at_a_time):
            self.rows += frame.height
            yield frame
            self.advance(doing, frame.height)

    def align(self, qrels: Qrels, results: pl.DataFrame, whole: Whole) -> tuple[Aligned, Shown | None]:
        run = Run(frame=results, empty=self.run.empty)
        found = _with(align(qrels, run, ties=self.ties, single=self.single, duplicates=self.duplicates), whole)
        return found, None if self.showing is None else self.showing.shown(found, run, qrels)

    # the rows of each query lie together

    def in_blocks(self, judged: JudgedPart) -> Iterator[Part]:
        left = np.ones(len(judged), dtype=bool)
        for results in self._blocks():
            numbers = judged.numbers(blocks(results["query_id"])[1])
            mine = np.sort(numbers[numbers >= 0])
            if not len(mine):
                self.extra_queries += len(numbers)
                continue
            left[mine] = False
            yield judged.order[mine], *self.align(judged.of(mine), results, judged.whole)
        yield from self._without_results(judged, np.flatnonzero(left))

    def _blocks(self) -> Iterator[pl.DataFrame]:
        """Frames of whole lists."""
        seen: set[int] = set()
        held: pl.DataFrame | None = None
        for frame in self.frames(EVALUATING):
            frame = frame if held is None else pl.concat([held, frame], rechunk=True)
            starts, names = blocks(frame["query_id"])
            if not len(names):
                continue
            hashes = names.hash().to_list()
            if len(set(hashes)) < len(hashes) or not seen.isdisjoint(hashes) or len(seen) > _MOST_SEEN:
                raise _Scattered
            seen.update(hashes[:-1])
            held = frame[int(starts[-1]) :]
            if held.height > self.most_rows:
                raise _Scattered
            if starts[-1]:
                yield frame[: int(starts[-1])]
        if held is not None:
            yield held

    def _without_results(self, judged: JudgedPart, numbers: Array) -> Iterator[Part]:
        if len(numbers) or not len(judged):
            yield judged.order[numbers], *self.align(judged.of(numbers), _NO_RESULTS, judged.whole)

    # they do not

    def in_buckets(self, judged: JudgedPart | Batches) -> Iterator[Part]:
        rows = self.run.rows or self.most_rows * 16
        n = int(np.clip(-(-2 * rows // self.most_rows), 2, MOST_BUCKETS))
        if isinstance(judged, JudgedPart):
            mine = bucket_of(judged.names, n).to_numpy()
            with self._spill_judged(judged, n) as spill:
                for i in range(n):
                    yield from self._bucket(spill, i, judged, np.flatnonzero(mine == i))
            return
        kept, whole = spilled(judged, n, self.at_a_time)
        with kept, Spill(n) as spill:
            for frame in self.frames(SORTING):
                spill.add(frame, bucket_of(frame["query_id"], n))
            for i in range(n):
                part = judged_part(kept, i, whole, judged.name)
                if part is not None:
                    yield from self._bucket(spill, i, part, np.arange(len(part)))
                else:
                    self.extra_queries += len({q for piece in spill.pieces(i) for q in piece["query_id"].unique()})

    def _spill_judged(self, judged: JudgedPart, n: int) -> Spill:
        """The lists of judged queries, in buckets; of other queries only the names, to count them."""
        spill = Spill(n)
        with Spill(n) as others:
            for frame in self.frames(SORTING):
                starts, names = blocks(frame["query_id"])
                known = judged.numbers(names) >= 0
                if not known.all():
                    other = names.filter(pl.Series(~known)).unique()
                    others.add(other.to_frame("query_id"), bucket_of(other, n))
                    frame = frame.filter(pl.Series(np.repeat(known, np.diff(np.append(starts, frame.height)))))
                spill.add(frame, bucket_of(frame["query_id"], n))
            for i in range(n):
                if (names_of := others.bucket(i)) is not None:
                    self.extra_queries += names_of["query_id"].n_unique()
        return spill

    def _bucket(self, spill: Spill, i: int, judged: JudgedPart, numbers: Array, level: int = 1) -> Iterator[Part]:
        """The queries of one bucket; one that is too large is spread again."""
        if spill.rows[i] <= self.most_rows:
            results = spill.bucket(i)
            spill.drop(i)
            if results is None:
                yield from self._without_results(judged, numbers)
            elif len(numbers):
                yield judged.order[numbers], *self.align(judged.of(numbers), results, judged.whole)
            return
        lengths = pl.concat([piece.group_by("query_id").len() for piece in spill.pieces(i)]).group_by("query_id").sum()
        long = lengths.filter(pl.col("len") > self.most_rows)["query_id"]
        others = numbers[~judged.names.gather(numbers).is_in(long.implode()).to_numpy()]
        n = int(np.clip(-(-2 * spill.rows[i] // self.most_rows), 2, MOST_BUCKETS))
        mine = bucket_of(judged.names.gather(others), n, level).to_numpy()
        with Spill(n) as finer:
            for piece in spill.pieces(i):
                rest = piece.filter(~pl.col("query_id").is_in(long.implode()))
                finer.add(rest, bucket_of(rest["query_id"], n, level))
            for j in range(n):
                yield from self._bucket(finer, j, judged, others[mine == j], level + 1)
        for name in long:
            number = judged.numbers(pl.Series([name]))
            if number[0] >= 0:
                yield judged.order[number], *self._long_list(spill, i, name, judged, number)
            else:
                self.extra_queries += 1

    def _long_list(
        self, spill: Spill, i: int, name: str, judged: JudgedPart, number: Array
    ) -> tuple[Aligned, Shown | None]:
        n = int(np.clip(-(-2 * spill.rows[i] // self.most_rows), 2, MOST_BUCKETS))
        with Spill(n) as cut:
            place = 0
            for piece in spill.pieces(i):
                rows = piece.with_row_index("place", offset=place).filter(pl.col("query_id") == name)
                place += piece.height
                cut.add(rows, rows["doc_id"].hash() % n)

            def pieces() -> Iterator[pl.DataFrame]:
                return (piece for j in range(n) if (piece := cut.bucket(j)) is not None)

            mine = judged.of(number)
            found = align_long(mine, pieces, self.ties, single=self.single, keep=self.duplicates == "keep")
            found = _with(found, judged.whole)
            if self.showing is None:
                return found, None
            return found, self.showing.shown_of_pieces(found, map(self.showing.first_of, pieces()), mine)


_NO_RESULTS = pl.DataFrame(schema={"query_id": pl.String, "doc_id": pl.String, "score": pl.Float64})


def _with(aligned: Aligned, whole: Whole) -> Aligned:
    return replace(aligned, alignment=replace(aligned.alignment, max_grade=whole.max_grade))


def measure_in_pieces(
    judged: Qrels | Batches,
    run: Batches,
    wanted: Sequence[Named],
    policy: Policy,
    *,
    memory: int,
    progress: bool | None = None,
    showing: Showing | None = None,
) -> Streamed:
    """The measures of a run that is read in pieces, within so many bytes."""
    at_hand = JudgedPart(judged) if isinstance(judged, Qrels) else None
    with rows_bar(run.name, run.rows, progress) as advance:
        for way in ("blocks", "buckets"):
            stream = _Stream(run, policy.tie_order, policy.is_single, policy.duplicates, memory, advance, showing)
            if way == "buckets":
                parts = stream.in_buckets(judged if at_hand is None else at_hand)  # type: ignore[arg-type]
            elif at_hand is not None:
                parts = stream.in_blocks(at_hand)
            else:
                continue
            try:
                return _measured(parts, stream, wanted, policy)
            except _Scattered:
                continue
    raise AssertionError("buckets take any run")  # pragma: no cover


def _measured(parts: Iterator[Part], stream: _Stream, wanted: Sequence[Named], policy: Policy) -> Streamed:
    orders: list[Array] = []
    found: list[Measured] = []
    kept: list[Aligned] | None = []
    shown: list[Shown] = []
    items = 0
    showing = stream.showing
    for order, aligned, seen in parts:
        orders.append(order)
        found.append(measured(aligned, wanted if showing is None else showing.others, policy))
        if seen is not None:
            shown.append(seen)
        items += len(aligned.alignment.grade)
        if items * _KEPT_WIDTH > stream.memory // 4:
            kept = None
        if kept is not None:
            kept.append(aligned)
    if not found:
        raise InputError(Text("qrels: must hold at least one query, got none.", "qrels：至少要有一个查询，实际没有。"))
    order = np.argsort(np.concatenate(orders), kind="stable")
    whole = joined(found, order)
    notes: list[str] = []
    all_shown = None
    if showing is not None:
        all_shown = joined_shown(shown, order)
        whole, notes = showing.added(whole, all_shown), showing.notes(all_shown)
    more = stream.extra_queries
    whole = replace(whole, tally={**whole.tally, "not_judged": whole.tally["not_judged"] + more})
    aligned_whole = None
    if kept is not None:
        aligned_whole = joined_alignments(kept, order)
        aligned_whole = replace(aligned_whole, extra_queries=aligned_whole.extra_queries + more)
    return Streamed(whole, aligned_whole, stream.rows <= stream.most_rows, notes, all_shown)
