"""Brackets hold the exact value, and states add up exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankgauge.alignment.bracket import Bracket
from rankgauge.alignment.score_bins import ScoreBins
from rankgauge.errors import InputError, ParameterError
from rankgauge.statistics.exact_sums import exact_units

Row = tuple[bool, float, float]  # positive, score, weight

few = settings(max_examples=80, deadline=None)
odd = st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 1e-310, np.inf, -np.inf, 1e308, -1e308, 1.0, np.nextafter(1.0, 2.0)])
near = st.integers(0, 60).map(lambda i: 0.02 + i * 1e-6)  # several scores in one bin
rounded = st.integers(-3, 3).map(lambda i: i / 10)
scores = odd | near | rounded | st.floats(allow_nan=False)
weights = st.sampled_from([1.0, 2.0, 0.1, 1 / 3, 1e-6, 1e12]) | st.floats(1e-100, 1e100)
unweighted = st.lists(st.tuples(st.booleans(), scores, st.just(1.0)), max_size=30)
weighted = st.lists(st.tuples(st.booleans(), scores, weights), max_size=20)
bits = st.sampled_from([1, 6, 13])


def state(rows: list[Row], mantissa_bits: int = 13, weight: bool = True) -> ScoreBins:
    y = np.array([r[0] for r in rows], dtype=bool)
    s = np.array([r[1] for r in rows], dtype=np.float64)
    w = np.array([r[2] for r in rows], dtype=np.float64) if weight else None
    return ScoreBins(mantissa_bits).update(y, s, w)


def exact_auc(rows: list[Row]) -> Fraction | None:
    won = every = Fraction(0)
    for y, s, w in rows:
        for z, t, v in rows:
            if y and not z:
                every += Fraction(w) * Fraction(v)
                won += Fraction(w) * Fraction(v) * (Fraction(1) if s > t else Fraction(1, 2) if s == t else 0)
    return won / every if every else None


def weight_at(rows: list[Row], threshold: float, positive: bool) -> Fraction:
    return sum((Fraction(w) for y, s, w in rows if y == positive and s >= threshold), Fraction(0))


def exact_ks(rows: list[Row]) -> Fraction | None:
    p, n = weight_at(rows, -np.inf, True), weight_at(rows, -np.inf, False)
    if not p or not n:
        return None
    return max(Fraction(0), *(weight_at(rows, t, True) / p - weight_at(rows, t, False) / n for _, t, _ in rows))


def exact_ap(rows: list[Row]) -> Fraction | None:
    p = weight_at(rows, -np.inf, True)
    if not p or not weight_at(rows, -np.inf, False):
        return None
    total = before = Fraction(0)
    for t in sorted({s for _, s, _ in rows}, reverse=True):
        hits = weight_at(rows, t, True)
        total += (hits - before) / p * hits / (hits + weight_at(rows, t, False))
        before = hits
    return total


def assert_holds(bracket: Bracket, exact: Fraction | None) -> None:
    if exact is None:
        assert np.isnan(bracket).all()
    else:
        assert Fraction(bracket.low) <= exact <= Fraction(bracket.high)
        assert bracket.low <= bracket.value <= bracket.high


def assert_all_hold(bins: ScoreBins, rows: list[Row]) -> None:
    assert_holds(bins.auc(), exact_auc(rows))
    assert_holds(bins.ks(), exact_ks(rows))
    assert_holds(bins.prauc(), exact_ap(rows))


@given(unweighted, bits)
@few
def test_brackets_hold_the_exact_value(rows: list[Row], mantissa_bits: int):
    assert_all_hold(state(rows, mantissa_bits, weight=False), rows)


@given(weighted, bits)
@few
def test_brackets_hold_the_exact_value_with_weights(rows: list[Row], mantissa_bits: int):
    assert_all_hold(state(rows, mantissa_bits), rows)


@pytest.mark.parametrize("order", ["positives first", "negatives first", "one tie"])
def test_prauc_bounds_hold_for_the_extreme_orders_of_one_bin(order: str):
    top = [(True, 9.0, 1.0), (False, 8.0, 1.0)]
    step = {"positives first": 1e-6, "negatives first": -1e-6, "one tie": 0.0}[order]
    rows = top + [(y, 1.2 + step * y, 1.0) for y in (True, False) for _ in range(5)] + [(True, 1.2000001, 1.0)]

    assert_all_hold(state(rows, 4, weight=False), rows)


@given(st.lists(st.tuples(st.booleans(), rounded, st.just(1.0)), min_size=2, max_size=30))
@few
def test_rounded_scores_alone_in_their_bins_are_exact(rows: list[Row]):
    bins = state(rows, weight=False)

    for bracket in (bins.auc(), bins.ks(), bins.prauc()):
        assert np.isnan(bracket.value) or (bracket.is_exact and bracket.half_width < 1e-14)


def test_a_mixed_bin_leaves_its_pairs_open():
    bins = state([(True, 1.0, 1.0), (False, 1.0 + 1e-9, 1.0)])

    assert bins.auc() == (0.5, 0.0, 1.0)


def test_known_values():
    bins = state([(False, 0.1, 1.0), (False, 0.4, 1.0), (True, 0.35, 1.0), (True, 0.8, 1.0)])

    assert bins.auc().value == 0.75
    assert bins.ks().value == 0.5
    assert bins.prauc().value == pytest.approx((1 + 2 / 3) / 2)


def test_constant_score_has_precision_of_the_base_rate():
    bins = ScoreBins().update(np.arange(100) == 0, np.full(100, 0.3))

    assert bins.prauc().value == pytest.approx(0.01)
    assert bins.auc().value == 0.5


@given(weighted, st.data())
@few
def test_any_split_and_any_order_of_merging_is_the_same_state(rows: list[Row], data: Any):
    owner = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    order = data.draw(st.permutations(range(4)))
    shards = [state([r for r, o in zip(rows, owner, strict=True) if o == k], 8) for k in range(4)]
    a, b, c, d = (shards[k] for k in order)

    assert (a + b) + (c + d) == state(rows, 8)
    assert a + (b + (c + d)) == state(rows, 8)


@given(st.lists(st.tuples(st.booleans(), scores, st.integers(0, 4).map(float)), max_size=20))
@few
def test_whole_weights_are_repeated_rows(rows: list[Row]):
    repeated = [(y, s, 1.0) for y, s, w in rows for _ in range(int(w))]

    assert state(rows) == state(repeated, weight=False)


@pytest.mark.parametrize("weight", [False, True])
def test_update_in_pieces_is_update_at_once_for_more_rows_than_a_chunk(weight: bool):
    rng = np.random.default_rng(5)
    n = 150_000
    s = np.where(rng.random(n) < 0.01, 0.0, rng.normal(size=n))
    y, w = rng.random(n) < 0.1, (rng.random(n) if weight else None)
    whole, pieces = ScoreBins().update(y, s, w), ScoreBins()
    for rows in np.array_split(np.arange(n), 7):
        pieces.update(y[rows], s[rows], None if w is None else w[rows])

    assert whole == pieces


def test_scores_over_all_exponents_need_no_table():
    s = np.ldexp(1.0, np.arange(-1020, 1000))
    bins = ScoreBins().update(np.arange(len(s)) >= 1000, s)

    assert len(bins) == len(s)
    assert bins.auc().value == 1
    assert bins.least.tolist() == bins.greatest.tolist() == s.tolist()


def test_bins_keep_least_and_greatest():
    bins = state([(True, 1.0 + 3e-9, 1.0), (False, 1.0, 1.0), (True, 1.0 + 1e-9, 1.0), (False, -2.0, 1.0)])

    assert bins.least.tolist() == [-2.0, 1.0]
    assert bins.greatest.tolist() == [-2.0, 1.0 + 3e-9]
    assert bins.totals() == (2.0, 2.0)


def test_half_width_at_low_click_rate_is_about_1e_5():
    rng = np.random.default_rng(1)
    p = 1 / (1 + np.exp(4.3 - rng.normal(size=200_000)))
    bins = ScoreBins().update(rng.random(len(p)) < p, p)

    assert 0 < bins.auc().half_width < 3e-5


@given(st.lists(st.floats(-1e200, 1e200), max_size=40))
@few
def test_exact_units(values: list[float]):
    assert Fraction(exact_units(np.array(values, dtype=np.float64)), 2**1074) == sum(map(Fraction, values), Fraction(0))


def test_nan_scores_are_counted_and_leave_the_state_alone():
    bins = ScoreBins()

    with pytest.raises(InputError, match="NaN in 2 of 3 rows"):
        bins.update(np.array([True, False, True]), np.array([np.nan, 1.0, np.nan]))
    assert bins == ScoreBins()


@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf, 1e-200])
def test_impossible_weights_are_refused(weight: float):
    with pytest.raises(InputError, match=r"weight must be .* in row 1 \(1 of 2 rows\)"):
        ScoreBins().update(np.array([True, False]), np.array([0.1, 0.2]), np.array([1.0, weight]))


def test_lengths_must_agree():
    with pytest.raises(InputError, match="one length"):
        ScoreBins().update(np.array([True]), np.array([0.1, 0.2]))
    with pytest.raises(InputError, match="one number per row"):
        ScoreBins().update(np.array([True]), np.array([0.1]), np.array([1.0, 2.0]))


def test_different_bins_cannot_be_merged():
    with pytest.raises(ParameterError, match="same `mantissa_bits`, got 11 and 12"):
        ScoreBins(11) + ScoreBins(12)


@pytest.mark.parametrize("bad", [0, 25, 1.5, True])
def test_mantissa_bits_out_of_range(bad: Any):
    with pytest.raises(ParameterError, match="from 1 to 24"):
        ScoreBins(bad)
