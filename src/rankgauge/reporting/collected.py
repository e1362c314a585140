"""How a retriever answered, as sections: how long it took, and what became of the queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import isinf, isnan
from typing import Any

import numpy as np

from rankgauge._numbers import short
from rankgauge._text import Text
from rankgauge.data.collected import FAILED, OUTCOMES, SPENT, Collected
from rankgauge.reporting.grid import Cell, Grid, Section, number, share
from rankgauge.reporting.words import counted, phrase
from rankgauge.statistics.intervals import t_interval

__all__ = ["beside_each_other", "sections_of_collected"]


_DECIMALS = 1  # of milliseconds
_MOST_KINDS = 10  # of errors that a table names


def sections_of_collected(c: Collected, digits: int = 4) -> list[Section]:
    """Latency, then outcomes; `digits` are those of the quality that stands beside it."""
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
            Cell(number(row["ms"], _DECIMALS)),
            Cell(_ends(row["low"], row["high"]), quiet=True),
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
        Text(f"k={c.k:,}", f"k={c.k:,}")
        if c.read == n
        else phrase(
            "{} per second, up to {} at a time; k={}",
            "每秒 {} 个查询，最多同时 {} 个；k={}",
            number(c.throughput, _DECIMALS),
            f"{c.concurrency:,}",
            f"{c.k:,}",
        ),
        *_read_so(c),
    ]
    spent = [_spent(c)] if c.spent else []
    return [
        Section(phrase("{} was asked {}", "向 {} 询问了 {}", c.retriever, queries), Grid(header, rows), notes=notes),
        Section(Text("What became of the queries", "查询的结局"), outcomes, notes=c.remarks),
        *spent,
    ]


def _read_so(c: Collected) -> list[str]:
    """How its times are to be read."""
    notes: list[str] = []
    if c.repeated:
        notes.append(
            phrase("{} show an item of their list again", "{}在列表中重复出现", counted(c.repeated, "result", "个结果"))
        )
    if errors := Counter(c.outcomes)["error"]:
        notes.append(
            phrase("times are those of queries that did not fail; {} did", "延迟不含出错的查询（{} 个）", f"{errors:,}")
        )
    if "timeout" in c.outcomes:
        notes.append(
            Text(
                "a query that timed out counts with the time it was waited for: it would take at least that",
                "超时的查询按已等待的时间计：实际至少需要这么久",
            )
        )
    return notes


def beside_each_other(asked: Mapping[str, Collected]) -> list[Section]:
    """Several retrievers side by side, or one: outcomes, errors by kind, latency, throughput, what was used up."""
    names = list(asked)
    every = list(asked.values())
    became = [Counter(c.outcomes) for c in every]
    outcomes = [
        [Cell(said), *(_part(of[o], len(c.query_ids), o in FAILED) for of, c in zip(became, every, strict=True))]
        for o, said in OUTCOMES.items()
        if any(of[o] for of in became)
    ]
    kinds = [c.failures_by_kind for c in every]
    most = sorted(sum(kinds, Counter[str]()).items(), key=lambda found: -found[1])
    errors = [[Cell(kind), *(Cell(f"{of[kind]:,}") for of in kinds)] for kind, _ in most[:_MOST_KINDS]]
    left = len(most) - len(errors)
    notes = [_of(name, n, names) for name, c in asked.items() for n in c.remarks if n != c.failed]
    out = [
        Section(Text("What became of the queries", "查询的结局"), Grid([Text("outcome", "结局"), *names], outcomes)),
        Section(
            Text("Latency in milliseconds, with 95% intervals", "延迟（毫秒）及 95% 置信区间"),
            Grid([Text("latency", "延迟"), *names], _latencies(every)),
            notes=[_of(name, n, names) for name, c in asked.items() for n in _read_so(c)],
        ),
        Section(Text("How fast it was asked", "询问的速度"), Grid(["", *names], _pace(every)), notes=notes),
    ]
    if errors:
        others = [Text(f"and {left:,} other kinds", f"另有 {left:,} 种")] if left else []
        table = Grid([Text("error", "错误"), *names], errors)
        out.insert(1, Section(Text("What failed, in queries", "失败的原因（查询数）"), table, notes=others))
    for name, c in asked.items():
        if c.spent:
            spent = _spent(c)
            out.append(Section(_of(name, spent.title, names), spent.grid))
    return out


def _of(name: str, text: str, names: list[str]) -> str:
    """Whose it is, where there are several."""
    return phrase("{}: {}", "{}：{}", name, text) if len(names) > 1 else text


def _part(n: int, of: int, is_bad: bool) -> Cell:
    return Cell(f"{n:,} ({share(n / of)})", tone="bad" if n and is_bad else "")


def _latencies(every: list[Collected]) -> list[list[Cell]]:
    """Mean and percentiles of all, then of each stage that some retriever tells."""
    found = [{(row["stage"], row["latency"]): row for row in c.summary()} for c in every]
    mean = Text("mean", "平均")
    rows = []
    for stage, what in dict.fromkeys(key for of in found for key in of):
        said = mean if what == "mean" else what
        cells = [_timed(of.get((stage, what))) for of in found]
        rows.append([Cell(phrase("{} {}", "{} {}", stage, said) if stage else said), *cells])
    return rows


def _timed(row: Mapping[str, Any] | None) -> Cell:
    if row is None or isnan(row["ms"]):
        return Cell("–")
    ends = _ends(row["low"], row["high"])
    return Cell(number(row["ms"], _DECIMALS) + (f" ({ends})" if ends else ""))


def _pace(every: list[Collected]) -> list[list[Cell]]:
    told: dict[str, list[str]] = {
        Text("queries", "查询数"): [f"{len(c.query_ids):,}" for c in every],
        Text("queries per second", "每秒查询数"): [number(c.throughput, _DECIMALS) for c in every],
        Text("at a time, at most", "最多同时"): [f"{c.concurrency:,}" for c in every],
        Text("results asked for (k)", "请求的结果数（k）"): [f"{c.k:,}" for c in every],
    }
    return [[Cell(what), *map(Cell, values)] for what, values in told.items()]


def _spent(c: Collected) -> Section:
    """What the queries used up, on average and in all."""
    header: list[str] = [
        Text("used up", "消耗"),
        Text("mean", "平均"),
        Text("95% interval", "95% 置信区间"),
        Text("total", "合计"),
        Text("queries", "查询数"),
    ]
    rows = []
    for what, each in c.spent.items():
        known = np.array([v for v in each if not isnan(v)])
        low, high = t_interval(known)
        rows.append(
            [
                Cell(SPENT[what]),
                Cell(short(float(known.mean()), 4)),
                Cell("" if isnan(low) else f"{short(max(low, 0.0), 4)} … {short(high, 4)}", quiet=True),
                Cell(short(c.total(what), 6)),
                Cell(f"{len(known):,}", quiet=True),
            ]
        )
    return Section(Text("What the queries used up", "查询的消耗"), Grid(header, rows))


def _ends(low: float, high: float) -> str:
    if isnan(low):
        return ""
    return f"{number(low, _DECIMALS)} … {'∞' if isinf(high) else number(high, _DECIMALS)}"
