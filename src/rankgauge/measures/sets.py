"""The list as a set: precision, recall and their like over everything shown, in any order.

    SetP = H / N        SetR = H / R        SetF = (1+b²) P R / (b² P + R)        SetAP = P · R

H is the number of relevant results shown, N that of all results shown, R that of relevant items judged.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array
from rankgauge.measures.base import Example, Measure, divide, level, measure, number, switch

_FAMILY = Text("The list as a set", "把列表看作集合")


@measure(
    title=Text("Set precision", "集合精确率"),
    family=_FAMILY,
    question=Text("Of everything shown, how much is relevant?", "展示的全部结果中有多少是相关的？"),
    formula=Text(
        "SetP = H / N;  with relative=true H / min(N, R)",
        "SetP = H / N；relative=true 时为 H / min(N, R)",
    ),
    spellings={"SetRelP": {"relative": True}, "set_relative_P": {"relative": True}},
    edges=Text(
        "0 for an empty list. relative=true divides by the best that a set of this size can have.",
        "空列表为 0。relative=true 则除以同样大小的集合所能达到的最佳值。",
    ),
    same={
        "trec_eval": Text(
            "set_P; set_relative_P is SetP(relative=true)", "set_P；set_relative_P 即 SetP(relative=true)"
        ),
        "pytrec_eval": "set_P, set_relative_P",
        "ir_measures": "SetP, SetRelP",
    },
    example=Example([1, 0, None, 2], "2 / 4", missed=[1]),
    additive=True,
    monotone=True,
    binary=True,
    of_spans=True,
)
class SetP(Measure):
    """Share of all shown results that are relevant."""

    rel: float = level()
    relative: bool = switch(False, Text("divide by min(N, R) instead of N", "除以 min(N, R) 而不是 N"))

    def ratio(self, a: Alignment) -> tuple[Array, Array]:
        most = np.minimum(a.retrieved, a.n_relevant(self.rel)) if self.relative else a.retrieved
        return a.hits(self.rel), most


@measure(
    title=Text("Set recall", "集合召回率"),
    family=_FAMILY,
    question=Text(
        "Of all relevant items, how many are shown anywhere?",
        "全部相关条目中，有多少展示了（不论位置）？",
    ),
    formula="SetR = H / R",
    aliases=["set_recall"],
    edges=Text(
        "Recall of the whole list: the same number as R without a cutoff.",
        "整个列表的召回率：与不带截断的 R 是同一个数。",
    ),
    same={"trec_eval": "set_recall", "pytrec_eval": "set_recall", "ir_measures": "SetR"},
    example=Example([1, 0, None, 2], "2 / 3", missed=[1]),
    additive=True,
    monotone=True,
    binary=True,
    of_spans=True,
)
class SetR(Measure):
    """Share of the relevant items that the list shows."""

    rel: float = level()

    def ratio(self, a: Alignment) -> tuple[Array, Array]:
        return a.found(self.rel), a.n_relevant(self.rel)


@measure(
    title=Text("Set F measure", "集合 F 值"),
    family=_FAMILY,
    question=Text(
        "How good are precision and recall of everything shown, together?",
        "全部展示结果的精确率与召回率综合起来如何？",
    ),
    formula=Text(
        "SetF = (1+b²)·P·R / (b²·P + R), with P = SetP, R = SetR and b = beta",
        "SetF = (1+b²)·P·R / (b²·P + R)，其中 P = SetP，R = SetR，b = beta",
    ),
    edges=Text(
        "beta is squared, as in the textbook; squared=false takes it as it is. 0 when nothing is hit.",
        "与教科书一致，beta 取平方；squared=false 则直接使用。没有命中时为 0。",
    ),
    reference="van Rijsbergen (1979), Information Retrieval, chapter 7",
    same={
        "trec_eval": Text(
            "set_F; set_F_x is SetF(beta=x, squared=false)",
            "set_F；set_F_x 即 SetF(beta=x, squared=false)",
        ),
        "pytrec_eval": "set_F",
        "ir_measures": Text("SetF for beta=1", "SetF（beta=1）"),
    },
    differs={
        "trec_eval set_F, ir_measures SetF": Text(
            "beta is not squared there: SetF(beta=x, squared=false)",
            "其 beta 不取平方：SetF(beta=x, squared=false)",
        )
    },
    example=Example([1, 0, None, 2], "2 * (2/4) * (2/3) / (2/4 + 2/3)", missed=[1]),
    additive=True,
    monotone=True,
    binary=True,
    of_spans=True,
)
class SetF(Measure):
    """Weighted harmonic mean of set precision and set recall."""

    rel: float = level()
    beta: float = number(1, low=0, doc=Text("weight of recall against precision", "召回率相对精确率的权重"))
    squared: bool = switch(
        True,
        Text(
            "square beta, as the textbook does and trec_eval does not",
            "对 beta 取平方：教科书如此，trec_eval 不是",
        ),
    )

    @classmethod
    def suffix(cls, value: str) -> dict[str, Any]:
        return {"beta": value, "squared": False}  # only trec_eval writes set_F_2

    def ratio(self, a: Alignment) -> tuple[Array, Array]:
        # with P = H/N and R = H/n the formula is (1+b²) H / (b² n + N): linear in H
        weight = self.beta**2 if self.squared else self.beta
        return (1 + weight) * a.found(self.rel), weight * a.n_relevant(self.rel) + a.retrieved * a.per_hit(self.rel)


@measure(
    title=Text("Set average precision", "集合平均精度"),
    family=_FAMILY,
    question=Text(
        "How good is the set when both what it holds and what it misses count?",
        "同时考虑找到的和漏掉的，这个集合有多好？",
    ),
    formula="SetAP = SetP · SetR = H² / (N·R)",
    aliases=["set_map"],
    edges=Text(
        "Unordered average precision: what AP would be if the relevant results were spread evenly.",
        "不计顺序的平均精度：相当于相关结果均匀分布时的 AP。",
    ),
    same={"trec_eval": "set_map", "pytrec_eval": "set_map", "ir_measures": "SetAP"},
    example=Example([1, 0, None, 2], "(2/4) * (2/3)", missed=[1]),
    monotone=True,
    binary=True,
    stepwise=True,
    of_spans=True,
)
class SetAP(Measure):
    """Set precision times set recall."""

    rel: float = level()

    def per_query(self, a: Alignment) -> Array:
        hits = a.hits(self.rel)
        return divide(hits * a.found(self.rel), a.retrieved * a.n_relevant(self.rel))  # one rounding, as in trec_eval

    def looks_at(self, a: Alignment, *, ends: bool = False) -> int | None:
        return None if ends else a.depth

    def expected(self, a: Alignment) -> Array:
        return self.per_query(a)  # of a set the order does not matter
