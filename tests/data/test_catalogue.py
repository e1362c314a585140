"""The catalogue: numbers of items, what users had before, attributes and vectors, in every form."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import sparse

from chinese_errors import Files, says_in_both
from rankgauge.data.catalogue import Catalogue
from rankgauge.errors import ParameterError

TRAIN = {"u1": ["a", "b", "a"], "u2": ["b", "c"]}


def test_the_catalogue_are_the_items_of_train_where_nothing_else_says():
    shop = Catalogue.of(TRAIN)

    assert shop.n_items == 3
    assert dict(zip("abc", shop.events[shop.numbers("abc")].tolist(), strict=True)) == {"a": 2, "b": 2, "c": 1}
    assert shop.users[shop.numbers("abc")].tolist() == [1, 2, 1]


def test_items_that_only_train_has_are_behind_the_catalogue():
    shop = Catalogue.of(TRAIN, items=["b", "x"])

    assert shop.n_items == 2
    assert shop.numbers("bx").tolist() == [0, 1]
    assert (shop.numbers("ac") >= 2).all()
    assert shop.users[shop.numbers("bxa")].tolist() == [2, 0, 1]


def test_unknown_items_get_numbers_and_nothing_else():
    shop = Catalogue.of(TRAIN)
    new = shop.numbers(["new", "newer", "new"])

    assert new.tolist() == [3, 4, 3]
    assert shop.users[new].tolist() == [0, 0, 0]
    assert shop.numbers_of(pl.Series(["new", "a", "new"])).tolist() == [3, shop.numbers("a")[0], 3]


def test_histories_are_those_of_the_users_asked_for_each_item_once():
    shop = Catalogue.of(TRAIN)
    lengths, items = shop.history_of(["u2", "nobody", "u1"])

    assert lengths.tolist() == [2, 0, 2]
    assert {*items[:2]} == {*shop.numbers("bc")}
    assert {*items[2:]} == {*shop.numbers("ab")}


def test_nobody_has_no_history():
    lengths, items = Catalogue.of(TRAIN).history_of([])

    assert lengths.tolist() == items.tolist() == []


FRAME = pl.DataFrame({"item_id": ["a", "b"], "genres": ["drama|comedy", "news"], "price": [3.5, 2.0]})


@pytest.mark.parametrize(
    "items",
    [
        FRAME,
        FRAME.to_pandas(),
        {"a": {"genres": ["drama", "comedy"], "price": 3.5}, "b": {"genres": "news", "price": 2.0}},
    ],
    ids=["polars", "pandas", "mapping"],
)
def test_attributes_are_read_from_tables_and_mappings(items):
    shop = Catalogue.of(items=items)
    labels = shop.labels()

    assert labels.name == "genres"
    assert [labels.names[c] for c in labels.code] == ["drama", "comedy", "news"]
    assert labels.offsets.tolist() == [0, 2, 3]
    assert shop.attributes["price"] == {0: 3.5, 1: 2.0}


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_attributes_are_read_from_files(tmp_path: Path, suffix: str):
    file = tmp_path / f"items.{suffix}"
    getattr(FRAME, f"write_{suffix}")(file)

    assert Catalogue.of(items=file).labels("genres").names == ["drama", "comedy", "news"]


@pytest.mark.parametrize(
    "items",
    [["a", "b"], ("a", "b"), np.array(["a", "b"]), pl.Series(["a", "b"]), {"a", "b"}],
    ids=lambda x: type(x).__name__,
)
def test_ids_alone_are_a_catalogue(items):
    assert Catalogue.of(items=items).n_items == 2


def test_vectors_have_ids_or_are_numbered():
    matrix = np.eye(3)

    assert Catalogue.of(items=matrix).numbers(["2", "0"]).tolist() == [2, 0]
    assert Catalogue.of(items=(["x", "y", "z"], matrix)).numbers(["y"]).tolist() == [1]
    assert Catalogue.of(items=sparse.csr_matrix(matrix)).vectors.shape == (3, 3)
    assert Catalogue.of(items={"x": [1.0, 0.0], "y": [0.0, 2.0]}).vectors.tolist() == [[1, 0], [0, 2]]


@pytest.mark.parametrize(
    ("items", "english", "chinese"),
    [
        (
            (["x", "y"], np.eye(3)),
            "items: vectors must have a row for each of 2 ids, got 3.",
            "items：向量必须为 2 个 id 各有一行，实际 3 行。",
        ),
        (
            (["x", "y", "x"], np.eye(3)),
            "items: vectors must name each item once, got 'x' again.",
            "items：向量每个物品只能出现一次，'x' 重复。",
        ),
        (
            np.array([[np.nan]]),
            "items: vectors must be finite numbers, got NaN or infinity among them.",
            "items：向量必须是有限的数，实际有 NaN 或无穷。",
        ),
        (
            {"x": [1.0], "y": [1.0, 2.0]},
            "items: vectors must have one length, got 1 and 2.",
            "items：向量的长度必须相同，实际有 1 和 2。",
        ),
        (
            np.array([], dtype=str),
            "items: must hold at least one item, got none.",
            "items：至少要有一个物品，实际没有。",
        ),
    ],
)
def test_what_is_no_catalogue_is_refused(tmp_path, items, english, chinese):
    says_in_both(lambda at: Catalogue.of(items=items), Files(tmp_path), english, chinese)


def test_which_attribute_is_meant_is_asked_where_it_is_not_clear():
    shop = Catalogue.of(items={"a": {"brand": "x", "colour": "red"}})

    assert shop.labels("brand").names == ["x"]
    with pytest.raises(ParameterError, match=r"none is called category: 'brand', 'colour'\. Say .* by=brand"):
        shop.labels()
    with pytest.raises(ParameterError, match=r"no attribute 'brnd'\. Did you mean brand"):
        shop.labels("brnd")
