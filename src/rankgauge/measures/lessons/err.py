"""Expected reciprocal rank."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import CEILING, GRADED, MISSES_UNSEEN, TOP_HEAVY

ERR = Lesson(
    strengths=[
        Text(
            "A model of a reader who stops when satisfied: a good result lowers the worth of all below it.",
            "模拟满意即止的用户：前面有好结果，后面的就贬值。",
        ),
        GRADED,
        TOP_HEAVY,
    ],
    limits=[
        CEILING,
        MISSES_UNSEEN,
        Text(
            "Depends on the highest grade that there can be: the same list has another ERR on another scale of grades.",
            "依赖可能的最高等级：等级体系不同，同一列表的 ERR 就不同。",
        ),
    ],
    use=Text(
        "For navigation and questions with graded answers, where the first good result ends the search.",
        "导航类查询或有等级的问答，第一个好结果出现后搜索就结束。",
    ),
    avoid=Text("Where several results are needed together.", "需要多条结果共同起作用时。"),
    instead={
        "nDCG@k": Text("when every good result helps", "当每个好结果都有用时"),
        "RR@k": Text("when there are no grades", "当没有相关性等级时"),
        "NERR8@k": Text("when a scale to 1 is wanted", "当需要能达到 1 的刻度时"),
    },
)
