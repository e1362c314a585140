"""Gaps between groups of queries as sections: who is served worst, by how much, and how sure that is."""

from __future__ import annotations

from math import isnan

from rankgauge._claims import Statement
from rankgauge._text import Text
from rankgauge.evaluation.rankings.gaps import Gap, Gaps
from rankgauge.reporting.grid import Cell, Grid, Section, number, ranged
from rankgauge.reporting.words import interval_of, phrase

__all__ = ["sections_of_gaps"]


def sections_of_gaps(found: Gaps, digits: int = 4) -> list[Section]:
    sections = [_section(row, found, digits) for row in found.rows]
    notes = [
        Text(
            "the interval of a gap holds for all pairs of groups together (Welch, Bonferroni); the largest difference "
            "is above 0 by chance alone",
            "差距的置信区间对所有分组对同时成立（Welch，Bonferroni）；仅随机性也会使最大差值大于 0",
        ),
        *found.notes,
    ]
    return [*sections[:-1], Section(sections[-1].title, sections[-1].grid, notes=notes, tone=sections[-1].tone)]


def _section(row: Gap, found: Gaps, digits: int) -> Section:
    header: list[str] = [
        row.attribute,
        Text("queries", "查询数"),
        row.measure,
        interval_of(found.confidence_level),
    ]
    rows = [
        [
            Cell(g.name),
            Cell(f"{g.n:,}", quiet=True),
            Cell(number(g.value, digits)),
            Cell(ranged(*g.interval, digits), quiet=True),
        ]
        for g in row.groups
    ]
    return Section(_title(row, digits), Grid(header, rows))


def _title(row: Gap, digits: int) -> Statement:
    told = (row.measure, row.attribute, row.worst, row.best, number(row.difference, digits))
    if row.difference == 0:
        return phrase("{} by {}: no difference between the groups", "{} 按 {}：各组没有差异", *told[:2])
    if isnan(row.interval.low):
        return phrase(
            "{0} by {1}: {2} is served worst, {4} worse than {3}; how sure that is cannot be told",
            "{} 按 {}：{} 最差，比 {} 差 {}；无法判断有多确定",
            *told,
        )
    bounds = ranged(*row.interval, digits)
    if row.interval.low > 0:
        return phrase(
            "{} by {}: {} is served worst, surely worse than {}: by {} ({})",
            "{} 按 {}：{} 最差，确定差于 {}：差 {}（{}）",
            *told,
            bounds,
        )
    return phrase(
        "{0} by {1}: no group is surely worse off; {2} is {4} worse than {3} ({5})",
        "{} 按 {}：没有确定更差的分组；{} 比 {} 差 {}（{}）",
        *told,
        bounds,
    )
