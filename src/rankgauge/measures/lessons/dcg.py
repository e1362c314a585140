"""Cumulated gain."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import (
    GAINS_DECIDE,
    GRADED,
    MISSES_UNSEEN,
    ORDER_BLIND,
    REACHES_ONE,
    TOP_HEAVY,
    UNBOUNDED,
    UNJUDGED_AS_WRONG,
)

CG = Lesson(
    strengths=[
        GRADED,
        Text("The simplest sum of grades, easy to check by hand.", "最简单的等级求和，便于手工核对。"),
    ],
    limits=[ORDER_BLIND, UNBOUNDED, MISSES_UNSEEN],
    use=Text(
        "To see how much relevance a set of candidates holds before anybody orders it.",
        "候选集排序之前，看它一共包含多少相关性。",
    ),
    avoid=Text("To judge a ranking.", "评价排序时。"),
    instead={
        "DCG@k": Text("when lower ranks should count less", "当靠后的位置应降低权重时"),
        "nDCG@k": Text("when queries should be compared or averaged", "当需要在查询之间比较或取平均时"),
    },
)

DCG = Lesson(
    strengths=[GRADED, TOP_HEAVY],
    limits=[UNBOUNDED, MISSES_UNSEEN, GAINS_DECIDE],
    use=Text(
        "Where the absolute amount of gain matters, as in simulations of benefit, on one set of judgements.",
        "关心增益的绝对量时（例如模拟收益），且只用同一份标注。",
    ),
    avoid=Text(
        "As a mean over queries with different numbers of relevant items.",
        "各查询相关条目数不同时，不要取均值。",
    ),
    instead={
        "nDCG@k": Text("when queries should be compared or averaged", "当需要在查询之间比较或取平均时"),
        "SDCG@k": Text(
            "when a scale to 1 is wanted without looking at what exists", "当需要归一到 1、但不依赖实际存在的条目时"
        ),
    },
)

nDCG = Lesson(
    strengths=[
        GRADED,
        TOP_HEAVY,
        REACHES_ONE,
        Text(
            "The common currency of search: benchmarks such as BEIR and MTEB report nDCG@10.",
            "搜索领域的通用指标：BEIR、MTEB 等基准都报告 nDCG@10。",
        ),
    ],
    limits=[
        Text(
            "Needs grades to be at its best: with yes/no judgements it sees order and coverage only.",
            "要有相关性等级才能发挥作用：只有是否相关时，它只反映顺序与覆盖。",
        ),
        GAINS_DECIDE,
        UNJUDGED_AS_WRONG,
    ],
    use=Text(
        "For the order of results that users see, with graded judgements; k as many as they look at (10 or 20).",
        "有等级标注、评价用户看到的排序时；k 取用户会看的条数（10 或 20）。",
    ),
    avoid=Text(
        "For a candidate stage, whose order is not shown to anybody, and for queries without any relevant item.",
        "评测顺序不对外展示的召回阶段，以及没有任何相关条目的查询。",
    ),
    instead={
        "R@k": Text("for the candidates before a ranker", "评测排序之前的候选召回时"),
        "RR@k": Text("when there is one right answer", "当只有一个正确答案时"),
        "ERR@k": Text("when a good result makes the ones below it useless", "当一个好结果会使后面的结果失去意义时"),
    },
)
