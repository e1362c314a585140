"""What evaluations of rows have in common: one number per measure over all rows, with interval and company.

Of labels and scores (`record.py`) as of several classes (`classes.py`). A sample is what their measures look at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

import numpy as np

from rankgauge._numbers import counted, number
from rankgauge._plain_data import plain_of, read_columns, read_value, stored_fields
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.predictions.differences import Difference, difference, resampled_error
from rankgauge.evaluation.predictions.joint_errors import Joint
from rankgauge.evaluation.predictions.policy import PredictionPolicy
from rankgauge.evaluation.predictions.stored_influence import influence_of, stored_influence
from rankgauge.evaluation.record import Evaluation, Evaluations, plain
from rankgauge.measures.definition import Definition
from rankgauge.measures.predictions.base import RowMeasure, Undefined
from rankgauge.statistics.clusters import standard_error, t_interval_of
from rankgauge.statistics.intervals import Interval, check_level, degrees_of_freedom

if TYPE_CHECKING:
    import polars as pl

__all__ = ["CERTIFIED", "Estimate", "RowEvaluation", "RowEvaluations", "estimate", "heavy_rows", "of_one_group"]

CERTIFIED = ("certified low", "certified high")
"""What a value that is known between bounds has beside it."""

_MOST_VALUES = 50  # a segment column with more values is an id, not a segment


@dataclass(frozen=True, eq=False)
class Estimate:
    """One measure over all rows."""

    label: str
    """What the user calls it."""
    measure: RowMeasure
    value: float
    reason: str = ""
    """Why there is no value, where there is none."""
    sample: Any = None
    """The rows that it was computed of: a `Sample` or a `ClassSample`; None where they are not at hand."""
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
            return str(self.sample.digest)
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
        return float("nan") if self.clusters is None else standard_error(self.clusters, self.left)

    @cached_property
    def n(self) -> int:
        """Independent units: groups that have rows, or rows."""
        if self.stored is not None:
            return int(self.stored["n"])
        assert self.sample is not None
        return int(self.sample.n_units)

    @cached_property
    def left(self) -> float:
        """What weights leave of the units, on which intervals rest: all of them where rows have no weights."""
        if self.stored is not None:
            return float(self.stored.get("left", self.n))
        return self.measure.left(self.sample)

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


_FEW = 30  # units of equal weight


def of_one_group(n: int, has_groups: bool) -> tuple[Text, ...]:
    """The remark where all rows are one unit."""
    if not has_groups or n > 1:
        return ()
    return (Text("no intervals: all rows are of one group", "没有置信区间：所有行都属于同一组"),)


def heavy_rows(n: int, left: float, has_groups: bool) -> tuple[Text, ...]:
    """The remark where a few units outweigh all others: the numbers follow them, and little is known of their error."""
    if left >= min(_FEW, n / 4):
        return of_one_group(n, has_groups)
    units = counted(n, "group", "个分组") if has_groups else counted(n, "row", "行")
    said = number(left, 1)
    if degrees_of_freedom(left) < 1:
        rest = Text("too few for the interval of a number over all of them", "由全部行得到的数没有置信区间")
    else:
        rest = Text("intervals rest on that many", "置信区间按此计算")
    return (
        Text(
            f"a few outweigh all others: weights leave {said} of {units.en} ((Σw)²/Σw²); {rest.en}",
            f"少数权重压过其余：{units.zh}按权重只相当于 {said}（(Σw)²/Σw²）；{rest.zh}",
        ),
    )


def estimate(label: str, m: RowMeasure, s: Any) -> Estimate:
    """The number, or the reason why there is none."""
    try:
        m.check(s)
        return Estimate(label, m, m.value(s), sample=s)
    except Undefined as e:
        return Estimate(label, m, float("nan"), e.args[0], s)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RowEvaluation(Evaluation):
    """Numbers of one model on one set of rows: `ev["AUC"]`, `ev.interval("AUC")`, `ev.undefined`, `ev.slices`."""

    columns: Sequence[Estimate]
    policy: PredictionPolicy
    model: str = "score"
    data: str = "predictions"
    predictions: Any = None
    """The rows; None after reading a stored evaluation."""
    sample: Any = None
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
        return self.data, counted(self.counts["rows"], "row", "行")

    @classmethod
    def _parsed(cls, name: Any) -> RowMeasure:
        """The measure of this kind that a text names."""
        raise NotImplementedError  # pragma: no cover - each kind has its own measures

    def _parse(self, name: Any) -> RowMeasure:
        return self._parsed(name)

    def _total(self, column: Estimate) -> float:
        return column.value

    def column(self, name: str | Definition) -> Estimate:
        """The estimate of a measure, under any of its names."""
        return cast("Estimate", super().column(name))

    def n(self, name: str | Definition) -> int:
        """How many independent units the interval of this measure rests on: groups, or rows without groups."""
        n: int = self.column(name).n
        return n

    @property
    def undefined(self) -> dict[str, str]:
        """The measures that have no value here, and why."""
        return {c.label: c.reason for c in self.columns if c.reason}

    def interval(
        self,
        name: str | Definition,
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

        Where rows have weights it rests on what these leave of the units, (Σw)²/Σw² (Kish 1965); below 2 there is none.
        """
        c: Estimate = self.column(name)
        level = self.confidence_level if confidence_level is None else confidence_level
        check_level(level)
        if method == "influence":
            found = t_interval_of(c.value, c.error, c.left, level)
        elif method == "bootstrap":
            error = resampled_error([c.measure], [self._rows()], rng, resamples)
            found = t_interval_of(c.value, error, c.left, level)
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

    def _rows(self) -> Any:
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
        other: RowEvaluation,
        name: str | Definition,
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

    def evaluate(self, *measures: str) -> Self:
        """The same rows under other measures; what was sorted is not sorted again."""
        known = {c.measure: c for c in self.columns}
        columns = []
        for text in measures:
            m = self._parse(text)
            columns.append(known[m].called(text) if m in known else estimate(text, m, self._rows()))
        return replace(self, columns=columns, stored_slices=None)

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
        """A Polars frame: `group`, `rows`, what these are, then a column per measure that a single group can have."""
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
            **{name: values[filled] for name, values in self._of_groups(s).items()},
        }
        for c in self.columns:
            values = None if c.reason else c.measure.per_group(s)
            if values is not None:
                data[c.label] = pl.Series(values[filled], nan_to_null=True)
        return pl.DataFrame(data)

    def _of_groups(self, s: Any) -> dict[str, Array]:
        """What the rows of each group are, beside their number."""
        return {}

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
                    **({} if c.left == c.n else {"left": c.left}),
                    "beside": {k: plain(v) for k, v in c.beside.items()},
                    **influence[i],
                }
                for i, (row, c) in enumerate(zip(self.csv_rows(), self.columns, strict=True))
            ],
            "notes": list(self.notes),
        }
        together = next((c.joint[0] for c in self.columns if c.joint is not None), None)
        if together is not None:
            out["errors_together"] = stored_fields(together)
        if self.has_slices:
            out["slices"] = plain_of(self.slices)
        return self._stored(out | self._also())

    @classmethod
    def _given(cls, data: Any) -> dict[str, Any]:
        """The fields that all evaluations of rows have, from what was stored."""
        from rankgauge.evaluation.stored_shapes import refuse_beyond

        check_level(data["confidence_level"])
        together = read_value(Joint, data["errors_together"]) if "errors_together" in data else None
        columns = [
            Estimate(
                row["measure"],
                cls._parsed(row["definition"]),
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
        return {
            "columns": columns,
            "policy": PredictionPolicy(**data["policy"]),
            "counts": dict(data["counts"]),
            "confidence_level": data["confidence_level"],
            "remarks": tuple(data["notes"]),
            "version": data["rankgauge"],
            "model": data["model"],
            "data": data["data"],
            "stored_slices": read_columns(_sliced(labels), data["slices"], "slices") if "slices" in data else None,
        }


E = TypeVar("E", bound=RowEvaluation)


class RowEvaluations(Evaluations[E]):
    """Evaluations of several models on the same rows, by name."""

    @classmethod
    def of_stored(cls, members: Mapping[str, E]) -> Self:
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

    def difference(self, name: str | Definition, model: str, baseline: str | None = None) -> Difference:
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


def _sliced(labels: Sequence[str]) -> dict[str, Any]:
    """The types of the columns of `slices`."""
    return {"slice": str, "value": str | float | bool | None, "rows": int, **dict.fromkeys(labels, float)}


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)
