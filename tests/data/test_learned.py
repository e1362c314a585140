"""Which popularity lists follow: counted step by step."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from rankgauge.data import learned
from rankgauge.data.id_codes import counted
from rankgauge.data.interactions import Interactions
from rankgauge.data.learned import Followed, followed, followed_by_part


def naive(train: Interactions, tests: list[list[int]], lists: list[list[int]]) -> Followed | None:
    counts = train.users_per_item.tolist()
    steps = [(a, b) for x in lists for a, b in itertools.pairwise(x) if a >= 0 and b >= 0]
    by_train = sum(counts[a] >= counts[b] for a, b in steps)
    with_test = max(sum(counts[a] + test.count(a) >= counts[b] + test.count(b) for a, b in steps) for test in tests)
    knows = len(steps) >= 50 and with_test >= 0.999 * len(steps) and by_train < 0.98 * len(steps)
    return Followed(len(steps), with_test, by_train) if knows else None


@pytest.mark.parametrize("at_a_time", [3, 1 << 18])
@pytest.mark.parametrize("order", ["train", "both", "nearly both", "any"])
@pytest.mark.parametrize("seed", range(4))
def test_lists_that_follow_popularity_are_found_as_step_by_step(
    seed: int, order: str, at_a_time: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learned, "_AT_A_TIME", at_a_time)
    rng = np.random.default_rng(seed)
    pairs = {(f"u{u}", f"i{i}") for u, i in zip(rng.integers(0, 60, 300), rng.integers(0, 30, 300), strict=True)}
    train = Interactions.of(sorted(pairs))
    counts, n = train.users_per_item, train.n_items
    tests = [rng.integers(-1, n, 40).tolist(), rng.integers(0, n, 80).tolist()]
    both = counts + np.bincount(tests[1], minlength=n)
    key = {"train": counts, "any": rng.random(n)}.get(order, both)
    lists = [sorted(rng.permutation(n)[:12].tolist(), key=lambda i: -key[i]) for _ in range(200)]
    if order == "nearly both":
        lists[7].reverse()
    lists[3][2] = -1
    lists += [[], [4]]
    items = np.array([i for x in lists for i in x])
    owner = np.repeat(np.arange(len(lists)), [len(x) for x in lists])

    found = followed(train, [counted(np.array(t), train.n_items) for t in tests], items, owner[1:] == owner[:-1])

    assert found == naive(train, tests, lists)
    assert (found is not None) == (order == "both")


def test_few_steps_say_nothing() -> None:
    train = Interactions.of([("u1", "a"), ("u2", "b")])
    assert followed(train, [np.array([1, 0])], np.array([0, 1]), np.array([True])) is None
    assert followed(train, [np.array([0, 0])], np.array([], dtype=int), np.array([], dtype=bool)) is None


@pytest.mark.parametrize(("rising", "looked_at"), [(True, 3), (False, 50)])
def test_no_more_is_looked_at_than_it_takes_to_see_that_no_popularity_is_followed(
    rising: bool, looked_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learned, "_AT_A_TIME", 2)
    train = Interactions.of([("u1", "a"), ("u1", "b"), ("u2", "b")])
    items = np.tile([0, 1] if rising else [1, 0], 50)
    parts = []

    def part(at: int, end: int) -> tuple[np.ndarray, np.ndarray]:
        parts.append(at)
        return items[at:end], np.arange(at, end - 1) % 2 == 0

    assert followed_by_part(train, [np.array([0, 0])], len(items), part) is None
    assert len(parts) <= looked_at
