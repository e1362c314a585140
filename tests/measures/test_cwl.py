"""INSQ, INST, BPM, SDCG, NERR8 to NERR11."""

from functools import partial
from math import log2

import pytest
from hypothesis import given, settings

from oracle import naive
from oracle.naive import Query
from rankgauge.errors import ParameterError
from rankgauge.measures import BPM, INSQ, INST, NERR8, NERR9, NERR10, NERR11, SDCG, parse

from .support import Tied, aligned, assert_agrees, assert_expected, case_id, tied_lists

approx = pytest.approx
ALL = [INSQ(), INST(), BPM(k=5), SDCG(k=5), NERR8(k=5), NERR9(k=5), NERR10(), NERR11()]


def test_insq_weights_fall_with_the_square_of_the_rank():
    weights = [(2 / (i + 1)) ** 2 for i in range(1, 1001)]

    assert INSQ().of([1, 0, 1]) == approx((weights[0] + weights[2]) / sum(weights))


def test_inst_loses_patience_once_the_target_is_found():
    # T = 1 found at rank 1, so T_i = 0 from there on: C_i = (i / (i + 1))², V_i = (1/i)²
    assert INST().of([1]) == approx(1 / sum(1 / i**2 for i in range(1, 1001)))


def test_bpm_stops_with_the_target_found_or_after_k():
    assert BPM(k=10).of([0, 1, 1]) == approx(1 / 2)
    assert BPM(k=10, T=2).of([0, 1, 1]) == approx(2 / 3)
    assert BPM(k=10).of([0, 0], missed=[1]) == 0
    assert BPM(k=2, T=2).of([1, 0, 1]) == approx(1 / 2)


def test_sdcg_divides_by_k_perfect_results():
    assert SDCG(k=3).of([2, 0, 1]) == approx((1 + 0.5 / log2(4)) / (1 + 1 / log2(3) + 1 / log2(4)))


def test_nerr_readers_leave_with_the_chance_of_the_gain():
    # gains 1/2, 1: the second result is reached by half of the readers
    assert NERR8(k=2).of([1, 2]) == approx((1 / 2 + 1 / 2 * 1) / (1 + 1 / 2))
    assert NERR9(k=2).of([1, 2]) == approx((1 / 2 + 1 / 4 * 1) / (1 + 1 / 4))
    assert NERR10(p=0.5).of([1, 2]) == approx((1 / 2 + 1 / 4 * 1) / (1 + 1 / 4))
    assert NERR11().of([1, 2]) == approx((1 / 2 + (2 / 3) ** 2 / 2) / (1 + (2 / 3) ** 2 / 2))


def test_gains_are_scaled_between_the_lowest_and_the_highest_grade():
    assert SDCG(k=1, min_rel=1, max_rel=3).of([2]) == approx((2 - 1) / (3 - 1))
    assert SDCG(k=1, max_rel=2).of([5]) == 1  # no gain above 1
    assert SDCG(k=1, min_rel=2).of([-1], missed=[4]) == 0


def test_the_highest_grade_of_all_judgements_is_filled_in_and_printed():
    a = aligned([Query(["a"], {"a": 1}), Query(["b"], {"b": 4})])
    m = SDCG(k=1).bind(a)

    assert str(m) == "SDCG(max_rel=4)@1"
    assert m.values(a) == approx([1 / 4, 1])


def test_highest_below_lowest_grade_is_refused():
    with pytest.raises(ParameterError, match="`max_rel` must not be below min_rel"):
        INSQ(min_rel=2, max_rel=1).of([1])


CWL_EVAL = {  # cwl_eval 1.0.12 through ir_measures 0.4.3
    "INSQ": 0.14680234356415453,
    "INSQ(T=2)": 0.11281687795650608,
    "INST": 0.15919336075775534,
    "BPM@20": 0.14285714285714285,
    "SDCG@10": 0.14113603984260503,
    "NERR8@10": 0.14672177343603232,
    "NERR9@10": 0.178696048958557,
    "NERR10": 0.12785935873481136,
    "NERR11": 0.17924746207966982,
}


@pytest.mark.parametrize("text", CWL_EVAL)
def test_values_of_cwl_eval(text):
    shown = [1, 0, 1, 1, None, None, 1, 0, 1, 0]

    assert parse(text).replace(max_rel=4).of(shown) == approx(CWL_EVAL[text], abs=1e-12)


def test_ranks_below_a_thousand_do_not_count():
    shown = [None] * 1000 + [1]

    assert all(m.of(shown) == 0 for m in (INSQ(), INST(), BPM(), SDCG(), NERR8(), NERR9(), NERR10(), NERR11()))


@pytest.mark.parametrize("m", ALL, ids=str)
@pytest.mark.parametrize("shown", [[], [None], [0, -1]], ids=["empty", "unjudged", "not relevant"])
def test_nothing_found_is_zero(m, shown):
    assert m.of(shown, missed=[1]) == 0


@pytest.mark.parametrize("m", ALL, ids=str)
def test_nothing_but_zero_grades_is_zero(m):
    assert m.of([0, 0]) == 0


def test_ir_measures_spellings():
    assert parse("BPM(T=2.0, max_rel=3)@20") == BPM(k=20, T=2, max_rel=3)
    assert parse("NERR10(p=0.5)") == NERR10(p=0.5)


CASES = [
    (INSQ(), naive.INSQ),
    (INSQ(T=2.5), partial(naive.INSQ, T=2.5)),
    (INST(), naive.INST),
    (BPM(k=5), partial(naive.BPM, k=5)),
    (BPM(k=20, T=2.5), partial(naive.BPM, k=20, T=2.5)),
    (SDCG(k=5), partial(naive.SDCG, k=5)),
    (NERR8(k=5), partial(naive.NERR8, k=5)),
    (NERR9(k=5), partial(naive.NERR9, k=5)),
    (NERR10(), naive.NERR10),
    (NERR10(p=0.5, min_rel=1), partial(naive.NERR10, p=0.5, min_rel=1)),
    (NERR11(T=2), partial(naive.NERR11, T=2)),
]


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
def test_agrees_with_the_definition(m, definition):
    assert_agrees(m, partial(definition, max_rel=4))


@pytest.mark.parametrize(("m", "definition"), [CASES[i] for i in (0, 3, 5, 6, 8)], ids=case_id)
@given(tied=tied_lists())
@settings(max_examples=4, deadline=None)
def test_expectation_is_the_mean_over_all_orders(m, definition, tied: Tied):
    assert_expected(m.replace(max_rel=4), partial(definition, max_rel=4), tied)
