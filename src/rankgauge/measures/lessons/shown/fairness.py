"""Whether groups of items get their part."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.shown.said import LIKED_OR_NOT

_GROUPS = Text(
    "Which groups are looked at is a choice of whoever asks: by= names the attribute.",
    "看哪些分组由提问者决定：by= 指定属性。",
)

ExposureGap = Lesson(
    strengths=[
        Text(
            "A share that can be acted on: so much attention would have to move.",
            "可据以行动的比例：需要转移这么多曝光。",
        ),
        Text("Sees that the first place gets more attention than the last.", "考虑到首位比末位更受关注。"),
    ],
    limits=[
        LIKED_OR_NOT,
        _GROUPS,
        Text(
            "What a fair target is cannot be computed: against= offers three.",
            "公平的目标无法计算：against= 给出三种。",
        ),
    ],
    use=Text("Where providers, brands or regions must get their part.", "需要让各供应商、品牌或地区得到应有份额时。"),
    avoid=Text(
        "Against the catalogue, with groups that differ in what users want of them: against=relevance asks for that.",
        "以目录为目标、而各分组的用户需求本就不同时：此时用 against=relevance。",
    ),
    instead={
        "RSP@k": Text("for equal chances of items", "看物品机会是否均等时"),
        "REO@k": Text("for equal chances of relevant items", "看相关物品机会是否均等时"),
        "ExposureGini@k": Text("for single items", "看单个物品时"),
    },
)

RSP = Lesson(
    strengths=[
        Text("Takes into account that items which users had are not shown again.", "考虑到用户已有的物品不会再展示。")
    ],
    limits=[
        LIKED_OR_NOT,
        _GROUPS,
        Text(
            "A group of one item counts as much as one of thousands.", "只有 1 个物品的分组与上千个物品的分组同等计。"
        ),
    ],
    use=Text("To compare how models treat groups of items.", "比较各模型如何对待物品分组时。"),
    avoid=Text("With many small groups: chance alone spreads them.", "小分组很多时：仅随机性就会造成差异。"),
    instead={
        "REO@k": Text("where groups differ in what users want of them", "各分组的用户需求本就不同时"),
        "ExposureGap@k": Text("for a share that can be read by itself", "需要可单独解读的比例时"),
    },
)

REO = Lesson(
    strengths=[
        Text(
            "Fair to users as well: a group is not helped by showing it to those who do not want it.",
            "对用户也公平：把某个分组展示给不需要它的人，并不会改善它。",
        ),
        Text("Each chance is a recall, which can be read by itself.", "每个机会都是召回率，可以单独解读。"),
    ],
    limits=[
        _GROUPS,
        Text(
            "Only as good as the test data: what a group never got to show, nobody could want.",
            "受测试数据限制：从未展示的分组，也就无人表现出需求。",
        ),
        Text("Groups with few relevant items spread by chance alone.", "相关物品很少的分组，仅随机性就会造成差异。"),
    ],
    use=Text(
        "To see whether wanted items of small brands or the long tail are found as well as those of the others.",
        "查看小品牌或长尾中用户需要的物品是否与其他物品一样被找到时。",
    ),
    avoid=Text(
        "Where hardly anything relevant is shown: chances near 0 differ wildly.",
        "几乎没有展示相关物品时：接近 0 的机会差异很大。",
    ),
    instead={"RSP@k": Text("without test data that tell who wants what", "没有说明用户需求的测试数据时")},
)
