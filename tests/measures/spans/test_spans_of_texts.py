"""From texts to numbers: gold and pieces that are located by what they say, in documents of every script."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from oracle.naive_spans import NAIVE, Case
from rankgauge.measures.grammar import parse_ranking

MEASURES = [
    parse_ranking(m) for m in ("SpanRecall@2", "SpanRecall", "SpanPrecision@2", "SpanIoU", "SpanF", "NeedRecall")
]
SIGNS = [
    *("a", "b", " ", "\r\n", "\n", "，", "字", "词", "語"),
    "e\N{COMBINING ACUTE ACCENT}",
    "\N{GRINNING FACE}",
    "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}",  # one picture, three characters
    "\N{REGIONAL INDICATOR SYMBOL LETTER D}\N{REGIONAL INDICATOR SYMBOL LETTER E}",
    "\N{CJK UNIFIED IDEOGRAPH-20000}",  # two units of UTF-16, four bytes
]
Place = tuple[str, int, int]


@st.composite
def documents(draw: st.DrawFn) -> dict[str, str]:
    texts = draw(
        st.lists(st.lists(st.sampled_from(SIGNS), min_size=2, max_size=20).map("".join), min_size=1, max_size=3)
    )
    return {f"d{i}": text for i, text in enumerate(texts)}


@st.composite
def parts(draw: st.DrawFn, docs: dict[str, str]) -> str:
    """What some characters of a document say; the cut may go through what a reader sees as one sign."""
    text = docs[draw(st.sampled_from(sorted(docs)))]
    start = draw(st.integers(0, len(text) - 1))
    return text[start : draw(st.integers(start + 1, len(text)))]


def places_of(text: str, docs: dict[str, str]) -> Iterator[Place]:
    """Everywhere it stands; copies that overlap are one."""
    for doc, whole in docs.items():
        at = 0
        while at + len(text) <= len(whole):
            if all(whole[at + i] == c for i, c in enumerate(text)):
                yield doc, at, at + len(text)
                at += len(text)
            else:
                at += 1


@given(data=st.data(), docs=documents())
@settings(max_examples=60, deadline=None)
def test_what_texts_cover_is_what_sets_of_their_characters_tell(data: st.DataObject, docs: dict[str, str]):
    some = parts(docs).filter(lambda text: text.strip() != "")
    gold = data.draw(st.lists(some, min_size=1, max_size=3))
    pieces = data.draw(st.lists(some, min_size=1, max_size=4))
    spans = rg.Spans({"q": gold}, documents=docs)
    chunks = rg.Chunks({"q": pieces}, documents=docs)
    naive = Case(
        [(1.0, [[place] for place in places_of(text, docs)]) for text in gold],
        [next(places_of(text, docs)) for text in pieces],
    )

    ev = rg.evaluate(spans, chunks, MEASURES)

    for m in MEASURES:
        assert ev[str(m)] == pytest.approx(NAIVE[m.name](m, naive), abs=1e-12), m
    for x in spans.located:  # offsets are those of Python strings
        assert x.doc_id is not None
        assert docs[x.doc_id][x.start : x.end] == x.text
        assert x.how == "exact"


@given(docs=documents(), size=st.integers(1, 7))
@settings(max_examples=30, deadline=None)
def test_a_document_in_pieces_of_any_size_covers_all_of_its_gold(docs: dict[str, str], size: int):
    doc, text = next(iter(docs.items()))
    cut = [(doc, i, min(i + size, len(text))) for i in range(0, len(text), size)]

    ev = rg.evaluate(rg.Spans({"q": [(doc, 0, len(text))]}), {"q": cut}, ["SpanRecall", "SpanPrecision", "SpanIoU"])

    assert [ev[m] for m in ev.labels] == [1, 1, 1]


@pytest.mark.parametrize(
    ("document", "quoted", "start", "end", "how"),
    [
        ("one\r\ntwo\r\nthree", "two\nthree", 5, 15, "normalised"),  # the line ends of another system
        ("caf\N{LATIN SMALL LETTER E WITH ACUTE} au lait", "cafe\N{COMBINING ACUTE ACCENT} au", 0, 7, "normalised"),
        ("第１章　检索", "第1章 检索", 0, 6, "normalised"),  # widths of letters
        ("\N{GRINNING FACE}\N{GRINNING FACE} yes \N{GRINNING FACE}", "yes \N{GRINNING FACE}", 3, 8, "exact"),
        ("a\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}b", "\N{GIRL}b", 3, 5, "exact"),  # a part of a picture
        ("\N{CJK UNIFIED IDEOGRAPH-20000}字典", "字典", 1, 3, "exact"),  # not 2, as UTF-16 has it
    ],
)
def test_offsets_count_characters_of_python_strings(document: str, quoted: str, start: int, end: int, how: str):
    (found,) = rg.Spans({"q": [quoted]}, documents={"d": document}).located

    assert (found.start, found.end, found.how) == (start, end, how)
