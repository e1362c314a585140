"""Where are probabilities wrong: for which device, which country, which hour?

A model can be right on average and wrong in every part. Every value of every segment column is looked at, and
corrected for looking at so many.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isnan, log, nan
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack, cast

import numpy as np

from rankgauge._checks import number, whole
from rankgauge._records import Record
from rankgauge._renamed import renamed
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.alignment.sample import Sample
from rankgauge.calibration.pairs import squared_cluster_sums
from rankgauge.data.predictions import Codes, Predictions
from rankgauge.errors import ParameterError, UnknownName, among
from rankgauge.evaluation.predictions.record import PredictionEvaluation, PredictionEvaluations
from rankgauge.evaluation.predictions.splits import InputOptions, RowOptions, one_model
from rankgauge.statistics.clusters import two_sided
from rankgauge.statistics.corrections import holm
from rankgauge.statistics.intervals import Interval, check_level, t_quantile

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Segment", "WorstSegments", "worst_segments"]

_quantile = lru_cache(maxsize=None)(t_quantile)


@dataclass(frozen=True)
class Segment:
    """The rows with one value of a segment column."""

    column: str
    value: str
    rows: int
    groups: int | None
    """How many groups have rows here; None without groups."""
    weight: float
    positives: float
    """Σ w y."""
    expected: float
    """Σ w p: the positives that were predicted."""
    copc: float
    """positives / expected; NaN where nothing was predicted."""
    copc_interval: Interval
    p_value: float
    """Of positives = expected, for this value alone; NaN where a single group has all rows."""
    p_corrected: float
    """By Holm, over all values of all columns."""
    is_significant: bool
    """Whether `p_corrected` is at most alpha."""

    @property
    def predicted(self) -> float:
        """Mean probability."""
        return self.expected / self.weight

    @property
    def observed(self) -> float:
        """Share of positives."""
        return self.positives / self.weight

    @property
    def off(self) -> float:
        """Positives that were not predicted; below 0, predicted ones that did not come."""
        return self.positives - self.expected


@dataclass(frozen=True, eq=False, kw_only=True)
class WorstSegments(Record, kind="segments", schema=1):
    """Values of segment columns, those that are surely wrong and cost most first."""

    segments: tuple[Segment, ...]
    columns: tuple[str, ...]
    tested: int
    """Values with a p-value, over all columns: what Holm's correction counts."""
    untested: int
    """Values whose rows all belong to one group, so that nothing is known about their spread."""
    left_out: int
    """Values with fewer than `min_rows` rows."""
    left_out_by_column: Mapping[str, int]
    min_rows: int
    alpha: float
    confidence_level: float
    rows: int
    copc: float
    """Of all rows together."""
    model: str = "score"
    data: str = "predictions"
    notes: tuple[str, ...] = ()

    @property
    def significant(self) -> tuple[Segment, ...]:
        """Those whose corrected p-value is at most alpha."""
        return tuple(s for s in self.segments if s.is_significant)

    def to_frame(self) -> pl.DataFrame:
        """A Polars frame, one row per value."""
        import polars as pl

        return pl.DataFrame(self.csv_rows(), schema=_SCHEMA)

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        return [
            {
                "column": s.column,
                "value": s.value,
                "rows": s.rows,
                "groups": s.groups,
                "weight": s.weight,
                "positives": s.positives,
                "expected": s.expected,
                "off": s.off,
                "predicted": s.predicted,
                "observed": s.observed,
                "copc": s.copc,
                "copc_low": s.copc_interval.low,
                "copc_high": s.copc_interval.high,
                "p_value": s.p_value,
                "p_corrected": s.p_corrected,
                "is_significant": s.is_significant,
            }
            for s in self.segments
        ]


_SCHEMA: Any = (
    {"column": str, "value": str, "rows": int, "groups": int}
    | dict.fromkeys(["weight", "positives", "expected", "off", "predicted", "observed"], float)
    | dict.fromkeys(["copc", "copc_low", "copc_high", "p_value", "p_corrected"], float)
    | {"is_significant": bool}
)


