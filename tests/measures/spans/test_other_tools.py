"""Where other tools in use count otherwise: a case for each of their defects, worked out by hand, and ours beside it.

Definitions are those of their sources as they were read, written down naively here. Studies that report such
numbers cannot be repeated: their corpora and questions are not at hand.
"""

from __future__ import annotations

from collections import Counter
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg

Place = tuple[int, int]


def chars(places: list[Place]) -> set[int]:
    return {i for start, end in places for i in range(start, end)}


def length(places: list[Place]) -> int:
    return sum(end - start for start, end in places)


def chunking_evaluation(gold: list[Place], pieces: list[Place], every: list[Place]) -> dict[str, float]:
    """Chroma's `chunking_evaluation`: unions above the line, sums below it; for Ω all chunks that touch gold."""
    hit = len(chars(gold) & chars(pieces))
    missed = len(chars(gold) - chars(pieces))
    near = [(s, e) for s, e in every if any(s <= b and a <= e for a, b in gold)]
    of_near = len(chars(gold) & chars(near))
    return {
        "recall": hit / length(gold),
        "precision": hit / length(pieces),
        "iou": hit / (length(pieces) + missed),
        "omega": of_near / (length(near) + len(chars(gold) - chars(near))),
    }


def legalbench(gold: list[Place], pieces: list[Place]) -> dict[str, float]:
    """LegalBench-RAG: overlaps of every piece with every gold span, summed."""
    overlap = sum(max(0, min(e, b) - max(s, a)) for s, e in pieces for a, b in gold)
    return {"recall": overlap / length(gold), "precision": overlap / length(pieces)}


def autorag_token_recall(gold: list[str], pieces: list[str]) -> float:
    """AutoRAG's `retrieval_token_recall`: the best gold for each retrieved passage, mean over these."""

    def recall(text: str, wanted: str) -> float:
        common = Counter(text.split()) & Counter(wanted.split())
        return common.total() / len(wanted.split())

    return fmean(max(recall(text, wanted) for wanted in gold) for text in pieces)


def ours(gold: list[Place], pieces: list[Place], every: list[Place] | None = None) -> dict[str, float]:
    """One need that consists of all gold, as a reference with several parts is one there."""
    rows = [{"query_id": "q", "doc_id": "d", "start": s, "end": e, "need": "all"} for s, e in gold]
    table = {f"c{i}": ("d", s, e) for i, (s, e) in enumerate(every if every is not None else pieces)}
    place = {tuple(where[1:]): name for name, where in table.items()}
    chunks = rg.Chunks({"q": [place[p] for p in pieces]}, chunks=table)
    measures = {"recall": "SpanRecall", "precision": "SpanPrecision", "iou": "SpanIoU", "omega": "SpanOmega"}
    ev = rg.evaluate(rg.Spans(rows), chunks, list(measures.values()))
    return {name: ev[m] for name, m in measures.items()}


def test_recall_does_not_pass_1_where_pieces_overlap():
    gold, pieces = [(10, 20)], [(0, 30), (5, 35)]

    assert legalbench(gold, pieces)["recall"] == (10 + 10) / 10  # 2
    assert ours(gold, pieces)["recall"] == 10 / 10


def test_gold_that_is_sent_twice_is_no_more_of_it():
    gold, pieces = [(10, 20)], [(0, 30), (5, 35)]

    assert legalbench(gold, pieces)["precision"] == (10 + 10) / (30 + 30)
    assert ours(gold, pieces)["precision"] == 10 / (30 + 30)  # and both are paid for


def test_overlapping_gold_can_be_found_as_a_whole():
    gold, pieces = [(10, 20), (15, 25)], [(0, 40)]

    assert chunking_evaluation(gold, pieces, pieces)["recall"] == 15 / (10 + 10)  # all of it is there
    assert ours(gold, pieces)["recall"] == 15 / 15


def test_chunks_that_touch_gold_hold_none_of_it():
    gold, every = [(10, 20)], [(0, 10), (10, 20), (20, 30)]

    assert chunking_evaluation(gold, [(10, 20)], every)["omega"] == 10 / (10 + 10 + 10)
    assert ours(gold, [(10, 20)], every)["omega"] == 10 / 10


def test_a_useless_passage_lowers_precision_and_not_recall():
    gold, useful, useless = ["shoes are washed cold"], "shoes are washed cold", "returns are free"

    assert autorag_token_recall(gold, [useful]) == 1
    assert autorag_token_recall(gold, [useful, useless]) == (1 + 1 / 4) / 2
    docs = {"d": useful, "e": useless}
    spans = rg.Spans({"q": gold}, documents=docs)
    one, two = (
        rg.evaluate(spans, rg.Chunks({"q": texts}, documents=docs), ["SpanRecall", "SpanPrecision"])
        for texts in ([useful], [useful, useless])
    )
    assert (one["SpanRecall"], two["SpanRecall"]) == (1, 1)
    assert two["SpanPrecision"] == len(useful) / (len(useful) + len(useless)) < one["SpanPrecision"]


@given(cuts=st.lists(st.integers(1, 60), min_size=4, max_size=12, unique=True), data=st.data())
@settings(max_examples=60, deadline=None)
def test_where_nothing_overlaps_or_touches_the_numbers_are_theirs(cuts: list[int], data: st.DataObject):
    edges = sorted(2 * c for c in cuts)
    gold = [(a, b - 1) for a, b in zip(edges[::2], edges[1::2], strict=False)]  # apart from each other
    size = data.draw(st.integers(3, 30))
    every = [(i, i + size) for i in range(0, 130, size)]
    pieces = data.draw(st.lists(st.sampled_from(every), min_size=1, max_size=5, unique=True))

    mine, theirs = ours(gold, pieces, every), chunking_evaluation(gold, pieces, every)

    for name in ("recall", "precision", "iou"):
        assert mine[name] == pytest.approx(theirs[name]), name
    summed = legalbench(gold, pieces)
    assert mine["recall"] == pytest.approx(summed["recall"])
    assert mine["precision"] == pytest.approx(summed["precision"])
    if not any(e == a or s == b for s, e in every for a, b in gold):
        assert mine["omega"] == pytest.approx(theirs["omega"])
