"""The census: what holds for every measure, so that none is forgotten."""

import math
import pickle
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from oracle.naive import Query
from rankgauge.alignment import Alignment
from rankgauge.alignment.ties import best_case, worst_case
from rankgauge.errors import ParameterError
from rankgauge.measures import REGISTRY, Measure, parse
from rankgauge.measures.base import ALIASES, Param, fold, measure

from .support import EPS, QUICK, Tied, aligned, tied_lists, world

ALL = [cls() for cls in REGISTRY.values() if not getattr(cls, "custom", False)]
NUMBERS = [m for m in ALL if m.summary != "none"]
HEADED = [m for m in ALL if m.needs & {"subtopics", "groups"}]  # several judgements of an item
PLAIN = [m for m in NUMBERS if m not in HEADED]
GREEDY = {"alpha_nDCG", "nERR_IA", "nNRBP"}  # the greedy ideal list can be beaten: values pass 1 by a little

each = pytest.mark.parametrize("m", ALL, ids=str)
each_number = pytest.mark.parametrize("m", NUMBERS, ids=str)
each_plain = pytest.mark.parametrize("m", PLAIN, ids=str)


def lists_for(m: Measure) -> tuple[list[Query], Alignment]:
    return world(headings=m in HEADED)


# the record


@each
def test_record_is_complete(m):
    assert m.title
    assert m.family
    assert m.question.endswith("?")
    assert m.name in m.formula
    assert m.example is not None
    assert type(m).__doc__
    assert m.bounds[0] < m.bounds[1]
    assert m.summary in ("mean", "sum", "geometric", "none")
    assert m.needs <= {"grade", "nonrelevant", "subtopics", "groups"}
    assert all(p.doc for p in m.params.values())


@each
def test_example_has_the_value_of_its_sum(m):
    shown = type(m)(**m.example.params).of(m.example.shown, m.example.missed)
    names = {name: getattr(math, name) for name in ("log", "log2", "sqrt", "exp")}

    assert shown == pytest.approx(eval(m.example.sum, names), abs=EPS)


def test_some_measures_are_better_when_low():
    assert {m.name for m in ALL if not m.higher_is_better} == {"NumNonrelJudgedRet", "RBPresidual", "Unjudged"}


def test_measures_that_need_nothing_relevant():
    assert {m.name for m in ALL if not m.relevance} == {
        *("NumQ", "NumRet", "NumRel", "NumRelRet", "NumNonrelJudgedRet"),
        *("Judged", "Unjudged", "RBPresidual", "Utility", "relstring"),
    }


# names


@each
def test_every_name_leads_to_the_measure(m):
    for name in (m.name, *m.aliases):
        assert type(parse(name)) is type(m)


def test_no_name_is_claimed_twice():
    claims = [(fold(name), cls.name) for cls in REGISTRY.values() for name in (cls.name, *cls.aliases)]

    assert len({spelling for spelling, _ in claims}) == len(set(claims))
    assert {spelling for spelling, _ in claims} == set(ALIASES)


def test_a_taken_name_is_refused():
    with pytest.raises(ParameterError, match="the name 'MRR' belongs to RR already"):

        @measure(title="x", family="x", question="x?", formula="x", aliases=["MRR"])
        class Taken(Measure):
            pass

    REGISTRY.pop("Taken", None)
    ALIASES.pop("taken", None)


CANDIDATES = [
    *("2000t", "4000c"),
    *(1, 2, 3, 10, 0.5, 0.25, 0.95, 100),
    *(True, False, "0.25;0.5", "2;-1;0;0.5", {1: 3, 2: 4.5}, "exponential"),
    *(
        "min",
        "hits",
        "retrieved",
        "returned",
        "uncut",
        "jk",
        "max",
        "topic",
        "raw",
        "zero",
        "unjudged",
        "up",
        "any",
    ),
]


def accepted(p: Param) -> list[object]:
    values = []
    for candidate in CANDIDATES:
        try:
            values.append(p.read(candidate))
        except ValueError:
            continue
    return values


@each
def test_parse_reads_back_what_str_writes(m):
    assert parse(str(m)) == m
    for name, p in m.params.items():
        assert accepted(p), (m, name)
        for value in accepted(p):
            changed = m.replace(**{name: value})

            assert parse(str(changed)) == changed


