"""What executors do: rows of whole queries → their alignment → the same measures as anywhere.

All rows that concern a query travel together, with a 64-bit key in place of its id (the driver has made sure that
different queries have different keys). Results come packed: their items in one text, their scores in one array.
`place` tells what a row is:

    0, 1, 2 …    a result           text = item     value = score    (the row in the run, with ties="input")
    -1, -2 …     a judgement        text = item     value = grade    heading = iteration, where there are several
    NAME         a judged query     text = its id   value = weight
    ATTRIBUTES   its attributes     text = JSON
    LISTED       its list in a dict, where it is empty
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.alignment import Array
from rankgauge.alignment.aligned import Aligned
from rankgauge.alignment.build import align
from rankgauge.data import Qrels, Run
from rankgauge.data._places import A_NUMBER, AN_ID
from rankgauge.data.weights import LEAST, MOST
from rankgauge.engines.spark.partial import Partial, Some
from rankgauge.engines.spark.shown import packed
from rankgauge.errors import InputError, RankgaugeError
from rankgauge.evaluation.rankings.measuring import Measured, measured
from rankgauge.evaluation.rankings.naming import Named
from rankgauge.evaluation.rankings.policy import Policy

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

    from rankgauge.alignment.shown import Shown
    from rankgauge.evaluation.rankings.showing import Showing

__all__ = [
    "ATTRIBUTES",
    "BETWEEN",
    "EXTRAS",
    "LISTED",
    "NAME",
    "Work",
    "blocks_of",
    "failed",
    "labels_of",
    "measure_rows",
    "refusal",
    "rows_of",
    "settled",
    "split",
    "value_schema",
    "with_lists",
]

NAME, ATTRIBUTES, LISTED = (-(2**63) + i for i in range(3))
BETWEEN = "\0"  # the ids of a list
_BLOCK = 250_000  # results that are measured together, at least
EXTRAS = ("numerator", "denominator", "best", "worst")


@dataclass(frozen=True)
class Work:
    """What an executor has to know."""

    wanted: Sequence[Named]
    policy: Policy
    max_grade: float
    """Of all judgements, not only of those that an executor sees."""
    grouped: bool
    """Whether items are judged under several headings."""
    qrels: str = "qrels"
    run: str = "run"
    weighted: bool = False
    attributes: Sequence[str] = ()
    showing: Showing | None = None
    """What is asked of shown items, without the catalogue."""

    def shown(self, aligned: Aligned, run: Run, judged: Qrels) -> Shown | None:
        """What the lists of a block show, where somebody asks for it."""
        return None if self.showing is None else self.showing.elsewhere().shown(aligned, run, judged)

    @property
    def ties(self) -> str:
        return self.policy.tie_order

    @property
    def single(self) -> bool:
        return self.policy.is_single

    @property
    def keep(self) -> bool:
        """Whether items that are shown again keep their places."""
        return self.policy.duplicates == "keep"


def value_schema(wanted: Sequence[Named]) -> str:
    """The table of values: a row per query, and rows with the totals of some queries, and what they show."""
    fields = ["query_id string", "missing boolean", "weight double", "attributes string"]
    fields += ["partial string", "shown binary"]
    for i, (_, m) in enumerate(wanted):
        fields += [f"value_{i} {'string' if m.summary == 'none' else 'double'}", f"counted_{i} boolean"]
        fields += [f"{name}_{i} double" for name in EXTRAS]
    return ", ".join(fields)


def measure_rows(batches: Iterator[pa.RecordBatch], work: Work) -> Iterator[pa.RecordBatch]:
    """Packed queries → their values, block by block."""
    os.environ.setdefault("POLARS_MAX_THREADS", "1")  # Spark runs a task on each core
    for block in blocks_of(batches):
        try:
            yield from _measured_block(block, work)
        except RankgaugeError as e:
            yield failed(e, work)


def blocks_of(batches: Iterator[pa.RecordBatch], rows: int = _BLOCK) -> Iterator[pl.DataFrame]:
    """Frames of packed queries that hold at least so many results together."""
    import polars as pl
    import pyarrow as pa

    waiting: list[pa.RecordBatch] = []
    n = 0

    def frame(parts: list[pa.RecordBatch]) -> pl.DataFrame:
        out = pl.from_arrow(pa.Table.from_batches(parts))
        assert isinstance(out, pl.DataFrame)
        return out

    for batch in batches:
        start = 0
        ends = np.cumsum(batch.column("n").to_numpy())
        while start < batch.num_rows:
            before = int(ends[start - 1]) if start else 0
            stop = min(int(np.searchsorted(ends, before + rows - n)) + 1, batch.num_rows)
            waiting.append(batch.slice(start, stop - start))
            n += int(ends[stop - 1]) - before
            start = stop
            if n >= rows:
                yield frame(waiting)
                waiting, n = [], 0
    if waiting:
        yield frame(waiting)


def _measured_block(block: pl.DataFrame, work: Work) -> Iterator[pa.RecordBatch]:
    import polars as pl

    results, rest = unpacked(block, work)
    judged, about = split(rest, work)
    names = about.filter(pl.col("place") == NAME)
    if names.is_empty():  # nobody judged any of these
        return
    qrels = settled(judged, names, work)
    run = Run(frame=results, name=work.run)
    aligned = align(qrels, run, ties=work.ties, single=work.single, duplicates=work.policy.duplicates)
    aligned = with_lists(aligned, about)
    yield rows_of(aligned, about, work, work.shown(aligned, run, qrels))


def unpacked(block: pl.DataFrame, work: Work) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The results of packed queries as a run (whose queries are keys), and all other rows."""
    import polars as pl

    rest = block.filter(pl.col("about").list.len() > 0).select("key", "about").explode("about").unnest("about")
    shown = block.filter(pl.col("n") > 0)
    texts = shown["texts"].str.split(BETWEEN)
    surplus = texts.list.len().cast(pl.Int64) - shown["n"]
    if n := int((shown["n"] - shown["values"].list.len().cast(pl.Int64)).sum()):
        raise InputError(refusal(work, "score", A_NUMBER, n))
    if n := -int(surplus.clip(upper_bound=0).sum()) + int(texts.list.eval(pl.element() == "").list.sum().sum()):
        raise InputError(refusal(work, "doc_id", AN_ID, n))
    if (surplus > 0).any():
        raise InputError(
            Text(
                f"run {show(work.run)}: doc_id must not contain the character NUL, got one that does.",
                f"run {show(work.run)}：doc_id 不能含字符 NUL，实际有一个含有。",
            )
        )
    lists = {"query_id": shown["key"], "doc_id": texts, "score": shown["values"]}
    if work.ties == "input":
        lists["place"] = shown["places"]
    results = pl.DataFrame(lists).explode([name for name in lists if name != "query_id"])
    if work.ties == "input":
        results = results.sort("query_id", "place").drop("place")
    return results, rest


