"""Expected reciprocal rank: how far does a reader go who stops at the first result that satisfies?

    ERR@k = sum over ranks i <= k of (1/i) · p_i · prod over j < i of (1 - p_j),   p = (2^g - 1) / 2^max

A result of grade g satisfies with probability p; max is the highest grade of the judgements.
"""

from __future__ import annotations

from typing import Self

import numpy as np

from rankgauge._numbers import short
from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array
from rankgauge.errors import ParameterError
from rankgauge.measures._cascade import expected_stop
from rankgauge.measures._rows import above
from rankgauge.measures.base import Example, Measure, cutoff, measure, number
from rankgauge.measures.dcg import kinds_of

_HIGHEST = 1000  # grade up to which 2^grade is computed as it is written


@measure(
    title=Text("Expected reciprocal rank", "期望倒数排名"),
    family=Text("Models of a reader", "用户模型"),
    question=Text(
        "How far does a reader go who stops at the first result that satisfies, better grades satisfying more?",
        "用户遇到满意的结果就停止，等级越高越容易满意，他会看到多靠后？",
    ),
    formula=Text(
        "ERR@k = Σ (1/i) · p_i · Π_{j<i} (1 - p_j) over ranks i ≤ k;  p = (2^g - 1) / 2^max",
        "ERR@k = Σ (1/i) · p_i · Π_{j<i} (1 - p_j)，对排名 i ≤ k 求和；p = (2^g - 1) / 2^max",
    ),
    edges=Text(
        "max is the highest grade of the judgements unless it is given, and is printed with the result: the same list "
        "has another ERR under another max. Even a perfect list stays below 1. Grades of 0 and below never satisfy; a "
        "grade above max is an error.",
        "如未指定，max 取标注中的最高等级，并随结果一起显示：同一列表在不同的 max 下 ERR 不同。即使完美列表也低于 1。"
        "等级为 0 及以下的永远不会使用户满意；等级超过 max 会报错。",
    ),
    reference="Chapelle, Metzler, Zhang & Grinspan (2009), Expected reciprocal rank for graded relevance",
    same={"gdeval, ir_measures": Text("ERR@k with max=4, fixed there", "ERR@k，固定 max=4")},
    differs={
        "C/W/L NERR8..11": Text(
            "reweighted so that the weights of all ranks sum to 1: NERR8 to NERR11",
            "重新加权，使所有位置的权重之和为 1：NERR8 到 NERR11",
        )
    },
    example=Example([1, None, 2], "1/4 / 1 + (1 - 1/4) * (3/4) / 3", params={"max": 2}),
    when_judged="never hurts",
    in_order=True,
    monotone=True,
    stepwise=True,
    of_spans=True,
)
class ERR(Measure):
    """Expected reciprocal of the rank at which a reader is satisfied.

    >>> ERR(k=10).of([0, 1])        # a grade of 1 out of 1 satisfies half of the readers
    0.25
    """

    k: int | None = cutoff()
    max: float | None = number(
        None,
        low=0,
        doc=Text(
            "the best grade there is; by default the highest of the judgements",
            "可能的最高等级；默认取标注中的最高等级",
        ),
    )

    exponential = True
    by_gain = True

    def bind(self, a: Alignment) -> Self:
        return self.replace(max=self._top(a))

    def _top(self, a: Alignment) -> float:
        highest = float(np.maximum(a.max_grade, a.grade.max(initial=0.0)))
        if self.max is not None and highest > self.max:
            raise ParameterError(
                Text(
                    f"ERR: `max` must not be below the highest grade of the judgements ({short(highest)}), got "
                    f"{short(self.max)}.",
                    f"ERR：`max` 不能低于标注中的最高等级（{short(highest)}），实际为 {short(self.max)}。",
                )
            )
        return highest if self.max is None else self.max

    def _stop(self, a: Alignment) -> Array:
        grade, top = np.maximum(a.grade, 0.0), self._top(a)
        if top > _HIGHEST:  # 2^grade is no number any more, but the ratio is
            stop: Array = np.exp2(grade - top) - np.exp2(-top)
        else:
            stop = (np.exp2(grade) - 1.0) / np.exp2(top)
        return stop

    def per_query(self, a: Alignment) -> Array:
        stop = self._stop(a)
        alive = above(a, a.by_query.scan(1.0 - stop, np.multiply), start=1.0)
        return a.sum(alive * stop * a.discounted(lambda rank: 1.0 / rank, self.k))

    def kinds(self, a: Alignment) -> Array:
        return kinds_of(self._stop(a))

    def expected(self, a: Alignment) -> Array:
        return expected_stop(a, self._stop(a), lambda rank: 1.0 / rank, self.k)
