"""The C/W/L family: models of when a reader goes on."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.measures.lessons import Lesson
from rankgauge.measures.lessons.facts import CEILING, GRADED, MISSES_UNSEEN, TOP_HEAVY

_PER_RESULT = Text(
    "In a unit that means something: gain for each result that the reader looks at.",
    "单位有明确含义：用户每看一条结果获得的增益。",
)
_STOPS = Text(
    "A reader who is satisfied leaves, so that good results at the top make those below them count less.",
    "用户满意后就会离开，因此顶部的好结果会降低后面结果的分量。",
)
_MODEL = Text(
    "Only as true as its model of the reader, and few people know it by name.",
    "只有用户模型成立时才可信，而且知道它的人不多。",
)
_LOGS = Text(
    "When logs tell how users read, and the measure should read like them.",
    "能从日志得知用户如何浏览，并希望指标与之一致时。",
)
_REPORT = Text("For numbers that others should recognise.", "需要让他人一眼看懂的数值。")
_KNOWN = {"nDCG@k": Text("for a number that everybody knows", "需要大家都熟悉的数值时")}

INSQ = Lesson(
    strengths=[_PER_RESULT, GRADED, TOP_HEAVY],
    limits=[CEILING, MISSES_UNSEEN, _MODEL],
    use=_LOGS,
    avoid=_REPORT,
    instead={"INST": Text("when patience depends on what was found", "当耐心取决于已找到多少时"), **_KNOWN},
)
INST = Lesson(
    strengths=[
        _PER_RESULT,
        Text(
            "Adapts to the task by T, what the reader hopes to find, and to what was found so far.",
            "通过 T（用户期望找到多少）适应任务，并随已找到的多少而变。",
        ),
        GRADED,
    ],
    limits=[
        CEILING,
        MISSES_UNSEEN,
        Text(
            "Needs T, how much the reader hopes to find, which has to be guessed: another T, another number.",
            "需要给出 T，即用户期望找到多少，往往只能估计：T 不同，数值不同。",
        ),
        _MODEL,
    ],
    use=Text(
        "When tasks differ in how many results they need, and T can be said for each.",
        "各任务所需的结果数不同，且能为每个任务给出 T 时。",
    ),
    avoid=_REPORT,
    instead={
        "INSQ": Text("when the reader does not look at what was found", "当浏览深度与已找到的内容无关时"),
        **_KNOWN,
    },
)
BPM = Lesson(
    strengths=[
        _PER_RESULT,
        Text(
            "The simplest reader with two limits: enough found (T), or enough seen (k).",
            "最简单的双重停止规则：找够了（T）或看够了（k）。",
        ),
        GRADED,
    ],
    limits=[
        MISSES_UNSEEN,
        Text(
            "Order counts only as far as it decides where the reader stops.",
            "顺序只在决定用户停在哪里时才起作用。",
        ),
        Text(
            "A better result further up can lower it: the reader has enough sooner, and never sees the last one.",
            "更好的结果上移反而可能使它下降：用户更早找够，看不到最后一条。",
        ),
        _MODEL,
    ],
    use=Text("For tasks with a known need and a known patience.", "需求量与耐心都已知的任务。"),
    avoid=_REPORT,
    instead={
        "INST": Text("when readers stop by chance rather than by a rule", "当停止是概率性的而不是按规则时"),
        **_KNOWN,
    },
)
SDCG = Lesson(
    strengths=[GRADED, TOP_HEAVY, _PER_RESULT],
    limits=[CEILING, MISSES_UNSEEN],
    use=Text(
        "To have the weights of nDCG as a share of k perfect results, when nobody knows all relevant items.",
        "不知道全部相关条目时，用 nDCG 的权重衡量相当于多少条完美结果。",
    ),
    avoid=Text("For queries that have fewer than k good items.", "好条目少于 k 个的查询。"),
    instead={"nDCG@k": Text("when a query should reach 1 with what exists", "当查询凭现有条目应能达到 1 时")},
)


def _nerr(use: Text, **instead: Text) -> Lesson:
    """The four forms differ in how the reader goes on who is not satisfied."""
    return Lesson(
        strengths=[_STOPS, GRADED, TOP_HEAVY],
        limits=[
            MISSES_UNSEEN,
            Text(
                "Grades become chances of satisfying by dividing by the highest grade: another scale, another number.",
                "等级除以最高等级作为满意概率：等级体系不同，数值就不同。",
            ),
            _MODEL,
        ],
        use=use,
        avoid=Text("Where several results are needed together.", "需要多条结果共同起作用时。"),
        instead={**instead, "ERR@k": Text("to compare with published numbers", "与已发表的数值对比时")},
    )


NERR8 = _nerr(
    Text(
        "For readers who look at all k results unless one satisfies them.",
        "用户除非满意，否则会看完全部 k 条时。",
    ),
    NERR10=Text("when readers give up at any rank", "当用户在任何位置都可能放弃时"),
)
NERR9 = _nerr(
    Text(
        "For readers whose patience falls as 1/rank and who look at no more than k results.",
        "用户的耐心按 1/排名 下降、最多看 k 条时。",
    ),
    NERR8=Text("when readers look at all k results", "当用户会看完 k 条时"),
)
NERR10 = _nerr(
    Text(
        "For readers who go on with the same chance p at every rank unless satisfied.",
        "用户不满意时在每个位置都以同样的概率 p 继续时。",
    ),
    RBP=Text("when satisfaction does not end the search", "当满意并不会结束浏览时"),
)
NERR11 = _nerr(
    Text(
        "For readers who want T and grow more patient with depth, unless satisfied.",
        "用户想获得 T、越往下看越有耐心、满意即离开时。",
    ),
    INST=Text("when patience depends on what was found", "当耐心取决于已找到多少时"),
)
