"""Every measure says in Chinese what it says in English."""

import re

import pytest

import rankgauge as rg
from rankgauge._text import Text
from rankgauge.measures import REGISTRY
from rankgauge.measures.classes import CLASSES
from rankgauge.measures.definition import Definition
from rankgauge.measures.predictions.base import PREDICTIONS
from rankgauge.measures.shown import SHOWN
from rankgauge.reporting import render, sections
from rankgauge.reporting.grid import Section

OWN = [cls for cls in REGISTRY.values() if not getattr(cls, "custom", False)] + [
    cls for kind in (PREDICTIONS, CLASSES, SHOWN) for cls in kind.measures.values()
]
HAN = "[\u4e00-\u9fff]"

each = pytest.mark.parametrize("cls", OWN, ids=lambda cls: f"{cls.__module__.rpartition('.')[2]}-{cls.name}")


WORDS = re.compile(r"\b[a-z]{2,}(?: [a-z]{2,})+\b")
NAMES = re.compile(r"ln max|for i in range|single hit|ranx hits|normalized entropy")
"""Of functions, modes and tools."""


def texts_of(cls: type[Definition]) -> dict[str, str]:
    """All that a measure says in words, by where it says it."""
    record = {"title": cls.title, "question": cls.question, "edges": cls.edges}
    said = {**record, **{f"parameter {name}": p.doc for name, p in cls.params.items()}}
    return {name: text for name, text in said.items() if text}


def notes_of(cls: type[Definition]) -> list[str]:
    """The formula, and what is said of other tools: mostly names and signs, with some words between."""
    return [cls.formula, *cls.same, *cls.same.values(), *cls.differs, *cls.differs.values()]


def numbers_in(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:\.\d+)?", text))


def settings_in(text: str) -> set[str]:
    """What a reader could type, such as norm=min or P@k."""
    return set(re.findall(r"[A-Za-z_]\w*[=@][\w.]*\w", text))


def test_there_are_measures_of_both_kinds():
    assert len(OWN) >= 62 + 28


@each
def test_every_text_is_there_in_chinese(cls):
    assert {"title", "question"} <= texts_of(cls).keys()
    assert isinstance(cls.family, Text)
    assert [name for name, t in texts_of(cls).items() if not isinstance(t, Text) or not re.search(HAN, t.zh)] == []


@each
def test_question_is_a_question_and_edges_are_sentences(cls):
    assert cls.question.zh.endswith("？")
    assert not cls.edges or cls.edges.zh.endswith("。")


@each
def test_numbers_and_settings_are_the_same_in_chinese(cls):
    for name, text in texts_of(cls).items():
        assert numbers_in(text.en) <= numbers_in(text.zh), name
        assert settings_in(text.en) == settings_in(text.zh), name


@each
def test_formula_and_notes_say_the_same_in_chinese(cls):
    for text in notes_of(cls):
        if isinstance(text, Text):
            assert numbers_in(text.en) <= numbers_in(text.zh), text
            assert settings_in(text.en) == settings_in(text.zh), text


@each
def test_no_words_of_english_are_left_in_chinese(cls):
    said = (t for s in sections(rg.explain(cls(**cls.example.params))) for t in pieces(s) if t != cls.reference)
    left = [t.zh if isinstance(t, Text) else t for t in said]

    assert [t for t in left if WORDS.search(NAMES.sub("", t))] == []


def pieces(s: Section) -> list[str]:
    cells = [] if s.grid is None else [*s.grid.header, *(c.text for row in s.grid.rows for c in row)]
    return [s.title, *s.notes, *cells]


@each
def test_chinese_is_set_as_chinese(cls):
    notes = {t: t for t in (*notes_of(cls), cls.family) if isinstance(t, Text)}
    for name, text in (texts_of(cls) | notes).items():
        assert re.findall(f"{HAN}[A-Za-z0-9]|[A-Za-z0-9]{HAN}", text.zh) == [], f"{name}: a space between the scripts"
        narrow = ",.;:?!" if text is cls.formula else ",.;:?!()"  # where parentheses are signs
        assert re.findall(f"{HAN}[{narrow}]|[{narrow}]{HAN}", text.zh) == [], f"{name}: wide punctuation"
        assert "  " not in text.zh


@each
def test_explanation_is_shown_in_either_language(cls):
    record = rg.explain(cls(**cls.example.params))
    shown = {language: render(record, "text", language=language) for language in ("en", "zh")}

    for language, page in shown.items():
        assert f"{record.measure} — {cls.title.of(language)}\n" in page
        assert all(text.of(language) in page for text in texts_of(cls).values())
    assert cls.question.en not in shown["zh"]


def test_edges_of_a_family_follow_those_of_the_measure_in_both_languages():
    edges = REGISTRY["NERR8"].edges

    assert edges.en.startswith("Unlike ERR its weights sum to 1, so a list of results that satisfy reaches 1. The ")
    assert edges.zh.startswith("与 ERR 不同")
    assert edges.en.endswith(REGISTRY["INSQ"].edges.en)
    assert edges.zh.endswith(REGISTRY["INSQ"].edges.zh)
