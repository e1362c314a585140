"""How much of what is needed does the context hold, and how much else?

C_k is the union of the first k pieces, cost_k the sum of their lengths (repeats are paid again), gold the union of all
needs. c_j is the share of need j that C_k covers, in its best alternative, and g_j its grade.

    SpanRecall = Σ g_j c_j / Σ g_j      SpanPrecision = |C ∩ gold| / cost      Duplication = 1 - |C| / cost

All in characters; overlaps count once, intervals that only touch share nothing.
"""

from __future__ import annotations

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.alignment.covered import Covered
from rankgauge.measures.base import cutoff, divide, number
from rankgauge.measures.spans.base import SpanCase, SpanMeasure, SpanRatio, measure

_FAMILY = Text("Spans: what the context holds", "片段：上下文中有什么")
_NEEDS = [("d", 0, 100), ("d", 150, 200)]
_PIECES = [("d", 0, 50), ("d", 40, 120), ("e", 0, 80)]
_CHROMA = "Chroma chunking_evaluation"
_LEGAL = "LegalBench-RAG"


@measure(
    title=Text("Span recall", "片段召回率"),
    family=_FAMILY,
    question=Text(
        "How much of the text that is needed is among the first k pieces?",
        "所需的原文中，有多少在前 k 个文本块里？",
    ),
    formula=Text(
        "SpanRecall@k = Σ g_j c_j / Σ g_j;  c_j = share of need j that the first k pieces cover, g_j = its grade",
        "SpanRecall@k = Σ g_j c_j / Σ g_j；c_j = 前 k 个文本块覆盖信息点 j 的比例，g_j = 其等级",
    ),
    aliases=["span_recall", "character_recall"],
    edges=Text(
        "Pieces count as a union: nothing is covered twice, and it never passes 1. Of several alternatives the best "
        "covered one counts. Needs count by their grades, not by their lengths.",
        "文本块取并集：不会重复覆盖，也不会超过 1。有多个备选时取覆盖最好的一个。信息点按等级计权，不按长度。",
    ),
    differs={
        _CHROMA: Text(
            "divides by the summed lengths of references: long ones weigh more, and where they overlap perfect recall "
            "stays below 1",
            "除以各引文长度之和：长引文权重更大，引文重叠时完美召回也达不到 1",
        ),
        _LEGAL: Text(
            "sums overlaps of retrieved chunks: recall can pass 1", "把检索块的重叠部分相加：召回率可能超过 1"
        ),
        "AutoRAG retrieval_token_recall": Text(
            "mean over retrieved passages of words in common: a useless passage lowers it",
            "对检索段落求共同词比例的平均：加入无用段落会降低它",
        ),
    },
    example=SpanCase(_NEEDS, _PIECES, "(100 / 100 + 0 / 50) / 2", params={"k": 3}),
    side="coverage",
)
class SpanRecall(SpanRatio):
    """Share of the needs, by grade, that the first k pieces cover.

    >>> SpanRecall(k=1).of({"q": [("d", 0, 100)]}, {"q": [("d", 50, 250)]})
    0.5
    """

    k: int | None = cutoff()

    def ratio_of(self, c: Covered) -> tuple[Array, Array]:
        return c.recalled(self.k), c.total


@measure(
    title=Text("Span precision", "片段精确率"),
    family=_FAMILY,
    question=Text(
        "How much of the context made of the first k pieces is text that is needed?",
        "前 k 个文本块组成的上下文中，有多少是所需的原文？",
    ),
    formula=Text(
        "SpanPrecision@k = |C ∩ gold| / cost;  C = union of the first k pieces, cost = sum of their lengths",
        "SpanPrecision@k = |C ∩ gold| / cost；C = 前 k 个文本块的并集，cost = 它们的长度之和",
    ),
    aliases=["span_precision", "character_precision"],
    edges=Text(
        "What is retrieved twice is paid twice and counts once. An empty list has 0.",
        "重复检索的内容付两次成本、只计一次。空列表为 0。",
    ),
    same={_CHROMA: Text("precision, in characters", "precision，以字符计")},
    example=SpanCase(_NEEDS, _PIECES, "100 / (50 + 80 + 80)", params={"k": 3}),
    side="purity",
)
class SpanPrecision(SpanRatio):
    """Share of the context that is gold.

    >>> SpanPrecision(k=1).of({"q": [("d", 0, 100)]}, {"q": [("d", 50, 250)]})
    0.25
    """

    k: int | None = cutoff()

    def ratio_of(self, c: Covered) -> tuple[Array, Array]:
        return c.hits(self.k), c.spent(self.k)


