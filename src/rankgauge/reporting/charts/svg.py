"""A chart: marks and texts on a canvas, and how they become SVG.

Every text from outside passes through `escape`; nothing else writes into the markup.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from rankgauge._text import LANGUAGES, Text, check_language, in_language
from rankgauge.reporting.charts.style import STYLE
from rankgauge.reporting.grid import one_line
from rankgauge.reporting.plain_text import width

__all__ = ["Chart", "Mark", "clipped", "place", "text_width"]

_CHARACTER = 7.1  # of a Latin character at the size of labels; Chinese ones are two wide
_LONGEST_TIP = 400


def place(x: float) -> str:
    """A coordinate: a tenth of a pixel is enough."""
    text = f"{x:.1f}"
    return text[:-2] if text.endswith(".0") else text


def text_width(text: str) -> float:
    """About how wide a label is, in the language where it is wider."""
    return max(width(in_language(text, language)) for language in LANGUAGES) * _CHARACTER


def clipped(text: str, room: float) -> str:
    """A name from outside, cut with … where it does not fit."""
    text = one_line(text)
    if text_width(text) <= room:
        return text
    kept, used = "", 2 * _CHARACTER
    for c in text[: int(room / _CHARACTER) + 1]:
        used += width(c) * _CHARACTER
        if used > room:
            break
        kept += c
    return kept.rstrip() + "…"


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


@dataclass(frozen=True)
class Mark:
    """One element: a shape, or words at a place."""

    tag: str
    attributes: str
    """As they stand in the markup, each after a blank; made here, never from outside."""
    words: str = ""
    tip: str = ""
    """Shown when the pointer rests on it."""
    href: str = ""
    """A place on the same page, or from / on another one of the same server."""
    inside: str = ""
    """Markup made here."""

    def draw(self, language: str | None, tips: str) -> str:
        """In one language, or (None) in all of them, of which the page shows one."""
        if language is None and isinstance(self.words, Text) and self.words.en != self.words.zh:
            return "".join(
                self._element(in_language(self.words, lang), in_language(self.tip, tips), f' lang="{lang}"')
                for lang in LANGUAGES
            )
        return self._element(in_language(self.words, language or tips), in_language(self.tip, language or tips), "")

    def _element(self, words: str, tip: str, lang: str) -> str:
        inside = f"<title>{escape(one_line(tip)[:_LONGEST_TIP])}</title>" if tip else ""
        inside += self.inside or escape(one_line(words))
        drawn = f"<{self.tag}{lang}{self.attributes}" + (f">{inside}</{self.tag}>" if inside else "/>")
        there = self.href if self.href.startswith("/") else f"#{self.href}"
        return f'<a href="{escape(one_line(there))}">{drawn}</a>' if self.href else drawn


@dataclass
class Chart:
    """A picture with its title and its text alternative."""

    title: str
    """What is drawn."""
    summary: str
    """What it shows, for those who do not see it."""
    width: float = 960
    height: float = 320
    marks: list[Mark] = field(default_factory=list)

    # marks

    def rect(self, x: float, y: float, w: float, h: float, kind: str, *, tip: str = "", href: str = "") -> None:
        if h < 0:
            y, h = y + h, -h
        if w < 0:
            x, w = x + w, -w
        at = f' x="{place(x)}" y="{place(y)}" width="{place(w)}" height="{place(h)}"'
        self.marks.append(Mark("rect", _class(kind) + at, tip=tip, href=href))

    def line(self, x1: float, y1: float, x2: float, y2: float, kind: str) -> None:
        self.shape(f"M{place(x1)} {place(y1)}L{place(x2)} {place(y2)}", kind)

    def path(self, points: list[tuple[float, float]], kind: str, *, closed: bool = False, tip: str = "") -> None:
        d = "M" + "L".join(f"{place(x)} {place(y)}" for x, y in points) + ("Z" if closed else "")
        self.shape(d, kind, tip=tip)

    def shape(self, d: str, kind: str, *, tip: str = "") -> None:
        """Any path, in the words of SVG."""
        self.marks.append(Mark("path", f'{_class(kind)} d="{d}"', tip=tip))

    def circle(self, x: float, y: float, r: float, kind: str, *, tip: str = "", href: str = "") -> None:
        at = f' cx="{place(x)}" cy="{place(y)}" r="{place(r)}"'
        self.marks.append(Mark("circle", _class(kind) + at, tip=tip, href=href))

    def text(
        self,
        x: float,
        y: float,
        words: str,
        kind: str = "",
        *,
        anchor: str = "start",
        turn: bool = False,
        tip: str = "",
    ) -> None:
        at = f' x="{place(x)}" y="{place(y)}"'
        if anchor != "start":
            at += f' text-anchor="{anchor}"'
        if turn:
            at += f' transform="rotate(-90 {place(x)} {place(y)})"'
        self.marks.append(Mark("text", _class(kind) + at, words, tip))

    def column(self, x: float, ys: list[float], words: list[str], kind: str = "", *, anchor: str = "start") -> None:
        """Short words under each other, as one element: a page may have thousands of them."""
        lines = zip(ys, words, strict=True)
        inside = "".join(f'<tspan x="{place(x)}" y="{place(y)}">{escape(one_line(w))}</tspan>' for y, w in lines if w)
        if inside:
            how = "" if anchor == "start" else f' text-anchor="{anchor}"'
            self.marks.append(Mark("text", _class(kind) + how, inside=inside))

    def legend(self, entries: Sequence[tuple[str, str]], x: float, y: float, room: float) -> float:
        """Names beside their colours, in as many rows as they need; returns the height they took."""
        left, top = x, y
        for kind, name in entries:
            name = name if isinstance(name, Text) else clipped(name, 190)
            step = 40 + text_width(name)
            if left + step > x + room and left > x:
                left, top = x, top + 18
            if kind.startswith("dash"):
                self.line(left, top - 4, left + 14, top - 4, kind)
            else:
                self.rect(left, top - 8, 14, 9, f"fill {kind}")
            self.text(left + 19, top, name)
            left += step
        return top - y + 18

    # what becomes of them

    def svg(self, language: str | None = None, *, tips: str = "en", labelled_by: str = "") -> str:
        """For a page that has the styles; `language=None` writes the words of all languages."""
        about = (
            f'aria-labelledby="{labelled_by}"'
            if labelled_by
            else f'aria-label="{escape(one_line(in_language(self.title, tips)))}"'
        )
        body = "".join(m.draw(language, tips) for m in self.marks)
        size = f'viewBox="0 0 {place(self.width)} {place(self.height)}" style="--w:{place(1.14 * self.width)}px"'
        return f'<svg class="chart" role="img" {about} {size}>{body}</svg>'

    def file(self, language: str | None = None) -> str:
        """A file of its own: styles, title and description inside."""
        language = check_language(language)
        w, h = place(self.width), place(self.height + 30)
        title, summary = (escape(one_line(in_language(t, language))) for t in (self.title, self.summary))
        body = "".join(m.draw(language, language) for m in self.marks)
        return (
            '<?xml version="1.0" encoding="utf-8"?>\n'
            f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" width="{w}" height="{h}" viewBox="0 0 {w} {h}" '
            f'lang="{language}"><title>{title}</title><desc>{summary}</desc><style>{STYLE}</style>'
            f'<rect width="{w}" height="{h}" fill="#fff"/><text class="title" x="12" y="20">{title}</text>'
            f'<g transform="translate(0 30)">{body}</g></svg>\n'
        )
