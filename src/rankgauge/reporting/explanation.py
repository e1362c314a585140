"""The page on a measure."""

from __future__ import annotations

from math import isinf
from typing import Any

from rankgauge._text import Text
from rankgauge.measures.explanation import Explanation
from rankgauge.reporting.grid import Cell, Grid, Section, number
from rankgauge.reporting.words import phrase

__all__ = ["sections_of_explanation"]

_SUMMARIES = {
    "mean": Text("mean over queries", "对查询取均值"),
    "sum": Text("sum over queries", "对查询求和"),
    "geometric": Text("geometric mean over queries", "对查询取几何平均"),
    "none": Text("none: one text per query", "不汇总：每个查询一段文字"),
    "pooled": Text("one number for all rows", "全部行一个数值"),
}
_TOOL = Text("tool", "工具")
_HIGHER, _LOWER = Text("higher is better", "越高越好"), Text("lower is better", "越低越好")
_AS_WRITTEN = frozenset({0, 1})


def _direction(e: Explanation) -> str:
    if e.ideal is not None:
        return phrase("the nearer to {:g}, as a ratio, the better", "按比值越接近 {:g} 越好", e.ideal)
    return _HIGHER if e.higher_is_better else _LOWER


def sections_of_explanation(e: Explanation) -> list[Section]:
    low, high = e.bounds
    said = {
        Text("question", "问题"): e.question,
        Text("formula", "公式"): e.formula,
        Text("edges", "边界情况"): e.edges,
        Text("range", "范围"): phrase(
            "{} to {}, {}; {}",
            "{} 到 {}，{}；{}",
            "-∞" if isinf(low) else f"{low:g}",
            "∞" if isinf(high) else f"{high:g}",
            _direction(e),
            _SUMMARIES[e.summary],
        ),
        Text("also typed", "其他写法"): ", ".join(e.names),
        Text("reference", "文献"): e.reference,
    }
    about = [[Cell(name, quiet=True), Cell(text)] for name, text in said.items() if text]
    out = [Section(phrase("{} — {}", "{} — {}", e.measure, e.title), Grid(["", ""], about, _AS_WRITTEN))]
    rows = [
        [Cell(p.name, strong=p.value != p.default), Cell(p.value), Cell(p.default), Cell(p.meaning)]
        for p in e.parameters
    ]
    header = [Text("parameter", "参数"), Text("here", "此处"), Text("default", "默认"), Text("meaning", "含义")]
    out.append(Section(Text("Parameters", "参数"), Grid(header, rows, frozenset({0, 1, 2, 3}))))
    if e.also:
        rows = [[Cell(name), Cell(question)] for name, question in e.also.items()]
        header = [Text("measure", "指标"), Text("question", "问题")]
        title = Text("The same name in another field", "同一名称在另一领域的含义")
        out.append(Section(title, Grid(header, rows, _AS_WRITTEN)))
    if e.same:
        rows = [[Cell(tool), Cell(how)] for tool, how in e.same.items()]
        header = [_TOOL, Text("as", "写法")]
        out.append(Section(Text("The same number elsewhere", "其他工具中的同一数值"), Grid(header, rows, _AS_WRITTEN)))
    if e.differs:
        rows = [[Cell(tool), Cell(why)] for tool, why in e.differs.items()]
        title = Text("A different number under a similar name", "名称相近但数值不同")
        out.append(Section(title, Grid([_TOOL, Text("why", "原因")], rows, _AS_WRITTEN)))
    if e.sum:
        columns: list[str] = [Text("rank", "排名"), Text("grade", "等级")]
        shown = [[Cell(str(i)), Cell(_grade(g))] for i, g in enumerate(e.shown, 1)]
        shown += [[Cell(Text("not shown", "未展示")), Cell(_grade(g))] for g in e.missed]
        if e.rows:
            columns = list(e.rows[0])
            shown = [[Cell(f"{x:g}") for x in row.values()] for row in e.rows]
        value = "" if e.value is None or isinstance(e.value, str) else f" = {number(e.value)}"
        out.append(
            Section(Text("Worked example", "算例"), Grid(columns, shown), notes=[f"{e.example} = {e.sum}{value}"])
        )
    return out


def _grade(g: Any) -> str:
    """One grade, or the grades under each heading."""
    if g is None:
        return Text("not judged", "未标注")
    return " ".join(f"{x:g}" for x in g) if isinstance(g, tuple) else f"{g:g}"
