"""Rules about what is shown: coverage, novelty and the like are floors and losses as any other number."""

from __future__ import annotations

from pathlib import Path

import pytest

import rankgauge as rg
from chinese_errors import Files, says_in_both
from command_line import rankgauge
from rankgauge.errors import InputError, ParameterError
from rankgauge.gate import Gate, run_gate
from rankgauge.gate.config import SliceRules
from rankgauge.integrations.pytest_plugin import RankingAssertions

USERS = [f"u{i:02d}" for i in range(40)]
ITEMS = [f"i{i:02d}" for i in range(50)]
TRAIN = {u: ["i00", f"i{1 + n % 9:02d}"] for n, u in enumerate(USERS)}
TEST = {u: [f"i{10 + n % 20:02d}"] for n, u in enumerate(USERS)}
WIDE = {u: [f"i{10 + n % 20:02d}", f"i{30 + n % 20:02d}"] for n, u in enumerate(USERS)}
NARROW = {u: ["i10", "i11"] for u in USERS}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    def written(name: str, lists: dict[str, list[str]]) -> None:
        rows = [f"{user},{item},{-rank}" for user, items in lists.items() for rank, item in enumerate(items)]
        (tmp_path / name).write_text("\n".join(["user_id,item_id,score", *rows]), encoding="utf-8")

    written("wide.csv", WIDE)
    written("narrow.csv", NARROW)
    for name, lists in (("train.csv", TRAIN), ("test.csv", TEST)):
        rows = [f"{user},{item}" for user, items in lists.items() for item in items]
        (tmp_path / name).write_text("\n".join(["user_id,item_id", *rows]), encoding="utf-8")
    (tmp_path / "items.csv").write_text("\n".join(["item_id,category", *(f"{i},c" for i in ITEMS)]), encoding="utf-8")
    return tmp_path


def gate(**rules: object) -> Gate:
    return Gate(qrels=TEST, train=TRAIN, items=ITEMS, **rules)  # type: ignore[arg-type]


def test_floors_of_a_whole_run_hold_for_wide_lists_and_not_for_narrow_ones():
    floors = {"Coverage@2": 0.5, "MIUF@2": 2.0}

    wide, narrow = (run_gate(gate(run=run, floors=floors)) for run in (WIDE, NARROW))

    assert wide.outcome == "pass"
    assert [c.value for c in wide.checks] == [40 / 50, pytest.approx(wide.evaluation["MIUF@2"])]
    assert narrow.outcome == "fail"
    assert narrow.checks[0].value == 2 / 50


def test_a_number_of_the_whole_run_is_paired_with_that_of_the_baseline():
    lost = run_gate(gate(run=NARROW, baseline=WIDE, non_inferior={"Coverage@2": 0.1}))
    kept = run_gate(gate(run=WIDE, baseline=WIDE, non_inferior={"Coverage@2": 0.1}))

    (check,) = lost.checks
    compared = rg.compare(TEST, {"old": WIDE, "new": NARROW}, "Coverage@2", items=ITEMS, confidence_level=0.9)
    assert (lost.outcome, kept.outcome) == ("fail", "pass")
    assert check.value == pytest.approx(2 / 50 - 40 / 50)
    assert tuple(check.interval) == pytest.approx(tuple(compared["Coverage@2", "new"].interval))


def test_a_stored_baseline_keeps_the_numbers_of_its_whole_run(tmp_path: Path):
    stored = tmp_path / "old.json"
    stored.write_text(rg.evaluate(TEST, WIDE, ["Coverage@2", "nDCG@2"], items=ITEMS).to_json(), encoding="utf-8")

    found = run_gate(gate(run=NARROW, baseline=str(stored), non_inferior={"Coverage@2": 0.1}))

    assert [c.outcome for c in found.checks] == ["fail"]
    assert found.checks[0].value == pytest.approx(2 / 50 - 40 / 50)


def test_slices_have_no_numbers_of_whole_runs(tmp_path: Path):
    rules = {"slices": {"file": "users.csv"}, "slice_floors": ["Coverage@2>=0.1"]}

    says_in_both(
        lambda at: Gate.from_flags(qrels="q", run="r", **rules),
        Files(tmp_path),
        "gate: slices.floors: Coverage@2 is a number of the whole run, of which slices have none. Ask it of all users.",
        "gate：slices.floors：Coverage@2 是整个 run 的数值，切片没有。请对全部用户设置规则。",
    )


def test_a_floor_that_no_coverage_has_is_refused():
    with pytest.raises(InputError, match="Coverage@2 is between 0 and 1, so the limit must be as well, got 20"):
        gate(run=WIDE, floors={"Coverage@2": 20})


def test_what_a_measure_needs_is_named_before_anything_is_decided():
    with pytest.raises(ParameterError, match=r"MIUF@2 needs what users had before: pass train="):
        run_gate(Gate(qrels=TEST, run=WIDE, floors={"MIUF@2": 1.0}))


def test_a_file_names_train_and_items_relative_to_its_folder(folder: Path, monkeypatch: pytest.MonkeyPatch):
    rules = (
        'qrels = "test.csv"\nrun = "wide.csv"\ntrain = "train.csv"\nitems = "items.csv"\n[floors]\n"Coverage@2" = 0.5\n'
    )
    (folder / "gate.toml").write_text(rules, encoding="utf-8")
    monkeypatch.chdir("/")

    assert run_gate(Gate.from_toml(folder / "gate.toml")).checks[0].value == 0.8
    assert RankingAssertions().assert_gate(folder / "gate.toml").outcome == "pass"


