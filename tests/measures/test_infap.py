"""infAP."""

from functools import partial

import pytest
from hypothesis import given, settings

from oracle import naive
from rankgauge.measures import AP, infAP

from .support import QUICK, Tied, assert_agrees, assert_expected, case_id, tied_lists

approx = pytest.approx
E = 0.00001


def test_first_rank_counts_one():
    assert infAP().of([1]) == 1


def test_pooled_but_unjudged_results_are_estimated_from_those_judged():
    # at rank 3: two results above are in the pool, one of them judged, and relevant
    assert infAP().of([1, -1, 1]) == approx((1 + 1 / 3 + 2 / 3 * (1 + E) / (1 + 2 * E)) / 2)


def test_results_outside_the_pool_only_take_up_ranks():
    assert infAP().of([None, None, 1]) == approx(1 / 3)


def test_fully_judged_pool_is_close_to_average_precision():
    shown = [0, 1, 1, 0, 1]

    assert infAP().of(shown) == approx(AP().of(shown), abs=1e-4)


@pytest.mark.parametrize("shown", [[], [None], [0, -1]], ids=["empty", "unjudged", "not relevant"])
def test_nothing_found_is_zero(shown):
    assert infAP().of(shown, missed=[1]) == 0


CASES = [(infAP(), naive.infAP), (infAP(rel=2), partial(naive.infAP, rel=2))]


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
def test_agrees_with_the_definition(m, definition):
    assert_agrees(m, definition)


@given(tied=tied_lists())
@settings(**QUICK)
def test_expectation_is_the_mean_over_all_orders(tied: Tied):
    assert_expected(infAP(), naive.infAP, tied)
