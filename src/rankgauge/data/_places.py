"""How messages call tables, and places in them."""

from __future__ import annotations

from collections.abc import Callable

from rankgauge._show import show
from rankgauge._text import Text, zh

__all__ = [
    "AN_ID",
    "A_NUMBER",
    "NOTHING",
    "Place",
    "about",
    "in_line",
    "in_record",
    "in_row",
    "named",
    "within",
    "without",
    "word_for",
]

Place = Callable[[], str]
"""Where something is, said only when somebody asks: there is one for each line that is read."""
NOTHING = Text("nothing", "无")
AN_ID = Text("text or a whole number", "文本或整数")
A_NUMBER = Text("a number", "数字")
_KINDS: dict[str, Text] = {
    t.en: t
    for t in (
        Text("input", "输入"),
        Text("predictions", "预测"),
        Text("log", "日志"),
        Text("texts", "文本"),
        Text("text", "文本"),
        Text("slices", "切片"),
        Text("interactions", "交互"),
        Text("rating", "评分"),
        Text("weights", "权重"),
        Text("answers", "答案"),
        Text("table", "表"),
        Text("groups", "分组"),
        Text("item groups", "条目分组"),
        Text("items", "物品表"),
        Text("spans", "片段"),
        Text("pieces", "检索到的文本块"),
        Text("chunks", "文本块"),
        Text("documents", "文档"),
        Text("questions", "问题集"),
        Text("start", "起点"),
        Text("end", "终点"),
        Text("label", "标签"),
        Text("labels", "标签"),
        Text("score", "得分"),
        Text("prediction", "预测类别"),
        Text("probability", "概率"),
        Text("grade", "相关性等级"),
        Text("rank", "排名"),
        Text("weight", "权重"),
        Text("group", "分组"),
        Text("segment", "分段"),
        Text("time", "时间"),
        Text("distance", "距离"),
        Text("position", "位置"),
    )
}


def word_for(name: str) -> str:
    """A kind of table or the role of a column; `run`, `qrels` and ids are called the same in both languages."""
    return _KINDS.get(name, name)


def named(kind: str, name: str) -> Text:
    """`run 'bm25.tsv'`."""
    return Text(f"{kind} {show(name)}", f"{zh(word_for(kind))} {show(name)}")


def about(where: str) -> Text:
    """`run 'bm25.tsv': `, before what is wrong with it."""
    return Text(f"{where}: ", f"{zh(where)}：")


def within(where: str, place: str = "") -> Text:
    """`run 'bm25.tsv', line 3`, or what stands before the place."""
    return Text(f"{where}, {place}", f"{zh(where)} {zh(place)}")


def without(before: Text, problem: str) -> str:
    """A problem without what stands before it."""
    return Text(problem.removeprefix(before), zh(problem).removeprefix(before.zh))


def in_line(n: int) -> Text:
    return Text(f"line {n}", f"第 {n} 行")


def in_row(n: int) -> Text:
    return Text(f"row {n}", f"第 {n} 行")


def in_record(n: int) -> Text:
    return Text(f"record {n}", f"第 {n} 条记录")