@renamed(segments="slices")
def worst_segments(
    predictions: Any,
    slices: Sequence[str] | str | None = None,
    min_rows: int = 100,
    alpha: float = 0.05,
    model: str | None = None,
    confidence_level: float = 0.95,
    **reading: Unpack[RowOptions],
) -> WorstSegments:
    """In which segments are probabilities wrong, and where does it matter most?

    For each value of each column: D = Σ w (y - p), the positives that were missed or promised too many, and COPC =
    Σ w y / Σ w p. The p-value asks whether D is 0, by Student's t over groups, or over rows where there are no groups.
    Its variance is C/(C-1) Σ (D_c - D/C)² over the C groups or rows, but at least Σ w² p (1-p), which independent
    rows would have: a few rows without any positive are no proof. Holm (1979) corrects for the number of values of
    all columns together. The interval of COPC comes from its influence values, as in `evaluate_predictions`; where no
    positive came, its upper end is that of a Poisson count.

    Values with fewer than `min_rows` rows are left out and counted. The order: significant ones first, then by |D|.
    `slices` names the columns, all segment columns unless said; `predictions` may be an evaluation.

    >>> rows = {"label": [0, 1] * 100, "score": [0.5] * 200, "device": ["a"] * 100 + ["b"] * 100}
    >>> [(s.value, s.copc, s.p_corrected) for s in worst_segments(rows, "device").segments]
    [('a', 1.0, 1.0), ('b', 1.0, 1.0)]
    """
    _check(min_rows, alpha)
    check_level(confidence_level)
    ready = isinstance(predictions, Predictions | PredictionEvaluation | PredictionEvaluations)
    asked = cast(InputOptions, dict(reading))
    if not ready and slices is not None:
        asked["slices"] = slices
    one = one_model(predictions, model, asked, "worst_segments")
    one.need_probabilities("worst_segments")
    s, columns = one.sample, _columns(one.rows, slices)
    tables = {name: _table(s, codes, min_rows, confidence_level) for name, codes in columns.items()}
    found = _corrected([row for table in tables.values() for row in table.rows], alpha)
    left_out = {name: table.left_out for name, table in tables.items()}
    expected = s.sum(s.probability)
    return WorstSegments(
        segments=tuple(sorted(found, key=lambda x: (not x.is_significant, -abs(x.off), x.column, x.value))),
        columns=tuple(columns),
        tested=sum(not isnan(x.p_value) for x in found),
        untested=sum(isnan(x.p_value) for x in found),
        left_out=sum(left_out.values()),
        left_out_by_column=left_out,
        min_rows=min_rows,
        alpha=alpha,
        confidence_level=confidence_level,
        rows=len(s),
        copc=s.n_positives / expected if expected else nan,
        model=one.model,
        data=one.rows.name,
        notes=one.rows.notes,
    )


def _check(min_rows: int, alpha: float) -> None:
    whole("min_rows", min_rows, at_least=2, caller="worst_segments")
    number("alpha", alpha, above=0, below=1, caller="worst_segments")


def _columns(rows: Predictions, wanted: Sequence[str] | str | None) -> dict[str, Codes]:
    known = rows.segments
    if not known:
        raise ParameterError(
            Text(
                f"worst_segments: {show(rows.name)} must have columns to slice by, got none. Pass slices=['device', …] "
                "where the rows are read.",
                f"worst_segments：{show(rows.name)} 必须有可用来切片的列，实际没有。请在读取数据时传入 "
                "slices=['device', …]。",
            )
        )
    names = list(known) if wanted is None else [wanted] if isinstance(wanted, str) else list(wanted)
    for name in names:
        if name not in known:
            raise UnknownName(Text(f"no slice {show(name)}.", f"没有切片 {show(name)}。") + among(name, known))
    if not names:
        raise ParameterError(
            Text(
                f"worst_segments: `slices` must name a column or more, got none of {', '.join(known)}.",
                f"worst_segments：`slices` 必须从 {', '.join(known)} 中至少指定一列，实际没有。",
            )
        )
    return {name: known[name] for name in names}


