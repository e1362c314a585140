"""The census of measures of spans: their definitions over sets of characters, their records, their laws."""

from __future__ import annotations

import math
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from oracle.naive_spans import NAIVE, Case
from rankgauge._text import Text
from rankgauge.alignment.covered import aligned_of, covered_of
from rankgauge.data.chunks import Piece
from rankgauge.data.spans import Need, merged
from rankgauge.errors import ParameterError
from rankgauge.measures.explanation import explain
from rankgauge.measures.grammar import parse, parse_ranking
from rankgauge.measures.spans import SPANS, families

VARIANTS = [
    parse_ranking(text)
    for text in (
        *(f"{name}@2" for name, cls in SPANS.measures.items() if "k" in cls.params),
        *SPANS.measures,
        *("SpanF(beta=2)@3", "NeedRecall(reach=0.5)@3"),
    )
]
each = pytest.mark.parametrize("m", VARIANTS, ids=str)
each_class = pytest.mark.parametrize("cls", list(SPANS.measures.values()), ids=lambda cls: cls.name)

DOCS = "ab"


@st.composite
def places(draw, longest: int = 12):
    start = draw(st.integers(0, 10))
    return draw(st.sampled_from(DOCS)), start, start + draw(st.integers(1, longest))


@st.composite
def cases(draw, least: int = 1):
    """Needs and pieces that overlap, repeat, nest and touch."""
    alternative = st.lists(places(6), min_size=1, max_size=2)
    need = st.tuples(st.sampled_from([1.0, 2.0, 0.5]), st.lists(alternative, min_size=1, max_size=2))
    needs = draw(st.lists(need, min_size=least, max_size=3))
    pieces = draw(st.lists(places(), max_size=5))
    if pieces and draw(st.booleans()):
        pieces.append(pieces[0])
    return Case(needs, pieces, draw(st.lists(places(), max_size=4)))


def rows(x: Case):
    return [
        {"query_id": "q", "doc_id": d, "start": s, "end": e, "grade": g, "need": j, "alternative": a}
        for j, (g, alternatives) in enumerate(x.needs)
        for a, alternative in enumerate(alternatives)
        for d, s, e in alternative
    ]


def covered(x: Case, reach: float = 1):
    """Without the way through tables, which takes longer than all the rest."""
    spans, chunks = object.__new__(rg.Spans), object.__new__(rg.Chunks)
    needs = tuple(Need(g, tuple(map(merged, alternatives))) for g, alternatives in x.needs)
    spans.needs, spans.reach = {"q": needs}, reach
    chunks.lists = {"q": tuple(Piece(*p) for p in x.pieces)}
    chunks.inventory = tuple(Piece(*p) for p in x.chunks)
    return covered_of(spans, chunks)


@given(x=cases())
@settings(max_examples=10, deadline=None)
def test_what_tables_hold_is_what_was_written_into_them(x):
    needs = rg.Spans(rows(x)).needs["q"]
    lists = rg.Chunks({"q": list(x.pieces), "p": [("a", 0, 1)]}).lists["q"]

    assert [n.grade for n in needs] == [g for g, _ in x.needs]
    assert [list(n.alternatives) for n in needs] == [
        list(dict.fromkeys(merged(a) for a in alternatives)) for _, alternatives in x.needs
    ]
    assert lists == tuple(Piece(*p) for p in x.pieces)


# numbers


def test_every_measure_has_its_naive_definition_and_is_tried():
    assert {m.name for m in VARIANTS} == set(SPANS.measures) == set(NAIVE)


@each
@given(x=cases())
@settings(max_examples=30, deadline=None)
def test_values_are_those_of_sets_of_characters_and_inside_their_bounds(m, x):
    (value,) = m.of_cover(covered(x))
    low, high = m.bounds

    assert value == pytest.approx(NAIVE[m.name](m, x), rel=1e-12, abs=1e-12)
    assert low <= value <= high


@given(x=cases())
@settings(max_examples=50, deadline=None)
def test_places_tell_what_sets_of_characters_tell(x):
    c = covered(x)
    for k in range(1, len(x.pieces) + 1):
        before, after = x.context(k - 1), x.context(k)
        assert c.new[k - 1] == len(after - before)
        assert c.hit[k - 1] == len((after - before) & x.gold)
        assert c.missed[k - 1] == x.missed(k)
        assert c.touches[k - 1] == bool(x.context(k) & x.gold and set_of(x.pieces[k - 1]) & x.gold)
    assert c.gold[0] == x.missed(0)


def set_of(place):
    return {(place[0], i) for i in range(place[1], place[2])}


# laws


@given(x=cases(), more=places())
@settings(max_examples=50, deadline=None)
def test_recall_never_passes_1_and_another_piece_never_lowers_it(x, more):
    c, longer = covered(x), covered(Case(x.needs, [*x.pieces, more], x.chunks))
    for m in (parse_ranking("SpanRecall"), parse_ranking("NeedRecall")):
        assert m.of_cover(c)[0] <= m.of_cover(longer)[0] <= 1


@given(x=cases(), data=st.data())
@settings(max_examples=50, deadline=None)
def test_a_piece_cut_in_two_covers_the_same(x, data):
    if not x.pieces:
        return
    i = data.draw(st.integers(0, len(x.pieces) - 1))
    doc, start, end = x.pieces[i]
    if end - start < 2:
        return
    at = data.draw(st.integers(start + 1, end - 1))
    halves = Case(x.needs, [*x.pieces[:i], (doc, start, at), (doc, at, end), *x.pieces[i + 1 :]], x.chunks)
    for name in ("SpanRecall", "SpanPrecision", "SpanIoU", "NeedRecall", "Duplication"):
        m = parse_ranking(name)
        assert m.of_cover(covered(halves))[0] == pytest.approx(m.of_cover(covered(x))[0], abs=1e-12)


