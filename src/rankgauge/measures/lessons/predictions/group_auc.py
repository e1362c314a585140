"""The order of scores inside groups and across them."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import HALF_AT_RANDOM, NEEDS_GROUPS, ORDER_ONLY, PROBABILITY_BLIND

GAUC = Lesson(
    strengths=[
        Text(
            "Asks what a user sees: rows are compared only with rows of the same group.",
            "衡量用户真正看到的排序：只在同一分组内比较。",
        ),
        ORDER_ONLY,
        HALF_AT_RANDOM,
        Text(
            "A term that is the same for all rows of a group, as the activity of a user, cannot raise it.",
            "同组内各行相同的因素（例如用户活跃度）无法抬高它。",
        ),
    ],
    limits=[
        NEEDS_GROUPS,
        PROBABILITY_BLIND,
        Text(
            "Groups with one class are left out: in a click log that can be most of the users.",
            "只有一类样本的分组不计入：在点击日志中可能占大多数用户。",
        ),
        Text(
            "Tools weigh groups differently (weight=impressions, uniform, positives, pairs): one name, many numbers.",
            "各工具对分组的加权不同（weight=impressions、uniform、positives、pairs）：名称相同，数值不同。",
        ),
    ],
    use=Text("For ranking models in feeds, ads and recommendation.", "信息流、广告、推荐中的排序模型。"),
    avoid=Text(
        "Where rows of different groups compete with each other, as ads for one budget.",
        "不同分组的行相互竞争时，例如共用预算的广告。",
    ),
    instead={
        "AUC": Text("when rows compete across groups", "当各行跨组竞争时"),
        "nDCG@k": Text("when the top of each list matters most", "当每个列表的头部最重要时"),
    },
)
CrossAUC = Lesson(
    strengths=[
        Text(
            "The other half of AUC: shows how much of it comes from telling groups apart.",
            "AUC 的另一半：显示其中有多少来自区分不同分组。",
        ),
        ORDER_ONLY,
    ],
    limits=[
        Text("Needs a group for each row, and rows of several groups.", "每一行都需要分组，且要有多个分组。"),
        PROBABILITY_BLIND,
        Text(
            "High values need no skill in ranking for a user: knowing who clicks often is enough.",
            "高数值不代表对单个用户排得好：只要知道谁爱点击就够了。",
        ),
    ],
    use=Text("When AUC and GAUC disagree, to see why.", "AUC 与 GAUC 不一致时，用来查明原因。"),
    avoid=Text("By itself.", "不要单独使用。"),
    instead={
        "GAUC": Text("for the order that a user sees", "要看用户所见的排序时"),
        "AUC": Text("for both together", "要看两者合计时"),
    },
)
