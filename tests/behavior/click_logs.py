"""Small click logs for tests of click models, as dicts that loops can read."""

from __future__ import annotations

from typing import Any

import numpy as np


def random_log(n: int = 400, seed: int = 0, rate: float = 0.35) -> list[dict[str, Any]]:
    """Short lists, gaps, no clicks, one click, several clicks."""
    rng = np.random.default_rng(seed)
    log = []
    for _ in range(n):
        length = int(rng.integers(1, 6))
        items: list[str | None] = [f"d{i}" for i in rng.permutation(7)[:length]]
        if length > 2 and rng.random() < 0.3:
            items[int(rng.integers(0, length - 1))] = None
        clicks = [int(d is not None and rng.random() < rate) for d in items]
        log.append({"query": f"q{rng.integers(3)}", "items": items, "clicks": clicks})
    return log


def shown(session: dict[str, Any]) -> list[tuple[int, tuple[str, str], int]]:
    """(position, (query, item), click) of everything that was shown."""
    return [
        (k, (session["query"], d), c)
        for k, (d, c) in enumerate(zip(session["items"], session["clicks"], strict=True), start=1)
        if d is not None
    ]


def value_of(model: Any, parameter: str) -> dict[Any, float]:
    """Parameters of a fitted model by (query, item), by position, or by (position, click above)."""
    found = {}
    for row in model.parameters.to_dicts():
        if row["parameter"] != parameter:
            continue
        if row["query_id"] is not None:
            key: Any = (row["query_id"], row["item_id"])
        else:
            key = row["position"] if row["previous_click"] is None else (row["position"], row["previous_click"])
        found[key] = row["value"]
    return found


def lists(n_queries: int = 2, n_items: int = 6, length: int = 6, n: int = 60, seed: int = 0) -> list[dict[str, Any]]:
    """Result lists in random orders: every item moves."""
    rng = np.random.default_rng(seed)
    return [
        {"query": f"q{q}", "items": [f"d{i}" for i in rng.permutation(n_items)[:length]]}
        for q in range(n_queries)
        for _ in range(n)
    ]


def truth(n_queries: int = 2, n_items: int = 6, seed: int = 5, **ranges: tuple[float, float]) -> dict[str, list[Any]]:
    """Parameters of all pairs, uniform in the ranges."""
    rng = np.random.default_rng(seed)
    pairs = [(f"q{q}", f"d{i}") for q in range(n_queries) for i in range(n_items)]
    columns = {name: rng.uniform(low, high, len(pairs)).tolist() for name, (low, high) in ranges.items()}
    return {"query_id": [q for q, _ in pairs], "item_id": [d for _, d in pairs], **columns}
