"""How good are the probabilities, as probabilities? Proper scores: nothing beats telling the truth.

    LogLoss = -Σ w [y ln p + (1-y) ln(1-p)] / Σ w        Brier = Σ w (p - y)² / Σ w

p is clipped to [1e-15, 1 - 1e-15] in double precision, whatever precision it came in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import log, log1p
from typing import Any

from rankgauge._numbers import short
from rankgauge._text import Text
from rankgauge.measures.parameters import number
from rankgauge.measures.predictions.base import Beside, Case, PredictionMeasure, Quotient, Undefined, measure
from rankgauge.measures.predictions.sums import OfSums, RowSums

_FAMILY = Text("Loss", "损失")
_BASE_RATE = {"base rate": Beside(Text("base rate", "基准率"))}


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
    formula=Text(
        "LogLoss = -Σ w [y ln p + (1-y) ln(1-p)] / Σ w, natural logarithm, p clipped to [1e-15, 1 - 1e-15]",
        "LogLoss = -Σ w [y ln p + (1-y) ln(1-p)] / Σ w，自然对数，p 截断到 [1e-15, 1 - 1e-15]",
    ),
    needs=("probabilities",),
    aliases=[
        "log_loss",
        "cross_entropy",
        "binary_cross_entropy",
        "BCE",
        "logistic_loss",
        "negative_log_likelihood",
        "交叉熵",
    ],
    bounds=(0.0, float("inf")),
    higher_is_better=False,
    edges=Text(
        "Computed in double precision: float32 input gives the loss of those numbers. Clipped rows are counted, with "
        "their share of the loss. Defined for one class and for soft labels. It depends on the base rate: compare NE "
        "across data sets.",
        "以双精度计算：输入为 float32 时，得到的是这些数值本身的损失。被截断的行会计数，并给出它们占损失的比例。"
        "只有一个类别或软标签时同样有定义。它依赖基准率：跨数据集请比较 NE。",
    ),
    same={"scikit-learn": Text("log_loss for float64 input", "log_loss（float64 输入）"), "LightGBM": "binary_logloss"},
    differs={
        "scikit-learn": Text(
            "clips at the precision of the input: 36.04, 15.94 or 6.93 for the same two wrong rows",
            "按输入精度截断：同样两行错误预测会得到 36.04、15.94 或 6.93",
        ),
        "torchrec": Text("bits instead of nats: divided by ln 2", "以比特而不是奈特为单位：除以 ln 2"),
        "PyTorch": Text("clamps each logarithm at -100", "把每个对数截断在 -100"),
    },
    read_with={
        "clipped rows": Beside(Text("clipped rows", "截断行数")),
        "their share of the loss": Beside(Text("their share of the loss", "占总损失"), "share"),
    },
    example=Case([1, 0], [0.51, 0.49], "-(log(0.51) + log(1 - 0.49)) / 2"),
    side="probabilities",
)
class LogLoss(Quotient):
    """Mean negative log-likelihood.

    >>> round(LogLoss().of([1], [.001]), 6)
    6.907755
    """

    top = "loss"

    def beside_sums(self, t: RowSums) -> dict[str, Any]:
        if not t.n_clipped:
            return {}
        lost = t.ratio("clipped_loss", "loss") if t.sum("loss") else 0.0
        return {"clipped rows": t.n_clipped, "their share of the loss": lost}

    def clipped(self, beside: Mapping[str, Any]) -> tuple[int, float] | None:
        known = "clipped rows" in beside
        return (beside["clipped rows"], beside["their share of the loss"]) if known else None


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

    def ne(self, t: RowSums, sign: float) -> OfSums:
        """Log loss over that of the base rate, which depends on the share of positives as well, times a sign."""
        r, loss, below = t.prevalence, t.ratio("loss", "weight"), self._baseline(t)
        rate = r if self.base is None else self.base
        by_rate = -loss * log((1 - rate) / rate) / below**2
        slope = {"loss": 1 / below, "positive": by_rate, "weight": -loss / below - by_rate * r}
        return OfSums(loss / below, {name: sign * x for name, x in slope.items()}, t.sum("weight"))

    def _baseline(self, t: RowSums) -> float:
        """The log loss of the base rate on these rows."""
        r = t.prevalence
        if self.base is not None:
            return -r * log(self.base) - (1 - r) * log(1 - self.base)
        uncertainty = entropy(r) if 0 < r < 1 else 0.0
        if uncertainty < 1e-150:  # what it divides is squared on the way
            raise Undefined(
                Text(
                    f"the base rate is {short(r)}: there is nothing to be uncertain about",
                    f"基准率为 {short(r)}：没有任何不确定性",
                )
            )
        return uncertainty

    def beside_sums(self, t: RowSums) -> dict[str, Any]:
        return {"base rate": t.prevalence if self.base is None else self.base}


@measure(
    title=Text("Normalised entropy", "归一化熵"),
    family=_FAMILY,
    question=Text(
        "What part of the uncertainty do the probabilities leave?",
        "预测概率之后还剩下多大比例的不确定性？",
    ),
    formula=Text(
        "NE = LogLoss / H(r);  H(r) = -r ln r - (1-r) ln(1-r), r the share of positives, or a given base",
        "NE = LogLoss / H(r)；H(r) = -r ln r - (1-r) ln(1-r)，r 为正样本占比，或给定的 base",
    ),
    needs=("probabilities",),
    aliases=["normalized_entropy", "normalised_cross_entropy", "归一化交叉熵"],
    bounds=(0.0, float("inf")),
    higher_is_better=False,
    edges=Text(
        "Base rate 0 or 1: undefined. Above 1 the model is worse than always saying the base rate. It moves when the "
        "base rate drifts, even if the model does not: base= holds it at that of training.",
        "基准率为 0 或 1：无定义。高于 1 表示模型不如始终预测基准率。基准率漂移时，即使模型不变它也会变："
        "base= 可固定为训练时的基准率。",
    ),
    reference="He et al., Practical Lessons from Predicting Clicks on Ads at Facebook, ADKDD (2014)",
    same={
        "torcheval, torchrec": Text("normalized entropy", "归一化熵（normalized entropy）"),
        "scikit-learn": "1 - d2_log_loss_score",
    },
    read_with=_BASE_RATE,
    example=Case([1, 0], [0.2, 0.3], "(-(log(0.2) + log(0.7)) / 2) / log(2)"),
)
class NE(Relative):
    """Log loss divided by that of the base rate.

    >>> round(NE().of([1, 0], [.2, .3]), 5)
    1.41825
    """

    def of_sums(self, t: RowSums) -> OfSums:
        return self.ne(t, 1.0)


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
    read_with=_BASE_RATE,
    example=Case([1, 0], [0.2, 0.3], "1 - (-(log(0.2) + log(0.7)) / 2) / log(2)"),
)
class RIG(Relative):
    """One minus normalised entropy.

    >>> round(RIG().of([1, 0], [.2, .3]), 5)
    -0.41825
    """

    def of_sums(self, t: RowSums) -> OfSums:
        ne = self.ne(t, -1.0)
        return replace(ne, value=1 - ne.value)


@measure(
    title=Text("Brier score", "布里尔分数"),
    family=_FAMILY,
    question=Text(
        "How far are the probabilities from what happened, squared?",
        "预测概率与实际结果的平方误差有多大？",
    ),
    formula="Brier = Σ w (p - y)² / Σ w",
    needs=("probabilities",),
    aliases=["brier_score", "brier_score_loss", "Brier 分数"],
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
class Brier(Quotient):
    """Mean squared difference of probability and label.

    >>> round(Brier().of([0, 1, 1, 0], [.1, .9, .8, .3]), 4)
    0.0375
    """

    top = "squared"
