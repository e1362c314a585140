"""A fact is worded once: whoever tells it uses the same words, in both languages."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest

import rankgauge as rg
from rankgauge._claims import claims_of
from rankgauge._text import LANGUAGES, in_language
from rankgauge.comparison.depths import ending
from rankgauge.evaluation.rankings.notes import noted
from rankgauge.gate.checks import at_most
from rankgauge.gate.result import GateResult
from rankgauge.reporting import render
from rankgauge.reporting.page.gathering import gather
from rankgauge.reporting.suspicions import alarm
from rankgauge.reporting.verdicts import short, verdict_of_system

QUERIES = [f"q{i:02}" for i in range(40)]
QRELS = {**{q: {"a": 2, "b": 1, "c": 0} for q in QUERIES}, "bare": {"a": 0}, "lost": {"a": 1}}


def listed(q: str, i: int, depth: int) -> list[tuple[str, float]]:
    """`a` at the top, tied with another in each fourth list, and shown again; `b` at the end."""
    score = float(depth)
    rest = [(f"x{j}", score - 2 - j) for j in range(depth - 3)]
    return [("a", score), ("c" if i % 4 else "z", score if i % 4 == 0 else score - 1), *rest, ("a", 0.5), ("b", 0.25)]


RUN = {q: listed(q, i, 12) for i, q in enumerate(QUERIES)} | {"bare": ["a"], "stray": ["a"]}
SHORT = {q: [d for d, _ in listed(q, i, 12)][:6] for i, q in enumerate(QUERIES)} | {"bare": ["a"]}
WORST_FIRST = {q: [*(f"x{j}" for j in range(18)), "b", "a"] for q in QUERIES} | {"bare": ["a"], "lost": ["a"]}


def evaluated() -> Any:
    return rg.evaluate(QRELS, RUN, ["RR"])


def compared() -> Any:
    return rg.compare(QRELS, {"long": RUN, "short": SHORT}, ["R@20"])


def plain(text: str) -> str:
    """Words only: without line breaks and the marks of a form."""
    return re.sub(r"[\s\\`*|]+", "", text)


def page_in(record: Any, language: str) -> str:
    """What the page shows in one language."""
    other = next(x for x in LANGUAGES if x != language)
    page = re.sub(rf'<span lang="{other}">.*?</span>', "", rg.report(record, language=language), flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]*>", "", page))


TELLERS: dict[str, Callable[[Any, str], str]] = {
    "terminal": lambda record, language: render(record, "text", language),
    "markdown": lambda record, language: html.unescape(render(record, "markdown", language)),
    "page": page_in,
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("teller", TELLERS)
@pytest.mark.parametrize("code", ["missing-queries", "no-relevant", "ties-matter", "duplicates", "not-judged"])
def test_counts_of_an_evaluation(code: str, teller: str, language: str):
    ev = evaluated()
    (fact,) = noted(ev, code)

    assert plain(fact.of(language)) in plain(TELLERS[teller](ev, language))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", ["missing-queries", "no-relevant", "ties-matter", "duplicates"])
def test_counts_in_findings(code: str, language: str):
    ev = evaluated()
    (fact,) = noted(ev, code)
    end = {"en": ".", "zh": "。"}[language]

    found = rg.diagnose(ev, rules=[code], language=language)[code]

    assert found.seen == fact.of(language) + end
    assert set(claims_of(fact)) <= set(found.claims)


@pytest.mark.parametrize("language", LANGUAGES)
def test_missing_queries_in_gates_and_comparisons(language: str):
    ev = evaluated()
    (fact,) = noted(ev, "missing-queries")
    result = GateResult(checks=[at_most(ev, "missing_queries", 0)], evaluation=ev)

    for record in (result, rg.compare(QRELS, {"run": RUN, "other": SHORT}, ["RR"])):
        assert plain(fact.of(language)) in plain(render(record, "text", language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_codes_of_the_page_are_those_of_notes_and_findings(language: str):
    ev = evaluated()
    facts = {f.code: f.text for f in gather(ev, language=language, title=None).facts}

    for code in ("missing-queries", "no-relevant", "ties-matter", "duplicates", "not-judged"):
        (fact,) = noted(ev, code)
        assert fact.of(language) in in_language(facts[code], language)


def test_a_funnel_says_what_an_evaluation_says():
    """Repeats, scores that are no numbers and queries without judgements, with their counts as claims."""
    broken = {**RUN, "q01": {"a": 1.0, "b": float("nan")}}
    ev = rg.evaluate(QRELS, {"first": broken}, "RR")["first"]
    facts = [noted(ev, code)[0] for code in ("duplicates", "nan-scores", "not-judged")]

    told = rg.funnel(QRELS, {"first": broken, "last": SHORT}, k=3).notes

    for fact in facts:
        (same,) = [note for note in told if claims_of(note) == claims_of(fact)]
        for language in LANGUAGES:  # a funnel cannot keep repeats, and does not say how to
            said = re.split(r" \(duplicates=|（duplicates=", fact.of(language))[0]
            assert in_language(same, language) == {"en": f"first: {said}", "zh": f"first：{said}"}[language]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("teller", TELLERS)
def test_a_verdict(teller: str, language: str):
    cmp = compared()

    assert plain(verdict_of_system(cmp, "short").of(language)) in plain(TELLERS[teller](cmp, language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_verdict_in_short(language: str):
    """Sentences are for lists: the same writer, and no claim that the verdict does not make."""
    cmp = compared()
    said, *_ = rg.sentences(cmp, language)

    assert said == short(cmp["R@20"], cmp).of(language)
    assert set(claims_of(said)) <= set(claims_of(verdict_of_system(cmp, "short")))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("teller", [*TELLERS, "sentences"])
def test_lists_that_end_early(teller: str, language: str):
    cmp = compared()
    fact = ending(cmp.depths)
    tell = TELLERS.get(teller, lambda record, lang: "\n".join(rg.sentences(record, lang)))

    assert plain(fact.of(language)) in plain(tell(cmp, language))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("teller", [*TELLERS, "sentences"])
def test_a_suspicion(teller: str, language: str):
    cmp = rg.compare(QRELS, {"long": RUN, "new": WORST_FIRST}, ["RR"])
    (fact,) = [s for s in cmp.suspicions if s.severity == "error"]
    tell = TELLERS.get(teller, lambda record, lang: "\n".join(rg.sentences(record, lang)))

    assert plain(alarm(fact).of(language)) in plain(tell(cmp, language))
    assert fact.statement.of(language) in rg.diagnose(cmp, language=language)["suspicious-input"].seen