@measure(
    title=Text("Span intersection over union", "片段交并比"),
    family=_FAMILY,
    question=Text(
        "How near is the context to exactly the text that is needed?",
        "上下文与恰好所需的原文有多接近？",
    ),
    formula=Text(
        "SpanIoU@k = |C ∩ gold| / (cost + missed);  missed = characters of gold that C lacks, each need in its best "
        "alternative",
        "SpanIoU@k = |C ∩ gold| / (cost + missed)；missed = C 中缺少的标准原文字符数，每个信息点取其最好的备选",
    ),
    aliases=["span_iou", "span_jaccard"],
    edges=Text(
        "1 where the pieces are the gold and nothing else. Repeats are in the cost, so they lower it.",
        "文本块恰好是标准原文时为 1。重复内容计入成本，因此会降低它。",
    ),
    same={_CHROMA: Text("iou, where references do not overlap", "iou，引文不重叠时")},
    example=SpanCase(_NEEDS, _PIECES, "100 / (50 + 80 + 80 + 50)", params={"k": 3}),
    side="purity",
)
class SpanIoU(SpanRatio):
    """Gold in the context, by what was sent and what is missing.

    >>> SpanIoU().of({"q": [("d", 0, 100)]}, {"q": [("d", 0, 100)]})
    1.0
    """

    k: int | None = cutoff()

    def ratio_of(self, c: Covered) -> tuple[Array, Array]:
        return c.hits(self.k), c.spent(self.k) + c.left(self.k)


@measure(
    title=Text("Span F measure", "片段 F 值"),
    family=_FAMILY,
    question=Text(
        "How good are recall and precision of the context together?",
        "上下文的召回率与精确率综合起来如何？",
    ),
    formula=Text(
        "SpanF@k = (1+b²)·P·R / (b²·P + R), with P = SpanPrecision@k, R = SpanRecall@k and b = beta",
        "SpanF@k = (1+b²)·P·R / (b²·P + R)，其中 P = SpanPrecision@k，R = SpanRecall@k，b = beta",
    ),
    aliases=["span_f1"],
    edges=Text(
        "beta is squared: beta=2 weighs recall four times as much. 0 where no gold is found.",
        "beta 取平方：beta=2 时召回率的权重是精确率的 4 倍。没有找到标准原文时为 0。",
    ),
    example=SpanCase(
        _NEEDS,
        _PIECES,
        "2 * (100 / 210) * (1 / 2) / (100 / 210 + 1 / 2)",
        params={"k": 3},
    ),
)
class SpanF(SpanMeasure):
    """Weighted harmonic mean of span precision and span recall."""

    k: int | None = cutoff()
    beta: float = number(
        1,
        low=0,
        open_low=True,
        doc=Text("weight of recall against precision, squared", "召回率相对精确率的权重，取平方"),
    )

    def of_cover(self, c: Covered) -> Array:
        p, r = SpanPrecision(k=self.k).of_cover(c), SpanRecall(k=self.k).of_cover(c)
        b2 = self.beta**2
        return divide((1 + b2) * p * r, b2 * p + r)


@measure(
    title=Text("Need recall", "信息点召回率"),
    family=_FAMILY,
    question=Text(
        "How many of the things that are needed are all there in the first k pieces?",
        "所需的信息点中，有多少在前 k 个文本块里是完整的？",
    ),
    formula=Text(
        "NeedRecall@k = needs of which the first k pieces cover at least `reach` / all needs",
        "NeedRecall@k = 前 k 个文本块至少覆盖了 `reach` 的信息点数 / 信息点总数",
    ),
    aliases=["need_recall", "reference_recall"],
    edges=Text(
        "reach=1: half a sentence is no answer; a need may be put together from several pieces. Grades do not count. "
        "R@k is the same number at the reach of the spans.",
        "reach=1：半句话不算答案；一个信息点可以由几个文本块拼成。不看等级。R@k 是在片段自身的 reach 下的同一个数。",
    ),
    example=SpanCase(_NEEDS, _PIECES, "1 / 2", params={"k": 2}),
    side="coverage",
)
class NeedRecall(SpanRatio):
    """Share of the needs that are covered, wholly or far enough.

    >>> NeedRecall(k=1).of({"q": [("d", 0, 100)]}, {"q": [("d", 0, 90)]})
    0.0
    """

    by_whole_needs = True

    k: int | None = cutoff()
    reach: float = number(
        1,
        low=0,
        high=1,
        open_low=True,
        doc=Text("share of a need that must be covered", "信息点必须被覆盖的比例"),
    )

    def ratio_of(self, c: Covered) -> tuple[Array, Array]:
        return c.by_query.count(c.reached(self.reach, self.k)), c.by_query.lengths


