"""Labels and scores larger than memory: two passes over the rows, piece by piece.

The first adds up what all rows say (`RowTotals`), the second what each group, or each row, does to the numbers
(`ClusterMoments`). Where there are groups, the first pass sets the rows aside on disk by a hash of their group, so that
the rows of a group meet in the second; without groups the table is read again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
import polars as pl

from rankgauge._progress import EVALUATING, READING, rows_bar
from rankgauge._text import Text
from rankgauge._version import __version__
from rankgauge.data._arrays import Array, Checks, from_series
from rankgauge.data.batches import Batches
from rankgauge.data.frames import row
from rankgauge.data.prediction_parts import Part, PredictionParts
from rankgauge.data.predictions import Predictions, from_canonical
from rankgauge.engines.judged import bucket_of
from rankgauge.engines.spill import MOST_BUCKETS, Spill
from rankgauge.evaluation.predictions.asking import OfPredictions, scale_of, wanted_measures
from rankgauge.evaluation.predictions.cluster_moments import ClusterMoments
from rankgauge.evaluation.predictions.of_rows import heavy_rows
from rankgauge.evaluation.predictions.piecewise import estimates, first, influences, left_of_all
from rankgauge.evaluation.predictions.policy import PredictionPolicy
from rankgauge.evaluation.predictions.record import PredictionEvaluation, PredictionEvaluations, counts_of
from rankgauge.evaluation.predictions.row_totals import RowTotals
from rankgauge.evaluation.predictions.totals_plan import TotalsPlan
from rankgauge.measures.grammar import as_list

__all__ = ["IN_PIECES", "add_part", "evaluate_in_pieces", "plan_of", "read_ahead", "record"]

IN_PIECES = Text(
    "computed in pieces: what depends on the order of all rows is certain within the bounds given beside it",
    "分块计算：依赖全部行排序的数，其确定的上下界一并给出",
)
_GROWTH = 4  # rows and what is made of them while they are evaluated, in memory
_ROW = 512  # bytes of work for each row of a piece: most of it is the table of bins, which is as large as the piece
_MOST_ROWS = 1 << 20
_BUCKET_ROW = 200  # bytes of work for each row of a bucket: rows, codes of groups, sorted keys, influences
_GUESS = 64  # buckets where nobody knows how many rows will come


def read_ahead(table: Batches, positive: Any, memory: int) -> Predictions | Batches:
    """All rows, where nobody knew that they would fit into memory; else the table, with what was read as its start."""
    if table.size is not None:
        return table
    seen: list[pl.DataFrame] = []
    size, rest = 0, table.frames(_piece_rows(memory))
    for frame in rest:
        seen.append(frame)
        size += int(frame.estimated_size())
        if size * _GROWTH > memory:
            return replace(table, _open=_once(chain(seen, rest), table.frames))
    if not seen:
        return table
    return from_canonical(pl.concat(seen), table.where, None, positive, table.name, table.notes)


def _once(
    started: Iterator[pl.DataFrame], again: Callable[[int], Iterator[pl.DataFrame]]
) -> Callable[[int], Iterator[pl.DataFrame]]:
    """Goes on with what was begun, and begins anew from then on."""
    waiting = [started]
    return lambda rows: waiting.pop() if waiting else again(rows)


def evaluate_in_pieces(
    table: Batches,
    measures: OfPredictions | Iterable[OfPredictions] | None,
    policy: PredictionPolicy,
    *,
    confidence_level: float,
    positive: Any,
    memory: int,
    progress: bool | None,
) -> PredictionEvaluation | PredictionEvaluations:
    """The same as in memory, with certain bounds for what depends on the order of all rows."""
    asked = None if measures is None else as_list(measures)
    parts = PredictionParts(table.where, positive)
    rows = _piece_rows(memory)
    with rows_bar(table.name, table.rows, progress) as advance, Spill(_buckets(table, memory)) as spill:
        totals: dict[str, RowTotals] = {}
        for frame in table.frames(rows):
            part = parts.take(frame)
            for model, score in part.scores.items():
                if model not in totals:
                    totals[model] = RowTotals(plan_of(asked, policy, part.group is not None))
                totals[model].update(part.label, score, part.weight)
            if part.group is not None:
                spill.add(_kept(part, parts.group), bucket_of(part.group, len(spill)))
            advance(READING, frame.height)
        notes = parts.finish()
        found = {}
        for model, t in totals.items():
            scale_of(t, policy, table.name)
            found[model] = [first(label, m, t) for label, m in wanted_measures(asked, t)]
        moments = ClusterMoments([influences(found[model], t) for model, t in totals.items()])
        for part in _again(table, parts, spill, rows):
            add_part(moments, part, any(t.is_soft for t in totals.values()))
            advance(EVALUATING, len(part.label))
    return record(
        {model: (found[model], t) for model, t in totals.items()},
        moments,
        policy,
        confidence_level=confidence_level,
        group=parts.group,
        weight="weight" if parts.has_weight else "",
        zero_weight_rows=parts.zero_weight_rows,
        notes=(*table.notes, *notes),
        data=table.name,
    )


def plan_of(
    measures: OfPredictions | Sequence[OfPredictions] | None, policy: PredictionPolicy, groups: bool
) -> TotalsPlan:
    """What to add up in the first pass."""
    scale, kept = policy.scale, policy.negatives_kept
    if measures is None:  # which ones is known when all rows were seen
        return TotalsPlan(scale, kept, has_groups=groups)
    return TotalsPlan.of([m for _, m in wanted_measures(measures)], scale, kept, groups)


def record(
    models: Mapping[str, tuple[Sequence[Any], RowTotals]],
    moments: ClusterMoments,
    policy: PredictionPolicy,
    *,
    confidence_level: float,
    group: str,
    weight: str,
    zero_weight_rows: int,
    notes: tuple[str, ...],
    data: str,
) -> PredictionEvaluation | PredictionEvaluations:
    """The evaluation of each model; of the only one by itself."""
    columns = estimates(list(models.values()), moments)
    heavy = heavy_rows(moments.n, left_of_all(moments), bool(group))
    made = {}
    for (model, (_, t)), of_model in zip(models.items(), columns, strict=True):
        made[model] = PredictionEvaluation(
            columns=of_model,
            policy=policy.of_rows(t.scale, group, weight),
            counts=counts_of(t, moments.n if group else None, zero_weight_rows),
            confidence_level=confidence_level,
            remarks=(*notes, *heavy, IN_PIECES),
            version=__version__,
            model=model,
            data=data,
        )
    return next(iter(made.values())) if len(made) == 1 else PredictionEvaluations(made)


def _piece_rows(memory: int) -> int:
    return int(np.clip(memory // _ROW // 4, 1, _MOST_ROWS))


def _buckets(table: Batches, memory: int) -> int:
    """So many that a bucket fits into memory while it is evaluated."""
    if table.rows is None and table.size is None:
        return _GUESS
    rows = table.rows if table.rows is not None else (table.size or 0) // 24
    return int(np.clip(-(-rows * _BUCKET_ROW // (memory // 2)), 1, MOST_BUCKETS))


def _kept(part: Part, group: str) -> pl.DataFrame:
    """What the second pass needs, the labels as numbers: soft ones may come later."""
    columns: dict[str, Any] = {"label:": part.label.astype(np.float64), f"group:{group}": part.group}
    columns |= {f"score:{model}": score for model, score in part.scores.items()}
    return pl.DataFrame(columns if part.weight is None else columns | {"weight:": part.weight})


def _again(table: Batches, parts: PredictionParts, spill: Spill, rows: int) -> Iterator[Part]:
    """The rows once more: those of a group together where there are groups."""
    if not parts.group:
        again = PredictionParts(table.where, parts.positive)
        yield from (again.take(frame) for frame in table.frames(rows))
        return
    for i in range(len(spill)):
        frame = spill.bucket(i)
        spill.drop(i)
        if frame is not None:
            scores = {c.removeprefix("score:"): frame[c].to_numpy() for c in frame.columns if c.startswith("score:")}
            weight = frame["weight:"].to_numpy() if "weight:" in frame.columns else None
            yield Part(frame["label:"].to_numpy(), scores, weight, frame[f"group:{parts.group}"])


def add_part(moments: ClusterMoments, part: Part, is_soft: bool) -> None:
    """Some rows into the second pass: whole groups where there are groups."""
    label: Array = part.label.astype(np.float64) if is_soft else part.label == 1
    scores = list(part.scores.values())
    if part.group is None:
        moments.update(label, scores, part.weight)
    elif len(label):
        codes = Checks("", row, []).group(from_series(part.group, "group"), "group")
        moments.update(label, scores, part.weight, codes.codes, codes.n)
