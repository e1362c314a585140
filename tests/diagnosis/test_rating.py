"""A number in a word: the band of the plain value, and beside the ceiling where that makes a difference."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

import rankgauge as rg
from rankgauge.diagnosis.rating import rating_of
from rankgauge.evaluation.rankings.ceiling import ceilings
from rankgauge.measures.base import REGISTRY


def recalled(found: int, relevant: int) -> rg.Evaluation:
    """The first five results hold `found` of the relevant items."""
    items = [f"r{i}" for i in range(relevant)]
    return rg.evaluate({"q": dict.fromkeys(items, 1)}, {"q": [*items[:found], *"vwxyz"][:5]}, "R@5")


def test_the_band_is_that_of_the_plain_value():
    rating = rating_of(recalled(3, 7), "R@5")

    assert rating.value == pytest.approx(3 / 7)
    assert rating.band.name == "poor"  # below 0.6


def test_the_share_of_the_ceiling_is_said_where_it_changes_the_word():
    rating = rating_of(recalled(4, 7), "R@5")

    assert rating.ceiling == pytest.approx(5 / 7)
    assert (rating.band.name, rating.beside_ceiling.name) == ("poor", "good")  # 0.571 and 0.8
    assert rating.words.en == "poor (good beside 0.714, the highest that can be reached)"
    assert rating.words.zh == "差（对照可达上限 0.714 为“良”）"
    assert [(c.what, c.value) for c in rating.words.claims] == [
        ("band", "poor"),
        ("band beside ceiling", "good"),
        ("ceiling", pytest.approx(5 / 7)),
    ]


def test_a_ceiling_of_one_or_one_that_keeps_the_word_is_not_mentioned():
    assert str(rating_of(recalled(2, 4), "R@5").words) == "poor"
    assert str(rating_of(recalled(1, 7), "R@5").words) == "poor"  # 0.143 and 0.2


def test_a_stored_evaluation_has_the_plain_band(tmp_path: Path):
    recalled(4, 7).to_json(tmp_path / "ev.json")

    rating = rating_of(rg.Evaluation.from_json(tmp_path / "ev.json"), "R@5")

    assert str(rating.words) == "poor"
    assert rating.ceiling != rating.ceiling


def test_no_band_no_rating():
    assert rating_of(recalled(4, 7), "R@5", value=float("nan")) is None
    assert rating_of(rg.evaluate({"q": ["a"]}, {"q": ["a"]}, "Hit@5"), "Hit@5") is None
    models = rg.evaluate_predictions({"label": [0, 1, 1, 0], "score": [0.2, 0.9, 0.6, 0.4]}, ["AUC", "LogLoss"])
    assert rating_of(models, "AUC").band.name == "perfect"
    assert rating_of(models, "LogLoss") is None  # says nothing without the base rate


# the ceiling, tried out: no list of these items is better, and some list is as good

GRADES = {"a": 2, "b": 1, "c": 0, "d": 1}
LISTS = [list(p) for n in range(1, 6) for p in permutations([*GRADES, "u"], n)]
BY_GRADE = [
    name
    for name, m in REGISTRY.items()
    if m.needs <= {"grade", "nonrelevant"}
    and m.summary in ("mean", "geometric")
    and m.higher_is_better
    and name != "Utility"
]


@pytest.mark.parametrize("name", BY_GRADE)
def test_no_list_is_above_the_ceiling_and_one_reaches_it(name: str):
    cut = "(k=2)" if "k" in REGISTRY[name].params and name != "PairAccuracy" else ""  # two relevant ones are no pair
    label = {"IPrec": "IPrec(r=0.5)", "RprecMult": "RprecMult(c=1)"}.get(name, f"{name}{cut}")
    qrels = {f"q{i}": GRADES for i in range(len(LISTS))}

    ev = rg.evaluate(qrels, {f"q{i}": x for i, x in enumerate(LISTS)}, [label])

    c = ev.columns[0]
    assert np.nanmax(c.values) == pytest.approx(ceilings(ev, [c])[0], abs=1e-12)


def test_precision_and_recall_of_calls_are_not_rated_by_what_a_query_retrieves():
    ev = rg.evaluate_predictions({"label": [0, 1] * 20, "score": [0, 1, 0, 0] * 10}, ["Precision", "Recall", "F1"])

    assert [rating_of(ev, label) for label in ev.labels] == [None] * 3


def test_the_scenario_of_ratings_may_come_without_its_word():
    ev = rg.evaluate({"q": {"a": 1}}, {"q": ["b", "a"]}, "R@5")

    assert str(ev.ratings("document_qa")) == str(ev.ratings(scenario="document_qa"))
