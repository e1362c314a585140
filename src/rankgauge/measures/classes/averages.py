"""Precision, recall and F of each class, brought to one number: macro, weighted or micro; or of one class.

Precision_k = C_kk / Σ_j C_jk      Recall_k = C_kk / Σ_j C_kj      F_k = (1 + β²) C_kk / (β² Σ_j C_kj + Σ_j C_jk)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.alignment.class_sample import ClassCounts, ClassSample
from rankgauge.alignment.segments import Array
from rankgauge.errors import suggest
from rankgauge.measures.classes.base import ClassCase, OfCounts, Slopes, measure, names_of_classes
from rankgauge.measures.parameters import Param, choice, number
from rankgauge.measures.predictions.base import Beside, Undefined

__all__ = ["Averaged", "F", "OfEach", "Precision", "Recall"]

_FAMILY = Text("Classes: precision and recall", "多分类：精确率与召回率")
_LABEL, _CALLED = ["cat", "cat", "dog", "fox", "fox"], ["cat", "dog", "dog", "fox", "cat"]
_SIGNS = ",=()@{}"


class OfEach(NamedTuple):
    """A value of each class, NaN where it is undefined, and its derivatives by its own three counts."""

    value: Array
    right: Array
    truth: Array
    called: Array


def _one_class() -> Any:
    """`label`: one class by name."""

    def read(value: Any) -> str | None:
        if value is None or value == "":
            return None
        text = str(value)
        if any(sign in text for sign in _SIGNS):
            raise ValueError(
                Text(
                    f"must be the name of a class without any of {' '.join(_SIGNS)}; per_class has all of them",
                    f"必须是不含 {' '.join(_SIGNS)} 的类别名；per_class 给出全部类别",
                )
            )
        return text

    doc = Text("of this class alone", "只看这一个类别")
    return Param(None, read, doc, aliases=("class", "pos_label"), show=str)


class Averaged(OfCounts):
    """Base of what each class has, in one number."""

    average: str = choice(
        "macro",
        "weighted",
        "micro",
        doc=Text(
            "mean over classes, mean weighted by their rows, or all rows together",
            "对类别取均值，按各类行数加权，或所有行合并计算",
        ),
    )
    label: str | None = _one_class()

    read_with: ClassVar[Mapping[str, Beside]] = {
        "counted as 0": Beside(Text("undefined, counted as 0:", "无定义，记为 0："), "text"),
        "not there": Beside(
            Text("left out, in neither labels nor predictions:", "标签与预测中均未出现，未计入："), "text"
        ),
        "rows": Beside(Text("rows of the class", "该类行数")),
        "called": Beside(Text("called so", "判为该类")),
    }
    empty: ClassVar[Text]
    """Why a class has no value."""

    def __str__(self) -> str:
        return f"{self.name}({self._which})"

    __repr__ = __str__

    @property
    def _which(self) -> str:
        """How the classes are averaged is always part of the name: there is no usual way."""
        return f"average={self.average}" if self.label is None else f"label={self.label}"

    @property
    def favours_frequent(self) -> bool:
        return self.label is None and self.average == "micro"

    @property
    def is_by_class(self) -> bool:
        return self.label is None and self.average == "macro"

    rests_on: ClassVar[str] = "either"
    """The rows that the number of one class is shared by: those of the class, those called so, or both."""

    def excess(self, s: ClassSample) -> float:
        if self.label is None or self.label not in s.classes:
            return super().excess(s)
        return float(s.excess_of_each(self.rests_on)[list(s.classes).index(self.label)])

    def of_each(self, c: ClassCounts) -> OfEach:
        """The value of every class and its slopes."""
        raise NotImplementedError  # pragma: no cover - every measure has its own

    def of_shares(self, c: ClassCounts, s: ClassSample) -> tuple[float, Slopes]:
        if self.label is not None:
            return self._of_one(c, s)
        if self.average == "micro":  # rows called something else are wrong once for each of the two classes
            return float(c.right.sum()), Slopes(right=1.0)
        value, right, truth, called = (np.nan_to_num(x, nan=0.0) for x in self.of_each(c))  # undefined: 0
        if self.average == "macro":
            n = int(np.count_nonzero(c.occurs))
            return float(value.sum() / n), Slopes(right / n, truth / n, called / n)
        return float(c.truth @ value), Slopes(c.truth * right, value + c.truth * truth, c.truth * called)

    def _of_one(self, c: ClassCounts, s: ClassSample) -> tuple[float, Slopes]:
        if self.label not in s.classes:
            known = ", ".join(map(show, s.classes[:5])) + (", …" if s.n_classes > 5 else "")
            near = suggest(str(self.label), s.classes)
            raise Undefined(
                Text(
                    f"there is no class {show(self.label)}.{near} There are: {known}",
                    f"没有类别 {show(self.label)}。现有：{known}",
                )
            )
        i = list(s.classes).index(str(self.label))
        each = self.of_each(ClassCounts(*(x[[i]] for x in c)))
        if np.isnan(each.value[0]):
            raise Undefined(self.empty)
        right, truth, called = (np.zeros(s.n_classes) for _ in range(3))
        right[i], truth[i], called[i] = each.right[0], each.truth[0], each.called[0]
        return float(each.value[0]), Slopes(right, truth, called)

    def beside(self, s: ClassSample) -> dict[str, Any]:
        if self.label is not None:
            i = list(s.classes).index(self.label)
            return {"rows": float(s.counts.truth[i]), "called": float(s.counts.called[i])}
        if self.average == "micro":
            return {}
        occurs = s.counts.occurs
        undefined = np.isnan(self.of_each(s.counts).value) & occurs
        if self.average == "weighted":
            undefined &= s.counts.truth > 0
        made: dict[str, Any] = {"counted as 0": names_of_classes(s, undefined)} if undefined.any() else {}
        if self.average == "macro" and not occurs.all():
            made["not there"] = names_of_classes(s, ~occurs)
        return made


def _ratio(top: Array, bottom: Array) -> Array:
    made: Array = np.divide(top, bottom, out=np.full(len(bottom), np.nan), where=bottom > 0)
    return made


_WHO = Text(
    "macro: the mean over the classes that are in labels or predictions; weighted: by the rows of each class; micro: "
    "all rows together, which is Accuracy. label=x: of one class.",
    "macro：对标签或预测中出现的类别取均值；weighted：按各类行数加权；micro：所有行合并，即 Accuracy。"
    "label=x：只看一个类别。",
)


@measure(
    title=Text("Precision over classes", "多分类精确率"),
    family=_FAMILY,
    question=Text(
        "Of the rows called a class, how many are of it?",
        "判为某类的行中，有多少确实属于该类？",
    ),
    formula=Text("Precision = mean over classes of C_kk / Σ_j C_jk", "Precision = C_kk / Σ_j C_jk 对各类别的均值"),
    aliases=["PPV", "positive_predictive_value", "precision_score", "精确率", "精准率", "查准率"],
    spellings={
        **{f"precision_{word}": {"average": word} for word in ("macro", "micro", "weighted")},
        **{f"{word}_precision": {"average": word} for word in ("macro", "micro", "weighted")},
    },
    edges=Text(
        f"A class that is never predicted has no precision: it counts as 0, and is named beside the value. {_WHO.en}",
        f"从未被预测的类别没有精确率：按 0 计入，并在数值旁列出其名称。{_WHO.zh}",
    ),
    same={"scikit-learn": "precision_score(average=…, zero_division=0)"},
    differs={
        "torchmetrics": Text(
            "MulticlassPrecision(average='macro') leaves classes out that are in neither column",
            "MulticlassPrecision(average='macro') 不计两列中都没有出现的类别",
        )
    },
    example=ClassCase(_LABEL, "(1/2 + 1/2 + 1/1) / 3", _CALLED),
)
class Precision(Averaged):
    """Precision of each class, averaged.

    >>> Precision().of(["a", "b", "b"], ["a", "a", "b"])
    0.75
    """

    rests_on = "called"
    empty = Text("the class is never predicted", "该类别从未被预测")

    def of_each(self, c: ClassCounts) -> OfEach:
        value = _ratio(c.right, c.called)
        by = _ratio(np.ones(len(value)), c.called)
        return OfEach(value, by, np.zeros(len(value)), -value * by)


@measure(
    title=Text("Recall over classes", "多分类召回率"),
    family=_FAMILY,
    question=Text("Of the rows of a class, how many are called so?", "某类的行中，有多少被判为该类？"),
    formula=Text("Recall = mean over classes of C_kk / Σ_j C_kj", "Recall = C_kk / Σ_j C_kj 对各类别的均值"),
    aliases=["TPR", "sensitivity", "true_positive_rate", "recall_score", "召回率", "查全率"],
    spellings={
        **{f"recall_{word}": {"average": word} for word in ("macro", "micro", "weighted")},
        **{f"{word}_recall": {"average": word} for word in ("macro", "micro", "weighted")},
    },
    edges=Text(
        "A class that is predicted but has no rows has no recall: it counts as 0, and is named beside the value; "
        f"BalancedAccuracy leaves it out. {_WHO.en}",
        "被预测过但没有行的类别没有召回率：按 0 计入，并在数值旁列出其名称；BalancedAccuracy 则不计入。" + _WHO.zh,
    ),
    same={"scikit-learn": "recall_score(average=…, zero_division=0)"},
    example=ClassCase(_LABEL, "(1/2 + 1/1 + 1/2) / 3", _CALLED),
)
class Recall(Averaged):
    """Recall of each class, averaged.

    >>> Recall(label="b").of(["a", "b", "b"], ["a", "a", "b"])
    0.5
    """

    rests_on = "truth"
    empty = Text("the class has no rows", "该类别没有行")

    def of_each(self, c: ClassCounts) -> OfEach:
        value = _ratio(c.right, c.truth)
        by = _ratio(np.ones(len(value)), c.truth)
        return OfEach(value, by, -value * by, np.zeros(len(value)))


@measure(
    title=Text("F-measure over classes", "多分类 F 值"),
    family=_FAMILY,
    question=Text(
        "How well are precision and recall of the classes balanced?",
        "各类别的精确率与召回率兼顾得如何？",
    ),
    formula=Text(
        "F = mean over classes of (1 + β²) C_kk / (β² Σ_j C_kj + Σ_j C_jk)",
        "F = (1 + β²) C_kk / (β² Σ_j C_kj + Σ_j C_jk) 对各类别的均值",
    ),
    aliases=["F_beta", "f1_score", "fbeta_score", "F_measure", "F值"],
    spellings={
        **{"F1": {}, "MulticlassF1": {}, "F2": {"beta": 2}, "F0.5": {"beta": 0.5}},
        **{f"f1_{word}": {"average": word} for word in ("macro", "micro", "weighted")},
        **{f"{word}_f1": {"average": word} for word in ("macro", "micro", "weighted")},
    },
    edges=Text(
        "The F of each class first, then their mean: not the F of mean precision and mean recall. A class of which "
        f"no row is called right has 0. {_WHO.en}",
        f"先算每个类别的 F，再取均值；不是平均精确率与平均召回率的 F。没有一行判对的类别记为 0。{_WHO.zh}",
    ),
    same={
        "scikit-learn": Text(
            "fbeta_score(average=…, beta=β), f1_score for β = 1",
            "fbeta_score(average=…, beta=β)，β = 1 时为 f1_score",
        )
    },
    differs={
        Text("others", "其他"): Text(
            "the harmonic mean of macro precision and macro recall, also called macro F1",
            "宏精确率与宏召回率的调和平均，也被称为宏 F1",
        )
    },
    reference="Opitz & Burst, Macro F1 and Macro F1 (2019)",
    example=ClassCase(_LABEL, "(2*1/(2+2) + 2*1/(1+2) + 2*1/(2+1)) / 3", _CALLED),
)
class F(Averaged):
    """F of each class, averaged; recall weighted β² times.

    >>> F().of(["a", "b", "b"], ["a", "a", "b"]) == (2/3 + 2/3) / 2
    True
    """

    beta: float = number(
        1,
        low=0,
        open_low=True,
        doc=Text("how many times more recall counts than precision", "召回率的重要性是精确率的多少倍"),
    )
    empty = Text("the class has no rows and is never predicted", "该类别没有行，也从未被预测")

    def __str__(self) -> str:
        usual = {1: "F1", 2: "F2", 0.5: "F0.5"}.get(self.beta)
        return (
            f"{usual}({self._which})"
            if usual
            else f"{self.name}({self._which}, beta={self.params['beta'].show(self.beta)})"
        )

    __repr__ = __str__

    def of_each(self, c: ClassCounts) -> OfEach:
        b = self.beta**2
        below = b * c.truth + c.called
        value = _ratio((1 + b) * c.right, below)
        by = _ratio(np.ones(len(value)), below)
        return OfEach(value, (1 + b) * by, -value * b * by, -value * by)
