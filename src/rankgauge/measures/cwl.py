"""The C/W/L family: each measure is a model of when a reader goes on to the next result.

    V_1 = 1,  V_i = prod over j < i of C_j        W_i = V_i / sum of V        value = sum of W_i · g_i

C_i is the chance of going on from rank i, V_i that of seeing rank i. Gains are grades scaled to [0, 1].
Every list is taken to be 1000 ranks long, those behind its end holding nothing.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from rankgauge._text import Text, joined
from rankgauge.alignment import Alignment, Array
from rankgauge.errors import ParameterError
from rankgauge.measures._rows import above
from rankgauge.measures.base import Example, Measure, cutoff, divide, measure, number
from rankgauge.measures.dcg import kinds_of, log2_discount

_FAMILY = Text("C/W/L: models of a reader", "C/W/L：用户模型")
_DEPTH = 1000
_EDGES = Text(
    "The value is gain per result that the reader looks at. Ranks down to 1000 count, also behind the end of "
    "a short list. Grades above max_rel count as max_rel.",
    "数值为用户每看一条结果获得的增益。计到第 1000 位，列表较短时末尾之后的位置也计入。"
    "等级超过 max_rel 的按 max_rel 计。",
)
_CWL = (
    "Moffat, Bailey, Scholer & Thomas (2017), Incorporating user expectations and behavior into the "
    "measurement of search"
)
_AZZOPARDI = "Azzopardi, Mackenzie & Moffat (2021), ERR is not C/W/L"


def _and_edges(en: str, zh: str) -> str:
    """What is special about a measure, before what holds for the family."""
    return joined(Text(" ", ""), (Text(en, zh), _EDGES))


def _min_rel() -> Any:
    return number(0, low=0, doc=Text("grade that gains nothing", "增益为 0 的等级"))


def _max_rel() -> Any:
    return number(
        None,
        low=0,
        doc=Text(
            "grade that gains 1; by default the highest of the judgements",
            "增益为 1 的等级；默认取标注中的最高等级",
        ),
    )


def _target(doc: str = Text("gain that the reader wants", "用户想获得的增益")) -> Any:
    return number(1, low=0, open_low=True, doc=doc)


class _Gained(Measure):
    """What the whole family shares: grades scaled to gains from 0 to 1."""

    k: int | None = None
    min_rel: float
    max_rel: float | None

    @property
    def depth(self) -> int:
        return _DEPTH if self.k is None else min(self.k, _DEPTH)

    def bind(self, a: Alignment) -> Self:
        return self.replace(max_rel=self._top(a))

    def _top(self, a: Alignment) -> float:
        if self.max_rel is None:
            return float(np.maximum(a.max_grade, self.min_rel))
        if self.max_rel < self.min_rel:
            raise ParameterError(
                Text(
                    f"{self.name}: `max_rel` must not be below min_rel, got {self}.",
                    f"{self.name}：`max_rel` 不能低于 min_rel，实际为 {self}。",
                )
            )
        return self.max_rel

    def gains(self, a: Alignment) -> Array:
        low, high = self.min_rel, self._top(a)
        return divide(np.clip(a.grade, low, high) - low, np.full(len(a.grade), high - low))

    def kinds(self, a: Alignment) -> Array:
        return kinds_of(self.gains(a))

    def defined(self, a: Alignment) -> Array:
        return a.by_query.any(self.gains(a) > 0)


class _Weighted(_Gained):
    """Readers who do not care what they see: the weight of a rank is fixed."""

    def seen(self, rank: Array) -> Array:
        """V: chance of seeing a rank."""
        raise NotImplementedError

    def per_query(self, a: Alignment) -> Array:
        gain = a.sum(self.gains(a) * a.discounted(self.seen, self.depth))
        return gain / float(np.sum(self.seen(np.arange(1, self.depth + 1))))


class _Satisfied(_Gained):
    """Readers who leave at a result with the chance of its gain, and otherwise as without gains."""

    def seen(self, rank: Array) -> Array:
        """Chance of seeing a rank when nothing above has gain."""
        raise NotImplementedError

    def per_query(self, a: Alignment) -> Array:
        inside = a.within(self.depth) > 0
        gain = np.where(inside, self.gains(a), 0.0)
        leave = above(a, a.by_query.scan(1.0 - gain, np.multiply), start=1.0) * gain
        seen = self.seen(np.arange(1, self.depth + 1))
        total = np.concatenate(([0.0], np.cumsum(seen)))
        rank = np.where(inside, a.rank, 1)
        # a reader who leaves at a rank does not see the ranks below it
        looked_at = total[-1] - a.sum(leave * (total[-1] - total[rank]))
        value: Array = a.sum(leave * seen[rank - 1]) / looked_at
        return value


@measure(
    title=Text("Inverse squares", "平方反比模型"),
    family=_FAMILY,
    question=Text(
        "How much gain per result does a reader get who grows more patient with depth and wants T?",
        "用户想获得 T 的增益，且越往下看越有耐心，平均每看一条获得多少增益？",
    ),
    formula="INSQ: C_i = ((i+2T-1) / (i+2T))²",
    edges=_EDGES,
    reference=_CWL,
    same={"cwl_eval": "INSQ", "ir_measures": "INSQ"},
    example=Example([1, 0], "1 / sum((2 / (i + 1)) ** 2 for i in range(1, 1001))"),
    additive=True,
    monotone=True,
)
class INSQ(_Weighted):
    """Gain per result for a reader whose weights fall with the square of the rank."""

    T: float = _target()
    min_rel: float = _min_rel()
    max_rel: float | None = _max_rel()

    def seen(self, rank: Array) -> Array:
        return (2 * self.T / (rank + 2 * self.T - 1.0)) ** 2


@measure(
    title=Text("Inverse squares with a target", "带目标的平方反比模型"),
    family=_FAMILY,
    question=Text(
        "How much gain per result does a reader get who goes on according to what is still missing of T?",
        "用户根据距离 T 还差多少决定是否继续，平均每看一条获得多少增益？",
    ),
    formula=Text(
        "INST: C_i = ((i+T+T_i-1) / (i+T+T_i))²;  T_i = T - gain so far",
        "INST：C_i = ((i+T+T_i-1) / (i+T+T_i))²；T_i = T - 到此为止的增益",
    ),
    edges=_EDGES,
    reference=_CWL,
    same={"cwl_eval": "INST", "ir_measures": "INST"},
    example=Example([1, 0], "1 / (1 + (1/2)**2 * sum((2 / i) ** 2 for i in range(2, 1001)))"),
)
class INST(_Gained):
    """Gain per result for a reader who wants T and loses patience once it is found."""

    T: float = _target()
    min_rel: float = _min_rel()
    max_rel: float | None = _max_rel()

    breadth = _DEPTH

    def per_query(self, a: Alignment) -> Array:
        out = np.empty(a.n_queries)
        for first in range(0, a.n_queries, 512):  # a matrix of queries and ranks, some queries at a time
            queries = np.arange(first, min(first + 512, a.n_queries))
            out[queries] = self._dense(a.of_queries(queries))
        return out

    def _dense(self, a: Alignment) -> Array:
        gain = np.zeros((a.n_queries, _DEPTH))
        rows = np.flatnonzero(a.within(_DEPTH))
        gain[a.by_query.owner[rows], a.rank[rows] - 1] = self.gains(a)[rows]
        patience = np.arange(1, _DEPTH + 1) + 2.0 * self.T - np.cumsum(gain, axis=1)
        seen = np.ones_like(gain)
        seen[:, 1:] = np.cumprod(((patience[:, :-1] - 1.0) / patience[:, :-1]) ** 2, axis=1)
        values: Array = np.sum(seen * gain, axis=1) / np.sum(seen, axis=1)
        return values


@measure(
    title=Text("Bejeweled player model", "宝石迷阵玩家模型"),
    family=_FAMILY,
    question=Text(
        "How much gain per result does a reader get who stops with T found, or after k results?",
        "用户获得 T 的增益或看完 k 条后停止，平均每看一条获得多少增益？",
    ),
    formula=Text(
        "BPM@k = Σ g_i / m over i ≤ m;  m = the rank where the gain reaches T, at most k",
        "BPM@k = Σ g_i / m，对 i ≤ m 求和；m = 增益达到 T 的排名，最多为 k",
    ),
    edges=_EDGES,
    reference="Zhang et al. (2017), Evaluating web search with a bejeweled player model",
    same={"cwl_eval": "BPM (static)", "ir_measures": "BPM@k"},
    example=Example([0, 1, 1], "1 / 2", params={"k": 10}),
    stepwise=True,
)
class BPM(_Gained):
    """Gain per result for a reader who stops with T found, or after k results."""

    k: int | None = cutoff()
    T: float = _target()
    min_rel: float = _min_rel()
    max_rel: float | None = _max_rel()

    def per_query(self, a: Alignment) -> Array:
        inside = a.within(self.depth) > 0
        gain = np.where(inside, self.gains(a), 0.0)
        enough = a.first_rank(inside & (a.by_query.scan(gain) >= self.T))
        last = np.where(enough > 0, enough, self.depth)
        return a.sum(np.where(a.rank <= a.by_query.spread(last), gain, 0.0)) / last


@measure(
    title=Text("Scaled discounted cumulated gain", "缩放折损累计增益"),
    family=_FAMILY,
    question=Text(
        "How much of the gain of k perfect results do the first k hold, when lower ranks count less?",
        "越靠后权重越低时，前 k 条占 k 条完美结果总增益的多少？",
    ),
    formula=Text(
        "SDCG@k = Σ g_i / log2(i+1) / Σ 1 / log2(i+1) over ranks i ≤ k",
        "SDCG@k = Σ g_i / log2(i+1) / Σ 1 / log2(i+1)，对排名 i ≤ k 求和",
    ),
    edges=_and_edges(
        "Divided by k results of full gain, whether or not so many exist; nDCG divides by the best that does exist.",
        "除以 k 条满增益结果的总和，不论是否真有这么多；nDCG 则除以实际存在的最佳列表。",
    ),
    reference=_CWL,
    same={"cwl_eval": "SDCG@k", "ir_measures": "SDCG@k"},
    example=Example([1, 0], "1 / (1 + 1/log2(3))", params={"k": 2}),
    additive=True,
    monotone=True,
)
class SDCG(_Weighted):
    """DCG over that of k results with full gain."""

    k: int | None = cutoff()
    min_rel: float = _min_rel()
    max_rel: float | None = _max_rel()

    def seen(self, rank: Array) -> Array:
        return log2_discount(rank)


_NERR: Any = {
    "family": _FAMILY,
    "edges": _and_edges(
        "Unlike ERR its weights sum to 1, so a list of results that satisfy reaches 1.",
        "与 ERR 不同，它的权重之和为 1，因此全是令人满意结果的列表可以达到 1。",
    ),
    "reference": _AZZOPARDI,
}


@measure(
    title=Text("Normalised expected reciprocal rank, equation 8", "归一化期望倒数排名，公式 8"),
    question=Text(
        "How much gain per result does a reader get who leaves when satisfied, or after k results?",
        "用户满意即离开，或看完 k 条后离开，平均每看一条获得多少增益？",
    ),
    formula=Text("NERR8@k: C_i = 1 - g_i for i < k, else 0", "NERR8@k：i < k 时 C_i = 1 - g_i，否则为 0"),
    same={"cwl_eval": "NERR-EQ8@k", "ir_measures": "NERR8@k"},
    example=Example([1, 2], "(1/2 + 1/2 * 1) / (1 + 1/2)", params={"k": 2}),
    **_NERR,
    monotone=True,
)
class NERR8(_Satisfied):
    """Gain per result for a reader who leaves when satisfied, or after k results."""

    k: int | None = cutoff()
    min_rel: float = _min_rel()
    max_rel: float | None = _max_rel()

    def seen(self, rank: Array) -> Array:
        return np.ones(len(rank))


@measure(
    title=Text("Normalised expected reciprocal rank, equation 9", "归一化期望倒数排名，公式 9"),
    question=Text(
        "How much gain per result does a reader get who leaves when satisfied, and grows more patient with depth?",
        "用户满意即离开，且越往下看越有耐心，平均每看一条获得多少增益？",
    ),
    formula=Text(
        "NERR9@k: C_i = i/(i+1) · (1 - g_i) for i < k, else 0",
        "NERR9@k：i < k 时 C_i = i/(i+1) · (1 - g_i)，否则为 0",
    ),
    same={"cwl_eval": "NERR-EQ9@k", "ir_measures": "NERR9@k"},
    example=Example([1, 2], "(1/2 + 1/2 * 1/2 * 1) / (1 + 1/2 * 1/2)", params={"k": 2}),
    **_NERR,
    monotone=True,
)
class NERR9(_Satisfied):
    """Gain per result for a reader who leaves when satisfied, with weights that fall as 1/rank."""

    k: int | None = cutoff()
    min_rel: float = _min_rel()
    max_rel: float | None = _max_rel()

    def seen(self, rank: Array) -> Array:
        return 1.0 / rank


@measure(
    title=Text("Normalised expected reciprocal rank, equation 10", "归一化期望倒数排名，公式 10"),
    question=Text(
        "How much gain per result does a reader get who leaves when satisfied, and otherwise goes on with chance p?",
        "用户满意即离开，否则以概率 p 继续，平均每看一条获得多少增益？",
    ),
    formula="NERR10: C_i = p · (1 - g_i)",
    same={"cwl_eval": "NERR-EQ10", "ir_measures": "NERR10"},
    example=Example([1, 2], "(1/2 + 0.9/2 * 1) / (1 + 0.9/2)"),
    **_NERR,
    monotone=True,
)
class NERR10(_Satisfied):
    """Gain per result for a reader who leaves when satisfied, with the weights of RBP."""

    p: float = number(
        0.9,
        low=0,
        high=1,
        open_low=True,
        open_high=True,
        doc=Text("chance of going on to the next result", "继续看下一条结果的概率"),
    )
    min_rel: float = _min_rel()
    max_rel: float | None = _max_rel()

    def seen(self, rank: Array) -> Array:
        return self.p ** (rank - 1.0)


@measure(
    title=Text("Normalised expected reciprocal rank, equation 11", "归一化期望倒数排名，公式 11"),
    question=Text(
        "How much gain per result does a reader get who leaves when satisfied, and wants T?",
        "用户满意即离开，且想获得 T 的增益，平均每看一条获得多少增益？",
    ),
    formula="NERR11: C_i = ((i+2T-1) / (i+2T))² · (1 - g_i)",
    same={"cwl_eval": "NERR-EQ11", "ir_measures": "NERR11"},
    example=Example([1, 2], "(1/2 + (2/3)**2/2 * 1) / (1 + (2/3)**2/2)"),
    **_NERR,
    monotone=True,
)
class NERR11(_Satisfied):
    """Gain per result for a reader who leaves when satisfied, with the weights of INSQ."""

    T: float = _target()
    min_rel: float = _min_rel()
    max_rel: float | None = _max_rel()

    def seen(self, rank: Array) -> Array:
        return (2 * self.T / (rank + 2 * self.T - 1.0)) ** 2
