"""Lists of results for the tests of measures, once as an alignment and once as the naive oracle sees them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, permutations, product
from typing import Any

import numpy as np
from hypothesis import strategies as st

from oracle.naive import Query
from rankgauge.alignment import Alignment, Groups
from rankgauge.alignment.ties import truncated
from rankgauge.measures import Measure

EPS = 1e-12

Naive = Callable[[Query], Any]


# from queries to an alignment, without the package's own ranking


def aligned(queries: Sequence[Query], blocks: Sequence[Sequence[int]] | None = None) -> Alignment:
    """The alignment of some queries; `blocks` are the sizes of their tie blocks from the top, if any."""
    rows = [_rows(q, blocks[i] if blocks else [1] * len(q.ranking)) for i, q in enumerate(queries)]
    flat = list(chain.from_iterable(rows))
    grades = np.array([row.grade for row in flat], dtype=np.float64)
    return Alignment(
        query_ids=[f"q{i}" for i in range(len(queries))],
        offsets=np.concatenate(([0], np.cumsum([len(r) for r in rows], dtype=np.int64))),
        grade=grades,
        rank=np.array([row.rank for row in flat], dtype=np.int64),
        tie_first=np.array([row.first for row in flat], dtype=np.int64),
        tie_last=np.array([row.last for row in flat], dtype=np.int64),
        retrieved=np.array([len(q.ranking) for q in queries], dtype=np.int64),
        item=np.array([row.item for row in flat], dtype=np.int64),
        groups=_groups(queries, rows),
        max_grade=float(grades.max(initial=0.0)),
    )


@dataclass(frozen=True)
class _Row:
    doc: str
    item: int
    grade: float
    rank: int
    first: int
    last: int


def _rows(query: Query, sizes: Sequence[int]) -> list[_Row]:
    assert sum(sizes) == len(query.ranking)
    rank = {doc: i for i, doc in enumerate(query.ranking, start=1)}
    span, start = {}, 1
    for size in sizes:
        span.update(dict.fromkeys(range(start, start + size), (start, start + size - 1)))
        start += size
    rows = [
        _Row(doc, item, grade, rank.get(doc, 0), *span.get(rank.get(doc, 0), (0, 0)))
        for item, (doc, grade) in enumerate(query.grades.items())
    ]
    return sorted(rows, key=lambda row: row.rank or math.inf)


def _groups(queries: Sequence[Query], rows: list[list[_Row]]) -> Groups | None:
    if all(q.groups is None for q in queries):
        return None
    row, code, grade, n_codes, start, first = [], [], [], [], 0, 0
    for query, mine in zip(queries, rows, strict=True):
        place = {r.doc: start + i for i, r in enumerate(mine)}
        number: dict[str, int] = {}
        for (doc, heading), g in (query.groups or {}).items():
            row.append(place[doc])
            code.append(first + number.setdefault(heading, len(number)))
            grade.append(g)
        n_codes.append(len(number))
        start += len(mine)
        first += len(number)
    ints = [np.array(x, dtype=np.int64) for x in (row, code, n_codes)]
    return Groups(ints[0], ints[1], np.array(grade, dtype=np.float64), ints[2])


# many random queries


GRADES = [-1, 0, 0, 1, 1, 2, 3, 4]


@cache
def world(headings: bool = False) -> tuple[list[Query], Alignment]:
    """Three hundred queries of all kinds, among them empty lists and queries without anything relevant."""
    rng = np.random.default_rng(20)
    queries = [_random(rng, headings) for _ in range(300)]
    queries += [
        _query([], {"d01": 1}, headings),  # nothing shown
        _query([], {}, headings),  # nothing at all
        _query(["d01", "d02"], {}, headings),  # nothing judged
        _query(["d01", "d02"], {"d01": 0, "d03": 0}, headings),  # nothing relevant
        _query(["d01", "d02"], {"d01": -1, "d03": -2}, headings),  # only negative grades
        _query(["d01"], {"d01": 4, "d02": 4, "d03": 1}, headings),
    ]
    return queries, aligned(queries)


def _query(ranking: list[str], grades: dict[str, float], headings: bool) -> Query:
    return Query(ranking, grades, {(doc, "s1"): g for doc, g in grades.items()} if headings else None)


def _random(rng: np.random.Generator, headings: bool) -> Query:
    docs = [f"d{i:02}" for i in range(24)]
    ranking = [str(d) for d in rng.permutation(docs)[: rng.integers(0, 16)]]
    judged = sorted(str(d) for d in rng.permutation(docs)[: rng.integers(0, 16)])
    if not headings:
        return Query(ranking, {d: float(rng.choice(GRADES)) for d in judged})
    groups = {(d, f"s{s}"): float(rng.choice(GRADES)) for d in judged for s in range(4) if s == 0 or rng.random() < 0.5}
    return with_headings(ranking, groups)


def with_headings(ranking: list[str], groups: dict[tuple[str, str], float]) -> Query:
    """A query judged by subtopic or assessor; an item's own grade is the best of its grades."""
    return Query(ranking, _best_of(groups), groups)


