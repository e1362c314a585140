"""Measures that trec_eval prints and hardly anybody else: multiples of R-precision, utility, forms of gain.

They are here so that every number of a trec_eval output can be had; for new work take nDCG, AP or RBP.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array
from rankgauge.measures._rows import up_to
from rankgauge.measures.base import Example, Measure, cutoff, divide, gains, level, measure, number, numbers
from rankgauge.measures.dcg import gain_of, kinds_of, log2_discount, merit_of

_FAMILY = Text("As in trec_eval", "trec_eval 的其他指标")


@measure(
    title=Text("R-precision at a multiple", "倍数 R 精确率"),
    family=_FAMILY,
    question=Text(
        "If the list were cut after c times as many results as there are relevant items, how many would be relevant?",
        "如果截取的结果数是相关条目数的 c 倍，其中有多少是相关的？",
    ),
    formula=Text(
        "RprecMult@c = H(n) / n;  n = integer part of c·R + 0.9",
        "RprecMult@c = H(n) / n；n = c·R + 0.9 的整数部分",
    ),
    edges=Text(
        "c=1 is Rprec. A list shorter than n is still divided by n. 0 when c·R is below 0.1.",
        "c=1 即 Rprec。列表不足 n 条时仍除以 n。c·R 低于 0.1 时为 0。",
    ),
    same={"trec_eval": "Rprec_mult_c", "pytrec_eval": "Rprec_mult_c"},
    example=Example([1, 0, 1, None], "2 / 4", params={"c": 2}),
    additive=True,
    monotone=True,
    binary=True,
)
class RprecMult(Measure):
    """Precision at a multiple of the number of relevant items."""

    c: float = number(
        1, low=0, open_low=True, at=True, doc=Text("the multiple of the number of relevant items", "相关条目数的倍数")
    )
    rel: float = level()

    def ratio(self, a: Alignment) -> tuple[Array, Array]:
        n = np.floor(self.c * a.n_relevant(self.rel) + 0.9)
        end: Any = a.by_query.spread(n)
        return a.sum(a.relevant(self.rel) * a.within(end)), n


@measure(
    title=Text("Linear utility", "线性效用"),
    family=_FAMILY,
    question=Text(
        "What is the set of results worth when every hit has a price and every false one a cost?",
        "每次命中有收益、每个误报有成本时，这组结果值多少？",
    ),
    formula=Text(
        "Utility = w1·H + w2·(N-H) + w3·(R-H) + w4·(D-N-R+H);  weights w, D = documents in the collection",
        "Utility = w1·H + w2·(N-H) + w3·(R-H) + w4·(D-N-R+H)；w 为权重，D = 文档库中的文档数",
    ),
    edges=Text(
        "The order of the results does not matter. Defined without relevant items too. w4 needs `documents`.",
        "结果的顺序不影响数值。没有相关条目时同样有定义。w4 需要给出 `documents`。",
    ),
    reference="Hull (1998), The TREC-7 filtering track",
    same={"trec_eval": "utility, utility_w1,w2,w3,w4", "pytrec_eval": "utility"},
    example=Example([1, 0, None], "1 * 1 - 1 * 2", missed=[1]),
    bounds=(-np.inf, np.inf),
    additive=True,
    relevance=False,
    shown_costs=True,
    monotone=True,
    binary=True,
)
class Utility(Measure):
    """Weighted sum of hits, false results, misses, and what is rightly left out."""

    rel: float = level()
    weights: tuple[float, ...] = numbers(
        1,
        -1,
        0,
        0,
        count=4,
        doc=Text(
            "of: relevant shown; other shown; relevant missed; other not shown",
            "依次为：展示的相关条目；展示的其他条目；漏掉的相关条目；未展示的其他条目",
        ),
    )
    documents: int = number(0, low=0, doc=Text("documents in the collection", "文档库中的文档数"))

    @classmethod
    def suffix(cls, value: str) -> dict[str, Any]:
        return {"weights": value}

    def per_query(self, a: Alignment) -> Array:
        hits, n = a.hits(self.rel), a.n_relevant(self.rel)
        parts = hits, a.retrieved - hits, n - hits, self.documents - a.retrieved - n + hits
        value: Array = np.sum([w * part for w, part in zip(self.weights, parts, strict=True)], axis=0)
        return value


class _Gained(Measure):
    """What the measures with gains share: gains of all judged items, sorted and discounted."""

    gain: Any

    def gains(self, a: Alignment) -> Array:
        return a.cached(("gain", self.gain, None), lambda: gain_of(a.grade, self.gain))

    def kinds(self, a: Alignment) -> Array:
        return kinds_of(self.gains(a))

    def ideal(self, a: Alignment) -> Array:
        """Gains above 0, highest first."""
        return a.best(np.maximum(self.gains(a), 0.0))

    def ideal_dcg(self, a: Alignment) -> Array:
        """Running DCG of the ideal list."""
        return a.by_query.scan(self.ideal(a) * log2_discount(a.by_query.place + 1.0))

    def n_gained(self, a: Alignment) -> Array:
        return a.count(self.gains(a) > 0)

    def dcg(self, a: Alignment) -> Array:
        """Running DCG of the list."""
        return a.by_query.scan(self.gains(a) * a.discounted(log2_discount))

    def defined(self, a: Alignment) -> Array:
        return self.n_gained(a) > 0

    def ideal_row(self, a: Alignment, rank: Array) -> Array:
        """For each row, the row of its query's ideal list at `rank`, or at the end of that list."""
        place = np.minimum(rank, a.by_query.spread(self.n_gained(a)))
        return a.by_query.spread(a.offsets[:-1]) + np.maximum(place, 1) - 1


