"""Several groups of assessors: the measure by the judgements of each group, averaged.

    MAPavgjg = mean over groups of AP by the group's own grades

The group of a judgement stands in the iteration column of the qrels (trec_eval's qrels_jg format).
"""

from __future__ import annotations

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array
from rankgauge.measures._headings import by_heading, n_headings, served, total
from rankgauge.measures.average_precision import AP
from rankgauge.measures.base import Example, Measure, cutoff, divide, level, measure, number
from rankgauge.measures.precision import P
from rankgauge.measures.trec import RprecMult

_FAMILY = Text("Groups of assessors", "多个标注组")
_EDGES = Text(
    "A group that found nothing relevant counts 0. Groups without a judgement for the query do not count.",
    "没有找到任何相关条目的标注组计 0。没有标注该查询的标注组不计入。",
)


class _GroupMean(Measure):
    """Mean of a measure over the groups that judged the query."""

    rel: float

    def base(self) -> Measure:
        raise NotImplementedError

    def per_query(self, a: Alignment) -> Array:
        return self._mean(a, expected=False)

    def expected(self, a: Alignment) -> Array:
        return self._mean(a, expected=True)

    def kinds(self, a: Alignment) -> Array:
        return served(a, self.rel)

    def _mean(self, a: Alignment, *, expected: bool) -> Array:
        groups, of_query = by_heading(a, self, Text("group of assessors", "标注者组"))
        values = self.base().values(groups, expected=expected)
        used = groups.by_query.lengths > 0
        return divide(total(a, of_query, np.where(used, values, 0.0)), total(a, of_query, used))


@measure(
    title=Text("Average precision over groups of assessors", "多标注组平均精度"),
    family=_FAMILY,
    question=Text(
        "How well are the relevant items ranked, by the judgements of each group of assessors on average?",
        "分别按各标注组的标注衡量，相关条目平均排得好不好？",
    ),
    formula=Text(
        "MAPavgjg = mean over groups of AP by the group's own grades",
        "MAPavgjg = 按各标注组自己的等级求 AP，再对标注组取均值",
    ),
    edges=_EDGES,
    same={"trec_eval": "map_avgjg (-R qrels_jg)"},
    example=Example([(1, 0), None, (0, 1)], "(1/1 + 1/3) / 2"),
    needs=("grade", "groups"),
    stepwise=True,
)
class MAPavgjg(_GroupMean):
    """Average precision, averaged over groups of assessors.

    >>> MAPavgjg().of([(1, 0), (1, 1)])        # two groups of assessors
    0.75
    """

    rel: float = level()

    def base(self) -> Measure:
        return AP(rel=self.rel)


@measure(
    title=Text("Precision over groups of assessors", "多标注组精确率"),
    family=_FAMILY,
    question=Text(
        "How many of the first k results are relevant, by the judgements of each group of assessors on average?",
        "分别按各标注组的标注衡量，前 k 条结果中平均有多少是相关的？",
    ),
    formula=Text(
        "Pavgjg@k = mean over groups of P@k by the group's own grades",
        "Pavgjg@k = 按各标注组自己的等级求 P@k，再对标注组取均值",
    ),
    edges=_EDGES,
    same={"trec_eval": "P_avgjg_k (-R qrels_jg)"},
    example=Example([(1, 0), None, (1, 1)], "(2/3 + 1/3) / 2", params={"k": 3}),
    needs=("grade", "groups"),
    stepwise=True,
)
class Pavgjg(_GroupMean):
    """Precision among the first k, averaged over groups of assessors."""

    k: int | None = cutoff()
    rel: float = level()

    def base(self) -> Measure:
        return P(k=self.k, rel=self.rel)

    def merit(self, a: Alignment) -> Array:
        return n_headings(a, self.rel)


@measure(
    title=Text("R-precision at a multiple, over groups of assessors", "多标注组倍数 R 精确率"),
    family=_FAMILY,
    question=Text(
        "How precise is the list at c times the number of relevant items, by each group of assessors on average?",
        "分别按各标注组的标注衡量，截取相关条目数的 c 倍时平均有多精确？",
    ),
    formula=Text(
        "RprecMultavgjg@c = mean over groups of RprecMult@c by the group's own grades",
        "RprecMultavgjg@c = 按各标注组自己的等级求 RprecMult@c，再对标注组取均值",
    ),
    edges=_EDGES,
    same={"trec_eval": "Rprec_mult_avgjg_c (-R qrels_jg)"},
    example=Example([(1, 0), None, (1, 1)], "(1/2 + 0/1) / 2", params={"c": 1}),
    needs=("grade", "groups"),
    stepwise=True,
)
class RprecMultavgjg(_GroupMean):
    """Precision at a multiple of the number of relevant items, averaged over groups of assessors."""

    c: float = number(
        1, low=0, open_low=True, at=True, doc=Text("the multiple of the number of relevant items", "相关条目数的倍数")
    )
    rel: float = level()

    def base(self) -> Measure:
        return RprecMult(c=self.c, rel=self.rel)
