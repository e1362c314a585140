"""Sections as text: aligned columns when piped, coloured tables on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from rankgauge.report.grid import Grid, Section, said

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["plain", "print_sections", "width"]


def plain(sections: Sequence[Section], language: str = "en") -> str:
    """Text without colours or box drawing, aligned with wide characters counted as two."""
    parts = []
    for s in said(sections, language):
        lines = [s.title] if s.title else []
        if s.grid is not None:
            lines += [""] * bool(lines) + _aligned(s.grid)
        tail = [f"! {w}" for w in s.warnings] + list(s.notes)
        lines += [""] * bool(lines and tail) + tail
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _aligned(grid: Grid) -> list[str]:
    table = [[c.text for c in row] for row in grid.rows]
    if any(grid.header):
        table.insert(0, list(grid.header))
    widths = [max(width(row[i]) for row in table) for i in range(len(grid.header))]
    out = []
    for row in table:
        cells = [
            text + " " * (w - width(text)) if i in grid.text_columns else " " * (w - width(text)) + text
            for i, (text, w) in enumerate(zip(row, widths, strict=True))
        ]
        out.append("  ".join(cells).rstrip())
    return out


def width(text: str) -> int:
    """Columns that a text takes on a terminal: Chinese characters take two."""
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in text)


_COLOURS = {"good": "green", "bad": "red", "open": "yellow", "same": "blue"}


def print_sections(sections: Sequence[Section], console: Console, language: str = "en") -> None:
    """Sections on a terminal, with colours; verdicts stand in a frame."""
    from rich.box import ROUNDED, SIMPLE_HEAD
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    for s in said(sections, language):
        if s.title and s.tone:
            colour = _COLOURS[s.tone]
            console.print(Panel(Text(s.title, style="bold"), box=ROUNDED, border_style=colour, expand=False))
        elif s.title:
            console.print(Text(f"\n{s.title}", style="bold"))
        if s.grid is not None:
            table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="dim", show_header=any(s.grid.header))
            for i, name in enumerate(s.grid.header):
                text_column = i in s.grid.text_columns
                table.add_column(
                    Text(name), justify="left" if text_column else "right", no_wrap=not text_column or i == 0
                )
            drawn = s.grid.pictures
            if drawn:
                table.add_column("", no_wrap=True)
            for i, row in enumerate(s.grid.rows):
                cells = [Text(c.text, style="bold green" if c.strong else "dim" if c.quiet else "") for c in row]
                table.add_row(*cells, *([Text(drawn[i], style="cyan")] if drawn else []))
            console.print(table)
        for w in s.warnings:
            console.print(Text.assemble(("! ", "bold yellow"), w))
        for n in s.notes:
            console.print(Text(n, style="dim"))
