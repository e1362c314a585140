"""Does the score order positives before negatives? The area under the ROC curve and what is made of it.

    AUC = Σ pairs w_i w_j ([s_i > s_j] + ½ [s_i = s_j]) / (P·N)

P and N are the weights of positives and negatives. Hanley & McNeil (1982).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment.bracket import Bracket
from rankgauge.alignment.pieces import in_pieces
from rankgauge.alignment.sample import Sample
from rankgauge.alignment.segments import Array
from rankgauge.measures.base import divide
from rankgauge.measures.parameters import choice, number
from rankgauge.measures.predictions.base import NEEDS_ROWS, Beside, Case, PredictionMeasure, Undefined, measure
from rankgauge.measures.predictions.sums import Totals

_FAMILY = Text("Order of scores", "得分的顺序")
_NEEDS = ("hard", "classes")


@measure(
    title=Text("Area under the ROC curve", "ROC 曲线下面积"),
    family=_FAMILY,
    question=Text(
        "How often does a positive score higher than a negative?",
        "正样本得分高于负样本的比例是多少？",
    ),
    formula=Text(
        "AUC = Σ pairs w_i w_j ([s_i > s_j] + ½ [s_i = s_j]) / (P·N).  max_fpr=x: the area left of false "
        "positive rate x, standardised by McClish: ½ (1 + (A - x²/2) / (x - x²/2)), or raw",
        "AUC = Σ w_i w_j ([s_i > s_j] + ½ [s_i = s_j]) / (P·N)，对所有正负样本对求和。max_fpr=x：只取假正率 x "
        "以左的面积 A，按 McClish 标准化：½ (1 + (A - x²/2) / (x - x²/2))，或保持原值",
    ),
    needs=_NEEDS,
    aliases=["ROC_AUC", "AUROC", "roc_auc_score", "AUC 值"],
    edges=Text(
        "One class only: undefined, never 0.5 or 1. Tied scores count half, so the order of rows does not matter. "
        "Scores are never transformed. A weight that is the same for a whole class changes nothing. The mean of batch "
        "AUCs is another number.",
        "只有一个类别：无定义，不会给出 0.5 或 1。并列得分计一半，因此与行的顺序无关。得分不做任何变换。"
        "整个类别使用同一权重不改变结果。各批次 AUC 的均值是另一个数。",
    ),
    reference="Hanley & McNeil, Radiology 143 (1982); McClish, Medical Decision Making 9 (1989)",
    same={
        "scikit-learn": Text("roc_auc_score, also with max_fpr", "roc_auc_score，也支持 max_fpr"),
        "LightGBM": "auc",
        "Spark": Text("areaUnderROC with numBins=0", "areaUnderROC（numBins=0）"),
    },
    differs={
        Text("torchmetrics, Keras, EasyRec with 200 thresholds", "torchmetrics、Keras、EasyRec，200 个阈值"): Text(
            "a histogram: off by 0.002 at 2% click rate", "用直方图近似：点击率 2% 时相差 0.002"
        ),
        "torchrec": Text(
            "tied scores in the order of the rows; one class counts as 0.5",
            "并列得分按行的顺序；只有一个类别时计 0.5",
        ),
        "LightGBM": Text("one class counts as 1", "只有一个类别时计 1"),
        "Spark": Text("1,000 bins by default", "默认 1,000 个分箱"),
    },
    example=Case([1, 0, 1, 0], [1, 1, 1, 0], "(0.5 + 1 + 0.5 + 1) / (2*2)"),
    side="scores",
)
class AUC(PredictionMeasure):
    """Probability that a positive scores above a negative.

    >>> AUC().of([0, 0, 1, 1], [.1, .4, .35, .8])
    0.75
    """

    max_fpr: float | None = number(
        None, low=0, high=1, open_low=True, doc=Text("only up to this false positive rate", "只计算到此假正率为止")
    )
    area: str = choice(
        "mcclish",
        "raw",
        doc=Text(
            "of a partial area: standardised to 0.5 … 1, or as it is",
            "部分面积：标准化到 0.5 … 1，或保持原值",
        ),
    )

    @property
    def _cut(self) -> float | None:
        return None if self.max_fpr == 1 else self.max_fpr

    def bracket(self, t: Totals) -> tuple[Bracket, dict[str, Any]]:
        if self._cut is not None:
            raise Undefined(NEEDS_ROWS)
        return t.bins.auc(), {}

    def value(self, s: Sample) -> float:
        sweep = s.sweep
        if (cut := self._cut) is None:
            return sweep.pairs_won / (sweep.n_positives * sweep.n_negatives)
        return self._standardised(_Partial(s, cut).area)

    def _standardised(self, area: float) -> float:
        if self.area == "raw" or self.max_fpr is None:
            return area
        least, most = self.max_fpr**2 / 2, self.max_fpr
        return 0.5 * (1 + (area - least) / (most - least))

    def influence(self, s: Sample) -> Array:
        if (cut := self._cut) is None:
            return auc_influence(s, self.value(s))
        rows = _Partial(s, cut).influence()
        return rows if self.area == "raw" else rows * (0.5 / (cut - cut**2 / 2))

    def per_group(self, s: Sample) -> Array | None:
        return s.pairs.auc if self.max_fpr is None else None


def won_by_row(s: Sample) -> Array:
    """For each row the weight of pairs that it wins as a positive, or that are won against it as a negative."""
    out = np.empty(len(s))
    positive, negative = np.flatnonzero(s.label), np.flatnonzero(~s.label)
    below, at_most = s.sweep.negatives.below(s.score[positive])
    out[positive] = (below + at_most) / 2
    below, at_most = s.sweep.positives.below(s.score[negative])
    out[negative] = s.sweep.n_positives - (below + at_most) / 2
    return out


def auc_influence(s: Sample, value: float) -> Array:
    """DeLong's structural components, as influence values."""
    p, n = s.sweep.n_positives, s.sweep.n_negatives
    won = won_by_row(s)
    rows = np.where(s.label, (won / n - value) / p, (won / p - value) / n)
    return s.weigh(rows)


