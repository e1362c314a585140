"""A split as sections: how much there is to learn from and to be asked about, and what to know of it."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.protocols.splitting import Split
from rankgauge.reporting.grid import Cell, Grid, Section
from rankgauge.reporting.words import phrase

__all__ = ["sections_of_split"]

_PARTS = {"train": Text("train", "训练集"), "test": Text("test", "测试集")}
_BY = {
    "time": Text("by time", "按时间"),
    "last": Text("by the last interactions of each user", "按每个用户最后的交互"),
    "user": Text("by user", "按用户"),
    "random": Text("at random", "随机"),
}


def sections_of_split(s: Split, digits: int = 4) -> list[Section]:
    timed = any(p.first for p in s.parts)
    header: list[str] = [
        Text("part", "部分"),
        Text("interactions", "交互数"),
        Text("users", "用户数"),
        Text("items", "物品数"),
    ]
    header += [Text("first", "最早"), Text("last", "最晚")] if timed else []
    rows = [
        [
            Cell(_PARTS.get(p.name, p.name)),
            *(Cell(f"{n:,}") for n in (p.rows, p.users, p.items)),
            *([Cell(p.first, quiet=True), Cell(p.last, quiet=True)] if timed else []),
        ]
        for p in s.parts
    ]
    way = _BY.get(s.by, s.by)
    title = phrase("split {}", "{}划分", way)
    if s.fold:
        title = phrase("fold {}, split {}", "第 {} 折，{}划分", s.fold, way)
    return [Section(title, Grid(header, rows), notes=s.remarks)]
