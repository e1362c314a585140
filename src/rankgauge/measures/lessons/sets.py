"""The list as a set."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import GRADE_BLIND, MISSES_COUNT, MISSES_UNSEEN, ORDER_BLIND_WHOLE

_SETS = Text(
    "For systems that return a set: filters, classifiers of documents, alerts, everything above a score limit.",
    "返回集合的系统：过滤、文档分类、提醒，或得分高于下限的全部结果。",
)
_RANKED = Text(
    "For ranked lists: with 10 relevant items, a list of 1,000 results cannot pass a precision of 0.01, however good "
    "its first page is.",
    "排序列表：只有 10 个相关条目时，1,000 条结果的列表无论第一页多好，精确率都不超过 0.01。",
)
_NO_CUT = Text(
    "Needs no cutoff: the system itself says where its answer ends.",
    "不需要截断：由系统自己决定返回到哪里为止。",
)

SetP = Lesson(
    strengths=[_NO_CUT],
    limits=[ORDER_BLIND_WHOLE, MISSES_UNSEEN, GRADE_BLIND],
    use=_SETS,
    avoid=_RANKED,
    instead={
        "P@k": Text("for the first k of a ranking", "评价排序的前 k 条时"),
        "SetF": Text("when what is missed should count too", "当遗漏也应计入时"),
    },
)
SetR = Lesson(
    strengths=[_NO_CUT, MISSES_COUNT],
    limits=[
        ORDER_BLIND_WHOLE,
        GRADE_BLIND,
        Text("Returning everything has 1: read it with SetP.", "全部返回即为 1：请与 SetP 一起看。"),
    ],
    use=_SETS,
    avoid=Text("Where lists differ in length.", "各列表长度不同时。"),
    instead={
        "R@k": Text("to compare systems at the same depth", "在相同深度比较系统时"),
        "SetF": Text("when noise costs something too", "当噪声也有代价时"),
    },
)
SetF = Lesson(
    strengths=[
        _NO_CUT,
        Text("Low where either precision or recall of the set is low.", "集合的精确率或召回率有一个低，它就低。"),
    ],
    limits=[ORDER_BLIND_WHOLE, GRADE_BLIND],
    use=_SETS,
    avoid=_RANKED,
    instead={
        "F@k": Text("for the first k of a ranking", "评价排序的前 k 条时"),
        "Utility": Text("when hits and mistakes have known prices", "当命中与误报的代价已知时"),
    },
)
SetAP = Lesson(
    strengths=[_NO_CUT, MISSES_COUNT],
    limits=[
        ORDER_BLIND_WHOLE,
        GRADE_BLIND,
        Text(
            "A product of two shares falls fast: half of each is a quarter.",
            "两个比例相乘下降很快：各为一半时只有四分之一。",
        ),
    ],
    use=Text("To compare with trec_eval's set_map.", "与 trec_eval 的 set_map 对比时。"),
    avoid=_RANKED,
    instead={
        "SetF": Text("for the usual way to join precision and recall", "需要通常的方式兼顾精确率与召回率时"),
        "AP@k": Text("when there is an order", "当结果有顺序时"),
    },
)
