"""Probabilities of classes."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson

LogLoss = Lesson(
    strengths=[
        Text(
            "Least in expectation for the true probabilities: nothing is gained by saying others.",
            "给出真实概率时期望损失最小：说别的概率得不到好处。",
        ),
        Text("What most classifiers are trained on.", "大多数分类器训练时优化的就是它。"),
    ],
    limits=[
        Text(
            "One row that is sure and wrong can cost more than all others.",
            "一行又自信又判错，损失可能超过其余所有行。",
        ),
        Text("Does not see how the rest is spread over the other classes.", "看不到其余概率在其他类别间如何分配。"),
    ],
    use=Text("When probabilities are used: costs, ranking, thresholds.", "要使用概率时：代价、排序、阈值。"),
    avoid=Text("When only the predicted class is used.", "只使用预测类别时。"),
    instead={
        "MulticlassBrier": Text("when single sure mistakes should not decide", "当个别自信的错误不应起决定作用时"),
        "MulticlassAccuracy": Text("when only the predicted class counts", "当只看预测类别时"),
    },
)
Brier = Lesson(
    strengths=[
        Text(
            "Least in expectation for the true probabilities, and no row costs more than 2.",
            "给出真实概率时期望值最小，且任何一行的损失不超过 2。",
        ),
        Text(
            "Sees the probabilities of all classes, not only of the true one.", "看所有类别的概率，不只是真实类别的。"
        ),
    ],
    limits=[
        Text(
            "Hardly tells small probabilities apart: 0.001 and 0.0001 are nearly the same.",
            "几乎分不清小概率：0.001 与 0.0001 差不多。",
        ),
        Text("With two classes twice the usual Brier score.", "两个类别时是通常布里尔分数的两倍。"),
    ],
    use=Text("When probabilities are used and outliers should not decide.", "要使用概率、且不希望由异常行决定时。"),
    avoid=Text("With rare classes whose small probabilities matter.", "稀少类别的小概率很重要时。"),
    instead={
        "MulticlassLogLoss": Text("when small probabilities matter", "当小概率很重要时"),
        "MulticlassAUC": Text("when only the order of rows is used", "当只使用行的排序时"),
    },
)
AUC = Lesson(
    strengths=[
        Text("Needs no threshold and no calibrated probabilities.", "不需要阈值，也不需要校准过的概率。"),
        Text(
            "Says how well each class is told from all others, however rare it is.",
            "说明每个类别与其他类别分得多开，再稀少也一样。",
        ),
    ],
    limits=[
        Text("Says nothing about which class a row would be called.", "说明不了一行会被判成哪个类别。"),
        Text(
            "With a rare class it can look good while most of its calls are wrong.",
            "类别稀少时，即使判为该类的大多是错的，值也可能很高。",
        ),
    ],
    use=Text("When rows are ranked by the probability of a class.", "按某类的概率给行排序时。"),
    avoid=Text("When one class per row is what counts.", "每行只取一个类别时。"),
    instead={
        "MulticlassF": Text("when rows are called a class", "当要给每行判定类别时"),
        "MulticlassLogLoss": Text("when the probabilities themselves are used", "当直接使用概率时"),
    },
)
