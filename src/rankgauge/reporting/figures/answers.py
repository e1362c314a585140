"""Answers beside what was retrieved for them: the four cells as areas, and right answers by recall."""

from __future__ import annotations

from rankgauge._text import Text
from rankgauge.evaluation.rankings.answers import Answers
from rankgauge.reporting.answers import LEVEL_NAMES, headline, ranged_shares, words_of
from rankgauge.reporting.charts import Chart, Linear
from rankgauge.reporting.charts import kinds as k
from rankgauge.reporting.charts.svg import text_width
from rankgauge.reporting.grid import share
from rankgauge.reporting.words import phrase

__all__ = ["by_recall", "cells"]

_SHORT = {
    "fine": Text("fine", "正常"),
    "lucky": Text("lucky", "侥幸"),
    "generation": Text("generation", "生成问题"),
    "retrieval": Text("retrieval", "检索问题"),
}
_STYLE = {"fine": "fill pos", "lucky": "soft pos", "generation": "soft neg", "retrieval": "fill neg"}
_LEFT, _TOP, _BOTTOM = 70.0, 40.0, 30.0


def cells(found: Answers, width: float = 640) -> Chart:
    """Columns as wide as the share of queries with and without their gold, cut by right and wrong answers."""
    chart = Chart(Text("Answers and gold", "答案与检索"), headline(found), width, 0.5 * width)
    across, high = width - _LEFT - 12, chart.height - _TOP - _BOTTOM
    left, words = _LEFT, words_of(found)
    for name, pair in (
        (words.retrieved, ("generation", "fine")),
        (words.missed, ("retrieval", "lucky")),
    ):
        of = sum(found[cell].n for cell in pair)
        if not of:
            continue
        wide, top = across * of / found.n, _TOP
        label = phrase("{}, {}", "{}，{}", name, share(of / found.n))
        anchor = "start" if left == _LEFT else "end"
        at = left + 2 if anchor == "start" else left + wide - 2
        chart.text(at, _TOP - 20 if anchor == "start" else _TOP - 6, label, "strong", anchor=anchor)
        for cell in pair:
            x = found[cell]
            tall = high * x.n / of
            tip = phrase(
                "{}: {}, {} ({})", "{}：{}，{}（{}）", words.cells[cell], f"{x.n:,}", share(x.value), ranged_shares(x)
            )
            chart.rect(left, top, wide, tall, f"{_STYLE[cell]} cell", tip=tip)
            said = phrase("{} {}", "{} {}", _SHORT[cell], share(x.value))
            if tall > 20 and wide > text_width(said) + 8:
                chart.text(left + wide / 2, top + tall / 2 + 4, said, "strong on", anchor="middle")
            top += tall
        left += wide
    chart.text(_LEFT - 8, _TOP + 12, Text("wrong", "错误"), "quiet", anchor="end")
    chart.text(_LEFT - 8, chart.height - _BOTTOM - 4, Text("right", "正确"), "quiet", anchor="end")
    chart.text(
        _LEFT,
        chart.height - 8,
        phrase("{}; areas are shares of {} answers", "{}；面积为 {} 个答案中的占比", found.run, f"{found.n:,}"),
        "quiet",
    )
    return chart


def by_recall(found: Answers, width: float = 640) -> Chart:
    """The share of right answers where none, some or all of the gold was retrieved."""
    rows = []
    for level in found.levels:
        x, name = level.right, LEVEL_NAMES[level.level]
        about = phrase(
            "{} of gold: {} of {} right, {}", "检索到{}：{} / {} 正确，{}", name, x.n, x.of, ranged_shares(x)
        )
        label = phrase("{}, n = {}", "{}，n = {}", name, f"{x.of:,}")
        rows.append((label, [k.Interval("s1", x.value, *x.interval, share(x.value), about)]))
    said = [phrase("{}: {}", "{}：{}", LEVEL_NAMES[x.level], share(x.right.value)) for x in found.levels]
    chart = Chart(
        phrase("Right answers by recall ({})", "不同召回率下的答对率（{}）", found.recall_measure),
        Text("; ".join(s.en for s in said), "；".join(s.zh for s in said)),
        width,
        k.intervals_height(rows),
    )
    k.intervals(chart, rows, Linear(0, 1))
    return chart
