"""Interactions: who had to do with which item, in every form that people keep them in."""

from __future__ import annotations

import gzip
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import rankgauge as rg
from chinese_errors import Files, says_in_both
from rankgauge._show import show
from rankgauge.data import id_codes, interactions
from rankgauge.data.interactions import Interactions
from rankgauge.errors import InputError, ParameterError

ROWS = [("u2", "b"), ("u1", "a"), ("u1", "c"), ("u2", "b")]
FRAME = pl.DataFrame(ROWS, schema=["user_id", "item_id"], orient="row")


def rows_of(found: Interactions) -> list[tuple[Any, ...]]:
    return found.to_frame().rows()


@pytest.mark.parametrize(
    "given",
    [
        FRAME,
        FRAME.lazy(),
        FRAME.to_pandas(),
        FRAME.to_arrow(),
        FRAME.to_dict(as_series=False),
        ROWS,
        [list(row) for row in ROWS],
        [{"user_id": u, "item_id": i} for u, i in ROWS],
        FRAME.rename({"user_id": "user_id:token", "item_id": "item_id:token"}),  # RecBole
        FRAME.rename({"user_id": "query_id"}),  # RePlay
        FRAME.rename({"user_id": "user", "item_id": "item"}),  # LensKit before 2025
        FRAME.rename({"user_id": "userId", "item_id": "movieId"}),  # MovieLens
        FRAME.rename({"user_id": "userID", "item_id": "artistID"}),  # HetRec
        FRAME.with_columns(session_id=pl.Series([1, 2, 3, 4])),
    ],
    ids=range(14),
)
def test_rows_of_every_form_are_kept_as_they_are(given: Any) -> None:
    found = Interactions.of(given)

    assert rows_of(found) == ROWS
    assert (found.user_ids.to_list(), found.item_ids.to_list()) == (["u1", "u2"], ["a", "b", "c"])
    assert (found.users.tolist(), found.items.tolist()) == ([1, 0, 0, 1], [1, 0, 2, 1])
    assert (found.times, found.ratings, found.weights) == (None, None, None)


@pytest.mark.parametrize(
    ("given", "in_order"),
    [
        ({"u2": ["b", "b"], "u1": ["a", "c"]}, True),
        ({"u2": np.array(["b", "b"]), "u1": ("a", "c")}, True),
        ({"u2": "b", "u1": {"a", "c"}}, False),
    ],
)
def test_items_by_user_are_in_order_where_they_are_lists(given: Any, in_order: bool) -> None:
    found = Interactions.of(given)

    assert {(u, i) for u, i in rows_of(found)} == {("u2", "b"), ("u1", "a"), ("u1", "c")}
    assert found.is_in_order == in_order


def test_items_with_numbers_have_weights() -> None:
    assert rows_of(Interactions.of({"u": {"a": 3, "b": 1}})) == [("u", "a", 3.0), ("u", "b", 1.0)]


def test_a_sparse_matrix_holds_what_it_stores_and_is_not_zero() -> None:
    matrix = sp.coo_array(([1.0, 2.0, 0.0], ([0, 1, 1], [2, 0, 1])), shape=(3, 3))

    assert rows_of(Interactions.of(matrix)) == [("0", "2", 1.0), ("1", "0", 2.0)]
    assert rows_of(Interactions.of(sp.csr_matrix(np.eye(2)))) == [("0", "0"), ("1", "1")]


def test_judgements_are_interactions_where_they_are_positive() -> None:
    found = Interactions.of(rg.Qrels({"u": {"a": 1, "b": 0}}))

    assert rows_of(found) == [("u", "a", 1.0)]


# files


def test_lists_of_items_are_in_order_also_where_lines_are_alike(tmp_path: Path) -> None:
    path = tmp_path / "train.txt"
    path.write_text("1 10 9 3\n2 5\n1 7 7\n")

    found = Interactions.of(path)

    assert rows_of(found) == [("1", "10"), ("1", "9"), ("1", "3"), ("2", "5"), ("1", "7"), ("1", "7")]
    assert found.is_in_order
    assert [str(note) for note in found.notes] == ["read each line as a user and its items, the first one first"]


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ("1 258\n1 401\n2 75\n", "user_id item_id"),
        ("1\t258\t3\t881250949\n1\t401\t5\t891717742\n", "user_id item_id rating time"),
        ("1,258,993\n1,401,957\n", "user_id item_id weight"),
        ("1,258,4.5\n1,401,0.5\n", "user_id item_id rating"),
        ("1,258,1\n1,401,1\n", "user_id item_id weight"),
        ("1,258,881250949\n1,401,891717742\n", "user_id item_id time"),
    ],
)
def test_columns_without_names_are_told_by_their_values(tmp_path: Path, text: str, roles: str) -> None:
    path = tmp_path / "u.data"
    path.write_text(text)

    assert Interactions.of(path).to_frame().columns == roles.split()


