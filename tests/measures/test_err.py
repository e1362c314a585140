"""ERR."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle import naive
from oracle.naive import Query
from rankgauge.errors import ParameterError
from rankgauge.measures import ERR, parse

from .support import QUICK, Tied, aligned, assert_agrees, assert_expected, case_id, tied_lists, world

approx = pytest.approx


def test_err_multiplies_what_is_left_of_the_readers():
    p1, p3 = (2**1 - 1) / 2**2, (2**2 - 1) / 2**2  # grades 1 and 2 out of 2

    assert ERR(max=2).of([1, 0, 2]) == approx(p1 / 1 + (1 - p1) * p3 / 3)


def test_err_at_k_cuts_the_list():
    assert ERR(k=2, max=2).of([1, 0, 2]) == approx(1 / 4)


def test_err_unjudged_and_negative_grades_never_satisfy():
    assert ERR(max=1).of([None, -3, 1]) == approx((1 / 2) / 3)


def test_err_of_an_empty_list_is_zero():
    assert ERR().of([], missed=[2]) == 0


def test_err_takes_the_highest_grade_of_all_judgements_not_of_the_query():
    a = aligned([Query(["a"], {"a": 1}), Query(["b"], {"b": 4})])

    assert ERR().bind(a).values(a) == approx([(2 - 1) / 2**4, (2**4 - 1) / 2**4])


def test_err_of_some_queries_still_takes_the_highest_grade_of_all_judgements():
    a = aligned([Query(["a"], {"a": 1}), Query(["b"], {"b": 4})])
    first = a.of_queries(np.array([0]))

    assert ERR().bind(first) == ERR(max=4)
    assert ERR().values(first) == approx([(2 - 1) / 2**4])


def test_err_of_an_alignment_that_does_not_know_its_highest_grade():
    a = replace(aligned([Query(["a"], {"a": 2})]), max_grade=0.0)

    assert ERR().bind(a) == ERR(max=2)


def test_err_says_which_highest_grade_it_took():
    _, a = world()

    assert str(ERR(k=20).bind(a)) == "ERR(max=4)@20"
    assert parse("ERR(max=4)@20") == ERR(k=20, max=4)


def test_err_refuses_grades_above_max():
    with pytest.raises(ParameterError, match=r"ERR: `max` must not be below the highest grade .* \(3\), got 2"):
        ERR(max=2).of([1, 3])


def test_err_of_nothing_but_zero_grades_is_zero():
    assert ERR().of([0, 0]) == 0


CASES = [(ERR(k=k, max=4), partial(naive.ERR, k=k, max_grade=4)) for k in (None, 1, 3, 20)]


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
def test_agrees_with_the_definition(m, definition):
    assert_agrees(m, definition)


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
@given(tied=tied_lists(), depth=st.none() | st.integers(1, 5))
@settings(**QUICK)
def test_expectation_is_the_mean_over_all_orders(m, definition, tied: Tied, depth):
    assert_expected(m, definition, tied, depth)