class _Partial:
    """The ROC curve up to a false positive rate, straight inside a block of equal scores."""

    def __init__(self, s: Sample, x: float) -> None:
        self.s, self.x = s, x
        sweep = s.sweep
        fpr, tpr, _ = sweep.roc()
        self.k = k = int(np.searchsorted(fpr, x, "right"))  # the first point beyond the cut
        if k == len(fpr):  # x = 1
            self.k = k = len(fpr) - 1
        self.part = (x - fpr[k - 1]) / (fpr[k] - fpr[k - 1])
        self.at_cut = tpr[k - 1] + self.part * (tpr[k] - tpr[k - 1])
        inside = np.append(fpr[:k], x), np.append(tpr[:k], self.at_cut)
        self.area = float(np.sum(np.diff(inside[0]) * (inside[1][1:] + inside[1][:-1]) / 2))
        self.fpr, self.tpr = fpr, tpr

    def influence(self) -> Array:
        s, k, x, fpr, tpr = self.s, self.k, self.x, self.fpr, self.tpr
        n_blocks = len(fpr) - 1
        block = n_blocks - 1 - s.block_of_row  # the highest score is block 0
        middle_fpr, middle_tpr = (fpr[1:] + fpr[:-1]) / 2, (tpr[1:] + tpr[:-1]) / 2
        beaten = np.maximum(x - middle_fpr, 0.0)  # by a positive: the share of negatives inside that score less
        beaten[k - 1 :] = 0.0
        beaten[k - 1] = self.part**2 * (fpr[k] - fpr[k - 1]) / 2
        gained = np.where(np.arange(n_blocks) < k - 1, middle_tpr - self.at_cut, 0.0)
        gained[k - 1] = self.part * ((tpr[k - 1] + self.at_cut) / 2 - self.at_cut)
        positive = (beaten[block] - self.area) / s.sweep.n_positives
        negative = (gained[block] - (self.area - x * self.at_cut)) / s.sweep.n_negatives
        return s.weigh(np.where(s.label, positive, negative))


