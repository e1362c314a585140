"""Certain bounds hold: whatever the order inside bins is, the number of the rows lies between them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankgauge.alignment.certified import EqualMass
from rankgauge.alignment.sample import Sample
from rankgauge.evaluation.predictions.row_totals import RowTotals
from rankgauge.evaluation.predictions.totals_plan import TotalsPlan
from rankgauge.measures.predictions.auc import Gain
from rankgauge.measures.predictions.calibration import ECCE, ECE, MCE

ROUNDED = 1e-13

few = settings(max_examples=150, deadline=None)
labels = st.sampled_from([0.0, 1.0]) | st.floats(0, 1)
scores = st.floats(0, 1) | st.sampled_from([0.0, 0.5, 0.5, 0.25, 0.3, 1.0])
tables = st.lists(st.tuples(labels, scores, st.sampled_from([1.0, 1.0, 2.0, 0.3])), min_size=1, max_size=40)


def both(data: Any, weighted: bool, hard: bool, bits: int) -> tuple[Sample, RowTotals]:
    y, p, w = (np.array([row[i] for row in data]) for i in range(3))
    y = y > 0.5 if hard or np.isin(y, (0, 1)).all() else y
    weight = w if weighted else None
    return Sample(y, p, weight), RowTotals(TotalsPlan(mantissa_bits=bits)).update(y, p, weight)


@given(tables, st.booleans(), st.booleans(), st.integers(1, 8), st.integers(1, 12))
@few
def test_calibration_of_rows_lies_between_the_bounds(data, weighted: bool, hard: bool, n: int, bits: int):
    s, t = both(data, weighted, hard, bits)

    walk, mass = t.calibration.ecce(), EqualMass.of(t.calibration, n)
    assert walk.low - ROUNDED <= ECCE().value(s) <= walk.high + ROUNDED
    assert mass.ece().low - ROUNDED <= ECE(bins=n).value(s) <= mass.ece().high + ROUNDED
    bracket = mass.mce(0)
    assert bracket.low - ROUNDED <= MCE(bins=n, min_count=0).value(s) <= bracket.high + ROUNDED


@given(tables, st.booleans(), st.integers(1, 12), st.floats(0.01, 1))
@few
def test_gain_of_rows_lies_between_the_bounds(data, weighted: bool, bits: int, top: float):
    s, t = both(data, weighted, True, bits)
    bracket = t.bins.gain(top)

    if not s.has_both_classes:
        assert np.isnan(bracket.value)
        return
    assert bracket.low - ROUNDED <= Gain(top=top).value(s) <= bracket.high + ROUNDED


def test_bounds_meet_where_every_bin_is_one_score():
    rng = np.random.default_rng(5)
    p = rng.integers(1, 50, 3000) / 50
    y = rng.random(3000) < p * 0.9
    s, t = Sample(y, p), RowTotals(TotalsPlan()).update(y, p)

    assert t.calibration.ecce().is_exact
    assert t.calibration.ecce().value == pytest.approx(ECCE().value(s), rel=1e-12)
    for n in (1, 7, 15):
        mass = EqualMass.of(t.calibration, n)
        assert mass.ece().is_exact
        assert mass.ece().value == pytest.approx(ECE(bins=n).value(s), rel=1e-12)
        assert mass.mce(10).value == pytest.approx(MCE(bins=n, min_count=10).value(s), rel=1e-12)


def test_many_rows_leave_little_open():
    rng = np.random.default_rng(6)
    p = rng.beta(1, 30, 200_000)
    y = rng.random(len(p)) < p * 1.1
    s, t = Sample(y, p), RowTotals(TotalsPlan()).update(y, p)

    mass = EqualMass.of(t.calibration, 15)
    assert mass.ece().half_width < 0.01 * ECE().value(s)
    assert t.calibration.ecce().half_width < 0.001 * ECCE().value(s)


def test_a_walk_that_turns_inside_a_bin_stays_between_the_bounds():
    """Up by 10 · 0.9, down by 40 · 0.4, then inside one bin further down by 3 · 0.6 before it turns."""
    y = np.repeat([True, False, False, True], [10, 40, 3, 1])
    p = np.repeat([0.1, 0.4, 0.6, 0.7], [10, 40, 3, 1])
    s, t = Sample(y, p), RowTotals(TotalsPlan(mantissa_bits=1)).update(y, p)
    walk = t.calibration.ecce()

    assert ECCE().value(s) == pytest.approx((9 + (7 + 1.8)) / 54)
    assert walk.low < ECCE().value(s) < walk.high
