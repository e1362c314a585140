"""IPrec and IPrec11."""

from functools import partial

import pytest
from hypothesis import given, settings

from oracle import naive
from rankgauge.errors import ParameterError
from rankgauge.measures import IPrec, IPrec11, parse

from .support import QUICK, Tied, assert_agrees, assert_expected, case_id, tied_lists

approx = pytest.approx


def test_iprec_is_the_best_precision_from_the_recall_on():
    shown = [1, 0, 0, 1, 1]  # precision 1/1 at recall 1/3, 2/4 at 2/3, 3/5 at 3/3

    assert IPrec(r=0).of(shown) == 1
    assert IPrec(r=2 / 3).of(shown) == approx(3 / 5)  # higher at rank 5 than at rank 4
    assert IPrec(r=1).of(shown) == approx(3 / 5)


def test_iprec_is_zero_where_the_recall_is_never_reached():
    assert IPrec(r=1).of([1, 1], missed=[1]) == 0


def test_iprec_rounds_to_the_nearest_or_up():
    shown = [1, 0, 0, 1]  # r·R = .25 · 2 = .5

    assert IPrec(r=0.25).of(shown) == 1  # 1 result needed
    assert IPrec(r=0.2).of(shown) == 1  # .4 → 0 needed
    assert IPrec(r=0.7, rounding="nearest").of(shown) == 1  # 1.4 → 1
    assert IPrec(r=0.7, rounding="up").of(shown) == approx(2 / 4)  # 1.4 + .9 → 2


@pytest.mark.parametrize("m", [IPrec(r=0), IPrec(r=0.5), IPrec11()], ids=str)
@pytest.mark.parametrize("shown", [[], [None], [0, -1]], ids=["empty", "unjudged", "not relevant"])
def test_nothing_found_is_zero(m, shown):
    assert m.of(shown, missed=[1]) == 0


def test_iprec11_is_the_mean_over_eleven_points():
    # R = 2: points 0 to .7 need at most one relevant result, .8 to 1 need both
    assert IPrec11().of([1, 0, 1]) == approx((8 * 1 + 3 * 2 / 3) / 11)


def test_iprec11_order_of_points_does_not_matter():
    shown = [1, 0, 0, 1, 1]

    assert IPrec11(points=(0.75, 0.25)).of(shown) == approx(IPrec11(points=(0.25, 0.75)).of(shown))


@pytest.mark.parametrize(
    ("text", "m"),
    [
        ("iprec_at_recall_0.10", IPrec(r=0.1)),
        ("IPrec@0.1", IPrec(r=0.1)),
        ("IPrec(recall=0.1)", IPrec(r=0.1)),
        ("11pt_avg", IPrec11()),
        ("11pt_avg_.25,.5,.75", IPrec11(points=(0.25, 0.5, 0.75))),
        ("IPrec11(points=0.25;0.5;0.75)", IPrec11(points=(0.25, 0.5, 0.75))),
    ],
)
def test_spellings(text, m):
    assert parse(text) == m


@pytest.mark.parametrize("text", ["IPrec@2", "IPrec@-0.1", "IPrec11(points=0.5;25)", "IPrec11(points=x)"])
def test_recall_outside_zero_to_one_is_refused(text):
    with pytest.raises(ParameterError):
        parse(text)


CASES = [
    *((IPrec(r=r), partial(naive.IPrec, recall=r)) for r in (0, 0.1, 0.25, 0.5, 1)),
    (IPrec(r=0.3, rounding="up"), partial(naive.IPrec, recall=0.3, rounding="trunc")),
    (IPrec(r=0.5, rel=2), partial(naive.IPrec, recall=0.5, rel=2)),
    (IPrec11(), naive.IPrec11),
    (IPrec11(rounding="up"), partial(naive.IPrec11, rounding="trunc")),
    (IPrec11(points=(0.5, 0.25)), partial(naive.IPrec11, points=(0.5, 0.25))),
]


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
def test_agrees_with_the_definition(m, definition):
    assert_agrees(m, definition)


@given(tied=tied_lists())
@settings(**QUICK)
def test_expectation_is_the_mean_over_all_orders(tied: Tied):
    assert_expected(IPrec(r=0.5), partial(naive.IPrec, recall=0.5), tied)
