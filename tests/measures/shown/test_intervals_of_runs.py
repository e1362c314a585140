"""Intervals of numbers of whole runs hold what as many other users like these would show on average."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from rankgauge.alignment.segments import Segments
from rankgauge.alignment.shown import Relevant, Shown
from rankgauge.data.catalogue import Catalogue
from rankgauge.measures.shown import SHOWN
from rankgauge.measures.shown.base import OfRun
from rankgauge.measures.shown.coverage import Coverage
from rankgauge.statistics.intervals import t_interval

K = 10
OF_RUNS = [cls(k=K) for cls in SHOWN.measures.values() if issubclass(cls, OfRun) and "train" not in cls.needs]


class Shop:
    """Users of a few tastes, shown the items that they like most among items of very unequal popularity."""

    def __init__(self, items: int, seed: int = 0) -> None:
        self.rng, self.wanting = np.random.default_rng(seed), np.random.default_rng(seed + 1)
        self.popular = np.log(np.sqrt(self.rng.zipf(1.3, items)))
        self.tastes = self.rng.dirichlet(np.full(5, 0.3), size=5_000)
        self.kind = self.rng.integers(0, 5, items)
        self.catalogue = Catalogue.of(items={str(i): f"kind {kind}" for i, kind in enumerate(self.kind)})

    def shown(self, users: int) -> Shown:
        taste = self.tastes[self.rng.integers(0, len(self.tastes), users)]
        liked = self.popular + 2 * taste[:, self.kind] + self.rng.gumbel(size=(users, len(self.kind)))
        none = np.zeros(users, dtype=np.int64)
        shown = np.argsort(-liked, axis=1)[:, :K]
        wanted = np.argsort(-(liked + self.wanting.gumbel(size=liked.shape)), axis=1)[:, :6]  # some of it is shown
        return Shown(
            query_ids=[str(i) for i in range(users)],
            offsets=np.arange(users + 1) * K,
            items=shown.ravel(),
            grade=np.where((shown[:, :, None] == wanted[:, None, :]).any(axis=2), 1.0, np.nan).ravel(),
            missing=none > 0,
            retrieved=np.full(users, K),
            repeats=none,
            best=np.ones(users),
            catalogue=self.catalogue,
            wanted=Relevant(Segments.of_lengths(none + 6).offsets, wanted.ravel(), np.ones(users * 6)),
        )


def lists_of(draw: Callable[[np.random.Generator], np.ndarray], items: int, rng: np.random.Generator) -> Shown:
    shown = draw(rng)
    users, k = shown.shape
    none = np.zeros(users, dtype=np.int64)
    return Shown(
        query_ids=[str(i) for i in range(users)],
        offsets=np.arange(users + 1) * k,
        items=shown.ravel(),
        grade=np.full(shown.size, np.nan),
        missing=none > 0,
        retrieved=np.full(users, k),
        repeats=none,
        best=np.ones(users),
        catalogue=Catalogue.of(items=[str(i) for i in range(items)]),
    )


def evenly(users: int, items: int, k: int) -> Callable[[np.random.Generator], np.ndarray]:
    """Each list is k items of all, whoever it is for."""
    return lambda rng: np.argpartition(rng.random((users, items)), k, axis=1)[:, :k]


def of_kinds(users: int, items: int, k: int, kinds: int) -> Callable[[np.random.Generator], np.ndarray]:
    """Everybody gets one of a few lists, whole."""
    lists = np.argsort(np.random.default_rng(3).random((kinds, items)), axis=1)[:, :k]
    return lambda rng: lists[rng.integers(0, kinds, users)]


SPREAD = {
    "20 users, 200 items": (evenly(20, 200, 10), 200),
    "50 users, 200 items": (evenly(50, 200, 10), 200),
    "100 users, 5 of 200 items": (evenly(100, 200, 5), 200),
    "30 users, 3000 items": (evenly(30, 3000, 10), 3000),
    "30 lists for 50 users": (of_kinds(50, 500, 10, 30), 500),
}


@pytest.mark.slow
@pytest.mark.parametrize(("draw", "items"), SPREAD.values(), ids=SPREAD)
def test_coverage_of_evenly_spread_items_is_no_wider_than_it_says(draw, items):
    """The jackknife alone holds it in 98.5% to 100% of samples here."""
    rng = np.random.default_rng(7)
    found = [Coverage(k=K).whole(lists_of(draw, items, rng)) for _ in range(700)]
    truth = np.mean([value for value, _ in found])
    ends = [t_interval(shares) for _, shares in found]

    share = np.mean([a <= truth <= b for a, b in ends])
    assert 0.90 <= share <= 0.98  # 92% to 97% in many samples


def held(users: int, items: int, times: int) -> dict[str, float]:
    """How often the interval holds the mean of all samples, by measure."""
    shop = Shop(items)
    values: dict[str, list[float]] = {str(m): [] for m in OF_RUNS}
    ends: dict[str, list[tuple[float, float]]] = {str(m): [] for m in OF_RUNS}
    for _ in range(times):
        s = shop.shown(users)
        for m in OF_RUNS:
            value, shares = m.whole(s)
            values[str(m)].append(value)
            ends[str(m)].append(tuple(t_interval(shares)))
    truth = {name: np.mean(found) for name, found in values.items()}
    return {name: float(np.mean([a <= truth[name] <= b for a, b in ends[name]])) for name in ends}


def test_intervals_hold_the_number_of_other_users_most_of_the_time():
    found = held(users=60, items=200, times=100)

    assert len(found) >= 7
    assert {name: share for name, share in found.items() if not 0.87 <= share <= 1} == {}


@pytest.mark.long("coverage of intervals of whole runs")
@pytest.mark.parametrize(("users", "items"), [(50, 200), (200, 500), (300, 5000)])
def test_intervals_hold_the_number_of_other_users_as_often_as_they_say(users, items):
    found = held(users, items, times=600)

    # 94.5% to 97.6% in 800 to 2,000 samples
    assert {name: share for name, share in found.items() if not 0.92 <= share <= 0.98} == {}
