"""What must hold of every finding: its claims, its numbers, its words, and that no two of one output disagree."""

from __future__ import annotations

import re
from typing import Any

from rankgauge._claims import Statement
from rankgauge._text import LANGUAGES, in_language
from rankgauge.diagnosis.finding import WORDS, Finding, Findings
from rankgauge.diagnosis.rules import RULES
from rankgauge.diagnosis.standards import load_standards

from .claims import Inputs
from .verdict_claims import holds

ONE_VALUE = {"mean", "low", "high", "n", "difference", "ceiling", "band", "verdict", "median first rank", "case"}
EXCLUSIVE = (
    {"recall-low-everywhere", "noisy-list"},
    {"order-improved", "worse-than-baseline"},
    {"order-improved", "coverage-up-order-flat"},
    {"calibrate", "rebuild"},
    {"calibrate", "uninformative"},
    {"rebuild", "uninformative"},
    {"reversed-score", "uninformative"},
    {"reversed-score", "rebuild"},
    {"reversed-score", "calibrate"},
)


def numerals(text: str) -> list[str]:
    return re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?%?", text)


def as_shown(value: Any) -> set[str]:
    if isinstance(value, str):
        return set()
    forms = (".3f", ".4f", ".2f", "g", ".0%", ".1%", ",")
    return {n for form in forms for n in numerals(format(value, form))}


ANCHORS = {n for a in load_standards().anchors for n in numerals(a.dataset)}


def check_numbers(f: Finding) -> None:
    """Every number of a text is claimed, is a part of a name, or always stands there."""
    claimed = {form for c in f.claims for form in as_shown(c.value)} | ANCHORS
    names = {
        n
        for v in f.numbers.values()
        if not isinstance(v, Statement) and isinstance(v, str)
        for language in LANGUAGES
        for n in numerals(in_language(v, language))
    }
    names |= {n for c in f.claims for part in (c.measure, c.system, c.against) for n in numerals(part)}
    for language in LANGUAGES:
        for word in WORDS:
            fixed = set(numerals(re.sub(r"\{.*?\}", "", RULES[f.code].texts[word].of(language))))
            text = in_language(getattr(f, word), language)
            unknown = [n for n in numerals(text) if n not in claimed | names | fixed]
            assert not unknown, (f.code, word, text, unknown)


def check_words(f: Finding) -> None:
    for word in WORDS:
        for language in LANGUAGES:
            text = in_language(getattr(f, word), language)
            assert text
            assert not re.search(r"(?i:\b(nan|inf)\b)|None|∞|[{}]", text), (f.code, text)
    assert not any(re.search(r"\b(nan|inf)\b", e) for e in f.evidence)


def check_claims(f: Finding, x: Inputs) -> None:
    assert f.claims or not re.search(r"\{", RULES[f.code].texts["seen"]) or f.code == "missing-view", f.code
    for c in f.claims:
        assert holds(c, x), (f.code, str(f.seen), c)


def check_agreement(found: Findings) -> None:
    """No two findings of one output say different things of the same."""
    claims = {c for f in found for c in f.claims}
    for c in claims:
        same = {
            d.value
            for d in claims
            if (d.what, d.measure, d.system, d.against) == (c.what, c.measure, c.system, c.against)
        }
        assert c.what not in ONE_VALUE or len(same) == 1, (c, same)
        if c.what == "below":
            above = [d.value for d in claims if (d.what, d.measure, d.system) == ("above", c.measure, c.system)]
            assert not above or max(above) < c.value
    by_system = [
        {f.code for f in found if {c.system for c in f.claims} & {system}} for system in {c.system for c in claims}
    ]
    for codes in by_system:
        assert not any(pair <= codes for pair in EXCLUSIVE), codes


def check(found: Findings, x: Inputs) -> None:
    for f in found:
        check_words(f)
        check_numbers(f)
        check_claims(f, x)
    check_agreement(found)
