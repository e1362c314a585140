"""The page on a measure."""

from __future__ import annotations

from math import isinf
from typing import Any

from rankgauge.measures.explanation import Explanation
from rankgauge.report.grid import Cell, Grid, Section, number

__all__ = ["sections_of_explanation"]

_SUMMARIES = {
    "mean": "mean over queries",
    "sum": "sum over queries",
    "geometric": "geometric mean over queries",
    "none": "none: one text per query",
    "pooled": "one number for all rows",
}


def sections_of_explanation(e: Explanation) -> list[Section]:
    low, high = e.bounds
    top = "∞" if isinf(high) else f"{high:g}"
    said = {
        "question": e.question,
        "formula": e.formula,
        "edges": e.edges,
        "range": f"{f'{low:g}' if not isinf(low) else '-∞'} to {top}, "
        f"{'higher' if e.higher_is_better else 'lower'} is better; {_SUMMARIES[e.summary]}",
        "also typed": ", ".join(e.names),
        "reference": e.reference,
    }
    about = [[Cell(name, quiet=True), Cell(text)] for name, text in said.items() if text]
    out = [Section(f"{e.measure} — {e.title}", Grid(["", ""], about, frozenset({0, 1})))]
    rows = [
        [Cell(p.name, strong=p.value != p.default), Cell(p.value), Cell(p.default), Cell(p.meaning)]
        for p in e.parameters
    ]
    out.append(Section("Parameters", Grid(["parameter", "here", "default", "meaning"], rows, frozenset({0, 1, 2, 3}))))
    if e.same:
        rows = [[Cell(tool), Cell(how)] for tool, how in e.same.items()]
        out.append(Section("The same number elsewhere", Grid(["tool", "as"], rows, frozenset({0, 1}))))
    if e.differs:
        rows = [[Cell(tool), Cell(why)] for tool, why in e.differs.items()]
        out.append(Section("A different number under a similar name", Grid(["tool", "why"], rows, frozenset({0, 1}))))
    if e.sum:
        header = ["rank", "grade"]
        shown = [[Cell(str(i)), Cell(_grade(g))] for i, g in enumerate(e.shown, 1)]
        shown += [[Cell("not shown"), Cell(_grade(g))] for g in e.missed]
        if e.rows:
            header = list(e.rows[0])
            shown = [[Cell(f"{x:g}") for x in row.values()] for row in e.rows]
        value = "" if e.value is None or isinstance(e.value, str) else f" = {number(e.value)}"
        out.append(Section("Worked example", Grid(header, shown), notes=[f"{e.example} = {e.sum}{value}"]))
    return out


def _grade(g: Any) -> str:
    """One grade, or the grades under each heading."""
    if g is None:
        return "not judged"
    return " ".join(f"{x:g}" for x in g) if isinstance(g, tuple) else f"{g:g}"
