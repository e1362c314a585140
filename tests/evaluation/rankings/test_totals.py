"""Sums of parts are those of the whole, and say what columns of values say."""

from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge.evaluation.rankings.record import Column
from rankgauge.evaluation.rankings.totals import Summary, Totals

VALUES = st.lists(st.floats(0, 1, allow_subnormal=False) | st.sampled_from([0.0, 1.0, 1 / 3]), min_size=1, max_size=30)


def column(values, measure: str = "nDCG@10", counted=None, **more) -> Column:
    array = np.array(values, dtype=np.float64)
    mask = np.ones(len(array), dtype=bool) if counted is None else np.array(counted)
    return Column(measure, rg.parse(measure), array, mask, **{k: np.array(v, float) for k, v in more.items()})


def parts(c: Column, cuts: int, weights=None) -> Totals:
    total = Totals()
    for queries in np.array_split(np.random.default_rng(0).permutation(len(c.values)), cuts):
        mask = np.zeros(len(c.values), dtype=bool)
        mask[queries] = True
        total = Totals.from_text((total + Totals.of(c, weights, mask)).to_text())
    return total


@pytest.mark.parametrize("measure", ["nDCG@10", "NumRel", "GMAP"])
@given(values=VALUES, cuts=st.integers(1, 5))
def test_a_mean_or_sum_of_parts_is_that_of_the_whole_to_the_last_bit(measure: str, values, cuts: int):
    c = column(values, measure)

    assert parts(c, cuts).value(c.measure.summary, "macro") == c.total("macro", None)


@given(values=VALUES, cuts=st.integers(1, 5))
def test_weighted_and_pooled_means_too(values, cuts: int):
    n = len(values)
    w = np.linspace(0.1, 3, n)
    c = column(values, numerator=np.arange(n) / 7, denominator=np.arange(n) + 0.5)

    assert parts(c, cuts, w).value("mean", "weighted") == c.total("weighted", w)
    assert parts(c, cuts).value("mean", "micro") == c.total("micro", None)


@given(values=VALUES, cuts=st.integers(1, 5), offset=st.sampled_from([0.0, 1e3]))
def test_intervals_of_parts_are_those_of_the_whole(values, cuts: int, offset: float):
    """With an offset the spread is tiny beside the mean: sums of squares that are rounded would lose it."""
    c = column(np.array(values) + offset)
    w = np.linspace(0.1, 3, len(values))

    for weights, average in ((None, "macro"), (w, "weighted")):
        found, wanted = parts(c, cuts, weights).interval(0.9), c.interval(0.9, average, weights)
        assert np.allclose(found, wanted, rtol=1e-13, atol=1e-13 * offset, equal_nan=True)


def test_tie_widths_add_up():
    c = column([0.5, 0.5, 0.5], best=[1.0, 0.5, 0.75], worst=[0.25, 0.5, 0.25], counted=[True, True, False])

    assert parts(c, 3).tie_width == c.tie_width == 0.375


def test_a_value_that_is_undefined_makes_the_mean_undefined():
    c = column([0.5, nan])

    assert isnan(parts(c, 2).value("mean", "macro"))
    assert isnan(parts(c, 2).interval(0.95).low)
    assert isnan(c.total("macro", None))


def test_queries_that_do_not_count_are_not_there():
    c = column([0.5, nan, 1.0], counted=[True, False, True])

    assert parts(c, 3).value("mean", "macro") == 0.75
    assert parts(c, 3).n == 2


def test_nothing_has_no_mean():
    assert isnan(Totals().value("mean", "macro"))
    assert isnan(Totals().value("mean", "micro"))
    assert Totals().value("sum", "macro") == 0.0


def test_a_summary_stands_in_for_its_column():
    c = column([0.25, 0.5, 1.0])
    s = Summary(c.label, c.measure, Totals.of(c))

    assert (s.n, s.tie_width, s.total("macro")) == (c.n, c.tie_width, c.total("macro", None))
    assert s.interval(0.95, "macro") == pytest.approx(c.interval(0.95, "macro", None), rel=1e-14)
    with pytest.raises(rg.errors.ParameterError, match=r"ev\.collect"):
        s.interval(0.95, "macro", method="bootstrap")
