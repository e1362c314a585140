"""Sections as text: aligned columns when piped, coloured tables on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from rankgauge._text import Text as Words
from rankgauge._text import in_language
from rankgauge.reporting.grid import Cell, Grid, Section, said

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

__all__ = ["plain", "print_sections", "width"]


def plain(sections: Sequence[Section], language: str | None = None) -> str:
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


def _style(c: Cell) -> str:
    """The best is green and a loss is red, but a number with a sign has the colour of neither by itself."""
    if c.tone:
        return f"bold {_COLOURS[c.tone]}"
    if c.strong:
        return "bold" if c.text[:1] in ("+", "-") else "bold green"
    return "dim" if c.quiet else ""


_COLOURS = {"good": "green", "bad": "red", "open": "yellow", "mixed": "yellow", "same": "blue"}


def print_sections(sections: Sequence[Section], console: Console, language: str | None = None) -> None:
    """Sections on a terminal, with colours; verdicts stand in a frame."""
    from rich.box import ROUNDED
    from rich.panel import Panel
    from rich.text import Text

    from rankgauge._wrapping import break_lines_of_chinese

    break_lines_of_chinese()
    for s in said(sections, language):
        if s.title and s.tone:
            colour = _COLOURS[s.tone]
            console.print(Panel(Text(s.title, style="bold"), box=ROUNDED, border_style=colour, expand=False))
        elif s.title:
            console.print(Text(f"\n{s.title}", style="bold"))
        notes = list(s.notes)
        if s.grid is not None:
            grid, left_out = _fitted(s.grid, console.width)
            console.print(_table(grid))
            if left_out:
                notes.append(in_language(_LEFT_OUT, language) + in_language(Words(", ", "、"), language).join(left_out))
        for w in s.warnings:
            console.print(Text.assemble(("! ", "bold yellow"), w))
        for n in notes:
            console.print(Text(n, style="dim"))


_LEFT_OUT = Words("not shown, the terminal is too narrow: ", "终端太窄，未显示：")


def _table(grid: Grid) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(
        box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, header_style="dim", show_header=any(grid.header)
    )
    for i, name in enumerate(grid.header):
        text_column = i in grid.text_columns
        table.add_column(Text(name), justify="left" if text_column else "right", no_wrap=not text_column or i == 0)
    drawn = grid.pictures
    if drawn:
        table.add_column("", no_wrap=True)
    for i, row in enumerate(grid.rows):
        cells = [Text(c.text, style=_style(c)) for c in row]
        table.add_row(*cells, *([Text(drawn[i], style="cyan")] if drawn else []))
    return table


def _fitted(grid: Grid, room: int) -> tuple[Grid, list[str]]:
    """The table with as many of its spare columns and its pictures as the terminal has room for, and what is left out.

    Pictures come first: they show what the numbers beside them say. Then the spare columns, the most important first.
    """
    table = [list(grid.header), *([c.text for c in row] for row in grid.rows)]
    widths = [max(map(width, column)) + _GAP for column in zip(*table, strict=True)]
    for i in range(1, len(widths)):
        if i in grid.text_columns:  # these wrap
            widths[i] = min(widths[i], _WRAPPED)
    kept = [i for i in range(len(widths)) if i not in grid.spare]
    left = room - sum(widths[i] for i in kept)
    pictures = grid.pictures
    if pictures:
        drawn = max(map(width, pictures)) + _GAP
        pictures, left = (pictures, left - drawn) if drawn <= left else ((), left)
    for i in reversed(grid.spare):
        if widths[i] <= left:
            kept.append(i)
            left -= widths[i]
    kept.sort()
    header = [grid.header[i] for i in kept]
    if left < 0:  # long names over short numbers
        header = [
            h if i in grid.text_columns else _clipped(h, max([_SHORTEST, *(width(row[i].text) for row in grid.rows)]))
            for h, i in zip(header, kept, strict=True)
        ]
    cut = Grid(
        header,
        [[row[i] for i in kept] for row in grid.rows],
        frozenset(at for at, i in enumerate(kept) if i in grid.text_columns),
        pictures,
    )
    return cut, [grid.header[i] for i in sorted(grid.spare) if i not in kept]


def _clipped(text: str, room: int) -> str:
    if width(text) <= room:
        return text
    while width(text) >= room:
        text = text[:-1]
    return text + "…"


_SHORTEST = 8  # of a name that is cut
_GAP = 2  # blanks between columns, and at the edges of the table together
_WRAPPED = 30  # a column of sentences is readable in this many
