"""Questions and a live retriever go where judgements and a run go."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import rankgauge as rg
from rankgauge._text import zh
from rankgauge.data.questions import questions_of
from rankgauge.errors import InputError, ParameterError

DOCUMENTS = {"d1": "red shoes for running", "d2": "warm boots", "d3": "a red hat"}
GOLD = {"red shoes": ["d1"], "warm boots for winter": ["d2"], "hat in red": {"d3": 2, "d1": 0}}


def words(query: str) -> list[tuple[str, float]]:
    """Documents by how many words they share with the query."""
    asked = set(query.split())
    found = {d: len(asked & set(text.split())) for d, text in DOCUMENTS.items()}
    return sorted(((d, float(n)) for d, n in found.items() if n), key=lambda x: -x[1])


def nothing(query: str) -> list[str]:
    return []


RECORDED = {q: dict(words(q)) for q in GOLD}


def test_a_retriever_is_what_its_run_is():
    live, run = (rg.evaluate(GOLD, x, ["nDCG@10", "RR", "R@1"]) for x in (words, RECORDED))

    assert live.per_query.equals(run.per_query)
    assert live.run == "words"


def test_several_retrievers_are_several_systems():
    found = rg.evaluate(GOLD, {"words": words, "nothing": nothing, "recorded": RECORDED}, "RR")

    assert {name: ev["RR"] for name, ev in found.items()} == {"words": 1.0, "nothing": 0.0, "recorded": 1.0}
    assert list(rg.evaluate(GOLD, [words, nothing], "RR")) == ["words", "nothing"]


def test_retrievers_are_compared_by_query():
    gold = {f"red shoes {i}": ["d1"] for i in range(20)}
    c = rg.compare(gold, {"nothing": nothing, "words": words}, "RR")

    assert c.verdict("RR", "words") == "better"


def test_k_is_what_is_asked_for():
    def asks(query: str, k: int) -> list[str]:
        return [f"x{i}" for i in range(k)]

    assert rg.evaluate(GOLD, asks, "RR").longest == 20
    assert rg.evaluate(GOLD, asks, "RR", k=7).longest == 7


def test_options_of_collecting_are_passed_on(tmp_path):
    rg.evaluate(GOLD, words, "RR", collect={"concurrency": 2, "resume": tmp_path / "a.jsonl"})

    assert (tmp_path / "a.jsonl").read_text().count("\n") == 4
    with pytest.raises(ParameterError, match="`resume` names one file"):
        rg.evaluate(GOLD, [words, nothing], "RR", collect={"resume": tmp_path / "b.jsonl"})


def test_failures_are_said_with_the_numbers():
    def fails(query: str) -> Any:
        if "boots" in query:
            raise ConnectionError("no route")
        return words(query)

    ev = rg.evaluate(GOLD, fails, "RR")

    assert ev["RR"] == 2 / 3
    assert any("1 of 3 queries got no answer from fails" in note for note in ev.notes)
    assert "ConnectionError: no route" in str(ev)


@pytest.mark.parametrize("word", [{"k": 5}, {"queries": {"a": "b"}}, {"collect": {"retries": 1}}])
def test_what_is_said_of_asking_needs_a_retriever(word):
    with pytest.raises(ParameterError) as e:
        rg.evaluate({"q": ["d"]}, {"q": ["d"]}, "RR", **word)
    assert "say how a retriever is asked" in e.value.text
    assert "用于询问检索器" in zh(e.value.text)


# questions in every form

RECORDS = [{"question": q, "gold": list(g) if isinstance(g, list) else ["d3"]} for q, g in GOLD.items()]


def as_text(record: dict[str, Any]) -> str:
    return json.dumps(record["gold"])


def as_csv(rows: list[dict[str, Any]]) -> str:
    return pd.DataFrame(rows).to_csv(index=False)


@pytest.mark.parametrize(
    "questions",
    [
        GOLD,
        RECORDS,
        pd.DataFrame(RECORDS),
        [{"id": i, "query": r["question"], "reference_context_ids": r["gold"]} for i, r in enumerate(RECORDS)],
        [{"user_input": r["question"], "relevant": r["gold"][0]} for r in RECORDS],
        {f"q{i}": {"question": r["question"], "relevant": r["gold"]} for i, r in enumerate(RECORDS)},
    ],
    ids=["dict", "records", "frame", "records with ids", "ragas", "dict of records"],
)
def test_forms_of_questions(questions):
    assert rg.evaluate(questions, words, "RR")["RR"] == 1.0


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("q.jsonl", "".join(json.dumps(r) + "\n" for r in RECORDS)),
        ("q.json", json.dumps(RECORDS)),
        ("q.json", json.dumps({r["question"]: r["gold"] for r in RECORDS})),
        ("q.csv", as_csv([{"question": r["question"], "gold": r["gold"][0]} for r in RECORDS])),
        (
            "q.csv",
            as_csv([{"qid": i, "query": r["question"], "gold": json.dumps(r["gold"])} for i, r in enumerate(RECORDS)]),
        ),
        ("q.csv", as_csv([{"query": r["question"], "doc_id": r["gold"][0], "grade": 1} for r in RECORDS])),
    ],
)
def test_files_of_questions(tmp_path, name, content):
    (tmp_path / name).write_text(content)

    assert rg.evaluate(tmp_path / name, words, "RR")["RR"] == 1.0


def test_a_beir_folder_is_a_set_of_questions(tmp_path):
    (tmp_path / "qrels").mkdir()
    rows = [f"q{i}\t{r['gold'][0]}\t1" for i, r in enumerate(RECORDS)]
    (tmp_path / "qrels" / "test.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *rows]) + "\n")
    queries = [json.dumps({"_id": f"q{i}", "text": r["question"]}) for i, r in enumerate(RECORDS)]
    (tmp_path / "queries.jsonl").write_text("\n".join(queries) + "\n")

    assert rg.evaluate(tmp_path, words, "RR")["RR"] == 1.0
    assert rg.collect(tmp_path, words).query_ids == ["q0", "q1", "q2"]


def test_judgements_with_texts_beside_them(tmp_path):
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("".join(f"q{i} 0 {r['gold'][0]} 1\n" for i, r in enumerate(RECORDS)))
    texts = {f"q{i}": r["question"] for i, r in enumerate(RECORDS)}
    (tmp_path / "queries.tsv").write_text("".join(f"{q}\t{text}\n" for q, text in texts.items()))

    for queries in (texts, tmp_path / "queries.tsv"):
        assert rg.evaluate(qrels, words, "RR", queries=queries)["RR"] == 1.0
    with pytest.raises(InputError) as e:
        rg.evaluate(qrels, words, "RR")
    assert "every judged query must have a text to be asked, got none for 3 of 3: 'q0', 'q1', 'q2'" in e.value.text
    assert "必须有可供询问的文本" in zh(e.value.text)


def test_a_question_in_several_records_has_all_that_they_say():
    ev = rg.evaluate([{"question": "red", "gold": "d1"}, {"question": "red", "gold": "d3"}], words, "R@10")

    assert ev["R@10"] == 1.0
    assert ev.counts["judgements"] == 2


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([{"question": "a"}], "must have a field with what is relevant to it"),
        ([{"gold": ["d1"]}], "must have a field with the question"),
        ([{"question": 7, "gold": ["d1"]}], "'question' must be a text, got 7"),
        ([{"question": "a", "gold": 0.5}], "must be an id, a list of them, grades by id, or texts, got 0.5"),
        ([{"id": 1, "question": "a", "gold": "x"}, {"id": 1, "question": "b", "gold": "x"}], "must have one text"),
    ],
)
def test_records_that_are_no_questions(records, said):
    with pytest.raises(InputError) as e:
        rg.evaluate(records, words, "RR")
    assert said in e.value.text
    assert any("\u4e00" <= c <= "\u9fff" for c in zh(e.value.text))


def test_pieces_where_ids_are_judged_are_told_so_once():
    said = rg.collect(["a", "b"], lambda query: [(query, 0, 9), (query, 9, 12, 0.5)]).collected

    assert said is not None
    assert list(said.failures_by_kind.values()) == [2]
    assert "Judge by spans (--by spans, rg.Spans)" in said.errors[0]


def test_questions_in_a_packed_file_go_by_its_name(tmp_path: Path):
    path = tmp_path / "asked.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"question": "how is it?", "gold": ["d1"]}\n'))

    assert questions_of(path)[0].name == "asked"
