"""Sets of questions in the shapes of others: what is asked, what answers it, and where that stands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankgauge as rg
from rankgauge._text import zh
from rankgauge.data.formats import detect, open_file
from rankgauge.data.formats.opening import open_source
from rankgauge.data.questions import judged_by, queries_of
from rankgauge.errors import InputError, ParameterError

CONTEXTS = {"c1": "Red shoes are washed cold. Never tumble dry them.", "c2": "靴子每年打蜡两次。"}
ASKED = {"q1": "How are red shoes washed?", "q2": "靴子多久打一次蜡？", "q3": "Who wears hats?"}


def at(text: str, doc: str) -> tuple[str, int, int]:
    """Where a text stands, by looking at every place."""
    whole = CONTEXTS[doc]
    start = next(i for i in range(len(whole)) if whole[i : i + len(text)] == text)
    return doc, start, start + len(text)


def answer(text: str, doc: str, *, start: int | None = None) -> dict[str, Any]:
    return {"text": text, "answer_start": at(text, doc)[1] if start is None else start}


SQUAD = {
    "version": "1",
    "data": [
        {
            "title": "care",
            "paragraphs": [
                {
                    "id": "c1",
                    "context": CONTEXTS["c1"],
                    "qas": [
                        {
                            "id": "q1",
                            "question": ASKED["q1"],
                            "answers": [answer("cold", "c1"), answer("washed cold", "c1")],
                        },
                        {"id": "q3", "question": ASKED["q3"], "answers": [], "is_impossible": True},
                    ],
                },
                {
                    "id": "c2",
                    "context": CONTEXTS["c2"],
                    "qas": [{"id": "q2", "question": ASKED["q2"], "answers": [answer("每年打蜡两次", "c2", start=7)]}],
                },
            ],
        }
    ],
}
CMRC = [
    {
        "context_id": "c1",
        "context_text": CONTEXTS["c1"],
        "qas": [{"query_id": "q1", "query_text": ASKED["q1"], "answers": ["cold", "washed cold"]}],
    },
    {
        "context_id": "c2",
        "context_text": CONTEXTS["c2"],
        "qas": [{"query_id": "q2", "query_text": ASKED["q2"], "answers": ["每年打蜡两次"]}],
    },
]
LLAMAINDEX = {
    "queries": {"q1": ASKED["q1"], "q2": ASKED["q2"]},
    "corpus": CONTEXTS,
    "relevant_docs": {"q1": ["c1"], "q2": ["c2"]},
    "mode": "text",
}
BOTH = {"q1": {at("cold", "c1"), at("washed cold", "c1")}, "q2": {at("每年打蜡两次", "c2")}}


def places(spans: rg.Spans) -> dict[str, set[tuple[str, int, int]]]:
    return {q: {i for n in needs for a in n.alternatives for i in a} for q, needs in spans.needs.items() if needs}


def written(folder: Path, name: str, value: Any) -> Path:
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def lines(records: list[Any]) -> str:
    return "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records)


ROWS = [
    {
        "id": "q1",
        "title": "care",
        "context": CONTEXTS["c1"],
        "question": ASKED["q1"],
        "answers": {"text": ["cold", "washed cold"], "answer_start": [at(t, "c1")[1] for t in ("cold", "washed cold")]},
    },
    {
        "id": "q2",
        "title": "care",
        "context": CONTEXTS["c2"],
        "question": ASKED["q2"],
        "answers": {"text": ["每年打蜡两次"], "answer_start": [2]},
    },
]


@pytest.mark.parametrize(
    ("name", "content", "form"),
    [("s.json", SQUAD, "squad"), ("c.json", CMRC, "cmrc"), ("s.txt", SQUAD, "squad")],
)
def test_answers_stand_where_the_paragraphs_have_them(tmp_path: Path, name: str, content: Any, form: str):
    path = written(tmp_path, name, content)

    spans = rg.Spans(path)

    assert detect(open_source(path, "spans"))[0].name == form
    assert places(spans) == BOTH
    assert spans.documents is not None
    assert spans.documents.texts == CONTEXTS
    assert {q: spans.queries[q] for q in BOTH} == {q: ASKED[q] for q in BOTH}
    assert [len(needs) for needs in spans.needs.values()][:1] == [1]  # answers are alternatives of one need


def test_a_wrong_offset_is_located_by_its_text_and_counted(tmp_path: Path):
    spans = rg.Spans(written(tmp_path, "s.json", SQUAD))

    assert any("1 of 3 answers do not stand at their offsets" in note for note in spans.notes)
    assert [(x.query_id, x.how) for x in spans.located] == [("q2", "exact")]
    assert spans.needs["q3"] == ()  # it cannot be answered


def test_one_file_serves_every_kind_of_table(tmp_path: Path):
    path = written(tmp_path, "s.json", SQUAD)

    assert rg.Qrels.of(path).to_dict() == {"q1": {"c1": 1.0}, "q2": {"c2": 1.0}}
    assert queries_of(path) == ASKED
    assert places(rg.Spans({"a": ["Never tumble dry"]}, documents=path)) == {"a": {at("Never tumble dry", "c1")}}


def test_rows_of_squad_in_tables(tmp_path: Path):
    pl.DataFrame(ROWS).write_parquet(tmp_path / "rows.parquet")
    paths = [written(tmp_path, "rows.jsonl", lines(ROWS)), tmp_path / "rows.parquet"]

    for given in (*paths, ROWS, pl.DataFrame(ROWS)):
        spans = rg.Spans(given)
        assert spans.documents is not None
        found = {q: {spans.documents.texts[d][s:e] for d, s, e in each} for q, each in places(spans).items()}
        assert found == {"q1": {"cold", "washed cold"}, "q2": {"每年打蜡两次"}}
        assert spans.queries == {"q1": ASKED["q1"], "q2": ASKED["q2"]}


def test_other_documents_are_searched_for_the_answers(tmp_path: Path):
    other = {"page": f"{CONTEXTS['c2']} {CONTEXTS['c1']}"}
    spans = rg.Spans(written(tmp_path, "s.json", SQUAD), documents=other)

    found = {q: {other[d][s:e] for d, s, e in each} for q, each in places(spans).items()}
    assert found == {"q1": {"cold", "washed cold"}, "q2": {"每年打蜡两次"}}


@pytest.mark.parametrize(
    "documents",
    [
        {"p1": "A title\nThe hat is red today."},  # another text of the same name
        {"p1": "nothing of it", "x": "The hat is red today."},  # and one that has its name by chance
        {"p1": "The hat is red today."},
    ],
)
def test_an_id_that_two_sets_have_in_common_is_held_against_the_text(tmp_path: Path, documents: dict[str, str]):
    hat = "The hat is red today."
    asked = {"id": "q", "question": "What colour?", "answers": [{"text": "red", "answer_start": 11}]}
    squad = {"data": [{"paragraphs": [{"context": hat, "qas": [asked]}]}]}
    llamaindex = {"queries": {"q": "What colour?"}, "corpus": {"p1": hat}, "relevant_docs": {"q": ["p1"]}}

    for content, answer in ((squad, "red"), (llamaindex, hat)):
        spans = rg.Spans(written(tmp_path, "s.json", content), documents=documents)
        assert [documents[d][s:e] for d, s, e in places(spans)["q"]] == [answer]
        is_moved = any("1 of 1 answers do not stand at their offsets in the documents" in n for n in spans.notes)
        assert is_moved is (documents["p1"] != hat)


def test_a_misspelt_id_among_ids_is_no_text_to_be_looked_for():
    documents = {"1": "free for 12 days", "2": "wax"}
    records = [{"question": "x", "gold": ["2"]}, {"question": "y", "gold": ["12"]}]

    for read in (lambda: rg.Spans(records, documents=documents), lambda: judged_by(records, documents)):
        with pytest.raises(InputError, match=r"record 2: '12' is the id of no document\. Others are ids, such as '2'"):
            read()
    assert isinstance(judged_by(records, documents, by="ids")[0], rg.Qrels)
    said = [{"question": "x", "gold": [{"doc_id": "2"}]}, {"question": "y", "gold": [{"text": "12"}]}]
    assert places(rg.Spans(said, documents=documents)) == {"x": {("2", 0, 3)}, "y": {("1", 9, 11)}}


@pytest.mark.parametrize("name", ["one.jsonl", "one.json"])
def test_one_question_on_one_line_is_a_record(tmp_path: Path, name: str):
    path = written(tmp_path, name, {"question": "how?", "gold": ["washed cold"]})

    assert places(rg.Spans(path, documents=CONTEXTS)) == {"how?": {at("washed cold", "c1")}}
    keyed = written(tmp_path, "keyed.json", {"how?": ["washed cold"], "when?": ["打蜡"]})
    assert rg.Spans(keyed, documents=CONTEXTS).query_ids == ["how?", "when?"]


ONE = [
    ({"question": "how?", "gold": ["c1"]}, {"c1": 1}),
    ({"id": "q1", "question": "how?", "gold": ["washed cold"], "note": None}, {"washed cold": 1}),
    ({"question": "how?", "gold": [{"doc_id": "c1", "start": 0, "end": 9}]}, {"c1": 1}),
    ({"id": "q1", "inputs": {"question": "how?"}, "outputs": {"gold": ["c1"]}}, {"c1": 1}),
    ({"id": "q1", "input": "how?", "expectedOutput": {"gold": "c1"}}, {"c1": 1}),
]


@pytest.mark.parametrize("name", ["one.json", "one.jsonl"])
@pytest.mark.parametrize(("record", "relevant"), ONE)
def test_one_question_over_many_lines_is_what_it_is_on_one(
    tmp_path: Path, record: dict[str, Any], relevant: dict[str, int], name: str
):
    flat = written(tmp_path, name, record)
    tall = written(tmp_path, f"tall-{name}", json.dumps(record, indent=2))
    key = record.get("id", "how?")

    for path in (flat, tall):
        judged, texts = judged_by(path, by="ids")
        assert texts == queries_of(path) == {key: "how?"}
        assert judged.to_dict() == {key: relevant}  # type: ignore[union-attr]
    assert rg.Spans(tall, documents=CONTEXTS).needs == rg.Spans(flat, documents=CONTEXTS).needs
    if "question" in record:
        assert rg.Qrels.of(tall).to_dict() == {key: relevant}
    keyed = written(tmp_path, "keyed.json", json.dumps({"how?": ["washed cold"], "when?": ["打蜡"]}, indent=2))
    assert rg.Spans(keyed, documents=CONTEXTS).query_ids == rg.Qrels.of(keyed).query_ids == ["how?", "when?"]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("documents", [None, CONTEXTS])
def test_one_question_without_gold_lacks_it(tmp_path: Path, indent: int | None, documents: Any):
    path = written(tmp_path, "one.json", json.dumps({"id": "q1", "question": "how is it?"}, indent=indent))

    assert queries_of(path) == {"q1": "how is it?"}
    with pytest.raises(InputError, match="must have a field with what is relevant to it"):
        judged_by(path, documents)


DRCD = {
    "version": "1.3",
    "data": [
        {
            "title": "鞋靴",
            "id": "2128",
            "paragraphs": [
                {
                    "context": "皮靴每年須上蠟兩次。鞋底磨平時，應更換新底。",
                    "id": "2128-2",
                    "qas": [
                        {
                            "id": "2128-2-1",
                            "question": "皮靴多久上一次蠟？",
                            "answers": [
                                {"id": "1", "text": "每年須上蠟兩次", "answer_start": 2},
                                {"id": "2", "text": "兩次", "answer_start": 7},
                                {"id": "3", "text": "兩次", "answer_start": 7},
                            ],
                        },
                        {
                            "id": "2128-2-2",
                            "question": "何時應更換新底？",
                            "answers": [{"id": "1", "text": "鞋底磨平時", "answer_start": 10}],
                        },
                    ],
                }
            ],
        }
    ],
}
"""The layout of DRCD: traditional characters, ids of articles, paragraphs and answers."""
DUREADER_ROBUST = {
    "data": [
        {
            "paragraphs": [
                {
                    "qas": [
                        {
                            "question": "皮靴多久打一次蜡",
                            "id": "0a25cb4bc1ab6f474c699884e04601e4",
                            "answers": [{"text": "每年两次", "answer_start": 7}],
                        },
                        {"question": "没有答案的问题", "id": "7de192d6adf7d60ba73ba25cf590cc1e", "answers": []},
                    ],
                    "context": "皮靴保养：打蜡每年两次即可。\n鞋底磨平时换新底。",
                }
            ],
            "title": "",
        }
    ]
}
"""The layout of DuReader robust: questions before their context, paragraphs without an id, an empty title."""


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (DRCD, {"2128-2-1": {"每年須上蠟兩次", "兩次"}, "2128-2-2": {"鞋底磨平時"}}),
        (DUREADER_ROBUST, {"0a25cb4bc1ab6f474c699884e04601e4": {"每年两次"}}),
    ],
    ids=["drcd", "dureader robust"],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_chinese_sets_in_the_layout_of_squad(tmp_path: Path, content: Any, expected: Any, indent: int | None):
    path = written(tmp_path, "dev.json", json.dumps(content, ensure_ascii=False, indent=indent))
    asked = {qa["id"]: qa["question"] for a in content["data"] for p in a["paragraphs"] for qa in p["qas"]}

    spans = rg.Spans(path)

    assert queries_of(path) == spans.queries == asked
    assert spans.documents is not None
    texts = spans.documents.texts
    assert list(texts.values()) == [p["context"] for a in content["data"] for p in a["paragraphs"]]
    assert {q: {texts[d][s:e] for d, s, e in each} for q, each in places(spans).items()} == expected
    assert all(len(needs) <= 1 for needs in spans.needs.values())  # any answer will do
    assert spans.notes == ()  # every answer stands at its offset
    (doc,) = texts
    whole = rg.evaluate(spans, lambda query: [doc], ["R@1", "SpanPrecision@1"])
    assert whole["R@1"] == 1
    gold = {q: max(len(t) for t in each) for q, each in expected.items()}
    assert whole["SpanPrecision@1"] == pytest.approx(sum(gold.values()) / len(gold) / len(texts[doc]))


def test_dureader(tmp_path: Path):
    documents = [
        {"title": "a", "is_selected": False, "paragraphs": ["nothing here"]},
        {"title": "b", "is_selected": True, "most_related_para": 1, "paragraphs": ["first", "第二段 second", "third"]},
    ]
    raw = {
        "question_id": 7,
        "question": "which?",
        "question_type": "ENTITY",
        "answers": ["the second"],
        "documents": documents,
    }
    path = written(
        tmp_path, "train.json", lines([raw, {**raw, "question_id": 8, "fake_answers": ["third"], "answer_docs": [1]}])
    )

    spans = rg.Spans(path)

    assert spans.documents is not None
    found = {q: {spans.documents.texts[d][s:e] for d, s, e in each} for q, each in places(spans).items()}
    assert found == {"7": {"第二段 second"}, "8": {"third"}}


def test_llamaindex(tmp_path: Path):
    path = written(tmp_path, "qa.json", LLAMAINDEX)

    assert rg.Qrels.of(path).to_dict() == {"q1": {"c1": 1.0}, "q2": {"c2": 1.0}}
    assert queries_of(path) == LLAMAINDEX["queries"]
    assert places(rg.Spans(path)) == {q: {(d, 0, len(CONTEXTS[d]))} for q, d in (("q1", "c1"), ("q2", "c2"))}
    said = rg.evaluate(path, lambda query: ["c1"], "R@1")
    assert said["R@1"] == 0.5


@pytest.mark.parametrize("form", ["parquet", "jsonl", "files"])
def test_mteb_folders(tmp_path: Path, form: str):
    parts = {
        "corpus": [{"_id": d, "title": "", "text": text} for d, text in CONTEXTS.items()],
        "queries": [{"_id": q, "text": ASKED[q]} for q in ("q1", "q2")],
        "qrels": [{"query-id": "q1", "corpus-id": "c1", "score": 1}, {"query-id": "q2", "corpus-id": "c2", "score": 2}],
    }
    for name, rows in parts.items():
        if form == "files":
            target = tmp_path / f"{name}.jsonl" if name != "qrels" else tmp_path / "qrels" / "test.jsonl"
        else:
            target = tmp_path / name / f"test-00000-of-00001.{form}"
        target.parent.mkdir(exist_ok=True)
        if form == "parquet":
            pl.DataFrame(rows).write_parquet(target)
        else:
            target.write_text(lines(rows), encoding="utf-8")

    assert rg.Qrels.of(tmp_path).to_dict() == {"q1": {"c1": 1.0}, "q2": {"c2": 2.0}}
    assert queries_of(tmp_path) == {q: ASKED[q] for q in ("q1", "q2")}
    assert rg.Spans(tmp_path).needs["q2"][0].grade == 2.0
    assert rg.evaluate(tmp_path, lambda query: ["c1"], "R@1")["R@1"] == 0.5


def beir(folder: Path, *, corpus: bool = True) -> Path:
    (folder / "qrels").mkdir(parents=True)
    if corpus:
        written(folder, "corpus.jsonl", lines([{"_id": d, "title": "t", "text": text} for d, text in CONTEXTS.items()]))
    written(folder, "queries.jsonl", lines([{"_id": q, "text": ASKED[q]} for q in ("q1", "q2", "q3")]))
    judged = ("q1\tc1\t1", "q1\tc2\t0", "q2\tc2\t2", "q2\tgone\t1")
    written(folder / "qrels", "test.tsv", "\n".join(("query-id\tcorpus-id\tscore", *judged, "")))
    return folder


def test_beir_folders_are_spans_of_whole_documents(tmp_path: Path):
    folder = beir(tmp_path / "set")
    whole = {q: {(d, 0, len(CONTEXTS[d]))} for q, d in (("q1", "c1"), ("q2", "c2"))}

    spans = rg.Spans(folder)

    assert places(spans) == whole
    assert spans.needs["q2"][0].grade == 2.0
    assert spans.queries == {q: ASKED[q] for q in ("q1", "q2")}
    assert spans.documents is not None
    assert spans.documents.texts == CONTEXTS
    assert "1 relevant document has no text in the corpus and cannot be needed: 'gone'" in spans.notes
    assert rg.evaluate(spans, lambda query: ["c1"], "R@1")["R@1"] == 0.5
    judged, texts = judged_by(folder)  # ids unless spans are asked for
    assert judged.to_dict() == {"q1": {"c1": 1, "c2": 0}, "q2": {"c2": 2, "gone": 1}}  # type: ignore[union-attr]
    assert texts == judged_by(folder, by="spans")[1] == spans.queries


def test_a_beir_folder_without_a_corpus_needs_documents(tmp_path: Path):
    folder = beir(tmp_path / "set", corpus=False)

    with pytest.raises(InputError, match=r"Or pass documents=… \(texts by id\), where whole documents are needed"):
        rg.Spans(folder)
    spans = rg.Spans(folder, documents={**CONTEXTS, "gone": "x"})
    assert places(spans)["q2"] == {("c2", 0, len(CONTEXTS["c2"])), ("gone", 0, 1)}


LANGSMITH = [
    {
        "id": q,
        "inputs": {"question": ASKED[q]},
        "outputs": {"answer": "so", "reference_contexts": [CONTEXTS[d]]},
        "metadata": {"dataset_split": ["base"]},
    }
    for q, d in (("q1", "c1"), ("q2", "c2"))
]
PHOENIX = {
    "data": {
        "dataset_id": "x",
        "examples": [
            {
                "id": q,
                "input": {"query": ASKED[q]},
                "output": {"answer": "so"},
                "metadata": {"reference_contexts": [CONTEXTS[d]]},
            }
            for q, d in (("q1", "c1"), ("q2", "c2"))
        ],
    }
}
LANGFUSE = {
    "data": [
        {
            "id": q,
            "status": "ACTIVE",
            "input": ASKED[q],
            "expectedOutput": {"reference_contexts": [CONTEXTS[d]]},
            "metadata": None,
        }
        for q, d in (("q1", "c1"), ("q2", "c2"))
    ],
    "meta": {"page": 1},
}
CHATS = [
    {
        "id": q,
        "inputs": {"messages": [{"role": "system", "content": "help"}, {"role": "user", "content": ASKED[q]}]},
        "outputs": {"reference_contexts": [CONTEXTS[d]]},
    }
    for q, d in (("q1", "c1"), ("q2", "c2"))
]
RAGAS = [
    {"user_input": ASKED[q], "reference_contexts": [CONTEXTS[d]], "reference": "an answer", "synthesizer_name": "x"}
    for q, d in (("q1", "c1"), ("q2", "c2"))
]


def flattened(examples: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Parts as columns of their own: `inputs.question`."""
    return [
        {
            f"{part}.{k}" if k else part: v
            for part, x in e.items()
            for k, v in (x if isinstance(x, dict) else {"": x}).items()
        }
        for e in examples
    ]


