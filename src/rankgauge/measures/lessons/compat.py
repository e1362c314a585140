"""Agreement with an ideal list."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import REACHES_ONE

Compat = Lesson(
    strengths=[
        Text(
            "Takes preferences of any kind: only which item is better counts, not by how much.",
            "接受任何形式的偏好：只看谁更好，不看好多少。",
        ),
        REACHES_ONE,
        Text(
            "Weighs the top most: agreement at a depth counts p times that at the depth before.",
            "最看重顶部：每一深度的一致程度只按前一深度的 p 倍计。",
        ),
    ],
    limits=[
        Text(
            "Another p is another measure: p=0.95 looks at about twenty ranks, p=0.8 at five.",
            "换一个 p 就是另一个指标：p=0.95 大约看 20 位，p=0.8 看 5 位。",
        ),
        Text(
            "Says nothing of how large a mistake is: the second best first costs the same as a bad second best first.",
            "不反映错误有多大：次优条目排到第一，不论它差一点还是差很多，损失相同。",
        ),
    ],
    use=Text(
        "For judgements that are preferences between items, or whose grades have no meaning as numbers.",
        "标注是条目之间的偏好，或等级数字本身没有含义时。",
    ),
    avoid=Text("Where grades say how much better a result is.", "等级能说明好多少时。"),
    instead={
        "nDCG@k": Text("when grades are amounts of benefit", "当等级代表收益大小时"),
        "AP@k": Text("when items are relevant or not", "当只分相关与不相关时"),
    },
)