def _best_of(groups: dict[tuple[str, str], float]) -> dict[str, float]:
    best: dict[str, float] = {}
    for (doc, _), grade in groups.items():
        best[doc] = max(grade, best.get(doc, -math.inf))
    return best


def assert_agrees(m: Measure, naive: Naive, *, headings: bool = False) -> None:
    """The measure has the value of the definition for every query of the world; NaN means undefined."""
    queries, a = world(headings)
    got, defined = m.bind(a).values(a), m.defined(a)
    for i, query in enumerate(queries):
        want = naive(query)
        if isinstance(want, str):
            assert got[i] == want, query
        elif math.isnan(want):
            assert not defined[i], query
        else:
            assert abs(got[i] - want) < EPS, (str(m), query, got[i], want)


# lists with ties


@dataclass(frozen=True)
class Tied:
    """A short list with tie blocks."""

    query: Query
    sizes: list[int]

    @property
    def alignment(self) -> Alignment:
        return aligned([self.query], [self.sizes])

    def orders(self) -> list[list[str]]:
        """All orders of the results, each block in all of its orders."""
        blocks, start = [], 0
        for size in self.sizes:
            blocks.append(self.query.ranking[start : start + size])
            start += size
        return [list(chain.from_iterable(parts)) for parts in product(*map(permutations, blocks))]

    def mean(self, naive: Naive, depth: int | None = None) -> float:
        """Mean of the naive measure over all orders, each cut at `depth`."""
        values = [naive(Query(o[:depth], self.query.grades, self.query.groups)) for o in self.orders()]
        return math.fsum(values) / len(values)


@st.composite
def tied_lists(draw: st.DrawFn, headings: bool = False) -> Tied:
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3).filter(lambda s: sum(s) <= 6))
    n = sum(sizes)
    docs = [f"d{i}" for i in range(n + 2)]  # the last two are not shown
    ranking = draw(st.permutations(docs[:n]))
    grade = st.sampled_from([-1.0, 0.0, 1.0, 2.0])
    if not headings:
        marks = draw(st.lists(st.none() | grade, min_size=n + 2, max_size=n + 2))
        return Tied(Query(list(ranking), {d: g for d, g in zip(docs, marks, strict=True) if g is not None}), sizes)
    cells = [(d, s) for d in docs for s in ("s1", "s2")]
    marks = draw(st.lists(st.none() | grade, min_size=len(cells), max_size=len(cells)))
    groups = {cell: g for cell, g in zip(cells, marks, strict=True) if g is not None}
    return Tied(with_headings(list(ranking), groups), sizes)


def assert_expected(m: Measure, naive: Naive, tied: Tied, depth: int | None = None) -> None:
    """The expectation over ties is the mean of the definition over all orders."""
    a = tied.alignment
    bound = m.bind(a)
    if depth is not None:
        a = truncated(a, depth, blocks=True)
    assert abs(bound.values(a, expected=True)[0] - tied.mean(naive, depth)) < EPS, (str(m), tied, depth)


QUICK = {"max_examples": 20, "deadline": None}  # for @settings: each example tries all orders of a list


def case_id(value: object) -> str | None:
    """Readable ids for cases of a measure and its naive function."""
    return str(value) if isinstance(value, Measure) else ""
