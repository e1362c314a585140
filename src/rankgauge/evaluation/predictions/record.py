"""The result of evaluating labels and scores: one number per measure over all rows, with interval and company."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from rankgauge._checks import one_of, whole
from rankgauge._numbers import counted
from rankgauge._plain_data import fields_of, plain_of, read_columns, read_value
from rankgauge._show import show
from rankgauge._text import Text, zh
from rankgauge.alignment import Array
from rankgauge.alignment.sample import Sample
from rankgauge.alignment.sweep import Confusion
from rankgauge.data.predictions import Predictions
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.predictions.differences import Difference, difference, resampled_error
from rankgauge.evaluation.predictions.joint_errors import Joint
from rankgauge.evaluation.predictions.policy import PredictionPolicy
from rankgauge.evaluation.predictions.stored_influence import influence_of, stored_influence
from rankgauge.evaluation.record import Evaluation, Evaluations, plain
from rankgauge.measures.grammar import parse_prediction
from rankgauge.measures.predictions.base import Facts, PredictionMeasure, Undefined
from rankgauge.statistics.clusters import standard_error, t_interval_of
from rankgauge.statistics.intervals import Interval, check_level

if TYPE_CHECKING:
    import polars as pl

__all__ = ["CERTIFIED", "Estimate", "PredictionEvaluation", "PredictionEvaluations", "counts_of", "estimate"]

CERTIFIED = ("certified low", "certified high")
"""What a value that is known between bounds has beside it."""

_MOST_VALUES = 50  # a segment column with more values is an id, not a segment


@dataclass(frozen=True, eq=False)
class Estimate:
    """One measure over all rows."""

    label: str
    """What the user calls it."""
    measure: PredictionMeasure
    value: float
    reason: str = ""
    """Why there is no value, where there is none."""
    sample: Sample | None = None
    stored: Mapping[str, Any] | None = None
    """What was computed before the evaluation was stored, or from rows that lie elsewhere."""
    joint: tuple[Joint, int] | None = None
    """Where rows lie elsewhere: the errors of all numbers together, and the place of this one."""

    def called(self, label: str) -> Estimate:
        """The same numbers under another name; what was computed stays computed."""
        if label == self.label:
            return self
        out = Estimate(label, self.measure, self.value, self.reason, self.sample, self.stored, self.joint)
        out.__dict__.update({k: v for k, v in self.__dict__.items() if k not in ("label",)})
        out.__dict__["label"] = label
        return out

    @cached_property
    def clusters(self) -> Array | None:
        """The influence of each independent unit on the value."""
        if self.stored is not None and not self.reason:
            return influence_of(self.stored)
        if self.sample is None or self.reason:
            return None
        return self.measure.clusters(self.sample)

    @cached_property
    def rows(self) -> str:
        """A digest of the rows: two numbers are paired where theirs agree; empty where they are not known."""
        if self.sample is not None:
            return self.sample.digest
        return "" if self.stored is None else str(self.stored.get("rows", ""))

    @property
    def can_be_paired(self) -> bool:
        """Whether it is known what each unit does to the value, or that nothing is."""
        is_kept = self.stored is None or self.stored.get("influence", "") is not None
        return self.joint is not None or (bool(self.rows) and is_kept)

    @cached_property
    def error(self) -> float:
        """The standard error; NaN where the measure has none."""
        if self.stored is not None:
            return _number(self.stored["standard_error"])
        return float("nan") if self.clusters is None else standard_error(self.clusters)

    @cached_property
    def n(self) -> int:
        """Independent units: groups that have rows, or rows."""
        if self.stored is not None:
            return int(self.stored["n"])
        assert self.sample is not None
        return len(self.sample) if self.sample.group is None else int(self.sample.filled.sum())

    @cached_property
    def beside(self) -> dict[str, Any]:
        """What to read the value with: base rates, counts, noise floors."""
        if self.stored is not None:
            return dict(self.stored["beside"])
        return {} if self.reason or self.sample is None else self.measure.beside(self.sample)

    @property
    def certain(self) -> Interval:
        """The bounds between which the number of these rows lies for certain; the value itself where it is exact."""
        said = {} if self.stored is None else self.beside
        low, high = (said.get(name, self.value) for name in CERTIFIED)
        return Interval(low, high)


def estimate(label: str, m: PredictionMeasure, s: Sample) -> Estimate:
    """The number, or the reason why there is none."""
    try:
        m.check(s)
        return Estimate(label, m, m.value(s), sample=s)
    except Undefined as e:
        return Estimate(label, m, float("nan"), e.args[0], s)


def counts_of(s: Facts, groups: int | None, zero_weight_rows: int) -> dict[str, Any]:
    """What went into the numbers."""
    return {
        "rows": len(s),
        "positives": s.n_positives,
        "prevalence": s.prevalence,
        "weight": s.total,
        "groups": groups,
        "zero_weight_rows": zero_weight_rows,
        "soft_labels": s.between,
    }


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PredictionEvaluation(Evaluation, kind="predictions", schema=1):
    """Numbers of one model on one set of rows.

    `ev["AUC"]` is a number, under any spelling of its name; `ev.interval("AUC")` says how far it can be trusted, with
    rows of one group counted as one unit; `ev.undefined` says why a number is missing; `ev.column("ECE").beside` what
    to read it with.
    """

    columns: Sequence[Estimate]
    policy: PredictionPolicy
    model: str = "score"
    data: str = "predictions"
    predictions: Predictions | None = None
    """The rows; None after reading a stored evaluation."""
    sample: Sample | None = None
    stored_slices: Mapping[str, Sequence[Any]] | None = field(default=None, repr=False)
    """The columns of `slices`, where the evaluation was stored."""

    @property
    def read_from(self) -> list[Path]:
        """The file of the rows, where it is known."""
        return [] if self.predictions is None or self.predictions.path is None else [self.predictions.path]

    @property
    def _system(self) -> str:
        return self.model

    @property
    def _about(self) -> tuple[str, str]:
        return self.data, counted(self.counts["rows"], "row", "行").en

    def _parse(self, name: Any) -> PredictionMeasure:
        return parse_prediction(name)

    def _total(self, column: Estimate) -> float:
        return column.value

    def column(self, name: str | PredictionMeasure) -> Estimate:
        """The estimate of a measure, under any of its names."""
        return cast("Estimate", super().column(name))

    def n(self, name: str | PredictionMeasure) -> int:
        """How many independent units the interval of this measure rests on: groups, or rows without groups."""
        n: int = self.column(name).n
        return n

    @property
    def undefined(self) -> dict[str, str]:
        """The measures that have no value here, and why."""
        return {c.label: c.reason for c in self.columns if c.reason}

    def interval(
        self,
        name: str | PredictionMeasure,
        confidence_level: float | None = None,
        *,
        method: str = "influence",
        rng: Any = 0,
        resamples: int = 1000,
    ) -> Interval:
        """Confidence interval of a number, clustered by group.

        `method="influence"` sums the influence of the rows of each group; it is undefined (NaN) for ECE, MCE and ECCE,
        whose noise is printed beside them. `method="bootstrap"` draws groups again, for any measure; it computes
        everything `resamples` times. Undefined, too, where there is no spread to learn from: the AUC of perfectly
        separated rows is 1, and these rows cannot say how near to 1 it is.
        """
        c: Estimate = self.column(name)
        level = self.confidence_level if confidence_level is None else confidence_level
        check_level(level)
        if method == "influence":
            found = t_interval_of(c.value, c.error, c.n, level)
        elif method == "bootstrap":
            error = resampled_error([c.measure], [self._rows()], rng, resamples)
            found = t_interval_of(c.value, error, c.n, level)
        else:
            raise ParameterError(
                Text(
                    f"`method` must be 'influence' or 'bootstrap', got {show(method)}.",
                    f"`method` 必须是 'influence' 或 'bootstrap'，实际为 {show(method)}。",
                )
            )
        if found.low == found.high:  # all units say the same, as when every pair is in order: no spread to learn from
            return Interval(float("nan"), float("nan"))
        if isnan(found.low):
            return found
        low, high = c.certain
        return Interval(found.low - (c.value - low), found.high + (high - c.value)).clipped(*c.measure.bounds)

    def _rows(self) -> Sample:
        if self.sample is None:
            raise InputError(
                Text(
                    "this evaluation was stored and has no rows, or they were read in pieces; "
                    "evaluate the predictions again, with engine='memory' where they fit.",
                    "这个评测是存储的，没有行，或行是分块读取的；请重新评测预测数据，内存放得下时用 engine='memory'。",
                )
            )
        return self.sample

    def difference(
        self,
        other: PredictionEvaluation,
        name: str | PredictionMeasure,
        confidence_level: float | None = None,
        *,
        rng: Any = 0,
        resamples: int = 1000,
    ) -> Difference:
        """This model minus another one on the same rows, paired and clustered by group."""
        mine, theirs = self.column(name), other.column(name)
        level = self.confidence_level if confidence_level is None else confidence_level
        check_level(level)
        return difference(mine, theirs, self.model, other.model, level, rng, resamples)

    def evaluate(self, *measures: str) -> PredictionEvaluation:
        """The same rows under other measures; what was sorted is not sorted again."""
        known = {c.measure: c for c in self.columns}
        columns = []
        for text in measures:
            m = parse_prediction(text)
            columns.append(known[m].called(text) if m in known else estimate(text, m, self._rows()))
        return replace(self, columns=columns, stored_slices=None)

    # curves and thresholds

    def confusion(self, threshold: float) -> Confusion:
        """Rows (or their weight) by label and side of a threshold: tp, fp, fn, tn."""
        return self._hard_rows().sweep.confusion(threshold)

    def curve(self, kind: str = "roc", points: int | None = None) -> pl.DataFrame:
        """The curve over all distinct thresholds, the highest first: `roc`, `pr` or `gain`.

        Columns: `threshold`, then `fpr, tpr`, or `recall, precision`, or `share, gain, lift`. `points` keeps about so
        many of them, and always the first and the last: spread evenly along the curve (roc), over the positives (pr),
        or over the rows (gain).
        """
        import polars as pl

        sweep = self._hard_rows().sweep
        p, n = sweep.n_positives, sweep.n_negatives
        along = {"roc": sweep.tp / p + sweep.fp / n, "pr": sweep.tp}.get(kind, sweep.tp + sweep.fp)
        kept = _spread(along, points)
        threshold, tp, fp = sweep.thresholds[kept], sweep.tp[kept], sweep.fp[kept]
        curves = {
            "roc": {"fpr": fp / n, "tpr": tp / p},
            "pr": {"recall": tp / p, "precision": tp / (tp + fp)},
            "gain": {"share": (tp + fp) / (p + n), "gain": tp / p, "lift": tp / p * (p + n) / (tp + fp)},
        }
        if kind not in curves:
            one_of("kind", kind, curves)
        columns = {"threshold": threshold, **curves[kind]}
        if kind == "roc":  # where nothing is called positive
            start = {"threshold": np.inf, "fpr": 0.0, "tpr": 0.0}
            columns = {name: np.concatenate(([start[name]], values)) for name, values in columns.items()}
        return pl.DataFrame(columns)

    def _hard_rows(self) -> Sample:
        s = self._rows()
        if s.is_soft or not s.has_both_classes:
            raise InputError(
                Text(
                    f"{self.data}: a curve needs labels 0 and 1, both of them.",
                    f"{zh(self.data)}：曲线需要标签同时有 0 和 1。",
                )
            )
        return s

    # tables

    def csv_rows(self) -> list[dict[str, Any]]:
        """The rows of `to_frame` as dicts."""
        rows = []
        for c in self.columns:
            low, high = self.interval(c.label)
            rows.append(
                {
                    "measure": c.label,
                    "definition": str(c.measure),
                    "value": c.value,
                    "low": low,
                    "high": high,
                    "n": c.n,
                    "undefined": c.reason or None,
                }
            )
        return rows

    @cached_property
    def per_group(self) -> pl.DataFrame:
        """A Polars frame: `group`, `rows`, `positives`, then a column per measure that a single group can have."""
        import polars as pl

        s = self._rows()
        if s.group is None or self.predictions is None or self.predictions.group is None:
            raise ParameterError(
                Text(
                    "there are no groups. Pass group='user_id', or a column of that name.",
                    "没有分组。请传入 group='user_id'，或提供该名称的列。",
                )
            )
        filled = np.flatnonzero(s.filled)
        names = self.predictions.group
        data: dict[str, Any] = {
            "group": [names.name_of(int(i)) for i in filled],
            "rows": np.bincount(s.group, minlength=s.n_groups)[filled],
            "positives": np.bincount(s.group, weights=s.weigh(s.label), minlength=s.n_groups)[filled],
        }
        for c in self.columns:
            values = None if c.reason else c.measure.per_group(s)
            if values is not None:
                data[c.label] = pl.Series(values[filled], nan_to_null=True)
        return pl.DataFrame(data)

    @property
    def has_slices(self) -> bool:
        """Whether there are segments to slice by, or slices that were stored."""
        has_segments = self.predictions is not None and bool(self.predictions.segments)
        return has_segments or self.stored_slices is not None

    @cached_property
    def slices(self) -> pl.DataFrame:
        """One row per value of each segment: `slice`, `value`, `rows`, then a column per measure."""
        import polars as pl

        if self.stored_slices is not None:
            return pl.DataFrame(self.stored_slices, strict=False)
        s = self._rows()
        if self.predictions is None or not self.predictions.segments:
            raise ParameterError(
                Text("there are no slices. Pass slices=['device', …].", "没有切片。请传入 slices=['device', …]。")
            )
        rows = []
        for column, codes in self.predictions.segments.items():
            counts = np.bincount(codes.codes, minlength=codes.n)
            if np.count_nonzero(counts) > _MOST_VALUES:
                continue
            for code in np.flatnonzero(counts):
                part = s.rows(np.flatnonzero(codes.codes == code))
                row: dict[str, Any] = {"slice": column, "value": codes.name_of(int(code)), "rows": int(counts[code])}
                for c in self.columns:
                    row[c.label] = estimate(c.label, c.measure, part).value
                rows.append(row)
        if not rows:
            raise ParameterError(
                Text(
                    f"no slice has {_MOST_VALUES} values or fewer; these are ids, not slices.",
                    f"没有切片的取值在 {_MOST_VALUES} 个以内；这些是 id，不是切片。",
                )
            )
        return pl.DataFrame(rows, infer_schema_length=None)

    # plain data

    def to_dict(self) -> dict[str, Any]:
        """Everything but the rows as plain Python values, nothing rounded; `rg.load` and `from_dict` read it back.

        The influence of each group (or row) on each number is stored with it, up to 1,000,000 numbers in all, so that
        stored evaluations of the same rows can be compared.
        """
        influence = stored_influence(self.columns)
        out = {
            "model": self.model,
            "data": self.data,
            "policy": self.policy.to_dict(),
            "confidence_level": self.confidence_level,
            "counts": dict(self.counts),
            "measures": [
                {
                    **{k: plain(v) for k, v in row.items()},
                    "standard_error": plain(c.error),
                    "beside": {k: plain(v) for k, v in c.beside.items()},
                    **influence[i],
                }
                for i, (row, c) in enumerate(zip(self.csv_rows(), self.columns, strict=True))
            ],
            "notes": list(self.notes),
        }
        together = next((c.joint[0] for c in self.columns if c.joint is not None), None)
        if together is not None:
            out["errors_together"] = fields_of(together)
        if self.has_slices:
            out["slices"] = plain_of(self.slices)
        return self._stored(out)

    @classmethod
    def _from_plain(cls, data: Any) -> Self:
        from rankgauge.evaluation.stored_shapes import StoredPredictions, refuse_beyond, refuse_damaged

        refuse_damaged(data, StoredPredictions)
        check_level(data["confidence_level"])
        together = read_value(Joint, data["errors_together"]) if "errors_together" in data else None
        columns = [
            Estimate(
                row["measure"],
                parse_prediction(row["definition"]),
                _number(row["value"]),
                row["undefined"] or "",
                stored=row,
                joint=None if together is None else (together, read_value(int, row.get("place", -1), "measures.place")),
            )
            for row in data["measures"]
        ]
        for row in data["measures"]:
            influence_of(row)  # a damaged one is told now
        labels = [c.label for c in columns]
        for column in columns:
            refuse_beyond(column.label, column.measure, [column.value])
        return cls(
            columns=columns,
            policy=PredictionPolicy(**data["policy"]),
            counts=dict(data["counts"]),
            confidence_level=data["confidence_level"],
            remarks=tuple(data["notes"]),
            version=data["rankgauge"],
            model=data["model"],
            data=data["data"],
            stored_slices=read_columns(_sliced(labels), data["slices"], "slices") if "slices" in data else None,
        )


class PredictionEvaluations(Evaluations[PredictionEvaluation], kind="predictions_by_name", schema=1):
    """Evaluations of several models on the same rows, by name."""

    @classmethod
    def of_stored(cls, members: Mapping[str, PredictionEvaluation]) -> Self:
        """Evaluations that were stored together: what is known of all errors together is one thing again."""
        known: list[Joint] = []

        def shared(c: Estimate) -> Estimate:
            if c.joint is None:
                return c
            one = next((j for j in known if j.equals(c.joint[0])), None)
            if one is None:
                known.append(one := c.joint[0])
            return replace(c, joint=(one, c.joint[1]))

        return cls({name: replace(ev, columns=[shared(c) for c in ev.columns]) for name, ev in members.items()})

    def difference(self, name: str | PredictionMeasure, model: str, baseline: str | None = None) -> Difference:
        """A model minus the baseline (the first model unless said), paired and clustered by group."""
        first = baseline if baseline is not None else next(iter(self))
        return self[model].difference(self[first], name)

    @property
    def differences(self) -> dict[str, dict[str, Difference]]:
        """Every model but the first against the first, by model and measure.

        Measures without influence values (ECE, MCE, ECCE) have no interval here: `difference` draws groups again for
        those, which takes its time. Empty where evaluations were stored without what pairs them.
        """
        first, *others = self
        if not all(c.can_be_paired for ev in self.values() for c in ev.columns):
            return {}
        return {
            m: {label: self[m].difference(self[first], label, resamples=0) for label in self[first].labels}
            for m in others
        }


def _spread(taken: Array, points: int | None) -> Array:
    """Which points of a curve to keep, evenly over the rows taken so far."""
    whole("points", points, at_least=2, optional=True)
    if points is None or len(taken) <= points:
        return np.arange(len(taken))
    wanted = np.linspace(taken[0], taken[-1], points)
    return np.unique(np.append(np.searchsorted(taken, wanted), [0, len(taken) - 1]).clip(max=len(taken) - 1))


def _sliced(labels: Sequence[str]) -> dict[str, Any]:
    """The types of the columns of `slices`."""
    return {"slice": str, "value": str | float | bool | None, "rows": int, **dict.fromkeys(labels, float)}


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)
