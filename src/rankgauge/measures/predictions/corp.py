"""Where does the loss come from: wrong probabilities, a weak order, or the task itself?

    S = MCB - DSC + UNC

UNC is the loss of always saying the base rate, DSC what the best probabilities that keep the order of the scores
(isotonic regression) take off it, MCB what the given probabilities lose against those. Dimitriadis, Gneiting & Jordan
(2021). No bins, exact for every proper score.
"""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment.bracket import Bracket
from rankgauge.alignment.isotonic import isotonic
from rankgauge.alignment.sample import Sample
from rankgauge.alignment.segments import Array
from rankgauge.measures.parameters import choice
from rankgauge.measures.predictions.base import (
    NEEDS_ROWS,
    Beside,
    Case,
    PredictionMeasure,
    Undefined,
    mean_influence,
    measure,
)
from rankgauge.measures.predictions.sums import OfSums, RowSums, SampleSums, Totals, row_losses, squares

_FAMILY = Text("Split of the loss", "损失的分解")
_OF_UNC = {"of UNC": Beside(Text("of UNC", "占 UNC"), "share")}
_REFERENCE = "Dimitriadis, Gneiting & Jordan, PNAS 118 (2021)"


def recalibrated(s: Sample) -> Array:
    """For each block of equal scores the best probability that keeps the order of the scores."""
    _, weight, positive = s.blocks
    start, mean = isotonic(positive, weight)
    return np.repeat(mean, np.diff(np.append(start, len(weight))))


class _Part(PredictionMeasure):
    loss: str = choice(
        "log",
        "brier",
        doc=Text("whose loss is split: LogLoss or Brier", "分解哪种损失：LogLoss 或 Brier"),
        also={"logloss": "log", "log_loss": "log"},
    )

    def _block_loss(self, s: Sample, p: Array) -> float:
        """The loss when every block of equal scores says p."""
        _, weight, positive = s.blocks
        if self.loss == "brier":
            sums = positive * (1 - p) ** 2 + (weight - positive) * p**2
        else:
            safe = np.clip(p, 1e-300, None), np.clip(1 - p, 1e-300, None)
            sums = -(positive * np.log(safe[0]) + (weight - positive) * np.log(safe[1]))
        # soft labels: the squared spread inside a row is part of Brier, the same for every p
        extra = 0.0
        if s.is_soft and self.loss == "brier":
            extra = s.sum(s.label**2 - s.label)
        return float((np.sum(sums) + extra) / s.total)

    def given(self, s: Sample) -> float:
        """The loss of the probabilities as they are."""
        return SampleSums.of(s).ratio("loss" if self.loss == "log" else "squared", "weight")

    def best(self, s: Sample) -> float:
        return self._block_loss(s, recalibrated(s))

    def base(self, s: Sample) -> float:
        return self._block_loss(s, np.full(len(s.blocks.score), s.prevalence))

    def rows(self, s: Sample, p: Array) -> Array:
        """The loss of each row when it says p."""
        if self.loss == "brier":
            return np.asarray((p - s.label) ** 2)
        clipped = np.clip(p, 1e-300, None), np.clip(1 - p, 1e-300, None)
        made: Array = -(s.label * np.log(clipped[0]) + (1.0 - s.label) * np.log(clipped[1]))
        return made

    def bracket(self, t: Totals) -> tuple[Bracket, dict[str, Any]]:
        raise Undefined(NEEDS_ROWS)  # isotonic regression looks at every score


