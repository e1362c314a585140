"""Do probabilities mean what they say: of the rows with p = 0.02, are 2% positive?

COPC = Σ w y / Σ w p        ECE = Σ_b share_b |observed_b - predicted_b|        ECCE = range of cumulated y - p
"""

from __future__ import annotations

from math import exp, floor, lgamma, log, log1p, pi, sqrt
from typing import Any

import numpy as np

from rankgauge._numbers import short
from rankgauge._text import Text
from rankgauge.alignment.bins import Bins, binned
from rankgauge.alignment.bracket import Bracket
from rankgauge.alignment.certified import EqualMass
from rankgauge.alignment.sample import Sample
from rankgauge.measures.parameters import choice, number
from rankgauge.measures.predictions.base import (
    Beside,
    Case,
    PredictionMeasure,
    Quotient,
    Undefined,
    Wanted,
    measure,
)
from rankgauge.measures.predictions.range_of_walk import chance_of_range
from rankgauge.measures.predictions.sums import RowSums, Totals

_FAMILY = Text("Calibration", "校准")
_BOTH = {"predicted": Beside(Text("predicted", "预测")), "observed": Beside(Text("observed", "实际"))}


@measure(
    title=Text("Clicks over predicted clicks", "实际点击与预测点击之比"),
    family=_FAMILY,
    question=Text(
        "How many positives came for each one that was predicted?",
        "每预测一个正样本，实际来了多少个？",
    ),
    formula="COPC = Σ w y / Σ w p",
    needs=("probabilities",),
    aliases=["calibration_ratio", "actual_over_predicted"],
    bounds=(0.0, float("inf")),
    edges=Text(
        "1 is right on average; above 1 the model predicts too little, below 1 too much. No probability above 0: "
        "undefined. It says nothing about single regions of p: errors cancel.",
        "1 表示平均准确；高于 1 表示模型预测偏低，低于 1 表示预测偏高。所有概率都为 0：无定义。它不反映 p 的各个区间："
        "误差会相互抵消。",
    ),
    same={"Paddle": "COPC"},
    differs={"torchrec, torcheval, MCGrad": Text("predicted over actual: 1 / COPC", "预测除以实际：1 / COPC")},
    ideal=1.0,
    read_with=_BOTH,
    example=Case([1, 0, 0, 1], [0.5, 0.25, 0.25, 0.25], "2 / 1.25"),
)
class COPC(Quotient):
    """Observed positives divided by expected ones.

    >>> COPC().of([1, 0, 0, 0], [.25, .25, .75, .75])
    0.5
    """

    top, bottom = "positive", "predicted"
    holds_by_expected = True
    empty = Text("all probabilities are 0", "所有概率都是 0")

    def beside_sums(self, t: RowSums) -> dict[str, Any]:
        return {"predicted": t.sum("predicted") / t.sum("weight"), "observed": t.prevalence}


def _mean_deviation(mean: float, variance: float) -> float:
    """E |X - mean| of a sum of yes/no rows, from its mean and variance.

    De Moivre's formula for the binomial with that mean and variance: at a few expected positives the normal
    distribution would be off by a tenth.
    """
    if variance <= 0 or mean <= 0:
        return 0.0
    p = 1 - variance / mean
    if variance > 400 or p <= 1e-9:
        if variance > 400:
            return sqrt(2 * variance / pi)
        k = floor(mean) + 1  # Poisson
        return 2 * exp(k * log(mean) - mean - lgamma(k))
    n = mean / p
    k = floor(mean) + 1
    if k > n:
        return 2 * mean * (1 - p)
    choose = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
    return 2 * k * exp(choose + k * log(p) + (n - k + 1) * log1p(-p))


def noise_floor(bins: Bins, weighted: bool) -> float:
    """The ECE to expect if every probability were right: E Σ share |observed - predicted|."""
    share = bins.weight / bins.weight.sum()
    if weighted:
        return float(np.sum(share * np.sqrt(2 * bins.variance / pi)))
    moments = zip((bins.weight * bins.predicted).tolist(), (bins.variance * bins.weight**2).tolist(), strict=True)
    return float(sum(_mean_deviation(m, v) for m, v in moments) / bins.weight.sum())


