"""Words that several pages share, in English and Chinese, and how sentences are put together in both."""

from __future__ import annotations

from collections.abc import Iterable

from rankgauge._claims import Statement, claimed, phrase, together
from rankgauge._numbers import counted, percent
from rankgauge._text import Text, joined

__all__ = [
    "DIFFERENCE",
    "MEASURE",
    "ROWS",
    "SLICE",
    "VALUE",
    "VERDICT",
    "VERDICTS",
    "about",
    "claimed",
    "counted",
    "in_units",
    "interval_of",
    "listed",
    "phrase",
    "text_of",
    "together",
]

MEASURE = Text("measure", "指标")
VALUE = Text("value", "数值")
SLICE = Text("slice", "切片")
ROWS = Text("rows", "行数")
DIFFERENCE = Text("difference", "差值")
VERDICT = Text("verdict", "结论")
VERDICTS = {
    "better": Text("better", "更好"),
    "worse": Text("worse", "更差"),
    "equivalent": Text("equivalent", "等价"),
    "inconclusive": Text("inconclusive", "无法判定"),
    "unchanged": Text("no change", "无变化"),
    "untested": Text("not tested", "未检验"),
    "not clear": Text("not clear", "无法判定"),
    "": "",
}
"""What a difference comes to."""


def interval_of(level: float) -> Text:
    """The header over intervals: `95% interval`."""
    return Text(f"{percent(level)} interval", f"{percent(level)} 置信区间")


def about(subject: str, text: str) -> Statement:
    """`subject: text`."""
    return phrase("{}: {}", "{}：{}", subject, text)


def listed(texts: Iterable[str]) -> str:
    """`one, two`, as each language lists things."""
    return joined(Text(", ", "，"), texts)


def text_of(table: dict[str, Text], word: str) -> str:
    """What a word of a record is called; a word that is not in the table stands for itself."""
    return table.get(word, word)


def in_units(label: str, unit: str) -> str:
    """A measure as it heads its numbers, with what they are counted in where that is something: latency.p95 (ms)."""
    return phrase("{} ({})", "{}（{}）", label, unit) if unit else label
