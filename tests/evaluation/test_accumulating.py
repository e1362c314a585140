"""A training loop: batches of scores and targets, held against `evaluate` on dicts, bit by bit."""

from __future__ import annotations

import pickle
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

import rankgauge as rg
from chinese_errors import Files, says_in_both

M = ["nDCG@3", "AP", "RR", "P@2", "R@2", "ERR", "Bpref", "Judged@2", "RBP(p=0.8)"]
N_ITEMS = 12  # "10" and "11" stand before "2" as text

score = st.one_of(st.integers(0, 3).map(float), st.floats(width=32))
grade = st.sampled_from([float("nan"), 0.0, 1.0, 2.0, 3.0])


@st.composite
def loops(draw: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[int]]:
    """Scores, grades (NaN: not judged), a mask of seen items, and where batches end."""
    n = draw(st.integers(1, 6))

    def matrix(values: Any, dtype: Any) -> np.ndarray:
        cells = draw(st.lists(values, min_size=n * N_ITEMS, max_size=n * N_ITEMS))
        return np.array(cells, dtype=dtype).reshape(n, N_ITEMS)

    cuts = sorted({0, n, *draw(st.lists(st.integers(0, n), max_size=3))})
    seen = matrix(st.sampled_from([False, False, True]), bool)
    return matrix(score, np.float32), matrix(grade, np.float64), seen, cuts


def on_dicts(scores: np.ndarray, grades: np.ndarray, seen: np.ndarray | None = None, **words: Any) -> Any:
    def table(values: np.ndarray, left_out: np.ndarray) -> dict[str, dict[str, float]]:
        return {
            str(i): {str(j): float(x) for j, x in enumerate(row) if not left_out[i, j]} for i, row in enumerate(values)
        }

    hidden = np.isnan(scores) if seen is None else np.isnan(scores) | seen
    return rg.evaluate(table(grades, np.isnan(grades)), table(scores, hidden), M, **words)


def bits(ev: Any) -> dict[str, Any]:
    columns = {
        f"{c.label} {name}": None if (x := getattr(c, name)) is None else x.tobytes()
        for c in ev.columns
        for name in ("values", "counted", "best", "worst", "numerator", "denominator")
    }
    return {**columns, "ids": list(ev.query_ids), "counts": dict(ev.counts), "means": [ev[m].hex() for m in M]}


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [{}, {"ties": "input"}, {"ties": "expected"}, {"average": "micro"}, {"depth": 2}, {"no_relevant": "zero"}],
    ids=str,
)
@settings(max_examples=60, deadline=None)
@given(loop=loops())
def test_batches_are_what_evaluate_makes_of_all_rows(words, loop):
    scores, grades, seen, cuts = loop
    got = rg.Accumulator(M, **words)
    for first, last in pairwise(cuts):
        got.update(scores[first:last], grades[first:last], seen=seen[first:last])

    assert bits(got.compute()) == bits(on_dicts(scores, grades, seen, **words))


SCORES = np.array([[0.9, 0.1, 0.5, 0.4], [0.2, 0.8, 0.3, 0.3], [0.5, 0.5, 0.5, 0.5]])
TARGETS = [[0, 3], [2], []]
GRADES = np.array([[1, np.nan, np.nan, 1], [np.nan, np.nan, 1, np.nan], [np.nan] * 4])


def computed(scores: Any, targets: Any, **options: Any) -> dict[str, Any]:
    acc = rg.Accumulator(M)
    acc.update(scores, targets, **options)
    return bits(acc.compute())


@pytest.mark.parametrize(
    "targets",
    [
        TARGETS,
        [np.array(x, dtype=np.int32) for x in TARGETS],
        np.array([[0, 3], [2, -1], [-1, -1]]),
        np.array([[0, 3, 0], [2, 2, -100], [-1, -1, -1]]),
        csr_array(([1, 1, 1], ([0, 0, 1], [0, 3, 2])), shape=(3, 4)),
        GRADES,
    ],
    ids=["lists", "arrays", "padded", "padded and repeated", "sparse", "grades"],
)
def test_every_form_of_targets_says_the_same(targets):
    assert computed(SCORES, targets) == bits(on_dicts(SCORES, GRADES))