def test_ids_of_text_files_keep_their_zeros(tmp_path: Path) -> None:
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(b"user_id,item_id\n007,08\n7,8\n"))

    assert rows_of(Interactions.of(tmp_path / "t.csv.gz")) == [("007", "08"), ("7", "8")]


def test_a_json_object_has_a_user_for_each_key(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(json.dumps({"u": ["a", "b"], "v": ["a"]}))

    assert rows_of(Interactions.of(tmp_path / "t.json")) == [("u", "a"), ("u", "b"), ("v", "a")]


# numbers and times


def test_ratings_weights_and_times_have_columns_of_their_own() -> None:
    frame = pd.DataFrame({"user_id": [1], "item_id": [2], "weight": [3], "rating": [4.5], "timestamp": [1260759144]})

    found = Interactions.of(frame)

    assert (found.ratings, found.weights, found.times) == ([4.5], [3.0], [1260759144])
    assert not found.are_dates


@pytest.mark.parametrize(
    "times",
    [
        ["2020-01-02 00:00", "2020-01-01 00:00"],
        [datetime(2020, 1, 2), datetime(2020, 1, 1)],
        ["02/01/2020", "01/01/2020"],
    ],
)
def test_dates_are_microseconds(times: list[Any]) -> None:
    frame = pl.DataFrame({"user_id": [1, 1], "item_id": [2, 3], "datetime": times})
    columns = {"datetime": "time day-first"} if "/" in str(times[0]) else None

    found = Interactions.of(frame, columns=columns)

    assert found.times is not None
    assert found.are_dates
    assert found.times.tolist() == [1577923200_000_000, 1577836800_000_000]
    assert found.to_frame()["time"].to_list() == [datetime(2020, 1, 2), datetime(2020, 1, 1)]


def test_times_that_are_missing_somewhere_are_not_used_and_said() -> None:
    found = Interactions.of(pl.DataFrame({"user_id": [1, 2], "item_id": [2, 3], "time": [5, None]}))

    assert found.times is None
    assert [str(note) for note in found.notes] == ["times not used: missing in 1 row (first: row 2)"]


@pytest.mark.parametrize("time", [np.inf, -np.inf])
def test_times_without_end_are_missing(time: float) -> None:
    found = Interactions.of(pl.DataFrame({"user_id": [1, 2], "item_id": [2, 3], "time": [5.0, time]}))

    assert found.times is None
    assert [str(note) for note in found.notes] == ["times not used: missing in 1 row (first: row 2)"]


@pytest.mark.parametrize(("time", "shown"), [(0.1, "0.1"), (-(2**63), "-9223372036854775808"), (1e308, "1e+308")])
def test_times_that_are_all_the_same_are_said(time: Any, shown: str) -> None:
    found = Interactions.of(pl.DataFrame({"user_id": [1, 2, 2], "item_id": [2, 3, 4], "time": [time] * 3}))

    (note,) = found.notes
    assert note == f"all 3 times are {shown}: they put nothing in order"
    assert note.zh == f"3 个时间全部是 {shown}：无法据此排出先后"
    alone = Interactions.of(pl.DataFrame({"user_id": [1], "item_id": [2], "time": [time]}))
    assert alone.notes == ()


@pytest.mark.parametrize("odd", [" 1", "1 ", "1\u3000", "i\u202e1", "i\x001", "\ufeff1"])
def test_ids_that_look_like_others_are_said(odd: str) -> None:
    """Another item, or another user, for a blank that nobody sees."""
    found = Interactions.of([("u", odd), ("u", "1"), ("用户 4", "a b")])
    turned = Interactions.of([(odd, "i"), ("1", "i")])

    (note,), (other,) = found.notes, turned.notes
    assert note == f"1 item id has blanks around, or marks that nobody sees, such as {show(odd)}"
    assert other.zh == f"1 个用户的 id 前后有空白，或含有看不见的字符，如 {show(odd)}"


def test_min_rating_leaves_out_lower_ones_with_their_users_and_items() -> None:
    rated = [("u", "a", 4), ("u", "b", 3), ("v", "b", 1)]

    found = Interactions.of(rated, min_rating=4)

    assert rows_of(found) == [("u", "a", 4.0)]
    assert (found.user_ids.to_list(), found.item_ids.to_list()) == (["u"], ["a"])
    assert str(found.notes[-1]) == "left out 2 of 3 interactions rated below 4"
    assert len(Interactions.of(rated)) == 3  # a low rating is an interaction all the same


# what is asked of them

PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 7)), min_size=1, max_size=40)


