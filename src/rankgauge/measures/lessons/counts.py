"""Counts."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import DESCRIBES, ORDER_BLIND_WHOLE

_CHECK = Text(
    "Can be held against the input: what does not add up was read wrongly.",
    "可以与输入核对：对不上就说明读错了。",
)
_AVOID = Text("To say which system is better.", "不要用来说明哪个系统更好。")

NumQ = Lesson(
    strengths=[_CHECK],
    limits=[DESCRIBES],
    use=Text(
        "Beside every mean: a mean over 20 queries is not one over 2,000.",
        "附在每个均值旁：20 个查询的均值与 2,000 个查询的均值不是一回事。",
    ),
    avoid=_AVOID,
    instead={"NumRel": Text("to see how much was judged relevant", "想知道有多少被标注为相关时")},
)
NumRet = Lesson(
    strengths=[
        _CHECK,
        Text("Finds lists that were cut earlier than others.", "能发现比其他列表截得更短的列表。"),
    ],
    limits=[DESCRIBES, ORDER_BLIND_WHOLE],
    use=Text("To check that systems return equally long lists.", "检查各系统返回的列表是否一样长。"),
    avoid=_AVOID,
    instead={"NumRelRet": Text("when only relevant results count", "当只统计相关结果时")},
)
NumRel = Lesson(
    strengths=[
        _CHECK,
        Text("Tells what recall and precision can reach at all.", "说明召回率与精确率最多能达到多少。"),
    ],
    limits=[
        DESCRIBES,
        Text(
            "Says something about the judgements only: it is the same for every system.",
            "只反映标注：对所有系统都相同。",
        ),
    ],
    use=Text(
        "Before choosing k: with 50 relevant items R@10 cannot pass 0.2.",
        "选择 k 之前：有 50 个相关条目时，R@10 不会超过 0.2。",
    ),
    avoid=_AVOID,
    instead={"NumRelRet": Text("for what a system found of them", "想知道系统找到了其中多少时")},
)
NumRelRet = Lesson(
    strengths=[_CHECK],
    limits=[
        ORDER_BLIND_WHOLE,
        Text("A sum: queries with many relevant items rule it.", "是总和：相关条目多的查询占主导。"),
    ],
    use=Text("To check what deep lists hold in all.", "查看较深的列表一共包含多少相关条目。"),
    avoid=_AVOID,
    instead={
        "R@k": Text("for a share that counts every query alike", "需要每个查询同等计入的比例时"),
    },
)
NumNonrelJudgedRet = Lesson(
    strengths=[
        Text(
            "Counts mistakes that somebody saw, not results that nobody judged.",
            "统计有人看过并判为不相关的结果，不含没人标注的结果。",
        ),
    ],
    limits=[
        ORDER_BLIND_WHOLE,
        Text("Longer lists have more of them.", "列表越长，数量越多。"),
    ],
    use=Text(
        "To see whether measures that need such items, as bpref, have something to count.",
        "判断 bpref 等需要这类条目的指标是否有可计的对象。",
    ),
    avoid=_AVOID,
    instead={"bpref": Text("for a quality made of them", "需要据此得到质量指标时")},
)
