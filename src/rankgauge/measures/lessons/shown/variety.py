"""How unlike the items of a list are."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.shown.said import LIKED_OR_NOT, PLACES_ALIKE

ILD = Lesson(
    strengths=[
        Text(
            "Works with labels and with vectors, and with the distance that is right for them.",
            "标签和向量都可用，距离可选。",
        )
    ],
    limits=[
        LIKED_OR_NOT,
        PLACES_ALIKE,
        Text(
            "The distance is a choice, and numbers of different ones cannot be compared.",
            "距离是人为选择，不同距离的数值不可比。",
        ),
    ],
    use=Text("To see whether lists are monotonous.", "想知道列表是否单调时。"),
    avoid=Text(
        "With vectors of a model that is evaluated: it knows its own neighbourhood.",
        "不要使用被评测模型自己的向量：它按自己的邻域排序。",
    ),
    instead={
        "CategoryRecall@k": Text("for the plain number of categories", "只需要类别数时"),
        "CategoryKL@k": Text("when users should get the mix that they like", "希望符合用户自己的偏好构成时"),
    },
)

CategoryRecall = Lesson(
    strengths=[Text("Plain: this share of the categories is in a list.", "直观：一个列表包含了这么多类别。")],
    limits=[
        LIKED_OR_NOT,
        Text("With more categories than places it cannot reach 1.", "类别多于位置时达不到 1。"),
        Text("One item of a category is as good as nine.", "一个类别出现 1 个和 9 个物品一样计。"),
    ],
    use=Text("Where lists should offer something of everything.", "希望列表各类都有时。"),
    avoid=Text("Where users have clear tastes.", "用户偏好明确时。"),
    instead={"ILD@k": Text("for how unlike items are", "想知道物品彼此有多不同时")},
)

CategoryKL = Lesson(
    strengths=[
        Text(
            "Asks for the user's own mix: seventy percent of dramas before, seventy percent of dramas now.",
            "以用户自己的构成为准：过去七成是剧情片，现在也应七成是剧情片。",
        )
    ],
    limits=[
        LIKED_OR_NOT,
        Text(
            "A missing taste costs up to -ln(alpha): with alpha=0.01 that is 4.6.",
            "缺失的偏好最多扣 -ln(alpha)：alpha=0.01 时为 4.6。",
        ),
        Text("Short histories are no tastes yet.", "历史很短时还谈不上偏好。"),
    ],
    use=Text(
        "Where a lesser taste of a user should not be crowded out by the main one.",
        "希望用户的次要偏好不被主要偏好挤掉时。",
    ),
    avoid=Text("For new users, and where exploring is the aim.", "新用户，或以探索为目标时。"),
    instead={"ILD@k": Text("for variety whatever users had", "不看用户历史的多样性")},
)
