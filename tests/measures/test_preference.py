"""bpref and GMbpref."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle import naive
from oracle.naive import Query
from rankgauge.alignment.ties import truncated
from rankgauge.measures import GMbpref, bpref

from .support import QUICK, Tied, aligned, assert_agrees, assert_expected, case_id, tied_lists

approx = pytest.approx


def test_bpref_counts_judged_non_relevant_results_above():
    # R = 3, judged non-relevant 2: the relevant at ranks 2 and 4 have one above, one is missed
    assert bpref().of([0, 1, None, 1, 0], missed=[1]) == approx((1 - 1 / 2 + 1 - 1 / 2 + 0) / 3)


def test_bpref_counts_at_most_as_many_as_there_are_relevant_items():
    assert bpref().of([0, 0, 0, 1]) == approx(1 - min(3, 1) / min(3, 1))


def test_bpref_without_judged_non_relevant_items_is_recall():
    assert bpref().of([None, 1, None, 1], missed=[1]) == approx(2 / 3)


def test_bpref_leaves_out_unjudged_and_negative_results():
    assert bpref().of([None, -1, -1, 1, 0]) == 1


def test_bpref_grade_below_the_level_is_not_relevant():
    assert bpref(rel=2).of([1, 2, 2]) == approx((1 - 1 / 1 + 1 - 1 / 1) / 2)


def test_bpref_of_an_empty_list_is_zero():
    assert bpref().of([], missed=[1, 0]) == 0


def test_gmbpref_shows_bpref_per_query_and_averages_geometrically():
    assert GMbpref().of([1, 0, 1]) == bpref().of([1, 0, 1])
    assert GMbpref.summary == "geometric"


def test_expected_bpref_of_one_relevant_and_two_non_relevant_with_equal_scores():
    a = aligned([Query(["a", "b", "c"], {"a": 0, "b": 1, "c": 0, "d": 1})], [[3]])

    got = bpref().values(a, expected=True)[0]

    assert got == approx((1 - (0 / 2 + 1 / 2 + 2 / 2) / 3) / 2)  # 0, 1 or 2 above, all equally likely


def test_expected_bpref_counts_at_most_as_many_as_there_are_relevant_items():
    # one judged non-relevant result on top, two more tied with the relevant one: 1, 2 or 3 above, R = 2
    a = aligned([Query(["x", "a", "b", "c"], {"x": 0, "a": 0, "b": 1, "c": 0, "d": 1})], [[1, 3]])

    got = bpref().values(a, expected=True)[0]

    assert got == approx((1 - (1 / 2 + 2 / 2 + 2 / 2) / 3) / 2)


@pytest.mark.parametrize("depth", [None, 60, 100])
def test_expected_bpref_of_a_large_tie_block(depth):
    docs = [f"d{i}" for i in range(60)]
    a = aligned([Query(docs, {doc: i % 2 for i, doc in enumerate(docs)})], [[60]])

    got = bpref().values(a if depth is None else truncated(a, depth, blocks=True), expected=True)[0]

    assert got == approx(1 - 15 / 30)  # of 30 non-relevant results 15 stand above on average


CASES = [
    *((bpref(rel=rel), partial(naive.bpref, rel=rel)) for rel in (1, 2, 0.5)),
    (GMbpref(), naive.bpref),
]


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
def test_agrees_with_the_definition(m, definition):
    assert_agrees(m, definition)


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
@given(tied=tied_lists(), depth=st.none() | st.integers(1, 5))
@settings(**QUICK)
def test_expectation_is_the_mean_over_all_orders(m, definition, tied: Tied, depth):
    assert_expected(m, definition, tied, depth)
