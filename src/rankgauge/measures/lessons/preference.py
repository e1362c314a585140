"""Binary preference."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import (
    GEOMETRIC,
    GRADE_BLIND,
    MISSES_COUNT,
    NEEDS_NONRELEVANT,
    NO_MEAN_OF_QUERIES,
    UNJUDGED_LEFT_OUT,
)

bpref = Lesson(
    strengths=[UNJUDGED_LEFT_OUT, MISSES_COUNT],
    limits=[
        NEEDS_NONRELEVANT,
        GRADE_BLIND,
        Text(
            "Blind to the first ranks as such: only judged items above each other count, wherever they stand.",
            "不看绝对位置：只看已标注条目谁在谁前面，不看排在第几位。",
        ),
    ],
    use=Text(
        "For old judgements and new systems, when many results were never judged.",
        "用旧标注评测新系统、大量结果从未标注时。",
    ),
    avoid=Text(
        "With judgements of relevant items only: without any other it is recall.",
        "只标注了相关条目时：没有不相关条目，它就等于召回率。",
    ),
    instead={
        "nDCG@k": Text("when nearly all results shown were judged", "当展示的结果几乎都做过标注时"),
        "infAP": Text("when a random sample was judged", "当标注的是随机样本时"),
        "PairAccuracy@k": Text("when missed items should not count", "当漏掉的条目不应计入时"),
    },
)

GMbpref = Lesson(
    strengths=[GEOMETRIC, UNJUDGED_LEFT_OUT],
    limits=[
        NO_MEAN_OF_QUERIES,
        Text(
            "A query without a point counts as 0.00001, an arbitrary floor.",
            "得分为零的查询按 0.00001 计，这个下限是人为的。",
        ),
        NEEDS_NONRELEVANT,
    ],
    use=Text(
        "Beside bpref, when the hard queries matter and judgements are few.",
        "标注较少又关心难查询时，与 bpref 一起看。",
    ),
    avoid=Text("As the only number, or on few queries.", "不要单独使用，查询很少时也不要用。"),
    instead={"bpref": Text("for the usual mean over queries", "需要通常的查询均值时")},
)
