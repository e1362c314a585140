"""A slice has one name and the same queries wherever it is shown."""

from __future__ import annotations

from typing import Any

import rankgauge as rg
from rankgauge.gate.config import SliceRules
from rankgauge.gate.running import _slices

QUERIES = [f"q{i:02}" for i in range(36)]
QRELS = {q: {"a": 1} for q in QUERIES}
OLD = {q: ["x", "a"] if i % 5 else ["a"] for i, q in enumerate(QUERIES)}
AFTER = [f"x{i}" for i in range(9)]
NEW = {q: ["a", *AFTER] if i % 3 == 2 else [*"xyz"[i % 2 :], "a", *AFTER] for i, q in enumerate(QUERIES)}
KINDS = ["", None, "de"]
"""An empty cell of a CSV file, an empty one of a Parquet file, and a value."""
SLICES = {q: {"kind": KINDS[i % 3]} for i, q in enumerate(QUERIES)}


def evaluated() -> Any:
    return rg.evaluate(QRELS, NEW, "RR", slices=SLICES)


def test_an_empty_value_is_no_value_in_an_evaluation():
    frame = evaluated().slices

    assert list(zip(frame["value"], frame["n"], strict=True)) == [("(none)", 24), ("de", 12)]
    assert "（无记录）" in evaluated().to_markdown(language="zh")


def test_an_empty_value_is_no_value_in_a_comparison():
    c = rg.compare(QRELS, {"old": OLD, "new": NEW}, "RR", slices=SLICES)

    assert {(x.slice, x.n) for x in c.sliced} == {("kind=(none)", 24), ("kind=de", 12)}


def test_an_empty_value_is_no_value_in_a_gate():
    found = _slices(evaluated(), SliceRules(file="queries.csv"))

    assert [(name, int(mask.sum())) for name, mask in found] == [("kind=(none)", 24), ("kind=de", 12)]


def test_an_empty_value_is_no_value_in_a_finding():
    found = rg.diagnose(evaluated(), rules=["weak-slice"])["weak-slice"]

    assert found.title == "kind=(none) does much worse than the rest"


def test_queries_without_a_value_come_first():
    ev = rg.evaluate(QRELS, NEW, "RR", slices={q: {"kind": None if i % 2 else "!"} for i, q in enumerate(QUERIES)})

    assert ev.slices["value"].to_list() == ["(none)", "!"]
