"""Train and test: every way to split against the definition written out, and what is said of it."""

from __future__ import annotations

from datetime import date, datetime
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
from rankgauge.errors import InputError, ParameterError

Rows = list[tuple[int, int, int]]
"""User, item, time."""
EVENTS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5), st.integers(0, 8)), min_size=2, max_size=30)


def frame_of(rows: Rows) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["user_id", "item_id", "time"], orient="row")


def told(s: rg.Split) -> list[str]:
    return [str(r) for r in s.remarks]


# by time


@given(EVENTS, st.floats(0.05, 0.95))
def test_by_time_no_training_row_is_as_late_as_a_test_row(rows: Rows, share: float) -> None:
    times = sorted({t for _, _, t in rows})
    if len(times) < 2:
        with pytest.raises(InputError, match="all interactions have the same time"):
            rg.split(frame_of(rows), share=share)
        return

    train, test = rg.split(frame_of(rows), share=share)

    assert train["time"].max() < test["time"].min()
    assert sorted([*train.rows(), *test.rows()]) == sorted(rows)
    away = {cut: abs(sum(t >= cut for _, _, t in rows) / len(rows) - share) for cut in times[1:]}
    assert away[test["time"].min()] == pytest.approx(min(away.values()))


@pytest.mark.parametrize("at", ["2020-01-02", date(2020, 1, 2), datetime(2020, 1, 2), "2020-01-02 00:00"])
@pytest.mark.parametrize("per_second", [1, 1000, 1_000_000, 1_000_000_000, None])
def test_a_moment_is_a_date_whatever_unit_times_have(at: Any, per_second: int | None) -> None:
    days = [datetime(2020, 1, d) for d in (1, 2, 3)]
    times = (
        days
        if per_second is None
        else [round(d.timestamp() - datetime(1970, 1, 1).timestamp()) * per_second for d in days]
    )
    frame = pl.DataFrame({"user_id": [1, 1, 1], "item_id": [1, 2, 3], "timestamp": times})

    s = rg.split(frame, at=at)

    assert s.train["item_id"].to_list() == [1]
    assert s.test["item_id"].to_list() == [2, 3]  # what happened at that moment is tested
    assert s.parts[1].first == "2020-01-02 00:00:00"


def test_times_that_are_only_numbers_have_moments_that_are_numbers() -> None:
    rows = [(1, 1, 10), (1, 2, 20), (2, 1, 30)]

    assert rg.split(frame_of(rows), at=20).test.rows() == rows[1:]
    assert rg.split(frame_of(rows), at="20").parts[1].first == "20"


def test_rows_of_the_same_time_stay_together_and_it_is_said() -> None:
    rows = [(1, i, 1) for i in range(5)] + [(1, i, 2) for i in range(5, 10)]

    s = rg.split(frame_of(rows), share=0.2)

    assert s.parts[1].rows == 5
    assert told(s)[0] == "tested is what happened from 2 on: 50.0% of all interactions"
    assert told(s)[1] == (
        "asked for were 20%: interactions of the same time stay together, and 5 have the time of the cut"
    )


# the last of each user


@given(EVENTS, st.integers(1, 3))
def test_last_rows_are_the_last_in_time_then_in_order(rows: Rows, n: int) -> None:
    by_user: dict[int, list[int]] = {}
    for i, (user, _, _) in enumerate(rows):
        by_user.setdefault(user, []).append(i)
    last = {i for mine in by_user.values() if len(mine) > n for i in sorted(mine, key=lambda i: (rows[i][2], i))[-n:]}
    if not last:
        with pytest.raises(InputError, match="nothing is left to test"):
            rg.split(frame_of(rows), "last", n=n)
        return

    train, test = rg.split(frame_of(rows), "last", n=n)

    assert test.rows() == [row for i, row in enumerate(rows) if i in last]
    assert train.rows() == [row for i, row in enumerate(rows) if i not in last]


