"""What every form of output is made of: titles, tables of short texts, and notes under them.

Numbers are rounded here and nowhere else. Texts that differ between languages are `Text`s; a form takes the words of
one language.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import isinf, isnan

from rankgauge._text import in_language, mapped

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


def said(sections: Sequence[Section], language: str) -> list[Section]:
    """The sections in the words of one language."""

    def words(text: str) -> str:
        return in_language(text, language)

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
    """Sections of several records, each note once."""
    seen: set[str] = set()
    out = []
    for s in sections:
        out.append(replace(s, notes=[n for n in s.notes if n not in seen]))
        seen.update(s.notes)
    return out


def number(x: float | None, digits: int = 4) -> str:
    """A number as people read it: fixed digits, whole numbers of counts with separators."""
    if x is None or isnan(x):
        return "–"
    if isinf(x):
        return "∞" if x > 0 else "-∞"
    text = f"{x:.{digits}f}"
    return text.replace("-0." + "0" * digits, "0." + "0" * digits) if x == 0 or text.strip("-0.") == "" else text


def signed(x: float, digits: int) -> str:
    """A difference with its sign."""
    if isnan(x):
        return "–"
    text = f"{x:+.{digits}f}"
    return text if text.strip("+-0.") else text[1:]  # a rounded nothing has no sign


def ranged(low: float, high: float, digits: int = 4, *, sign: bool = False) -> str:
    """An interval: `0.1 … 0.3`; nothing where there is none."""
    if isnan(low) or isnan(high):
        return ""
    show = signed if sign else number
    return f"{show(low, digits)} … {show(high, digits)}"


def share(x: float | None) -> str:
    """A share in percent."""
    return "–" if x is None or isnan(x) else f"{100 * x:.1f}%"


def p_value(p: float) -> str:
    """A p-value: three decimals, or how far below them."""
    if isnan(p):
        return "–"
    return f"{p:.3f}" if p >= 0.001 else "<0.001"


def count(n: int, noun: str) -> str:
    """1 query, 2 queries."""
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{n:,} {noun if n == 1 else plural}"
