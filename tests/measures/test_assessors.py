"""MAPavgjg, Pavgjg, RprecMultavgjg."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle import naive
from rankgauge.errors import InputError
from rankgauge.measures import AP, MAPavgjg, Pavgjg, RprecMultavgjg, parse

from .support import QUICK, Tied, assert_agrees, assert_expected, case_id, tied_lists, world

approx = pytest.approx


def test_average_precision_by_each_group():
    # group 1: relevant at ranks 1 and 3; group 2: at rank 3
    assert MAPavgjg().of([(1, 0), None, (1, 1)]) == approx(((1 / 1 + 2 / 3) / 2 + 1 / 3) / 2)


def test_group_that_finds_nothing_relevant_counts_zero():
    assert MAPavgjg().of([(1, 0), (0, 0)]) == approx((1 + 0) / 2)


def test_group_judges_only_what_it_judges():
    assert Pavgjg(k=2).of([(1, None), (None, 1)]) == approx((1 / 2 + 1 / 2) / 2)


def test_group_without_a_judgement_for_the_query_does_not_count():
    assert MAPavgjg().of([(1, None), None]) == 1
    assert Pavgjg(k=2).of([(1, None, 0)]) == approx((1 / 2 + 0) / 2)


def test_one_group_is_the_measure_itself():
    assert MAPavgjg().of([(1,), None, (2,)]) == AP().of([1, None, 2])


def test_r_precision_at_a_multiple_by_each_group():
    assert RprecMultavgjg(c=2).of([(1, 0), (0, 1)], missed=[(1, 0)]) == approx((1 / 4 + 1 / 2) / 2)


def test_without_groups_it_says_where_they_belong():
    with pytest.raises(InputError, match=r"MAPavgjg: needs judgements by group of assessors.*iteration column"):
        MAPavgjg().of([1, 0])


def test_trec_eval_names():
    assert parse("map_avgjg") == MAPavgjg()
    assert parse("P_avgjg_5") == Pavgjg(k=5)
    assert parse("Rprec_mult_avgjg_0.20") == RprecMultavgjg(c=0.2)


def test_value_does_not_depend_on_the_other_queries():
    _, a = world(headings=True)

    for i in (0, 7, 150, a.n_queries - 1):
        alone = MAPavgjg().values(a.of_queries(np.array([i])))

        assert MAPavgjg().values(a)[i] == alone[0]


CASES = [
    (MAPavgjg(), naive.map_avgjg),
    (MAPavgjg(rel=2), partial(naive.map_avgjg, rel=2)),
    *((Pavgjg(k=k), partial(naive.P_avgjg, k=k)) for k in (None, 3)),
    (RprecMultavgjg(c=1.4), partial(naive.Rprec_mult_avgjg, multiple=1.4)),
]


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
def test_agrees_with_the_definition(m, definition):
    assert_agrees(m, definition, headings=True)


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
@given(tied=tied_lists(headings=True).filter(lambda t: t.query.groups), depth=st.none() | st.integers(1, 5))
@settings(**QUICK)
def test_expectation_is_the_mean_over_all_orders(m, definition, tied: Tied, depth):
    assert_expected(m, definition, tied, depth)
