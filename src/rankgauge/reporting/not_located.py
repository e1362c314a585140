"""Texts that stand in no document, as a section."""

from __future__ import annotations

from rankgauge._show import cut
from rankgauge._text import Text
from rankgauge.evaluation.rankings.not_located import NotLocated
from rankgauge.reporting.grid import Cell, Grid, Section, share
from rankgauge.reporting.words import phrase

__all__ = ["sections_of_not_located"]

_WIDTH = 40  # characters of a text in a table


def sections_of_not_located(found: NotLocated, digits: int = 4) -> list[Section]:
    header: list[str] = [
        Text("text of", "文本来自"),
        Text("query", "查询"),
        Text("not found", "没有找到的文本"),
        Text("most alike", "最相近的文本"),
        Text("in", "所在文档"),
        Text("likeness", "相似度"),
    ]
    rows = [
        [
            Cell(_whose(text.of)),
            Cell(text.query_id),
            Cell(cut(text.text, _WIDTH)),
            Cell(cut(text.near, _WIDTH), quiet=True),
            Cell(text.doc_id or "", quiet=True),
            Cell(share(text.likeness)),
        ]
        for text in found.texts
    ]
    notes = [
        phrase(
            "{}: {} of {} texts were not found", "{0}：{2} 段文本中有 {1} 段没有找到", _whose(name), f"{n:,}", f"{of:,}"
        )
        for name, (n, of) in found.counts.items()
    ]
    title = Text("Texts that stand in no document", "在文档中没有找到的文本")
    return [Section(title, Grid(header, rows, text_columns=frozenset({0, 1, 2, 3, 4}), spare=[4, 3]), notes=notes)]


def _whose(name: str) -> str:
    return Text("gold", "标准答案") if name == "gold" else name
