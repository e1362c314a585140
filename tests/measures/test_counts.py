"""NumQ, NumRet, NumRel, NumRelRet, NumNonrelJudgedRet."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle import naive
from rankgauge.measures import NumNonrelJudgedRet, NumQ, NumRel, NumRelRet, NumRet

from .support import QUICK, Tied, assert_agrees, assert_expected, case_id, tied_lists, world

SHOWN, MISSED = [1, None, 0, 2, -1], [1, 0]
COUNTS = [NumQ(), NumRet(), NumRel(), NumRelRet(), NumNonrelJudgedRet()]


def test_counts_of_one_list():
    assert NumQ().of(SHOWN, MISSED) == 1
    assert NumRet().of(SHOWN, MISSED) == 5
    assert NumRet(rel=2).of(SHOWN, MISSED) == 1
    assert NumRel().of(SHOWN, MISSED) == 3
    assert NumRelRet().of(SHOWN, MISSED) == 2
    assert NumNonrelJudgedRet().of(SHOWN, MISSED) == 1  # the negative grade says: not judged


@pytest.mark.parametrize("m", COUNTS, ids=str)
def test_counts_are_summed_and_defined_everywhere(m):
    _, a = world()

    assert m.summary == "sum"
    assert m.defined(a).all()
    assert m.values(a).dtype == float


def test_number_of_queries_counts_all_of_them():
    queries, a = world()

    assert NumQ().values(a).sum() == len(queries)


CASES = [
    (NumRet(), naive.NumRet),
    (NumRet(rel=2), partial(naive.NumRelRet, rel=2)),
    (NumRel(), naive.NumRel),
    (NumRelRet(rel=2), partial(naive.NumRelRet, rel=2)),
    (NumNonrelJudgedRet(), naive.NumNonrelJudgedRet),
    (NumNonrelJudgedRet(rel=2), partial(naive.NumNonrelJudgedRet, rel=2)),
]


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
def test_agrees_with_the_definition(m, definition):
    assert_agrees(m, definition)


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
@given(tied=tied_lists(), depth=st.none() | st.integers(1, 5))
@settings(**QUICK)
def test_expectation_is_the_mean_over_all_orders(m, definition, tied: Tied, depth):
    assert_expected(m, definition, tied, depth)