@measure(
    title=Text("Span precision at full recall", "完全召回时的片段精确率"),
    family=_FAMILY,
    question=Text(
        "How much of the context is gold once everything that is needed is in it?",
        "所需内容全部进入上下文时，其中有多少是标准原文？",
    ),
    formula=Text(
        "SpanPfull = SpanPrecision@r, r = the first place at which every need is covered wholly; 0 where there is none",
        "SpanPfull = SpanPrecision@r，r = 全部信息点都被完整覆盖的第一个位置；没有这样的位置时为 0",
    ),
    aliases=["precision_at_full_recall"],
    edges=Text(
        "A list that never holds everything has 0, however much it holds.",
        "列表始终没有覆盖全部内容时为 0，不论覆盖了多少。",
    ),
    example=SpanCase([("d", 0, 100)], _PIECES, "100 / (50 + 80)"),
    side="purity",
)
class SpanPfull(SpanMeasure):
    """Precision of the shortest context that holds everything.

    >>> SpanPfull().of({"q": [("d", 0, 100)]}, {"q": [("d", 0, 60), ("d", 60, 200)]})
    0.5
    """

    def of_cover(self, c: Covered) -> Array:
        last = c.by_query.max(c.first(1.0), empty=np.inf)
        full = np.isfinite(last)
        k = np.where(full, last, 0)
        return np.where(full, divide(c.hits(k), c.spent(k)), 0.0)


@measure(
    title=Text("Highest span precision of a chunking", "切分方式的片段精确率上限"),
    family=_FAMILY,
    question=Text(
        "What precision would a perfect retriever have with these chunks?",
        "用这样的文本块，完美的检索器精确率是多少？",
    ),
    formula=Text(
        "SpanOmega = |U ∩ gold| / cost;  U = all chunks that hold any gold, retrieved or not",
        "SpanOmega = |U ∩ gold| / cost；U = 含有标准原文的全部文本块，不论是否检索到",
    ),
    aliases=["precision_omega"],
    edges=Text(
        "It is of the chunks, not of the ranking: it needs all of them, rg.Chunks(run, chunks=table). A chunk that "
        "only touches gold holds none.",
        "它说的是文本块，不是排序：需要全部文本块，rg.Chunks(run, chunks=table)。"
        "仅与标准原文相接的文本块不含标准原文。",
    ),
    differs={
        _CHROMA: Text(
            "precision Ω is an intersection over union, and chunks that only touch a reference lower it",
            "precision Ω 是交并比，且仅与引文相接的块也会降低它",
        )
    },
    example=SpanCase(
        [("d", 10, 60)],
        [("d", 0, 40)],
        "(30 + 20) / (40 + 40)",
        chunks=[("d", 0, 40), ("d", 40, 80), ("d", 80, 120)],
    ),
    side="purity",
)
class SpanOmega(SpanMeasure):
    """Precision of all chunks that hold gold.

    >>> SpanOmega().of({"q": [("d", 0, 50)]}, {"q": ["c1"]}, chunks={"c1": ("d", 0, 100), "c2": ("d", 100, 200)})
    0.5
    """

    by_inventory = True

    def of_cover(self, c: Covered) -> Array:
        return c.ceiling


@measure(
    title=Text("Duplication", "重复率"),
    family=_FAMILY,
    question=Text("How much of the context was sent more than once?", "上下文中有多少内容是重复发送的？"),
    formula=Text(
        "Duplication@k = 1 - |C| / cost;  C = union of the first k pieces, cost = sum of their lengths",
        "Duplication@k = 1 - |C| / cost；C = 前 k 个文本块的并集，cost = 它们的长度之和",
    ),
    aliases=["context_duplication", "overlap_waste"],
    edges=Text(
        "Overlapping chunks and repeated ones count alike. An empty list has 0.",
        "重叠的文本块与重复的文本块同样计。空列表为 0。",
    ),
    example=SpanCase(_NEEDS, _PIECES, "1 - (120 + 80) / (50 + 80 + 80)", params={"k": 3}),
    higher_is_better=False,
    relevance=False,
)
class Duplication(SpanRatio):
    """Share of the cost that buys nothing new.

    >>> Duplication().of({"q": [("d", 0, 9)]}, {"q": [("d", 0, 100), ("d", 0, 100)]})
    0.5
    """

    k: int | None = cutoff()

    def ratio_of(self, c: Covered) -> tuple[Array, Array]:
        return c.spent(self.k) - c.held(self.k), c.spent(self.k)
