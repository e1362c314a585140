"""Alignment from clean TREC files: judged items are found by hash, then compared byte by byte."""

from __future__ import annotations

import numpy as np

from rankgauge.alignment.found import Aligned, alignment_of, comparable
from rankgauge.alignment.ranking import rank_judged
from rankgauge.alignment.segments import Array, Segments
from rankgauge.data.trec_text import TrecText

__all__ = ["align_text"]

_MARKS = 32  # places in the table of marks for each judged item: one in 32 results is looked at in vain


def align_text(judged: TrecText, results: TrecText, ties: str, single: bool) -> Aligned | None:
    """The alignment, or None where hashes do not settle it: a repeated result, a collision."""
    number_of = {name: i for i, name in enumerate(results.names)}
    number = np.array([number_of.get(name, -1) for name in judged.names], dtype=np.int64)
    lists = Segments.of_lengths(results.lengths)
    shown = results.keys(np.arange(len(results.names)))
    found = _look_up(judged.keys(number), np.repeat(number >= 0, judged.lengths), shown)
    if found is None or _repeats(shown):
        return None
    rows, positions = found
    if not judged.same_ids(rows, results, positions):
        return None

    scores, _ = comparable(results.value, single)
    owner = np.repeat(np.arange(len(number)), judged.lengths)
    ranks = rank_judged(
        scores,
        lists,
        number[owner[rows]],
        scores[positions],
        lambda which: results.ids(positions[which]),
        lambda i: results.ids(slice(lists.offsets[i], lists.offsets[i + 1])),
        ties,
        positions,
    )
    missing = number < 0
    retrieved = np.where(missing, 0, lists.lengths[number])
    return Aligned(
        alignment_of(judged.names, judged.lengths, judged.value, rows, ranks, retrieved),
        missing=missing,
        extra_queries=len(results.names) - int(np.count_nonzero(~missing)),
        duplicates=0,
        nan_scores=0,
    )


def _repeats(keys: Array) -> bool:
    """Whether a key is there twice; puts the keys in order."""
    keys.sort()
    return bool((keys[1:] == keys[:-1]).any())


def _look_up(wanted: Array, usable: Array, keys: Array) -> tuple[Array, Array] | None:
    """Which of the wanted keys there are, and where; None when two wanted keys are the same."""
    rows = np.flatnonzero(usable)
    order = rows[np.argsort(wanted[rows])]
    ordered = wanted[order]
    if (ordered[1:] == ordered[:-1]).any():
        return None
    # most results are not judged: a mark for each wanted key tells so at once
    bits = min(max(int(len(ordered) * _MARKS).bit_length(), 10), 28)
    shift = np.uint64(64 - bits)
    marked = np.zeros(1 << bits, dtype=bool)
    marked[(ordered >> shift).view(np.int64)] = True
    candidates = np.flatnonzero(marked[(keys >> shift).view(np.int64)])
    place = np.searchsorted(ordered, keys[candidates])
    hit = place < len(ordered)
    hit[hit] = ordered[place[hit]] == keys[candidates[hit]]
    rows, positions = order[place[hit]], candidates[hit]
    by_row = np.argsort(rows, kind="stable")
    return rows[by_row], positions[by_row]
