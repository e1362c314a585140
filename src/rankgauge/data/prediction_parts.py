"""Predictions in pieces: each piece is checked as a whole table is, and what only all of them tell comes last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rankgauge._show import show
from rankgauge._text import Text, in_language, zh
from rankgauge.data._arrays import Array, Checks, Given, from_series, soft_labels
from rankgauge.data.frames import row
from rankgauge.data.predictions import left_out
from rankgauge.errors import InputError, ParameterError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Part", "PredictionParts"]


class Part(NamedTuple):
    """Some rows, none of weight 0."""

    label: Array
    """bool, or float64 where some labels of this part are soft."""
    scores: dict[str, Array]
    weight: Array | None
    group: pl.Series | None


class PredictionParts:
    """Checks pieces one after the other and remembers what they have in common."""

    def __init__(self, where: str, positive: Any = None, place: str = "") -> None:
        """`place` is said after the number of a row, where rows are numbered in parts."""
        self.where, self.positive = where, positive
        self.rows = self.zero_weight_rows = 0
        self.group = ""
        """The column of groups, if there is one."""
        self.has_weight = False
        self._checks = _Checks(where, lambda i: row(self.rows + i) + place, [])
        self._group_type: Any = None

    def take(self, frame: pl.DataFrame) -> Part:
        """The rows of a canonical frame."""
        label: Array | None = None
        scores: dict[str, Array] = {}
        weight = group = None
        for values in frame:
            role, _, column = values.name.partition(":")
            given = from_series(values, role)
            if role == "label":
                label = self._checks.label(given, column, self.positive)
            elif role == "score":
                scores[column] = self._checks.score(given, column) if len(given) else given
            elif role == "weight":
                weight = self._checks.weight(given, column) if len(given) else given
                self.has_weight = True
            elif role == "group":
                group = values
                self.group = column
                self._check_group(values, given, column)
            elif role == "time" and len(given):
                self._checks.time(given, column)
            elif role == "segment":
                raise ParameterError(
                    Text(
                        f"{self.where}: slices are made in memory, got {show(column)} for rows that are read in "
                        "pieces. Leave slices= out, pass engine='memory', or evaluate each slice by itself.",
                        f"{zh(self.where)}：切片须在内存中计算，而 {show(column)} 所在的行是分块读取的。请去掉 "
                        "slices=，或传入 engine='memory'，或对每个切片单独评测。",
                    )
                )
        self._checks.finish()
        assert label is not None
        self.rows += frame.height
        if weight is None or not len(weight) or weight.min() > 0:
            return Part(label, scores, weight, group)
        kept = np.flatnonzero(weight)
        self.zero_weight_rows += frame.height - len(kept)
        scores = {name: values[kept] for name, values in scores.items()}
        return Part(label[kept], scores, weight[kept], None if group is None else group.gather(kept))

    def _check_group(self, values: pl.Series, given: Given, column: str) -> None:
        if values.null_count():
            self._checks.group(given, column)
        if self._group_type not in (None, values.dtype):
            raise InputError(
                Text(
                    f"{self.where}: group {show(column)} must be of one type in all parts, "
                    f"got {self._group_type} and {values.dtype}. Write it as text in all of them.",
                    f"{zh(self.where)}：分组 {show(column)} 在各部分中必须是同一类型，实际为 {self._group_type} "
                    f"和 {values.dtype}。请在所有部分中都写成文本。",
                )
            )
        self._group_type = values.dtype

    def to_dict(self) -> dict[str, Any]:
        """What was seen so far, in values that JSON knows."""
        notes = [[str(note), str(in_language(note, "zh"))] for note in self._checks.notes]
        return {
            "rows": self.rows,
            "zero_weight_rows": self.zero_weight_rows,
            "group": self.group,
            "has_weight": self.has_weight,
            "notes": notes,
            **{name: getattr(self._checks, name) for name in _SEEN},
        }

    def add(self, seen: Mapping[str, Any]) -> None:
        """Takes in what was seen elsewhere, as `to_dict` tells it."""
        self.rows += seen["rows"]
        self.zero_weight_rows += seen["zero_weight_rows"]
        self.group, self.has_weight = self.group or seen["group"], self.has_weight or seen["has_weight"]
        checks = self._checks
        checks.notes += [Text(*note) for note in seen["notes"]]
        checks.between += seen["between"]
        for name in _SEEN[1:]:
            setattr(checks, name, getattr(checks, name) or seen[name])

    def finish(self) -> tuple[str, ...]:
        """The notes on all rows; an error where all of them together are not what they must be."""
        if not self.rows:
            raise InputError(
                Text(
                    f"{self.where}: must have at least one row, got none.",
                    f"{zh(self.where)}：至少要有一行，实际没有。",
                )
            )
        if self.zero_weight_rows == self.rows:
            raise InputError(
                Text(
                    f"{self.where}: weight must be positive in some rows, got 0 in all {self.rows:,}.",
                    f"{zh(self.where)}：权重至少在部分行中必须为正，实际 {self.rows:,} 行全为 0。",
                )
            )
        self._checks.all_seen()
        self._checks.finish()
        notes = list(dict.fromkeys(self._checks.notes))
        if self._checks.between:
            notes.append(soft_labels(self._checks.between, self.rows))
        if self.zero_weight_rows:
            notes.append(left_out(self.zero_weight_rows))
        return tuple(notes)


_SEEN = ("between", "has_minus_one", "has_zero", "found_positive", "missed")


class _Checks(Checks):
    """Leaves to the end what one part cannot know."""

    between = 0
    has_minus_one = False
    has_zero = False
    """Labels 0 or between 0 and 1, which rule out -1."""
    found_positive = False
    missed = ""
    """What to say if `positive` is in no row at all."""

    def weight(self, values: Array, column: str) -> Array:
        return values.astype(np.float64) if not values.any() else super().weight(values, column)

    def label(self, values: Given, column: str, positive: Any = None) -> Array:
        if not len(values):
            return np.zeros(0, dtype=bool)
        found = super().label(values, column, positive)
        if positive is None and isinstance(values, np.ndarray):
            least = values.min()
            self.has_minus_one = self.has_minus_one or bool(least < 0)
            self.has_zero = self.has_zero or bool(0 <= least < 1)
        return found

    def _other_label(self, values: Array, what: str) -> Array:
        notes = len(self.notes)
        found = super()._other_label(values, what)
        if found.dtype != np.bool_:
            del self.notes[notes:]  # the count of all parts is told at the end
            self.between += int(np.count_nonzero((values > 0) & (values < 1)))
        return found

    def finish(self) -> None:
        super().finish()
        if self.has_minus_one and self.has_zero:
            raise InputError(
                Text(
                    f"{self.where}: labels must be 0 and 1 or -1 and 1 throughout, got -1 in one part and 0 (or a "
                    "number "
                    "between 0 and 1) in another. Recode one of them.",
                    f"{zh(self.where)}：标签必须统一为 0 和 1，或统一为 -1 和 1，实际一部分中有 -1，"
                    "另一部分中有 0（或 0 与 1 之间的数字）。请重新编码其中一部分。",
                )
            )

    def _must_occur(self, hits: Array, values: Array, what: str, positive: Any) -> None:
        self.found_positive = self.found_positive or bool(hits.any())
        if not self.found_positive and not self.missed:
            super()._must_occur(hits, values, what, positive)
            self.missed = self.problems.pop() if self.problems else ""

    def all_seen(self) -> None:
        """`positive` must be in some row of some part."""
        if self.missed and not self.found_positive:
            self.problems.append(self.missed)
