"""What executors do with labels and scores: rows → states, states → one state. Nothing else travels.

A state is a row of one column of bytes, or an error as text: a task that raises would be tried again, to no avail.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._text import Text
from rankgauge.data.frames import canonical
from rankgauge.data.prediction_parts import PredictionParts
from rankgauge.engines.predictions import add_part
from rankgauge.engines.spark.told import heard, told
from rankgauge.errors import RankgaugeError
from rankgauge.evaluation.predictions.cluster_moments import ClusterMoments, Influences
from rankgauge.evaluation.predictions.row_totals import RowTotals
from rankgauge.evaluation.predictions.totals_plan import TotalsPlan

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

__all__ = ["SCHEMA", "State", "Work", "add_moments", "add_rows", "moments_of", "raise_if_failed", "rows_of"]

SCHEMA = "state binary, error string"
_AT_ONCE = 1 << 19  # rows: merging bins costs the same for few rows as for many


@dataclass(frozen=True)
class Work:
    """What an executor has to know."""

    where: str
    columns: Mapping[str, str]
    """The roles of columns."""
    positive: Any
    plan: TotalsPlan


@dataclass
class State:
    """The first pass over some rows: what was seen, and the totals of each model."""

    parts: PredictionParts
    totals: dict[str, RowTotals]

    @classmethod
    def of(cls, work: Work, place: str = "") -> State:
        return cls(PredictionParts(work.where, work.positive, place), {})

    def add(self, other: bytes) -> None:
        """Takes in what `to_bytes` wrote elsewhere."""
        n = int.from_bytes(other[:4], "little")
        header = json.loads(other[4 : 4 + n])
        self.parts.add(header["parts"])
        at = 4 + n
        for model, size in header["models"].items():
            found = RowTotals.from_bytes(other[at : at + size])
            self.totals[model] = self.totals[model] + found if model in self.totals else found
            at += size

    def to_bytes(self) -> bytes:
        states = {model: t.to_bytes() for model, t in self.totals.items()}
        sizes = {model: len(state) for model, state in states.items()}
        header = json.dumps({"parts": self.parts.to_dict(), "models": sizes}).encode()
        return b"".join([len(header).to_bytes(4, "little"), header, *states.values()])


# the first pass


def rows_of(batches: Iterator[pa.RecordBatch], work: Work) -> Iterator[pa.RecordBatch]:
    """Rows in any order → the state of all of them."""

    def state() -> bytes:
        out = State.of(work, Text(f" of partition {_partition()}", f"（分区 {_partition()}）"))
        for frame in _frames(batches):
            part = out.parts.take(canonical("predictions", frame, work.columns, work.where)[0])
            for model, score in part.scores.items():
                if model not in out.totals:
                    out.totals[model] = RowTotals(work.plan)
                out.totals[model].update(part.label, score, part.weight)
        return out.to_bytes()

    yield _row(state)


def add_rows(batches: Iterator[pa.RecordBatch], work: Work) -> Iterator[pa.RecordBatch]:
    """Many states of rows → one."""
    yield from _added(batches, State.of(work))


# the second pass


def moments_of(
    batches: Iterator[pa.RecordBatch], work: Work, models: Sequence[Influences], is_soft: bool
) -> Iterator[pa.RecordBatch]:
    """Rows, sorted by group where there are groups → the moments of all of them."""

    def state() -> bytes:
        out = ClusterMoments(models)
        parts = PredictionParts(work.where, work.positive)
        for frame in _whole_groups(_canonical(batches, work)) if work.plan.has_groups else _canonical(batches, work):
            add_part(out, parts.take(frame), is_soft)
        return out.to_bytes()

    yield _row(state)


def add_moments(batches: Iterator[pa.RecordBatch], models: Sequence[Influences]) -> Iterator[pa.RecordBatch]:
    """Many moments → one."""
    yield from _added(batches, _Moments(models))


class _Moments:
    def __init__(self, models: Sequence[Influences]) -> None:
        self.models = models
        self.total = ClusterMoments(models)

    def add(self, other: bytes) -> None:
        self.total = self.total + ClusterMoments.from_bytes(other, self.models)

    def to_bytes(self) -> bytes:
        return self.total.to_bytes()


# rows


def _frames(batches: Iterator[pa.RecordBatch]) -> Iterator[pl.DataFrame]:
    """Batches put together until they are worth a state."""
    import polars as pl
    import pyarrow as pa

    waiting: list[Any] = []
    n = 0
    for batch in batches:
        waiting.append(batch)
        n += batch.num_rows
        if n >= _AT_ONCE:
            yield pl.DataFrame(pa.Table.from_batches(waiting))
            waiting, n = [], 0
    if n:
        yield pl.DataFrame(pa.Table.from_batches(waiting))


def _canonical(batches: Iterator[pa.RecordBatch], work: Work) -> Iterator[pl.DataFrame]:
    return (canonical("predictions", frame, work.columns, work.where)[0] for frame in _frames(batches))


def _whole_groups(frames: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Rows sorted by group, cut only between groups."""
    import polars as pl

    waiting: list[pl.DataFrame] = []
    for frame in frames:
        group = frame[next(c for c in frame.columns if c.startswith("group:"))]
        different = np.flatnonzero(group.ne_missing(group[-1]).to_numpy())
        if not len(different):  # one group from end to end, which may go on
            waiting.append(frame)
            continue
        cut = int(different[-1]) + 1
        yield pl.concat([*waiting, frame[:cut]])
        waiting = [frame[cut:]]
    if waiting:
        yield pl.concat(waiting)


# states as rows


def _row(state: Callable[[], bytes]) -> pa.RecordBatch:
    import pyarrow as pa

    try:
        made, error = state(), None
    except RankgaugeError as e:
        made, error = None, json.dumps(told(e))
    columns = [pa.array([made], pa.binary()), pa.array([error], pa.string())]
    return pa.RecordBatch.from_arrays(columns, names=["state", "error"])


def _added(batches: Iterator[pa.RecordBatch], total: Any) -> Iterator[pa.RecordBatch]:
    def state() -> bytes:
        for batch in batches:
            for made, error in zip(batch.column(0), batch.column(1), strict=True):
                raise_if_failed(error.as_py())
                total.add(made.as_py())
        return bytes(total.to_bytes())

    yield _row(state)


def raise_if_failed(error: str | None) -> None:
    """Raise what was found wrong where the rows lie."""
    if error is not None:
        raise heard(*json.loads(error))


def _partition() -> int:
    from pyspark import TaskContext

    context = TaskContext.get()
    return context.partitionId() if context is not None else 0