def test_lists_without_times_are_in_order_and_it_is_said() -> None:
    s = rg.split({"u": ["a", "b", "c"], "v": ["d"]}, "last")

    assert (s.train, s.test) == ({"u": ["a", "b"], "v": ["d"]}, {"u": ["c"]})
    assert told(s) == [
        "no times: the order of a user's items is taken for that in time",
        "1 user is not tested: with no more rows than are tested, nothing would be left to train on",
        '1 item of test is not in train, with 1 row: kept (cold_items="drop" leaves them out)',
    ]


def test_what_was_learned_from_the_future_of_others_is_counted() -> None:
    s = rg.split(frame_of([(1, 1, 1), (1, 2, 2), (2, 1, 5), (2, 2, 6), (2, 3, 6)]), "last")

    assert s.counts["later_rows"] == 2  # of user 2, after the test row of user 1 at time 2
    assert s.counts["tied_users"] == 1
    assert any(t.startswith("2 of 3 training rows happened after the first test row") for t in told(s))
    assert any(t.startswith("1 user has rows of the same time on both sides of the cut") for t in told(s))


# by user, at random


def test_by_user_whole_users_are_tested_and_the_seed_decides_which() -> None:
    rows = [(u, i, u + i) for u in range(10) for i in range(3)]

    train, test = rg.split(frame_of(rows), "user", share=0.3)
    again = rg.split(frame_of(rows), "user", share=0.3)
    other = rg.split(frame_of(rows), "user", share=0.3, rng=1)

    assert (train["user_id"].n_unique(), test["user_id"].n_unique()) == (7, 3)
    assert not set(train["user_id"]) & set(test["user_id"])
    assert test.equals(again.test)
    assert not test.equals(other.test)


def test_by_user_with_n_the_rest_of_their_rows_is_trained_on() -> None:
    rows = [(u, i, i) for u in range(10) for i in range(4)]

    train, test = rg.split(frame_of(rows), "user", share=0.2, n=1)

    assert sorted(test["item_id"].to_list()) == [3, 3]
    assert train.height == 38


def test_at_random_the_share_is_exact() -> None:
    rows = [(u, i, 0) for u in range(10) for i in range(10)]

    assert rg.split(frame_of(rows), "random", share=0.25).test.height == 25


# folds


@pytest.mark.parametrize("by", ["user", "random"])
def test_folds_test_everything_once(by: str) -> None:
    rows = [(u, i, u * i) for u in range(7) for i in range(3)]

    made = rg.folds(frame_of(rows), 3, by)

    assert sorted(row for s in made for row in s.test.rows()) == sorted(rows)
    assert [s.fold for s in made] == [1, 2, 3]
    assert all(sorted([*s.train.rows(), *s.test.rows()]) == sorted(rows) for s in made)


def test_folds_by_time_are_windows_that_know_only_what_came_before() -> None:
    rows = [(1, i, i) for i in range(10)]

    made = rg.folds(frame_of(rows), 4, "time")

    assert [s.test["time"].to_list() for s in made] == [[2, 3], [4, 5], [6, 7], [8, 9]]
    assert [s.train["time"].to_list() for s in made] == [list(range(n)) for n in (2, 4, 6, 8)]


def test_folds_of_the_last_know_nothing_of_later_ones() -> None:
    made = rg.folds({"u": list("abcde"), "v": list("xy")}, 2, "last", n=1)

    assert [(s.train, s.test) for s in made] == [
        ({"u": ["a", "b", "c"], "v": ["x"]}, {"u": ["d"]}),
        ({"u": ["a", "b", "c", "d"], "v": ["x"]}, {"u": ["e"], "v": ["y"]}),
    ]


# what a model cannot know


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ({}, [(1, 1, 9), (1, 7, 9), (8, 1, 9), (2, 1, 9)]),
        ({"cold_users": "drop"}, [(1, 1, 9), (1, 7, 9), (2, 1, 9)]),
        ({"cold_items": "drop"}, [(1, 1, 9), (8, 1, 9), (2, 1, 9)]),
        ({"seen": "drop"}, [(1, 7, 9), (8, 1, 9), (2, 1, 9)]),
        ({"cold_users": "drop", "cold_items": "drop", "seen": "drop"}, [(2, 1, 9)]),
    ],
)
def test_cold_and_seen_rows_are_kept_or_dropped_as_said_and_counted(words: dict[str, str], left: Rows) -> None:
    rows = [(1, 1, 1), (2, 2, 1), (1, 1, 9), (1, 7, 9), (8, 1, 9), (2, 1, 9)]

    s = rg.split(frame_of(rows), at=9, **words)

    assert s.test.rows() == left
    assert (s.counts["cold_users"], s.counts["cold_items"], s.counts["seen_rows"]) == (1, 1, 1)
    assert sum("dropped from test" in t for t in told(s)) == len(words)


