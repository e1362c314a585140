"""The first k of scores: against a full sort, with ties, with what was seen, and as evaluations see it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import rankgauge as rg
from chinese_errors import Files, says_in_both
from rankgauge.data import top_k
from rankgauge.errors import ParameterError

SCORES = arrays(
    np.float64,
    st.tuples(st.integers(1, 4), st.integers(1, 12)),
    elements=st.sampled_from([0.0, 0.5, 1.0, -2.0, np.nan]),
)


def naive(scores: Any, k: int, seen: Any = None) -> dict[str, list[tuple[str, float]]]:
    """Sort everything: the highest score first, then the highest id as text."""
    out: dict[str, list[tuple[str, float]]] = {}
    for u, row in enumerate(scores):
        shown = [
            (str(i), float(s)) for i, s in enumerate(row) if not np.isnan(s) and not (seen is not None and seen[u][i])
        ]
        shown.sort(key=lambda pair: pair[0], reverse=True)
        out[str(u)] = sorted(shown, key=lambda pair: -pair[1])[:k]
    return out


def lists_of(run: rg.Run) -> dict[str, list[tuple[str, float]]]:
    return {q: list(row.items()) for q, row in run.to_dict().items()}


@given(SCORES, st.integers(1, 13), st.randoms(use_true_random=False))
def test_first_k_is_what_a_full_sort_gives(scores: Any, k: int, random: Any) -> None:
    seen = np.array([[random.random() < 0.3 for _ in row] for row in scores])
    before = scores.copy()

    assert lists_of(rg.Run.from_scores(scores, k)) == naive(scores, k)
    assert lists_of(rg.Run.from_scores(scores, k, seen=seen)) == naive(scores, k, seen)
    assert lists_of(rg.Run.from_scores(scores, k, seen=sp.csr_array(seen))) == naive(scores, k, seen)
    assert np.array_equal(scores, before, equal_nan=True)  # arguments come back as they went in


@given(SCORES, st.integers(1, 8))
def test_measures_of_cut_lists_are_those_of_whole_rankings(scores: Any, k: int) -> None:
    n = scores.shape[1]
    qrels = {str(u): {str(i): (u + i) % 2 for i in range(n)} for u in range(len(scores))}
    qrels = {u: {**items, "0": 1} for u, items in qrels.items()}
    measures = [f"nDCG@{k}", f"P@{k}", f"RR@{k}", f"R@{k}"]

    whole = rg.evaluate(qrels, rg.Run.from_matrix(scores, as_="scores"), measures)
    cut = rg.evaluate(qrels, rg.Run.from_scores(scores, k), measures)

    assert cut.per_query.equals(whole.per_query)


def test_blocks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 5, (17, 9)).astype(np.float32)
    seen = rng.random((17, 9)) < 0.2
    whole = rg.Run.from_scores(scores, 4, seen=seen).to_dict()

    monkeypatch.setattr(top_k, "_CELLS", 20)  # two users at a time

    assert rg.Run.from_scores(scores, 4, seen=seen).to_dict() == whole


def test_factors_are_products_with_biases() -> None:
    rng = np.random.default_rng(1)
    users, items, bias = rng.normal(size=(6, 3)), rng.normal(size=(8, 3)), rng.normal(size=8)

    run = rg.Run.from_factors(users, items, 3, item_bias=bias, query_ids=list("abcdef"))

    want = naive(users @ items.T + bias, 3)
    got = lists_of(run)
    assert [[i for i, _ in got[q]] for q in "abcdef"] == [[i for i, _ in row] for row in want.values()]
    assert [s for _, s in got["a"]] == pytest.approx([s for _, s in want["0"]])


def test_what_was_seen_is_found_by_ids() -> None:
    scores = [[3.0, 2.0, 1.0], [3.0, 2.0, 1.0]]

    run = rg.Run.from_scores(
        scores, 2, seen={"v": ["x", "other"], "w": ["x"]}, query_ids=["u", "v"], doc_ids=["x", "y", "z"]
    )

    assert run.to_dict() == {"u": {"x": 3.0, "y": 2.0}, "v": {"y": 2.0, "z": 1.0}}


def test_sparse_scores_hold_what_was_retrieved_and_empty_lists_stay() -> None:
    scores = sp.csr_array(np.array([[0.0, 2.0], [0.0, 0.0]]))
    run = rg.Run.from_scores(scores, 2)

    assert (run.to_dict(), run.empty) == ({"0": {"1": 2.0}, "1": {}}, ("1",))


@pytest.mark.parametrize(
    ("call", "english", "chinese"),
    [
        (
            lambda: rg.Run.from_scores([1.0, 2.0], 1),
            "run: scores must be numbers in a row per user and a column per item, got shape (2,), float64.",
            "run：得分必须是数字，每个用户一行、每个物品一列，实际形状为 (2,), float64。",
        ),
        (
            lambda: rg.Run.from_scores([[1.0, 2.0]], 1, seen=np.ones((2, 2))),
            "run: `seen` must have a row for each user and a column for each item, 1 × 2, got 2 × 2.",
            "run：`seen` 必须每个用户一行、每个物品一列，即 1 × 2，实际为 2 × 2。",
        ),
        (
            lambda: rg.Run.from_factors([[1.0, 2.0]], [[1.0]], 1),
            "run: users and items must have as many factors, got 2 and 1.",
            "run：用户和物品的因子数必须相同，实际为 2 和 1。",
        ),
        (
            lambda: rg.Run.from_factors([[1.0]], [[1.0], [np.nan]], 1),
            "run: item factors must be finite numbers, got nan in row 2.",
            "run：物品因子必须是有限的数字，实际第 2 行有 nan。",
        ),
        (
            lambda: rg.Run.from_factors([["a"]], [[1.0]], 1),
            "run: user factors must be numbers in a row per user, got shape (1, 1), <U1.",
            "run：用户因子必须是数字，每个用户一行，实际形状为 (1, 1)，类型为 <U1。",
        ),
        (
            lambda: rg.Run.from_factors([[1.0]], [[1.0]], 1, item_bias=[1.0, 2.0]),
            "run: `item_bias` must have a finite number for each of 1 items, got shape (2,), float64.",
            "run：`item_bias` 必须为 1 个物品各给出一个有限的数字，实际形状为 (2,)，类型为 float64。",
        ),
    ],
)
def test_what_is_wrong_is_said_in_both_languages(call: Any, english: str, chinese: str, tmp_path: Path) -> None:
    says_in_both(lambda at: call(), Files(tmp_path), english, chinese)


def test_k_must_be_a_positive_integer() -> None:
    with pytest.raises(ParameterError, match="`k` must be a positive integer"):
        rg.Run.from_scores([[1.0]], 0)
