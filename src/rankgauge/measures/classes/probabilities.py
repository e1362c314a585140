"""How good are the probabilities of the classes? Their loss, their squared error, and the order they put rows in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment.class_sample import ClassSample
from rankgauge.alignment.segments import Array
from rankgauge.measures.classes.base import ClassCase, ClassMeasure, OfRows, measure, names_of_classes
from rankgauge.measures.parameters import choice
from rankgauge.measures.predictions.auc import AUC as BinaryAUC
from rankgauge.measures.predictions.base import Beside, Undefined
from rankgauge.measures.predictions.sums import CLIP

_FAMILY = Text("Classes: probabilities", "多分类：概率")
_LABEL = ["cat", "fox"]
_PROBABILITY = [{"cat": 0.5, "dog": 0.3, "fox": 0.2}, {"cat": 0.3, "dog": 0.6, "fox": 0.1}]
_THREE = ["cat", "dog", "fox"]
_ORDERED = [
    {"cat": 0.5, "dog": 0.3, "fox": 0.2},
    {"cat": 0.3, "dog": 0.6, "fox": 0.1},
    {"cat": 0.5, "dog": 0.2, "fox": 0.3},
]


@measure(
    title=Text("Logarithmic loss over classes", "多分类对数损失"),
    family=_FAMILY,
    question=Text(
        "How surprised are the probabilities by the class that it was?",
        "真实类别相对预测概率有多意外？",
    ),
    formula=Text(
        "LogLoss = -Σ w ln p(true class) / Σ w, natural logarithm, p clipped to [1e-15, 1 - 1e-15]",
        "LogLoss = -Σ w ln p(真实类别) / Σ w，自然对数，p 截断到 [1e-15, 1 - 1e-15]",
    ),
    needs=("probabilities",),
    aliases=["log_loss", "cross_entropy", "categorical_cross_entropy", "negative_log_likelihood", "NLL", "对数损失"],
    bounds=(0.0, float("inf")),
    higher_is_better=False,
    edges=Text(
        "Only the probability of the true class counts. Always saying the shares of the classes has their entropy. "
        "Clipped rows are counted, with their share of the loss.",
        "只看真实类别的概率。始终预测各类占比，损失等于类别分布的熵。被截断的行会计数，并给出它们占损失的比例。",
    ),
    same={
        "scikit-learn": Text("log_loss(labels=classes) for float64 input", "log_loss(labels=classes)，float64 输入"),
        "XGBoost": "mlogloss",
    },
    differs={"scikit-learn": Text("clips at 2.2e-16 instead of 1e-15", "在 2.2e-16 处截断，而不是 1e-15")},
    read_with={
        "of shares": Beside(Text("always the shares of the classes", "始终预测各类占比")),
        "clipped rows": Beside(Text("clipped rows", "截断行数")),
        "their share of the loss": Beside(Text("their share of the loss", "占总损失"), "share"),
    },
    example=ClassCase(_LABEL, "-(log(0.5) + log(0.1)) / 2", probability=_PROBABILITY),
)
class LogLoss(OfRows):
    """Mean negative log-probability of the true class.

    >>> round(LogLoss().of(["b"], probability=[{"a": 0.25, "b": 0.5, "c": 0.25}]), 6)
    0.693147
    """

    def of_rows(self, s: ClassSample) -> Array:
        if "log loss" not in s.made:
            s.made["log loss"] = -np.log(np.clip(s.of_truth, CLIP, 1.0 - CLIP))
        losses: Array = s.made["log loss"]
        return losses

    def beside(self, s: ClassSample) -> dict[str, Any]:
        share = s.counts.truth / s.total
        share = share[share > 0]
        made: dict[str, Any] = {"of shares": float(-(share * np.log(share)).sum()) + 0.0}
        clipped = s.of_truth < CLIP
        if clipped.any():
            losses = self.of_rows(s)
            made["clipped rows"] = int(np.count_nonzero(clipped))
            made["their share of the loss"] = s.sum(np.where(clipped, losses, 0.0)) / s.sum(losses)
        return made

    def clipped(self, beside: Mapping[str, Any]) -> tuple[int, float] | None:
        known = "clipped rows" in beside
        return (beside["clipped rows"], beside["their share of the loss"]) if known else None


@measure(
    title=Text("Brier score over classes", "多分类布里尔分数"),
    family=_FAMILY,
    question=Text(
        "How far are the probabilities of all classes from what it was, squared?",
        "所有类别的概率与真实情况的平方误差有多大？",
    ),
    formula=Text(
        "Brier = Σ w Σ_k (p_k - [k is the true class])² / Σ w",
        "Brier = Σ w Σ_k (p_k - [k 是真实类别])² / Σ w",
    ),
    needs=("probabilities",),
    aliases=["brier_score", "brier_score_loss", "multiclass_brier", "布里尔分数"],
    bounds=(0.0, 2.0),
    higher_is_better=False,
    edges=Text(
        "From 0 to 2, as Brier has it: with two classes twice the Brier score of labels and scores.",
        "取值 0 到 2，与 Brier 的原定义一致：两个类别时是标签与得分的布里尔分数的 2 倍。",
    ),
    reference="Brier, Monthly Weather Review 78 (1950)",
    same={"scikit-learn": "brier_score_loss(labels=classes, scale_by_half=False)"},
    differs={
        "scikit-learn": Text(
            "with two classes half of it, unless scale_by_half=False",
            "只有两个类别时为其一半，除非 scale_by_half=False",
        )
    },
    read_with={"of shares": Beside(Text("always the shares of the classes", "始终预测各类占比"))},
    example=ClassCase(
        _LABEL,
        "(0.5**2 + 0.3**2 + 0.2**2 + 0.3**2 + 0.6**2 + 0.9**2) / 2",
        probability=_PROBABILITY,
    ),
)
class Brier(OfRows):
    """Mean squared error of all probabilities of a row.

    >>> Brier().of(["b"], probability=[{"a": 0.25, "b": 0.5, "c": 0.25}])
    0.375
    """

    def of_rows(self, s: ClassSample) -> Array:
        rest = np.maximum(s.squares - s.of_truth**2, 0.0)
        made: Array = rest + (1 - s.of_truth) ** 2
        return made

    def beside(self, s: ClassSample) -> dict[str, Any]:
        share = s.counts.truth / s.total
        return {"of shares": float((share * (1 - share)).sum())}


@measure(
    title=Text("One-vs-rest area under the ROC curve", "一对多 ROC 曲线下面积"),
    family=_FAMILY,
    question=Text(
        "How often does a row of a class have a higher probability of it than a row of another class?",
        "某类的行对该类的预测概率，高于其他类的行的比例是多少？",
    ),
    formula=Text(
        "AUC = mean over classes of the AUC of p_k between the rows of class k and all others",
        "AUC = 以 p_k 区分类别 k 与其余各行的 AUC，对各类别取均值",
    ),
    needs=("probabilities",),
    aliases=["ROC_AUC", "AUROC", "roc_auc_score", "roc_auc_ovr"],
    spellings={"roc_auc_ovr_weighted": {"average": "weighted"}},
    edges=Text(
        "Classes without rows have no AUC and are left out. All rows of one class: undefined. Equal probabilities "
        "count half. average=weighted: by the rows of each class.",
        "没有行的类别没有 AUC，不计入。所有行属于同一类别：无定义。概率并列计一半。average=weighted：按各类行数加权。",
    ),
    reference="Provost & Domingos, CeDER Working Paper IS-00-04 (2000)",
    same={"scikit-learn": "roc_auc_score(multi_class='ovr', average='macro' or 'weighted')"},
    differs={
        "scikit-learn": Text("multi_class='ovo' averages over pairs of classes", "multi_class='ovo' 对类别对取平均")
    },
    read_with={"without rows": Beside(Text("left out, without rows:", "没有行而未计入："), "text")},
    example=ClassCase(
        _THREE,
        "((1/2 + 1) / 2 + 1 + 1) / 3",
        probability=_ORDERED,
    ),
)
class AUC(ClassMeasure):
    """Mean over classes of the AUC of each against all others.

    >>> AUC().of(["a", "b"], probability=[{"a": 0.8, "b": 0.2}, {"a": 0.3, "b": 0.7}])
    1.0
    """

    average: str = choice(
        "macro",
        "weighted",
        doc=Text("mean over classes, or weighted by their rows", "对类别取均值，或按各类行数加权"),
    )

    @property
    def is_by_class(self) -> bool:
        return self.average == "macro"

    def check(self, s: ClassSample) -> None:
        super().check(s)
        if int(np.count_nonzero(s.counts.truth)) < 2:
            only = s.classes[int(np.argmax(s.counts.truth))]
            raise Undefined(
                Text(
                    f"needs two classes with rows; all {len(s):,} labels are {only}",
                    f"至少需要两个有行的类别；{len(s):,} 个标签全是 {only}",
                )
            )

    def _each(self, s: ClassSample) -> tuple[Array, Array]:
        """Which classes have rows, and the AUC of each of them."""
        if "auc of each" not in s.made:
            there = np.flatnonzero(s.counts.truth)
            values = [BinaryAUC().value(s.one_against_rest(int(k))) for k in there]
            s.made["auc of each"] = there, np.array(values)
        found: tuple[Array, Array] = s.made["auc of each"]
        return found

    def _weights(self, s: ClassSample, there: Array) -> Array:
        share: Array = s.counts.truth[there] / s.total
        return share if self.average == "weighted" else np.full(len(there), 1 / len(there))

    def value(self, s: ClassSample) -> float:
        there, each = self._each(s)
        return float(self._weights(s, there) @ each)

    def influence(self, s: ClassSample) -> Array:
        there, each = self._each(s)
        weights, out = self._weights(s, there), np.zeros(len(s))
        for k, weight in zip(there.tolist(), weights.tolist(), strict=True):
            out += weight * BinaryAUC().influence(s.one_against_rest(k))
        if self.average == "weighted":  # a row also makes its class larger
            of_class = np.zeros(s.n_classes)
            of_class[there] = each
            out += s.weigh(of_class[s.label] - self.value(s)) / s.total
        return out

    def beside(self, s: ClassSample) -> dict[str, Any]:
        there = s.counts.truth > 0
        return {} if there.all() else {"without rows": names_of_classes(s, ~there)}
