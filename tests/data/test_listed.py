"""Columns with a list for each query: `user_id, items: [7, 3, 9]`, in frames and files, at once and in pieces."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from chinese_errors import Files, says_in_both
from rankgauge.data.batches import batches_of
from rankgauge.errors import InputError

USERS = [1, 2, 3, 4]
ITEMS = [[40, 5, 7], [7], [], [5, 40]]
SCORES = [[0.1, 0.9, 0.5], [0.5], [], [0.2, 0.2]]
JUDGED = {"1": ["5"], "2": ["7"], "3": ["7"], "4": ["40", "9"]}
PLACES = {"1": {"40": 3, "5": 2, "7": 1}, "2": {"7": 1}, "4": {"5": 2, "40": 1}, "3": {}}
SCORED = {"1": {"40": 0.1, "5": 0.9, "7": 0.5}, "2": {"7": 0.5}, "4": {"5": 0.2, "40": 0.2}, "3": {}}


def table(ids: str = "integers", *, scores: bool = False) -> pl.DataFrame:
    inner = pl.Int32 if ids == "integers" else pl.String
    frame = pl.DataFrame({"user_id": USERS, "items": ITEMS}, schema_overrides={"items": pl.List(pl.Int64)})
    frame = frame.with_columns(pl.col("items").cast(pl.List(inner)), when=pl.lit("2026-11-18"))
    lists = pl.Series("scores", SCORES, dtype=pl.List(pl.Float32))
    return frame.with_columns(lists.cast(pl.List(pl.Float64))) if scores else frame


def _parquet(frame: pl.DataFrame, path: Path) -> Path:
    frame.write_parquet(path / "recs.parquet")
    return path / "recs.parquet"


def _arrow_file(frame: pl.DataFrame, path: Path) -> Path:
    frame.write_ipc(path / "recs.arrow")
    return path / "recs.arrow"


def _jsonl(frame: pl.DataFrame, path: Path) -> Path:
    frame.write_ndjson(path / "recs.jsonl")
    return path / "recs.jsonl"


FORMS: dict[str, Callable[[pl.DataFrame, Path], Any]] = {
    "Polars": lambda frame, _: frame,
    "lazy": lambda frame, _: frame.lazy(),
    "pandas": lambda frame, _: frame.to_pandas(),
    "pandas with arrays": lambda frame, _: frame.to_pandas().map(lambda v: np.array(v) if isinstance(v, list) else v),
    "PyArrow": lambda frame, _: frame.to_arrow(),
    "Parquet": _parquet,
    "Arrow": _arrow_file,
    "JSONL": _jsonl,
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("ids", ["integers", "texts"])
@pytest.mark.parametrize("scores", [False, True], ids=["order", "scores"])
def test_lists_are_a_run_in_every_form(tmp_path: Path, form: str, ids: str, scores: bool):
    run = rg.Run.of(FORMS[form](table(ids, scores=scores), tmp_path))

    found = {q: {d: round(v, 6) for d, v in row.items()} for q, row in run.to_dict().items()}
    assert found == (SCORED if scores else PLACES)
    assert list(run.empty_lists) == ["3"]


@pytest.mark.parametrize("scores", [False, True], ids=["order", "scores"])
def test_lists_are_the_same_in_pieces(tmp_path: Path, scores: bool):
    rng = np.random.default_rng(3)
    lists = [rng.choice(60, rng.integers(0, 9), replace=False).tolist() for _ in range(500)]
    frame = pl.DataFrame(
        {"user_id": range(500), "items": lists, "scores": [rng.integers(0, 4, len(x)) / 4 for x in lists]},
        schema_overrides={"items": pl.List(pl.Int64), "scores": pl.List(pl.Float64)},
    )
    path = _parquet(frame if scores else frame.drop("scores"), tmp_path)
    judged = {str(u): [str(i) for i in rng.choice(60, 3)] for u in range(500)}
    measures = ["nDCG@5", "Coverage@5", "Entropy@3"]

    pieces = batches_of(path, "run")
    assert pieces is not None
    frames = list(pieces.frames(40))
    assert len(frames) > 20
    assert pl.concat(frames).height == sum(map(len, lists))
    far = rg.evaluate(judged, path, measures, engine="streaming", items=[str(i) for i in range(60)])
    near = rg.evaluate(judged, path, measures, items=[str(i) for i in range(60)])
    assert far.per_query.equals(near.per_query)
    assert far.mean() == near.mean()
    assert far.counts == near.counts
    assert far.counts["empty_lists"] == sum(not x for x in lists)
    assert far.notes == near.notes


def test_how_lists_were_read_is_said(tmp_path: Path):
    ranked = rg.evaluate(JUDGED, _parquet(table(), tmp_path), "RR")
    scored = rg.evaluate(JUDGED, _parquet(table(scores=True), tmp_path), "RR")

    assert ranked["RR"] == (1 / 2 + 1 + 0 + 1 / 2) / 4
    assert scored["RR"] == (1 + 1 + 0 + 1 / 2) / 4  # equal scores stand by id, the larger text first: 5, 40
    assert "no scores beside the items: each list is a ranking, best first" in ranked.notes
    assert "read 'scores' as score" in scored.notes


def test_lists_in_a_column_of_one_id_are_told():
    rows = pl.DataFrame({"user_id": [1, 2], "item_id": [[5], [7]]})
    train = rg.Interactions.of(rows)
    assert [str(n) for n in train.notes] == ["'item_id' holds lists: one row for each item"]
    assert train.notes[0].zh == "'item_id' 中是列表：每个物品一行"
    assert train.users_per_item.tolist() == [1, 1]


def test_lists_of_other_names_and_of_fixed_length():
    wide = pl.DataFrame({"who": [1, 2], "top": [[3, 4], [4, 3]]}, schema_overrides={"top": pl.Array(pl.Int64, 2)})

    run = rg.Run.of(wide, columns={"who": "user_id", "top": "item_id"})
    assert run.to_dict() == {"1": {"3": 2, "4": 1}, "2": {"4": 2, "3": 1}}
    assert rg.evaluate({"1": ["4"]}, wide.lazy(), "RR", columns={"who": "user_id", "top": "item_id"})["RR"] == 1 / 2
    named = wide.rename({"who": "user_id", "top": "recommendations"}).with_columns(score=pl.lit(0.5))
    assert rg.Run.of(named).to_dict() == run.to_dict()  # one number for a user ranks no items


def test_lists_are_judgements_and_interactions():
    relevant = pl.DataFrame({"user_id": ["a", "b"], "relevant": [[1, 2], [3]]})
    graded = relevant.with_columns(grades=pl.Series([[2, 0], [1]]))
    past = pl.DataFrame({"user_id": ["a", "b"], "items": [[9, 8, 9], [8]]})

    assert rg.Qrels.of(relevant).to_dict() == {"a": {"1": 1, "2": 1}, "b": {"3": 1}}
    assert rg.Qrels.of(relevant.rename({"relevant": "item_ids"})).to_dict() == rg.Qrels.of(relevant).to_dict()
    assert rg.Qrels.of(graded).to_dict() == {"a": {"1": 2, "2": 0}, "b": {"3": 1}}
    train = rg.Interactions.of(past)
    assert (train.n_users, train.n_items, len(train), train.is_in_order) == (2, 2, 4, True)


@pytest.mark.parametrize(("items", "rating"), [("item_id", "rating"), ("items", "ratings")])
def test_ratings_in_lists_are_no_hits(items: str, rating: str):
    stars = pl.DataFrame({"user_id": ["a"], items: [["x", "y"]], rating: [[5.0, 0.5]]})

    with pytest.raises(rg.errors.ParameterError, match=f"'{rating}' holds what users rated"):
        rg.evaluate(stars, {"a": ["y", "x"]}, "RR")
    assert rg.evaluate(stars, {"a": ["y", "x"]}, "RR", rel=4)["RR"] == 1 / 2


@pytest.mark.parametrize("engine", ["memory", "streaming"])
@pytest.mark.parametrize(
    ("lists", "english", "chinese"),
    [
        (
            {"user_id": [1, 2], "items": [[3], [4, 5]], "scores": [[0.1], [0.2]]},
            "run 'recs.parquet', row 2: 'scores' must have a number for each of 2 items, got 1.",
            "run 'recs.parquet' 第 2 行：'scores' 必须为 2 个物品各给一个数，实际有 1 个。",
        ),
        (
            {"user_id": [1, 2, 1], "items": [[3], [4, 5], [6]]},
            "run 'recs.parquet', row 3: query 1 has a list already, in row 1. Keep one of them.",
            "run 'recs.parquet' 第 3 行：查询 1 已有列表，在第 1 行。请只保留一个。",
        ),
        (
            {"user_id": [1, 2], "items": [["a", "b"], ["c", ""]]},
            "run 'recs.parquet', row 2: doc_id must not be empty, got ''.",
            "run 'recs.parquet' 第 2 行：doc_id 不能为空，实际为 ''。",
        ),
    ],
    ids=["lengths", "two lists", "no id"],
)
def test_what_is_wrong_with_a_list_is_said_with_its_row(tmp_path, lists, english, chinese, engine):
    _parquet(pl.DataFrame(lists), tmp_path)

    says_in_both(
        lambda at: rg.evaluate({"1": ["3"]}, at / "recs.parquet", "RR", engine=engine),
        Files(tmp_path),
        english,
        chinese,
    )


def test_scores_of_records_belong_to_their_items(tmp_path: Path):
    path = tmp_path / "recs.jsonl"
    path.write_text(
        '{"user_id": 1, "items": [4, 5], "scores": [0.1, 0.9]}\n{"user_id": 2, "items": [4], "scores": []}\n'
    )

    with pytest.raises(InputError, match="line 2: must have a score for each of 1 items, got 0"):
        rg.Run.of(path)
    path.write_text(path.read_text().splitlines()[0])
    assert rg.Run.of(path).to_dict() == {"1": {"4": 0.1, "5": 0.9}}


def test_a_list_column_of_something_else_is_none_of_the_items():
    flat = pl.DataFrame({"query_id": ["a", "a"], "doc_id": ["x", "y"], "score": [1.0, 2.0], "vector": [[0.1], [0.2]]})

    assert rg.Run.of(flat).to_dict() == {"a": {"x": 1, "y": 2}}
    with pytest.raises(InputError, match="columns missing from run: 'doc_id', 'score'"):
        rg.Run.of(pl.DataFrame({"user_id": [1], "items": [[0.5, 0.25]]}))


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([["x", "y"], "d03"], "row 2: 'items' must be a list, as in other rows, got 'd03'"),
        ([[1], "d03"], "row 2: 'items' must be a list, as in other rows, got 'd03'"),
        ([["x"], 7], "row 2: 'items' must be a list, as in other rows, got 7"),
        ([[1], ["x"]], "column 'items': lists must hold values of one type, got several"),
    ],
)
def test_a_text_among_lists_is_no_list_of_its_letters(items: list[Any], message: str):
    import pandas as pd

    with pytest.raises(InputError, match=message):
        rg.Run.of(pd.DataFrame({"user_id": ["u", "v"], "items": items}))
