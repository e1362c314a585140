"""Is there a relevant result, and how far down is the first one?

Hit@k = 1 if H(k) > 0        RR@k = 1 / min{ i <= k : g_i >= rel }, else 0
"""

from __future__ import annotations

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array
from rankgauge.measures._cascade import expected_stop
from rankgauge.measures.base import Example, Measure, cutoff, divide, level, measure

_FAMILY = Text("First relevant result", "首个相关结果")


@measure(
    title=Text("Hit rate", "命中率"),
    family=_FAMILY,
    question=Text(
        "Is there at least one relevant result among the first k?",
        "前 k 条中是否至少有一个相关结果？",
    ),
    formula=Text("Hit@k = 1 if H(k) > 0 else 0", "H(k) > 0 时 Hit@k = 1，否则为 0"),
    aliases=["HR", "hit_rate", "Success", "HitRate"],
    edges=Text(
        "With exactly one relevant item per query it equals Recall@k, and one of the two can be dropped.",
        "每个查询恰好只有一个相关条目时，它等于 Recall@k，两者保留其一即可。",
    ),
    same={
        "trec_eval": "success_k",
        "pytrec_eval": "success_k",
        "ir_measures": "Success@k",
        "ranx": "hit_rate@k",
        "MTEB": "hit_rate_at_k",
        "Haystack": Text("Document Recall (single hit)", "Document Recall（single hit 模式）"),
    },
    differs={
        "ranx hits@k": Text(
            "a count of relevant results, not 0/1: that is Hits@k", "是相关结果的个数，而不是 0/1：即 Hits@k"
        )
    },
    example=Example(
        [0, 0, 1],
        "1",
        params={"k": 3},
        why=Text(
            "one of the first 3 results is relevant (rank 3), and one is enough",
            "前 3 条中有 1 条相关（第 3 位），有一条就够",
        ),
    ),
    when_judged="never hurts",
    in_order=True,
    reaches_one=True,
    side="hits",
    monotone=True,
    binary=True,
    stepwise=True,
    of_spans=True,
)
class Hit(Measure):
    """1 when a relevant result is among the first k, else 0.

    >>> Hit(k=3).of([0, 0, 2]), Hit(k=2).of([0, 0, 2])
    (1.0, 0.0)
    """

    k: int | None = cutoff()
    rel: float = level()

    def per_query(self, a: Alignment) -> Array:
        return (a.hits(self.rel, self.k) > 0).astype(np.float64)

    def expected(self, a: Alignment) -> Array:
        return expected_stop(a, a.relevant(self.rel).astype(np.float64), np.ones_like, self.k)


@measure(
    title=Text("Reciprocal rank", "平均倒数排名"),
    family=_FAMILY,
    question=Text(
        "How far must a reader go for the first relevant result?",
        "用户要看到第几条才遇到第一个相关结果？",
    ),
    formula=Text(
        "RR@k = 1 / rank of the first relevant result within k, else 0.  Its mean over queries is the MRR",
        "RR@k = 1 / 前 k 条中首个相关结果的排名，没有则为 0。对查询取均值即 MRR",
    ),
    aliases=["MRR", "recip_rank", "reciprocal_rank", "mean_reciprocal_rank", "倒数排名"],
    edges=Text(
        "The cut is real: a first hit at rank 11 gives RR@10 = 0. Only the first relevant result counts.",
        "截断是硬性的：首个命中在第 11 位时，RR@10 = 0。只看第一个相关结果。",
    ),
    reference="Voorhees (1999), The TREC-8 Question Answering Track Report",
    same={
        "trec_eval": Text("recip_rank (no cutoff; -M k cuts the run)", "recip_rank（无截断；-M k 截断列表）"),
        "pytrec_eval": "recip_rank",
        "ir_measures": Text(
            "RR, RR@k (ties in ascending order of ids with a cutoff)",
            "RR、RR@k（有截断时，并列按 id 升序）",
        ),
        "ranx": "mrr@k",
        "BEIR": "MRR@k",
    },
    differs={
        "AutoRAG": Text("its MRR averages over groups of gold items", "其 MRR 对标准答案的分组取平均"),
        "LlamaIndex granular MRR": Text("averages over the relevant results found", "对找到的相关结果取平均"),
    },
    example=Example([0, 2, 1], "1 / 2", params={"k": 10}),
    when_judged="never hurts",
    in_order=True,
    reaches_one=True,
    side="first",
    monotone=True,
    binary=True,
    stepwise=True,
    of_spans=True,
)
class RR(Measure):
    """Reciprocal of the rank of the first relevant result.

    >>> RR(k=10).of([0, 2, 1])
    0.5
    """

    best_place = 1

    k: int | None = cutoff()
    rel: float = level()

    def per_query(self, a: Alignment) -> Array:
        return divide(np.ones(a.n_queries), a.first_rank(a.relevant(self.rel) & a.within(self.k)))

    def expected(self, a: Alignment) -> Array:
        return expected_stop(a, a.relevant(self.rel).astype(np.float64), lambda rank: 1.0 / rank, self.k)
