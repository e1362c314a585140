"""SetP, SetR, SetF, SetAP."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle import naive
from rankgauge.measures import SetAP, SetF, SetP, SetR, parse

from .support import QUICK, Tied, assert_agrees, assert_expected, case_id, tied_lists

approx = pytest.approx
SHOWN, MISSED = [1, 0, None, 2], [1]  # two of three relevant items among four results


def test_set_precision_and_recall():
    assert SetP().of(SHOWN, MISSED) == approx(2 / 4)
    assert SetR().of(SHOWN, MISSED) == approx(2 / 3)


def test_relative_set_precision_divides_by_the_best_a_set_of_this_size_can_have():
    assert SetP(relative=True).of(SHOWN, MISSED) == approx(2 / 3)
    assert SetP(relative=True).of([1, 0], [1, 1]) == approx(1 / 2)


def test_set_f_squares_beta_unless_told_otherwise():
    p, r = 2 / 4, 2 / 3

    assert SetF().of(SHOWN, MISSED) == approx(2 * p * r / (p + r))
    assert SetF(beta=2).of(SHOWN, MISSED) == approx(5 * p * r / (4 * p + r))
    assert SetF(beta=2, squared=False).of(SHOWN, MISSED) == approx(3 * p * r / (2 * p + r))


def test_set_average_precision_is_precision_times_recall():
    assert SetAP().of(SHOWN, MISSED) == approx(2 / 4 * 2 / 3)


@pytest.mark.parametrize("m", [SetP(), SetP(relative=True), SetR(), SetF(), SetAP()], ids=str)
@pytest.mark.parametrize("shown", [[], [None], [0, -1]], ids=["empty", "unjudged", "not relevant"])
def test_nothing_found_is_zero(m, shown):
    assert m.of(shown, missed=[1]) == 0


@pytest.mark.parametrize(
    ("text", "m"),
    [
        ("set_P", SetP()),
        ("set_relative_P", SetP(relative=True)),
        ("SetRelP", SetP(relative=True)),
        ("SetP(relative=True)", SetP(relative=True)),
        ("set_recall", SetR()),
        ("set_map", SetAP()),
        ("set_F", SetF()),
        ("set_F_2", SetF(beta=2, squared=False)),  # trec_eval's own spelling: not squared
        ("set_F.0.5", SetF(beta=0.5, squared=False)),
        ("SetF(beta=0.5)", SetF(beta=0.5)),
    ],
)
def test_spellings(text, m):
    assert parse(text) == m


CASES = [
    (SetP(), naive.SetP),
    (SetP(relative=True), naive.SetRelP),
    (SetR(rel=2), partial(naive.SetR, rel=2)),
    (SetF(beta=2), partial(naive.SetF, beta=2)),
    (SetF(beta=2, squared=False), partial(naive.SetF, beta=2, squared=False)),
    (SetAP(), naive.SetAP),
]


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
def test_agrees_with_the_definition(m, definition):
    assert_agrees(m, definition)


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
@given(tied=tied_lists(), depth=st.none() | st.integers(1, 5))
@settings(**QUICK)
def test_expectation_is_the_mean_over_all_orders(m, definition, tied: Tied, depth):
    assert_expected(m, definition, tied, depth)
