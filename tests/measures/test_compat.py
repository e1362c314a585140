"""Compat."""

from functools import partial

import pytest
from hypothesis import given, settings

from oracle import naive, trec_golden
from oracle.naive import Query
from rankgauge.measures import Compat

from .support import QUICK, Tied, aligned, assert_agrees, assert_expected, case_id, tied_lists

approx = pytest.approx


def test_two_items_the_wrong_way_round():
    # ideal [2, 1]: nothing in common at depth 1, both at depth 2
    p = 0.95

    assert Compat().of([1, 2]) == approx((p * 2 / 2) / (1 + p))


def test_perfect_list_is_one():
    assert Compat().of([3, 2, 1]) == approx(1)


def test_equal_grades_may_come_in_any_order():
    assert Compat().of([2, 2, 1]) == approx(1)


def test_without_normalisation_the_ideal_list_itself_stays_below_one():
    p = 0.5

    assert Compat(p=p, normalize=False).of([1, None]) == approx((1 + p * 1 / 2) / (1 + p))


def test_items_not_shown_come_last_among_equal_grades():
    p = 0.5
    # ideal [shown, missed]; depth 2: 1 of 1 in common, then 1 of 2
    assert Compat(p=p).of([1], missed=[1]) == approx((1 + p / 2) / (1 + p))


@pytest.mark.parametrize("shown", [[], [None], [0, -1]], ids=["empty", "unjudged", "not relevant"])
def test_nothing_found_is_zero(shown):
    assert Compat().of(shown, missed=[1]) == 0


def test_more_items_judged_not_relevant_than_shown():
    assert Compat().of([-1], missed=[0, -1]) == 0


@pytest.mark.parametrize(
    ("p", "values"), [(0.95, {"31_1": 0.517795, "31_2": 0.0184}), (0.8, {"31_1": 0.167230, "31_2": 0.000228})]
)
def test_published_values_of_compat(shared, p, values):
    """From the tests of ir_measures; it orders equal scores by ascending id."""
    grades = trec_golden.read_qrels(shared / "ir_measures_compat" / "compat.qrels")
    run = trec_golden.read_run(shared / "ir_measures_compat" / "compat.run")
    queries = [
        Query(
            sorted(sorted(run[q]), key=lambda doc: -run[q][doc]),
            {doc: grade for (doc, _), grade in grades[q].items()},
        )
        for q in values
    ]

    got = Compat(p=p).values(aligned(queries))

    assert got == approx(list(values.values()), abs=5e-7)


CASES = [
    (Compat(), naive.Compat),
    (Compat(p=0.5), partial(naive.Compat, p=0.5)),
    (Compat(normalize=False), partial(naive.Compat, normalize=False)),
]


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
def test_agrees_with_the_definition(m, definition):
    assert_agrees(m, definition)


@given(tied=tied_lists())
@settings(**QUICK)
def test_expectation_is_the_mean_over_all_orders(tied: Tied):
    assert_expected(Compat(), naive.Compat, tied)
