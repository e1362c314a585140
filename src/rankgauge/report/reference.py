"""The page that describes every measure, made from their records."""

from __future__ import annotations

from rankgauge.measures import families
from rankgauge.measures.explanation import explain
from rankgauge.report.explanation import sections_of_explanation
from rankgauge.report.grid import Cell, Grid, Section

__all__ = ["measures_page", "sections_of_measures"]


def sections_of_measures(words: tuple[str, ...] = ()) -> list[Section]:
    """A table per family; only measures whose name, alias or question has all the words."""
    out = []
    for family, members in families().items():
        rows = []
        for cls in members:
            text = " ".join((cls.name, cls.title, cls.question, *cls.aliases)).casefold()
            if all(w.casefold() in text for w in words):
                shown = cls.name + ("@k" if any(p.at for p in cls.params.values()) else "")
                others = ", ".join(cls.aliases[:4])
                rows.append([Cell(shown, strong=True), Cell(cls.question), Cell(others, quiet=True)])
        if rows:
            header = ["measure", "question", "also typed as"]
            out.append(Section(family, Grid(header, rows, frozenset({0, 1, 2}))))
    return out


def measures_page() -> str:
    """Everything about every measure, in Markdown."""
    from rankgauge.report.markup import markdown

    parts = [
        "# Measures\n",
        "Made by `rankgauge measures --markdown`; `rankgauge explain NAME` shows one of them.\n",
    ]
    parts.append(markdown(sections_of_measures()))
    for cls in (cls for members in families().values() for cls in members):
        first, *rest = sections_of_explanation(explain(cls.name))
        parts.append(f"## {first.title}\n")
        parts.append(markdown([Section(grid=first.grid), *rest]))
    return "\n".join(parts)
