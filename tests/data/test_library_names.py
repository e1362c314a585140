"""What libraries and data sets call users, items, ratings and scores: the same names are known everywhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankgauge as rg
from rankgauge.data.columns import _LEVELS, recognise
from rankgauge.errors import InputError, ParameterError

PAIRS = [("u1", "a"), ("u1", "b"), ("u2", "c")]

# user, item, what was rated (or None), time (or None)
TESTS: dict[str, tuple[str, str, str | None, str | None]] = {
    "rankgauge": ("user_id", "item_id", "rating", "timestamp"),
    "RecBole": ("user_id:token", "item_id:token", "rating:float", "timestamp:float"),
    "RecTools": ("user_id", "item_id", None, "datetime"),
    "RePlay": ("query_id", "item_id", "rating", "timestamp"),
    "RePlay before 0.11": ("user_idx", "item_idx", None, "timestamp"),
    "LensKit": ("user_id", "item_id", "rating", "timestamp"),
    "LensKit before 2025": ("user", "item", "rating", "timestamp"),
    "Recommenders": ("userID", "itemID", "rating", "timestamp"),
    "Surprise": ("uid", "iid", "rating", None),
    "MovieLens": ("userId", "movieId", "rating", "timestamp"),
    "Amazon 2018": ("reviewerID", "asin", "overall", "unixReviewTime"),
    "Amazon 2023": ("user_id", "parent_asin", "rating", "timestamp"),
    "Netflix": ("customer_id", "movie_id", "rating", "date"),
    "Book-Crossing": ("User-ID", "ISBN", "Book-Rating", None),
    "Yelp": ("user_id", "business_id", "stars", "date"),
    "Goodreads": ("user_id", "book_id", "rating", None),
    "Retailrocket": ("visitorid", "itemid", None, "timestamp"),
    "HetRec": ("userID", "artistID", None, None),
    "a shop": ("customer_id", "product_id", "rating", None),
    "中文": ("用户id", "商品id", "评分", "时间"),
}


def table_of(names: tuple[str, str, str | None, str | None]) -> pl.DataFrame:
    user, item, rating, time = names
    columns: dict[str, Any] = {user: [u for u, _ in PAIRS], item: [i for _, i in PAIRS]}
    if rating is not None:
        columns[rating] = [5.0, 1.0, 4.0]
    if time is not None:
        columns[time] = [1_700_000_000, 1_700_000_001, 1_700_000_002]
    return pl.DataFrame(columns)


def forms(frame: pl.DataFrame, folder: Path) -> list[Any]:
    frame.write_csv(folder / "t.csv")
    frame.write_parquet(folder / "t.parquet")
    (folder / "t.jsonl").write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in frame.to_dicts()))
    return [frame, frame.to_pandas(), frame.lazy(), *(folder / f"t.{end}" for end in ("csv", "parquet", "jsonl"))]


RUN = {"u1": ["b", "a"], "u2": ["c"]}


@pytest.mark.parametrize("names", TESTS.values(), ids=TESTS)
def test_tests_have_the_names_that_interactions_have(names: Any, tmp_path: Path) -> None:
    """Of user 1 the first result has one star."""
    rated = names[2] is not None
    for given in forms(table_of(names), tmp_path):
        assert rg.Interactions.of(given).to_frame().select("user_id", "item_id").rows() == PAIRS
        words: Any = {"rel": 4} if rated else {}
        ev = rg.evaluate(given, RUN, ["P@1", "nDCG@1"], **words)
        assert ev.per_query["P@1"].to_list() == [0.0 if rated else 1.0, 1.0]
        assert ev.per_query["nDCG@1"].to_list() == [0.0 if rated else 1.0, 1.0]
        assert ev.of_users


@pytest.mark.parametrize("names", [n for n in TESTS.values() if n[2]], ids=[k for k, n in TESTS.items() if n[2]])
def test_ratings_ask_for_a_threshold_whatever_users_are_called(names: Any, tmp_path: Path) -> None:
    for given in forms(table_of(names), tmp_path):
        for words in ({}, {"train": {"u1": ["z"]}}):
            with pytest.raises(
                ParameterError, match=f"{names[2]}.* holds what users rated, and a low rating is no hit"
            ):
                rg.evaluate(given, RUN, "P@1", **words)  # type: ignore[call-overload]


# user, item, score (or None), rank (or None)
RUNS: dict[str, tuple[str, str, str | None, str | None]] = {
    "rankgauge": ("user_id", "item_id", "score", None),
    "RecBole": ("user_id:token", "item_id:token", "score:float", None),
    "RecTools": ("user_id", "item_id", "score", "rank"),
    "RecTools, ranks": ("user_id", "item_id", None, "rank"),
    "RePlay": ("query_id", "item_id", "rating", None),
    "RePlay before 0.11": ("user_idx", "item_idx", "relevance", None),
    "LensKit": ("user_id", "item_id", "score", "rank"),
    "LensKit before 2025": ("user", "item", "score", "rank"),
    "Recommenders": ("userID", "itemID", "prediction", None),
    "Surprise": ("uid", "iid", "est", None),
    "Evidently": ("user_id", "item_id", None, "rank"),
    "MovieLens": ("userId", "movieId", "rating", None),
    "Amazon": ("reviewerID", "asin", "score", None),
    "Netflix": ("customer_id", "movie_id", "score", None),
    "HetRec": ("userID", "artistID", "score", None),
    "Yelp": ("user_id", "business_id", "score", None),
    "Retailrocket": ("visitorid", "itemid", "score", None),
}


@pytest.mark.parametrize("names", RUNS.values(), ids=RUNS)
def test_runs_have_the_names_that_interactions_have(names: Any, tmp_path: Path) -> None:
    user, item, score, rank = names
    frame = pl.DataFrame(
        {user: ["u1", "u1", "u2"], item: ["a", "b", "c"]}
        | ({score: [0.1, 0.9, 0.5]} if score else {})
        | ({rank: [2, 1, 1]} if rank else {})
    )
    for given in forms(frame, tmp_path):
        assert rg.evaluate({"u1": {"b": 1}, "u2": {"c": 1}}, given, "RR")["RR"] == 1.0


@pytest.mark.parametrize("engine", ["memory", "streaming"])
def test_a_run_of_ratings_is_read_in_pieces_too(engine: str, tmp_path: Path) -> None:
    pl.DataFrame({"query_id": [1, 1], "item_id": [7, 8], "rating": [0.1, 0.9]}).write_parquet(tmp_path / "r.parquet")

    assert rg.evaluate({"1": {"8": 1}}, tmp_path / "r.parquet", "RR", engine=engine)["RR"] == 1.0


@pytest.mark.parametrize(
    ("names", "what"),
    [
        ("query_id doc_id rating", "judgements are no run"),
        ("user_id item_id rating timestamp", "a test is no run: it has times"),
        ("query_id product_id rating", "products of queries are judged"),
    ],
)
def test_ratings_that_nobody_predicted_are_no_scores(names: str, what: str) -> None:
    with pytest.raises(InputError, match="columns missing from run: 'score'"):
        recognise(names.split(), "run")


def test_a_rank_goes_before_ratings() -> None:
    assert recognise(["user_id", "item_id", "rank", "rating"], "run").source.keys() == {"query_id", "doc_id", "rank"}


def test_clearer_names_go_first() -> None:
    found = recognise(["customer_id", "qid", "artist_id", "docno", "grade"], "qrels").source

    assert found == {"query_id": "qid", "doc_id": "docno", "grade": "grade"}


@pytest.mark.parametrize("kind", ["run", "qrels"])
@pytest.mark.parametrize("role", ["user_id", "item_id"])
def test_every_name_of_users_and_items_is_known(kind: Any, role: str) -> None:
    """The census: a name that interactions learn is one of tests and runs."""
    other = "doc_id" if role == "user_id" else "query_id"
    for word in (word for level in _LEVELS["interactions"][role] for word in level):
        found = recognise([word, other, "score" if kind == "run" else "grade"], kind).source
        assert found["query_id" if role == "user_id" else "doc_id"] == word


def test_items_and_slices_have_the_names_too(tmp_path: Path) -> None:
    run = pl.DataFrame({"customer_id": ["u1"], "artist_id": ["a"], "score": [1.0]})
    items = pl.DataFrame({"artist_id": ["a", "b"], "genre": ["rock", "jazz"]})
    who = pl.DataFrame({"customer_id": ["u1"], "country": ["fr"]})

    for given, about in zip(forms(items, tmp_path), [who] * 6, strict=True):
        ev = rg.evaluate({"u1": ["a"]}, run, ["RR", "CategoryRecall@1"], items=given, slices=about)
        assert ev["CategoryRecall@1"] == 0.5
        assert ev.slices["value"].to_list() == ["fr"]
