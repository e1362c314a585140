"""Two versions side by side as sections: how much is still shown, which lists and which items changed most."""

from __future__ import annotations

from collections.abc import Sequence

from rankgauge._claims import Statement
from rankgauge._numbers import counted
from rankgauge._text import Text
from rankgauge.comparison.overlap import ChangedItem, OverlapNumber, RunOverlap
from rankgauge.reporting.grid import Cell, Grid, Section, number, ranged, share, signed
from rankgauge.reporting.words import interval_of, phrase

__all__ = ["sections_of_overlap"]

_WHAT = {
    "overlap": Text("items in common, share of the first {k}", "前 {k} 条中相同条目的占比"),
    "rbo": Text("RBO, p = {p}", "RBO（p = {p}）"),
    "new": Text("new items per list", "每个列表的新条目数"),
    "gone": Text("items gone per list", "每个列表消失的条目数"),
    "changed": Text("lists with any change", "有任何变化的列表占比"),
    "first": Text("lists with another first result", "首条结果不同的列表占比"),
    "exposure": Text("places that went to other items", "转给其他条目的位置占比"),
}
_COUNTS = ("new", "gone")  # numbers of items; all others are shares


def sections_of_overlap(found: RunOverlap, digits: int = 4) -> list[Section]:
    header: list[str] = [Text("number", "数值名称"), Text("value", "数值"), interval_of(found.confidence_level)]
    rows = [
        [
            Cell(_name(x, found)),
            Cell(number(x.value, digits)),
            Cell(ranged(*x.interval, digits), quiet=True),
        ]
        for x in found.numbers
    ]
    sections = [Section(_title(found), Grid(header, rows), notes=_notes(found))]
    if found.most_changed:
        sections.append(_lists(found, digits))
    if found.risen or found.fallen:
        sections.append(_items(found))
    return sections


def _name(x: OverlapNumber, found: RunOverlap) -> Text:
    said = _WHAT[x.name]
    return Text(said.en.format(k=found.k, p=found.p), said.zh.format(k=found.k, p=found.p))


def _title(found: RunOverlap) -> Statement:
    lists = counted(found.n, "list", "个列表")
    if found["changed"].value == 0:
        return phrase(
            "{} shows what {} shows: the first {} of all {} are the same",
            "{} 与 {} 展示的相同：前 {} 条在全部 {} 中一致",
            found.new,
            found.old,
            found.k,
            lists,
        )
    return phrase(
        "{} and {} have {} of the first {} in common, on average over {}; {} of lists changed",
        "{} 与 {} 平均有 {} 的前 {} 条相同（{}）；{} 的列表有变化",
        found.old,
        found.new,
        share(found["overlap"].value),
        found.k,
        lists,
        share(found["changed"].value),
    )


def _notes(found: RunOverlap) -> list[str]:
    order = {
        "doc_id": Text("equal scores stand by id, in both alike", "得分相同时两个版本都按 id 排列"),
        "input": Text("equal scores stand as they came", "得分相同时按输入的顺序排列"),
    }[found.ties]
    notes: list[str] = [
        phrase(
            "{} shows {} different items, {} shows {}: {} only the new version, {} only the old one",
            "{} 展示 {} 个不同的条目，{} 展示 {} 个：{} 个只在新版，{} 个只在旧版",
            found.old,
            f"{found.items_old:,}",
            found.new,
            f"{found.items_new:,}",
            f"{found.gained:,}",
            f"{found.lost:,}",
        ),
        phrase(
            "RBO looks at the first {} results and goes on as lists agree there; {}",
            "RBO 查看前 {} 条结果，并按其一致程度外推；{}",
            f"{found.depth:,}",
            order,
        ),
    ]
    for n, has, lacks in ((found.only_old, found.old, found.new), (found.only_new, found.new, found.old)):
        if n:
            notes.append(
                phrase(
                    "{} with a list in {} and none in {}: left out",
                    "{}在 {} 中有列表而在 {} 中没有：不计入",
                    counted(n, "query", "个查询"),
                    has,
                    lacks,
                )
            )
    return [*notes, *found.notes]


def _lists(found: RunOverlap, digits: int) -> Section:
    header: list[str] = [
        Text("query", "查询"),
        Text("in common", "相同占比"),
        "RBO",
        Text("new", "新条目"),
        Text("gone", "消失"),
    ]
    rows = [
        [
            Cell(x.query_id),
            Cell(number(x.overlap, digits)),
            Cell(number(x.rbo, digits)),
            Cell(f"{x.new}"),
            Cell(f"{x.gone}"),
        ]
        for x in found.most_changed
    ]
    return Section(Text("Lists that changed most", "变化最大的列表"), Grid(header, rows), folded=True)


def _items(found: RunOverlap) -> Section:
    header: list[str] = [
        Text("item", "条目"),
        phrase("lists of {}", "{} 的列表数", found.old),
        phrase("lists of {}", "{} 的列表数", found.new),
        Text("change", "变化"),
    ]

    def rows(items: Sequence[ChangedItem]) -> list[list[Cell]]:
        return [
            [Cell(x.item_id), Cell(f"{x.old:,}"), Cell(f"{x.new:,}"), Cell(signed(x.new - x.old, 0))] for x in items
        ]

    return Section(
        Text("Items shown more, or less, than before", "展示变多或变少的条目"),
        Grid(header, [*rows(found.risen), *rows(found.fallen)]),
        folded=True,
    )
