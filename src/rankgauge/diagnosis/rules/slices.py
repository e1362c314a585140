"""Is a part of the queries much worse off than the rest?"""

from __future__ import annotations

import numpy as np

from rankgauge.comparison.corrections import holm
from rankgauge.diagnosis.rules.base import Seen, Texts, rule
from rankgauge.diagnosis.subjects import Ranked
from rankgauge.evaluation.clusters import two_sided

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
        seen="{slice} 的 {n} 条查询 {measure} 为 {value}，其余为 {rest}（校正后 p {p}）。",
        why="均值会掩盖它，而这些查询背后的用户看不到均值。",
        check="看其中最差的查询，以及它们的标注是否同样完整。",
        do="单独改进这一部分；发布门禁里为它设线，不让平均值替它买单。",
    ),
)
def weak_slice(s: Ranked) -> Seen | None:
    column = s.ev.columns[0]
    found: list[tuple[str, float, float, int, float, list[str]]] = []
    for attribute, of_query in s.ev.attributes.items():
        values = np.array(["(none)" if v is None else str(v) for v in of_query], dtype=object)
        for value in sorted(set(values)):
            inside, outside = column.counted & (values == value), column.counted & (values != value)
            if min(inside.sum(), outside.sum()) < _LEAST:
                continue
            x, y = column.values[inside], column.values[outside]
            error = float(np.sqrt(x.var(ddof=1) / len(x) + y.var(ddof=1) / len(y)))
            p = two_sided(float(x.mean() - y.mean()), error, min(len(x), len(y)))
            order = np.flatnonzero(inside)[np.argsort(x, kind="stable")[:3]]
            worst = [f"{s.ev.query_ids[i]} ({column.values[i]:.2f})" for i in order]
            found.append((f"{attribute}={value}", float(x.mean()), float(y.mean()), len(x), p, worst))
    if not found:
        return None
    sign = 1 if column.measure.higher_is_better else -1
    corrected = holm([p for *_, p, _ in found])
    bad = [(f, q) for f, q in zip(found, corrected, strict=True) if q < 0.05 and sign * (f[2] - f[1]) > 0.05]
    if not bad:
        return None
    (name, value, rest, n, _, worst), q = max(bad, key=lambda item: item[0][3] * sign * (item[0][2] - item[0][1]))
    numbers = {
        "slice": name,
        "measure": column.label,
        "value": f"{value:.3f}",
        "rest": f"{rest:.3f}",
        "n": f"{n:,}",
        "p": f"{q:.3f}" if q >= 0.001 else "<0.001",
    }
    return Seen("warning", numbers, worst, importance=sign * (rest - value))
