"""Several groups of assessors."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import GRADE_BLIND, ORDER_BLIND, TOP_HEAVY

_EACH = Text(
    "Every group of assessors counts the same, and none is overruled by a vote.",
    "各标注组权重相同，不用投票压掉少数意见。",
)
_GROUPS = Text(
    "Needs the judgements of each group, in the iteration column of the qrels.",
    "需要各标注组的标注，写在 qrels 的 iteration 列。",
)
_USE = Text(
    "When assessors disagree for good reasons, as experts and laypeople do.",
    "标注者有理由意见不同时，例如专家与普通用户。",
)
_AVOID = Text(
    "When groups judged different queries by different rules: then evaluate each by itself.",
    "各组按不同规则标注不同查询时：请分别评测。",
)

MAPavgjg = Lesson(
    strengths=[_EACH, TOP_HEAVY],
    limits=[_GROUPS, GRADE_BLIND],
    use=_USE,
    avoid=_AVOID,
    instead={"AP@k": Text("when there is one set of judgements", "当只有一份标注时")},
)
Pavgjg = Lesson(
    strengths=[_EACH],
    limits=[_GROUPS, ORDER_BLIND, GRADE_BLIND],
    use=_USE,
    avoid=_AVOID,
    instead={
        "P@k": Text("when there is one set of judgements", "当只有一份标注时"),
        "MAPavgjg": Text("when the order matters", "当顺序重要时"),
    },
)
RprecMultavgjg = Lesson(
    strengths=[_EACH],
    limits=[_GROUPS, GRADE_BLIND],
    use=_USE,
    avoid=_AVOID,
    instead={
        "RprecMult": Text("when there is one set of judgements", "当只有一份标注时"),
        "MAPavgjg": Text("when the order matters", "当顺序重要时"),
    },
)
