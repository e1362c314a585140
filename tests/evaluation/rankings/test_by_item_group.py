"""Recall by kind of item: against the definition written out, with groups in every form, at the edges."""

from __future__ import annotations

import json
import random
from math import isnan, sqrt
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from scipy.stats import t as student

import rankgauge as rg
from command_line import rankgauge
from rankgauge.errors import InputError, ParameterError, UnknownName
from rankgauge.evaluation.rankings.by_item_group import _by_popularity
from rankgauge.reporting import render

QRELS = {"q1": ["hit", "rare"], "q2": ["hit", "odd"], "q3": ["odd"]}
RUN = {"q1": ["hit", "x", "rare"], "q2": ["odd", "hit"], "q3": ["y"]}
GROUPS = {"hit": "popular", "rare": "long tail", "odd": "long tail"}


def evaluated(measures: Any = ("R@1", "R@3"), **options: Any) -> Any:
    return rg.evaluate(QRELS, RUN, list(measures), **options)


def test_found_pairs_over_relevant_pairs_of_each_group():
    found = evaluated().by_item_group(GROUPS)

    assert [(r.group, r.k, r.items, r.relevant, r.queries, r.found, r.recall) for r in found.rows] == [
        ("long tail", 1, 2, 3, 3, 1, 1 / 3),
        ("long tail", 3, 2, 3, 3, 2, 2 / 3),
        ("popular", 1, 1, 2, 2, 1, 1 / 2),
        ("popular", 3, 1, 2, 2, 2, 1.0),
    ]
    assert found.overall["run"] == [2 / 5, 4 / 5]
    assert found["long tail", 3].found == 2


@pytest.mark.parametrize("seed", range(8))
def test_random_lists_equal_the_definition_and_the_interval_of_a_ratio(seed: int):
    rng = random.Random(seed)
    items = [f"d{i}" for i in range(9)]
    groups = {d: rng.choice("ABC") for d in items}
    qrels = {f"q{i}": rng.sample(items, rng.randint(1, 5)) for i in range(12)}
    run = {q: rng.sample(items, rng.randint(1, 9)) for q in qrels if rng.random() < 0.9}
    k = rng.randint(1, 6)

    found = rg.evaluate(qrels, run, "R@5").by_item_group(groups, [k])

    for row in found.rows:
        pairs = [(q, d in run.get(q, [])[:k]) for q, rel in qrels.items() for d in rel if groups[d] == row.group]
        assert (row.relevant, row.found) == (len(pairs), sum(hit for _, hit in pairs))
        value = row.found / row.relevant
        by = {q: [hit for p, hit in pairs if p == q] for q, _ in pairs}
        n, rest = len(by), [sum(x) - value * len(x) for x in by.values()]
        error = sqrt(n / (n - 1) * sum(d * d for d in rest)) / len(pairs) if n > 1 else 0.0
        if error == 0:
            assert isnan(row.interval.low)
        else:
            half = student.ppf(0.975, n - 1) * error
            assert tuple(row.interval) == pytest.approx((max(0, value - half), min(1, value + half)))


def test_counts_make_head_torso_and_tail():
    # 50 of 100 come first, then 30, then 10, 5, 5: shares before them are 0, 0.5, 0.8, 0.9
    counts = {"a": 50.0, "b": 30.0, "c": 10.0, "d": 5.0, "e": 5.0}

    assert _by_popularity("clicks", counts, (0.2, 0.8)) == {
        "a": "head",
        "b": "torso",
        "c": "tail",
        "d": "tail",
        "e": "tail",
    }


def test_items_with_the_same_count_are_in_the_same_group():
    assert set(_by_popularity("n", dict.fromkeys("abcdefgh", 1.0), (0.2, 0.8)).values()) == {"head"}


def test_numbers_of_a_dict_are_counts_and_groups_stand_in_order():
    found = evaluated(["R@3"]).by_item_group({"hit": 900, "odd": 500, "rare": 2, "x": 4000})

    assert found.groups == ["torso", "tail"]
    assert "长尾" in render(found, "text", "zh")
    assert any("the head has the first 20% of its total" in note for note in found.notes)


def test_files_frames_and_attributes(tmp_path: Path):
    frame = pl.DataFrame({"item_id": list(GROUPS), "kind": list(GROUPS.values()), "clicks": [90, 1, 9]})
    frame.write_csv(tmp_path / "items.csv")
    (tmp_path / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in frame.to_dicts()))

    by_frame = evaluated().by_item_group(frame).to_frame()

    assert by_frame["attribute"].unique(maintain_order=True).to_list() == ["kind", "clicks"]
    for name in ("items.csv", "items.jsonl"):
        assert evaluated().by_item_group(tmp_path / name).to_frame().equals(by_frame)


