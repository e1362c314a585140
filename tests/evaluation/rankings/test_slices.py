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


def test_numbers_of_the_whole_run_by_slice_are_there_after_storing():
    qrels, run = {"u": ["x"], "v": ["y"], "w": ["x"]}, {"u": ["x", "y"], "v": ["z", "y"], "w": ["k"]}
    of_users = {"u": "a", "v": "b", "w": "a"}
    ev = rg.evaluate(qrels, run, ["P@1", "Coverage@2"], items=["x", "y", "z", "k"], slices=of_users)

    back = type(ev).from_dict(ev.to_dict())

    assert back.slices["Coverage@2"].to_list() == [3 / 4, 2 / 4]  # x y k, and z y, of four
    assert back.slices.equals(ev.slices)
    assert str(back) == str(ev)
    assert back.to_dict()["slices"] == ev.to_dict()["slices"]
    assert type(ev).from_dict(ev.to_dict(per_query=False)).slices.equals(ev.slices)
