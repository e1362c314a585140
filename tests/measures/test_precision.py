"""P, R, F, Hits, Rprec."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle import naive
from rankgauge.alignment.ties import truncated
from rankgauge.measures import F, Hits, P, R, Rprec, parse

from .support import QUICK, Tied, aligned, assert_agrees, assert_expected, case_id, tied_lists, world

approx = pytest.approx


def test_precision_divides_by_k():
    assert P(k=4).of([1, 0, 2, None], missed=[1]) == approx(2 / 4)


def test_precision_of_a_short_list_still_divides_by_k():
    assert P(k=10).of([1]) == approx(1 / 10)


def test_precision_of_a_short_list_over_the_results_returned():
    assert P(k=10, divisor="retrieved").of([1, 0]) == approx(1 / 2)


def test_precision_without_cutoff_divides_by_the_length_of_the_list():
    assert P().of([1, 0, None, 1, 1]) == approx(3 / 5)


def test_relevance_level_two_leaves_out_grade_one():
    assert P(k=3, rel=2).of([1, 2, 3]) == approx(2 / 3)


def test_negative_and_unjudged_results_are_not_relevant():
    assert P(k=3).of([-1, None, 1]) == approx(1 / 3)


def test_grade_zero_is_not_relevant_even_at_a_level_below_it():
    assert P(k=2, rel=0.1).of([0, 0.5]) == approx(1 / 2)


def test_recall_divides_by_all_relevant_items():
    assert R(k=5).of([1, 0, 1, 0, 0], missed=[1, 1]) == approx(2 / 4)


def test_recall_cannot_pass_k_over_the_relevant_items():
    assert R(k=2).of([1, 1], missed=[1] * 8) == approx(2 / 10)


def test_capped_recall_divides_by_at_most_k():
    assert R(k=2, norm="min").of([1, 1], missed=[1] * 8) == approx(2 / 2)


def test_f_is_the_harmonic_mean_of_precision_and_recall():
    precision, recall = 2 / 4, 2 / 3

    got = F(k=4).of([1, 0, 0, 1], missed=[1])

    assert got == approx(2 * precision * recall / (precision + recall))


def test_f_squares_beta():
    precision, recall = 2 / 4, 2 / 3

    got = F(k=4, beta=2).of([1, 0, 0, 1], missed=[1])

    assert got == approx((1 + 4) * precision * recall / (4 * precision + recall))


def test_hits_is_a_count():
    assert Hits(k=3).of([1, 0, 2, 1]) == 2


def test_r_precision_cuts_at_the_number_of_relevant_items():
    assert Rprec().of([1, 0, 1, 1]) == approx(2 / 3)


def test_r_precision_of_a_short_list_still_divides_by_the_relevant_items():
    assert Rprec().of([1], missed=[1, 1]) == approx(1 / 3)


def test_r_precision_of_a_truncated_list():
    a = truncated(aligned([naive.Query(["a", "b", "c"], {"a": 1, "b": 1, "c": 1})]), 2)

    assert Rprec().values(a)[0] == approx(2 / 3)


@pytest.mark.parametrize("m", [P(k=5), P(), R(k=5), F(k=5), Hits(k=5), Rprec()], ids=str)
@pytest.mark.parametrize("shown", [[], [None, None], [0, -1]], ids=["empty", "unjudged", "not relevant"])
def test_nothing_found_is_zero(m, shown):
    assert m.of(shown, missed=[1]) == 0


@pytest.mark.parametrize("m", [P(k=5), R(k=5), F(k=5), Rprec()], ids=str)
def test_nothing_relevant_is_undefined(m):
    queries, a = world()

    assert [bool(x) for x in m.defined(a)] == [naive.NumRel(q) > 0 for q in queries]


def test_micro_average_pools_numerators_and_denominators():
    _, a = world()

    hits, relevant = parse("R@5").ratio(a)

    assert hits.sum() == Hits(k=5).values(a).sum()
    assert relevant.sum() == a.n_relevant().sum()


CASES = [
    *((P(k=k), partial(naive.P, k=k)) for k in (None, 1, 3, 20)),
    (P(k=5, rel=2), partial(naive.P, k=5, rel=2)),
    (P(k=10, divisor="retrieved"), partial(naive.P, k=10, divisor="retrieved")),
    *((R(k=k), partial(naive.R, k=k)) for k in (None, 1, 3, 20)),
    (R(k=3, norm="min"), partial(naive.R, k=3, norm="min")),
    *((F(k=k, beta=b), partial(naive.F, k=k, beta=b)) for k, b in ((None, 1), (4, 1), (4, 0.5))),
    *((Hits(k=k), partial(naive.Hits, k=k)) for k in (None, 5)),
    (Rprec(), naive.Rprec),
    (Rprec(rel=2), partial(naive.Rprec, rel=2)),
]


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
def test_agrees_with_the_definition(m, definition):
    assert_agrees(m, definition)


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
@given(tied=tied_lists(), depth=st.none() | st.integers(1, 5))
@settings(**QUICK)
def test_expectation_is_the_mean_over_all_orders(m, definition, tied: Tied, depth):
    assert_expected(m, definition, tied, depth)
