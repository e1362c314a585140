"""From judgements and a run to an alignment: once from dicts, once from columns, with the same result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.alignment.alignment import Alignment, Groups
from rankgauge.alignment.ranking import rank_judged
from rankgauge.alignment.segments import Array, Segments
from rankgauge.data import Qrels, Run
from rankgauge.data.mappings import id_text, numbers_of

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Aligned", "align"]


@dataclass(frozen=True)
class Aligned:
    """An alignment and what was noticed while it was made."""

    alignment: Alignment
    missing: Array
    """Queries without a result list, as a mask."""
    extra_queries: int
    """Result lists of queries nobody judged."""
    duplicates: int
    """Repeated results that were dropped."""
    nan_scores: int
    """Scores that are not a number; they rank behind all others."""


def align(qrels: Qrels, run: Run, *, ties: str = "doc_id", single: bool = False) -> Aligned:
    """Rank the judged items of each query; `ties` is `"doc_id"` or `"input"`.

    `single=True` compares scores in single precision, as trec_eval 9 does. Queries are those of the
    judgements, in their order.
    """
    if qrels.has_groups or run.is_columns:
        return _from_columns(qrels, run, ties, single)
    if qrels.ids != run.ids or qrels.ids == "mixed":
        qrels, run = qrels.with_text_ids(), run.with_text_ids()
    return _from_mappings(qrels, run, ties, single)


def _finish(
    query_ids: Sequence[str],
    lengths: Array,
    grade: Array,
    rows: Array,
    ranks: tuple[Array, Array, Array],
    retrieved: Array,
    groups: Groups | None = None,
) -> Alignment:
    """The alignment of all judged items, of which `rows` are shown at `ranks`."""
    rank, first, last = (np.zeros(len(grade), dtype=np.int64) for _ in range(3))
    rank[rows], first[rows], last[rows] = ranks
    segments = Segments.of_lengths(lengths)
    unordered = Alignment(
        query_ids=query_ids,
        offsets=segments.offsets,
        grade=grade,
        rank=rank,
        tie_first=first,
        tie_last=last,
        retrieved=retrieved,
        item=segments.place,
        groups=groups,
        max_grade=float(grade.max(initial=0.0)),
    )
    return unordered.with_ranks(rank, ties=True)


def _clean(scores: Array, single: bool) -> tuple[Array, int]:
    """Scores ready for comparison: NaN behind everything else, single precision when asked."""
    nan = np.isnan(scores)
    n_nan = int(np.count_nonzero(nan))
    if n_nan:
        scores = np.where(nan, -np.inf, scores)
    return (scores.astype(np.float32) if single else scores), n_nan


# from dicts


def _from_mappings(qrels: Qrels, run: Run, ties: str, single: bool) -> Aligned:
    judged, shown = qrels.to_dict(), run.to_dict()
    if judged and shown and type(next(iter(judged))) is not type(next(iter(shown))):
        judged = {id_text(q): row for q, row in judged.items()}
        shown = {id_text(q): row for q, row in shown.items()}
    nothing: dict[Any, float] = {}
    lists = [shown.get(q, nothing) for q in judged]
    retrieved = np.fromiter(map(len, lists), np.int64, len(lists))
    scores, n_nan = _clean(numbers_of(lists, shown, run.name, "score"), single)

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
    query_ids = [id_text(q) for q in judged]
    return Aligned(
        _finish(query_ids, lengths, grade, rows, ranks, retrieved),
        missing=np.array([q not in shown for q in judged], dtype=bool),
        extra_queries=sum(q not in judged for q in shown),
        duplicates=run.duplicates,
        nan_scores=n_nan,
    )


# from columns


def _from_columns(qrels: Qrels, run: Run, ties: str, single: bool) -> Aligned:
    import polars as pl

    results, dropped = _without_repeats(run.to_frame())
    starts, names = _blocks(results["query_id"])
    if names.n_unique() < len(names):  # interleaved: bring the rows of each query together
        results = results.sort(results["query_id"].rank("dense"), maintain_order=True)
        starts, names = _blocks(results["query_id"])
    lists = Segments(np.append(starts, results.height))

    judged, groups = _judged(qrels)
    starts_j, query_ids = _blocks(judged["query_id"])
    lengths = np.diff(np.append(starts_j, judged.height))

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
    candidates = results.lazy().with_row_index("position").filter(
        pl.col("doc_id").is_in(judged["doc_id"].unique().implode())
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

    scores, n_nan = _clean(results["score"].to_numpy(), single)
    owner = np.repeat(np.arange(len(lengths)), lengths)
    ids = results["doc_id"]
    ranks = rank_judged(
        scores,
        lists,
        number[owner[rows]],
        scores[positions],
        lambda which: ids.gather(positions[which]).to_list(),
        lambda i: ids.slice(int(lists.offsets[i]), int(lists.lengths[i])).to_list(),
        ties,
    )
    alignment = _finish(
        query_ids.to_list(), lengths, judged["grade"].to_numpy(), rows, ranks, retrieved, groups
    )
    return Aligned(
        alignment,
        missing=missing,
        extra_queries=len(names) - int(np.count_nonzero(~missing)),
        duplicates=run.duplicates + dropped,
        nan_scores=n_nan,
    )


def _blocks(query_ids: pl.Series) -> tuple[Array, pl.Series]:
    """Where each run of equal query ids starts, and those ids."""
    if not len(query_ids):
        return np.zeros(0, dtype=np.int64), query_ids
    starts = (query_ids != query_ids.shift()).fill_null(True).arg_true()
    return starts.to_numpy().astype(np.int64), query_ids.gather(starts)


def _without_repeats(results: pl.DataFrame) -> tuple[pl.DataFrame, int]:
    """Of an item that a list shows twice, the better place counts and the other is dropped."""
    import polars as pl

    # equal rows have equal hashes, so distinct hashes prove that nothing repeats
    h = results["doc_id"].hash() ^ results["query_id"].hash(seed=1)
    ordered = np.sort(h.to_numpy())
    if not (ordered[1:] == ordered[:-1]).any():
        return results, 0
    numbered = results.with_row_index("position")
    repeated = numbered.filter(pl.struct("query_id", "doc_id").is_duplicated())
    worse = (
        repeated.sort(["score", "position"], descending=[True, False], nulls_last=True)
        .filter(~pl.struct("query_id", "doc_id").is_first_distinct())["position"]
    )
    if not len(worse):
        return results, 0
    kept = numbered.filter(~pl.col("position").is_in(worse.implode())).drop("position")
    return kept, len(worse)


def _judged(qrels: Qrels) -> tuple[pl.DataFrame, Groups | None]:
    """One row per judged item, the items of a query together; and the judgements by heading, if any."""
    import polars as pl

    frame = qrels.to_frame()
    _, names = _blocks(frame["query_id"])
    if names.n_unique() < len(names):
        order = names.unique(maintain_order=True)
        place = pl.DataFrame({"query_id": order, "place": np.arange(len(order))})
        frame = (
            frame.join(place, on="query_id", how="left", maintain_order="left")
            .sort("place", maintain_order=True)
            .drop("place")
        )
    if not qrels.has_groups:
        return frame, None
    # an item judged under several headings has the best of its grades
    items = frame.group_by("query_id", "doc_id", maintain_order=True).agg(pl.col("grade").max())
    row = (
        frame.join(items.select("query_id", "doc_id").with_row_index("row"), on=["query_id", "doc_id"],
                   how="left", maintain_order="left")["row"].to_numpy().astype(np.int64)
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
