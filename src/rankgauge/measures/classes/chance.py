"""How far do calls and labels agree beyond what the sizes of the classes make likely? Kappa and correlation.

With t_k and q_k the shares of rows that are of and are called class k, and r_k those of both:

    Kappa = (Σ r - Σ t q) / (1 - Σ t q)        MCC = (Σ r - Σ t q) / √((1 - Σ t²)(1 - Σ q²))
"""

from __future__ import annotations

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment.class_sample import ClassCounts, ClassSample
from rankgauge.measures.classes.base import ClassCase, OfCounts, Slopes, measure
from rankgauge.measures.predictions.base import Undefined

_FAMILY = Text("Classes: beyond chance", "多分类：超出偶然的一致")
_LABEL, _CALLED = ["cat", "cat", "dog", "fox", "fox"], ["cat", "dog", "dog", "fox", "cat"]


def _agreement(c: ClassCounts, s: ClassSample) -> float:
    """Σ (r - t q), the largest class by its complement: 1 - 0.999… would leave no digits."""
    m = int(np.argmax(c.truth))
    rest = np.arange(len(c.truth)) != m
    whole = s.counts
    neither = (whole.called[rest].sum() - (whole.truth[m] - whole.right[m])) / s.total  # whole numbers: no digit lost
    not_both = c.truth[rest].sum() * c.called[rest].sum()
    return float((c.right - c.truth * c.called)[rest].sum() + neither - not_both)


def _apart(a: np.ndarray, b: np.ndarray) -> float:
    """1 - Σ a b of two lists of shares, without the digits that a difference to 1 would lose."""
    m = int(np.argmax(a))
    rest = np.arange(len(a)) != m
    return float((a[rest] * (1 - b[rest])).sum() + a[m] * b[rest].sum())


def _is_perfect(c: ClassCounts) -> bool:
    return bool((c.right == c.truth).all())


def _only(shares: np.ndarray) -> bool:
    return int(np.count_nonzero(shares)) == 1


@measure(
    title=Text("Cohen's kappa", "科恩 Kappa 系数"),
    family=_FAMILY,
    question=Text(
        "How much of the agreement that chance leaves open is reached?",
        "在去掉偶然一致之后，达到了多大比例的一致？",
    ),
    formula=Text(
        "Kappa = (Accuracy - e) / (1 - e),  e = Σ_k t_k q_k, t_k the share of rows of class k and q_k of those "
        "called so",
        "Kappa = (Accuracy - e) / (1 - e)，e = Σ_k t_k q_k，t_k 为类别 k 的行占比，q_k 为判为 k 的行占比",
    ),
    aliases=["cohen_kappa", "cohens_kappa", "cohen_kappa_score", "科恩系数"],
    bounds=(-1.0, 1.0),
    edges=Text(
        "0 where calls agree with labels as often as calls drawn at random with the same frequencies. One class, and "
        "nothing else called: undefined.",
        "与按相同频率随机判定一样时为 0。只有一个类别且只预测该类别：无定义。",
    ),
    reference="Cohen, Educational and Psychological Measurement 20 (1960)",
    same={"scikit-learn": "cohen_kappa_score"},
    example=ClassCase(_LABEL, "(3/5 - (2*2 + 1*2 + 2*1)/25) / (1 - (2*2 + 1*2 + 2*1)/25)", _CALLED),
)
class Kappa(OfCounts):
    """Agreement beyond chance.

    >>> Kappa().of(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    0.5
    """

    def of_shares(self, c: ClassCounts, s: ClassSample) -> tuple[float, Slopes]:
        if _only(c.truth) and _only(c.called) and np.argmax(c.truth) == np.argmax(c.called):
            raise Undefined(
                Text(
                    f"all rows are {s.classes[int(np.argmax(c.truth))]} and are called so: chance would agree as well",
                    f"所有行都是 {s.classes[int(np.argmax(c.truth))]}，也都判为该类：偶然也会完全一致",
                )
            )
        below = _apart(c.truth, c.called)
        value = 1.0 if _is_perfect(c) else _agreement(c, s) / below
        by_chance = (value - 1) / below  # of the value by e
        return value, Slopes(right=1 / below, truth=by_chance * c.called, called=by_chance * c.truth)


@measure(
    title=Text("Matthews correlation over classes", "多分类马修斯相关系数"),
    family=_FAMILY,
    question=Text(
        "How strongly do calls and labels correlate, whatever the sizes of the classes?",
        "不论类别大小，判定与标签有多相关？",
    ),
    formula=Text(
        "MCC = (Σ_k r_k - Σ_k t_k q_k) / √((1 - Σ_k t_k²)(1 - Σ_k q_k²)),  r_k, t_k, q_k the shares of rows "
        "called rightly, of, and called class k",
        "MCC = (Σ_k r_k - Σ_k t_k q_k) / √((1 - Σ_k t_k²)(1 - Σ_k q_k²))，r_k、t_k、q_k 为判对为 k、属于 k、判为 "
        "k 的行占比",
    ),
    aliases=["matthews_corrcoef", "R_k", "马修斯相关系数"],
    bounds=(-1.0, 1.0),
    edges=Text(
        "One class only, or only one class ever called: undefined. With more than two classes the least value is "
        "above -1.",
        "只有一个类别，或只预测过一个类别：无定义。多于两个类别时，最小值大于 -1。",
    ),
    reference="Gorodkin, Computational Biology and Chemistry 28 (2004)",
    same={"scikit-learn": "matthews_corrcoef"},
    differs={"scikit-learn": Text("0 where it is undefined", "无定义时给出 0")},
    example=ClassCase(_LABEL, "(3/5 - 8/25) / sqrt((1 - 9/25) * (1 - 9/25))", _CALLED),
)
class MCC(OfCounts):
    """Correlation of calls and labels.

    >>> MCC().of(["a", "b", "c"], ["a", "b", "c"])
    1.0
    """

    def of_shares(self, c: ClassCounts, s: ClassSample) -> tuple[float, Slopes]:
        if _only(c.truth) or _only(c.called):
            raise Undefined(
                Text("all rows are of one class", "所有行都属于同一类别")
                if _only(c.truth)
                else Text("all rows are called the same class", "所有行都被判为同一类别")
            )
        of_truth, of_called = _apart(c.truth, c.truth), _apart(c.called, c.called)
        below = float(np.sqrt(of_truth) * np.sqrt(of_called))
        value = 1.0 if _is_perfect(c) else _agreement(c, s) / below
        truth = -c.called / below + value * c.truth / of_truth
        called = -c.truth / below + value * c.called / of_called
        return value, Slopes(right=1 / below, truth=truth, called=called)
