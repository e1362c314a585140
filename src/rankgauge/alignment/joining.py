"""Alignments of different queries, put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rankgauge.alignment.aligned import Aligned
from rankgauge.alignment.alignment import Alignment, Groups, Repeats
from rankgauge.alignment.segments import Array, Segments

__all__ = ["joined"]


def joined(parts: Sequence[Aligned], order: Array) -> Aligned:
    """Several alignments as one, with their queries in this order."""
    whole = _chained([part.alignment for part in parts]).of_queries(order)
    if whole.groups is not None:  # of_queries leaves their rows in the order of the parts
        by_query = np.argsort(whole.by_query.owner[whole.groups.row], kind="stable")
        g = whole.groups
        whole = replace(whole, groups=Groups(g.row[by_query], g.code[by_query], g.grade[by_query], g.n_codes))
    return Aligned(
        whole,
        missing=np.concatenate([part.missing for part in parts])[order],
        extra_queries=sum(part.extra_queries for part in parts),
        repeats=np.concatenate([part.repeats for part in parts])[order],
        nan_scores=sum(part.nan_scores for part in parts),
    )


def _chained(parts: Sequence[Alignment]) -> Alignment:
    def chain(name: str) -> Array:
        return np.concatenate([getattr(part, name) for part in parts])

    return replace(
        parts[0],
        query_ids=[q for part in parts for q in part.query_ids],
        offsets=Segments.of_lengths(np.concatenate([part.by_query.lengths for part in parts])).offsets,
        grade=chain("grade"),
        rank=chain("rank"),
        tie_first=chain("tie_first"),
        tie_last=chain("tie_last"),
        retrieved=chain("retrieved"),
        item=chain("item"),
        groups=_chained_groups(parts),
        repeats=_chained_repeats(parts),
        _cache={},
    )


def _chained_repeats(parts: Sequence[Alignment]) -> Repeats | None:
    starts = np.cumsum([0, *(len(part.grade) for part in parts)])[:-1]
    found = [(part.repeats, first) for part, first in zip(parts, starts, strict=True) if part.repeats is not None]
    if not found:
        return None
    return Repeats(
        np.concatenate([again.row + first for again, first in found]),
        np.concatenate([again.rank for again, _ in found]),
        np.concatenate([again.tie_first for again, _ in found]),
        np.concatenate([again.tie_last for again, _ in found]),
    )


def _chained_groups(parts: Sequence[Alignment]) -> Groups | None:
    found = [part.groups for part in parts if part.groups is not None]
    if len(found) < len(parts):
        return None
    rows = np.cumsum([0, *(len(part.grade) for part in parts)])[:-1]
    codes = np.cumsum([0, *(int(g.n_codes.sum()) for g in found)])[:-1]
    return Groups(
        np.concatenate([g.row + first for g, first in zip(found, rows, strict=True)]),
        np.concatenate([g.code + first for g, first in zip(found, codes, strict=True)]),
        np.concatenate([g.grade for g in found]),
        np.concatenate([g.n_codes for g in found]),
    )
