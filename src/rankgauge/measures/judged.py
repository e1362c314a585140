"""How much of what is shown has been judged at all?

Judged@k = judged among the first k / min(k, N)        Unjudged@k = unjudged among the first k / k
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array
from rankgauge.measures.base import Example, Measure, choice, cutoff, measure

_FAMILY = Text("Incomplete judgements", "标注不完整")


def negative() -> Any:
    """The parameter that says what a negative grade is."""
    return choice(
        "judged", "unjudged", doc=Text("what a negative grade says about the result", "负等级表示结果已标注还是未标注")
    )


def is_judged(a: Alignment, negative: str) -> Array:
    """Rows that somebody looked at, as a mask."""
    mask: Array = a.grade >= (0 if negative == "unjudged" else -np.inf)
    return mask


class _Looked(Measure):
    """What both count: results among the first k that somebody judged."""

    k: int | None
    negative: str

    of_places = True

    def merit(self, a: Alignment) -> Array:
        return is_judged(a, self.negative).astype(np.float64)

    def kinds(self, a: Alignment) -> Array:
        return np.where(is_judged(a, self.negative), 1.0, np.nan)

    def judged(self, a: Alignment) -> Array:
        a = a.places
        return a.sum(is_judged(a, self.negative) * a.within(self.k))

    def shown(self, a: Alignment) -> Array:
        return a.retrieved if self.k is None else np.minimum(a.retrieved, self.k)


@measure(
    title=Text("Share of judged results", "已标注结果占比"),
    family=_FAMILY,
    question=Text(
        "How many of the first k results have been judged at all?",
        "前 k 条结果中有多少做过标注？",
    ),
    formula=Text(
        "Judged@k = judged results among the first k / min(k, N)",
        "Judged@k = 前 k 条中已标注的结果数 / min(k, N)",
    ),
    aliases=["judged_at", "标注覆盖率"],
    edges=Text(
        "Undefined for an empty list. Low values mean that a new system finds items nobody looked at, and that "
        "measures which count these as non-relevant are too hard on it.",
        "列表为空时无定义。数值低说明新系统找到了没人看过的条目，此时把它们当作不相关的指标会对新系统过于苛刻。",
    ),
    reference="Yilmaz et al. (2020), On the reliability of test collections for evaluating systems of different types",
    same={
        "ir_measures": "Judged@k",
        "BEIR, Quepid": Text("hole@k and its like are 1 - Judged@k", "hole@k 等即 1 - Judged@k"),
    },
    example=Example([1, None, 0], "2 / 3", params={"k": 10}),
    additive=True,
    relevance=False,
)
class Judged(_Looked):
    """Share of the first k results that have a grade.

    >>> Judged(k=2).of([0, None, 1])
    0.5
    """

    k: int | None = cutoff()
    negative: str = negative()

    def ratio(self, a: Alignment) -> tuple[Array, Array]:
        return self.judged(a), self.shown(a)

    def defined(self, a: Alignment) -> Array:
        return a.retrieved > 0


@measure(
    title=Text("Share of unjudged results", "未标注结果占比"),
    family=_FAMILY,
    question=Text(
        "How many of the first k results has nobody judged?",
        "前 k 条结果中有多少没有人标注？",
    ),
    formula=Text("Unjudged@k = unjudged results among the first k / k", "Unjudged@k = 前 k 条中未标注的结果数 / k"),
    aliases=["unj"],
    edges=Text(
        "A list shorter than k is still divided by k, so Judged@k and Unjudged@k sum to 1 only for full lists.",
        "列表不足 k 条时仍除以 k，因此只有列表满 k 条时，Judged@k 与 Unjudged@k 之和才为 1。",
    ),
    same={"trec_eval 10": Text("unj_k is Unjudged(negative=unjudged)@k", "unj_k 即 Unjudged(negative=unjudged)@k")},
    differs={
        "trec_eval 10 unj": Text(
            "negative grades count as unjudged: Unjudged(negative=unjudged)@k",
            "负等级按未标注计：Unjudged(negative=unjudged)@k",
        )
    },
    example=Example([1, None, 0], "1 / 10", params={"k": 10}),
    higher_is_better=False,
    additive=True,
    relevance=False,
)
class Unjudged(_Looked):
    """Share of the first k places that hold a result without a grade."""

    k: int | None = cutoff()
    negative: str = negative()

    def ratio(self, a: Alignment) -> tuple[Array, Array]:
        full = a.retrieved if self.k is None else np.full(a.n_queries, self.k)
        return self.shown(a) - self.judged(a), full
