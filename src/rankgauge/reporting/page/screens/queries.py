"""All queries in a table, and the result lists of those that matter most."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import Any

from rankgauge._claims import phrase
from rankgauge._numbers import number, signed
from rankgauge._text import Text
from rankgauge.comparison.movement import Movement
from rankgauge.reporting.figures.comparison import lists as lists_figure
from rankgauge.reporting.page.story import DEPTH, Story, Valued

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


@dataclass(frozen=True)
class Shown:
    """One query: what it asks, and what each system shows for it, drawn."""

    query: str
    anchor: str
    text: str
    charts: list[tuple[str, str]]


def screen(story: Story) -> dict[str, Any] | None:
    if not story.rankings or not story.query_measure:
        return None
    c, names, label = story.comparison, list(story.rankings), story.query_measure
    header = names if len(names) > 1 else [label]
    if c is not None:
        header = [c.baseline, *(h for s in c.systems for h in (s, f"Δ {s}"))]
    return {
        "measure": label,
        "header": header,
        "rows": [Row(x.query, story.anchors.get(x.query, ""), x.text, _values(story, x)) for x in story.values],
        "n": story.n_values,
        "rest": _rest(story),
        "lists": _lists(story),
        "baseline": "" if c is None else c.baseline,
        "depth": DEPTH,
        "has_texts": any(x.text for x in story.values),
    }


def _values(story: Story, x: Valued) -> list[Value]:
    """The values of a query; beside a baseline each with its difference."""
    c = story.comparison
    if c is None:
        return [_value(v) for v in x.values]
    values = dict(zip(story.rankings, x.values, strict=True))
    sign, base = c.evaluations[c.baseline].column(story.query_measure).measure.direction, values[c.baseline]
    pairs = ((_value(values[s]), _change(values[s] - base, sign)) for s in c.systems)
    return [_value(base), *(v for pair in pairs for v in pair)]


def _lists(story: Story) -> list[Shown]:
    """The result lists of each query, drawn with the colours of one scale."""
    grades = (i.grade or 0.0 for x in story.lists for m in x.movements for i in m.items)
    top = max(grades, default=1.0)

    def drawn(m: Movement) -> str:
        return lists_figure(m, story.titles, top, DEPTH).svg(tips=story.language)

    return [Shown(x.query, x.anchor, x.text, [(m.run_b, drawn(m)) for m in x.movements]) for x in story.lists]


def _value(x: float) -> Value:
    return Value(number(x), "" if isnan(x) else repr(x))


def _change(x: float, sign: int) -> Value:
    kind = "" if isnan(x) or x == 0 else "pos" if x * sign > 0 else "neg"
    return Value(signed(x, 4), "" if isnan(x) else repr(x), kind)


def _rest(story: Story) -> str:
    """What is said of the queries that are not in the table."""
    kept, rest = len(story.values), story.n_values - len(story.values)
    if not rest:
        return ""
    chosen = Text("did worst", "表现最差") if story.comparison is None else Text("moved most", "变化最大")
    told = (
        "The {:,} queries that {} are listed. The other {:,} count in all means and charts; `--per-query` writes them "
        "all.",
        "表中列出{1}的 {0:,} 个查询。其余 {2:,} 个计入所有均值和图表；用 `--per-query` 可导出全部。",
    )
    return phrase(*told, kept, chosen, rest)
