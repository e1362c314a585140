"""Rank-biased precision: what does a reader get who goes on to the next result with probability p?

    RBP = (1-p) · sum over ranks i of g_i · p^(i-1)
    residual = p^N + (1-p) · sum over unjudged i of p^(i-1)

The residual is how much RBP could still rise if everything unjudged turned out relevant.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array
from rankgauge.alignment.ties import fractional
from rankgauge.measures.base import Example, Measure, choice, cutoff, divide, level, measure, number
from rankgauge.measures.dcg import kinds_of
from rankgauge.measures.judged import is_judged, negative

_FAMILY = Text("Models of a reader", "用户模型")


def _persistence() -> Any:
    return number(
        0.8,
        low=0,
        high=1,
        open_low=True,
        open_high=True,
        doc=Text("chance of going on to the next result", "继续看下一条结果的概率"),
    )


_BY_HIGHEST = Text("it divides by the highest grade found in the query", "它以该查询中检索到的最高等级为分母")


@measure(
    title=Text("Rank-biased precision", "排名偏置精确率"),
    family=_FAMILY,
    question=Text(
        "How much relevance does a reader meet who goes on to the next result with probability p?",
        "用户以概率 p 继续看下一条时，能遇到多少相关性？",
    ),
    formula=Text(
        "RBP = (1-p) · Σ rel_i · p^(i-1);  with graded=max rel_i becomes g_i / highest grade of the judgements",
        "RBP = (1-p) · Σ rel_i · p^(i-1)；graded=max 时 rel_i 改为 g_i / 标注中的最高等级",
    ),
    aliases=["rank_biased_precision"],
    edges=Text(
        "Needs no number of relevant items, so missed items do not lower it, and a query with few relevant items "
        "cannot come near 1. p=0.8 reads five results on average, p=0.95 twenty. graded=raw can pass 1. See "
        "RBPresidual for what the unjudged results leave open.",
        "不需要知道相关条目总数，因此漏掉条目不会使它下降，而相关条目很少的查询无法接近 1。p=0.8 平均看 5 条，"
        "p=0.95 平均看 20 条。graded=raw 可能超过 1。未标注结果带来的不确定部分见 RBPresidual。",
    ),
    reference="Moffat & Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness",
    same={
        "ir_measures": Text("RBP(p, rel) with a rel", "给出 rel 的 RBP(p, rel)"),
        "ranx": Text(
            "rbp.80 on binary grades; RBP(graded=raw) otherwise",
            "二值等级时为 rbp.80；否则即 RBP(graded=raw)",
        ),
        "trec_eval 10": Text("rbp is RBP(p=0.9, graded=topic)", "rbp 即 RBP(p=0.9, graded=topic)"),
    },
    differs={
        Text("ir_measures RBP without rel", "ir_measures RBP，不给出 rel 时"): Text(
            "graded: RBP(graded=max)", "使用等级：RBP(graded=max)"
        ),
        "trec_eval 10 rbp": Text(
            "p=0.9, grades divided by the highest grade judged in the topic: RBP(p=0.9, graded=topic)",
            "p=0.9，等级除以该查询标注的最高等级：RBP(p=0.9, graded=topic)",
        ),
    },
    example=Example([1, 0, 1], "(1 - 0.8) * (1 + 0.8**2)"),
    additive=True,
    when_judged="never hurts",
    monotone=True,
    of_spans=True,
)
class RBP(Measure):
    """Relevance met by a reader who goes on with probability p.

    >>> RBP(p=0.5).of([1, 0, 1])
    0.625
    """

    k: int | None = cutoff()
    p: float = _persistence()
    rel: float = level()
    graded: str = choice(
        "no",
        "max",
        "topic",
        "raw",
        also={"false": "no", "none": "no", "true": "max"},
        doc=Text(
            "no: relevant or not; max: grade / highest grade of the judgements; topic: grade / highest grade judged "
            "for the query, if that passes 1; raw: the grade itself. All but no ignore rel",
            "no：是否相关；max：等级 / 标注中的最高等级；topic：等级 / 该查询标注的最高等级（若超过 1）；raw："
            "等级本身。除 no 外均不使用 rel",
        ),
    )
    max: float | None = number(
        None,
        low=0,
        doc=Text(
            "highest grade for graded=max; by default that of the judgements",
            "graded=max 时的最高等级；默认取标注中的最高等级",
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.graded == "raw":
            self.__dict__["bounds"] = (0.0, np.inf)

    @classmethod
    def suffix(cls, value: str) -> dict[str, Any]:
        return {"p": value if "." in value else f".{value}"}  # ranx: rbp.95

    def bind(self, a: Alignment) -> Self:
        return self.replace(max=a.max_grade) if self.graded == "max" and self.max is None else self

    def _gain(self, a: Alignment) -> Array:
        if self.graded == "no":
            return a.relevant(self.rel).astype(np.float64)
        gain = np.maximum(a.grade, 0.0)
        if self.graded == "max":
            top = a.max_grade if self.max is None else self.max
            return divide(np.minimum(gain, top), np.full(len(gain), top))
        if self.graded == "topic":
            return gain / a.by_query.spread(np.maximum(a.by_query.max(a.grade), 1.0))
        return gain

    @property
    def by_gain(self) -> bool:
        return self.graded != "no"

    def unbounded(self) -> str | None:
        return _BY_HIGHEST if self.graded == "topic" else super().unbounded()

    def defined(self, a: Alignment) -> Array:
        return super().defined(a) if self.graded == "no" else a.by_query.any(a.grade > 0)

    def kinds(self, a: Alignment) -> Array:
        return kinds_of(self._gain(a))

    def per_query(self, a: Alignment) -> Array:
        p = self.p
        return (1.0 - p) * a.sum(self._gain(a) * a.discounted(lambda rank: p ** (rank - 1.0), self.k))


@measure(
    title=Text("Residual of rank-biased precision", "排名偏置精确率的残差"),
    family=_FAMILY,
    question=Text(
        "How much could RBP still rise if everything unjudged turned out relevant?",
        "如果所有未标注结果都是相关的，RBP 还能升高多少？",
    ),
    formula=Text(
        "RBPresidual = p^N + (1-p) · Σ p^(i-1) over unjudged results;  N = results shown",
        "RBPresidual = p^N + (1-p) · Σ p^(i-1)，对未标注结果求和；N = 展示的结果数",
    ),
    aliases=["rbp_resid", "rbp_residual"],
    edges=Text(
        "The width of what is unknown: fully judged, RBP would lie between RBP and RBP + residual. An empty list "
        "leaves everything open (1). Small p trusts few judgements, large p needs many.",
        "即未知部分的宽度：全部标注后的 RBP 会落在当前 RBP 与 RBP + 残差之间。空列表完全未知（1）。p 小时少量标注就够，"
        "p 大时需要大量标注。",
    ),
    reference="Moffat & Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness",
    same={
        "trec_eval 10": Text(
            "rbp_resid is RBPresidual(p=0.9, complete=zero, negative=unjudged)",
            "rbp_resid 即 RBPresidual(p=0.9, complete=zero, negative=unjudged)",
        )
    },
    differs={
        "trec_eval 10 rbp_resid": Text(
            "p=0.9; 0 instead of p^N when every shown result is judged; negative grades count as unjudged",
            "p=0.9；展示的结果全部已标注时取 0 而不是 p^N；负等级按未标注计",
        ),
    },
    example=Example([1, None, 0], "0.8**3 + (1 - 0.8) * 0.8"),
    higher_is_better=False,
    relevance=False,
)
class RBPresidual(Measure):
    """Weight of the results that nobody judged, and of those that the list does not show."""

    p: float = _persistence()
    complete: str = choice(
        "tail",
        "zero",
        doc=Text(
            "when all shown results are judged: p^N, the weight below the list, or 0 as in trec_eval",
            "展示的结果全部已标注时：p^N，即列表之后的权重；或与 trec_eval 一样取 0",
        ),
    )
    negative: str = negative()

    of_places = True

    def merit(self, a: Alignment) -> Array:
        return is_judged(a, self.negative).astype(np.float64)

    def kinds(self, a: Alignment) -> Array:
        return np.where(is_judged(a, self.negative), 1.0, np.nan)

    def looks_at(self, a: Alignment, *, ends: bool = False) -> int | None:
        return a.depth if self.complete == "zero" and not ends else None

    def per_query(self, a: Alignment) -> Array:
        p, a = self.p, a.places
        judged = is_judged(a, self.negative)
        # over all ranks the weights sum to 1: what is not judged is open
        known = (1.0 - p) * a.sum(judged * a.discounted(lambda rank: p ** (rank - 1.0)))
        open_ = np.maximum(1.0 - known, np.power(p, a.retrieved))
        return open_ if self.complete == "tail" else np.where(a.count(judged & a.shown) < a.retrieved, open_, 0.0)

    def expected(self, a: Alignment) -> Array:
        return self.per_query(fractional(a))
