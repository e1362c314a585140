"""The p-value of ECCE: how wide the walk of right probabilities gets by chance, where scores are few, tied or many."""

from __future__ import annotations

from math import erfc, sqrt

import numpy as np
import pytest

import rankgauge as rg
from rankgauge.measures.predictions.range_of_walk import chance_of_range, range_of_brownian_motion

Array = np.ndarray


def p_of(label: Array, score: Array, **more: Array) -> float:
    ev = rg.evaluate_predictions({"label": label, "score": score, **more}, ["ECCE"])
    return float(ev.column("ECCE").beside["p"])


def moved(label: Array, score: Array) -> float:
    """The range of the walk, looked at after each distinct score."""
    at = [0.0, *(float((label - score)[score <= t].sum()) for t in sorted(set(score.tolist())))]
    return max(at) - min(at)


def test_one_score_has_the_p_value_of_a_normal_step():
    label = np.array([1] * 33 + [0] * 67)

    z = (33 - 30) / sqrt(100 * 0.3 * 0.7)
    assert p_of(label, np.full(100, 0.3)) == pytest.approx(erfc(z / sqrt(2)), rel=1e-9)


def test_three_scores_have_the_p_value_of_labels_drawn_again():
    rng = np.random.default_rng(1)
    score = np.repeat([0.2, 0.5, 0.7], 400)
    label = (rng.random(1200) < score).astype(float)

    seen = moved(label, score)
    drawn = [moved((rng.random(1200) < score).astype(float), score) for _ in range(2000)]

    assert p_of(label, score) == pytest.approx(np.mean(np.array(drawn) >= seen), abs=0.035)


def test_a_heavy_tie_among_many_scores_is_one_step():
    rng = np.random.default_rng(2)
    variance = np.concatenate((np.full(3000, 0.2), [2400.0], np.full(3000, 0.2)))  # two thirds in one step
    steps = rng.standard_normal((3000, len(variance))) * np.sqrt(variance)
    walk = np.cumsum(steps, axis=1)
    ranges = walk.max(axis=1, initial=0) - walk.min(axis=1, initial=0)

    for at in (0.5, 0.95):
        r = float(np.quantile(ranges, at))
        assert chance_of_range(r, variance, np.ones(6001, dtype=bool)) == pytest.approx(1 - at, abs=0.03)


def test_many_small_steps_are_brownian_motion():
    assert chance_of_range(2.5 * sqrt(1000), np.ones(1000), np.ones(1000, dtype=bool)) == range_of_brownian_motion(2.5)


def test_parts_of_which_only_the_sum_is_known_are_many_steps():
    one = np.array([True, False, False])
    alone = chance_of_range(2.0, np.array([0.4, 0.3, 0.3]), one)

    fine = np.concatenate(([0.4], np.full(400, 0.6 / 400)))
    assert alone == pytest.approx(chance_of_range(2.0, fine, np.ones(401, dtype=bool)), abs=0.02)


def test_steps_that_cannot_move_say_all_or_nothing():
    none, flags = np.zeros(2), np.ones(2, dtype=bool)

    assert (chance_of_range(0.0, none, flags), chance_of_range(0.1, none, flags)) == (1.0, 0.0)


def test_the_p_value_does_not_depend_on_the_order_of_rows_nor_on_weights_of_one():
    rng = np.random.default_rng(3)
    score = rng.choice([0.1, 0.3, 0.6, 0.8], 300)
    label, weight = (rng.random(300) < score).astype(float), rng.choice([0.3, 1.7, 2.9], 300)
    other = rng.permutation(300)

    assert p_of(label, score, weight=weight) == p_of(label[other], score[other], weight=weight[other])
    assert p_of(label, score, weight=np.ones(300)) == p_of(label, score)


@pytest.mark.parametrize("scores", [1, 3, 60, 5000])
def test_pieces_have_the_p_value_of_memory(scores: int):
    rng = np.random.default_rng(4)
    score = np.round(rng.choice(np.linspace(0.05, 0.6, scores), 5000), 6)
    rows = {"label": (rng.random(5000) < score).astype(float), "score": score}
    state = rg.PredictionState(measures=["ECCE"]).update(**rows)

    assert state.result().column("ECCE").beside["p"] == pytest.approx(p_of(**rows), abs=0.01)


@pytest.mark.long("simulations of error rates and coverage", ci=True)
@pytest.mark.parametrize("kind", ["constant", "three", "continuous"])
def test_right_probabilities_have_a_p_value_below_5_percent_in_5_percent_of_samples(kind: str):
    rng = np.random.default_rng(5)
    below = 0
    for _ in range(1000):
        score = {
            "constant": np.full(2000, 0.2),
            "three": rng.choice([0.05, 0.2, 0.4], 2000),
            "continuous": rng.uniform(0.02, 0.5, 2000),
        }[kind]
        below += p_of((rng.random(2000) < score).astype(float), score) < 0.05

    assert 0.03 <= below / 1000 <= 0.07
