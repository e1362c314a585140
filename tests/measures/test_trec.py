"""RprecMult, Utility, G, binG, nDCGrel, Rndcg, yaap, IDCG, relstring; and trec_eval's printed output."""

from functools import partial
from math import log, log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle import naive, trec_golden
from rankgauge.errors import ParameterError
from rankgauge.measures import (
    IDCG,
    G,
    Measure,
    Rndcg,
    Rprec,
    RprecMult,
    Utility,
    binG,
    nDCG,
    nDCGrel,
    parse,
    relstring,
    yaap,
)

from .support import QUICK, Tied, aligned, assert_agrees, assert_expected, case_id, tied_lists, world

approx = pytest.approx
MAPPING = {1: 3, 2: 9, 4: 4.5}


def test_rprec_mult_cuts_at_a_multiple_of_the_relevant_items():
    assert RprecMult(c=2).of([1, 0, 1, None]) == approx(2 / 4)
    assert RprecMult(c=0.2).of([1, 1, 1], missed=[1, 1]) == approx(1 / 1)  # .2 · 5 + .9 → 1
    assert RprecMult(c=0.35).of([0, 1, 1], missed=[1, 1]) == approx(1 / 2)  # .35 · 4 + .9 → 2
    assert RprecMult().of([1, 0, 1]) == Rprec().of([1, 0, 1])


def test_rprec_mult_of_a_short_list_still_divides_by_the_multiple():
    assert RprecMult(c=5).of([1]) == approx(1 / 5)


def test_rprec_mult_below_a_tenth_of_an_item_is_zero():
    assert RprecMult(c=0.05).of([1]) == 0


def test_utility_is_a_weighted_sum():
    shown, missed = [1, 0, None], [1]

    assert Utility().of(shown, missed) == 1 * 1 - 1 * 2
    assert Utility(weights=(2, -1, -0.5, 0.1), documents=100).of(shown, missed) == approx(
        2 * 1 - 1 * 2 - 0.5 * 1 + 0.1 * (100 - 3 - 1)
    )


def test_utility_is_defined_without_relevant_items():
    _, a = world()

    assert Utility().defined(a).all()


def test_utility_takes_four_weights():
    assert parse("utility_2,-1,0,0") == Utility(weights=(2, -1, 0, 0))
    with pytest.raises(ParameterError, match="Utility: `weights` must be 4 numbers such as 1;-1;0;0"):
        parse("utility_2,-1")


def test_g_compares_with_the_cost_of_the_ideal_list():
    # ideal gains 2, 1; cost 2, 3, 4 at ranks 1 to 3; collected 0, 2, 3
    assert G().of([0, 2, 1]) == approx((2 / log2(2 + 3 - 2) + 1 / log2(2 + 4 - 3)) / (2 + 1))


def test_g_of_the_ideal_list_is_one():
    assert G().of([3, 2, 1]) == approx(1)


def test_bing_counts_what_is_not_relevant_above():
    assert binG().of([0, 1, None, 1], missed=[1]) == approx((1 / log2(2 + 1) + 1 / log2(2 + 2) + 0) / 3)


def test_ndcg_rel_is_the_mean_of_ndcg_at_the_relevant_ranks():
    ideal = 2 / log2(2) + 1 / log2(3)

    got = nDCGrel().of([0, 2, 1])

    assert got == approx((2 / log2(3) / ideal + (2 / log2(3) + 1 / log2(4)) / ideal) / 2)


def test_ndcg_rel_gives_missed_items_the_ndcg_of_the_list():
    at_1, whole = 1.0, 1 / (1 + 1 / log2(3))

    assert nDCGrel().of([1], missed=[1]) == approx((at_1 + whole) / 2)


def test_rndcg_is_the_mean_of_ndcg_where_the_ideal_list_goes_down():
    at_1 = 1 / 2
    at_2 = (1 + 2 / log2(3)) / (2 + 1 / log2(3))

    assert Rndcg().of([1, 2]) == approx((at_1 + at_2) / 2)
    assert Rndcg().of([1, 2, None]) == approx((at_1 + at_2) / 2)  # N = n + 1 adds no point
    assert Rndcg().of([1, 2, None, None]) == approx((at_1 + at_2 + at_2) / 3)


@pytest.mark.parametrize("filler", [0, 40])
def test_rndcg_of_lists_longer_and_shorter_than_the_ideal_list(filler):
    unjudged = [f"x{i}" for i in range(filler)]
    queries = [
        naive.Query([*unjudged, "a", "b"], {"a": 1, "b": 2}),
        naive.Query(["b", *unjudged], {f"m{i}": 1 + i % 3 for i in range(30)} | {"b": 3}),
        naive.Query(["a", *unjudged, "b"], {"a": 1, "b": 2}),
    ]

    assert Rndcg().values(aligned(queries)) == approx([naive.Rndcg(q) for q in queries])


def test_yaap_is_average_precision_as_log_odds():
    total = 1 / 1 + 2 / 3

    assert yaap().of([1, 0, 1], missed=[1]) == approx(log((1 + total) / (1 + 3 - total)))
    assert yaap().of([], missed=[1, 1]) == approx(log(1 / 3))


