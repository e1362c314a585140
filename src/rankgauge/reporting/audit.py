"""What an audit says, as sections: the numbers of the input, what was found, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankgauge._text import Text, joined
from rankgauge.data.audit import Audit, Problem
from rankgauge.data.audit.record import SEVERITIES
from rankgauge.evaluation.counts import is_judged_share
from rankgauge.reporting.grid import Cell, Grid, Section, share
from rankgauge.reporting.words import VALUE, about, phrase

__all__ = ["sections_of_audit"]

_MOST_GRADES = 8
_WHERE = Text("where", "位置")


def sections_of_audit(audit: Audit, examples: int = 3) -> list[Section]:
    """Facts, findings, then each finding with `examples` of it and what to do."""
    out = [_facts(audit), *([Section(notes=list(audit.notes))] if audit.notes else [])]
    if not audit.findings:
        return [*out, Section(notes=[Text("No problems found.", "没有发现问题。")])]
    out.append(_findings(audit))
    out += [_detail(p, examples) for p in audit.findings]
    return out


def _facts(audit: Audit) -> Section:
    f = audit.facts
    rows = [
        _row(audit.qrels, Text("queries judged", "已标注查询"), _count(f["queries_judged"])),
        _row(audit.qrels, Text("judgements", "标注数"), _count(f["judgements"])),
        _row(audit.qrels, Text("grades", "相关性等级"), _grades(f["grades"])),
        _row(audit.qrels, Text("relevant per query", "每个查询的相关条目"), _spread(f["relevant_per_query"])),
    ]
    for name, run in f["runs"].items():
        rows += [
            _row(name, Text("queries", "查询数"), _count(run["queries"])),
            _row(name, Text("results", "结果数"), _count(run["results"])),
            _row(name, Text("results per query", "每个查询的结果数"), _spread(run["results_per_query"])),
        ]
        rows += [_row(name, key, share(value)) for key, value in run.items() if is_judged_share(key)]
    return Section(Text("input", "输入"), Grid([_WHERE, Text("fact", "项目"), VALUE], rows, frozenset({0, 1, 2})))


_ONLY_NOTES = Text(
    "No problems found. Notes are worth knowing; they cast no doubt on the numbers.",
    "没有发现问题。提示值得了解，但不影响数值的可信度。",
)
_DEPENDS = Text(
    "No problems found. Notes are worth knowing; `evaluate` says what ties do to each number.",
    "没有发现问题。提示值得了解；`evaluate` 会说明并列得分对每个数值的影响。",
)
_TIES = ("tied-scores", "constant-scores")


def _findings(audit: Audit) -> Section:
    rows = [
        [
            Cell(SEVERITIES[p.severity], strong=p.severity == "error", quiet=p.severity == "note"),
            Cell(p.code),
            Cell(p.where),
            Cell(_count(p.count)),
            Cell(p.what),
        ]
        for p in audit.findings
    ]
    header = [Text("severity", "级别"), Text("problem", "问题"), _WHERE, Text("count", "数量"), Text("what", "说明")]
    ties = any(p.code in _TIES for p in audit.findings)
    notes = [_DEPENDS if ties else _ONLY_NOTES] if audit.ok else []
    return Section(Text("findings", "发现"), Grid(header, rows, frozenset({0, 1, 2, 4})), notes)


def _detail(p: Problem, examples: int) -> Section:
    lines = [p.why]
    if p.examples[:examples]:
        some = joined(Text("; ", "；"), p.examples[:examples])
        lines.append(phrase("For example: {}.", "例如：{}。", some))
    lines.append(about(Text("Try", "建议"), p.try_))
    return Section(phrase("{} ({})", "{}（{}）", p.code, p.where), notes=lines)


def _row(*texts: str) -> list[Cell]:
    return [Cell(text) for text in texts]


def _count(n: int) -> str:
    return f"{n:,}"


def _spread(spread: Mapping[str, float] | None) -> str:
    if spread is None:
        return "–"
    numbers = f"{spread['min']:,} … {spread['median']:,g} … {spread['max']:,}"
    return phrase("{} (least, median, most)", "{}（最少、中位、最多）", numbers)


def _grades(grades: Mapping[Any, int]) -> str:
    if len(grades) > _MOST_GRADES:
        ends = (len(grades), min(grades), max(grades))
        return phrase("{:,} values from {:g} to {:g}", "{:,} 种取值，从 {:g} 到 {:g}", *ends)
    return ", ".join(f"{n:,} × {g:g}" for g, n in grades.items()) or "–"
