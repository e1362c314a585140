"""How much was judged at all."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import DESCRIBES, ORDER_BLIND

_USE = Text(
    "Beside every comparison, most of all when one system is new and the judgements were made from older ones.",
    "每次比较都应附上，尤其是新系统与标注来源的旧系统比较时。",
)

Judged = Lesson(
    strengths=[
        Text(
            "Says how far other numbers can be trusted: two systems with unlike shares are not judged alike.",
            "说明其他数值可信到什么程度：占比不同的两个系统，评判并不公平。",
        ),
    ],
    limits=[DESCRIBES, ORDER_BLIND],
    use=_USE,
    avoid=Text("As a goal: a system that shows only known items has 1.", "不要作为目标：只展示已知条目的系统就是 1。"),
    instead={
        "bpref": Text("for a quality that leaves unjudged results out", "需要不计未标注结果的质量指标时"),
        "RBPresidual": Text("for what the unjudged results could change", "想知道未标注结果可能带来多大变化时"),
    },
)

Unjudged = Lesson(
    strengths=[
        Text(
            "Counts the holes in the judgements as trec_eval does, by places and not by results.",
            "与 trec_eval 一样按位置（而不是按结果）统计标注的空缺。",
        ),
    ],
    limits=[
        DESCRIBES,
        ORDER_BLIND,
        Text(
            "A list shorter than k looks better judged than it is: empty places count as no hole.",
            "不足 k 条的列表看起来标注得更全：空位不算空缺。",
        ),
    ],
    use=_USE,
    avoid=Text("Where lists are shorter than k.", "列表不足 k 条时。"),
    instead={"Judged@k": Text("when lists can be short", "当列表可能较短时")},
)
