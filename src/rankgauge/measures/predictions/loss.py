"""How good are the probabilities, as probabilities? Proper scores: nothing beats telling the truth.

    LogLoss = -Σ w [y ln p + (1-y) ln(1-p)] / Σ w        Brier = Σ w (p - y)² / Σ w

p is clipped to [1e-15, 1 - 1e-15] in double precision, whatever precision it came in.
"""

from __future__ import annotations

from math import log, log1p
from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment.exact import exact_sum, exact_units
from rankgauge.alignment.pieces import in_pieces
from rankgauge.alignment.sample import Sample
from rankgauge.alignment.segments import Array
from rankgauge.measures.parameters import number
from rankgauge.measures.predictions.base import (
    Case,
    Facts,
    PredictionMeasure,
    Undefined,
    group_means,
    mean_influence,
    measure,
)

_FAMILY = "Loss"
CLIP = 1e-15
_CLIP_LOGIT = log((1 - CLIP) / CLIP)


def log_losses(label: Array, score: Array, scale: str = "probability") -> Array:
    """-[y ln p + (1-y) ln(1-p)] of each row; labels True/False or shares, scores probabilities or logits."""
    if scale == "logit":  # ln(1 + e^-|z|) neither overflows nor cancels
        z = np.clip(score, -_CLIP_LOGIT, _CLIP_LOGIT)
        made: Array = np.maximum(z, 0.0) - z * label + np.log1p(np.exp(-np.abs(z)))
        return made
    p = np.clip(score, CLIP, 1.0 - CLIP)
    of_negatives: Array = -np.log1p(-p)  # not log(1-p), which loses the digits of a small p
    if label.dtype == np.bool_:  # one logarithm a row
        ones = np.flatnonzero(label)
        of_negatives[ones] = -np.log(p[ones])
        return of_negatives
    soft: Array = (1.0 - label) * of_negatives - label * np.log(p)
    return soft


def clipped_rows(score: Array, scale: str = "probability") -> Array:
    """The rows whose probability is too near to 0 or 1 to be taken at its word."""
    if scale == "logit":
        return np.flatnonzero(np.abs(score) > _CLIP_LOGIT)
    return np.flatnonzero((score < CLIP) | (score > 1 - CLIP))


def row_losses(s: Sample, part: slice = slice(None)) -> Array:
    """The log loss of each row."""
    return log_losses(s.label[part], s.corrected(s.score[part]), s.scale)


def log_loss(s: Sample) -> float:
    """The weighted mean; piece by piece, so that no second array of all rows is needed."""

    def piece(part: slice) -> int:
        losses = row_losses(s, part)
        return exact_units(losses if s.weight is None else losses * s.weight[part])

    return sum(in_pieces(piece, len(s), 1 << 16)) / s.units


def entropy(rate: float) -> float:
    """The log loss of always saying the rate, where the rate is right."""
    return 0.0 if rate in (0.0, 1.0) else -rate * log(rate) - (1 - rate) * log1p(-rate)


@measure(
    title=Text("Logarithmic loss", "对数损失"),
    family=_FAMILY,
    question=Text(
        "How surprised are the probabilities by what happened?",
        "实际结果相对预测概率有多意外？",
    ),
    formula="LogLoss = -Σ w [y ln p + (1-y) ln(1-p)] / Σ w, natural logarithm, p clipped to [1e-15, 1 - 1e-15]",
    needs=("probabilities",),
    aliases=["log_loss", "cross_entropy", "binary_cross_entropy", "BCE", "logistic_loss", "negative_log_likelihood"],
    bounds=(0.0, float("inf")),
    higher_is_better=False,
    edges=Text(
        "Computed in double precision: float32 input gives the loss of those numbers. Clipped rows are counted, with "
        "their share of the loss. Defined for one class and for soft labels. It depends on the base rate: compare NE "
        "across data sets.",
        "以双精度计算：输入为 float32 时，得到的是这些数值本身的损失。被截断的行会计数，并给出它们占损失的比例。"
        "只有一个类别或软标签时同样有定义。它依赖基准率：跨数据集请比较 NE。",
    ),
    same={"scikit-learn": "log_loss for float64 input", "LightGBM": "binary_logloss"},
    differs={
        "scikit-learn": "clips at the precision of the input: 36.04, 15.94 or 6.93 for the same two wrong rows",
        "torchrec": "bits instead of nats: divided by ln 2",
        "PyTorch": "clamps each logarithm at -100",
    },
    example=Case([1, 0], [0.51, 0.49], "-(log(0.51) + log(1 - 0.49)) / 2"),
    side="probabilities",
)
class LogLoss(PredictionMeasure):
    """Mean negative log-likelihood.

    >>> round(LogLoss().of([1], [.001]), 6)
    6.907755
    """

    def value(self, s: Sample) -> float:
        return log_loss(s)

    def influence(self, s: Sample) -> Array:
        return mean_influence(s, row_losses(s), log_loss(s))

    def per_group(self, s: Sample) -> Array:
        return group_means(s, row_losses(s))

    def beside(self, s: Sample) -> dict[str, Any]:
        score = s.corrected(s.score)
        rows = clipped_rows(score, s.scale)
        if not len(rows):
            return {}
        lost = log_losses(s.label[rows], score[rows], s.scale)
        lost = lost if s.weight is None else lost * s.weight[rows]
        total = self.value(s) * s.total
        return {"clipped rows": len(rows), "their share of the loss": exact_sum(lost) / total if total else 0.0}


def _base() -> Any:
    return number(
        None,
        low=0,
        high=1,
        open_low=True,
        open_high=True,
        doc=Text(
            "rate to compare with: that of these rows, or a given one",
            "用于对比的基准率：这些行的，或给定的",
        ),
    )


