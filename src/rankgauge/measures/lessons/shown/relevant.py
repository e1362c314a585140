"""What is new and right at once."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.shown.said import NEEDS_TRAIN

_BOTH = Text(
    "Right and new have to come together: neither random nor popular lists do well.",
    "既要相关又要新颖：随机的列表和只推热门的列表都得不到高分。",
)
_SMALL = Text(
    "Values are small and say little by themselves: compare systems, or a system with a popularity baseline.",
    "数值很小，单看意义不大：请在系统之间，或与热门基线比较。",
)

EPC = Lesson(
    strengths=[_BOTH],
    limits=[NEEDS_TRAIN, _SMALL],
    use=Text("Where finding relevant items off the beaten track is the aim.", "目标是发现冷门而相关的物品时。"),
    avoid=Text("Where test data hold popular items only.", "测试数据只有热门物品时。"),
    instead={
        "MIUF@k": Text("for novelty whatever is relevant", "只看新颖性、不看相关性时"),
        "EFD@k": Text("when rare items should count far more", "希望稀有物品权重更大时"),
    },
)

EFD = Lesson(
    strengths=[
        _BOTH,
        Text("In bits: each halving of an item's interactions adds one.", "以比特为单位：物品交互数每减半就加 1。"),
    ],
    limits=[NEEDS_TRAIN, _SMALL],
    use=Text("Where the rarest relevant items are worth most.", "越稀有的相关物品越有价值时。"),
    avoid=Text("Where train is small: counts of one decide then.", "训练集很小时：此时由只出现一次的物品决定。"),
    instead={"EPC@k": Text("for values between 0 and 1", "需要 0 到 1 之间的数值时")},
)

Serendipity = Lesson(
    strengths=[_BOTH, Text("Asks what popularity alone would not have done.", "问的是单靠热度做不到的部分。")],
    limits=[
        NEEDS_TRAIN,
        _SMALL,
        Text(
            "As it stands, blind to the user's own history; form=cosine and form=cooccurrence look at that, and not at "
            "popularity.",
            "默认不看用户自己的历史；form=cosine 和 form=cooccurrence 看历史，但不看热度。",
        ),
    ],
    use=Text(
        "Beside accuracy, to see whether a model beats popularity where it matters.",
        "与准确性指标一起看，判断模型是否真正胜过热门。",
    ),
    avoid=Text(
        "For words such as surprise in a report without a user study.", "没有用户调研时，不要据此声称带来惊喜。"
    ),
    instead={"EPC@k": Text("with a discount by rank", "需要按排名折损时")},
)