@each
def test_parse_reads_back_several_parameters_at_once(m):
    changed = m.replace(**{name: accepted(p)[-1] for name, p in m.params.items()})

    assert parse(str(changed)) == changed
    assert parse(str(changed).replace(", ", ",")) == changed


@each
def test_parameters_at_their_defaults_are_not_printed(m):
    assert str(m).partition("@")[0] == m.name


# a value like any other


@each
def test_is_a_value(m):
    twin = type(m)(**{name: getattr(m, name) for name in m.params})

    assert twin == m
    assert hash(twin) == hash(m)
    assert {m: 1}[twin] == 1
    assert pickle.loads(pickle.dumps(m)) == m
    with pytest.raises(AttributeError, match="is a value"):
        m.rel = 3


@each
def test_unknown_parameters_are_refused(m):
    with pytest.raises(ParameterError, match=f"{m.name}: unknown parameter 'nonsense'"):
        type(m)(nonsense=1)


# numbers


@each
def test_one_value_per_query(m):
    _, a = lists_for(m)

    values = m.bind(a).values(a)

    assert values.shape == (a.n_queries,)
    assert values.dtype == (object if m.summary == "none" else np.float64)


@each
def test_no_queries_no_values(m):
    _, a = lists_for(m)
    none = a.of_queries(np.zeros(0, dtype=np.int64))

    assert m.bind(none).values(none).shape == (0,)


@each_number
def test_values_are_inside_the_bounds(m):
    _, a = lists_for(m)
    low, high = m.bounds

    values = m.bind(a).values(a)

    assert np.isfinite(values).all()
    assert values.min() >= low - EPS
    if m.name not in GREEDY:
        assert values.max() <= high + EPS


def test_raw_gains_have_no_upper_bound():
    assert parse("RBP(graded=raw)").bounds == (0, math.inf)
    assert parse("RBP(graded=max)").bounds == (0, 1)


@each
def test_value_of_a_query_does_not_depend_on_the_others(m):
    _, a = lists_for(m)
    bound = m.bind(a)
    backwards = np.arange(a.n_queries)[::-1]

    assert (bound.values(a.of_queries(backwards)) == bound.values(a)[backwards]).all()
    for i in (0, 9, 100, 301, a.n_queries - 1):
        assert bound.values(a.of_queries(np.array([i])))[0] == bound.values(a)[i]


@each
def test_alignment_comes_back_as_it_went_in(m):
    _, a = lists_for(m)
    fields = ("grade", "rank", "tie_first", "tie_last", "retrieved", "offsets")
    before = {name: getattr(a, name).copy() for name in fields}

    m.bind(a).values(a, expected=True)

    assert all((getattr(a, name) == before[name]).all() for name in fields)


@each_number
def test_expectation_without_ties_is_the_value(m):
    _, a = lists_for(m)
    some = a.of_queries(np.arange(0, a.n_queries, 10))
    bound = m.bind(some)

    assert bound.values(some, expected=True) == pytest.approx(bound.expected(some), abs=EPS)


@each_plain
def test_judged_only_leaves_unjudged_results_out_first(m):
    shown, condensed = [None, 1, None, 0, 2, None], [1, 0, 2]

    assert m.replace(judged_only=True).of(shown, [1]) == m.of(condensed, [1])


def test_negative_grades_count_like_zero_where_not_said_otherwise():
    special = {"bpref", "GMbpref", "infAP", "NumNonrelJudgedRet"}  # "in the pool, but not judged"
    shown, zeros = [-2, 1, -1, 2, None], [0, 1, 0, 2, None]

    differing = {m.name for m in PLAIN if m.of(shown, [1]) != m.of(zeros, [1])}

    assert differing <= special


@each
def test_measures_that_share_an_alignment_do_not_disturb_each_other(m):
    """What one measure keeps on the alignment for the next one must be what that one would compute."""
    _, a = lists_for(m)
    variants = [m, *(m.replace(**{name: x}) for name, p in m.params.items() for x in accepted(p)[:4])]
    shared = replace(a, _cache={})

    for variant in variants:
        try:
            alone = variant.bind(a).values(replace(a, _cache={}))
        except ParameterError:  # a highest grade below those judged
            continue

        assert (variant.bind(a).values(shared) == alone).all(), variant


LEVELS = [m for m in ALL if "rel" in m.params and m.rel == 1 and "gain" not in m.params]


