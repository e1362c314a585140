"""What happens at a threshold: rows at or above it are called positive.

Every measure here is made of the four cells of the confusion matrix (`_cells.py`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment.segments import Array
from rankgauge.measures.parameters import number
from rankgauge.measures.predictions._cells import OfCells, RatioOfCells
from rankgauge.measures.predictions.base import Beside, Case, measure
from rankgauge.measures.predictions.sums import RowSums

_FAMILY = Text("At a threshold", "阈值处")
_ROWS = {"label": [1, 1, 0, 0, 0], "score": [0.8, 0.3, 0.6, 0.2, 0.1]}
_AT = {"threshold": 0.5}


@measure(
    title=Text("Accuracy", "准确率"),
    family=_FAMILY,
    question=Text("What share of the rows is called right?", "判对的行占多少比例？"),
    formula="Accuracy = (TP + TN) / (TP + FP + FN + TN)",
    needs=("hard",),
    aliases=["acc", "accuracy_score", "正确率"],
    edges=Text(
        "Calling everything the larger class scores its share, which is printed beside it: at 2% positives 0.98.",
        "全部判为多数类即可得到多数类的占比，它会一并显示：正样本占 2% 时为 0.98。",
    ),
    same={"scikit-learn": "accuracy_score(y, score >= threshold)"},
    read_with={"majority class": Beside(Text("majority class", "多数类占比"))},
    example=Case(**_ROWS, sum="(1 + 2) / 5", params=_AT),  # type: ignore[arg-type]
)
class Accuracy(RatioOfCells):
    """Share of rows on the right side of the threshold.

    >>> Accuracy(threshold=0.5).of([1, 0, 0, 0], [.8, .6, .2, .1])
    0.75
    """

    top = (1, 0, 0, 1)
    bottom = (1, 1, 1, 1)

    def beside_sums(self, t: RowSums) -> dict[str, Any]:
        return {"majority class": max(t.prevalence, 1 - t.prevalence)}


@measure(
    title=Text("Precision at a threshold", "阈值处的精确率"),
    family=_FAMILY,
    question=Text("Of the rows called positive, how many are?", "判为正的行中，有多少确实是正样本？"),
    formula="Precision = TP / (TP + FP)",
    needs=("hard",),
    aliases=["PPV", "positive_predictive_value", "precision_score", "精确率", "精准率", "查准率"],
    edges=Text("Nothing at or above the threshold: undefined.", "没有得分达到阈值的行：无定义。"),
    same={"scikit-learn": "precision_score(y, score >= threshold)"},
    differs={
        "scikit-learn": Text("0 with a warning where nothing is called positive", "没有判为正的行时给出 0 和警告")
    },
    example=Case(**_ROWS, sum="1 / (1 + 1)", params=_AT),  # type: ignore[arg-type]
)
class Precision(RatioOfCells):
    """Share of the rows called positive that are.

    >>> Precision(threshold=0.5).of([1, 0, 0, 0], [.8, .6, .2, .1])
    0.5
    """

    top = (1, 0, 0, 0)
    bottom = (1, 1, 0, 0)
    empty = Text("nothing scores at or above the threshold", "没有得分达到阈值的行")


@measure(
    title=Text("Recall at a threshold", "阈值处的召回率"),
    family=_FAMILY,
    question=Text("Of the positives, how many are called positive?", "正样本中有多少被判为正？"),
    formula="Recall = TP / (TP + FN)",
    needs=("hard",),
    aliases=["TPR", "sensitivity", "true_positive_rate", "recall_score", "召回率", "查全率", "灵敏度", "真正率"],
    edges=Text("No positives: undefined.", "没有正样本：无定义。"),
    same={"scikit-learn": "recall_score(y, score >= threshold)"},
    example=Case(**_ROWS, sum="1 / (1 + 1)", params=_AT),  # type: ignore[arg-type]
)
class Recall(RatioOfCells):
    """Share of the positives that the threshold lets through.

    >>> Recall(threshold=0.5).of([1, 1, 0, 0], [.8, .3, .2, .1])
    0.5
    """

    top = (1, 0, 0, 0)
    bottom = (1, 0, 1, 0)
    empty = Text("there are no positives", "没有正样本")


@measure(
    title=Text("Specificity", "特异度"),
    family=_FAMILY,
    question=Text("Of the negatives, how many are called negative?", "负样本中有多少被判为负？"),
    formula="Specificity = TN / (TN + FP)",
    needs=("hard",),
    aliases=["TNR", "true_negative_rate", "selectivity", "真负率"],
    edges=Text("No negatives: undefined.", "没有负样本：无定义。"),
    example=Case(**_ROWS, sum="2 / (2 + 1)", params=_AT),  # type: ignore[arg-type]
)
class Specificity(RatioOfCells):
    """Share of the negatives below the threshold.

    >>> Specificity(threshold=0.5).of([1, 0, 0], [.8, .6, .2])
    0.5
    """

    top = (0, 0, 0, 1)
    bottom = (0, 1, 0, 1)
    empty = Text("there are no negatives", "没有负样本")


@measure(
    title=Text("False positive rate", "假正率"),
    family=_FAMILY,
    question=Text("Of the negatives, how many are called positive?", "负样本中有多少被判为正？"),
    formula="FPR = FP / (FP + TN)",
    needs=("hard",),
    aliases=["false_positive_rate", "fall_out", "误报率"],
    higher_is_better=False,
    edges=Text("No negatives: undefined.", "没有负样本：无定义。"),
    example=Case(**_ROWS, sum="1 / (1 + 2)", params=_AT),  # type: ignore[arg-type]
)
class FPR(RatioOfCells):
    """Share of the negatives at or above the threshold.

    >>> FPR(threshold=0.5).of([1, 0, 0], [.8, .6, .2])
    0.5
    """

    top = (0, 1, 0, 0)
    bottom = (0, 1, 0, 1)
    empty = Text("there are no negatives", "没有负样本")


@measure(
    title=Text("False negative rate", "假负率"),
    family=_FAMILY,
    question=Text("Of the positives, how many are missed?", "正样本中有多少被漏掉？"),
    formula="FNR = FN / (FN + TP)",
    needs=("hard",),
    aliases=["false_negative_rate", "miss_rate", "漏报率"],
    higher_is_better=False,
    edges=Text("No positives: undefined.", "没有正样本：无定义。"),
    example=Case(**_ROWS, sum="1 / (1 + 1)", params=_AT),  # type: ignore[arg-type]
)
class FNR(RatioOfCells):
    """Share of the positives below the threshold.

    >>> FNR(threshold=0.5).of([1, 1, 0], [.8, .3, .2])
    0.5
    """

    top = (0, 0, 1, 0)
    bottom = (1, 0, 1, 0)
    empty = Text("there are no positives", "没有正样本")


@measure(
    title=Text("F-measure at a threshold", "阈值处的 F 值"),
    family=_FAMILY,
    question=Text("How well are precision and recall balanced?", "精确率与召回率兼顾得如何？"),
    formula="F = (1 + β²) TP / ((1 + β²) TP + β² FN + FP)",
    needs=("hard",),
    aliases=["F1", "F_beta", "f1_score", "fbeta_score", "F 值", "F1 值", "F1 分数"],
    spellings={"F2": {"beta": 2}, "F0.5": {"beta": 0.5}},
    edges=Text(
        "β above 1 favours recall. No positives and nothing called positive: undefined.",
        "β 大于 1 时偏重召回率。没有正样本且没有判为正的行：无定义。",
    ),
    same={"scikit-learn": "fbeta_score(y, score >= threshold, beta=β)"},
    example=Case(**_ROWS, sum="2*1 / (2*1 + 1 + 1)", params=_AT),  # type: ignore[arg-type]
)
class F(RatioOfCells):
    """Harmonic mean of precision and recall, recall weighted β² times.

    >>> F(threshold=0.5).of([1, 1, 0, 0], [.8, .3, .6, .1])
    0.5
    """

    beta: float = number(
        1,
        low=0,
        open_low=True,
        doc=Text("how many times more recall counts than precision", "召回率的重要性是精确率的多少倍"),
    )
    empty = Text(
        "there are no positives and nothing scores at or above the threshold", "没有正样本，也没有得分达到阈值的行"
    )

    def _coefficients(self) -> tuple[Array, Array]:
        b = self.beta**2
        return np.array([1 + b, 0, 0, 0]), np.array([1 + b, 1, b, 0])


@measure(
    title=Text("Balanced accuracy", "平衡准确率"),
    family=_FAMILY,
    question=Text(
        "What share of each class is called right, both classes counting the same?",
        "两个类别权重相同时，各类判对的比例是多少？",
    ),
    formula="BalancedAccuracy = (TP / (TP + FN) + TN / (TN + FP)) / 2",
    needs=("hard",),
    aliases=["balanced_accuracy_score", "BAcc"],
    edges=Text("One class missing: undefined.", "缺少一个类别：无定义。"),
    same={"scikit-learn": "balanced_accuracy_score(y, score >= threshold)"},
    differs={"scikit-learn": Text("a class that is missing is left out of the mean", "缺少的类别不计入均值")},
    example=Case(**_ROWS, sum="(1/2 + 2/3) / 2", params=_AT),  # type: ignore[arg-type]
)
class BalancedAccuracy(OfCells):
    """Mean of recall and specificity.

    >>> BalancedAccuracy(threshold=0.5).of([1, 1, 0, 0], [.8, .3, .2, .1])
    0.75
    """

    empty = Text("one class is missing", "缺少其中一类样本")

    def _parts(self) -> tuple[OfCells, OfCells]:
        return Recall(threshold=self.threshold), Specificity(threshold=self.threshold)

    def of_cells(self, cells: Array) -> Array:
        recall, specificity = self._parts()
        mean: Array = (recall.of_cells(cells) + specificity.of_cells(cells)) / 2
        return mean

    def slope(self, cells: Array) -> Array:
        recall, specificity = self._parts()
        mean: Array = (recall.slope(cells) + specificity.slope(cells)) / 2
        return mean


@measure(
    title=Text("Matthews correlation", "马修斯相关系数"),
    family=_FAMILY,
    question=Text(
        "How strongly do calls and labels agree, whatever the sizes of the classes?",
        "不论类别大小，判定与标签有多一致？",
    ),
    formula="MCC = (TP·TN - FP·FN) / √((TP+FP)(TP+FN)(TN+FP)(TN+FN))",
    needs=("hard",),
    aliases=["matthews_corrcoef", "phi"],
    bounds=(-1.0, 1.0),
    edges=Text(
        "One class, or all rows on one side of the threshold: undefined.",
        "只有一个类别，或所有行都在阈值同一侧：无定义。",
    ),
    reference="Matthews, Biochimica et Biophysica Acta 405 (1975)",
    same={"scikit-learn": "matthews_corrcoef(y, score >= threshold)"},
    differs={"scikit-learn": Text("0 where it is undefined", "无定义时给出 0")},
    example=Case(**_ROWS, sum="(1*2 - 1*1) / (2 * 2 * 3 * 3)**0.5", params=_AT),  # type: ignore[arg-type]
)
class MCC(OfCells):
    """Correlation of two yes/no variables.

    >>> MCC(threshold=0.5).of([1, 1, 0, 0], [.8, .9, .2, .1])
    1.0
    """

    empty = Text(
        "one class is missing or all rows are on one side of the threshold",
        "缺少其中一类样本，或所有行都在阈值的同一侧",
    )

    def of_cells(self, cells: Array) -> Array:
        tp, fp, fn, tn = np.asarray(cells, dtype=np.float64)
        margins = np.sqrt((tp + fp) * (tp + fn)) * np.sqrt((tn + fp) * (tn + fn))
        made: Array = np.divide(tp * tn - fp * fn, margins, out=np.full(np.shape(margins), np.nan), where=margins != 0)
        return made

    def slope(self, cells: Array) -> Array:
        tp, fp, fn, tn = (float(c) for c in cells)
        margins = np.sqrt((tp + fp) * (tp + fn)) * np.sqrt((tn + fp) * (tn + fn))
        phi = (tp * tn - fp * fn) / margins
        called, not_called, yes, no = 1 / (tp + fp), 1 / (tn + fn), 1 / (tp + fn), 1 / (tn + fp)
        return np.array(
            [
                tn / margins - phi / 2 * (called + yes),
                -fn / margins - phi / 2 * (called + no),
                -fp / margins - phi / 2 * (not_called + yes),
                tp / margins - phi / 2 * (not_called + no),
            ]
        )
