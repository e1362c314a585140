"""Compatibility: how much does the list agree, from the top down, with the best list there is?

    Compat = RBO(list, ideal) / RBO(ideal, ideal)
    RBO(X, Y) = sum over depths i of p^(i-1) · |X[:i] ∩ Y[:i]| / i, over the sum of p^(i-1)

The ideal list holds the items with grades above 0, best grades first, equal grades in the order of the list.
"""

from __future__ import annotations

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array
from rankgauge.measures.base import Example, Measure, divide, measure, number, switch


@measure(
    title=Text("Compatibility", "兼容度"),
    family=Text("Agreement with an ideal list", "与理想列表的一致程度"),
    question=Text(
        "How much does the list agree, from the top down, with the best list there is?",
        "从头部往下看，列表与最佳列表有多一致？",
    ),
    formula=Text(
        "Compat = RBO(list) / RBO(ideal);  RBO(X) = Σ p^(i-1) · |X[:i] ∩ ideal[:i]|/i / Σ p^(i-1) over depths i "
        "≤ max(N, ideal length)",
        "Compat = RBO(list) / RBO(ideal)；RBO(X) = Σ p^(i-1) · |X[:i] ∩ ideal[:i]|/i / Σ p^(i-1)，对深度 i ≤ "
        "max(N, 理想列表长度) 求和",
    ),
    aliases=["compatibility"],
    edges=Text(
        "Only the order of the grades matters, so preferences can be written as grades of any size. The ideal list "
        "takes equal grades in the order of the list, items that are not shown last.",
        "只看等级的先后，因此偏好可以写成任意大小的等级。等级相同的条目，理想列表沿用列表中的顺序，未展示的排在最后。",
    ),
    reference="Clarke, Vtyurina & Smucker (2021), Assessing top-k preferences; Clarke, Smucker & Vtyurina (2020)",
    same={
        "ir_measures": Text(
            "Compat, where no scores are equal and none are negative", "Compat，前提是没有相同得分和负得分"
        )
    },
    differs={
        Text("ir_measures Compat, equal scores", "ir_measures Compat，得分相同时"): Text(
            "orders them by ascending id", "按 id 升序排列"
        ),
        Text("ir_measures Compat, negative scores", "ir_measures Compat，得分为负时"): Text(
            "its ideal list puts items with a negative score behind items that are not shown, because these have "
            "score 0 there",
            "其理想列表把负得分的条目排在未展示条目之后，因为未展示条目的得分在该工具中为 0",
        ),
    },
    example=Example([1, 2], "(0.95 * 2/2) / (1 + 0.95)", params={"p": 0.95}),
    monotone=True,
    stepwise=True,
)
class Compat(Measure):
    """Rank-biased overlap of the list with its ideal order, over the largest possible."""

    p: float = number(
        0.95,
        low=0,
        high=1,
        open_low=True,
        open_high=True,
        doc=Text("weight of each depth over the last", "每一深度与前一深度的权重之比"),
    )
    normalize: bool = switch(
        True, Text("divide by the overlap of the ideal list with itself", "除以理想列表与自身的重叠度")
    )

    def kinds(self, a: Alignment) -> Array:
        return np.where(a.grade > 0, a.grade, np.nan)

    def per_query(self, a: Alignment) -> Array:
        ideal = a.grade > 0
        order = np.lexsort((np.where(a.shown, a.rank, np.iinfo(np.int64).max), -a.grade, a.by_query.owner))
        place = np.empty_like(a.rank)
        place[order] = a.by_query.place + 1
        depth = np.maximum(a.retrieved, a.count(ideal))
        ranks = np.arange(1, int(depth.max(initial=0)) + 1)
        total = np.concatenate(([0.0], np.cumsum(self.p ** (ranks - 1.0) / ranks)))
        to_depth = a.by_query.spread(total[depth])

        def overlap(mask: Array, place: Array) -> Array:
            """Overlap of lists that have the masked items in common, each from its place on."""
            return a.sum(np.where(mask, to_depth - total[np.where(mask, place, 1) - 1], 0.0))

        common = overlap(ideal & a.shown, np.maximum(a.rank, place))  # the deeper of its two places
        if self.normalize:
            return divide(common, overlap(ideal, place))
        return divide(common, (1.0 - np.power(self.p, depth)) / (1.0 - self.p))