def test_items_that_the_table_does_not_have_are_a_group_and_a_note():
    found = evaluated().by_item_group({"hit": "popular"})

    assert found.groups == ["popular", "(none)"]
    assert "（无记录）" in found._render("text", language="zh")
    assert "(none)" not in found._render("text", language="zh")
    assert any("2 relevant items without 'group'" in note for note in found.notes)


def test_left_out_queries_do_not_count():
    run = {"q1": ["hit"], "q2": ["hit"]}
    kept = rg.evaluate(QRELS, run, "R@3").by_item_group(GROUPS)["long tail"]
    left = rg.evaluate(QRELS, run, "R@3", missing="skip").by_item_group(GROUPS)["long tail"]

    assert (kept.relevant, left.relevant) == (3, 2)


def test_one_query_has_no_interval():
    row = rg.evaluate({"q": ["a", "b"]}, {"q": ["a"]}, "R@3").by_item_group({"a": "x", "b": "x"})["x"]

    assert (row.recall, isnan(row.interval.low)) == (0.5, True)


def test_several_runs_in_one_record(tmp_path: Path):
    evs = rg.evaluate(QRELS, {"old": RUN, "new": {q: ["odd"] for q in QRELS}}, "R@3")

    found = evs.by_item_group(GROUPS)

    assert found.systems == ["old", "new"]
    assert found.part("new").systems == ["new"]
    assert "new on qrels: recall by group of items" in str(found)


@pytest.mark.parametrize(
    ("groups", "options", "told"),
    [
        ({}, {}, "there are none"),
        ({"zzz": "a"}, {}, "none of the 3 relevant items has a group"),
        ({"hit": -1}, {}, "must be a count of 0 or more"),
        ({"hit": 0}, {}, "must not be 0 for all items"),
        (GROUPS, {"cutoffs": [0]}, "`cutoffs` must be positive integers"),
        (GROUPS, {"cutoffs": []}, "no cutoffs given"),
        (GROUPS, {"shares": (0.8, 0.2)}, "`shares` must be two numbers"),
    ],
)
def test_what_cannot_be_grouped_is_an_error(groups: Any, options: dict[str, Any], told: str):
    with pytest.raises((InputError, ParameterError), match=told):
        evaluated().by_item_group(groups, **options)


def test_stored_evaluations_have_no_items(tmp_path: Path):
    evaluated().to_json(tmp_path / "ev.json")

    with pytest.raises(InputError, match="by_item_group: this evaluation was stored"):
        rg.load(tmp_path / "ev.json").by_item_group(GROUPS)
    with pytest.raises(UnknownName, match="no group 'new' at 1"):
        evaluated().by_item_group(GROUPS)["new"]


def test_the_command_shows_groups_and_stores_them_with_each_run(tmp_path: Path):
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 {d} 1\n" for q, items in QRELS.items() for d in items))
    lines = [f"{q} Q0 {d} {i} {9 - i} t\n" for q, items in RUN.items() for i, d in enumerate(items, 1)]
    for name in ("a.run", "b.run"):
        (tmp_path / name).write_text("".join(lines))
    (tmp_path / "items.csv").write_text("item_id,kind\n" + "".join(f"{d},{g}\n" for d, g in GROUPS.items()))
    words = ("evaluate", "qrels.txt", "a.run", "-m", "R@3", "--item-groups", "items.csv")

    assert "a on qrels: recall by kind of items" in rankgauge(*words, cwd=tmp_path).stdout
    rankgauge(*words[:3], "b.run", *words[3:], "--rate", "-o", "out.json", cwd=tmp_path)
    stored = json.loads((tmp_path / "out.json").read_text())
    assert {name: (ev["ratings"]["kind"], len(ev["by_item_group"]["rows"])) for name, ev in stored.items()} == {
        "a": ("ratings", 2),
        "b": ("ratings", 2),
    }
    assert list(rg.load(tmp_path / "out.json")) == ["a", "b"]


def test_a_count_that_no_float_holds_is_an_error():
    with pytest.raises(InputError, match="d1"):
        rg.by_item_group(rg.evaluate({"q": {"d1": 1}}, {"q": ["d1"]}, "RR"), {"d1": 10**400, "d2": 1})
