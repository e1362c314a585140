"""Small histories to look at: weeks of evaluations, of the same queries or of fresh ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

import rankgauge as rg

__all__ = ["FIRST", "evaluated", "fresh", "same", "week"]

FIRST = datetime(2026, 1, 5, tzinfo=UTC)


def week(n: int) -> datetime:
    return FIRST + timedelta(weeks=n)


def evaluated(values: Mapping[str, float], **options: Any) -> Any:
    """An evaluation in which each query has this value: its one right answer comes first, third, or not at all."""
    lists = {1.0: ["a"], 0.5: ["x", "a"], 0.0: ["x"]}
    return rg.evaluate({q: {"a": 1} for q in values}, {q: lists[v] for q, v in values.items()}, "RR", **options)


def _drawn(rng: np.random.Generator, names: Sequence[str], share: float) -> dict[str, float]:
    return {q: float(v) for q, v in zip(names, rng.random(len(names)) < share, strict=True)}


def fresh(
    h: rg.History, shares: Sequence[float], *, n: int = 60, seed: int = 1, start: int = 0, **about: Any
) -> list[rg.Entry]:
    """A week of fresh queries for each share of those that are answered."""
    rng = np.random.default_rng(seed)
    told = {"system": "web", "dataset": "clicks", **about}
    return [
        h.add(evaluated(_drawn(rng, [f"w{w}q{i}" for i in range(n)], share)), at=week(w), **told)
        for w, share in enumerate(shares, start)
    ]


def same(h: rg.History, weeks: Sequence[Mapping[str, float]], *, start: int = 0, **about: Any) -> list[rg.Entry]:
    """The same queries with these values, week by week."""
    told = {"system": "bm25", "dataset": "gold", **about}
    return [h.add(evaluated(values), at=week(w), **told) for w, values in enumerate(weeks, start)]