# one column


class _Table(NamedTuple):
    rows: list[Segment]
    left_out: int


class _Spread(NamedTuple):
    """For each value: standard errors of D and of COPC, and how many units they rest on."""

    difference: Array
    copc: Array
    units: Array


def _table(s: Sample, codes: Codes, min_rows: int, level: float) -> _Table:
    """All values of a column at once: sums by code, and by code and group."""
    counts = np.bincount(codes.codes, minlength=codes.n)
    kept = np.flatnonzero(counts >= min_rows)
    left_out = int(np.count_nonzero(counts)) - len(kept)
    if not len(kept):
        return _Table([], left_out)
    number = np.full(codes.n, -1)
    number[kept] = np.arange(len(kept))
    code = number[codes.codes]
    if (code < 0).any():
        inside = np.flatnonzero(code >= 0)
        s, code = s.rows(inside), code[inside]
    n = len(kept)
    w = np.ones(len(s)) if s.weight is None else s.weight
    p = s.probability
    weight, positives, expected = (np.bincount(code, x, n) for x in (w, w * s.label, w * p))
    copc = np.divide(positives, expected, out=np.full(n, nan), where=expected > 0)
    spread = _spread(s, code, n, w, p, copc, expected)
    step = np.divide(np.bincount(code, w * w * p, n), expected**2, out=np.full(n, nan), where=expected > 0)
    rows = []
    for i in range(n):
        units = int(spread.units[i])
        rows.append(
            Segment(
                column=codes.column,
                value=codes.name_of(int(kept[i])),
                rows=int(counts[kept[i]]),
                groups=None if s.group is None else units,
                weight=float(weight[i]),
                positives=float(positives[i]),
                expected=float(expected[i]),
                copc=float(copc[i]),
                copc_interval=_interval(float(copc[i]), float(spread.copc[i]), units, float(step[i]), level),
                p_value=two_sided(float(positives[i] - expected[i]), float(spread.difference[i]), units),
                p_corrected=nan,
                is_significant=False,
            )
        )
    return _Table(rows, left_out)


def _spread(s: Sample, code: Array, n: int, w: Array, p: Array, copc: Array, expected: Array) -> _Spread:
    gap, influence = w * (s.label - p), w * (s.label - np.nan_to_num(copc)[code] * p)
    if s.group is None:
        units = np.bincount(code, minlength=n)
        off = gap - (np.bincount(code, gap, n) / units)[code]
        squares, of_copc = np.bincount(code, off**2, n), np.bincount(code, influence**2, n)
    else:
        squares, units = squared_cluster_sums(code, n, s.group, s.n_groups, gap, centred=True)
        of_copc, _ = squared_cluster_sums(code, n, s.group, s.n_groups, influence)
    more = np.divide(units, units - 1, out=np.full(n, nan), where=units > 1)
    model = np.bincount(code, w * w * p * (1 - p), n)
    with np.errstate(divide="ignore", invalid="ignore"):
        return _Spread(np.sqrt(np.maximum(squares * more, model)), np.sqrt(of_copc * more) / expected, units)


def _interval(copc: float, error: float, units: int, step: float, level: float) -> Interval:
    """COPC ± t · error; without any positive up to the rate at which none is still likely.

    `step` is what one positive adds to COPC.
    """
    if isnan(copc) or isnan(error):
        return Interval(nan, nan)
    if copc == 0:
        return Interval(0.0, -log((1 - level) / 2) * step)
    half = _quantile((1 + level) / 2, units - 1) * error
    return Interval(max(copc - half, 0.0), copc + half)


# all columns


def _corrected(found: list[Segment], alpha: float) -> list[Segment]:
    corrected = holm([x.p_value for x in found])
    return [replace(x, p_corrected=p, is_significant=p <= alpha) for x, p in zip(found, corrected, strict=True)]
