"""The page on a measure."""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf
from typing import Any

from rankgauge._numbers import short
from rankgauge._text import Text
from rankgauge.measures.explanation import Explanation, Reading, Scene
from rankgauge.reporting.grid import Cell, Grid, Section, number, signed
from rankgauge.reporting.words import phrase

__all__ = ["about_marks", "mark_of", "picture_of_explanation", "sections_of_explanation"]

_SUMMARIES = {
    "mean": Text("mean over queries", "对查询取均值"),
    "sum": Text("sum over queries", "对查询求和"),
    "geometric": Text("geometric mean over queries", "对查询取几何平均"),
    "none": Text("none: one text per query", "不汇总：每个查询一段文字"),
    "pooled": Text("one number for all rows", "全部行一个数值"),
    "run": Text("one number for the whole run", "整个 run 一个数值"),
}
_TOOL = Text("tool", "工具")
_HIGHER, _LOWER = Text("higher is better", "越高越好"), Text("lower is better", "越低越好")
_COLUMNS = {
    "label": Text("label", "标签"),
    "score": Text("score", "得分"),
    "weight": Text("weight", "权重"),
    "group": Text("group", "分组"),
    "prediction": Text("prediction", "预测"),
    "user": Text("user", "用户"),
    "before": Text("had before (train)", "此前的物品（train）"),
    "shown": Text("shown, best first", "展示（由前到后）"),
    "relevant": Text("relevant", "相关"),
    "what": Text("what", "内容"),
    "where": Text("document and characters", "文档与字符区间"),
}
_AS_WRITTEN = frozenset({0, 1})


def _direction(e: Explanation) -> str:
    if e.ideal is not None:
        return phrase("the nearer to {:g}, as a ratio, the better", "按比值越接近 {:g} 越好", e.ideal)
    return _HIGHER if e.higher_is_better else _LOWER


def sections_of_explanation(e: Explanation) -> list[Section]:
    low, high = e.bounds
    of_usual = phrase("formula of {}", "公式（{}）", e.usual) if e.usual_formula else Text("formula", "公式")
    said = {
        Text("parameters", "参数"): _parameters(e),
        Text("question", "问题"): e.question,
        Text("also means", "同名指标"): _also(e),
        of_usual: e.formula,
        phrase("edges of {}", "边界情况（{}）", e.usual) if e.usual else Text("edges", "边界情况"): e.edges,
        Text("range", "范围"): phrase(
            "{} to {}, {}; {}",
            "{} 到 {}，{}；{}",
            "-∞" if isinf(low) else f"{low:g}",
            "∞" if isinf(high) else f"{high:g}",
            _direction(e),
            _SUMMARIES[e.summary],
        ),
        Text("also typed", "其他写法"): _names(e.names),
        Text("with parameters", "带参数的写法"): _spelled(e),
        Text("reference", "文献"): e.reference,
    }
    about = [[Cell(name, quiet=True), Cell(text)] for name, text in said.items() if text]
    out = [Section(phrase("{} — {}", "{} — {}", e.measure, e.title), Grid(["", ""], about, _AS_WRITTEN))]
    out += [section for section in (_choosing(e), _changing(e)) if section is not None]
    rows = [
        [Cell(p.name, strong=p.value != p.default), Cell(p.value), Cell(p.default), Cell(p.meaning)]
        for p in e.parameters
    ]
    header = [Text("parameter", "参数"), Text("here", "此处"), Text("default", "默认"), Text("meaning", "含义")]
    if rows:
        out.append(Section(Text("Parameters", "参数"), Grid(header, rows, frozenset({0, 1, 2, 3}))))
    with_defaults = phrase("Not this number but {} elsewhere", "其他工具中的 {}（默认参数，不是这个数）", e.usual)
    tables = {Text("The same number elsewhere", "其他工具中的同一数值"): e.same, with_defaults: e.usual_same}
    for title, found in tables.items():
        if found:
            rows = [[Cell(tool), Cell(how)] for tool, how in found.items()]
            out.append(Section(title, Grid([_TOOL, Text("as", "写法")], rows, _AS_WRITTEN)))
    if e.differs:
        rows = [[Cell(tool), Cell(why)] for tool, why in e.differs.items()]
        title = Text("A different number under a similar name", "名称相近但数值不同")
        out.append(Section(title, Grid([_TOOL, Text("why", "原因")], rows, _AS_WRITTEN)))
    if e.sum or e.usual_sum:
        columns: list[str] = [Text("rank", "排名"), Text("grade", "相关性等级")]
        shown = [[Cell(str(i)), Cell(_grade(g))] for i, g in enumerate(e.shown, 1)]
        shown += [[Cell(Text("not shown", "未展示")), Cell(_grade(g))] for g in e.missed]
        if e.rows:
            columns = [_COLUMNS.get(name, name) for name in e.rows[0]]
            shown = [[Cell(x if isinstance(x, str) else f"{x:g}") for x in row.values()] for row in e.rows]
        title = Text("Worked example", "算例")
        if e.example != e.measure:
            title = phrase("Worked example, of {}", "算例：{}", e.example)
        out.append(Section(title, Grid(columns, shown), notes=[_arithmetic(e)]))
    return out


def _arithmetic(e: Explanation) -> str:
    """How the value of the worked example comes about."""
    value = e.value if e.value is None or isinstance(e.value, str) else number(e.value)
    if e.usual_sum:
        return phrase("{} = {}; with the defaults {}", "{} = {}；默认参数时 {}", e.example, value, e.usual_sum)
    if e.why:
        return phrase("{} = {}: {}", "{} = {}：{}", e.example, value, e.why)
    if e.value is None or isinstance(e.value, str):
        return f"{e.example} = {e.sum}"
    return f"{e.example} = {e.sum} = {value}"


