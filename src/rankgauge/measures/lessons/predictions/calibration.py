"""Calibration."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import NEEDS_PROBABILITIES, NOISE, ORDER_UNSEEN, SEES_PROBABILITIES

_NO_SIGN = Text(
    "Does not say whether the model is too high or too low: see COPC.",
    "看不出预测偏高还是偏低：请看 COPC。",
)

COPC = Lesson(
    strengths=[
        SEES_PROBABILITIES,
        Text(
            "Has a direction: above 1 the model says too little, below 1 too much.",
            "有方向：高于 1 表示预测偏低，低于 1 表示预测偏高。",
        ),
        Text("Can be added up over days, segments and machines.", "可以按天、分段、机器累加。"),
    ],
    limits=[
        Text(
            "Errors cancel: too high on half of the rows and too low on the other half is 1.",
            "误差会相互抵消：一半偏高、一半偏低时仍为 1。",
        ),
        ORDER_UNSEEN,
        NEEDS_PROBABILITIES,
    ],
    use=Text(
        "To watch a click model in production, over days and by segment.", "线上监控点击率模型，按天、按分段查看。"
    ),
    avoid=Text("As the only proof of calibration.", "不要作为校准良好的唯一依据。"),
    instead={
        "ECE": Text("when errors may cancel", "当误差可能相互抵消时"),
        "MCB": Text("when the cost of miscalibration is asked for", "当想知道校准不当的代价时"),
    },
)
ECE = Lesson(
    strengths=[
        SEES_PROBABILITIES,
        Text("In the unit of the probability: how far off it is, on average.", "与概率单位一致：平均偏差多少。"),
    ],
    limits=[
        NOISE,
        ORDER_UNSEEN,
        Text("Depends on the bins: other bins, another number.", "依赖分箱：分箱不同，数值不同。"),
        _NO_SIGN,
    ],
    use=Text(
        "To compare calibration before and after, with the same bins and rows.",
        "用相同的分箱和样本，比较校准前后的效果。",
    ),
    avoid=Text("On few rows, or to compare numbers of different papers.", "行数很少时，或比较不同论文的数值时。"),
    instead={
        "ECCE": Text("when no bins should be chosen", "当不想选择分箱时"),
        "MCB": Text("when the cost of miscalibration is asked for", "当想知道校准不当的代价时"),
        "COPC": Text("for the direction", "要看偏差方向时"),
    },
)
MCE = Lesson(
    strengths=[
        SEES_PROBABILITIES,
        Text(
            "Finds the region where the model is worst, which a mean hides.", "找出模型最差的区间，而平均值会掩盖它。"
        ),
    ],
    limits=[
        NOISE,
        Text(
            "The largest of many noisy gaps: more bins make it larger without any fault of the model.",
            "取许多含噪声差距中的最大值：分箱越多它越大，并非模型的问题。",
        ),
        _NO_SIGN,
    ],
    use=Text(
        "Where no region may be far off, with many rows in each bin.", "不允许任何区间偏差过大、且每箱行数充足时。"
    ),
    avoid=Text("On few rows.", "行数很少时。"),
    instead={
        "ECE": Text("for the usual gap", "要看平均偏差时"),
        "ECCE": Text("for a test without bins", "需要不分箱的检验时"),
    },
)
ECCE = Lesson(
    strengths=[
        SEES_PROBABILITIES,
        Text(
            "Needs no bins, and comes with a p-value that says whether the gap could be chance.",
            "不需要分箱，并给出 p 值，判断偏差是否可能出于偶然。",
        ),
    ],
    limits=[
        NOISE,
        ORDER_UNSEEN,
        Text(
            "Small gaps that point one way along the scores can count more than large ones that alternate.",
            "沿得分方向一致的小偏差，可能比正负交替的大偏差影响更大。",
        ),
    ],
    use=Text("To test whether probabilities can be right at all.", "检验概率是否可能是正确的。"),
    avoid=Text("To say in plain words how far off a probability is.", "想直接说明概率偏差多少时。"),
    instead={
        "ECE": Text("for a gap in the unit of the probability", "需要以概率为单位的偏差时"),
        "MCB": Text("when the cost of miscalibration is asked for", "当想知道校准不当的代价时"),
    },
)
