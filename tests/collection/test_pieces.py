"""Live retrievers that give pieces of documents, judged by spans."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import rankgauge as rg
from rankgauge._text import zh
from rankgauge.collection.pieces import Part, PieceReader
from rankgauge.data.locating import Documents
from rankgauge.errors import InputError, ParameterError

DOCS = {"d1": "Shoes are washed cold. Never tumble dry them.", "d2": "Boots need wax twice a year. 靴子要打蜡。"}
GOLD = rg.Spans(
    [
        {"question": "how to wash?", "gold": ["washed cold", "Never tumble dry"]},
        {"question": "when to wax?", "gold": "twice a year"},
    ],
    documents=DOCS,
)
WASH = (0, 22)  # "Shoes are washed cold."


def part(doc: str, start: int, end: int) -> str:
    return DOCS[doc][start:end]


def document(text: str, **metadata: Any) -> Any:
    return SimpleNamespace(page_content=text, metadata=metadata, id=None)


def node(doc: str, start: int, end: int) -> Any:
    """As LlamaIndex has it: a score beside a node, which knows its place."""
    inner = SimpleNamespace(
        ref_doc_id=doc, start_char_idx=start, end_char_idx=end, text=part(doc, start, end), metadata={}, node_id="n"
    )
    return SimpleNamespace(node=inner, score=0.5, text=inner.text, metadata={}, node_id="n")


@pytest.mark.parametrize(
    "result",
    [
        ("d1", 0, 22),
        ("d1", 0, 22, 0.7),
        ["d1", 0, 22],
        {"doc_id": "d1", "start": 0, "end": 22},
        ({"doc_id": "d1", "start": 0, "end": 22}, 0.3),
        {"text": part("d1", 0, 22), "metadata": {"source": "d1", "start_index": 0}},
        document(part("d1", 0, 22), source="d1", start_index=0),
        {"content": part("d1", 0, 22), "meta": {"source_id": "d1", "split_idx_start": 0}, "id": "hash"},
        node("d1", 0, 22),
    ],
    ids=str,
)
def test_a_result_says_which_part_it_is(result: Any):
    assert PieceReader(Documents(DOCS)).part_of(result, None, {}) == Part("d1", 0, 22)


@pytest.mark.parametrize(
    ("result", "known"),
    [
        ("d2", Part("d2", 0, len(DOCS["d2"]))),
        (("d2", 0.5), Part("d2", 0, len(DOCS["d2"]))),
        ({"id": "d2"}, Part("d2", 0, len(DOCS["d2"]))),
        ("washed cold", Part(None, None, None, "washed cold")),
        (document("washed cold"), Part(None, None, None, "washed cold")),
        (document("washed cold", source="d1"), Part("d1", None, None, "washed cold")),
        (document("washed cold", source="elsewhere", start_index=3), Part(None, None, None, "washed cold")),
    ],
    ids=str,
)
def test_what_is_not_said_is_left_to_be_located(result: Any, known: Part):
    assert PieceReader(Documents(DOCS)).part_of(result, None, {}) == known


def test_offsets_that_hold_another_text_count_for_nothing():
    odd: dict[str, int] = {}
    found = PieceReader(Documents(DOCS)).part_of(document("washed cold", source="d1", start_index=3), None, odd)

    assert found == Part("d1", None, None, "washed cold")
    assert odd == {"other_text": 1}


def test_the_key_of_the_document_can_be_said():
    result = document("washed cold", page="d1", source="d2")

    assert PieceReader(Documents(DOCS)).part_of(result, "page", {}).doc_id == "d1"
    assert PieceReader(Documents(DOCS)).part_of(result, lambda d: d.metadata["page"], {}).doc_id == "d1"


def by_place(query: str, k: int) -> list[Any]:
    return [("d1", *WASH), ("d2", 0, 10)] if "wash" in query else [("d2", 11, 28)]


def by_text(query: str) -> list[Any]:
    return [document(part(*x), source=x[0]) for x in by_place(query, 9)]


async def later(query: str) -> list[str]:
    return [part(*x) for x in by_place(query, 9)]


RECORDED = rg.Chunks({q: by_place(q, 9) for q in GOLD.query_ids})
WANTED = ["R@1", "R@5", "nDCG@5", "SpanRecall@5", "SpanPrecision@5", "SpanRecall@1"]


@pytest.mark.parametrize("retriever", [by_place, by_text, later])
def test_a_live_retriever_is_what_its_pieces_are(retriever: Any):
    live, recorded = rg.evaluate(GOLD, retriever, WANTED), rg.evaluate(GOLD, RECORDED, WANTED)

    assert live.per_query.equals(recorded.per_query)
    assert live["SpanRecall@5"] == pytest.approx((1 / 2 + 1) / 2)  # the second need of the first question is not met
    assert live.run == retriever.__name__


def test_times_and_failures_stand_beside_spans():
    def fails(query: str) -> Any:
        if "wax" in query:
            raise ConnectionError("no route")
        return by_place(query, 5)

    ev = rg.evaluate(GOLD, fails, ["SpanRecall@5", "latency.p50", "failures"])

    assert ev["failures"] == 0.5
    assert ev["SpanRecall@5"] == pytest.approx(1 / 4)  # a failure is an empty list
    assert ev["latency.p50"] > 0
    assert any("1 of 2 queries got no answer from fails" in note for note in ev.notes)
    with pytest.raises(ParameterError, match="needs times"):
        rg.evaluate(GOLD, RECORDED, ["latency.p50"])


def test_retrievers_of_several_chunk_sizes_are_compared_by_one_truth():
    docs = {f"d{i}": f"Answer {i} is {i * 7}. " + "Nothing else is said here. " * 4 for i in range(12)}
    gold = rg.Spans(
        [{"question": f"what is {i}?", "gold": f"Answer {i} is {i * 7}."} for i in range(12)], documents=docs
    )

    def chunker(size: int) -> Any:
        def ask(query: str) -> list[tuple[str, int, int]]:
            doc = f"d{query.split()[2].rstrip('?')}"
            return [(doc, 0, size)]

        return ask

    c = rg.compare(gold, {"8": chunker(8), "40": chunker(40)}, ["R@1", "SpanPrecision@1"], k=3)

    assert c.verdict("R@1", "40") == "better"
    assert c.verdict("SpanPrecision@1", "40") == "worse"


def test_a_collected_run_of_pieces_can_be_taken_up(tmp_path):
    asked: list[str] = []

    def counting(query: str) -> list[Any]:
        asked.append(query)
        return by_text(query)

    journal = tmp_path / "a.jsonl"
    first = rg.evaluate(GOLD, counting, WANTED, collect={"resume": journal})
    again = rg.evaluate(GOLD, counting, WANTED, collect={"resume": journal})

    assert len(asked) == 2
    assert again.per_query.equals(first.per_query)
    with pytest.raises(ParameterError) as e:  # those of pieces are no lists of ids
        rg.collect(list(GOLD.query_ids), counting, resume=journal)
    assert "collected with pieces=True" in e.value.text


def test_a_run_can_be_collected_with_documents_and_judged_later():
    run = rg.collect(GOLD, by_text, documents=DOCS)

    assert run.query_ids == GOLD.query_ids
    assert rg.evaluate(GOLD, run, WANTED).per_query.equals(rg.evaluate(GOLD, RECORDED, WANTED).per_query)
    assert run.collected is not None
    assert rg.evaluate(GOLD, rg.Chunks(run, documents=DOCS), "latency.p50")["latency.p50"] > 0


def test_results_that_are_nowhere_are_an_error_that_says_what_to_do():
    with pytest.raises(InputError) as e:
        rg.evaluate(GOLD, lambda query: ["chunk-17", "chunk-4"], "R@5")

    assert "no result of '<lambda>' stands in the documents of the spans" in e.value.text
    assert "没有一个出现在片段所在的文档中" in zh(e.value.text)


def test_one_that_is_nowhere_among_others_keeps_its_place():
    ev = rg.evaluate(GOLD, lambda query: ["chunk-17", *by_place(query, 5)], ["R@1", "R@3"])

    assert (ev["R@1"], ev["R@3"]) == (0.0, (1 / 2 + 1) / 2)
    assert any("2 of 2 retrieved texts were found in no document" in note for note in ev.notes)


def test_spans_without_questions_need_their_texts():
    gold = rg.Spans({"q1": [("d1", 0, 10)]}, documents=DOCS)

    with pytest.raises(InputError, match="every judged query must have a text to be asked"):
        rg.evaluate(gold, by_place, "R@5")
    assert rg.evaluate(gold, by_place, "R@5", queries={"q1": "how to wash?"})["R@5"] == 1.0


def test_spans_without_documents_take_places():
    gold = rg.Spans({"how to wash?": [("d1", 10, 21)]})

    assert rg.evaluate(gold, by_place, "R@5")["R@5"] == 1.0


def test_a_retriever_that_finds_nothing_at_all_has_zero():
    ev = rg.evaluate(GOLD, lambda query: None, ["R@5", "SpanRecall@5", "failures"])

    assert ev.mean() == {"R@5": 0.0, "SpanRecall@5": 0.0, "failures": 0.0}


SAYS_NOTHING = "1 result says nothing of where they stand or what they hold; they keep their places and cover nothing"
OUTSIDE = "1 result is an interval that is empty or ends behind the end of its document; they keep their places and"


@pytest.mark.parametrize(
    ("odd", "said"),
    [
        (None, SAYS_NOTHING),
        ("", SAYS_NOTHING),
        (("d1", -1, 22), SAYS_NOTHING),
        (("d1", "0", "9"), SAYS_NOTHING),
        (("d1", 0.5, 3), SAYS_NOTHING),
        ({"x": 1}, SAYS_NOTHING),
        (("d1", 0, 99_999), OUTSIDE),
        (("d1", 3, 3), OUTSIDE),
        ({"doc_id": "d1", "start": 0, "text": ""}, OUTSIDE),
        ("empty", OUTSIDE),
    ],
    ids=str,
)
def test_a_result_without_a_place_in_the_documents_keeps_that_in_the_list(tmp_path, odd, said):
    docs = {**DOCS, "empty": ""}
    gold = rg.Spans([{"question": "w?", "gold": ["Shoes are washed cold."]}], documents=docs)
    journal = {"resume": tmp_path / "journal.jsonl"}
    for _ in range(2):  # asked, then read back
        ev = rg.evaluate(gold, lambda query: [odd, ("d1", *WASH)], ["RR", "SpanPrecision@2"], collect=journal)
        assert ev["RR"] == 0.5
        assert ev["SpanPrecision@2"] == 1.0  # it has no characters
        (remark,) = [r for r in ev.remarks if "result" in r]
        assert remark.startswith(said)
        assert "它们保留排名，不覆盖任何内容" in zh(remark)
    assert rg.evaluate(gold, lambda query: [odd], ["RR"])["RR"] == 0