def test_the_command_takes_them_as_options(folder: Path):
    words = ["gate", "test.csv", "narrow.csv", "--floor", "Coverage@2>=0.5", "--floor", "Unseen@2>=1"]

    done = rankgauge(*words, "--train", "train.csv", "--items", "items.csv", cwd=folder, code=1)

    assert "Coverage@2 >= 0.5  0.0400" in done.stdout
    assert "Unseen@2 >= 1      1.0000" in done.stdout


def test_an_assertion_on_coverage_in_pytest():
    checks = RankingAssertions()

    assert checks.assert_at_least(rg.evaluate(TEST, WIDE, "Coverage@2", items=ITEMS), "Coverage@2", 0.5).n == 40
    with pytest.raises(AssertionError, match=r"Coverage@2 not worse by more than 0.1 does not hold"):
        checks.assert_not_worse(TEST, WIDE, NARROW, "Coverage@2", margin=0.1, items=ITEMS)


def test_train_and_items_are_read_once_for_run_and_baseline(folder: Path, monkeypatch: pytest.MonkeyPatch):
    from rankgauge.data import catalogue

    read: list[object] = []
    real = catalogue._read_items
    monkeypatch.setattr(catalogue, "_read_items", lambda *given: (read.append(given[0]), real(*given))[1])

    run_gate(gate(run=NARROW, baseline=WIDE, non_inferior={"Coverage@2": 0.1}))

    assert len(read) == 1


def test_the_command_diagnose_takes_them_and_refuses_them_where_nothing_is_evaluated(folder: Path):
    found = rankgauge(
        "diagnose", "test.csv", "wide.csv", "-m", "nDCG@2", "-m", "Coverage@2", "--items", "items.csv", cwd=folder
    )
    (folder / "ev.json").write_text(rg.evaluate(TEST, WIDE, "nDCG@2").to_json(), encoding="utf-8")
    late = rankgauge("diagnose", "ev.json", "--train", "train.csv", cwd=folder, code=2)

    assert found.returncode == 0
    assert "--train is for rankings that are evaluated, and a stored record is finished. Leave it out." in late.stderr


def test_what_holds_both_sides_takes_them_too(folder: Path):
    both = {u: {"retrieved": WIDE[u], "relevant": TEST[u]} for u in USERS}

    assert rg.diagnose(both, train=TRAIN, items=ITEMS).subject == "run"
    assert "<!doctype html>" in rg.report(both, train=TRAIN, items=ITEMS)
    says_in_both(
        lambda at: rg.diagnose(rg.evaluate(TEST, WIDE, "nDCG@2"), train=TRAIN),
        Files(folder),
        "train= and items= say how to evaluate, and this is evaluated already. Pass them to evaluate() or compare().",
        "train= 和 items= 说明的是如何评测，而这里已经评测完毕。请把它们传入 evaluate() 或 compare()。",
    )


def test_an_expectation_over_ties_and_what_was_there_before_go_together():
    ev = rg.evaluate(TEST, WIDE, "nDCG@2", ties="expected", train=TRAIN)

    assert ev["nDCG@2"] == 1.0


def test_nobody_is_named_for_a_number_of_the_whole_run(tmp_path: Path):
    rules = {"floors": {"Coverage@2": 0.5, "nDCG@2": 1.1e-9}, "non_inferior": {"Coverage@2": 0.1, "nDCG@2": 0.1}}

    found = run_gate(gate(run=NARROW, baseline=WIDE, **rules))

    named = {(c.rule, c.measure): c.worst for c in found.of("fail")}
    assert named[("floor", "Coverage@2")] == named[("non_inferior", "Coverage@2")] == ()
    assert named[("non_inferior", "nDCG@2")][0] == ("u02", -1.0)
    assert [line for line in str(found).splitlines() if "Coverage@2" in line and "losses" in line] == []
    page = rg.report(found)
    assert page.count("Look at the queries that lost most") == 1
    with pytest.raises(AssertionError) as said:
        RankingAssertions().assert_not_worse(TEST, WIDE, NARROW, "Coverage@2", margin=0.1, items=ITEMS)
    assert "largest losses" not in str(said.value)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_how_users_were_parted_by_activity_is_said_once(language: str):
    rules = SliceRules(file="activity", floors={"nDCG@2": 0.1})
    found = run_gate(gate(run=WIDE, floors={"nDCG@2": 0.1}, slices=rules))

    rg.set_language(language)
    said = [line for line in str(found).splitlines() if "cold" in line and "heavy" in line]

    assert len(said) == 1


def test_the_command_plot_takes_them_and_refuses_them_where_nothing_is_evaluated(folder: Path):
    words = [
        "plot",
        "tradeoff",
        "test.csv",
        "wide.csv",
        "narrow.csv",
        "-m",
        "nDCG@2",
        "-m",
        "Coverage@2",
        "-m",
        "MIUF@2",
    ]
    rankgauge(*words, "--train", "train.csv", "--items", "items.csv", "-o", "t.svg", cwd=folder)
    (folder / "ev.json").write_text(rg.evaluate(TEST, WIDE, "nDCG@2").to_json(), encoding="utf-8")
    late = rankgauge("plot", "measures", "ev.json", "--items", "items.csv", cwd=folder, code=2)

    assert "Coverage@2" in (folder / "t.svg").read_text(encoding="utf-8")
    assert "--items would change nothing. Leave it out." in late.stderr
