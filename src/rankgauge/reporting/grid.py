"""What every form of output is made of: titles, tables of short texts, and notes under them.

Numbers are written by `_numbers.py`, whose functions can be had from here. Texts that differ between languages are
`Text`s; a form takes the words of one language.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rankgauge._numbers import count, number, p_value, ranged, share, signed
from rankgauge._text import check_language, in_language, mapped

__all__ = [
    "Cell",
    "Grid",
    "Section",
    "count",
    "number",
    "one_line",
    "p_value",
    "ranged",
    "said",
    "share",
    "signed",
    "unrepeated",
]


def one_line(text: str) -> str:
    """Names and ids are other people's texts: no line break or control character of theirs reaches a page."""
    return mapped(_printable, text)


def _printable(text: str) -> str:
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


@dataclass(frozen=True)
class Cell:
    """A text in a table."""

    text: str
    strong: bool = False
    """The best of its column."""
    quiet: bool = False
    """Beside the point: intervals, counts."""
    tone: str = ""
    """good or bad: a gain or a loss, whatever its sign."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", one_line(self.text))


@dataclass(frozen=True)
class Grid:
    """A table. The first column is text, the others are numbers unless `text_columns` says so."""

    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    text_columns: frozenset[int] = frozenset({0})
    pictures: Sequence[str] = ()
    """Small bars of characters, one per row: a last column that only a terminal shows."""
    spare: Sequence[int] = ()
    """Columns that a narrow terminal may leave out, the least important first; it says which."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "header", [one_line(name) for name in self.header])


@dataclass(frozen=True)
class Section:
    """A piece of output: a title, a table, sentences."""

    title: str = ""
    grid: Grid | None = None
    notes: Sequence[str] = field(default_factory=tuple)
    warnings: Sequence[str] = field(default_factory=tuple)
    """Sentences that a reader must not miss."""
    tone: str = ""
    """good, bad, open or same: the title is a verdict and is set apart."""
    folded: bool = False
    """Details that a page or a pull request shows on request."""
    legend: Sequence[str] = field(default_factory=tuple)
    """What the marks of the table mean: LaTeX sets it under the table, where notes become comments."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", one_line(self.title))
        object.__setattr__(self, "notes", [one_line(n) for n in self.notes])
        object.__setattr__(self, "warnings", [one_line(w) for w in self.warnings])
        object.__setattr__(self, "legend", [one_line(t) for t in self.legend])


def said(sections: Sequence[Section], language: str | None = None) -> list[Section]:
    """The sections in the words of one language, unless said the one that is spoken."""
    chosen = check_language(language)

    def words(text: str) -> str:
        return in_language(text, chosen)

    out = []
    for s in sections:
        grid = s.grid
        if grid is not None:
            rows = [[replace(c, text=words(c.text)) for c in row] for row in grid.rows]
            grid = replace(grid, header=[words(h) for h in grid.header], rows=rows)
        lines = {name: [words(t) for t in getattr(s, name)] for name in ("notes", "warnings", "legend")}
        out.append(replace(s, title=words(s.title), grid=grid, **lines))  # type: ignore[arg-type]
    return out


def unrepeated(sections: Sequence[Section]) -> list[Section]:
    """Sections of several records, each note once; what stands alone under a title is said under the first."""
    seen: set[str] = set()
    titles: set[str] = set()
    out = []
    for s in sections:
        new = replace(s, notes=[n for n in s.notes if n not in seen])
        if new.grid is not None or new.notes or new.warnings or new.title not in titles:
            out.append(new)
        seen.update(s.notes)
        titles.add(s.title)
    return out
