"""Pairs in the right order."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import GRADE_BLIND, MISSES_UNSEEN, NEEDS_NONRELEVANT, UNJUDGED_LEFT_OUT

PairAccuracy = Lesson(
    strengths=[
        Text(
            "The AUC of a list: an order by chance has 0.5, however many results are relevant.",
            "列表的 AUC：随机顺序为 0.5，与相关结果的多少无关。",
        ),
        UNJUDGED_LEFT_OUT,
    ],
    limits=[
        Text(
            "Not top-heavy: a wrong pair at ranks 9 and 10 costs as much as one at ranks 1 and 2.",
            "不偏重头部：第 9、10 位排反与第 1、2 位排反损失相同。",
        ),
        MISSES_UNSEEN,
        NEEDS_NONRELEVANT,
        GRADE_BLIND,
    ],
    use=Text(
        "For models trained on pairs, and to read a ranking beside AUC.",
        "评测按样本对训练的模型，或与 AUC 对照着看排序时。",
    ),
    avoid=Text("Where users look at the first results only.", "用户只看前几条时。"),
    instead={
        "nDCG@k": Text("when the top matters most", "当头部最重要时"),
        "bpref": Text("when missed relevant items should count", "当漏掉的相关条目应计入时"),
    },
)
