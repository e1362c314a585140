"""The catalogue: numbers of items, what users had before, attributes and vectors, in every form."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from chinese_errors import Files, says_in_both
from rankgauge.data.catalogue import Catalogue
from rankgauge.errors import InputError, ParameterError

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
    [
        ["a", "b"],
        ("a", "b"),
        np.array(["a", "b"]),
        pl.Series(["a", "b"]),
        {"a", "b"},
        (x for x in "ab"),
        {1: "a", 2: "b"}.values(),
        pd.Index(["a", "b"]),
        pd.Series(["a", "b"]),
        pd.Series(["a", "a", "b"]).drop_duplicates(),
        pd.Series(["a", "b"], index=["u1", "u2"], name="item_id"),
    ],
    ids=lambda x: type(x).__name__,
)
def test_ids_alone_are_a_catalogue(items):
    shop = Catalogue.of(items=items)

    assert shop.n_items == 2
    assert sorted(shop.numbers("ab").tolist()) == [0, 1]


@pytest.mark.parametrize("suffix", ["csv", "tsv", "txt"])
@pytest.mark.parametrize("name", ["item_id", "movieId", '"id"'])
def test_a_file_whose_only_column_holds_ids_is_a_catalogue(tmp_path, name, suffix):
    file = tmp_path / f"items.{suffix}"
    file.write_text(f"{name}\na\nb\n")

    shop = Catalogue.of(items=file)

    assert shop.ids == ["a", "b"]
    assert not shop.attributes
    assert not shop.notes


def test_a_file_of_one_column_that_names_no_ids_is_none(tmp_path):
    file = tmp_path / "items.csv"
    file.write_text("price\n3\n")

    with pytest.raises(InputError, match=r"line 1: expected names of columns separated by .*, found: 'price'"):
        Catalogue.of(items=file)


def test_a_series_by_item_holds_an_attribute():
    by_item = pd.Series(["x", "y"], index=["a", "b"])
    by_number = pd.Series(["x", "y"], index=pd.Index([7, 8], name="item_id"))

    assert Catalogue.of(items=by_item).labels().names == ["x", "y"]
    assert Catalogue.of(items=by_number).numbers(["7", "8"]).tolist() == [0, 1]


VECTORS = [[1.0, 2.0], [2.0, 1.0]]


@pytest.mark.parametrize(
    "items",
    [
        {i: list(v) for i, v in zip("ab", np.array(VECTORS), strict=True)},
        {i: np.array(v, dtype=np.float32) for i, v in zip("ab", VECTORS, strict=True)},
        {"a": [1, 2.0], "b": [2, 1]},
        pl.DataFrame({"item_id": ["a", "b"], "vector": VECTORS}),
        pl.DataFrame(
            {"item_id": ["a", "b"], "embedding": VECTORS}, schema_overrides={"embedding": pl.Array(pl.Float32, 2)}
        ),
        pd.DataFrame({"item_id": ["a", "b"], "vector": list(np.array(VECTORS))}),
        (["a", "b"], VECTORS),
        (["a", "b"], [[1, 2], [2, 1]]),
    ],
    ids=[
        "numpy floats",
        "arrays",
        "one float",
        "list column",
        "array column",
        "pandas",
        "lists beside ids",
        "integers",
    ],
)
def test_lists_of_floats_are_vectors_in_every_form(items):
    shop = Catalogue.of(items=items)

    assert shop.vectors.tolist() == VECTORS
    assert not shop.attributes
    assert isinstance(items, tuple) or "are read as vectors of 2 numbers" in shop.notes[0]


def test_lists_of_integers_are_labels_and_a_note_says_so():
    shop = Catalogue.of(items={"a": [18, 35], "b": [35], "c": np.array([7])})

    assert shop.vectors is None
    assert shop.labels().names == ["18", "35", "7"]
    assert shop.notes == ("items: lists of integers (group) are read as labels; vectors are floats, or (ids, matrix)",)
    assert not Catalogue.of(items={"a": ["x", "y"]}).notes


def test_vectors_stand_beside_categories():
    shop = Catalogue.of(items={"a": {"category": "x", "vector": [1.0]}, "b": {"category": "y", "vector": [2.0]}})

    assert shop.vectors.tolist() == [[1], [2]]
    assert shop.labels().names == ["x", "y"]


def test_arrays_of_texts_are_labels():
    arrays = [np.array(["x", "y"]), np.array(["x"]), np.array([])]
    shop = Catalogue.of(items=pd.DataFrame({"item_id": list("abc"), "category": arrays}))

    assert shop.labels().names == ["x", "y"]
    assert shop.labels().offsets.tolist() == [0, 2, 3, 3]


def test_lists_in_records_are_read(tmp_path: Path):
    file = tmp_path / "items.jsonl"
    file.write_text('{"item_id": "a", "genres": ["x", "y"]}\n{"item_id": "b", "genres": ["y"]}\n')

    assert Catalogue.of(items=file).labels().offsets.tolist() == [0, 2, 3]


def test_the_column_of_ids_can_be_named():
    items = pl.DataFrame({"article": ["a", "b"], "category": ["x", "y"]})

    assert Catalogue.of(items=items, columns={"item_id": "article"}).numbers("ab").tolist() == [0, 1]
    with pytest.raises(InputError, match=r"column 'item_id' is missing\. Found: 'article', 'category'\..*columns="):
        Catalogue.of(items=items)


def test_an_attribute_without_any_value_is_told():
    shop = Catalogue.of(items=pl.DataFrame({"item_id": ["a", "b"], "category": [None, None]}))

    with pytest.raises(ParameterError, match="attribute 'category', and no item has a value of it"):
        shop.labels()


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
            {"x": {"vector": [1.0], "brand": "b"}, "y": {"brand": "b"}},
            "items: each of 2 items must have a vector in 'vector', got 1; 'y' has none.",
            "items：2 个物品在 'vector' 中都必须有向量，实际只有 1 个；'y' 没有。",
        ),
        (
            {"x": {"vector": [1.0], "other": [2.0]}},
            "items: must have one column of vectors, got 'vector', 'other'. Leave the others out.",
            "items：向量只能有一列，实际有 'vector', 'other'。请去掉其余的列。",
        ),
        (
            5,
            "items must be a file, a folder, a mapping, ids or a table, got int. Try a Parquet, CSV, TSV or JSONL "
            "file, or a pandas, Polars, PyArrow or DuckDB table.",
            "物品表必须是文件、文件夹、映射、id 列表或表，实际为 int。请试试 Parquet、CSV、TSV 或 JSONL 文件，"
            "或 pandas、Polars、PyArrow、DuckDB 的表。",
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


def test_a_file_of_ids_alone_needs_the_name_of_its_column(tmp_path):
    (tmp_path / "ids.csv").write_text("a\nb\n")
    says_in_both(
        lambda at: Catalogue.of(items=at.folder / "ids.csv"),
        Files(tmp_path),
        "items 'ids.csv', line 1: expected names of columns separated by comma, semicolon or tab, found: 'a'. Where "
        "there are ids alone, write item_id above them.",
        "物品表 'ids.csv' 第 1 行：应为以逗号、分号或制表符分隔的列名，实际为：'a'。如果只有 id，"
        "请在第一行写上 item_id。",
    )

    (tmp_path / "ids.csv").write_text("item_id\na\nb\n")
    assert Catalogue.of(items=tmp_path / "ids.csv").ids == ["a", "b"]


def test_which_attribute_is_meant_is_asked_where_it_is_not_clear():
    shop = Catalogue.of(items={"a": {"brand": "x", "colour": "red"}})

    assert shop.labels("brand").names == ["x"]
    with pytest.raises(ParameterError, match=r"none is called category: 'brand', 'colour'\. Say .* by=brand"):
        shop.labels()
    with pytest.raises(ParameterError, match=r"no attribute 'brnd'\. Did you mean brand"):
        shop.labels("brnd")


@pytest.mark.parametrize("values", [("", "|"), (None, None), ([], " | ")])
def test_an_attribute_of_no_labels_has_no_values(values, tmp_path):
    shop = Catalogue.of(items=dict(zip("ab", ({"genre": v} for v in values), strict=True)))

    says_in_both(
        lambda at: shop.labels("genre"),
        Files(tmp_path),
        "items have the attribute 'genre', and no item has a value of it. Fill it in, or name another.",
        "物品有属性 'genre'，但没有任何物品有值。请补上，或指定其他属性。",
    )


def test_vectors_alone_are_no_attribute(tmp_path):
    says_in_both(
        lambda at: Catalogue.of(items={"a": [0.1, 0.2], "b": [0.3, 0.4]}).attribute(None),
        Files(tmp_path),
        "items have no attributes, only vectors, which distance=cosine compares. Give each a category: items=… with a "
        "column such as category.",
        "物品没有属性，只有向量（可用 distance=cosine 比较）。请给出物品的类别：items=… 含 category 之类的列。",
    )


@pytest.mark.parametrize("wrong", [None, float("nan"), 1.5])
def test_what_is_no_id_among_ids_is_named(wrong):
    with pytest.raises(InputError, match=f"items: an id must be text or an integer, got {wrong}"):
        Catalogue.of(items=["x", wrong])


def test_who_had_what_before_is_a_question_of_numbers():
    shop = Catalogue.of(TRAIN, items=["b", "x"])
    users, numbers = ["u2", "nobody", "u1"], shop.numbers(["a", "b", "c", "x", "stranger"])
    owner, items = np.repeat(np.arange(3), len(numbers)), np.tile(numbers, 3)

    had = shop.had(users, owner.__getitem__, items)

    naive = [shop.ids[i] in TRAIN.get(users[u], ()) for u, i in zip(owner.tolist(), items.tolist(), strict=True)]
    assert had.tolist() == naive
    assert any(naive)
    assert not shop.had(users, np.zeros(1, dtype=np.int64).__getitem__, np.array([-1])).any()


def test_codes_of_train_and_numbers_lead_to_each_other():
    shop = Catalogue.of(TRAIN, items=["b", "x"])
    codes = np.array([2, -1, 0, 1])

    assert shop.codes_of_train(shop.numbers_of_train(codes)).tolist() == codes.tolist()
    assert shop.codes_of_train(shop.numbers(["x"])).tolist() == [-1]