@measure(
    title=Text("Gini coefficient", "基尼系数"),
    family=_FAMILY,
    question=Text(
        "How much better than chance are positives ordered before negatives?",
        "把正样本排在负样本之前，比随机好多少？",
    ),
    formula="Gini = 2·AUC - 1",
    needs=_NEEDS,
    aliases=["gini_coefficient", "accuracy_ratio", "Somers_D"],
    edges=Text(
        "As AUC; 0 is chance, below 0 the order is reversed.",
        "与 AUC 相同；0 为随机，低于 0 表示排反了。",
    ),
    bounds=(-1.0, 1.0),
    example=Case([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], "2*(3/4) - 1"),
)
class Gini(PredictionMeasure):
    """AUC stretched so that chance is 0.

    >>> Gini().of([0, 0, 1, 1], [.1, .4, .35, .8])
    0.5
    """

    def bracket(self, t: Totals) -> tuple[Bracket, dict[str, Any]]:
        return t.bins.auc().stretched(2.0, -1.0), {}

    def value(self, s: Sample) -> float:
        return 2 * AUC().value(s) - 1

    def influence(self, s: Sample) -> Array:
        return 2 * auc_influence(s, AUC().value(s))


@measure(
    title=Text("Kolmogorov-Smirnov distance", "Kolmogorov-Smirnov 距离"),
    family=_FAMILY,
    question=Text(
        "How far apart are positives and negatives at the best threshold?",
        "在最佳阈值处，正样本与负样本相差多远？",
    ),
    formula=Text("KS = max over thresholds t of TPR(t) - FPR(t)", "KS = max_t [TPR(t) - FPR(t)]，t 取遍所有阈值"),
    needs=_NEEDS,
    aliases=["ks_statistic", "Kolmogorov_Smirnov", "Youden_J", "KS 值"],
    edges=Text(
        "One class only: undefined. The interval holds the threshold where it is.",
        "只有一个类别：无定义。计算区间时阈值保持不变。",
    ),
    read_with={"threshold": Beside(Text("threshold", "阈值"))},
    same={"SciPy": "ks_2samp(positives, negatives, alternative='less').statistic"},
    example=Case([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], "2/2 - 1/2"),
)
class KS(PredictionMeasure):
    """Largest gap between the two cumulated score distributions.

    >>> KS().of([0, 0, 1, 1], [.1, .4, .35, .8])
    0.5
    """

    def bracket(self, t: Totals) -> tuple[Bracket, dict[str, Any]]:
        return t.bins.ks(), self.beside(t.binned)

    def value(self, s: Sample) -> float:
        return self._best(s)[0]

    def _best(self, s: Sample) -> tuple[float, float]:
        threshold, tp, fp = s.sweep.at_positives  # between them only negatives come in, and the gap shrinks
        gap = tp / s.sweep.n_positives - fp / s.sweep.n_negatives
        at = int(np.argmax(gap))
        return (float(gap[at]), float(threshold[at])) if gap[at] > 0 else (0.0, np.inf)

    def influence(self, s: Sample) -> Array:
        _, threshold = self._best(s)
        tp, fp, _, _ = s.sweep.confusion(threshold)
        p, n = s.sweep.n_positives, s.sweep.n_negatives
        above = s.score >= threshold
        return s.weigh(np.where(s.label, (above - tp / p) / p, -(above - fp / n) / n))

    def beside(self, s: Sample) -> dict[str, Any]:
        return {"threshold": self._best(s)[1]}


