"""Judgements as the Search Relevance Workbench of OpenSearch and Quepid export them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rankgauge as rg
from rankgauge.errors import InputError

RATINGS = [
    {
        "query": "red dress",
        "ratings": [{"docId": "B07", "rating": "3.000"}, {"docId": "B01", "rating": "0.000"}],
    },
    {"query": "蓝牙耳机", "ratings": [{"docId": "7", "rating": "1.500"}]},
]
IMPORTED = {"name": "mine", "type": "IMPORT_JUDGMENT", "judgmentRatings": RATINGS}
EXPECTED = {"red dress": {"B07": 3.0, "B01": 0.0}, "蓝牙耳机": {"7": 1.5}}


def written(path: Path, content: Any) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False))
    return path


@pytest.mark.parametrize(
    "content",
    [
        IMPORTED,
        {"took": 1, "hits": {"total": {"value": 1}, "hits": [{"_id": "x", "_source": IMPORTED}]}},
        [IMPORTED],
        {"_index": "search-relevance-judgment", "_source": IMPORTED},
    ],
    ids=["imported", "searched", "in a list", "one document"],
)
def test_a_judgement_list_of_opensearch_is_read_in_every_wrapping(tmp_path: Path, content: Any):
    path = written(tmp_path / "judgments.json", content)

    assert rg.Qrels(path).to_dict() == EXPECTED
    assert rg.read_qrels(path, format="opensearch").to_dict() == EXPECTED
    assert rg.evaluate(path, {"red dress": ["B01", "B07"]}, "RR").mean() == {"RR": pytest.approx(1 / 4)}


def test_the_bare_ratings_are_read_as_well(tmp_path: Path):
    ratings = [{**r, "ratings": [{**d, "rating": float(d["rating"])} for d in r["ratings"]]} for r in RATINGS]

    assert rg.Qrels(written(tmp_path / "x.json", ratings)).to_dict() == EXPECTED


def test_results_of_an_experiment_are_a_run(tmp_path: Path):
    results = [
        {"searchText": "red dress", "documentIds": ["B01", "B07"], "searchConfigurationId": "a", "metrics": []},
        {"searchText": "蓝牙耳机", "documentIds": [], "searchConfigurationId": "a", "metrics": []},
    ]
    searched = {"hits": {"hits": [{"_source": r} for r in results]}}
    lines = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in results)

    for content, name in ((searched, "x.json"), (results, "y.json"), (lines, "z.ndjson")):
        run = rg.Run(written(tmp_path / name, content))
        assert {q: list(row) for q, row in run.to_dict().items()} == {"red dress": ["B01", "B07"], "蓝牙耳机": []}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([IMPORTED, {**IMPORTED, "name": "other"}], r"holds 2 judgement lists \('mine', 'other'\)\. Keep one"),
        ({"judgmentRatings": {}}, "holds no 'judgmentRatings' that is a list"),
        ({"judgmentRatings": [{"query": "q"}]}, "record 1 of judgmentRatings: must have a query and a list of ratings"),
        (
            {"judgmentRatings": [{"query": "q", "ratings": [{"docId": "d", "rating": "good"}]}]},
            "doc 'd': grade must be a number, got 'good'",
        ),
        (
            {"judgmentRatings": [{"query": "q", "ratings": [{"docId": "d", "rating": None}]}]},
            "doc 'd': grade must be a number, got None",
        ),
    ],
)
def test_what_is_wrong_with_a_judgement_list_of_opensearch(tmp_path: Path, content: Any, message: str):
    with pytest.raises(InputError, match=message):
        rg.Qrels(written(tmp_path / "x.json", content))


def test_results_of_several_configurations_are_no_run(tmp_path: Path):
    results = [{"searchText": "q", "documentIds": ["a"], "searchConfigurationId": c} for c in "ab"]

    with pytest.raises(InputError, match=r"holds results of 2 search configurations \('a', 'b'\)"):
        rg.Run(written(tmp_path / "x.json", results))


# Quepid


CSV = 'query,docid,rating\nlaptop,1229,3\nlaptop,0077,0\n"usb, hub",9,1\nnothing yet\nsnapshot,5,\n'
QUEPID = {"laptop": {"1229": 3.0, "0077": 0.0}, "usb, hub": {"9": 1.0}}


def test_ratings_of_quepid_as_csv(tmp_path: Path):
    table = rg.Qrels(written(tmp_path / "ratings.csv", CSV))

    assert table.to_dict() == QUEPID
    assert table.notes == (
        "queries without any rating, so without a row: 2 ('nothing yet', 'snapshot')",
        "documents without a rating, which are not judged: 1",
    )


@pytest.mark.parametrize("key", ["query", "query_text"])
@pytest.mark.parametrize("form", ["mapping", "list"])
def test_ratings_of_quepid_as_json(tmp_path: Path, key: str, form: str):
    def ratings(of: dict[str, float]) -> Any:
        return of if form == "mapping" else [{"doc_id": d, "rating": r} for d, r in of.items()]

    queries = [{key: q, "ratings": ratings(r)} for q, r in QUEPID.items()] + [{key: "none", "ratings": None}]
    path = written(tmp_path / "case.json", {"case_name": "shop", "queries": queries})

    assert rg.Qrels(path).to_dict() == QUEPID
    assert rg.Qrels(path).notes == ("queries without any rating, so without a row: 1 ('none')",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("query,docid,rating\nq,1,good\n", "line 2: rating must be a number, got 'good'"),
        ("query,docid,rating\nq,1,1e999\n", "line 2: rating must be a finite number, got '1e999'"),
        ("query,docid,rating\nq,1,2,3\n", "line 2: expected query, docid and rating, found 4 fields"),
        ("query,docid,rating\n,1,2\n", "line 2: a query must be a text, got ''"),
        ("query,docid,rating\nq\n", "holds no ratings"),
        ('query,docid,rating\n"q,1,2\n', "line 2: not valid CSV"),
    ],
)
def test_what_is_wrong_with_ratings_of_quepid(tmp_path: Path, text: str, message: str):
    with pytest.raises(InputError, match=message):
        rg.Qrels(written(tmp_path / "x.csv", text))


@pytest.mark.parametrize("ratings", [["d1"], [{"rating": 3}], "d1", 3])
def test_ratings_of_quepid_that_are_none(tmp_path: Path, ratings: Any):
    path = written(tmp_path / "x.json", {"queries": [{"query": "q", "ratings": ratings}]})

    with pytest.raises(InputError, match="record 1: ratings must be documents with their ratings, got"):
        rg.Qrels(path)


def test_a_rating_of_quepid_beyond_all_floats_is_refused(tmp_path: Path):
    path = written(tmp_path / "x.json", {"queries": [{"query": "q", "ratings": {"d1": 10**400, "d2": 1}}]})

    with pytest.raises(InputError, match="rating must be a finite number, got 1000"):
        rg.Qrels(path)


def test_two_ratings_of_one_document_are_named(tmp_path: Path):
    path = written(tmp_path / "x.csv", "query,docid,rating\nq,1,2\nq,1,3\n")

    with pytest.raises(InputError, match="query 'q', '1' has grades 2 and 3"):
        rg.evaluate(path, {"q": ["1"]}, "RR")


def test_real_ratings_are_all_there(shared: Path):
    table = rg.Qrels(shared / "chorus_product_ratings" / "Broad_Query_Set_rated.csv.gz")

    assert len(table) == 3668
    assert len(table.query_ids) == 135
