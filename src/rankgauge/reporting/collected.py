"""How a retriever answered, as sections: how long it took, and what became of the queries."""

from __future__ import annotations

from collections import Counter
from math import isinf, isnan

from rankgauge._text import Text
from rankgauge.data.collected import OUTCOMES, Collected
from rankgauge.reporting.grid import Cell, Grid, Section, number, share
from rankgauge.reporting.words import counted, phrase

__all__ = ["sections_of_collected"]


def sections_of_collected(c: Collected, digits: int = 1) -> list[Section]:
    stages = bool(c.stages)
    header: list[str] = [
        *([Text("stage", "阶段")] if stages else []),
        Text("latency", "延迟"),
        Text("ms", "毫秒"),
        Text("95% interval", "95% 置信区间"),
        Text("queries", "查询数"),
    ]
    rows = [
        [
            *([Cell(row["stage"] or Text("all", "全部"))] if stages else []),
            Cell(Text("mean", "平均") if row["latency"] == "mean" else row["latency"]),
            Cell(number(row["ms"], digits)),
            Cell(_ends(row["low"], row["high"], digits), quiet=True),
            Cell(f"{row['n']:,}", quiet=True),
        ]
        for row in c.summary()
    ]
    n = len(c.query_ids)
    became = Counter(c.outcomes)
    outcomes = Grid(
        [Text("outcome", "结局"), Text("queries", "查询数"), Text("share", "占比")],
        [[Cell(said), Cell(f"{became[o]:,}"), Cell(share(became[o] / n))] for o, said in OUTCOMES.items() if became[o]],
    )
    queries = counted(n, "query", "个查询")
    notes: list[str] = [
        phrase(
            "{} per second, up to {} at a time; k={}",
            "每秒 {} 个查询，最多同时 {} 个；k={}",
            number(c.throughput, digits),
            f"{c.concurrency:,}",
            f"{c.k:,}",
        ),
    ]
    if c.repeated:
        notes.append(
            phrase("{} show an item of their list again", "{}在列表中重复出现", counted(c.repeated, "result", "个结果"))
        )
    if errors := became["error"]:
        notes.append(
            phrase("times are those of queries that did not fail; {} did", "延迟不含出错的查询（{} 个）", f"{errors:,}")
        )
    if became["timeout"]:
        notes.append(
            Text(
                "a query that timed out counts with the time it was waited for: it would take at least that",
                "超时的查询按已等待的时间计：实际至少需要这么久",
            )
        )
    return [
        Section(phrase("{} was asked {}", "向 {} 询问了 {}", c.retriever, queries), Grid(header, rows), notes=notes),
        Section(Text("What became of the queries", "查询的结局"), outcomes, notes=c.remarks),
    ]


def _ends(low: float, high: float, digits: int) -> str:
    if isnan(low):
        return ""
    return f"{number(low, digits)} … {'∞' if isinf(high) else number(high, digits)}"
