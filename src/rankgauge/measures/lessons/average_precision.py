"""Average precision."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import (
    GEOMETRIC,
    GRADE_BLIND,
    MISSES_COUNT,
    NO_MEAN_OF_QUERIES,
    TOP_HEAVY,
    UNJUDGED_AS_WRONG,
)

AP = Lesson(
    strengths=[
        Text(
            "Looks at all relevant items and at where each stands: [1, 1, 1, 0, 0, 0] beats [1, 0, 0, 1, 0, 1], which "
            "has the same P@6.",
            "看全部相关条目及各自的位置：[1, 1, 1, 0, 0, 0] 高于 [1, 0, 0, 1, 0, 1]，而两者的 P@6 相同。",
        ),
        TOP_HEAVY,
        MISSES_COUNT,
    ],
    limits=[
        GRADE_BLIND,
        UNJUDGED_AS_WRONG,
        Text(
            "Tools divide by different numbers: all relevant items (here), min(k, R) with norm=min, those found with "
            "norm=hits.",
            "各工具的分母不同：全部相关条目（此处默认）、norm=min 的 min(k, R)、norm=hits 的命中数。",
        ),
    ],
    use=Text(
        "For yes/no relevance with several relevant items per query: reranking, search lists, recommendation.",
        "相关性只分是否、每个查询有多个相关条目时：重排序、搜索列表、推荐。",
    ),
    avoid=Text(
        "With graded judgements, or where one right answer ends the search.",
        "有相关性等级时，或找到一个正确答案就结束时。",
    ),
    instead={
        "nDCG@k": Text("when there are grades", "当有相关性等级时"),
        "RR@k": Text("when one answer is enough", "当有一个答案就够时"),
        "bpref": Text("when few of the results were judged", "当只有少量结果做过标注时"),
    },
)

GMAP = Lesson(
    strengths=[
        GEOMETRIC,
        Text(
            "Shows whether the hard queries get better, which a mean hides behind the easy ones.",
            "能看出难查询有没有改善，而普通均值会被容易的查询掩盖。",
        ),
    ],
    limits=[
        NO_MEAN_OF_QUERIES,
        Text(
            "A query that finds nothing counts as 0.00001, an arbitrary floor: a handful of them rule the number.",
            "没有任何命中的查询按 0.00001 计，这个下限是人为的：几个这样的查询就能左右结果。",
        ),
        GRADE_BLIND,
    ],
    use=Text(
        "Beside the mean, when no query may be left behind.",
        "要求任何查询都不能太差时，与均值一起看。",
    ),
    avoid=Text(
        "As the only number, or on few queries.",
        "不要单独使用，查询很少时也不要用。",
    ),
    instead={
        "AP@k": Text("for the usual mean over queries", "需要通常的查询均值时"),
        "yaap": Text(
            "when queries need values of their own on a scale without ends", "当每个查询都需要一个没有上下限的值时"
        ),
    },
)
