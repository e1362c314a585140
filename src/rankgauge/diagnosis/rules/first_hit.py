"""Where is the first relevant result? Found at all, found early, found late."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge._numbers import share
from rankgauge._text import Text
from rankgauge.alignment import Array
from rankgauge.diagnosis.rules.base import Seen, Texts, rule
from rankgauge.diagnosis.subjects import Changed, Ranked

_RANGES = ((1, 1), (2, 3), (4, 5), (6, 10), (11, 20), (21, 50), (51, 100), (101, 200), (201, 500), (501, 1000))
_DEFAULT = ("Hit@20", 20, "RR@20")


def histogram(s: Ranked, deepest: int) -> list[str]:
    """How many queries have their first relevant result at which ranks; understood in any language."""
    ranks = s.first_ranks
    ranges = [(low, min(high, deepest)) for low, high in _RANGES if low <= deepest]
    out = []
    for low, high in ranges:
        n = int(((ranks >= low) & (ranks <= high)).sum())
        out.append(f"{low if low == high else f'{low}-{high}'}: {n}")
    last = ranges[-1][1]
    out.append(f">{last}: {int(((ranks == 0) | (ranks > last)).sum())}")
    return out


def _asked(s: Ranked) -> tuple[str, int, str]:
    """What says how much is found, how deep that looks, and what says how early: as asked for, where it was.

    Recall@1000 beside MRR@10, for one; of several depths the largest, and 20 where nobody asked for as much.
    """
    asked = [(m, label) for m, label in zip(s.ev.measures, s.ev.labels, strict=True) if _is_plain(m, s.level)]
    deep = [(m.cutoff or 0, label) for m, label in asked if m.name in ("R", "Hit") and (m.cutoff or 0) >= 20]
    if not deep:
        return _DEFAULT
    depth, found = max(deep)
    return found, depth, next((label for m, label in asked if m.name == "RR"), _DEFAULT[2])


def _is_plain(m: Any, level: float) -> bool:
    """Whether it is Recall, Hit or RR of what counts as relevant elsewhere, too."""
    return m.name in ("R", "Hit", "RR") and m.rel == level


@rule(
    "found-but-late",
    "ranking",
    of_everything=True,
    en=Texts(
        title="Relevant results are found, but not at the top",
        seen="{found} is {hit}, yet {order} only {rr}: the first relevant result is typically at rank {median}.",
        why="Retrieval does its part; readers rarely go that far, so the order costs what retrieval has won.",
        check="The histogram of first ranks, then whether a re-ranker sees these candidates at all.",
        do="Work on the order: re-ranking, fusion weights, freshness or popularity signals. More candidates will not "
        "help.",
    ),
    zh=Texts(
        title="相关结果找得到，但排得不靠前",
        seen="{found} 为 {hit}，而 {order} 只有 {rr}：第一个相关结果通常在第 {median} 位。",
        why="召回已经够用；用户很少翻到那么后面，排序把召回的成果浪费了。",
        check="先看首个命中位置的分布，再确认重排模型是否真的拿到了这些候选。",
        do="改进排序：重排、融合权重、时效或热度信号。增加候选不会有帮助。",
    ),
)
def found_but_late(s: Ranked) -> Seen | None:
    found, depth, order = _asked(s)
    hit = s.value(found)
    shown = (s.first_ranks > 0) & (s.first_ranks <= depth)
    if not hit >= 0.7 or not shown.any() or not s.surely_below(order, 0.5 * hit):
        return None
    numbers = {
        "found": found,
        "order": order,
        "hit": s.mean(found),
        "rr": s.mean(order),
        "median": s.figure("median first rank", _median(s.first_ranks[shown], s.voices[shown]), str(depth)),
    }
    late = s.claim("below", 0.5 * hit, order)
    return Seen("warning", numbers, histogram(s, depth), importance=hit - s.value(order), holds=[late])


def _median(ranks: Array, voices: Array) -> int:
    """The first rank that half of the queries reach, each with the voice that it has in the means."""
    order = np.argsort(ranks, kind="stable")
    reached = np.cumsum(voices[order])
    return int(ranks[order][np.searchsorted(reached, reached[-1] / 2)])


@rule(
    "blunt-top",
    "ranking",
    of_everything=True,
    en=Texts(
        title="Many queries find something only beyond the first five results",
        seen="Hit@5 is {hit5}, Hit@20 is {hit20}: {moved} of the queries find something only between rank "
        "{from_} and {to}.",
        why="What is shown on the first screen misses, although the system knows better candidates a little further "
        "down.",
        check="Whether the queries listed share a trait: long, rare words, one language.",
        do="Sharpen the top: re-rank the first 20 to 50. If a reader sees only five results, this is the cheapest "
        "gain.",
    ),
    zh=Texts(
        title="很多查询在前五条之后才命中",
        seen="Hit@5 为 {hit5}，Hit@20 为 {hit20}：{moved} 的查询只在第 {from_} 到 {to} 位之间才命中。",
        why="首屏没有命中，而系统在稍后的位置其实有更好的候选。",
        check="看列出的查询是否有共同点：长查询、生僻词、某一种语言。",
        do="让头部更锋利：对前 20 到 50 条重排。如果用户只看五条，这是成本最低的提升。",
    ),
    of_users={
        "check": Text(
            "Whether the users listed share a trait: short histories, rare tastes, one kind of item.",
            "看列出的用户是否有共同点：历史很短、口味小众、只看某一类物品。",
        )
    },
)
def blunt_top(s: Ranked) -> Seen | None:
    a, b = s.column("Hit@5"), s.column("Hit@20")
    if a is None or b is None or not a.counted.any():
        return None
    later = np.where(a.counted, b.values - a.values, 0.0)  # expected over ties, a query may move in part
    late, moved = np.flatnonzero(later > 0.5), float(later.sum() / a.counted.sum())
    if not s.value("Hit@20") >= 0.6 or len(late) < 5 or not moved >= 0.2:
        return None
    numbers = {
        "hit5": s.mean("Hit@5"),
        "hit20": s.mean("Hit@20"),
        "moved": s.figure("share", moved, "first relevant at 6-20", share, 0),
        "from_": s.figure("first rank beyond", 6, "Hit@5"),
        "to": s.figure("cutoff", 20, "Hit@20"),
    }
    return Seen("warning", numbers, [s.ev.query_ids[i] for i in late[:5]], importance=moved)


@rule(
    "order-improved",
    "comparison",
    of_everything=True,
    en=Texts(
        title="The gain is in the order, not in what is found",
        seen="{order} changed by {rr}{between} while {found} stayed ({hit}).",
        why="The same queries succeed, and they succeed earlier: re-ranking, fusion or better scores work.",
        check="The queries whose first relevant result moved most.",
        do="Keep it. To find more as well, work on retrieval: this change cannot.",
    ),
    zh=Texts(
        title="提升来自排序，而不是召回",
        seen="{order} 变化 {rr}{between}，而 {found} 基本不变（{hit}）。",
        why="能答对的查询还是那些，只是答得更靠前：重排、融合或打分的改进有效。",
        check="看首个相关结果移动最多的查询。",
        do="保留这个改动。若还想找到更多，需要改进召回，这个改动做不到。",
    ),
)
def order_improved(s: Changed) -> Seen | None:
    order, found = _order_and_found(s)
    (rr, _), (hit, _) = s.difference(order), s.difference(found)
    if s.is_worse_somewhere or not s.surely_above(order, 0.005):  # nobody keeps what is worse elsewhere
        return None
    if s.moves(found) is not False or not abs(hit) < rr / 4:
        return None
    numbers = {
        "order": order,
        "found": found,
        "rr": s.changed(order),
        "between": s.between(order),
        "hit": s.changed(found),
    }
    return Seen("note", numbers, importance=rr)


def _order_and_found(s: Changed) -> tuple[str, str]:
    """RR and Hit of one depth, as asked for where both were; of several depths the largest."""
    ev = s.after.ev
    asked: dict[int, dict[str, str]] = {}
    for m, label in zip(ev.measures, ev.labels, strict=True):
        if m.name in ("RR", "Hit") and m.cutoff is not None and _is_plain(m, s.after.level):
            asked.setdefault(m.cutoff, {})[m.name] = label
    both = {k: labels for k, labels in asked.items() if len(labels) == 2}
    labels = both[max(both)] if both else {"RR": "RR@20", "Hit": "Hit@20"}
    return labels["RR"], labels["Hit"]