def split(rest: pl.DataFrame, work: Work) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Judgements (in the order given), and what else there is about the queries, which are keys here."""
    import polars as pl

    judged = rest.filter(pl.col("place") > LISTED).sort("place", descending=True)
    headings = {"iteration": pl.col("heading")} if work.grouped else {}
    return (
        judged.select(query_id="key", doc_id="text", grade="value", **headings),
        rest.filter(pl.col("place") <= LISTED).select("text", "value", "place", query_id="key"),
    )


def settled(judged: pl.DataFrame, names: pl.DataFrame, work: Work) -> Qrels:
    """Each item judged once; an objection names the query, not its key."""
    try:
        return Qrels(frame=judged, name=work.qrels, grouped=work.grouped).settled()
    except InputError:
        named = judged.join(names.select("query_id", "text"), on="query_id", maintain_order="left")
        frame = named.drop("query_id").rename({"text": "query_id"})
        Qrels(frame=frame, name=work.qrels, grouped=work.grouped).settled()
        raise


def with_lists(aligned: Aligned, about: pl.DataFrame) -> Aligned:
    """With what a dict knows about its lists: that they are there though empty."""
    import polars as pl

    listed = about.filter(pl.col("place") == LISTED)
    if listed.is_empty():
        return aligned
    named = set(listed["query_id"])
    there = np.array([q in named for q in aligned.alignment.query_ids], dtype=bool)
    return replace(aligned, missing=aligned.missing & ~there)


def refusal(work: Work, role: str, rule: Text, n: int) -> Text:
    """What is said about results that could not be read."""
    return Text(
        f"run {show(work.run)}: {role} must be {rule}, got nothing that is one in {n:,} rows at least. "
        "Remove these rows or repair them.",
        f"run {show(work.run)}：{role} 必须是{zh(rule)}，实际至少有 {n:,} 行不是。请删除或修复这些行。",
    )


# values as rows


def rows_of(aligned: Aligned, about: pl.DataFrame, work: Work, shown: Shown | None = None) -> pa.RecordBatch:
    """The values of these queries, and a last row with their totals and what they show."""
    import polars as pl

    whole = np.maximum(aligned.alignment.max_grade, work.max_grade)
    aligned = replace(aligned, alignment=replace(aligned.alignment, max_grade=float(whole)))
    found = measured(aligned, work.wanted, work.policy)
    keys = pl.DataFrame({"query_id": pl.Series(found.query_ids, dtype=pl.Int64)})

    def of_queries(place: int) -> pl.DataFrame:
        rows = about.filter(pl.col("place") == place).unique("query_id")
        return keys.join(rows, on="query_id", how="left", maintain_order="left")

    names = of_queries(NAME)
    found = replace(found, query_ids=names["text"].to_list())
    some: dict[str, Some] = {}
    weights = None
    if work.weighted:
        given = names["value"]
        some["unweighted"] = Some.of(names["text"].filter(given.is_null()))
        usable = given.is_finite() & ((given == 0) | given.is_between(LEAST, MOST))
        some["bad weights"] = Some.of(names["text"].filter(~usable.fill_null(True)))
        weights = given.to_numpy() if not any(s.n for s in some.values()) else np.ones(names.height)
    texts = of_queries(ATTRIBUTES)["text"] if work.attributes else None
    if texts is not None:
        some["unsliced"] = Some.of(names["text"].filter(texts.is_null()))
    partial = Partial.of(
        found,
        weights if work.policy.average == "weighted" else None,
        None if texts is None else labels_of(texts, work.attributes),
        some,
    )
    lists = None
    if shown is not None:
        lists = packed(replace(shown, query_ids=found.query_ids), weights, texts)
        partial = replace(partial, places=len(shown.items), sent=len(lists))
    return _batch(found, weights, texts, partial, work, lists)


def labels_of(texts: Iterable[str | None], attributes: Sequence[str]) -> dict[str, list[str]]:
    """For each attribute its value for each query, as text; empty where unknown."""
    rows: list[Mapping[str, Any]] = [json.loads(text) if text else {} for text in texts]
    return {a: ["" if (v := row.get(a)) is None else str(v) for row in rows] for a in attributes}


def failed(error: RankgaugeError, work: Work) -> pa.RecordBatch:
    return _batch(None, None, None, Partial.failed(error), work)


def _batch(
    found: Measured | None,
    weights: Array | None,
    texts: pl.Series | None,
    partial: Partial,
    work: Work,
    lists: bytes | None = None,
) -> pa.RecordBatch:
    import pyarrow as pa

    n = 0 if found is None else len(found.query_ids)

    def column(values: Any, dtype: pa.DataType) -> pa.Array:
        """One value per query, null in the row of the totals."""
        here = pa.nulls(n, dtype) if values is None else pa.array(values, dtype)
        return pa.concat_arrays([here, pa.nulls(1, dtype)])

    out = {
        "query_id": column(found and found.query_ids, pa.string()),
        "missing": column(found and found.missing, pa.bool_()),
        "weight": column(weights, pa.float64()),
        "attributes": column(None if texts is None else texts.to_list(), pa.string()),
        "partial": pa.array([None] * n + [partial.to_text()], pa.string()),
        "shown": pa.array([None] * n + [lists], pa.binary()),
    }
    for i, (_, m) in enumerate(work.wanted):
        c = None if found is None else found.columns[i]
        is_text = m.summary == "none"
        values = None if c is None else c.values.tolist() if is_text else c.values.astype(np.float64)
        out[f"value_{i}"] = column(values, pa.string() if is_text else pa.float64())
        out[f"counted_{i}"] = column(None if c is None else c.counted, pa.bool_())
        for name in EXTRAS:
            extra = None if c is None else getattr(c, name)
            out[f"{name}_{i}"] = column(None if extra is None else extra.astype(np.float64), pa.float64())
    return pa.RecordBatch.from_pydict(out)