@pytest.mark.parametrize("m", LEVELS, ids=str)
def test_a_level_of_two_makes_grade_one_not_relevant(m):
    _, a = lists_for(m)
    groups = a.groups and replace(a.groups, grade=_without_ones(a.groups.grade))
    lower = replace(a, grade=_without_ones(a.grade), groups=groups, _cache={})

    at_two = m.replace(rel=2)

    assert (at_two.values(a) == m.values(lower)).all()
    assert (at_two.defined(a) == m.defined(lower)).all()
    assert (at_two.values(a) != m.values(a)).any()


def _without_ones(grade: np.ndarray) -> np.ndarray:
    return np.where(grade == 1, 0, grade)


# what a good list is


NOT_TOP_HEAVY = {
    "Judged": "says nothing about relevance",
    "NumNonrelJudgedRet": "counts what is not relevant",
}
BETTER_HIGH = [m for m in PLAIN if m.higher_is_better and m.name not in NOT_TOP_HEAVY]
REACH_ONE = [
    *("P", "R", "F", "Hit", "RR", "AP", "GMAP", "Rprec", "nDCG", "bpref", "GMbpref", "IPrec", "IPrec11"),
    *("SetP", "SetR", "SetF", "SetAP", "Compat", "G", "binG", "nDCGrel", "Rndcg", "RprecMult"),
]
grades = st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.0]), min_size=1, max_size=7)


@pytest.mark.parametrize("name", REACH_ONE)
@given(shown=grades)
@settings(**QUICK)
def test_perfect_list_is_one(name, shown):
    perfect = sorted((g for g in shown if g > 0), reverse=True)
    assume(perfect)

    assert parse(name).of(perfect) == pytest.approx(1, abs=EPS)


@pytest.mark.parametrize("m", BETTER_HIGH, ids=str)
@given(shown=grades)
@settings(**QUICK)
def test_no_order_beats_the_best_grades_first(m, shown):
    a = aligned([_of(shown), _of(sorted(shown, reverse=True))])

    value, perfect = m.bind(a).values(a)

    assert perfect >= value - EPS


CAN_HURT = {
    "G": ([1, 2, 3], [1, 3, 2]),  # the ideal list costs most at the top, where the list now lags behind more
    "BPM": ([0, 2, 3], [0, 3, 2]),  # the reader has enough sooner, and never sees the last result
}


@pytest.mark.parametrize("name", CAN_HURT)
def test_moving_a_better_result_up_can_hurt(name):
    before, after = CAN_HURT[name]

    assert parse(name).of(after) < parse(name).of(before)


@pytest.mark.parametrize("m", [m for m in BETTER_HIGH if m.name not in CAN_HURT], ids=str)
@given(shown=grades)
@settings(**QUICK)
@example(shown=[0, 1])
def test_moving_a_better_result_up_never_hurts(m, shown):
    lists = [shown]
    for i, (upper, lower) in enumerate(pairwise(shown)):
        if lower > upper:
            lists.append([*shown[:i], lower, upper, *shown[i + 2 :]])
    a = aligned([_of(x) for x in lists])

    before, *after = m.bind(a).values(a)

    assert all(value >= before - EPS for value in after)


def _of(shown: list[float]) -> Query:
    return Query([f"d{i}" for i in range(len(shown))], {f"d{i}": g for i, g in enumerate(shown)})


NO_BRACKET = {
    *CAN_HURT,
    "infAP",
}  # which takes a negative grade for a result nobody judged, not for a bad one


@pytest.mark.parametrize("m", [m for m in BETTER_HIGH if m.name not in NO_BRACKET], ids=str)
@given(tied=tied_lists())
@settings(**QUICK)
def test_expectation_lies_between_the_worst_and_the_best_order(m, tied: Tied):
    a = tied.alignment
    bound = m.bind(a)

    worst, best = bound.values(worst_case(a))[0], bound.values(best_case(a))[0]

    assert worst - EPS <= bound.values(a, expected=True)[0] <= best + EPS


TAIL_MATTERS = {
    *("P", "F", "SetP", "SetF", "SetAP", "Judged", "Unjudged", "NumRet", "Utility"),  # the length of the list
    *("Rndcg", "Compat"),
}


@each_plain
def test_unjudged_results_at_the_end_matter_only_where_the_length_counts(m):
    differs = m.of([1, 0, 2], [1]) != pytest.approx(m.of([1, 0, 2, None, None, None, None], [1]), abs=EPS)

    assert differs == (m.name in TAIL_MATTERS)
