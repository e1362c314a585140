"""Counts of relevant results among the first k."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import (
    CEILING,
    GRADE_BLIND,
    LENGTH_HELPS,
    MISSES_COUNT,
    MISSES_UNSEEN,
    ORDER_BLIND,
    UNJUDGED_AS_WRONG,
)

P = Lesson(
    strengths=[
        Text(
            "Needs no explanation: the share of what is shown that is useful, and so the share that is noise.",
            "无需解释：展示的结果中有用的占多少，也就知道噪声占多少。",
        ),
        Text(
            "Needs no knowledge of all relevant items, only judgements of what is shown.",
            "不需要知道全部相关条目，只需标注展示出来的结果。",
        ),
    ],
    limits=[ORDER_BLIND, MISSES_UNSEEN, CEILING, UNJUDGED_AS_WRONG],
    use=Text(
        "Where every result shown costs something: contexts that fill a prompt, items on a small screen, results that "
        "a person has to check.",
        "展示的每条结果都有代价时：填入提示词的上下文、小屏幕上的物品、需要人工核对的结果。",
    ),
    avoid=Text(
        "To find out what a retriever misses, or where queries have fewer than k relevant items.",
        "想知道检索漏掉了什么，或查询的相关条目少于 k 个时。",
    ),
    instead={
        "R@k": Text("when what is missed hurts more than what is shown in vain", "当漏掉比多展示更要紧时"),
        "nDCG@k": Text("when the order among the first k matters", "当前 k 条内部的顺序重要时"),
        "Rprec": Text("when queries differ much in how many items are relevant", "当各查询的相关条目数相差很大时"),
    },
)

R = Lesson(
    strengths=[
        MISSES_COUNT,
        Text(
            "The measure of a candidate stage: what it does not hand on, no ranker can bring back.",
            "召回阶段的核心指标：这里没召回的，后面的排序无法补救。",
        ),
    ],
    limits=[ORDER_BLIND, LENGTH_HELPS, GRADE_BLIND, CEILING],
    use=Text(
        "For candidates before a ranker (k of 50 to 1000), and where an answer needs all the evidence.",
        "评测排序之前的候选召回（k 取 50 到 1000），或回答需要全部证据时。",
    ),
    avoid=Text(
        "To judge the order that a user sees, or where nobody knows all relevant items: what is not judged is not "
        "missed.",
        "评价用户看到的顺序时，或没人知道全部相关条目时：没有标注的条目不算遗漏。",
    ),
    instead={
        "nDCG@k": Text("when the order of what was found matters", "当找到的条目的顺序重要时"),
        "Hit@k": Text("when one relevant result is enough", "当有一条相关结果就够时"),
        "P@k": Text("when results shown in vain cost something", "当多展示无用结果有代价时"),
    },
)

F = Lesson(
    strengths=[
        Text(
            "One number for two sides: it is low where either precision or recall is low.",
            "一个数兼顾两面：精确率或召回率有一个低，它就低。",
        ),
        MISSES_COUNT,
    ],
    limits=[
        ORDER_BLIND,
        GRADE_BLIND,
        Text(
            "Hides which of the two is bad: print precision and recall beside it.",
            "看不出是哪一面差：请同时列出精确率与召回率。",
        ),
    ],
    use=Text(
        "To choose k or a score limit when both noise and omissions cost something.",
        "噪声与遗漏都有代价时，用来选择 k 或得分下限。",
    ),
    avoid=Text(
        "To compare rankings: two lists with the same first k in another order have the same value.",
        "比较排序时：前 k 条相同、顺序不同的两个列表数值相同。",
    ),
    instead={
        "AP@k": Text("when the order matters as well", "当顺序也重要时"),
        "R@k": Text("when a later stage removes the noise", "当后续阶段会去掉噪声时"),
    },
)

Hits = Lesson(
    strengths=[
        Text(
            "The number behind precision and recall, as it can be counted on a page.",
            "精确率与召回率背后的那个数，在页面上数得出来。",
        ),
    ],
    limits=[
        ORDER_BLIND,
        Text(
            "A count, not a share: queries with many relevant items rule the mean.",
            "是个数而不是比例：相关条目多的查询主导均值。",
        ),
        GRADE_BLIND,
    ],
    use=Text(
        "To check other measures by hand, and for limits such as “at least two sources”.",
        "用于手工核对其他指标，或“至少两个来源”之类的要求。",
    ),
    avoid=Text(
        "As a mean over queries that differ in how many items are relevant.",
        "各查询相关条目数不同时，不要取均值。",
    ),
    instead={
        "R@k": Text("when it should be a share of what there is", "当需要占全部相关条目的比例时"),
        "P@k": Text("when it should be a share of what is shown", "当需要占展示结果的比例时"),
    },
)

Rprec = Lesson(
    strengths=[
        Text(
            "Adapts its cutoff to each query, so that every query can reach 1.",
            "截断位置随查询而定，每个查询都能达到 1。",
        ),
        Text(
            "Precision and recall in one: at this rank both are the same number.",
            "精确率与召回率合一：在这个位置上两者是同一个数。",
        ),
    ],
    limits=[
        GRADE_BLIND,
        Text(
            "The cutoff is no place that a user knows: with 200 relevant items it looks at 200 results.",
            "截断位置与用户看到的无关：有 200 个相关条目时，它看 200 条结果。",
        ),
        UNJUDGED_AS_WRONG,
    ],
    use=Text(
        "For collections judged in depth whose queries differ much in how many items are relevant.",
        "标注较完整、各查询相关条目数相差很大的测试集。",
    ),
    avoid=Text(
        "Where the screen or the prompt fixes how many results count.",
        "由屏幕或提示词长度决定看多少条结果时。",
    ),
    instead={
        "P@k": Text("when a fixed number of results is shown", "当展示的结果数固定时"),
        "AP@k": Text("when all ranks of relevant items should count", "当每个相关条目的位置都应计入时"),
    },
)
