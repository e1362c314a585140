"""How much of the catalogue, and how many users."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.shown.said import LIKED_OR_NOT, SAME_USERS, WHOLE_CATALOGUE

Coverage = Lesson(
    strengths=[
        Text(
            "Plain to everybody: this share of the catalogue is shown to somebody.",
            "人人都懂：目录中有这么大比例的物品展示给了某个用户。",
        ),
        WHOLE_CATALOGUE,
    ],
    limits=[
        LIKED_OR_NOT,
        SAME_USERS,
        Text(
            "An item that is shown once counts as much as one that everybody is shown.",
            "只展示过一次的物品与展示给所有人的物品一样计。",
        ),
    ],
    use=Text(
        "For shops and publishers who want their whole assortment to be found.",
        "电商、内容平台希望全部商品或内容都能被发现时。",
    ),
    avoid=Text(
        "As the only goal, or between runs for different users.", "不要作为唯一目标，也不要在用户不同的 run 之间比较。"
    ),
    instead={
        "ItemGini@k": Text("when it matters how evenly items are shown", "关心展示是否均匀时"),
        "APLT@k": Text("when it matters whether rare items are shown", "关心长尾物品是否得到展示时"),
    },
)

UserCoverage = Lesson(
    strengths=[
        Text(
            "Finds users whom a system has nothing for, such as new ones, before any other number hides them.",
            "找出系统没有结果可给的用户（如新用户），避免被其他数值掩盖。",
        )
    ],
    limits=[
        Text(
            "One item is enough: it says nothing of how good or how long the lists are.",
            "只要有一个物品就算：不反映列表的好坏和长短。",
        )
    ],
    use=Text("Beside every other number of a recommender.", "推荐系统的每次评测都应附上。"),
    avoid=Text("As a measure of quality.", "不要当作质量指标。"),
    instead={"Hit@k": Text("for users who are shown something relevant", "想知道有多少用户得到相关物品时")},
)
