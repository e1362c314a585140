"""The parts of a loss."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import NOISE, ORDER_ONLY, PROBABILITY_BLIND, SEES_PROBABILITIES

_SUM = Text(
    "The parts add up: loss = MCB - DSC + UNC, exactly.",
    "各部分可以相加：损失 = MCB - DSC + UNC，严格成立。",
)

MCB = Lesson(
    strengths=[
        SEES_PROBABILITIES,
        _SUM,
        Text(
            "Says what recalibration would save, without choosing bins.",
            "说明重新校准能减少多少损失，不需要选择分箱。",
        ),
    ],
    limits=[
        NOISE,
        Text(
            "Only what an increasing recalibration can mend: errors in the order stay in DSC.",
            "只反映递增的重新校准能修正的部分：排序错误体现在 DSC 中。",
        ),
    ],
    use=Text("To decide whether a calibrator is worth the work.", "判断是否值得增加校准方法。"),
    avoid=Text("On few rows, where the noise is as large as the number.", "行数很少、噪声与数值相当时。"),
    instead={
        "COPC": Text("for the direction of the error", "要看误差方向时"),
        "ECE": Text("for a gap in the unit of the probability", "需要以概率为单位的偏差时"),
    },
)
DSC = Lesson(
    strengths=[
        _SUM,
        ORDER_ONLY,
        Text(
            "Says what the order of the scores is worth in the unit of the loss, calibration aside.",
            "以损失为单位衡量排序的价值，不受校准影响。",
        ),
    ],
    limits=[
        PROBABILITY_BLIND,
        Text(
            "Noise alone makes it positive: a recalibration fitted to the same rows finds some order in chance.",
            "仅噪声就会使它为正：在同一批样本上拟合的校准总能从偶然中找到一些顺序。",
        ),
    ],
    use=Text("To see whether a change of the loss came from better order.", "判断损失的变化是否来自更好的排序。"),
    avoid=Text("To compare data sets with different base rates.", "比较基准率不同的数据集时。"),
    instead={
        "AUC": Text("for a number that does not depend on the base rate", "需要不依赖基准率的数值时"),
        "RIG": Text("for order and calibration together", "要同时看排序与校准时"),
    },
)
UNC = Lesson(
    strengths=[
        _SUM,
        Text(
            "The loss of always saying the base rate: what a model has to beat.",
            "始终预测基准率的损失：模型必须胜过它。",
        ),
    ],
    limits=[
        Text(
            "Says something about the data only: it is the same for every model.",
            "只反映数据：对所有模型都相同。",
        ),
    ],
    use=Text("To read a loss: it has no meaning without it.", "解读损失时：没有它，损失没有参照。"),
    avoid=Text("To say which model is better.", "不要用来说明哪个模型更好。"),
    instead={"NE": Text("for the loss as a share of it", "需要损失占它的比例时")},
)
