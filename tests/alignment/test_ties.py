"""Other alignments made from one: best and worst orders, condensed and cut lists, parts, all orders."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import factorial
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle import naive
from rankgauge.alignment import Alignment
from rankgauge.alignment.build import align
from rankgauge.alignment.orders import blocks_of, every_order, in_slices, n_orders
from rankgauge.alignment.ties import best_case, condensed, fractional, truncated, worst_case
from rankgauge.data import Qrels, Run
from rankgauge.measures._headings import profiles

IDS = [f"d{i}" for i in range(7)]
QUERIES = ["q1", "q2", "q3"]
Table = dict[str, dict[str, float]]

qrels = st.dictionaries(
    st.sampled_from(QUERIES), st.dictionaries(st.sampled_from(IDS), st.integers(-1, 3), min_size=1), min_size=1
)
runs = st.dictionaries(
    st.sampled_from(QUERIES),
    st.dictionaries(st.sampled_from(IDS), st.sampled_from([0.0, 1.0, 2.0]), min_size=1, max_size=5),
    min_size=1,
)
few = settings(max_examples=50, deadline=None)


def aligned(judged: Table, shown: Table) -> Alignment:
    return align(Qrels.of(judged), Run.of(shown)).alignment


def ranks(a: Alignment, judged: Table, query: int = 0) -> dict[str, int]:
    """item -> rank, of one query of the alignment."""
    items = list(judged[a.query_ids[query]])
    rows = range(a.offsets[query], a.offsets[query + 1])
    return {items[a.item[row]]: int(a.rank[row]) for row in rows}


def all_ranks(a: Alignment, judged: Table) -> dict[str, dict[str, int]]:
    return {query: ranks(a, judged, i) for i, query in enumerate(a.query_ids)}


def blocks(results: dict[str, float]) -> list[list[str]]:
    """Results of equal score together, best first, ids from high to low."""
    return [
        sorted((d for d in results if results[d] == s), reverse=True)
        for s in sorted(set(results.values()), reverse=True)
    ]


def places(ranking: list[str], grades: dict[str, float]) -> dict[str, int]:
    return {doc: ranking.index(doc) + 1 if doc in ranking else 0 for doc in grades}


def doc_id_order(results: dict[str, float]) -> list[str]:
    return [doc for block in blocks(results) for doc in block]


def all_orders(a: Alignment, kind: Any) -> tuple[Alignment, Any]:
    """An alignment with a query for each distinct order, and whose order each one is."""
    listed = [every_order(a, query, blocks_of(a, query, kind)) for query in range(a.n_queries)]
    (orders,) = in_slices(a, iter(listed))
    return orders, np.repeat(np.arange(a.n_queries), [len(ranks) for _, ranks in listed])


def grades_at_ranks(found: dict[str, int], grades: dict[str, float]) -> Counter[tuple[float, int]]:
    """Items of one grade may stand in any order, so only their grades are compared."""
    return Counter((grades[doc], rank) for doc, rank in found.items())


@given(qrels, runs)
@few
def test_best_and_worst_order_blocks_by_grade(judged: Table, shown: Table):
    a = aligned(judged, shown)

    for case, step in ((best_case(a), 1), (worst_case(a), -1)):
        for query, grades in judged.items():
            # relevant by grade, then unjudged, then judged non-relevant; the worst case is the reverse
            order = [
                doc
                for block in blocks(shown.get(query, {}))
                for doc in sorted(block, key=lambda d: -grades.get(d, 0.5))[::step]
            ]
            found = ranks(case, judged, list(a.query_ids).index(query))
            assert grades_at_ranks(found, grades) == grades_at_ranks(places(order, grades), grades)


@given(qrels, runs)
@few
def test_condensed_lists_hold_judged_items_only(judged: Table, shown: Table):
    a = aligned(judged, shown)
    kept = {q: [d for d in doc_id_order(shown.get(q, {})) if d in judged[q]] for q in judged}

    c = condensed(a)

    assert all_ranks(c, judged) == {q: places(kept[q], judged[q]) for q in judged}
    assert c.retrieved.tolist() == [len(kept[q]) for q in judged]
    only_judged = aligned(judged, {q: {d: s for d, s in r.items() if d in judged.get(q, {})} for q, r in shown.items()})
    assert c.tie_first.tolist() == only_judged.tie_first.tolist()
    assert c.tie_last.tolist() == only_judged.tie_last.tolist()


@given(qrels, runs, st.integers(1, 6))
@few
def test_truncated_lists_end_at_the_depth(judged: Table, shown: Table, depth: int):
    a = aligned(judged, shown)
    kept = {q: doc_id_order(shown.get(q, {}))[:depth] for q in judged}

    t = truncated(a, depth)

    assert all_ranks(t, judged) == {q: places(kept[q], judged[q]) for q in judged}
    assert t.retrieved.tolist() == [len(kept[q]) for q in judged]
    assert t.depth == depth


def shares(a: Alignment, judged: Table, values: Any) -> dict[tuple[str, str], float]:
    return {
        (query, list(judged[query])[a.item[row]]): float(values[row])
        for i, query in enumerate(a.query_ids)
        for row in range(a.offsets[i], a.offsets[i + 1])
    }


@given(qrels, runs, st.none() | st.integers(1, 4))
@few
def test_fractional_places_are_means_over_all_orders(judged: Table, shown: Table, k: int | None):
    f = fractional(aligned(judged, shown))

    within, discounted = {}, {}
    for query, grades in judged.items():
        orders = list(naive.orders(blocks(shown.get(query, {}))))
        for doc in grades:
            found = [order.index(doc) + 1 for order in orders if doc in order[:k]]
            within[query, doc] = len(found) / len(orders)
            discounted[query, doc] = sum(1 / rank for rank in found) / len(orders)

    assert shares(f, judged, f.within(k)) == pytest.approx(within)
    assert shares(f, judged, f.discounted(lambda rank: 1 / rank, k)) == pytest.approx(discounted)


@given(qrels, runs)
@few
def test_without_ties_fractions_are_whole(judged: Table, shown: Table):
    distinct = {q: {d: s * 100 + i for i, (d, s) in enumerate(r.items())} for q, r in shown.items()}
    a = aligned(judged, distinct)

    assert not a.tied.any()
    assert fractional(a).within(2).tolist() == a.within(2).tolist()
    assert best_case(a) is a


@given(qrels, runs)
@few
def test_every_order_has_each_pattern_equally_often(judged: Table, shown: Table):
    a = aligned(judged, shown)

    orders, owner = all_orders(a, a.grade)

    for i, (query, grades) in enumerate(judged.items()):
        found: Counter[Any] = Counter()
        for number in np.flatnonzero(owner == i):
            found[frozenset(grades_at_ranks(ranks(orders, judged, number), grades).items())] += 1
        enumerated = Counter(
            frozenset(grades_at_ranks(places(order, grades), grades).items())
            for order in naive.orders(blocks(shown.get(query, {})))
        )
        assert {pattern: Fraction(n, found.total()) for pattern, n in found.items()} == {
            pattern: Fraction(n, enumerated.total()) for pattern, n in enumerated.items()
        }


def test_orders_of_alike_items_are_listed_once():
    """Ten results, two of them relevant: 45 patterns, not 10!."""
    a = aligned({"q": {"d0": 1, "d1": 1}}, {"q": {f"d{i}": 1.0 for i in range(10)}})

    _, owner = all_orders(a, a.grade)

    assert len(owner) == n_orders(blocks_of(a, 0, a.grade)) == factorial(10) // factorial(8) // 2


# parts


def grouped(judged: dict[str, dict[tuple[str, str], float]]) -> Qrels:
    cells = [(q, d, h, g) for q, items in judged.items() for (d, h), g in items.items()]
    return Qrels.from_frame(pl.DataFrame(cells, schema=["query_id", "doc_id", "iteration", "grade"], orient="row"))


GROUPED = {
    "q1": {("a", "1"): 1, ("a", "2"): 0, ("b", "2"): 2},
    "q2": {("c", "1"): 1},
    "q3": {("a", "3"): 0, ("b", "1"): 1, ("b", "3"): 3, ("d", "2"): 1},
}
SHOWN = {"q1": {"b": 2.0, "a": 1.0}, "q3": {"d": 1.0, "b": 1.0, "x": 3.0}}


def marks(a: Alignment, names: list[str]) -> dict[str, Counter[tuple[int, int, float]]]:
    """query -> how often (rank of the item, number of its heading, grade) occurs."""
    assert a.groups is not None
    first = np.concatenate(([0], np.cumsum(a.groups.n_codes)))
    out: dict[str, Counter[tuple[int, int, float]]] = {name: Counter() for name in names}
    for row, code, grade in zip(a.groups.row, a.groups.code, a.groups.grade, strict=True):
        query = int(a.by_query.owner[row])
        assert first[query] <= code < first[query + 1]
        out[names[query]][int(a.rank[row]), int(code - first[query]), float(grade)] += 1
    return out


def test_headings_stay_with_their_items():
    a = align(grouped(GROUPED), Run.of(SHOWN)).alignment

    assert a.groups is not None
    assert a.groups.n_codes.tolist() == [2, 1, 3]
    # headings are numbered in the order of the file: q1: 1, 2; q3: 3, 1, 2; item ranks of q3: x, d, b
    assert marks(a, list(GROUPED)) == {
        "q1": {(2, 0, 1): 1, (2, 1, 0): 1, (1, 1, 2): 1},
        "q2": {(0, 0, 1): 1},
        "q3": {(0, 0, 0): 1, (3, 1, 1): 1, (3, 0, 3): 1, (2, 2, 1): 1},
    }
    assert sorted(a.grade[a.offsets[0] : a.offsets[1]]) == [1, 2]  # the best grade under any heading


@pytest.mark.parametrize("chosen", [[0], [1], [2], [2, 0], [0, 1, 2], [2, 1, 0], []])
def test_part_of_the_queries_with_headings(chosen: list[int]):
    names = list(GROUPED)
    a = align(grouped(GROUPED), Run.of(SHOWN)).alignment
    whole = marks(a, names)

    part = a.of_queries(np.array(chosen, dtype=np.int64))

    assert list(part.query_ids) == [names[i] for i in chosen]
    assert marks(part, [names[i] for i in chosen]) == {names[i]: whole[names[i]] for i in chosen}


@given(qrels, runs, st.data())
@few
def test_part_of_the_queries(judged: Table, shown: Table, choose: st.DataObject):
    a = aligned(judged, shown)
    names = list(judged)
    chosen = choose.draw(st.lists(st.sampled_from(range(len(names))), unique=True))
    alone = {names[i]: judged[names[i]] for i in chosen}

    part = a.of_queries(np.array(chosen, dtype=np.int64))
    expected = aligned(alone, shown) if alone else a.of_queries(np.zeros(len(names), dtype=bool))

    for field in ("offsets", "grade", "rank", "tie_first", "tie_last", "retrieved", "item"):
        assert getattr(part, field).tolist() == getattr(expected, field).tolist(), field
    assert list(part.query_ids) == list(alone)


def test_part_by_mask():
    a = aligned({"q1": {"a": 1}, "q2": {"b": 2}, "q3": {"c": 3}}, {"q1": {"x": 1.0}})

    assert a.of_queries(np.array([True, False, True])).grade.tolist() == [1, 3]


def test_every_order_keeps_headings_with_their_items():
    """d and b of q3 are tied: two orders, each with all the marks of the query."""
    a = align(grouped(GROUPED), Run.of(SHOWN)).alignment

    assert a.groups is not None
    orders, owner = all_orders(a, profiles(a, a.groups.grade, kept=True))

    assert owner.tolist() == [0, 1, 2, 2]
    numbered = [f"{i}" for i in range(4)]
    found = marks(orders, numbered)
    assert [found["2"], found["3"]] in [
        [{(0, 0, 0): 1, (x, 1, 1): 1, (x, 0, 3): 1, (y, 2, 1): 1} for x, y in pair]
        for pair in product(((2, 3), (3, 2)), repeat=2)
        if pair[0] != pair[1]
    ]


# what measures are written with


@given(qrels, runs, st.integers(1, 3), st.none() | st.integers(1, 4))
@few
def test_counting(judged: Table, shown: Table, rel: int, k: int | None):
    a = aligned(judged, shown)
    lists = {q: doc_id_order(shown.get(q, {})) for q in judged}
    hits = {q: [d for d in lists[q][:k] if judged[q].get(d, 0) >= rel] for q in judged}

    assert a.hits(rel, k).tolist() == [len(hits[q]) for q in judged]
    assert a.n_relevant(rel).tolist() == [sum(g >= rel for g in judged[q].values()) for q in judged]
    assert a.first_rank(a.relevant(rel) & a.within(k)).tolist() == [
        lists[q].index(hits[q][0]) + 1 if hits[q] else 0 for q in judged
    ]
    best = [sorted(map(float, judged[q].values()), reverse=True) for q in judged]
    assert a.best(a.grade, k).tolist() == [g if k is None or i < k else 0 for row in best for i, g in enumerate(row)]


def test_depth_holds_for_cutoffs_of_each_query():
    """R-precision cuts every list at its own R; the depth cuts again."""
    a = truncated(aligned({"q1": {"a": 1, "b": 1, "c": 1}, "q2": {"a": 1}}, {"q1": {"c": 3, "b": 2, "a": 1}}), 2)

    assert a.within(a.by_query.spread(a.n_relevant())).tolist() == [True, True, False, False]
    assert a.hits().tolist() == [2, 0]