def as_csv(records: list[dict[str, Any]], write: Any = json.dumps) -> str:
    texts = [{k: v if isinstance(v, str) else write(v) for k, v in r.items()} for r in records]
    return pl.DataFrame(texts).write_csv()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("langsmith.json", LANGSMITH),
        ("langsmith.jsonl", lines(LANGSMITH)),
        ("langsmith.csv", as_csv(LANGSMITH)),
        ("phoenix.json", PHOENIX),
        ("langfuse.json", LANGFUSE),
        ("flat.csv", as_csv(flattened(LANGSMITH))),
        ("flat.jsonl", lines(flattened(LANGSMITH))),
        (
            "numbered.csv",
            pl.DataFrame(
                [
                    {
                        "input.query": ASKED[q],
                        "output.reference_contexts.0": CONTEXTS[d],
                        "output.reference_contexts.1": "",
                    }
                    for q, d in (("q1", "c1"), ("q2", "c2"))
                ]
            ).write_csv(),
        ),
        (
            "experiment.csv",  # beside a reference, outputs are what a system gave
            as_csv(
                [
                    {
                        "inputs.question": ASKED[q],
                        "outputs.documents": ["x"],
                        "reference_outputs.documents": [CONTEXTS[d]],
                    }
                    for q, d in (("q1", "c1"), ("q2", "c2"))
                ]
            ),
        ),
        ("langfuse.csv", as_csv([{k: v for k, v in e.items() if v} for e in LANGFUSE["data"]])),  # type: ignore[arg-type]
        ("chats.jsonl", lines(CHATS)),
        ("ragas.jsonl", lines(RAGAS)),
        ("ragas.csv", as_csv(RAGAS, repr)),
        (
            "plain.csv",
            pl.DataFrame(
                [{"question": ASKED[q], "gold_text": CONTEXTS[d]} for q, d in (("q1", "c1"), ("q2", "c2"))]
            ).write_csv(),
        ),
    ],
)
def test_exported_examples_are_questions_with_passages(tmp_path: Path, name: str, content: Any):
    path = written(tmp_path, name, content)

    spans, texts = judged_by(path, CONTEXTS)

    assert isinstance(spans, rg.Spans)
    assert list(texts.values()) == [ASKED["q1"], ASKED["q2"]]
    found = [{(d, s, e) for d, s, e in each} for each in places(spans).values()]
    assert found == [{(d, 0, len(CONTEXTS[d]))} for d in ("c1", "c2")]


