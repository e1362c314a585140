"""alpha_DCG, alpha_nDCG, ERR_IA, nERR_IA, NRBP, nNRBP, AP_IA, P_IA, StRecall."""

from functools import partial
from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle import naive, trec_golden
from rankgauge.errors import InputError
from rankgauge.measures import (
    AP_IA,
    ERR_IA,
    NRBP,
    P_IA,
    StRecall,
    alpha_DCG,
    alpha_nDCG,
    nERR_IA,
    nNRBP,
    parse,
)

from .support import (
    QUICK,
    Tied,
    aligned,
    assert_agrees,
    assert_expected,
    case_id,
    tied_lists,
    with_headings,
    world,
)

approx = pytest.approx
SHOWN = [(1, 0), (1, 0), (0, 1)]  # two results for the first subtopic, then one for the second
ALL = [alpha_DCG(), alpha_nDCG(), ERR_IA(), nERR_IA(), NRBP(), nNRBP(), AP_IA(), P_IA(), StRecall()]


def test_repeating_a_subtopic_counts_half():
    gain = 1 + 0.5 / log2(3) + 1 / log2(4)
    everything = 2 * (1 + 0.5 / log2(3) + 0.25 / log2(4))

    assert alpha_DCG(k=3).of(SHOWN) == approx(gain / everything)


def test_alpha_ndcg_divides_by_the_greedy_ideal():
    ideal = 1 + 1 / log2(3) + 0.5 / log2(4)

    assert alpha_nDCG(k=3).of(SHOWN) == approx((1 + 0.5 / log2(3) + 1 / log2(4)) / ideal)


def test_alpha_zero_forgives_repetition_and_alpha_one_forbids_it():
    assert alpha_DCG(k=2, alpha=0).of([(1,), (1,)]) == approx(1)
    assert alpha_nDCG(k=3, alpha=1).of(SHOWN) == approx((1 + 1 / log2(4)) / (1 + 1 / log2(3)))


def test_cutoff_one_is_divided_by_the_number_of_subtopics():
    assert alpha_DCG(k=1).of([(1, 1), (1, 0)], missed=[(0, 0, 1)]) == approx(2 / 3)
    assert ERR_IA(k=1).of([(1, 1), (1, 0)], missed=[(0, 0, 1)]) == approx(2 / 3)


def test_a_list_shorter_than_k_is_scaled_as_one_of_k():
    assert ERR_IA(k=2).of([(1,)]) == approx(1 / (1 + 0.5 / 2))


def test_err_ia_divides_by_the_rank():
    assert ERR_IA(k=3).of(SHOWN) == approx((1 + 0.5 / 2 + 1 / 3) / (2 * (1 + 0.5 / 2 + 0.25 / 3)))
    assert nERR_IA(k=3).of(SHOWN) == approx((1 + 0.5 / 2 + 1 / 3) / (1 + 1 / 2 + 0.5 / 3))


def test_nrbp_weighs_novelty_by_powers_of_beta():
    gain = 1 + 0.5 * 0.8 + 1 * 0.8**2

    assert NRBP(beta=0.8).of(SHOWN) == approx((1 - 0.5 * 0.8) / 2 * gain)
    assert nNRBP(beta=0.8).of(SHOWN) == approx(gain / (1 + 0.8 + 0.5 * 0.8**2))


def test_intent_aware_means_take_every_subtopic_alike():
    assert AP_IA().of(SHOWN) == approx(((1 / 1 + 2 / 2) / 2 + 1 / 3) / 2)
    assert P_IA(k=3).of(SHOWN) == approx((2 / 3 + 1 / 3) / 2)
    assert StRecall(k=2).of(SHOWN) == approx(1 / 2)


def test_subtopics_without_a_relevant_item_do_not_count():
    assert StRecall().of([(1, 0)]) == 1
    assert AP_IA().of([(1, -1)]) == 1


def test_level_two_needs_grade_two():
    assert StRecall(rel=2).of([(2, 1)], missed=[(0, 2)]) == approx(1 / 2)


def test_greedy_ideal_can_be_beaten_a_little():
    # greedy takes the item with four subtopics first, and the next one adds only one
    shown = [(1, 0, 0, 1, 1, 0), (0, 1, 1, 0, 0, 1)]
    greedy_first = (0, 0, 1, 1, 1, 1)

    got = alpha_nDCG(k=2, alpha=1).of(shown, missed=[greedy_first])

    assert got == approx((3 + 3 / log2(3)) / (4 + 1 / log2(3)))
    assert got > 1


