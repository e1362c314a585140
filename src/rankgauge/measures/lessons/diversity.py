"""Several needs behind one query."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import (
    CEILING,
    MISSES_UNSEEN,
    NEEDS_SUBTOPICS,
    NOVELTY,
    ORDER_BLIND,
    TOP_HEAVY,
)

_USE = Text(
    "For ambiguous queries and pages that should serve several needs: “jaguar” the animal and the car.",
    "有歧义的查询，或一页结果应兼顾多种需求时：“苹果”既是水果也是公司。",
)
_AVOID = Text("For queries with one need.", "只有一种需求的查询。")
_ALPHA = Text(
    "alpha decides how little a repetition is worth: alpha=0 forgets diversity, alpha=1 counts only what is new.",
    "alpha 决定重复内容贬值多少：alpha=0 不考虑多样性，alpha=1 只计首次满足。",
)
_GREEDY = Text(
    "The ideal list is found greedily, so that in rare cases a list can pass 1.",
    "理想列表用贪心法求得，极少数情况下实际列表会超过 1。",
)
_SCALE = Text(
    "Divided by the best that the judged items allow, so that queries can be compared.",
    "除以已标注条目所能达到的最佳值，因此查询之间可以比较。",
)
_WITHOUT = Text("for queries with one need", "只有一种需求的查询")

alpha_DCG = Lesson(
    strengths=[NOVELTY, TOP_HEAVY],
    limits=[NEEDS_SUBTOPICS, CEILING, _ALPHA],
    use=_USE,
    avoid=_AVOID,
    instead={
        "alpha_nDCG@k": Text("when queries should be compared or averaged", "当需要在查询之间比较或取平均时"),
        "DCG@k": _WITHOUT,
    },
)
alpha_nDCG = Lesson(
    strengths=[NOVELTY, TOP_HEAVY, _SCALE],
    limits=[NEEDS_SUBTOPICS, _ALPHA, _GREEDY],
    use=_USE,
    avoid=_AVOID,
    instead={
        "StRecall@k": Text("when it only counts that every need is served", "当只关心每种需求是否得到满足时"),
        "nDCG@k": _WITHOUT,
    },
)
ERR_IA = Lesson(
    strengths=[NOVELTY, TOP_HEAVY],
    limits=[NEEDS_SUBTOPICS, CEILING, _ALPHA],
    use=_USE,
    avoid=_AVOID,
    instead={
        "nERR_IA@k": Text("when queries should be compared or averaged", "当需要在查询之间比较或取平均时"),
        "ERR@k": _WITHOUT,
    },
)
nERR_IA = Lesson(
    strengths=[NOVELTY, TOP_HEAVY, _SCALE],
    limits=[NEEDS_SUBTOPICS, _ALPHA, _GREEDY],
    use=_USE,
    avoid=_AVOID,
    instead={
        "alpha_nDCG@k": Text("when lower ranks should count for more", "当靠后的位置应有更大权重时"),
        "ERR@k": _WITHOUT,
    },
)
NRBP = Lesson(
    strengths=[NOVELTY, TOP_HEAVY],
    limits=[
        NEEDS_SUBTOPICS,
        CEILING,
        Text(
            "beta=0.5 looks at two results on average: nearly everything is decided at the top.",
            "beta=0.5 平均只看 2 条：几乎全由顶部决定。",
        ),
    ],
    use=_USE,
    avoid=_AVOID,
    instead={
        "nNRBP": Text("when queries should be compared or averaged", "当需要在查询之间比较或取平均时"),
        "RBP": _WITHOUT,
    },
)
nNRBP = Lesson(
    strengths=[NOVELTY, TOP_HEAVY, _SCALE],
    limits=[NEEDS_SUBTOPICS, _GREEDY, _ALPHA],
    use=_USE,
    avoid=_AVOID,
    instead={
        "alpha_nDCG@k": Text("when the first page counts, not only its top", "当整个第一页都重要，而不只是顶部时"),
        "RBP": _WITHOUT,
    },
)
AP_IA = Lesson(
    strengths=[
        Text(
            "Each need counts the same, however many items serve it.",
            "每种需求权重相同，与满足它的条目多少无关。",
        ),
        TOP_HEAVY,
    ],
    limits=[
        NEEDS_SUBTOPICS,
        Text(
            "Does not punish repetition: the tenth result for the same need counts like any other.",
            "不惩罚重复：同一需求的第 10 条结果照样计入。",
        ),
        CEILING,
    ],
    use=Text("When every need should be served well, not only once.", "每种需求都要充分满足，而不只是满足一次时。"),
    avoid=_AVOID,
    instead={
        "alpha_nDCG@k": Text("when repetition should count less", "当重复内容应降低权重时"),
        "AP@k": _WITHOUT,
    },
)
P_IA = Lesson(
    strengths=[
        Text("Simple: precision for each need, averaged.", "简单：对每种需求求精确率再取平均。"),
    ],
    limits=[
        NEEDS_SUBTOPICS,
        ORDER_BLIND,
        MISSES_UNSEEN,
        Text(
            "Does not reward diversity: ten results for one need can have the same value as a good mixture.",
            "不奖励多样性：10 条都满足同一需求，可能与均衡的组合数值相同。",
        ),
    ],
    use=Text("To see how much of the page serves each need.", "查看页面中满足各需求的结果占多少。"),
    avoid=Text("To reward diversity.", "用来奖励多样性。"),
    instead={
        "StRecall@k": Text("when every need should be served once", "当每种需求至少应满足一次时"),
        "alpha_nDCG@k": Text("when order and novelty count", "当顺序与新颖性都重要时"),
    },
)
StRecall = Lesson(
    strengths=[
        Text(
            "The plain question of diversity: how many of the needs does the page serve at all?",
            "多样性最直白的问题：这一页一共满足了多少种需求？",
        ),
    ],
    limits=[
        NEEDS_SUBTOPICS,
        ORDER_BLIND,
        Text(
            "One result for a need is enough: how many serve it does not count.",
            "每种需求有一条结果就够：满足它的结果多少不计。",
        ),
    ],
    use=_USE,
    avoid=_AVOID,
    instead={
        "alpha_nDCG@k": Text("when it matters how early each need is served", "当每种需求多早得到满足重要时"),
        "R@k": _WITHOUT,
    },
)
