"""Small data of every kind, as rows of plain values.

A few data sets are enough: what differs between cases is the form and the mutation, and the answers to unmutated data
are computed once for each.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from typing import Any

__all__ = ["ALIASES", "DATA_SETS", "FURTHER", "IDS", "NUMBERS", "REQUIRED", "Table", "data_set"]

DATA_SETS = 3

IDS = {"query_id", "doc_id", "item_id", "request_id", "user_id"}
NUMBERS = {"score", "grade", "label", "position", "click", "propensity", "target_propensity", "offline", "online"} | {
    *("clicks", "shown", "before", "rating", "correct"),
}
REQUIRED = {
    "run": ("query_id", "doc_id", "score"),
    "qrels": ("query_id", "doc_id", "grade"),
    "predictions": ("label", "score", "user_id", "device", "time"),
    "classes": ("category", "prediction", "user_id", "device"),
    "log": ("request_id", "user_id", "query_id", "item_id", "position", "event", "time"),
    "slices": ("query_id", "language", "intent"),
    "answers": ("query_id", "correct"),
    "documents": ("doc_id", "title"),
    "texts": ("query_id", "text"),
    "lists": ("query_id", "position", "item_id", "team"),
    "choices": ("user_id", "click", "propensity", "target_propensity"),
    "experiments": ("experiment", "offline", "online"),
    "arms": ("user_id", "arm", "clicks", "shown", "before"),
    "units": ("user_id", "arm"),
    "interactions": ("user_id", "item_id", "rating", "time"),
}
"""Kinds of tables and their columns, by the names that rankgauge gives them."""

ALIASES = {
    "run": {"query_id": "qid", "doc_id": "docno", "score": "sim"},
    "qrels": {"query_id": "qid", "doc_id": "docno", "grade": "relevance"},
    "predictions": {"label": "click", "user_id": "uid", "time": "timestamp"},
    "classes": {"category": "label", "user_id": "uid"},
    "log": {"request_id": "search_id", "item_id": "product_id", "position": "pos", "event": "event_type"},
    "slices": {"query_id": "qid"},
    "answers": {"query_id": "qid", "correct": "is_correct"},
    "documents": {"doc_id": "docno"},
    "texts": {"query_id": "qid"},
    "lists": {"query_id": "qid", "item_id": "doc_id"},
    "interactions": {"user_id": "userId", "item_id": "movieId", "time": "timestamp"},
}
"""Other names of columns that say the same."""

FURTHER = "zz_remark"
"""A column that nobody asks for."""


@dataclass(frozen=True)
class Table:
    """Rows of one kind of input."""

    kind: str
    rows: tuple[tuple[Any, ...], ...]
    is_settled: bool = False  # not as written: what is repeated is there once, what is infinite is beyond the others

    @property
    def columns(self) -> tuple[str, ...]:
        return REQUIRED[self.kind]

    @property
    def is_lists(self) -> bool:
        """Whether it is judgements or a run: queries with their documents."""
        return self.kind in ("run", "qrels")

    def nested(self) -> dict[str, dict[str, Any]]:
        """Judgements or a run as `{query: {document: number}}`."""
        out: dict[str, dict[str, Any]] = {}
        for query, doc, value in self.rows:
            out.setdefault(query, {})[doc] = value
        return out

    def records(self) -> list[dict[str, Any]]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def series(self) -> dict[str, list[Any]]:
        return {name: [row[i] for row in self.rows] for i, name in enumerate(self.columns)}

    def with_rows(self, rows: Any) -> Table:
        return replace(self, rows=tuple(map(tuple, rows)))


@cache
def data_set(number: int) -> dict[str, Table]:
    """The tables of one data set, by the name of the slot they fill."""
    rng = random.Random(f"data {number}")
    queries = ["q1", "q2", "007", "查询4", "q-5", "q.6"][: 4 + number % 3]
    docs = [f"d{i:02d}" for i in range(10)] + ["商品-1", "0042", "x_y"]
    qrels = [(q, d, rng.choice([0, 1, 1, 2, 3])) for q in queries for d in rng.sample(docs, 6)]
    qrels = [(q, d, max(g, 1) if i % 6 == 0 else g) for i, (q, d, g) in enumerate(qrels)]
    log = _log(rng, 48)
    shown = list(dict.fromkeys((row[2], row[3]) for row in log.rows))
    lists = [(q, 1 + i % 4, item, rng.choice("AB")) for i, (q, item) in enumerate(sorted(shown))]
    return {
        "qrels": Table("qrels", tuple(qrels)),
        "run": _run(rng, queries, docs),
        "run_b": _run(rng, queries, docs),
        "predictions": _predictions(rng, 60),
        "classes": _classes(rng, 40),
        "log": log,
        "slices": Table("slices", tuple((q, rng.choice(["en", "zh"]), rng.choice("ab")) for q in queries)),
        "documents": Table("documents", tuple((d, f"Title of {d} 标题") for d in docs)),
        "texts": Table("texts", tuple((q, f"words of {q}") for q in queries)),
        "lists": Table("lists", tuple(lists)),
        "choices": _choices(rng, 80),
        "experiments": Table("experiments", tuple((f"e{i}", x, x / 3 + (i - 4) / 500) for i, x in enumerate(_STEPS))),
        "arms": (arms := _arms(rng, 60)),
        "units": Table("units", tuple(row[:2] for row in arms.rows)),
        "interactions": _interactions(rng, 50),
        "answers": Table("answers", tuple((q, i % 2) for i, q in enumerate(queries))),
    }


def _interactions(rng: random.Random, n: int) -> Table:
    """Ratings of different pairs, each on a day of its own."""
    pairs = rng.sample(
        [(u, i) for u in ("u1", "u2", "007", "用户4", "u-5") for i in (f"i{j:02d}" for j in range(15))], n
    )
    rows = [
        (user, item, rng.randint(1, 10) / 2, (date(2026, 1, 1) + timedelta(days=i)).isoformat())
        for i, (user, item) in enumerate(pairs)
    ]
    return Table("interactions", tuple(rows))


def _run(rng: random.Random, queries: list[str], docs: list[str]) -> Table:
    """Lists without ties, best first, so that a list without scores says the same."""
    rows: list[tuple[str, str, float]] = []
    for q in queries:
        scores = sorted(rng.sample(range(1, 2000), 8), reverse=True)
        rows += [(q, d, s / 100) for d, s in zip(rng.sample(docs, 8), scores, strict=True)]
    return Table("run", tuple(rows))


def _predictions(rng: random.Random, n: int) -> Table:
    rows = []
    for i in range(n):
        score = rng.randint(1, 999) / 1000
        label = int(rng.random() < score)
        day = date(2024, 5, 1) + timedelta(days=i)  # one row a day: their order in time is clear
        rows.append((label, score, f"u{rng.randint(1, 12)}", rng.choice(["mobile", "desktop"]), day.isoformat()))
    return Table("predictions", tuple(rows))


def _classes(rng: random.Random, n: int) -> Table:
    """Four classes, of which a model knows three."""
    rows = []
    for _ in range(n):
        label = rng.choice(["cat", "dog", "dog", "fox", "猫"])
        called = label if rng.random() < 0.6 else rng.choice(["cat", "dog", "fox"])
        rows.append((label, called, f"u{rng.randint(1, 12)}", rng.choice(["mobile", "desktop"])))
    return Table("classes", tuple(rows))


_STEPS = (0.010, 0.004, -0.002, 0.007, 0.001, -0.005, 0.012, 0.003)


def _choices(rng: random.Random, n: int) -> Table:
    """What a policy showed, how likely it was to, and how likely another one would be."""
    likely, wanted = {"a": 0.5, "b": 0.3, "c": 0.2}, {"a": 0.3, "b": 0.3, "c": 0.4}
    rows = []
    for i in range(n):
        item = rng.choices(list(likely), list(likely.values()))[0]
        rows.append((f"u{i % 20}", int(rng.random() < 0.4), likely[item], wanted[item]))
    return Table("choices", tuple(rows))


def _arms(rng: random.Random, n: int) -> Table:
    """An experiment: what each user saw and clicked, and did before."""
    rows = []
    for i in range(n):
        shown = rng.randint(5, 20)
        rows.append((f"u{i:02d}", rng.choice(["control", "new"]), rng.randint(0, shown), shown, rng.randint(0, 9)))
    return Table("arms", tuple(rows))


def _log(rng: random.Random, requests: int) -> Table:
    """Four results of one of three queries, in one of several orders, some of them clicked."""
    items = {q: [f"{q}-i{i}" for i in range(4)] for q in ("q1", "q2", "查询3")}
    rows: list[tuple[Any, ...]] = []
    for r in range(requests):
        query = rng.choice(list(items))
        shown = rng.sample(items[query], 4)
        at = 1_790_000_000 + 1000 * r
        for position, item in enumerate(shown, 1):
            row = (f"r{r:03d}", f"u{r % 9}", query, item, position)
            rows.append((*row, "impression", at))
            if rng.random() < 0.9 / position:
                rows.append((*row, "click", at + 10 * position))
    return Table("log", tuple(rows))
