"""Slices of users by what they did in train: cold, warm and heavy, wherever slices are taken."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankgauge as rg
from chinese_errors import Files, says_in_both
from command_line import rankgauge
from rankgauge.errors import InputError, ParameterError
from rankgauge.gate import Gate, SliceRules, run_gate

TRAIN = {"ann": ["a", "b", "c"], "bob": ["a"], "cai": ["b"], "dee": ["a", "b"]}
TEST = {"ann": ["d"], "bob": ["b"], "dee": ["c"], "eve": ["a"], "fay": ["a"]}
RUN = {"ann": ["d"], "bob": ["x", "b"], "dee": ["x"], "eve": ["a"], "fay": ["b"]}


def sliced(train: Any = TRAIN, **options: Any) -> Any:
    return rg.evaluate(TEST, RUN, "Success@2", train=train, slices="activity", **options)


def test_cold_users_are_not_in_train_and_heavy_ones_have_more_than_three_quarters():
    frame = sliced().slices

    assert frame.select("slice", "value", "n", "Success@2").rows() == [
        ("activity", "cold", 2, 1 / 2),
        ("activity", "warm", 2, 1 / 2),
        ("activity", "heavy", 1, 1.0),
    ]


def test_the_counts_that_part_them_are_said_in_both_languages():
    note = next(n for n in sliced().remarks if "activity" in n)

    assert note == (
        "activity: cold is not in train, warm has 1 to 2 interactions in it, heavy 3 or more (at least three quarters "
        "of the 4 users of train have fewer)"
    )
    assert "warm 为其中有 1 至 2 次交互的用户，heavy 为 3 次及以上" in note.zh


def test_one_interaction_is_said_in_the_singular():
    ev = sliced({"u1": ["a"], "u2": ["a"], "u3": ["b"], "u4": ["a", "b"]})

    assert any("warm has 1 interaction in it, heavy 2 or more" in n for n in ev.remarks)


def test_nobody_is_heavy_where_too_many_have_the_most():
    ev = sliced({u: ["a", "b"] for u in TRAIN})

    assert ev.slices["value"].to_list() == ["cold", "warm"]
    assert any("nobody is heavy" in n for n in ev.remarks)


@pytest.mark.parametrize("seed", range(10))
def test_random_training_data_follow_the_definition(seed: int):
    rng = random.Random(seed)
    rows = [(f"u{rng.randint(0, 11)}", f"i{rng.randint(0, 5)}") for _ in range(rng.randint(4, 60))]
    users = [f"u{i}" for i in range(15)]
    train = pl.DataFrame(rows, schema=["user_id", "item_id"], orient="row")

    ev = rg.evaluate({u: ["i1"] for u in users}, {u: ["i1"] for u in users}, "RR", train=train, slices="activity")

    counts = {u: sum(user == u for user, _ in rows) for u in users}  # a pair that is there twice counts twice
    there = [n for n in counts.values() if n]
    for user, word in zip(ev.query_ids, ev.attributes["activity"], strict=True):
        n = counts[user]
        is_heavy = n > 0 and sum(m < n for m in there) / len(there) >= 0.75
        assert word == ("cold" if n == 0 else "heavy" if is_heavy else "warm")


def test_a_list_has_the_word_beside_a_table():
    table = {u: {"country": "de" if u < "d" else "cn"} for u in TEST}

    ev = rg.evaluate(TEST, RUN, "Success@2", train=TRAIN, slices=["activity", table])

    assert list(ev.attributes) == ["activity", "country"]
    assert ev.attributes["country"] == ["de", "de", "cn", "cn", "cn"]


def test_without_train_there_is_an_error_that_names_it(tmp_path: Path):
    says_in_both(
        lambda _: rg.evaluate(TEST, RUN, "RR", slices="activity"),
        Files(tmp_path),
        "slices='activity' are made of what users did before: pass train=… (interactions).",
        "slices='activity' 由用户此前的交互得出：请传入 train=…。",
    )


USERS = [f"u{i:02}" for i in range(40)]
WANTED = {u: ["a"] for u in USERS}
HISTORY = {u: [f"i{j}" for j in range(1 + i)] for i, u in enumerate(USERS[10:])}  # the first ten are cold
OLD = {u: ["x", "a"] for u in USERS}
NEW = {u: ["a"] if i >= 10 else ["x", "y", "a"] for i, u in enumerate(USERS)}


def test_a_comparison_tests_each_slice_and_says_what_they_are():
    cmp = rg.compare(WANTED, {"old": OLD, "new": NEW}, "RR", train=HISTORY, slices="activity")

    # 30 users of train with 1 … 30 interactions: three quarters are 22.5, so that 23 or more have fewer than the 24th
    assert {(c.slice, c.n, round(c.difference, 4)) for c in cmp.sliced} == {
        ("activity=cold", 10, round(1 / 3 - 1 / 2, 4)),
        ("activity=warm", 23, 0.5),
        ("activity=heavy", 7, 0.5),
    }
    assert any("heavy 24 or more" in note for note in cmp.notes)
    assert "heavy 24 or more" in rg.report(cmp)


def test_a_gate_holds_every_slice_to_its_rules():
    rules = SliceRules(file="activity", floors={"RR": 0.4}, min_queries=5)
    gate = Gate(qrels=WANTED, run=NEW, train=HISTORY, slices=rules)

    result = run_gate(gate)

    assert {c.slice: c.outcome for c in result.checks} == {
        "activity=cold": "fail",
        "activity=warm": "pass",
        "activity=heavy": "pass",
    }
    assert any("heavy 24 or more" in note for note in result.notes)


def test_a_gate_without_train_has_no_activity():
    gate = Gate(qrels=WANTED, run=NEW, slices=SliceRules(file="activity", floors={"RR": 0.1}))

    with pytest.raises(ParameterError, match="pass train="):
        run_gate(gate)


def saved(folder: Path, **tables: dict[str, list[str]]) -> list[str]:
    """Files of users and items, in the order of the lists."""
    for name, rows in tables.items():
        lines = "".join(f"{u},{i},{9 - k}\n" for u, items in rows.items() for k, i in enumerate(items))
        (folder / f"{name}.csv").write_text(f"user_id,item_id,{'score' if name == 'run' else 'weight'}\n" + lines)
    return [str(folder / f"{name}.csv") for name in tables]


def test_a_gate_file_names_train_beside_itself_and_the_word_is_no_file(tmp_path: Path):
    test, run, train = saved(tmp_path, test=WANTED, run=NEW, train=HISTORY)
    (tmp_path / "gate.toml").write_text(
        'qrels = "test.csv"\nrun = "run.csv"\ntrain = "train.csv"\n[policy]\nrel = 1\n'
        '[floors]\n"Coverage@3" = 0.0\n[slices]\nfile = "activity"\nmin_queries = 5\n[slices.floors]\n"RR" = 0.4\n'
    )
    options = ("--rel", "1", "--train", train, "--slices", "activity", "--min-queries", "5", "--slice-floor", "RR>=0.4")

    for words in ((str(tmp_path / "gate.toml"),), (test, run, *options)):
        said = rankgauge("gate", *words, code=1).stdout

        assert "activity=cold" in said
        assert "heavy 24 or more" in said


def test_numbers_of_whole_runs_are_no_rules_of_slices():
    for rules in ({"floors": {"Coverage@3": 0.1}}, {"non_inferior": {"Coverage@3": 0.1}}):
        with pytest.raises(InputError, match="a number of the whole run"):
            Gate(qrels=WANTED, run=NEW, baseline=OLD, train=HISTORY, slices=SliceRules(file="activity", **rules))


def test_the_command_takes_the_word(tmp_path: Path):
    test, run, train = saved(tmp_path, test=TEST, run=RUN, train=TRAIN)

    done = rankgauge("evaluate", test, run, "-m", "Success@2", "--train", train, "--slices", "activity")
    lacking = rankgauge("evaluate", test, run, "-m", "RR", "--slices", "activity", code=2)

    assert [line.split()[1:3] for line in done.stdout.splitlines() if line.startswith("activity  ")] == [
        ["cold", "2"],
        ["warm", "2"],
        ["heavy", "1"],
    ]
    assert "--slices activity are made of what users did before: pass --train …" in lacking.stderr


def test_a_table_with_a_column_of_the_same_name_is_refused(tmp_path: Path):
    table = {"u0": {"activity": "x"}, "u1": {"activity": "y"}}
    qrels = {"u0": ["a"], "u1": ["a"]}

    says_in_both(
        lambda at: rg.evaluate(qrels, qrels, "P@1", train={"u0": ["k"]}, slices=["activity", table]),
        Files(tmp_path),
        "slices: 'activity' is made of train, and the table beside it has a column of this name. Rename the column, or "
        "pass the table alone.",
        "slices：'activity' 由训练集得出，而同时给出的表中也有同名的列。请重命名该列，或只传入该表。",
    )
