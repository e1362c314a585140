"""The alignment of one list that is too long to be held at once: half of a log may be one query.

A rank is one more than the number of higher scores, and numbers add up. So the list is cut into pieces by a hash of
the item (which brings repeated items together), and each piece is looked at twice:

    look_up       which judged items are in this piece, and with which scores?
    count_around  how many results of this piece stand above each judged item, how many beside it, how many of
                  those before it?

The counts of all pieces, summed, are the ranks: `assemble`. The pieces may lie in files or on other machines.
A piece is a Polars frame of one query: `doc_id`, `score`, and `place`, the row in the whole run, ascending.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
import polars as pl

from rankgauge.alignment import Array
from rankgauge.alignment.aligned import Aligned, alignment_of, comparable, first_places
from rankgauge.alignment.from_columns import judged_items, without_repeats
from rankgauge.data import Qrels

__all__ = ["LookedUp", "align_long", "assemble", "count_around", "look_up"]


class LookedUp(NamedTuple):
    """What a piece has of the judged items: `doc_id`, `score` (as it is compared), `place`; and its counts."""

    found: pl.DataFrame
    results: int
    """Without repeated ones, unless these keep their places."""
    repeats: int
    nan_scores: int


def look_up(piece: pl.DataFrame, judged: pl.Series, *, single: bool = False, keep: bool = False) -> LookedUp:
    """The judged items (their ids) that a piece shows. `single` compares scores in single precision.

    With `keep`, items that are shown again keep all their places.
    """
    piece, repeats, nan = _ready(piece, single, keep)
    return LookedUp(piece.filter(pl.col("doc_id").is_in(judged.unique().implode())), piece.height, repeats, nan)


def count_around(
    piece: pl.DataFrame, found: pl.DataFrame, ties: str, *, single: bool = False, keep: bool = False
) -> pl.DataFrame:
    """For each found item of the whole list (`doc_id`, `score`, `place`) what this piece adds to its rank.

    Columns `doc_id`, `place`, `above` (higher scores), `equal` (equal scores, itself included), `before` (those
    of them that come first: larger ids with ties="doc_id", smaller places with ties="input").
    """
    piece, _, _ = _ready(piece, single, keep)
    ascending = np.sort(piece["score"].to_numpy())
    score = found["score"].to_numpy()
    left, right = (np.searchsorted(ascending, score, side) for side in ("left", "right"))
    return pl.DataFrame(
        {
            "doc_id": found["doc_id"],
            "place": found["place"],
            "above": len(ascending) - right,
            "equal": right - left,
            "before": _before(piece, found, np.flatnonzero(right > left), ties),
        }
    )


def _before(piece: pl.DataFrame, found: pl.DataFrame, tied: Array, ties: str) -> Array:
    """How many results with the same score come before each found item."""
    before = np.zeros(found.height, dtype=np.int64)
    key = "doc_id" if ties == "doc_id" else "place"
    score = found["score"].to_numpy()
    values = np.unique(score[tied])
    beside = piece.filter(pl.col("score").is_in(values.tolist())).sort("score", key)
    bounds = np.searchsorted(beside["score"].to_numpy(), values, "left")
    ends = np.searchsorted(beside["score"].to_numpy(), values, "right")
    number = np.searchsorted(values, score)
    for i in tied.tolist():
        block = beside[key][int(bounds[number[i]]) : int(ends[number[i]])]
        mine = found[key][i]
        if ties == "doc_id":
            before[i] = len(block) - int(block.search_sorted(mine, side="right"))
        else:
            before[i] = int(block.search_sorted(mine, side="left"))
    return before


def assemble(
    qrels: Qrels,
    counted: pl.DataFrame,
    ties: str,
    *,
    results: int,
    repeats: int,
    nan_scores: int,
    missing: bool = False,
) -> Aligned:
    """The alignment of one query from its judgements and the summed counts of its pieces.

    `counted` has `doc_id`, `place`, `above`, `equal`, `before` for each judged result that the list shows.
    """
    items, groups = judged_items(qrels)
    found = items.with_row_index("row").join(counted, on="doc_id").sort("row", "place")
    row, above, equal, before = (
        found[name].to_numpy().astype(np.int64) for name in ("row", "above", "equal", "before")
    )
    if found["row"].is_duplicated().any() and ties == "doc_id":  # copies with equal scores stand side by side
        before += found.select(pl.int_range(pl.len()).over("row", "above")).to_series().to_numpy()
    shown, ranks, again = first_places(row, (above + 1 + before, above + 1, above + equal), np.zeros(items.height, int))
    alignment = alignment_of(
        items["query_id"].head(1).to_list(),
        np.array([items.height]),
        items["grade"].to_numpy(),
        shown,
        ranks,
        np.array([results]),
        groups,
        again,
    )
    return Aligned(alignment, np.array([missing]), 0, np.array([repeats]), nan_scores)


def align_long(
    qrels: Qrels,
    pieces: Callable[[], Iterable[pl.DataFrame]],
    ties: str,
    *,
    single: bool = False,
    keep: bool = False,
) -> Aligned:
    """The alignment of one query whose results come in pieces; `pieces` is called twice."""
    ids = qrels.to_frame()["doc_id"]
    looked = [look_up(piece, ids, single=single, keep=keep) for piece in pieces()]
    found = pl.concat([part.found for part in looked])
    counted = pl.concat([count_around(piece, found, ties, single=single, keep=keep) for piece in pieces()])
    return assemble(
        qrels,
        counted.group_by("doc_id", "place").sum(),
        ties,
        results=sum(part.results for part in looked),
        repeats=sum(part.repeats for part in looked),
        nan_scores=sum(part.nan_scores for part in looked),
    )


def _ready(piece: pl.DataFrame, single: bool, keep: bool) -> tuple[pl.DataFrame, int, int]:
    """A piece with scores as they are compared; how many of its results are repeated, how many NaN.

    Without the repeated ones, unless they keep their places.
    """
    every = piece.select(pl.lit("").alias("query_id"), "doc_id", "score", "place")
    kept, repeats = without_repeats(every)
    kept = every if keep else kept
    scores, nan = comparable(kept["score"].to_numpy(), single)
    return kept.select("doc_id", pl.Series("score", scores + 0), "place"), repeats, nan