def test_min_rating_leaves_out_low_ratings_of_both_parts() -> None:
    rated = [("u", "a", 5, 1), ("u", "b", 1, 2), ("u", "c", 4, 3), ("v", "a", 2, 4)]

    s = rg.split(rated, at=3, min_rating=4)

    assert (s.train, s.test) == ([rated[0]], [rated[2]])
    assert told(s)[0] == "left out 2 of 4 interactions rated below 4"


# the kind of thing that was given

FRAME = frame_of([(1, 1, 1), (1, 2, 2), (2, 1, 3)]).with_columns(extra=pl.Series(["x", "y", "z"]))


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (FRAME, pl.DataFrame),
        (FRAME.lazy(), pl.DataFrame),
        (FRAME.to_pandas(), pd.DataFrame),
        (FRAME.to_arrow(), pa.Table),
        (FRAME.to_dict(as_series=False), dict),
        (FRAME.to_dicts(), list),
    ],
)
def test_frames_come_back_as_frames_of_the_same_kind_with_all_columns(given: Any, kind: type) -> None:
    train, test = rg.split(given, at=3)

    assert isinstance(train, kind)
    assert isinstance(test, kind)
    assert pl.DataFrame(train).rows() == FRAME.rows()[:2]
    assert pl.DataFrame(test).rows() == FRAME.rows()[2:]


def test_sparse_matrices_and_interactions_come_back_as_such() -> None:
    matrix = sp.csr_array(np.array([[1, 0, 2], [3, 4, 0]]))
    train, test = rg.split(matrix, "random", share=0.5)

    assert train.shape == test.shape == matrix.shape
    assert (train + test != matrix).nnz == 0
    assert (train.nnz, test.nnz) == (2, 2)
    part, _ = rg.split(rg.Interactions.of(FRAME), at=3)
    assert part.to_frame().rows() == [("1", "1", 1), ("1", "2", 2)]


def test_files_come_back_as_polars_frames_with_the_words_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "u.data"
    path.write_text("1\t007\t3\t881250949\n1\t401\t5\t891717742\n")

    train, test = rg.split(path, share=0.5)

    assert train.rows(named=True) == [{"user_id": "1", "item_id": "007", "rating": "3", "time": "881250949"}]
    assert test.height == 1


# as a record


def test_a_split_can_be_stored_without_its_rows() -> None:
    s = rg.split({"u": ["a", "b"]}, "last")
    back = rg.Split.from_dict(s.to_dict())

    assert (back.by, back.counts, list(back.parts), list(back.remarks)) == (
        s.by,
        s.counts,
        list(s.parts),
        list(s.remarks),
    )
    with pytest.raises(InputError, match="a stored record of kind split has no `train`"):
        back.train  # noqa: B018


# what is wrong


