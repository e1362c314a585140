"""Alignment from dicts: only judged items are looked up, scores leave the dicts in one pass."""

from __future__ import annotations

from itertools import chain, repeat
from typing import Any

import numpy as np

from rankgauge.alignment.found import Aligned, alignment_of, comparable
from rankgauge.alignment.ranking import rank_judged
from rankgauge.alignment.segments import Array, Segments
from rankgauge.data import Qrels, Run
from rankgauge.data.mappings import Ids, id_text, not_finite, numbers_of

__all__ = ["align_mappings"]


def align_mappings(qrels: Qrels, run: Run, ties: str, single: bool) -> Aligned:
    judged, shown = qrels.to_dict(), run.to_dict()
    if judged and shown and type(next(iter(judged))) is not type(next(iter(shown))):
        judged = {id_text(q): row for q, row in judged.items()}
        shown = {id_text(q): row for q, row in shown.items()}
    nothing: dict[Any, float] = {}
    lists = [shown.get(q, nothing) for q in judged]
    retrieved = np.fromiter(map(len, lists), np.int64, len(lists))
    scores, n_nan = comparable(numbers_of(lists, shown, run.name, "score"), single)

    # NaN says "not in the list"; where the run has such scores of its own, membership decides
    score = np.fromiter(
        chain.from_iterable(
            map(results.get, row, repeat(np.nan)) for results, row in zip(lists, judged.values(), strict=True)
        ),
        np.float64,
    )
    if n_nan:
        member = [d in shown_row for shown_row, row in zip(lists, judged.values(), strict=True) for d in row]
        found = np.array(member, dtype=bool)
        score = np.where(np.isnan(score), -np.inf, score)
    else:
        found = ~np.isnan(score)
    if _has_twins(lists, judged, found):  # 7 and "7" are one id
        return align_mappings(qrels.with_text_ids(), run.with_text_ids(), ties, single)
    if single:
        score = score.astype(np.float32)

    lengths = np.fromiter(map(len, judged.values()), np.int64, len(judged))
    owner = np.repeat(np.arange(len(lengths)), lengths)
    rows = np.flatnonzero(found)

    def names(which: Array) -> list[str]:
        ids = [d for row in judged.values() for d in row]
        return [id_text(ids[i]) for i in rows[which]]

    ranks = rank_judged(
        scores,
        Segments.of_lengths(retrieved),
        owner[rows],
        score[rows],
        names,
        lambda i: [id_text(d) for d in lists[i]],
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


def _has_twins(lists: list[dict[Any, float]], judged: Ids, found: Array) -> bool:
    """Whether a judged id that was not found is in its list as the other type, text or integer."""
    misses = iter((~found).tolist())
    for results, row in zip(lists, judged.values(), strict=True):
        for doc_id in row:
            if not next(misses):
                continue
            if isinstance(doc_id, str):
                if doc_id.isdecimal() and doc_id.isascii() and int(doc_id) in results:
                    return True
            elif str(doc_id) in results:
                return True
    return False
