"""Alignment from clean TREC files: judged items are found by hash, then compared byte by byte."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rankgauge.alignment.aligned import Aligned, alignment_of, single_precision
from rankgauge.alignment.ranking import rank_judged
from rankgauge.alignment.segments import Array, Segments
from rankgauge.data.clean_trec import TrecText
from rankgauge.data.parallel import in_parallel

__all__ = ["align_text"]

_ROWS = 1 << 19  # results that are looked through at a time: what belongs to them stays in the cache
_MARKS = 32  # places in the table of marks for each judged item: one in 32 results is looked at in vain


def align_text(judged: TrecText, results: TrecText, ties: str, single: bool) -> Aligned | None:
    """The alignment, or None where hashes do not settle it: a repeated result, a collision."""
    number_of = {name: i for i, name in enumerate(results.names)}
    number = np.array([number_of.get(name, -1) for name in judged.names], dtype=np.int64)
    lists = Segments.of_lengths(results.lengths)
    owner = np.repeat(np.arange(len(number)), judged.lengths)
    found = _find(judged, number[owner], results, lists)
    if found is None:
        return None
    rows, positions = found
    scores = single_precision(results.value) if single else results.value
    ranks = rank_judged(
        scores,
        lists,
        number[owner[rows]],
        scores[positions],
        lambda which: results.packed_ids(positions[which]),
        results.packed_ids,
        ties,
        positions,
    )
    missing = number < 0
    return Aligned(
        alignment_of(
            judged.names, judged.lengths, judged.value, rows, ranks, np.where(missing, 0, lists.lengths[number])
        ),
        missing=missing,
        extra_queries=len(results.names) - int(np.count_nonzero(~missing)),
        repeats=np.zeros(len(number), dtype=np.int64),
        nan_scores=0,
    )


def _find(judged: TrecText, of_list: Array, results: TrecText, lists: Segments) -> tuple[Array, Array] | None:
    """Which judged rows are shown, and at which rows of the results; None when hashes do not settle it."""
    order = np.argsort(of_list, kind="stable")
    ordered_lists = of_list[order]
    groups = list(_groups(lists))

    def find(i: int) -> tuple[Array, Array] | None:
        first, last = groups[i]
        mine = order[slice(*np.searchsorted(ordered_lists, [first, last]))]
        start, end = lists.offsets[first], lists.offsets[last]
        shown = results.keys(slice(start, end), np.repeat(np.arange(first, last), lists.lengths[first:last]))
        hits = _look_up(judged.keys(mine, of_list[mine]), shown)
        shown.sort()
        if hits is None or (shown[1:] == shown[:-1]).any():
            return None
        rows, positions = mine[hits[0]], hits[1] + start
        return (rows, positions) if judged.same_ids(rows, results, positions) else None

    found = in_parallel(find, len(groups))
    if any(part is None for part in found):
        return None
    rows, positions = (np.concatenate([part[i] for part in found if part is not None]) for i in (0, 1))
    return rows, positions


def _groups(lists: Segments) -> Iterator[tuple[int, int]]:
    """Ranges of lists that together have about so many rows."""
    first = 0
    while first < len(lists):
        last = int(np.searchsorted(lists.offsets, lists.offsets[first] + _ROWS, side="right")) - 1
        last = min(max(last, first + 1), len(lists))
        yield first, last
        first = last


def _look_up(wanted: Array, keys: Array) -> tuple[Array, Array] | None:
    """Which of the wanted keys there are, and where; None when two wanted keys are the same."""
    order = np.argsort(wanted)
    ordered = wanted[order]
    if (ordered[1:] == ordered[:-1]).any():
        return None
    # most results are not judged: a mark for each wanted key tells so at once
    bits = max(len(ordered) * _MARKS, 1).bit_length()
    shift = np.uint64(64 - bits)
    marked = np.zeros(1 << bits, dtype=bool)
    marked[(ordered >> shift).view(np.int64)] = True
    candidates = np.flatnonzero(marked[(keys >> shift).view(np.int64)])
    place = np.searchsorted(ordered, keys[candidates])
    hit = place < len(ordered)
    hit[hit] = ordered[place[hit]] == keys[candidates[hit]]
    return order[place[hit]], candidates[hit]
