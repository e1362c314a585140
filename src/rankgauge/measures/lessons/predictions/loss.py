"""Losses of probabilities."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import BASE_RATE, NEEDS_PROBABILITIES, SEES_PROBABILITIES

_PROPER = Text(
    "Cannot be cheated: on average the right probabilities have the lowest value.",
    "无法取巧：平均而言，正确的概率取值最低。",
)
_PROPER_HIGH = Text(
    "Cannot be cheated: on average the right probabilities have the highest value.",
    "无法取巧：平均而言，正确的概率取值最高。",
)
_SURE = Text(
    "Punishes confident mistakes hard: one positive with p=0.001 costs 6.9, as much as ten with p=0.5.",
    "严厉惩罚自信的错误：一个 p=0.001 的正样本损失 6.9，相当于 10 个 p=0.5 的样本。",
)
_BOTH = Text(
    "Joins order and calibration in one number: a change does not say which of the two it is.",
    "把排序与校准合为一个数：变化时看不出是哪一方面。",
)

LogLoss = Lesson(
    strengths=[
        SEES_PROBABILITIES,
        _PROPER,
        Text("What click models and most classifiers are trained on.", "点击率模型和大多数分类器的训练目标。"),
    ],
    limits=[BASE_RATE, _SURE, _BOTH, NEEDS_PROBABILITIES],
    use=Text(
        "Where the probability itself is used: bids, budgets, expected value; beside AUC.",
        "直接使用概率值的场合：出价、预算、期望收益；与 AUC 一起看。",
    ),
    avoid=Text("To compare data sets or days with different base rates.", "比较基准率不同的数据集或日期时。"),
    instead={
        "NE": Text("when base rates differ", "当基准率不同时"),
        "AUC": Text("when only the order is used", "当只用到排序时"),
        "Brier": Text("when single confident mistakes should not rule", "当个别自信的错误不应左右结果时"),
    },
)
NE = Lesson(
    strengths=[
        SEES_PROBABILITIES,
        _PROPER,
        Text(
            "Has a zero point: 1 is a model that always says the base rate.", "有参照点：1 相当于始终预测基准率的模型。"
        ),
    ],
    limits=[
        BASE_RATE,
        _BOTH,
        NEEDS_PROBABILITIES,
    ],
    use=Text("To follow a click model over days and across data sets.", "跨日期、跨数据集跟踪点击率模型。"),
    avoid=Text("On few positives, whose share is not well known.", "正样本很少、占比估计不准时。"),
    instead={
        "RIG": Text("when more should be better", "当希望越高越好时"),
        "LogLoss": Text("for the plain loss on the same rows", "在同一批样本上看原始损失时"),
    },
)
RIG = Lesson(
    strengths=[
        SEES_PROBABILITIES,
        _PROPER_HIGH,
        Text(
            "Reads like a share: 0 is the base rate alone, 1 is certainty.",
            "像比例一样好读：0 相当于只知道基准率，1 是完全确定。",
        ),
    ],
    limits=[BASE_RATE, _BOTH, NEEDS_PROBABILITIES],
    use=Text("As NE, where more should be better.", "用途同 NE，适合希望越高越好的场合。"),
    avoid=Text("Beside NE: it is the same number turned round.", "与 NE 同时列出：只是方向相反的同一个数。"),
    instead={
        "NE": Text("to compare with published click models", "与已发表的点击率模型对比时"),
        "AUC": Text("when only the order is used", "当只用到排序时"),
    },
)
Brier = Lesson(
    strengths=[
        SEES_PROBABILITIES,
        _PROPER,
        Text(
            "Bounded: the most confident mistake costs 1, not infinity.",
            "有上界：最自信的错误也只损失 1，而不是无穷大。",
        ),
    ],
    limits=[
        BASE_RATE,
        Text(
            "Hardly moves at small rates: at 2% positives, always saying 0 has 0.02 and the best models little less.",
            "基准率低时几乎不动：正样本占 2% 时，始终预测 0 就是 0.02，最好的模型也低不了多少。",
        ),
        _BOTH,
        NEEDS_PROBABILITIES,
    ],
    use=Text(
        "For rates that are not small: churn, conversion after a click, forecasts.",
        "基准率不低的场合：流失、点击后转化、预报。",
    ),
    avoid=Text("For click rates of a few percent.", "点击率只有百分之几时。"),
    instead={
        "LogLoss": Text("at small rates", "当基准率很低时"),
        "MCB": Text("when only the calibration is asked for", "当只关心校准时"),
    },
)