def _parameters(e: Explanation) -> str:
    """What is to be known at once where it is not the number of the defaults."""
    if not e.usual:
        return ""
    return phrase(
        "not the defaults: this is another number than {}; what is told of {} only says so",
        "不是默认参数：与 {} 不是同一个数；下文中只针对 {} 的内容都已注明",
        e.usual,
        e.usual,
    )


def _also(e: Explanation) -> str:
    """Measures of another field that have the same name."""
    told = [phrase("{} ({})", "{}（{}）", name, question) for name, question in e.also.items()]
    return Text("; ".join(t.en for t in told), "；".join(t.zh for t in told))


def _spelled(e: Explanation) -> str:
    """Names of the same measure with other parameters."""
    by_measure: dict[str, list[str]] = {}
    for name, stands_for in e.spelled.items():
        by_measure.setdefault(stands_for, []).append(name)
    told = [f"{', '.join(names)} = {stands_for}" for stands_for, names in by_measure.items()]
    return Text("; ".join(told), "；".join(told))


def _names(names: Sequence[str]) -> Text:
    """Other names: those in Latin letters, and in Chinese the Chinese ones too."""
    return Text(", ".join(n for n in names if n.isascii()), "、".join(names))


def picture_of_explanation(e: Explanation, language: str) -> str:
    """The picture as markup that stands on its own; nothing where the measure has nothing to say of ten results."""
    if not e.readings:
        return ""
    from rankgauge.reporting.figures import plot

    return plot(e, language=language)._repr_html_()


def _choosing(e: Explanation) -> Section | None:
    """What speaks for it and against it, and what else there is."""
    instead = [phrase("{} {}", "{}：{}", name, when) for name, when in e.instead.items()]
    said = {
        Text("strengths", "优势"): e.strengths,
        Text("limits", "局限"): e.limits,
        Text("use it", "适用"): [e.use] if e.use else [],
        Text("avoid it", "不适用"): [e.avoid] if e.avoid else [],
        Text("instead", "改用"): instead,
    }
    rows = [
        [Cell("" if i else name, quiet=True), Cell(text)]
        for name, texts in said.items()
        for i, text in enumerate(texts)
    ]
    title: str = Text("When to take it", "如何选用")
    if e.usual:
        title = phrase("When to take {} (the defaults)", "如何选用（针对默认参数的 {}）", e.usual)
    return Section(title, Grid(["", ""], rows, _AS_WRITTEN)) if rows else None


def _changing(e: Explanation) -> Section | None:
    """What small changes of ten results do to it, and to those that may be taken instead."""
    if not e.readings:
        return None
    first = e.scenes[0]
    rows_or_list = Text("the rows", "样本") if first.called else Text("the list", "列表")
    header = [rows_or_list, _heading(first), *(r.measure for r in e.readings)]
    rows = [
        [
            Cell(scene.says),
            Cell(_cells(scene), quiet=True),
            *(Cell(_read(r, i), strong=column == 0, tone=_TONES[r.better[i]]) for column, r in enumerate(e.readings)),
        ]
        for i, scene in enumerate(e.scenes)
    ]
    return Section(
        Text("What changes it", "哪些变化会影响它"),
        Grid(header, rows, frozenset({0, 1})),
        notes=[about_marks(e.scenes[0])],
    )


_TONES = {1: "good", 0: "", -1: "bad"}


def _heading(scene: Scene) -> Text:
    """What stands in the lines of `_cells`."""
    if scene.called:
        return Text("called", "判为")
    return Text("labels", "标签") if scene.scores else Text("grades", "相关性等级")


def _cells(scene: Scene) -> str:
    """The grades of a scene, its labels, or the classes that its rows are called, in a line."""
    return " ".join(mark_of(g) for g in scene.called or scene.shown)


def mark_of(g: Any) -> str:
    """What stands for a result in a list: its grade, the grades under each heading, or - where nobody judged it."""
    if g is None:
        return "-"
    if isinstance(g, str):
        return g
    return "/".join(f"{x:g}" for x in g) if isinstance(g, (tuple, list)) else f"{g:g}"


def _read(r: Reading, i: int) -> str:
    """The value of a scene, with its change where there is one."""
    value, first = r.values[i], r.values[0]
    if isinstance(value, str) or isinstance(first, str):
        return str(value)
    if i == 0 or r.better[i] == 0:
        return number(value)
    return f"{number(value)} ({signed(value - first)})"


def about_marks(scene: Scene) -> str:
    """What the marks of a list mean."""
    if scene.called:
        truth = " ".join(mark_of(g) for g in scene.shown)
        return Text(f"The classes of the rows: {truth}.", f"各行的真实类别：{truth}。")
    if scene.scores:
        scores = f"{short(scene.scores[0])} … {short(scene.scores[-1])}"
        told = Text(f"Labels by falling score ({scores}).", f"按得分从高到低（{scores}）列出标签。")
        if not scene.groups:
            return told
        groups = " ".join(map(str, scene.groups))
        return Text(f"{told.en} Groups: {groups}.", f"{told.zh}分组：{groups}。")
    missed = ", ".join(mark_of(g) for g in scene.missed)
    grades = Text("Grades", "等级")
    if any(isinstance(g, (tuple, list)) for g in scene.shown):
        grades = Text("Grades under each of two headings", "两个子主题（或标注组）下的等级")
    return Text(
        f"{grades.en} in rank order, - where nobody judged; relevant but not shown: {missed}.",
        f"按排名列出{grades.zh}，- 为未标注；相关但未展示：{missed}。",
    )


def _grade(g: Any) -> str:
    """One grade, or the grades under each heading."""
    if g is None:
        return Text("not judged", "未标注")
    return " ".join(f"{x:g}" for x in g) if isinstance(g, tuple) else f"{g:g}"