@pytest.mark.parametrize(
    ("name", "content", "column"),
    [
        (
            "l.jsonl",
            lines([{"id": q, "inputs": {"question": ASKED[q]}, "outputs": {"answer": "cold"}} for q in ASKED]),
            "answer",
        ),
        (
            "p.json",
            {"data": {"examples": [{"input": {"query": q}, "output": {"answer": "cold"}} for q in ASKED]}},
            "answer",
        ),
        (
            "f.json",
            {"data": [{"input": q, "expectedOutput": "cold", "metadata": None} for q in ASKED]},
            "expectedOutput",
        ),
        ("f.csv", as_csv([{"inputs.question": ASKED[q], "reference_outputs.answer": "cold"} for q in ASKED]), "answer"),
    ],
)
def test_an_expected_answer_alone_is_no_gold(tmp_path: Path, name: str, content: Any, column: str):
    path = written(tmp_path, name, content)

    for read in (
        lambda: rg.Spans(path, documents=CONTEXTS),
        lambda: judged_by(path, CONTEXTS),
        lambda: judged_by(path),
    ):
        with pytest.raises(InputError) as e:
            read()
        assert f"{column!r} is an answer, which says nothing of what should be retrieved" in e.value.text
        assert f'or pass columns={{"{column}": "gold"}}, if it is quoted' in e.value.text
    told, _ = judged_by(path, CONTEXTS, columns={column: "gold"})
    assert set(map(frozenset, places(told).values())) == {frozenset([at("cold", "c1")])}  # type: ignore[arg-type]


