"""The calls of a retriever one after the other, as sections."""

from __future__ import annotations

from math import isinf, isnan

from rankgauge._text import Text
from rankgauge.evaluation.rankings.by_call import ByCall
from rankgauge.reporting.grid import Cell, Grid, Section, number, ranged, share
from rankgauge.reporting.words import counted, interval_of, phrase

__all__ = ["sections_of_by_call"]


def sections_of_by_call(found: ByCall, digits: int = 4) -> list[Section]:
    return [_steps(found, digits), _to_hit(found)]


def _steps(found: ByCall, digits: int) -> Section:
    between = interval_of(found.confidence_level)
    header: list[str] = [
        Text("call", "调用"),
        Text("queries", "查询数"),
        Text("new results", "新结果数"),
        Text("adds", "新增召回率"),
        between,
        Text("recall so far", "累计召回率"),
        between,
        Text("first hit here", "首次命中"),
        Text("hit so far", "累计命中"),
    ]
    has_tokens = any(not isnan(s.tokens) for s in found.steps)
    if has_tokens:
        header.append(Text("tokens so far", "累计 token 数"))
    rows = [
        [
            Cell(f"{s.call:,}"),
            Cell(f"{s.queries:,}", quiet=True),
            Cell(number(s.new, 1), quiet=True),
            Cell(number(s.added, digits)),
            Cell(ranged(*s.added_interval, digits), quiet=True),
            Cell(number(s.recall, digits)),
            Cell(ranged(*s.recall_interval, digits), quiet=True),
            Cell(f"{s.first:,}"),
            Cell(share(s.hit)),
            *([Cell(number(s.tokens, 0), quiet=True)] if has_tokens else []),
        ]
        for s in found.steps
    ]
    notes: list[str] = [
        phrase(
            "{} with relevant items; a query that stops earlier keeps what it has",
            "{}有相关条目；较早停止的查询保留已有的结果",
            counted(found.n, "query", "个查询"),
        ),
        *([_of_spans(found)] if found.by == "spans" else []),
        *found.notes,
    ]
    title = phrase("{} on {}: what each call adds", "{}，{}：每次调用带来什么", found.run, found.qrels)
    return Section(title, Grid(header, rows, spare=[2, 6, 4]), notes=notes)


def _of_spans(found: ByCall) -> str:
    """What recall and hits are where gold is spans."""
    if found.reach == 1:
        return Text(
            "recall: the share of the gold that the pieces so far cover, each character once; a hit: something needed "
            "is there as a whole",
            "召回率：到此为止的文本块覆盖了标准答案的多大比例，每个字符只计一次；命中：有一个信息点已完整检索到",
        )
    return phrase(
        "recall: the share of the gold that the pieces so far cover, each character once; a hit: at least {} of "
        "something needed is there",
        "召回率：到此为止的文本块覆盖了标准答案的多大比例，每个字符只计一次；命中：有一个信息点已检索到至少 {}",
        share(found.reach),
    )


def _to_hit(found: ByCall) -> Section:
    header: list[str] = ["", Text("mean", "平均"), interval_of(found.confidence_level)]
    rows = [
        [
            Cell(Text("calls up to the first hit", "到首次命中的调用次数")),
            Cell(number(found.calls_to_hit, 2)),
            Cell(ranged(*found.calls_to_hit_interval, 2), quiet=True),
        ]
    ]
    if not isnan(found.tokens_to_hit):
        low, high = found.tokens_to_hit_interval
        ends = "" if isnan(low) or isinf(high) else ranged(low, high, 0)
        rows.append(
            [
                Cell(Text("tokens up to the first hit", "到首次命中的 token 数")),
                Cell(number(found.tokens_to_hit, 0)),
                Cell(ends, quiet=True),
            ]
        )
    rows.append([Cell(Text("calls", "调用次数")), Cell(number(found.calls, 2)), Cell("")])
    note = phrase(
        "up to the first hit: of the {} that have one",
        "到首次命中：只计有命中的 {}",
        counted(found.hits, "query", "个查询"),
    )
    return Section(Text("To the first hit", "到首次命中"), Grid(header, rows), notes=[note])
