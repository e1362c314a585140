"""Counts that belong beside every mean: queries, results, relevant items, and what was found of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array
from rankgauge.measures.base import Example, Measure, level, measure, number

_RECORD: Any = {
    "family": Text("Counts", "数量"),
    "bounds": (0.0, np.inf),
    "summary": "sum",
    "additive": True,
    "monotone": True,
    "relevance": False,
}


@measure(
    title=Text("Number of queries", "查询数"),
    question=Text("How many queries were evaluated?", "一共评测了多少个查询？"),
    formula=Text("NumQ = Σ 1 over queries", "NumQ = Σ 1，对查询求和"),
    same={"trec_eval": "num_q", "pytrec_eval": "num_q", "ir_measures": "NumQ"},
    example=Example([1, 0], "1"),
    needs=(),
    **_RECORD,
    of_spans=True,
)
class NumQ(Measure):
    """1 for each query; its sum is the number of queries."""

    def per_query(self, a: Alignment) -> Array:
        return np.ones(a.n_queries)


@measure(
    title=Text("Number of results", "结果数"),
    question=Text("How many results does the run show?", "系统一共展示了多少条结果？"),
    formula="NumRet = N",
    edges=Text(
        "rel=1 counts relevant results only, as NumRelRet does.",
        "rel=1 只统计相关结果，与 NumRelRet 相同。",
    ),
    same={
        "trec_eval": "num_ret",
        "pytrec_eval": "num_ret",
        "ir_measures": Text("NumRet; NumRet(rel=1) counts relevant ones", "NumRet；NumRet(rel=1) 只统计相关结果"),
    },
    example=Example([1, None, 0], "3"),
    needs=(),
    **_RECORD,
    of_spans=True,
)
class NumRet(Measure):
    """Results shown for the query."""

    rel: float | None = number(
        None, low=0, open_low=True, doc=Text("count only results of at least this grade", "只统计等级不低于此值的结果")
    )

    def per_query(self, a: Alignment) -> Array:
        return a.retrieved.astype(np.float64) if self.rel is None else a.hits(self.rel)


@measure(
    title=Text("Number of relevant items", "相关条目数"),
    question=Text("How many items were judged relevant?", "有多少条目被标注为相关？"),
    formula="NumRel = R",
    same={"trec_eval": "num_rel", "pytrec_eval": "num_rel", "ir_measures": "NumRel"},
    differs={
        "trec_eval -c": Text(
            "its sum counts grades above 0 whatever the relevance level, so it can pass the queries' own",
            "其总和统计所有高于 0 的等级，不看相关性阈值，因此可能超过各查询之和",
        )
    },
    example=Example([1, None, 0], "1 + 2", missed=[1, 2]),
    **_RECORD,
    of_spans=True,
)
class NumRel(Measure):
    """Relevant items judged for the query, shown or not."""

    rel: float = level()

    def per_query(self, a: Alignment) -> Array:
        return a.n_relevant(self.rel).astype(np.float64)


@measure(
    title=Text("Number of relevant results", "相关结果数"),
    question=Text("How many relevant items does the run show?", "系统展示了多少个相关条目？"),
    formula="NumRelRet = H",
    same={
        "trec_eval": "num_rel_ret",
        "pytrec_eval": "num_rel_ret",
        "ir_measures": "NumRelRet, NumRet(rel=1)",
    },
    example=Example([1, None, 0], "1", missed=[1, 2]),
    **_RECORD,
    of_spans=True,
)
class NumRelRet(Measure):
    """Relevant results shown for the query."""

    rel: float = level()

    def per_query(self, a: Alignment) -> Array:
        return a.found(self.rel)


@measure(
    title=Text("Number of judged non-relevant results", "已标注的不相关结果数"),
    question=Text(
        "How many shown results were judged and found not relevant?",
        "展示的结果中，有多少已标注且不相关？",
    ),
    formula=Text(
        "NumNonrelJudgedRet = results with 0 ≤ g < rel",
        "NumNonrelJudgedRet = 等级满足 0 ≤ g < rel 的结果数",
    ),
    edges=Text(
        "Negative grades count as not judged, as in trec_eval.",
        "负等级按未标注计，与 trec_eval 一致。",
    ),
    same={"trec_eval": "num_nonrel_judged_ret", "pytrec_eval": "num_nonrel_judged_ret"},
    example=Example([1, None, 0, 0, -1], "2"),
    **{**_RECORD, "needs": ("grade", "nonrelevant"), "higher_is_better": False},
)
class NumNonrelJudgedRet(Measure):
    """Results shown for the query that were judged and are not relevant."""

    rel: float = level()

    def merit(self, a: Alignment) -> Array:
        return -self._nonrelevant(a).astype(np.float64)

    def kinds(self, a: Alignment) -> Array:
        return np.where(self._nonrelevant(a), 1.0, np.nan)

    def per_query(self, a: Alignment) -> Array:
        return a.sum(self._nonrelevant(a) * a.within())

    def _nonrelevant(self, a: Alignment) -> Array:
        return ~a.relevant(self.rel) & (a.grade >= 0)