class Relative(PredictionMeasure):
    """Log loss relative to always saying the base rate."""

    base: float | None = _base()

    def baseline(self, s: Facts) -> float:
        """The log loss of the base rate on these rows."""
        r = s.prevalence
        if self.base is not None:
            return -r * log(self.base) - (1 - r) * log(1 - self.base)
        if r in (0.0, 1.0):
            raise Undefined(
                Text(
                    f"the base rate is {r:g}: there is nothing to be uncertain about",
                    f"基准率为 {r:g}：没有任何不确定性",
                )
            )
        return entropy(r)

    def slope(self, s: Facts) -> float:
        """How the loss of the base rate rises with the share of positives."""
        r = s.prevalence if self.base is None else self.base
        return log((1 - r) / r)

    def ne(self, s: Sample) -> float:
        return log_loss(s) / self.baseline(s)

    def ne_influence(self, s: Sample) -> Array:
        below, slope = self.baseline(s), self.slope(s)
        loss, r = log_loss(s), s.prevalence
        rate = mean_influence(s, s.label, r)
        made: Array = mean_influence(s, row_losses(s), loss) / below - loss * slope / below**2 * rate
        return made

    def beside(self, s: Facts) -> dict[str, Any]:
        return {"base rate": s.prevalence if self.base is None else self.base}


@measure(
    title=Text("Normalised entropy", "归一化熵"),
    family=_FAMILY,
    question=Text(
        "What part of the uncertainty do the probabilities leave?",
        "预测概率之后还剩下多大比例的不确定性？",
    ),
    formula="NE = LogLoss / H(r);  H(r) = -r ln r - (1-r) ln(1-r), r the share of positives, or a given base",
    needs=("probabilities",),
    aliases=["normalized_entropy", "normalised_cross_entropy"],
    bounds=(0.0, float("inf")),
    higher_is_better=False,
    edges=Text(
        "Base rate 0 or 1: undefined. Above 1 the model is worse than always saying the base rate. It moves when the "
        "base rate drifts, even if the model does not: base= holds it at that of training.",
        "基准率为 0 或 1：无定义。高于 1 表示模型不如始终预测基准率。基准率漂移时，即使模型不变它也会变："
        "base= 可固定为训练时的基准率。",
    ),
    reference="He et al., Practical Lessons from Predicting Clicks on Ads at Facebook, ADKDD (2014)",
    same={"torcheval, torchrec": "normalized entropy", "scikit-learn": "1 - d2_log_loss_score"},
    example=Case([1, 0], [0.2, 0.3], "(-(log(0.2) + log(0.7)) / 2) / log(2)"),
)
class NE(Relative):
    """Log loss divided by that of the base rate.

    >>> round(NE().of([1, 0], [.2, .3]), 5)
    1.41825
    """

    def value(self, s: Sample) -> float:
        return self.ne(s)

    def influence(self, s: Sample) -> Array:
        return self.ne_influence(s)


@measure(
    title=Text("Relative information gain", "相对信息增益"),
    family=_FAMILY,
    question=Text(
        "What part of the uncertainty do the probabilities remove?",
        "预测概率消除了多大比例的不确定性？",
    ),
    formula="RIG = 1 - NE",
    needs=("probabilities",),
    aliases=["relative_information_gain", "d2_log_loss", "McFadden_R2"],
    bounds=(float("-inf"), 1.0),
    edges=Text(
        "As NE; below 0 the model is worse than always saying the base rate.",
        "与 NE 相同；低于 0 表示模型不如始终预测基准率。",
    ),
    same={"scikit-learn": "d2_log_loss_score"},
    example=Case([1, 0], [0.2, 0.3], "1 - (-(log(0.2) + log(0.7)) / 2) / log(2)"),
)
class RIG(Relative):
    """One minus normalised entropy.

    >>> round(RIG().of([1, 0], [.2, .3]), 5)
    -0.41825
    """

    def value(self, s: Sample) -> float:
        return 1 - self.ne(s)

    def influence(self, s: Sample) -> Array:
        return -self.ne_influence(s)


@measure(
    title=Text("Brier score", "布里尔分数"),
    family=_FAMILY,
    question=Text(
        "How far are the probabilities from what happened, squared?",
        "预测概率与实际结果的平方误差有多大？",
    ),
    formula="Brier = Σ w (p - y)² / Σ w",
    needs=("probabilities",),
    aliases=["brier_score", "brier_score_loss"],
    higher_is_better=False,
    edges=Text(
        "Defined for one class and for soft labels. At a small base rate it is close to the rate whatever the model "
        "says: read the split into MCB, DSC and UNC.",
        "只有一个类别或软标签时同样有定义。基准率很低时，不论模型怎么预测，它都接近基准率："
        "请看它分解出的 MCB、DSC 和 UNC。",
    ),
    reference="Brier, Monthly Weather Review 78 (1950)",
    same={"scikit-learn": "brier_score_loss"},
    example=Case([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3], "(0.1**2 + 0.1**2 + 0.2**2 + 0.3**2) / 4"),
)
class Brier(PredictionMeasure):
    """Mean squared difference of probability and label.

    >>> round(Brier().of([0, 1, 1, 0], [.1, .9, .8, .3]), 4)
    0.0375
    """

    def value(self, s: Sample) -> float:
        return s.mean(squares(s))

    def influence(self, s: Sample) -> Array:
        return mean_influence(s, squares(s))

    def per_group(self, s: Sample) -> Array:
        return group_means(s, squares(s))


def squares(s: Sample) -> Array:
    """(p - y)² of each row."""
    made: Array = (s.probability - s.label) ** 2
    return made