@pytest.mark.parametrize("targets", [np.array([0, 2, -1]), [0, 2, -1]], ids=["array", "list"])
def test_one_target_for_each_row(targets):
    assert computed(SCORES, targets) == computed(SCORES, [[0], [2], []])


def test_a_matrix_of_integers_of_the_shape_of_the_scores_is_one_of_grades_unless_it_is_told_otherwise():
    square = np.array([[0, 1, -1, -1], [2, -1, -1, -1], [3, -1, -1, -1]])

    assert computed(SCORES, square, as_="ids") == computed(SCORES, [[0, 1], [2], [3]])
    assert computed(SCORES, square) == computed(SCORES, square.astype(float))


@pytest.mark.parametrize(
    "seen",
    [np.eye(3, 4, dtype=bool), [[0], [1], [2]], np.array([0, 1, 2]), csr_array(np.eye(3, 4))],
    ids=["mask", "lists", "one each", "sparse"],
)
def test_seen_items_are_not_shown(seen):
    assert computed(SCORES, TARGETS, seen=seen) == bits(on_dicts(SCORES, GRADES, np.eye(3, 4, dtype=bool)))


def test_the_scores_that_were_given_stay_as_they_are():
    scores = SCORES.copy()
    computed(scores, TARGETS, seen=np.eye(3, 4, dtype=bool))

    assert scores.tobytes() == SCORES.tobytes()


class Tensor:
    """What a library of tensors hands over: memory, and where it is."""

    def __init__(self, values: np.ndarray, device: int = 1, error: Exception | None = None) -> None:
        self._values, self._device, self._error = values, device, error
        self.dtype = "torch.bfloat16" if error else values.dtype

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device, 0

    def __dlpack__(self, **options: Any) -> Any:
        if self._error is not None:
            raise self._error
        return self._values.__dlpack__(**options)


def test_tensors_hand_over_their_memory():
    scores, targets = Tensor(SCORES.astype(np.float32)), Tensor(np.array([[0, 3], [2, -1], [-1, -1]]))

    assert computed(scores, targets) == computed(SCORES.astype(np.float32), TARGETS)


def test_float32_is_widened_and_keeps_its_ties():
    narrow = np.array([[0.1, 0.1, 0.3]], dtype=np.float32)
    acc = rg.Accumulator("RR")
    acc.update(narrow, [[0]])

    assert acc.compute()["RR"] == 1 / 3  # behind 2, and behind 1 by the order of ids


def update(scores: Any, targets: Any, **options: Any) -> Any:
    return lambda at: rg.Accumulator(M).update(scores, targets, **options)