def test_documents_of_an_output_may_be_what_a_system_found(tmp_path: Path):
    path = written(
        tmp_path, "flat.csv", as_csv([{"inputs.question": q, "outputs.documents": ["c1"]} for q in ("how?", "x")])
    )

    with pytest.raises(InputError, match=r'Pass columns=\{"documents": "gold"\}'):
        judged_by(path)
    for columns in ({"documents": "gold"}, {"inputs.question": "question", "outputs.documents": "gold"}):
        assert judged_by(path, columns=columns)[0].to_dict() == {"how?": {"c1": 1}, "x": {"c1": 1}}  # type: ignore[union-attr]


def test_gold_that_is_ids_of_documents_is_judged_by_ids_unless_spans_are_asked_for():
    records = [{"question": "how?", "gold": ["c1"]}, {"question": "when?", "gold": ["c2", "c1"]}]

    assert isinstance(judged_by(records, CONTEXTS)[0], rg.Qrels)
    whole, _ = judged_by(records, CONTEXTS, by="spans")
    assert isinstance(whole, rg.Spans)
    assert places(whole)["how?"] == {("c1", 0, len(CONTEXTS["c1"]))}
    assert isinstance(judged_by([{"question": "how?", "gold": ["washed cold"]}], CONTEXTS)[0], rg.Spans)


