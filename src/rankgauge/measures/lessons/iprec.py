"""The curve of precision over recall."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import GRADE_BLIND, UNJUDGED_AS_WRONG

IPrec = Lesson(
    strengths=[
        Text(
            "Answers what a searcher asks who must find a given share: how much noise comes with it?",
            "回答必须找到一定比例的人所问：要看多少噪声？",
        ),
        Text(
            "Never rises with r, so that the curve over r can be read and averaged.",
            "不会随 r 升高，因此它随 r 的曲线可以直接读，也可以取平均。",
        ),
    ],
    limits=[
        GRADE_BLIND,
        UNJUDGED_AS_WRONG,
        Text(
            "Without a value of r it is the best precision anywhere, which one good result at rank 1 makes 1.",
            "不给出 r 时是任意位置的最高精确率，第 1 位命中即为 1。",
        ),
    ],
    use=Text(
        "For patents, law and reviews, where a share of all relevant items has to be found.",
        "专利、法律、文献综述等必须找到一定比例相关条目的场景。",
    ),
    avoid=Text("For users who look at one page.", "用户只看一页时。"),
    instead={
        "AP@k": Text("for one number over the whole curve", "需要概括整条曲线的一个数时"),
        "P@k": Text("when a fixed number of results is shown", "当展示的结果数固定时"),
    },
)

IPrec11 = Lesson(
    strengths=[
        Text(
            "One number for the whole curve of precision over recall, as older papers report it.",
            "用一个数概括整条精确率—召回率曲线，早期论文常用。",
        ),
        Text(
            "A recall that is never reached counts 0, so that omissions show.",
            "始终达不到的召回率点计 0，因此遗漏会反映出来。",
        ),
    ],
    limits=[
        GRADE_BLIND,
        UNJUDGED_AS_WRONG,
        Text(
            "With few relevant items several of the 11 points are the same one.",
            "相关条目很少时，11 个点中有几个其实是同一个。",
        ),
    ],
    use=Text("To compare with older results.", "与早期结果对比时。"),
    avoid=Text("For new work.", "新的工作。"),
    instead={
        "AP@k": Text(
            "nearly always: it uses every relevant item, without points", "几乎总是：它用到每个相关条目，不需要取点"
        )
    },
)
