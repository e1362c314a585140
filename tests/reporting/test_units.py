"""Numbers that are counted in something say so where they stand."""

from __future__ import annotations

import rankgauge as rg

QRELS = {f"q{i}": {"a": 1} for i in range(6)}


def ask(query: str) -> list[str]:
    return ["a", "b"]


def test_milliseconds_are_named_in_tables():
    ev = rg.evaluate(QRELS, ask, ["R@5", "Latency", "latency.p95"])

    said = str(ev)

    assert "Latency (ms)" in said
    assert "latency.p95 (ms)" in said
    assert "R@5 (" not in said
    assert "latency.p95（毫秒）" in ev.to_markdown(language="zh")
    assert "latency.p95 (ms)" in str(ev.ratings())


def test_several_systems_have_units_in_their_tables():
    runs = {"one": ask, "two": lambda q: ["b", "a"]}

    together = rg.evaluate(QRELS, runs, ["R@5", "latency.p95"])
    compared = rg.compare(QRELS, runs, ["R@5", "latency.p95"])

    assert "latency.p95 (ms)" in str(together)
    assert "latency.p95 (ms)" in str(compared)
    assert ["latency.p95" in ev for ev in together.values()] == [True, True]  # its name is what it was