def test_each_list_of_autorag_is_a_need_and_its_ids_are_alternatives():
    records = [{"qid": "q", "query": "how?", "retrieval_gt": [["c1", "c2"], ["c2"]]}]

    spans = rg.Spans(records, documents=CONTEXTS)

    assert [len(need.alternatives) for need in spans.needs["q"]] == [2, 1]
    assert judged_by(records)[0].to_dict() == {"q": {"c1": 1, "c2": 1}}  # type: ignore[union-attr]


def test_references_with_offsets_and_their_document():
    doc, start, end = at("washed cold", "c1")
    records = [
        {
            "question": "how?",
            "references": json.dumps([{"content": "washed cold", "start_index": start, "end_index": end}]),
            "corpus_id": doc,
        }
    ]

    assert places(rg.Spans(records, documents=CONTEXTS)) == {"how?": {(doc, start, end)}}


@pytest.mark.parametrize(
    ("gold", "by_id", "by_text", "unread"),
    [
        ({"id": "c1", "text": "washed cold", "metadata": {"page": 1}}, "'id'", "'id' and 'text'", "'metadata'"),
        ({"id": "chunk 7", "text": "washed cold"}, "'id'", "'text'", "'id'"),
        ({"doc_id": "c1", "text": "washed cold", "title": "x"}, "'doc_id'", "'doc_id' and 'text'", "'title'"),
    ],
)
def test_what_gold_objects_are_read_by_is_told_once(gold: dict[str, Any], by_id: str, by_text: str, unread: str):
    records = [{"question": q, "gold": [gold]} for q in ("how?", "when?")]

    judged, _ = judged_by(records)
    spans, _ = judged_by(records, CONTEXTS)

    name = gold.get("doc_id", gold.get("id"))
    assert judged.to_dict() == {q: {name: 1} for q in ("how?", "when?")}  # type: ignore[union-attr]
    assert [n.partition(" (")[0] for n in judged.notes] == [
        f"2 gold objects are read by {by_id}; not read: {', '.join(repr(k) for k in gold if repr(k) != by_id)}"
    ]
    assert places(spans) == {q: {at("washed cold", "c1")} for q in ("how?", "when?")}  # type: ignore[arg-type]
    assert list(spans.notes) == [f"2 gold objects are read by {by_text}; not read: {unread}"]
    assert "未读取" in zh(spans.notes[0])