@given(PAIRS, PAIRS)
def test_counts_and_membership_are_those_of_sets(rows: list[tuple[int, int]], asked: list[tuple[int, int]]) -> None:
    found = Interactions.of(rows)
    known = set(rows)
    users, items = found.user_ids.to_list(), found.item_ids.to_list()
    starts, history = found.history

    assert found.users_per_item.tolist() == [len({u for u, i in known if str(i) == item}) for item in items]
    assert found.items_per_user.tolist() == [len({i for u, i in known if str(u) == user}) for user in users]
    assert found.events_per_item.tolist() == [sum(str(i) == item for _, i in rows) for item in items]
    assert found.n_repeated == len(rows) - len(known)
    for n, user in enumerate(users):
        mine = {items[i] for i in history[starts[n] : starts[n + 1]].tolist()}
        assert mine == {str(i) for u, i in known if str(u) == user}
    codes = found.user_codes([u for u, _ in asked]), found.item_codes([i for _, i in asked])
    assert found.has(*codes).tolist() == [pair in known for pair in asked]


@given(st.lists(st.integers(-(2**62), 2**62), min_size=1, max_size=20))
def test_codes_of_numbers_follow_the_order_of_their_texts(ids: list[int]) -> None:
    as_numbers = Interactions.of(pl.DataFrame({"user_id": ids, "item_id": ids}))
    as_texts = Interactions.of(pl.DataFrame({"user_id": [str(i) for i in ids], "item_id": [str(i) for i in ids]}))

    assert as_numbers.user_ids.to_list() == sorted({str(i) for i in ids}) == as_texts.user_ids.to_list()
    assert as_numbers.users.tolist() == as_texts.users.tolist()
    assert [as_numbers.user_ids[c] for c in as_numbers.users.tolist()] == [str(i) for i in ids]


def test_ids_that_are_not_among_them_have_no_code() -> None:
    found = Interactions.of({"u": ["a"]})

    assert found.item_codes(["z", "a"]).tolist() == [-1, 0]
    assert found.item_codes(pl.Series(["a", "z"])).tolist() == [0, -1]
    assert found.has(np.array([-1, 0]), np.array([0, -1])).tolist() == [False, False]


def test_parts_keep_codes_until_they_are_trimmed() -> None:
    found = Interactions.of([("u", "a", 1, 5), ("v", "b", 2, 6)])
    part = found.where(found.users == 1)

    assert (part.users.tolist(), part.n_users, part.ratings, part.times) == ([1], 2, [2.0], [6])
    assert (part.trimmed().users.tolist(), part.trimmed().user_ids.to_list()) == ([0], ["v"])


def test_real_data(shared: Path) -> None:
    ratings = Interactions.of(shared / "ml_latest_small" / "ratings.csv.gz")
    toys = Interactions.of(shared / "s3rec_toys" / "Toys_and_Games.txt.gz")
    plays = Interactions.of(shared / "lastfm_lightgcn" / "data1.txt.gz")

    assert (ratings.n_users, ratings.n_items, len(ratings)) == (671, 9066, 100_004)
    assert (toys.n_users, toys.n_items, len(toys), toys.is_in_order) == (19_412, 11_924, 167_597, True)
    assert (plays.n_users, plays.n_items, len(plays)) == (1_878, 4_476, 42_135)


# what is wrong

