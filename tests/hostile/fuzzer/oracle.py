"""Numbers of rankings by their definitions, for the seeds that evaluate them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from oracle import naive

from .checks import Failure, Outcome
from .seeds import Seed
from .tables import Table

__all__ = ["check_with_oracle"]

DEFINITIONS = {
    "nDCG@10": lambda q: naive.nDCG(q, 10),
    "nDCG@5": lambda q: naive.nDCG(q, 5),
    "AP": naive.AP,
    "RR": naive.RR,
    "P@5": lambda q: naive.P(q, 5),
    "R@5": lambda q: naive.R(q, 5),
}


def check_with_oracle(seed: Seed, values: Mapping[str, Any], outcome: Outcome) -> None:
    """The means of an evaluation of one run are those of the definitions."""
    if seed.of != "evaluate" or not isinstance(outcome.result, dict) or not _is_plain(seed):
        return
    expected = means(values["qrels"], values["run"])
    for column in outcome.result["measures"]:
        name, value = column["measure"], column["value"]
        if name in expected and not math.isclose(value, expected[name], rel_tol=1e-9, abs_tol=1e-12):
            raise Failure(f"{name} is {value!r}, by its definition {expected[name]!r}")


def means(qrels: Table, run: Table) -> dict[str, float]:
    """Over the queries with something relevant; a query without results counts as an empty list."""
    shown = run.nested()
    queries = []
    for query, grades in qrels.nested().items():
        scores = shown.get(query, {})
        by_id = sorted(scores, key=lambda d: d.encode(), reverse=True)
        ranking = sorted(by_id, key=lambda d: -scores[d])  # of equal scores the greater id first
        if any(g >= 1 for g in grades.values()):
            queries.append(naive.Query(ranking, grades))
    return {name: sum(f(q) for q in queries) / len(queries) for name, f in DEFINITIONS.items()} if queries else {}


def _is_plain(seed: Seed) -> bool:
    """One run, without other policies."""
    return "expected" not in seed.name and "ties" not in seed.options and "labels" not in seed.slots
