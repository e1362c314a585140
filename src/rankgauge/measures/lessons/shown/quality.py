"""Whether lists are what they should be."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson

_DATA = Text(
    "Finds faults of the pipeline before they look like faults of the model.",
    "在流程错误被误认为模型错误之前发现它们。",
)
_NO_QUALITY = Text("Says nothing of how good the items are.", "不反映物品的好坏。")
_USE = Text("First of all, before any other number is read.", "先看它，再看其他数值。")
_AVOID = Text("As a goal of a model.", "不要作为模型的目标。")

ShortLists = Lesson(
    strengths=[_DATA],
    limits=[_NO_QUALITY],
    use=_USE,
    avoid=_AVOID,
    instead={"UserCoverage": Text("for users who are shown anything at all", "只看有没有展示时")},
)

RepeatedItems = Lesson(
    strengths=[_DATA],
    limits=[
        _NO_QUALITY,
        Text(
            "Items are told apart by their ids alone: two ids of one item are not seen.",
            "只按 id 区分物品：同一物品的两个 id 看不出来。",
        ),
    ],
    use=_USE,
    avoid=_AVOID,
    instead={"ILD@k": Text("for items that are nearly the same", "想看几乎相同的物品时")},
)

UnknownItems = Lesson(
    strengths=[_DATA],
    limits=[
        _NO_QUALITY,
        Text(
            "Depends on the catalogue that is given: new items may be unknown for good reasons.",
            "取决于给出的目录：新物品不在其中可能是正常的。",
        ),
    ],
    use=_USE,
    avoid=_AVOID,
    instead={
        "Coverage@k": Text("for the other direction: how much of the catalogue is shown", "反过来看目录展示了多少时")
    },
)

SeenItems = Lesson(
    strengths=[
        _DATA,
        Text("Shows at once whether the filter of seen items works.", "一眼看出已接触物品的过滤是否生效。"),
    ],
    limits=[
        _NO_QUALITY,
        Text("In music or groceries seen items may be wanted again.", "音乐、生鲜等场景中用户可能想再次见到。"),
    ],
    use=_USE,
    avoid=Text("Where users come back to the same items.", "用户会反复选择相同物品时。"),
    instead={"MIUF@k": Text("for how rare the items are", "想知道物品有多稀有时")},
)
