"""How unevenly items are shown, and how alike lists are."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.shown.said import LIKED_OR_NOT, PLACES_ALIKE, SAME_USERS, WHOLE_CATALOGUE

ItemGini = Lesson(
    strengths=[
        WHOLE_CATALOGUE,
        Text("One number for the whole spread, known from incomes.", "一个数值概括整体分布，与收入的基尼系数相同。"),
    ],
    limits=[LIKED_OR_NOT, SAME_USERS, PLACES_ALIKE],
    use=Text("To see whether a few items take all the places.", "想知道是否少数物品占据全部位置时。"),
    avoid=Text(
        "Where lists hold far fewer places than the catalogue has items: it is near 1 for every system then.",
        "位置总数远少于目录物品数时：任何系统都接近 1。",
    ),
    instead={
        "ExposureGini@k": Text("when the top of a list should count more", "列表靠前的位置更重要时"),
        "Coverage@k": Text("for the plain share of items that are shown", "只需要展示过的物品比例时"),
        "Entropy@k": Text("without a catalogue", "没有目录时"),
    },
)

ExposureGini = Lesson(
    strengths=[
        WHOLE_CATALOGUE,
        Text("Sees that the first place gets more attention than the last.", "考虑到首位比末位更受关注。"),
    ],
    limits=[
        LIKED_OR_NOT,
        SAME_USERS,
        Text(
            "How attention falls with the rank is an assumption: discount= is one of two.",
            "关注度随排名如何下降是假设：discount= 二选一。",
        ),
    ],
    use=Text("Where providers of items must be treated fairly.", "需要公平对待物品提供方时。"),
    avoid=Text("Where users see all of a list at once.", "用户一眼就能看到整个列表时。"),
    instead={"ItemGini@k": Text("when all places count the same", "各位置同等重要时")},
)

Entropy = Lesson(
    strengths=[
        Text(
            "Needs no catalogue, and tells lists of many items from lists of few.",
            "不需要目录，能区分物品多的列表与物品少的列表。",
        )
    ],
    limits=[
        LIKED_OR_NOT,
        SAME_USERS,
        Text(
            "Its unit is bits: 2 to its power is the number of equally frequent items.",
            "单位是比特：2 的该次方即等频物品的个数。",
        ),
    ],
    use=Text(
        "To compare systems for the same users where no catalogue is known.", "没有目录、对同一批用户比较系统时。"
    ),
    avoid=Text("Between runs for different numbers of users.", "不要在用户数不同的 run 之间比较。"),
    instead={"ItemGini@k": Text("with a catalogue", "有目录时")},
)

Personalisation = Lesson(
    strengths=[Text("Tells at once whether everybody gets the same list.", "一眼看出是否所有人都得到同样的列表。")],
    limits=[
        LIKED_OR_NOT,
        Text(
            "Blind to order: lists of the same items in another order are the same list.",
            "不看顺序：物品相同、顺序不同的列表视为相同。",
        ),
        Text(
            "With a large catalogue it is near 1 even for lists drawn at random.",
            "目录很大时，即使随机抽取的列表也接近 1。",
        ),
    ],
    use=Text("To see whether a recommender does more than show what is popular.", "想知道推荐系统是否不止展示热门时。"),
    avoid=Text("As a goal: users who are alike should be shown alike.", "不要作为目标：相似的用户本应得到相似的展示。"),
    instead={"Coverage@k": Text("for how many items are shown at all", "想知道展示了多少物品时")},
)