@measure(
    title=Text("G", "G 指标"),
    family=_FAMILY,
    question=Text(
        "How much gain is collected, weighed by how far the list lags behind the ideal one?",
        "按列表落后于理想列表的程度加权，一共获得了多少增益？",
    ),
    formula=Text(
        "G = Σ gain(g_i) / log2(2 + C_i - S_i) / Σ I_j;  S_i = gain so far, C_i = Σ_{j≤i} max(I_j, 1), I = ideal gains",
        "G = Σ gain(g_i) / log2(2 + C_i - S_i) / Σ I_j；S_i = 到此为止的增益，C_i = Σ_{j≤i} max(I_j, 1)，I = "
        "理想列表的增益",
    ),
    edges=Text(
        "Ranks behind the end of the ideal list cost 1 each.",
        "超出理想列表末尾的位置，每个成本为 1。",
    ),
    same={"trec_eval": "G", "pytrec_eval": "G"},
    example=Example([0, 2, 1], "(2 / log2(2 + 3 - 2) + 1 / log2(2 + 4 - 3)) / 3"),
    stepwise=True,
)
class G(_Gained):
    """Gain over the logarithm of what is still missing."""

    gain: Any = gains()

    def per_query(self, a: Alignment) -> Array:
        gain, ideal = np.where(a.shown, self.gains(a), 0.0), self.ideal(a)
        cost = a.by_query.scan(np.where(ideal > 0, np.maximum(ideal, 1.0), 0.0))
        n = a.by_query.spread(self.n_gained(a))
        spent = np.where(n > 0, cost[self.ideal_row(a, a.rank)], 0.0) + np.maximum(a.rank - n, 0)
        behind = np.where(a.shown, spent - a.by_query.scan(gain), 0.0)
        return divide(a.sum(gain / np.log2(2.0 + behind)), a.sum(ideal))


@measure(
    title=Text("Binary G", "二值 G 指标"),
    family=_FAMILY,
    question=Text(
        "How few non-relevant results stand above each relevant one?",
        "排在每个相关结果之前的不相关结果有多少（越少越好）？",
    ),
    formula=Text(
        "binG = (1/R) · Σ 1 / log2(2 + i - H(i)) over relevant results at ranks i",
        "binG = (1/R) · Σ 1 / log2(2 + i - H(i))，对位于排名 i 的相关结果求和",
    ),
    edges=Text(
        "Unjudged results count as non-relevant. Relevant items that are not shown count 0.",
        "未标注结果按不相关计。未展示的相关条目计 0。",
    ),
    same={"trec_eval": "binG", "pytrec_eval": "binG"},
    example=Example([0, 1, 1], "(1 / log2(3) + 1 / log2(3) + 0) / 3", missed=[1]),
    monotone=True,
    binary=True,
    stepwise=True,
)
class binG(Measure):
    """Mean over relevant items of 1 / log2(2 + non-relevant results above)."""

    rel: float = level()

    def per_query(self, a: Alignment) -> Array:
        hit = a.relevant(self.rel) & a.shown
        others = np.where(hit, a.rank - a.by_query.scan(hit.astype(np.int64)), 0)
        return divide(a.sum(np.where(hit, 1.0 / np.log2(2.0 + others), 0.0)), a.n_relevant(self.rel))


