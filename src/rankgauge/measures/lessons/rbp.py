"""Rank-biased precision and what it leaves open."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import CEILING, GRADE_BLIND, MISSES_UNSEEN, TOP_HEAVY

RBP = Lesson(
    strengths=[
        TOP_HEAVY,
        Text(
            "Needs no cutoff and no number of relevant items; what is not judged leaves an exact margin, RBPresidual.",
            "不需要截断，也不需要相关条目总数；未标注部分带来的误差有精确上限，即 RBPresidual。",
        ),
    ],
    limits=[
        CEILING,
        MISSES_UNSEEN,
        GRADE_BLIND,
        Text(
            "Another p is another reader: p=0.8 reads five results on average, p=0.95 twenty.",
            "换一个 p 就是另一种用户：p=0.8 平均看 5 条，p=0.95 平均看 20 条。",
        ),
    ],
    use=Text(
        "With incomplete judgements, together with RBPresidual, and where the patience of users is known from logs.",
        "标注不完整时，与 RBPresidual 一起用；或能从日志得知用户耐心时。",
    ),
    avoid=Text("To compare queries with few and with many relevant items.", "比较相关条目多与少的查询时。"),
    instead={
        "nDCG@k": Text("when queries should reach 1", "当每个查询都应能达到 1 时"),
        "INST": Text("when patience depends on what was found", "当用户的耐心取决于已找到多少时"),
    },
)

RBPresidual = Lesson(
    strengths=[
        Text(
            "An exact bound: however the rest is judged, RBP rises by at most this much.",
            "精确的上界：无论其余结果怎么标注，RBP 最多升高这么多。",
        ),
    ],
    limits=[
        Text(
            "Not a measure of quality: 0 means that everything is known, not that anything is good.",
            "不是质量指标：0 表示全部已知，不表示结果好。",
        ),
        Text(
            "Depends on p: an unjudged result at rank 1 leaves at least 1 - p open, 0.2 with p=0.8.",
            "依赖 p：第 1 位未标注时，未知部分至少为 1 - p，p=0.8 时即 0.2。",
        ),
    ],
    use=Text(
        "Beside RBP, to see whether a difference between systems could come from unjudged results.",
        "与 RBP 一起看，判断系统之间的差异是否可能来自未标注结果。",
    ),
    avoid=Text("By itself.", "不要单独使用。"),
    instead={
        "Judged@k": Text("for a plain share of judged results", "只需已标注结果的占比时"),
        "RBP": Text("for the quality itself", "要看质量本身时"),
    },
)
