"""How popular the shown items are."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.shown.said import LIKED_OR_NOT, NEEDS_TRAIN, PLACES_ALIKE

_TAIL = Text(
    "Where the head ends is a choice: head=0.8 gives it the items that have 80% of training pairs, another share makes "
    "another number.",
    "头部到哪里为止是人为选择：head=0.8 表示头部占训练用户–物品对的 80%，换一个比例就是另一个数值。",
)

ARP = Lesson(
    strengths=[
        Text(
            "Shows at once when a model has learnt little more than what is popular.", "一眼看出模型是否只学到了热门。"
        ),
    ],
    limits=[
        LIKED_OR_NOT,
        NEEDS_TRAIN,
        Text(
            "A few blockbusters decide it: counts have a long tail, and their mean follows the largest.",
            "由少数爆款决定：次数分布是长尾的，均值跟着最大的走。",
        ),
    ],
    use=Text("To see how far a system leans on popular items.", "想知道系统有多依赖热门物品时。"),
    avoid=Text(
        "Between data sets: its unit is interactions of one training set.",
        "不要跨数据集比较：单位是某个训练集的交互次数。",
    ),
    instead={
        "MIUF@k": Text("when single blockbusters should not decide", "不希望由个别爆款决定时"),
        "HeadShare@k": Text("for a share that can be compared", "需要可比较的比例时"),
    },
)

APLT = Lesson(
    strengths=[
        Text(
            "A share that everybody reads: so much of what is shown is not popular.",
            "一个易读的比例：展示的物品中有多少不是热门。",
        )
    ],
    limits=[LIKED_OR_NOT, _TAIL, PLACES_ALIKE],
    use=Text("To see whether the long tail gets a chance.", "想知道长尾物品有没有机会时。"),
    avoid=Text("Where the catalogue is so small that it has no tail.", "目录太小、没有长尾时。"),
    instead={
        "MIUF@k": Text("without a border between head and tail", "不想划分头部与长尾时"),
        "Coverage@k": Text("for how many different items are shown", "想知道展示了多少不同物品时"),
    },
)

ACLT = Lesson(
    strengths=[
        Text(
            "Counts items, so that a longer list with more of the tail has more.",
            "按个数统计：列表更长、长尾更多时数值更大。",
        )
    ],
    limits=[LIKED_OR_NOT, _TAIL, Text("Grows with the length of lists.", "随列表长度增大。")],
    use=Text("Where lists have k items each and a count is wanted.", "每个列表都有 k 个物品、需要个数时。"),
    avoid=Text("Where lists differ in length.", "列表长短不一时。"),
    instead={"APLT@k": Text("where lists differ in length", "列表长短不一时")},
)

HeadShare = Lesson(
    strengths=[
        Text("Says how much of what is shown users would meet anyway.", "说明展示的物品中有多少用户本来就会遇到。")
    ],
    limits=[LIKED_OR_NOT, _TAIL, PLACES_ALIKE],
    use=Text("To see how much room popular items take.", "想知道热门物品占了多少位置时。"),
    avoid=Text(
        "As a goal of its own: popular items are often what users want.", "不要单独作为目标：热门往往正是用户想要的。"
    ),
    instead={
        "ARP@k": Text("for how popular they are", "想知道有多热门时"),
        "APLT@k": Text("for the other side of it", "想从长尾一侧看时"),
    },
)