WRONG: dict[str, tuple[Any, str, str]] = {
    "nothing": (
        {},
        "interactions: must hold at least one interaction, got none.",
        "交互：至少要有一条交互，实际没有。",
    ),
    "no column": (
        pl.DataFrame({"who": [1], "what": [2]}),
        "columns missing from interactions: 'user_id', 'item_id'. Found: 'who', 'what'. "
        'Pass columns={"who": "user_id", "what": "item_id"}.',
        "交互 缺少列：'user_id', 'item_id'。找到：'who', 'what'。"
        '请传入 columns={"who": "user_id", "what": "item_id"}。',
    ),
    "a number": (
        {"u": 3.5},
        "interactions: user 'u' must hold a list of items, got float.",
        "交互：用户 'u' 必须是物品的列表，实际为 float。",
    ),
    "a short row": (
        [("u", "a"), ("u",)],
        "interactions, row 2: must have 2 fields, as the first, got ('u',).",
        "交互 第 2 行：必须与第一行一样有 2 个字段，实际为 ('u',)。",
    ),
    "a run": (
        rg.Run({"u": {"a": 1}}, name="bm25"),
        "interactions expected, got a Run (bm25). Are the arguments in order?",
        "应为交互，实际为 Run（bm25）。参数顺序对吗？",
    ),
    "NaN in a matrix": (
        sp.csr_array(np.array([[np.nan]])),
        "interactions: a sparse matrix must hold finite numbers, got float64 with NaN or infinity among them.",
        "交互：稀疏矩阵中必须是有限的数字，实际为 float64，其中有 NaN 或无穷。",
    ),
    "a weight": (
        {"u": {"a": float("inf")}},
        "interactions: a weight must be a finite number, got inf.",
        "交互：权重必须是有限的数字，实际为 inf。",
    ),
    "a rating": (
        [("u", "a", "good")],
        "interactions, row 1: rating must be a number, got 'good'.",
        "交互 第 1 行：评分必须是数字，实际为 'good'。",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said_in_both_languages(case: str, tmp_path: Path) -> None:
    given, english, chinese = WRONG[case]

    says_in_both(lambda at: Interactions.of(given), Files(tmp_path), english, chinese)


def test_min_rating_without_ratings_or_above_all_is_refused(tmp_path: Path) -> None:
    at = Files(tmp_path)
    says_in_both(
        lambda at: Interactions.of({"u": ["a"]}, min_rating=4),
        at,
        "`min_rating` needs ratings, and interactions has none. Name the column: "
        'columns={"name of the column": "rating"}.',
        '`min_rating` 需要评分，而交互中没有。请指明评分列：columns={"列名": "rating"}。',
    )
    says_in_both(
        lambda at: Interactions.of([("u", "a", 3)], min_rating=4),
        at,
        "`min_rating` must leave an interaction, got 4 where the highest rating is 3.0.",
        "`min_rating` 必须至少留下一条交互，实际为 4，而最高评分是 3.0。",
    )
    with pytest.raises(ParameterError, match="`min_rating` must be a finite number"):
        Interactions.of([("u", "a", 3)], min_rating=float("nan"))


def test_a_column_without_a_name_that_tells_nothing_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("1,2,good\n1,3,bad\n")

    with pytest.raises(InputError, match=r"no header, and column 3 cannot be told from its values, such as 'good'"):
        Interactions.of(tmp_path / "t.csv")


def test_arrow_tables_and_arrays_of_numbers() -> None:
    assert rows_of(Interactions.of(pa.table({"user_id": [10, 9], "item_id": [2**40, 1]}))) == [
        ("10", str(2**40)),
        ("9", "1"),
    ]
    with pytest.raises(InputError, match="interactions must be a file, a folder, a mapping or a table, got ndarray"):
        Interactions.of(np.ones((2, 3)))


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(-2, 6)), max_size=12),
    st.lists(st.tuples(st.integers(0, 6), st.integers(-3, 8)), max_size=12),
    st.sampled_from([1, 10**12]),
)
def test_numbers_are_known_as_their_texts_are(pairs, asked, apart):
    """Ids close together and far apart, and 007, which is the text of no number."""
    rows = [(str(u), str(i * apart)) for u, i in pairs] + [("007", "00")]
    train = Interactions.of(rows)
    users = pl.Series([u for u, _ in asked], dtype=pl.Int64)
    items = pl.Series([i * apart for _, i in asked], dtype=pl.Int64)

    codes = train.user_codes(users), train.item_codes(items)
    as_texts = train.user_codes(users.cast(pl.String)), train.item_codes(items.cast(pl.String))
    assert [c.tolist() for c in codes] == [c.tolist() for c in as_texts]

    assert train.has(*codes).tolist() == [(str(u), str(i * apart)) in rows for u, i in asked]


