"""Agreement beyond chance."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson

_ZERO = Text(
    "Calls that have nothing to do with the labels have about 0, however large a class is.",
    "与标签无关的判定约为 0，无论某个类别有多大。",
)

Kappa = Lesson(
    strengths=[
        _ZERO,
        Text("Also says how far two people who judge the same rows agree.", "也能说明两个人对同样的行判定得有多一致。"),
    ],
    limits=[
        Text(
            "Depends on how frequent the classes are: compare on the same rows.",
            "取决于各类别的占比：请在相同的行上比较。",
        ),
        Text("All mistakes weigh the same, near classes and far ones.", "所有错误权重相同，不论类别远近。"),
    ],
    use=Text(
        "For agreement of annotators, and for classifiers where one class prevails.",
        "标注一致性，或某一类占多数的分类器。",
    ),
    avoid=Text("Across data sets with other shares of the classes.", "各类别占比不同的数据集之间。"),
    instead={
        "MulticlassMCC": Text("when a correlation is easier to explain", "当相关系数更容易解释时"),
        "MulticlassBalancedAccuracy": Text("when a share of rows is easier to explain", "当判对的比例更容易解释时"),
    },
)
MCC = Lesson(
    strengths=[
        _ZERO,
        Text("All cells of the confusion matrix count.", "混淆矩阵的所有单元格都计入。"),
    ],
    limits=[
        Text("Has no value where only one class is ever called.", "只预测过一个类别时没有取值。"),
        Text("No share of anything: hard to explain to others.", "不是任何东西的占比：不容易向别人解释。"),
    ],
    use=Text("As the one number for classes of very different sizes.", "各类别大小悬殊、只报一个数时。"),
    avoid=Text("When one class matters more than the others.", "某个类别比其他类别更重要时。"),
    instead={
        "MulticlassF": Text("when precision and recall of classes are what counts", "当看重各类的精确率与召回率时"),
        "MulticlassKappa": Text("when annotators are compared", "当比较标注人员时"),
    },
)
