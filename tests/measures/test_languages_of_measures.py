"""Every measure says in Chinese what it says in English."""

import re

import pytest

import rankgauge as rg
from rankgauge._text import Text
from rankgauge.measures import REGISTRY
from rankgauge.measures.definition import Definition
from rankgauge.measures.predictions.base import PREDICTIONS
from rankgauge.reporting import render

OWN = [cls for cls in REGISTRY.values() if not getattr(cls, "custom", False)] + list(PREDICTIONS.measures.values())
HAN = "[\u4e00-\u9fff]"

each = pytest.mark.parametrize("cls", OWN, ids=lambda cls: f"{cls.__module__.rpartition('.')[2]}-{cls.name}")


def texts_of(cls: type[Definition]) -> dict[str, str]:
    """All that a measure says in words, by where it says it."""
    record = {"title": cls.title, "question": cls.question, "edges": cls.edges}
    said = {**record, **{f"parameter {name}": p.doc for name, p in cls.params.items()}}
    return {name: text for name, text in said.items() if text}


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
def test_chinese_is_set_as_chinese(cls):
    for name, text in texts_of(cls).items():
        assert re.findall(f"{HAN}[A-Za-z0-9]|[A-Za-z0-9]{HAN}", text.zh) == [], f"{name}: a space between the scripts"
        assert re.findall(f"{HAN}[,.;:?!()]|[,.;:?!()]{HAN}", text.zh) == [], f"{name}: wide punctuation"
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
