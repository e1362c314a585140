"""Channels as sections: what they find together, what each adds, in which order, and how far they overlap."""

from __future__ import annotations

from math import isnan

from rankgauge._claims import Statement
from rankgauge._text import Text, joined
from rankgauge.evaluation.funnel.channels_record import Channel, Channels
from rankgauge.reporting.grid import Cell, Grid, Section, number, ranged, share
from rankgauge.reporting.words import claimed, counted, interval_of, phrase, together

__all__ = ["headline", "sections_of_channels"]

_CHANNEL = Text("channel", "召回通道")
_RECALL = Text("recall", "召回率")
_ROUNDING = 1e-12


def sections_of_channels(c: Channels, digits: int = 4) -> list[Section]:
    several = len(c.channels) > 1
    return [
        Section(headline(c), tone="open"),
        _channels(c, digits),
        *([_order(c, digits), _overlaps(c)] if several else []),
    ]


def headline(c: Channels) -> Statement:
    """What all find together, and the channel that would be missed most, as sentences that stand on their own."""
    if not c.n_relevant:
        return phrase("Nothing can be found: no judged item is relevant.", "没有可召回的：没有相关的已标注条目。")
    recall = claimed(number(c.recall, 3), "recall of channels", c.recall)
    if len(c.channels) == 1:
        return phrase("{} reaches a recall of {}.", "{} 的召回率为 {}。", c.names[0], recall)
    names = claimed(counted(len(c.channels), "channel", "路召回"), "count", len(c.channels), "channels")
    said = [phrase("Together {} reach a recall of {}.", "{}合计召回率为 {}。", names, recall), _most(c)]
    if c.idle:
        idle = joined(Text(", ", "、"), [x.name for x in c.idle])
        told = (
            "Nothing relevant would be missing without {0}: whatever it finds, others find too.",
            "去掉 {0} 不会漏掉任何相关条目：它找到的，其他通道也能找到。",
        )
        if len(c.idle) > 1:
            told = (
                "Each of {0} finds nothing relevant that others do not find, too.",
                "{0} 各自找到的相关条目，其他通道也都能找到。",
            )
        said.append(phrase(*told, idle))
    return together(Text(" ", ""), said)


def _most(c: Channels) -> Statement:
    most = c.most
    if not most.only:
        return phrase("Any one of them could be left out.", "去掉其中任何一路都没有损失。")
    adds = claimed(number(most.adds, 3), "adds", most.adds, "", most.name)
    alike = [x.name for x in c.channels if x.adds > most.adds - _ROUNDING]
    if len(alike) > 1:
        told = (
            "As much would be lost without any one of {}: {} of recall.",
            "去掉 {} 中任何一路损失相同：召回率减少 {}。",
        )
        return phrase(*told, joined(Text(", ", "、"), alike), adds)
    between: str = ""
    if not isnan(most.adds_low):
        ends = (("adds low", most.adds_low), ("adds high", most.adds_high))
        between = phrase(
            " ({} … {})", "（{} … {}）", *(claimed(number(v, 3), what, v, "", most.name) for what, v in ends)
        )
    told = ("Most would be lost without {}: {} of recall{}.", "去掉 {} 损失最大：召回率减少 {}{}。")
    return phrase(*told, most.name, adds, between)


def _channels(c: Channels, digits: int) -> Section:
    header: list[str] = [
        _CHANNEL,
        Text("results", "结果数"),
        _RECALL,
        interval_of(c.confidence_level),
        Text("pooled", "合并召回率"),
        Text("only here", "独有条目"),
        Text("queries", "独有查询"),
        Text("without it", "去掉后"),
        Text("adds", "边际贡献"),
        interval_of(c.confidence_level),
    ]
    with_final = c.shown > 0
    if with_final:
        header += [phrase("in first {}", "前 {} 位", c.shown), Text("only here", "独有")]
    rows = [_row(x, c, digits, with_final) for x in c.channels]
    if len(c.channels) > 1:
        rows.append(_together(c, digits, with_final))
    notes: list[str] = [
        phrase(
            "{} with relevant items of {:,} judged, {}; relevant: grade {:g} and above; ties: {}",
            "{1:,} 个已标注查询中 {0}有相关条目，共 {2}；相关：相关性等级不低于 {3:g}；ties：{4}",
            counted(c.n_queries, "query", "个"),
            c.n_judged,
            counted(c.n_relevant, "relevant item", "个相关条目"),
            c.rel,
            c.ties,
        ),
        Text(
            "only here: relevant items, and queries with something relevant, that no other channel has; adds: recall "
            "of all minus recall without it; pooled: over the items of all queries at once",
            "独有：其他通道都没有的相关条目，以及只有它能召回相关条目的查询；边际贡献：全部通道的召回率，减去没有它时的召回率；"
            "合并召回率：把所有查询的条目放在一起计算",
        ),
        Text(
            "overlap is that of judged items: what nobody judged is not compared",
            "重合只看已标注的条目：没有标注的结果不参与比较",
        ),
    ]
    if c.cut:
        cuts = ", ".join(f"{name} {n:,}" for name, n in c.cut.items())
        notes.append(Text(f"only the first results count: {cuts}", f"只计排在前面的结果：{cuts.replace(', ', '、')}"))
    grid = Grid(header, rows, spare=[4, 9, 6])
    return Section(Text("Channels", "各路召回"), grid, notes=[*notes, *c.notes], warnings=c.warnings)