def test_the_id_of_a_gold_object_says_in_which_document_its_text_stands():
    twice = {"a": "it is cold", "b": "so cold"}

    for given, expected in (
        ({"id": "b", "text": "cold"}, {("b", 3, 7)}),
        ({"text": "cold"}, {("a", 6, 10), ("b", 3, 7)}),
    ):
        assert places(rg.Spans([{"question": "how?", "gold": [given]}], documents=twice)) == {"how?": expected}
    graded = rg.Spans([{"question": "how?", "gold": {"id": "b", "grade": 2}}], documents=twice)
    assert [(need.grade, need.alternatives) for need in graded.needs["how?"]] == [(2.0, ((("b", 0, 7),),))]


@pytest.mark.parametrize("documents", [None, CONTEXTS])
def test_gold_objects_that_name_nothing_are_refused(documents: Any):
    with pytest.raises(InputError, match="'gold' must be an id, a list of them, grades by id, or texts"):
        judged_by([{"question": "how?", "gold": [{"title": "no"}]}], documents)


def test_columns_say_what_names_do_not():
    records = [{"ask": "how?", "nugget": "washed cold"}]

    spans, texts = judged_by(records, CONTEXTS, columns={"ask": "question", "nugget": "gold"})

    assert texts == {"how?": "how?"}
    assert places(spans) == {"how?": {at("washed cold", "c1")}}  # type: ignore[arg-type]


