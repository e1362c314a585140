"""What share of the rows is called right? Accuracy, the same for each class alike, and among the first k classes.

Accuracy = Σ_k C_kk / N,   C the confusion matrix, N the rows (or their weight)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment.class_sample import ClassCounts, ClassSample
from rankgauge.alignment.segments import Array
from rankgauge.measures.classes.base import ClassCase, OfCounts, OfRows, Slopes, measure, names_of_classes
from rankgauge.measures.parameters import Param, cutoff
from rankgauge.measures.predictions.base import Beside

_FAMILY = Text("Classes: share called right", "多分类：判对的比例")
_LABEL, _CALLED = ["cat", "cat", "dog", "fox", "fox"], ["cat", "dog", "dog", "fox", "cat"]
_PROBABILITY = [{"cat": 0.5, "dog": 0.3, "fox": 0.2}, {"cat": 0.3, "dog": 0.6, "fox": 0.1}]


@measure(
    title=Text("Accuracy over classes", "多分类准确率"),
    family=_FAMILY,
    question=Text("What share of the rows is called right?", "判对的行占多少比例？"),
    formula=Text(
        "Accuracy = Σ_k C_kk / N,  C_jk the rows of class j that are called k, N all rows",
        "Accuracy = Σ_k C_kk / N，C_jk 为类别 j 中判为 k 的行数，N 为总行数",
    ),
    aliases=["acc", "accuracy_score", "micro_accuracy", "准确率"],
    edges=Text(
        "Always saying the most frequent class has its share as accuracy, which is printed beside it. Where one class "
        "is most of the rows, read BalancedAccuracy or Kappa.",
        "始终预测最常见的类别，准确率就等于该类的占比，它会一并显示。当一个类别占了大部分行时，"
        "请看 BalancedAccuracy 或 Kappa。",
    ),
    same={"scikit-learn": "accuracy_score", "torchmetrics": "MulticlassAccuracy(average='micro')"},
    differs={
        "torchmetrics": Text(
            "MulticlassAccuracy averages over classes unless told otherwise: BalancedAccuracy here",
            "MulticlassAccuracy 默认对类别取平均：即此处的 BalancedAccuracy",
        )
    },
    read_with={"most frequent class": Beside(Text("always the most frequent class", "始终预测最常见类别"))},
    example=ClassCase(_LABEL, "3 / 5", _CALLED),
)
class Accuracy(OfRows):
    """Share of rows whose class was predicted.

    >>> Accuracy().of(["a", "b", "c", "c"], ["a", "b", "c", "a"])
    0.75
    """

    @property
    def favours_frequent(self) -> bool:
        return True

    def of_rows(self, s: ClassSample) -> Array:
        return s.is_right.astype(np.float64)

    def beside(self, s: ClassSample) -> dict[str, Any]:
        return {"most frequent class": float(s.counts.truth.max() / s.total)}


@measure(
    title=Text("Balanced accuracy over classes", "多分类平衡准确率"),
    family=_FAMILY,
    question=Text(
        "What share of each class is called right, all classes counting the same?",
        "各类别权重相同时，每类判对的比例平均是多少？",
    ),
    formula=Text(
        "BalancedAccuracy = mean over classes with rows of C_kk / Σ_j C_kj",
        "BalancedAccuracy = C_kk / Σ_j C_kj 对有样本的类别的均值",
    ),
    aliases=["balanced_accuracy_score", "BAcc", "mean_recall", "unweighted_average_recall", "UAR", "平衡准确率"],
    edges=Text(
        "Classes without rows are left out; Recall(average=macro) counts those that are predicted as 0. Always saying "
        "one class has 1 / the number of classes.",
        "没有行的类别不计入；Recall(average=macro) 把其中被预测过的类别记为 0。始终预测同一类别，得到 1 除以类别数。",
    ),
    same={
        "scikit-learn": "balanced_accuracy_score",
        "torchmetrics": Text(
            "MulticlassAccuracy where all classes have rows", "所有类别都有样本时的 MulticlassAccuracy"
        ),
    },
    read_with={
        "by chance": Beside(Text("always one class", "始终预测同一类别")),
        "without rows": Beside(Text("left out, without rows:", "没有行而未计入："), "text"),
    },
    example=ClassCase(_LABEL, "(1/2 + 1/1 + 1/2) / 3", _CALLED),
)
class BalancedAccuracy(OfCounts):
    """Mean recall over the classes.

    >>> BalancedAccuracy().of(["a", "a", "a", "b"], ["a", "a", "a", "a"])
    0.5
    """

    @property
    def is_by_class(self) -> bool:
        return True

    def of_shares(self, c: ClassCounts, s: ClassSample) -> tuple[float, Slopes]:
        there = c.truth > 0
        n = int(np.count_nonzero(there))
        truth = np.where(there, c.truth, 1.0)
        recall = np.where(there, c.right / truth, 0.0)
        right = np.where(there, 1 / truth, 0.0) / n
        return float(recall.sum() / n), Slopes(right=right, truth=-recall * right)

    def beside(self, s: ClassSample) -> dict[str, Any]:
        there = s.counts.truth > 0
        made: dict[str, Any] = {"by chance": 1 / int(np.count_nonzero(there))}
        return made if there.all() else {**made, "without rows": names_of_classes(s, ~there)}


def _cutoff() -> Any:
    base = cutoff(required=True)
    return Param(
        **{
            **base.__dict__,
            "default": 5,
            "doc": Text("how many of the most probable classes count", "看概率最高的多少个类别"),
        }
    )


@measure(
    title=Text("Top-k accuracy", "Top-k 准确率"),
    family=_FAMILY,
    question=Text(
        "In what share of the rows is the class among the k most probable ones?",
        "有多少比例的行，其真实类别在概率最高的 k 个之中？",
    ),
    formula=Text(
        "TopKAccuracy@k = mean of min(1, max(0, (k - a) / e)),  a classes more probable than the true one, e as "
        "probable, with itself",
        "TopKAccuracy@k = min(1, max(0, (k - a) / e)) 的均值，a 为比真实类别概率更高的类别数，e "
        "为概率相同的类别数（含自身）",
    ),
    needs=("probabilities",),
    aliases=["top_k_accuracy", "top_k_accuracy_score", "TopK", "top_k_categorical_accuracy"],
    spellings={f"top_{k}_accuracy": {"k": k} for k in (1, 2, 3, 5, 10)}
    | {f"top_{k}": {"k": k} for k in (1, 2, 3, 5, 10)},
    edges=Text(
        "Where the true class is as probable as others across the cut, the row counts with the share of their orders "
        "that show it. From as many as there are classes on it is 1.",
        "当真实类别与其他类别概率并列、且并列跨越第 k 位时，该行按所有排列中能排进前 k 的比例计入。"
        "k 不小于类别数时恒为 1。",
    ),
    same={
        "scikit-learn": Text(
            "top_k_accuracy_score where no probabilities are equal", "没有相同概率时的 top_k_accuracy_score"
        ),
        "Keras": "TopKCategoricalAccuracy",
    },
    differs={
        "scikit-learn": Text(
            "equal probabilities in the order of the classes, the last first",
            "概率相同时按类别顺序，靠后的优先",
        )
    },
    read_with={"classes": Beside(Text("classes", "类别数"))},
    example=ClassCase(["cat", "fox"], "(1 + 0) / 2", probability=_PROBABILITY, params={"k": 2}),
)
class TopKAccuracy(OfRows):
    """Share of rows whose class is among the k most probable, expected over the order of equal ones.

    >>> rows = [{"a": 0.4, "b": 0.4, "c": 0.2}]
    >>> TopKAccuracy(k=1).of(["b"], probability=rows), TopKAccuracy(k=2).of(["b"], probability=rows)
    (0.5, 1.0)
    """

    k: int = _cutoff()

    def of_rows(self, s: ClassSample) -> Array:
        above, level = s.places
        return np.clip((self.k - above) / level, 0.0, 1.0)

    def beside(self, s: ClassSample) -> dict[str, Any]:
        return {"classes": s.n_classes}
