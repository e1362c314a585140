"""Diversity: are the different needs behind a query all served, and served early?

    nov_i = sum over subtopics s that result i serves of (1-alpha)^(results above that serve s)
    alpha_DCG@k ~ sum of nov_i / log2(i+1)    ERR_IA@k ~ sum of nov_i / i    NRBP ~ sum of nov_i · beta^(i-1)

A second result for the same subtopic is worth less. The subtopic stands in the iteration column of the qrels.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array
from rankgauge.alignment.ties import fractional
from rankgauge.measures._cascade import expected_stop
from rankgauge.measures._headings import by_heading, n_headings, served, total
from rankgauge.measures.average_precision import AP
from rankgauge.measures.base import Example, Measure, cutoff, divide, level, measure, number
from rankgauge.measures.dcg import log2_discount
from rankgauge.measures.precision import P
from rankgauge.measures.reciprocal import Hit

_FAMILY = Text("Diversity", "多样性")
_SUBTOPIC = Text("subtopic", "子主题")
_NEEDS = ("grade", "subtopics")
_CLARKE = "Clarke et al. (2008), Novelty and diversity in information retrieval evaluation"
_TIES: dict[str, str] = {
    Text("ndeval, equal scores", "ndeval，得分相同时"): Text("ordered by ascending id", "按 id 升序排列")
}
_AT_1: dict[str, str] = {
    **_TIES,
    Text("ndeval at k=1", "ndeval，k=1 时"): Text(
        "forgets to divide by the number of subtopics, so its value can pass 1",
        "漏了除以子主题数，因此数值可能超过 1",
    ),
}
_IDS: dict[str, str] = {
    **_TIES,
    Text("ndeval, ideal list", "ndeval，理想列表"): Text(
        "of items that add the same it takes the one with the largest id", "增量相同时取 id 最大的条目"
    ),
}
_GREEDY = Text(
    "The ideal list is built greedily, the usual approximation; a list can beat it and pass 1 by a little. "
    "Where two items add the same, the later one in the judgements is taken.",
    "理想列表用贪心法构造，这是通行的近似；列表可能优于它，使数值略超过 1。两个条目的增量相同时，取标注中靠后的一个。",
)


def _alpha() -> Any:
    return number(
        0.5, low=0, high=1, doc=Text("how much a subtopic loses each time it is served", "子主题每被满足一次降低的权重")
    )


def _n_subtopics(subtopics: Alignment, of_query: Array, a: Alignment, rel: float) -> Array:
    return total(a, of_query, subtopics.n_relevant(rel) > 0)


class _Novelty(Measure):
    """What the measures with diminishing returns share; they differ in the weight of a rank and the scale."""

    k: int | None = None
    rel: float
    alpha: float

    def weight(self, rank: Array) -> Array:
        raise NotImplementedError

    def scale(self, a: Alignment) -> Array:
        """What the sum of weighted novelty is divided by."""
        raise NotImplementedError

    def per_query(self, a: Alignment) -> Array:
        return self.of_steps(a, self.steps(a))

    def steps(self, a: Alignment) -> Array:
        subtopics, of_query = by_heading(a, self, _SUBTOPIC)
        hit = subtopics.relevant(self.rel) & subtopics.shown
        before = np.where(hit, subtopics.by_query.scan(hit.astype(np.int64)) - 1, 0)
        novelty = np.where(hit, (1.0 - self.alpha) ** before, 0.0)
        return total(a, of_query, subtopics.sum(novelty * subtopics.discounted(self.weight, self.k)))

    def of_steps(self, a: Alignment, steps: Array) -> Array:
        return divide(steps, self.scale(a))

    def kinds(self, a: Alignment) -> Array:
        return served(a, self.rel)

    def expected(self, a: Alignment) -> Array:
        # novelty falls by 1-alpha at each hit, like the number of readers who leave there with chance alpha
        subtopics, of_query = by_heading(a, self, _SUBTOPIC)
        hit = subtopics.relevant(self.rel).astype(np.float64)
        if self.alpha == 0:
            spread = fractional(subtopics)
            gain = spread.sum(hit * spread.discounted(self.weight, self.k))
        else:
            gain = expected_stop(subtopics, self.alpha * hit, self.weight, self.k) / self.alpha
        return divide(total(a, of_query, gain), self.scale(a))

    def perfect(self, a: Alignment) -> Array:
        """The sum of a list whose every result serves all subtopics."""
        depth = a.retrieved if self.k is None else np.full(a.n_queries, self.k)
        ranks = np.arange(1, int(depth.max(initial=0)) + 1)
        sums = np.concatenate(([0.0], np.cumsum((1.0 - self.alpha) ** (ranks - 1) * self.weight(ranks))))
        return _n_subtopics(*by_heading(a, self, _SUBTOPIC), a, self.rel) * sums[depth]

    def greedy(self, a: Alignment) -> Array:
        """The sum of the ideal list: at each rank the judged item that adds most."""
        key = ("greedy", type(self).__name__, self.k, self.rel, self.alpha, getattr(self, "beta", None))
        return a.cached(key, lambda: self._greedy(a))

    def _greedy(self, a: Alignment) -> Array:
        assert a.groups is not None
        groups = a.groups
        pairs = np.flatnonzero(groups.relevant(self.rel))
        pairs = pairs[np.argsort(a.by_query.owner[groups.row[pairs]], kind="stable")]
        bounds = np.searchsorted(a.by_query.owner[groups.row[pairs]], np.arange(a.n_queries + 1))
        out = np.zeros(a.n_queries)
        for query in range(a.n_queries):
            mine = pairs[bounds[query] : bounds[query + 1]]
            items, item = np.unique(a.item[groups.row[mine]], return_inverse=True)
            codes, code = np.unique(groups.code[mine], return_inverse=True)
            serves = np.zeros((len(items), len(codes)))
            serves[item, code] = 1.0
            out[query] = self._take_best(serves)
        return out

    def _take_best(self, serves: Array) -> float:
        n = len(serves) if self.k is None else min(self.k, len(serves))
        worth, value = np.ones(serves.shape[1]), 0.0
        for weight in self.weight(np.arange(1, n + 1)):
            gain = serves @ worth
            best = len(gain) - 1 - int(np.argmax(gain[::-1]))
            value += float(gain[best] * weight)
            worth[serves[best] > 0] *= 1.0 - self.alpha
            serves[best] = 0.0  # taken
        return value


@measure(
    title=Text("Novelty-biased discounted cumulated gain", "新颖性偏置折损累计增益"),
    family=_FAMILY,
    question=Text(
        "How much of the different needs behind the query do the first k results serve, repetition counting less?",
        "重复内容权重降低时，前 k 条满足了查询背后多少种不同需求？",
    ),
    formula=Text(
        "alpha_DCG@k = Σ nov_i / log2(i+1) over i ≤ k, over that of a list whose every result serves all S "
        "subtopics;  nov_i = Σ (1-alpha)^(earlier results for s) over the subtopics s of result i",
        "alpha_DCG@k = Σ nov_i / log2(i+1)（i ≤ k），除以每条结果都满足全部 S 个子主题的列表的相应值；nov_i = Σ "
        "(1-alpha)^(此前满足 s 的结果数)，对结果 i 的子主题 s 求和",
    ),
    edges=Text(
        "A list shorter than k is scaled as one of k. No real list reaches 1 unless its items serve everything: see "
        "alpha_nDCG.",
        "不足 k 条的列表按 k 条归一。除非条目能满足所有需求，实际列表达不到 1：请看 alpha_nDCG。",
    ),
    reference=_CLARKE,
    same={
        "ndeval": Text("alpha-DCG@k for k > 1", "alpha-DCG@k（k > 1）"),
        "ir_measures": Text("alpha_DCG@k for k > 1", "alpha_DCG@k（k > 1）"),
    },
    differs=_AT_1,
    example=Example([(1, 0), (1, 0)], "(1 + 0.5 / log2(3)) / (2 * (1 + 0.5 / log2(3)))", [(0, 1)], {"k": 2}),
    needs=_NEEDS,
    stepwise=True,
)
class alpha_DCG(_Novelty):
    """Discounted novelty over that of a list that serves everything at each rank."""

    k: int | None = cutoff()
    rel: float = level()
    alpha: float = _alpha()

    def weight(self, rank: Array) -> Array:
        return log2_discount(rank)

    def scale(self, a: Alignment) -> Array:
        return self.perfect(a)


@measure(
    title=Text("Normalised novelty-biased discounted cumulated gain", "归一化新颖性偏置折损累计增益"),
    family=_FAMILY,
    question=Text(
        "How close is the list to the best order of the judged items, when each need should be served early?",
        "要求每种需求都尽早满足时，列表离已标注条目的最佳排序有多近？",
    ),
    formula=Text(
        "alpha_nDCG@k = Σ nov_i / log2(i+1) over i ≤ k, over that of the ideal list;  nov_i = Σ "
        "(1-alpha)^(earlier results for s) over the subtopics s of result i",
        "alpha_nDCG@k = Σ nov_i / log2(i+1)（i ≤ k），除以理想列表的相应值；nov_i = Σ (1-alpha)^(此前满足 s "
        "的结果数)，对结果 i 的子主题 s 求和",
    ),
    edges=_GREEDY,
    reference=_CLARKE,
    same={"ndeval": "alpha-nDCG@k", "ir_measures": "alpha_nDCG@k"},
    differs=_IDS,
    example=Example([(1, 0), (1, 0), (0, 1)], "(1 + 0.5/log2(3) + 1/log2(4)) / (1 + 1/log2(3) + 0.5/log2(4))"),
    needs=_NEEDS,
    stepwise=True,
)
class alpha_nDCG(alpha_DCG):
    """Discounted novelty over that of the ideal list.

    >>> alpha_nDCG(k=2).of([(1, 0), (0, 1)])        # the first result serves one subtopic, the second another
    1.0
    """

    def scale(self, a: Alignment) -> Array:
        return self.greedy(a)


@measure(
    title=Text("Intent-aware expected reciprocal rank", "意图感知期望倒数排名"),
    family=_FAMILY,
    question=Text(
        "How early are the different needs behind the query served, repetition counting less?",
        "重复内容权重降低时，查询背后的不同需求多早得到满足？",
    ),
    formula=Text(
        "ERR_IA@k = Σ nov_i / i over i ≤ k, over that of a list whose every result serves all S subtopics",
        "ERR_IA@k = Σ nov_i / i（i ≤ k），除以每条结果都满足全部 S 个子主题的列表的相应值",
    ),
    edges=Text(
        "Binary: a result serves a subtopic or not. A list shorter than k is scaled as one of k.",
        "二值：一条结果要么满足某个子主题，要么不满足。不足 k 条的列表按 k 条归一。",
    ),
    reference="Chapelle et al. (2011), Intent-based diversification of web search results",
    same={
        "ndeval": Text("ERR-IA@k for k > 1", "ERR-IA@k（k > 1）"),
        "ir_measures": Text("ERR_IA@k for k > 1", "ERR_IA@k（k > 1）"),
    },
    differs=_AT_1,
    example=Example([(1, 0), (0, 1)], "(1 + 1/2) / (2 * (1 + 0.5/2))", params={"k": 2}),
    needs=_NEEDS,
    stepwise=True,
)
class ERR_IA(_Novelty):
    """Novelty over rank, over that of a list that serves everything at each rank."""

    k: int | None = cutoff()
    rel: float = level()
    alpha: float = _alpha()

    def weight(self, rank: Array) -> Array:
        return 1.0 / rank

    def scale(self, a: Alignment) -> Array:
        return self.perfect(a)


@measure(
    title=Text("Normalised intent-aware expected reciprocal rank", "归一化意图感知期望倒数排名"),
    family=_FAMILY,
    question=Text(
        "How close is the list to the best order, when each need should be served as early as possible?",
        "要求每种需求都尽早满足时，列表离最佳排序有多近？",
    ),
    formula=Text(
        "nERR_IA@k = Σ nov_i / i over i ≤ k, over that of the ideal list",
        "nERR_IA@k = Σ nov_i / i（i ≤ k），除以理想列表的相应值",
    ),
    edges=_GREEDY,
    reference="Chapelle et al. (2011), Intent-based diversification of web search results",
    same={"ndeval": "nERR-IA@k", "ir_measures": "nERR_IA@k"},
    differs=_IDS,
    example=Example([(1, 0), (1, 0), (0, 1)], "(1 + 0.5/2 + 1/3) / (1 + 1/2 + 0.5/3)"),
    needs=_NEEDS,
    stepwise=True,
)
class nERR_IA(ERR_IA):
    """Novelty over rank, over that of the ideal list."""

    def scale(self, a: Alignment) -> Array:
        return self.greedy(a)


@measure(
    title=Text("Novelty- and rank-biased precision", "新颖性与排名偏置精确率"),
    family=_FAMILY,
    question=Text(
        "How much of the different needs does a reader see served who goes on with probability beta?",
        "用户以概率 beta 继续往下看时，能看到多少种不同需求得到满足？",
    ),
    formula="NRBP = (1 - (1-alpha)·beta) / S · Σ nov_i · beta^(i-1)",
    edges=Text(
        "No cutoff: deep ranks hardly count. 1 only when every result serves all subtopics, without end.",
        "没有截断：很靠后的位置几乎不起作用。只有列表无限长、且每条结果都满足所有子主题时才为 1。",
    ),
    reference="Clarke, Kolla & Vechtomova (2009), An effectiveness measure for ambiguous and underspecified queries",
    same={"ndeval": "NRBP", "ir_measures": "NRBP"},
    differs=_TIES,
    example=Example([(1, 0), (0, 1)], "(1 - 0.5 * 0.5) / 2 * (1 + 0.5)"),
    needs=_NEEDS,
    stepwise=True,
)
class NRBP(_Novelty):
    """Novelty met by a reader who goes on with probability beta."""

    rel: float = level()
    alpha: float = _alpha()
    beta: float = number(
        0.5,
        low=0,
        high=1,
        open_low=True,
        open_high=True,
        doc=Text("chance of going on to the next result", "继续看下一条结果的概率"),
    )

    def weight(self, rank: Array) -> Array:
        return self.beta ** (rank - 1.0)

    def scale(self, a: Alignment) -> Array:
        n = _n_subtopics(*by_heading(a, self, _SUBTOPIC), a, self.rel)
        return n / (1.0 - (1.0 - self.alpha) * self.beta)


@measure(
    title=Text("Normalised novelty- and rank-biased precision", "归一化新颖性与排名偏置精确率"),
    family=_FAMILY,
    question=Text(
        "How close is NRBP to the best that the judged items allow?",
        "NRBP 离已标注条目所能达到的最佳值有多近？",
    ),
    formula=Text("nNRBP = NRBP / NRBP of the ideal list", "nNRBP = NRBP / 理想列表的 NRBP"),
    edges=_GREEDY,
    reference="Clarke, Kolla & Vechtomova (2009), An effectiveness measure for ambiguous and underspecified queries",
    same={"ndeval": "nNRBP", "ir_measures": "nNRBP"},
    differs={
        **_IDS,
        Text("ndeval without relevant items", "ndeval，没有相关条目时"): Text(
            "not a number; here 0", "不是数值；此处为 0"
        ),
    },
    example=Example([(1, 0), (1, 0), (0, 1)], "(1 + 0.5 * 0.5 + 0.5**2) / (1 + 0.5 + 0.5 * 0.5**2)"),
    needs=_NEEDS,
    stepwise=True,
)
class nNRBP(NRBP):
    """NRBP over that of the ideal list."""

    def scale(self, a: Alignment) -> Array:
        return self.greedy(a)


class _SubtopicMean(Measure):
    """Mean of a measure over the subtopics for which something is relevant."""

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
        subtopics, of_query = by_heading(a, self, _SUBTOPIC)
        values = self.base().values(subtopics, expected=expected)  # 0 where nothing is relevant
        return divide(total(a, of_query, values), _n_subtopics(subtopics, of_query, a, self.rel))


@measure(
    title=Text("Intent-aware average precision", "意图感知平均精度"),
    family=_FAMILY,
    question=Text(
        "How well are the relevant items of each subtopic ranked, on average?",
        "各子主题的相关条目平均排得好不好？",
    ),
    formula=Text(
        "AP_IA = mean of AP over the subtopics with a relevant item",
        "AP_IA = AP 对有相关条目的子主题的均值",
    ),
    aliases=["MAP_IA"],
    edges=Text(
        "Each subtopic counts alike, however many items serve it.",
        "每个子主题权重相同，与满足它的条目数无关。",
    ),
    reference="Agrawal et al. (2009), Diversifying search results",
    same={"ndeval": "MAP-IA", "ir_measures": "AP_IA, MAP_IA"},
    differs=_TIES,
    example=Example([(1, 0), (0, 1)], "(1/1 + 1/2) / 2"),
    needs=_NEEDS,
    stepwise=True,
)
class AP_IA(_SubtopicMean):
    """Average precision, averaged over subtopics."""

    rel: float = level()

    def base(self) -> Measure:
        return AP(rel=self.rel)


@measure(
    title=Text("Intent-aware precision", "意图感知精确率"),
    family=_FAMILY,
    question=Text(
        "How many of the first k results serve a subtopic, on average over subtopics?",
        "对各子主题取平均，前 k 条中有多少满足该子主题？",
    ),
    formula=Text(
        "P_IA@k = mean of P@k over the subtopics with a relevant item",
        "P_IA@k = P@k 对有相关条目的子主题的均值",
    ),
    edges=Text(
        "A result that serves several subtopics counts for each. Repetition does not count less.",
        "一条结果满足多个子主题时，对每个子主题各计一次。重复内容不降权。",
    ),
    reference="Agrawal et al. (2009), Diversifying search results",
    same={"ndeval": "P-IA@k", "ir_measures": "P_IA@k"},
    differs=_TIES,
    example=Example([(1, 1), (0, 1)], "(1/2 + 2/2) / 2", params={"k": 2}),
    needs=_NEEDS,
    stepwise=True,
)
class P_IA(_SubtopicMean):
    """Precision among the first k, averaged over subtopics."""

    k: int | None = cutoff()
    rel: float = level()

    def base(self) -> Measure:
        return P(k=self.k, rel=self.rel)

    def merit(self, a: Alignment) -> Array:
        return n_headings(a, self.rel)


@measure(
    title=Text("Subtopic recall", "子主题召回率"),
    family=_FAMILY,
    question=Text(
        "How many of the different needs behind the query are served by the first k results?",
        "前 k 条满足了查询背后多少种不同需求？",
    ),
    formula=Text(
        "StRecall@k = subtopics with a relevant result among the first k / subtopics with a relevant item",
        "StRecall@k = 前 k 条中有相关结果的子主题数 / 有相关条目的子主题数",
    ),
    aliases=["subtopic_recall", "strec"],
    reference="Zhai, Cohen & Lafferty (2003), Beyond independent relevance",
    same={"ndeval": "strec@k", "ir_measures": "StRecall@k"},
    differs=_TIES,
    example=Example([(1, 0, 0), (1, 1, 0)], "2 / 3", missed=[(0, 0, 1)], params={"k": 2}),
    needs=_NEEDS,
    stepwise=True,
)
class StRecall(_SubtopicMean):
    """Share of the subtopics that the first k results serve."""

    k: int | None = cutoff()
    rel: float = level()

    def base(self) -> Measure:
        return Hit(k=self.k, rel=self.rel)
