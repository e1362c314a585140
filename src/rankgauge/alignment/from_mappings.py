"""Alignment from dicts: only judged items are looked up, scores leave the dicts in one pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, compress, pairwise, repeat
from struct import pack
from typing import Any

import numpy as np

from rankgauge.alignment.aligned import Aligned, alignment_of, comparable, single_precision
from rankgauge.alignment.ranking import rank_judged
from rankgauge.alignment.segments import Array, Segments
from rankgauge.data import Qrels, Run
from rankgauge.data.mappings import Ids, id_text, not_finite, numbers_in, numbers_of
from rankgauge.data.packed_ids import PackedIds

__all__ = ["align_mappings", "ids_at"]


def align_mappings(qrels: Qrels, run: Run, ties: str, single: bool) -> Aligned:
    judged, shown = qrels.to_dict(), run.to_dict()
    if judged and shown and type(next(iter(judged))) is not type(next(iter(shown))):
        judged = {id_text(q): row for q, row in judged.items()}
        shown = {id_text(q): row for q, row in shown.items()}
    nothing: dict[Any, float] = {}
    lists = [shown.get(q, nothing) for q in judged]
    retrieved = np.fromiter(map(len, lists), np.int64, len(lists))
    results = Segments.of_lengths(retrieved)
    looked_up: list[float] = []

    def each_list() -> Iterator[dict[Any, float]]:
        # judged items are looked up right after the scores of their list were read: it is still in the cache.
        # NaN says "not in the list"; where the run has such scores of its own, membership decides
        for shown_row, row in zip(lists, judged.values(), strict=True):
            yield shown_row
            looked_up.extend(map(shown_row.get, row, repeat(np.nan)))

    numbers = numbers_in(each_list(), int(results.offsets[-1]), shown, run.name, "score")
    scores, n_nan = comparable(numbers, single)
    score = np.frombuffer(pack(f"{len(looked_up)}d", *looked_up))
    if n_nan:
        member = [d in shown_row for shown_row, row in zip(lists, judged.values(), strict=True) for d in row]
        found = np.array(member, dtype=bool)
        score = np.where(np.isnan(score), -np.inf, score)
    else:
        found = ~np.isnan(score)
    if _has_twins(lists, judged, found):  # 7 and "7" are one id
        return align_mappings(qrels.with_text_ids(), run.with_text_ids(), ties, single)
    if single:
        score = single_precision(score)

    lengths = np.fromiter(map(len, judged.values()), np.int64, len(judged))
    owner = np.repeat(np.arange(len(lengths)), lengths)
    judged_offsets = Segments.of_lengths(lengths).offsets
    rows = np.flatnonzero(found)

    ranks = rank_judged(
        scores,
        results,
        owner[rows],
        score[rows],
        lambda which: ids_at(list(judged.values()), judged_offsets, rows[which]),
        lambda positions: ids_at(lists, results.offsets, positions),
        ties,
    )
    grade = numbers_of(judged.values(), judged, qrels.name, "grade")
    if not np.isfinite(grade).all():
        raise not_finite(judged, qrels.name)
    query_ids = [id_text(q) for q in judged]
    return Aligned(
        alignment_of(query_ids, lengths, grade, rows, ranks, retrieved),
        missing=np.array([q not in shown for q in judged], dtype=bool),
        extra_queries=sum(q not in judged for q in shown),
        repeats=run.dropped_of(query_ids),
        nan_scores=n_nan,
    )


def ids_at(table: Sequence[dict[Any, float]], offsets: Array, positions: Array) -> PackedIds:
    """The ids at these places of the table; lists that have none of them are not gone through."""
    first, last = np.searchsorted(offsets, [positions.min(), positions.max()], "right").tolist()
    begin, borders = int(offsets[first - 1]), offsets[first - 1 : last + 1].tolist()
    wanted = np.zeros(borders[-1] - begin, dtype=bool)
    wanted[positions - begin] = True
    marks = wanted.tobytes()

    def each_list() -> Iterator[list[Any]]:
        for row, (start, end) in zip(table[first - 1 : last], pairwise(borders), strict=True):
            mine = marks[start - begin : end - begin]
            low, high = mine.find(1), mine.rfind(1)
            if low < 0:
                continue
            if high < len(mine) - low:  # whichever end of the list is nearer
                yield list(compress(row, mine[: high + 1]))
            else:
                yield list(compress(reversed(row), mine[: low - 1 if low else None : -1]))[::-1]

    def lines(found: list[Any]) -> bytes:
        found.append("")
        try:
            return "\n".join(found).encode("utf-8", "surrogatepass")
        except TypeError:  # integers among them
            return "\n".join(map(id_text, found)).encode("utf-8", "surrogatepass")

    ids = PackedIds.of_lines(list(map(lines, each_list())), len(positions))
    if ids is None:  # an id with a line end in it
        ids = PackedIds.of(map(id_text, chain.from_iterable(each_list())))
    return ids if (positions[1:] > positions[:-1]).all() else ids.at(np.cumsum(wanted)[positions - begin] - 1)


def _has_twins(lists: list[dict[Any, float]], judged: Ids, found: Array) -> bool:
    """Whether a judged id that was not found is in its list as the other type, text or integer."""
    misses = ~found
    missed = list(compress(chain.from_iterable(judged.values()), misses.tobytes()))
    try:
        if not any(map(str.isdecimal, missed)):
            return False
    except TypeError:  # integers among them
        pass
    of_query = np.repeat(np.arange(len(lists)), [len(row) for row in judged.values()])[misses]
    for doc_id, i in zip(missed, of_query.tolist(), strict=True):
        if isinstance(doc_id, str):
            if doc_id.isdecimal() and doc_id.isascii() and int(doc_id) in lists[i]:
                return True
        elif str(doc_id) in lists[i]:
            return True
    return False
