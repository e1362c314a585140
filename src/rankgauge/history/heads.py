"""The lists of the queries that matter: what was shown for those that moved, to be looked at years later."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.errors import RankgaugeError
from rankgauge.evaluation.rankings.record import RankingEvaluation
from rankgauge.history.entry import ListedItem
from rankgauge.history.given import listed
from rankgauge.history.packing import packed_text, unpacked_text

if TYPE_CHECKING:
    from rankgauge._typing import Array

__all__ = ["DEPTH", "MOST", "heads_of", "matter", "packed_head", "read_head"]

MOST, DEPTH = 200, 10
"""Queries whose lists are kept of one evaluation, and results of each."""


def matter(
    query_ids: Sequence[str], values: Array, before: Mapping[str, float], kept: Sequence[str], most: int = MOST
) -> list[str]:
    """The queries whose lists are worth keeping.

    First those whose value moved most against `before`, up to half of them; then those whose lists were kept then, so
    that a query can be followed; then those with the lowest values.
    """
    now = dict(zip(query_ids, values.tolist(), strict=True))
    moved = {q: abs(now[q] - v) for q, v in before.items() if q in now and now[q] == now[q] and v == v}  # noqa: PLR0124
    first = sorted((q for q, by in moved.items() if by > 0), key=lambda q: (-moved[q], q))[: most // 2]
    low = np.argsort(values, kind="stable")  # what has no value comes last
    followed = (q for q in kept if q in now)
    return list(dict.fromkeys([*first, *followed, *(query_ids[i] for i in low[:most].tolist())]))[:most]


def heads_of(ev: RankingEvaluation, queries: Sequence[str]) -> dict[str, list[list[Any]]]:
    """The first results of these queries with their grades, where the run is at hand; nothing where it is not."""
    from rankgauge.comparison.movement import movements

    if ev.judged is None or ev.source is None or not queries:
        return {}
    measure = str(ev.columns[0].measure)
    texts = {"documents": ev.source.documents, "tokenizer": ev.source.tokenizer}
    try:
        found = movements(ev.judged, None, ev.source, queries, measure, depth=DEPTH, policy=ev.policy, **texts)
    except RankgaugeError:  # a stream that is over, a file that is gone: the numbers are what has to be kept
        return {}
    return {
        m.query_id: [
            [x.item_id, x.grade]
            for x in sorted((x for x in m.items if x.rank_b and x.rank_b <= DEPTH), key=lambda x: x.rank_b or 0)
        ]
        for m in found
    }


def packed_head(head: Sequence[Sequence[Any]]) -> bytes:
    return packed_text(json.dumps([list(x) for x in head], ensure_ascii=False, allow_nan=False))


def read_head(data: bytes) -> tuple[ListedItem, ...]:
    return tuple(ListedItem(item, grade) for item, grade in listed(json.loads(unpacked_text(data))))
