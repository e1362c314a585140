"""What an audit says, as sections: the numbers of the input, what was found, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankgauge.data.audit import Audit, Problem
from rankgauge.report.grid import Cell, Grid, Section, share

__all__ = ["sections_of_audit"]

_MOST_GRADES = 8


def sections_of_audit(audit: Audit, examples: int = 3) -> list[Section]:
    """Facts, findings, then each finding with `examples` of it and what to do."""
    out = [_facts(audit)]
    if not audit.findings:
        return [*out, Section(notes=["No problems found."])]
    out.append(_findings(audit))
    out += [_detail(p, examples) for p in audit.findings]
    return out


def _facts(audit: Audit) -> Section:
    f = audit.facts
    rows = [
        _row(audit.qrels, "queries judged", _count(f["queries_judged"])),
        _row(audit.qrels, "judgements", _count(f["judgements"])),
        _row(audit.qrels, "grades", _grades(f["grades"])),
        _row(audit.qrels, "relevant per query", _spread(f["relevant_per_query"])),
    ]
    for name, run in f["runs"].items():
        rows += [
            _row(name, "queries", _count(run["queries"])),
            _row(name, "results", _count(run["results"])),
            _row(name, "results per query", _spread(run["results_per_query"])),
        ]
        rows += [_row(name, key, share(value)) for key, value in run.items() if key.startswith("judged@")]
    return Section("input", Grid(["where", "fact", "value"], rows, frozenset({0, 1, 2})))


def _findings(audit: Audit) -> Section:
    rows = [
        [
            Cell(p.severity, strong=p.severity == "error", quiet=p.severity == "note"),
            Cell(p.code),
            Cell(p.where),
            Cell(_count(p.count)),
            Cell(p.what),
        ]
        for p in audit.findings
    ]
    header = ["severity", "problem", "where", "count", "what"]
    notes = ["No problems found. Notes are worth knowing; they cast no doubt on the numbers."] if audit.ok else []
    return Section("findings", Grid(header, rows, frozenset({0, 1, 2, 4})), notes)


def _detail(p: Problem, examples: int) -> Section:
    lines = [p.why]
    if p.examples[:examples]:
        lines.append("For example: " + "; ".join(p.examples[:examples]) + ".")
    lines.append(f"Try: {p.try_}")
    return Section(f"{p.code} ({p.where})", notes=lines)


def _row(*texts: str) -> list[Cell]:
    return [Cell(text) for text in texts]


def _count(n: int) -> str:
    return f"{n:,}"


def _spread(spread: Mapping[str, float] | None) -> str:
    if spread is None:
        return "–"
    return f"{spread['min']:,} … {spread['median']:,g} … {spread['max']:,} (least, median, most)"


def _grades(grades: Mapping[Any, int]) -> str:
    if len(grades) > _MOST_GRADES:
        return f"{len(grades):,} values from {min(grades):g} to {max(grades):g}"
    return ", ".join(f"{n:,} × {g:g}" for g, n in grades.items()) or "–"
