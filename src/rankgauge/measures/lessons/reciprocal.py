"""The first relevant result."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import (
    FIRST_ONLY,
    GRADE_BLIND,
    LENGTH_HELPS,
    ORDER_BLIND,
    REACHES_ONE,
    TOP_HEAVY,
    YES_OR_NO,
)

Hit = Lesson(
    strengths=[
        Text(
            "Anybody understands it: the share of users who find at least one good result among the first k.",
            "谁都看得懂：前 k 条中至少有一个好结果的用户占多少。",
        ),
        REACHES_ONE,
    ],
    limits=[YES_OR_NO, FIRST_ONLY, ORDER_BLIND, LENGTH_HELPS],
    use=Text(
        "As a first check whether a system is usable at all, for cold starts, and where a query has one or two "
        "relevant items.",
        "用于快速判断系统是否可用、冷启动，以及每个查询只有一两个相关条目时。",
    ),
    avoid=Text(
        "To compare two systems that both nearly always hit, or to judge order.",
        "两个系统几乎都能命中时不要用它比较，也不要用它评价顺序。",
    ),
    instead={
        "RR@k": Text("when it matters how early the hit comes", "当命中得早不早重要时"),
        "R@k": Text("when there are several relevant items and all are wanted", "当有多个相关条目且都需要时"),
    },
)

RR = Lesson(
    strengths=[
        Text(
            "Speaks of what a user feels who wants one answer: 1 at rank 1, a half at rank 2, a third at rank 3.",
            "符合只要一个答案的用户的感受：第 1 位得 1，第 2 位得 1/2，第 3 位得 1/3。",
        ),
        TOP_HEAVY,
        REACHES_ONE,
    ],
    limits=[
        FIRST_ONLY,
        GRADE_BLIND,
        Text(
            "Jumps at the top and hardly moves below: from rank 1 to 2 it loses 0.5, from 9 to 10 only 0.011, so that "
            "few queries decide the mean.",
            "顶部跳动大，下面几乎不动：从第 1 位到第 2 位损失 0.5，从第 9 位到第 10 位只损失 0.011，少数查询决定均值。",
        ),
    ],
    use=Text(
        "For one right answer: FAQ, question answering, known items, voice assistants.",
        "只有一个正确答案的场景：FAQ、问答、已知目标查找、语音助手。",
    ),
    avoid=Text(
        "Where several results are needed together, as contexts of an answer or a page of goods.",
        "需要多条结果共同起作用时，例如回答所需的多段上下文、一页商品。",
    ),
    instead={
        "AP@k": Text("when there are several relevant items and all count", "当有多个相关条目且都要计入时"),
        "nDCG@k": Text("when results are more or less relevant", "当相关性有高低之分时"),
        "R@k": Text("for the candidates before a ranker", "评测排序之前的候选召回时"),
    },
)
