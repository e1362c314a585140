"""Counts of relevant results among the first k: of those shown, of those that exist, and both together.

    P@k = H(k) / k        R@k = H(k) / R        F@k = (1+b²) P R / (b² P + R)

H(k) is the number of relevant results among the first k, R the number of relevant items judged.
"""

from __future__ import annotations

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array
from rankgauge.measures.base import SEVERAL_AT_ONCE, Example, Measure, Variant, choice, cutoff, level, measure, number

_FAMILY = Text("Counting relevant results", "相关结果计数")


@measure(
    title=Text("Precision", "精确率"),
    family=_FAMILY,
    question=Text("Of the first k results, how many are relevant?", "前 k 条结果中有多少是相关的？"),
    formula=Text(
        "P@k = H(k) / k;  H(k) = relevant results among the first k.  Without k: H / N over the whole list",
        "P@k = H(k) / k；H(k) = 前 k 条中的相关结果数。不给出 k 时：整个列表的 H / N",
    ),
    aliases=["Precision", "精准率", "查准率"],
    edges=Text(
        "A list shorter than k is still divided by k: places that stay empty count against it. divisor=retrieved "
        "divides by min(k, N) instead. With R < k relevant items, P@k cannot pass R/k.",
        "列表不足 k 条时仍除以 k：空位按不相关计。divisor=retrieved 则除以 min(k, N)。相关条目数 R < k 时，"
        "P@k 不会超过 R/k。",
    ),
    same={"trec_eval": "P_k", "pytrec_eval": "P_k", "ir_measures": "P@k", "ranx": "precision@k"},
    differs={
        "Elasticsearch, Quepid, MLflow, LlamaIndex": Text(
            "divide by the results returned: P(divisor=retrieved)@k",
            "除以返回的结果数：P(divisor=retrieved)@k",
        ),
    },
    example=Example([1, 0, 1, None], "2 / 4", missed=[1], params={"k": 4}),
    variants={
        "divisor=retrieved": Variant(
            Text(
                "P(divisor=retrieved)@k = H(k) / min(k, N);  N = results in the list",
                "P(divisor=retrieved)@k = H(k) / min(k, N)；N = 列表中的结果数",
            ),
            Example([1, 0, 1], "2 / min(5, 3)", missed=[1], params={"k": 5, "divisor": "retrieved"}),
        ),
    },
    additive=True,
    when_judged="never hurts",
    side="purity",
    monotone=True,
    binary=True,
    of_spans=True,
)
class P(Measure):
    """Share of the first k results that are relevant.

    >>> P(k=10).of([1])
    0.1
    """

    k: int | None = cutoff()
    rel: float = level()
    divisor: str = choice(
        "k",
        "retrieved",
        doc=Text(
            "divide by k, or by the results really there: min(k, N)",
            "除以 k，或除以实际结果数：min(k, N)",
        ),
    )

    def ratio(self, a: Alignment) -> tuple[Array, Array]:
        hits = a.hits(self.rel, self.k)
        if self.k is None:
            return hits, a.retrieved
        full = np.full(a.n_queries, self.k)
        return hits, full if self.divisor == "k" else np.minimum(full, a.retrieved)

    def most_with(self, n_relevant: Array | float) -> Array | float:
        if self.k is None or self.divisor != "k":
            return float("nan")
        most: Array | float = np.minimum(n_relevant, self.k) / self.k
        return most


@measure(
    title=Text("Recall", "召回率"),
    family=_FAMILY,
    question=Text(
        "Of all relevant items, how many are among the first k results?",
        "全部相关条目中，有多少排进了前 k 条？",
    ),
    formula=Text(
        "R@k = H(k) / R;  H(k) = relevant results among the first k, R = relevant items judged",
        "R@k = H(k) / R；H(k) = 前 k 条中的相关结果数，R = 标注为相关的条目数",
    ),
    aliases=["Recall", "查全率"],
    spellings={
        "relative_P": {"norm": "min"},
        "R_cap": {"norm": "min"},
        "capped_recall": {"norm": "min"},
    },
    edges=Text(
        "With more than k relevant items it cannot reach 1: the ceiling is k/R. norm=min divides by min(k, R), which "
        "can. With one relevant item per query Recall@k and Hit@k are the same number.",
        "相关条目多于 k 个时达不到 1：上限为 k/R。norm=min 改为除以 min(k, R)，可以达到 1。"
        "每个查询只有一个相关条目时，Recall@k 与 Hit@k 是同一个数。",
    ),
    same={
        "trec_eval": "recall_k",
        "pytrec_eval": "recall_k",
        "ir_measures": "R@k",
        "ranx": "recall@k",
        "BEIR": Text("Recall@k; its R_cap@k is R(norm=min)@k", "Recall@k；它的 R_cap@k 即 R(norm=min)@k"),
        "trec_eval relative_P_k": "R(norm=min)@k",
    },
    differs={
        Text("many question-answering papers", "许多问答论文"): Text(
            "any hit counts as 1: that is Hit@k", "有命中即为 1：这其实是 Hit@k"
        ),
        "Haystack DocumentRecallEvaluator": Text("its default mode single_hit is Hit", "其默认模式 single_hit 即 Hit"),
    },
    example=Example([1, 0, 1], "2 / 3", missed=[2], params={"k": 3}),
    variants={
        "norm=min": Variant(
            Text(
                "R(norm=min)@k = H(k) / min(k, R);  R = relevant items judged",
                "R(norm=min)@k = H(k) / min(k, R)；R = 标注为相关的条目数",
            ),
            Example([1, 0, 1], "2 / min(3, 5)", missed=[2, 1, 1], params={"k": 3, "norm": "min"}),
        ),
    },
    additive=True,
    when_judged="never hurts",
    side="coverage",
    same_with_one="Hit",
    monotone=True,
    binary=True,
    of_spans=True,
)
class R(Measure):
    """Share of the relevant items that the first k results contain.

    >>> R(k=5).of([1, 0, 1, 0, 0], missed=[1, 1])
    0.5
    """

    k: int | None = cutoff()
    rel: float = level()
    norm: str = choice(
        "all",
        "min",
        doc=Text(
            "divide by all relevant items, or by min(k, R)",
            "除以全部相关条目数，或除以 min(k, R)",
        ),
    )

    def beyond_spans(self) -> str | None:
        return SEVERAL_AT_ONCE if self.norm == "min" else super().beyond_spans()

    def most_with(self, n_relevant: Array | float) -> Array | float:
        return 1.0  # of spans all that is needed may be met at once

    def ratio(self, a: Alignment) -> tuple[Array, Array]:
        relevant = a.n_relevant(self.rel)
        if self.norm == "min" and self.k is not None:
            relevant = np.minimum(relevant, self.k)
        return a.found(self.rel, self.k), relevant


