"""Inferred average precision: what would average precision be if the sampled pool had been judged in full?

    infAP = (1/R) · sum over relevant results at rank i of [ 1/i + (pooled/i) · (r + e) / (r + n + 2e) ]

r, n are the judged relevant and non-relevant results above, pooled those and the pooled ones without a
judgement (a negative grade), e = 0.00001.
"""

from __future__ import annotations

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array
from rankgauge.measures.base import Example, Measure, divide, level, measure

_EPSILON = 0.00001


@measure(
    title=Text("Inferred average precision", "推断平均精度"),
    family=Text("Incomplete judgements", "标注不完整"),
    question=Text(
        "What would average precision be if the pool, of which a sample was judged, had been judged in full?",
        "标注池只抽样标注了一部分，若全部标注，平均精度会是多少？",
    ),
    formula=Text(
        "infAP = (1/R) · Σ [1/i + (r+n+u)/i · (r+e)/(r+n+2e)] over relevant results at rank i;  r, n, u = "
        "relevant, non-relevant and pooled-but-unjudged results above, e = 0.00001",
        "infAP = (1/R) · Σ [1/i + (r+n+u)/i · (r+e)/(r+n+2e)]，对位于排名 i 的相关结果求和；r、n、u = "
        "其上方相关、不相关、在池中但未标注的结果数，e = 0.00001",
    ),
    aliases=["inferred_ap"],
    edges=Text(
        "A negative grade says: in the pool, but not drawn for judging. Results without any grade were not pooled: "
        "they only take up ranks. With a fully judged pool it is close to AP.",
        "负等级表示在标注池中、但没有抽中标注。没有任何等级的结果不在池中：只占据位置。标注池全部标注时，它接近 AP。",
    ),
    reference="Yilmaz & Aslam (2006), Estimating average precision with incomplete and imperfect judgments",
    same={"trec_eval": "infAP", "pytrec_eval": "infAP", "ir_measures": "infAP"},
    example=Example([1, -1, 1], "(1 + 1/3 + 2/3 * (1 + 1e-5) / (1 + 2e-5)) / 2"),
    needs=("grade", "nonrelevant"),
    stepwise=True,
)
class infAP(Measure):
    """Average precision estimated from a sample of judgements."""

    rel: float = level()

    def kinds(self, a: Alignment) -> Array:
        return np.where(a.relevant(self.rel), 1.0, np.where(a.grade >= 0, 0.0, -1.0))

    def per_query(self, a: Alignment) -> Array:
        relevant = a.relevant(self.rel)
        hit = relevant & a.shown
        r = a.by_query.scan(hit.astype(np.int64)) - 1
        n = a.by_query.scan((~relevant & (a.grade >= 0) & a.shown).astype(np.int64))
        pooled = a.by_query.place  # rows above: judged or pooled, shown ones first
        inside = pooled * (r + _EPSILON) / (r + n + 2 * _EPSILON)
        terms = divide(1.0 + inside, np.where(hit, a.rank, 1))
        return divide(a.sum(np.where(hit, terms, 0.0)), a.n_relevant(self.rel))
