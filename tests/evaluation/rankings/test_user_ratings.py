"""Ratings of users are no hits: a threshold is asked for, and everything else that is called a rating is a grade."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankgauge as rg
from chinese_errors import Files, says_in_both

RATED = pl.DataFrame({"user_id": ["u", "u"], "item_id": ["a", "b"], "rating": [5, 1]})
RUN = {"u": ["b", "a"]}


@pytest.mark.parametrize("name", ["rating", "Rating"])
def test_ratings_without_a_threshold_are_refused(name: str, tmp_path: Path) -> None:
    says_in_both(
        lambda at: rg.evaluate(RATED.rename({"rating": name}), RUN, "P@1"),
        Files(tmp_path),
        f"'{name}' holds what users rated, and a low rating is no hit. Say from which rating on an item is "
        "relevant, such "
        f'as rel=4; or that ratings are grades: columns={{"{name}": "grade"}}.',
        f"'{name}' 是用户的评分，低分不是命中。请说明从几分起算相关，如 rel=4；如果评分就是相关性等级，请写 "
        f'columns={{"{name}": "grade"}}。',
    )


@pytest.mark.parametrize(
    "columns", [{"user_id": "userId", "item_id": "movieId"}, {"user_id": "user_id:token", "rating": "rating:float"}]
)
def test_other_names_of_ratings_are_known(columns: dict[str, str]) -> None:
    with pytest.raises(rg.errors.ParameterError, match="a low rating is no hit"):
        rg.evaluate(RATED.rename(columns), RUN, "P@1")


@pytest.mark.parametrize(
    ("measures", "words", "value"),
    [
        ("P@1", {"rel": 4}, 0.0),
        ("P@1", {"rel": 1}, 1.0),
        ("P(rel=4)@1", {}, 0.0),
        ("P@1", {"columns": {"rating": "grade"}}, 1.0),
    ],
)
def test_a_threshold_or_a_word_for_grades_is_enough(measures: str, words: dict[str, Any], value: float) -> None:
    assert rg.evaluate(RATED, RUN, measures, **words)[measures] == value


def test_ratings_of_queries_are_judgements() -> None:
    judged = RATED.rename({"user_id": "query", "item_id": "doc_id"})

    assert rg.evaluate(judged, RUN, "P@1")["P@1"] == 1.0


@pytest.mark.parametrize(
    ("names", "more", "asked"),
    [
        ("query_id item_id rating", {}, True),  # RePlay: in doubt it is asked for
        ("query_id item_id rating timestamp", {}, True),
        ("session_id movie_id stars", {}, True),
        ("query_id product_id rating timestamp", {}, True),
        ("query_id product_id rating", {}, False),  # as people judge the results of a shop
        ("query_id doc_id rating timestamp", {}, False),
        ("query docid rating", {}, False),
        ("query_id product_id rating", {"train": {"u": ["z"]}}, True),
        ("query doc_id rating", {"train": {"u": ["z"]}}, True),
        ("customer_id product_id rating", {"columns": {"customer_id": "query_id"}}, True),
        ("who what rating", {"columns": {"who": "user_id", "what": "doc_id"}}, True),
        ("who what rating", {"columns": {"who": "query_id", "what": "item_id"}}, True),
        ("who what rating", {"columns": {"who": "query_id", "what": "doc_id"}}, False),
    ],
)
def test_whose_ratings_they_are(names: str, more: dict[str, Any], asked: bool) -> None:
    """Those of users are no hits from one star on; those of judges are grades, of which nDCG keeps the low ones."""
    columns = [["u", "u"], ["a", "b"], [5, 1], [1, 2]]
    judged = pl.DataFrame(dict(zip(names.split(), columns, strict=False)))

    if asked:
        with pytest.raises(rg.errors.ParameterError, match="a low rating is no hit"):
            rg.evaluate(judged, RUN, "P@1", **more)
    else:
        assert rg.evaluate(judged, RUN, "P@1", **more)["P@1"] == 1.0
    ev = rg.evaluate(judged, {"u": ["b"]}, ["P@1", "nDCG@1"], rel=4, **more)
    assert (ev["P@1"], ev["nDCG@1"] > 0) == (0.0, not asked)


def test_files_and_pieces_ask_for_it_too(tmp_path: Path) -> None:
    RATED.write_parquet(tmp_path / "test.parquet")
    run = pl.DataFrame({"user_id": ["u"], "item_id": ["a"], "score": [1.0]})

    for engine in ("memory", "streaming"):
        with pytest.raises(rg.errors.ParameterError, match="a low rating is no hit"):
            rg.evaluate(tmp_path / "test.parquet", run, "P@1", engine=engine)


# interactions as judgements


@pytest.mark.parametrize(
    "names", [("user_id", "item_id"), ("userId", "movieId"), ("user_id:token", "item_id:token"), ("uid", "asin")]
)
@pytest.mark.parametrize("more", [{}, {"timestamp": [1, 2], "weight": [1, 3]}])
def test_interactions_are_judgements_all_relevant(names: tuple[str, str], more: dict[str, Any], tmp_path: Path) -> None:
    test = pl.DataFrame({names[0]: ["u", "v"], names[1]: ["a", "b"], **more})
    test.write_csv(tmp_path / "test.csv")
    test.write_parquet(tmp_path / "test.parquet")
    run = {"u": ["a"], "v": ["z"]}

    for given in (test, test.to_pandas(), test.lazy(), tmp_path / "test.csv", tmp_path / "test.parquet"):
        ev = rg.evaluate(given, run, "R@1")
        assert ev.per_query["R@1"].to_list() == [1.0, 0.0]
        assert "no grade column: every row is a relevant item (grade 1)" in [str(n) for n in ev.remarks]
    frame = pl.DataFrame({"user_id": ["u", "v"], "item_id": ["a", "z"], "score": [1.0, 1.0]})
    assert rg.evaluate(tmp_path / "test.parquet", frame.lazy(), "R@1", engine="streaming")["R@1"] == 0.5


@pytest.mark.parametrize(
    "columns", [("query_id", "doc_id", "timestamp"), ("query_id", "sku", "day"), ("user_id", "item_id", "event")]
)
def test_a_table_that_says_more_is_no_judgement(columns: tuple[str, str, str]) -> None:
    with pytest.raises(rg.errors.InputError, match="columns missing from qrels: 'grade'"):
        rg.Qrels.of(pl.DataFrame({columns[0]: ["q"], columns[1]: ["d"], columns[2]: [1]}))


def test_no_measure_gains_from_a_rating_below_the_threshold() -> None:
    """One star at the top was a perfect list of nDCG beside P = 0."""
    ev = rg.evaluate(RATED, {"u": ["b"]}, ["nDCG@10", "P@1"], rel=4)

    assert (ev["nDCG@10"], ev["P@1"]) == (0.0, 0.0)
    assert str(ev.column("nDCG@10").measure) == "nDCG(rel=4)@10"
    assert rg.evaluate(RATED, {"u": ["b"]}, "nDCG@10", columns={"rating": "grade"}, rel=4)["nDCG@10"] > 0


@pytest.mark.parametrize("measures", ["nDCG@10", "DCG@10", ["nDCG(rel=4)@10", "nDCG@10"]])
def test_measures_of_gains_ask_for_it_too(measures: Any) -> None:
    with pytest.raises(rg.errors.ParameterError, match="a low rating is no hit"):
        rg.evaluate(RATED, RUN, measures)


def test_a_threshold_of_a_measure_stays_its_own() -> None:
    assert rg.evaluate(RATED, {"u": ["b"]}, "nDCG(rel=1)@10", rel=4)["nDCG(rel=1)@10"] > 0
