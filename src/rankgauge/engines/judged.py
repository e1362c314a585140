"""Judgements by query, so that those of some queries are at hand while results go by."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from rankgauge.alignment import Array
from rankgauge.alignment.from_columns import blocks, together
from rankgauge.alignment.segments import Segments
from rankgauge.data import Qrels
from rankgauge.data.batches import Batches
from rankgauge.engines.spill import Spill

__all__ = ["JudgedPart", "Whole", "bucket_of", "judged_part", "spilled"]


class Whole(NamedTuple):
    """What a part of the judgements cannot know about all of them."""

    max_grade: float
    grouped: bool
    """Whether items are judged under several headings."""


class JudgedPart:
    """Judgements in memory, the rows of each query side by side.

    `order` says for each query where it stands among all queries: its number, unless these are a part.
    """

    def __init__(self, qrels: Qrels, whole: Whole | None = None, first_row: pl.DataFrame | None = None) -> None:
        qrels = qrels.settled()
        self.frame = together(qrels.to_frame())
        starts, self.names = blocks(self.frame["query_id"])
        self._rows = Segments(np.append(starts, self.frame.height))
        self.qrels = qrels
        self.whole = whole or Whole(float(self.frame["grade"].to_numpy().max(initial=0.0)), qrels.has_groups)
        self._number = pl.DataFrame({"query_id": self.names, "number": np.arange(len(self.names))})
        self.order = np.arange(len(self.names))
        if first_row is not None:
            found = self._number.join(first_row, on="query_id", how="left", maintain_order="left")
            self.order = found["place"].to_numpy()

    def __len__(self) -> int:
        return len(self.names)

    def numbers(self, names: pl.Series) -> Array:
        """The number of each of these queries, -1 for one that is not judged."""
        found = names.to_frame("query_id").join(self._number, on="query_id", how="left", maintain_order="left")
        return found["number"].fill_null(-1).to_numpy()

    def of(self, numbers: Array) -> Qrels:
        """The judgements of some queries, in this order."""
        frame = self.frame[self._rows.rows_of(numbers)]
        return Qrels(frame=frame, name=self.qrels.name, grouped=self.whole.grouped)


def bucket_of(query_ids: pl.Series, n: int, level: int = 0) -> pl.Series:
    """Into which of n buckets each query goes; another `level` is another way to spread them."""
    return query_ids.hash(level) % n


def spilled(judgements: Batches, n: int, rows: int) -> tuple[Spill, Whole]:
    """Judgements that do not fit into memory, in buckets by query, with the `place` of each row."""
    spill, place, highest = Spill(n), 0, 0.0
    headings: set[str] = set()
    for frame in judgements.frames(rows):
        numbered = frame.with_row_index("place", offset=place).cast({"place": pl.Int64})
        place += frame.height
        highest = max(highest, float(frame["grade"].to_numpy().max(initial=0.0)))
        if "iteration" in frame.columns and len(headings) < 2:
            headings |= set(frame["iteration"].unique().head(2).to_list())
        spill.add(numbered, bucket_of(frame["query_id"], n))
    return spill, Whole(highest, len(headings) > 1)


def judged_part(spill: Spill, i: int, whole: Whole, name: str) -> JudgedPart | None:
    """The judgements of one bucket."""
    frame = spill.bucket(i)
    if frame is None:
        return None
    first_row = frame.group_by("query_id").agg(pl.col("place").min())
    return JudgedPart(Qrels(frame=frame.drop("place"), name=name, grouped=whole.grouped), whole, first_row)
