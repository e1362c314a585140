"""AP and GMAP."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle import naive
from oracle.naive import Query
from rankgauge.measures import AP, GMAP

from .support import QUICK, Tied, aligned, assert_agrees, assert_expected, case_id, tied_lists

approx = pytest.approx


def test_ap_is_the_mean_precision_at_the_relevant_ranks():
    assert AP().of([1, 0, 0, 0, 1]) == approx((1 / 1 + 2 / 5) / 2)  # .70


def test_ap_counts_missed_items_as_zero():
    assert AP().of([1, 0, 0, 0, 1], missed=[1, 1, 1]) == approx((1 / 1 + 2 / 5) / 5)  # .28


def test_ap_at_k_divides_by_all_relevant_items():
    assert AP(k=2).of([1, 1, 1, 1]) == approx((1 + 1) / 4)


def test_ap_norm_min_divides_by_at_most_k():
    assert AP(k=2, norm="min").of([1, 1, 1, 1]) == approx((1 + 1) / 2)


def test_ap_norm_hits_divides_by_those_found():
    assert AP(k=6, norm="hits").of([0, 1, 0, 1], missed=[1, 1]) == approx((1 / 2 + 2 / 4) / 2)


def test_unjudged_and_negative_results_only_take_up_ranks():
    assert AP().of([None, -1, 1]) == approx(1 / 3)


@pytest.mark.parametrize("m", [AP(), AP(k=3), AP(k=3, norm="min"), AP(norm="hits"), GMAP()], ids=str)
@pytest.mark.parametrize("shown", [[], [None], [0, -1]], ids=["empty", "unjudged", "not relevant"])
def test_nothing_found_is_zero(m, shown):
    assert m.of(shown, missed=[1]) == 0


def test_gmap_shows_ap_per_query_and_averages_geometrically():
    assert GMAP().of([1, 0, 1]) == AP().of([1, 0, 1])
    assert GMAP.summary == "geometric"


def test_expected_ap_of_two_relevant_among_three_equal_scores():
    a = aligned([Query(["a", "b", "c"], {"a": 1, "b": 1})], [[3]])

    got = AP().values(a, expected=True)[0]

    assert got == approx(((1 / 1 + 2 / 2) + (1 / 1 + 2 / 3) + (1 / 2 + 2 / 3)) / 2 / 3)


CASES = [
    *((AP(k=k), partial(naive.AP, k=k)) for k in (None, 1, 3, 20)),
    (AP(rel=2), partial(naive.AP, rel=2)),
    *((AP(k=k, norm="min"), partial(naive.AP, k=k, norm="min")) for k in (None, 3)),
    *((AP(k=k, norm="hits"), partial(naive.AP, k=k, norm="hits")) for k in (None, 3)),
    (GMAP(), naive.AP),
]


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
def test_agrees_with_the_definition(m, definition):
    assert_agrees(m, definition)


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
@given(tied=tied_lists(), depth=st.none() | st.integers(1, 5))
@settings(**QUICK)
def test_expectation_is_the_mean_over_all_orders(m, definition, tied: Tied, depth):
    assert_expected(m, definition, tied, depth)
