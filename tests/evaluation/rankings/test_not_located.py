"""Texts that stand in no document: the first of them, with what is most like each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from command_line import rankgauge
from rankgauge._language import speaking
from rankgauge.data.locating import Documents, Normal
from rankgauge.errors import InputError
from rankgauge.evaluation.rankings.not_located import not_located

DOCS = {
    "a": "Running shoes are washed by hand in cold water. Never tumble dry them.",
    "b": "Leather boots need wax twice a year.",
}
GOLD = [
    {"query_id": "q1", "text": "washed by hand in cold water"},
    {"query_id": "q2", "text": "boots want some wax every year"},
]


def evaluated(lists: dict[str, list[str]]) -> rg.RankingEvaluation:
    return rg.evaluate(rg.Spans(GOLD, documents=DOCS, not_found="skip"), lists, ["SpanRecall@5"])


def naive_likeness(text: str, document: str) -> float:
    """1 - edits / characters for the nearest part, by the table of edit distances that may begin and end anywhere."""
    wanted, there = Normal(text).text, Normal(document).text
    row = [0] * (len(there) + 1)
    for i, c in enumerate(wanted, 1):
        last, row = row, [i]
        for j, d in enumerate(there, 1):
            row.append(min(last[j - 1] + (c != d), last[j] + 1, row[j - 1] + 1))
    return 1 - min(row) / len(wanted)


def test_gold_and_retrieved_texts_are_told_with_what_is_most_like_them():
    found = not_located([evaluated({"q1": ["cold water", "something else: leather shoes need wax"], "q2": []})])

    assert found is not None
    assert found.counts == {"gold": (1, 2), "run": (1, 2)}
    assert [(x.of, x.query_id, x.doc_id, x.near) for x in found.texts] == [
        ("gold", "q2", "b", "boots need wax twice a year"),
        ("run", "q1", "b", "Leather boots need wax"),
    ]
    for x in found.texts:
        assert x.likeness == pytest.approx(naive_likeness(x.text, DOCS["b"]))


def test_where_all_is_found_there_is_nothing_to_tell():
    gold = rg.Spans(GOLD[:1], documents=DOCS)

    assert not_located([rg.evaluate(gold, {"q1": ["cold water"]}, "SpanRecall")]) is None
    assert not_located([rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "RR")]) is None


def test_so_many_of_each_are_told_and_all_are_counted():
    lists = {"q1": [f"nothing like it {i}" for i in range(9)], "q2": []}

    found = not_located([evaluated(lists)], most=2)

    assert found is not None
    assert found.counts["run"] == (9, 9)
    assert [x.text for x in found.texts if x.of == "run"] == ["nothing like it 0", "nothing like it 1"]


def test_a_text_that_has_no_letter_in_common_is_like_nothing():
    found = not_located([evaluated({"q1": ["ΩΨΦ"], "q2": []})])

    assert found is not None
    (text,) = [x for x in found.texts if x.of == "run"]
    assert (text.likeness, text.doc_id, text.near) == (0.0, None, "")


@given(
    text=st.text("abc de", min_size=1, max_size=9),
    documents=st.lists(st.text("abcde ", max_size=30), min_size=1, max_size=5),
)
@settings(deadline=None)
def test_no_document_has_a_part_that_is_more_alike(text: str, documents: list[str]):
    found = Documents({str(i): d for i, d in enumerate(documents)}).most_like(text)

    best = max((naive_likeness(text, d) for d in documents), default=0.0) if Normal(text).text else 0.0
    assert (0.0 if found is None else found.score) == pytest.approx(best)


def test_an_error_says_what_is_most_like_gold_that_is_not_found():
    with pytest.raises(InputError) as e:
        rg.Spans(GOLD, documents=DOCS)

    assert "'boots want some wax every year' was not found in any document" in str(e.value)
    assert "'boots need wax twice a year' of 'b' is 48.0% alike" in str(e.value)
    with speaking("zh"):
        assert "'b' 中的 'boots need wax twice a year' 与它的相似度为 48.0%" in str(e.value)


def test_a_command_and_its_page_show_them_in_both_languages(tmp_path: Path):
    (tmp_path / "docs.jsonl").write_text(
        "".join(json.dumps({"id": d, "text": t}) + "\n" for d, t in DOCS.items()), encoding="utf-8"
    )
    asked = [{"id": g["query_id"], "question": f"what of {g['query_id']}", "gold": g["text"]} for g in GOLD]
    (tmp_path / "asked.jsonl").write_text("".join(json.dumps(r) + "\n" for r in asked), encoding="utf-8")
    (tmp_path / "search.py").write_text(
        "def find(query):\n    return ['cold water', 'something else: leather shoes need wax']\n", encoding="utf-8"
    )
    words = ("rag", "asked.jsonl", "--documents", "docs.jsonl", "--retriever", "search:find", "--not-found", "skip")

    english = rankgauge(*words, "--html", "en.html", cwd=tmp_path).stdout
    chinese = rankgauge(*words, cwd=tmp_path, language="zh").stdout
    stored = json.loads(rankgauge(*words, "--json", cwd=tmp_path).stdout)

    assert "gold     q2     boots want some wax every year" in english
    assert "48.0%" in english
    assert "find: 2 of 4 texts were not found" in english
    assert "标准答案：2 段文本中有 1 段没有找到" in chinese
    assert "Texts that stand in no document" in (tmp_path / "en.html").read_text(encoding="utf-8")
    assert [x["likeness"] for x in stored["not_located"]["texts"]][:1] == pytest.approx([0.48])
