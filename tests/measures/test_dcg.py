"""CG, DCG, nDCG."""

from functools import partial
from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle import naive
from rankgauge.measures import CG, DCG, nDCG

from .support import QUICK, Tied, assert_agrees, assert_expected, case_id, tied_lists, world

approx = pytest.approx
MAPPING = {1: 3, 2: 9, 4: 4.5}


def test_cg_sums_the_grades():
    assert CG(k=3).of([3, None, 2, 1]) == 3 + 0 + 2


def test_dcg_divides_by_log2_of_rank_plus_one():
    assert DCG(k=3).of([3, 0, 2, 1]) == approx(3 / log2(2) + 0 / log2(3) + 2 / log2(4))


def test_exponential_gain_is_two_to_the_grade_minus_one():
    assert DCG(gain="exponential").of([3, 0, 2]) == approx(7 / log2(2) + 0 + 3 / log2(4))


def test_mapped_gain_replaces_the_grades_it_names():
    assert DCG(gain=MAPPING).of([2, 3, 1]) == approx(9 / log2(2) + 3 / log2(3) + 3 / log2(4))


def test_discount_of_jarvelin_and_kekalainen_treats_the_first_two_ranks_alike():
    assert DCG(discount="jk").of([3, 2, 1]) == approx(3 / 1 + 2 / log2(2) + 1 / log2(3))


def test_ndcg_at_3_linear_gain():
    got = nDCG(k=3).of([0, 2, 1])

    assert got == approx((2 / log2(3) + 1 / log2(4)) / (2 / log2(2) + 1 / log2(3)))


def test_ndcg_one_of_five_found():
    ideal = sum(3 / log2(i + 1) for i in range(1, 6))

    assert nDCG(k=10).of([3], missed=[3] * 4) == approx((3 / log2(2)) / ideal)
    assert nDCG(k=10).of([3], missed=[3] * 4) == approx(0.339, abs=0.0005)


def test_ndcg_five_found_at_ranks_six_to_ten():
    assert nDCG(k=10).of([None] * 5 + [3] * 5) == approx(0.541, abs=0.0005)


def test_ndcg_ideal_list_is_cut_at_k():
    assert nDCG(k=10).of([3] * 10, missed=[3] * 10) == approx(1)


def test_ndcg_ideal_retrieved_never_sees_what_is_missing():
    assert nDCG(k=10, ideal="retrieved").of([0, 1], missed=[3, 3]) == approx((1 / log2(3)) / 1)


def test_ndcg_ideal_returned_is_cut_at_the_length_of_the_list():
    assert nDCG(k=10, ideal="returned").of([1], missed=[1, 1]) == approx(1)


def test_ndcg_ideal_uncut_holds_all_judged_items():
    assert nDCG(k=1, ideal="uncut").of([1], missed=[1]) == approx(1 / (1 + 1 / log2(3)))


def test_ndcg_level_two_takes_the_gain_of_grade_one():
    assert nDCG(rel=2).of([1, 2]) == approx((2 / log2(3)) / 2)


def test_ndcg_is_defined_where_something_has_gain():
    queries, a = world()

    assert list(nDCG(k=3).defined(a)) == [naive.NumRel(q) > 0 for q in queries]
    assert list(nDCG(rel=2).defined(a)) == [naive.NumRel(q, rel=2) > 0 for q in queries]
    assert nDCG(gain={0: 1}).defined(a).sum() > nDCG().defined(a).sum()


@pytest.mark.parametrize("m", [CG(k=3), DCG(k=3), nDCG(k=3), nDCG(gain="exponential")], ids=str)
@pytest.mark.parametrize("shown", [[], [None], [0, -2]], ids=["empty", "unjudged", "not relevant"])
def test_nothing_found_is_zero(m, shown):
    assert m.of(shown, missed=[1]) == 0


CASES = [
    *((CG(k=k), partial(naive.CG, k=k)) for k in (None, 3)),
    *((DCG(k=k), partial(naive.DCG, k=k)) for k in (None, 3)),
    (DCG(gain="exponential"), partial(naive.DCG, gain="exponential")),
    (DCG(gain=MAPPING), partial(naive.DCG, gain=MAPPING)),
    *((nDCG(k=k), partial(naive.nDCG, k=k)) for k in (None, 1, 3, 20)),
    *(
        (nDCG(k=5, gain=gain, ideal=ideal), partial(naive.nDCG, k=5, gain=gain, ideal=ideal))
        for gain, ideal in (
            ("exponential", "judged"), (MAPPING, "judged"), ("linear", "returned"), ("linear", "uncut")
        )
    ),
]  # fmt: skip


RETRIEVED = [(nDCG(k=k, ideal="retrieved"), partial(naive.nDCG, k=k, ideal="retrieved")) for k in (None, 3)]


@pytest.mark.parametrize(("m", "definition"), [*CASES, *RETRIEVED], ids=case_id)
def test_agrees_with_the_definition(m, definition):
    assert_agrees(m, definition)


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
@given(tied=tied_lists(), depth=st.none() | st.integers(1, 5))
@settings(**QUICK)
def test_expectation_is_the_mean_over_all_orders(m, definition, tied: Tied, depth):
    assert_expected(m, definition, tied, depth)
