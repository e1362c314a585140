"""Recall and exposure by kind of item as sections: a row for each group, columns for each depth."""

from __future__ import annotations

from math import fsum, isnan

from rankgauge._numbers import counted, share
from rankgauge._text import Text
from rankgauge.evaluation.rankings.by_item_group import ByItemGroup, ItemGroup, NeverShown
from rankgauge.evaluation.rankings.item_groups import COLD, HEAD, MIDDLE, NEW, OLD, TAIL, TORSO
from rankgauge.evaluation.rankings.slices import NO_VALUE, NONE
from rankgauge.reporting.grid import Cell, Grid, Section, number, ranged
from rankgauge.reporting.words import interval_of, phrase

__all__ = ["group_word", "notes_on_groups", "sections_of_by_item_group", "sections_of_never_shown", "table_of_groups"]

_WORDS = {
    HEAD: Text("head", "头部"),
    TORSO: Text("torso", "腰部"),
    TAIL: Text("tail", "长尾"),
    NEW: Text("new", "新"),
    MIDDLE: Text("middle", "中"),
    OLD: Text("old", "旧"),
    COLD: Text("cold", "冷启动"),
    NONE: NO_VALUE,
}


def group_word(group: str) -> str:
    """The name of a group as tables and charts show it."""
    return _WORDS.get(group, group)


def sections_of_by_item_group(found: ByItemGroup, digits: int = 4) -> list[Section]:
    attributes = dict.fromkeys((row.system, row.attribute) for row in found.rows)
    sections = [_section(found, *key, digits) for key in attributes]
    if not sections:
        return []
    last = sections[-1]
    return [
        *sections[:-1],
        Section(last.title, last.grid, notes=notes_on_groups(found)),
        *sections_of_never_shown(found),
    ]


def notes_on_groups(found: ByItemGroup) -> list[str]:
    """What the columns are."""
    exposure = [
        Text(
            "exposure: the share of the attention that the first k places of all lists get, 1 / log2(rank + 1) each, "
            "that goes to items of the group; what is left of 1 goes to groups without a relevant item",
            "曝光占比：所有列表前 k 个位置的注意力（每个位置 1 / log2(rank + 1)）中归于该组物品的部分；"
            "合计不足 1 的部分归于没有相关条目的分组",
        )
    ]
    return [
        phrase(
            "recall: relevant items of the group that are found, over all of them (relevant: grade {:g} and above); "
            "intervals take queries as units",
            "召回率：该组相关条目中被找到的比例（相关：相关性等级不低于 {:g}）；置信区间以查询为单位",
            found.rel,
        ),
        *(exposure if _has_lists(found) else []),
        *found.notes,
    ]


def _has_lists(found: ByItemGroup) -> bool:
    return any(not isnan(row.exposure) for row in found.rows)


def _section(found: ByItemGroup, system: str, attribute: str, digits: int) -> Section:
    title = phrase(
        "{} on {}: recall by {} of items", "{}，标注 {}：按条目的 {} 看召回率", system, found.qrels, attribute
    )
    return Section(title, table_of_groups(found, system, attribute, digits))


def table_of_groups(found: ByItemGroup, system: str, attribute: str, digits: int = 4) -> Grid:
    """The groups of one system."""
    mine = [row for row in found.rows if (row.system, row.attribute) == (system, attribute)]
    by: dict[str, list[ItemGroup]] = {}
    for row in mine:
        by.setdefault(row.group, []).append(row)
    lists, catalogue = _has_lists(found), any(row.in_catalogue is not None for row in mine)
    rows = []
    for group, points in by.items():
        first = points[0]
        cells = [Cell(group_word(group))]
        cells += [Cell(_whole(first.in_catalogue), quiet=True)] if catalogue else []
        cells += [Cell(f"{first.items:,}"), Cell(f"{first.relevant:,}"), Cell(f"{first.queries:,}", quiet=True)]
        for p in points:
            cells += [Cell(number(p.recall, digits)), Cell(ranged(*p.interval, digits), quiet=True)]
            if lists:
                cells += [Cell(number(p.exposure, digits)), Cell(ranged(*p.exposure_interval, digits), quiet=True)]
                cells.append(Cell(_whole(p.never_shown)))
        rows.append(cells)
    several = sum(p[0].relevant for p in by.values()) > _pairs(found, system, mine)
    total = [Cell(Text("all", "全部")), *([Cell("")] if catalogue else []), Cell("")]
    total += [Cell("" if several else f"{sum(p[0].relevant for p in by.values()):,}"), Cell("")]
    for i, value in enumerate(found.overall[system]):
        total += [Cell(number(value, digits)), Cell("")]
        if lists:
            total += [Cell(number(fsum(p[i].exposure for p in by.values()), digits)), Cell(""), Cell("")]
    header: list[str] = [
        Text(f"{attribute}", f"{attribute}"),
        *([Text("in catalogue", "目录中")] if catalogue else []),
        Text("items", "条目数"),
        Text("relevant", "相关对数"),
        Text("queries", "查询数"),
    ]
    for k in found.cutoffs:
        header += [phrase("recall at {}", "召回率@{}", k), interval_of(found.confidence_level)]
        if lists:
            header += [phrase("exposure at {}", "曝光占比@{}", k), interval_of(found.confidence_level)]
            header.append(phrase("never in {}", "从未进前 {}", k))
    return Grid(header, [*rows, total])


def _pairs(found: ByItemGroup, system: str, mine: list[ItemGroup]) -> int:
    """Relevant pairs, each counted once: where items have several groups, groups count them again."""
    never = next((one for one in found.never_shown if one.system == system), None)
    return sum(row.relevant for row in mine if row.k == found.cutoffs[0]) if never is None else never.of_pairs


def _whole(n: int | None) -> str:
    return "" if n is None else f"{n:,}"


def sections_of_never_shown(found: ByItemGroup, systems: list[str] | None = None) -> list[Section]:
    """What is relevant and nobody sees: how much of it, and the most wanted items."""
    out = []
    for system in found.systems if systems is None else systems:
        mine = [one for one in found.never_shown if one.system == system]
        if not mine:
            continue
        deepest = mine[-1]
        titled = any(item.title for item in deepest.most_wanted)
        header: list[str] = [Text("item", "条目"), *([Text("title", "标题")] if titled else [])]
        header.append(Text("relevant to queries", "与多少查询相关"))
        rows = [
            [Cell(item.item), *([Cell(item.title)] if titled else []), Cell(f"{item.queries:,}")]
            for item in deepest.most_wanted
        ]
        title = phrase(
            "{}: relevant, and in nobody's first {}", "{}：相关，却不在任何人的前 {} 条中", system, deepest.k
        )
        grid = Grid(header, rows, frozenset({0, 1}) if titled else frozenset({0})) if rows else None
        out.append(Section(title, grid, notes=[told_never(one) for one in mine]))
    return out


def told_never(one: NeverShown) -> str:
    """How many relevant items nobody is shown."""
    are = "is" if one.items == 1 else "are"
    return phrase(
        f"{{}} of {{}} ({{}}) {are} in the first {{}} of no list: {{}} of {{}} relevant pairs",
        "{1}中有 {0} 个（{2}）不在任何列表的前 {3} 条中：占 {5} 个相关对中的 {4} 个",
        f"{one.items:,}",
        counted(one.of, "relevant item", "个相关条目"),
        share(one.items / one.of if one.of else 0.0),
        one.k,
        f"{one.pairs:,}",
        f"{one.of_pairs:,}",
    )
