"""Average precision: how well are all the relevant items ranked?

    AP@k = (1/n) · sum over relevant results at ranks i <= k of H(i)/i

n is the number of relevant items (norm=all), at most k of them (norm=min), or those found (norm=hits).
"""

from __future__ import annotations

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array
from rankgauge.measures._rows import shallowest
from rankgauge.measures.base import (
    BY_FOUND,
    SEVERAL_AT_ONCE,
    Example,
    Measure,
    Variant,
    choice,
    cutoff,
    divide,
    level,
    measure,
)

_FAMILY = Text("Average precision", "平均精度")


@measure(
    title=Text("Average precision", "平均精度"),
    family=_FAMILY,
    question=Text("How well are all the relevant items ranked?", "所有相关条目整体排得好不好？"),
    formula=Text(
        "AP@k = (1/n) · Σ H(i)/i over relevant results at ranks i ≤ k;  n = R (norm=all), min(k, R) (norm=min) "
        "or H(k) (norm=hits).  Its mean over queries is the MAP",
        "AP@k = (1/n) · Σ H(i)/i，对排名 i ≤ k 的相关结果求和；n = R（norm=all）、min(k, R)（norm=min）或 "
        "H(k)（norm=hits）。对查询取均值即 MAP",
    ),
    aliases=["MAP", "map_cut", "average_precision", "mean_average_precision", "平均精度均值", "平均精确率"],
    edges=Text(
        "Relevant items that are not shown count as precision 0 under norm=all. norm=hits ignores them: finding one "
        "more relevant result can lower it.",
        "norm=all 时，未展示的相关条目按精确率 0 计。norm=hits 不计这些条目：多找到一个相关结果反而可能使数值下降。",
    ),
    reference="Harman (1992); Buckley & Voorhees (2005)",
    same={
        "trec_eval": "map, map_cut_k",
        "pytrec_eval": "map, map_cut_k",
        "ir_measures": "AP, AP@k",
        "ranx": "map@k",
        "sentence-transformers, Vespa": "AP(norm=min)@k",
        "ragas, DeepEval, AutoRAG": "AP(norm=hits)@k",
    },
    differs={
        Text("recommender papers", "推荐系统论文"): Text(
            "often divide by min(k, R): AP(norm=min)@k", "常除以 min(k, R)：AP(norm=min)@k"
        ),
        "Evidently": Text(
            "repeats the last row of short lists; its AP@k can pass 1",
            "会重复短列表的最后一行；其 AP@k 可能超过 1",
        ),
    },
    example=Example([1, 0, 0, 0, 1], "(1/1 + 2/5) / 2"),
    variants={
        "norm=min": Variant(
            Text(
                "AP@k = (1 / min(k, R)) · Σ H(i)/i over relevant results at ranks i ≤ k",
                "AP@k = (1 / min(k, R)) · Σ H(i)/i，对排名 i ≤ k 的相关结果求和",
            ),
            Example([1, 0, 1], "(1/1 + 2/3) / min(3, 5)", missed=[1, 1, 1], params={"k": 3, "norm": "min"}),
        ),
        "norm=hits": Variant(
            Text(
                "AP@k = (1 / H(k)) · Σ H(i)/i over relevant results at ranks i ≤ k",
                "AP@k = (1 / H(k)) · Σ H(i)/i，对排名 i ≤ k 的相关结果求和",
            ),
            Example([1, 0, 1], "(1/1 + 2/3) / 2", missed=[1, 1, 1], params={"k": 3, "norm": "hits"}),
        ),
    },
    when_judged="count",
    in_order=True,
    side="order",
    same_with_one="RR",
    monotone=True,
    binary=True,
    stepwise=True,
    of_spans=True,
)
class AP(Measure):
    """Mean of the precisions at the ranks of the relevant items.

    >>> round(AP().of([1, 0, 0, 0, 1], missed=[1, 1, 1]), 2)
    0.28
    """

    k: int | None = cutoff()
    rel: float = level()
    norm: str = choice(
        "all",
        "min",
        "hits",
        doc=Text(
            "divide by all relevant items, by min(k, R), or by those found",
            "除以全部相关条目数、min(k, R)，或找到的相关条目数",
        ),
    )

    def per_query(self, a: Alignment) -> Array:
        return self.of_steps(a, self.steps(a))

    def steps(self, a: Alignment) -> Array:
        hit = a.relevant(self.rel) & a.within(self.k)
        precision = divide(a.by_query.scan(hit.astype(np.int64)), np.where(hit, a.rank, 1))
        return a.sum(a.items_in(np.where(hit, precision, 0.0), self.rel))

    def parts(self, a: Alignment) -> tuple[Array, Array]:
        n = self._n(a)
        return self.values(a) * n, n

    def beyond_spans(self) -> str | None:
        return SEVERAL_AT_ONCE if self.norm == "min" else super().beyond_spans()

    @property
    def adds_in_order(self) -> bool:
        return self.in_order and self.norm != "hits"  # a later hit changes all terms

    def unbounded(self) -> str | None:
        return BY_FOUND if self.norm == "hits" else super().unbounded()

    def of_steps(self, a: Alignment, steps: Array) -> Array:
        return divide(steps, self._n(a))

    def looks_at(self, a: Alignment, *, ends: bool = False) -> int | None:
        # how many are found depends on the order where the cut falls into a tie
        return shallowest(self.k, a.depth) if self.norm == "hits" else None

    def _n(self, a: Alignment) -> Array:
        if self.norm == "hits":
            return a.found(self.rel, self.k)
        n = a.n_relevant(self.rel)
        return n if self.norm == "all" or self.k is None else np.minimum(n, self.k)

    def expected(self, a: Alignment) -> Array:
        out = np.zeros(a.n_queries)
        deepest = min(x for x in (self.k, a.depth, np.inf) if x is not None)
        n = self._n(a)
        relevant = a.relevant(self.rel) & a.shown
        for query in range(a.n_queries):
            rows = np.arange(a.offsets[query], a.offsets[query + 1])
            rows = rows[relevant[rows]]
            total, found = 0.0, 0
            for first in np.unique(a.tie_first[rows]):
                members = rows[a.tie_first[rows] == first]
                size, r = int(a.tie_last[members[0]] - first + 1), len(members)
                slots = int(min(max(deepest - first + 1, 0), size))
                total += _block_sum(found, int(first), size, r, slots)
                found += r
            out[query] = total
        return divide(out, n)


