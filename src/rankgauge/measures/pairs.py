"""Pairs in the right order: how often does a relevant result stand above a non-relevant one?

PairAccuracy = (pairs in order + ½ · pairs with equal scores) / pairs

A pair is a relevant and a judged non-relevant result, both shown.
"""

from __future__ import annotations

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array
from rankgauge.measures._rows import above_and_beside, shallowest
from rankgauge.measures.base import Example, Measure, choice, cutoff, level, measure


@measure(
    title=Text("Pair accuracy", "成对准确率"),
    family=Text("Pairs", "成对比较"),
    question=Text(
        "Of two shown results, one relevant and one not, how often does the relevant one stand above?",
        "展示的结果中任取一个相关、一个不相关的，相关的排在前面的比例是多少？",
    ),
    formula=Text(
        "PairAccuracy = (pairs in order + ½ · pairs with equal scores) / (relevant · judged non-relevant results "
        "shown)",
        "PairAccuracy = (顺序正确的对数 + ½ · 得分相同的对数) / (展示的相关结果数 · 展示的已标注不相关结果数)",
    ),
    spellings={"Accuracy": {"nonrelevant": "any"}},
    edges=Text(
        "Undefined without such a pair. Only shown results count: missed relevant items do not lower it. The same "
        "number as the area under the ROC curve of the judged results.",
        "没有这样的结果对时无定义。只看展示的结果：漏掉相关条目不会使它下降。与已标注结果的 ROC 曲线下面积是同一个数。",
    ),
    same={
        "ir_measures": Text(
            "Accuracy@k is PairAccuracy(nonrelevant=any)@k where no scores are equal",
            "没有相同得分时，Accuracy@k 即 PairAccuracy(nonrelevant=any)@k",
        )
    },
    differs={
        "ir_measures Accuracy@k": Text(
            "counts unjudged results as non-relevant, and orders equal scores by id",
            "未标注结果按不相关计，相同得分按 id 排列",
        ),
    },
    example=Example([1, 0, 1, None, 0], "(2 + 1) / (2 * 2)"),
    needs=("grade", "nonrelevant"),
    monotone=True,
    stepwise=True,
)
class PairAccuracy(Measure):
    """Share of shown (relevant, non-relevant) pairs in the right order, equal scores counting half.

    >>> PairAccuracy().of([0, 1, 0])
    0.5
    """

    k: int | None = cutoff()
    rel: float = level()
    nonrelevant: str = choice(
        "judged",
        "any",
        doc=Text(
            "non-relevant results: those judged so, or unjudged ones too",
            "不相关结果：只算标注为不相关的，或也算未标注的",
        ),
    )

    def ratio(self, a: Alignment) -> tuple[Array, Array]:
        inside = a.within(self.k) > 0
        good = a.relevant(self.rel) & inside
        higher, equal = above_and_beside(a, good)
        if self.nonrelevant == "judged":
            bad = ~a.relevant(self.rel) & inside
            over, beside = above_and_beside(a, bad)
            below = a.by_query.spread(a.count(bad)) - over - beside
        else:
            end = self._end(a)
            last = np.minimum(a.tie_last, a.by_query.spread(end))
            below = a.by_query.spread(end - a.count(good)) - last + higher + equal
            beside = last - a.tie_first + 1 - equal
        return a.sum(np.where(good, below + beside / 2, 0.0)), self._pairs(a)

    def _pairs(self, a: Alignment) -> Array:
        inside = a.within(self.k) > 0
        good = a.count(a.relevant(self.rel) & inside)
        shown = a.count(inside) if self.nonrelevant == "judged" else self._end(a)
        pairs: Array = good * (shown - good)
        return pairs

    def _end(self, a: Alignment) -> Array:
        return a.retrieved if self.k is None else np.minimum(a.retrieved, self.k)

    def defined(self, a: Alignment) -> Array:
        return self._pairs(a) > 0

    def expected(self, a: Alignment) -> Array:
        return self.per_query(a)  # equal scores count half in any order

    def kinds(self, a: Alignment) -> Array:
        other = -1.0 if self.nonrelevant == "judged" else np.nan
        return np.where(a.relevant(self.rel), 1.0, other)

    def looks_at(self, a: Alignment, *, ends: bool = False) -> int | None:
        return shallowest(self.k, a.depth)
