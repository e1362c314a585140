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
from rankgauge._text import Text, zh
from rankgauge._words import as_meant
from rankgauge.alignment import Array
from rankgauge.alignment.sample import Sample
from rankgauge.data.predictions import Predictions
from rankgauge.errors import InputError, ParameterError, UnknownName, among, suggest
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
        got = (
            Text(f"{outside:,} of {len(s):,} outside", f"{len(s):,} 个中有 {outside:,} 个在区间之外")
            if outside
            else Text("scale='score'", "为 scale='score'")
        )
        raise InputError(
            Text(
                f"{caller}: scores of {show(self.model)} must be probabilities between 0 and 1, got {got} "
                f"({short(s.score.min())} to {short(s.score.max())}) in {show(self.rows.name)}. "
                "Pass scale='logit' if they are log-odds; scores that only order rows have no calibration.",
                f"{zh(caller)}：{show(self.model)} 的得分必须是 0 与 1 之间的概率，"
                f"实际{zh(got)}（{short(s.score.min())} 到 {short(s.score.max())}），来自 "
                f"{show(self.rows.name)}。如果是对数几率，请传入 scale='logit'；只用于排序的得分没有校准可言。",
            )
        )

    def select(self, rows: Array) -> OneModel:
        return OneModel(self.rows.select(rows), self.sample.rows(rows), self.model)


def one_model(predictions: Any, model: str | None, reading: InputOptions, caller: str) -> OneModel:
    """The rows of one model, from an evaluation or from whatever holds predictions."""
    unknown = [key for key in reading if key not in InputOptions.__annotations__]
    if unknown:
        known = InputOptions.__annotations__
        raise ParameterError(
            Text(
                f"{caller}: options must be among {', '.join(known)}, got "
                f"{show(unknown[0])}.{suggest(unknown[0], known)}",
                f"{zh(caller)}：选项必须是 {', '.join(known)} 之一，实际为 {show(unknown[0])}。"
                f"{zh(suggest(unknown[0], known))}",
            )
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
            Text(
                f"{caller}: an evaluation has been read already, got {', '.join(reading)}. Pass the predictions "
                "instead.",
                f"{zh(caller)}：评测已经读取过数据，实际还传入了 {', '.join(reading)}。请改为传入预测数据。",
            )
        )
    if ev.predictions is None or ev.sample is None:
        raise InputError(
            Text(
                f"{caller}: this evaluation was stored and has no rows, or was computed in pieces. Pass the "
                "predictions.",
                f"{zh(caller)}：这个评测是存储的，没有行，或是分块计算的。请传入预测数据。",
            )
        )
    return OneModel(ev.predictions, ev.sample, _model(model, [ev.model], caller))


def _model(model: str | None, known: Sequence[str], caller: str) -> str:
    if model is None and len(known) == 1:
        return known[0]
    if model is None:
        raise ParameterError(
            Text(
                f"{caller}: looks at one model, got {len(known)}: {', '.join(known)}. Pass model={show(known[0])}.",
                f"{zh(caller)}：一次只看一个模型，实际有 {len(known)} 个：{', '.join(known)}。请传入 "
                f"model={show(known[0])}。",
            )
        )
    if model not in known:
        raise UnknownName(
            Text(f"{caller}: no model {show(model)}.", f"{zh(caller)}：没有模型 {show(model)}。") + among(model, known)
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
                f"fitted on rows before {self.cut}, judged on the rest",
                f"用时间 < {self.cut} 的数据拟合，用其余数据检验",
            ),
            "group": Text("fitted on some groups, judged on the others", "用一部分组的数据拟合，用其余组的数据检验"),
            "row": Text("fitted on some rows, judged on the others", "用一部分数据拟合，用其余数据检验"),
            "validation": Text("fitted on the validation rows, judged on the others", "用验证集拟合，用其余数据检验"),
            "none": Text("fitted and judged on the same rows", "用相同的数据拟合和检验"),
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
        Text(
            f"`split` must be one of {', '.join(_SPLITS)}, or the share of rows to learn from, between 0 and 1, "
            f"got {show(split)}.{hint}",
            f"`split` 必须是 {', '.join(_SPLITS)} 之一，或用于学习的行的比例（0 与 1 之间），实际为 "
            f"{show(split)}。{zh(hint)}",
        )
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
        raise ParameterError(
            Text(
                "split='time' needs a time for each row, got none. Pass time='…', or split='half'.",
                "split='time' 需要每行有时间，实际没有。请传入 time='…'，或 split='half'。",
            )
        )
    if rows.time is not None and split != "half" and (split == "time" or rows.time.min() < rows.time.max()):
        return _by_time(rows.time, share)
    return _by_draw(rows, share, random_generator(rng))


def _by_time(time: Array, share: float) -> Split:
    moments, count = np.unique(time, return_counts=True)
    if len(moments) < 2:
        raise InputError(
            Text(
                f"split by time: rows must have two times or more, all have {moments[0]}. Pass split='half'.",
                f"按时间划分：各行至少要有两个不同的时间，实际全为 {moments[0]}。请传入 split='half'。",
            )
        )
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
        raise InputError(
            Text(
                f"split: needs two {noun} or more to learn from one and judge on another, got {len(names)}.",
                f"划分：至少需要两个{'行' if rows.group is None else '分组'}，以便在一部分上学习、"
                f"在另一部分上评判，实际为 {len(names)} 个。",
            )
        )
    order = generator.permutation(len(names))
    learns = np.zeros(len(names), dtype=bool)
    learns[order[: _nearest(count[order], share)]] = True
    of_row = learns[place]
    return Split(np.flatnonzero(of_row), np.flatnonzero(~of_row), kind)


def _nearest(count: Array, share: float) -> int:
    """How many of the units hold nearest to this share of the rows, at least one and not all."""
    before = np.cumsum(count)[:-1]
    return int(np.argmin(np.abs(before - share * count.sum()))) + 1
