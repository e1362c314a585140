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


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(
    ("word", "warm", "heavy"),
    [
        ("activity(heavy=0.9)", 1, 0.9),
        ("activity(heavy=0.55)", 1, 0.55),
        ("activity(warm=3)", 3, 0.75),
        ("activity( warm = 2 , heavy = 5 )", 2, 5),
        ("activity（heavy=4）", 1, 4),
        ("activity()", 1, 0.75),
    ],
)
def test_the_word_says_where_slices_begin(word: str, warm: int, heavy: float, seed: int):
    rng = random.Random(seed)
    rows = [(f"u{rng.randint(0, 19)}", f"i{rng.randint(0, 5)}") for _ in range(rng.randint(4, 60))]
    users = [f"u{i}" for i in range(25)]
    train = pl.DataFrame(rows, schema=["user_id", "item_id"], orient="row")

    ev = rg.evaluate({u: ["i1"] for u in users}, {u: ["i1"] for u in users}, "RR", train=train, slices=word)

    counts = {u: sum(user == u for user, _ in rows) for u in users}
    there = [n for n in counts.values() if n]
    for user, found in zip(ev.query_ids, ev.attributes["activity"], strict=True):
        n = counts[user]
        fewer = sum(m < n for m in there)
        is_heavy = n > warm and (100 * fewer >= round(100 * heavy) * len(there) if heavy < 1 else n >= heavy)
        assert found == ("cold" if n < warm else "heavy" if is_heavy else "warm")


@pytest.mark.parametrize(
    ("word", "en", "zh"),
    [
        (
            "activity(warm=2, heavy=4)",
            "activity: cold has fewer than 2 interactions in train, warm has 2 to 3 interactions, heavy 4 or more",
            "activity：cold 为训练集中少于 2 次交互的用户，warm 为其中有 2 至 3 次交互的用户，heavy 为 4 "
            "次及以上的用户",
        ),
        (
            "activity(heavy=0.5)",
            "activity: cold is not in train, warm has 1 to 2 interactions in it, heavy 3 or more (at least 50% of the "
            "4 users of train have fewer)",
            "activity：cold 为不在训练集中的用户，warm 为其中有 1 至 2 次交互的用户，heavy 为 3 "
            "次及以上的用户（训练集 4 个用户中至少 50% 少于此数）",
        ),
        (
            "activity(warm=9)",
            "activity: cold has fewer than 9 interactions in train, warm 9 or more; nobody is heavy, as no user has "
            "more than 9",
            "activity：cold 为训练集中少于 9 次交互的用户，warm 为有 9 次及以上的用户；没有用户的交互次数多于 9，"
            "因此没有 heavy",
        ),
    ],
)
def test_the_note_says_where_they_begin(word: str, en: str, zh: str):
    train = {"a": ["x"], "b": ["x", "y"], "c": ["x", "y", "z"], "d": ["x", "y", "z", "w"]}

    ev = rg.evaluate({"a": ["k"]}, {"a": ["k"]}, "RR", train=train, slices=word)

    (note,) = ev.notes_on_slices
    assert (note.en, note.zh) == (en, zh)
    assert note in ev.remarks


@pytest.mark.parametrize(
    ("word", "en", "zh"),
    [
        ("activity(hot=3)", "has no 'hot'", "没有 'hot'"),
        (
            "activity(warm=0)",
            "must have warm as a whole number of interactions from 1 on, got '0'",
            "的 warm 必须是不小于 1 的整数（交互次数），实际为 '0'",
        ),
        (
            "activity(heavy=1.5)",
            "must have heavy as a share of users between 0 and 1, or a whole number of interactions from 2 on, got "
            "'1.5'",
            "的 heavy 必须是 0 到 1 之间的用户占比，或不小于 2 的整数（交互次数），实际为 '1.5'",
        ),
        (
            "activity(warm=5, heavy=5)",
            "has heavy users from 5 interactions on, and warm ones from 5: heavy must be more",
            "的 heavy 从 5 次交互起，warm 从 5 次起：heavy 必须更多",
        ),
    ],
)
def test_words_that_part_nobody_are_refused(word: str, en: str, zh: str, tmp_path: Path):
    says_in_both(
        lambda _: rg.evaluate(TEST, RUN, "RR", train=TRAIN, slices=word),
        Files(tmp_path),
        f"slices: '{word}' {en}. Write such as activity(warm=5, heavy=0.9).",
        f"slices：'{word}' {zh}。写法如 activity(warm=5, heavy=0.9)。",
    )


def test_two_words_part_the_same_users(tmp_path: Path):
    says_in_both(
        lambda _: rg.evaluate(TEST, RUN, "RR", train=TRAIN, slices=["activity", "activity(warm=2)"]),
        Files(tmp_path),
        "slices: 'activity' and 'activity(warm=2)' part the same users; name one.",
        "slices：'activity' 和 'activity(warm=2)' 划分的是同一批用户；请只保留一个。",
    )


def test_commands_take_the_word_and_a_file_together(tmp_path: Path):
    test, run, train = saved(tmp_path, test=TEST, run=RUN, train=TRAIN)
    (tmp_path / "q.csv").write_text("query_id,country\n" + "".join(f"{u},cn\n" for u in TEST))
    both = ("--train", train, "--slices", "activity(heavy=2)", "--slices", tmp_path / "q.csv")

    shown = rankgauge("evaluate", test, run, "-m", "Success@2", *both).stdout
    compared = rankgauge("compare", test, run, f"other={run}", "-m", "Success@2", *both).stdout
    gated = rankgauge("gate", test, run, *both, "--min-queries", "1", "--slice-floor", "Success@2>=0", code=0).stdout
    rankgauge("diagnose", test, run, "-m", "Success@2", *both)
    (tmp_path / "gate.toml").write_text(
        f'qrels = "{test}"\nrun = "{run}"\ntrain = "{train}"\n[slices]\nfile = ["activity(heavy=2)", "q.csv"]\n'
        'min_queries = 1\n[slices.floors]\n"Success@2" = 0\n'
    )
    by_file = rankgauge("gate", tmp_path / "gate.toml", code=0).stdout

    for said in (shown, compared, gated, by_file):
        assert "heavy 2 or more" in said
        assert "country" in said
    assert "activity=heavy" in gated
    assert "country=cn" in by_file


def test_a_list_has_the_word_beside_a_table():
    table = {u: {"country": "de" if u < "d" else "cn"} for u in TEST}

    ev = rg.evaluate(TEST, RUN, "Success@2", train=TRAIN, slices=["activity", table])

    assert list(ev.attributes) == ["activity", "country"]
    assert ev.attributes["country"] == ["de", "de", "cn", "cn", "cn"]


def test_without_train_there_is_an_error_that_names_it(tmp_path: Path):
    says_in_both(
        lambda _: rg.evaluate(TEST, RUN, "RR", slices="activity"),
        Files(tmp_path),
        "slices='activity' are made of what users did before: pass train=… (interactions). A file of that name is "
        "written ./activity.",
        "slices='activity' 由用户此前的交互得出：请传入 train=…。名为 activity 的文件请写作 ./activity。",
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