@measure(
    title=Text("nDCG averaged over relevant items", "按相关条目平均的 nDCG"),
    family=_FAMILY,
    question=Text(
        "What is nDCG on average at the ranks where something relevant stands?",
        "在出现相关结果的各个位置上，nDCG 平均是多少？",
    ),
    formula=Text(
        "nDCGrel = (1/n) · [Σ nDCG@i over shown results with gain + (n - shown) · nDCG];  n = judged items with gain",
        "nDCGrel = (1/n) · [Σ nDCG@i + (n - m) · nDCG]，对展示的 m 个有增益的结果求和；n = 有增益的已标注条目数",
    ),
    edges=Text(
        "Items that are not shown count with the nDCG of the whole list.",
        "未展示的条目按整个列表的 nDCG 计。",
    ),
    reference=Text("as trec_eval's m_ndcg_rel.c describes it", "见 trec_eval 的 m_ndcg_rel.c"),
    same={"trec_eval": "ndcg_rel", "pytrec_eval": "ndcg_rel"},
    example=Example(
        [0, 2, 1],
        "(2/log2(3) / (2/log2(2) + 1/log2(3)) + (2/log2(3) + 1/log2(4)) / (2/log2(2) + 1/log2(3))) / 2",
    ),
)
class nDCGrel(_Gained):
    """Mean of nDCG at the ranks of the items that have gain."""

    gain: Any = gains()

    def per_query(self, a: Alignment) -> Array:
        dcg, ideal = self.dcg(a), self.ideal_dcg(a)
        gained = (self.gains(a) > 0) & a.shown
        n = self.n_gained(a)
        at_ranks = a.sum(np.where(gained, divide(dcg, ideal[self.ideal_row(a, a.rank)]), 0.0))
        whole = divide(a.sum(self.gains(a) * a.discounted(log2_discount)), a.by_query.max(ideal))
        return divide(at_ranks + (n - a.count(gained)) * whole, n)


@measure(
    title=Text("nDCG averaged over the levels of the ideal list", "按理想列表等级平均的 nDCG"),
    family=_FAMILY,
    question=Text(
        "What is nDCG on average at the ranks where the ideal list goes down a grade?",
        "在理想列表等级下降的各个位置上，nDCG 平均是多少？",
    ),
    formula=Text(
        "Rndcg = mean of DCG@t / IDCG@t over the ranks t where the sorted ideal gains change, the end of the "
        "ideal list (n), and N if N > n + 1",
        "Rndcg = DCG@t / IDCG@t 的均值，t 取理想增益下降处的排名、理想列表末尾 (n)，以及 N > n + 1 时的 N",
    ),
    edges=Text(
        "0 when nothing is relevant. N = n + 1 adds no point: a fencepost in trec_eval, kept because the name is "
        "trec_eval's.",
        "没有相关条目时为 0。N = n + 1 时不会多出一个点：这是 trec_eval 的边界偏差，因为沿用它的名称而予以保留。",
    ),
    reference=Text("as trec_eval's m_Rndcg.c describes it", "见 trec_eval 的 m_Rndcg.c"),
    same={"trec_eval": "Rndcg", "pytrec_eval": "Rndcg"},
    example=Example([1, 2], "(1 / 2 + (1 + 2/log2(3)) / (2 + 1/log2(3))) / 2"),
    monotone=True,
    stepwise=True,
)
class Rndcg(_Gained):
    """Mean of nDCG at the ranks where the ideal list goes down a level."""

    gain: Any = gains()
    rel: float = level()

    def merit(self, a: Alignment) -> Array:
        return merit_of(a, self.gain, self.gains)

    def per_query(self, a: Alignment) -> Array:
        dcg, ideal, best = self.dcg(a), self.ideal_dcg(a), self.ideal(a)
        n, owner, rank = self.n_gained(a), a.by_query.owner, a.by_query.place + 1
        is_last = rank == a.by_query.spread(n)
        step = is_last | ((best > 0) & (best != np.append(best[1:], 0.0)))
        at_steps = np.where(step, divide(up_to(a, dcg, owner, rank), ideal), 0.0)
        end = (a.retrieved > n + 1) & (n > 0)
        whole = divide(a.sum(self.gains(a) * a.discounted(log2_discount)), a.by_query.max(ideal))
        value = divide(a.sum(at_steps) + np.where(end, whole, 0.0), a.count(step) + end)
        return np.where(a.n_relevant(self.rel) > 0, value, 0.0)


