"""Measures that trec_eval prints and hardly anybody else."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import (
    DESCRIBES,
    GAINS_DECIDE,
    GRADE_BLIND,
    GRADED,
    MISSES_COUNT,
    ORDER_BLIND_WHOLE,
    TOP_HEAVY,
    UNJUDGED_AS_WRONG,
)

_USE = Text("To compare with an output of trec_eval.", "与 trec_eval 的输出对比时。")
_AVOID = Text("For new work: few readers know it.", "新的工作：很少有人了解它。")
_NDCG = {"nDCG@k": Text("for a number that everybody knows", "需要大家都熟悉的数值时")}

RprecMult = Lesson(
    strengths=[
        Text(
            "R-precision before and after its usual rank: c=0.5 asks for half as many results, c=2 for twice as many.",
            "在 R 精确率的位置前后取值：c=0.5 只看一半的结果，c=2 看两倍的结果。",
        ),
    ],
    limits=[GRADE_BLIND, UNJUDGED_AS_WRONG],
    use=_USE,
    avoid=_AVOID,
    instead={
        "Rprec": Text("for the usual rank", "只看通常的位置时"),
        "AP@k": Text("for one number over all ranks", "需要概括所有位置的一个数时"),
    },
)
Utility = Lesson(
    strengths=[
        Text(
            "In the unit of the business: each hit, mistake and omission has its price.",
            "以业务单位计：每次命中、误报、遗漏都有价格。",
        ),
    ],
    limits=[
        ORDER_BLIND_WHOLE,
        Text(
            "Returning nothing has 0 with the default weights, and often that is hard to beat.",
            "默认权重下什么都不返回就是 0，而且往往很难超过。",
        ),
        Text(
            "Has no bounds: a query with many results rules the mean.",
            "没有上下限：结果多的查询主导均值。",
        ),
    ],
    use=Text(
        "For filters and alerts whose hits and mistakes have known prices.", "命中与误报代价已知的过滤与提醒系统。"
    ),
    avoid=Text("For ranked lists.", "排序列表。"),
    instead={"SetF": Text("when prices are not known", "当代价未知时")},
)
G = Lesson(
    strengths=[GRADED, TOP_HEAVY],
    limits=[
        GAINS_DECIDE,
        Text(
            "A better result can lower it, because gain so far decides how later ranks are weighed.",
            "更好的结果可能反而使它下降，因为已获得的增益决定后面位置的权重。",
        ),
    ],
    use=_USE,
    avoid=_AVOID,
    instead=_NDCG,
)
binG = Lesson(
    strengths=[
        Text(
            "Counts for each relevant item how many others stand above it, and damps that by a logarithm.",
            "对每个相关条目统计前面有多少不相关结果，并取对数缓和。",
        ),
        MISSES_COUNT,
    ],
    limits=[GRADE_BLIND, UNJUDGED_AS_WRONG],
    use=_USE,
    avoid=_AVOID,
    instead={"AP@k": Text("for a number that everybody knows", "需要大家都熟悉的数值时")},
)
nDCGrel = Lesson(
    strengths=[
        GRADED,
        Text(
            "Looks at the list where something relevant stands, so that no cutoff has to be chosen.",
            "只在出现相关结果的位置取值，不必选择截断。",
        ),
    ],
    limits=[
        GAINS_DECIDE,
        Text(
            "Relevant items that are not shown count with the nDCG of the whole list, and not with 0.",
            "未展示的相关条目按整个列表的 nDCG 计，而不是按 0 计。",
        ),
    ],
    use=_USE,
    avoid=_AVOID,
    instead=_NDCG,
)
Rndcg = Lesson(
    strengths=[
        GRADED,
        Text(
            "Cuts where the ideal list goes down a grade, a graded cousin of R-precision.",
            "在理想列表等级下降处截断，相当于有等级的 R 精确率。",
        ),
    ],
    limits=[
        GAINS_DECIDE,
        Text(
            "Which ranks it looks at depends on the judgements of the query and on the length of the list.",
            "取哪些位置取决于该查询的标注和列表长度。",
        ),
    ],
    use=_USE,
    avoid=_AVOID,
    instead=_NDCG,
)
yaap = Lesson(
    strengths=[
        Text(
            "AP on a scale without ends, on which differences near 0 and near 1 are not squeezed together.",
            "把 AP 放到没有上下限的刻度上，接近 0 和接近 1 处的差异不会被压缩。",
        ),
        MISSES_COUNT,
    ],
    limits=[
        GRADE_BLIND,
        UNJUDGED_AS_WRONG,
        Text(
            "Its ends depend on how many items are relevant: a perfect list has ln(1 + R).",
            "两端取决于相关条目数：完美列表为 ln(1 + R)。",
        ),
    ],
    use=Text("For tests that need values like those of a normal distribution.", "需要数值接近正态分布的检验。"),
    avoid=Text("For a report: a value below 0 has to be explained.", "用于报告：低于 0 的值需要解释。"),
    instead={
        "AP@k": Text("for a number from 0 to 1", "需要 0 到 1 之间的数值时"),
        "GMAP": Text("for one number that looks at the hard queries", "需要一个关注难查询的数值时"),
    },
)
IDCG = Lesson(
    strengths=[
        Text("What nDCG divides by, to check it by hand.", "nDCG 的分母，便于手工核对。"),
    ],
    limits=[
        DESCRIBES,
        Text(
            "Says something about the judgements only: it is the same for every system.",
            "只反映标注：对所有系统都相同。",
        ),
    ],
    use=Text("To see which queries can gain much at all.", "查看哪些查询本来就能获得较大增益。"),
    avoid=Text("To say which system is better.", "不要用来说明哪个系统更好。"),
    instead={"DCG@k": Text("for what the list holds", "想知道列表实际得到多少时"), **_NDCG},
)
relstring = Lesson(
    strengths=[
        Text(
            "Shows the list itself: what every measure of it is made from, at a glance.",
            "直接显示列表：一眼看到各指标的计算依据。",
        ),
    ],
    limits=[
        Text("A text: it cannot be averaged, compared or tested.", "是文本：不能取平均、比较或检验。"),
    ],
    use=Text("To look at single queries.", "查看单个查询。"),
    avoid=Text("To compare systems.", "比较系统时。"),
    instead={"nDCG@k": Text("for a number", "需要数值时")},
)