class OfBins(PredictionMeasure):
    """Gaps between predicted and observed, bin by bin."""

    bins: int = number(15, low=1, high=1_000_000, whole=True, doc=Text("how many bins", "分箱数"))
    binning: str = choice(
        "mass",
        "uniform",
        doc=Text("bins with the same number of rows, or of the same width", "等频分箱，或等宽分箱"),
        also={"quantile": "mass", "equal_mass": "mass", "width": "uniform", "equal_width": "uniform"},
    )

    def table(self, s: Sample) -> Bins:
        return binned(s, self.bins, self.binning)

    def of_bins(self, bins: Bins) -> float:
        """The number for these bins."""
        raise NotImplementedError  # pragma: no cover - every measure has its own

    def of_mass(self, mass: EqualMass) -> Bracket:
        """The number for bins of equal mass that cut through bins of scores."""
        raise NotImplementedError  # pragma: no cover

    def beside_bins(self, bins: Bins, weighted: bool) -> dict[str, Any]:
        """What to read it with."""
        raise NotImplementedError  # pragma: no cover

    @property
    def wanted(self) -> Wanted:
        return Wanted(width=self.bins) if self.binning == "uniform" else Wanted(along=True)

    def bracket(self, t: Totals) -> tuple[Bracket, dict[str, Any]]:
        if self.binning == "uniform":
            bins = t.of_equal_width(self.bins)
            return Bracket.exact(self.of_bins(bins)), self.beside_bins(bins, t.weighted)
        mass = EqualMass.of(t.calibration, self.bins)
        self.of_bins(mass.bins)  # says where no bin is large enough
        return self.of_mass(mass), self.beside_bins(mass.bins, t.weighted)

    def value(self, s: Sample) -> float:
        return self.of_bins(self.table(s))

    def beside(self, s: Sample) -> dict[str, Any]:
        return self.beside_bins(self.table(s), s.weight is not None)


@measure(
    title=Text("Expected calibration error", "期望校准误差"),
    family=_FAMILY,
    question=Text(
        "How far is the observed rate from the predicted one, on average over bins?",
        "对各分箱取平均，实际率与预测率相差多少？",
    ),
    formula=Text(
        "ECE = Σ_b (w_b / W) |observed_b - predicted_b| over bins of equal mass (binning=uniform: of equal width)",
        "ECE = Σ_b (w_b / W) |实际_b - 预测_b|，对等频分箱求和（binning=uniform：等宽分箱）",
    ),
    needs=("probabilities",),
    aliases=["expected_calibration_error", "ACE", "adaptive_calibration_error"],
    higher_is_better=False,
    edges=Text(
        "Noise alone makes it positive: the noise floor, what right probabilities would show on as many rows, is "
        "printed beside it. Bins of equal width put nearly all rows of a 2% click log into one bin. Rows with the "
        "same score stay together.",
        "仅噪声就会使它为正：噪声基线（概率完全正确时，同样多的行会显示的值）一并显示。点击率 2% 的日志若用等宽分箱，"
        "几乎所有行都落入同一个箱。得分相同的行始终在一起。",
    ),
    reference=Text(
        "Naeini, Cooper & Hauskrecht, AAAI (2015); Nguyen & O'Connor, EMNLP (2015) for equal mass",
        "Naeini, Cooper & Hauskrecht, AAAI (2015)；等频分箱：Nguyen & O'Connor, EMNLP (2015)",
    ),
    differs={
        "torchmetrics, netcal": Text(
            "bins of equal width: ECE(binning=uniform), with bins=15 and bins=10",
            "等宽分箱：ECE(binning=uniform)，分别为 bins=15 和 bins=10",
        ),
        Text("torchmetrics (multiclass)", "torchmetrics（多分类）"): Text(
            "confidence against accuracy, not probability against the rate of positives",
            "比较置信度与准确率，而不是概率与正样本率",
        ),
    },
    read_with={"noise floor": Beside(Text("noise floor", "噪声下限"))},
    example=Case([0, 0, 1, 1], [0.1, 0.2, 0.6, 0.9], "2/4 * abs(0 - 0.15) + 2/4 * abs(1 - 0.75)", params={"bins": 2}),
)
class ECE(OfBins):
    """Mean gap between what was predicted and what happened.

    >>> round(ECE(bins=2).of([0, 0, 1, 1], [.1, .2, .6, .9]), 4)
    0.2
    """

    def of_bins(self, bins: Bins) -> float:
        return float(np.sum(bins.weight * np.abs(bins.gap)) / bins.weight.sum())

    def of_mass(self, mass: EqualMass) -> Bracket:
        return mass.ece()

    def beside_bins(self, bins: Bins, weighted: bool) -> dict[str, Any]:
        return {"noise floor": noise_floor(bins, weighted)}


