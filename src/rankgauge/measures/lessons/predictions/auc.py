"""The order of scores."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import (
    BASE_RATE,
    BASE_RATE_FREE,
    HALF_AT_RANDOM,
    NOTHING_AT_RANDOM,
    ORDER_ONLY,
    PAIRS_ALIKE,
    PREVALENCE_AT_RANDOM,
    PROBABILITY_BLIND,
    TOP_SCORES,
)

AUC = Lesson(
    strengths=[ORDER_ONLY, BASE_RATE_FREE, HALF_AT_RANDOM],
    limits=[
        PROBABILITY_BLIND,
        PAIRS_ALIKE,
        Text(
            "Mixes users: it also counts pairs of rows that nobody ever sees together. Read it with GAUC.",
            "混合了不同用户：也比较不会同时出现的样本对。请与 GAUC 一起看。",
        ),
    ],
    use=Text(
        "To compare models by how well they order rows, with few positives too: clicks, fraud, credit.",
        "比较模型的排序能力，正样本稀少时也适用：点击率、欺诈、信用。",
    ),
    avoid=Text(
        "Where the probability itself is used (bids, budgets), or only the very top of the list.",
        "直接使用概率值时（出价、预算），或只用到列表最顶部时。",
    ),
    instead={
        "GAUC": Text("when rows are ranked within a user or a request", "当在同一用户或同一次请求内排序时"),
        "PRAUC": Text("when positives are rare and only the top is used", "当正样本稀少且只用到顶部时"),
        "LogLoss": Text("when the probabilities themselves are used", "当直接使用概率值时"),
    },
)
Gini = Lesson(
    strengths=[ORDER_ONLY, BASE_RATE_FREE, NOTHING_AT_RANDOM],
    limits=[PROBABILITY_BLIND, PAIRS_ALIKE],
    use=Text("Where it is the custom, as in credit scoring.", "习惯使用它的领域，例如信用评分。"),
    avoid=Text(
        "Beside AUC: it is the same number on another scale. Gini of incomes is something else.",
        "与 AUC 同时列出：两者只是刻度不同。收入的基尼系数是另一回事。",
    ),
    instead={"AUC": Text("nearly everywhere else", "其他大多数场合")},
)
KS = Lesson(
    strengths=[
        ORDER_ONLY,
        BASE_RATE_FREE,
        Text("Comes with the threshold that parts the classes best.", "同时给出最能区分两类样本的阈值。"),
    ],
    limits=[
        PROBABILITY_BLIND,
        Text(
            "Looks at one threshold, the best one: the rest of the curve does not count.",
            "只看一个（最佳）阈值：曲线其余部分不计。",
        ),
        Text(
            "The best of many thresholds is too good on few rows: chance alone makes it positive.",
            "在许多阈值中取最大，行数少时偏乐观：仅偶然就会使它为正。",
        ),
    ],
    use=Text("For a decision with one cut-off, as in credit scoring.", "用一个分数线做决定的场合，例如信用评分。"),
    avoid=Text("On few rows, or to compare models whose thresholds differ.", "行数很少时，或比较阈值不同的模型时。"),
    instead={
        "AUC": Text("for the order as a whole", "要看整体排序时"),
        "Lift": Text("when a fixed share is chosen", "当选取固定比例时"),
    },
)
PRAUC = Lesson(
    strengths=[
        TOP_SCORES,
        ORDER_ONLY,
        Text(
            "With rare positives it shows what AUC hides: how many false alarms come with each hit.",
            "正样本稀少时能显示 AUC 掩盖的问题：每次命中伴随多少误报。",
        ),
    ],
    limits=[BASE_RATE, PREVALENCE_AT_RANDOM, PROBABILITY_BLIND],
    use=Text("For rare positives when the top of the list is acted on.", "正样本稀少、且会对列表顶部采取行动时。"),
    avoid=Text(
        "To compare data sets, or days, with different shares of positives.", "比较正样本占比不同的数据集或日期时。"
    ),
    instead={
        "AUC": Text("when shares of positives differ", "当正样本占比不同时"),
        "Lift": Text("when a fixed share of the rows is acted on", "当对固定比例的行采取行动时"),
    },
)
Gain = Lesson(
    strengths=[
        Text(
            "In words of the business: the best 10% of the rows hold this share of the positives.",
            "业务语言：得分最高的 10% 的行包含多少比例的正样本。",
        ),
        ORDER_ONLY,
    ],
    limits=[
        PROBABILITY_BLIND,
        Text("Blind to order inside the share that is taken.", "不看所选部分内部的顺序。"),
        Text(
            "Cannot reach 1 where positives are more than the share that is taken.",
            "正样本多于所选比例时达不到 1。",
        ),
    ],
    use=Text("For campaigns and reviews with a fixed budget of rows.", "名额固定的营销或审核。"),
    avoid=Text("When the share is not fixed.", "比例不固定时。"),
    instead={
        "Lift": Text("to compare with taking rows at random", "与随机选取对比时"),
        "AUC": Text("when the share is not fixed", "当比例不固定时"),
    },
)
Lift = Lesson(
    strengths=[
        Text(
            "Says at once what the model is worth: 3 means three times the positives of as many random rows.",
            "一眼看出模型的价值：3 表示正样本数是随机选取同样多行的 3 倍。",
        ),
        ORDER_ONLY,
    ],
    limits=[
        PROBABILITY_BLIND,
        BASE_RATE,
        Text("Blind to order inside the share that is taken.", "不看所选部分内部的顺序。"),
    ],
    use=Text("For campaigns and reviews with a fixed budget of rows.", "名额固定的营销或审核。"),
    avoid=Text("To compare data sets with different shares of positives.", "比较正样本占比不同的数据集时。"),
    instead={
        "Gain": Text("when the share of all positives is asked for", "当关心占全部正样本的比例时"),
        "PRAUC": Text("when the share is not fixed", "当比例不固定时"),
    },
)
