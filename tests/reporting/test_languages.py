"""Every page in English and Chinese: all words in both, the same numbers in both."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from shown_records import RECORDS, record

import rankgauge as rg
from rankgauge._records import HOMES
from rankgauge._text import LANGUAGES, Text, in_language
from rankgauge.diagnosis.standards import load_standards
from rankgauge.reporting import render, sections
from rankgauge.reporting.grid import Section, said
from rankgauge.reporting.plain_text import plain
from rankgauge.reporting.scenarios import sections_of_scenario, sections_of_scenarios
from rankgauge.reporting.words import counted, phrase

RUN_OF_WORDS = re.compile(r"\b[a-z]{2,}(?:[ ,;:]+[a-z]{2,}){2,}\b")
NAMES = re.compile(r"`[^`]*`|retrieval-quality guide|search and ranking metrics")

WHOLE = {
    "split of lists",
    "confusion matrix",
    "movement",
    "audit",
    "explanation",
    "no findings",
    "identifiability",
    "identifiability of a part",
    "trend of nothing",
    "alerts of nothing",
}
"""Records without a number that has decimals."""


def pieces(made: list[Section], language: str) -> Iterator[str]:
    """Everything that a page says in words; cells of measures' own records left out."""
    for s in said(made, language):
        yield s.title
        yield from s.notes
        yield from s.warnings
        if s.grid is not None:
            yield from s.grid.header
            yield from (c.text for row in s.grid.rows for c in row)


def test_every_record_of_behaviour_has_its_place_here():
    kinds = {kind for kind, home in HOMES.items() if home.startswith(("behavior.", "experiments."))}

    assert {"cleaned", "judgements", "position_bias", "off_policy", "agreement"} < kinds
    assert kinds - {record(name).kind for name in RECORDS} == set()


@pytest.mark.parametrize("name", RECORDS)
def test_no_english_sentence_is_left_in_chinese(name: str):
    left = [t for t in pieces(sections(record(name)), "zh") if RUN_OF_WORDS.search(NAMES.sub("", t))]

    assert left == []


@pytest.mark.parametrize("name", RECORDS)
def test_titles_and_headers_are_in_both_languages(name: str):
    for s in sections(record(name)):
        for word in (s.title, *(s.grid.header if s.grid is not None else ())):
            if re.fullmatch(r"[a-z]{4,}( [a-z]+)+", word):
                assert isinstance(word, Text), word
                assert re.search(r"[\u4e00-\u9fff]", word.zh), word


@pytest.mark.parametrize("name", RECORDS)
def test_both_languages_show_the_same_numbers(name: str):
    numbers = {
        language: sorted(re.findall(r"\d+\.\d+", " ".join(pieces(sections(record(name)), language))))
        for language in LANGUAGES
    }

    assert numbers["zh"] == numbers["en"]
    assert name in WHOLE or numbers["en"]


@pytest.mark.parametrize("name", RECORDS)
@pytest.mark.parametrize("form", ["text", "markdown", "latex", "html"])
def test_english_is_what_is_shown_unless_asked(name: str, form: str):
    assert render(record(name), form) == render(record(name), form, "en")
    assert not re.search(r"[\u4e00-\u9fff]", render(record(name), form))
    if form != "latex":
        assert re.search(r"[\u4e00-\u9fff]", render(record(name), form, "zh"))


def test_the_verdict_is_a_sentence_in_both_languages():
    first, *_ = sections(record("comparison uncorrected"))

    assert first.title.startswith("top is better than old: nDCG@10 0.6150 → 0.9502, difference +0.3352 (+0.3112 … ")
    assert isinstance(first.title, Text)
    assert first.title.zh.startswith(
        "top 优于 old：nDCG@10 0.6150 → 0.9502，差值 +0.3352（+0.3112 … +0.3592），39 个查询"
    )


def test_findings_and_readings_made_in_english_can_be_shown_in_chinese():
    found, read = record("findings"), record("reading")

    assert "为什么重要" in render(found, "text", "zh")
    assert "排序能力好，但概率不准：需要校准。" in render(read, "text", "zh")
    assert "The order is good, the probabilities are off: calibrate." in render(read, "text")


def test_findings_and_readings_made_in_chinese_are_shown_in_chinese():
    ev = rg.evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["c", "a"]}, ["RR"], missing="zero")
    found = rg.diagnose(ev, language="zh")
    read = rg.reading(record("prediction evaluation"), language="zh")

    assert "现象" in str(found)
    assert str(found.all[0].title) == "有的查询没有结果"
    assert str(read) == render(record("reading"), "text", "zh").rstrip("\n")
    words = (read.headline, *read.advice, *(e.says for e in read.evidence))
    assert [x for x in words if str(x) != in_language(x, "zh")] == []


def test_an_english_reading_is_made_of_texts():
    read = record("reading")

    assert {type(x) for x in (read.headline, *read.advice, *(e.says for e in read.evidence))} == {Text}


def test_scenarios_speak_both_languages():
    standards = load_standards()
    for made in (sections_of_scenarios(standards), *(sections_of_scenario(standards, n) for n in standards.scenarios)):
        left = [t for t in pieces(made, "zh") if RUN_OF_WORDS.search(NAMES.sub("", t))]
        assert [t for t in left if re.search(r"[.!?]$", t)] == []
    assert plain(sections_of_scenario(standards, "faq"), "zh") == plain(sections_of_scenario(standards, "faq", "zh"))


def test_what_a_run_was_read_as_is_said_in_both_languages(tmp_path):
    (tmp_path / "run.csv").write_text("qid,docno,sim\nq1,a,1\n")
    ev = rg.evaluate({"q1": {"a": 1}}, tmp_path / "run.csv", "RR")

    assert "read 'qid' as query_id" in str(ev)
    assert "把列 'qid' 读作 query_id" in render(ev, "text", "zh")


def test_counts_have_no_plural_in_chinese():
    assert counted(1, "query", "个查询") == "1 query"
    assert counted(1200, "query", "个查询").zh == "1,200 个查询"
    assert phrase("{} of {}", "{1} 中的 {0}", counted(1, "row", "行"), 3).zh == "3 中的 1 行"


def test_every_check_of_an_audit_explains_itself_in_both_languages():
    from rankgauge.data.audit.registry import CHECKS

    for check in CHECKS.values():
        for text in (check.why, check.try_):
            assert isinstance(text, Text), check.code
            assert re.search(r"[\u4e00-\u9fff]", text.zh), check.code
