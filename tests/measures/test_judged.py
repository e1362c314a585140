"""Judged and Unjudged."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle import naive
from rankgauge.measures import Judged, Unjudged, parse

from .support import QUICK, Tied, assert_agrees, assert_expected, case_id, tied_lists, world

approx = pytest.approx


def test_judged_divides_by_the_results_that_are_there():
    assert Judged(k=10).of([1, None, 0]) == approx(2 / 3)


def test_unjudged_divides_by_k():
    assert Unjudged(k=10).of([1, None, 0]) == approx(1 / 10)


def test_negative_grades_count_as_judged_unless_told_otherwise():
    assert Judged(k=2).of([-1, None]) == approx(1 / 2)
    assert Judged(k=2, negative="unjudged").of([-1, None]) == 0
    assert Unjudged(k=2, negative="unjudged").of([-1, None]) == 1


def test_judged_is_undefined_for_an_empty_list_only():
    queries, a = world()

    assert list(Judged(k=5).defined(a)) == [len(q.ranking) > 0 for q in queries]
    assert Unjudged(k=5).defined(a).all()


def test_items_that_are_not_shown_do_not_count():
    assert Judged(k=5).of([None, None], missed=[1, 1]) == 0


def test_without_a_cutoff_both_divide_by_the_length_of_the_list():
    assert Judged().of([1, None, 0]) == approx(2 / 3)
    assert Unjudged().of([1, None, 0]) == approx(1 / 3)


def test_unjudged_is_better_when_low():
    assert not Unjudged.higher_is_better
    assert parse("unj_5") == Unjudged(k=5)


CASES = [
    *((Judged(k=k), partial(naive.Judged, k=k)) for k in (None, 1, 5, 20)),
    *((Unjudged(k=k), partial(naive.Unjudged, k=k)) for k in (1, 5, 20)),
    (Unjudged(k=5, negative="unjudged"), partial(naive.Unjudged, k=5, negative="unjudged")),
]


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
def test_agrees_with_the_definition(m, definition):
    assert_agrees(m, definition)


@pytest.mark.parametrize(("m", "definition"), [CASES[2], CASES[5], CASES[7]], ids=case_id)
@given(tied=tied_lists(), depth=st.none() | st.integers(1, 5))
@settings(**QUICK)
def test_expectation_is_the_mean_over_all_orders(m, definition, tied: Tied, depth):
    assert_expected(m, definition, tied, depth)
