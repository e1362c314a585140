"""Totals of parts are the totals of all rows, and sums are those of the rows."""

from __future__ import annotations

from math import fsum, log, log1p
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.predictions.row_totals import RowTotals
from rankgauge.evaluation.predictions.totals_plan import TotalsPlan

Row = tuple[float, float, float]  # label, score, weight

few = settings(max_examples=60, deadline=None)
scores = st.floats(0, 1) | st.sampled_from([0.0, 1.0, 1e-300, 1e-12, 0.02, 0.5, 1 - 1e-16]) | st.floats(-3, 3)
labels = st.sampled_from([0.0, 1.0, 1.0, 0.0, 0.25])
weights = st.sampled_from([1.0, 3.0, 0.1, 1 / 3]) | st.floats(1e-9, 1e9)
tables = st.lists(st.tuples(labels, scores, weights), max_size=25)
PLANS = [
    TotalsPlan(thresholds=(0.02, 0.5), widths=(3, 10)),
    TotalsPlan("logit", 0.1, widths=(4,), mantissa_bits=3),
    TotalsPlan("score", has_groups=True),
]


def totals(data: list[Row], plan: TotalsPlan, weighted: bool = True) -> RowTotals:
    y, s, w = (np.array([row[i] for row in data], dtype=float) for i in range(3))
    hard = bool(np.isin(y, (0, 1)).all())
    return RowTotals(plan).update(y == 1 if hard else y, s, w if weighted else None)


@given(tables, st.sampled_from(PLANS), st.booleans(), st.data())
@few
def test_any_split_and_any_order_of_adding_is_the_same_state(
    data: list[Row], plan: TotalsPlan, weighted: bool, draw: Any
):
    owner = draw.draw(st.lists(st.integers(0, 3), min_size=len(data), max_size=len(data)))
    order = draw.draw(st.permutations(range(4)))
    shards = [totals([r for r, o in zip(data, owner, strict=True) if o == k], plan, weighted) for k in range(4)]
    a, b, c, d = (shards[k] for k in order)
    whole = totals(data, plan, weighted)

    assert (a + b) + (c + d) == whole
    assert RowTotals.from_bytes((a + (b + c) + d).to_bytes()).to_bytes() == whole.to_bytes()


def naive_loss(y: float, p: float) -> float:
    p = min(max(p, 1e-15), 1 - 1e-15)
    return -y * log(p) - (1 - y) * log1p(-p)


@given(st.lists(st.tuples(labels, st.floats(0, 1), weights), min_size=1, max_size=25))
@few
def test_sums_are_those_of_the_rows(data: list[Row]):
    got = totals(data, TotalsPlan(thresholds=(0.5,), widths=(4,)))

    assert len(got) == len(data)
    assert got.between == sum(y == 0.25 for y, _, _ in data)
    expected = {
        "weight": [w for _, _, w in data],
        "positive": [w * y for y, _, w in data],
        "excess": [w * (y * y - y) for y, _, w in data],
        "loss": [w * naive_loss(y, p) for y, p, w in data],
        "squared": [w * (p - y) ** 2 for y, p, w in data],
        "predicted": [w * p for _, p, w in data],
        "variance": [w * w * p * (1 - p) for _, p, w in data],
        "clipped_loss": [w * naive_loss(y, p) for y, p, w in data if p < 1e-15 or p > 1 - 1e-15],
    }
    for name, terms in expected.items():
        assert got.sum(name) == pytest.approx(fsum(terms), rel=1e-12, abs=1e-290), name
    if not got.is_soft:
        assert got.sum("tp 0.5") == pytest.approx(fsum(w for y, p, w in data if y and p >= 0.5))
        assert got.sum("fp 0.5") == pytest.approx(fsum(w for y, p, w in data if not y and p >= 0.5))
    bins = got.of_equal_width(4)
    for i, place in enumerate(sorted({min(int(p * 4), 3) for _, p, _ in data})):
        inside = [row for row in data if min(int(row[1] * 4), 3) == place]
        weight = fsum(w for _, _, w in inside)
        assert bins.weight[i] == pytest.approx(weight)
        assert bins.predicted[i] == pytest.approx(fsum(w * p for _, p, w in inside) / weight)
        assert bins.observed[i] == pytest.approx(fsum(w * y for y, _, w in inside) / weight)


def test_bins_hold_what_was_predicted_and_what_happened():
    rng = np.random.default_rng(2)
    p, w = rng.random(70_000) ** 3, rng.random(70_000) * 5
    y = rng.random(70_000)
    found = RowTotals(TotalsPlan(mantissa_bits=4)).update(y, p, w).calibration

    assert found.weight.sum() == pytest.approx(w.sum(), rel=1e-13)
    assert found.walk[-1] == pytest.approx(fsum(w * (y - p)), rel=1e-9)
    assert found.variance.sum() == pytest.approx(fsum(w**2 * p * (1 - p)), rel=1e-12)
    order = np.argsort(p)
    for edge in (100, 250):  # a walk over single rows passes through the edges of bins
        rows = int(
            np.searchsorted(p[order], p[order][np.cumsum(w[order]) <= found.weight_before[edge] + 1e-6].max(), "right")
        )
        assert found.walk[edge] == pytest.approx(fsum((w * (y - p))[order[:rows]]), abs=1e-7)


def test_auto_takes_scores_for_probabilities_until_one_is_outside():
    plan = TotalsPlan()
    inside = RowTotals(plan).update(np.array([True]), np.array([0.5]))
    outside = RowTotals(plan).update(np.array([False]), np.array([2.0]))

    assert inside.scale == "probability"
    assert inside.sum("loss") == pytest.approx(log(2))
    both = inside + outside
    assert (both.scale, both.outside, both.ends) == ("score", 1, (0.5, 2.0))
    assert both.sum("loss") == 0
    assert both.prevalence == 0.5


def test_totals_of_other_plans_cannot_be_added():
    with pytest.raises(ParameterError, match="must have the same plan"):
        RowTotals(TotalsPlan()) + RowTotals(TotalsPlan("logit"))


def test_bytes_of_something_else_are_refused():
    with pytest.raises(InputError, match="needs what a RowTotals wrote"):
        RowTotals.from_bytes(b"RGPS\x01 something")
    with pytest.raises(InputError, match="needs what a RowTotals wrote"):
        RowTotals.from_bytes(RowTotals(TotalsPlan()).to_bytes() + b"1")