@pytest.mark.parametrize("m", ALL, ids=str)
@pytest.mark.parametrize("shown", [[], [None], [(0, -1)]], ids=["empty", "unjudged", "not relevant"])
def test_nothing_found_is_zero(m, shown):
    assert m.of(shown, missed=[(1, 0)]) == 0


@pytest.mark.parametrize("m", ALL, ids=str)
def test_nothing_relevant_is_zero_and_undefined(m):
    queries, a = world(headings=True)
    without = [not naive.subtopics(q, 1) for q in queries]

    assert (m.values(a)[without] == 0).all()
    assert list(m.defined(a)) == [not x for x in without]


@pytest.mark.parametrize("m", ALL, ids=str)
def test_without_subtopics_it_says_where_they_belong(m):
    with pytest.raises(InputError, match=r"needs judgements by subtopic.*iteration column of the qrels"):
        m.of([1, 0])


def test_greek_spelling():
    assert parse("α_nDCG@10") == parse("alpha_nDCG@10") == alpha_nDCG(k=10)


NDEVAL = {  # pyndeval 0.0.8 on the TREC Web 2014 subtopics, means of 50 topics
    "alpha_DCG@5": 0.4261518233,
    "alpha_DCG@20": 0.5268103570,
    "alpha_nDCG@5": 0.4348057637,
    "alpha_nDCG@20": 0.5355890427,
    "ERR_IA@20": 0.4224279023,
    "nERR_IA@20": 0.4305397986,
    "NRBP": 0.3582884490,
    "nNRBP": 0.3648453744,
    "AP_IA": 0.2260466382,
    "P_IA@10": 0.3798857143,
    "StRecall@10": 0.7576666667,
}


def test_values_of_ndeval_on_a_real_run(shared):
    """ndeval orders equal scores by ascending id."""
    folder = shared / "web2014_diversity"
    judged = trec_golden.read_qrels(folder / "qrels.web.251-300.ndeval.txt")
    run = trec_golden.read_run(folder / "test.wt14.run")
    queries = [with_headings(sorted(sorted(run[q]), key=lambda doc: -run[q][doc]), judged[q]) for q in judged]
    a = aligned(queries)

    got = {text: parse(text).values(a).mean() for text in NDEVAL}

    assert got == approx(NDEVAL, abs=1e-9)


NOVELTY = {
    alpha_DCG: naive.alpha_DCG,
    alpha_nDCG: naive.alpha_nDCG,
    ERR_IA: naive.ERR_IA,
    nERR_IA: naive.nERR_IA,
}
CASES = [
    *((m(k=k), partial(f, k=k)) for m, f in NOVELTY.items() for k in (None, 1, 3, 20)),
    *((m(alpha=x), partial(f, alpha=x)) for m, f in NOVELTY.items() for x in (0, 0.25, 1)),
    *((m(k=4, rel=2), partial(f, k=4, rel=2)) for m, f in NOVELTY.items()),
    *((NRBP(alpha=x, beta=b), partial(naive.NRBP, alpha=x, beta=b)) for x, b in ((0.5, 0.5), (0.25, 0.8))),
    *((nNRBP(alpha=x, beta=b), partial(naive.nNRBP, alpha=x, beta=b)) for x, b in ((0.5, 0.5), (0.25, 0.8))),
    (AP_IA(), naive.AP_IA),
    (AP_IA(rel=2), partial(naive.AP_IA, rel=2)),
    *((P_IA(k=k), partial(naive.P_IA, k=k)) for k in (None, 4)),
    *((StRecall(k=k), partial(naive.StRecall, k=k)) for k in (None, 1, 5)),
]


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
def test_agrees_with_the_definition(m, definition):
    assert_agrees(m, definition, headings=True)


@pytest.mark.parametrize(
    ("m", "definition"),
    [
        *((m(k=3), partial(f, k=3)) for m, f in NOVELTY.items()),
        *((alpha_DCG(k=2, alpha=x), partial(naive.alpha_DCG, k=2, alpha=x)) for x in (0, 1)),
        (alpha_nDCG(k=3, rel=2), partial(naive.alpha_nDCG, k=3, rel=2)),
        (NRBP(), naive.NRBP),
        (nNRBP(), naive.nNRBP),
        (AP_IA(), naive.AP_IA),
        (P_IA(k=2), partial(naive.P_IA, k=2)),
        (StRecall(k=2), partial(naive.StRecall, k=2)),
    ],
    ids=case_id,
)
@given(tied=tied_lists(headings=True).filter(lambda t: t.query.groups), depth=st.none() | st.integers(1, 5))
@settings(**QUICK)
def test_expectation_is_the_mean_over_all_orders(m, definition, tied: Tied, depth):
    assert_expected(m, definition, tied, depth)
