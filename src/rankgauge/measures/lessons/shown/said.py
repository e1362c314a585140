"""Sentences that hold for many measures of what is shown, each stated once."""

from __future__ import annotations

from rankgauge._text import Text

__all__ = ["LIKED_OR_NOT", "NEEDS_TRAIN", "PLACES_ALIKE", "SAME_USERS", "WHOLE_CATALOGUE"]

LIKED_OR_NOT = Text(
    "Says nothing of relevance: a system that shows items at random can have a very good value. Read it beside "
    "nDCG@k or "
    "R@k.",
    "不反映相关性：随机展示的系统也可能数值很好。请与 nDCG@k 或 R@k 一起看。",
)
SAME_USERS = Text(
    "Depends on how many users there are: compare systems only for the same users and the same k.",
    "与用户数有关：只能在相同的用户和相同的 k 下比较系统。",
)
NEEDS_TRAIN = Text(
    "Popularity is that of train: counted with test events it would leak the answer, and with another period it is "
    "another number.",
    "热度取自训练集：若计入测试期的事件就会泄漏答案，换一个时间段就是另一个数值。",
)
PLACES_ALIKE = Text(
    "All places down to k count the same, although hardly anybody looks at the last ones.",
    "前 k 个位置同等对待，而实际上很少有人看到最后几个。",
)
WHOLE_CATALOGUE = Text(
    "What is never shown counts, so it cannot be improved by hiding items.",
    "从未展示的物品也计入，因此不能靠隐藏物品来改善。",
)
