"""Findings as sections: what, why, what to check, what to do."""

from __future__ import annotations

from rankgauge._text import LANGUAGES, Text, joined
from rankgauge.diagnosis.finding import Finding, Findings
from rankgauge.reporting.grid import Cell, Grid, Section
from rankgauge.reporting.words import phrase

__all__ = ["WORDS", "rules_page", "sections_of_findings"]

WORDS = {
    "seen": Text("seen", "现象"),
    "why": Text("why it matters", "为什么重要"),
    "check": Text("check first", "先检查"),
    "do": Text("then", "再处理"),
    "evidence": Text("for example", "例如"),
    "critical": Text("critical", "严重"),
    "warning": Text("warning", "警告"),
    "note": Text("note", "提示"),
}
_TITLE, _OF_USERS = Text("title", "标题"), Text("of what users did, ", "用户行为数据的")
_NONE = Text("Nothing to report: no rule found fault.", "没有发现问题。")
_DOUBTFUL = Text("No rule found fault, but the numbers are doubtful:", "没有规则发现问题，但数值存疑：")
_NONE_SEEN = Text("No rule found fault, as far as could be seen.", "在能够检查的范围内没有发现问题。")


def sections_of_findings(f: Findings, digits: int = 4) -> list[Section]:
    scenario = Text(f" as {f.scenario}", f"（场景：{f.scenario}）") if f.scenario else ""
    head = phrase("Diagnosis of {}{}", "{} 的诊断{}", f.subject, scenario)
    if not f.all:
        opening = _DOUBTFUL if f.doubts else _NONE_SEEN if f.limits else _NONE
        return [Section(head, notes=[opening, *f.doubts, *f.limits, *f.notes])]
    hidden = len(f.all) - len(f.shown)
    notes = [phrase("{} more of lesser importance", "另有 {} 条次要发现", hidden)] if hidden else []
    out = [Section(head, notes=[*f.limits, *f.doubts, *f.notes])]
    for i, x in enumerate(f.shown, 1):
        title = phrase("{}. [{}] {}", "{}. [{}] {}", i, WORDS[x.severity], x.title)
        out.append(Section(title, _rows(x), notes=notes if i == len(f.shown) else ()))
    return out


def _rows(x: Finding) -> Grid:
    said: list[tuple[str, str]] = [(WORDS[key], getattr(x, key)) for key in ("seen", "why", "check", "do")]
    if x.evidence:
        said.append((WORDS["evidence"], joined(Text("; ", "；"), x.evidence)))
    said.append(("", x.code))
    rows = [[Cell(name, quiet=True), Cell(text, quiet=name == "")] for name, text in said]
    return Grid(["", ""], rows, frozenset({0, 1}))


def rules_page() -> str:
    """The page that describes every rule, made from the records."""
    from rankgauge.diagnosis.rules import RULES

    parts = [
        "# Findings\n",
        "Made from the rules; `rankgauge diagnose` applies them. Words in braces stand for what was seen.\n",
    ]
    titles = {"ranking": "Rankings", "comparison": "Comparisons", "predictions": "Labels and scores"}
    for kind, title in {**titles, "classes": "Several classes"}.items():
        parts.append(f"## {title}\n")
        for rule in (r for r in RULES.values() if r.kind == kind):
            parts.append(f"### {rule.code}\n")
            for language in LANGUAGES:
                said = {key: text.of(language) for key, text in rule.texts.items()}
                lines = [f"**{said['title']}**", ""]
                lines += [f"- {WORDS[key].of(language)}: {said[key]}" for key in ("seen", "why", "check", "do")]
                lines += [
                    f"- {_OF_USERS.of(language)}{WORDS.get(key, _TITLE).of(language)}: {text.of(language)}"
                    for key, text in rule.of_users.items()
                ]
                parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)