def test_idcg_is_the_denominator_of_ndcg():
    _, a = world()

    for k in (None, 3):
        assert IDCG(k=k).values(a) == approx(nDCG(k=k).ratio(a)[1])


def test_relstring_has_a_character_for_each_result():
    assert relstring().of([1, None, 0, 12, -1]) == "1-0>."
    assert relstring().of([9, 10, 1.5]) == "9>1"
    assert relstring(k=2).of([1, None, 0]) == "1-"
    assert relstring().of([None] * 12) == "-" * 10
    assert relstring().of([], missed=[1]) == ""


@pytest.mark.parametrize("m", [G(), nDCGrel(), Rndcg(), IDCG()], ids=str)
def test_measures_of_gain_are_defined_where_something_has_gain(m):
    queries, a = world()

    assert list(m.defined(a)) == [naive.NumRel(q) > 0 for q in queries]


def test_relstring_is_text_without_a_mean():
    _, a = world()

    assert relstring.summary == "none"
    assert relstring().values(a, expected=True).dtype == object


@pytest.mark.parametrize("m", [RprecMult(), G(), binG(), nDCGrel(), Rndcg()], ids=str)
@pytest.mark.parametrize("shown", [[], [None], [0, -1]], ids=["empty", "unjudged", "not relevant"])
def test_nothing_found_is_zero(m, shown):
    assert m.of(shown, missed=[1]) == 0


GAINS = ["linear", "exponential", MAPPING, {0: 1, 3: -1}]
CASES = [
    *((RprecMult(c=c), partial(naive.Rprec_mult, multiple=c)) for c in (0.05, 0.2, 0.35, 1, 1.4, 5)),
    (Utility(), naive.utility),
    (
        Utility(weights=(1, -2, 0.5, 3), documents=100),
        partial(naive.utility, weights=(1, -2, 0.5, 3), documents=100),
    ),
    *((G(gain=g), partial(naive.G, gain=g)) for g in GAINS),
    *((nDCGrel(gain=g), partial(naive.ndcg_rel, gain=g)) for g in GAINS),
    *((Rndcg(gain=g), partial(naive.Rndcg, gain=g)) for g in GAINS[:-1]),
    (Rndcg(rel=2), partial(naive.Rndcg, rel=2)),
    *((IDCG(k=k, gain=g), partial(naive.ideal_dcg, k=k, gain=g)) for k, g in ((None, "linear"), (3, MAPPING))),
    (binG(), naive.binG),
    (yaap(rel=2), partial(naive.yaap, rel=2)),
    *((relstring(k=k), partial(naive.relstring, n=k)) for k in (10, 3, 40)),
]


@pytest.mark.parametrize(("m", "definition"), CASES, ids=case_id)
def test_agrees_with_the_definition(m, definition):
    assert_agrees(m, definition)


@pytest.mark.parametrize(
    ("m", "definition"),
    [
        (RprecMult(c=1.4), partial(naive.Rprec_mult, multiple=1.4)),
        (Utility(), naive.utility),
        (IDCG(), naive.ideal_dcg),
        (G(), naive.G),
        (binG(), naive.binG),
        (nDCGrel(), naive.ndcg_rel),
        (Rndcg(), naive.Rndcg),
        (yaap(), naive.yaap),
    ],
    ids=case_id,
)
@given(tied=tied_lists(), depth=st.none() | st.integers(1, 5))
@settings(**QUICK)
def test_expectation_is_the_mean_over_all_orders(m, definition, tied: Tied, depth):
    assert_expected(m, definition, tied, depth)


# trec_eval's own output


OUTPUTS = {"out.test.aq", "out.test.aql", "out.test.meas_params", "out.test.qrels_jg"}
AS_TREC_EVAL = {
    "RBP": {"p": 0.9, "graded": "topic"},
    "RBPresidual": {"p": 0.9, "complete": "zero", "negative": "unjudged"},
    "Unjudged": {"negative": "unjudged"},
}
IGNORE_LEVEL = {"DCG", "nDCG", "RBP", "NumRet"}


def _measure(name: str, level: int) -> Measure:
    m = parse(name).replace(**AS_TREC_EVAL.get(parse(name).name, {}))
    return m.replace(rel=level) if "rel" in m.params and m.name not in IGNORE_LEVEL else m


@pytest.mark.parametrize(
    "golden",
    [g for g in trec_golden.TREC_TEST if g.output.rpartition("/")[2] in OUTPUTS],
    ids=lambda golden: golden.output,
)
def test_printed_output_of_trec_eval(golden, shared):
    queries = trec_golden.load(golden, shared)
    a = aligned(list(queries.values()))
    number = {query: i for i, query in enumerate(queries)}
    printed = [x for x in trec_golden.read_output(shared / golden.output) if x.query != "all"]
    names = dict.fromkeys(line.name for line in printed)
    values = {name: _measure(name, golden.level).values(a) for name in names}

    for line in printed:
        value = values[line.name][number[line.query]]
        if isinstance(value, str):
            assert line.text == f"'{value}'"
        else:
            assert abs(value - float(line.text)) < 0.00005 + 1e-9, line

    assert len(printed) >= len(names) * len(queries) > 0
    assert np.all(a.by_query.lengths > 0)
