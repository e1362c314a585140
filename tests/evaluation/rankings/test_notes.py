"""What an evaluation says besides its numbers: `ev.notes`, and the lines below the table."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge._claims import claims_of
from rankgauge._text import Text

CHUNKS = {"q": ["a", "a", "a", "b", "a", "g"], "r": ["a", "a"], "s": ["g"]}
JUDGED = {"q": ["g"], "r": ["g"], "s": ["g"], "t": ["g"]}


@pytest.mark.parametrize(
    ("duplicates", "said"),
    [
        (
            "first",
            "4 repeated results in 2 queries removed: later results moved up "
            "(duplicates=first; keep leaves them in their places)",
        ),
        (
            "keep",
            "4 repeated results in 2 queries kept in place: later results stay below them, and a repeat earns nothing "
            "(duplicates=keep; first takes them out)",
        ),
    ],
)
def test_what_the_choice_did_to_the_ranks_is_said(duplicates: str, said: str):
    ev = rg.evaluate(JUDGED, CHUNKS, "RR", duplicates=duplicates)

    assert said in ev.notes
    assert said in str(ev).replace("\n  ", " ")


def test_notes_are_what_the_table_prints():
    run = {**CHUNKS, "z": ["a"], "s": [("g", 1.0), ("x", 1.0), ("y", float("nan"))]}
    ev = rg.evaluate({**JUDGED, "none": {"g": 0}}, run, ["RR", "P@2"], missing="skip")

    printed = [line.removeprefix("! ") for line in str(ev).splitlines()]

    assert [note for note in ev.notes if note not in printed] == []
    assert len(ev.notes) == 9  # missing, repeats, NaN, evaluated, none relevant, ties, not judged, two forms (twice)
    assert all(isinstance(note, Text) and note.zh != note for note in ev.notes)


def test_notes_carry_their_counts():
    ev = rg.evaluate(JUDGED, CHUNKS, "RR")

    found = {c.measure: c.value for note in ev.notes for c in claims_of(note)}

    assert found == {
        "missing": 1,
        "duplicates": 4,
        "duplicate_queries": 2,
        "queries": 4,
        "RR": 4,  # queries that count in its mean
        "judged@10": 0.4,
    }


def test_a_stored_evaluation_has_the_same_notes(tmp_path: Any):
    ev = rg.evaluate(JUDGED, CHUNKS, "RR", slices={"q": {"kind": "x"}})
    ev.to_json(tmp_path / "ev.json")

    back = rg.Evaluation.from_json(tmp_path / "ev.json")

    assert any("slice" in note for note in ev.notes)
    assert list(back.notes) == list(ev.notes)


def test_a_note_that_both_inputs_give_is_printed_once_and_names_no_run_twice():
    judged = pl.DataFrame({"user": ["u1", "u2"], "item": ["a", "b"], "grade": [1.0, 1.0]})
    runs = {
        name: pl.DataFrame({"user": ["u1", "u2"], "item": ["a", item], "score": [1.0, 0.5]})
        for name, item in (("pop", "b"), ("knn", "c"), ("als", "d"))
    }
    runs["als"] = runs["als"].rename({"user": "query_id"})

    ev = rg.evaluate(judged, runs["pop"], "RR")
    evs = rg.evaluate(judged, runs, "RR")

    assert len(ev.notes) == len(set(ev.notes))
    assert str(ev).count("read 'user' as query_id") == 1
    assert "pop, pop" not in str(evs)
    assert "read 'user' as query_id" in str(evs)


def test_ties_that_four_digits_do_not_show_are_not_mentioned():
    qrels = {f"q{i}": ["a"] for i in range(20_001)}
    run: dict[str, Any] = {q: {"a": 1.0} for q in qrels}
    run["q0"] = {"a": 1.0, "b": 1.0}  # moves the mean of RR by 0.5 / 20,001

    ev = rg.evaluate(qrels, run, "RR")

    assert ev.counts["tied_queries"] == 1
    assert 0 < ev.column("RR").tie_width < 0.00005
    assert "tied" not in str(ev)
    assert not any("0.0000" in note for note in ev.notes)


@pytest.mark.parametrize("engine", ["memory", "streaming"])
def test_empty_lists_are_counted_and_said(engine: str, tmp_path: Any):
    judged = {"q": ["a"], "r": ["a"], "s": ["a"], "t": ["a"]}
    run: Any = {"q": ["a"], "r": [], "s": []}
    if engine == "streaming":
        rows = {"query_id": ["q", "r", "s"], "doc_id": ["a", "x", "x"], "score": [1.0, 1.0, 1.0]}
        pl.DataFrame(rows).write_parquet(tmp_path / "run.parquet")
        run = tmp_path / "run.parquet"

    ev = rg.evaluate(judged, run, "RR", engine=engine)

    n = 2 if engine == "memory" else 0  # a table has no room for an empty list
    assert (ev.counts["empty_lists"], ev.counts["missing"]) == (n, 1)
    assert ("2 lists of the run are empty" in ev.notes) == bool(n)
    assert ("! 2 lists of the run are empty" in str(ev)) == bool(n)


def test_a_row_of_a_matrix_without_a_score_is_an_empty_list():
    nan = float("nan")
    ev = rg.evaluate(np.array([[1, 0], [1, 0]]), np.array([[0.5, 0.1], [nan, nan]]), "RR")

    assert ev.counts["empty_lists"] == 1
    assert "1 list of the run is empty" in ev.notes


def test_what_is_pooled_is_not_counted_as_zero():
    """A query without relevant items adds 0 / 0 to the recall of all queries together."""
    qrels, run = {"q0": {"a": 1}, "q1": {"a": 0}}, {"q0": ["a"], "q1": ["a"]}

    ev = rg.evaluate(qrels, run, ["R@3"], no_relevant="zero", average="micro")

    assert ev["R@3"] == 1.0
    assert "1 of 2 queries has no relevant item (pooled with the others; no_relevant=zero)" in ev.notes


def test_a_pooling_average_says_which_measures_it_pools():
    qrels = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}}
    run = {"q1": ["a", "x"], "q2": ["x", "c"]}
    mixed = rg.evaluate(qrels, run, ["P@2", "AP", "RR"], average="micro")
    pooled = rg.evaluate(qrels, run, ["P@2"], average="micro")

    said = "average=micro pools P@2; AP, RR are means over queries, with nothing to pool"
    assert said in mixed.notes
    assert said in str(mixed)
    assert not any("average=micro" in note for note in pooled.notes)
    assert mixed["RR"] == (1 + 1 / 2) / 2
    only = rg.evaluate(qrels, run, "AP", average="micro")
    assert "average=micro pools nothing here: AP is the mean over queries" in only.notes


def test_a_comparison_says_the_same_of_its_measures():
    qrels = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}}
    runs = {"old": {"q1": ["a", "x"], "q2": ["x", "c"]}, "new": {"q1": ["x", "a"], "q2": ["c"]}}

    cmp = rg.compare(qrels, runs, ["P@2", "AP"], average="micro")
    assert "average=micro pools P@2; AP is the mean over queries" in str(cmp)
    assert "means and differences" not in str(cmp)


# one number under two names


def test_recall_and_hit_of_single_targets_are_said_to_be_one_number():
    ev = rg.evaluate(
        {"q0": {"a": 1}, "q1": {"b": 1, "c": 0}}, {"q0": ["a"], "q1": ["c"]}, ["R@5", "Hit@5", "Hit@3", "P@5"]
    )
    told = "2 queries with exactly one relevant item each: R@5 = Hit@5, one number under two names"

    assert told in ev.notes
    assert told in str(ev)
    assert rg.Evaluation.from_dict(ev.to_dict(per_query=False)).notes == ev.notes


def test_average_precision_and_reciprocal_rank_are_alike_too():
    ev = rg.evaluate({"q0": {"a": 1}}, {"q0": ["b", "a"]}, ["AP", "RR", "R", "Hit"])

    assert "1 query with exactly one relevant item: AP = RR, R = Hit, one number under two names" in ev.notes


@pytest.mark.parametrize(
    ("qrels", "measures", "words"),
    [
        ({"q0": {"a": 1, "b": 1}, "q1": {"a": 1}}, ["R@5", "Hit@5"], {}),  # two relevant items
        ({"q0": {"a": 1}, "q1": {"a": 1}}, ["R@5", "Hit@3"], {}),  # other cutoffs
        ({"q0": {"a": 2, "b": 1}, "q1": {"a": 1}}, ["R(rel=2)@5", "Hit@5"], {}),  # other levels
        ({"q0": {"a": 1}, "q1": {"a": 0}}, ["R@5", "Hit@5"], {"no_relevant": {"R": "skip", "Hit": "zero"}}),
    ],
)
def test_measures_that_may_differ_are_not_said_to_be_one(qrels, measures, words):
    ev = rg.evaluate(qrels, {q: ["a"] for q in qrels}, measures, **words)

    assert not any("one number" in note for note in ev.notes)
