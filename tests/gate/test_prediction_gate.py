"""A gate on labels and scores: floors, bounds, not worse than a baseline on the same rows, by slice."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgauge as rg
from command_line import rankgauge
from rankgauge._claims import claims_of
from rankgauge.errors import InputError, ParameterError
from rankgauge.gate import PredictionGate, PredictionSliceRules
from rankgauge.gate.rules import margins_of


def rows(n: int = 3000, seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    user = rng.integers(0, 300, n)
    logit = -1.0 + rng.normal(0, 1, n) + rng.normal(0, 0.5, 300)[user]
    return {
        "click": (rng.random(n) < 1 / (1 + np.exp(-logit))).astype(int),
        "good": 1 / (1 + np.exp(-logit)),
        "bad": 1 / (1 + np.exp(-logit - 1.5 * rng.normal(0, 1, n))),
        "user_id": user,
        "device": np.array(["desk", "phone"])[rng.integers(0, 2, n)],
    }


TABLE = rows()


def gate(**rules: Any) -> rg.PredictionGateResult:
    table = rules.pop("predictions", TABLE)
    return rg.run_gate(PredictionGate(**{"predictions": table, "score": "good", "label": "click", **rules}))


def test_floors_are_fixed_lines_and_lower_is_better_where_it_is() -> None:
    ev = rg.evaluate_predictions(TABLE, ["AUC", "LogLoss"], scores="good", label="click")

    kept = gate(floors={"AUC": ev["AUC"], "LogLoss": ev["LogLoss"]})
    missed = gate(floors={"AUC": ev["AUC"] + 1e-6, "LogLoss": ev["LogLoss"] - 1e-6})

    assert (kept.outcome, kept.exit_code) == ("pass", 0)
    assert [c.outcome for c in missed.checks] == ["fail", "fail"]
    assert [c.title for c in missed.checks][1].startswith("LogLoss <= ")
    assert (missed.exit_code, missed.decision.startswith("FAIL: 2 of 2 checks failed")) == (1, True)


def test_a_floor_that_must_be_certain_is_open_where_the_interval_is_not() -> None:
    ev = rg.evaluate_predictions(TABLE, ["AUC"], scores="good", label="click")
    low = ev.interval("AUC", 0.9).low
    between = (low + ev["AUC"]) / 2

    by_value = gate(floors={"AUC": between})
    assert (by_value.exit_code, by_value.decision) == (0, "PASS: 1 of 1 check, 1 of them not certain")
    assert "`certain` asks for both" in str(by_value)
    assert "not certain" not in str(gate(floors={"AUC": low - 1e-6}))
    assert gate(floors={"AUC": between}, certain=True).exit_code == 3
    assert gate(floors={"AUC": low - 1e-6}, certain=True).exit_code == 0
    assert gate(floors={"AUC": between}, certain=True, allow_inconclusive=True).exit_code == 0


def test_bounds_hold_what_must_be_neither_too_high_nor_too_low() -> None:
    twice = {**TABLE, "good": np.minimum(2 * TABLE["good"], 0.999)}

    assert gate(bounds={"COPC": (0.9, 1.1)}).exit_code == 0
    high = gate(bounds={"COPC": (0.9, 1.1)}, predictions=twice)
    assert (high.exit_code, high.checks[0].limit) == (1, 0.9)
    assert gate(bounds={"COPC": (0.99, 1.01)}, certain=True).checks[0].outcome in ("inconclusive", "fail")


def test_not_worse_is_paired_on_the_same_rows() -> None:
    worse = gate(score="bad", baseline="good", non_inferior={"AUC": 0.001, "LogLoss": 0.001})
    better = gate(baseline="bad", non_inferior={"AUC": 0.001, "LogLoss": 0.001})
    evs = rg.evaluate_predictions(TABLE, ["AUC"], scores=["bad", "good"], label="click")
    d = evs["bad"].difference(evs["good"], "AUC", 0.9)

    assert [c.outcome for c in worse.checks] == ["fail", "fail"]
    assert worse.decision.startswith("REGRESSION: 2 of 2 checks failed")
    assert [c.outcome for c in better.checks] == ["pass", "pass"]
    assert (worse.checks[0].value, *worse.checks[0].interval) == pytest.approx((d.value, *d.interval))


def test_an_unchanged_model_passes_and_a_noisy_difference_is_open() -> None:
    same = gate(predictions={**TABLE, "copy": TABLE["good"]}, baseline="copy", non_inferior={"AUC": 0.0})

    assert (same.exit_code, same.checks[0].value) == (0, 0.0)
    noisy = gate(predictions=rows(120), score="bad", baseline="good", non_inferior={"AUC": 0.12})
    assert noisy.exit_code == 3


def test_a_stored_baseline_of_the_same_rows_is_paired_and_others_are_invalid(tmp_path: Path) -> None:
    old = rg.evaluate_predictions(TABLE, ["AUC"], scores="bad", label="click")
    old.to_json(tmp_path / "old.json")
    rg.evaluate_predictions(rows(seed=9), ["AUC"], scores="bad", label="click").to_json(tmp_path / "other.json")

    found = gate(baseline=str(tmp_path / "old.json"), non_inferior={"AUC": 0.001})
    direct = gate(baseline="bad", non_inferior={"AUC": 0.001})

    assert found.checks[0].value == direct.checks[0].value
    assert found.exit_code == 0
    with pytest.raises(InputError, match="must be on the same rows"):
        gate(baseline=str(tmp_path / "other.json"), non_inferior={"AUC": 0.001})


def test_slices_have_their_rules_and_small_ones_are_named() -> None:
    table = {**TABLE, "device": np.where(np.arange(3000) < 60, "tv", TABLE["device"])}
    broken = table["device"] == "phone"
    rng = np.random.default_rng(2)
    table["bad"] = np.where(broken, rng.permutation(table["good"]), table["good"])

    found = gate(
        predictions=table,
        score="bad",
        baseline="good",
        slices=PredictionSliceRules(columns=("device",), floors={"AUC": 0.65}, non_inferior={"AUC": 0.01}),
    )

    assert {(c.rule, c.slice): c.outcome for c in found.checks} == {
        ("floor", "device=desk"): "pass",
        ("floor", "device=phone"): "fail",
        ("non_inferior", "device=desk"): "pass",
        ("non_inferior", "device=phone"): "fail",
    }
    assert any("are not checked: device=tv" in note for note in found.notes)


@pytest.mark.parametrize("size", [0.01, 1.0, 10.0])
def test_slices_are_small_by_their_rows_whatever_these_weigh(size: float) -> None:
    table = {**rows(300), "weight": np.full(300, size), "all": ["x"] * 300}
    positives = int(np.sum(table["click"]))

    def checks(fewest: int) -> list[str]:
        rules = PredictionSliceRules(columns=("all",), floors={"AUC": 0.0}, min_positives=fewest)
        return [check.slice for check in gate(predictions=table, slices=rules).checks]

    assert checks(positives) == ["all=x"]
    with pytest.raises(InputError, match=f"no slice of all has {positives + 1} positives"):
        checks(positives + 1)


def naive_auc(label: Any, score: Any) -> float:
    better = np.subtract.outer(score[label == 1], score[label == 0])
    return float(((better > 0) + (better == 0) / 2).mean())


def test_every_number_of_a_message_is_claimed_and_every_claim_is_so() -> None:
    found = gate(
        score="bad",
        baseline="good",
        group="user_id",
        floors={"AUC": 0.6},
        bounds={"COPC": (0.5, 1.5)},
        non_inferior={"AUC": 0.01},
        slices=PredictionSliceRules(columns=("device",), floors={"AUC": 0.6}, non_inferior={"AUC": 0.01}),
    )
    assert {c.rule for c in found.checks} == {"floor", "bounds", "non_inferior"}
    for check in found.checks:
        for text in (check.message, check.title):
            held = [float(c.value) for c in claims_of(text)]
            numbers = re.findall(r"(?<![\w.])[+-]?\d[\d,]*(?:\.\d+)?(?!\d*%)(?!\w)", text)
            for number in numbers:
                digits = len(number.partition(".")[2])
                assert float(number.replace(",", "")) in [round(v, digits) for v in held], (number, str(text))
        for c in claims_of(check.message):
            here = TABLE["device"] == c.slice.partition("=")[2] if c.slice else np.ones(3000, dtype=bool)
            label, values = TABLE["click"][here], {name: TABLE[name][here] for name in ("good", "bad")}
            aucs = {name: naive_auc(label, score) for name, score in values.items()}
            if c.what == "mean":
                copc = label.sum() / values[c.system].sum()
                assert c.value == pytest.approx(aucs[c.system] if c.measure == "AUC" else copc)
            elif c.what == "difference":
                assert c.value == pytest.approx(aucs[c.system] - aucs[c.against])
            elif c.what == "n":
                assert c.value == len(set(TABLE["user_id"][here]))
            elif c.what.endswith(("low", "high")):
                assert c.level == pytest.approx(0.9)
                assert c.value in check.interval
            elif c.what == "family":
                assert c.value == 2
            else:
                assert (c.what, c.value) in {("benchmark", v) for v in (0.6, 0.5, 1.5, 0.01)}


def test_a_measure_without_a_value_is_open() -> None:
    table = {"click": [1] * 60, "good": [0.5] * 60}

    found = gate(predictions=table, floors={"AUC": 0.7})

    assert found.exit_code == 3
    assert "no value: needs both classes" in found.checks[0].message
    found = gate(predictions={**table, "old": [0.4] * 60}, baseline="old", non_inferior={"AUC": 0.01})
    assert found.exit_code == 3
    assert found.checks[0].message == "no value: needs both classes; all 60 labels are 1"


def test_it_is_stored_and_shown_as_before() -> None:
    found = gate(floors={"AUC": 0.6}, bounds={"COPC": (0.9, 1.1)}, baseline="bad", non_inferior={"AUC": 0.01})

    back = rg.Record.from_dict(json.loads(found.to_json()))

    assert isinstance(back, rg.PredictionGateResult)
    assert (back.exit_code, str(back)) == (found.exit_code, str(found))
    assert "<testsuite" in found.to_junit()


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({}, "there are no rules"),
        ({"floors": {"COPC": 0.9}}, "COPC is best near 1, neither higher nor lower. Give it bounds"),
        ({"floors": {"nDCG@10": 0.4}}, "nDCG"),
        ({"floors": {"AUC": "high"}}, "AUC must have a finite number"),
        (
            {"floors": {"AUC": []}, "bounds": {"COPC": (0.9, 1.1)}},
            "AUC must have a number, or several, got an empty list",
        ),
        ({"floors": {"AUC": 75}}, "AUC is between 0 and 1, so the limit must be as well, got 75"),
        ({"floors": {"RIG": 2}}, "RIG is 1 or less, so the limit must be as well, got 2"),
        ({"bounds": {"AUC": (70, 80)}}, "AUC is between 0 and 1, never between 70 and 80"),
        (
            {"non_inferior": {"AUC": 1}, "baseline": "bad"},
            "cannot lose more than 1, so the margin must be smaller, got 1",
        ),
        ({"floors": {"AUC": 0.5}, "slices": PredictionSliceRules(columns=("device",))}, "`slices` has no rules"),
        (
            {"slices": PredictionSliceRules(columns=("device",), floors={"AUC": 0.5}, min_positives=0)},
            "`slices.min_positives` must be 1 or more, got 0",
        ),
        ({"bounds": {"COPC": (1.1, 0.9)}}, "must have the lower end first"),
        ({"bounds": {"COPC": 1}}, "must have two ends"),
        ({"bounds": 1}, "bounds must map names to values"),
        ({"non_inferior": {"AUC": 0.01}}, "`non_inferior` needs a `baseline`"),
        ({"non_inferior": {"AUC": -1}, "baseline": "bad"}, "a margin of 0 or more"),
        ({"floors": {"AUC": 0.5}, "alpha": 0.7}, "`alpha` must be between 0 and 0.5"),
        ({"floors": {"AUC": 0.5}, "baseline": "good"}, "must be different columns"),
        ({"floors": {"AUC": 0.5}, "score": "gud"}, "gud"),
    ],
)
def test_what_no_gate_can_mean_is_invalid(rules: dict[str, Any], said: str) -> None:
    with pytest.raises((InputError, rg.errors.ParameterError), match=said):
        gate(**rules)


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ({"floors": ["AUC"]}, "floor must look like AUC>=0.75, got 'AUC'"),
        ({"floors": ["AUC<=0.75"]}, "AUC is better when higher. Write AUC>=0.75"),
        ({"floors": ["COPC>=0.9"]}, "COPC must be neither too high nor too low. Write --bounds COPC=0.9..1.1"),
        ({"bounds": ["COPC=0.9"]}, "bounds must look like COPC=0.9..1.1, got 'COPC=0.9'"),
        ({"bounds": ["COPC=a..1.1"]}, "bounds 'COPC=a..1.1': the limit must be a number, got 'a'"),
        ({"bounds": ["COPC=0.9..1.1", "COPC=0.5..2"]}, "COPC has bounds already. Give it once"),
        ({"non_inferior": ["AUC"]}, "non-inferior must look like AUC:0.002, got 'AUC'"),
    ],
)
def test_rules_that_cannot_be_read_say_how_they_look(flags: dict[str, Any], said: str) -> None:
    with pytest.raises(rg.errors.ParameterError, match=re.escape(said)):
        PredictionGate.from_flags(predictions="clicks.csv", **flags)


def test_several_floors_of_one_measure_are_all_checked() -> None:
    asked = PredictionGate.from_flags(predictions="clicks.csv", floors=["AUC>=0.99", "AUC>=0.1"])

    assert asked.floors == {"AUC": (0.99, 0.1)}
    assert [c.outcome for c in gate(floors=asked.floors).checks] == ["fail", "pass"]


def test_bounds_may_be_of_a_measure_with_parameters() -> None:
    asked = PredictionGate.from_flags(predictions="clicks.csv", bounds=["F(threshold=0.3)=0.2..0.9"])

    assert asked.bounds == {"F(threshold=0.3)": (0.2, 0.9)}


def test_flags_replace_rules_of_the_file_about_the_same_measure_and_leave_the_others(tmp_path: Path) -> None:
    file = tmp_path / "gate.toml"
    file.write_text(
        'predictions = "clicks.csv"\n[floors]\nAUC = 0.9\nLogLoss = 0.5\n'
        '[slices]\ncolumns = ["device"]\n[slices.floors]\nAUC = 0.8\nLogLoss = 0.7\n',
        encoding="utf-8",
    )

    asked = PredictionGate.from_flags(file=file, floors=["roc_auc>=0.1"], slice_floors=["AUC>=0.2"])

    assert asked.floors == {"LogLoss": 0.5, "roc_auc": 0.1}
    assert asked.slices is not None
    assert asked.slices.floors == {"LogLoss": 0.7, "AUC": 0.2}
    assert asked.predictions == str(tmp_path / "clicks.csv")


# the command

NEW = ("shop/clicks.csv", "--score", "new")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("model gate")
    rankgauge("demo", "--save", "shop", cwd=target)
    (target / "gate.toml").write_text(
        'predictions = "shop/clicks.csv"\nscore = "old"\ngroup = "user_id"\n[floors]\nAUC = 0.7\nGAUC = 0.6\n'
        "[bounds]\nCOPC = [0.9, 1.1]\n",
        encoding="utf-8",
    )
    return target


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("gate.toml",), 0),
        (("gate.toml", "--score", "new"), 1),
        (("gate.toml", "--floor", "AUC>=0.72", "--certain"), 3),
        (("shop/clicks.csv", "--score", "new", "--floor", "AUC>=0.75"), 0),
        (("shop/clicks.csv", "--score", "new", "--bounds", "COPC=0.9..1.1"), 1),
        (("shop/clicks.csv", "--score", "old", "--baseline-score", "new", "--non-inferior", "AUC:0.01"), 1),
        (
            (
                "shop/clicks.csv",
                "--score",
                "new",
                "--baseline-score",
                "old",
                "--non-inferior",
                "LogLoss:0",
                "--alpha",
                "0.01",
            ),
            3,
        ),
        (("shop/clicks.csv", "--score", "new", "--floor", "AUC>=x"), 2),
        (("shop/clicks.csv", "--score", "nwe", "--floor", "AUC>=0.7"), 2),
        (("shop/clicks.csv", "--score", "new", "--floor", "AUC>=0.7", "--ties", "input"), 2),
        (("shop/clicks.csv", "--score", "new", "--score", "old", "--floor", "AUC>=0.7"), 2),
        (("shop/qrels.txt", "shop/bm25.run", "--floor", "RR>=0.1", "--bounds", "COPC=0.9..1.1"), 2),
    ],
)
def test_exit_codes_are_those_of_rankings(words: tuple[str, ...], code: int, folder: Path) -> None:
    done = rankgauge("gate", *words, cwd=folder, code=code)

    assert bool(done.stdout) == (code != 2)
    assert done.stderr.startswith("Error: ") == (code == 2)


def test_the_command_writes_what_ci_reads(folder: Path, tmp_path: Path) -> None:
    words = (
        "gate",
        "gate.toml",
        "--json",
        tmp_path / "g.json",
        "--junit",
        tmp_path / "g.xml",
        "--html",
        tmp_path / "g.html",
    )

    done = rankgauge(*words, "--markdown", tmp_path / "g.md", "--language", "zh", cwd=folder)

    assert done.stdout.startswith("通过：3 项检查中有 3 项通过")
    assert rg.load(tmp_path / "g.json").exit_code == 0
    for name in ("g.xml", "g.html", "g.md"):
        assert "COPC" in (tmp_path / name).read_text(encoding="utf-8")


def test_bounds_of_a_file_that_are_no_two_numbers_are_told(tmp_path: Path) -> None:
    (tmp_path / "gate.toml").write_text('predictions = "c.csv"\n[bounds]\nCOPC = "0.9..1.1"\n')

    with pytest.raises(InputError, match=r"`bounds.COPC` must be two numbers such as \[0.9, 1.1\], got '0.9..1.1'"):
        PredictionGate.from_toml(tmp_path / "gate.toml")


def test_a_margin_may_be_typed_with_an_equals_sign() -> None:
    assert margins_of(["AUC=0.01", "Recall(threshold=0.5)=0.02"]) == {"AUC": 0.01, "Recall(threshold=0.5)": 0.02}
    assert margins_of(["Recall(threshold=0.5):0.02"]) == {"Recall(threshold=0.5)": 0.02}
    with pytest.raises(ParameterError, match=r"must look like nDCG@10:0\.01, got 'Recall\(threshold=0\.5\)'"):
        margins_of(["Recall(threshold=0.5)"])
