"""The page that describes every measure, made from their records."""

from __future__ import annotations

from typing import Any

from rankgauge._text import Text
from rankgauge.measures import families
from rankgauge.measures.explanation import explain
from rankgauge.measures.predictions import families as of_predictions
from rankgauge.reporting.explanation import sections_of_explanation
from rankgauge.reporting.grid import Cell, Grid, Section
from rankgauge.reporting.words import MEASURE

__all__ = ["measures_page", "sections_of_measures"]


def sections_of_measures(words: tuple[str, ...] = ()) -> list[Section]:
    """A table per family; only measures whose name, alias or question has all the words."""
    out = []
    for family, members in _all_families():
        rows = []
        for cls in members:
            text = " ".join((cls.name, cls.title, cls.question, *cls.aliases)).casefold()
            if all(w.casefold() in text for w in words):
                shown = cls.name + ("@k" if any(p.at for p in cls.params.values()) else "")
                others = ", ".join(cls.aliases[:4])
                rows.append([Cell(shown, strong=True), Cell(cls.question), Cell(others, quiet=True)])
        if rows:
            header = [MEASURE, Text("question", "问题"), Text("also typed as", "其他写法")]
            out.append(Section(family, Grid(header, rows, frozenset({0, 1, 2}))))
    return out


def _all_families() -> list[tuple[str, list[Any]]]:
    """Of rankings, then of labels and scores."""
    return [*families().items(), *of_predictions().items()]


def _sample_of(cls: Any) -> Any:
    """The measure with its defaults; a required threshold is that of its worked example."""
    return cls(threshold=0.5) if "threshold" in cls.params else cls()


def measures_page() -> str:
    """Everything about every measure, in Markdown."""
    from rankgauge.reporting.markup import markdown

    parts = [
        "# Measures\n",
        "Made by `rankgauge measures --markdown`; `rankgauge explain NAME` shows one of them.\n",
    ]
    parts.append(markdown(sections_of_measures()))
    for cls in (cls for _, members in _all_families() for cls in members):
        first, *rest = sections_of_explanation(explain(_sample_of(cls)))
        parts.append(f"## {first.title}\n")
        parts.append(markdown([Section(grid=first.grid), *rest]))
    return "\n".join(parts)
