"""How good is this number: beside what can be reached, beside a standard, and within its uncertainty?"""

from __future__ import annotations

from math import isnan

from rankgauge.diagnosis.rules.base import Seen, Texts, rule
from rankgauge.diagnosis.subjects import Ranked


@rule(
    "weak-measure",
    "ranking",
    en=Texts(
        title="{measure} is {band}",
        seen="{measure} is {value} ({low} … {high}){attainable}: {band} by the bands of the {source}.{unsure}{anchors}",
        why="{why}",
        check="The queries that do worst, and what a simple baseline reaches: bands differ between tasks.",
        do="{advice}",
    ),
    zh=Texts(
        title="{measure} 处于“{band_zh}”档",
        seen="{measure} 为 {value}（{low} … {high}）{attainable_zh}：按 {source} 的分档属于“{band_zh}”。"
        "{unsure_zh}{anchors_zh}",
        why="{why_zh}",
        check="看表现最差的查询，以及简单基线能达到多少：不同任务的分档不能直接比较。",
        do="{advice_zh}",
    ),
)
def weak_measure(s: Ranked) -> Seen | None:
    worst: tuple[float, Seen] | None = None
    for label in s.ev.labels:
        value, interval, best = s.value(label), s.interval(label), s.attainable(label)
        band = s.band(label)
        if band is None or isnan(value) or band.name not in ("poor", "fair"):
            continue
        ends = {b.name for x in interval if (b := s.band(label, x)) is not None}
        unsure = len(ends) > 1
        numbers = {
            "measure": label,
            "value": f"{value:.3f}",
            "low": f"{interval.low:.3f}",
            "high": f"{interval.high:.3f}",
            "attainable": f", {value / best:.3f} of the {best:.3f} that can be reached" if best < 0.995 else "",
            "attainable_zh": f"，是可达上限 {best:.3f} 的 {100 * value / best:.0f}%" if best < 0.995 else "",
            **_anchors(s, label),
            "band": band.name,
            "band_zh": band.title.zh,
            "source": band.source,
            "unsure": " The interval reaches into another band: more queries may change the word." if unsure else "",
            "unsure_zh": "区间跨越了另一档：查询更多时结论可能改变。" if unsure else "",
            "why": "A number means little without what can be reached and what others reach; this one leaves room.",
            "why_zh": "脱离上限和基线，一个数字说明不了什么；这个数字还有提升空间。",
            "advice": band.advice.en,
            "advice_zh": band.advice.zh,
        }
        severity = "warning" if band.name == "poor" and not unsure else "note"
        seen = Seen(severity, numbers, s.worst_queries(label), importance=best - value)
        rank = (severity == "note", value / best if best else value)
        if worst is None or rank < (worst[1].severity == "note", worst[0]):
            worst = (value / best if best else value, seen)
    return None if worst is None else worst[1]


def _anchors(s: Ranked, label: str) -> dict[str, str]:
    """What known systems reach on public collections like this one: a band without that can mislead."""
    found = [] if s.scenario is None else s.standards.anchors_for(s.scenario, label)
    if not found:
        return {"anchors": "", "anchors_zh": ""}
    low, high = (f(a.value for a in found) for f in (min, max))
    names = ", ".join(dict.fromkeys(a.dataset for a in found))
    return {
        "anchors": f" Public systems reach {low:.3f} … {high:.3f} on similar collections ({names}).",
        "anchors_zh": f"公开系统在类似数据集（{names}）上为 {low:.3f} … {high:.3f}。",
    }


@rule(
    "below-benchmark",
    "ranking",
    en=Texts(
        title="Below what is usual for this scenario",
        seen="{list}.",
        why="Others reach these figures in the scenario {scenario}; the difference is larger than the uncertainty.",
        check="Whether the data are alike: a benchmark over easier queries is no target.",
        do="Start with the measure that is furthest below; the other findings say where it is lost.",
    ),
    zh=Texts(
        title="低于该场景的常见水平",
        seen="{list}。",
        why="在“{scenario}”场景中，通常可以达到这些数字；差距已超出不确定性。",
        check="确认数据是否相当：更容易的查询得出的基准不能当目标。",
        do="从差距最大的指标入手；其余发现会说明损失在哪里。",
    ),
)
def below_benchmark(s: Ranked) -> Seen | None:
    if s.scenario is None:
        return None
    found = []
    for b in s.scenario.benchmarks:
        value, interval = s.value(b.measure), s.interval(b.measure)
        # a figure that no ranking of these judgements could reach says nothing about this one
        if not isnan(value) and s.attainable(b.measure) >= b.value and interval.high < b.value:
            found.append(
                (b.value - value, f"{b.measure} {value:.3f} ({interval.low:.3f} … {interval.high:.3f}) < {b.value:g}")
            )
    if not found:
        return None
    found.sort(reverse=True)
    numbers = {"list": "; ".join(text for _, text in found), "scenario": s.scenario.name}
    return Seen("warning", numbers, importance=found[0][0])


@rule(
    "below-production-minimum",
    "ranking",
    en=Texts(
        title="Below the minimum for production",
        seen="{list}.",
        why="Below these figures people meet failures too often to come back.",
        check="Whether the judged queries resemble live traffic.",
        do="Keep it out of production, or behind a fallback, until the findings above are dealt with.",
    ),
    zh=Texts(
        title="低于生产环境的最低标准",
        seen="{list}。",
        why="低于这些数字，用户会太频繁地遇到失败。",
        check="确认标注的查询与线上流量是否相似。",
        do="在处理完其他发现之前，不要上线，或者保留兜底方案。",
    ),
)
def below_production_minimum(s: Ranked) -> Seen | None:
    # the figures are those of retrieval for question answering; a list of products is not held to them
    if s.scenario is None or s.scenario.name not in ("faq", "document_qa", "enterprise", "monitoring"):
        return None
    minimum = next(iter(s.standards.production.values()), None)
    found = []
    for b in minimum.figures if minimum is not None else ():
        value, interval = s.value(b.measure), s.interval(b.measure)
        if not isnan(value) and s.attainable(b.measure) >= b.value and interval.high < b.value:
            between = f"({interval.low:.3f} … {interval.high:.3f})"
            found.append((b.value - value, f"{b.measure} {value:.3f} {between} < {b.value:g}"))
    if not found:
        return None
    found.sort(reverse=True)
    return Seen("critical", {"list": "; ".join(text for _, text in found)}, importance=found[0][0])
