"""Logs whose truth is known."""

from decimal import Decimal

import numpy as np
import polars as pl
import pytest

from rankgauge.behavior.bias.simulation import simulate_pbm, simulate_pbm_log
from rankgauge.errors import ParameterError

THETA = (1, 0.5, 0.25)


def test_seeded():
    first, second, third = (simulate_pbm(10, 5, THETA, rng=seed).counts.to_frame() for seed in (1, 1, 2))

    assert first.equals(second)
    assert not first.equals(third)


def test_impressions_are_requests_times_rankers_times_positions():
    assert simulate_pbm(10, 5, THETA, requests=7, rng=1).counts.impressions.sum() == 10 * 3 * 3 * 7


def test_clicks_follow_the_model():
    truth = simulate_pbm(200, 5, THETA, requests=1000, rng=1)
    counts = truth.counts
    p = truth.propensity[counts.position - 1] * truth.relevance_of(counts)[counts.pair]
    z = (counts.clicks - counts.impressions * p) / np.sqrt(counts.impressions * p * (1 - p))

    assert abs(z.mean()) < 3 / np.sqrt(len(z))
    assert z.std() == pytest.approx(1, abs=0.1)


def test_the_perfect_ranker_sorts_by_relevance():
    truth = simulate_pbm(50, 5, THETA, noise=(0.0,), rng=1)
    counts = truth.counts
    order = np.argsort(-truth.relevance, axis=1)

    assert counts.n_pairs == counts.n_cells == 150
    item = counts.names["item_id"].str.slice(1).cast(int).to_numpy()
    query = counts.names["query_id"].str.slice(1).cast(int).to_numpy()
    assert (order[query, counts.position - 1] == item).all()


def test_log_has_one_row_per_impression():
    log = simulate_pbm_log(500, 4, 6, THETA, randomised=0.2, rng=1)

    assert log.table.height == 1500
    assert log.counts.impressions.sum() == 1500
    assert set(log.table["ranker"]) == {"ranker0", "ranker1", "ranker2", "random"}
    assert (log.table["randomised"] == (log.table["ranker"] == "random")).all()
    assert log.table.group_by("request_id").agg(pl.col("item_id").n_unique())["item_id"].unique().to_list() == [3]


def test_random_orders_show_every_item_everywhere():
    log = simulate_pbm_log(6000, 1, 4, THETA, randomised=1, rng=1)
    shown = log.counts.impressions

    assert len(shown) == 4 * 3
    assert np.abs(shown - 1500).max() < 4 * np.sqrt(6000 * 3 / 16)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"propensities": (1, 0)}, "propensities"),
        ({"propensities": (1, 1.5)}, "propensities"),
        ({"n_items": 3}, "an item for each of 10 positions"),
        ({"noise": ()}, "0 rankers"),
    ],
)
def test_worlds_that_cannot_be(options, said):
    with pytest.raises(ParameterError, match=said):
        simulate_pbm(**options)


def test_shares_outside_of_0_and_1():
    with pytest.raises(ParameterError, match="randomised"):
        simulate_pbm_log(10, 1, 4, THETA, randomised=2)


@pytest.mark.parametrize("n", [0, -1, 10**30, 2.5])
def test_requests_that_cannot_be_drawn_are_refused(n):
    with pytest.raises(ParameterError, match="`n_requests` must be"):
        simulate_pbm_log(n)


@pytest.mark.parametrize("odd", [Decimal("NaN"), 2.5, "3", None])
@pytest.mark.parametrize("name", ["n_queries", "n_items"])
def test_sizes_of_a_simulation_are_whole_numbers(name, odd):
    with pytest.raises(ParameterError, match=f"`{name}` must be a whole number"):
        simulate_pbm_log(**{"n_queries": 2, "n_items": 5, name: odd}, n_requests=5, rng=0, propensities=THETA)