ERRORS: dict[str, tuple[Any, str, str]] = {
    "on a device": (
        update(Tensor(SCORES, device=2), TARGETS),
        "scores: a tensor must be in the memory of the processor, got one on a device. Pass scores.cpu() "
        "(JAX: jax.device_get).",
        "scores：张量必须在 CPU 内存中，实际在其他设备上。请传入 scores.cpu()（JAX：jax.device_get）。",
    ),
    "bfloat16": (
        update(Tensor(SCORES, error=BufferError("no such type")), TARGETS),
        "scores: numbers must be of a type that NumPy knows, got torch.bfloat16. Pass scores.float(), or an array.",
        "scores：数字必须是 NumPy 支持的类型，实际为 torch.bfloat16。请传入 scores.float() 或数组。",
    ),
    "one row": (
        update(SCORES[0], TARGETS),
        "scores must be a matrix of numbers [n_queries, n_items], got shape (4,) of float64.",
        "scores 必须是数字矩阵 [n_queries, n_items]，实际形状为 (4,)，类型为 float64。",
    ),
    "ragged": (
        update([[1.0, 2.0], [1.0]], [[0], [0]]),
        "scores: numbers must be of a type that NumPy knows, got list. Pass scores.float(), or an array.",
        "scores：数字必须是 NumPy 支持的类型，实际为 list。请传入 scores.float() 或数组。",
    ),
    "too few rows": (
        update(SCORES, [[0], [2]]),
        "targets must have a row for each of the 3 rows of the scores, got 2.",
        "targets 必须与得分的行数 3 一致，实际为 2 行。",
    ),
    "beyond the items": (
        update(SCORES, [[0], [4], []]),
        "targets, row 2: a column must be below 4, the number of items, got 4.",
        "targets 第 2 行：列号必须小于物品数 4，实际为 4。",
    ),
    "no whole number": (
        update(SCORES, [[0.5], [1], []]),
        "targets must name columns by whole numbers, got float64 of shape (1,).",
        "targets 必须用整数列号表示，实际为 float64，形状 (1,)。",
    ),
    "another shape": (
        update(SCORES, np.zeros((3, 2))),
        "targets must be numbers of columns for each row, or a matrix of numbers of the shape of the scores (3, 4), "
        "got shape (3, 2) of float64.",
        "targets 必须是每行的列号，或与得分形状 (3, 4) 相同的数字矩阵，实际形状为 (3, 2)，类型为 float64。",
    ),
    "another sparse shape": (
        update(SCORES, csr_array(np.eye(4))),
        "targets must have the shape of the scores (3, 4), got a sparse matrix of (4, 4).",
        "targets 的形状必须与得分 (3, 4) 相同，实际是 (4, 4) 的稀疏矩阵。",
    ),
    "infinite grade": (
        update(SCORES, np.full((3, 4), np.inf)),
        "targets: a grade must be a finite number, got inf.",
        "targets：等级必须是有限的数字，实际为 inf。",
    ),
    "form": (
        update(SCORES, TARGETS, as_="scores"),
        "`as_` must be 'ids', 'grades' or None, got 'scores'.",
        "`as_` 必须是 'ids'、'grades' 或 None，实际为 'scores'。",
    ),
    "other measures": (
        lambda at: rg.Accumulator("AP").merge(rg.Accumulator("RR")),
        "merge() takes accumulators of the same measures, policy and convention.",
        "merge() 只接受指标、策略和口径都相同的 Accumulator。",
    ),
    "nothing": (
        lambda at: rg.Accumulator(M).compute(),
        "compute() needs at least one row, got none. Call update(scores, targets) first.",
        "compute() 至少需要一行数据，实际没有。请先调用 update(scores, targets)。",
    ),
    "what is shown": (
        lambda at: rg.Accumulator(["nDCG@10", "Coverage@10"]),
        "Accumulator() keeps no lists: measures must be about what is relevant, got Coverage@10. Pass it to "
        "evaluate().",
        "Accumulator() 不保留列表：指标必须只与相关性有关，实际为 Coverage@10。请改用 evaluate()。",
    ),
    "weights": (
        lambda at: rg.Accumulator(M, average="weighted"),
        "Accumulator() knows no weights: average must be 'macro' or 'micro', got 'weighted'.",
        "Accumulator() 没有权重：average 必须是 'macro' 或 'micro'，实际为 'weighted'。",
    ),
}


@pytest.mark.parametrize(("call", "english", "chinese"), ERRORS.values(), ids=list(ERRORS))
def test_what_cannot_be_meant_is_refused_in_both_languages(tmp_path, call, english, chinese):
    says_in_both(call, Files(tmp_path), english, chinese)


def test_merged_accumulators_have_the_rows_of_all():
    first, second = rg.Accumulator(M), rg.Accumulator(M)
    first.update(SCORES[:1], TARGETS[:1])
    second.update(SCORES[1:], TARGETS[1:])
    sent = pickle.loads(pickle.dumps(second))

    assert bits(first.merge(sent).compute()) == computed(SCORES, TARGETS)
    assert (len(first), len(sent)) == (3, 2)


def test_reset_forgets():
    acc = rg.Accumulator(M)
    acc.update(SCORES, TARGETS)
    acc.reset()

    assert len(acc) == 0


def test_an_empty_batch_changes_nothing():
    acc = rg.Accumulator(M)
    acc.update(SCORES, TARGETS)
    acc.update(SCORES[:0], [])

    assert bits(acc.compute()) == computed(SCORES, TARGETS)