@pytest.mark.parametrize(
    ("call", "english", "chinese"),
    [
        (
            lambda: rg.split(FRAME, "lst"),
            "split: `by` must be one of time, last, user, random, got 'lst'. Did you mean last?",
            "split：`by` 必须是 time, last, user, random 之一，实际为 'lst'。是否想输入 last？",
        ),
        (
            lambda: rg.split(FRAME, "last", share=0.5),
            "`share` must be left out where by='last': it belongs to 'time', 'user', 'random', got 0.5.",
            "by='last' 时不能给出 `share`：它只用于 'time', 'user', 'random'，实际为 0.5。",
        ),
        (
            lambda: rg.split(FRAME, at=2, share=0.5),
            "pass `at` or `share`, not both: a moment or a share.",
            "`at` 与 `share` 只能给出一个：时刻或比例。",
        ),
        (
            lambda: rg.split(FRAME, at=7),
            "`at` must be after the first interaction and not after the last one, 1 … 3, got 7.",
            "`at` 必须晚于第一条交互、不晚于最后一条交互（1 … 3），实际为 7。",
        ),
        (
            lambda: rg.split(FRAME, at="monday"),
            "`at` must be a number like the times, got 'monday'.",
            "`at` 必须是与时间列相同的数字，实际为 'monday'。",
        ),
        (
            lambda: rg.split([("u", "a"), ("u", "b")]),
            "interactions: splitting by 'time' needs times, and there are none. Name the column, "
            'columns={"name of the column": "time"}, or split by "user" or "random".',
            '交互：按 \'time\' 划分需要时间，但没有时间列。请指明时间列：columns={"列名": "time"}，或按 "user"、'
            '"random" 划分。',
        ),
        (
            lambda: rg.folds(FRAME, 5, "user"),
            "`k` must be at most the number of users, 2, got 5.",
            "`k` 不能超过用户数 2，实际为 5。",
        ),
        (
            lambda: rg.folds(FRAME, 4, "time"),
            "interactions: 4 folds by time need more than 4 different times with rows between them. Take fewer folds.",
            "交互：按时间划分 4 折需要 4 个以上不同的时间。请减少折数。",
        ),
        (
            lambda: rg.folds({"u": list("abcde"), "v": list("xy")}, 10**12, "last", n=2),
            "interactions: 1,000,000,000,000 folds of the last 2 need a user with more than 2,000,000,000,000 "
            'interactions, the longest history has 5. Take fewer folds, or split by "time", "user" or "random".',
            "交互：每折取最后 2 条、共 1,000,000,000,000 折，需要有用户的交互数多于 2,000,000,000,000 条，"
            '而最长的历史有 5 条。请减少折数，或按 "time"、"user"、"random" 划分。',
        ),
        (
            lambda: rg.split(FRAME, at=3, cold_users="drop", cold_items="drop", seen="drop"),
            "interactions: nothing is left to test. Take another share, or keep what is dropped.",
            "交互：没有可测试的交互。请换一个比例，或保留被去掉的部分。",
        ),
        (
            lambda: rg.split({"u": ["a", "b"]}, "user"),
            "at least two users are needed for a split, got 1.",
            "划分至少需要两个用户，实际为 1。",
        ),
    ],
)
def test_what_is_wrong_is_said_in_both_languages(call: Any, english: str, chinese: str, tmp_path: Path) -> None:
    says_in_both(lambda at: call(), Files(tmp_path), english, chinese)


def test_numbers_outside_their_range_are_refused() -> None:
    for words in ({"share": 1}, {"share": float("nan")}):
        with pytest.raises(ParameterError, match="`share` must be between 0 and 1"):
            rg.split(FRAME, **words)
    with pytest.raises(ParameterError, match="`n` must be a positive integer"):
        rg.split(FRAME, "last", n=0)
    with pytest.raises(ParameterError, match="`k` must be a whole number from 2 up"):
        rg.folds(FRAME, 1)


# what is said of rows that are dropped


@pytest.mark.parametrize("seen", ["keep", "drop"])
@pytest.mark.parametrize("cold_items", ["keep", "drop"])
@pytest.mark.parametrize("cold_users", ["keep", "drop"])
def test_counts_of_cold_and_seen_rows_are_of_what_earlier_drops_left(
    cold_users: str, cold_items: str, seen: str
) -> None:
    rows = [(1, 1, 1), (2, 2, 1), (1, 1, 9), (1, 7, 9), (2, 1, 9), (8, 1, 9), (8, 7, 9), (8, 6, 9), (9, 2, 9)]
    trained = rows[:2]
    is_about: dict[str, Any] = {
        "cold_users": lambda r: r[0] not in {t[0] for t in trained},
        "cold_items": lambda r: r[1] not in {t[1] for t in trained},
        "seen": lambda r: r[:2] in {t[:2] for t in trained},
    }
    rules = {"cold_users": cold_users, "cold_items": cold_items, "seen": seen}
    left, found = rows[2:], {}
    for name in (name for name, rule in rules.items() if rule == "drop"):
        found[name] = [r for r in left if is_about[name](r)]
        left = [r for r in left if not is_about[name](r)]
    for name in (name for name, rule in rules.items() if rule == "keep"):
        found[name] = [r for r in left if is_about[name](r)]

    s = rg.split(frame_of(rows), at=9, **rules)

    assert s.test.rows() == left
    assert {name: s.counts[name] for name in ("cold_users", "cold_user_rows", "cold_items", "cold_item_rows")} == {
        "cold_users": len({r[0] for r in found["cold_users"]}),
        "cold_user_rows": len(found["cold_users"]),
        "cold_items": len({r[1] for r in found["cold_items"]}),
        "cold_item_rows": len(found["cold_items"]),
    }
    assert s.counts["seen_rows"] == len(found["seen"])
    after = f", {len(left) / 9:.1%} after dropping" if len(left) < 7 else ""
    assert told(s)[0] == f"tested is what happened from 9 on: 77.8% of all interactions{after}"