def _block_sum(found: int, first: int, size: int, r: int, slots: int) -> float:
    """Expected Σ H(i)/i over the first `slots` ranks of a block of `size` that starts at rank `first`.

    A rank of the block holds one of its r relevant items with probability r/size; then each of the
    j-1 ranks before it in the block holds another one with probability (r-1)/(size-1).
    """
    j = np.arange(1, slots + 1)
    others = (j - 1) * ((r - 1) / (size - 1)) if size > 1 else 0.0
    return float(np.sum((r / size) * (found + 1 + others) / (first + j - 1)))


@measure(
    title=Text("Geometric mean average precision", "平均精度几何均值"),
    family=_FAMILY,
    question=Text("How well are the hard queries served?", "难查询的效果如何？"),
    formula=Text(
        "GMAP = exp( mean over queries of ln max(AP, 0.00001) )",
        "GMAP = exp( ln max(AP, 0.00001) 对查询的均值 )",
    ),
    aliases=["gm_map", "gm_ap"],
    edges=Text(
        "An average, not a per-query value: queries show their AP. One hopeless query pulls it far down.",
        "这是汇总值，没有单个查询的值：各查询显示其 AP。一个毫无结果的查询就会把它拉得很低。",
    ),
    reference="Robertson (2006), On GMAP and other transformations",
    same={"trec_eval": "gm_map", "pytrec_eval": "gm_map"},
    example=Example([1, 0, 1], "(1/1 + 2/3) / 2"),
    summary="geometric",
    monotone=True,
    binary=True,
    stepwise=True,
    of_spans=True,
)
class GMAP(AP):
    """Average precision, averaged over queries geometrically."""
