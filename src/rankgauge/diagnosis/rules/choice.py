"""Are these the right measures, at the right depth, averaged the right way?"""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge._claims import Claim, phrase, together
from rankgauge._text import Text
from rankgauge.diagnosis.figures import figure
from rankgauge.diagnosis.rules.base import Seen, Texts, rule
from rankgauge.diagnosis.subjects import Ranked
from rankgauge.measures.grammar import parse_ranking


@rule(
    "too-many-measures",
    "ranking",
    en=Texts(
        title="So many measures that none decides",
        seen="{n} measures are reported; {least} to {most} are enough.",
        why="With many measures some move by chance, and everybody finds one that agrees.",
        check="Which of them you would act on.",
        do="Decide by {recommended}; keep the others for looking closer.",
    ),
    zh=Texts(
        title="指标太多，反而没有一个能做决定",
        seen="一共报告了 {n} 个指标；{least} 到 {most} 个就够了。",
        why="指标一多，总有几个会碰巧变动，谁都能找到一个支持自己的。",
        check="想清楚哪些指标会真正影响决策。",
        do="用 {recommended} 做决定，其余的留作细看。",
    ),
)
def too_many_measures(s: Ranked) -> Seen | None:
    n, choice = len(s.ev.columns), s.standards.choice
    if n <= choice.at_most + 2:
        return None
    recommended = ", ".join(s.scenario.measures) if s.scenario and s.scenario.measures else ", ".join(choice.measures)
    numbers = {
        "n": s.figure("count", n, "measures"),
        "least": figure(Claim("benchmark", choice.at_least, "measures to decide by")),
        "most": figure(Claim("benchmark", choice.at_most, "measures to decide by")),
        "recommended": recommended,
    }
    return Seen("note", numbers, importance=0.1)


@rule(
    "missing-view",
    "ranking",
    of_everything=True,
    en=Texts(
        title="One side of the result is not measured",
        seen="Only {have} reported; the scenario {scenario} also looks at {missing}.",
        why="A measure of order cannot see what was never found, and one of coverage cannot see bad order.",
        check="Nothing: the measures come from the same data.",
        do="Add {missing}.",
    ),
    zh=Texts(
        title="评测缺少一个维度",
        seen="只报告了 {have}；“{scenario}”场景还应看 {missing}。",
        why="排序指标看不到没找到的内容，覆盖指标看不到排序不好。",
        check="无需检查：用同样的数据即可得到。",
        do="加上 {missing}。",
    ),
)
def missing_view(s: Ranked) -> Seen | None:
    if s.scenario is None or not s.scenario.measures:
        return None
    have = {m.name for m in s.ev.measures}
    wanted = [m for m in s.scenario.measures if _name(m) and _name(m) not in have]
    if not wanted or len(have) >= 3:
        return None
    numbers = {"have": ", ".join(s.ev.labels), "missing": ", ".join(wanted), "scenario": s.scenario.name}
    return Seen("note", numbers, importance=0.15)


def _name(measure: str) -> str:
    """The measure of rankings that a text names; empty for those of labels and scores."""
    from rankgauge.errors import ParameterError, UnknownName

    try:
        return parse_ranking(measure).name
    except (ParameterError, UnknownName):
        return ""


_STAGES = {
    "candidates": Text("what later stages choose from", "供后续阶段挑选的候选"),
    "visible": Text("the list that people see", "用户可见的列表"),
}


@rule(
    "depth-unsuited",
    "ranking",
    of_everything=True,
    en=Texts(
        title="The cutoff does not fit the stage",
        seen="{measure} cuts at {k}; {stage} is usually measured at {range}.",
        why="Candidates are judged by what they hold for later stages, the shown list by what people see.",
        check="How many results the next stage, or the reader, really takes.",
        do="Use {suggested}.",
    ),
    zh=Texts(
        title="截断深度与阶段不符",
        seen="{measure} 在 {k} 处截断；{stage}通常看 {range}。",
        why="候选阶段看的是为后面留下了什么，展示列表看的是用户能看到什么。",
        check="确认下一阶段（或用户）实际取多少条。",
        do="使用 {suggested}。",
    ),
)
def depth_unsuited(s: Ranked) -> Seen | None:
    if s.scenario is None:
        return None
    for m, label in zip(s.ev.measures, s.ev.labels, strict=True):
        k = m.cutoff
        told = [c for c in s.scenario.cutoffs if m.name in c.measures]
        suited = sorted({x for c in told for x in c.k})
        if k is None or not suited or suited[0] <= k <= suited[-1]:
            continue
        stages = list(dict.fromkeys(c.stage for c in told))
        numbers = {
            "measure": label,
            "k": figure(Claim("cutoff", k, label)),
            "stage": _STAGES[stages[0]],
            "range": together(" / ", [figure(Claim("benchmark", x, m.name)) for x in suited]),
            "suggested": _suggested(s, m, min(suited, key=lambda x: abs(x - k))),
        }
        return Seen("note", numbers, importance=0.12)
    return None


def _suggested(s: Ranked, m: Any, k: int) -> str:
    """The measure at a cutoff; lists that end before it have to be longer first."""
    name, longest = str(m @ k), s.longest
    if s.alignment is None:  # how long the lists are was not stored
        return Text(f"{name}, where lists are that long", f"{name}（前提是列表有这么长）")
    if k <= longest:
        return name
    told = (
        "lists of {} results or more, which end at {} now, and then {}",
        "不少于 {} 条的列表（现在到第 {} 条为止），再用 {}",
    )
    return phrase(*told, figure(Claim("benchmark", k, m.name)), s.figure("count", longest, "longest_list"), name)


@rule(
    "macro-micro-apart",
    "ranking",
    en=Texts(
        title="A few large queries would decide a pooled number",
        seen="{measure} is {macro} as the mean of queries and {micro} pooled over all items.",
        why="Pooled numbers follow the queries with many relevant items; the mean gives each query one voice.",
        check="Which queries have the most relevant items, and how they do.",
        do="Report the mean of queries, and look at large queries as a slice.",
    ),
    zh=Texts(
        title="少数大查询会左右合并计算的数字",
        seen="{measure} 按查询平均为 {macro}，按条目合并计算为 {micro}。",
        why="合并计算跟着相关项多的查询走；按查询平均则一个查询一票。",
        check="看相关项最多的是哪些查询，它们表现如何。",
        do="报告按查询的平均，把大查询单独作为一个切片来看。",
    ),
)
def macro_micro_apart(s: Ranked) -> Seen | None:
    measure = "R@100" if s.depth >= 100 else "R@10"
    c, sizes = s.column(measure), s.relevant_per_query
    if s.alignment is None or c is None or not s.is_mean_of_queries:
        return None
    counted = c.counted & (sizes > 0)
    if not counted.any():
        return None
    macro, micro = s.value(measure), float((c.values * sizes)[counted].sum() / sizes[counted].sum())
    apart = s.surely_below(measure, micro) or s.surely_above(measure, micro)
    if not apart or not abs(macro - micro) >= 0.1:
        return None
    largest = [i for i in np.argsort(-sizes, kind="stable") if counted[i]][:3]
    evidence = [f"{s.ev.query_ids[i]}: {int(sizes[i])}" for i in largest]
    numbers = {"measure": measure, "macro": s.mean(measure), "micro": s.figure("pooled", micro, measure)}
    holds = [s.claim("below" if macro < micro else "above", micro, measure)]
    return Seen("note", numbers, evidence, importance=abs(macro - micro), holds=holds)