@measure(
    title=Text("Maximum calibration error", "最大校准误差"),
    family=_FAMILY,
    question=Text(
        "How far is the observed rate from the predicted one in the worst bin?",
        "在最差的分箱中，实际率与预测率相差多少？",
    ),
    formula=Text(
        "MCE = max_b |observed_b - predicted_b| over bins that hold at least min_count",
        "MCE = max_b |实际_b - 预测_b|，取遍不少于 min_count 的分箱",
    ),
    needs=("probabilities",),
    aliases=["maximum_calibration_error", "max_calibration_error"],
    higher_is_better=False,
    edges=Text(
        "Bins below min_count are left out and counted: a bin of three rows is noise. No bin is large: undefined.",
        "少于 min_count 的分箱不参与计算，并给出其个数：只有三行的分箱全是噪声。没有足够大的分箱：无定义。",
    ),
    read_with=_BOTH | {"small bins": Beside(Text("small bins", "行数不足的分箱"))},
    example=Case(
        [0, 0, 1, 1], [0.1, 0.2, 0.6, 0.9], "max(abs(0 - 0.15), abs(1 - 0.75))", params={"bins": 2, "min_count": 1}
    ),
)
class MCE(OfBins):
    """Largest gap between what was predicted and what happened.

    >>> round(MCE(bins=2, min_count=1).of([0, 0, 1, 1], [.1, .2, .6, .9]), 4)
    0.25
    """

    min_count: float = number(
        100,
        low=0,
        doc=Text(
            "rows (or weight) that a bin must hold to be looked at",
            "分箱参与计算所需的最少行数（或权重）",
        ),
    )

    def of_bins(self, bins: Bins) -> float:
        large = bins.weight >= self.min_count
        if not large.any():
            least, most = short(self.min_count), short(bins.weight.max())
            raise Undefined(
                Text(
                    f"no bin holds {least} rows; the largest has {most}",
                    f"没有达到 {least} 行的分箱；最大的有 {most} 行",
                )
            )
        return float(np.abs(bins.gap)[large].max())

    def of_mass(self, mass: EqualMass) -> Bracket:
        return mass.mce(self.min_count)

    def beside_bins(self, bins: Bins, weighted: bool) -> dict[str, Any]:
        large = bins.weight >= self.min_count
        worst = int(np.argmax(np.where(large, np.abs(bins.gap), -1)))
        out: dict[str, Any] = {"predicted": float(bins.predicted[worst]), "observed": float(bins.observed[worst])}
        return out if large.all() else {**out, "small bins": int((~large).sum())}


@measure(
    title=Text("Estimated cumulative calibration error", "估计累积校准误差"),
    family=_FAMILY,
    question=Text(
        "How far do predicted and observed positives drift apart along the scores, without any bins?",
        "不分箱，沿得分累计，预测正样本数与实际正样本数会偏离多远？",
    ),
    formula=Text(
        "ECCE = max_k C_k - min_k C_k;  C_k = Σ_{i≤k} w (y - p) / W in ascending order of p, C_0 = 0",
        "ECCE = max_k C_k - min_k C_k；C_k = Σ_{i≤k} w (y - p) / W，按 p 升序累计，C_0 = 0",
    ),
    needs=("probabilities",),
    aliases=["ECCE_R", "Kuiper_calibration"],
    higher_is_better=False,
    edges=Text(
        "Equal scores are one step. The p-value is that of the range of a walk with these steps, if every row were "
        "positive with its probability, independently: normal for one score, 20,000 walks drawn with a fixed seed "
        "where a score has more than 1/200 of the variance, else Brownian motion. Rows of one user are not quite "
        "independent, so with groups it is on the small side.",
        "相同得分算作一步。p 值假定每行独立地以其概率为正样本，取自同样步数的随机游走的极差：只有一个得分时用正态分布；"
        "某个得分占方差的 1/200 以上时，用固定种子模拟 20,000 次；否则用布朗运动。同一用户的行并不完全独立，"
        "因此有分组时 p 值偏小。",
    ),
    reference=Text(
        "Arrieta-Ibarra, Gujral, Tannen, Tygert & Xu, JMLR 23 (2022); Feller (1951) for the distribution",
        "Arrieta-Ibarra, Gujral, Tannen, Tygert & Xu, JMLR 23 (2022)；分布见 Feller (1951)",
    ),
    same={"MCGrad": Text("ecce; ecce_pvalue where scores are many", "ecce；得分较多时的 ecce_pvalue")},
    read_with={"p": Beside("p", "p")},
    example=Case([1, 0, 1], [0.2, 0.4, 0.6], "(0.8 + 0.0) / 3"),
)
class ECCE(PredictionMeasure):
    """Range of the cumulated differences of label and probability.

    >>> round(ECCE().of([1, 0], [.5, .5]), 4)
    0.0
    """

    def value(self, s: Sample) -> float:
        score, weight, positive = s.blocks
        walk = np.cumsum(positive - weight * s.to_probability(score))
        return float(max(walk.max(), 0.0) - min(walk.min(), 0.0)) / s.total

    @property
    def wanted(self) -> Wanted:
        return Wanted(along=True)

    def bracket(self, t: Totals) -> tuple[Bracket, dict[str, Any]]:
        bins = t.calibration
        walk = bins.ecce()
        return walk, {"p": chance_of_range(walk.value * t.total, bins.variance, bins.tied)}

    def p_value(self, s: Sample) -> float:
        """Probability of a range like this or wider if the probabilities were right."""
        score, weight, _ = s.blocks
        p = s.to_probability(score)
        if s.weight is not None:  # in an order that does not depend on that of the rows
            order = np.lexsort((s.weight, s.block_of_row))
            weight = np.bincount(s.block_of_row[order], s.weight[order] ** 2)
        spread = weight * p * (1 - p)
        return chance_of_range(self.value(s) * s.total, spread, np.ones(len(spread), dtype=bool))

    def beside(self, s: Sample) -> dict[str, Any]:
        return {"p": self.p_value(s)}
