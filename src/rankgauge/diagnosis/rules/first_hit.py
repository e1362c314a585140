"""Where is the first relevant result? Found at all, found early, found late."""

from __future__ import annotations

from math import isnan

import numpy as np

from rankgauge.diagnosis.rules.base import Seen, Texts, rule
from rankgauge.diagnosis.subjects import Changed, Ranked

_RANGES = ((1, 1), (2, 3), (4, 5), (6, 10), (11, 20))


def histogram(s: Ranked) -> list[str]:
    """How many queries have their first relevant result at which ranks; understood in any language."""
    ranks = s.first_ranks
    out = []
    for low, high in _RANGES:
        n = int(((ranks >= low) & (ranks <= high)).sum())
        out.append(f"{low if low == high else f'{low}-{high}'}: {n}")
    out.append(f">{_RANGES[-1][1]}: {int(((ranks == 0) | (ranks > _RANGES[-1][1])).sum())}")
    return out


@rule(
    "found-but-late",
    "ranking",
    en=Texts(
        title="Relevant results are found, but not at the top",
        seen="Hit@20 is {hit}, yet RR@20 only {rr}: the first relevant result is typically at rank {median}.",
        why="Retrieval does its part; readers rarely go that far, so the order costs what retrieval has won.",
        check="The histogram of first ranks, then whether a re-ranker sees these candidates at all.",
        do="Work on the order: re-ranking, fusion weights, freshness or popularity signals. More candidates will not "
        "help.",
    ),
    zh=Texts(
        title="相关结果找得到，但排得不靠前",
        seen="Hit@20 为 {hit}，而 RR@20 只有 {rr}：第一个相关结果通常在第 {median} 位。",
        why="召回已经够用；用户很少翻到那么后面，排序把召回的成果浪费了。",
        check="先看首个命中位置的分布，再确认重排模型是否真的拿到了这些候选。",
        do="改进排序：重排、融合权重、时效或热度信号。增加候选不会有帮助。",
    ),
)
def found_but_late(s: Ranked) -> Seen | None:
    hit, rr = s.value("Hit@20"), s.value("RR@20")
    ranks = s.first_ranks[(s.first_ranks > 0) & (s.first_ranks <= 20)]
    if isnan(hit) or hit < 0.7 or not len(ranks) or s.interval("RR@20").high >= 0.5 * hit:
        return None
    numbers = {"hit": f"{hit:.3f}", "rr": f"{rr:.3f}", "median": int(np.median(ranks))}
    return Seen("warning", numbers, histogram(s), importance=hit - rr)


@rule(
    "blunt-top",
    "ranking",
    en=Texts(
        title="Five results are too few, twenty are enough",
        seen="Hit@5 is {hit5}, Hit@20 is {hit20}: {moved} of the queries find something only between rank 6 and 20.",
        why="What is shown on the first screen misses, although the system knows better candidates a little further "
        "down.",
        check="Whether the queries listed share a trait: long, rare words, one language.",
        do="Sharpen the top: re-rank the first 20 to 50. If a reader sees only five results, this is the cheapest "
        "gain.",
    ),
    zh=Texts(
        title="前 5 条不够，前 20 条才够",
        seen="Hit@5 为 {hit5}，Hit@20 为 {hit20}：{moved} 的查询只在第 6 到 20 位之间才命中。",
        why="首屏没有命中，而系统在稍后的位置其实有更好的候选。",
        check="看列出的查询是否有共同点：长查询、生僻词、某一种语言。",
        do="让头部更锋利：对前 20 到 50 条重排。如果用户只看五条，这是成本最低的提升。",
    ),
)
def blunt_top(s: Ranked) -> Seen | None:
    a, b = s.per_query("Hit@5"), s.per_query("Hit@20")
    if a is None or b is None or not a[1].any():
        return None
    hit5, hit20 = s.value("Hit@5"), s.value("Hit@20")
    late = np.flatnonzero(a[1] & (b[0] > a[0]))
    if hit20 < 0.6 or len(late) < 5 or len(late) / a[1].sum() < 0.2:
        return None
    numbers = {"hit5": f"{hit5:.3f}", "hit20": f"{hit20:.3f}", "moved": f"{100 * len(late) / a[1].sum():.0f}%"}
    return Seen("warning", numbers, [s.ev.query_ids[i] for i in late[:5]], importance=hit20 - hit5)


@rule(
    "order-improved",
    "comparison",
    en=Texts(
        title="The gain is in the order, not in what is found",
        seen="RR@{k} changed by {rr} ({low} … {high}) while Hit@{k} stayed ({hit}).",
        why="The same queries succeed, and they succeed earlier: re-ranking, fusion or better scores work.",
        check="The queries whose first relevant result moved most.",
        do="Keep it. To find more as well, work on retrieval: this change cannot.",
    ),
    zh=Texts(
        title="提升来自排序，而不是召回",
        seen="RR@{k} 变化 {rr}（{low} … {high}），而 Hit@{k} 基本不变（{hit}）。",
        why="能答对的查询还是那些，只是答得更靠前：重排、融合或打分的改进有效。",
        check="看首个相关结果移动最多的查询。",
        do="保留这个改动。若还想找到更多，需要改进召回，这个改动做不到。",
    ),
)
def order_improved(s: Changed) -> Seen | None:
    k = 20
    (rr, interval), (hit, hits) = s.difference(f"RR@{k}"), s.difference(f"Hit@{k}")
    if isnan(rr) or interval.low <= 0.005 or not (hits.low <= 0 <= hits.high) or abs(hit) >= rr / 4:
        return None
    numbers = {"k": k, "rr": f"{rr:+.3f}", "low": f"{interval.low:+.3f}", "high": f"{interval.high:+.3f}"}
    return Seen("note", {**numbers, "hit": f"{hit:+.3f}"}, importance=rr)
