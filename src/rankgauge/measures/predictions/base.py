"""What a measure of labels and scores is, and the ways in which rows become its value.

    @measure(title="Brier score", …)
    class Brier(Quotient):
        top = "squared"

from sums      `of_sums`: a function of sums over rows
from groups    `of_groups`: what each group counts, and its value
from rows      `value` and `influence` of all rows in order, with `bracket`: the bounds that bins of scores leave

A measure writes one of them; the same lines answer in memory, in pieces, from a state and on Spark. One that needs
every row says so as its `bracket`.

The influence values (Hampel 1974) of all rows sum to 0; summed per group and squared they give the variance of
the value, and those of two models on the same rows, taken from each other, the variance of the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, ClassVar, Protocol, Unpack, cast

import numpy as np

from rankgauge._numbers import short
from rankgauge._text import Text
from rankgauge.alignment.bracket import Bracket
from rankgauge.alignment.sample import Sample
from rankgauge.alignment.segments import Array
from rankgauge.alignment.weighted_rows import units_left
from rankgauge.measures.definition import Definition, RecordWords, Registry, V
from rankgauge.measures.predictions.sums import (
    EVERY_ROW,
    NEGATIVES,
    POSITIVES,
    CountedRows,
    Facts,
    OfSums,
    RowSums,
    SampleSums,
    Terms,
    Totals,
)
from rankgauge.statistics.exact_sums import exact_sum

__all__ = [
    "PREDICTIONS",
    "Beside",
    "Case",
    "Facts",
    "GroupSums",
    "PredictionMeasure",
    "Quotient",
    "RowMeasure",
    "Undefined",
    "Wanted",
    "Whole",
    "mean_influence",
    "measure",
]


_TOO_LARGE = Text("the ratio is beyond all numbers", "比值超出可表示的范围")


class Undefined(Exception):
    """Why a measure has no value here. Measures raise it with a `Text`; the evaluation keeps the reason."""


@dataclass(frozen=True)
class Beside:
    """How a number is called that stands beside a value, and how it is written: number, share or p."""

    text: str
    kind: str = "number"


@dataclass(frozen=True)
class Wanted:
    """What has to be added up in a first pass over rows, besides what all measures share."""

    threshold: float | None = None
    width: int | None = None
    """A number of bins of equal width."""
    along: bool = False
    """What was predicted, along the scores."""


class Whole(Protocol):
    """What groups have to know of the rows of other groups."""

    @property
    def n_positives(self) -> float: ...
    @property
    def n_negatives(self) -> float: ...
    def won(self, s: Sample) -> Array:
        """For each row the weight of pairs that it wins as a positive, or that are won against it as a negative."""
        ...


@dataclass(frozen=True)
class GroupSums:
    """What all groups add up to: the two sums of a measure, and pairs inside groups."""

    totals: Totals
    n: int
    top: float
    below: float
    both: int
    """Groups with both classes, and their rows."""
    rows_of_both: int
    won: float
    pairs: float


NEEDS_ROWS = Text(
    "needs all rows in memory at once. Pass engine='memory' or a larger memory=, or evaluate a sample of the rows",
    "需要把所有行同时放入内存。请传入 engine='memory' 或更大的 memory=，或对抽样的行求值",
)


@dataclass(frozen=True)
class Case:
    """Rows few enough to check by hand, and the arithmetic as a Python expression."""

    label: Sequence[float]
    score: Sequence[float]
    sum: str
    weight: Sequence[float] | None = None
    group: Sequence[int] | None = None
    params: Mapping[str, Any] = field(default_factory=dict)

    def rows(self) -> list[dict[str, float]]:
        """Row by row, the highest score first."""
        columns = {"label": self.label, "score": self.score, "weight": self.weight, "group": self.group}
        given = {name: values for name, values in columns.items() if values is not None}
        made = [dict(zip(given, row, strict=True)) for row in zip(*given.values(), strict=True)]
        return sorted(made, key=lambda row: (row.get("group", 0), -row["score"]))


class RowMeasure(Definition):
    """Base of all measures of rows: of labels and scores, and of classes."""

    summary: ClassVar[str] = "pooled"
    example: ClassVar[Any] = None
    needs: ClassVar[frozenset[str]] = frozenset()
    """What the rows must offer: `classes` (both), `hard` (0/1) labels, `probabilities`, `groups`."""

    ideal: ClassVar[float | None] = None
    """The value to come near to, where neither higher nor lower is better."""

    needs_spread: ClassVar[bool] = False
    """Whether a difference in which all units say the same may rest on one row: then nothing is known of its error."""

    @property
    def direction(self) -> int:
        return super().direction if self.ideal is None else 0

    def goodness(self, values: V) -> V:
        if self.ideal is None:
            return super().goodness(values)
        ratio = np.asarray(values, dtype=np.float64) / self.ideal  # half is as far from 1 as twice
        far = np.abs(np.log(ratio, where=~(ratio <= 0), out=np.full(ratio.shape, inf)))
        return cast("V", -far if far.ndim else -float(far))

    def about_p(self, label: str) -> Text | None:
        """What a p-value beside a difference of this measure is about, where it is not the difference; else None."""
        if self.ideal is None:
            return None
        return Text(
            f"{label}: the nearer to {short(self.ideal)}, as a ratio, the better; "
            "p says whether one is nearer than the other",
            f"{label}：按比值越接近 {short(self.ideal)} 越好；p 检验的是哪一个更接近",
        )

    # what each kind says of its samples

    def check(self, s: Any) -> None:
        """Raise `Undefined` where the rows cannot answer."""

    def value(self, s: Any) -> float:
        """The number for all rows together."""
        raise NotImplementedError  # pragma: no cover - every measure has its own

    def influence(self, s: Any) -> Array | None:
        """How much each row moves the value; None where no such number exists."""
        raise NotImplementedError  # pragma: no cover

    def clusters(self, s: Any) -> Array | None:
        """The influence of each independent unit: of each group, or of each row where there are no groups."""
        rows = self.influence(s)
        made: Array | None = None if rows is None else s.by_cluster(rows)
        return made

    def excess(self, s: Any) -> float:
        """How much less equally the units share the value because of weights: `alignment/weighted_rows.py`."""
        found: float = s.excess()
        return found

    def left(self, s: Any) -> float:
        """What weights leave of the independent units that the value rests on."""
        return units_left(s.n_units, self.excess(s) if s.weight is not None else 0.0)

    def per_group(self, s: Any) -> Array | None:
        """The value of each group by itself, NaN where it has none; None where groups are too small to have one."""
        return None

    def beside(self, s: Any) -> dict[str, Any]:
        """What a reader must know to read the value: base rates, counts, the direction."""
        return {}

    def valid_groups(self, beside: Mapping[str, Any]) -> tuple[int, int, float | None] | None:
        """Of what stands beside a value: groups that count, all groups, the share of rows of the former."""
        if not {"valid groups", "groups"} <= beside.keys():
            return None
        return beside["valid groups"], beside["groups"], beside.get("rows kept")

    def clipped(self, beside: Mapping[str, Any]) -> tuple[int, float] | None:
        """Of what stands beside a value: rows whose probability was clipped, and their share of the value."""
        return None


class PredictionMeasure(RowMeasure):
    """Base of the measures of labels and scores."""

    example: ClassVar[Case | None] = None

    # how it is made

    @property
    def is_grouped(self) -> bool:
        """Whether it is made from groups."""
        return False

    holds_by_expected: ClassVar[bool] = False
    """Whether rows without any positive tell much, where many were expected."""
    is_across: ClassVar[bool] = False
    """Whether groups have to know the rows of other groups: `Whole`."""

    @property
    def wanted(self) -> Wanted:
        """What has to be added up for it where rows lie in parts."""
        return Wanted()

    @property
    def rests_on(self) -> tuple[CountedRows, ...]:
        """The rows that share the value among them: a heavy one of them decides it, however light it is in all."""
        both = "classes" in self.needs and not self.is_grouped
        return (EVERY_ROW, POSITIVES, NEGATIVES) if both else (EVERY_ROW,)

    def excess(self, s: Sample) -> float:
        return max(s.excess(counted.of(s)) for counted in self.rests_on)

    def of_sums(self, t: RowSums) -> OfSums | None:
        """From sums over all rows; None where they do not tell."""
        return None

    def beside_sums(self, t: RowSums) -> dict[str, Any]:
        """What to read it with, from sums over all rows."""
        return {}

    def of_groups(self, s: Sample) -> tuple[Array, Array]:
        """What each group counts, 0 where it has no value, and its value: the mean of those is the measure."""
        raise NotImplementedError  # pragma: no cover - of measures made from groups

    def lines(self, s: Sample, whole: Whole) -> list[Array]:
        """What is divided and by what, for each group that has rows."""
        weight, value = self.of_groups(s)
        return [(weight * value)[s.filled], weight[s.filled]]

    def of_group_sums(self, g: GroupSums) -> tuple[Bracket, float, dict[str, Any]]:
        """The number, the sum that it is divided by, and what to read it with."""
        if not g.below:
            raise self.nowhere(g.n)
        return Bracket.exact(g.top / g.below), g.below, self.beside_groups(g)

    def beside_groups(self, g: GroupSums) -> dict[str, Any]:
        """What to read it with, from what groups add up to."""
        return {}

    def nowhere(self, n_groups: int) -> Undefined:
        """Why the mean over groups is undefined where none has a value."""
        raise NotImplementedError  # pragma: no cover - of measures made from groups

    def bracket(self, t: Totals) -> tuple[Bracket, dict[str, Any]]:
        """Between which bounds it lies where scores are known as far as their bins, and what to read it with."""
        raise Undefined(NEEDS_ROWS)

    # what follows from it

    def value(self, s: Sample) -> float:
        """The number for all rows together."""
        if self.is_grouped:
            weight, value = self.of_groups(s)
            if not weight.any():
                raise self.nowhere(int(s.filled.sum()))
            return exact_sum(weight * value) / exact_sum(weight)
        found = self.of_sums(SampleSums.of(s))
        assert found is not None
        return found.value

    def influence(self, s: Sample) -> Array | None:
        """How much each row moves the value; None where no such number exists."""
        found = None if self.is_grouped else self.of_sums(SampleSums.of(s))
        return None if found is None else found.influence(s)

    def clusters(self, s: Sample) -> Array | None:
        """The influence of each independent unit: of each group, or of each row where there are no groups."""
        if self.is_grouped:
            weight, value = self.of_groups(s)
            made: Array = (weight * (value - self.value(s)) / weight.sum())[s.filled]
            return made
        found = self.of_sums(SampleSums.of(s))
        if found is not None:
            return found.clusters(s)
        return super().clusters(s)

    def beside(self, s: Sample) -> dict[str, Any]:
        """What a reader must know to read the value: base rates, counts, the direction."""
        return self.beside_sums(SampleSums.of(s))

    def check(self, s: Facts) -> None:
        """Raise `Undefined` where the rows cannot answer."""
        if "hard" in self.needs and s.is_soft:
            between = s.between
            raise Undefined(
                Text(
                    f"needs labels 0 and 1; {between:,} of {len(s):,} are between",
                    f"需要 0 和 1 的标签；{len(s):,} 个中有 {between:,} 个介于两者之间",
                )
            )
        if "probabilities" in self.needs and s.scale == "score":
            outside, (low, high) = s.outside, s.ends
            raise Undefined(
                Text(
                    f"needs probabilities; {outside:,} of {len(s):,} scores are outside [0, 1] "
                    f"({short(low)} to {short(high)}). If they are logits: scale='logit'",
                    f"需要概率；{len(s):,} 个得分中有 {outside:,} 个在 [0, 1] 之外（{short(low)} 到 {short(high)}）。"
                    "如果是 logit：scale='logit'",
                )
            )
        if "groups" in self.needs and not s.has_groups:
            raise Undefined(Text("needs a group for each row, such as user_id", "每一行都需要分组，例如 user_id"))
        if "classes" in self.needs and not s.has_both_classes:
            only = 1 if s.n_positives else 0
            raise Undefined(
                Text(
                    f"needs both classes; all {len(s):,} labels are {only}",
                    f"需要两类样本；{len(s):,} 个标签全是 {only}",
                )
            )

    def of(
        self,
        label: Sequence[float],
        score: Sequence[float],
        weight: Sequence[float] | None = None,
        group: Sequence[int] | None = None,
    ) -> float:
        """Value of a few rows; groups are whole numbers from 0 on. NaN where it is undefined."""
        y = np.asarray(label, dtype=np.float64)
        hard = bool(np.isin(y, (0, 1)).all())
        s = np.asarray(score, dtype=np.float64)
        sample = Sample(
            y.astype(bool) if hard else y,
            s,
            None if weight is None else np.asarray(weight, dtype=np.float64),
            None if group is None else np.asarray(group),
            0 if group is None else max(group) + 1,
            "probability" if bool(((s >= 0) & (s <= 1)).all()) else "score",
        )
        try:
            self.check(sample)
            return self.value(sample)
        except Undefined:
            return float("nan")


class Quotient(PredictionMeasure):
    """Σ w·top / Σ w·bottom over rows, by the names of what is added up."""

    top: ClassVar[str]
    bottom: ClassVar[str] = "weight"
    empty: ClassVar[str] = ""
    """Why it is undefined where its denominator is 0."""

    def of_sums(self, t: RowSums) -> OfSums:
        below = t.sum(self.bottom)
        if not below:
            raise Undefined(self.empty)
        try:
            value = t.ratio(self.top, self.bottom)
        except OverflowError:  # probabilities so small that nothing is expected
            raise Undefined(_TOO_LARGE) from None
        return OfSums(value, {self.top: 1.0, self.bottom: -value}, below)

    def per_group(self, s: Sample) -> Array:
        assert s.group is not None
        terms = Terms(s)
        above, below = (np.bincount(s.group, terms.weighed(x), s.n_groups) for x in (self.top, self.bottom))
        made: Array = np.divide(above, below, out=np.full(s.n_groups, np.nan), where=below != 0)
        return made


def mean_influence(s: Sample, values: Array) -> Array:
    """Of the weighted mean of values, one per row."""
    return s.weigh(values - s.mean(values)) / s.total


# the registry


class PredictionRecordWords(RecordWords, total=False):
    """What the record of a measure of labels and scores may say; `RowMeasure` says what each word means."""

    example: Case | None
    ideal: float | None
    read_with: Mapping[str, Beside]


PREDICTIONS: Registry[PredictionMeasure] = Registry(
    Text("labels and scores", "标签与得分"), PredictionMeasure, PredictionRecordWords
)


def measure(**record: Unpack[PredictionRecordWords]) -> Callable[[type[PredictionMeasure]], type[PredictionMeasure]]:
    """Registers a measure of labels and scores."""
    return PREDICTIONS.registering(record)
