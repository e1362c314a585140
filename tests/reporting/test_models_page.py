"""The page of two models: one verdict for each measure, wherever it stands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rankgauge as rg
from rankgauge._text import in_language, zh
from rankgauge.reporting import sections
from rankgauge.reporting.classes import weakest_class
from rankgauge.reporting.page.gathering import gather
from rankgauge.reporting.page.screens import contract, verdict


def models(n: int = 2000) -> rg.PredictionEvaluations:
    rng = np.random.default_rng(2)
    logit = rng.normal(-1, 1, n)
    p = 1 / (1 + np.exp(-logit))
    rows = {"label": (rng.random(n) < p) * 1, "old": 1 / (1 + np.exp(-logit - rng.normal(0, 1, n))), "new": p / 2}
    evs = rg.evaluate_predictions(rows, ["AUC", "LogLoss", "COPC", "NE"], scores=["old", "new"])
    assert isinstance(evs, rg.PredictionEvaluations)
    return evs


def tickets(n: int = 2000, seed: int = 3, better: float = 0.82) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    label = rng.choice(["billing", "shipping", "returns", "fraud"], n, p=[0.5, 0.3, 0.19, 0.01])

    def called(share: float) -> Any:
        rare = np.where(rng.random(n) < 0.4, "fraud", "billing")
        right = np.where(label == "fraud", rare, label)
        return np.where(rng.random(n) < share, right, rng.choice(["billing", "shipping", "returns"], n))

    return {"label": label, "old": called(0.80), "new": called(better)}


def story(record: Any) -> Any:
    return gather(record, language="en", title=None)


def table(evs: Any) -> dict[str, list[Any]]:
    """The rows of the differences by measure."""
    grid = next(s.grid for s in sections(evs) if s.title == "new minus old")
    return {row[0].text: row for row in grid.rows}


@pytest.mark.parametrize(
    "evs",
    [models(), rg.evaluate_predictions(tickets(), prediction=["old", "new"])],
    ids=["labels and scores", "classes"],
)
def test_the_table_of_differences_says_what_the_comparison_says(evs: Any) -> None:
    compared = {c.measure: c for c in evs.compare().contrasts}

    for measure, row in table(evs).items():
        c = compared[measure]
        assert row[4].text == {"better": "better", "worse": "worse"}.get(c.verdict, "not clear")
        assert row[3].text == (f"{c.p_corrected:.3f}" if c.p_corrected >= 0.001 else "<0.001")
    said = next(s.notes[0] for s in sections(evs) if s.title == "new minus old")
    assert said.endswith(f"p-values corrected for {len(compared)} tests (Holm)")
    assert zh(said).endswith(f"p 值已对 {len(compared)} 次检验校正（Holm）")


def test_an_interval_without_zero_is_not_clear_where_eight_were_looked_at() -> None:
    evs = rg.evaluate_predictions(tickets(better=0.84), prediction=["old", "new"])
    d = evs.difference("Accuracy", "new")

    assert d.is_better
    assert table(evs)["Accuracy"][4].text == "not clear"


def test_only_what_is_surely_best_is_strong() -> None:
    open_ = rg.evaluate_predictions(tickets(), prediction=["old", "new"])
    clear = rg.evaluate_predictions(tickets(better=0.97), prediction=["old", "new"])

    def strong(evs: Any) -> dict[str, list[bool]]:
        return {row[0].text: [cell.strong for cell in row[1:]] for row in sections(evs)[0].grid.rows}

    assert strong(open_)["Accuracy"] == [False, False]
    assert strong(clear)["Accuracy"] == [False, True]
    of_scores = strong(models())
    assert (of_scores["AUC"], of_scores["COPC"]) == ([False, True], [True, False])


def test_every_measure_has_its_difference_drawn_with_those_of_its_direction() -> None:
    charts = verdict.screen(story(models()))["charts"]

    drawn = {in_language(c.title, "en"): in_language(c.summary, "en") for c in charts}
    assert list(drawn) == [
        "Differences against old: higher is better",
        "Differences against old: lower is better",
        "Differences against old: neither too high nor too low",
    ]
    assert [[m for m in ("AUC", "LogLoss", "NE", "COPC") if f"new {m} " in text] for text in drawn.values()] == [
        ["AUC"],
        ["LogLoss", "NE"],
        ["COPC"],
    ]


def test_a_rare_class_that_is_missed_stands_under_the_headline() -> None:
    ev = rg.evaluate_predictions(tickets(), prediction="new")
    row = ev.per_class.row(ev.classes.index("fraud"), named=True)
    ends = f"({row['recall_low']:.4f} … {row['recall_high']:.4f})"
    told = f"least found of all classes: 'fraud' with recall {row['recall']:.4f} {ends}, of {row['rows']:.0f} rows; "

    lines = [f.text for f in verdict.screen(story(ev))["lines"]]

    assert any(told in line for line in lines)
    assert told in str(ev)
    assert "召回率最低的类别：'fraud'" in zh(weakest_class(ev))


def test_classes_that_are_all_found_alike_have_no_weakest() -> None:
    label = ["a", "b", "c"] * 5

    assert (
        weakest_class(rg.evaluate_predictions({"label": label, "prediction": label}, prediction="prediction")) is None
    )
    never = rg.evaluate_predictions({"label": label, "prediction": ["a"] * 15}, prediction="prediction")
    assert "'b' with recall 0.0000, of 5 rows; it is never predicted" in str(weakest_class(never))


def test_the_contract_of_classes_has_only_what_applies_to_them() -> None:
    shown = contract.screen(story(rg.evaluate_predictions(tickets(), prediction="new")))

    assert shown["policy"] == {"clusters": None, "weight": None}
    weighed = {**tickets(), "weight": np.full(2000, 1.25)}
    counts = contract.screen(story(rg.evaluate_predictions(weighed, prediction="new", weight="weight")))["counts"]
    assert {row[0].text: row[1].text for row in counts.rows}["weight"] == "2,500"


def test_one_positive_is_one_and_not_a_number_with_four_decimals() -> None:
    ev = rg.evaluate_predictions({"label": [1, 0, 0], "score": [0.9, 0.2, 0.1]})

    counts = {row[0].text: row[1].text for row in contract.screen(story(ev))["counts"].rows}
    assert (counts["positives"], counts["share of positives"]) == ("1", "0.3333")


def test_a_number_that_is_missing_has_its_reason_below_the_table():
    rows = {"label": [0, 1, 0, 1], "a": [10.0, 90.0, 20.0, 40.0], "b": [0.1, 0.7, 0.2, 0.9]}
    evs = rg.evaluate_predictions(rows, ["COPC", "AUC"], label="label", scores=["a", "b"])

    notes = [str(note) for note in sections(evs)[0].notes]

    assert any(n.startswith("COPC of a: needs probabilities; 4 of 4 scores are outside [0, 1]") for n in notes)
    assert not any("COPC of b" in n or "AUC" in n for n in notes)
