"""Is a part of the queries much worse off than the rest?"""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from typing import NamedTuple

import numpy as np

from rankgauge._claims import Claim, phrase
from rankgauge._numbers import number
from rankgauge._text import Text
from rankgauge.diagnosis.figures import figure
from rankgauge.diagnosis.rules.base import Seen, Texts, rule
from rankgauge.diagnosis.subjects import Ranked
from rankgauge.evaluation.rankings.record import Column
from rankgauge.statistics.clusters import two_sided
from rankgauge.statistics.corrections import holm

_LEAST = 10


@rule(
    "weak-slice",
    "ranking",
    en=Texts(
        title="{slice} does much worse than the rest",
        seen="{measure} is {value} for the {n} queries with {slice} and {rest} for the others (corrected p {p}).",
        why="A mean hides it; the people behind these queries do not see the mean.",
        check="Its worst queries, and whether their judgements are as complete as elsewhere.",
        do="Work on this part by itself; gate releases on it, so that no average pays for it.",
    ),
    zh=Texts(
        title="{slice} 明显差于其余查询",
        seen="{slice} 的 {n} 个查询 {measure} 为 {value}，其余为 {rest}（校正后 p {p}）。",
        why="均值会掩盖它，而用户感受到的不是均值。",
        check="看其中最差的查询，以及它们的标注是否同样完整。",
        do="单独改进这一部分；在发布门禁里为它单独设线，避免被平均值掩盖。",
    ),
    of_users={
        "seen": Text(
            "{measure} is {value} for the {n} users with {slice} and {rest} for the others (corrected p {p}).",
            "{slice} 的 {n} 个用户 {measure} 为 {value}，其余为 {rest}（校正后 p {p}）。",
        ),
        "check": Text(
            "Its worst users, and how much the system could know of them: interactions before, context, items.",
            "看其中最差的用户，以及系统对他们能了解多少：此前的行为、上下文、物品信息。",
        ),
        "do": Text(
            "Work on this part by itself. Users of whom little is known: begin with what most people take, show "
            "several kinds of items and learn from the first clicks at once. Users with long histories know what is "
            "popular: reach further into the catalogue. Gate releases on it, so that no average pays for it.",
            "单独改进这一部分。了解很少的用户：先给多数人接受的内容，展示不同类型的物品，并立即利用最初的点击。"
            "历史很长的用户：热门内容他们已经知道，要更深入目录。在发布门禁里为它单独设线，避免被平均值掩盖。",
        ),
    },
)
def weak_slice(s: Ranked) -> Seen | None:
    if not s.is_mean_of_queries:
        return None
    fair = [c for c in s.ev.columns if c.measure.summary == "mean" and _is_fair(s, c)]
    found = [part for column in fair for part in _parts(s, column)]
    corrected = holm([part.p for part in found])
    bad = [(part, q) for part, q in zip(found, corrected, strict=True) if q < 0.05 and part.loss > 0.05]
    if not bad:
        return None
    part, q = max(bad, key=lambda item: item[0].n * item[0].loss)
    least = Claim("p", max(q, 0.001), part.measure, s.name, part.name)
    numbers = {
        "slice": part.name,
        "measure": part.measure,
        "value": s.figure("mean in slice", part.value, part.measure, against=part.name),
        "rest": s.figure("mean outside slice", part.rest, part.measure, against=part.name),
        "n": s.figure("n in slice", part.n, part.measure, against=part.name),
        "p": figure(least) if q >= 0.001 else phrase("<{}", "<{}", figure(least)),
    }
    return Seen("warning", numbers, part.worst, importance=part.loss)


def _is_fair(s: Ranked, c: Column) -> bool:
    """Whether all queries can reach the same: where some can reach less (P@10), slices differ by that alone."""
    best = s.ceiling(c.label)
    return c.measure.reaches_one if isnan(best) else best > 0.995


class _Part(NamedTuple):
    """One slice under one measure, beside the other queries."""

    name: str
    measure: str
    value: float
    rest: float
    n: int
    p: float
    loss: float
    worst: list[str]


def _parts(s: Ranked, column: Column) -> Iterator[_Part]:
    m = column.measure
    for attribute, value, mask in s.slices:
        inside, outside = column.counted & mask, column.counted & ~mask
        if min(inside.sum(), outside.sum()) < _LEAST:
            continue
        x, y = column.values[inside], column.values[outside]
        if np.isnan(x).any() or np.isnan(y).any():
            continue
        error = float(np.sqrt(x.var(ddof=1) / len(x) + y.var(ddof=1) / len(y)))
        mean, rest = float(x.mean()), float(y.mean())
        order = np.flatnonzero(inside)[np.argsort(m.goodness(x), kind="stable")[:3]]
        worst = [f"{s.ev.query_ids[i]} ({number(column.values[i], 2)})" for i in order]
        p = two_sided(mean - rest, error, min(len(x), len(y)))
        yield _Part(f"{attribute}={value}", column.label, mean, rest, len(x), p, m.improvement(rest, mean), worst)