def test_columns_of_files_say_it_as_well_and_are_checked(tmp_path: Path):
    path = written(tmp_path, "asked.csv", "ask,nugget\nHow is it washed?,c1\nHow often is it waxed?,c2\n")
    told = {"ask": "question", "nugget": "gold"}

    judged, texts = judged_by(path, columns=told)

    assert judged.to_dict() == {"How is it washed?": {"c1": 1}, "How often is it waxed?": {"c2": 1}}  # type: ignore[union-attr]
    assert queries_of(path, {"ask": "question"}) == texts == {q: q for q in texts}
    for columns, said in (
        (
            {"ask": "question", "nuget": "gold"},
            r"`columns` names 'nuget', found: 'ask', 'nugget'\. Did you mean",
        ),
        ({"ask": "question", "nugget": "gld"}, "'nugget' must map to one of question, id, gold, doc_id, got 'gld'"),
        ({"ask": "question"}, r'Pass columns=\{"ask": "question", "nugget": "gold"\}'),
    ):
        for documents in (None, CONTEXTS):
            with pytest.raises((InputError, ParameterError), match=said):
                judged_by(path, documents, columns=columns)


@pytest.mark.parametrize(
    ("record", "said", "chinese"),
    [
        (
            {"ask": "how is it?", "gold": ["c1"]},
            'the question (such as … Pass columns={"ask": "question"}',
            "必须有问题",
        ),
        (
            {"question": "how is it?", "found_in": ["c1"]},
            'what is relevant to it (such as … Pass columns={"found_in": "gold"}',
            "必须有相关内容",
        ),
        (
            {"id": 1, "ask": "how is it?", "nugget": "c1"},
            'the question (such as … and one with what is … Pass columns={"ask": "question", "nugget": "gold"}',
            "以及相关内容",
        ),
        ({"id": 1, "question": "how is it?", "answer": "so"}, "'answer' is an answer, which says nothing", "是答案"),
        ({"question": "how is it?"}, 'Pass columns={"name of the column": "gold"}', '{"列名": "gold"}'),
        (
            {"question": "how is it?", "a": "x", "b": ["y"]},
            'Pass columns={"a": "gold"} or columns={"b": "gold"}',
            '{"a": "gold"} 或 columns={"b": "gold"}',
        ),
    ],
)
@pytest.mark.parametrize("form", ["jsonl", "csv", "list", "frame"])
def test_what_questions_lack_is_named_with_the_column_that_may_be_it(
    tmp_path: Path, record: dict[str, Any], said: str, chinese: str, form: str
):
    if form == "csv" and len(record) < 2:
        pytest.skip("no table")
    records = [record, {k: "what is it?" if v == "how is it?" else v for k, v in record.items()}]
    given: Any = records
    if form == "jsonl":
        given = written(tmp_path, "asked.jsonl", lines(records))
    elif form == "csv":
        given = written(tmp_path, "asked.csv", as_csv(records, str))
    elif form == "frame":
        given = pl.DataFrame(records)

    with pytest.raises(InputError) as e:
        judged_by(given)

    assert all(part in e.value.text for part in said.split(" … "))
    assert chinese in zh(e.value.text)
    assert "doc_id" not in e.value.text


