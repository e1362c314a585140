"""Precision, recall and F over classes."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson

_RARE = Text(
    "As average=macro a rare class moves it as much as a frequent one; as average=micro it is Accuracy.",
    "average=macro 时，稀少类别与常见类别影响相同；average=micro 时就是 Accuracy。",
)
_ONE = Text(
    "One class can be asked for: label=fraud.",
    "可以只看一个类别：label=fraud。",
)

Precision = Lesson(
    strengths=[
        Text("Says how far a call can be trusted, class by class.", "逐类说明判定有多可信。"),
        _ONE,
    ],
    limits=[
        Text("Does not see rows of a class that are called something else.", "看不到某类被判成其他类别的行。"),
        _RARE,
    ],
    use=Text(
        "When acting on a wrong call is costly: routing, blocking, billing.", "误判的后果代价高时：分派、冻结、计费。"
    ),
    avoid=Text("Without recall beside it.", "不要脱离召回率单独使用。"),
    instead={
        "MulticlassRecall": Text("when a missed row is worse than a wrong call", "当漏判比误判更严重时"),
        "MulticlassF": Text("when both matter", "当两者都重要时"),
    },
)
Recall = Lesson(
    strengths=[
        Text(
            "Says how much of each class is found; the rest is taken for others.",
            "说明每个类别找到了多少；其余被判成了别的类别。",
        ),
        _ONE,
    ],
    limits=[
        Text("Does not see rows that are wrongly called a class.", "看不到被误判为某类的行。"),
        _RARE,
    ],
    use=Text("When a missed row of a class is costly: fraud, safety.", "漏掉某类的代价高时：欺诈、安全。"),
    avoid=Text("Without precision beside it.", "不要脱离精确率单独使用。"),
    instead={
        "MulticlassPrecision": Text("when a wrong call is worse than a missed row", "当误判比漏判更严重时"),
        "MulticlassBalancedAccuracy": Text(
            "when classes that are only predicted should not count as 0", "当只被预测过的类别不应记为 0 时"
        ),
    },
)
F = Lesson(
    strengths=[
        Text("Punishes both missed rows and wrong calls of every class.", "每个类别的漏判和误判都会扣分。"),
        _ONE,
    ],
    limits=[
        _RARE,
        Text(
            "Rows that are rightly not called a class do not count in its F.",
            "正确地没有判为某类的行不计入该类的 F。",
        ),
    ],
    use=Text("As the one number for classes of different sizes.", "各类别大小不一、只报一个数时。"),
    avoid=Text("When mistakes have known costs: add up those.", "各种错误的代价已知时：请直接累加代价。"),
    instead={
        "MulticlassBalancedAccuracy": Text("when wrong calls matter less than missed rows", "当误判不如漏判重要时"),
        "MulticlassMCC": Text("when all cells of the matrix should count", "当混淆矩阵的所有单元格都应计入时"),
    },
)
