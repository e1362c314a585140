"""Binary preference: how often is a judged non-relevant item ranked above a relevant one?

    bpref = (1/R) · sum over relevant results of [ 1 - min(n, R) / min(Nonrel, R) ]

n is the number of judged non-relevant results above, Nonrel that of all judged non-relevant items.
"""

from __future__ import annotations

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array
from rankgauge.measures._rows import above_and_beside
from rankgauge.measures.base import Example, Measure, divide, level, measure

_FAMILY = Text("Incomplete judgements", "标注不完整")


@measure(
    title=Text("Binary preference", "二元偏好"),
    family=_FAMILY,
    question=Text(
        "How rarely are judged non-relevant results ranked above relevant ones?",
        "有多少已标注的不相关结果排在相关结果之前（越少越好）？",
    ),
    formula=Text(
        "bpref = (1/R) · Σ [1 - min(n, R) / min(Nonrel, R)] over relevant results;  n = judged non-relevant "
        "results above, Nonrel = judged non-relevant items",
        "bpref = (1/R) · Σ [1 - min(n, R) / min(Nonrel, R)]，对相关结果求和；n = 其上方已标注的不相关结果数，"
        "Nonrel = 已标注的不相关条目数",
    ),
    edges=Text(
        "Unjudged results do not count at all, so it bears incomplete judgements. A relevant result with no judged "
        "non-relevant one above counts 1; relevant items not shown count 0. Needs judged non-relevant items: without "
        "any it is recall. Negative grades are left out like unjudged results.",
        "完全不看未标注结果，因此能容忍标注不完整。前面没有已标注不相关结果的相关结果计 1；未展示的相关条目计 0。"
        "需要有已标注的不相关条目：一个也没有时就等于召回率。负等级与未标注结果一样不计。",
    ),
    reference=Text(
        "Buckley & Voorhees (2004), Retrieval evaluation with incomplete information; as corrected in trec_eval 8",
        "Buckley & Voorhees (2004), Retrieval evaluation with incomplete information；按 trec_eval 8 修正",
    ),
    same={"trec_eval": "bpref", "pytrec_eval": "bpref", "ir_measures": "Bpref"},
    differs={
        "ranx": Text(
            "negative grades count as judged non-relevant, and a query without any of these is NaN",
            "负等级按已标注的不相关计，没有这类条目的查询为 NaN",
        )
    },
    example=Example([0, 1, None, 1, 0], "((1 - 1/2) + (1 - 1/2) + 0) / 3", missed=[1]),
    needs=("grade", "nonrelevant"),
    monotone=True,
    stepwise=True,
)
class bpref(Measure):
    """Share of the relevant items' preferences over judged non-relevant ones that the list respects.

    >>> bpref().of([1, None, None, 1, 0], missed=[0])
    1.0
    """

    rel: float = level()

    def _nonrelevant(self, a: Alignment) -> Array:
        return ~a.relevant(self.rel) & (a.grade >= 0)

    def kinds(self, a: Alignment) -> Array:
        return np.where(a.relevant(self.rel), 1.0, np.where(self._nonrelevant(a), -1.0, np.nan))

    def looks_at(self, a: Alignment, *, ends: bool = False) -> int | None:
        return None if ends else a.depth

    def per_query(self, a: Alignment) -> Array:
        above = a.by_query.scan((self._nonrelevant(a) & a.shown).astype(np.int64))
        return self._value(a, np.minimum(above, a.by_query.spread(a.n_relevant(self.rel))))

    def _value(self, a: Alignment, above: Array) -> Array:
        """`above`: for each row min(n, R), or its expectation."""
        n = a.n_relevant(self.rel)
        most = a.by_query.spread(np.minimum(a.count(self._nonrelevant(a)), n))
        terms = np.where(a.relevant(self.rel) & a.shown, 1.0 - divide(above, most), 0.0)
        return divide(a.sum(terms), n)

    def expected(self, a: Alignment) -> Array:
        # of the b non-relevant results tied with it, 0..b stand above a relevant one, all equally likely
        c, b = above_and_beside(a, self._nonrelevant(a) & a.shown)
        n = a.by_query.spread(a.n_relevant(self.rel))
        free = np.clip(n - c, 0, b + 1)  # how many of 0..b stay below R
        return self._value(a, (free * c + free * (free - 1) / 2 + (b + 1 - free) * n) / (b + 1))


@measure(
    title=Text("Geometric mean binary preference", "二元偏好几何均值"),
    family=_FAMILY,
    question=Text(
        "How well are the hard queries served, when judgements are incomplete?",
        "标注不完整时，难查询的效果如何？",
    ),
    formula=Text(
        "GMbpref = exp( mean over queries of ln max(bpref, 0.00001) )",
        "GMbpref = exp( ln max(bpref, 0.00001) 对查询的均值 )",
    ),
    edges=Text(
        "An average, not a per-query value: queries show their bpref. One hopeless query pulls it far down.",
        "这是汇总值，没有单个查询的值：各查询显示其 bpref。一个毫无结果的查询就会把它拉得很低。",
    ),
    same={"trec_eval": "gm_bpref", "pytrec_eval": "gm_bpref"},
    example=Example([1, 0, 1], "(1 + (1 - 1/1)) / 2"),
    needs=("grade", "nonrelevant"),
    summary="geometric",
    monotone=True,
    stepwise=True,
)
class GMbpref(bpref):
    """Binary preference, averaged over queries geometrically."""
