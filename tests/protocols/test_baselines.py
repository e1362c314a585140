"""Baselines against the same written naively: sets, and dense matrices."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from chinese_errors import Files, says_in_both

Pairs = list[tuple[int, int]]
PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9)), min_size=1, max_size=40)
TRAIN = {"u1": ["a", "b"], "u2": ["b", "c"], "u3": ["b", "c", "d"], "u4": ["b"]}


def ranked(scores: dict[str, float], known: set[str], k: int) -> dict[str, float]:
    """The highest score first, then the highest id as text; what is known is left out."""
    left = sorted((i for i in scores if i not in known), reverse=True)
    return {i: scores[i] for i in sorted(left, key=lambda i: -scores[i])[:k]}


def sets_of(rows: Pairs) -> dict[str, set[str]]:
    out: dict[str, set[str]] = {}
    for user, item in rows:
        out.setdefault(str(user), set()).add(str(item))
    return out


def lists_of(run: rg.Run) -> dict[str, list[str]]:
    return {user: list(row) for user, row in run.to_dict().items()}


@given(PAIRS, st.integers(1, 6), st.booleans())
def test_popularity_is_the_number_of_users(rows: Pairs, k: int, seen: bool) -> None:
    known = sets_of(rows)
    counts = {i: float(sum(i in mine for mine in known.values())) for mine in known.values() for i in mine}

    run = rg.baseline(rows, k=k, seen=seen)

    want = {u: ranked(counts, set() if seen else mine, k) for u, mine in known.items()}
    assert run.to_dict() == want
    assert lists_of(run) == {u: list(row) for u, row in want.items()}


@settings(max_examples=40)
@given(PAIRS, st.integers(1, 4), st.integers(1, 4), st.sampled_from([0.0, 1.5]))
def test_item_knn_is_the_sum_of_cosines_over_the_nearest(rows: Pairs, k: int, neighbours: int, shrink: float) -> None:
    known = sets_of(rows)
    users = {i: {u for u, mine in known.items() if i in mine} for mine in known.values() for i in mine}

    def like(i: str, j: str) -> float:
        return len(users[i] & users[j]) / (sqrt(len(users[i]) * len(users[j])) + shrink)

    near = {
        j: sorted(sorted((i for i in users if i != j and like(i, j) > 0), reverse=True), key=lambda i: -like(i, j))[
            :neighbours
        ]
        for j in users
    }
    run = rg.baseline(rows, "item-knn", k=k, neighbours=neighbours, shrink=shrink)

    for user, mine in known.items():
        scores = {j: sum(like(i, j) for i in near[j] if i in mine) for j in users}
        want = {j: s for j, s in scores.items() if s > 0 and j not in mine}
        got = run.to_dict()[user]
        assert len(got) == min(k, len(want))
        assert list(got.values()) == pytest.approx(sorted(want.values(), reverse=True)[:k])
        assert all(s == pytest.approx(want[j]) for j, s in got.items())


def test_ease_is_the_closed_form_and_the_minimum_of_its_loss() -> None:
    rng = np.random.default_rng(3)
    dense = (rng.random((12, 7)) < 0.4).astype(float)
    dense[0] = 1
    rows = [(u, i) for u, i in zip(*np.nonzero(dense), strict=True)]

    run = rg.baseline([(int(u), int(i)) for u, i in rows], "ease", k=7, l2=2.0, seen=True)

    best = np.zeros((7, 7))  # each column by itself: ridge regression on the other items
    for j in range(7):
        others = [i for i in range(7) if i != j]
        x = dense[:, others]
        best[others, j] = np.linalg.solve(x.T @ x + 2.0 * np.eye(6), x.T @ dense[:, j])
    scores = dense @ best
    for u, row in run.to_dict().items():
        assert row == pytest.approx({str(i): scores[int(u), i] for i in range(7)})


def test_recent_counts_the_last_days_only() -> None:
    day = 86_400
    rows = [("u1", "old", 0, 1_500_000_000), ("u2", "old", 0, 1_500_000_000), ("u3", "new", 0, 1_500_000_000 + 9 * day)]

    run = rg.baseline(rows, "recent", k=2, days=2, users=["x"])

    assert run.to_dict() == {"x": {"new": 1.0}}
    assert [str(n) for n in run.notes] == [
        "popularity counted over the 1 interactions from 2017-07-21 02:40:00 on",
        "1 of 1 list has fewer than 2 items: no more could be recommended",
    ]


def test_users_of_test_get_lists_and_strangers_by_popularity_only() -> None:
    popular = rg.baseline(TRAIN, k=2, users={"u1": ["z"], "new": ["z"]})
    alike = rg.baseline(TRAIN, "item-knn", k=2, users=pl.DataFrame({"user_id": ["u1", "new"], "item_id": ["z", "z"]}))

    assert lists_of(popular) == {"new": ["b", "c"], "u1": ["c", "d"]}
    assert list(alike.to_dict()) == ["u1"]
    assert str(alike.notes[0]) == "1 user has no list: train does not know them"


def test_a_user_who_knows_everything_has_an_empty_list() -> None:
    run = rg.baseline({"u": ["a", "b"], "v": ["a"]}, k=1)

    assert (run.to_dict(), run.empty) == ({"v": {"b": 1.0}, "u": {}}, ("u",))
    ev = rg.evaluate({"u": {"z": 1}, "v": {"b": 1}}, run, "R@1")
    assert ev.per_query["R@1"].to_list() == [0.0, 1.0]


def test_min_rating_leaves_out_low_ratings() -> None:
    rated = [("u", "a", 5), ("v", "b", 1), ("w", "b", 1), ("x", "a", 4)]

    assert rg.baseline(rated, k=1, users=["new"]).to_dict() == {"new": {"b": 2.0}}
    assert rg.baseline(rated, k=1, users=["new"], min_rating=4).to_dict() == {"new": {"a": 2.0}}


@pytest.mark.parametrize(
    ("call", "english", "chinese"),
    [
        (
            lambda: rg.baseline(TRAIN, "pop"),
            "baseline: `kind` must be one of popularity, recent, item-knn, ease, got 'pop'.",
            "baseline：`kind` 必须是 popularity, recent, item-knn, ease 之一，实际为 'pop'。",
        ),
        (
            lambda: rg.baseline(TRAIN, "ease", neighbours=3),
            "`neighbours` must be left out of 'ease': it belongs to 'item-knn', got 3.",
            "'ease' 不能给出 `neighbours`：它只用于 'item-knn'，实际为 3。",
        ),
        (
            lambda: rg.baseline(TRAIN, "item-knn", users=["new"]),
            "item-knn needs users that train knows, and it knows none of 1. Take popularity.",
            "item-knn 需要训练集中有过的用户，而 1 个用户都不在其中。请用 popularity。",
        ),
        (
            lambda: rg.baseline(TRAIN, "recent"),
            'train: "recent" needs times that are dates, or seconds since 1970. Name the column: '
            'columns={"name of the column": "time"}; or take "popularity".',
            'train："recent" 需要日期或 1970 年以来的秒数。请指明时间列：columns={"列名": "time"}；或用 "popularity"。',
        ),
        (
            lambda: rg.baseline({"u": [str(i) for i in range(2000)]}, "ease", memory="64MiB"),
            "ease needs a matrix of all items by all items: 2,000 of them take 91.6 MiB, and 64.0 MiB may be "
            "used. Leave "
            "out rare items, take item-knn, or allow more with memory=.",
            "ease 需要全部物品两两之间的矩阵：2,000 个物品需要 91.6 MiB，可用 64.0 MiB。请去掉冷门物品、改用 "
            "item-knn，或用 memory= 放宽。",
        ),
        (
            lambda: rg.baseline(TRAIN, users=[]),
            "users: must be at least one, got none.",
            "users：至少要有一个用户，实际没有。",
        ),
    ],
)
def test_what_is_wrong_is_said_in_both_languages(call: Any, english: str, chinese: str, tmp_path: Path) -> None:
    says_in_both(lambda at: call(), Files(tmp_path), english, chinese)


@pytest.mark.slow
def test_popularity_of_published_figures_comes_only_with_the_test_counted(shared: Path) -> None:
    """S3-Rec (2020) reports PopRec HR@5/10/20 .0066/.0113/.0163 and NDCG .0046/.0061/.0073 on these sequences."""
    train, test = rg.split(shared / "s3rec_toys" / "Toys_and_Games.txt.gz", "last")
    measures = ["Success@5", "Success@10", "Success@20", "nDCG@5", "nDCG@10", "nDCG@20"]

    honest = rg.evaluate(_relevant(test), rg.baseline(train, k=20, users=test), measures)
    leaking = rg.evaluate(_relevant(test), _leaking(train, test), measures, ties="worst")  # one hit ties at place 20

    published = dict(zip(measures, (0.0066, 0.0113, 0.0163, 0.0046, 0.0061, 0.0073), strict=True))
    assert {m: round(leaking.mean()[m], 4) for m in measures} == published
    assert honest.mean()["Success@10"] == pytest.approx(0.0090, abs=5e-5)


@pytest.mark.slow
def test_the_audit_finds_popularity_that_was_counted_with_the_test(shared: Path) -> None:
    train, test = rg.split(shared / "s3rec_toys" / "Toys_and_Games.txt.gz", "last")
    runs = {"leaking": _leaking(train, test), "honest": rg.baseline(train, k=20, users=test)}

    found = rg.audit(test, runs, train=train)

    assert [(p.where, p.severity) for p in found["popularity-with-test"]] == [("leaking", "error")]


def _relevant(test: pl.DataFrame) -> dict[str, list[str]]:
    return dict(test.group_by("user_id").agg("item_id").iter_rows())


def _leaking(train: pl.DataFrame, test: pl.DataFrame) -> rg.Run:
    """Popular over train and test, with what is in train left out."""
    counts = pl.concat([train, test]).group_by("item_id").len("score").cast({"score": pl.Float64})
    users, items = train["user_id"].unique().sort(), counts["item_id"]
    scores = np.broadcast_to(counts["score"].to_numpy(), (len(users), len(items)))
    return rg.Run.from_scores(scores, 60, seen=train, query_ids=users.to_list(), doc_ids=items.to_list())


def test_more_items_than_any_machine_holds_are_all_items() -> None:
    found = rg.baseline(TRAIN, "item-knn", k=10**15, shrink=Fraction(1, 2))

    assert found.to_dict() == rg.baseline(TRAIN, "item-knn", k=4, shrink=0.5).to_dict()
    assert rg.baseline(TRAIN, k=10**400).to_dict() == rg.baseline(TRAIN, k=4).to_dict()


@pytest.mark.parametrize("l2", [1e-300, 1e-17])
def test_a_penalty_too_small_to_invert_anything_is_refused(l2: float, tmp_path: Path) -> None:
    twins = {"u1": ["a", "b"], "u2": ["a", "b", "c"]}
    said = (
        f"`l2` must be large enough for the matrix of items to be inverted, got {l2:g}: items that the same users had "
        "make it singular. Try 250, or 1."
    )
    zh = f"`l2` 必须足够大，物品矩阵才可求逆，实际为 {l2:g}：被同样的用户交互过的物品会使矩阵奇异。请试试 250 或 1。"

    says_in_both(lambda at: rg.baseline(twins, "ease", l2=l2), Files(tmp_path), said, zh)
    assert len(rg.baseline(twins, "ease", l2=1, users=["u1"]).to_dict()) == 1


def test_whether_items_are_shown_again_is_true_or_false(tmp_path: Path) -> None:
    says_in_both(
        lambda at: rg.baseline(TRAIN, seen="no"),  # type: ignore[arg-type]
        Files(tmp_path),
        "`seen` must be True or False, got 'no'.",
        "`seen` 必须是 True 或 False，实际为 'no'。",
    )
