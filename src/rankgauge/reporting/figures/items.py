"""Groups of items as charts: how many of their relevant items are found, and which part of the attention they get."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TypeVar

from rankgauge._checks import one_of
from rankgauge._claims import phrase
from rankgauge._show import show
from rankgauge._text import Text
from rankgauge.errors import UnknownName, among
from rankgauge.evaluation.rankings.by_item_group import ByItemGroup, ItemGroup
from rankgauge.reporting.by_item_group import group_word
from rankgauge.reporting.charts import Chart, Linear
from rankgauge.reporting.charts import kinds as k
from rankgauge.reporting.grid import number, ranged

__all__ = ["by_item_group"]

N = TypeVar("N", str, int)

_TITLES = {
    "recall": ("Recall at {} by {} of items", "前 {} 条的召回率，按条目的 {}"),
    "exposure": ("Exposure at {} by {} of items", "前 {} 条的曝光占比，按条目的 {}"),
}


def by_item_group(
    found: ByItemGroup,
    attribute: str | None = None,
    system: str | None = None,
    cutoff: int | None = None,
    of: str = "recall",
    width: float = 960,
) -> Chart:
    """The groups of an attribute at one depth, a bar for each system, or for one; `of` is recall or exposure."""
    of = one_of("of", of, tuple(_TITLES))
    attributes = list(dict.fromkeys(row.attribute for row in found.rows))
    by = _known(attribute, attributes)
    depth = _known(cutoff, list(found.cutoffs))
    systems = found.systems if system is None else [_known(system, found.systems)]
    kinds = {name: f"s{i % 6}" for i, name in enumerate(found.systems)}
    mine = [r for r in found.rows if r.attribute == by and r.k == depth and r.system in systems]
    rows = [
        (group_word(group), [_interval(r, kinds[r.system], of) for r in mine if r.group == group])
        for group in dict.fromkeys(r.group for r in mine)
    ]
    ends = [x for _, es in rows for e in es for x in (e.value, e.high) if not isnan(x)]
    en, zh = _TITLES[of]
    several = len(systems) > 1
    top = 30.0 if several else 8.0
    summary = "; ".join(f"{r.system} {r.group} {number(_value(r, of))}" for r in mine[:12])
    chart = Chart(phrase(en, zh, depth, by), Text(summary, summary.replace("; ", "；")), width, 0)
    chart.height = k.intervals_height(rows) + top - 8
    if several:
        top = chart.legend([(kinds[name], name) for name in systems], 12, 14, width - 30) + 8
        chart.height = k.intervals_height(rows) + top - 8
    k.intervals(chart, rows, Linear.around(ends or [0.0], zero=True, most=1.0), top=top)
    return chart


def _known(asked: N | None, there: Sequence[N]) -> N:
    """The one that was asked for, or the first."""
    if asked is None:
        return there[0]
    if asked not in there:
        raise UnknownName(Text(f"no {show(asked)}.", f"没有 {show(asked)}。") + among(str(asked), [*map(str, there)]))
    return asked


def _value(row: ItemGroup, of: str) -> float:
    return row.recall if of == "recall" else row.exposure


def _interval(row: ItemGroup, kind: str, of: str) -> k.Interval:
    value, ends = _value(row, of), row.interval if of == "recall" else row.exposure_interval
    within = ranged(*ends)
    tip = f"{row.system}, {row.group}: {number(value)}" + (f" ({within})" if within else "")
    return k.Interval(kind, value, *ends, number(value, 3), tip)