def test_pieces_that_touch_gold_hold_none_of_it():
    c = covered(Case([(1.0, [[("a", 5, 9)]])], [("a", 0, 5), ("a", 9, 12)]))

    assert c.touches.tolist() == [False, False]
    assert c.hit.tolist() == [0, 0]


@given(x=cases(), reach=st.sampled_from([1, 0.5]))
@settings(max_examples=50, deadline=None)
def test_the_alignment_finds_each_need_where_its_share_first_reaches_enough(x, reach):
    a = aligned_of(covered(x, reach)).alignment
    first = []
    for j in range(len(x.needs)):
        ranks = [k for k in range(1, len(x.pieces) + 1) if x.share(j, k) >= reach]
        first.append(ranks[0] if ranks else 0)

    assert a.n_relevant(0.1).tolist() == [len(x.needs)]
    for k in range(1, len(x.pieces) + 1):
        assert a.found(0.1, k)[0] == sum(0 < r <= k for r in first)
        assert a.hits(0.1, k)[0] == len({r for r in first if 0 < r <= k})
    assert a.gains is not None
    assert (a.gains.grade > 0).all()
    shown = a.gains.rank > 0
    total = sum(g * x.share(j, None) for j, (g, _) in enumerate(x.needs))
    assert a.gains.grade[shown].sum() == pytest.approx(total)


@given(x=cases())
@settings(max_examples=100, deadline=None)
def test_no_list_beats_the_ideal_list(x):
    a = aligned_of(covered(x)).alignment
    for text in ("nDCG", "nDCG@1", "nDCG@2", "nDCG(gain=exponential)", "nDCG(discount=jk)", "nDCG(ideal=uncut)@2"):
        assert parse_ranking(text).values(a)[0] <= 1 + 1e-12
    for text in ("P@1", "P@2", "R@1", "R@3", "F@2", "AP", "RR", "SetAP", "SetF", "RBP", "RBP(graded=max)", "ERR"):
        m = parse_ranking(text)
        assert 0 <= m.bind(m.reading(a)).values(a)[0] <= 1 + 1e-12


def test_whole_documents_in_the_best_order_are_ideal():
    gold = {"q": [("a", 0, 10), ("a", 40, 50), ("b", 5, 9)]}
    best, other = {"q": [("a", 0, 99), ("b", 0, 99)]}, {"q": [("b", 0, 99), ("a", 0, 99)]}

    assert rg.evaluate(rg.Spans(gold), best, "nDCG@5")["nDCG@5"] == 1
    dcg, ideal = 1 + 2 / math.log2(3), 2 + 1 / math.log2(3)
    assert rg.evaluate(rg.Spans(gold), other, "nDCG@5")["nDCG@5"] == pytest.approx(dcg / ideal)


def test_a_need_with_alternatives_in_two_documents_asks_for_one_of_them():
    gold = [{"query_id": "q", "doc_id": d, "start": 0, "end": 9, "need": "n", "alternative": d} for d in ("a", "b")]
    first, later = {"q": [("b", 0, 9)]}, {"q": [("c", 0, 9), ("a", 0, 9), ("b", 0, 9)]}

    assert rg.evaluate(rg.Spans(gold), first, "nDCG")["nDCG"] == 1
    assert rg.evaluate(rg.Spans(gold), later, "nDCG")["nDCG"] == pytest.approx(1 / math.log2(3))


# records


@each_class
def test_worked_examples_come_to_what_their_arithmetic_says(cls):
    case = cls.example
    chunks = None if case.chunks is None else dict(enumerate(case.chunks))
    pieces = {"q": case.pieces}

    assert cls(**case.params).of({"q": case.needs}, pieces, chunks) == pytest.approx(eval(case.sum))


@each_class
def test_records_are_in_both_languages_and_explain_themselves(cls):
    for text in (cls.title, cls.question, cls.formula, cls.edges, cls.family):
        assert isinstance(text, Text)
    shown = str(explain(cls()))

    assert cls.name in shown
    assert cls.example.sum in shown


@each
def test_a_measure_is_a_value(m):
    assert parse(str(m)) == m == pickle.loads(pickle.dumps(m))
    assert {m: 1}[parse_ranking(str(m))] == 1


def test_the_family_is_found_by_its_words():
    assert {m.name for m in rg.measures("Spans:")} == set(SPANS.measures)
    assert {cls for members in families().values() for cls in members} == set(SPANS.measures.values())
    assert parse_ranking("片段召回率@5") == parse_ranking("SpanRecall@5") == parse_ranking("span_recall@5")


@each_class
def test_judged_documents_have_no_spans(cls):
    with pytest.raises(ParameterError, match=r"is about spans of documents, and gold here is ids"):
        rg.evaluate({"q": ["a"]}, {"q": ["a"]}, cls.name)


def test_a_query_without_needs_is_left_out_of_all_but_duplication():
    gold = rg.Spans({"q": [("a", 0, 5)], "p": []})
    ev = rg.evaluate(gold, {"q": [("a", 0, 5)], "p": [("a", 0, 9), ("a", 0, 9)]}, ["SpanRecall", "R", "Duplication"])

    assert ev.per_query["SpanRecall"].to_list()[0] == 1
    assert [c.n for c in ev.columns] == [1, 1, 2]
    assert ev["Duplication"] == 0.25
