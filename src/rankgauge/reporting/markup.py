"""Sections as Markdown, LaTeX and HTML; every text is escaped for its form."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from rankgauge._text import check_language
from rankgauge.reporting.grid import Grid, Section, said

__all__ = ["html", "latex", "markdown"]

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "…": r"\ldots{}",
    "–": "--",
    "·": r"$\cdot$",
    "<": "$<$",
    ">": "$>$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "→": r"$\rightarrow$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "∞": r"$\infty$",
    "†": r"$^{\dagger}$",
    "‡": r"$^{\ddagger}$",
}


def markdown(sections: Sequence[Section], language: str | None = None) -> str:
    """Tables for a pull request; details fold."""
    parts = []
    for s in said(sections, language):
        lines = []
        if s.folded:
            lines += ["<details>", f"<summary>{escape(s.title, quote=False)}</summary>", ""]
        elif s.title:
            lines += [f"**{_md(s.title)}**", ""]
        if s.grid is not None:
            g = s.grid
            lines.append("| " + " | ".join(map(_md, g.header)) + " |")
            lines.append(
                "|" + "|".join(" :-- " if i in g.text_columns else " --: " for i in range(len(g.header))) + "|"
            )
            for row in g.rows:
                cells = [f"**{_md(c.text)}**" if c.strong and c.text else _md(c.text) for c in row]
                lines.append("| " + " | ".join(cells) + " |")
            lines.append("")
        lines += [f"- ⚠ {_md(w)}" for w in s.warnings]
        lines += [f"- {_md(n)}" for n in s.notes]
        if s.folded:
            lines += [""] * bool(lines[-1]) + ["</details>"]
        parts.append("\n".join(lines).rstrip())
    return "\n\n".join(parts) + "\n"


def _md(text: str) -> str:
    out = escape(text, quote=False)
    for c in "\\`*_[]|":
        out = out.replace(c, "\\" + c)
    return out.replace("\n", " ")


def latex(sections: Sequence[Section], language: str | None = None) -> str:
    """Tables with booktabs rules and what explains their marks; notes and warnings follow as comments."""
    parts = []
    for s in said(sections, language):
        if s.grid is None:  # sentences have no place in a paper, unless they say what a table is worth
            parts += [rf"\par\noindent\textbf{{{_tex(text)}}}\par" for text in s.legend]
            continue
        g = s.grid
        align = "".join("l" if i in g.text_columns else "r" for i in range(len(g.header)))
        lines = [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{_tex(s.title)}}}",
            rf"\begin{{tabular}}{{{align}}}",
            r"\toprule",
            " & ".join(map(_tex, g.header)) + r" \\",
            r"\midrule",
        ]
        for row in g.rows:
            cells = [rf"\textbf{{{_tex(c.text)}}}" if c.strong else _tex(c.text) for c in row]
            lines.append(" & ".join(cells) + r" \\")
        lines += [r"\bottomrule", r"\end{tabular}"]
        lines += [rf"\par\smallskip{{\footnotesize {_tex(text)}\par}}" for text in s.legend]
        lines.append(r"\end{table}")
        lines += [f"% {n}" for n in (*s.warnings, *s.notes)]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _tex(text: str) -> str:
    return "".join(_LATEX.get(c, c) for c in text)


def html(sections: Sequence[Section], language: str | None = None) -> str:
    """A fragment that stands on its own in a notebook, light or dark."""
    language = check_language(language)
    return f'<div class="rankgauge" lang="{language}">' + "".join(map(_section, said(sections, language))) + "</div>"


def _section(s: Section) -> str:
    out = []
    if s.folded:
        out.append(f"<details><summary>{escape(s.title)}</summary>")
    elif s.title:
        out.append(f"<p><strong>{escape(s.title)}</strong></p>")
    if s.grid is not None:
        out.append(_table(s.grid))
    out += [f"<p>⚠ {escape(w)}</p>" for w in s.warnings]
    if s.notes:
        out.append('<p style="opacity:.7;font-size:90%">' + "<br>".join(map(escape, s.notes)) + "</p>")
    out += ["</details>"] * s.folded
    return "".join(out)


def _table(g: Grid) -> str:
    def cell(tag: str, i: int, text: str, extra: str = "") -> str:
        side = "left" if i in g.text_columns else "right;white-space:nowrap"  # a number stays on its line
        return f'<{tag} style="text-align:{side};padding:2px 10px{extra}">{escape(text)}</{tag}>'

    head = "".join(cell("th", i, h) for i, h in enumerate(g.header)) if any(g.header) else ""
    rows = "".join(
        "<tr>"
        + "".join(
            cell("td", i, c.text, ";font-weight:bold" if c.strong else ";opacity:.7" if c.quiet else "")
            for i, c in enumerate(row)
        )
        + "</tr>"
        for row in g.rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
