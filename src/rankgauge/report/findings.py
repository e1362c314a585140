"""Findings as sections: what, why, what to check, what to do."""

from __future__ import annotations

from rankgauge.diagnosis.finding import Finding, Findings
from rankgauge.report.grid import Cell, Grid, Section

__all__ = ["rules_page", "sections_of_findings"]

_WORDS = {
    "en": {
        "seen": "seen",
        "why": "why it matters",
        "check": "check first",
        "do": "then",
        "evidence": "for example",
        "none": "Nothing to report: no rule found fault.",
        "more": "{n} more of lesser importance",
        "critical": "critical",
        "warning": "warning",
        "note": "note",
        "about": "Diagnosis of {subject}{scenario}",
        "scenario": " as {name}",
    },
    "zh": {
        "seen": "现象",
        "why": "为什么重要",
        "check": "先检查",
        "do": "再处理",
        "evidence": "例如",
        "none": "没有发现问题。",
        "more": "另有 {n} 条次要发现",
        "critical": "严重",
        "warning": "警告",
        "note": "提示",
        "about": "{subject} 的诊断{scenario}",
        "scenario": "（场景：{name}）",
    },
}


def sections_of_findings(f: Findings, digits: int = 4) -> list[Section]:
    words = _WORDS[f.language]
    scenario = words["scenario"].format(name=f.scenario) if f.scenario else ""
    head = words["about"].format(subject=f.subject, scenario=scenario)
    if not f.all:
        return [Section(head, notes=[words["none"], *f.notes])]
    hidden = len(f.all) - len(f.shown)
    notes = [words["more"].format(n=hidden)] if hidden else []
    out = [Section(head, notes=[*f.notes])]
    for i, x in enumerate(f.shown, 1):
        last = i == len(f.shown)
        out.append(Section(f"{i}. [{words[x.severity]}] {x.title}", _rows(x, words), notes=notes if last else ()))
    return out


def _rows(x: Finding, words: dict[str, str]) -> Grid:
    said = [(words[key], getattr(x, key)) for key in ("seen", "why", "check", "do")]
    if x.evidence:
        said.append((words["evidence"], "; ".join(x.evidence)))
    said.append(("", x.code))
    rows = [[Cell(name, quiet=True), Cell(text, quiet=name == "")] for name, text in said]
    return Grid(["", ""], rows, frozenset({0, 1}))


def rules_page() -> str:
    """The page that describes every rule, made from the records."""
    from rankgauge.diagnosis.rules import RULES

    parts = [
        "# Findings\n",
        "Made from the rules; `rankgauge diagnose` applies them. Words in braces stand for numbers that were seen.\n",
    ]
    for kind, title in (("ranking", "Rankings"), ("comparison", "Comparisons"), ("predictions", "Labels and scores")):
        parts.append(f"## {title}\n")
        for rule in (r for r in RULES.values() if r.kind == kind):
            parts.append(f"### {rule.code}\n")
            for language in ("en", "zh"):
                t = rule.texts[language]
                words = _WORDS[language]
                lines = [f"**{t.title}**", ""]
                lines += [f"- {words[key]}: {getattr(t, key)}" for key in ("seen", "why", "check", "do")]
                parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)
