"""Average precision from a sample of judgements."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import GRADE_BLIND, MISSES_COUNT, NEEDS_NONRELEVANT, TOP_HEAVY

infAP = Lesson(
    strengths=[
        Text(
            "Estimates AP of a fully judged pool from a random sample of it, at a fraction of the cost.",
            "从标注池的随机样本估计全部标注时的 AP，成本低得多。",
        ),
        TOP_HEAVY,
        MISSES_COUNT,
    ],
    limits=[
        NEEDS_NONRELEVANT,
        GRADE_BLIND,
        Text(
            "Right on average only if the judged items were drawn at random; for one query it varies much.",
            "只有标注条目是随机抽取时平均才正确；单个查询的波动很大。",
        ),
    ],
    use=Text("For pools of which a random sample was judged.", "标注池只随机抽取一部分标注时。"),
    avoid=Text(
        "Where somebody chose what to judge, as the top results of a system.",
        "标注对象是人为挑选（例如某系统的前几名）时。",
    ),
    instead={
        "AP@k": Text("when everything pooled was judged", "当池中全部做过标注时"),
        "bpref": Text("when the sample was not drawn at random", "当样本不是随机抽取时"),
    },
)
