"""What a measure of labels and scores is: a value over a sample, and how each row moves it.

    @measure(title="Brier score", …)
    class Brier(PredictionMeasure):
        def value(self, s):
            return s.mean((s.probability - s.label) ** 2)

        def influence(self, s):
            return mean_influence(s, (s.probability - s.label) ** 2)

The influence values (Hampel 1974) of all rows sum to 0; summed per group and squared they give the variance of
the value, and those of two models on the same rows, taken from each other, the variance of the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, ClassVar, Protocol

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment.sample import Sample
from rankgauge.alignment.segments import Array
from rankgauge.measures.definition import Definition, Registry

__all__ = [
    "PREDICTIONS",
    "Case",
    "Facts",
    "PredictionMeasure",
    "Undefined",
    "group_means",
    "mean_influence",
    "measure",
    "ratio_influence",
]


class Undefined(Exception):
    """Why a measure has no value here. Measures raise it with a `Text`; the evaluation keeps the reason."""


class Facts(Protocol):
    """What decides whether rows can answer at all: a sample knows it, and the totals of rows that lie elsewhere."""

    def __len__(self) -> int: ...
    @property
    def is_soft(self) -> bool: ...
    @property
    def between(self) -> int: ...
    @property
    def scale(self) -> str: ...
    @property
    def outside(self) -> int: ...
    @property
    def ends(self) -> tuple[float, float]: ...
    @property
    def has_groups(self) -> bool: ...
    @property
    def has_both_classes(self) -> bool: ...
    @property
    def n_positives(self) -> float: ...
    @property
    def prevalence(self) -> float: ...


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


class PredictionMeasure(Definition):
    """Base of the measures of labels and scores."""

    summary: ClassVar[str] = "pooled"
    example: ClassVar[Case | None] = None
    needs: ClassVar[frozenset[str]] = frozenset()
    """What the rows must offer: `classes` (both), `hard` (0/1) labels, `probabilities`, `groups`."""

    ideal: ClassVar[float | None] = None
    """The value to come near to, where neither higher nor lower is better."""

    @property
    def direction(self) -> int:
        return super().direction if self.ideal is None else 0

    def goodness(self, values: Any) -> Any:
        if self.ideal is None:
            return super().goodness(values)
        ratio = np.asarray(values, dtype=np.float64) / self.ideal  # half is as far from 1 as twice
        far = np.abs(np.log(ratio, where=~(ratio <= 0), out=np.full(ratio.shape, inf)))
        return -far if far.ndim else -float(far)

    def value(self, s: Sample) -> float:
        """The number for all rows together."""
        raise NotImplementedError  # pragma: no cover - every measure has its own

    def influence(self, s: Sample) -> Array | None:
        """How much each row moves the value; None where no such number exists."""
        return None

    def clusters(self, s: Sample) -> Array | None:
        """The influence of each independent unit: of each group, or of each row where there are no groups."""
        rows = self.influence(s)
        return None if rows is None else s.by_cluster(rows)

    def per_group(self, s: Sample) -> Array | None:
        """The value of each group by itself, NaN where it has none; None where groups are too small to have one."""
        return None

    def beside(self, s: Sample) -> dict[str, Any]:
        """What a reader must know to read the value: base rates, counts, the direction."""
        return {}

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
                    f"({low:g} to {high:g}). If they are logits: scale='logit'",
                    f"需要概率；{len(s):,} 个得分中有 {outside:,} 个在 [0, 1] 之外（{low:g} 到 {high:g}）。"
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


PREDICTIONS: Registry[PredictionMeasure] = Registry("labels and scores")


def group_means(s: Sample, top: Array, bottom: Array | None = None) -> Array:
    """Σ w·top / Σ w·bottom in each group; without `bottom` the weighted mean."""
    assert s.group is not None
    above = np.bincount(s.group, weights=s.weigh(top), minlength=s.n_groups)
    below = np.bincount(s.group, weights=s.weigh(np.ones(len(s)) if bottom is None else bottom), minlength=s.n_groups)
    made: Array = np.divide(above, below, out=np.full(s.n_groups, np.nan), where=below != 0)
    return made


def ratio_influence(s: Sample, numerator: Array, denominator: Array | float, value: float, total: float) -> Array:
    """Of Σ w·numerator / Σ w·denominator, whose value and denominator are known."""
    return s.weigh(numerator - value * denominator) / total


def mean_influence(s: Sample, values: Array, mean: float | None = None) -> Array:
    """Of the weighted mean of values, one per row."""
    mean = s.mean(values) if mean is None else mean
    return ratio_influence(s, values, 1.0, mean, s.total)


def measure(
    *,
    title: str,
    family: str,
    question: str,
    formula: str,
    needs: Sequence[str],
    aliases: Sequence[str] = (),
    spellings: Mapping[str, Mapping[str, Any]] = {},
    edges: str = "",
    reference: str = "",
    same: Mapping[str, str] = {},
    differs: Mapping[str, str] = {},
    bounds: tuple[float, float] = (0.0, 1.0),
    higher_is_better: bool = True,
    example: Case | None = None,
    side: str = "",
) -> Callable[[type[PredictionMeasure]], type[PredictionMeasure]]:
    """Registers a measure of labels and scores; the words are those of ranking measures."""
    record = {
        "title": title,
        "family": family,
        "question": question,
        "formula": formula,
        "edges": edges,
        "reference": reference,
        "same": dict(same),
        "differs": dict(differs),
        "bounds": bounds,
        "higher_is_better": higher_is_better,
        "needs": frozenset(needs),
        "example": example,
        "side": side,
    }
    return lambda cls: PREDICTIONS.add(cls, aliases, spellings, record)
