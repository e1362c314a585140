"""What a retriever gives, in every form, becomes ids in rank order; nothing is lost."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from types import SimpleNamespace
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
import pandas as pd
import pytest

from chinese_errors import refuse_english
from rankgauge._text import zh
from rankgauge.collection.results import listed
from rankgauge.errors import InputError, RankgaugeError


def said_in_both(error: RankgaugeError, english: str, chinese: str) -> None:
    assert english in error.text
    assert chinese in zh(error.text)
    refuse_english(zh(error.text))


@dataclass
class Document:
    """As LangChain and Haystack have them."""

    page_content: str
    id: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


class Hit(NamedTuple):
    text: str
    score: float
    id: str


FORMS = {
    "ids": ["d1", "d2"],
    "numbers": [1, 2],
    "tuple": ("d1", "d2"),
    "array": np.array(["d1", "d2"]),
    "array of numbers": np.array([7, 8]),
    "pairs": [("d1", 0.9), ("d2", 0.3)],
    "pairs of NumPy": [(np.str_("d1"), np.float32(0.9)), (np.str_("d2"), np.float32(0.3))],
    "scores by id": {"d2": 0.3, "d1": 0.9},
    "records": [{"doc_id": "d1", "score": 0.9}, {"doc_id": "d2", "score": 0.3}],
    "documents": [Document("one", "d1"), Document("two", "d2")],
    "documents with scores": [(Document("one", "d1"), 0.9), (Document("two", "d2"), 0.3)],
    "nodes": [SimpleNamespace(node_id="d1", score=0.9), SimpleNamespace(node_id="d2", score=0.3)],
    "Haystack": {"documents": [Document("one", "d1"), Document("two", "d2")]},
    "Elasticsearch": {"hits": {"total": 2, "hits": [{"_id": "d1", "_score": 0.9}, {"_id": "d2", "_score": 0.3}]}},
    "response": SimpleNamespace(body={"hits": {"hits": [{"_id": "d1", "_score": 2}, {"_id": "d2", "_score": 1}]}}),
    "points": SimpleNamespace(points=[SimpleNamespace(id="d1", score=0.9), SimpleNamespace(id="d2", score=0.3)]),
    "columns of a store": {"ids": [["d1", "d2"]], "distances": [[0.1, 0.7]], "documents": [["one", "two"]]},
    "frame": pd.DataFrame({"docno": ["d2", "d1"], "score": [0.3, 0.9], "rank": [1, 0]}),
    "generator": (x for x in ("d1", "d2")),
    "batch of one": [["d1", "d2"]],
    "batch of one, pairs": [[("d1", 0.9), ("d2", 0.3)]],
    "numbers of a database": [("d1", Decimal("0.9")), ("d2", Decimal("0.3"))],
    "scores by id of a database": {"d2": Decimal("0.3"), "d1": Decimal("0.9")},
    "numbers of arrays": [("d1", np.array(0.9)), ("d2", np.array(0.3))],
    "answer of a chain": {"answer": "…", "context": [Document("one", "d1"), Document("two", "d2")]},
    "named tuples": [Hit("one", 0.9, "d1"), Hit("two", 0.3, "d2")],
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_a_list_of_ids(form: str):
    found = listed(FORMS[form], 10)
    ids = {"numbers": ["1", "2"], "array of numbers": ["7", "8"]}.get(form, ["d1", "d2"])

    assert found.ids == ids
    assert found.odd == {}
    assert found.scores is None or found.scores == sorted(found.scores, reverse=True)


def test_scores_are_kept_where_they_fall_along_the_list():
    assert listed([("a", 0.9), ("b", 0.9), ("c", -1)], 10).scores == [0.9, 0.9, -1.0]


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ([("a", 0.1), ("b", 0.9)], "unsorted"),
        ([("a", 0.9), ("b", float("nan"))], "not_finite"),
        ([("a", float("inf")), ("b", 1.0)], "not_finite"),
        ([("a", 0.9), ("b", None)], "partly_scored"),
    ],
)
def test_where_scores_cannot_be_the_order_the_order_counts(given, word):
    found = listed(given, 10)

    assert (found.ids, found.scores, found.odd) == (["a", "b"], None, {word: 1})


def test_a_result_without_an_id_keeps_its_place():
    found = listed(["a", None, "", {"score": 3}, "b"], 10)

    assert found.ids == ["a", "(no id 2)", "(no id 3)", "(no id 4)", "b"]
    assert found.odd["without_id"] == 3


class ObjectId:
    """As MongoDB has them."""

    def __str__(self) -> str:
        return "507f1f77"


KEY = UUID(int=7)


@pytest.mark.parametrize("given", [[KEY], [{"_id": KEY}], [(KEY, 0.5)], {KEY: 0.5}])
def test_keys_of_databases_go_by_what_is_printed_of_them(given):
    assert listed(given, 5).ids == [str(KEY)]
    assert listed([{"_id": ObjectId(), "score": 1.0}], 5).ids == ["507f1f77"]


def test_one_pair_is_a_pair_and_no_batch():
    assert listed([["d1", 0.9]], 5).ids == ["d1"]
    assert listed([[7, 2]], 5).ids == ["7"]


ROWS = [("d1", "one text", 0.9), ("d2", "another text", 0.3)]


def test_a_function_says_what_rows_are():
    assert listed(ROWS, 5, lambda row: row[0]).ids == ["d1", "d2"]


@pytest.mark.parametrize("body", [{"timed_out": True}, {"_shards": {"total": 5, "failed": 1}}])
def test_what_a_search_engine_calls_incomplete_is_kept_and_counted(body):
    answer = {"timed_out": False, "hits": {"hits": [{"_id": "a"}]}, **body}

    for given in (answer, SimpleNamespace(body=answer)):
        assert (listed(given, 5).ids, listed(given, 5).odd) == (["a"], {"partial": 1})


def test_repeated_results_stay():
    assert listed(["a", "b", "a"], 10).ids == ["a", "b", "a"]


def test_none_is_an_empty_list_that_is_counted():
    assert listed(None, 10) == listed([], 10).__class__([], odd={"nothing": 1})


def test_a_list_is_cut_at_k():
    found = listed(["a", "b", "c"], 2)

    assert (found.ids, found.odd) == (["a", "b"], {"longer": 1})


DOCUMENT = Document("the whole text", "chunk-7", {"source": "guide.pdf", "page": 3})


@pytest.mark.parametrize(
    ("id", "name"),
    [
        (None, "chunk-7"),
        ("source", "guide.pdf"),
        ("page", "3"),
        ("page_content", "the whole text"),
        ("text", "the whole text"),
        (lambda d: f"{d.metadata['source']}#{d.metadata['page']}", "guide.pdf#3"),
    ],
)
def test_ids_are_where_they_are_said_to_be(id, name):
    assert listed([DOCUMENT], 5, id).ids == [name]


def test_a_document_without_an_id_goes_by_its_text_and_is_counted():
    found = listed([Document("one"), Document("two", "d2")], 5)

    assert (found.ids, found.odd) == (["one", "d2"], {"by_text": 1})


def test_metadata_without_the_key_has_no_id():
    assert listed([Document("one", "d1")], 5, "source").odd == {"without_id": 1}


def test_stages_are_read_where_they_are_told():
    assert listed({"documents": ["a"], "stages": {"embed": 0.25, "search": 1}}, 5).stages == {
        "embed": 0.25,
        "search": 1.0,
    }


@pytest.mark.parametrize(
    "given", ["one text", b"one", 7, np.zeros((2, 2)), {"answer": "yes"}, object(), {"d1", "d2"}, ROWS, [["a"], ["b"]]]
)
def test_what_is_no_list_is_refused(given):
    with pytest.raises(InputError) as e:
        listed(given, 5)
    said_in_both(e.value, "a retriever must return a list of ids, pairs or documents", "检索器必须返回")
