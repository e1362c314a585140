"""Rows whose class is called right."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson

Accuracy = Lesson(
    strengths=[Text("Everybody understands it: the share of rows called right.", "谁都看得懂：判对的行占多少。")],
    limits=[
        Text(
            "The most frequent class decides: where 99% of the rows are normal, always saying normal has 0.99.",
            "由最常见的类别决定：99% 的行是正常时，始终预测正常就有 0.99。",
        ),
        Text(
            "Does not say which class is missed or what it is taken for.",
            "看不出漏掉的是哪个类别、被判成了哪个类别。",
        ),
    ],
    use=Text(
        "When classes are about equally frequent and every mistake costs the same.",
        "各类别数量相近、每种错误代价相同时。",
    ),
    avoid=Text("With rare classes that matter: fraud, faults, diseases.", "稀少类别很重要时：欺诈、故障、疾病。"),
    instead={
        "MulticlassBalancedAccuracy": Text("when every class counts the same", "当每个类别同等重要时"),
        "MulticlassF": Text("when false alarms of a class count, too", "当某类的误报也要计入时"),
        "MulticlassKappa": Text("when chance agreement should not count", "当偶然一致不应计入时"),
    },
)
BalancedAccuracy = Lesson(
    strengths=[
        Text(
            "Every class counts the same, however rare: always saying one of 4 classes has 0.25.",
            "每个类别同等重要，再稀少也一样：4 个类别时始终预测一个类别只有 0.25。",
        ),
    ],
    limits=[
        Text(
            "A class with a handful of rows moves it as much as one with thousands: read the interval.",
            "只有几行的类别与有几千行的类别影响相同：请看置信区间。",
        ),
        Text(
            "Recall only: rows wrongly called a class do not count there.", "只看召回率：被误判为某类的行不计入该类。"
        ),
    ],
    use=Text("When classes are of different sizes and all of them matter.", "各类别大小不一且都重要时。"),
    avoid=Text("When the frequent classes are what users meet.", "用户遇到的主要是常见类别时。"),
    instead={
        "MulticlassAccuracy": Text("when every row counts the same", "当每一行同等重要时"),
        "MulticlassF": Text("when precision matters as well", "当精确率也重要时"),
    },
)
TopKAccuracy = Lesson(
    strengths=[
        Text(
            "Fits screens that offer a few classes to choose from: right is what is offered.",
            "适合给出几个候选类别供选择的界面：候选中有就算对。",
        ),
        Text(
            "Equal probabilities count by the share of their orders, so the order of columns does not matter.",
            "概率并列时按各种排列的比例计入，因此与列的顺序无关。",
        ),
    ],
    limits=[
        Text("Does not say at which of the k places the class stands.", "看不出真实类别排在前 k 个中的第几位。"),
        Text("Never falls with a larger k: compare at the same k.", "k 变大时值不会下降：请用相同的 k 比较。"),
    ],
    use=Text("With many classes, some of them nearly the same.", "类别很多、其中一些很相近时。"),
    avoid=Text("When one class is acted upon.", "只依据一个类别采取行动时。"),
    instead={
        "MulticlassAccuracy": Text("when only the first class counts", "当只看第一个类别时"),
        "MulticlassLogLoss": Text("when the probabilities themselves are used", "当直接使用概率时"),
    },
)
