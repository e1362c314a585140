"""All queries in a table, and the result lists of those that matter most."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import Any

from rankgauge._text import Text
from rankgauge.reporting.grid import number, signed
from rankgauge.reporting.page.lists import DEPTH, MOST_ROWS, anchor_of, lists_of, texts_of_queries, values_of
from rankgauge.reporting.page.story import Story

__all__ = ["NAME", "screen"]

NAME = Text("Queries", "查询")


@dataclass(frozen=True)
class Value:
    """A number in the table: as shown, and as sorted."""

    text: str
    exact: str
    kind: str = ""


@dataclass(frozen=True)
class Row:
    query: str
    anchor: str
    text: str
    values: list[Value]


def screen(story: Story) -> dict[str, Any] | None:
    if not story.rankings:
        return None
    every = values_of(story)
    kept = every[:MOST_ROWS]
    c = story.comparison
    names = list(story.rankings)
    label = story.measure
    texts = texts_of_queries(story, [q for q, _ in kept])
    if c is None:
        header = [*names] if len(names) > 1 else [label]
        rows = [Row(q, anchor_of(story, q), texts.get(q, ""), [_value(v) for v in vs]) for q, vs in kept]
    else:
        at = names.index(c.baseline)
        systems = [i for i, n in enumerate(names) if n != c.baseline]
        header = [c.baseline, *(h for i in systems for h in (names[i], Text(f"Δ {names[i]}", f"Δ {names[i]}")))]
        sign = c.evaluations[c.baseline].column(label).measure.direction
        rows = [
            Row(
                q,
                anchor_of(story, q),
                texts.get(q, ""),
                [_value(vs[at]), *(v for i in systems for v in (_value(vs[i]), _change(vs[i] - vs[at], sign)))],
            )
            for q, vs in kept
        ]
    lists = lists_of(story)
    return {
        "measure": label,
        "header": header,
        "rows": rows,
        "n": len(every),
        "rest": _rest(story, len(every)),
        "lists": lists,
        "several": len(story.rankings) > 2,
        "baseline": "" if c is None else c.baseline,
        "depth": DEPTH,
        "has_texts": bool(texts),
    }


def _value(x: float) -> Value:
    return Value(number(x), "" if isnan(x) else repr(x))


def _change(x: float, sign: int) -> Value:
    kind = "" if isnan(x) or x == 0 else "pos" if x * sign > 0 else "neg"
    return Value(signed(x, 4), "" if isnan(x) else repr(x), kind)


def _rest(story: Story, n: int) -> str:
    """What is said of the queries that are not in the table."""
    if n <= MOST_ROWS:
        return ""
    moved = story.comparison is not None
    return Text(
        f"The {MOST_ROWS:,} queries that {'moved most' if moved else 'did worst'} are listed. The other "
        f"{n - MOST_ROWS:,} count in all means and charts; `--per-query` writes them all.",
        f"表中列出{'变化最大' if moved else '表现最差'}的 {MOST_ROWS:,} 个查询。"
        f"其余 {n - MOST_ROWS:,} 个计入所有均值和图表；用 `--per-query` 可导出全部。",
    )