@measure(
    title=Text("F measure", "F 值"),
    family=_FAMILY,
    question=Text(
        "How good are precision and recall at k together?",
        "前 k 条的精确率与召回率综合起来如何？",
    ),
    formula=Text(
        "F@k = (1+b²)·P·R / (b²·P + R), with P = P@k, R = R@k and b = beta",
        "F@k = (1+b²)·P·R / (b²·P + R)，其中 P = P@k，R = R@k，b = beta",
    ),
    aliases=["F1", "F_beta", "F1 值", "F1 分数"],
    edges=Text(
        "beta is squared, as in the textbook: beta=2 weighs recall four times as much. 0 when nothing is hit.",
        "与教科书一致，beta 取平方：beta=2 时召回率的权重是精确率的 4 倍。没有命中时为 0。",
    ),
    reference="van Rijsbergen (1979), Information Retrieval, chapter 7",
    same={"ranx": Text("f1@k for beta=1", "f1@k（beta=1）")},
    differs={
        "trec_eval set_F, ir_measures SetF": Text("beta is not squared there: see SetF", "其 beta 不取平方：见 SetF")
    },
    example=Example([1, 0, 0, 1], "2 * (2/4) * (2/3) / (2/4 + 2/3)", missed=[1], params={"k": 4}),
    additive=True,
    when_judged="never hurts",
    monotone=True,
    binary=True,
    of_spans=True,
)
class F(Measure):
    """Weighted harmonic mean of precision and recall at k."""

    k: int | None = cutoff()
    rel: float = level()
    beta: float = number(
        1,
        low=0,
        open_low=True,
        doc=Text("weight of recall against precision, squared", "召回率相对精确率的权重，取平方"),
    )

    def ratio(self, a: Alignment) -> tuple[Array, Array]:
        # with P = H/k and R = H/n the formula is (1+b²) H / (b² n + k): linear in H
        b2 = self.beta**2
        shown = a.retrieved if self.k is None else np.full(a.n_queries, self.k)
        return (1 + b2) * a.found(self.rel, self.k), b2 * a.n_relevant(self.rel) + shown * a.per_hit(self.rel, self.k)


@measure(
    title=Text("Number of hits", "命中数"),
    family=_FAMILY,
    question=Text("How many relevant results are among the first k?", "前 k 条中有多少个相关结果？"),
    formula="Hits@k = H(k)",
    edges=Text(
        "A count, not a share; for the yes/no question see Hit@k.",
        "是个数，不是比例；只问有没有命中时，请看 Hit@k。",
    ),
    same={
        "ranx": "hits@k",
        "trec_eval": Text(
            "num_rel_ret for the whole list (a sum over queries there)",
            "整个列表的 num_rel_ret（该工具对查询求和）",
        ),
    },
    example=Example([1, 0, 2], "2", params={"k": 3}),
    bounds=(0.0, np.inf),
    additive=True,
    when_judged="never hurts",
    monotone=True,
    binary=True,
    of_spans=True,
)
class Hits(Measure):
    """Relevant results among the first k."""

    k: int | None = cutoff()
    rel: float = level()

    def per_query(self, a: Alignment) -> Array:
        return a.hits(self.rel, self.k)


@measure(
    title=Text("R-precision", "R 精确率"),
    family=_FAMILY,
    question=Text(
        "If the list were cut after as many results as there are relevant items, how many would be relevant?",
        "如果有多少个相关条目就截取多少条结果，其中有多少是相关的？",
    ),
    formula="Rprec = H(R) / R",
    aliases=["r-precision", "RPrecision"],
    edges=Text(
        "A list shorter than R is still divided by R. Precision and recall are equal at this rank.",
        "列表不足 R 条时仍除以 R。在这一位置上精确率与召回率相等。",
    ),
    reference="Buckley & Voorhees (2005), Retrieval System Evaluation",
    same={"trec_eval": "Rprec", "pytrec_eval": "Rprec", "ir_measures": "Rprec", "ranx": "r-precision"},
    example=Example([1, 0, 1], "2 / 3", missed=[1]),
    additive=True,
    monotone=True,
    binary=True,
    of_spans=True,
)
class Rprec(Measure):
    """Precision at the rank that equals the number of relevant items."""

    rel: float = level()

    def ratio(self, a: Alignment) -> tuple[Array, Array]:
        n = a.n_relevant(self.rel)
        return a.sum(a.relevant(self.rel) * a.within(a.by_query.spread(n))), n
