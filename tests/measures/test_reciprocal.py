"""Hit and RR."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle import naive
from oracle.naive import Query
from rankgauge.measures import RR, Hit

from .support import QUICK, Tied, aligned, assert_agrees, assert_expected, case_id, tied_lists

approx = pytest.approx


def test_rr_is_one_over_the_rank_of_the_first_relevant_result():
    assert RR().of([0, None, 2, 1]) == approx(1 / 3)


def test_rr_cut_is_real():
    list_of_eleven = [0] * 10 + [1]

    assert RR(k=10).of(list_of_eleven) == 0
    assert RR().of(list_of_eleven) == approx(1 / 11)


def test_rr_at_level_two_skips_grade_one():
    assert RR(rel=2).of([1, 2]) == approx(1 / 2)


def test_hit_is_one_or_zero():
    assert Hit(k=3).of([0, 0, 2, 1]) == 1
    assert Hit(k=2).of([0, 0, 2, 1]) == 0


@pytest.mark.parametrize("m", [RR(), RR(k=3), Hit(), Hit(k=3)], ids=str)
@pytest.mark.parametrize("shown", [[], [None], [0, -1]], ids=["empty", "unjudged", "not relevant"])
def test_nothing_found_is_zero(m, shown):
    assert m.of(shown, missed=[1]) == 0


def test_expected_rr_of_one_relevant_among_three_equal_scores():
    a = aligned([Query(["a", "b", "c"], {"a": 1})], [[3]])

    assert RR().values(a)[0] == 1
    assert RR().values(a, expected=True)[0] == approx((1 + 1 / 2 + 1 / 3) / 3)


def test_expected_hit_of_one_relevant_among_three_equal_scores():
    a = aligned([Query(["a", "b", "c"], {"c": 1})], [[3]])

    assert Hit(k=2).values(a)[0] == 0
    assert Hit(k=2).values(a, expected=True)[0] == approx(2 / 3)


CASES = [
    *((RR(k=k, rel=rel), partial(naive.RR, k=k, rel=rel)) for k, rel in ((None, 1), (2, 1), (10, 1), (3, 2))),
    *((Hit(k=k, rel=rel), partial(naive.Hit, k=k, rel=rel)) for k, rel in ((None, 1), (2, 1), (10, 1), (3, 2))),
]


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
def test_agrees_with_the_definition(m, definition):
    assert_agrees(m, definition)


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
@given(tied=tied_lists(), depth=st.none() | st.integers(1, 5))
@settings(**QUICK)
def test_expectation_is_the_mean_over_all_orders(m, definition, tied: Tied, depth):
    assert_expected(m, definition, tied, depth)
