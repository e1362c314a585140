"""A small project: forty queries with one relevant item each, and runs that show it at known ranks."""

from __future__ import annotations

QUERIES = [f"q{i:02}" for i in range(40)]
PROJECT = """
project = "shop"
store = "history.db"
measures = ["RR"]
[datasets.july]
qrels = "qrels.txt"
[systems.search]
run = "search.run"
"""
GATE = """
[gate]
baseline = "previous"
[gate.floors]
RR = 0.4
[gate.non_inferior]
RR = 0.01
"""


def run_text(ranks: dict[str, int]) -> str:
    """A run that shows the one relevant item of each query at the given rank."""
    return "".join(
        f"{q} Q0 {'a' if i == rank else f'x{i}'} {i} {10 - i} t\n" for q, rank in ranks.items() for i in range(1, 5)
    )


HALF = {q: 1 + i % 2 for i, q in enumerate(QUERIES)}
"""RR 1 and 1/2 in turn: 0.75 in the mean."""
WORSE = dict.fromkeys(QUERIES, 2)
"""RR 1/2 everywhere: half of the queries lose 1/2."""
