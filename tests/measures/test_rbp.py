"""RBP and RBPresidual."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle import naive
from oracle.naive import Query
from rankgauge.measures import RBP, RBPresidual, parse

from .support import QUICK, Tied, aligned, assert_agrees, assert_expected, case_id, tied_lists, world

approx = pytest.approx


def test_rbp_weighs_ranks_by_powers_of_p():
    assert RBP(p=0.5).of([1, 0, 2]) == approx((1 - 0.5) * (1 + 0.5**2))


def test_rbp_does_not_know_missed_items():
    assert RBP().of([1], missed=[1, 1]) == approx(RBP().of([1]))


def test_rbp_with_a_cutoff():
    assert RBP(k=2).of([0, 1, 1]) == approx((1 - 0.8) * 0.8)


def test_graded_rbp_divides_by_the_highest_grade_of_all_judgements():
    a = aligned([Query(["a"], {"a": 1}), Query(["b"], {"b": 4})])
    m = RBP(graded="max").bind(a)

    assert str(m) == "RBP(graded=max, max=4)"
    assert m.values(a) == approx([0.2 * 1 / 4, 0.2 * 4 / 4])


def test_graded_rbp_by_topic_divides_by_the_highest_grade_of_the_query():
    assert RBP(graded="topic").of([1, 2], missed=[4]) == approx(0.2 * (1 / 4 + 0.8 * 2 / 4))
    assert RBP(graded="topic").of([0.5]) == approx(0.2 * 0.5)  # nothing above 1: grades as they are


def test_graded_rbp_raw_takes_grades_as_they_are():
    assert RBP(graded="raw").of([3, -1, 1]) == approx(0.2 * (3 + 0.8**2 * 1))


@pytest.mark.parametrize("text", ["rbp.95", "RBP(p=0.95)", "rbp_0.95", "rbp_p=.95"])
def test_rbp_spellings(text):
    assert parse(text) == RBP(p=0.95)


def test_rbp_is_defined_where_something_counts():
    a = aligned([Query(["a"], {"a": 0.5}), Query(["a"], {"a": 0})])

    assert list(RBP().defined(a)) == [False, False]
    assert list(RBP(rel=0.5).defined(a)) == [True, False]
    assert list(RBP(graded="max").defined(a)) == [True, False]


def test_graded_true_means_max():
    assert parse("RBP(graded=True)") == RBP(graded="max")


@pytest.mark.parametrize("m", [RBP(), RBP(graded="max"), RBP(graded="topic")], ids=str)
@pytest.mark.parametrize("shown", [[], [None], [0, -1]], ids=["empty", "unjudged", "not relevant"])
def test_nothing_found_is_zero(m, shown):
    assert m.of(shown, missed=[1]) == 0


def test_residual_is_the_weight_of_the_unjudged_and_of_what_lies_below():
    assert RBPresidual(p=0.5).of([1, None, 0, None]) == approx((1 - 0.5) * (0.5 + 0.5**3) + 0.5**4)


def test_residual_of_an_empty_list_is_one():
    assert RBPresidual().of([], missed=[1]) == 1


def test_residual_of_a_judged_list_is_what_lies_below_or_nothing():
    assert RBPresidual().of([1, 0]) == approx(0.8**2)
    assert RBPresidual(complete="zero").of([1, 0]) == 0


def test_residual_of_a_long_judged_list_is_not_negative():
    assert RBPresidual(p=0.8).of([0] * 400) == approx(0.8**400)


def test_residual_can_count_negative_grades_as_unjudged():
    assert RBPresidual(p=0.5).of([-1]) == approx(0.5)
    assert RBPresidual(p=0.5, negative="unjudged").of([-1]) == approx(1)


def test_residual_is_better_when_low_and_needs_nothing_relevant():
    _, a = world()

    assert not RBPresidual.higher_is_better
    assert RBPresidual().defined(a).all()


def test_rbp_and_residual_together_are_rbp_with_everything_unjudged_relevant():
    shown, filled = [1, None, 0, None], [1, 1, 0, 1]

    assert RBP().of(shown) + RBPresidual().of(shown) - 0.8**4 == approx(RBP().of(filled))


CASES = [
    *((RBP(k=k, p=p), partial(naive.RBP, k=k, p=p)) for k, p in ((None, 0.8), (3, 0.5))),
    (RBP(rel=2), partial(naive.RBP, rel=2)),
    (RBP(graded="max", max=4), partial(naive.RBP, graded="max", max_grade=4)),
    (RBP(graded="topic", p=0.9), partial(naive.RBP, graded="topic", p=0.9)),
    (RBP(graded="raw"), partial(naive.RBP, graded="raw")),
    (RBPresidual(), naive.RBPresidual),
    (RBPresidual(p=0.5, negative="unjudged"), partial(naive.RBPresidual, p=0.5, negative="unjudged")),
    (RBPresidual(complete="zero"), partial(naive.RBPresidual, all_judged="zero")),
]


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
def test_agrees_with_the_definition(m, definition):
    assert_agrees(m, definition)


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
@given(tied=tied_lists(), depth=st.none() | st.integers(1, 5))
@settings(**QUICK)
def test_expectation_is_the_mean_over_all_orders(m, definition, tied: Tied, depth):
    assert_expected(m, definition, tied, depth)
