"""Which rows to learn from, and which to judge on?

What was fitted or chosen on some rows looks too good on the same ones. With times the earlier rows are for learning
and the later ones for judging, as in use; without times whole groups (users, queries) are drawn for one side or the
other, since two rows of one user are no independent evidence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from rankgauge._checks import is_number
from rankgauge._numbers import short
from rankgauge._plain_data import read_value
from rankgauge._rng import random_generator
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge._words import as_meant
from rankgauge.alignment import Array
from rankgauge.alignment.sample import Sample
from rankgauge.data.predictions import Predictions
from rankgauge.errors import InputError, ParameterError, UnknownName, suggest
from rankgauge.evaluation.policy_fields import check_policy, fields_of
from rankgauge.evaluation.predictions.asking import sample_of
from rankgauge.evaluation.predictions.policy import PredictionPolicy, PredictionWords
from rankgauge.evaluation.predictions.record import PredictionEvaluation, PredictionEvaluations

__all__ = ["InputOptions", "OneModel", "RowOptions", "Split", "check_split", "one_model", "split_rows"]

_Kind = Literal["time", "group", "row", "validation", "none"]
_SPLITS = ("auto", "time", "half")


class RowOptions(PredictionWords, total=False):
    """How labels and scores are read: the options of `evaluate_predictions`, but for slices."""

    policy: PredictionPolicy | None
    columns: Mapping[str, str] | None
    scores: Sequence[str] | str | None
    label: str | None
    weight: str | None
    group: str | None
    time: str | None
    positive: Any
    name: str


class InputOptions(RowOptions, total=False):
    """The same with slices."""

    slices: Sequence[str] | str | None


@dataclass(frozen=True, eq=False)
class OneModel:
    """The scores of one model, with their rows."""

    rows: Predictions
    sample: Sample
    model: str

    def need_probabilities(self, caller: str) -> None:
        """Refuse scores that only order rows."""
        s = self.sample
        if s.scale != "score":
            return
        outside = int(np.count_nonzero(~((s.score >= 0) & (s.score <= 1))))
        got = f"{outside:,} of {len(s):,} outside" if outside else "scale='score'"
        raise InputError(
            f"{caller}: scores of {show(self.model)} must be probabilities between 0 and 1, got {got} "
            f"({short(s.score.min())} to {short(s.score.max())}) in {show(self.rows.name)}. "
            "Pass scale='logit' if they are log-odds; scores that only order rows have no calibration."
        )

    def select(self, rows: Array) -> OneModel:
        return OneModel(self.rows.select(rows), self.sample.rows(rows), self.model)


def one_model(predictions: Any, model: str | None, reading: InputOptions, caller: str) -> OneModel:
    """The rows of one model, from an evaluation or from whatever holds predictions."""
    unknown = [key for key in reading if key not in InputOptions.__annotations__]
    if unknown:
        known = InputOptions.__annotations__
        raise ParameterError(
            f"{caller}: options must be among {', '.join(known)}, got {show(unknown[0])}.{suggest(unknown[0], known)}"
        )
    if isinstance(predictions, PredictionEvaluations):
        predictions = predictions[_model(model, list(predictions), caller)]
    if isinstance(predictions, PredictionEvaluation):
        return _evaluated(predictions, model, reading, caller)
    given: dict[str, Any] = dict(reading)
    words = {name: given.pop(name, None) for name in ("policy", *fields_of(PredictionPolicy))}
    check_policy(words["policy"], PredictionPolicy, caller)
    rows = Predictions.of(predictions, **given)
    chosen = _model(model, list(rows.scores), caller)
    return OneModel(rows, sample_of(rows, chosen, PredictionPolicy.decided(**words)), chosen)


def _evaluated(ev: PredictionEvaluation, model: str | None, reading: InputOptions, caller: str) -> OneModel:
    if reading:
        raise ParameterError(
            f"{caller}: an evaluation has been read already, got {', '.join(reading)}. Pass the predictions instead."
        )
    if ev.predictions is None or ev.sample is None:
        raise InputError(
            f"{caller}: this evaluation was stored and has no rows, or was computed in pieces. Pass the predictions."
        )
    return OneModel(ev.predictions, ev.sample, _model(model, [ev.model], caller))


def _model(model: str | None, known: Sequence[str], caller: str) -> str:
    if model is None and len(known) == 1:
        return known[0]
    if model is None:
        raise ParameterError(
            f"{caller}: looks at one model, got {len(known)}: {', '.join(known)}. Pass model={show(known[0])}."
        )
    if model not in known:
        raise UnknownName(
            f"{caller}: no model {show(model)}.{suggest(str(model), known)} There are: {', '.join(known)}."
        )
    return model


@dataclass(frozen=True, eq=False)
class Split:
    """Rows to learn from and rows to judge on, as ascending row numbers; none are kept when it is stored."""

    fit: Array = field(repr=False)
    judge: Array = field(repr=False)
    kind: str
    """time (earlier and later rows), group (whole groups), row, validation (other rows) or none (the same rows)."""
    cut: str = ""
    """With times, the first one that is judged."""

    def to_dict(self) -> dict[str, Any]:
        """How rows were split, as plain values; not which rows."""
        return {"kind": self.kind, "cut": self.cut}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Split:
        """From what `to_dict` gave, without row numbers."""
        none = np.zeros(0, dtype=np.int64)
        return cls(none, none, read_value(_Kind, data.get("kind"), "split.kind"), read_value(str, data.get("cut", "")))

    @property
    def text(self) -> str:
        """The split in words."""
        how = {
            "time": Text(
                f"fitted on rows before {self.cut}, judged on the rest", f"用 {self.cut} 之前的行拟合，用其余的行检验"
            ),
            "group": Text("fitted on some groups, judged on the others", "用一部分组拟合，用其余的组检验"),
            "row": Text("fitted on some rows, judged on the others", "用一部分行拟合，用其余的行检验"),
            "validation": Text("fitted on the validation rows, judged on the others", "用验证集的行拟合，用其他行检验"),
            "none": Text("fitted and judged on the same rows", "用相同的行拟合和检验"),
        }
        return how[self.kind]


def check_split(split: Any) -> Any:
    """The word or the share of rows; anything else is refused."""
    if isinstance(split, str) and as_meant(split) in _SPLITS:
        return as_meant(split)
    if is_number(split) and 0 < split < 1:
        return split
    hint = suggest(split, _SPLITS) if isinstance(split, str) else ""
    raise ParameterError(
        f"`split` must be one of {', '.join(_SPLITS)}, or the share of rows to learn from, between 0 and 1, "
        f"got {show(split)}.{hint}"
    )


def split_rows(rows: Predictions, split: str | float = "auto", rng: Any = 0) -> Split:
    """Part the rows into those to learn from and those to judge on.

    time   the earlier half learns, the later judges; rows of the same time stay together
    half   half of the groups (of the rows where there are no groups), drawn by `rng`; groups stay whole
    auto   time where rows have different times, half otherwise
    0.7    as auto, with this share of the rows to learn from

    With times a group may be on both sides, as its later rows will be in use. Refused where one side would be empty.
    """
    split = check_split(split)
    share = 0.5 if isinstance(split, str) else float(split)
    if split == "time" and rows.time is None:
        raise ParameterError("split='time' needs a time for each row, got none. Pass time='…', or split='half'.")
    if rows.time is not None and split != "half" and (split == "time" or rows.time.min() < rows.time.max()):
        return _by_time(rows.time, share)
    return _by_draw(rows, share, random_generator(rng))


def _by_time(time: Array, share: float) -> Split:
    moments, count = np.unique(time, return_counts=True)
    if len(moments) < 2:
        raise InputError(f"split by time: rows must have two times or more, all have {moments[0]}. Pass split='half'.")
    cut = moments[_nearest(count, share)]
    return Split(np.flatnonzero(time < cut), np.flatnonzero(time >= cut), "time", _moment(cut))


def _moment(time: Any) -> str:
    """A time as people write it: midnight as the date alone."""
    return re.sub(r"(T00:00:00)?(\.0+)?$", "", str(time)) if isinstance(time, np.datetime64) else str(time)


def _by_draw(rows: Predictions, share: float, generator: np.random.Generator) -> Split:
    unit = np.arange(len(rows)) if rows.group is None else rows.group.codes
    kind, noun = ("row", "rows") if rows.group is None else ("group", "groups")
    names, place, count = np.unique(unit, return_inverse=True, return_counts=True)
    if len(names) < 2:
        raise InputError(f"split: needs two {noun} or more to learn from one and judge on another, got {len(names)}.")
    order = generator.permutation(len(names))
    learns = np.zeros(len(names), dtype=bool)
    learns[order[: _nearest(count[order], share)]] = True
    of_row = learns[place]
    return Split(np.flatnonzero(of_row), np.flatnonzero(~of_row), kind)


def _nearest(count: Array, share: float) -> int:
    """How many of the units hold nearest to this share of the rows, at least one and not all."""
    before = np.cumsum(count)[:-1]
    return int(np.argmin(np.abs(before - share * count.sum()))) + 1