def test_what_is_drawn_does_not_depend_on_the_order_of_rows():
    frame = pl.DataFrame({"user_id": [f"u{i % 7}" for i in range(40)], "item_id": [f"i{i}" for i in range(40)]})
    turned = frame.reverse()

    def tested(split):
        return sorted(split.test["item_id"].to_list())

    assert tested(rg.split(frame, "random", rng=3)) == tested(rg.split(turned, "random", rng=3))
    both = zip(rg.folds(frame, 4, "random", rng=3), rg.folds(turned, 4, "random", rng=3), strict=True)
    assert all(tested(a) == tested(b) for a, b in both)


def test_users_of_one_interaction_cannot_be_split_by_their_last():
    frame = pl.DataFrame({"user_id": ["u1", "u2"], "item_id": ["a", "b"], "time": [1, 2]})

    with pytest.raises(InputError, match=r"nothing is left to test, as no user has more .* split by \"time\""):
        rg.split(frame, "last")


# tables with lists of items


LISTS = pl.DataFrame({"user_id": ["a", "b", "c"], "item_id": [["p", "q"], ["x"], []], "age": [3, 4, 5]})


def rows_in(part: Any) -> list[tuple[Any, ...]]:
    if isinstance(part, list):
        return [(row["user_id"], row["item_id"], row["age"]) for row in part]
    columns = part.to_dict("list") if isinstance(part, pd.DataFrame) else part
    frame = pl.DataFrame(columns)
    return frame.select("user_id", "item_id", "age").rows()


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (LISTS, pl.DataFrame),
        (LISTS.lazy(), pl.DataFrame),
        (pd.DataFrame(LISTS.to_dict(as_series=False)), pd.DataFrame),
        (LISTS.to_arrow(), pa.Table),
        (LISTS.to_dicts(), list),
    ],
    ids=["polars", "lazy", "pandas", "arrow", "records"],
)
def test_lists_of_items_come_back_as_a_row_for_each_interaction(given, kind):
    train, test = rg.split(given, "last")

    assert isinstance(train, kind)
    assert isinstance(test, kind)
    assert rows_in(train) == [("a", "p", 3), ("b", "x", 4)]
    assert rows_in(test) == [("a", "q", 3)]
    tested = [row for fold in rg.folds(given, 3, "random") for row in rows_in(fold.test)]
    assert sorted(tested) == [("a", "p", 3), ("a", "q", 3), ("b", "x", 4)]


def test_lists_that_pandas_left_out_are_lists_of_nothing():
    frame = pd.DataFrame({"user_id": ["a", "b"], "item_id": [float("nan"), ["x", "y"]]})

    assert rg.split(frame, "last").test.to_dict("list") == {"user_id": ["b"], "item_id": ["y"]}
    assert rg.baseline(pd.DataFrame({"user_id": ["a", "b"], "item_id": [["x"], ["y"]]})).to_dict() == {
        "a": {"y": 1.0},
        "b": {"x": 1.0},
    }


def test_a_time_that_is_no_text_is_refused():
    with pytest.raises(ParameterError, match="`at` must be"):
        rg.split(frame_of([("a", "x", 1), ("a", "y", 2)]), at="\udcff")