def test_judgements_that_lack_something_are_told_so_as_judgements(tmp_path: Path):
    with pytest.raises(InputError, match=r"columns missing from qrels 'j\.csv': 'grade'"):
        judged_by(written(tmp_path, "j.csv", "qid,docno,x,y\n1,d1,a,b\n2,d2,a,b\n"))


def test_another_alternative_makes_up_for_one_that_is_nowhere():
    rows = [{"query_id": "q", "text": t, "need": "a", "alternative": t} for t in ("washed cold", "zzzzzzzzzzzz")]

    spans = rg.Spans(rows, documents=CONTEXTS)

    assert places(spans) == {"q": {at("washed cold", "c1")}}
    assert any("1 of 2 texts were not found" in note for note in spans.notes)
    with pytest.raises(InputError, match="'zzzzzzzzzzzz' was not found"):
        rg.Spans(rows[1:], documents=CONTEXTS)


def paragraph(**parts: Any) -> dict[str, Any]:
    return {"data": [{"paragraphs": [parts]}]}


def nodes(**parts: Any) -> dict[str, Any]:
    return {"queries": {"q": "a"}, "corpus": {"d": "t"}, "relevant_docs": {"q": ["d"]}, **parts}


ASKS = [{"question": "a", "answers": []}]


@pytest.mark.parametrize(
    ("content", "en", "chinese"),
    [
        (paragraph(context=7, qas=ASKS), "the paragraph must be a text, got 7", "段落必须是文本，实际为 7"),
        (paragraph(context="x", qas=[{"question": ""}]), "the question must be a text, got ''", "问题必须是文本"),
        (paragraph(context="x", qas=3), "data[0].paragraphs[0].qas: must be a list, got 3", "必须是列表，实际为 3"),
        (paragraph(context="x", qas=[]), "holds no questions", "中没有问题"),
        (nodes(relevant_docs={"q": ["e"]}), "relevant_docs 'q': node 'e' is not in the file", "不在文件中"),
        (nodes(corpus={"d": 4}), "corpus 'd': must be a text, got 4", "必须是文本"),
        ({"data": [{"input": "a", "expectedOutput": "b"}, 3]}, "must hold a list of examples", "必须是样例的列表"),
    ],
)
def test_what_is_wrong_with_a_set_is_said_with_its_place(tmp_path: Path, content: Any, en: str, chinese: str):
    path = written(tmp_path, "set.json", content)

    with pytest.raises(InputError) as e:
        rg.Spans(path, documents=CONTEXTS)

    assert en in e.value.text
    assert chinese in zh(e.value.text)


def test_a_format_of_questions_holds_no_run(tmp_path: Path):
    with pytest.raises(InputError):
        rg.read_run(written(tmp_path, "s.json", SQUAD))
    assert open_file(written(tmp_path, "t.json", SQUAD), "texts").rows == CONTEXTS  # type: ignore[attr-defined]


def test_the_dev_set_of_cmrc_2018(shared: Path):
    spans = rg.Spans(shared / "cmrc2018_zh/cmrc2018_dev.json.gz")

    assert (len(spans.needs), spans.n_needs) == (3219, 3219)
    assert spans.documents is not None
    assert len(spans.documents) == 848
    assert any("200 of 9,657 answers do not stand at their offsets" in note for note in spans.notes)
