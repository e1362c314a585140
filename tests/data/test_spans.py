"""Gold and retrieved pieces in every form, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from chinese_errors import refuse_english, speaking
from rankgauge.cli.collect import pieces_frame
from rankgauge.cli.options import write_table
from rankgauge.data.chunks import Piece
from rankgauge.data.spans import merged
from rankgauge.errors import InputError, ParameterError

ROWS = [
    {"query_id": "q1", "doc_id": "d1", "start": 0, "end": 5, "grade": 2.0},
    {"query_id": "q1", "doc_id": "d2", "start": 3, "end": 9, "grade": 1.0},
    {"query_id": "q2", "doc_id": "d1", "start": 4, "end": 8, "grade": 1.0},
]
DOCS = {"d1": "Red shoes are red.", "d2": "蓝色 的 靴子，蓝色的靴子。"}


def says(error: Exception, english: str, chinese: str) -> None:
    """The words of an error in both languages, and no English among the Chinese ones."""
    for language, expected in (("en", english), ("zh", chinese)):
        with speaking(language):
            said = str(error)
        assert expected in said
    refuse_english(said)


def forms(tmp_path):
    pl.DataFrame(ROWS).write_csv(tmp_path / "gold.csv")
    (tmp_path / "gold.jsonl").write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    (tmp_path / "gold.json").write_text(json.dumps(ROWS), encoding="utf-8")
    pl.DataFrame(ROWS).write_parquet(tmp_path / "gold.parquet")
    return {
        "records": ROWS,
        "frame": pl.DataFrame(ROWS),
        "pandas": pl.DataFrame(ROWS).to_pandas(),
        "columns": {n: [row[n] for row in ROWS] for n in ROWS[0]},
        "dict": {"q1": [("d1", 0, 5, 2), ("d2", 3, 9)], "q2": ("d1", 4, 8)},
        "objects": {
            q: [{k: v for k, v in r.items() if k != "query_id"} for r in ROWS if r["query_id"] == q]
            for q in ("q1", "q2")
        },
        **{name: str(tmp_path / f"gold.{name}") for name in ("csv", "jsonl", "json", "parquet")},
    }


def test_spans_are_the_same_in_every_form(tmp_path):
    made = {name: rg.Spans(form) for name, form in forms(tmp_path).items()}

    assert {name: s.needs for name, s in made.items()} == dict.fromkeys(made, made["records"].needs)
    assert {s.fingerprint() for s in made.values()} == {made["records"].fingerprint()}
    assert made["records"].to_frame().height == 3


def test_columns_of_other_names_are_recognised_or_named():
    frame = pl.DataFrame({"qid": ["q"], "document": ["d"], "answer_start": [1], "answer_end": [4]})

    assert rg.Spans(frame).to_frame().rows()[0][:4] == ("q", "d", 1, 4)
    other = frame.rename({"answer_start": "x", "answer_end": "y"})
    assert rg.Spans(other, columns={"x": "start", "y": "end"}).needs == rg.Spans(frame).needs


def test_rows_of_one_need_belong_together_and_alternatives_do_not():
    rows = [
        {"query_id": "q", "doc_id": "d", "start": 0, "end": 5, "need": "n", "alternative": "x"},
        {"query_id": "q", "doc_id": "d", "start": 5, "end": 9, "need": "n", "alternative": "x"},
        {"query_id": "q", "doc_id": "e", "start": 1, "end": 2, "need": "n", "alternative": "y"},
        {"query_id": "q", "doc_id": "e", "start": 7, "end": 8, "need": "m", "alternative": "x"},
    ]
    first, second = rg.Spans(rows).needs["q"]

    assert first.alternatives == ((("d", 0, 9),), (("e", 1, 2),))
    assert second.alternatives == ((("e", 7, 8),),)


def test_intervals_are_merged_where_they_overlap_or_touch():
    assert merged([("d", 5, 9), ("d", 0, 5), ("e", 1, 2), ("d", 20, 30), ("d", 22, 25)]) == (
        ("d", 0, 9),
        ("d", 20, 30),
        ("e", 1, 2),
    )


# texts


def test_texts_are_located_and_it_is_told_how():
    spans = rg.Spans({"q1": ["Red shoes", "red"], "q2": ["蓝色的靴子", "Red  Shoos are"]}, documents=DOCS)

    assert [(x.how, x.places) for x in spans.located] == [("exact", 1), ("exact", 1), ("exact", 1), ("fuzzy", 1)]
    assert rg.Spans({"q": ["蓝色的 靴子"]}, documents=DOCS).needs["q"][0].alternatives == (
        (("d2", 0, 7),),
        (("d2", 8, 13),),
    )
    frame = spans.located_frame()
    assert frame.columns == ["query_id", "text", "places", "how", "score", "doc_id", "start", "end"]
    assert any("found with small changes" in note for note in spans.notes)


def test_a_text_of_a_type_of_its_own_is_a_text():
    class Own(str):
        __slots__ = ()

    given = rg.Spans({"q1": Own("Red shoes"), "q2": ["are red"]}, documents=DOCS)

    assert given.to_frame().equals(rg.Spans({"q1": "Red shoes", "q2": ["are red"]}, documents=DOCS).to_frame())


def test_a_text_in_several_places_is_found_in_any_of_them():
    spans = rg.Spans({"q": ["red"]}, documents={"a": "red, red", "b": "red"})

    assert spans.needs["q"][0].alternatives == ((("a", 0, 3),), (("a", 5, 8),), (("b", 0, 3),))
    assert spans.notes == ("1 of 1 texts stand in more than one place: any of them will do",)
    assert rg.evaluate(spans, {"q": [("b", 0, 3)]}, "R")["R"] == 1


@pytest.mark.parametrize("n", [10, 11, 40])
def test_a_need_of_several_texts_is_found_in_any_document_that_has_them_all(n):
    docs = {f"d{i}": "alpha beta. and then gamma delta." for i in range(n)}
    rows = [{"query_id": "q", "text": text, "need": "a"} for text in ("alpha beta", "gamma delta")]
    gold = rg.Spans(rows, documents=docs)

    assert {rg.evaluate(gold, {"q": [(d, 0, 33)]}, "R@1")["R@1"] for d in docs} == {1.0}
    across = rg.evaluate(gold, {"q": [("d0", 0, 10), ("d1", 21, 32)]}, "R@2")["R@2"]
    is_bound = any("it takes all of them from one document" in note for note in gold.notes)
    assert (across, is_bound) == ((1.0, False) if n == 10 else (0.0, True))


def test_a_need_of_texts_in_too_many_places_is_refused():
    rows = [{"query_id": "q", "text": text, "need": "a"} for text in ("alpha beta", "gamma delta")]
    apart = {f"d{i}": "alpha beta" if i % 2 else "gamma delta" for i in range(40)}

    for docs in (apart, {"d": "alpha beta, gamma delta; " * 40}):
        with pytest.raises(InputError) as e:
            rg.Spans(rows, documents=docs)
        says(e.value, "stand in too many places, or in no document together", "出现在过多的地方")


def test_a_text_beside_offsets_is_held_against_the_document():
    docs = {"d": "The hat is  RED."}
    entry = {"doc_id": "d", "start": 0, "end": 3, "text": "red"}
    gold = rg.Spans({"q": [entry]}, documents=docs)
    pieces = rg.Chunks({"q": [entry]}, documents=docs)

    assert gold.needs["q"][0].alternatives == ((("d", 12, 15),),)
    assert pieces.lists["q"] == (Piece("d", 12, 15),)
    for notes in (gold.notes, pieces.notes):
        assert any("1 of 1" in note and "do not stand at their offsets" in note for note in notes)
    alike = {**entry, "start": 8, "end": 15, "text": "is red"}  # but for blanks and case
    assert rg.Spans({"q": [alike]}, documents=docs).notes == ()
    assert rg.Chunks({"q": [alike]}, documents=docs).lists["q"] == (Piece("d", 8, 15),)
    with pytest.raises(InputError, match="'green' was not found in document 'd'"):
        rg.Spans({"q": [{**entry, "text": "green"}]}, documents=docs)


def test_a_text_that_is_nowhere_is_an_error_or_left_out():
    gold = {"q1": ["Red shoes", "no such text at all"], "q2": ["nor this one, ever"]}
    with pytest.raises(InputError) as e:
        rg.Spans(gold, documents=DOCS)
    says(
        e.value,
        "spans: query 'q1', entry 2: 'no such text at all' was not found in any document. 1 more like it:",
        "片段：查询 'q1' 的第 2 项：在任何文档中没有找到 'no such text at all'。",
    )
    spans = rg.Spans(gold, documents=DOCS, not_found="skip")
    assert {q: len(needs) for q, needs in spans.needs.items()} == {"q1": 1, "q2": 0}
    assert "2 of 3 texts were not found and are left out" in spans.notes


# what cannot be


@pytest.mark.parametrize(
    ("gold", "en", "chinese"),
    [
        (
            {"q": [("d1", 5, 5)]},
            "spans: query 'q', entry 1: an interval must end behind its start, got [5, 5).",
            "片段：查询 'q' 的第 1 项：区间的终点必须在起点之后，实际为 [5, 5)。",
        ),
        (
            {"q": [("d1", 5, 50)]},
            "spans: query 'q', entry 1: [5, 50) must end within document 'd1', which has 18 characters.",
            "片段：查询 'q' 的第 1 项：[5, 50) 超出了文档 'd1'，它只有 18 个字符。",
        ),
        (
            {"q": [("d9", 5, 6)]},
            "spans: query 'q', entry 1: document 'd9' is not among the documents.",
            "片段：查询 'q' 的第 1 项：文档 'd9' 不在给出的文档中。",
        ),
        (
            {"q": [("d1", 5, 6, 0)]},
            "spans: query 'q', entry 1: the grade of a need must be above 0, got 0.0.",
            "片段：查询 'q' 的第 1 项：信息点的等级必须大于 0，实际为 0.0。",
        ),
        (
            {"q": [("d1", 5)]},
            "spans, query 'q', entry 1: must be (doc_id, start, end), (doc_id, start, end, grade), a text, or an "
            "object with these, got ('d1', 5).",
            "片段 查询 'q' 的第 1 项：必须是 (doc_id, start, end)、(doc_id, start, end, grade)、文本，"
            "或含这些字段的对象，实际为 ('d1', 5)。",
        ),
        ({"q": [("d1", -1, 6)]}, "start must not be below 0, got -1.", "起点不能小于 0，实际为 -1。"),
        ({"q": [("d1", 0.5, 6)]}, "an offset must be a whole number", "偏移必须是整数"),
        (
            {"q": [{"text": ["red"]}]},
            "spans, column 'text': text must be text, got a column of type Object.",
            "片段 的列 'text'：文本必须是文本，该列的类型是 Object。",
        ),
    ],
)
def test_what_is_no_span_is_refused_with_its_place(gold, en, chinese):
    with pytest.raises(InputError) as e:
        rg.Spans(gold, documents=DOCS)

    says(e.value, en, chinese)


def test_spans_need_offsets_or_texts_and_documents():
    with pytest.raises(InputError, match=r"spans must have doc_id, start and end, or a text to be located"):
        rg.Spans([{"query_id": "q", "doc_id": "d"}])
    with pytest.raises(ParameterError, match=r"texts must be located in documents\. Pass documents="):
        rg.Spans({"q": ["a text"]})
    with pytest.raises(ParameterError, match="`reach` must be above 0 and up to 1, got 0"):
        rg.Spans({"q": [("d", 0, 1)]}, reach=0)
    two = [{"query_id": "q", "doc_id": "d", "start": 0, "end": 1, "need": "n", "grade": g} for g in (1, 2)]
    with pytest.raises(InputError, match=r"the rows of need 'n' must have one grade, got 2\.0 beside 1\.0"):
        rg.Spans(two)


# pieces


def test_pieces_are_the_same_in_every_form():
    table = {"c1": ("d1", 0, 4), "c2": ("d1", 4, 9)}
    frame = pl.DataFrame(
        {"query_id": ["q", "q"], "doc_id": ["d1", "d1"], "start": [0, 4], "end": [4, 9], "score": [1, 2]}
    )
    run = {"q": {"c1": 1.0, "c2": 2.0}}
    made = [
        rg.Chunks({"q": [("d1", 4, 9), ("d1", 0, 4)]}),
        rg.Chunks({"q": [("d1", 0, 4, 1), ("d1", 4, 9, 2)]}),
        rg.Chunks(frame),
        rg.Chunks(frame.with_columns(rank=pl.Series([2, 1])).drop("score")),
        rg.Chunks(run, chunks=table),
        rg.Chunks({"q": ["c2", "c1"]}, chunks=table),
        rg.Chunks(
            rg.Run(run), chunks=[{"chunk_id": c, "doc_id": d, "start": s, "end": e} for c, (d, s, e) in table.items()]
        ),
        rg.Chunks(pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["c1", "c2"], "score": [1, 2]}), chunks=table),
        rg.Chunks({"q": ["shoes", "Red "]}, documents={"d1": "Red shoes"}),
    ]

    assert {c.lists["q"] for c in made} == {(Piece("d1", 4, 9), Piece("d1", 0, 4))}
    assert made[4].inventory == (Piece("d1", 0, 4), Piece("d1", 4, 9))


def test_equal_scores_and_those_that_are_no_numbers_keep_their_order_and_come_last():
    rows = [("d", 0, 1, 1.0), ("d", 1, 2, float("nan")), ("d", 2, 3, 1.0), ("d", 3, 4, 5.0)]

    assert [p.start for p in rg.Chunks({"q": rows}).lists["q"]] == [3, 0, 2, 1]


def test_a_text_that_is_nowhere_keeps_its_place_and_its_length():
    chunks = rg.Chunks({"q": ["nothing of the kind", "Red shoes"]}, documents=DOCS)

    assert chunks.lists["q"] == (Piece(None, 0, 19), Piece("d1", 0, 9))
    assert chunks.notes == ("1 of 2 retrieved texts were found in no document: they cover nothing",)


def test_a_start_and_a_text_have_an_end():
    made = rg.Chunks([{"query_id": "q", "doc_id": "d", "start_index": 3, "text": "abcd"}])

    assert made.lists["q"] == (Piece("d", 3, 7),)


# budgets


@given(st.lists(st.integers(1, 9), max_size=6), st.integers(1, 30))
@settings(max_examples=30, deadline=None)
def test_a_budget_keeps_the_longest_beginning_that_fits(sizes, budget):
    pieces = [("d", 0, n) for n in sizes]
    kept = rg.Chunks({"q": pieces, "p": [("d", 0, 1)]}).within(budget).lists["q"]
    fits = [k for k in range(len(sizes) + 1) if sum(sizes[:k]) <= budget]

    assert len(kept) == max(fits)
    assert kept == tuple(Piece(*p) for p in pieces[: max(fits)])


def test_a_budget_may_be_of_tokens():
    docs = {"d": "one two three four five six"}
    chunks = rg.Chunks({"q": [("d", 0, 7), ("d", 8, 18), ("d", 0, 7)]}, documents=docs)

    assert [len(chunks.within(n, tokenizer=str.split).lists["q"]) for n in (1, 2, 4, 5, 6)] == [
        0,
        1,
        2,
        2,
        3,
    ]
    assert len(chunks.lists["q"]) == 3
    with pytest.raises(ParameterError, match=r"these have offsets only\. Pass documents=…"):
        rg.Chunks({"q": [("d", 0, 7)]}).within(5, tokenizer=len)
    with pytest.raises(ParameterError, match="`budget` must be a positive integer, got 0"):
        chunks.within(0)


def test_at_an_equal_budget_chunk_sizes_can_be_compared():
    gold = rg.Spans({"q": [("d", 200, 260)]})
    small = rg.Chunks({"q": [("d", 200, 300), ("d", 0, 100)]})
    large = rg.Chunks({"q": [("d", 0, 400)]})

    evs = rg.evaluate(gold, {"small": small.within(300), "large": large.within(300)}, ["R", "SpanPrecision"])
    assert (evs["small"]["R"], evs["large"]["R"]) == (1, 0)
    assert evs["small"]["SpanPrecision"] == 60 / 200


def test_what_is_no_piece_is_refused():
    with pytest.raises(ParameterError, match="chunk ids say nothing of where chunks are"):
        rg.Chunks({"q": ["c1"]})
    with pytest.raises(InputError, match=r"chunk 'c9' is not in the table of chunks"):
        rg.Chunks({"q": ["c9"]}, chunks={"c1": ("d", 0, 1)})
    with pytest.raises(InputError, match=r"an interval must end behind its start, got \[3, 3\)"):
        rg.Chunks({"q": [("d", 3, 3)]})
    with pytest.raises(InputError, match="expected, got a Qrels"):
        rg.Chunks(rg.Qrels({"q": ["a"]}))


def test_a_table_of_chunks_may_have_their_texts():
    table = [{"chunk_id": "c1", "doc_id": "d1", "start": 0, "text": "one two"}]
    located = [{"chunk_id": "c1", "text": "three"}, {"chunk_id": "c2", "text": "nowhere to be found"}]
    plain = rg.Chunks({"q": ["c1"]}, chunks=table)
    found = rg.Chunks({"q": ["c1", "c2"]}, chunks=located, documents={"d1": "one two three"})

    assert plain.lists["q"] == (Piece("d1", 0, 7),)
    assert [len(plain.within(f"{n}t").lists["q"]) for n in (1, 2)] == [0, 1]
    assert found.lists["q"] == (Piece("d1", 8, 13), Piece(None, 0, 19))
    assert [len(found.within(f"{n}t").lists["q"]) for n in (1, 4, 5)] == [1, 1, 2]


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])
def test_results_that_name_no_document_are_read_back(tmp_path: Path, form: str):
    texts = {"d1": "Shoes are washed cold.", "d2": "Boots need wax twice a year."}
    gold = rg.Spans({"q1": ["washed cold"], "q2": ["wax twice"], "q3": ["Boots"]}, documents=texts)
    found = {
        "q1": [None, ("d1", 0, 22)],
        "q2": [{"text": "nothing that is anywhere"}, {"score": 0.1}, ("d2", 0, 28)],
        "q3": [None, None],
    }
    asked = {q: q for q in found}
    run = rg.collect(asked, lambda q: found[q], documents=texts)
    path = tmp_path / f"pieces.{form}"
    write_table(pieces_frame(run), path, "--run")
    measures = ["RR", "nDCG@2", "SpanRecall@1", "SpanPrecision@2", "R(budget=40c)"]

    back = rg.Chunks(path, documents=texts)

    live = rg.evaluate(gold, lambda q: found[q], measures, queries=asked).per_query
    assert rg.evaluate(gold, back, measures).per_query.equals(live)
    assert {q: len(pieces) for q, pieces in back.lists.items()} == {q: len(each) for q, each in found.items()}
    assert "4 results say nothing of where they stand or what they hold" in back.notes[0]


def test_a_row_that_names_a_document_only_is_the_whole_of_it_and_never_an_empty_list():
    rows = pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["d", "d"], "start": [1, None], "end": [2, None]})

    assert rg.Chunks(rows, documents={"d": "abc"}).lists == {"q": (("d", 1, 2), ("d", 0, 3))}
    with pytest.raises(InputError, match="row 2: must have doc_id, start and end, or a text and documents"):
        rg.Chunks(rows)
    with pytest.raises(InputError, match="score must be a number"):
        rg.Chunks(rows.with_columns(score=pl.Series([1.0, None])), documents={"d": "abc"})
