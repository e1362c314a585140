"""Rows called right and wrong at a threshold."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import BASE_RATE, BASE_RATE_FREE, ONE_THRESHOLD, TRUE_NEGATIVES_UNSEEN

_ONE_SIDE = Text(
    "One side only: calling everything positive or everything negative has a perfect value. Read it with its twin.",
    "只看一面：全部判为正（或全部判为负）就能得到满分。请与另一面一起看。",
)
_FREE = {"AUC": Text("when no threshold is chosen yet", "当还没有选定阈值时")}

Accuracy = Lesson(
    strengths=[Text("Everybody understands it: the share of rows called right.", "谁都看得懂：判对的行占多少。")],
    limits=[
        Text(
            "Useless for rare classes: with 1% fraud, calling nothing fraud has 0.99.",
            "类别稀少时没有意义：欺诈占 1% 时，全部判为正常就有 0.99。",
        ),
        BASE_RATE,
        ONE_THRESHOLD,
    ],
    use=Text(
        "When classes are about equally frequent and both kinds of mistake cost the same.",
        "各类样本数量相近、两种错误代价相同时。",
    ),
    avoid=Text("With rare positives: fraud, clicks, diseases.", "正样本稀少时：欺诈、点击、疾病。"),
    instead={
        "BalancedAccuracy(threshold=0.5)": Text("when one class is rare", "当某一类稀少时"),
        "F(threshold=0.5)": Text("when the positives are what matters", "当关心的是正样本时"),
        **_FREE,
    },
)
Precision = Lesson(
    strengths=[
        Text(
            "The share of alarms that are real: what each action on a positive is worth.",
            "报警中有多少是真的：对判为正的样本采取行动值不值。",
        ),
    ],
    limits=[
        BASE_RATE,
        TRUE_NEGATIVES_UNSEEN,
        Text(
            "Does not see what was missed: one sure call that is right has 1.",
            "看不到漏掉的：只判一个且判对就是 1。",
        ),
        ONE_THRESHOLD,
    ],
    use=Text("When a false alarm is costly: blocking a customer, a phone call.", "误报代价高时：冻结客户、电话回访。"),
    avoid=Text("When a missed positive is worse: then ask for recall.", "漏报更严重时：请看召回率。"),
    instead={
        "Recall(threshold=0.5)": Text("when a missed positive is worse than a false alarm", "当漏报比误报更严重时"),
        "F(threshold=0.5)": Text("when both matter", "当两者都重要时"),
        "PRAUC": Text("over all thresholds", "要看所有阈值时"),
    },
)
Recall = Lesson(
    strengths=[
        BASE_RATE_FREE,
        Text(
            "The share of positives that are found: what slips through is the rest.",
            "正样本中找到了多少：其余的就是漏网的。",
        ),
    ],
    limits=[_ONE_SIDE, TRUE_NEGATIVES_UNSEEN, ONE_THRESHOLD],
    use=Text("When a missed positive is costly: fraud, disease, safety.", "漏报代价高时：欺诈、疾病、安全。"),
    avoid=Text("Without precision or the false positive rate beside it.", "不要脱离精确率或假正率单独使用。"),
    instead={
        "Precision(threshold=0.5)": Text("when a false alarm is worse than a missed positive", "当误报比漏报更严重时"),
        "Gain": Text("when a fixed share of the rows is taken", "当选取固定比例的行时"),
        **_FREE,
    },
)
Specificity = Lesson(
    strengths=[
        BASE_RATE_FREE,
        Text("The share of negatives that are left in peace.", "负样本中有多少没有被打扰。"),
    ],
    limits=[_ONE_SIDE, ONE_THRESHOLD],
    use=Text("Beside recall, as medicine reports it.", "与召回率（灵敏度）一起使用，医学中常见。"),
    avoid=Text(
        "With very rare positives: 0.99 can still mean that most alarms are false.",
        "正样本极少时：0.99 也可能意味着大多数报警是误报。",
    ),
    instead={
        "Precision(threshold=0.5)": Text(
            "when the share of false alarms among alarms matters", "当关心报警中误报的比例时"
        ),
        "FPR(threshold=0.5)": Text("to say the same as a share of mistakes", "用错误比例表达同一件事时"),
    },
)
FPR = Lesson(
    strengths=[
        BASE_RATE_FREE,
        Text(
            "The horizontal axis of the ROC curve: the price of recall in negatives.",
            "ROC 曲线的横轴：为召回率付出的负样本代价。",
        ),
    ],
    limits=[_ONE_SIDE, ONE_THRESHOLD],
    use=Text("To hold the load of false alarms below a limit.", "要求误报量不超过上限时。"),
    avoid=Text(
        "With very rare positives: a small rate of many negatives is many alarms.",
        "正样本极少时：大量负样本的一个小比例也是大量报警。",
    ),
    instead={
        "Precision(threshold=0.5)": Text(
            "when the share of false alarms among alarms matters", "当关心报警中误报的比例时"
        ),
        **_FREE,
    },
)
FNR = Lesson(
    strengths=[BASE_RATE_FREE, Text("The share of positives that slip through.", "正样本中漏掉了多少。")],
    limits=[_ONE_SIDE, TRUE_NEGATIVES_UNSEEN, ONE_THRESHOLD],
    use=Text("To hold missed positives below a limit.", "要求漏报不超过上限时。"),
    avoid=Text("Without the false positive rate beside it.", "不要脱离假正率单独使用。"),
    instead={
        "Recall(threshold=0.5)": Text("to say the same as a share of successes", "用成功比例表达同一件事时"),
        **_FREE,
    },
)
F = Lesson(
    strengths=[
        Text("Low where either precision or recall is low.", "精确率或召回率有一个低，它就低。"),
        Text("beta says which of the two counts more.", "用 beta 指定更看重哪一个。"),
    ],
    limits=[BASE_RATE, TRUE_NEGATIVES_UNSEEN, ONE_THRESHOLD],
    use=Text(
        "To choose a threshold when positives are rare and both mistakes cost something.",
        "正样本稀少、两种错误都有代价时，用来选择阈值。",
    ),
    avoid=Text("When mistakes have known costs: then compute these.", "错误代价已知时：请直接计算代价。"),
    instead={
        "MCC(threshold=0.5)": Text("when negatives matter as well", "当负样本也重要时"),
        "PRAUC": Text("over all thresholds", "要看所有阈值时"),
    },
)
BalancedAccuracy = Lesson(
    strengths=[
        BASE_RATE_FREE,
        Text(
            "Calling everything one class has 0.5, however rare the other is.",
            "全部判为同一类只有 0.5，与另一类多稀少无关。",
        ),
    ],
    limits=[
        Text(
            "Takes both classes for equally important, whatever a mistake in either costs.",
            "把两类视为同等重要，不管各自判错的代价。",
        ),
        ONE_THRESHOLD,
    ],
    use=Text("For classes of unequal size that matter the same.", "类别大小悬殊但同等重要时。"),
    avoid=Text(
        "When the precision of calls matters: false alarms of a huge class hardly show.",
        "关心判定精确率时：多数类的误报几乎看不出来。",
    ),
    instead={
        "MCC(threshold=0.5)": Text("when precision should count as well", "当精确率也应计入时"),
        **_FREE,
    },
)
MCC = Lesson(
    strengths=[
        Text(
            "High only if all four cells are good: hits, rejections, and few of both mistakes.",
            "只有四个格子都好才会高：命中多、正确排除多、两种错误都少。",
        ),
        Text("Calls that have nothing to do with the labels have 0.", "判定与标签无关时为 0。"),
    ],
    limits=[
        BASE_RATE,
        ONE_THRESHOLD,
        Text("Undefined where all rows are called the same.", "所有行判定相同时无定义。"),
    ],
    use=Text(
        "As one number for a yes/no classifier with classes of unequal size.", "用一个数评价类别大小悬殊的二分类器。"
    ),
    avoid=Text("For readers who need a share of something.", "读者需要某种比例时。"),
    instead={
        "F(threshold=0.5)": Text("when only the positives matter", "当只关心正样本时"),
        "BalancedAccuracy(threshold=0.5)": Text("for a share that is easy to explain", "需要容易解释的比例时"),
    },
)
