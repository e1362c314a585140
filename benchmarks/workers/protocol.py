"""What all workers share: load a set untimed, then answer each line of input with one timed call."""

from __future__ import annotations

import gc
import json
import os
import pickle
import resource
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

MEASURES = ("nDCG@10", "AP", "RR", "R@100", "P@10", "Hit@10")
SHOWN_MEASURES = ("Coverage@10", "MIUF@10", "ARP@10", "Serendipity@10", "UserCoverage", "RepeatedItems")
PREDICTION_MEASURES = ("AUC", "PRAUC", "LogLoss", "Brier")


def load(path: Path) -> dict[str, dict[str, Any]]:
    """Dict of dicts from a file with one pickled `(query_id, {doc_id: value})` per query."""
    table = {}
    with path.open("rb") as file:
        while True:
            try:
                query, values = pickle.load(file)
            except EOFError:
                return table
            table[query] = values


def columns(table: Mapping[str, Mapping[str, Any]]) -> tuple[list[str], list[str], list[Any]]:
    """Query ids, document ids and values, one entry per row."""
    rows = [(query, doc, value) for query, values in table.items() for doc, value in values.items()]
    query_ids, doc_ids, values = zip(*rows, strict=True)
    return list(query_ids), list(doc_ids), list(values)


def per_query_values(columns: int) -> tuple[Any, Any]:
    """Values of two systems for 1,000 queries, with a small true difference; a column for each comparison."""
    import numpy as np

    rng = np.random.default_rng(20_240_601)
    a = rng.beta(2, 3, (1000, columns))
    b = np.clip(a + rng.normal(0.008, 0.15, (1000, columns)), 0, 1)
    return a, b


def serve(call: Callable[[], Mapping[str, float]], names: Sequence[str] = MEASURES) -> None:
    """Warm up once, then repeat `call` for each line of input; its means are in the order of `names`."""
    # Libraries that print would break the protocol: their output goes to standard error.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    call()
    print("ready", file=answers, flush=True)
    for _ in sys.stdin:
        gc.collect()
        start = time.perf_counter()
        values = call()
        seconds = time.perf_counter() - start
        means = {name: float(value) for name, value in zip(names, values.values(), strict=True)}
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        print(json.dumps({"seconds": seconds, "means": means, "peak": peak}), file=answers, flush=True)
