"""Texts are found where they stand: exactly, in another spelling, or with few edits; and nowhere else."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankgauge.data.locating import Documents, Found, Normal, nearest

TEXT = "First line.\r\nSecond “line”, with 🙂 emoji — and ｗｉｄｅ letters. Café, cafe\u0301."


def found(text: str, document: str = TEXT, **options):
    return Documents({"d": document}).locate(text, **options)


@pytest.mark.parametrize(
    ("text", "part", "how"),
    [
        ("Second “line”", "Second “line”", "exact"),
        ("🙂 emoji", "🙂 emoji", "exact"),
        ("line.\r\nSecond", "line.\r\nSecond", "exact"),
        ("line. second", "line.\r\nSecond", "normalised"),
        ('second "line"', "Second “line”", "normalised"),
        ("emoji - and wide letters", "emoji — and ｗｉｄｅ letters", "normalised"),
        ("with 🙂 emojis, and wide", "with 🙂 emoji — and ｗｉｄｅ", "fuzzy"),
    ],
)
def test_a_text_is_found_in_the_strictest_way_there_is(text, part, how):
    first = found(text)[0]

    assert (TEXT[first.start : first.end], first.how) == (part, how)


def test_both_ways_to_compose_an_accent_are_one():
    assert [TEXT[f.start : f.end] for f in found("CAFÉ")] == ["Café", "cafe\u0301"]


def test_a_letter_is_not_cut_from_its_accent():
    assert found("cafe", "Café") == []
    assert found("of", "oﬃce") == []


def test_all_places_of_an_exact_text_are_found_and_overlapping_copies_are_one():
    docs = Documents({"a": "xx yy xx", "b": "xx", "c": "xxx"})

    assert docs.locate("xx") == [Found("a", 0, 2), Found("a", 6, 8), Found("b", 0, 2), Found("c", 0, 2)]
    assert docs.locate("xx", "b") == [Found("b", 0, 2)]


def test_nothing_is_found_of_nothing():
    assert found("") == found(" \t\u200b") == []


def test_the_nearest_document_is_taken_whatever_the_order():
    texts = {"far": "the quick brown dogs jumped over", "near": "the quick brown fox jumps over", "none": "zzz"}
    for order in (list(texts), list(texts)[::-1]):
        (only,) = Documents({d: texts[d] for d in order}).locate("the quick brown fox jumped over")
        assert (only.doc_id, only.how, only.score) == ("near", "fuzzy", pytest.approx(1 - 2 / 26))


def test_what_is_less_alike_than_asked_is_not_found():
    assert found("wholly other words here") == []
    assert found("with 🙂 emojis, and wide", least=0.99) == []


def edits(a: str, b: str) -> int:
    """The edit distance, cell by cell."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        new = [i]
        for j, y in enumerate(b, 1):
            new.append(min(new[-1] + 1, row[j] + 1, row[j - 1] + (x != y)))
        row = new
    return row[-1]


@given(st.text("abc", min_size=1, max_size=6), st.text("abc", max_size=12))
@settings(max_examples=200, deadline=None)
def test_no_part_of_a_text_is_nearer(pattern, text):
    every = [edits(pattern, text[i:j]) for i in range(len(text) + 1) for j in range(i, len(text) + 1)]
    near = nearest(pattern, text, len(pattern))

    assert near is not None
    start, end, least = near
    assert edits(pattern, text[start:end]) == least == min(every)


@given(st.text(min_size=1, max_size=30), st.text(max_size=30), st.text(max_size=30))
@settings(max_examples=200, deadline=None)
def test_a_text_is_found_in_every_spelling_of_it(text, before, after):
    other = unicodedata.normalize("NFKC", f"{before} {text} {after}".upper())
    if not Normal(text).text or Normal(text).text not in Normal(other).text:
        return  # upper case is no spelling of every letter
    for f in Documents({"d": other}).locate(text):
        if f.how != "fuzzy":
            assert Normal(other[f.start : f.end]).text.startswith(Normal(text).text)
