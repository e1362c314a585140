"""Cumulated gain: graded relevance, worth less the further down it stands.

    DCG@k = sum over ranks i <= k of gain(g_i) / log2(i+1)        nDCG@k = DCG@k / ideal DCG@k

The ideal list holds the k best of all judged items, shown or not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rankgauge._numbers import short
from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array
from rankgauge.errors import InputError
from rankgauge.measures.base import BY_FOUND, Example, Measure, Variant, choice, cutoff, gains, measure, number

_FAMILY = Text("Cumulated gain", "累计增益")
_HIGHEST = 1000  # grade whose exponential gains can still be added up


def log2_discount(rank: Array) -> Array:
    """1 / log2(rank + 1)."""
    return 1.0 / np.log2(rank + 1.0)


def burges_discount(rank: Array) -> Array:
    """1 / log2(max(rank, 2)): the first two ranks count alike (Järvelin & Kekäläinen 2002, base 2)."""
    return 1.0 / np.log2(np.maximum(rank, 2.0))


_DISCOUNTS = {"log2": log2_discount, "jk": burges_discount}


def gain_of(grade: Array, gain: Any, rel: float | None = None) -> Array:
    """Gain of each grade; grades of 0 and below gain nothing, nor do those below `rel`."""
    if gain == "linear":
        value = grade
    elif gain == "exponential":
        _refuse_beyond(grade, _HIGHEST, _GRADES)
        value = np.exp2(grade) - 1.0
    else:
        value = grade.copy()  # grades that the mapping leaves out keep themselves, as in trec_eval
        for g, x in gain:
            value[grade == g] = x
    _refuse_beyond(value, 2.0**_HIGHEST, _GAINS)
    value = np.where((grade > 0) | _mapped(grade, gain), value, 0.0)
    return value if rel is None else np.where(grade >= rel, value, 0.0)


_GRADES = Text(
    f"grades must be at most {_HIGHEST:,} where gains are 2^grade - 1",
    f"增益为 2^grade - 1 时，等级不能超过 {_HIGHEST:,}",
)
_GAINS = Text(f"gains must be at most {short(2.0**_HIGHEST, 3)}", f"增益不能超过 {short(2.0**_HIGHEST, 3)}")


def _refuse_beyond(values: Array, most: float, must: Text) -> None:
    """Gains so large that a sum of them is no number any more."""
    if (highest := float(values.max(initial=0.0))) > most:
        raise InputError(
            Text(
                f"qrels: {must}, got {short(highest)}. Use smaller grades, such as 0 to 4.",
                f"qrels：{must.zh}，实际为 {short(highest)}。请使用较小的等级，如 0 到 4。",
            )
        )


def _mapped(grade: Array, gain: Any) -> Array:
    return np.isin(grade, [g for g, _ in gain]) if isinstance(gain, tuple) else np.zeros(len(grade), dtype=bool)


def merit_of(a: Alignment, gain: Any, gains: Callable[[Alignment], Array]) -> Array:
    """What orders items by gain: their grades, unless a mapping may put a lower grade above a higher one."""
    return gains(a) if isinstance(gain, tuple) else a.grade


def kinds_of(gains: Array) -> Array:
    """Items by their gain; those without any are like unjudged results."""
    return np.where(gains != 0, gains, np.nan)


class _Gains(Measure):
    """What CG, DCG and nDCG share."""

    k: int | None = cutoff()
    gain: Any = gains()
    rel: float | None = number(
        None, doc=Text("grades below it gain nothing", "低于此值的等级没有增益"), aliases=("level", "l")
    )

    by_gain = True

    def gains(self, a: Alignment) -> Array:
        return a.cached(("gain", self.gain, self.rel), lambda: gain_of(a.grade, self.gain, self.rel))

    def defined(self, a: Alignment) -> Array:
        return a.sum(np.maximum(self.gains(a), 0.0)) > 0

    def unbounded(self) -> str | None:
        if isinstance(self.gain, tuple):
            return Text("a table of gains need not grow with the grade", "自定义的增益表不一定随等级递增")
        return super().unbounded()

    def merit(self, a: Alignment) -> Array:
        return merit_of(a, self.gain, self.gains)

    def kinds(self, a: Alignment) -> Array:
        return kinds_of(self.gains(a))


_SAME = {
    "trec_eval": Text("dcg (whole list)", "dcg（整个列表）"),
    "ranx": Text("dcg@k; dcg_burges@k is DCG(gain=exponential)@k", "dcg@k；dcg_burges@k 即 DCG(gain=exponential)@k"),
}


@measure(
    title=Text("Cumulated gain", "累计增益"),
    family=_FAMILY,
    question=Text(
        "How much relevance do the first k results hold together?",
        "前 k 条结果合起来有多少相关性？",
    ),
    aliases=["cumulated_gain", "累积增益"],
    formula=Text("CG@k = Σ gain(g_i) over ranks i ≤ k", "CG@k = Σ gain(g_i)，对排名 i ≤ k 求和"),
    edges=Text(
        "Order inside the first k does not matter. Has no upper bound, so compare it only on the same judgements.",
        "前 k 条内部的顺序不影响结果。没有上限，只能在同一份标注上比较。",
    ),
    reference="Järvelin & Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques",
    same={"Quepid": Text("CG@k with gain=exponential", "CG@k（gain=exponential）")},
    example=Example([3, 0, 2], "3 + 0 + 2", params={"k": 3}),
    variants={
        "gain=exponential": Variant(
            Text("CG@k = Σ (2^g_i - 1) over ranks i ≤ k", "CG@k = Σ (2^g_i - 1)，对排名 i ≤ k 求和"),
            Example([3, 0, 2], "7 + 0 + 3", params={"k": 3, "gain": "exponential"}),
        ),
    },
    bounds=(0.0, np.inf),
    additive=True,
    when_judged="never hurts",
    monotone=True,
    of_spans=True,
)
class CG(_Gains):
    """Sum of the gains of the first k results."""

    def per_query(self, a: Alignment) -> Array:
        return a.sum(self.gains(a) * a.within(self.k))


@measure(
    title=Text("Discounted cumulated gain", "折损累计增益"),
    family=_FAMILY,
    question=Text(
        "How much relevance do the first k results hold, when lower ranks count less?",
        "越靠后权重越低时，前 k 条结果有多少相关性？",
    ),
    formula=Text(
        "DCG@k = Σ gain(g_i) / log2(i+1) over ranks i ≤ k",
        "DCG@k = Σ gain(g_i) / log2(i+1)，对排名 i ≤ k 求和",
    ),
    aliases=["discounted_cumulative_gain", "折损累积增益"],
    spellings={"dcg_burges": {"gain": "exponential"}},
    edges=Text(
        "Has no upper bound, so compare it only on the same judgements; nDCG divides by the best possible.",
        "没有上限，只能在同一份标注上比较；nDCG 会除以可能的最大值。",
    ),
    reference=Text(
        "Järvelin & Kekäläinen (2002); exponential gain: Burges et al. (2005)",
        "Järvelin & Kekäläinen (2002)；指数增益：Burges et al. (2005)",
    ),
    same=_SAME,
    example=Example([3, 0, 2], "3/log2(2) + 0/log2(3) + 2/log2(4)", params={"k": 3}),
    variants={
        "gain=exponential": Variant(
            Text(
                "DCG@k = Σ (2^g_i - 1) / log2(i+1) over ranks i ≤ k",
                "DCG@k = Σ (2^g_i - 1) / log2(i+1)，对排名 i ≤ k 求和",
            ),
            Example([3, 0, 2], "7/log2(2) + 0/log2(3) + 3/log2(4)", params={"k": 3, "gain": "exponential"}),
        ),
    },
    bounds=(0.0, np.inf),
    additive=True,
    when_judged="never hurts",
    monotone=True,
    of_spans=True,
)
class DCG(_Gains):
    """Gains of the first k results, divided by log2(rank + 1)."""

    discount: str = choice(
        "log2",
        "jk",
        doc=Text(
            "log2: 1/log2(i+1); jk: 1/log2(max(i, 2)), the first two ranks alike",
            "log2：1/log2(i+1)；jk：1/log2(max(i, 2))，前两位权重相同",
        ),
    )

    def per_query(self, a: Alignment) -> Array:
        return a.sum(self.gains(a) * a.discounted(_DISCOUNTS[self.discount], self.k))


@measure(
    title=Text("Normalised discounted cumulated gain", "归一化折损累计增益"),
    family=_FAMILY,
    question=Text(
        "How close is the list to the best possible order of all judged items?",
        "列表离所有已标注条目的最佳排序有多近？",
    ),
    formula=Text(
        "nDCG@k = DCG@k / IDCG@k;  IDCG@k = DCG@k of the k best of all judged items, shown or not",
        "nDCG@k = DCG@k / IDCG@k；IDCG@k = 全部已标注条目（不论是否展示）中最好的 k 个的 DCG@k",
    ),
    aliases=[
        "ndcg_cut",
        "normalized_dcg",
        "normalized_discounted_cumulative_gain",
        "归一化折损累积增益",
        "归一化折扣累计增益",
    ],
    spellings={"ndcg_burges": {"gain": "exponential"}},
    edges=Text(
        "Gain is the grade itself (linear) unless gain=exponential (2^g - 1). Missing relevant items lower it, "
        "because the ideal list holds them. Grades of 0 and below gain nothing.",
        "增益就是等级本身（linear），除非 gain=exponential（2^g - 1）。漏掉相关条目会使数值下降，"
        "因为理想列表包含它们。等级为 0 及以下的没有增益。",
    ),
    reference="Järvelin & Kekäläinen (2002)",
    same={
        "trec_eval": "ndcg, ndcg_cut_k",
        "pytrec_eval": "ndcg, ndcg_cut_k",
        "ir_measures": "nDCG@k",
        "ranx": "ndcg@k",
        "BEIR, MTEB": "NDCG@k",
        "scikit-learn": Text("ndcg_score, with ties='expected'", "ndcg_score，对应 ties='expected'"),
        "gdeval, ranx ndcg_burges, ir_measures dcg='exp-log2'": "nDCG(gain=exponential)@k",
    },
    differs={
        "Elasticsearch, MLflow, AutoRAG": Text(
            "cut the ideal list at the results returned: nDCG(ideal=returned)@k",
            "按返回的结果数截断理想列表：nDCG(ideal=returned)@k",
        ),
        "Phoenix": Text(
            "builds the ideal from what was retrieved, so missing items never hurt: nDCG(ideal=retrieved)@k",
            "只用召回的结果构造理想列表，因此遗漏不扣分：nDCG(ideal=retrieved)@k",
        ),
        "LlamaIndex, Haystack, Quepid NDCG@10": Text(
            "do not cut the ideal list at k: nDCG(ideal=uncut)@k",
            "不按 k 截断理想列表：nDCG(ideal=uncut)@k",
        ),
        "C/W/L SDCG": Text("assumes k fully relevant items exist: SDCG@k", "假定存在 k 个完全相关的条目：SDCG@k"),
    },
    example=Example([0, 2, 1], "(0/log2(2) + 2/log2(3) + 1/log2(4)) / (2/log2(2) + 1/log2(3))", params={"k": 3}),
    variants={
        "gain=exponential": Variant(
            Text(
                "nDCG@k = DCG@k / IDCG@k, with gains of 2^g - 1;  IDCG@k = DCG@k of the k best of all judged items, "
                "shown or not",
                "nDCG@k = DCG@k / IDCG@k，增益为 2^g - 1；IDCG@k = 全部已标注条目（不论是否展示）中最好的 k 个的 DCG@k",
            ),
            Example(
                [0, 2, 1],
                "(0/log2(2) + 3/log2(3) + 1/log2(4)) / (3/log2(2) + 1/log2(3))",
                params={"k": 3, "gain": "exponential"},
            ),
        ),
        "ideal=retrieved": Variant(
            Text(
                "nDCG@k = DCG@k / IDCG@k;  IDCG@k = DCG@k of the k best of the items that the list shows",
                "nDCG@k = DCG@k / IDCG@k；IDCG@k = 列表已展示条目中最好的 k 个的 DCG@k",
            ),
            Example(
                [0, 2, 1],
                "(0/log2(2) + 2/log2(3) + 1/log2(4)) / (2/log2(2) + 1/log2(3))",
                missed=[3],
                params={"k": 3, "ideal": "retrieved"},
            ),
            Text(
                "How close is the list to the best possible order of the items that it shows?",
                "列表离自身所含条目的最佳排序有多近？",
            ),
        ),
        "ideal=returned": Variant(
            Text(
                "nDCG@k = DCG@k / IDCG;  IDCG = DCG of the min(k, N) best of all judged items, N = results in the list",
                "nDCG@k = DCG@k / IDCG；IDCG = 全部已标注条目中最好的 min(k, N) 个的 DCG，N = 列表中的结果数",
            ),
            Example(
                [0, 2],
                "(0/log2(2) + 2/log2(3)) / (3/log2(2) + 2/log2(3))",
                missed=[3, 1],
                params={"k": 5, "ideal": "returned"},
            ),
        ),
        "ideal=uncut": Variant(
            Text(
                "nDCG@k = DCG@k / IDCG;  IDCG = DCG of all judged items in the best order, not cut at k",
                "nDCG@k = DCG@k / IDCG；IDCG = 全部已标注条目按最佳顺序的 DCG，不按 k 截断",
            ),
            Example(
                [0, 2, 1],
                "(0/log2(2) + 2/log2(3)) / (2/log2(2) + 1/log2(3))",
                params={"k": 2, "ideal": "uncut"},
            ),
        ),
    },
    additive=True,
    when_judged="ideal",
    side="order",
    reaches_one=True,
    monotone=True,
    of_spans=True,
)
class nDCG(_Gains):
    """DCG@k divided by the DCG@k of the ideal list.

    >>> round(nDCG(k=10).of([3], missed=[3, 3, 3, 3]), 3)      # one of five found, at the top
    0.339
    """

    discount: str = choice(
        "log2",
        "jk",
        doc=Text(
            "log2: 1/log2(i+1); jk: 1/log2(max(i, 2)), the first two ranks alike",
            "log2：1/log2(i+1)；jk：1/log2(max(i, 2))，前两位权重相同",
        ),
    )
    ideal: str = choice(
        "judged",
        "retrieved",
        "returned",
        "uncut",
        doc=Text(
            "ideal list: k best of all judged; of those retrieved; cut at the results returned; not cut at all",
            "理想列表：全部已标注条目中最好的 k 个；已召回条目中最好的 k 个；按返回的结果数截断；不截断",
        ),
    )

    def ratio(self, a: Alignment) -> tuple[Array, Array]:
        discount = _DISCOUNTS[self.discount]
        dcg = a.sum(self.gains(a) * a.discounted(discount, self.k))
        return dcg, a.cached(("ideal", self.replace(judged_only=False)), lambda: self._ideal(a))

    def looks_at(self, a: Alignment, *, ends: bool = False) -> int | None:
        return a.depth if self.ideal == "retrieved" else None  # the cut decides what the ideal list is made of

    def beyond_spans(self) -> str | None:
        if self.ideal == "retrieved":
            return Text(
                "its ideal list is made of what was retrieved, and that of spans is made of the gold",
                "它的理想列表由召回的结果构成，而片段的理想列表由标准答案构成",
            )
        return super().beyond_spans()

    def unbounded(self) -> str | None:
        return BY_FOUND if self.ideal == "retrieved" else super().unbounded()

    def _ideal(self, a: Alignment) -> Array:
        gain = np.maximum(self.gains(a), 0.0)
        if self.ideal == "retrieved":
            gain = np.where(a.within() > 0, gain, 0.0)
        depth: Any = None if self.ideal == "uncut" else self.k
        if self.ideal == "returned":
            depth = a.by_query.spread(np.minimum(a.retrieved, np.inf if self.k is None else self.k))
        return a.sum(a.best(gain, depth) * _DISCOUNTS[self.discount](a.by_query.place + 1.0))
