"""Recall by kind of item as sections: a row for each group, a column for each depth."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.evaluation.rankings.by_item_group import HEAD, TAIL, TORSO, ByItemGroup, ItemGroup
from rankgauge.evaluation.rankings.slices import NO_VALUE, NONE
from rankgauge.reporting.grid import Cell, Grid, Section, number, ranged
from rankgauge.reporting.words import interval_of, phrase

__all__ = ["sections_of_by_item_group"]

_WORDS = {HEAD: Text("head", "头部"), TORSO: Text("torso", "腰部"), TAIL: Text("tail", "长尾"), NONE: NO_VALUE}


def sections_of_by_item_group(found: ByItemGroup, digits: int = 4) -> list[Section]:
    attributes = dict.fromkeys((row.system, row.attribute) for row in found.rows)
    sections = [_section(found, *key, digits) for key in attributes]
    notes = [
        phrase(
            "recall: relevant items of the group that are found, over all of them (relevant: grade {:g} and above); "
            "intervals take queries as units",
            "召回率：该组相关条目中被找到的比例（相关：相关性等级不低于 {:g}）；置信区间以查询为单位",
            found.rel,
        ),
        *found.notes,
    ]
    return [*sections[:-1], Section(sections[-1].title, sections[-1].grid, notes=notes)] if sections else []


def _section(found: ByItemGroup, system: str, attribute: str, digits: int) -> Section:
    mine = [row for row in found.rows if (row.system, row.attribute) == (system, attribute)]
    by: dict[str, list[ItemGroup]] = {}
    for row in mine:
        by.setdefault(row.group, []).append(row)
    rows = []
    for group, points in by.items():
        cells = [Cell(_WORDS.get(group, group)), Cell(f"{points[0].items:,}"), Cell(f"{points[0].relevant:,}")]
        cells.append(Cell(f"{points[0].queries:,}", quiet=True))
        for p in points:
            cells += [Cell(number(p.recall, digits)), Cell(ranged(*p.interval, digits), quiet=True)]
        rows.append(cells)
    total = [Cell(Text("all", "全部")), Cell(""), Cell(f"{sum(p[0].relevant for p in by.values()):,}"), Cell("")]
    for value in found.overall[system]:
        total += [Cell(number(value, digits)), Cell("")]
    header: list[str] = [
        Text(f"{attribute}", f"{attribute}"),
        Text("items", "条目数"),
        Text("relevant", "相关对数"),
        Text("queries", "查询数"),
    ]
    for k in found.cutoffs:
        header += [phrase("recall at {}", "召回率@{}", k), interval_of(found.confidence_level)]
    title = phrase(
        "{} on {}: recall by {} of items", "{}，标注 {}：按条目的 {} 看召回率", system, found.qrels, attribute
    )
    return Section(title, Grid(header, [*rows, total]))