@measure(
    title=Text("Yet another average precision", "另一种平均精度"),
    family=_FAMILY,
    question=Text(
        "How good is average precision on a scale without ends?",
        "在没有上下限的刻度上，平均精度如何？",
    ),
    formula="yaap = ln( (1 + S) / (1 + R - S) );  S = R · AP",
    edges=Text(
        "An empty list gives ln(1 / (1+R)), which is below 0; a perfect one ln(1+R). Better suited to means than AP.",
        "空列表为 ln(1 / (1+R))，低于 0；完美列表为 ln(1+R)。比 AP 更适合求均值。",
    ),
    reference="Robertson (2006), On GMAP and other transformations",
    same={"trec_eval": "yaap"},
    example=Example([1, 0, 1], "log((1 + 1 + 2/3) / (1 + 3 - 1 - 2/3))", missed=[1]),
    bounds=(-np.inf, np.inf),
    monotone=True,
    binary=True,
)
class yaap(Measure):
    """Average precision as log-odds."""

    rel: float = level()

    def per_query(self, a: Alignment) -> Array:
        hit = a.relevant(self.rel) & a.shown
        precision = divide(a.by_query.scan(hit.astype(np.int64)), np.where(hit, a.rank, 1))
        total = a.sum(np.where(hit, precision, 0.0))
        return np.log((1.0 + total) / (1.0 + a.n_relevant(self.rel) - total))


@measure(
    title=Text("Ideal discounted cumulated gain", "理想折损累计增益"),
    family=_FAMILY,
    question=Text("What would be the DCG of the best possible list?", "最佳列表的 DCG 是多少？"),
    formula=Text(
        "IDCG@k = Σ I_j / log2(j+1) over the k highest gains I of all judged items",
        "IDCG@k = Σ I_j / log2(j+1)，I 为全部已标注条目中最高的 k 个增益",
    ),
    aliases=["ideal_dcg"],
    edges=Text(
        "Says something about the judgements only: it is the same for every run.",
        "只反映标注：对所有系统都相同。",
    ),
    reference="Järvelin & Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques",
    same={"trec_eval": "ideal_dcg"},
    example=Example([1, None], "2/log2(2) + 1/log2(3)", missed=[2]),
    bounds=(0.0, np.inf),
    additive=True,
    monotone=True,
)
class IDCG(_Gained):
    """DCG of the ideal list."""

    k: int | None = cutoff()
    gain: Any = gains()

    def per_query(self, a: Alignment) -> Array:
        best = a.best(np.maximum(self.gains(a), 0.0), self.k)
        return a.sum(best * log2_discount(a.by_query.place + 1.0))


@measure(
    title=Text("String of grades", "等级串"),
    family=_FAMILY,
    question=Text(
        "What do the grades of the first k results look like?",
        "前 k 条结果的等级依次是什么？",
    ),
    formula=Text(
        "relstring@k = a character for each of the first k results: its grade, > above 9, - unjudged, . below 0",
        "relstring@k = 前 k 条结果各一个字符：其等级，高于 9 为 >，未标注为 -，低于 0 为 .",
    ),
    edges=Text("A text, not a number: it has no mean.", "是文本，不是数值：没有均值。"),
    same={"trec_eval": "relstring, relstring_k", "pytrec_eval": "relstring"},
    example=Example([2, None, 0, -1], "'2-0.'"),
    bounds=(-np.inf, np.inf),
    summary="none",
    relevance=False,
)
class relstring(Measure):
    """The grades of the first k results, a character each.

    >>> relstring().of([1, None, 0, 12, -1])
    '1-0>.'
    """

    k: int = cutoff(10, required=True)

    def per_query(self, a: Alignment) -> Array:
        a = a.places
        text = np.full((a.n_queries, min(self.k, int(a.retrieved.max(initial=0)))), "-")
        rows = np.flatnonzero(a.within(self.k))
        grade = np.floor(a.grade[rows])
        signs = np.where(grade < 0, ".", np.where(grade > 9, ">", np.clip(grade, 0, 9).astype(int).astype(str)))
        text[a.by_query.owner[rows], a.rank[rows] - 1] = signs
        shown = np.minimum(a.retrieved, self.k)
        return np.array(["".join(line[:n]) for line, n in zip(text, shown, strict=True)], dtype=object)
