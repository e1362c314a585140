"""How new the shown items are."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.shown.said import LIKED_OR_NOT, NEEDS_TRAIN, PLACES_ALIKE

_BITS = Text(
    "Its unit is bits, and the most that it can be grows with the number of users.",
    "单位是比特，其最大值随用户数增大。",
)

MIUF = Lesson(
    strengths=[
        Text(
            "Logarithms keep single blockbusters from deciding: halving the users of an item adds one bit.",
            "取对数，不会由个别爆款决定：物品的用户数减半，增加 1 比特。",
        )
    ],
    limits=[LIKED_OR_NOT, NEEDS_TRAIN, _BITS],
    use=Text("To see how far off the beaten track recommendations are.", "想知道推荐有多“冷门”时。"),
    avoid=Text("Between data sets of different size.", "不要在规模不同的数据集之间比较。"),
    instead={
        "Surprisal@k": Text("for a value between 0 and 1", "需要 0 到 1 之间的数值时"),
        "Unseen@k": Text("for what is new to the user himself", "想知道对用户本人是否新鲜时"),
    },
)

SelfInformation = Lesson(
    strengths=[
        Text(
            "Counts every interaction: an item that one user comes back to all the time is not rare.",
            "统计每一次交互：被同一用户反复使用的物品不算稀有。",
        )
    ],
    limits=[LIKED_OR_NOT, NEEDS_TRAIN, _BITS],
    use=Text("Where interactions repeat and each of them matters, as in music.", "交互会重复且每次都重要时，如音乐。"),
    avoid=Text("Where a few users make most of the interactions.", "少数用户贡献大部分交互时。"),
    instead={"MIUF@k": Text("when each user should count once", "每个用户只应计一次时")},
)

Surprisal = Lesson(
    strengths=[
        Text(
            "Between 0 and 1: 0 where everybody had the items, 1 where at most one user had each.",
            "介于 0 和 1：人人都有的物品为 0，最多一个用户有的为 1。",
        )
    ],
    limits=[LIKED_OR_NOT, NEEDS_TRAIN, PLACES_ALIKE],
    use=Text("Where novelty has to be compared between data sets.", "需要在数据集之间比较新颖性时。"),
    avoid=Text(
        "Where train has few users: there are few values that it can have.", "训练集用户很少时：可取的数值很少。"
    ),
    instead={"MIUF@k": Text("for the same in bits", "需要以比特为单位时")},
)

Unseen = Lesson(
    strengths=[
        Text(
            "About the user himself: what he had before is not new to him, popular or not.",
            "针对用户本人：接触过的就不新，不论是否热门。",
        )
    ],
    limits=[
        LIKED_OR_NOT,
        Text(
            "It is 1 for every system that filters out what users had, and then says nothing.",
            "凡是过滤掉用户已有物品的系统都是 1，此时没有意义。",
        ),
    ],
    use=Text(
        "Where seen items may be shown again, as in music and groceries, and to see whether a filter works.",
        "允许再次展示已接触物品时（如音乐、生鲜），以及检查过滤是否生效时。",
    ),
    avoid=Text("Where seen items are filtered out anyway.", "已接触物品本来就被过滤时。"),
    instead={"MIUF@k": Text("for how rare the items are", "想知道物品有多稀有时")},
)

Unexpectedness = Lesson(
    strengths=[
        Text(
            "Held against what a list of popular items would have done for the same user.", "与同一用户的热门列表相比。"
        ),
        Text("A share, easy to read.", "是一个比例，容易理解。"),
    ],
    limits=[
        LIKED_OR_NOT,
        NEEDS_TRAIN,
        Text("It is 1 for items drawn at random from a large catalogue.", "从大目录中随机抽取的物品也会得到 1。"),
    ],
    use=Text(
        "To see whether a model is worth more than a list of popular items.", "想知道模型是否比热门列表更有价值时。"
    ),
    avoid=Text("As a goal: what is popular is often right.", "不要作为目标：热门往往是对的。"),
    instead={"Serendipity@k": Text("when it should be relevant as well", "还要求相关时")},
)
