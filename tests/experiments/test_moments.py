"""Sums that can be added: the state of shards is that of the whole, to the last bit."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgauge.errors import InputError
from rankgauge.experiments.moments import Moments, unit_sums

approx = pytest.approx
values = st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)), min_size=2, max_size=30)


def of(rows) -> Moments:
    x = np.array(rows, dtype=float).reshape(-1, 2)
    return Moments.of({"x": x[:, 0], "y": x[:, 1]})


@given(values, st.integers(0, 30))
def test_shards_add_up_to_the_whole(rows, cut):
    cut = min(cut, len(rows))

    assert of(rows[:cut]) + of(rows[cut:]) == of(rows)
    assert of(rows[::-1]) == of(rows)


def test_covariance_is_that_of_numpy():
    x = np.random.default_rng(1).normal(size=(50, 2)) @ np.array([[1, 0.5], [0, 2]])

    assert of(x).covariance() == approx(np.cov(x.T))
    assert of(x).means == approx(x.mean(axis=0))
    assert np.isnan(of(x[:1]).covariance()).all()


def test_a_large_mean_costs_no_digits():
    """Squares of 10^7 + 0, 1, 2 are whole floats, but their sum of 3·10^17 is not."""
    x = np.tile(1e7 + np.arange(3.0), 1000)

    assert Moments.of({"x": x}).covariance()[0, 0] == approx(2000 / 2999, rel=1e-14)


def test_state_survives_json():
    state = of([(0.1, 2), (1 / 3, 5e-9)])

    assert Moments.from_dict(json.loads(json.dumps(state.to_dict()))) == state


def test_different_variables_do_not_add():
    with pytest.raises(InputError, match="must be of the same variables"):
        Moments.of({"x": np.ones(2)}) + Moments.of({"y": np.ones(2)})


def test_rows_are_summed_by_unit():
    sums = unit_sums({"y": [1, 2, 4], "x": [True, True, False]}, ["b", "a", "b"], "here")

    assert {k: v.tolist() for k, v in sums.items()} == {"y": [2.0, 5.0], "x": [1.0, 1.0]}


@pytest.mark.parametrize(
    ("columns", "unit", "message"),
    [
        (
            {"y": [1.0, np.nan]},
            None,
            r"here: y must be finite, and at most 1e\+150, got nan in row 2 \(1 rows like it\)",
        ),
        ({"y": ["a"]}, None, "y must hold numbers"),
        ({"y": [1, 2]}, ["u"], "same length, got y 2, unit 1"),
        ({"y": [1, 2]}, ["u", None], "every row must have a unit, missing in 1 rows"),
        ({"y": []}, None, "at least one row"),
    ],
)
def test_bad_rows(columns, unit, message):
    with pytest.raises(InputError, match=message):
        unit_sums(columns, unit, "here")
