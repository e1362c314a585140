"""PairAccuracy."""

import math
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle import naive
from oracle.naive import Query
from rankgauge.alignment.ties import best_case, worst_case
from rankgauge.measures import PairAccuracy, parse

from .support import QUICK, Tied, aligned, assert_agrees, assert_expected, case_id, tied_lists

approx = pytest.approx


def test_share_of_pairs_in_the_right_order():
    # relevant at 1 and 3, judged non-relevant at 2 and 5: 2 + 1 of 4 pairs are right
    assert PairAccuracy().of([1, 0, 1, None, 0]) == approx(3 / 4)


def test_missed_items_do_not_count():
    assert PairAccuracy().of([1, 0], missed=[1, 0]) == 1


def test_negative_grades_are_judged_non_relevant():
    assert PairAccuracy().of([-1, 1]) == 0


def test_cutoff_leaves_later_pairs_out():
    assert PairAccuracy(k=2).of([1, 0, 0, 1]) == 1


def test_unjudged_results_count_as_non_relevant_if_asked():
    assert PairAccuracy(nonrelevant="any").of([None, 1, None, None]) == approx(2 / 3)
    assert parse("Accuracy@5") == PairAccuracy(k=5, nonrelevant="any")


@pytest.mark.parametrize("nonrelevant", ["judged", "any"])
def test_equal_scores_count_half_whatever_their_order(nonrelevant):
    m = PairAccuracy(nonrelevant=nonrelevant)
    for ranking in (["a", "b", "c"], ["b", "a", "c"]):
        a = aligned([Query(ranking, {"a": 1, "b": 0, "c": 0})], [[2, 1]])

        assert m.values(a)[0] == approx((0.5 + 1) / 2)


def test_best_and_worst_order_of_equal_scores():
    a = aligned([Query(["a", "b"], {"a": 1, "b": 0})], [[2]])

    assert PairAccuracy().values(best_case(a))[0] == 1
    assert PairAccuracy().values(worst_case(a))[0] == 0


@pytest.mark.parametrize("shown", [[], [1, 1], [0, 0], [None, 1]])
def test_undefined_without_a_pair(shown):
    a = aligned([Query([f"d{i}" for i in range(len(shown))], _grades(shown))])

    assert not PairAccuracy().defined(a)[0]


def _grades(shown):
    return {f"d{i}": g for i, g in enumerate(shown) if g is not None}


CASES = [
    *((PairAccuracy(k=k), partial(naive.PairAccuracy, k=k)) for k in (None, 2, 8)),
    (PairAccuracy(rel=2), partial(naive.PairAccuracy, rel=2)),
    *((PairAccuracy(k=k, nonrelevant="any"), partial(naive.PairAccuracy, k=k, nonrelevant="any")) for k in (None, 5)),
]


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
def test_agrees_with_the_definition(m, definition):
    assert_agrees(m, definition)


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
@given(tied=tied_lists(), depth=st.none() | st.integers(1, 5))
@settings(**QUICK)
def test_expectation_is_the_mean_over_all_orders(m, definition, tied: Tied, depth):
    def zero_without_pairs(query):
        value = definition(query)
        return 0.0 if math.isnan(value) else value

    assert_expected(m, zero_without_pairs, tied, depth)


@pytest.mark.parametrize("nonrelevant", ["judged", "any"])
@given(tied=tied_lists())
@settings(**QUICK)
def test_a_single_order_counts_equal_scores_half(nonrelevant, tied: Tied):
    block = [i for i, size in enumerate(tied.sizes) for _ in range(size)]
    scores = {doc: -float(block[i]) for i, doc in enumerate(tied.query.ranking)}
    m, a = PairAccuracy(nonrelevant=nonrelevant), tied.alignment

    want = naive.PairAccuracy(tied.query, nonrelevant=nonrelevant, scores=scores)

    assert (math.isnan(want) and not m.defined(a)[0]) or m.values(a)[0] == approx(want)
