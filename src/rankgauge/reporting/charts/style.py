"""Colours of marks, named by what they mean. One list serves pages (light and dark) and files.

Teal and vermilion differ for every kind of eye; signs and words say the same as colours everywhere.
"""

from __future__ import annotations

__all__ = ["DARK", "LIGHT", "RULES", "STYLE", "variables"]

LIGHT = {
    "ink": "#1b2430",
    "quiet": "#66707d",
    "line": "#d9dee5",
    "paper": "#ffffff",
    "wash": "#f4f6f8",
    "pos": "#12897b",
    "neg": "#d1603d",
    "zero": "#a3abb5",
    "s0": "#6b7684",
    "s1": "#2f6fd0",
    "s2": "#d98a1f",
    "s3": "#8a56c8",
    "s4": "#12897b",
    "s5": "#c2477f",
    "g0": "#dde1e6",
    "g1": "#c3e4dd",
    "g2": "#83cbbf",
    "g3": "#35a392",
    "g4": "#0b6d61",
    "on-dark": "#ffffff",
}
DARK = {
    "ink": "#e6eaf0",
    "quiet": "#98a3b1",
    "line": "#323b47",
    "paper": "#12171e",
    "wash": "#1a212b",
    "pos": "#3fb8a6",
    "neg": "#ec8a67",
    "zero": "#626d7a",
    "s0": "#97a2b0",
    "s1": "#6ea4f4",
    "s2": "#f0b155",
    "s3": "#b892ec",
    "s4": "#3fb8a6",
    "s5": "#ec80ae",
    "g0": "#36404c",
    "g1": "#1f4f4a",
    "g2": "#23756b",
    "g3": "#2f9e8f",
    "g4": "#7adccd",
    "on-dark": "#0c1116",
}

_SERIES = "".join(f".chart .s{i}{{color:var(--s{i})}}" for i in range(6))
RULES = (
    ".chart text{font:12px system-ui,-apple-system,'Segoe UI','Noto Sans',Roboto,'PingFang SC','Microsoft YaHei',"
    "'Noto Sans CJK SC','Noto Sans SC',sans-serif;fill:var(--ink)}"
    ".chart .tick,.chart .quiet{fill:var(--quiet);font-size:11px}"
    ".chart .strong{font-weight:600}.chart .title{font-size:14px;font-weight:600}"
    ".chart .small{font-size:10.5px}"
    ".chart .grid{stroke:var(--line);fill:none}.chart .axis{stroke:var(--quiet);fill:none}"
    ".chart .ref{stroke:var(--quiet);stroke-dasharray:4 4;fill:none}"
    + _SERIES
    + ".chart .pos{color:var(--pos)}.chart .neg{color:var(--neg)}.chart .zero{color:var(--zero)}"
    ".chart .fill{fill:currentColor}.chart .stroke{stroke:currentColor;stroke-width:2;fill:none;stroke-linejoin:round}"
    ".chart .thin{stroke-width:1.2}.chart .band{fill:currentColor;opacity:.16}"
    ".chart .soft{fill:currentColor;opacity:.55}"
    ".chart .hollow{fill:var(--paper);stroke:currentColor;stroke-width:2}"
    ".chart .dash{stroke:currentColor;stroke-dasharray:5 4;stroke-width:1.4;fill:none}"
    ".chart .whisker{stroke:currentColor;stroke-width:1.6;fill:none}"
    ".chart .g0{fill:var(--g0)}.chart .g1{fill:var(--g1)}.chart .g2{fill:var(--g2)}.chart .g3{fill:var(--g3)}"
    ".chart .g4{fill:var(--g4)}.chart .un{fill:none;stroke:var(--zero);stroke-dasharray:2 2}"
    ".chart .hatch{stroke:var(--zero);stroke-width:1;fill:none}"
    ".chart text.on{fill:var(--on-dark)}.chart text.pos,.chart text.neg{fill:currentColor}"
    ".chart .cell{stroke:var(--paper);stroke-width:2}.chart .heat{fill:currentColor}"
    + "".join(f".chart .h{i}{{opacity:{o}}}" for i, o in enumerate((0.06, 0.2, 0.36, 0.54, 0.74)))
    + ".chart a{cursor:pointer}"
)
"""For marks inside an element of class chart; colours are variables."""


def variables(colours: dict[str, str]) -> str:
    """The declarations of a theme."""
    return "".join(f"--{name}:{value};" for name, value in colours.items())


def _resolved(rules: str, colours: dict[str, str]) -> str:
    for name, value in colours.items():
        rules = rules.replace(f"var(--{name})", value)
    return rules


STYLE = _resolved(RULES, LIGHT)
"""For files: programs that turn SVG into pixels know no variables."""