@pytest.mark.parametrize("per_user", [0, 1, 3, 40, 900])
def test_whether_a_user_knows_an_item_is_exact_however_many_the_user_knows(per_user: int) -> None:
    """Marks leave out what cannot be there; items share marks, and users with many have all of them set."""
    rng = np.random.default_rng(per_user)
    rows = [(f"u{u}", f"i{i}") for u in range(30) for i in rng.integers(0, 1000, per_user)]
    rows += [("heavy", f"i{i}") for i in range(0, 1000, 2)]
    known = set(rows)
    train = Interactions.of(rows)
    asked = [(f"u{u}", f"i{i}") for u, i in zip(rng.integers(0, 40, 5000), rng.integers(0, 1100, 5000), strict=True)]
    asked += [("heavy", f"i{i}") for i in range(1100)] + rows[::7]
    users, items = zip(*asked, strict=True)
    found = train.has(train.user_codes(list(users)), train.item_codes(list(items)))
    assert found.tolist() == [pair in known for pair in asked]
    one = train.has(train.user_codes(["heavy"]), np.arange(train.n_items))  # one user, every item
    assert one.tolist() == [("heavy", i) in known for i in train.item_ids]


@pytest.mark.parametrize("at_a_time", [7, 1 << 16])
@pytest.mark.parametrize("rows_are", ["together", "apart", "together and repeated"])
def test_pairs_are_the_same_in_whatever_order_and_parts_they_come(
    at_a_time: int, rows_are: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Texts put user 10 before user 2: rows in the order of numbers are not in that of codes."""
    monkeypatch.setattr(interactions, "_AT_A_TIME", at_a_time)
    rng = np.random.default_rng(5)
    users, items = np.repeat(np.arange(40), 6), rng.integers(0, 90, 240)
    if rows_are != "together and repeated":
        once = np.sort(np.unique(users * 90 + items, return_index=True)[1])
        users, items = users[once], items[once]
    if rows_are == "apart":
        turn = rng.permutation(len(users))
        users, items = users[turn], items[turn]
    train = Interactions.of(pl.DataFrame({"user_id": users, "item_id": items}))
    known = {(str(u), str(i)) for u, i in zip(users, items, strict=True)}

    pairs = [(train.user_ids[int(p // train.n_items)], train.item_ids[int(p % train.n_items)]) for p in train.pairs]
    assert pairs == sorted(known)
    assert train.n_repeated == len(users) - len(known)
    assert train.users_per_item.tolist() == [sum(i == item for _, i in known) for item in train.item_ids]

    asked = pl.Series(rng.integers(-2, 45, 500)), pl.Series(rng.integers(-2, 95, 500))
    found = train.has_each(500, train.codes_of(*asked))
    assert found.tolist() == [(str(u), str(i)) in known for u, i in zip(*asked, strict=True)]
    texts = train.codes_of(*(column.cast(pl.String) for column in asked))
    assert train.has_each(500, texts).tolist() == found.tolist()


def test_numbers_that_are_ids_are_found_close_together_and_far_apart() -> None:
    near = Interactions.of(pl.DataFrame({"user_id": [5, 3, 4, 5], "item_id": [-2, 0, 1, -1]}))
    assert near.user_codes(pl.Series([3, 5, 6, -(2**62), 2**62])).tolist() == [0, 2, -1, -1, -1]
    assert [near.item_ids[int(i)] for i in near.items] == ["-2", "0", "1", "-1"]
    far = Interactions.of(pl.DataFrame({"user_id": [2**62, -(2**62), 7], "item_id": [1, 2, 3]}))
    assert [far.user_ids[int(u)] for u in far.users] == [str(2**62), str(-(2**62)), "7"]
    huge = pl.Series([2**64 - 1, 0, 5], dtype=pl.UInt64)
    large = Interactions.of(pl.DataFrame({"user_id": huge, "item_id": [1, 2, 3]}))
    assert [large.user_ids[int(u)] for u in large.users] == [str(2**64 - 1), "0", "5"]


@pytest.mark.parametrize("at_a_time", [2, 1 << 17])
def test_codes_are_counted_and_what_has_none_is_not(at_a_time: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(id_codes, "_AT_A_TIME", at_a_time)
    codes = np.array([2, -1, 0, 2, -1, 2, 0], dtype=np.int32)

    assert id_codes.counted(codes, 4).tolist() == [2, 0, 3, 0]
    assert id_codes.counted(codes[:0], 2).tolist() == [0, 0]


@given(st.lists(st.integers(0, 1200) | st.integers(0, 10**17 - 1) | st.integers(10**17 - 2, 10**18), min_size=1))
def test_numbers_have_the_codes_of_their_texts(ids: list[int]) -> None:
    codes, names = id_codes.coded(pl.Series(ids))

    assert names.to_list() == sorted({str(i) for i in ids})
    assert [names[int(c)] for c in codes] == [str(i) for i in ids]