@measure(
    title=Text("Miscalibration", "校准损失"),
    family=_FAMILY,
    question=Text(
        "How much of the loss would right probabilities for the same order of scores save?",
        "得分顺序不变、概率改为正确值，能减少多少损失？",
    ),
    formula=Text("MCB = S(p) - S(isotonic regression of y on p)", "MCB = S(p) - S(y 对 p 的保序回归)"),
    needs=("probabilities",),
    aliases=["miscalibration"],
    bounds=(0.0, float("inf")),
    higher_is_better=False,
    edges=Text(
        "Never below 0; noise alone makes it a little positive. Compare it with UNC: MCB / UNC is how far "
        "recalibration would lower NE. Its interval is only a guide near 0.",
        "不会低于 0；仅噪声就会使它略高于 0。请与 UNC 对比：MCB / UNC 就是重新校准能使 NE 降低的幅度。接近 0 时，"
        "其区间仅供参考。",
    ),
    reference=_REFERENCE,
    same={"model-diagnostics": "decompose: miscalibration"},
    read_with=_OF_UNC,
    example=Case([0, 1], [0.4, 0.4], "((0.4**2 + 0.6**2) - 2 * 0.5**2) / 2", params={"loss": "brier"}),
)
class MCB(_Part):
    """What recalibration would save.

    >>> round(MCB(loss="brier").of([0, 1], [.4, .4]), 4)
    0.01
    """

    def value(self, s: Sample) -> float:
        return max(self.given(s) - self.best(s), 0.0)

    def influence(self, s: Sample) -> Array:
        given = row_losses(s) if self.loss == "log" else squares(s)
        return mean_influence(s, given - self.rows(s, recalibrated(s)[s.block_of_row]))

    def beside(self, s: Sample) -> dict[str, Any]:
        unc = self.base(s)
        return {"of UNC": self.value(s) / unc} if unc else {}


@measure(
    title=Text("Discrimination", "区分度"),
    family=_FAMILY,
    question=Text(
        "How much loss does the order of the scores save over always saying the base rate?",
        "与始终预测基准率相比，得分的排序减少了多少损失？",
    ),
    formula=Text("DSC = S(base rate) - S(isotonic regression of y on p)", "DSC = S(基准率) - S(y 对 p 的保序回归)"),
    needs=("probabilities",),
    aliases=["discrimination"],
    bounds=(0.0, float("inf")),
    edges=Text(
        "The same for every strictly increasing transform of the scores, as AUC. 0 when the order is worthless.",
        "与 AUC 一样，对得分做任何严格递增变换都不变。排序毫无价值时为 0。",
    ),
    reference=_REFERENCE,
    same={"model-diagnostics": "decompose: discrimination"},
    read_with=_OF_UNC,
    example=Case([0, 1], [0.1, 0.2], "(2 * 0.5**2) / 2 - 0", params={"loss": "brier"}),
)
class DSC(_Part):
    """What the order of the scores is worth.

    >>> DSC(loss="brier").of([0, 1], [.1, .2])
    0.25
    """

    def value(self, s: Sample) -> float:
        return max(self.base(s) - self.best(s), 0.0)

    def influence(self, s: Sample) -> Array:
        base = self.rows(s, np.full(1, s.prevalence))
        return mean_influence(s, base - self.rows(s, recalibrated(s)[s.block_of_row]))

    def beside(self, s: Sample) -> dict[str, Any]:
        unc = self.base(s)
        return {"of UNC": self.value(s) / unc} if unc else {}


@measure(
    title=Text("Uncertainty", "不确定性"),
    family=_FAMILY,
    question=Text(
        "How hard is the task: what is the loss of always saying the base rate?",
        "任务有多难：始终预测基准率的损失是多少？",
    ),
    formula=Text(
        "UNC = S(base rate): the entropy of the base rate, or r (1 - r) for Brier",
        "UNC = S(基准率)：基准率的熵，Brier 时为 r (1 - r)",
    ),
    needs=("probabilities",),
    aliases=["uncertainty"],
    bounds=(0.0, float("inf")),
    higher_is_better=False,
    edges=Text("A property of the labels, not of the model.", "由标签决定，与模型无关。"),
    reference=_REFERENCE,
    same={"model-diagnostics": "decompose: uncertainty"},
    example=Case([0, 1, 0, 0], [0.1, 0.2, 0.3, 0.1], "0.25 * 0.75", params={"loss": "brier"}),
)
class UNC(_Part):
    """The loss without a model.

    >>> UNC(loss="brier").of([0, 1], [.1, .2])
    0.25
    """

    def of_sums(self, t: RowSums) -> OfSums:
        r, weight, positive = t.prevalence, t.sum("weight"), t.sum("positive")
        if self.loss == "brier":  # soft labels: the squared spread inside a row is part of Brier
            value = (positive * (1 - r) ** 2 + (weight - positive) * r**2 + t.sum("excess")) / weight
            return OfSums(value, {"positive": 1 - 2 * r, "excess": 1.0, "weight": r**2 - value}, weight)
        of_positive, of_negative = (-log(max(x, 1e-300)) for x in (r, 1 - r))
        value = (positive * of_positive + (weight - positive) * of_negative) / weight
        return OfSums(value, {"positive": of_positive - of_negative, "weight": of_negative - value}, weight)