@measure(
    title=Text("Area under the precision-recall curve", "精确率—召回率曲线下面积"),
    family=_FAMILY,
    question=Text(
        "How pure are the top scores, averaged over all positives?",
        "对所有正样本取平均，高分段有多纯？",
    ),
    formula=Text(
        "PRAUC = Σ_n (R_n - R_{n-1}) P_n over distinct thresholds, the highest first (average precision)",
        "PRAUC = Σ_n (R_n - R_{n-1}) P_n，按不同阈值从高到低求和（平均精度）",
    ),
    needs=("hard", "classes"),
    aliases=["PR_AUC", "AUPRC", "average_precision", "average_precision_score", "AP_of_scores", "PR 曲线下面积"],
    edges=Text(
        "One class only: undefined. A random score gives the prevalence, which is printed beside it; so numbers of "
        "sets with different shares of positives (or of sampled negatives) cannot be compared.",
        "只有一个类别：无定义。随机得分得到的就是正样本占比，会一并显示；因此正样本占比不同（或负样本经过采样）的数据集之间"
        "不能比较。",
    ),
    reference="Davis & Goadrich, ICML (2006)",
    same={"scikit-learn": "average_precision_score", "torchmetrics": "BinaryAveragePrecision"},
    differs={
        "auc(recall, precision), Spark": Text(
            "trapezoids: a constant score at 1% prevalence gives 0.505 instead of 0.01",
            "用梯形法：正样本占 1% 时，常数得分为 0.505，而不是 0.01",
        ),
        "scikit-learn": Text("without positives 0.0", "没有正样本时为 0.0"),
    },
    read_with={"prevalence": Beside(Text("prevalence", "正样本占比"))},
    example=Case([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], "1/2 * 1 + 1/2 * (2/3)"),
)
class PRAUC(PredictionMeasure):
    """Average precision over the positives.

    >>> round(PRAUC().of([0, 0, 1, 1], [.1, .4, .35, .8]), 4)
    0.8333
    """

    def bracket(self, t: Totals) -> tuple[Bracket, dict[str, Any]]:
        return t.bins.prauc(), self.beside(t.binned)

    def value(self, s: Sample) -> float:
        _, tp, fp = s.sweep.at_positives  # where no positive comes in, recall does not move
        return float(np.sum(np.diff(tp, prepend=0.0) * divide(tp, tp + fp)) / s.sweep.n_positives)

    def influence(self, s: Sample) -> Array:
        thresholds, tp, fp = s.sweep.at_positives
        p, shown = s.sweep.n_positives, tp + fp
        step = np.diff(tp, prepend=0.0) / p
        # a row changes the precision at its own threshold and at all lower ones: running sums from the lowest on
        by_positive = np.append(0.0, np.cumsum(divide(step * fp, shown**2)[::-1]))
        by_negative = np.append(0.0, -np.cumsum(divide(step * tp, shown**2)[::-1]))
        own = np.append(0.0, (divide(tp, shown)[::-1] - self.value(s)) / p)
        ascending = thresholds[::-1]
        rows = np.empty(len(s))

        def piece(part: slice) -> None:
            reached = np.searchsorted(ascending, s.score[part], "right")
            rows[part] = np.where(s.label[part], own[reached] + by_positive[reached], by_negative[reached])

        in_pieces(piece, len(s))
        return s.weigh(rows)

    def beside(self, s: Sample) -> dict[str, Any]:
        return {"prevalence": s.prevalence}


