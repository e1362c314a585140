"""Interpolated precision: once a given recall is reached, what is the best precision still to be had?

IPrec@r = max{ H(i)/i : H(i) >= c },   c = r · R rounded        IPrec11 = mean over r = 0, 0.1, …, 1
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge._text import Text
from rankgauge.alignment import Alignment, Array
from rankgauge.measures.base import Example, Measure, choice, divide, level, measure, number, numbers

_FAMILY = Text("Precision and recall curve", "精确率与召回率曲线")


def _rounding() -> Any:
    return choice(
        "nearest",
        "up",
        doc=Text(
            "relevant results that a recall needs: r·R rounded to the nearest, halves up (trec_eval 10); or the "
            "integer part of r·R + 0.9 (trec_eval 9)",
            "达到某召回率所需的相关结果数：r·R 四舍五入（trec_eval 10）；或 r·R + 0.9 的整数部分（trec_eval 9）",
        ),
    )


class _Interpolated(Measure):
    """What the measures on the interpolated curve share."""

    rel: float
    rounding: str

    def at_recall(self, a: Alignment, recall: float) -> Array:
        hit = a.relevant(self.rel) & a.shown
        found = a.by_query.scan(hit.astype(np.int64))
        wanted = recall * a.n_relevant(self.rel)
        whole = np.floor(wanted)
        needed = np.floor(wanted + 0.9) if self.rounding == "up" else whole + (wanted - whole >= 0.5)
        # precision is highest at a relevant result: no other rank can be the maximum
        reached = hit & (found >= a.by_query.spread(needed))
        return a.by_query.max(np.where(reached, divide(found, np.where(hit, a.rank, 1)), 0.0))


_SAME = {
    "trec_eval 9, pytrec_eval, ir_measures, ranx": Text("with rounding=up", "对应 rounding=up"),
}


@measure(
    title=Text("Interpolated precision", "插值精确率"),
    family=_FAMILY,
    question=Text(
        "Once a given recall is reached, what is the best precision still to be had?",
        "达到给定召回率之后，还能取得的最高精确率是多少？",
    ),
    formula=Text(
        "IPrec@r = max H(i)/i over ranks i with H(i) ≥ c;  c = r·R, rounded",
        "IPrec@r = max H(i)/i，取遍 H(i) ≥ c 的排名 i；c = r·R 取整",
    ),
    aliases=["iprec_at_recall", "interpolated_precision"],
    edges=Text(
        "r=0, also taken when none is given, is the best precision anywhere in the list. 0 when the recall is never "
        "reached, and for an empty list.",
        "r=0（未给出时也取 0）为整个列表中任意位置的最高精确率。始终达不到该召回率时为 0，空列表也为 0。",
    ),
    reference="Buckley & Voorhees (2005), Retrieval System Evaluation",
    same={"trec_eval 10": "iprec_at_recall_r", **_SAME},
    differs={"trec_eval": Text("not a number for an empty list; here 0", "空列表时不是数值；此处为 0")},
    example=Example([1, 0, 1], "2 / 3", missed=[1], params={"r": 0.5}),
    monotone=True,
    binary=True,
)
class IPrec(_Interpolated):
    """Best precision at any rank where recall is at least r.

    >>> IPrec(r=0).of([0, 1, 0])
    0.5
    """

    r: float = number(
        0, low=0, high=1, at=True, doc=Text("recall that must be reached", "需要达到的召回率"), aliases=("recall",)
    )
    rel: float = level()
    rounding: str = _rounding()

    def per_query(self, a: Alignment) -> Array:
        return self.at_recall(a, self.r)


@measure(
    title=Text("Eleven-point average precision", "11 点平均精度"),
    family=_FAMILY,
    question=Text(
        "How good is precision over the whole range of recall?",
        "在整个召回率范围内，精确率如何？",
    ),
    formula=Text("IPrec11 = mean of IPrec@r over r = 0, 0.1, …, 1", "IPrec11 = IPrec@r 对 r = 0, 0.1, …, 1 的均值"),
    aliases=["11pt_avg", "eleven_pt", "eleven_point", "iprec_11"],
    edges=Text(
        "points=0.25;0.5;0.75 takes other points. With few relevant items several points need the same result.",
        "points=0.25;0.5;0.75 可改用其他召回率点。相关条目很少时，多个点对应同一条结果。",
    ),
    reference="Salton & McGill (1983); Buckley & Voorhees (2005)",
    same={
        "trec_eval 10": "11pt_avg",
        "trec_eval 9, pytrec_eval": Text("11pt_avg, with rounding=up", "11pt_avg，对应 rounding=up"),
    },
    differs={
        Text("trec_eval 11pt_avg with points of your own", "trec_eval 11pt_avg，自定义召回率点时"): Text(
            "wrong unless they are given in ascending order", "除非按升序给出，否则结果有误"
        )
    },
    example=Example([1, 0, 1], "(8 * 1 + 3 * (2/3)) / 11"),
    monotone=True,
    binary=True,
)
class IPrec11(_Interpolated):
    """Mean interpolated precision over eleven points of recall."""

    rel: float = level()
    rounding: str = _rounding()
    points: tuple[float, ...] = numbers(
        *(i / 10 for i in range(11)), low=0, high=1, doc=Text("points of recall", "召回率点")
    )

    @classmethod
    def suffix(cls, value: str) -> dict[str, Any]:
        return {"points": value}

    def per_query(self, a: Alignment) -> Array:
        total = np.zeros(a.n_queries)
        for r in self.points:  # point by point: the sum of a query must not depend on how many queries there are
            total += self.at_recall(a, r)
        return total / len(self.points)