def _row(x: Channel, c: Channels, digits: int, with_final: bool) -> list[Cell]:
    only = len(c.channels) > 1
    cells = [
        Cell(x.name),
        Cell(number(x.size, 1)),
        Cell(number(x.recall, digits), strong=x.recall == max(y.recall for y in c.channels)),
        Cell(ranged(x.recall_low, x.recall_high, digits), quiet=True),
        Cell(number(x.recall_pooled, digits), quiet=True),
        Cell(f"{x.only:,}"),
        Cell(f"{x.only_queries:,}"),
        Cell(number(x.without, digits) if only else "", quiet=True),
        Cell(number(x.adds, digits), strong=only and x is c.most and x.only > 0),
        Cell(ranged(x.adds_low, x.adds_high, digits), quiet=True),
    ]
    if with_final:
        cells += [Cell(f"{x.shown or 0:,}"), Cell(f"{x.only_shown or 0:,}")]
    return cells


def _together(c: Channels, digits: int, with_final: bool) -> list[Cell]:
    cells = [
        Cell(Text("all together", "全部通道")),
        Cell(""),
        Cell(number(c.recall, digits)),
        Cell(ranged(c.recall_low, c.recall_high, digits), quiet=True),
        Cell(number(c.recall_pooled, digits), quiet=True),
        *(Cell("") for _ in range(5)),
    ]
    return [*cells, Cell(f"{c.n_shown:,}"), Cell("")] if with_final else cells


def _order(c: Channels, digits: int) -> Section:
    rows = [
        [Cell(f"{i}"), Cell(a.name), Cell(number(a.added, digits)), Cell(number(a.recall, digits))]
        for i, a in enumerate(c.order, 1)
    ]
    header: list[str] = ["#", _CHANNEL, Text("gain", "新增"), _RECALL]
    note = Text(
        "at each step the channel that raises recall most; gain: beyond those before it",
        "每一步加入使召回率提升最多的一路；新增：在已加入的各路之上",
    )
    return Section(
        Text("One after the other", "逐路加入"), Grid(header, rows, frozenset({0, 1})), notes=[note], folded=True
    )


def _overlaps(c: Channels) -> Section:
    """Of the relevant items of the row, which share does the column have, too?"""
    shares = {(o.first, o.second): o.of_first for o in c.overlaps} | {
        (o.second, o.first): o.of_second for o in c.overlaps
    }
    rows = [
        [
            Cell(a),
            *(Cell("" if a == b else share(shares[a, b])) for b in c.names),
            Cell(f"{c[a].relevant:,}", quiet=True),
        ]
        for a in c.names
    ]
    header: list[str] = [_CHANNEL, *c.names, Text("relevant items", "相关条目数")]
    none, *some = c.by_count
    by = [phrase("{} by none", "没有任何一路找到的 {} 个", f"{none:,}")]
    by += [phrase("{} by {}", "{1} 路找到的 {0} 个", f"{n:,}", i) for i, n in enumerate(some, 1)]
    notes = [
        Text(
            "share of the relevant items of the row that the column has, too",
            "每行通道的相关条目中，列通道也有的比例",
        ),
        phrase("relevant items found by so many channels: {}", "相关条目按召回路数：{}", joined(Text(", ", "，"), by)),
    ]
    return Section(Text("Overlap", "重合度"), Grid(header, rows), notes=notes, folded=True)