class _Top(PredictionMeasure):
    """What the rows with the highest scores hold."""

    top: float = number(
        0.1,
        low=0,
        high=1,
        open_low=True,
        doc=Text("share of all rows that is taken", "选取的行占全部行的比例"),
        aliases=("q", "share"),
    )

    def gain(self, s: Sample) -> float:
        return s.sweep.top(self.top)[0] / s.sweep.n_positives

    def gain_influence(self, s: Sample) -> Array:
        """The cut moves with the rows: what lies at the cut (its local precision) replaces what is pushed out."""
        sweep = s.sweep
        taken = np.append(0.0, sweep.tp + sweep.fp)
        tp = np.append(0.0, sweep.tp)
        cut = min(self.top * s.total, float(taken[-1]))
        k = int(np.searchsorted(taken, cut, "left"))  # the block that the cut ends in
        part = (cut - taken[k - 1]) / (taken[k] - taken[k - 1])
        near = s.total ** (2 / 3) / 2
        low, high = max(cut - near, 0.0), min(cut + near, s.total)
        if taken[k] - taken[k - 1] > near:  # the cut is inside many equal scores
            low, high = taken[k - 1], taken[k]
        local = (np.interp(high, taken, tp) - np.interp(low, taken, tp)) / (high - low)
        block = len(taken) - 2 - s.block_of_row
        inside = np.where(block < k - 1, 1.0, np.where(block == k - 1, part, 0.0))
        r, gain = s.prevalence, self.gain(s)
        rows = (s.label * inside - gain * r) - local * (inside - self.top) - gain * (s.label - r)
        return s.weigh(rows) / (r * s.total)


@measure(
    title=Text("Gain", "增益"),
    family=_FAMILY,
    question=Text(
        "What share of the positives is among the rows with the highest scores?",
        "得分最高的那部分行包含了多少比例的正样本？",
    ),
    formula=Text(
        "Gain(top=q) = positives in the top share q of all rows / all positives",
        "Gain(top=q) = 得分最高的比例 q 的行中的正样本数 / 全部正样本数",
    ),
    needs=_NEEDS,
    aliases=["cumulative_gain", "capture_rate"],
    edges=Text(
        "A cut inside equal scores takes the same part of their positives and negatives. No positives: undefined.",
        "切分点落在并列得分中时，按相同比例取其中的正样本和负样本。没有正样本：无定义。",
    ),
    example=Case([1, 0, 1, 0], [0.9, 0.5, 0.4, 0.1], "1/2", params={"top": 0.5}),
)
class Gain(_Top):
    """Recall in the top share of traffic.

    >>> Gain(top=0.25).of([1, 0, 1, 0], [.9, .5, .4, .1])
    0.5
    """

    def bracket(self, t: Totals) -> tuple[Bracket, dict[str, Any]]:
        return t.bins.gain(self.top), {}

    def value(self, s: Sample) -> float:
        return self.gain(s)

    def influence(self, s: Sample) -> Array:
        return self.gain_influence(s)


@measure(
    title=Text("Lift", "提升度"),
    family=_FAMILY,
    question=Text(
        "How many times more positives are among the highest scores than among as many random rows?",
        "得分最高的行中，正样本数是随机抽取同样多行的多少倍？",
    ),
    formula=Text(
        "Lift(top=q) = precision in the top share q of all rows / prevalence = Gain(top=q) / q",
        "Lift(top=q) = 得分最高的比例 q 的行中的精确率 / 正样本占比 = Gain(top=q) / q",
    ),
    needs=_NEEDS,
    bounds=(0.0, float("inf")),
    edges=Text(
        "As Gain. It cannot pass 1/q, nor 1/prevalence.",
        "与 Gain 相同。不会超过 1/q，也不会超过 1/正样本占比。",
    ),
    read_with={"at most": Beside(Text("at most", "最多"))},
    example=Case([1, 0, 1, 0], [0.9, 0.5, 0.4, 0.1], "(1/1) / (2/4)", params={"top": 0.25}),
)
class Lift(_Top):
    """How many times richer in positives the top share is.

    >>> Lift(top=0.25).of([1, 0, 1, 0], [.9, .5, .4, .1])
    2.0
    """

    def bracket(self, t: Totals) -> tuple[Bracket, dict[str, Any]]:
        return t.bins.gain(self.top).stretched(1 / self.top), self.beside(t.binned)

    def value(self, s: Sample) -> float:
        return self.gain(s) / self.top

    def influence(self, s: Sample) -> Array:
        return self.gain_influence(s) / self.top

    def beside(self, s: Sample) -> dict[str, Any]:
        return {"at most": min(1 / self.top, 1 / s.prevalence)}
