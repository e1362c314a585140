"""Alignment from columns: a semi-join finds the judged items, the rest of the run is only counted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from rankgauge.alignment.aligned import Aligned, alignment_of, comparable, first_places
from rankgauge.alignment.alignment import Groups
from rankgauge.alignment.ranking import rank_judged
from rankgauge.alignment.segments import Array, Segments
from rankgauge.alignment.top import top_places
from rankgauge.data import Qrels, Run
from rankgauge.data.packed_ids import PackedIds

__all__ = [
    "align_columns",
    "blocks",
    "first_columns",
    "first_rows",
    "is_named",
    "judged_items",
    "packed",
    "together",
    "without_repeats",
]


def align_columns(qrels: Qrels, run: Run, ties: str, single: bool, *, keep: bool = False) -> Aligned:
    judged, groups = judged_items(qrels)
    starts_j, query_ids = blocks(judged["query_id"])
    lengths = np.diff(np.append(starts_j, judged.height))

    results, extra_queries = _of_queries(run.results() if keep else run.to_frame(), query_ids)
    worse = repeats_in(results)
    again = _times(results["query_id"].gather(worse), query_ids)
    if keep:
        results = results.with_columns(name=_told_apart(results["doc_id"], worse))
    else:
        results, again = _without(results, worse), again + run.dropped_of(query_ids.to_list())
    results = together(results)
    starts, names = blocks(results["query_id"])
    lists = Segments(np.append(starts, results.height))

    # number of each query's list, -1 for a query that the run does not have
    numbered = pl.DataFrame({"query_id": names, "list": np.arange(len(names))})
    number = (
        pl.DataFrame({"query_id": query_ids})
        .join(numbered, on="query_id", how="left", maintain_order="left")["list"]
        .fill_null(-1)
        .to_numpy()
    )
    missing = number < 0
    retrieved = np.where(missing, 0, lists.lengths[number] if len(names) else 0)

    # look up judged items only: first by id alone, then by query and id
    candidates = (
        results.lazy().with_row_index("position").filter(pl.col("doc_id").is_in(judged["doc_id"].unique().implode()))
    )
    found = (
        judged.lazy()
        .with_row_index("row")
        .select("row", "query_id", "doc_id")
        .join(candidates, on=["query_id", "doc_id"], how="inner")
        .select("row", "position")
        .sort("row")
        .collect()
    )
    rows = found["row"].to_numpy().astype(np.int64)
    positions = found["position"].to_numpy().astype(np.int64)

    scores, n_nan = comparable(results["score"].to_numpy(), single)
    owner = np.repeat(np.arange(len(lengths)), lengths)
    ids = results["name" if keep else "doc_id"]
    ranks = rank_judged(
        scores,
        lists,
        number[owner[rows]],
        scores[positions],
        lambda which: packed(ids.gather(positions[which])),
        lambda which: packed(ids.gather(which)),
        ties,
        positions,
    )
    repeats = None
    if keep and len(worse):
        rows, ranks, repeats = first_places(rows, ranks, owner)
    alignment = alignment_of(
        query_ids.to_list(), lengths, judged["grade"].to_numpy(), rows, ranks, retrieved, groups, repeats
    )
    return Aligned(
        alignment,
        missing=missing & ~is_named(query_ids.to_list(), run),
        extra_queries=extra_queries,
        repeats=again,
        nan_scores=n_nan,
    )


def packed(ids: pl.Series) -> PackedIds:
    return PackedIds.of_bytes("".join(ids.to_list()).encode(), ids.str.len_bytes().to_numpy())


def is_named(query_ids: Sequence[str], run: Run) -> Array:
    """Queries whose list is there and empty, which columns cannot hold."""
    named = set(run.empty_lists)
    if not named:
        return np.zeros(len(query_ids), dtype=bool)
    return np.array([q in named for q in query_ids], dtype=bool)


def _of_queries(results: pl.DataFrame, query_ids: pl.Series) -> tuple[pl.DataFrame, int]:
    """The lists of these queries, and how many others there are; nobody has to look into those."""
    starts, names = blocks(results["query_id"])
    wanted = names.is_in(query_ids.unique().implode())
    if wanted.all():
        return results, 0
    extra = names.filter(~wanted).n_unique()
    kept = np.repeat(wanted.to_numpy(), np.diff(np.append(starts, results.height)))
    return results.filter(pl.Series(kept)), extra


def blocks(query_ids: pl.Series) -> tuple[Array, pl.Series]:
    """Where each run of equal query ids starts, and those ids."""
    if not len(query_ids):
        return np.zeros(0, dtype=np.int64), query_ids
    starts = (query_ids != query_ids.shift()).fill_null(True).arg_true()
    return starts.to_numpy().astype(np.int64), query_ids.gather(starts)


def without_repeats(results: pl.DataFrame) -> tuple[pl.DataFrame, int]:
    """Of an item that a list shows twice, the better place counts and the other is dropped."""
    worse = repeats_in(results)
    return _without(results, worse), len(worse)


def repeats_in(results: pl.DataFrame) -> Array:
    """The rows that show an item of their list again: all but the best one, and of equal ones all but the first."""
    # equal rows have equal hashes, so distinct hashes prove that nothing repeats
    h = results["doc_id"].hash() ^ results["query_id"].hash(seed=1)
    ordered = np.sort(h.to_numpy())
    if not (ordered[1:] == ordered[:-1]).any():
        return np.zeros(0, dtype=np.int64)
    repeated = results.with_row_index("position").filter(pl.struct("query_id", "doc_id").is_duplicated())
    # what is not a number ranks last
    worse = repeated.sort(
        [pl.col("score").is_nan(), "score", "position"], descending=[False, True, False], nulls_last=True
    ).filter(~pl.struct("query_id", "doc_id").is_first_distinct())["position"]
    return worse.to_numpy().astype(np.int64)


def _without(results: pl.DataFrame, rows: Array) -> pl.DataFrame:
    if not len(rows):
        return results
    kept = np.ones(results.height, dtype=bool)
    kept[rows] = False
    return results.filter(pl.Series(kept))


def _times(names: pl.Series, query_ids: pl.Series) -> Array:
    """How often each query is named."""
    times = names.value_counts(name="n").rename({names.name: "query_id"})
    counted = pl.DataFrame({"query_id": query_ids}).join(times, on="query_id", how="left", maintain_order="left")
    return counted["n"].fill_null(0).to_numpy().astype(np.int64)


def _told_apart(ids: pl.Series, repeats: Array) -> pl.Series:
    """Ids of which no list has one twice: repeats are marked, and still stand beside their item in the order of ids."""
    if not len(repeats):
        return ids
    marks = pl.Series([f"\x01{i}" for i in range(len(repeats))], dtype=pl.String)
    return ids.clone().scatter(repeats, ids.gather(repeats) + marks)


def first_columns(
    run: Run, query_ids: Sequence[str], depth: int | None, ties: str, single: bool, *, keep: bool = False
) -> tuple[pl.Series, Array, list[str]]:
    """The first items of the lists of these queries: ids list after list, how many of each, and whose lists.

    With `keep`, an item that a list shows again is there again.
    """
    frame = run.results() if keep else run.to_frame()
    results, _ = _of_queries(frame, pl.Series(query_ids, dtype=frame.schema["query_id"]))
    if keep:
        results = results.with_columns(name=_told_apart(results["doc_id"], repeats_in(results)))
    else:
        results = without_repeats(results)[0]
    results = together(results)
    starts, names = blocks(results["query_id"])
    places, lengths = _first(results, Segments(np.append(starts, results.height)), depth, ties, single)
    return results["doc_id"].gather(places), lengths, names.to_list()


def first_rows(results: pl.DataFrame, depth: int, ties: str, single: bool) -> pl.DataFrame:
    """The rows of the first items of one list, or of a part of it; rows are in the order in which they came."""
    results = without_repeats(results)[0]
    return results[_first(results, Segments.of_lengths(np.array([results.height])), depth, ties, single)[0]]


def _first(results: pl.DataFrame, lists: Segments, depth: int | None, ties: str, single: bool) -> tuple[Array, Array]:
    scores, _ = comparable(results["score"].to_numpy(), single)
    ids = results["name" if "name" in results.columns else "doc_id"]
    return top_places(scores, lists, depth, lambda where: packed(ids.gather(where)), ties)


def together(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of each query side by side, queries in the order in which they first appear."""
    _, names = blocks(frame["query_id"])
    if names.n_unique() == len(names):
        return frame
    order = names.unique(maintain_order=True)
    place = pl.DataFrame({"query_id": order, "place": np.arange(len(order))})
    placed = frame.join(place, on="query_id", how="left", maintain_order="left")
    return placed.sort("place", maintain_order=True).drop("place")


def judged_items(qrels: Qrels) -> tuple[pl.DataFrame, Groups | None]:
    """One row per judged item, the items of a query together; and the judgements by heading, if any."""
    frame = together(qrels.to_frame())
    if not qrels.has_groups:
        return frame, None
    # an item judged under several headings has the best of its grades
    items = frame.group_by("query_id", "doc_id", maintain_order=True).agg(pl.col("grade").max())
    row = (
        frame.join(
            items.select("query_id", "doc_id").with_row_index("row"),
            on=["query_id", "doc_id"],
            how="left",
            maintain_order="left",
        )["row"]
        .to_numpy()
        .astype(np.int64)
    )
    headings = frame.select("query_id", "iteration").unique(maintain_order=True).with_row_index("code")
    code = frame.join(headings, on=["query_id", "iteration"], how="left", maintain_order="left")["code"]
    per_query = headings.group_by("query_id", maintain_order=True).len()["len"]
    groups = Groups(
        row=row,
        code=code.to_numpy().astype(np.int64),
        grade=frame["grade"].to_numpy(),
        n_codes=per_query.to_numpy().astype(np.int64),
    )
    return items, groups
